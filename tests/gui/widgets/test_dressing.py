"""Tests of the style sheet per part: applied at once to visible parts, to others when they are shown."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QSplitter, QSplitterHandle
from pytestqt.qtbot import QtBot

from gui.widgets import text_size
from gui.widgets.text_size import may_wait
from gui.widgets.theme import current_theme, style_sheet
from gui.window import MainWindow


@pytest.fixture(autouse=True)
def usual_size_after(qapp: QApplication) -> Iterator[None]:
    yield
    text_size.resize_text(qapp, text_size.USUAL, lambda: None)


def test_visible_parts_are_styled_at_once(window: MainWindow) -> None:
    window.commands.appearance.toggle_theme()
    sheet = style_sheet(current_theme())
    for part in (window.menuBar(), window.views.toolbar, window.views.status, window.docks["tree"]):
        assert part.styleSheet() == sheet
    assert [frame.styleSheet() for frame in (window, window.views)] == ["", ""]


def test_hidden_parts_are_styled_when_shown_and_gaps_never(window: MainWindow) -> None:
    window.commands.appearance.toggle_theme()
    sheet = style_sheet(current_theme())
    assert window.banner.isHidden()
    assert window.banner.styleSheet() != sheet
    window.banner.show_error("A sentence.")
    assert window.banner.styleSheet() == sheet
    gaps = window.findChildren(QSplitterHandle)
    assert gaps
    assert {gap.styleSheet() for gap in gaps} == {""}


def test_a_tabbed_dock_is_styled_when_raised(qtbot: QtBot, window: MainWindow) -> None:
    window.docks.show_dock("why")
    behind = window.docks["tree"]
    qtbot.waitUntil(lambda: may_wait(behind))
    window.commands.appearance.toggle_theme()
    sheet = style_sheet(current_theme())
    assert window.docks["why"].styleSheet() == sheet
    assert behind.styleSheet() != sheet
    window.docks.show_dock("tree")
    qtbot.waitUntil(lambda: behind.styleSheet() == sheet)


def test_a_closed_dock_is_styled_when_opened(qtbot: QtBot, window: MainWindow) -> None:
    window.docks.show_dock("game")
    log = window.docks["game"]
    heading = log.heading.font().pointSizeF()
    column = log.widget_made.layout()
    assert column is not None
    usual = column.itemAt(0).layout().contentsMargins().left()
    window.docks.hide_dock("game")
    window.commands.appearance.set_text_size(130)
    window.commands.appearance.toggle_theme()
    window.commands.appearance.set_text_size(150)
    window.docks.show_dock("game")
    assert log.styleSheet() == style_sheet(current_theme())
    assert column.itemAt(0).layout().contentsMargins().left() == round(1.5 * usual)
    assert log.heading.font().pointSizeF() == pytest.approx(1.5 * heading)
    window.docks.hide_dock("game")
    window.commands.appearance.set_text_size(100)
    window.docks.show_dock("game")
    assert column.itemAt(0).layout().contentsMargins().left() == usual
    assert log.heading.font().pointSizeF() == pytest.approx(heading)


def test_a_dialog_is_styled_before_it_is_shown_and_follows_the_theme(qtbot: QtBot, window: MainWindow) -> None:
    dialog = QDialog(window)
    QLabel("one", dialog)
    dialog.show()
    assert dialog.styleSheet() == style_sheet(current_theme())
    window.commands.appearance.toggle_theme()
    assert dialog.styleSheet() == style_sheet(current_theme())
    dialog.close()


@pytest.mark.slow
def test_the_gap_between_rooms_scales_with_the_text(window: MainWindow) -> None:
    splitter = window.docks.findChild(QSplitter)
    assert splitter is not None
    assert splitter.handleWidth() == 8
    window.commands.appearance.set_text_size(150)
    assert splitter.handleWidth() == 12
