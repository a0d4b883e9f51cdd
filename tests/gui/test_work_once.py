"""That the window does nothing twice: what each new snapshot and each selection makes and paints, counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QColor, QPaintEvent, QRegion
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from gui.widgets.board.heatmap import Heatmap
from gui.widgets.icicle.icicle_paint import Texts
from gui.widgets.tables.tree_view import TreeView
from gui.window import MainWindow
from tests.gui.fakes import FakeAnalysis


@contextmanager
def counted(monkeypatch: pytest.MonkeyPatch, owner: type, name: str) -> Iterator[list[object]]:
    """Record the receiver of each call of a method."""
    calls: list[object] = []
    method: Callable[..., object] = getattr(owner, name)

    def call(self: object, *args: object, **named: object) -> object:
        calls.append(self)
        return method(self, *args, **named)

    with monkeypatch.context() as patch:
        patch.setattr(owner, name, call)
        yield calls


class Painted(QObject):
    """What of a widget was painted."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.regions: list[QRegion] = []
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QPaintEvent):
            self.regions.append(event.region())
        return False


def test_a_snapshot_with_new_texts_renews_the_board_once(
    monkeypatch: pytest.MonkeyPatch, window: MainWindow, analysis: FakeAnalysis
) -> None:
    heat = window.room.board._heat
    analysis.publish(400, "limit reached")
    with counted(monkeypatch, Heatmap, "show") as shown:
        window.session._poll()
    assert shown.count(heat) == 1
    assert not window.session.texts_follow
    node = window.room.board.node
    assert node.visits == 400


def test_a_snapshot_without_new_texts_renews_the_boards_colours(
    monkeypatch: pytest.MonkeyPatch, window: MainWindow, analysis: FakeAnalysis
) -> None:
    heat = window.room.board._heat
    analysis.publish(400)
    window.session._poll()
    window.session._poll_text()
    analysis.publish(800)
    with counted(monkeypatch, Heatmap, "show") as shown:
        window.session._poll()
    assert shown.count(heat) == 1


def test_the_table_shows_each_moment_once_and_with_the_board(
    monkeypatch: pytest.MonkeyPatch, window: MainWindow, analysis: FakeAnalysis
) -> None:
    analysis.publish(100)
    window.session._poll()
    window.session._poll_text()
    with counted(monkeypatch, TreeView, "show_snapshot") as shown:
        for number, simulations in enumerate((200, 300), 1):
            snapshot = analysis.publish(simulations)
            window.session._poll()
            window.session._poll_text()
            assert window.views.tree.nodes._snapshot is snapshot
            assert len(shown) == number


def test_a_selection_paints_no_row_but_its_own(window: MainWindow, analysis: FakeAnalysis) -> None:
    analysis.publish(400, "limit reached")
    window.session._poll()
    table, first = window.views.tree, window.session.snapshot.moves[0].action if window.session.snapshot else -1
    for path in ((first,), (), (first,), ()):
        window.session._poll()
        window.session._poll_text()  # of the moves asked for by the selection before
        QApplication.processEvents()
        painted = Painted(table.viewport())
        window.state.select(path)
        QApplication.processEvents()
    row = table.visualRect(table.nodes.index_of((first,)))
    assert [region.boundingRect().height() for region in painted.regions] == [row.height()]
    painted.regions.clear()
    table.set_highlight(frozenset({(first,)}), QColor("red"))
    QApplication.processEvents()
    assert [region.boundingRect().height() for region in painted.regions] == [table.viewport().height()]


def test_a_text_of_the_icicle_without_room_is_not_laid_out(qtbot: QtBot) -> None:
    texts = Texts(QApplication.font())
    assert texts.width("d4  1 234  +0.12") > texts.width("d4") > 0
    assert not texts._drawn
    assert texts["d4"] is texts["d4"]
    assert list(texts._drawn) == ["d4"]


def test_another_theme_paints_the_window_once(window: MainWindow, analysis: FakeAnalysis) -> None:
    analysis.publish(400, "limit reached")
    window.session._poll()
    for name in ("settings", "blind_spots"):
        window.commands.open_dock(name)
    for _ in range(5):
        QApplication.processEvents()
    window_painted, board_painted = Painted(window), Painted(window.room.board)
    window.commands.appearance.toggle_theme()
    assert window.updatesEnabled()
    QApplication.processEvents()
    whole = [region for region in window_painted.regions if region.contains(window.rect())]
    assert len(whole) == 1
    assert [region.contains(window.room.board.rect()) for region in board_painted.regions] == [True]
