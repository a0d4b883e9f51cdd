"""How far the net reads, in the window: the plies of a line in the colours of blocks, the effects of one of them."""

import numpy as np
import pytest

from core.games import load_game
from gui.model.sources import default_source
from gui.rooms.inside.reply_part import NET, SEARCH
from gui.widgets.board.overlays.overlay import FIRST
from gui.widgets.theme import current_theme
from models.inside.reply import policy_line, read_line
from models.netfiles.shipped import default_net
from models.netfiles.tapped import TappedNet

GAME = load_game("tictactoe")


@pytest.fixture
def moves():
    return "b2 a1 c3"


@pytest.fixture
def part(open_part):
    return open_part("inside_reply")


def test_the_plies_stand_on_the_board_and_show_their_effects(window, part):
    net, position = TappedNet(default_net(GAME), GAME), window.state.position
    wanted = read_line(net, position, policy_line(net, position))
    assert part.lines.choice == NET
    assert part.seen.line == wanted.line
    assert part.seen.thresholds == pytest.approx(wanted.thresholds, rel=1e-4)
    (board,) = part.board.boards
    assert [(sign.cell, sign.text) for sign in board.signs] == [(c, str(i)) for i, c in enumerate(wanted.cells, 1)]
    for sign, ply in zip(board.signs[1:], wanted.plies, strict=True):
        assert (sign.colour == "") == (ply.block < 0)
        assert sign.dashed == (not ply.changes)
    for place, ply in enumerate(wanted.plies, 1):
        part.board.chosen.emit(0, ply.cell)
        assert part.ply == place
        assert part.board.boards[0].ringed == ply.cell
        assert len(part.blocks.boards) == (3 if ply.changes else 0)
        for board, sizes in zip(part.blocks.boards, ply.choice, strict=False):
            np.testing.assert_allclose(board.heat, sizes, rtol=1e-4, atol=1e-6)
        assert f"Ply {place + 1}, " in part.words.text()
    part.board.chosen.emit(0, wanted.cells[0])  # the first move has no effects of its own
    assert part.ply == len(wanted.plies)


def test_the_line_of_the_search_is_read_where_there_is_one(qtbot, window, part):
    qtbot.waitUntil(lambda: window.session.snapshot is not None and window.session.snapshot.simulations >= 8)
    root = window.session.snapshot.root
    best = int(root.actions[root.visits_of.argmax()])
    part.lines.buttons[SEARCH].click()
    assert part.sentence.text() == "Following the line…"
    assert not part.board.boards
    qtbot.waitUntil(lambda: part.seen is not None and part._searched == part.seen.line)
    assert part.seen.line[0] == best


def test_a_game_without_changed_positions_is_refused_in_a_sentence(qtbot, window, part):
    game = load_game("othello(size=6)")
    window.state.open_position(game.initial())
    window.state.set_source(default_source(game))
    qtbot.waitUntil(lambda: part.message.text().startswith("No stone of Othello"))
    assert part.seen is None


def test_the_board_has_the_plies_with_their_numbers(window, part):
    part.on_board.click()
    marks = {mark.cell: mark for mark in window.room.board.marks()}
    assert {cell: mark.text for cell, mark in marks.items()} == {c: str(i) for i, c in enumerate(part.seen.cells, 1)}
    assert {cell: mark.ring for cell, mark in marks.items() if mark.ring} == {part.seen.cells[0]: FIRST}
    hollow = current_theme().color("panel")
    for ply in part.seen.plies:
        assert (marks[ply.cell].fill == hollow) == (ply.block < 0)
    window.docks.hide_dock("inside")
    assert window.state.overlay == "visits"


def test_what_is_known_before_the_maps_are_whole_is_shown_with_what_was_drawn_by_lot(part):
    seen = part.seen
    part.show_report("Examining ply 2 of 3…")
    assert (part.sentence.text(), part.board.boards) == ("Examining ply 2 of 3…", ())
    place = next(number for number, ply in enumerate(seen.plies, 1) if ply.changes)
    ply = seen.plies[place - 1]
    choice = np.full_like(ply.choice, np.nan)
    choice.reshape(len(choice), -1)[:, ply.cell] = 1.5
    plies = tuple(one._replace(choice=choice, rivals=0) if one is ply else one for one in seen.plies)
    part.show_report(seen._replace(plies=plies, sampled=32))
    part.board.chosen.emit(0, ply.cell)
    assert "32, drawn by lot" in part.words.text()
    assert "not compared with weights in random order" in part.words.text()
    assert part.words.text().endswith("The other squares are being measured…")
    for board in part.blocks.boards:
        assert (board.most, board.heat.sum()) == (1.5, 1.5)
        assert [tip for tip in board.tips if tip] == ["1.5"] or board.tips[ply.cell].startswith("1.5")
    part.show_report(seen._replace(sampled=32))
    assert part.ply == place  # the ply that was chosen stays
    assert not part.words.text().endswith("measured…")
    part.blocks.grab()
