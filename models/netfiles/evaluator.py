"""Evaluator of net files by onnxruntime, on the processor or the GPU; the shipped nets.  Knows no torch."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

from core.engine.evaluator import ask
from core.games.encoding import Inputs
from core.games.net_inputs import make_inputs
from core.processors import processors
from core.text import Text, text_of
from models.netfiles.cuda import CUDA, failure, load_libraries
from models.netfiles.cuda import missing_gpu as missing_gpu
from models.netfiles.heads import heads_for
from models.netfiles.io_binding import BoundSession
from models.netfiles.net_file import ENCODING as ENCODING
from models.netfiles.net_file import FORMAT as FORMAT
from models.netfiles.net_file import LAYOUTS as LAYOUTS
from models.netfiles.net_file import METADATA_PREFIX as METADATA_PREFIX
from models.netfiles.net_file import POLICY_KINDS as POLICY_KINDS
from models.netfiles.net_file import VALUE_KINDS as VALUE_KINDS
from models.netfiles.net_file import ForeignConventions as ForeignConventions
from models.netfiles.net_file import NetInfo as NetInfo
from models.netfiles.net_file import TensorInfo as TensorInfo
from models.netfiles.net_file import listed_net_info as listed_net_info
from models.netfiles.net_file import read_net_info as read_net_info
from models.netfiles.opened import as_onnx
from models.netfiles.ort_session import ORT_ERRORS, first_line, open_session
from models.netfiles.ort_session import BadNet as BadNet
from models.netfiles.trial_run import POSITIONS, check_run

if TYPE_CHECKING:
    from core.games import GameSpec

DEVICES: Final = ("auto", "cpu", "cuda")

_CPU: Final = "CPUExecutionProvider"
_SMALL_FILE: Final = 4 << 20  # bytes, up to which one thread is as fast as several at the search's batches of 8
_WARM_UP_BATCH: Final = 8


def nets_dir() -> Path:
    """The folder of the shipped nets."""
    return Path(str(files("resources") / "nets"))


def default_net(game: "GameSpec", folder: Path | None = None) -> Path | None:
    """The net for ``game`` in ``folder`` (default: the shipped nets) with the most training steps, then the last by
    name; None when there is none.  Unreadable and foreign files are skipped."""
    best: tuple[int, str, Path] | None = None
    for path in sorted((folder or nets_dir()).glob("*.onnx")):
        try:
            info = listed_net_info(path)
        except BadNet:
            continue
        if not info.is_foreign and info.game == game.text and (best is None or (info.step, path.name) > best[:2]):
            best = (info.step, path.name, path)
    return best[2] if best else None


class OnnxEvaluator:
    """Evaluates positions of one game with a net file.

    provider: ``CPU`` or ``CUDA``, where it runs.  provider_note: why ``auto`` does not use the GPU, or empty.
    threads: processor threads per batch.
    """

    def __init__(
        self,
        path: str | Path,
        game: "GameSpec",
        *,
        foreign: ForeignConventions | None = None,
        device: str = "auto",
        gpu: int = 0,
        threads: int | None = None,
    ) -> None:
        """Load ``path`` and check it against ``game``.

        foreign: conventions of a file without Plyscope metadata.  gpu: CUDA's number of the GPU.  threads: None is 1
        for a small net, more for a large one.  Raises :class:`BadNet`, one sentence, when the file is not a net for
        ``game`` or ``device`` is not available.
        """
        if device not in DEVICES:
            raise BadNet(
                Text(
                    "{name} is {value!r}; it must be one of {allowed}",
                    name="device",
                    value=device,
                    allowed=", ".join(DEVICES),
                )
            )
        if threads is not None and threads < 1:
            raise BadNet(Text("threads is {threads!r}; it must be a whole number from 1", threads=threads))
        self.path = Path(path)
        self._num_actions = game.num_actions
        self.threads = threads or _default_threads(self.path)
        self._file = as_onnx(self.path)
        self.info = replace(read_net_info(self._file), path=self.path)
        self._heads = heads_for(self.info, game, foreign)
        self.encoding = self._heads.encoding
        sample = make_inputs(game, self.encoding, 1)
        self._input_shape, self._features = sample.planes.shape[1:], sample.features.shape[1]
        if self.path.parent != nets_dir():
            self._check_run()
        cpu_session = open_session(self._file, _run_options(self.threads), [_CPU])
        self.provider = "CPU"
        self._session, self.provider_note = cpu_session, ""
        self._bound: BoundSession | None = None  # on a GPU
        if device != "cpu":
            self._take_gpu(gpu, required=device == "cuda")
        self._warm_up()

    @property
    def description(self) -> str:
        return Text(f"{{net}} on {self.provider}", net=self.path.name)

    def _empty_boards(self, batch: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Planes and features of ``batch`` empty boards."""
        planes = np.zeros((batch, *self._input_shape), np.float32)
        if self._features:
            planes[:, 0] = 1.0  # the points of the board, by whose number KataGo's nets divide
        return planes, np.zeros((batch, self._features), np.float32)

    def _check_run(self) -> None:
        inputs = self._heads.inputs(*self._empty_boards(self._heads.batch or POSITIONS))
        outputs = (*self._heads.outputs, *filter(None, [self._heads.ownership]))
        check_run(self._file, tuple((name, array.shape) for name, array in inputs.items()), outputs)

    def evaluate(
        self, planes: NDArray[np.float32], features: NDArray[np.float32] | None = None
    ) -> tuple[NDArray[np.float32], ...]:
        """``planes`` float32 [B, C, H, W] and, where the encoding has them, ``features`` float32 [B, G] -> logits of
        the policy float32 [B, A], value float32 [B] in [-1, 1] and, where the encoding has them, leads float32 [B, 2].

        Raises ``ValueError`` for another shape or dtype, :class:`BadNet` for values out of range.
        Whether the logits are finite is checked by ``core.engine.evaluator.ask``.
        """
        features = self._checked(planes, features)
        if not len(planes):
            return np.zeros((0, self._num_actions), np.float32), np.zeros(0, np.float32)
        return self._in_parts(self._run, planes, features)

    def _in_parts(
        self, run: Callable[..., Sequence[NDArray[np.float32]]], *inputs: NDArray[np.float32]
    ) -> tuple[NDArray[np.float32], ...]:
        """The answers of ``run`` in parts of the batch size of the file, the last filled up with its first row."""
        batch, size = len(inputs[0]), self._heads.batch
        if size is None:
            return tuple(run(*inputs))
        answers = []
        for start in range(0, batch, size):
            rows = [start + i if start + i < batch else start for i in range(size)]
            answers.append(run(*(given[rows] for given in inputs)))
        return tuple(np.concatenate(parts)[:batch] for parts in zip(*answers, strict=True))

    @property
    def gives_ownership(self) -> bool:
        """Whether ``ownership`` answers."""
        return bool(self._heads.ownership)

    def ownership(
        self, planes: NDArray[np.float32], features: NDArray[np.float32] | None = None
    ) -> NDArray[np.float32]:
        """The ownership of each point for the side to move, float32 [B, H, W] in [-1, 1]; inputs as in ``evaluate``.

        A run of its own, which other threads may make while a search evaluates.  ValueError as in ``evaluate``.
        """
        found = self.outputs((self._heads.ownership,), planes, self._checked(planes, features))
        return self._heads.owners(found[self._heads.ownership])

    def outputs(
        self, names: Sequence[str], planes: NDArray[np.float32], features: NDArray[np.float32]
    ) -> dict[str, NDArray[np.float32]]:
        """The file's own outputs of these ``names``, () for all, for a board of any size that the file takes."""
        wanted = list(names or (output.name for output in self.info.outputs))

        def run(*part: NDArray[np.float32]) -> Any:
            return self._called(lambda: self._session.run(wanted, self._heads.inputs(*part)))

        try:
            found = self._in_parts(run, planes, features)
        except ORT_ERRORS as error:
            raise BadNet(
                Text("{net} cannot be evaluated: {error}", net=self.path.name, error=first_line(error))
            ) from None
        return dict(zip(wanted, found, strict=True))

    def _checked(self, planes: NDArray[np.float32], features: NDArray[np.float32] | None) -> NDArray[np.float32]:
        """The features, of width 0 for None; ValueError when inputs have another shape or dtype than the net takes."""
        if planes.dtype != np.float32 or planes.ndim != 4 or planes.shape[1:] != self._input_shape:
            raise ValueError(
                Text(
                    "planes are {kind} {shape}; {net} takes float32 (batch, *{input_shape})",
                    kind=planes.dtype,
                    shape=planes.shape,
                    net=self.path.name,
                    input_shape=self._input_shape,
                )
            )
        if features is None:
            features = np.zeros((len(planes), 0), np.float32)
        if features.shape != (len(planes), self._features):
            raise ValueError(
                Text(
                    "features are {shape}; {net} takes {needed}",
                    shape=features.shape,
                    net=self.path.name,
                    needed=(len(planes), self._features),
                )
            )
        return features

    def _run(self, planes: NDArray[np.float32], features: NDArray[np.float32]) -> tuple[NDArray[np.float32], ...]:
        """Call the session once."""
        inputs, outputs, bound = self._heads.inputs(planes, features), self._heads.outputs, self._bound
        raw = self._called(lambda: self._session.run(outputs, inputs) if bound is None else bound.run(inputs))
        return self._heads.answer(raw)

    def _called(self, run: Callable[[], Any]) -> Any:
        """The result of ``run``; :class:`BadNet` when the GPU fails."""
        try:
            return run()
        except ORT_ERRORS as error:
            if self.provider != "CUDA":
                raise
            raise BadNet(
                Text("{net} failed on the GPU: {failure}", net=self.path.name, failure=failure(error))
            ) from error

    def _take_gpu(self, gpu: int, *, required: bool) -> None:
        """Switch to the GPU if it can be used; else set ``provider_note``, or raise BadNet when ``required``."""
        reason = missing_gpu()
        if not reason:
            missing = load_libraries()
            on_cpu = self._session
            try:
                self._session = open_session(self._file, _run_options(self.threads), [(CUDA, {"device_id": gpu}), _CPU])
                if self._session.get_providers()[0] == CUDA:
                    if self._heads.batch is None:
                        self._bound = BoundSession(self._session, self._heads.outputs, "cuda", gpu)
                    self._warm_up()
                    self.provider = "CUDA"
                else:
                    unknown = Text("its libraries are missing or of another version")
                    reason = Text("onnxruntime did not start its CUDA part; {missing}", missing=missing or unknown)
            except (ValueError, *ORT_ERRORS) as error:
                reason = Text("the net does not run on the GPU: {failure}", failure=failure(error))
            if reason:
                self._session, self._bound = on_cpu, None
        if reason and required:
            raise BadNet(Text("{net} cannot run on CUDA: {reason}", net=self.path.name, reason=reason))
        self.provider_note = reason

    def _warm_up(self) -> None:
        """Evaluate a batch of zeros, twice as onnxruntime plans its memory in the first run and uses it from the second
        on; a net that fails does so now."""
        sample = Inputs(*self._empty_boards(_WARM_UP_BATCH))
        for _ in range(2):
            try:
                answer = ask(self, sample, self._num_actions)
            except ORT_ERRORS as error:
                raise BadNet(
                    Text("{net} cannot be evaluated: {error}", net=self.path.name, error=first_line(error))
                ) from None
            except ValueError as error:
                raise BadNet(Text("{net} cannot be used: {error}", net=self.path.name, error=text_of(error))) from None
        self._heads.check_sample(answer.logits)


def _default_threads(path: Path) -> int:
    cores = processors()
    small = not path.is_file() or path.stat().st_size < _SMALL_FILE
    return 1 if small else max(1, min(8, cores // 2))


def _run_options(threads: int) -> Any:
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    # Idle threads must not spin: the search needs the processor.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return options
