"""Evaluators and net files of the net that a run trains.

Torch, onnxruntime and, where it is installed, OpenVINO can evaluate it; which is fastest depends on the processor, so
it is measured.  In int8, onnxruntime is about three times as fast on a processor with VNNI, but slightly less accurate.
"""

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import torch

from core.engine.evaluator import Evaluator
from core.files.atomic import write_atomically
from core.games import GameSpec
from core.games.net_inputs import encoding_for, make_inputs
from core.text import Text, joined, text_of
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.ort_session import BadNet
from models.netfiles.quantise import PLAYING_GATE, LostAccuracy, to_precision
from models.netfiles.runtimes import OPENVINO, OPENVINO_BF16, ORT, other_runtimes
from models.nets.export import net_file
from models.nets.net import PolicyValueNet, TorchEvaluator

_MEASURE_S: Final = 0.25  # per evaluator
_LEAST_TURNS: Final = 3
_FILE: Final = ".playing.onnx"
_INT8_FILE: Final = ".playing-int8.onnx"


class NetChoice(NamedTuple):
    """The runtime chosen for self-play.

    kind: one of ``models.runs.config.EVALUATORS`` but ``auto``.  rate: its evaluations/s alone in one thread.
    words: description.
    """

    kind: str
    rate: float
    words: str


def write_net(net: PolicyValueNet, game: GameSpec, path: Path, step: int) -> None:
    """Write ``net`` to ``path`` atomically, without the comparison with torch that :func:`export_onnx` makes.

    ``OSError`` when the file cannot be written.
    """
    write_atomically(path, net_file(net, game, step), make_folder=False)


def make_evaluators(
    kind: str,
    net: PolicyValueNet,
    games: Sequence[GameSpec],
    folder: Path,
    step: int,
    devices: Sequence[torch.device],
    strict: bool = False,
) -> list[list[Evaluator]]:
    """Make evaluators of the current ``net`` for each of ``devices``, to be used in one thread: one for each of
    ``games``, the first of which is the net's own.

    All but torch read the net from a file in ``folder``.  A net that loses too much accuracy in int8 is used in
    float32, and one that OpenVINO cannot use by onnxruntime; ``strict``: ``BadNet`` then."""
    if kind == "torch":
        shown, name = [encoding_for(encoding, net.config.inputs) for encoding in games], f"step {step}"
        return [[TorchEvaluator(net, name, str(device), encoding=encoding) for encoding in shown] for device in devices]
    game, path = games[0], folder / _FILE
    write_net(net, game, path, step)
    if kind == "int8":
        with suppress(LostAccuracy):
            data, _ = to_precision(path.read_bytes(), game, kind, step, PLAYING_GATE)
            path = folder / _INT8_FILE
            write_atomically(path, data, make_folder=False)

    def make(runtime: str) -> list[list[Evaluator]]:
        places = [(device.type, device.index or 0) for device in devices]
        return [
            [OnnxEvaluator(path, game, device=kind, gpu=n, threads=1, runtime=runtime) for game in games]
            for kind, n in places
        ]

    if kind in (OPENVINO, OPENVINO_BF16):
        try:
            return make(kind)
        except BadNet:
            if strict:
                raise
    return make(ORT)


def choose(
    runtime: str, net: PolicyValueNet, game: GameSpec, folder: Path, device: torch.device, batch: int
) -> NetChoice:
    """Choose what runs the net: ``runtime``, or for ``auto`` the fastest of torch, onnxruntime and OpenVINO, measured
    with batches of ``batch`` in one thread.  ``BadNet`` when one is wanted that is missing or cannot use the device."""
    beside = other_runtimes("cpu") if device.type == "cpu" else ()
    kinds = ("torch", ORT, *beside) if runtime == "auto" else (runtime,)
    evaluators, missing = {}, ""
    for kind in kinds:
        try:
            evaluators[kind] = make_evaluators(kind, net, [game], folder, 0, [device], strict=True)[0][0]
        except BadNet as error:  # onnxruntime without CUDA, or OpenVINO with answers that differ
            if runtime != "auto":
                raise
            missing = text_of(error)
    rates = evaluation_rates(evaluators, game, batch)
    best = max(rates, key=lambda kind: rates[kind])
    evaluator = evaluators[best]
    where = "CUDA" if device.type == "cuda" else "CPU"
    is_bf16 = isinstance(evaluator, TorchEvaluator) and evaluator.is_bf16
    others = [f"{kind} {rate:.0f}" for kind, rate in rates.items() if kind != best]
    words = Text(
        "{net} on {device}, {rate} evaluations/s alone at batch {batch} in one thread ({others})"
        if others
        else "{net} on {device}, {rate} evaluations/s alone at batch {batch} in one thread",
        net=Text("{net} in bf16", net=best) if is_bf16 else best,
        device=where,
        rate=f"{rates[best]:.0f}",
        batch=batch,
        others=", ".join(others),
    )
    return NetChoice(best, rates[best], joined([words, missing], "; ") if missing else words)


def precision_of(evaluator: Evaluator) -> str:
    """The precision of an evaluator: ``fp32``, ``int8`` or ``bf16``."""
    if isinstance(evaluator, OnnxEvaluator):
        return "bf16" if evaluator.runtime == OPENVINO_BF16 else evaluator.info.precision
    return "bf16" if isinstance(evaluator, TorchEvaluator) and evaluator.is_bf16 else "fp32"


def evaluation_rates(evaluators: Mapping[str, Evaluator], game: GameSpec, batch: int) -> dict[str, float]:
    """Positions per second of each evaluator at ``batch``, in one thread.  They are measured in turn, so that other
    load affects all equally, and the median is used."""
    encoding = next(iter(evaluators.values())).encoding
    shown = make_inputs(game, encoding, batch)
    shown.planes[:] = np.random.default_rng(0).random(shown.planes.shape) < 0.3
    took: dict[str, list[float]] = {name: [] for name in evaluators}
    for evaluator in evaluators.values():
        evaluator.evaluate(*shown)  # warm-up
    end = time.perf_counter() + _MEASURE_S * len(evaluators)
    while time.perf_counter() < end or len(took[next(iter(took))]) < _LEAST_TURNS:
        for name, evaluator in evaluators.items():
            began = time.perf_counter()
            evaluator.evaluate(*shown)
            took[name].append(time.perf_counter() - began)
    return {name: batch / max(float(np.median(times)), 1e-9) for name, times in took.items()}
