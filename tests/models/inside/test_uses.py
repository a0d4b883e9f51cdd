"""What a line reads on a board, whether a net uses it, and whether a search finds the moves of a concept."""

import numpy as np
import pytest

from core.engine import UniformEvaluator
from core.games import Position, load_game
from core.games.net_inputs import inputs_of
from core.games.spec import Concept, Label
from models.inside.concepts import concepts_of, labels_of
from models.inside.knowledge import NetReport, disagreements, examine, read
from models.inside.sample import play_sample
from models.inside.uses import SIMULATIONS, push, searched, uses_of
from models.netfiles.shipped import default_net
from models.netfiles.tapped import TappedNet

GAME = load_game("connect4")
LINE = concepts_of(GAME)[0]
BLOCK = 2


def luck(position: Position) -> Label:
    """Labels of empty cells that mean nothing."""
    cells = position.cells()
    drawn = np.random.default_rng(sum(position.moves) + 31 * position.ply).random(cells.shape) < 0.3
    return np.where(cells == 0, drawn, np.nan).astype(np.float32)


NOTHING = Concept("luck", "luck", luck, is_move=True)
PARITY = concepts_of(GAME)[-1]


@pytest.fixture(scope="module")
def net() -> TappedNet:
    path = default_net(GAME)
    assert path is not None
    return TappedNet(path, GAME)


@pytest.fixture(scope="module")
def report(net: TappedNet) -> NetReport:
    report = examine(net, play_sample(net, 700, 2), [LINE, NOTHING, PARITY])
    assert report is not None
    return report


def test_a_reading_is_the_line_at_each_cell(net: TappedNet, report: NetReport) -> None:
    positions = report.sample.positions[:70]
    line, _, parity = report.concepts
    readings = read(net, line, BLOCK, positions)
    assert readings.shape == (70, 6, 7)
    for number in (0, 69):
        output = net.run(inputs_of(positions[number], net.encoding)).blocks[BLOCK][0]
        wanted = output[:, 4, 3] @ line.lines[BLOCK].weights[:, 0] + line.lines[BLOCK].offsets[0]
        assert readings[number, 4, 3] == pytest.approx(wanted, abs=1e-4)
    whole = read(net, parity, BLOCK, positions)
    assert np.abs(whole - labels_of(PARITY, positions)).max() < 0.5


def test_disagreements_are_the_places_furthest_apart_of_positions_not_fitted_to(
    net: TappedNet, report: NetReport
) -> None:
    places = disagreements(net, report, LINE, BLOCK, 8)
    judged = [report.sample.positions[i] for i in report.judged.tolist()]
    apart = np.nanmax(np.abs(read(net, report.concepts[0], BLOCK, judged) - labels_of(LINE, judged)), axis=(1, 2))
    assert [abs(place.label - place.reading) for place in places] == pytest.approx(sorted(apart.tolist())[:-9:-1])
    for place in places:
        assert any(place.position is position for position in judged)
        assert labels_of(LINE, [place.position]).flat[place.cell] == place.label
    (whole,) = disagreements(net, report, PARITY, BLOCK, 1)
    assert whole.cell == -1
    assert disagreements(net, report, LINE, BLOCK, 8, stop=lambda: True) == []


def test_pushing_towards_a_concept_that_the_net_uses_moves_its_policy_and_towards_nothing_does_not(
    net: TappedNet, report: NetReport
) -> None:
    used, nothing = push(net, report, LINE, 3), push(net, report, NOTHING, 3)
    assert nothing is not None
    assert used.positions > 150
    assert used.along.low > 0.7
    assert used.outdone > 0.7
    assert used.along.value > used.at_random + 0.1
    with pytest.raises(ValueError, match="names no moves"):
        push(net, report, PARITY, BLOCK)


def test_a_search_finds_a_win_after_enough_simulations(report: NetReport) -> None:
    never = Concept("never", "never", lambda position: np.zeros((6, 7), np.float32), is_move=True)
    parts: list[float] = []
    uniform = UniformEvaluator(GAME.num_actions)
    scores, none = searched(uniform, [LINE, never], report.sample, most=60, progress=parts.append)
    assert parts == sorted(parts)
    assert (len(parts), parts[-1]) == (60, 1.0)
    assert len(scores) == len(SIMULATIONS) == 3
    assert scores[2].value > 0.9
    assert scores[0].value < scores[2].value
    assert all(np.isnan(score.value) for score in none)


def test_uses_are_of_the_concepts_that_name_moves(net: TappedNet, report: NetReport) -> None:
    concepts = [LINE, NOTHING, PARITY]
    uses = uses_of(net, UniformEvaluator(GAME.num_actions), report, concepts)
    assert list(uses) == ["own line", "luck"]
    assert len(uses["own line"].pushed) == len(net.blocks)
    assert uses_of(net, UniformEvaluator(GAME.num_actions), report, concepts, stop=lambda: True) == {}
