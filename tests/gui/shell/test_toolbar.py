"""Tests of the toolbar: menus tick the current choice, any limit can be entered, it folds in a narrow window."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication, QMenu, QSpinBox, QToolButton
from pytestqt.qtbot import QtBot

from core.games import load_game
from core.search import Limit
from gui.model.sources import UniformSource, default_source
from gui.widgets.dialogs import Dialog
from gui.widgets.figures import count, simulations_words
from gui.window import MainWindow
from tests.gui.fakes import FakeAnalysis


def ticked(menu: QMenu) -> list[str]:
    menu.aboutToShow.emit()
    return [action.text() for action in menu.actions() if action.isChecked()]


def test_menus_check_the_current_choice(window: MainWindow) -> None:
    bar, state = window.views.toolbar, window.state
    assert ticked(bar.game.menu()) == ["Connect Four"]
    assert ticked(bar.net.menu()) == ["Random rollouts (UCT)"]
    assert ticked(bar.limit.menu()) == [f"{count(1000)} simulations"]
    state.set_source(UniformSource())
    assert ticked(bar.net.menu()) == ["Uniform prior, value 0"]
    game = load_game("connect4(rows=5, cols=5)")
    source = default_source(load_game("connect4"))
    state.open_position(game.initial(), source)
    assert ticked(bar.game.menu()) == [bar.game.text()]
    assert ticked(bar.net.menu()) == [source.path.name]


def test_nets_of_other_games_and_recent_ones_are_in_the_menu(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    bar, mine = window.views.toolbar, tmp_path / "mine.onnx"
    qtbot.waitUntil(lambda: bool(window.context.opener.nets))
    for path in (mine, tmp_path / "game.sgf"):
        window.context.preferences.add_recent(path)
    bar.net.menu().aboutToShow.emit()
    entries = {action.text(): action for action in bar.net.menu().actions()}
    assert mine.name in entries
    assert "game.sgf" not in entries
    with qtbot.waitSignal(window.state.game_changed):
        entries["Gomoku 9×9\tgomoku9-4x48"].trigger()
    assert window.state.game == load_game("gomoku(size=9)")
    assert bar.net.text() == "gomoku9-4x48.onnx"


def test_any_limit_can_be_entered(qtbot: QtBot, window: MainWindow) -> None:
    bar = window.views.toolbar
    ticked(bar.limit.menu())
    bar.limit.menu().actions()[-1].trigger()
    dialog = next(d for d in bar.findChildren(Dialog) if d.isVisible())
    dialog.findChild(QSpinBox).setValue(2500)
    dialog.accept()
    assert window.state.limit == 2500
    assert ticked(bar.limit.menu()) == [f"{count(2500)} simulations"]


def test_one_simulation_is_no_plural(window: MainWindow) -> None:
    assert [simulations_words(n) for n in (0, 1, 1000)] == [
        "0 simulations",
        "1 simulation",
        f"{count(1000)} simulations",
    ]
    window.state.set_limit(1)
    assert ticked(window.views.toolbar.limit.menu()) == ["1 simulation"]


def test_the_run_button_does_what_it_and_the_limit_say(qtbot: QtBot, window: MainWindow) -> None:
    bar, session, analysis = window.views.toolbar, window.session, window.session.analysis
    assert isinstance(analysis, FakeAnalysis)

    def said() -> tuple[str, str]:
        return bar.run.text(), bar.limit.text()

    to_limit, endless = f"to {count(1000)}", "no limit"
    assert said() == ("Stop", to_limit)
    analysis.publish(400)
    session.stop()
    assert said() == ("Analyse", to_limit)
    bar.run.click()
    assert analysis.resumed[-1] == Limit(simulations=1000)
    analysis.publish(1000)
    analysis.finish()
    qtbot.waitUntil(lambda: said() == ("Continue", to_limit))
    places = {(bar.limit.x(), bar.run.width())}
    bar.run.click()
    assert analysis.resumed[-1] == Limit()
    assert said() == ("Stop", endless)
    places.add((bar.limit.x(), bar.run.width()))
    session.stop()
    assert said()[1] == endless
    bar.run.click()
    assert analysis.resumed[-1] == Limit()
    session.limit.choose(2000)
    session.stop()
    qtbot.waitUntil(lambda: said() == ("Analyse", f"to {count(2000)}"))
    places.add((bar.limit.x(), bar.run.width()))
    assert len(places) == 1


def test_without_the_board_a_search_can_only_be_stopped(window: MainWindow) -> None:
    bar = window.views.toolbar
    window.workspaces.turn_to("nets")
    assert (bar.run.isVisible(), bar.run.text(), bar.limit.isVisible()) == (True, "Stop", False)
    bar.run.click()
    assert not bar.run.isVisible()
    window.workspaces.turn_to("search")
    assert bar.run.isVisible()
    assert bar.limit.isVisible()


def test_the_name_of_a_net_loses_its_ending_before_a_letter(window: MainWindow) -> None:
    net = window.views.toolbar.net
    net.setText("connect4-4x48.onnx")
    seen = []
    for width in range(net.sizeHint().width(), 60, -1):
        net.resize(width, net.height())
        seen.append(QToolButton.text(net))
    assert list(dict.fromkeys(seen))[:2] == ["connect4-4x48.onnx", "connect4-4x48"]
    assert "…" in seen[-1]
    assert net.text() == "connect4-4x48.onnx"


def test_the_name_of_a_net_has_room_before_the_overlays_get_more_than_they_need(window: MainWindow) -> None:
    bar = window.views.toolbar
    bar.net.setText("connect4-4x48.onnx")
    cut = 0
    for width in range(1600, 900, -20):
        window.resize(QSize(width, 700))
        QApplication.processEvents()
        shown = [button for button in bar.overlays.families.values() if button.isVisible()]
        if shown and bar.net.width() < bar.net.sizeHint().width():
            cut += 1
            assert all(button.width() <= button.minimumSizeHint().width() + 1 for button in shown), width
    assert cut


def test_in_large_text_the_workspace_is_named_whole_and_the_theme_can_be_changed(
    qtbot: QtBot, window: MainWindow
) -> None:
    bar, switch = window.views.toolbar, window.views.toolbar.workspaces.folded_button
    window.commands.appearance.set_text_size(150)
    window.resize(QSize(1024, 700))
    qtbot.waitUntil(lambda: switch.isVisible() and QToolButton.text(switch) == "Search")
    assert bar.theme.isVisible()
    window.commands.appearance.set_text_size(100)


@pytest.mark.slow
def test_a_narrow_toolbar_keeps_whole_numbers_and_every_overlay(qtbot: QtBot, window: MainWindow) -> None:
    bar, choice = window.views.toolbar, window.views.toolbar.overlays
    bar.set_simulations(1234)
    chosen: list[str] = []
    choice.chosen.connect(chosen.append)
    seen = set()
    for width in range(1500, 640, -20):
        window.resize(QSize(width, 700))
        QApplication.processEvents()
        shown = bar.simulations.shown_text(bar.simulations.width())
        assert shown in (f"{count(1234)} simulations", count(1234), "")
        seen.add(choice.all.isVisible())
        assert all(
            QToolButton.text(button) == button.text() for button in choice.families.values() if button.isVisible()
        )
    assert seen == {False, True}
    choice.actions_of["q"].trigger()
    assert chosen == ["q"]
    assert window.state.overlay == "q"
    assert choice.all.text() == "Q"
