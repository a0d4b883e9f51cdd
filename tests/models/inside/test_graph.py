"""The graph of a net: parameters, multiplications, shapes and values against slow counts of them."""

import itertools
import math
from dataclasses import fields, is_dataclass
from pathlib import Path

import numpy as np
import onnx
import onnxruntime as ort
import pytest
from onnx import numpy_helper

from core.games import load_game
from core.games.net_inputs import inputs_of
from models.inside.graph import GraphReader
from models.netfiles.graph import GraphBuilder
from models.netfiles.katago_file import read_katago
from models.netfiles.katago_layers import Conv
from models.netfiles.net_file import ENCODING, read_net_info
from models.netfiles.opened import usual_game
from models.netfiles.ort_session import BadNet
from models.netfiles.shipped import nets_dir
from models.netfiles.trunk import with_outputs

TINY = Path(__file__).parents[2] / "data" / "katago" / "tiny"
CONNECT4 = nets_dir() / "connect4-4x48.onnx"


@pytest.fixture(scope="module")
def connect4():
    return GraphReader(CONNECT4, load_game("connect4"))


def everything(graph):
    return range(len(graph.operations))


def test_the_shipped_net_has_the_figures_computed_by_hand(connect4):
    graph = connect4.graph
    stem = 48 * 4 * 9
    block = 2 * 48 * 48 * 9
    policy, value = 8 * 48, 8 * 48
    weights = stem + 4 * block + policy + 7 * 8 * 42 + value + 64 * 8 * 42 + 3 * 64
    biases = 48 + 4 * 2 * 48 + 8 + 7 + 8 + 64 + 3
    assert graph.parameters(everything(graph)) == weights + biases
    each_cell = stem + 4 * block + policy + value
    assert graph.multiplications(everything(graph)) == 42 * each_cell + 7 * 8 * 42 + 64 * 8 * 42 + 3 * 64
    assert graph.all_counted


def test_stem_blocks_and_heads_hold_every_operation_once(connect4):
    graph = connect4.graph
    names = [str(group.name) for group in graph.groups]
    assert names == ["stem", "block 1", "block 2", "block 3", "block 4", "policy head", "value head"]
    assert [group.head for group in graph.groups] == [False] * 5 + [True] * 2
    assert sorted(itertools.chain(*(group.operations for group in graph.groups))) == list(everything(graph))
    assert all(graph.operations[i].group == place for place, group in enumerate(graph.groups) for i in group.operations)
    assert graph.operations[graph.groups[2].operations[0]].sizes == "3×3, 48 → 48"


@pytest.mark.parametrize("path", sorted(nets_dir().glob("*.onnx")), ids=lambda path: path.stem)
def test_all_parameters_of_a_file_are_counted_once(path):
    graph = GraphReader(path, usual_game(read_net_info(path))).graph
    arrays = map(numpy_helper.to_array, onnx.load(path).graph.initializer)
    assert graph.parameters(everything(graph)) == sum(
        array.size for array in arrays if array.ndim and array.dtype == np.float32
    )


@pytest.mark.parametrize(("net", "text"), [("connect4-4x48", "connect4"), ("go9-5x64", "go(size=9)")])
def test_shapes_and_values_are_those_of_a_run(net, text):
    path, game = nets_dir() / f"{net}.onnx", load_game(text)
    reader = GraphReader(path, game)
    position = game.initial().play(3).play(5)
    values = reader.values(position)
    inputs = inputs_of(position, reader.encoding)
    session = ort.InferenceSession(with_outputs(onnx.load(path), list(values)).SerializeToString())
    given = {"planes": inputs.planes, "features": inputs.features}
    arrays = session.run(list(values), {tensor.name: given[tensor.name] for tensor in session.get_inputs()})
    for (name, found), array in zip(values.items(), arrays, strict=True):
        assert reader.graph.shapes[name] == array.shape
        exact = (array.mean(dtype=float), array.min(), array.max(), (array == 0).mean())
        assert np.allclose(found, exact, atol=1e-6), name
    assert len(values) > 30


def products(part, cells):
    """The multiplications of a part of a KataGo net, as its file lists it: convolutions at each cell, the rest once."""
    if isinstance(part, Conv):
        return part.weights.size * cells
    if isinstance(part, np.ndarray):
        return part.size if part.ndim == 2 else 0
    parts = part if isinstance(part, tuple) else ()
    if is_dataclass(part):
        parts = tuple(getattr(part, field.name) for field in fields(part))
    return sum(products(inner, cells) for inner in parts)


@pytest.mark.parametrize(
    ("name", "text", "blocks"), [("b1c6nbt-mish", "go(size=9)", 1), ("rect15-b2c16", "go(rows=9, cols=13)", 2)]
)
def test_nets_of_katago_have_the_multiplications_of_their_files(name, text, blocks):
    path, game = TINY / f"{name}.bin.gz", load_game(text)
    reader = GraphReader(path, game)
    graph = reader.graph
    assert graph.multiplications(everything(graph)) == products(read_katago(path), game.num_cells)
    assert graph.all_counted
    assert sum(str(group.name).startswith("block") for group in graph.groups) == blocks
    values = reader.values(game.initial())
    assert all(graph.shapes[tensor] is not None for tensor in values)


def small_net(directory):
    """A net of tic-tac-toe without blocks: a convolution, and two dense layers on it."""
    rng, builder = np.random.default_rng(0), GraphBuilder()
    weights = [rng.standard_normal(shape).astype(np.float32) for shape in ((2, 4, 3, 3), (18, 9), (18, 1))]
    conv = builder.conv("planes", weights[0])
    flat = builder.op("Flatten", builder.op("Relu", conv))
    builder.dense(flat, weights[1], name="policy")
    builder.op("Squeeze", builder.op("Tanh", builder.dense(flat, weights[2])), builder.constant(1), name="value")
    path = directory / "small.onnx"
    path.write_bytes(
        builder.file(
            {"planes": ("batch", 4, 3, 3)},
            {"policy": ("batch", 9), "value": ("batch",)},
            {"game": "tictactoe", "encoding": ENCODING},
        )
    )
    return path


def test_a_net_without_blocks_is_shown_and_its_products_are_counted_one_by_one(tmp_path):
    graph = GraphReader(small_net(tmp_path), load_game("tictactoe")).graph
    assert "residual" in graph.no_blocks
    products = 0
    for _cell, _given, _taken, _row, _column in itertools.product(range(9), range(2), range(4), range(3), range(3)):
        products += 1
    for _taken, _given in itertools.product(range(18), range(9 + 1)):
        products += 1
    assert graph.multiplications(everything(graph)) == products
    assert graph.parameters(everything(graph)) == 2 * 4 * 9 + 18 * 9 + 18


def test_what_is_not_wanted_any_more_is_not_read(connect4):
    assert connect4.values(load_game("connect4").initial(), lambda: True) == {}


def test_a_net_for_another_game_is_refused_in_a_sentence():
    with pytest.raises(BadNet, match="connect4"):
        GraphReader(CONNECT4, load_game("othello"))


def test_every_number_of_the_graph_is_finite(connect4):
    for values in connect4.values(load_game("connect4").position("d d c")).values():
        assert all(map(math.isfinite, values))
        assert values.least <= values.mean <= values.most
        assert 0.0 <= values.zeros <= 1.0
