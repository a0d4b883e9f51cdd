"""Quantisation of net files to int8 or fp16, its accuracy, and speed measurements.  Knows no torch, no search.

int8: weights and activations in 8 bits, calibrated on positions of play (static quantisation, QDQ format).  Activations
are unsigned and weights signed, with one scale per filter, which of onnxruntime's combinations is the fast one on
processors with VNNI (measured 3.3 times float32 on 4 blocks of 48 channels; signed activations are slower than
float32).  On older processors sums may saturate, so the figures hold for the machine they were measured on.  The heads
stay float32: they cost little time, and with pooled heads on gomoku 9x9 the best move stayed as good in 97.8 % of
positions instead of 95.6 %.

fp16: weights and activations in 16 bits, planes and answers in float32, for GPUs.

Letters: B batch, C planes, H W board, A actions.
"""

import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import onnx
import onnxruntime as ort
from numpy.typing import NDArray

from core.games.net_inputs import inputs_of, make_inputs
from core.text import Text
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.net_file import FEATURES, METADATA_PREFIX
from models.netfiles.ort_session import ORT_ERRORS, BadNet, first_line

if TYPE_CHECKING:
    from core.games import GameSpec

BATCH_SIZES: Final = (1, 8, 32, 128)

_CALIBRATION: Final = 512  # positions for the scales
_FRESH: Final = 1024  # positions for comparing the answers
_AS_GOOD: Final = 0.01  # difference of probability up to which two moves count as equal
_LEAST_RUNS: Final = 5
_PRE_PROCESSED: Final = ("onnx.quant.pre_process", "onnxruntime.quant")  # else onnxruntime logs advice


class LostAccuracy(ValueError):
    """The answers of a net change too much in another precision; the message is one sentence with the figures."""


@dataclass(frozen=True, slots=True)
class Gate:
    """The largest change of the answers that is accepted for a lower precision."""

    good_best: float  # least share of positions whose best move stays, or is as good
    mean_dv: float  # largest mean difference of the value


GATES: Final = {"int8": Gate(0.97, 0.02), "fp16": Gate(0.99, 0.003)}
PLAYING_GATE: Final = Gate(0.9, 0.05)  # of self-play, where each move is searched and the next net comes in minutes


@dataclass(frozen=True, slots=True)
class Agreement:
    """Comparison of the answers of two nets over positions of play."""

    same_best: float  # share of positions with the same best legal move
    good_best: float  # the same, moves of probabilities within 0.01 of each other counting as one (symmetric moves are)
    max_dp: float  # largest difference of a legal move's probability
    mean_dv: float
    max_dv: float
    positions: int


@dataclass(frozen=True, slots=True)
class Speed:
    """The shortest time of a batch; longer times are due to other load."""

    batch: int
    ms: float

    @property
    def positions_per_s(self) -> float:
        return 1000.0 * self.batch / self.ms


@dataclass(frozen=True, slots=True)
class Positions:
    """Unfinished positions; ``legal`` bool [n, A]."""

    inputs: dict[str, NDArray[np.float32]]  # [n, ...] by the name of the net's input
    legal: NDArray[np.bool_]


def to_precision(
    data: bytes, game: "GameSpec", precision: str, seed: int = 0, gate: Gate | None = None
) -> tuple[bytes, Agreement]:
    """Convert the contents of a float32 net file to ``int8`` or ``fp16``: (contents, agreement with float32).

    Keeps the metadata and adds ``plyscope.precision``.  Raises :class:`LostAccuracy` when the ``gate`` is not passed
    (default: that of :data:`GATES`).
    """
    if precision not in GATES:
        raise ValueError(
            Text(
                "{name} is {value!r}; it must be one of {allowed}",
                name="precision",
                value=precision,
                allowed=", ".join(GATES),
            )
        )
    rng = np.random.default_rng(seed)
    session = _session(data)
    model = onnx.load_from_string(data)
    made = _int8(model, play_positions(session, game, _CALIBRATION, rng)) if precision == "int8" else _fp16(model)
    result = _finished(made, model, precision)
    agreement = compare_answers(session, _session(result), play_positions(session, game, _FRESH, rng))
    check_gate(agreement, precision, gate)
    return result, agreement


