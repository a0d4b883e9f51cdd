"""Devices that ``make bench-gpu`` measures: an NVIDIA GPU, or a simulated one of given rate and latency.

Loads torch only inside functions.
"""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from importlib.metadata import distributions
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

from core.engine.evaluator import Evaluator, UniformEvaluator
from core.games import GameSpec
from core.games.encoding import OWN_ENCODING
from models.netfiles.cuda import MEMORY_FULL, load_libraries, missing_gpu
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.heads import heads_for
from models.netfiles.net_file import read_net_info
from models.netfiles.ort_session import BadNet
from models.netfiles.quantise import to_fp16
from models.netfiles.runtimes import OrtRuntime
from models.play.inference_server import EvaluatorNet, ServedNet
from models.play.leaf_lanes import LaneShape
from models.play.replay import Batch
from models.runs.config import TrainConfig
from models.runs.net_config import NetConfig

FP32, FP16, TORCH = "onnxruntime fp32", "onnxruntime fp16", "torch"
KINDS: Final = (FP32, FP16, TORCH)

TENSOR_RT: Final = "TensorrtExecutionProvider"

_MIB: Final = 1 << 20
_LEFT_FREE: Final = 64 * _MIB  # GPU memory left free by ``full``
_PACKAGES: Final = ("torch", "onnxruntime", "onnxruntime-gpu", "onnx", "numpy", "numba")
_COMMAND_S: Final = 120.0
_SMALL_FILE: Final = 1 * _MIB


class Learned(NamedTuple):
    """Speed of the learner.  steps_per_s: of the optimizer.  memory_mib: peak memory, NaN where unknown."""

    steps_per_s: float
    memory_mib: float


class Device(Protocol):
    """A device that evaluates nets."""

    name: str

    def facts(self) -> list[str]:
        """Description of the device and the installed packages, a line each."""
        ...

    def evaluator(self, kind: str, path: Path, game: GameSpec) -> Evaluator:
        """Evaluator of a net file on this device by one of ``KINDS``; ``ValueError`` when it cannot be had."""
        ...

    def memory_mib(self) -> float:
        """Memory in use by all processes; NaN where unknown."""
        ...

    def learn(self, game: GameSpec, config: TrainConfig, seconds: float, compiled: bool) -> Learned:
        """Train on random positions for ``seconds``, eagerly or with ``torch.compile``."""
        ...

    def served(self, path: Path, game: GameSpec, most: int, graphs: bool) -> ServedNet:
        """A net file for an inference server, for batches of up to ``most``; ``ValueError`` when it cannot be had."""
        ...

    def tensor_rt(self, path: Path, game: GameSpec, batch: int, seconds: float) -> float:
        """Positions per second by TensorRT; ``ValueError`` when it cannot be had."""
        ...

    def train(self, config: TrainConfig, out: Path) -> tuple[int, int, float]:
        """A training run: (samples made, steps, seconds); ``ValueError`` when there is none."""
        ...

    def full(self) -> AbstractContextManager[None]:
        """Context in which nearly all memory of the device is allocated."""
        ...

    def run(self, words: Sequence[str]) -> "subprocess.CompletedProcess[str]":
        """Run Python with these arguments in a separate process."""
        ...


