"""Exact results of Othello are shown in discs, and what is known of them while they are found."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from core.games import load_game
from core.solve import solve
from gui.jobs import truth
from gui.widgets.board.board_tip import board_tip
from gui.widgets.board.overlays.overlay import BEST, BoardContent
from gui.widgets.board.overlays.table import BY_NAME
from gui.widgets.figures import signed
from gui.widgets.theme import DARK
from tests.gui.fakes import legend_of

FFO_40 = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X--------"


def test_marks_tip_and_legend_give_discs() -> None:
    position = load_game("othello(size=4)").position("c4 b4 a1 d2")
    solution = solve(position)
    marks = {mark.action: mark for mark in BY_NAME["exact"].marks(BoardContent(position, solution=solution), DARK)}
    assert marks.keys() == {move.action for move in solution.moves}
    assert len({move.score for move in solution.moves}) > 1
    for move in solution.moves:
        assert move.score is not None
        assert marks[move.action].text == signed(move.score, 0)
        assert (marks[move.action].ring == BEST) == (move.score == solution.score)
        tip = board_tip(position, None, solution, {}, move.action)
        assert f"{signed(move.score, 0)} discs, {solution.score - move.score} lost" in tip
    assert "discs, for" in legend_of("exact", position, solution=solution).text


def test_bounds_and_the_best_move_so_far_are_told(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(truth, "REPORT_MS", 0)
    rows = [" ".join(FFO_40[at : at + 8]).replace("-", ".") for at in range(0, 64, 8)]
    position = load_game("othello").parse_diagram("\n".join([*rows, "X to move"]))
    for name in ("a2", "b1", "c1", "pass"):
        position = position.play(position.game.parse_action(name))
    reader = truth.TruthReader()
    notes: list[str] = []
    reader.changed.connect(lambda: notes.append(str(reader.note)))
    reader.ask(position)
    qtbot.waitUntil(lambda: not reader.note)
    assert any("· +38 discs, 1 of " in note for note in notes)
    assert any(" discs, best so far b6 · " in note for note in notes)
    assert any(note.startswith("solving for 0:0") and note.endswith(" a second") for note in notes)
    solution = reader.solution
    assert solution.score == 38
