"""On which stones the net's move depends, in the window: as hot as their figures, beside the exact answer."""

import numpy as np
import pytest

from core.games import load_game
from gui.model.sources import default_source
from gui.widgets.board.board_tip import content_tip
from gui.widgets.board.overlays.overlay import FINEST
from gui.widgets.board.overlays.table import BY_NAME
from gui.widgets.theme import current_theme, ramp
from models.inside.stones import answers_of, stones_of, with_truth
from models.inside.truth import TruthFinder
from models.netfiles.shipped import default_net
from models.netfiles.tapped import TappedNet

GAME = load_game("tictactoe")


@pytest.fixture
def moves():
    return "b2 a1 c3 c1"


@pytest.fixture
def part(open_part):
    return open_part("inside_stones")


def test_stones_are_as_hot_as_their_figures(window, part):
    net, position = TappedNet(default_net(GAME), GAME), window.state.position
    wanted = with_truth(stones_of(position, answers_of(net)), TruthFinder(GAME), 60.0)
    needs, gains, exact = part.boards.boards
    for stone in wanted.stones:
        heat = needs.heat.flat[stone.cell] - gains.heat.flat[stone.cell]
        assert heat == pytest.approx(stone.sarfa, abs=1e-4)
        assert exact.heat.flat[stone.cell] == pytest.approx(stone.truth)
    assert {board.ringed for board in part.boards.boards} == {wanted.move}
    empty = position.cells() == 0
    assert not np.any([board.heat[empty] for board in part.boards.boards])
    assert needs.tips[GAME.parse_action("b2")].startswith("b2: SARFA ")
    assert GAME.action_name(wanted.move) in part.sentence.text()


def test_a_game_without_such_stones_is_refused_in_a_sentence(qtbot, window, part):
    game = load_game("othello(size=6)")
    window.state.open_position(game.initial())
    window.state.set_source(default_source(game))
    qtbot.waitUntil(lambda: "o stone of othello" in part.message.text())
    assert part.found is None


def test_the_board_has_the_stones_in_rings(window, part):
    part.on_board.click()
    marks = {mark.cell: mark for mark in window.room.board.marks()}
    tested = [stone for stone in part.found.stones if stone.tests]
    assert marks.keys() == {stone.cell for stone in tested}
    for stone in tested:
        outer, inner = marks[stone.cell].rings
        assert outer.share == pytest.approx(min(1.0, abs(stone.sarfa)), abs=FINEST)
        assert (outer.colour == ramp(current_theme().value_ramp, 0.0)) == (stone.sarfa > 0)
        assert inner.share == pytest.approx(stone.truth, abs=FINEST)
        tip = content_tip(window.room.board._content, BY_NAME["inside"], stone.cell, -1)
        assert tip.startswith(f"{GAME.cell_names[stone.cell]}: SARFA ")
    window.room.board.grab()  # is painted without a warning, which would fail the test
