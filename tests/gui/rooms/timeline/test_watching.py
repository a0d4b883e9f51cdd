"""Going back to where something happened, and pausing when it does, in the window with real searches."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from core.engine import Analysis, Search
from core.engine.look_back import LookBack
from core.games import load_game
from core.glass.watch import BEST, CROSSED, ENTERED, Watch
from core.search import Limit, SearchSettings
from gui.rooms.timeline.timeline import Timeline
from gui.widgets.board.playout_paint import SELECTION
from gui.widgets.dialogs import TextDialog
from gui.window import MainWindow
from tests.gui.conftest import open_window

GAME = "connect4(rows=4, cols=5, k=3)"
SETTINGS = SearchSettings(selection="ucb1", prove=False, memory_mb=32)


@pytest.fixture
def searched(qtbot: QtBot) -> Iterator[MainWindow]:
    """A small Connect Four searched to 600 simulations by random games."""
    window = open_window(qtbot, Analysis(), GAME)
    window.state.set_limit(600)
    window.state.set_settings(SETTINGS)  # restarts the search
    window.docks.show_dock("timeline")
    qtbot.waitUntil(lambda: window.commands.time.now == 600 and not window.session.searching)
    yield window
    window.close()


def moments(watch: Watch, simulations: int = 600) -> list[int]:
    search = Search(load_game(GAME).initial(), None, SETTINGS, seed=0)
    search.run(Limit(simulations=simulations))
    return LookBack(search).moments(watch).tolist()


def answer(text: str) -> None:
    """Type a value into the dialog that asks for one."""
    dialog = next(widget for widget in QApplication.topLevelWidgets() if isinstance(widget, TextDialog))
    dialog.field.setText("nothing")
    assert not dialog.main.isEnabled()
    dialog.field.setText(text)
    dialog.accept()


def test_each_step_back_goes_to_the_moment_before(qtbot: QtBot, searched: MainWindow) -> None:
    time, wanted = searched.commands.time, moments(Watch(BEST))
    assert len(wanted) > 1
    for moment in wanted[:-4:-1]:
        searched.context.actions["back_best"].trigger()
        qtbot.waitUntil(lambda moment=moment: time.at == moment)
        qtbot.waitUntil(lambda moment=moment: time.past is not None and time.past.simulation == moment)
        after = time.past.snapshot.best
        time.choose_stage(SELECTION)
        qtbot.waitUntil(lambda: time.past.before is not None)
        assert time.past.before.best != after
    time.go(wanted[0])
    searched.context.actions["back_best"].trigger()
    qtbot.waitUntil(lambda: "no such moment" in searched.context.messages.text)
    assert time.at == wanted[0]


def test_the_selected_move_is_what_is_looked_for(qtbot: QtBot, searched: MainWindow) -> None:
    time, line = searched.commands.time, searched.session.snapshot.pv[:2]
    searched.state.select(line)
    searched.context.actions["back_entered"].trigger()
    qtbot.waitUntil(lambda: time.at == moments(Watch(ENTERED, line))[-1])
    time.to_now()
    searched.state.select(line[:1])
    value = float(searched.session.snapshot.moves[0].q) - 0.01
    searched.context.actions["back_crossed"].trigger()
    answer(f"{value:.4f}")
    qtbot.waitUntil(lambda: time.at == moments(Watch(CROSSED, line[:1], float(f"{value:.4f}")))[-1])


def test_a_search_pauses_at_the_exact_moment_and_goes_on(qtbot: QtBot, searched: MainWindow) -> None:
    time, session, actions = searched.commands.time, searched.session, searched.context.actions
    line = searched.session.snapshot.pv[:1]
    searched.state.select(line)
    value = float(searched.session.snapshot.moves[0].q) + 0.02  # it will grow, or is there sooner than it settles
    searched.context.actions["pause_crossed"].trigger()
    assert not actions["pause_crossed"].isChecked(), "no value is given yet"
    answer(f"{value:.4f}")
    assert actions["pause_crossed"].isChecked()
    session.continue_search()
    qtbot.waitUntil(lambda: not session.searching and time.at is not None, timeout=20_000)
    assert time.at > 600
    assert moments(Watch(CROSSED, line, float(f"{value:.4f}")), time.now)[-1] == time.at
    assert "Paused after" in searched.context.messages.text
    actions["pause_crossed"].trigger()
    assert not actions["pause_crossed"].isChecked()
    time.to_now()
    searched.state.set_limit(time.now + 500)
    actions["pause_best"].trigger()
    searched.state.play(line[0])
    assert not any(actions[f"pause_{kind}"].isChecked() for kind in ("best", "crossed")), "another position"


def test_the_timeline_lists_the_same_commands(searched: MainWindow) -> None:
    view = searched.docks["timeline"].widget_made
    assert isinstance(view, Timeline)
    view.menu.aboutToShow.emit()
    listed = [menu.actions() for action in view.menu.actions() if isinstance(menu := action.menu(), QMenu)]
    actions = searched.context.actions
    assert [actions["back_best"], actions["pause_best"]] == [menu[0] for menu in listed if len(menu) == 5]
