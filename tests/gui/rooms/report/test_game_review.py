"""The whole game analysed in the window with the real engine: keys, graph, table, marks, export, stopping."""

from __future__ import annotations

import csv
import math
import threading
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from core.engine import Analysis, UniformEvaluator
from core.games import GameSpec, load_game
from core.glass.review import Grading
from core.search import SearchSettings
from gui.jobs.game_analysis import Basis, GameAnalysis, evaluate
from gui.model.document import IDLE
from gui.rooms.report.game_report_view import POINTS, GameReportView
from gui.rooms.report.game_review import GameReview
from gui.rooms.report.report_parts import MARKS
from gui.widgets.theme import LIGHT, recolour, set_current_theme
from gui.window import MainWindow
from tests.gui.conftest import cancel_close, open_window

SMALL = "connect4(rows=4, cols=5, k=3)"
MOVES = "a e a d c e"  # Red has a threat that Yellow overlooks


@pytest.fixture
def game_window(qtbot: QtBot):
    """Open six moves of a small Connect Four with rollouts."""
    window = open_window(qtbot, Analysis(), SMALL)
    window.state.set_settings(SearchSettings(selection="ucb1", memory_mb=32))
    window.state.open_position(load_game(SMALL).position(MOVES))
    window.activateWindow()
    return window


def analysed(qtbot: QtBot, window: MainWindow, key: Qt.Key = Qt.Key.Key_A) -> tuple[GameReview, GameReportView]:
    """Press the key and wait until the analysis has ended and the graph is drawn."""
    qtbot.keyClick(window, key)
    review = window.commands.games.review
    view = window.docks["report"].widget_made
    assert isinstance(view, GameReportView)
    qtbot.waitUntil(lambda: not review.analysis.running and view.graph is not None)
    assert review.report is not None
    return review, view


@pytest.mark.parametrize("key", [Qt.Key.Key_A, pytest.param(Qt.Key.Key_F2, marks=pytest.mark.slow)])
def test_a_key_analyses_every_position(qtbot: QtBot, game_window: MainWindow, key: Qt.Key) -> None:
    snapshot = game_window.session
    review, view = analysed(qtbot, game_window, key)
    assert game_window.docks["report"].open
    report = review.report
    assert report.complete
    state = game_window.state
    basis = Basis(None, state.settings, 400)
    for ply, position in enumerate(state.positions):
        found = evaluate(position, None, basis, lambda: False)
        assert report.values[ply] == found.value * (1 if position.to_move == 0 else -1)
    assert report.mistakes, "these moves are full of them"
    assert view.table.mistakes.rowCount() == len(report.mistakes)
    first = report.mistakes[0]
    assert [view.table.mistakes.data(view.table.mistakes.index(0, c)) for c in range(7) if c != POINTS] == [
        str(first.ply + 1),
        report.players[first.mover],
        first.name,
        first.best,
        f"{first.loss:.2f}",
        f"{MARKS[first.kind]} {first.kind}",
    ]
    assert view.summary.cells["Moves", 0].text() == view.summary.cells["Moves", 1].text() == "3"
    total = sum(
        int(view.summary.cells[name, p].text()) for name in ("Blunders", "Mistakes", "Inaccuracies") for p in (0, 1)
    )
    assert total == len(report.mistakes)
    assert "7 positions" in view.progress.text()
    assert game_window.room.record._marks[first.ply + 1] == MARKS[first.kind]
    assert state.signs[state.line_nodes[first.ply + 1]] == MARKS[first.kind]
    assert snapshot is game_window.session
    assert game_window.session.limit.mode != IDLE, "the live analysis goes on"
    assert state.cursor == 6


def test_the_live_analysis_is_neither_stopped_nor_replaced(qtbot: QtBot, game_window: MainWindow) -> None:
    session = game_window.session
    qtbot.waitUntil(lambda: session.snapshot is not None and bool(session.snapshot.reason))
    before = session.snapshot
    analysed(qtbot, game_window)
    after = session.snapshot
    assert (after.request, after.position, after.simulations, after.reason) == (
        *(before.request, before.position, before.simulations, before.reason),
    )


