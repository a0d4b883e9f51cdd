"""A window switched to another theme shows exactly the pictures of a window opened in it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QEventLoop, QObject
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QToolButton, QWidget
from pytestqt.qtbot import QtBot

import gui.jobs.task
from gui.rooms.timeline.timeline import Timeline
from gui.rooms.training.checkpoints import CheckpointPage
from gui.rooms.training.run_charts import CHARTS
from gui.rooms.training.run_view import PAGES
from gui.rooms.training.tab import TrainingTab
from gui.shell.docks import VIEWS
from gui.widgets.dialogs import GameDialog
from gui.widgets.theme import COLOURS, DARK, LIGHT, icon, on_theme, recolour, set_current_theme, set_icon, style_sheet
from gui.window import MainWindow
from tests.gui.conftest import open_window
from tests.gui.fakes import FakeAnalysis
from tests.gui.rooms.training.runs import write_run

NEVER_SHOWN, CLOSED, FLOATING = "what_if", "why", "timeline"  # docks before the switch


@pytest.fixture
def open_in(qtbot: QtBot, tmp_path: Path) -> Callable[[str], MainWindow]:
    """Opens a window in a theme with a game that is searched, a run, a dialog and most rooms."""
    write_run(tmp_path / "runs" / "first")

    def open_in(theme: str) -> MainWindow:
        analysis = FakeAnalysis()
        training = partial(TrainingTab, home=tmp_path / "runs")
        size = (1900, 1500)  # room for all docks: else their least sizes, measured again, move them
        window = open_window(qtbot, analysis, "connect4(rows=5, k=3)", "d d c", size, theme=theme, training=training)
        window.views.status.set_frame = lambda longest_ms: None  # measured by the clock
        state = window.state
        for name in VIEWS:
            if name != NEVER_SHOWN:
                window.commands.open_dock(name)
        state.go(1)
        state.play_line((0,))
        state.restrict((1, 2))
        analysis.publish(1200)
        state.set_overlay("visits")
        analysis.finish()
        window.docks.float_dock(FLOATING)
        training_pictures(qtbot, window, settle)
        window.workspaces.turn_to("search")
        analysis_pictures(qtbot, window, settle)
        window.docks.toggle(CLOSED)
        GameDialog(state.game, window).show()
        return window

    return open_in


Look = Callable[[QWidget], QImage]


def picture_of(widget: QWidget) -> QImage:
    settle(widget)
    return widget.grab().toImage()


def settle(widget: QWidget) -> QImage:
    """Let tasks deliver, and everything be laid out and painted; returns no picture, which takes long."""
    while gui.jobs.task._alive:
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
    for _ in range(20):
        QApplication.processEvents()
    return QImage()


def analysis_pictures(qtbot: QtBot, window: MainWindow, look: Look = picture_of) -> dict[str, QImage]:
    """Return the pictures of the analysis page and of each dock while it is before the others."""
    found = {}
    for name in VIEWS:
        if name == NEVER_SHOWN and window.docks[name].widget_made is None:
            continue
        view = window.commands.open_dock(name)
        QApplication.processEvents()
        if isinstance(view, Timeline):
            qtbot.waitUntil(lambda view=view: view.page.isHidden() or view.ready)
        if name == "why":  # it asks for the nodes of its lines when it is shown
            analysis: Any = window.session.analysis
            qtbot.waitUntil(lambda analysis=analysis: {(0,), (1,)} <= set(analysis.agenda.opened))
            newest = analysis.finish()
            qtbot.waitUntil(lambda newest=newest: window.session.present is newest)
            with qtbot.waitSignal(window.session.snapshot_for_text):
                window.session.snapshot_for_text.emit(newest)
        found[name] = look(window.docks[window.docks.room_of(name)])
    return found | {"page": look(window), "floating": look(window.docks.windows[FLOATING])}


def answered(page: CheckpointPage) -> bool:
    """Whether every kept net was asked."""
    return len(page._answers) + len(page._refused) == len(page._nets) > 0


def training_pictures(qtbot: QtBot, window: MainWindow, look: Look = picture_of) -> dict[str, QImage]:
    """Return the picture of each page of a run."""
    window.workspaces.turn_to("nets")
    view, found = window.commands.training.view, {}
    for page in PAGES:
        view.show_page(page)
        window.commands.training.tick()
        if page == "charts":
            qtbot.waitUntil(lambda: len(view.charts.grid.charts) == len(CHARTS))
        elif page == "checkpoints":
            qtbot.waitUntil(lambda: answered(view.checkpoints))
            view.checkpoints.compare.setFixedWidth(170)  # its width depends on when it was first measured
        found[f"run's {page}"] = look(window)
    return found


def all_pictures(qtbot: QtBot, window: MainWindow) -> dict[str, QImage]:
    dialog = window.findChild(GameDialog)
    found = {"dialog": picture_of(dialog)}
    dialog.close()
    window.docks.show_dock(NEVER_SHOWN)
    found |= analysis_pictures(qtbot, window)
    return found | training_pictures(qtbot, window)


@pytest.mark.slow
def test_a_switched_window_shows_what_a_fresh_one_shows(qtbot: QtBot, open_in: Callable[[str], MainWindow]) -> None:
    window = open_in("dark")
    dark = picture_of(window)
    window.commands.appearance.set_theme("light")
    light = picture_of(window)
    window.commands.appearance.set_theme("dark")
    assert dark == picture_of(window) != light
    window.commands.appearance.set_theme("light")
    switched = all_pictures(qtbot, window)
    window.close()
    fresh = all_pictures(qtbot, open_in("light"))
    assert len(fresh) == len(VIEWS) + len(PAGES) + 3  # page, floating dock and dialog
    assert [name for name in fresh if switched[name] != fresh[name]] == []


def test_a_hidden_part_is_recoloured_when_it_is_shown(window: MainWindow) -> None:
    for name in ("why", "tree"):
        window.docks.show_dock(name)
        settle(window)
    runs = []
    on_theme(window.docks["why"].widget_made, lambda: runs.append("why"))
    on_theme(window.docks["tree"].widget_made, lambda: runs.append("tree"))
    assert runs == ["why", "tree"]
    settle(window)
    window.commands.appearance.set_theme("light")
    assert runs == ["why", "tree", "tree"]
    window.docks.show_dock("why")
    settle(window)
    assert runs == ["why", "tree", "tree", "why"]


class Paints(QObject):
    """Counts how often a widget is painted."""

    count = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.Paint
        return False


@pytest.mark.slow
def test_a_window_paints_after_a_switch_made_while_rooms_open(qtbot: QtBot) -> None:
    """A plot handles events, among them the request to paint, while the window's updates are off."""
    analysis = FakeAnalysis()
    window = open_window(qtbot, analysis, "connect4", "d d c", (1480, 860))
    analysis.publish(1000)
    analysis.finish()
    settle(window)
    for name in VIEWS:
        settle(window.commands.open_dock(name))
    report: Any = window.docks["report"].widget_made
    qtbot.waitUntil(lambda: report.graph is not None)
    QApplication.processEvents()
    paints = Paints()
    window.room.board.installEventFilter(paints)
    window.commands.appearance.set_theme("light")
    qtbot.waitUntil(lambda: paints.count > 0)
    window.close()


def test_an_icon_follows_the_theme(qtbot: QtBot) -> None:
    button = QToolButton()
    qtbot.addWidget(button)
    set_current_theme(DARK)
    set_icon(button, "play", "on_accent")
    set_icon(button, "stop")
    assert button.icon().cacheKey() == icon("stop").cacheKey()
    set_current_theme(LIGHT)
    recolour(button)
    assert button.icon().cacheKey() == icon("stop").cacheKey()


def test_every_theme_has_a_style_sheet_of_its_own() -> None:
    """By its style sheet a part of the window knows that it is out of date."""
    themes = [theme for colours in COLOURS.values() for theme in colours.values()]
    assert len({style_sheet(theme) for theme in themes}) == len(themes) == 4
