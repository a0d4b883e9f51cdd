"""Quantisation of net files to int8 or fp16, its accuracy, and speed measurements.

int8: weights and activations in 8 bits, calibrated on positions of play (static quantisation, QDQ format).  Activations
are unsigned and weights signed, with one scale per filter, which of onnxruntime's combinations is the fast one on
processors with VNNI (measured 3.3 times float32 on 4 blocks of 48 channels; signed activations are slower than
float32).  On older processors sums may saturate, so the figures hold for the machine they were measured on.  The heads
stay float32: they cost little time, and with pooled heads on gomoku 9x9 the best move stayed as good in 97.8 % of
positions instead of 95.6 %.

Of KataGo's nets only the convolutions of the trunk are converted, with the largest 0.01 % of the activations cut off:
with g170-b6c96 on 9x9 the best move stays as good in 94.5 % of positions and the value moves by 0.015; with all layers
in 92.9 % and by 0.020, at 2.9 times the speed of float32 instead of 2.6.  Neither passes the gate.

fp16: weights and activations in 16 bits, planes and answers in float32, for GPUs.

Letters: B batch, C planes, H W board, A actions.
"""

import contextlib
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import onnx
import onnxruntime as ort
from numpy.typing import NDArray

from core.checks import choice_problem
from core.engine.evaluator import Evaluator
from core.games import GameSpec
from core.games.encoding import Inputs
from core.games.net_inputs import inputs_of
from core.text import Text
from models.netfiles.agreement import GATES, Agreement, AgreementGate, Array, Play, Positions, compare
from models.netfiles.heads import Heads, KataGoHeads, heads_for
from models.netfiles.net_file import METADATA_PREFIX, session_info
from models.netfiles.ort_session import ORT_ERRORS, BadNet, first_line

BATCH_SIZES: Final = (1, 8, 32, 128)

_CALIBRATION: Final = 512  # positions for the scales
_FRESH: Final = 1024  # positions for comparing the answers
_GAMES: Final = 64  # at once, for positions
_LEAST_RUNS: Final = 5
_AT_ONCE: Final = 64  # positions
_DENSE: Final = ("Gemm", "MatMul")
_PRE_PROCESSED: Final = ("onnx.quant.pre_process", "onnxruntime.quant")  # else onnxruntime logs advice


class LostAccuracy(ValueError):
    """The answers of a net change too much in another precision; the message is one sentence with the figures."""


PLAYING_GATE: Final = AgreementGate(
    0.9, 0.05
)  # of self-play, where each move is searched and the next net comes in minutes


@dataclass(frozen=True, slots=True)
class Speed:
    """The shortest time of a batch; longer times are due to other load."""

    batch: int
    ms: float

    @property
    def positions_per_s(self) -> float:
        return 1000.0 * self.batch / self.ms


def to_precision(
    data: bytes, game: "GameSpec", precision: str, seed: int = 0, gate: AgreementGate | None = None
) -> tuple[bytes, Agreement]:
    """Convert the contents of a float32 net file to ``int8`` or ``fp16``: (contents, agreement with float32).

    Keeps the metadata and adds ``plyscope.precision``.  Raises :class:`LostAccuracy` when the ``gate`` is not passed
    (default: that of :data:`GATES`).
    """
    if wrong := choice_problem("precision", precision, GATES):
        raise ValueError(wrong)
    rng = np.random.default_rng(seed)
    net = open_net(data, game)
    model = onnx.load_from_string(data)
    converted = _int8(model, net, play_positions(net, game, _CALIBRATION, rng)) if precision == "int8" else _fp16(model)
    result = _finished(converted, model, precision)
    agreement = compare_answers(net, open_net(result, game), play_positions(net, game, _FRESH, rng))
    check_gate(agreement, precision, gate)
    return result, agreement


def to_fp16(data: bytes) -> bytes:
    """Convert the contents of a float32 net file to ``fp16``, without checking the answers."""
    model = onnx.load_from_string(data)
    return _finished(_fp16(model), model, "fp16")


