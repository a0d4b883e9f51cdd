"""Nets in 8 and 16 bits: the file, its answers, and that a net that cannot bear it is refused."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

from core.games import load_game
from core.games.encoding import Inputs
from core.games.net_inputs import inputs_of
from models.netfiles.agreement import GATES, Agreement, AgreementGate, Positions
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.graph import GraphBuilder
from models.netfiles.katago_file import read_katago
from models.netfiles.katago_graph import katago_onnx
from models.netfiles.net_file import ENCODING, read_net_info
from models.netfiles.ort_session import BadNet
from models.netfiles.quantise import (
    LostAccuracy,
    OpenNet,
    Speed,
    check_gate,
    compare_answers,
    open_net,
    play_positions,
    to_precision,
)
from tests.models.netfiles.katago_nets import RandomNet

GAME = load_game("connectn(rows=4, cols=4, k=3)")


def small_net(spoiled: float = 0.0) -> bytes:
    """A net of three small convolutions; ``spoiled`` is added to one filter's answers, which nothing else needs."""
    rng = np.random.default_rng(0)
    shapes = ((3, 4, 3, 3), (5, 3, 3, 3), (6, 5, 3, 3), (4, 6, 1, 1), (64, 16), (2, 6, 1, 1), (32, 7), (7, 1))
    weights = [rng.normal(0, 0.3, shape).astype(np.float32) for shape in shapes]
    biases = [rng.normal(0, 0.3, (w.shape[0 if w.ndim == 4 else 1],)).astype(np.float32) for w in weights]
    weights[4] *= 0.3
    if spoiled:
        biases[2][0] = spoiled
        weights[3][:, 0] = weights[5][:, 0] = 1e-6
    graph, x = GraphBuilder(), "planes"
    for i in range(3):
        x = graph.op("Relu", graph.conv(x, weights[i], biases[i]))
    policy, value = (graph.op("Flatten", graph.op("Relu", graph.conv(x, weights[i], biases[i]))) for i in (3, 5))
    graph.dense(policy, weights[4], biases[4], name="policy")
    hidden = graph.op("Relu", graph.dense(value, weights[6], biases[6]))
    value = graph.op("Tanh", graph.dense(hidden, weights[7], biases[7]))
    graph.op("Reshape", value, graph.constant(-1), name="value")
    inputs: dict[str, list[int | str]] = {"planes": ["batch", 4, 4, 4]}
    outputs: dict[str, list[int | str]] = {"policy": ["batch", 16], "value": ["batch"]}
    about = {"game": GAME.text, "encoding": ENCODING, "config": '{"blocks": 3}'}
    return graph.file(inputs, outputs, about)


@pytest.mark.parametrize(("precision", "most_dp", "most_dv"), [("int8", 0.1, 0.3), ("fp16", 0.01, 0.01)])
def test_lowered_net_is_a_net_file(tmp_path: Path, precision: str, most_dp: float, most_dv: float) -> None:
    source = small_net()
    data, agreement = to_precision(source, GAME, precision)
    path = tmp_path / "net.onnx"
    path.write_bytes(data)
    info = read_net_info(path)
    assert (info.precision, info.game, info.step) == (precision, GAME.text, 0)
    assert info.config == {"blocks": 3}
    keys = [entry.key for entry in onnx.load(path).metadata_props]
    assert len(set(keys)) == len(keys) == 6  # ours, and none of the converter's
    assert 0.0 < agreement.max_dp < most_dp
    assert 0.0 < agreement.mean_dv < agreement.max_dv < most_dv
    assert GATES[precision].good_best <= agreement.good_best
    assert agreement.same_best <= agreement.good_best
    plain = tmp_path / "plain.onnx"
    plain.write_bytes(source)
    planes = play_positions(open_net(source, GAME), GAME, 50, np.random.default_rng(9)).inputs.planes
    policy, value = OnnxEvaluator(path, GAME, device="cpu").evaluate(planes)
    want_policy, want_value = OnnxEvaluator(plain, GAME, device="cpu").evaluate(planes)
    np.testing.assert_allclose(policy, want_policy, atol=0.5)
    np.testing.assert_allclose(value, want_value, atol=most_dv)
    assert (policy != want_policy).any()


def test_lowered_weights_are_of_their_type() -> None:
    for precision, kind in (("int8", onnx.TensorProto.INT8), ("fp16", onnx.TensorProto.FLOAT16)):
        model = onnx.load_from_string(to_precision(small_net(), GAME, precision)[0])
        # In int8 the heads, which begin with 1x1 convolutions, stay as they are.
        kinds = {t.data_type for t in model.graph.initializer if len(t.dims) == 4 and t.dims[-1] == 3}
        assert kinds == {kind}
        ends = [*model.graph.input, *model.graph.output]
        assert {end.type.tensor_type.elem_type for end in ends} == {onnx.TensorProto.FLOAT}


def test_a_net_that_loses_accuracy_in_8_bits_is_refused() -> None:
    with pytest.raises(
        LostAccuracy, match=r"in int8 the best move stays as good in \d+\.\d% of 1024 positions and the"
    ):
        to_precision(small_net(spoiled=5000.0), GAME, "int8")
    assert to_precision(small_net(spoiled=5000.0), GAME, "fp16")


