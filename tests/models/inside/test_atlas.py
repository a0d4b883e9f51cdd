"""The atlas of channels, against all activations at once, and one number of a net taken apart."""

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from core.games import GameSpec, load_game
from core.games.net_inputs import inputs_of_all
from models.inside.atlas import AtlasMaker, make_atlas
from models.inside.sample import play_sample
from models.inside.sums import TOLERANCE, SumReader
from models.netfiles.katago_file import read_katago
from models.netfiles.net_file import read_net_info
from models.netfiles.opened import usual_game
from models.netfiles.shipped import default_net, nets_dir
from models.netfiles.tapped import TappedNet
from tests.models.inside.planted import ROW, STONES, planted
from tests.models.netfiles.foreign_nets import recipe, write_net
from tests.models.netfiles.test_katago_recorded import TINY

FOUR = load_game("connect4")
NETS = sorted(nets_dir().glob("*.onnx"))


def with_dead_channel(to: Path) -> Path:
    """The shipped net of Connect Four whose stem gives 0 in channel 5."""
    model = onnx.load(default_net(FOUR))
    for tensor in model.graph.initializer:
        if tensor.name.startswith("stem.conv"):
            array = numpy_helper.to_array(tensor).copy()
            array[5] = 0.0
            tensor.CopyFrom(numpy_helper.from_array(array, tensor.name))
    onnx.save(model, to)
    return to


def test_the_atlas_is_that_of_all_positions_at_once(tmp_path: Path) -> None:
    net = TappedNet(with_dead_channel(tmp_path / "net.onnx"), FOUR)
    positions = play_sample(net, 150, 0).positions
    counts: list[int] = []
    atlas = make_atlas(net, iter(positions), taken=counts.append, examples=4)
    assert counts == [64, 128, 150]
    assert atlas.positions == 150
    assert atlas.blocks == tuple(block.name for block in net.blocks)
    blocks = net.run(inputs_of_all(positions, net.encoding)).blocks
    for k, output in enumerate(blocks):
        assert len(atlas.channels[k]) == net.channels
        for c, channel in enumerate(atlas.channels[k]):
            assert (channel.block, channel.number) == (k, c)
            every = output[:, c].reshape(len(positions), -1)
            best = np.sort(every.max(axis=1))[::-1][:4]
            np.testing.assert_allclose([spot.value for spot in channel.spots], best, rtol=1e-5, atol=1e-6)
            for spot in channel.spots:
                place = positions.index(spot.position)
                assert every[place, spot.cell] == pytest.approx(every[place].max(), rel=1e-5, abs=1e-6)
            np.testing.assert_allclose(channel.mean, output[:, c].mean(axis=0), rtol=1e-4, atol=1e-6)
            assert channel.active == pytest.approx((every > 0).mean(), abs=1e-6)
            assert channel.most == pytest.approx(every.max(), rel=1e-5)
            assert channel.least == pytest.approx(every.min(), rel=1e-5, abs=1e-6)
            assert channel.dead == (every.max() - every.min() < 1e-6)
    assert atlas.channels[0][5].dead
    assert not all(channel.dead for channel in atlas.channels[0])


def test_memory_does_not_grow_with_the_positions() -> None:
    game = load_game("tictactoe")
    net = TappedNet(default_net(game), game)
    positions = play_sample(net, 60, 0).positions
    maker = AtlasMaker(net, examples=1)
    for _ in range(10):
        maker.add(positions)
    assert maker.positions == 600
    kept = {id(spot.position) for row in maker.atlas().channels for channel in row for spot in channel.spots}
    assert len(maker._kept) == len(kept) <= len(net.blocks) * net.channels


def test_an_atlas_can_be_stopped_and_needs_a_position() -> None:
    net = TappedNet(default_net(FOUR), FOUR)
    assert make_atlas(net, [FOUR.initial()], should_stop=lambda: True) is None
    with pytest.raises(ValueError, match="at least one position"):
        make_atlas(net, [])


def game_of(path: Path) -> GameSpec:
    return usual_game(read_net_info(path)) or load_game("connect4")


