"""Tests of the style sheet per part: applied at once to parts that are shown, to others when they are."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QLabel,
    QSplitterHandle,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from gui.language.language import CHINESE
from gui.shell.desk import Gap
from gui.shell.docks import VIEWS
from gui.widgets import text_size
from gui.widgets.text_size import may_wait
from gui.widgets.texts import switch_language
from gui.widgets.theme import current_theme, on_theme, style_sheet
from gui.window import MainWindow


@pytest.fixture(autouse=True)
def usual_size_after(qapp: QApplication) -> Iterator[None]:
    yield
    text_size.resize_text(qapp, text_size.USUAL, lambda: None)


def room(window: MainWindow, name: str) -> QWidget:
    """The contents of a dock."""
    made = window.docks[name].widget_made
    assert made is not None
    return made


def test_visible_parts_are_styled_at_once(window: MainWindow) -> None:
    window.commands.appearance.toggle_theme()
    sheet = style_sheet(current_theme())
    for part in (window.menuBar(), window.views.toolbar, window.views.status, room(window, "tree")):
        assert part.styleSheet() == sheet
    assert [frame.styleSheet() for frame in (window, window.views, window.docks["tree"])] == ["", "", ""]


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
    behind = room(window, "tree")
    assert may_wait(window.docks["tree"])
    window.commands.appearance.toggle_theme()
    sheet = style_sheet(current_theme())
    assert room(window, "why").styleSheet() == sheet
    assert behind.styleSheet() != sheet
    window.docks.show_dock("tree")
    assert behind.styleSheet() == sheet


def test_a_part_of_a_room_behind_another_is_dressed_when_shown(window: MainWindow) -> None:
    first = window.commands.open_dock("open_games")
    window.commands.open_dock("folder_games")
    runs: list[str] = []
    on_theme(first, lambda: runs.append(current_theme().name))
    before, usual = current_theme().name, first.layout().contentsMargins()
    first.layout().setContentsMargins(20, 0, 20, 0)
    window.commands.appearance.toggle_theme()
    window.commands.appearance.set_text_size(150)
    assert (first.styleSheet() == style_sheet(current_theme()), runs) == (False, [before])
    assert first.layout().contentsMargins().left() == 20
    window.commands.open_dock("open_games")
    assert first.styleSheet() == style_sheet(current_theme())
    assert runs == [before, current_theme().name]
    assert first.layout().contentsMargins().left() == 30
    first.layout().setContentsMargins(usual)


def dressed(widget: QWidget, sheet: str) -> bool:
    """Whether a style sheet reaches a widget."""
    above: QWidget | None = widget
    while above is not None and above.styleSheet() != sheet:
        above = above.parentWidget()
    return above is not None


def undressed(part: QWidget, sheet: str) -> list[str]:
    """The widgets in sight that have another style sheet or text size than the one in force."""
    shown = [widget for widget in (part, *part.findChildren(QWidget)) if widget.isVisible()]
    bare = [widget for widget in shown if not widget.property("frame") and not dressed(widget, sheet)]
    late = [w for w in shown if w.property("left_at") is not None]
    return [f"{type(widget).__name__} {widget.objectName()}" for widget in (*bare, *late)]


def test_every_room_that_comes_in_sight_later_has_theme_size_and_language(window: MainWindow) -> None:
    assert not undressed(window.docks["tree"], style_sheet(current_theme()))
    for name in VIEWS:
        window.commands.open_dock(name)
    window.docks.float_dock("why")
    window.docks.hide_dock("game")
    for change in (
        window.commands.appearance.toggle_theme,
        lambda: window.commands.appearance.set_text_size(130),
        lambda: switch_language(CHINESE),
    ):
        change()
    sheet = style_sheet(current_theme())
    for name in VIEWS:
        window.commands.open_dock(name)
        dock = window.docks[window.docks.room_of(name)]
        titles = {button.text() for button in dock.findChildren(QToolButton, "segment") if button.isVisible()}
        assert not titles & {"Moves", "Icicle", "Open games", "Second opinion", "Block by block"}
        assert (name, undressed(dock, sheet)) == (name, [])
    assert not undressed(window.docks.windows["why"], sheet)


def test_a_closed_dock_is_styled_when_opened(qtbot: QtBot, window: MainWindow) -> None:
    window.docks.show_dock("game")
    log = window.docks["game"]
    heading = log.heading.font().pointSizeF()
    column = log.widget_made.layout()
    usual = column.itemAt(0).layout().contentsMargins().left()
    window.docks.hide_dock("game")
    window.commands.appearance.set_text_size(130)
    window.commands.appearance.toggle_theme()
    window.commands.appearance.set_text_size(150)
    window.docks.show_dock("game")
    assert room(window, "game").styleSheet() == style_sheet(current_theme())
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
def test_the_gap_between_rooms_scales_with_the_text(qtbot: QtBot, window: MainWindow) -> None:
    def widths() -> set[int]:
        handles = window.docks.findChildren(QSplitterHandle)
        upright = [one for one in handles if one.isVisible() and one.orientation() == Qt.Orientation.Horizontal]
        return {one.width() for one in upright if isinstance(one, Gap)}

    qtbot.waitUntil(lambda: widths() == {8})
    window.commands.appearance.set_text_size(150)
    qtbot.waitUntil(lambda: widths() == {12})
