"""What is read from the blocks of a net, beside what needs no net."""

import hashlib
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

from core.games import Position, load_game
from core.games.encoding import Inputs
from core.games.grid import marked
from core.games.net_inputs import inputs_of_all
from core.games.spec import Concept, Label
from models.audit.positions import key_of
from models.inside.concepts import concepts_of
from models.inside.knowledge import cell_rows, examine, positions_at_most, scrambled_net, surroundings
from models.inside.sample import Sample, play_sample
from models.netfiles.shipped import default_net
from models.netfiles.tapped import Tapped, TappedNet

GAME = load_game("connect4")
PLANTED = 2  # the block


def noise(mover: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Half zeros and half ones [H, W] that no line through a board gives: they depend on a hash of it."""
    digest = hashlib.sha256((mover + 2 * other).astype(np.int8).tobytes()).digest()
    return np.random.default_rng(int.from_bytes(digest[:8], "big")).random(mover.shape) < 0.5


def noise_label(position: Position) -> Label:
    cells = position.cells()
    mover = position.to_move + 1
    return marked(cells, noise((cells == mover).astype(np.int8), (cells == 3 - mover).astype(np.int8)))


class Planted(TappedNet):
    """A net one of whose blocks has the labels in a channel."""

    def run(self, inputs: Inputs) -> Tapped:
        tapped = super().run(inputs)
        for block, planes in zip(tapped.blocks[PLANTED], inputs.planes, strict=True):
            block[5] = 3.0 * noise(planes[0].astype(np.int8), planes[1].astype(np.int8)) - 7.0
        return tapped


def shipped(kind: type[TappedNet] = TappedNet) -> TappedNet:
    path = default_net(GAME)
    assert path is not None
    return kind(path, GAME)


@pytest.fixture(scope="module")
def sample() -> Sample:
    return play_sample(shipped(), 600, seed=1)


def test_a_sample_has_different_positions_of_several_games(sample: Sample) -> None:
    assert len(sample.positions) == len(sample.games) == 600
    assert len({key_of(position) for position in sample.positions}) == 600
    assert not any(position.is_over for position in sample.positions)
    assert np.bincount(sample.games).max() <= 6
    again = play_sample(shipped(), 600, seed=1)
    assert [position.moves for position in again.positions] == [position.moves for position in sample.positions]
    small = load_game("tictactoe")
    path = default_net(small)
    assert path is not None
    assert 100 < len(play_sample(TappedNet(path, small), 10_000, 0).positions) <= 765  # there are no more


def test_a_planted_concept_is_read_and_shuffled_labels_are_not(sample: Sample) -> None:
    concepts = [Concept("planted", "planted", noise_label), *concepts_of(GAME)[:1]]
    report = examine(shipped(Planted), sample, concepts)
    planted, line = report.concepts
    assert [concept.name for concept in report.concepts] == ["planted", "own line"]
    for number, block in enumerate(planted.blocks):
        assert block.beats_baselines == (number == PLANTED)
        assert block.shuffled.low < 0.5 < block.shuffled.high
    assert planted.blocks[PLANTED].score.value == 1.0
    for nothing in (planted.board, planted.blocks[0].score, planted.blocks[PLANTED].random, planted.blocks[-1].score):
        assert nothing.value == pytest.approx(0.5, abs=0.03)
    # The figures of the project: .95 for the bare board, .93 for a block, .86 for a random net.
    last = line.blocks[-1]
    assert line.board.value > last.score.value > last.random.value > 0.7
    assert not last.beats_baselines
    positions = report.judged
    fitted = np.setdiff1d(sample.games, sample.games[positions])
    assert len(fitted)
    assert 0.2 < len(positions) / 600 < 0.5


def test_what_is_too_rare_to_be_judged_has_no_score(sample: Sample) -> None:
    few = Concept("few", "few", lambda position: float(position.ply == 0), per_cell=False)
    report = examine(shipped(), sample, [few])
    assert np.isnan(report.concepts[0].board.value)
    assert report.concepts[0].blocks == ()


def test_examining_stops_when_it_is_asked_to(sample: Sample) -> None:
    parts: list[float] = []
    assert examine(shipped(), sample, concepts_of(GAME)[:1], stop=lambda: len(parts) > 2, progress=parts.append) is None
    assert parts == sorted(parts)
    assert parts[-1] < 1.0


def test_scrambled_weights_are_the_same_numbers_in_another_order(tmp_path: Path, sample: Sample) -> None:
    net = shipped()
    path = scrambled_net(net.path, tmp_path, 0)
    before, after = (
        {tensor.name: numpy_helper.to_array(tensor) for tensor in onnx.load(file).graph.initializer}
        for file in (net.path, path)
    )
    assert before.keys() == after.keys()
    changed = 0
    for name, weights in before.items():
        assert np.array_equal(np.sort(weights.ravel()), np.sort(after[name].ravel()))
        changed += not np.array_equal(weights, after[name])
    assert changed > 8
    inputs = inputs_of_all(sample.positions[:20], net.encoding)
    assert not np.allclose(net.run(inputs).answer.logits, TappedNet(path, GAME).run(inputs).answer.logits, atol=0.1)


def test_surroundings_are_the_cells_around_a_cell() -> None:
    planes = np.random.default_rng(0).random((3, 2, 6, 7)).astype(np.float32)
    rows = np.array([0, 41, 42 + 9, 2 * 42 + 20])
    around, cells = surroundings(planes, rows).reshape(4, 2, 7, 7), cell_rows(planes, rows)
    for number, row in enumerate(rows.tolist()):
        position, cell = divmod(row, 42)
        at = divmod(cell, 7)
        assert np.array_equal(cells[number], planes[position, :, at[0], at[1]])
        for down in range(-3, 4):
            for right in range(-3, 4):
                r, c = at[0] + down, at[1] + right
                inside = 0 <= r < 6 and 0 <= c < 7
                wanted = planes[position, :, r, c] if inside else np.zeros(2, np.float32)
                assert np.array_equal(around[number, :, down + 3, right + 3], wanted)


def test_large_nets_have_fewer_positions_so_that_their_blocks_fit() -> None:
    assert positions_at_most(shipped(), 500) == 500
    assert positions_at_most(shipped(), 100_000) == (192 << 20) // (5 * 48 * 42 * 4)