def to_fp16(data: bytes) -> bytes:
    """Convert the contents of a float32 net file to ``fp16``, without checking the answers."""
    model = onnx.load_from_string(data)
    return _finished(_fp16(model), model, "fp16")


def _finished(made: Any, model: Any, precision: str) -> bytes:
    """Serialise the converted model ``made`` with the metadata of ``model``."""
    about = {entry.key: entry.value for entry in model.metadata_props}
    about[METADATA_PREFIX + "precision"] = precision
    onnx.helper.set_model_props(made, about)
    onnx.checker.check_model(made)
    result: bytes = made.SerializeToString()
    return result


def check_gate(agreement: Agreement, precision: str, gate: Gate | None = None) -> None:
    """Raise :class:`LostAccuracy` when ``precision`` changed more than its gate allows."""
    gate = gate or GATES[precision]
    if not (agreement.good_best >= gate.good_best and agreement.mean_dv <= gate.mean_dv):
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


def _int8(model: Any, positions: Positions) -> Any:
    """The model quantised to int8, calibrated on ``positions``."""
    from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static

    class Reader(CalibrationDataReader):  # type: ignore[misc]
        def __init__(self) -> None:
            names = positions.inputs
            parts = zip(*(np.array_split(rows, 8) for rows in names.values()), strict=True)
            self.parts: Iterator[dict[str, NDArray[np.float32]]] = (dict(zip(names, p, strict=True)) for p in parts)

        def get_next(self) -> dict[str, NDArray[np.float32]] | None:
            return next(self.parts, None)

    source = onnx.ModelProto()
    source.CopyFrom(model)
    onnx.helper.set_model_props(source, dict([_PRE_PROCESSED]))
    for i, node in enumerate(source.graph.node):
        node.name = f"node_{i}"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "net.onnx"
        quantize_static(
            source,
            str(path),
            Reader(),
            quant_format=QuantFormat.QDQ,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            per_channel=True,
            nodes_to_exclude=_heads(source.graph),
        )
        return onnx.load(path)


def _heads(graph: Any) -> list[str]:
    """Names of the nodes of the heads: all at or after a dense layer or a 1x1 convolution.

    The dense layer of the features, which are an input, does not begin a head; it is named as well."""
    kernels = {tensor.name: tuple(tensor.dims)[2:] for tensor in graph.initializer}
    names: list[str] = []
    fed: set[str] = set()
    for node in graph.node:  # in ONNX each node follows its inputs
        begins = node.op_type in ("Gemm", "MatMul") or (node.op_type == "Conv" and kernels.get(node.input[1]) == (1, 1))
        if begins and node.input[0] == FEATURES:
            names.append(node.name)
        elif begins or fed.intersection(node.input):
            names.append(node.name)
            fed.update(node.output)
    return names


def _fp16(model: Any) -> Any:
    """The model in float16, with casts so that inputs and outputs stay float32."""
    from onnxruntime.transformers.float16 import convert_float_to_float16

    source = onnx.ModelProto()
    source.CopyFrom(model)
    made = convert_float_to_float16(source, keep_io_types=True)
    _sort(made.graph)
    return made


def _sort(graph: Any) -> None:
    """Sort nodes topologically, as ONNX demands; the conversion appends its casts at the end."""
    known = {"", *(t.name for t in graph.input), *(t.name for t in graph.initializer)}
    waiting, ordered = list(graph.node), []
    while waiting:
        ready = [node for node in waiting if known.issuperset(node.input)]
        if not ready:
            raise BadNet(Text("the graph of the net has a cycle"))
        ordered += ready
        known.update(name for node in ready for name in node.output)
        waiting = [node for node in waiting if not known.issuperset(node.output)]
    del graph.node[:]
    graph.node.extend(ordered)