class Cuda:
    """The first NVIDIA GPU."""

    def __init__(self) -> None:
        """Raises ``ValueError`` when there is none."""
        why = missing_gpu()
        if why.startswith("no NVIDIA driver"):  # an onnxruntime without CUDA is no reason: torch may have it
            raise ValueError(f"{why}; --fake tries the command without a GPU")
        found = nvidia_smi("name,memory.total,driver_version")
        self.name = found[0] if found else "an NVIDIA GPU"
        self._found = found

    def facts(self) -> list[str]:
        name, memory, driver = self._found or (self.name, "memory not known", "not known")
        versions = {one.metadata["Name"].lower(): one.version for one in distributions() if one.metadata["Name"]}
        return [
            f"{name}, {memory}, driver {driver}",
            f"Python {sys.version.split()[0]}, {_listed(versions, _PACKAGES)}",
            f"CUDA's packages: {_listed(versions, sorted(n for n in versions if n.startswith('nvidia-')))}",
        ]

    def evaluator(self, kind: str, path: Path, game: GameSpec) -> Evaluator:
        if kind == TORCH:
            from models.nets.net import TorchEvaluator

            return TorchEvaluator(_net_of(path, game), path.stem, "cuda")
        if kind == FP16:
            lower = path.with_name(f"{path.stem}.fp16.onnx")
            if not lower.exists():
                lower.write_bytes(to_fp16(path.read_bytes()))
            path = lower
        return OnnxEvaluator(path, game, device="cuda")

    def memory_mib(self) -> float:
        used = nvidia_smi("memory.used")
        try:
            return float(used[0].split()[0])
        except (IndexError, ValueError):
            return float("nan")

    def learn(self, game: GameSpec, config: TrainConfig, seconds: float, compiled: bool) -> Learned:
        import torch

        torch.cuda.reset_peak_memory_stats()
        rate = steps_per_s(game, config, "cuda", seconds, compiled)
        return Learned(rate, torch.cuda.max_memory_allocated() / _MIB)

    def served(self, path: Path, game: GameSpec, most: int, graphs: bool) -> ServedNet:
        import torch

        from models.nets.served_net import TorchServedNet

        made = TorchServedNet(_net_of(path, game), game, torch.device("cuda"), most, graphs=graphs)
        if made.note:
            raise ValueError(made.note)
        return made

    def tensor_rt(self, path: Path, game: GameSpec, batch: int, seconds: float) -> float:
        if TENSOR_RT not in ort.get_available_providers():
            raise ValueError("this onnxruntime is built without TensorRT")
        load_libraries()
        heads = heads_for(read_net_info(path), game, None)
        runtime = OrtRuntime(path, heads.outputs, 1, (TENSOR_RT, {"trt_fp16_enable": True}))
        if runtime.provider != TENSOR_RT:
            raise ValueError("onnxruntime did not start its TensorRT part; its libraries are missing")
        shape = (batch, game.num_planes, *game.shape)
        given = heads.inputs(np.zeros(shape, np.float32), np.zeros((batch, 0), np.float32))
        runtime.run(given)
        began, calls = time.perf_counter(), 0
        while not calls or time.perf_counter() - began < seconds:
            runtime.run(given)
            calls += 1
        return batch * calls / (time.perf_counter() - began)

    def train(self, config: TrainConfig, out: Path) -> tuple[int, int, float]:
        from models.training.iteration import Trainer

        trainer = Trainer(config, out, False)
        try:
            while not trainer.end_reason():
                trainer.iterate(lambda: False)
            return trainer.progress.samples, trainer.progress.step, trainer.elapsed_s()
        finally:
            trainer.close()

    @contextmanager
    def full(self) -> Iterator[None]:
        import torch

        torch.cuda.empty_cache()
        free, _ = torch.cuda.mem_get_info()
        taken = torch.empty(max(0, free - _LEFT_FREE), dtype=torch.uint8, device="cuda")
        try:
            yield
        finally:
            del taken
            torch.cuda.empty_cache()

    def run(self, words: Sequence[str]) -> "subprocess.CompletedProcess[str]":
        root = str(Path(__file__).parents[1])
        return subprocess.run(
            [sys.executable, *words],
            cwd=root,
            env={**os.environ, "PYTHONPATH": root},
            capture_output=True,
            text=True,
            check=False,
            timeout=_COMMAND_S,
        )


class Fake:
    """A simulated GPU: one batch at a time, each taking ``latency_s``, or its operations at ``gflops`` if that is
    longer.  For trying the command without a GPU, and for tests."""

    def __init__(self, latency_s: float = 0.0003, gflops: float = 200_000.0, memory_mib: float = 1000.0) -> None:
        self.name = "fake device"
        self.latency_s, self._gflops, self._memory_mib = latency_s, gflops, memory_mib
        self.turn = threading.Lock()
        self.is_full = False

    def facts(self) -> list[str]:
        return [f"a fake device: {1000 * self.latency_s:g} ms a batch at least, {self._gflops / 1000:g} TFLOP/s"]

    def evaluator(self, kind: str, path: Path, game: GameSpec) -> Evaluator:
        if self.is_full:
            raise BadNet(f"{path.name} cannot run on CUDA: the net does not run on the GPU: {MEMORY_FULL}")
        on_cpu = OnnxEvaluator(path, game, device="cpu")
        config = on_cpu.info.config
        gflop = 36e-9 * config["blocks"] * config["channels"] ** 2 * game.shape[0] * game.shape[1]
        rate = self._gflops * (1.0 if kind == FP32 else 2.0) / max(gflop, 1e-9)
        return _Paced(self, on_cpu, game.num_actions, rate)

    def memory_mib(self) -> float:
        return self._memory_mib

    def learn(self, game: GameSpec, config: TrainConfig, seconds: float, compiled: bool) -> Learned:
        if compiled:
            raise ValueError("a fake device compiles nothing")
        return Learned(steps_per_s(game, config, "cpu", seconds), self._memory_mib)

    def served(self, path: Path, game: GameSpec, most: int, graphs: bool) -> ServedNet:
        if graphs:
            raise ValueError("a fake device has no CUDA graphs")
        shape = LaneShape.of(game, OWN_ENCODING, most)
        return EvaluatorNet(self.evaluator(TORCH, path, game), shape, most)

    def tensor_rt(self, path: Path, game: GameSpec, batch: int, seconds: float) -> float:
        raise ValueError("a fake device has no TensorRT")

    def train(self, config: TrainConfig, out: Path) -> tuple[int, int, float]:
        raise ValueError("a fake device trains nothing")

    @contextmanager
    def full(self) -> Iterator[None]:
        self.is_full = True
        try:
            yield
        finally:
            self.is_full = False

    def run(self, words: Sequence[str]) -> "subprocess.CompletedProcess[str]":
        printed = '{"evaluator": "fake on CUDA", "evaluator_note": ""}' if "--json" in words else "gpu"
        return subprocess.CompletedProcess(list(words), 0, printed + "\n", "")


