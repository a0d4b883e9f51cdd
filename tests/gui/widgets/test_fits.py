"""Tests that the window fits its screen and nothing in it is clipped, covered or unnamed, whatever is open."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, QSize, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QComboBox, QDialog, QWidget
from pytestqt.qtbot import QtBot

from core.games import load_game
from core.search import SearchSettings
from gui.jobs.newest import Newest
from gui.jobs.recipe_job import RecipeJob
from gui.language.language import CHINESE, ENGLISH
from gui.rooms.training.run_charts import CHARTS
from gui.rooms.training.run_view import PAGES
from gui.rooms.training.tab import TrainingTab
from gui.shell.docks import VIEWS
from gui.shell.filing import SessionDialog
from gui.widgets import text_size
from gui.widgets.recipe.recipe_dialog import RecipeDialog
from gui.widgets.texts import switch_language
from gui.window import MainWindow
from models.netfiles.net_file import NetInfo, TensorInfo
from models.netfiles.recipe import parse_recipe
from models.netfiles.recipe_reader import RecipeTrial
from tests.gui.fakes import FakeAnalysis
from tests.gui.rooms.training.runs import write_run
from tests.gui.widgets.layout_checks import faults

FRAME = QSize(4, 32)
SMALLEST = {100: QSize(960, 540) - FRAME, 150: QSize(1024, 700) - FRAME}  # text size -> room on the smallest screen
USUAL = QSize(1480, 860)
ROOMS = {100: (SMALLEST[100], QSize(1100, 690), USUAL), 150: (SMALLEST[150], USUAL)}
DIALOGS = ("choose_game", "edit_position", "about_game", "keys", "change_keys", "about", "palette")


SHARED = [(size, language) for size in ROOMS for language in (ENGLISH, CHINESE)]


@pytest.fixture(
    scope="module",
    params=[SHARED[0], *(pytest.param(of, marks=pytest.mark.slow) for of in SHARED[1:])],
    ids=lambda of: f"{of[0]}-{of[1]}",
)
def shared(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MainWindow]:
    """A window with one run, all of whose rooms are made at one text size in one language, on a simulated screen."""
    home = tmp_path_factory.mktemp("home")
    write_run(home / "runs" / "first")
    changes = pytest.MonkeyPatch()
    window: Any = MainWindow(theme="dark", training=lambda state: TrainingTab(state, home / "runs"))
    for place in ("gui.widgets.screen", "gui.widgets.dialogs"):
        changes.setattr(f"{place}.room_on_screen", lambda _: window.screen_size)
    size, language = window.size_and_language = request.param
    window.screen_size = USUAL
    window.show()
    switch_language(language)
    window.commands.appearance.set_text_size(size)
    window.state.document.settings = SearchSettings()
    analysis = FakeAnalysis()
    window.session.attach(analysis)
    window.state.open_position(load_game("connect4").position("d d c"), None)
    analysis.publish(1000)
    yield window
    window.close()
    window.deleteLater()
    changes.undo()
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    text_size.resize_text(app, text_size.USUAL, lambda: None)
    switch_language(ENGLISH)


@pytest.fixture
def window(shared: MainWindow) -> Iterator[MainWindow]:
    """The shared window on its first page, in its first layout."""
    yield shared
    shared.workspaces.turn_to("search")
    shared.workspaces.reset()


def settled(qtbot: QtBot, window: MainWindow) -> None:
    """Wait until visible charts are made, questions to nets and files are answered, and layouts follow."""
    tab = window.commands.training
    if tab is not None and tab.view.charts.isVisible():
        qtbot.waitUntil(lambda: len(tab.view.charts.grid.charts) == len(CHARTS))
    QApplication.processEvents()
    qtbot.waitUntil(lambda: not any(reader.working for reader in window.findChildren(Newest)))
    for _ in range(6):
        QApplication.processEvents()
    for _ in range(6):  # a text that came with the last of these events is laid out, and no other comes
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)


def put(qtbot: QtBot, window: Any, room: QSize) -> None:
    window.screen_size = room
    settled(qtbot, window)
    window.resize(room)
    settled(qtbot, window)


@pytest.mark.slow
def test_the_window_fits_the_least_screen_with_any_dock_and_with_all(qtbot: QtBot, window: Any) -> None:
    room = SMALLEST[window.size_and_language[0]]
    put(qtbot, window, room)
    for shut in (True, False):  # each alone, then all in turn
        for name in VIEWS:
            dock = window.docks[window.docks.room_of(name)]
            if dock.open and shut:
                continue
            window.commands.open_dock(name)
            settled(qtbot, window)
            least = window.minimumSizeHint()
            assert (least.width() <= room.width(), least.height() <= room.height()) == (True, True), (name, least)
            assert window.size() == room, name
            assert not dock.visibleRegion().isEmpty(), name
            if shut:
                window.docks.hide_dock(dock.row.name)
    window.workspaces.turn_to("nets")
    assert window.commands.training is not None
    for page in PAGES:
        window.commands.training.view.show_page(page)
        settled(qtbot, window)
        assert window.size() == room, page
    window.commands.training.show_new()
    settled(qtbot, window)
    assert window.size() == room


@pytest.mark.slow
def test_nothing_is_clipped_or_overlapped(qtbot: QtBot, window: Any) -> None:
    lines: list[str] = []

    def look(where: str) -> None:
        settled(qtbot, window)
        wrong = faults(window)
        lines.extend(f"{where} in {window.screen_size.toTuple()}: {what}" for what in wrong)

    for room in ROOMS[window.size_and_language[0]]:
        window.workspaces.turn_to("search")
        window.workspaces.reset()
        put(qtbot, window, room)
        look("first layout")
        first = window.docks.shown
        for name in VIEWS:
            dock = window.docks[window.docks.room_of(name)]
            window.commands.open_dock(name)
            look(name)
            if name not in first:
                window.docks.hide_dock(dock.row.name)
        window.workspaces.turn_to("nets")
        window.commands.training.choose(next(iter(window.commands.training.known_runs.models)))
        for page in PAGES:
            window.commands.training.view.show_page(page)
            look(page)
        window.commands.training.show_new()
        look("new run")
    assert not lines, "\n".join(lines)


def show_recipe_dialog(window: MainWindow, folder: Path) -> None:
    """The dialog of a net with two inputs, many planes and three outputs: all of its fields."""
    planes = ("mine, theirs x 8", "first to move")
    inputs = [{"name": "board", "planes": planes}, {"name": "turn", "planes": ["colour"], "layout": "numbers"}]
    recipe = parse_recipe(json.dumps({"game": "connect4", "inputs": inputs}))
    outputs = tuple(TensorInfo(name, (None, 1), "tensor(float)") for name in ("policy", "value", "score"))
    path, game = folder / "net-from-elsewhere.onnx", load_game("connect4")
    trial = RecipeTrial(path, NetInfo(path, "", "", {}, -1, True, (), outputs), game)
    positions = [("a win in one move, 1", game.initial())]
    RecipeDialog(RecipeJob(trial), recipe, [recipe], positions, "its planes could be anything", window).show()


def dialogs(window: MainWindow, folder: Path) -> list[tuple[str, Callable[[], object]]]:
    """Return what opens each dialog; it is a child of the window."""
    actions = window.context.actions
    others: list[tuple[str, Callable[[], object]]] = [
        ("session", lambda: SessionDialog(5 << 20, window).show()),
        ("recipe", lambda: show_recipe_dialog(window, folder)),
        ("limit", window.views.toolbar.ask_limit),
    ]
    return [*((name, actions[name].trigger) for name in DIALOGS), *others]


@pytest.mark.slow
def test_no_dialog_is_clipped_or_larger_than_the_screen(qtbot: QtBot, window: Any, tmp_path: Path) -> None:
    room = SMALLEST[window.size_and_language[0]]
    put(qtbot, window, room)
    wrong = []
    for name, show in dialogs(window, tmp_path):
        show()
        settled(qtbot, window)
        opened = [d for d in window.findChildren(QDialog) if d.isVisible()]
        assert opened, name
        for dialog in opened:
            least = dialog.minimumSizeHint().expandedTo(dialog.minimumSize())
            if least.width() > room.width() or least.height() > room.height():
                wrong.append(f"{name}: needs {least.toTuple()}")
            wrong += [f"{name}: {fault}" for fault in faults(dialog)]
            dialog.reject()
        settled(qtbot, window)
    assert not wrong, "\n".join(wrong)


def takes_the_wheel(field: QWidget) -> bool:
    """Turn the wheel over a field without the focus; return whether the field took it, or would be focused by it."""
    field.clearFocus()
    taken = field.focusPolicy() == Qt.FocusPolicy.WheelFocus
    for turn in (-120, 120):
        event = QWheelEvent(
            QPointF(5, 5),
            QPointF(field.mapToGlobal(QPoint(5, 5))),
            QPoint(),
            QPoint(0, turn),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        event.ignore()
        taken |= QApplication.sendEvent(field, event) and event.isAccepted()
    return taken


@pytest.mark.slow
@pytest.mark.parametrize("shared", [(100, ENGLISH)], indirect=True)
def test_the_wheel_changes_no_field_without_the_focus(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    for name in VIEWS:
        window.commands.open_dock(name)
    window.workspaces.turn_to("nets")
    window.commands.training.show_new()
    window.workspaces.turn_to("search")
    for name, show in dialogs(window, tmp_path):
        if name != "limit":  # its only field has the focus
            show()
    settled(qtbot, window)
    fields = [*window.findChildren(QComboBox), *window.findChildren(QAbstractSpinBox)]
    assert len(fields) > 40
    wrong = {f"{type(one).__name__} {one.accessibleName()}" for one in fields if takes_the_wheel(one)}
    for dialog in window.findChildren(QDialog):
        dialog.reject()
    settled(qtbot, window)
    assert not wrong
