"""Attention on the board: the weights are those of the formulas, add up to 1, and make what the blocks give."""

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from core.games import Position, load_game
from core.games.net_inputs import inputs_of
from models.inside.attention import AttentionReader, LayerLooks
from models.netfiles.katago_file import read_katago
from models.netfiles.katago_graph import katago_onnx
from models.netfiles.katago_transformer import AttentionBlock
from models.netfiles.katago_transformer_graph import ATTENTION_WEIGHTS
from models.netfiles.shipped import nets_dir
from models.netfiles.tapped import TappedNet
from models.netfiles.trunk import with_outputs
from tests.models.netfiles.foreign_nets import recipe, write_net
from tests.models.netfiles.katago_nets import RandomNet
from tests.models.netfiles.katago_transformers import TURNS, Array, normed, weights_of
from tests.models.netfiles.test_katago import inputs, session
from tests.models.netfiles.test_katago_transformers import FOLDER, NETS, needs_nets

GO = load_game("go(rows=5, cols=6)")
TTT = load_game("tictactoe")


def opened(path: Path, net: RandomNet) -> TappedNet:
    path.write_bytes(net.file())
    return TappedNet(path, GO)


def played(game: Any, plies: int) -> Position:
    rng, position = np.random.default_rng(1), game.initial()
    for _ in range(plies):
        position = position.play(int(rng.choice(position.legal_actions()[:-1])))
    return position


def tokens_of(board: Array) -> Array:
    """A board [C, H, W] as tokens [S, C]."""
    return board.reshape(len(board), -1).T.astype(np.float64)


@pytest.mark.parametrize("kinds", [("t", "f"), ("o", "l", "f", "a"), ("l", "t", "g")])
def test_the_weights_are_those_of_the_formulas(tmp_path: Path, kinds: tuple[str, ...]) -> None:
    random = RandomNet(17, kinds, seed=5)
    net, position = opened(tmp_path / "net.bin.gz", random), played(GO, 9)
    looks = AttentionReader(net).looks(position)
    blocks = net.run(inputs_of(position, net.encoding)).blocks
    points = [divmod(cell, 6) for cell in range(30)]
    looking = [place for place, kind in enumerate(kinds) if kind in TURNS]
    assert [layer.name for layer in looks.layers] == [f"block {place + 1}" for place in looking]
    for place, layer in zip(looking, looks.layers, strict=True):
        block = random.blocks[place]
        tokens = normed(tokens_of(blocks[place][0]), block)
        np.testing.assert_allclose(layer.weights, weights_of(tokens, block, points), atol=2e-5)
        assert layer.weights.shape[0] == block["sizes"][0]
    assert position.game.action_names.index(position.game.cell_names[looks.move_cell]) in position.legal_actions()


