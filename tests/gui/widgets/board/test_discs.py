"""Exact results of Othello are shown in discs, and what is known of them while they are found."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from core.games import load_game
from core.solve import solve
from gui.jobs.truth import STOPPED, TruthReader
from gui.rooms.board.legend import legend_of
from gui.widgets.board.board_tip import board_tip
from gui.widgets.board.overlays import BEST, truth_marks
from gui.widgets.figures import signed
from gui.widgets.theme import DARK

LONG = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X--------"  # FFO #40, whose other moves take seconds


def test_marks_tip_and_legend_give_discs() -> None:
    position = load_game("othello(size=4)").position("c4 b4 a1 d2")
    solution = solve(position)
    assert solution is not None
    marks = {mark.action: mark for mark in truth_marks(position, solution, DARK)}
    assert marks.keys() == {move.action for move in solution.moves}
    assert len({move.score for move in solution.moves}) > 1
    for move in solution.moves:
        assert move.score is not None
        assert marks[move.action].text == signed(move.score, 0)
        assert (marks[move.action].ring == BEST) == (move.score == solution.score)
        tip = board_tip(position, None, solution, {}, move.action)
        assert f"{signed(move.score, 0)} discs, {solution.score - move.score} lost" in tip
    assert "in discs" in legend_of("truth", position, None, solution).text


def test_bounds_and_the_best_move_so_far_are_told(qtbot: QtBot) -> None:
    rows = [" ".join(LONG[at : at + 8]).replace("-", ".") for at in range(0, 64, 8)]
    position = load_game("othello").parse_diagram("\n".join([*rows, "X to move"]))
    reader = TruthReader()
    notes: list[str] = []
    reader.changed.connect(lambda: notes.append(str(reader.note)))
    reader.ask(position)
    qtbot.waitUntil(lambda: any("+38 discs; solving the other moves" in note for note in notes), timeout=120_000)
    assert any(" discs, best so far a2; solving…" in note for note in notes)
    solution = reader.solution
    assert solution is not None
    assert solution.score == 38
    reader.stop()
    assert reader.note == STOPPED
    qtbot.waitUntil(lambda: not reader.working, timeout=60_000)