def _finished(converted: Any, model: Any, precision: str) -> bytes:
    """Serialise a converted model with the metadata of ``model``."""
    about = {entry.key: entry.value for entry in model.metadata_props}
    about[METADATA_PREFIX + "precision"] = precision
    onnx.helper.set_model_props(converted, about)
    onnx.checker.check_model(converted)
    result: bytes = converted.SerializeToString()
    return result


def check_gate(agreement: Agreement, precision: str, gate: AgreementGate | None = None) -> None:
    """Raise :class:`LostAccuracy` when ``precision`` changed more than its gate allows."""
    gate = gate or GATES[precision]
    if not gate.passes(agreement):
        raise LostAccuracy(
            Text(
                "in {precision} the best move stays as good in {good:.1%} of {positions} positions and the value moves "
                "by {moved:.4f} on average; at least {least:.0%} and at most {most:g} are needed, so nothing was "
                "written",
                precision=precision,
                good=agreement.good_best,
                positions=agreement.positions,
                moved=agreement.mean_dv,
                least=gate.good_best,
                most=gate.mean_dv,
            )
        )


class OpenNet(NamedTuple):
    """A net in a session, and what its inputs and outputs mean."""

    session: Any
    heads: Heads

    def answers(self, inputs: Inputs) -> tuple[Array, ...]:
        """Logits [B, A] and values [B] first; :class:`LostAccuracy` when there are NaN or infinities in the file's."""
        answers = []
        for part in _split(inputs, -(-len(inputs.planes) // _AT_ONCE)):
            raw = self.session.run(list(self.heads.outputs), self.heads.inputs(*part))
            if not all(np.isfinite(answer).all() for answer in raw):
                raise LostAccuracy(Text("in this precision the net's answers are not numbers, so nothing was written"))
            answers.append(self.heads.answer(raw, part.planes))
        return tuple(map(np.concatenate, zip(*answers, strict=True)))


def _split(inputs: Inputs, parts: int) -> Iterator[Inputs]:
    """Equal parts of inputs, in their order."""
    rows = (np.array_split(of, parts) for of in inputs)
    return (Inputs(*part) for part in zip(*rows, strict=True))


def open_net(data: bytes, game: "GameSpec") -> OpenNet:
    """Open the contents of a net file for ``game``; :class:`BadNet` when it cannot be had."""
    session = _session(data)
    return OpenNet(session, heads_for(session_info(session, Path("net.onnx")), game, None))


def _int8(model: Any, net: OpenNet, positions: Positions) -> Any:
    """The model quantised to int8, calibrated on ``positions``."""
    from onnxruntime.quantization import (
        CalibrationDataReader,
        CalibrationMethod,
        QuantFormat,
        QuantType,
        quantize_static,
    )

    class Reader(CalibrationDataReader):  # type: ignore[misc]
        def __init__(self) -> None:
            self.parts = _split(positions.inputs, len(positions.inputs.planes) // _AT_ONCE)

        def get_next(self) -> dict[str, NDArray[np.float32]] | None:
            part = next(self.parts, None)
            return None if part is None else net.heads.inputs(*part)

    others: dict[str, Any] = {}
    if isinstance(net.heads, KataGoHeads):
        method, share = CalibrationMethod.Percentile, {"CalibPercentile": 99.99}
        others = {"op_types_to_quantize": ["Conv"], "calibrate_method": method, "extra_options": share}
    source = onnx.ModelProto()
    source.CopyFrom(model)
    onnx.helper.set_model_props(source, dict([_PRE_PROCESSED]))
    for i, node in enumerate(source.graph.node):
        node.name = f"node_{i}"
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(None):
        path = Path(folder) / "net.onnx"
        quantize_static(
            source,
            str(path),
            Reader(),
            quant_format=QuantFormat.QDQ,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            per_channel=True,
            **others,
            nodes_to_exclude=_in_float32(source.graph, net.heads.outputs),
        )
        return onnx.load(path)


def _in_float32(graph: Any, outputs: Sequence[str]) -> list[str]:
    """Names of the nodes that stay float32: those of the heads, which lead to only one of the policy and the value that
    ``outputs`` begin with, and dense layers."""
    leading = [_before(graph, output) for output in outputs[:2]]
    return [node.name for node in graph.node if node.op_type in _DENSE or any(node.name not in led for led in leading)]


def _before(graph: Any, output: str) -> set[str]:
    """Names of the nodes that an output follows from."""
    names, tensors = set(), {output}
    for node in reversed(graph.node):  # in ONNX each node follows its inputs
        if tensors.intersection(node.output):
            names.add(node.name)
            tensors.update(node.input)
    return names


def _fp16(model: Any) -> Any:
    """The model in float16, with casts so that inputs and outputs stay float32."""
    from onnxruntime.transformers.float16 import convert_float_to_float16

    source = onnx.ModelProto()
    source.CopyFrom(model)
    converted = convert_float_to_float16(source, keep_io_types=True)
    _sort(converted.graph)
    return converted


def _sort(graph: Any) -> None:
    """Sort nodes topologically, as ONNX demands; the conversion appends its casts at the end."""
    available = {"", *(t.name for t in graph.input), *(t.name for t in graph.initializer)}
    waiting, ordered = list(graph.node), []
    while waiting:
        ready = [node for node in waiting if available.issuperset(node.input)]
        if not ready:
            raise BadNet("the graph of the net has a cycle")
        ordered += ready
        available.update(name for node in ready for name in node.output)
        waiting = [node for node in waiting if not available.issuperset(node.output)]
    del graph.node[:]
    graph.node.extend(ordered)


def play_positions(net: OpenNet, game: "GameSpec", count: int, rng: np.random.Generator) -> Positions:
    """``count`` positions of self-play from random openings, with moves sampled from the net's policy."""
    play = Play(game, net.heads.encoding, min(count, _GAMES), rng)
    batches: list[Positions] = []
    while len(batches) * min(count, _GAMES) < count:
        batches.append(play.positions())
        play.advance(net.answers(batches[-1].inputs)[0])
    inputs = (np.concatenate(parts)[:count] for parts in zip(*(batch.inputs for batch in batches), strict=True))
    return Positions(Inputs(*inputs), np.concatenate([batch.legal for batch in batches])[:count])


def compare_answers(first: OpenNet, second: OpenNet, positions: Positions) -> Agreement:
    """Compare the answers of two nets; :class:`LostAccuracy` when there are NaN or infinities among them."""
    mine, other = (net.answers(positions.inputs) for net in (first, second))
    agreement = compare(mine, other, positions.legal)
    assert agreement is not None
    return agreement


def _session(data: bytes) -> Any:
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    try:
        return ort.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    except ORT_ERRORS as error:
        raise BadNet(f"the net cannot be loaded: {first_line(error)}") from None


def measure_speeds(evaluators: Sequence[Evaluator], game: "GameSpec", seconds: float) -> list[list[Speed]]:
    """Measure the speed of each evaluator at :data:`BATCH_SIZES`, in turn, so that other load affects all equally.

    ``seconds`` is spent on each batch size of each evaluator, or the time of 5 runs if that is longer.
    """
    speeds: list[list[Speed]] = [[] for _ in evaluators]
    for batch in BATCH_SIZES:
        shown = inputs_of(game.initial(), evaluators[0].encoding)
        inputs = [np.repeat(rows, batch, axis=0) for rows in shown]
        times: list[list[float]] = [[] for _ in evaluators]
        end = time.perf_counter() + seconds * len(evaluators)
        while len(times[0]) < _LEAST_RUNS or time.perf_counter() < end:
            for evaluator, taken in zip(evaluators, times, strict=True):
                start = time.perf_counter()
                evaluator.evaluate(*inputs)
                taken.append(1000.0 * (time.perf_counter() - start))
        for speed, taken in zip(speeds, times, strict=True):
            speed.append(Speed(batch, min(taken)))
    return speeds
