"""Tests of text sizes and colours: keys and menus, what they change, what is saved."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication, QDialog, QHBoxLayout, QLabel, QPushButton, QSlider, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import delete, isValid

from core.games import load_game
from gui.widgets import text_size
from gui.widgets.board.geometry import Geometry
from gui.widgets.board.small_board import SmallBoard
from gui.widgets.labels import ShortButton
from gui.widgets.preferences import Preferences
from gui.widgets.theme import COLOURS, current_theme, figure_font
from gui.window import MainWindow

ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def usual_size_after(qapp: QApplication) -> Iterator[None]:
    yield
    text_size.resize_text(qapp, text_size.USUAL, lambda: None)


def kept_in(folder: Path) -> QSettings:
    return QSettings(str(folder / "kept.ini"), QSettings.Format.IniFormat)


def press(qtbot: QtBot, window: MainWindow, key: Qt.Key) -> None:
    qtbot.keyClick(window.room.board, key, Qt.KeyboardModifier.ControlModifier)


def checked(window: MainWindow, beginning: str) -> list[str]:
    return [n for n, a in window.context.actions.items() if n.startswith(beginning) and a.isChecked()]


def test_keys_make_the_text_larger_smaller_and_usual(qtbot: QtBot, window: MainWindow) -> None:
    points = window.font().pointSizeF()
    press(qtbot, window, Qt.Key.Key_Plus)
    assert window.context.preferences.text_size == 115
    assert window.font().pointSizeF() == pytest.approx(1.15 * points)
    press(qtbot, window, Qt.Key.Key_Equal)
    press(qtbot, window, Qt.Key.Key_Plus)
    press(qtbot, window, Qt.Key.Key_Plus)
    assert window.context.preferences.text_size == 150
    assert checked(window, "text_") == ["text_150"]
    press(qtbot, window, Qt.Key.Key_Minus)
    assert window.context.preferences.text_size == 130
    press(qtbot, window, Qt.Key.Key_0)
    assert window.font().pointSizeF() == pytest.approx(points)
    press(qtbot, window, Qt.Key.Key_Minus)
    press(qtbot, window, Qt.Key.Key_Minus)
    assert checked(window, "text_") == ["text_85"]


@pytest.mark.slow
def test_every_text_size_is_in_the_menu(window: MainWindow) -> None:
    for size in text_size.SIZES:
        window.context.actions[f"text_{size}"].trigger()
        assert window.context.preferences.text_size == size
        assert text_size.scale() == size / 100


def test_columns_keep_their_widths_through_other_text_sizes(window: MainWindow) -> None:
    header = window.views.tree.header()

    def widths() -> list[int]:
        """Return the widths of all columns but the last, those that are hidden for want of room, too."""
        hidden = [i for i in range(header.count()) if header.isSectionHidden(i)]
        blocked = header.blockSignals(True)
        for i in hidden:
            header.setSectionHidden(i, False)
        found = [header.sectionSize(i) for i in range(header.count() - 1)]
        for i in hidden:
            header.setSectionHidden(i, True)
        header.blockSignals(blocked)
        return found

    window.resize(1024, 700)
    before = widths()
    for size in (150, 100, 130, 85, 100):
        window.commands.appearance.set_text_size(size)
        usual = [width * size / 100 for width in before]
        assert widths() == pytest.approx(usual, abs=4), size


def test_sizes_follow_the_text_size_and_back(qtbot: QtBot, window: MainWindow) -> None:
    def figures() -> dict[str, float]:
        heading, moves = window.docks["tree"].heading, window.views.tree
        bar = window.views.toolbar.layout()
        return {
            "heading": heading.font().pointSizeF(),
            "moves": moves.font().pointSizeF(),
            "status": window.views.status.state.font().pointSizeF(),
            "row": moves.rowHeight(moves.model().index(0, 0)),
            "column": moves.header().sectionSize(1),
            "icon": window.views.toolbar.settings.iconSize().width(),
            "padding": bar.contentsMargins().left(),
            "label": window.room.player.height(),
            "indentation": window.views.tree.indentation(),
            "part": window.views.status._parts["nodes"].minimumWidth(),
        }

    before = figures()
    window.commands.appearance.set_text_size(150)
    large = figures()
    ratios = {name: large[name] / before[name] for name in before}
    assert {name: r for name, r in ratios.items() if not 1.35 < r < 1.65} == {}
    for size in (85, 100):
        window.commands.appearance.set_text_size(size)
    back = figures()
    assert {n: (back[n], before[n]) for n in before if abs(back[n] - before[n]) > max(2, 0.03 * before[n])} == {}


@pytest.mark.slow
def test_the_window_fits_1480_by_860_at_the_largest_text(qtbot: QtBot, window: MainWindow) -> None:
    window.resize(1480, 860)
    window.commands.appearance.set_text_size(150)
    window.commands.toggle_dock("why")
    window.commands.toggle_dock("picture")
    qtbot.waitUntil(lambda: window.minimumSizeHint().width() <= 1480)
    assert window.minimumSizeHint().height() <= 860


@pytest.mark.slow
def test_a_view_or_dialog_made_later_has_the_size_too(qtbot: QtBot, window: MainWindow) -> None:
    window.commands.appearance.set_text_size(130)
    window.commands.open_dock("game")
    column = window.docks["game"].widget_made.layout()
    top = column.itemAt(0).layout()
    assert top.contentsMargins().left() == 8
    dialog = QDialog(window)
    row = QHBoxLayout(dialog)
    row.setContentsMargins(20, 10, 20, 10)
    row.addWidget(QPushButton("one", dialog))
    dialog.show()
    assert row.contentsMargins().left() == 26


def test_all_is_in_its_place_before_another_size_is_painted(qtbot: QtBot, window: MainWindow) -> None:
    for name in ("settings", "tree", "why"):
        window.commands.open_dock(name)
    qtbot.waitUntil(lambda: not window.docks["why"].visibleRegion().isEmpty())
    parts = [*window.docks.areas.values(), window.room.board, window.views.toolbar.net]
    window.commands.appearance.set_text_size(130)
    places = [part.geometry() for part in parts]
    for _ in range(5):
        QApplication.processEvents()
    assert [part.geometry() for part in parts] == places


def test_sizes_set_by_code_are_scaled_too(qtbot: QtBot) -> None:
    label = QLabel("one")
    qtbot.addWidget(label)
    column = QVBoxLayout(label)
    column.setContentsMargins(10, 10, 10, 10)
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    text_size.resize_text(app, 150, lambda: None)
    assert column.contentsMargins().left() == 15
    column.setContentsMargins(20, 20, 20, 20)
    text_size.resize_text(app, 130, lambda: None)
    assert column.contentsMargins().left() == 26


@pytest.mark.slow
def test_repeated_text_size_changes_restore_widget_sizes(qapp: QApplication, window: MainWindow) -> None:
    """Regression: a slider grew by 1.5 times with each change, to millions of pixels.

    The style sheet sets a slider's height again each time, and its width then counted as a new size, too.
    """
    for name in ("picture", "timeline"):
        window.commands.open_dock(name)

    def sizes() -> dict[QWidget, tuple[int, int]]:
        return {one: (one.minimumWidth(), one.maximumWidth()) for one in window.findChildren(QSlider)}

    before = sizes()
    assert before
    for size in (150, 100, 85, 130, 100):
        window.commands.appearance.set_text_size(size)
    assert sizes() == before


@pytest.mark.parametrize("step", [24.0, 30.0, 60.0, 120.0])
def test_figures_on_boards_grow_with_the_text_and_two_digits_fit_a_cell(qapp: QApplication, step: float) -> None:
    cells, heights = Geometry(6, 7, 0.0, 0.0, step), []
    for size in (100, 130, 150):
        text_size.resize_text(qapp, size, lambda: None)
        font = figure_font(qapp.font())
        font.setPixelSize(cells.figure_px(0.215, 9, 22))
        heights.append(font.pixelSize())
        assert QFontMetrics(font).horizontalAdvance("63") <= step
    assert heights[0] == max(9, min(22, round(0.215 * step)))
    assert heights == sorted(heights)
    assert heights[-1] >= 1.5 * heights[0] - 0.5


def test_a_small_board_is_painted_anew_with_larger_figures(qtbot: QtBot, qapp: QApplication) -> None:
    board, position = SmallBoard(), load_game("connect4").initial()
    qtbot.addWidget(board)
    board.setFixedSize(260, 230)
    board.show_position(position, {3: 0.63}, "prior_ramp")
    board.show()
    plain = board.grab().toImage()
    text_size.resize_text(qapp, 150, lambda: None)
    assert board.grab().toImage() != plain
    text_size.resize_text(qapp, 100, lambda: None)
    assert board.grab().toImage() == plain


def test_an_unknown_text_size_is_refused(qapp: QApplication) -> None:
    with pytest.raises(ValueError, match="120"):
        text_size.resize_text(qapp, 120, lambda: None)


def test_size_and_colours_are_remembered(qtbot: QtBot, tmp_path: Path) -> None:
    window = MainWindow(theme="dark", preferences=Preferences(kept_in(tmp_path)))
    qtbot.addWidget(window)
    window.context.actions["text_130"].trigger()
    window.context.actions["colours_colour-blind"].trigger()
    window.close()
    again = Preferences(kept_in(tmp_path))
    assert (again.text_size, again.colours) == (130, "colour-blind")


@pytest.mark.parametrize("spoilt", ["", "12", "large", "[]"])
def test_invalid_preferences_are_the_defaults(tmp_path: Path, spoilt: str) -> None:
    kept = kept_in(tmp_path)
    for key in ("text_size", "colours", "recent_files", "tour_seen"):
        kept.setValue(key, spoilt)
    found = Preferences(kept)
    assert (found.text_size, found.colours, found.recent, found.tour_seen) == (100, "standard", (), False)


@pytest.mark.slow
def test_colours_for_the_colour_blind_in_both_themes(window: MainWindow) -> None:
    actions = window.context.actions
    actions["colours_colour-blind"].trigger()
    for name in ("dark", "light"):
        actions[f"theme_{name}"].trigger()
        assert current_theme() == COLOURS["colour-blind"][name]
    assert checked(window, "colours_") == ["colours_colour-blind"]
    actions["colours_standard"].trigger()
    assert current_theme() == COLOURS["standard"]["light"]


def test_a_shortened_button_keeps_its_full_text(qtbot: QtBot) -> None:
    button = ShortButton()
    qtbot.addWidget(button)
    button.setText("a-long-name-of-a-net.onnx")
    button.show()
    button.resize(button.minimumSizeHint())
    assert button.text() == "a-long-name-of-a-net.onnx"
    assert super(ShortButton, button).text().endswith("…")
    button.resize(button.sizeHint())
    assert super(ShortButton, button).text() == button.text()


LABELS_COME_AND_GO = """
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLabel, QVBoxLayout, QWidget
from gui.widgets.text_size import fit
app = QApplication([])
box = QWidget()
column = QVBoxLayout(box)
row = QHBoxLayout()
column.addLayout(row)
for turn in range(400):
    labels = [QLabel(str(i), box) for i in range(turn % 29 + 1)]
    for i, label in enumerate(labels):
        (row if i % 3 == 0 else column).addWidget(label)
    fit(box)
    for label in labels:
        label.deleteLater()
    del labels, label
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete)
print("survived")
"""


@pytest.mark.slow
def test_a_layout_survives_labels_that_are_deleted() -> None:
    """Regression: Python wrappers of layout items outlived the items and crashed the process."""
    done = subprocess.run(
        [sys.executable, "-c", LABELS_COME_AND_GO], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "survived\n"), done.stderr


def test_layouts_within_layouts_are_fitted(qapp: QApplication, qtbot: QtBot) -> None:
    box = QWidget()
    qtbot.addWidget(box)
    column = QVBoxLayout(box)
    row = QHBoxLayout()
    row.setContentsMargins(20, 10, 20, 10)
    column.addLayout(row)
    text_size.resize_text(qapp, 150, lambda: None)
    assert row.contentsMargins().left() == 30


def test_a_widget_that_the_fitting_of_another_deletes_is_left_out(qapp: QApplication, qtbot: QtBot) -> None:
    box = QWidget()
    qtbot.addWidget(box)
    first, second, third = QPushButton("a", box), QLabel("b", box), QPushButton("c", box)
    usual = qapp.font().pointSizeF()
    text_size.by_font(first, lambda: isValid(second) and first.font().pointSizeF() > usual and delete(second))
    third.setMinimumWidth(100)
    text_size.resize_text(qapp, 150, lambda: None)
    assert not isValid(second)
    assert third.minimumWidth() == 150
