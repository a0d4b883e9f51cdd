"""Evaluator of net files by onnxruntime, on the processor or the GPU; the shipped nets.  Knows no torch."""

from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

from core.processors import processors
from core.text import Text, text_of
from models.netfiles.cuda import CUDA, failure, load_libraries
from models.netfiles.cuda import missing_gpu as missing_gpu
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
from models.netfiles.net_file import check_metadata, match_tensors
from models.netfiles.net_file import listed_net_info as listed_net_info
from models.netfiles.net_file import read_net_info as read_net_info
from models.netfiles.ort_session import ORT_ERRORS, first_line, open_session
from models.netfiles.ort_session import BadNet as BadNet
from models.netfiles.trial_run import check_run

if TYPE_CHECKING:
    from core.games import GameSpec

DEVICES: Final = ("auto", "cpu", "cuda")

_CPU: Final = "CPUExecutionProvider"
_SMALL_FILE: Final = 4 << 20  # bytes, up to which one thread is as fast as several at the search's batches of 8
_WARM_UP_BATCH: Final = 8
_VALUE_SLACK: Final = 1e-3  # tolerated rounding error beyond -1 and 1


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
        self.threads = threads or _default_threads(self.path)
        self._game_actions = game.num_actions
        self._input_shape = (game.num_planes, *game.shape)
        self.info = read_net_info(self.path)
        check_metadata(self.info, game, foreign)
        self._foreign = foreign if self.info.is_foreign else None
        self._tensors = match_tensors(self.info, game, self._foreign)
        if self.path.parent != nets_dir():
            check_run(self.path, self._tensors)
        cpu_session = open_session(self.path, _run_options(self.threads), [_CPU])
        self._outputs = (self._tensors.policy, self._tensors.value)
        self._fixed_batch = self._tensors.planes.shape[0]
        cells = game.shape[0] * game.shape[1]
        # Othello's actions are the cells, then a pass.
        self._flips_policy = bool(
            self._foreign
            and self._foreign.rows_flipped != self._foreign.policy_flipped
            and self._game_actions in (cells, cells + 1)
        )
        self.provider = "CPU"
        self._session, self.provider_note = cpu_session, ""
        self._bound: BoundSession | None = None  # on a GPU
        if device != "cpu":
            self._take_gpu(gpu, required=device == "cuda")
        self._warm_up()

    @property
    def description(self) -> str:
        return Text(f"{{net}} on {self.provider}", net=self.path.name)

    def evaluate(self, planes: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """``planes`` float32 [B, C, H, W] -> (policy logits float32 [B, A], value float32 [B] in [-1, 1]).

        Raises ``ValueError`` for another shape or dtype, :class:`BadNet` for values out of range or NaN.
        """
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
        if self._foreign and self._foreign.rows_flipped:
            planes = planes[:, :, ::-1]
        if self._fixed_batch is None:
            policy, value = self._run(planes)
        else:
            policy, value = self._run_in_parts(planes, self._fixed_batch)
        low, high = float(value.min(initial=0.0)), float(value.max(initial=0.0))
        if not (low >= -1.0 - _VALUE_SLACK and high <= 1.0 + _VALUE_SLACK):
            worst = low if not low >= -1.0 - _VALUE_SLACK else high
            raise BadNet(
                Text("{net} gave the value {value:g}; values must lie from -1 to 1", net=self.path.name, value=worst)
            )
        if not np.isfinite(policy).all():
            raise BadNet(Text("{net} gave a policy with entries that are not numbers", net=self.path.name))
        if low < -1.0 or high > 1.0:
            value = np.clip(value, -1.0, 1.0)
        return policy, value

    def _run(self, planes: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Call the session once: (logits [B, A], value [B]) in Plyscope's conventions."""
        if self._tensors.channels_last:
            planes = planes.transpose(0, 2, 3, 1)
        try:
            if self._bound is not None:
                raw_policy, raw_value = self._bound.run(planes)
            else:
                name = self._tensors.planes.name
                raw_policy, raw_value = self._session.run(self._outputs, {name: np.ascontiguousarray(planes)})
        except ORT_ERRORS as error:
            if self.provider != "CUDA":
                raise
            raise BadNet(
                Text("{net} failed on the GPU: {failure}", net=self.path.name, failure=failure(error))
            ) from error
        batch = len(planes)
        policy = np.asarray(raw_policy, np.float32).reshape(batch, self._game_actions)
        if self._foreign is None:
            return policy, np.asarray(raw_value, np.float32).reshape(batch)
        value = _value_in(np.asarray(raw_value, np.float32).reshape(batch, -1), self._foreign.value)
        policy = self._logits_in(policy, self._foreign.policy)
        if self._flips_policy:
            cells = self._input_shape[1] * self._input_shape[2]
            policy = policy.copy()
            rows = policy[:, :cells].reshape(batch, *self._input_shape[1:])[:, ::-1]
            policy[:, :cells] = rows.reshape(batch, cells)
        return np.ascontiguousarray(policy), value

    def _logits_in(self, policy: NDArray[np.float32], kind: str) -> NDArray[np.float32]:
        """Convert a foreign policy [B, A] to logits; :class:`BadNet` when its numbers contradict ``kind``."""
        if kind == "logits":
            return policy
        low, high = (0.0, 1.0) if kind == "probabilities" else (-np.inf, 0.0)
        for worst in (policy.min(initial=0.0), policy.max(initial=0.0)):
            if not low - _VALUE_SLACK <= worst <= high + _VALUE_SLACK:
                raise BadNet(
                    Text(
                        "{net} gave a policy entry of {value:g}; it holds no {kind}",
                        net=self.path.name,
                        value=worst,
                        kind=kind,
                    )
                )
        # The logarithm of a zero probability is -inf, which no search can use.
        return np.maximum(np.log(np.maximum(policy, np.float32(1e-12))) if low == 0.0 else policy, np.float32(-1e9))

    def _run_in_parts(self, planes: NDArray[np.float32], size: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """As :meth:`_run` for a file with a fixed batch size: in parts of ``size``, the last padded with zeros."""
        policies, values = [], []
        for start in range(0, len(planes), size):
            part = planes[start : start + size]
            padded = np.zeros((size, *self._input_shape), np.float32)
            padded[: len(part)] = part
            policy, value = self._run(padded)
            policies.append(policy[: len(part)])
            values.append(value[: len(part)])
        if not policies:
            return np.zeros((0, self._game_actions), np.float32), np.zeros(0, np.float32)
        return np.concatenate(policies), np.concatenate(values)

    def _take_gpu(self, gpu: int, *, required: bool) -> None:
        """Switch to the GPU if it can be used; else set ``provider_note``, or raise BadNet when ``required``."""
        reason = missing_gpu()
        if not reason:
            missing = load_libraries()
            on_cpu = self._session
            try:
                self._session = open_session(self.path, _run_options(self.threads), [(CUDA, {"device_id": gpu}), _CPU])
                if self._session.get_providers()[0] == CUDA:
                    if self._fixed_batch is None:
                        self._bound = BoundSession(self._session, self._tensors.planes.name, self._outputs, "cuda", gpu)
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
        planes = np.zeros((_WARM_UP_BATCH, *self._input_shape), np.float32)
        for _ in range(2):
            try:
                policy, _ = self.evaluate(planes)
            except ORT_ERRORS as error:
                raise BadNet(
                    Text("{net} cannot be evaluated: {error}", net=self.path.name, error=first_line(error))
                ) from None
            except ValueError as error:
                raise BadNet(Text("{net} cannot be used: {error}", net=self.path.name, error=text_of(error))) from None
        adds_to_1 = policy.min() >= 0.0 and np.abs(policy.sum(axis=1) - 1.0).max() < _VALUE_SLACK
        if self._foreign and self._foreign.policy == "logits" and adds_to_1:
            raise BadNet(
                Text("{net} has a policy that adds up to 1: it holds probabilities, not logits", net=self.path.name)
            )


def _value_in(value: NDArray[np.float32], kind: str) -> NDArray[np.float32]:
    """Convert a foreign value output [B, 1], or [B, 3] of win, draw and loss, to values [B]."""
    if kind == "value":
        return value.reshape(len(value))
    if value.shape[1] != 3:
        raise ValueError(
            Text(
                "its output has {count} numbers per position where win, draw and loss are needed", count=value.shape[1]
            )
        )
    if kind == "wdl-logits":
        value = np.exp(value - value.max(axis=1, keepdims=True))
        value /= value.sum(axis=1, keepdims=True)
    return np.ascontiguousarray(value[:, 0] - value[:, 2])


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
