"""One setting says whose values tables and pictures show; rows name their player by a disc."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QSettings
from pytestqt.qtbot import QtBot

from core.games import load_game
from gui.widgets.figures import COLUMN_INDEX, player_of, rows_for
from gui.widgets.preferences import Preferences
from gui.window import MainWindow
from tests.gui.fakes import FakeAnalysis, node_view

Q, PROOF = COLUMN_INDEX["q"], COLUMN_INDEX["proof"]


def test_rows_for_the_other_player_have_opposite_values() -> None:
    start = load_game("connect4").initial()
    node = node_view(start, proofs=np.array([1, 2, 3, 0, 0, 0, 0], np.int8))
    own, other = rows_for(node.rows, node, -1), rows_for(node.rows, node, 1)
    assert own == rows_for(node.rows, node, 0) == list(node.rows)
    for mine, theirs in zip(own, other, strict=True):
        assert (theirs.q, theirs.value) == (-mine.q, -mine.value)
        assert math.isnan(theirs.lead) or theirs.lead == -mine.lead
        assert (theirs.u, theirs.score, theirs.visits, theirs.prior) == (mine.u, mine.score, mine.visits, mine.prior)
        assert {mine.proof, theirs.proof} in ({"win", "loss"}, {"draw"}, {""})
    assert [player_of(node, player) for player in (-1, 0, 1)] == [0, 0, 1]
    assert player_of(node_view(start.play(3)), -1) == 1


def test_tables_show_the_chosen_players_values(qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis) -> None:
    analysis.publish(700)
    tree = window.views.tree.nodes
    qtbot.waitUntil(lambda: bool(tree.rows))
    window.views.tree.open_path((3,))
    analysis.publish(800)
    qtbot.waitUntil(lambda: tree.rowCount(tree.index_of((3,))) > 0)
    row, below, top = tree.rows[0], tree.index_of((3, 0), Q), tree.index(0, Q)
    first = tree.look_at(top)
    assert first.disc == ("connect4", 0)
    assert tree.look_at(below).disc == ("connect4", 1)
    text = tree.look_at(below).text
    assert window.docks["tree"].heading.text().startswith("values for Red")
    window.context.actions["values_second"].trigger()
    assert tree.look_at(top).disc == tree.look_at(below).disc == ("connect4", 1)
    assert {look.q for look in tree.rows if look.action == row.action} == {-row.q}
    assert tree.look_at(below).text == text, "they were the second player's before"
    assert window.docks["tree"].heading.text().startswith("values for Yellow")
    window.context.actions["values_first"].trigger()
    assert tree.look_at(top).disc == ("connect4", 0)
    assert tree.look_at(below).text != text
    window.grab()


def test_the_choice_is_remembered(tmp_path: object, qapp: object) -> None:
    kept = QSettings(f"{tmp_path}/kept.ini", QSettings.Format.IniFormat)
    Preferences(kept).values_for = "second"
    assert Preferences(kept).values_for == "second"
    kept.setValue("values_for", "nobody")
    assert Preferences(kept).values_for == "mover"
