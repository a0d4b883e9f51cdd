"""Evaluator of net files by onnxruntime or another runtime."""

import threading
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.checks import choice_problem
from core.engine.evaluator import Evaluator, ask
from core.games import GameSpec
from core.games.encoding import Inputs
from core.games.net_inputs import make_inputs
from core.machine import processors
from core.text import Text, joined, text_of
from models.netfiles.checked import checked_net, empty_boards
from models.netfiles.cuda import failure
from models.netfiles.gpu_runtime import GPU_BATCHES, GpuRuntime
from models.netfiles.ort_session import ORT_ERRORS, BadNet, first_line, unusable
from models.netfiles.recipe import Recipe
from models.netfiles.runtime_choice import BATCH, OpenedNet, Trial, choose, reason_of
from models.netfiles.runtimes import (
    AUTO,
    ORT,
    PARTS,
    PLACES,
    RUNTIMES,
    TITLES,
    OrtRuntime,
    Runtime,
    missing_runtime,
    other_runtimes,
)

DEVICES: Final = ("auto", "cpu", "cuda")

Array = NDArray[np.float32]
_SMALL_FILE: Final = 4 << 20  # bytes, up to which one thread is as fast as several at the search's batches of 8


class OnnxEvaluator(Evaluator):
    """Evaluates positions of one game with a net file.

    provider: ``CPU``, ``CUDA`` or ``GPU``, where it runs.  runtime: what evaluates it, one of ``RUNTIMES``.
    provider_note: why ``auto`` does not use the GPU or another runtime.  threads: processor threads.
    """

    def __init__(
        self,
        path: str | Path,
        game: "GameSpec",
        *,
        recipe: Recipe | None = None,
        device: str = "auto",
        gpu: int = 0,
        threads: int | None = None,
        runtime: str = ORT,
    ) -> None:
        """Load ``path`` and check it against ``game``.

        recipe: how to read a net of another program, instead of the recipe in its file or beside it.  gpu: CUDA's
        number of the GPU.  threads: None is 1 for a small net, more for a large one.  runtime: ``auto`` is the fastest
        whose answers agree with onnxruntime's.
        Raises :class:`BadNet`, one sentence, when the file is not a net for ``game``, or ``device`` or ``runtime`` is
        not available.
        """
        for name, value, allowed in (("device", device, DEVICES), ("runtime", runtime, RUNTIMES)):
            if wrong := choice_problem(name, value, allowed):
                raise BadNet(wrong)
        if runtime not in (AUTO, ORT) and device == "cuda":
            raise BadNet(Text("runtime is {runtime!r}; on CUDA it must be auto or onnxruntime", runtime=runtime))
        if runtime in PLACES and device == "cpu":
            raise BadNet(Text("runtime is {runtime!r}, which does not run on the processor", runtime=runtime))
        if threads is not None and threads < 1:
            raise BadNet(Text("threads is {threads!r}; it must be a whole number from 1", threads=threads))
        self.path = Path(path)
        self._num_actions = game.num_actions
        self.threads = threads or _default_threads(self.path)
        file, self.info, self._heads = checked_net(self.path, game, recipe)
        self._net = OpenedNet(file, game, recipe, self._heads, self.threads)
        self.encoding, self.gives_ownership = self._heads.encoding, bool(self._heads.ownership)
        self.gives_outcomes = bool(self._heads.outcome)
        sample = make_inputs(game, self.encoding, 1)
        self._input_shape, self._features = sample.planes.shape[1:], sample.features.shape[1]
        self._whole: OrtRuntime | None = self._on_cpu()
        self._runtime: Runtime = self._whole
        self.provider, self.runtime = "CPU", ORT
        self._leaving = threading.Lock()
        if device != "cpu" and runtime in (AUTO, ORT):
            self._take_gpu(gpu, required=device == "cuda")
        self._warm_up()
        if runtime == AUTO and self.provider == "CPU":
            self._take_fastest(other_runtimes(device))
        elif runtime not in (AUTO, ORT):
            self._take_wanted(runtime)

    @property
    def description(self) -> str:
        if self.runtime == ORT:
            return Text(f"{{net}} on {self.provider}", net=self.path.name)
        return Text(f"{{net}}, {{runtime}} on {self.provider}", net=self.path.name, runtime=TITLES[self.runtime])

    @property
    def preferred_batches(self) -> tuple[int, int]:
        """Leaves at once and batches in flight that suit where it runs."""
        runtime = self._runtime
        if not isinstance(runtime, GpuRuntime):
            return super().preferred_batches
        return min(GPU_BATCHES[0], runtime.most), GPU_BATCHES[1]

    @property
    def place(self) -> str:
        """Where it runs, and by what other than onnxruntime: ``CPU``, ``OpenVINO bf16 on CPU``."""
        return self.provider if self.runtime == ORT else f"{TITLES[self.runtime]} on {self.provider}"

    def _on_cpu(self) -> OrtRuntime:
        return OrtRuntime(self._net.file, self._heads.outputs, self.threads)

    def _empty_boards(self, batch: int) -> Inputs:
        return empty_boards(self._net.game, self._heads, batch)

    def evaluate(self, planes: Array, features: Array | None = None) -> tuple[Array, ...]:
        """As :class:`core.engine.evaluator.Evaluator`; ``features`` None where the encoding has none.

        Raises ``ValueError`` for another shape or dtype and for values out of range.
        Whether the logits are finite is checked by ``core.engine.evaluator.ask``.
        """
        features = self._checked(planes, features)
        if not len(planes):
            return np.zeros((0, self._num_actions), np.float32), np.zeros(0, np.float32)
        parts = self._heads.in_parts(Inputs(planes, features))
        return self._heads.joined([self._heads.answer(self._run(part), part.planes) for part in parts], len(planes))

    def _run(self, inputs: Inputs, names: Sequence[str] = ()) -> Sequence[Array]:
        """The outputs that a search needs, or those of these ``names``: from the processor when the GPU fails;
        :class:`BadNet` when another runtime does."""
        on_gpu, arrays = self.provider == "CUDA", self._heads.inputs(*inputs)
        try:
            return self._outputs_for(arrays, names)
        except ORT_ERRORS as error:
            if on_gpu:
                self._leave_gpu(error)
                return self._outputs_for(arrays, names)
            if self.runtime == ORT:
                raise
            runtime, reason = TITLES[self.runtime], first_line(error)
            raise BadNet(
                Text("{net} failed in {runtime}: {reason}", net=self.path.name, runtime=runtime, reason=reason)
            ) from error

    def _outputs_for(self, arrays: Mapping[str, Array], names: Sequence[str]) -> Sequence[Array]:
        if not names:
            return self._runtime.run(arrays)
        if self._whole is None:
            self._whole = self._on_cpu()
        outputs: Sequence[Array] = self._whole.session.run(names, arrays)
        return outputs

    def ownership(self, planes: Array, features: Array | None = None) -> Array:
        """As :class:`core.engine.evaluator.Evaluator`, in a run of its own, which other threads may make while a search
        evaluates.  ValueError as in ``evaluate``."""
        name = self._heads.ownership
        return self._heads.owners(self.outputs((name,), planes, self._checked(planes, features))[name])

    def outcomes(self, planes: Array, features: Array | None = None) -> Array:
        """As ``ownership``, of win, draw and loss."""
        name = self._heads.outcome
        return self._heads.chances(self.outputs((name,), planes, self._checked(planes, features))[name], planes)

    def outputs(self, names: Sequence[str], planes: Array, features: Array) -> dict[str, Array]:
        """The file's own outputs of these ``names``, () for all, for a board of any size that the file takes."""
        names = names or [output.name for output in self.info.outputs]
        try:
            parts = [self._run(part, names) for part in self._heads.in_parts(Inputs(planes, features))]
        except ORT_ERRORS as error:
            raise BadNet(
                Text("{net} cannot be evaluated: {error}", net=self.path.name, error=first_line(error))
            ) from None
        return dict(zip(names, self._heads.joined(parts, len(planes)), strict=True))

    def _checked(self, planes: Array, features: Array | None) -> Array:
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

    def _take_gpu(self, gpu: int, *, required: bool) -> None:
        """Switch to the GPU if it can be used; else set ``provider_note``, or raise BadNet when ``required``."""
        on_cpu, reason = self._runtime, ""
        try:
            gpu_runtime = GpuRuntime(self._net.file, self._heads.outputs, self.threads, gpu, self._heads.batch is None)
            try:
                self._runtime = gpu_runtime
                self._warm_up()
                gpu_runtime.warm(lambda batch: self._heads.inputs(*self._empty_boards(batch)), self.path.name)
                self.provider, self._whole, self.provider_note = "CUDA", gpu_runtime.whole, gpu_runtime.note
                gpu_runtime.on_note = partial(setattr, self, "provider_note")
            except (ValueError, *ORT_ERRORS) as error:
                reason = Text("the net does not run on the GPU: {failure}", failure=failure(error))
        except BadNet as error:
            reason = text_of(error)
        except ORT_ERRORS as error:
            reason = Text("the net does not run on the GPU: {failure}", failure=failure(error))
        if reason:
            self._runtime, self.provider_note = on_cpu, reason
        if reason and required:
            raise BadNet(Text("{net} cannot run on CUDA: {reason}", net=self.path.name, reason=reason))

    def _leave_gpu(self, error: Exception) -> None:
        """Go on on the processor after the GPU has failed, and say so."""
        with self._leaving:
            if self.provider != "CUDA":  # another thread has
                return
            self._whole = self._on_cpu()
            self._runtime, self.provider = self._whole, "CPU"
            self.provider_note = Text(
                "the GPU failed ({failure}); {net} goes on on the processor",
                failure=failure(error),
                net=self.path.name,
            )

    def _take_fastest(self, names: Sequence[str]) -> None:
        """Switch to the fastest of the runtimes ``names`` and onnxruntime whose answers agree; add to
        ``provider_note`` why others are not used."""
        if not names:
            return
        trial = Trial(self._net, names, self._runtime)
        name, note = choose(trial.results)
        if name != ORT:
            try:
                self._switch(name, trial.open(name))
            except (ValueError, *ORT_ERRORS) as error:
                self._switch(ORT, self._on_cpu())
                note = Text("{runtime} is not used: {reason}", runtime=TITLES[name], reason=reason_of(error))
        self.provider_note = joined(filter(None, (self.provider_note, note)), "; ") if note else self.provider_note

    def _take_wanted(self, name: str) -> None:
        """Switch to a runtime; :class:`BadNet` when it cannot be used or its answers differ."""
        reason = missing_runtime(name)
        if not reason:
            trial = Trial(self._net, [name], self._runtime)
            reason = trial.results[name].refused
        if not reason:
            try:
                self._switch(name, trial.open(name))
            except (ValueError, *ORT_ERRORS) as error:
                reason = reason_of(error)
        if reason:
            words = {"net": self.path.name, "runtime": TITLES[name], "reason": reason}
            raise BadNet(Text("{net} cannot run in {runtime}: {reason}", **words))

    def _switch(self, name: str, runtime: Runtime) -> None:
        self._runtime, self.runtime, self.provider = runtime, name, PLACES.get(name, "CPU")
        self._whole = runtime if isinstance(runtime, OrtRuntime) else None  # opened again when asked for
        self._warm_up(sum(PARTS))

    def _warm_up(self, batch: int = BATCH) -> None:
        """Evaluate a batch of zeros, twice as onnxruntime plans its memory in the first run and uses it from the second
        on; a net that fails does so now."""
        sample = self._empty_boards(batch)
        for _ in range(2):
            try:
                answer = ask(self, sample, self._num_actions)
            except ORT_ERRORS as error:
                raise BadNet(
                    Text("{net} cannot be evaluated: {error}", net=self.path.name, error=first_line(error))
                ) from None
            except ValueError as error:
                raise BadNet(Text("{net} cannot be used: {error}", net=self.path.name, error=text_of(error))) from None
        if problem := self._heads.sample_problem(answer.logits):
            raise unusable(self.path.name, problem)


def _default_threads(path: Path) -> int:
    cores = processors()
    small = not path.is_file() or path.stat().st_size < _SMALL_FILE
    return 1 if small else max(1, min(8, cores // 2))
