"""Labels whose text changes often: size, painting, and when they ask for a new layout."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLabel, QWidget
from pytestqt.qtbot import QtBot

from gui.widgets.labels import FigureLabel, ShortLabel
from gui.widgets.theme import set_icon
from tests.gui.conftest import new_window


class Layouts(QObject):
    """Counts the requests for a layout that a widget gets."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.widget, self.count = widget, 0
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.LayoutRequest
        return False

    def after(self, label: QLabel, text: str) -> int:
        self.count = 0
        label.setText(text)
        QApplication.processEvents()
        return self.count


def shown_in_row(qtbot: QtBot, label: QLabel) -> Layouts:
    around = QWidget()
    qtbot.addWidget(around)
    QHBoxLayout(around).addWidget(label)
    around.show()
    QApplication.processEvents()
    return Layouts(around)


@pytest.mark.parametrize("text", ["88 888 nodes", "a", "  x ", "节点 12", "a\nb"])
def test_a_label_of_figures_is_as_large_as_qts_and_looks_like_it(qtbot: QtBot, text: str) -> None:
    pictures = []
    for label in (FigureLabel(), QLabel()):
        qtbot.addWidget(label)
        label.setText(text)
        sizes = label.sizeHint(), label.minimumSizeHint()
        label.setFixedSize(200, 40)
        pictures.append((sizes, label.text(), label.grab().toImage()))
    assert pictures[0] == pictures[1]


def test_only_a_text_of_another_size_asks_for_a_layout(qtbot: QtBot) -> None:
    label = FigureLabel()
    layouts = shown_in_row(qtbot, label)
    assert layouts.after(label, "12 345 nodes") >= 1
    assert layouts.after(label, "54 321 nodes") == 0
    assert layouts.after(label, "1 254 321 nodes") >= 1
    label.setMinimumWidth(400)
    QApplication.processEvents()
    assert layouts.after(label, "54 321 nodes") == 0
    assert label.accessibleName() == label.text()


def test_a_label_that_shortens_itself_asks_for_no_layout(qtbot: QtBot) -> None:
    label = ShortLabel()
    layouts = shown_in_row(qtbot, label)
    label.setAccessibleName("Progress")
    assert [layouts.after(label, text) for text in ("short", "much, much longer", "")] == [0, 0, 0]
    assert label.accessibleName() == "Progress"


def test_new_figures_lay_out_nothing_anew(qtbot: QtBot) -> None:
    """The numbers that change four times a second do not lay out the window."""
    window = new_window(qtbot)
    timeline = window.commands.open_dock("timeline")
    QApplication.processEvents()
    layouts = Layouts(window)
    window.views.toolbar.set_simulations(11_111)
    timeline.number.setRange(0, 11_111)
    timeline.turn.setText("Hesitation 1 of 2")
    QApplication.processEvents()
    layouts.count = 0
    window.views.toolbar.set_simulations(22_222)
    timeline.number.setRange(0, 9_222_222)
    timeline.turn.setText("Hesitation 1 of 2: the best move changed")
    set_icon(timeline.buttons["play"], "play")
    QApplication.processEvents()
    assert layouts.count == 0