def play_positions(session: Any, game: "GameSpec", count: int, rng: np.random.Generator) -> Positions:
    """``count`` positions of self-play from random openings, with moves sampled from the net's policy."""
    positions = [_opening(game, rng) for _ in range(min(count, 64))]
    named = session.get_modelmeta().custom_metadata_map.get(f"{METADATA_PREFIX}encoding")
    encoding = next((one for one in game.encodings if one.name == named), game.encodings[0])
    arrays = make_inputs(game, encoding, count)
    inputs = dict(zip(("planes", FEATURES), arrays[: 2 if encoding.features else 1], strict=False))
    legal = np.zeros((count, game.num_actions), np.bool_)
    done = 0
    while done < count:
        positions = positions[: count - done]
        part = slice(done, done + len(positions))
        for i, position in enumerate(positions):
            for rows, shown in zip(arrays, inputs_of(position, encoding), strict=True):
                rows[done + i] = shown[0]
            legal[done + i, position.legal_actions()] = True
        chances = _chances(session.run(["policy"], {name: rows[part] for name, rows in inputs.items()})[0], legal[part])
        for i, position in enumerate(positions):
            following = position.play(int(rng.choice(game.num_actions, p=chances[i])))
            positions[i] = _opening(game, rng) if following.is_over else following
        done += len(positions)
    return Positions(inputs, legal)


def _opening(game: "GameSpec", rng: np.random.Generator) -> Any:
    """An unfinished position after a few random moves."""
    position = game.initial()
    for _ in range(int(rng.integers(max(2, game.max_plies // 3)))):
        following = position.play(int(rng.choice(position.legal_actions())))
        if following.is_over:
            break
        position = following
    return position


def _chances(logits: NDArray[np.float32], legal: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Probabilities [n, A] of the legal moves."""
    masked = np.where(legal, logits.astype(np.float64), -np.inf)
    chances = np.exp(masked - masked.max(axis=1, keepdims=True))
    result: NDArray[np.float64] = chances / chances.sum(axis=1, keepdims=True)
    return result


def compare_answers(first: Any, second: Any, positions: Positions) -> Agreement:
    """Compare the answers of two sessions; :class:`LostAccuracy` when there are NaN or infinities among them."""
    chances, values = [], []
    for session in (first, second):
        policy, value = session.run(["policy", "value"], positions.inputs)
        if not (np.isfinite(policy).all() and np.isfinite(value).all()):
            raise LostAccuracy(Text("in this precision the net's answers are not numbers, so nothing was written"))
        chances.append(_chances(policy, positions.legal))
        values.append(value.astype(np.float64))
    dv = np.abs(values[0] - values[1])
    best, other = (part.argmax(axis=1) for part in chances)
    rows = np.arange(len(dv))
    return Agreement(
        same_best=float((best == other).mean()),
        good_best=float((chances[0][rows, best] - chances[0][rows, other] <= _AS_GOOD).mean()),
        max_dp=float(np.abs(chances[0] - chances[1]).max()),
        mean_dv=float(dv.mean()),
        max_dv=float(dv.max()),
        positions=len(dv),
    )


def _session(data: bytes) -> Any:
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    try:
        return ort.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    except ORT_ERRORS as error:
        raise BadNet(Text("the net cannot be loaded: {error}", error=first_line(error))) from None


def measure_speeds(evaluators: list[OnnxEvaluator], game: "GameSpec", seconds: float) -> list[list[Speed]]:
    """Measure the speed of each evaluator at :data:`BATCH_SIZES`, in turn, so that other load affects all equally.

    ``seconds`` is spent on each batch size of each evaluator, or the time of 5 runs if that is longer.
    """
    speeds: list[list[Speed]] = [[] for _ in evaluators]
    for batch in BATCH_SIZES:
        shown = inputs_of(game.initial(), evaluators[0].encoding)
        given = [np.repeat(rows, batch, axis=0) for rows in shown if rows.size]
        times: list[list[float]] = [[] for _ in evaluators]
        end = time.perf_counter() + seconds * len(evaluators)
        while len(times[0]) < _LEAST_RUNS or time.perf_counter() < end:
            for evaluator, taken in zip(evaluators, times, strict=True):
                start = time.perf_counter()
                evaluator.evaluate(*given)
                taken.append(1000.0 * (time.perf_counter() - start))
        for speed, taken in zip(speeds, times, strict=True):
            speed.append(Speed(batch, min(taken)))
    return speeds