class _Paced:
    """A net evaluated on the processor whose answers are delayed to the simulated speed.

    A net too large for the processor to keep up is not evaluated: its answers are 0.
    """

    def __init__(self, device: Fake, evaluator: OnnxEvaluator, num_actions: int, rate: float) -> None:
        large = evaluator.path.stat().st_size > _SMALL_FILE
        self._evaluator: Evaluator = UniformEvaluator(num_actions) if large else evaluator
        self.description = evaluator.description.replace(" on CPU", " on CUDA")
        self._device, self._rate, self._name = device, rate, evaluator.path.name

    def evaluate(self, planes: NDArray[np.float32]) -> tuple[NDArray[np.float32], ...]:
        if self._device.is_full:
            raise BadNet(f"{self._name} failed on the GPU: {MEMORY_FULL}")
        with self._device.turn:
            until = time.perf_counter() + max(self._device.latency_s, len(planes) / self._rate)
            answer = self._evaluator.evaluate(planes)
            time.sleep(max(0.0, until - time.perf_counter()))
        return answer


def nvidia_smi(fields: str) -> list[str]:
    """The given fields of the first GPU as ``nvidia-smi`` prints them; empty without that program."""
    words = ["nvidia-smi", f"--query-gpu={fields}", "--format=csv,noheader"]
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=30.0)
    except (OSError, subprocess.TimeoutExpired):
        return []
    first = done.stdout.strip().splitlines()[:1] if done.returncode == 0 else []
    return [word.strip() for word in first[0].split(",")] if first else []


def steps_per_s(game: GameSpec, config: TrainConfig, device: str, seconds: float, compiled: bool = False) -> float:
    """Optimizer steps per second of the learner alone, on random positions; ``compiled``: by ``torch.compile``."""
    import torch

    from models.training.learning import Learner

    learner = Learner(game, config, torch.device(device))
    if compiled:
        learner.net.together = torch.compile(learner.net.together)  # type: ignore[method-assign]
    batch = _random_batch(game, config.batch_size)

    def steps(until: float) -> int:
        return learner.learn(
            1 << 30, lambda *_: [batch], lambda: 0.5, lambda: learner.step > 0 and time.perf_counter() >= until
        ).steps

    steps(0.0)  # warm-up
    began = time.perf_counter()
    done = steps(began + seconds)  # it reads its losses back at the end, so the GPU has finished
    return done / (time.perf_counter() - began)


def _random_batch(game: GameSpec, size: int) -> Batch:
    rng = np.random.default_rng(0)
    planes = (rng.random((size, game.num_planes, *game.shape)) < 0.3).astype(np.float32)
    policy = rng.random((size, game.num_actions)).astype(np.float32)
    result = rng.integers(-1, 2, size).astype(np.float32)
    return Batch(planes, policy / policy.sum(axis=1, keepdims=True), result, result)


def _net_of(path: Path, game: GameSpec) -> Any:
    """A torch net with the weights of a net file."""
    from models.nets.net import PolicyValueNet
    from models.nets.warm_start import load_matching_weights

    net = PolicyValueNet.for_game(game, NetConfig(**read_net_info(path).config))
    load_matching_weights(net, path, game)
    return net


def _listed(versions: dict[str, str], names: Sequence[str]) -> str:
    return ", ".join(f"{name} {versions[name]}" for name in names if name in versions) or "none"
