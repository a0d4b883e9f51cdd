"""The game report by an outside engine: chosen, given a time, asked of each position, named when it fails."""

import math
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from core.games import load_game
from core.glass.review import Figures, Grading
from gui.rooms.report.game_report_view import GameReportView, _ply_words
from gui.rooms.report.report_parts import make_report
from gui.window import MainWindow
from models.engines.engine_list import EngineEntry, write_engines

FAKE = Path(__file__).parents[3] / "models" / "engines" / "fake_engine.py"


def entry(name: str, kind: str, games: tuple[str, ...] = ()) -> EngineEntry:
    return EngineEntry(name, "gtp", f"'{sys.executable}' '{FAKE}' {kind}", games=games)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("models.engines.engine_list.data_home", lambda: tmp_path)
    write_engines([entry("judge", "analyses"), entry("mute", "plays"), entry("other", "analyses", ("go",))])


@pytest.fixture
def view(qtbot: QtBot, real_window: MainWindow) -> GameReportView:
    """The report of a game of two moves."""
    state = real_window.state
    for move in ("b2", "b1"):
        state.play(load_game("tictactoe").parse_action(move))
    real_window.docks.show_dock("report")
    made = real_window.docks["report"].widget_made
    assert isinstance(made, GameReportView)
    qtbot.waitUntil(lambda: made.graph is not None)
    return made


def choose(view: GameReportView, name: str, seconds: str) -> None:
    place = view.judge.findText(name)
    view.judge.setCurrentIndex(place)
    view.judge.activated.emit(place)
    view.simulations.setText(seconds)
    view.simulations.editingFinished.emit()


def test_an_outside_engine_judges_the_game(qtbot: QtBot, real_window: MainWindow, view: GameReportView) -> None:
    review = real_window.commands.games.review
    assert [view.judge.itemText(i) for i in range(view.judge.count())] == ["Our search", "judge", "mute"]
    assert view.unit.text() == "simulations a position"
    choose(view, "judge", "0.05")
    assert view.unit.text() == "seconds a position"
    qtbot.mouseClick(view.run, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not review.analysis.running)
    report = review.report
    assert report.complete
    assert list(report.values) == [0.5, -0.5, 0.5]
    assert list(report.leads) == [2.5, -2.5, 2.5]
    assert [move.name for move in report.mistakes] == ["b2", "b1"]
    assert review.words == "3 positions · judge, 0.05 s each"
    choose(view, "Our search", "50")
    assert (review.simulations, review.seconds) == (50, 0.05)


def test_an_engine_that_fails_and_a_time_that_is_none_are_named(
    qtbot: QtBot, real_window: MainWindow, view: GameReportView
) -> None:
    choose(view, "mute", "0")
    assert view.error.text() == "0 is no time for a position; it must be above 0 and at most 3600 s"
    assert real_window.commands.games.review.seconds == 1.0
    qtbot.mouseClick(view.run, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not real_window.commands.games.review.analysis.running)
    assert real_window.commands.games.review.words == "the engine mute offers no analysis; it only plays"
    write_engines([])
    qtbot.mouseClick(view.run, Qt.MouseButton.LeftButton)
    assert "the list of engines is empty" in real_window.banner.text
    view.returned.emit()
    assert view.judge.isHidden()
    assert real_window.commands.games.review.engine == ""


@pytest.mark.slow
def test_a_game_with_leads_alone_has_words_and_signs_on_the_graph(view: GameReportView) -> None:
    game = load_game("othello(size=4)")
    positions = [game.initial()]
    positions.append(positions[0].play(positions[0].legal_actions()[0]))
    (best,) = positions[0].legal_actions()[1:2]
    figures = Figures(math.nan, exact=False, best=(best,), lead=8.0, best_lead=8.0)
    report = make_report(positions, lambda _: figures, Grading())
    assert _ply_words(report, 0) == "At the start: lead of Black +8.0"
    assert "points lost" in _ply_words(report, 1)
    view.graph.show_report(report)
    assert view.graph.curves[-1][1] == [-0.8]