@pytest.mark.slow
def test_a_net_of_katago_keeps_its_inputs_its_pooling_and_its_heads(tmp_path: Path, capfd: Any) -> None:
    path, game = tmp_path / "kata.bin.gz", load_game("go(size=3)")
    path.write_bytes(RandomNet(11, ("o", "g"), seed=3).file())
    source = katago_onnx(read_katago(path))
    with pytest.raises(LostAccuracy, match=r"in int8 the best move stays as good in \d+\.\d% of 1024 positions"):
        to_precision(source, game, "int8", gate=AgreementGate(1.01, 0.0))
    data, agreement = to_precision(source, game, "int8", gate=AgreementGate(0.0, 2.0))
    assert 0.0 < agreement.max_dp < 0.2
    assert capfd.readouterr() == ("", "")
    convs = [node.input[1] for node in onnx.load_from_string(data).graph.node if node.op_type == "Conv"]
    in_8_bits = [name.endswith("_DequantizeLinear_Output") for name in convs]
    assert in_8_bits == [True] * 6 + [False] * 5  # of the first layer and the blocks, of the heads
    made = tmp_path / "int8.onnx"
    made.write_bytes(data)
    evaluator = OnnxEvaluator(made, game, device="cpu")
    assert [part.shape for part in evaluator.evaluate(*inputs_of(game.initial(), evaluator.encoding))] == [
        (1, 10),
        (1,),
        (1, 2),
    ]


def of_planes(planes: np.ndarray, legal: np.ndarray) -> Positions:
    return Positions(Inputs(planes, np.zeros((len(planes), 0), np.float32)), legal)


class Fixed:
    """A session whose answers are given, and heads that leave them as they are."""

    outputs = ("policy", "value")

    def __init__(self, policy: list[list[float]], value: list[float]) -> None:
        self.given = [np.array(policy, np.float32), np.array(value, np.float32)]

    def inputs(self, *_: object) -> dict[str, np.ndarray]:
        return {}

    def run(self, *_: object) -> list[np.ndarray]:
        return self.given

    def answer(self, raw: list[np.ndarray], _planes: np.ndarray) -> tuple[np.ndarray, ...]:
        return tuple(raw)


def fixed(policy: list[list[float]], value: list[float]) -> OpenNet:
    net: Any = Fixed(policy, value)
    return OpenNet(net, net)


def test_answers_that_are_no_numbers_are_refused() -> None:
    positions = of_planes(np.zeros((1, 1, 1, 1), np.float32), np.array([[True, False]]))
    good = fixed([[1, 0]], [0])
    for bad in (fixed([[np.inf, 0]], [0]), fixed([[1, 0]], [np.nan])):
        with pytest.raises(LostAccuracy, match="in this precision the net's answers are not numbers"):
            compare_answers(good, bad, positions)


@pytest.mark.parametrize(
    ("good_best", "mean_dv", "sentence"),
    [
        (0.9699, 0.0, r"in 97\.0% .* at least 97% and at most 0\.02 are needed, so nothing was written"),
        (1.0, 0.0201, r"moves by 0\.0201 on average"),
        (1.0, float("nan"), "moves by nan"),
    ],
)
def test_the_gate_checks_accuracy(good_best: float, mean_dv: float, sentence: str) -> None:
    check_gate(Agreement(0.5, 0.97, 1.0, 0.02, 1.0, 100, 9.0), "int8")
    with pytest.raises(LostAccuracy, match=sentence):
        check_gate(Agreement(1.0, good_best, 0.0, mean_dv, mean_dv, 100, 0.0), "int8")


def test_comparison_counts_legal_moves_alone() -> None:
    legal = np.array([[True, True, False]] * 4)
    positions = of_planes(np.zeros((4, 1, 1, 1), np.float32), legal)
    first = fixed([[1, 0, 9], [1, 0, 9], [1, 0.99, 9], [3, 0, 0]], [0.5, 0, 0, 0])
    second = fixed([[1, 0, 0], [0, 1, 0], [0.99, 1, 0], [3, 0, 99]], [0.1, 0, 0, 0])
    found = compare_answers(first, second, positions)
    assert (found.same_best, found.good_best, found.positions) == (0.5, 0.75, 4)
    assert found.max_dp == pytest.approx(np.tanh(0.5))  # of two logits one apart, swapped
    assert (found.mean_dv, found.max_dv) == pytest.approx((0.1, 0.4))
    # Of the four positions the second is swapped, which diverges by tanh(0.5) nats, and the third nearly equal.
    assert found.mean_kl == pytest.approx((np.tanh(0.5) + 0.01 * np.tanh(0.005)) / 4)


def test_played_positions_are_still_to_play_and_the_same_again() -> None:
    net = open_net(small_net(), GAME)
    positions = play_positions(net, GAME, 150, np.random.default_rng(5))
    empty = positions.inputs.planes[:, :2].sum(axis=1) == 0
    np.testing.assert_array_equal(positions.legal, empty.reshape(150, -1))
    assert positions.legal.any(axis=1).all()
    assert len(np.unique(positions.inputs.planes.reshape(150, -1), axis=0)) > 75
    again = play_positions(net, GAME, 150, np.random.default_rng(5))
    np.testing.assert_array_equal(again.inputs.planes, positions.inputs.planes)


def test_bad_requests() -> None:
    with pytest.raises(ValueError, match="precision is 'int4'; it must be one of int8, fp16"):
        to_precision(small_net(), GAME, "int4")
    with pytest.raises(BadNet, match="cannot be loaded"):
        to_precision(b"junk", GAME, "int8")


def test_conversion_is_quiet(capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture) -> None:
    for precision in GATES:
        to_precision(small_net(), GAME, precision)
    assert capfd.readouterr() == ("", "")
    assert not caplog.records
    assert "onnxruntime.quantization" in sys.modules


def test_a_speed_is_positions_by_the_time_of_a_batch() -> None:
    assert Speed(8, 2.0).positions_per_s == 4000.0