def gives(layer: LayerLooks, block: AttentionBlock, before: Array) -> Array:
    """What a block gives [C, H, W] by these weights, from what comes before it, by its values alone."""
    y = tokens_of(before)
    y = y / np.sqrt((y**2).mean(axis=1, keepdims=True) + block.norm.epsilon) * block.norm.weights
    v = (y @ block.values).reshape(len(y), block.groups, -1)
    shared = block.heads // block.groups
    seen = [layer.weights[head].astype(np.float64) @ v[:, head // shared] for head in range(block.heads)]
    added: Array = np.concatenate(seen, axis=1) @ block.out
    return before + added.T.reshape(before.shape)


@needs_nets
@pytest.mark.parametrize("name", NETS)
def test_the_weights_times_the_values_are_what_katagos_blocks_add(name: str) -> None:
    game = load_game("go(size=9)")
    net, position = TappedNet(FOLDER / name, game), played(game, 20)
    looks = AttentionReader(net).looks(position)
    blocks = net.run(inputs_of(position, net.encoding)).blocks
    found = [
        (k, block) for k, block in enumerate(read_katago(FOLDER / name).blocks) if isinstance(block, AttentionBlock)
    ]
    assert len(found) == len(looks.layers) == 7
    for (place, block), layer in zip(found, looks.layers, strict=True):
        np.testing.assert_allclose(layer.weights.sum(axis=2, dtype=np.float64), 1.0, atol=1e-6)
        assert layer.weights.min() >= 0.0
        wanted = blocks[place + 1][0]
        np.testing.assert_allclose(gives(layer, block, blocks[place][0]), wanted, atol=1e-4 * np.abs(wanted).max())


def test_nothing_is_taken_in_of_what_lies_beyond_the_board(tmp_path: Path) -> None:
    """The same weights as of a tensor that is as large as the board."""
    path = tmp_path / "net.bin.gz"
    path.write_bytes(RandomNet(17, ("t", "l"), seed=2).file())
    model = onnx.load_from_string(katago_onnx(read_katago(path)))
    names = [f"{ATTENTION_WEIGHTS}{number}" for number in (1, 2)]
    net = session(with_outputs(model, names).SerializeToString())
    planes, numbers = inputs(np.random.default_rng(3), 7, 8, (5, 6))
    planes, numbers = planes[None], numbers[None]
    exact = {"spatial": np.ascontiguousarray(planes[..., :5, :6]), "global": numbers}
    on_board = [row * 8 + column for row in range(5) for column in range(6)]
    beyond = np.setdiff1d(np.arange(56), on_board)
    whole = net.run(names, {"spatial": planes, "global": numbers})
    for large, small in zip(whole, net.run(names, exact), strict=True):
        assert not large[..., on_board, :][..., beyond].any()
        np.testing.assert_allclose(large[..., on_board, :][..., on_board], small, atol=1e-5)


def test_a_symmetric_net_looks_symmetrically(tmp_path: Path) -> None:
    """Without positions in its queries and keys, of the empty board."""
    random = RandomNet(17, ("a", "f", "a"), seed=4)
    kernel = random.start["w"]
    random.start |= {"w": sum(kernel[::i, ::j] for i in (1, -1) for j in (1, -1)) / 4, "dil": (1, 1)}
    net = opened(tmp_path / "net.bin.gz", random)
    cells = np.arange(30).reshape(5, 6)
    for layer in AttentionReader(net).looks(GO.initial()).layers:
        assert layer.weights.std() > 1e-4
        for image in (cells[::-1].ravel(), cells[:, ::-1].ravel()):
            np.testing.assert_allclose(layer.weights[:, image][:, :, image], layer.weights, atol=1e-6)


HEADS, SIZE = 2, 3


def foreign(path: Path, *, batch: Any = "batch", scores: str = "Softmax", axis: int = -1) -> tuple[Path, Array]:
    """A transformer for tic-tac-toe that merges positions and heads as PyTorch does, and its weights [4, H * SIZE]."""
    rng = np.random.default_rng(0)
    q, k, v = (rng.normal(0, 1, (4, HEADS * SIZE)).astype(np.float32) for _ in range(3))
    shapes = {"tokens": [0, 4, 9], "apart": [-1, 9, HEADS, SIZE], "merged": [-1, 9, SIZE], "back": [-1, HEADS, 9, SIZE]}
    constants = {name: np.array(shape, np.int64) for name, shape in shapes.items()}
    constants["flat_size"] = np.array([-1, 9, HEADS * SIZE], np.int64)
    nodes = [
        helper.make_node("Reshape", ["board", "tokens"], ["rows"]),
        helper.make_node("Transpose", ["rows"], ["x"], perm=[0, 2, 1]),
    ]
    for name in "qkv":
        nodes += [
            helper.make_node("MatMul", ["x", f"W{name}"], [f"{name}0"]),
            helper.make_node("Reshape", [f"{name}0", "apart"], [f"{name}1"]),
            helper.make_node("Transpose", [f"{name}1"], [f"{name}2"], perm=[0, 2, 1, 3]),
            helper.make_node("Reshape", [f"{name}2", "merged"], [f"{name}3"]),
        ]
    nodes += [
        helper.make_node("Transpose", ["k3"], ["kt"], perm=[0, 2, 1]),
        helper.make_node("MatMul", ["q3", "kt"], ["scores"]),
        helper.make_node(scores, ["scores"], ["looks"], axis=axis),
        helper.make_node("MatMul", ["looks", "v3"], ["seen"]),
        helper.make_node("Reshape", ["seen", "back"], ["s1"]),
        helper.make_node("Transpose", ["s1"], ["s2"], perm=[0, 2, 1, 3]),
        helper.make_node("Reshape", ["s2", "flat_size"], ["s3"]),
        helper.make_node("MatMul", ["s3", "Wo"], ["branch"]),
        helper.make_node("Add", ["x", "branch"], ["block"]),
        helper.make_node("Flatten", ["block"], ["flat"]),
        helper.make_node("MatMul", ["flat", "Wp"], ["pi"]),
        helper.make_node("MatMul", ["flat", "Wv"], ["sum"]),
        helper.make_node("Tanh", ["sum"], ["v"]),
    ]
    made = [rng.normal(0, 0.3, shape).astype(np.float32) for shape in ((HEADS * SIZE, 4), (36, 9), (36, 1))]
    weights: dict[str, Any] = {"Wq": q, "Wk": k, "Wv": made[2], "Wo": made[0], "Wp": made[1], **constants}
    weights["Wvalues"] = v
    for node in nodes:
        if node.output[0] == "v0":
            node.input[1] = "Wvalues"
    taken = {"board": ([batch, 4, 3, 3], TensorProto.FLOAT)}
    write_net(path, taken, nodes, weights, {"pi": [batch, 9], "v": [batch, 1]})
    return path, np.stack([q, k])


@pytest.mark.parametrize("batch", ["batch", 1, 3])
@pytest.mark.parametrize("rows", ["top", "bottom"])
def test_the_attention_of_any_transformer_is_read_as_a_player_sees_the_board(
    tmp_path: Path, batch: Any, rows: str
) -> None:
    path, (q, k) = foreign(tmp_path / "net.onnx", batch=batch)
    net = TappedNet(path, TTT, recipe=recipe(layout="nchw", rows=rows))
    position = TTT.position("b2 a1 c3")
    looks = AttentionReader(net).looks(position)
    assert [(layer.name, layer.weights.shape) for layer in looks.layers] == [("block 1", (HEADS, 9, 9))]
    planes = inputs_of(position, net.encoding).planes[0]
    x = tokens_of(np.stack([planes[i] for i in range(4)]))  # the formula knows no order of cells
    for head in range(HEADS):
        part = slice(head * SIZE, (head + 1) * SIZE)
        scores = np.exp((x @ q[:, part]) @ (x @ k[:, part]).T)
        np.testing.assert_allclose(looks.layers[0].weights[head], scores / scores.sum(axis=1, keepdims=True), atol=1e-5)
    np.testing.assert_allclose(looks.seen(0, None, 4), looks.layers[0].weights[:, 4].mean(axis=0))
    np.testing.assert_array_equal(looks.seen(0, 1, 4, backwards=True), looks.layers[0].weights[1][:, 4])


@pytest.mark.parametrize("changes", [{"scores": "LogSoftmax"}, {"axis": 1}])
def test_what_is_no_attention_is_not_taken_for_it(tmp_path: Path, changes: dict[str, Any]) -> None:
    """A sum over the cells that look, and a logarithm."""
    path, _ = foreign(tmp_path / "net.onnx", **changes)
    net = TappedNet(path, TTT, recipe=recipe(layout="nchw"))
    with pytest.raises(ValueError, match=r"^net\.onnx has no attention between the cells of the board"):
        AttentionReader(net)


def test_a_net_of_convolutions_has_none() -> None:
    with pytest.raises(ValueError, match="has no attention between the cells of the board"):
        AttentionReader(TappedNet(nets_dir() / "tictactoe-2x32.onnx", TTT))
