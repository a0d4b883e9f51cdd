"""On which stones the net's move depends, in the window: as hot as their figures, beside the exact answer."""

import numpy as np
import pytest

from core.games import load_game
from core.search.proofs import exact_value
from gui.model.sources import default_source
from gui.rooms.inside.stones_part import BY_VALUE
from gui.widgets.board.board_tip import content_tip
from gui.widgets.board.overlays.overlay import FINEST
from gui.widgets.board.overlays.table import BY_NAME
from gui.widgets.theme import current_theme, ramp
from models.inside.stones import answers_of, stones_of, with_truth
from models.inside.truth import PROVED, TruthFinder
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
    qtbot.waitUntil(lambda: "o stone of Othello" in part.message.text())
    assert part.found is None
    asked, ask = [], part.reader.ask
    part.reader.ask = lambda *args: (asked.append(args), ask(*args))
    for _ in range(2):  # the answer is known
        window.docks.hide_dock("inside")
        window.docks.show_dock("inside")
    assert asked == []
    assert "o stone of Othello" in part.message.text()
    window.docks.hide_dock("inside")
    window.state.open_position(GAME.position("b2 a1"))
    window.state.set_source(default_source(GAME))
    qtbot.waitUntil(lambda: part.reader.position == window.state.position)
    window.docks.show_dock("inside")
    qtbot.waitUntil(lambda: part.answered[0] == window.state.position, timeout=60_000)
    assert np.flatnonzero(part.boards.boards[0].position.cells()).size == 2


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


def test_the_rings_of_the_value_are_those_by_which_it_falls(window, part):
    part.on_board.click()
    part.by.buttons[BY_VALUE].click()
    marks = {mark.cell: mark for mark in window.room.board.marks()}
    for stone in part.found.stones:
        if stone.tests:
            assert marks[stone.cell].rings[0].share == pytest.approx(min(1.0, abs(stone.value)), abs=FINEST)
            assert part.boards.boards[0].heat.flat[stone.cell] == pytest.approx(max(0.0, -stone.value), abs=1e-6)
    assert "V" in part.boards.boards[0].title


def test_a_key_shows_the_rings_without_the_room_and_gives_the_board_back(qtbot, window):
    action, state = window.commands.context.actions["rings"], window.state
    state.set_overlay("value")
    action.trigger()
    assert (state.overlay, action.isChecked()) == ("inside", True)  # at once: the stones are tested in a thread
    qtbot.waitUntil(lambda: len(window.room.board.marks()) > 0, timeout=60_000)
    tested = {stone.cell for stone in stones_of(state.position, answers_of(TappedNet(default_net(GAME), GAME))).stones}
    assert {mark.cell for mark in window.room.board.marks()} <= tested
    assert all(mark.rings for mark in window.room.board.marks())
    state.take_back()  # they follow the position
    qtbot.waitUntil(lambda: state.cells.position == state.position and len(state.cells.cells) > 0, timeout=60_000)
    action.trigger()
    assert (state.overlay, state.cells, action.isChecked()) == ("value", None, False)
    action.trigger()
    state.set_overlay("none")
    assert (state.cells, action.isChecked()) == (None, False)


def test_the_rings_come_before_what_the_room_offers(qtbot, window, part):
    part.on_board.click()
    action = window.commands.context.actions["rings"]
    action.trigger()
    assert action.isChecked()
    action.trigger()
    qtbot.waitUntil(lambda: window.state.cells is not None and window.state.cells == part.cells())
    assert window.state.overlay == "visits"


def test_the_rings_of_a_game_without_such_stones_are_refused(qtbot, window):
    game = load_game("othello(size=6)")
    window.state.open_position(game.initial())
    window.state.set_source(default_source(game))
    action = window.commands.context.actions["rings"]
    qtbot.waitUntil(lambda: window.session.source == default_source(game))
    action.trigger()
    qtbot.waitUntil(lambda: not action.isChecked(), timeout=60_000)
    assert window.state.overlay == "visits"


def test_what_the_search_has_proved_stands_where_there_is_no_other_exact_answer(qtbot, window, open_part, monkeypatch):
    monkeypatch.setattr(TruthFinder, "kind_for", lambda self, position: "")
    window.state.open_position(GAME.position("b2 a1 c3 c1 a2"))  # O wins by b1
    part = open_part("inside_stones")
    qtbot.waitUntil(lambda: "proved" in part.sentence.text(), timeout=60_000)
    root = window.session.snapshot.root
    assert part.found.truth.kind == PROVED
    assert part.found.truth.value == exact_value(root.proof)
    assert len(part.boards.boards) == 2  # of the tests nothing is known
    window.state.take_back()  # a proof of another position is not taken
    qtbot.waitUntil(lambda: part.answered[0] == window.state.position, timeout=60_000)
    assert part.found.truth is None or part.found.position == window.session.snapshot.position