def test_keys_step_through_the_mistakes(qtbot: QtBot, game_window: MainWindow) -> None:
    review, view = analysed(qtbot, game_window)
    state, report = game_window.state, review.report
    plies = [move.ply for move in report.mistakes]
    state.go(0)
    expected = [ply for ply in plies if ply > 0]
    for row, ply in enumerate(expected, len(plies) - len(expected)):
        qtbot.keyClick(game_window, Qt.Key.Key_N)
        assert state.cursor == ply
        assert [index.row() for index in view.table.selectionModel().selectedRows()] == [row]
    qtbot.keyClick(game_window, Qt.Key.Key_N)
    assert state.cursor == plies[-1]
    assert "no other mistake" in game_window.banner.text
    for ply in reversed(plies[:-1]):
        qtbot.keyClick(game_window, Qt.Key.Key_N, Qt.KeyboardModifier.ShiftModifier)
        assert state.cursor == ply
    game_window.docks.hide_dock("report")
    state.go(0)
    game_window.context.actions["next_mistake"].trigger()
    mistake = next(move for move in report.mistakes if move.ply == state.cursor)
    assert f"Ply {mistake.ply + 1}: {mistake.name} of" in game_window.banner.text
    assert f"the search plays {mistake.best}" in game_window.banner.text


@pytest.mark.slow
def test_keys_say_that_no_game_is_analysed(qtbot: QtBot, real_window: MainWindow) -> None:
    real_window.activateWindow()
    qtbot.keyClick(real_window, Qt.Key.Key_N)
    assert "No game is analysed yet" in real_window.banner.text
    qtbot.keyClick(real_window, Qt.Key.Key_A)
    assert "no move to analyse yet" in real_window.banner.text
    view = real_window.docks["report"].widget_made
    assert isinstance(view, GameReportView)
    assert not view.run.isEnabled()
    assert not view.export.isEnabled()
    qtbot.waitUntil(lambda: view.graph is not None)


@pytest.mark.slow
def test_clicks_on_graph_and_table_show_the_position(qtbot: QtBot, game_window: MainWindow) -> None:
    review, view = analysed(qtbot, game_window)
    graph, state = view.graph, game_window.state
    assert graph is not None

    def at(ply: int) -> QPoint:
        return graph.plot.pixel_of(ply, 0).toPoint()

    qtbot.waitUntil(lambda: graph.width() > 200)
    qtbot.mousePress(graph.plot, Qt.MouseButton.LeftButton, pos=at(2))
    assert state.cursor == 2
    qtbot.mouseMove(graph.plot, at(5))
    qtbot.waitUntil(lambda: state.cursor == 5)
    qtbot.mouseRelease(graph.plot, Qt.MouseButton.LeftButton, pos=at(5))
    assert graph.plot.marker == 5
    qtbot.mouseMove(graph.plot, at(3))
    qtbot.waitUntil(lambda: "After 3. a" in view.caption.text())
    assert state.cursor == 5, "only looked at"
    graph.plot.pointed.emit(float("nan"))
    assert "Value for Red · +1 Red wins" in view.caption.text()
    view.table.clicked.emit(view.table.mistakes.index(0, 0))
    assert state.cursor == review.report.mistakes[0].ply


@pytest.mark.slow
def test_an_empty_graph_hides_its_lines(qtbot: QtBot, game_window: MainWindow) -> None:
    _, view = analysed(qtbot, game_window)
    graph = view.graph
    assert math.isfinite(graph.plot.marker)
    assert graph.curves
    game_window.context.opener.new_game()
    assert graph.plot.is_empty
    assert math.isnan(graph.plot.marker)
    assert not graph.curves


def test_the_report_is_written_as_csv(
    qtbot: QtBot, game_window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, view = analysed(qtbot, game_window)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "mine"), ""))
    view.export.click()
    qtbot.waitUntil(lambda: "mine.csv is saved" in game_window.banner.text)
    rows = list(csv.DictReader((tmp_path / "mine.csv").read_text().splitlines()))
    assert [row["move"] for row in rows] == MOVES.split()
    assert [path.name for path in tmp_path.iterdir()] == ["mine.csv"]
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "mine.csv" / "no.csv"), ""))
    view.export.click()
    qtbot.waitUntil(lambda: "no.csv' cannot be written" in game_window.banner.text)