@pytest.mark.parametrize("path", NETS, ids=lambda path: path.stem)
def test_the_products_add_up_to_what_the_net_computes(path: Path) -> None:
    game = game_of(path)
    net, rng = TappedNet(path, game), np.random.default_rng(0)
    positions = play_sample(net, 4, 1).positions
    blocks = net.run(inputs_of_all(positions, net.encoding)).blocks
    for k in range(len(net.blocks)):
        reader = SumReader(net, k)
        for position, output in zip(positions, zip(*blocks, strict=True), strict=True):
            for cell in (0, game.num_cells - 1, int(rng.integers(game.num_cells))):
                channel = int(rng.integers(net.channels))
                summed = reader.summed(position, channel, cell)
                assert abs(summed.total - summed.before) <= TOLERANCE * max(1.0, summed.size)
                row, column = divmod(cell, game.shape[1])
                assert summed.value == pytest.approx(float(output[k][channel, row, column]), rel=1e-4, abs=1e-5)
                assert summed.activation == "Relu"
                assert summed.value == max(summed.before, 0.0)
                assert summed.products.shape[1:] == summed.read.shape[1:] == (3, 3)
                assert len(summed.others) == (k > 0 or net.encoding.leads)  # a stem may add what it has of features


def test_the_numbers_read_are_those_round_the_cell() -> None:
    net, position = TappedNet(default_net(FOUR), FOUR), FOUR.position("d d e a b")
    summed = SumReader(net, 0).summed(position, 3, 36)
    row, column = divmod(36, 7)
    planes = np.pad(position.planes(), ((0, 0), (1, 1), (1, 1)))
    np.testing.assert_array_equal(summed.read, planes[:, row : row + 3, column : column + 3])


@pytest.mark.parametrize("path", sorted((TINY / "tiny").glob("*.bin.gz")), ids=lambda path: path.name.split(".")[0])
def test_nets_of_katago_add_up_too(path: Path) -> None:
    assert read_katago(path)
    game = load_game("go(size=9)")
    net = TappedNet(path, game)
    position = game.position("c3 g7 d4 e5")
    for k in range(len(net.blocks)):
        summed = SumReader(net, k).summed(position, 0, 20)
        assert abs(summed.total - summed.before) <= TOLERANCE * max(1.0, summed.size)
        assert summed.activation or summed.value == summed.before


@pytest.mark.parametrize(("rows", "transposed"), [("top", True), ("bottom", False), ("bottom", True)])
def test_a_net_that_sees_the_board_turned_is_taken_apart_as_a_player_sees_it(
    rows: str, transposed: bool, tmp_path: Path
) -> None:
    net = TappedNet(planted(tmp_path / "net.onnx", 2), ROW, recipe=recipe(rows=rows, transposed=transposed))
    position = ROW.position(STONES)
    outputs = net.run(inputs_of_all([position], net.encoding)).blocks[1][0, 0]
    strongest = int(outputs.argmax())
    summed = SumReader(net, 1).summed(position, 0, strongest)
    assert summed.value == summed.before == outputs.ravel()[strongest] > 0
    # The kernel of the planted net looks one cell along its own row, to the right.
    places = {(int(r), int(c)) for r, c in np.argwhere(summed.products.sum(axis=0) != 0)}
    assert places <= ({(1, 1), (2, 1), (0, 1)} if transposed else {(1, 1), (1, 2)})


def test_a_block_that_does_not_end_with_a_convolution_is_refused_in_a_sentence(tmp_path: Path) -> None:
    conv: dict[str, Any] = {"pads": [1, 1, 1, 1]}
    nodes = [
        helper.make_node("Conv", ["board", "first"], ["stem"], **conv),
        helper.make_node("Conv", ["stem", "second"], ["inner"], **conv),
        helper.make_node("Relu", ["inner"], ["branch"]),
        helper.make_node("Add", ["stem", "branch"], ["block"]),
        helper.make_node("ReduceSum", ["block", "axis"], ["sums"], keepdims=0),
        helper.make_node("Flatten", ["sums"], ["pi"]),
        helper.make_node("ReduceMean", ["block"], ["v"], axes=[1, 2, 3], keepdims=0),
    ]
    weights: dict[str, Any] = {
        "first": np.ones((2, 4, 3, 3), np.float32),
        "second": np.ones((2, 2, 3, 3), np.float32),
        "axis": np.array([1], np.int64),
    }
    outputs: dict[str, list[Any]] = {"pi": ["batch", 81], "v": ["batch"]}
    path = write_net(tmp_path / "net.onnx", {"board": (["batch", 4, 9, 9], TensorProto.FLOAT)}, nodes, weights, outputs)
    net = TappedNet(path, ROW, recipe=recipe(value="win-probability"))
    assert SumReader(net, 0).summed(ROW.initial(), 1, 40).total == 9.0
    with pytest.raises(ValueError, match="block 1 does not end with one convolution"):
        SumReader(net, 1)
