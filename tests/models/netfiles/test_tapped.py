"""Nets block by block: which blocks are found, that no answer changes, and that the rest continues from each."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from core.engine.evaluator import ask
from core.games import GameSpec, Position, load_game
from core.games.net_inputs import inputs_of_all
from models.netfiles import tapped as tapped_nets
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.katago_file import read_katago
from models.netfiles.katago_graph import katago_onnx
from models.netfiles.net_file import read_net_info
from models.netfiles.opened import as_onnx, usual_game
from models.netfiles.ort_session import BadNet
from models.netfiles.quantise import to_precision
from models.netfiles.recipe import Recipe
from models.netfiles.shipped import nets_dir
from models.netfiles.tapped import TappedNet
from models.netfiles.trunk import find_trunk, rest_of, with_outputs
from tests.models.netfiles.foreign_nets import linear, recipe, write_net
from tests.models.netfiles.katago_nets import RandomNet
from tests.models.netfiles.test_katago import session
from tests.models.netfiles.test_katago_recorded import G170, TINY

TTT = load_game("tictactoe")
KATAGO = [*sorted((TINY / "tiny").glob("*.bin.gz")), *([G170] if G170.is_file() else [])]
NETS = [*sorted(nets_dir().glob("*.onnx")), *KATAGO]
LARGER = 3.7  # by how much a cell is changed


def game_of(path: Path) -> GameSpec:
    game = usual_game(read_net_info(path)) if path.suffix == ".onnx" else load_game("go(size=9)")
    assert game is not None
    return game


def played(game: GameSpec, count: int = 6) -> list[Position]:
    """The positions of a random game."""
    rng, position, positions = np.random.default_rng(0), game.initial(), []
    while len(positions) < count:
        positions.append(position)
        position = position.play(int(rng.choice(position.legal_actions())))
    return positions


@pytest.mark.parametrize("path", NETS, ids=lambda path: path.name.split(".")[0])
def test_looking_into_a_net_changes_no_answer_and_the_rest_continues_from_each_block(path: Path) -> None:
    game = game_of(path)
    net = TappedNet(path, game)
    inputs = inputs_of_all(played(game), net.encoding)
    untouched = ask(OnnxEvaluator(path, game, device="cpu", threads=1), inputs, game.num_actions)
    tapped = net.run(inputs)
    for got, wanted in zip(tapped.answer, untouched, strict=True):
        np.testing.assert_array_equal(got, wanted)
    shape = (len(inputs.planes), net.channels, *game.shape)
    assert [block.shape for block in tapped.blocks] == [shape] * len(net.blocks)
    for block, output in enumerate(tapped.blocks):
        for got, wanted in zip(net.continue_from(block, output, inputs), untouched, strict=True):
            np.testing.assert_allclose(got, wanted, rtol=1e-5, atol=1e-5)
    last = net.continue_from(len(net.blocks) - 1, tapped.blocks[-1], inputs)
    for got, wanted in zip(last, untouched, strict=True):
        np.testing.assert_allclose(got, wanted, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("path", NETS, ids=lambda path: path.name.split(".")[0])
def test_an_effect_stays_within_the_light_cone_and_reaches_its_end(path: Path) -> None:
    game = game_of(path)
    net = TappedNet(path, game)
    inputs = inputs_of_all(played(game, 4)[3:], net.encoding)
    outputs = net.run(inputs).blocks
    model = onnx.load(as_onnx(path))
    row, column = game.shape[0] // 2, 0
    distance = np.maximum(np.abs(np.arange(game.shape[0]) - row)[:, None], np.abs(np.arange(game.shape[1]) - column))
    last = net.blocks[-1]
    assert last.radius == 0
    for block, output in zip(net.blocks[:-1], outputs, strict=False):
        rest = rest_of(with_outputs(model, [last.tensor]), block.tensor, TensorProto.FLOAT, [last.tensor])
        opened = session(rest.SerializeToString())
        given = {"planes": inputs.planes, "spatial": inputs.planes, "global": inputs.features}
        taken = {tensor.name: given.get(tensor.name, output) for tensor in opened.get_inputs()}
        changed = output.copy()
        changed[:, :, row, column] += LARGER
        before, after = (opened.run(None, {**taken, block.tensor: array})[0] for array in (output, changed))
        affected = (before != after).any(axis=(0, 1))
        reach = distance.max() if block.radius is None else block.radius
        assert not affected[distance > reach].any()
        assert distance[affected].max() == min(reach, distance.max())


@pytest.mark.parametrize("precision", ["int8", "fp16"])
def test_nets_of_fewer_bits_have_the_same_blocks(tmp_path: Path, precision: str) -> None:
    shipped = nets_dir() / "tictactoe-2x32.onnx"
    path = tmp_path / "net.onnx"
    path.write_bytes(to_precision(shipped.read_bytes(), TTT, precision)[0])
    net, whole = TappedNet(path, TTT), TappedNet(shipped, TTT)
    inputs = inputs_of_all(played(TTT), net.encoding)
    tapped = net.run(inputs)
    untouched = ask(OnnxEvaluator(path, TTT, device="cpu", threads=1), inputs, TTT.num_actions)
    np.testing.assert_array_equal(tapped.answer.logits, untouched.logits)
    assert [block.radius for block in net.blocks] == [block.radius for block in whole.blocks]
    for block, (output, exact) in enumerate(zip(tapped.blocks, whole.run(inputs).blocks, strict=True)):
        assert np.abs(output - exact).mean() < 0.05 * np.abs(exact).mean()
        np.testing.assert_allclose(net.continue_from(block, output, inputs).logits, untouched.logits, atol=0.02)


def test_the_blocks_of_the_shipped_nets_are_those_of_their_names() -> None:
    for path in nets_dir().glob("*.onnx"):
        net = TappedNet(path, game_of(path))
        blocks, channels = map(int, path.stem.rpartition("-")[2].split("x"))
        assert [block.name for block in net.blocks] == ["stem", *(f"block {i}" for i in range(1, blocks + 1))]
        assert [block.radius for block in net.blocks] == [2 * (blocks - i) for i in range(blocks + 1)]
        assert net.channels == channels


@pytest.mark.parametrize("kinds", [("o", "g", "o"), (("o", "o"), ("o", "g")), (("o", ("g",)),)], ids=str)
def test_sums_within_the_blocks_of_katago_are_not_blocks(tmp_path: Path, kinds: Any) -> None:
    source = tmp_path / "net.bin.gz"
    source.write_bytes(RandomNet(14, kinds).file(binary=True, zipped=True))
    trunk = find_trunk(onnx.load_from_string(katago_onnx(read_katago(source))), ["policy", "value", "miscvalue"])
    assert len(trunk.tensors) == len(kinds) + 1
    pooled = [i for i, kind in enumerate(kinds) if "g" in str(kind)]
    assert [radius is None for radius in trunk.radii] == [any(i <= j for j in pooled) for i in range(len(kinds) + 1)]


def test_a_net_without_blocks_is_refused_in_a_sentence(tmp_path: Path) -> None:
    path, *_ = linear(tmp_path / "net.onnx", ["batch", 4, 3, 3], 9)
    with pytest.raises(BadNet) as error:
        TappedNet(path, TTT, recipe=recipe())
    assert str(error.value) == (
        "net.onnx cannot be shown block by block: it has no residual blocks, which add something to what they are given"
    )


def test_an_output_of_another_shape_is_refused() -> None:
    net = TappedNet(nets_dir() / "tictactoe-2x32.onnx", TTT)
    inputs = inputs_of_all(played(TTT, 2), net.encoding)
    with pytest.raises(ValueError, match=r"is \(2, 31, 3, 3\); it must be \(2, 32, 3, 3\)"):
        net.continue_from(1, np.zeros((2, 31, 3, 3), np.float32), inputs)


def test_of_a_large_net_few_rests_stay_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tapped_nets, "_OPEN_BYTES", 0)
    net = TappedNet(nets_dir() / "connect4-4x48.onnx", load_game("connect4"))
    inputs = inputs_of_all(played(net.game, 2), net.encoding)
    tapped = net.run(inputs)
    for block in (0, 4, 1, 4, 2, 0):
        answer = net.continue_from(block, tapped.blocks[block], inputs)
        np.testing.assert_allclose(answer.logits, tapped.answer.logits, atol=1e-5)
        assert len(net._rests) <= 2


Nodes = Sequence[tuple[str, Sequence[str], str, Mapping[str, Any]]]


def foreign(path: Path, nodes: Nodes, weights: dict[str, Any], shape: list[Any], last: str, kind: int) -> Path:
    """A net file of a trunk ``nodes`` from ``board`` to ``last`` and dense heads, computed in the type ``kind``."""
    heads: Nodes = [
        ("Cast", ["board"], "x", {"to": kind}),
        *nodes,
        ("Flatten", [last], "flat", {}),
        ("MatMul", ["flat", "W"], "p", {}),
        ("Cast", ["p"], "pi", {"to": 1}),
        ("MatMul", ["flat", "V"], "u", {}),
        ("Tanh", ["u"], "w", {}),
        ("Cast", ["w"], "v", {"to": 1}),
    ]
    rng = np.random.default_rng(3)
    dense = {"W": rng.normal(0, 0.3, (36, 9)), "V": rng.normal(0, 0.3, (36, 1))}
    kept = {name: np.asarray(array) for name, array in {**weights, **dense}.items()}
    numpy_type = helper.tensor_dtype_to_np_dtype(kind)
    arrays = {name: array.astype(numpy_type) if array.dtype.kind == "f" else array for name, array in kept.items()}
    made = [helper.make_node(op, inputs, [output], **facts) for op, inputs, output, facts in heads]
    return write_net(path, {"board": (shape, 1)}, made, arrays, {"pi": ["batch", 9], "v": ["batch", 1]})


def same_kernel(seed: int) -> Any:
    return np.random.default_rng(seed).normal(0, 0.3, (4, 4, 3, 3))


def checked(path: Path, how: Recipe) -> TappedNet:
    net = TappedNet(path, TTT, recipe=how)
    inputs = inputs_of_all(played(TTT), net.encoding)
    tapped = net.run(inputs)
    untouched = ask(OnnxEvaluator(path, TTT, recipe=how, device="cpu", threads=1), inputs, 9)
    np.testing.assert_array_equal(tapped.answer.logits, untouched.logits)
    for block, output in enumerate(tapped.blocks):
        assert output.shape == (len(inputs.planes), 4, 3, 3)
        assert output.dtype == np.float32
        np.testing.assert_allclose(net.continue_from(block, output, inputs).logits, untouched.logits, atol=2e-3)
    return net


CONVOLUTION = {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1]}


@pytest.mark.parametrize("kind", [TensorProto.FLOAT, TensorProto.FLOAT16], ids=["float32", "float16"])
@pytest.mark.parametrize("batch", ["batch", 4])
@pytest.mark.parametrize("rows", ["top", "bottom"])
@pytest.mark.parametrize("transposed", [False, True])
def test_boards_are_turned_back_and_16_bits_and_fixed_batches_work(
    tmp_path: Path, kind: int, batch: Any, rows: str, transposed: bool
) -> None:
    nodes: Nodes = [("Conv", ["x", "k"], "c", CONVOLUTION), ("Add", ["x", "c"], "y", {})]
    path = foreign(tmp_path / "net.onnx", nodes, {"k": same_kernel(0)}, [batch, 4, 3, 3], "y", kind)
    net = checked(path, recipe(rows=rows, transposed=transposed))
    inputs = inputs_of_all(played(TTT), net.encoding)
    np.testing.assert_array_equal(net.run(inputs).blocks[0], inputs.planes)  # the stem of this net is what it is given
    assert [block.radius for block in net.blocks] == [1, 0]


def test_a_transformer_whose_tokens_are_the_cells_is_shown_as_boards(tmp_path: Path) -> None:
    nodes: Nodes = [
        ("Reshape", ["x", "cells"], "r", {}),
        ("Transpose", ["r"], "t", {"perm": [0, 2, 1]}),
        ("MatMul", ["t", "q"], "tq", {}),
        ("MatMul", ["tq", "r"], "scores", {}),
        ("Softmax", ["scores"], "looks", {"axis": 2}),
        ("MatMul", ["looks", "t"], "seen", {}),
        ("Add", ["t", "seen"], "a", {}),
        ("MatMul", ["a", "f"], "g", {}),
        ("Gelu", ["g"], "h", {}),
        ("Add", ["a", "h"], "y", {}),
    ]
    rng = np.random.default_rng(1)
    weights = {"cells": np.array([0, 4, 9]), "q": rng.normal(0, 1, (4, 4)), "f": rng.normal(0, 0.5, (4, 4))}
    path = foreign(tmp_path / "net.onnx", nodes, weights, ["batch", 4, 3, 3], "y", 1)
    model = onnx.load(path)
    model.opset_import[0].version = 20
    onnx.save(model, path)
    net = checked(path, recipe())
    inputs = inputs_of_all(played(TTT), net.encoding)
    np.testing.assert_array_equal(net.run(inputs).blocks[0], inputs.planes)
    assert [block.radius for block in net.blocks] == [None, None, 0]


def test_blocks_that_are_no_boards_are_refused(tmp_path: Path) -> None:
    nodes: Nodes = [("Flatten", ["x"], "z", {}), ("Relu", ["z"], "c", {}), ("Add", ["z", "c"], "y", {})]
    path = foreign(tmp_path / "net.onnx", nodes, {}, ["batch", 4, 3, 3], "y", 1)
    with pytest.raises(BadNet, match=r"its blocks give \[36\], not channels of a board of 3×3"):
        TappedNet(path, TTT, recipe=recipe())


def test_a_graph_of_too_many_nodes_is_refused() -> None:
    model = helper.make_model(helper.make_graph([helper.make_node("Relu", ["x"], ["y"])] * 10_001, "net", [], []))
    with pytest.raises(ValueError, match="10001 nodes; blocks are looked for in graphs of up to 10000"):
        find_trunk(model, ["y"])


@pytest.mark.parametrize(("count", "names"), [(500, 501), (501, 0)])
def test_a_graph_of_too_many_sums_is_refused(count: int, names: int) -> None:
    nodes = [helper.make_node("Add", [f"x{i}", f"r{i}"], [f"x{i + 1}"]) for i in range(count)]
    before = [helper.make_node("Relu", [f"x{i}"], [f"r{i}"]) for i in range(count)]
    graph = helper.make_graph(
        [node for pair in zip(before, nodes, strict=True) for node in pair],
        "net",
        [helper.make_tensor_value_info("x0", TensorProto.FLOAT, [1])],
        [],
    )
    model = helper.make_model(graph)
    if names:
        assert len(find_trunk(model, [f"x{count}"]).tensors) == names
    else:
        with pytest.raises(ValueError, match="more than 500 residual sums"):
            find_trunk(model, [f"x{count}"])