@pytest.mark.slow
def test_escape_stops_and_the_rest_is_done_later(qtbot: QtBot, game_window: MainWindow) -> None:
    review = game_window.commands.games.review
    game_window.state.set_settings(SearchSettings(selection="ucb1", memory_mb=128, prove=False))
    review.set_simulations(300_000)
    qtbot.keyClick(game_window, Qt.Key.Key_A)
    view = game_window.docks["report"].widget_made
    assert isinstance(view, GameReportView)
    import_module("gui.rooms.report.game_graph")  # else the first report waits for its library
    message: list[str] = []

    def stop_at_the_first_report() -> None:
        if review.report is not None and not message:
            message.append(view.run.text())
            qtbot.keyClick(game_window, Qt.Key.Key_Escape)

    review.changed.connect(stop_at_the_first_report)
    qtbot.waitUntil(lambda: bool(message))
    assert message == ["Stop"]
    assert not review.analysis.running
    report = review.report
    assert view.run.text() == "Analyse the whole game"
    if not report.complete:
        assert f"{report.judged} of 7 positions" in view.progress.text()
        assert "continue" in view.progress.text()
    qtbot.waitUntil(lambda: view.graph is not None)
    view.run.click()
    qtbot.waitUntil(lambda: not review.analysis.running)
    assert review.report.complete


@pytest.mark.slow
def test_another_record_shows_its_own_results(qtbot: QtBot, game_window: MainWindow) -> None:
    review, view = analysed(qtbot, game_window)
    state = game_window.state
    state.play(1)
    assert (review.report.judged, len(review.report.values)) == (7, 8)
    assert "7 of 8 positions" in view.progress.text()
    state.open_position(load_game("tictactoe").initial())
    assert review.report is None
    assert view.table.mistakes.rowCount() == 0
    assert game_window.room.record._marks == {}


@pytest.mark.slow
def test_the_line_of_the_cursor_is_analysed(qtbot: QtBot, game_window: MainWindow) -> None:
    state = game_window.state
    _, view = analysed(qtbot, game_window)
    assert (view.line.text(), view.run.text()) == ("The whole game", "Analyse the whole game")
    state.go(4)
    state.play_line((1, 2))
    review, judged = game_window.commands.games.review, dict(state.signs)
    assert (view.line.text(), view.run.text()) == ("The variation from 5. b on", "Analyse this line")
    assert review.report.judged == 5, "those before the fork are known"
    review.analyse()
    qtbot.waitUntil(lambda: not review.analysis.running)
    assert review.report.complete
    assert review.report.names[4:] == ("b", "c")
    assert state.signs.items() >= judged.items(), "the main line stays judged"
    state.go_beside(-1)
    assert view.line.text() == "The main line, without its variations"
    assert review.report.complete
    assert review.report.names == tuple(MOVES.split())
    review.set_simulations(50)
    review.analyse()
    assert not state.signs, "what was judged by other searches goes"
    qtbot.waitUntil(lambda: not review.analysis.running)


@pytest.mark.slow
def test_an_analysis_of_another_line_is_mentioned(qtbot: QtBot, game_window: MainWindow, slow: SlowSource) -> None:
    state = game_window.state
    state.set_source(slow)
    review = game_window.commands.games.review
    review.analyse()
    state.go(4)
    assert "Another line" not in review.words
    state.play(1)
    assert "Another line is being analysed" in review.words
    game_window.context.opener.new_game()
    assert not review.analysis.running, "of another game"
    slow.gate.set()


@pytest.mark.slow
def test_an_invalid_number_is_quoted_and_the_last_one_kept(qtbot: QtBot, game_window: MainWindow) -> None:
    game_window.docks.show_dock("report")
    view, review = game_window.docks["report"].widget_made, game_window.commands.games.review
    assert isinstance(view, GameReportView)
    for text in ("0", "many", "-3"):
        view.simulations.setText(text)
        view.simulations.editingFinished.emit()
        assert text in view.error.text()
        assert "must" in view.error.text()
        assert review.simulations == 400
    view.simulations.setText("1 200")
    view.simulations.editingFinished.emit()
    assert review.simulations == 1200
    assert view.error.isHidden()
    qtbot.waitUntil(lambda: view.graph is not None)


class SlowSource:
    """Uniform values from an evaluator that loads slowly, as one that compiles kernels does."""

    title = label = "slow"

    def __init__(self) -> None:
        self.loads = 0
        self.gate = threading.Event()

    def load(self, game: GameSpec) -> UniformEvaluator:
        self.loads += 1
        self.gate.wait()
        return UniformEvaluator(game.num_actions)


def no_task() -> bool:
    return not any(thread.name == "task" for thread in threading.enumerate())


@pytest.fixture
def slow() -> Iterator[SlowSource]:
    source = SlowSource()
    yield source
    source.gate.set()


def test_repeated_starts_and_stops_use_one_thread(qtbot: QtBot, slow: SlowSource) -> None:
    analysis, positions = GameAnalysis(), [load_game("tictactoe").position("b2 a1")]
    basis = Basis(slow, SearchSettings(memory_mb=32), 8)
    analysis.start(positions, basis)
    qtbot.waitUntil(lambda: slow.loads == 1)
    for _ in range(5):
        analysis.stop()
        assert not analysis.running
        analysis.start(positions, basis)
        assert analysis.running
    assert sum(thread.name == "task" for thread in threading.enumerate()) == 1
    slow.gate.set()
    qtbot.waitUntil(lambda: not analysis.running)
    assert analysis.figures(positions[0]) is not None
    assert slow.loads == 2
    qtbot.waitUntil(no_task)  # until then its thread uses the analysis


@pytest.mark.slow
def test_closing_while_a_stopped_search_loads_starts_no_other(
    qtbot: QtBot, game_window: MainWindow, slow: SlowSource
) -> None:
    game_window.state.set_source(slow)
    review = game_window.commands.games.review
    for _ in range(3):
        review.analyse()
        review.analysis.stop()
    review.analyse()
    qtbot.waitUntil(lambda: slow.loads == 2)  # one for the live analysis, one for the report
    game_window.close()
    assert not review.analysis.running
    slow.gate.set()
    qtbot.waitUntil(no_task)
    assert slow.loads == 2


def test_closing_the_window_ends_the_analysis(qtbot: QtBot, game_window: MainWindow) -> None:
    review = game_window.commands.games.review
    review.set_simulations(10_000_000)
    game_window.state.set_settings(SearchSettings(selection="ucb1", memory_mb=64, prove=False))
    review.analyse()
    cancel_close(game_window)
    assert review.analysis.running
    game_window.close()
    assert not review.analysis.running


def test_the_report_is_laid_out_for_its_width(qtbot: QtBot) -> None:
    view = GameReportView()
    qtbot.addWidget(view)
    view.resize(1200, 260)
    view.show()
    qtbot.waitUntil(lambda: view.graph is not None)
    set_current_theme(LIGHT)
    recolour(view)
    assert view.body.orientation() == Qt.Orientation.Horizontal
    view.resize(420, 300)
    qtbot.waitUntil(lambda: view.body.orientation() == Qt.Orientation.Vertical)
    view.show_work(False, "", 400, True)
    assert "Analyse the whole game" in view.table.nothing.text()
    view.show_work(True, "0 of 9 positions", 400, True)
    assert view.table.nothing.text() == "Analysing…"
    view.resize(1200, 260)
    qtbot.waitUntil(lambda: view.body.orientation() == Qt.Orientation.Horizontal)
    graph, table, _ = view.body.sizes()
    assert graph > table


def test_no_results_before_the_analysis_starts() -> None:
    assert GameAnalysis().figures(load_game("tictactoe").initial()) is None


def test_the_choice_of_classes_is_kept(game_window: MainWindow) -> None:
    review = game_window.commands.games.review
    review.set_grading(True, "10 5 2 1 0,5")
    assert review.grading == Grading(True, (10.0, 5.0, 2.0, 1.0, 0.5))
    assert game_window.context.preferences.grading == "points 10 5 2 1 0.5"
    with pytest.raises(ValueError, match="five numbers"):
        review.set_grading(True, "1 2")
    assert review.grading.steps[0] == 10.0
    assert GameReview(game_window.context).grading == review.grading
    game_window.context.preferences.grading = "nonsense"
    assert GameReview(game_window.context).grading == Grading()
