"""A game analysed and judged: against exact solutions, stopped and continued, as CSV."""

from __future__ import annotations

import csv
import io
import json
import math
import random
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from core.engine import Evaluator
from core.games import GameSpec, Position, load_game
from core.glass.review import Figures, Grading, read_steps, report_json
from core.search import SearchSettings
from core.solve import Solver
from gui.jobs.game_analysis import Basis, GameAnalysis, evaluate
from gui.model.sources import UniformSource
from gui.rooms.report.game_graph import lead_span
from gui.rooms.report.game_report_view import (
    BELOW,
    BESIDE,
    LEAST_GRAPH,
    POINTS,
    PROVED,
    STACKED,
    GameReportView,
)
from gui.rooms.report.report_parts import CLASSES, OF_HUMAN, GameReport, class_of, make_report, report_csv
from models.commands.program import main

SMALL = "connect4(rows=4, cols=5, k=3)"
ROLLOUTS = SearchSettings(selection="ucb1", memory_mb=64)


@pytest.fixture
def analysis(qtbot: QtBot) -> Iterator[GameAnalysis]:
    """Make an analysis, and wait at the end until its threads have ended."""
    analysis = GameAnalysis()
    yield analysis
    analysis.stop()
    qtbot.waitUntil(lambda: not any(thread.name == "task" for thread in threading.enumerate()))


def random_game(game: GameSpec, seed: int) -> list[Position]:
    chance, positions = random.Random(seed), [game.initial()]
    while not positions[-1].is_over:
        positions.append(positions[-1].play(chance.choice(positions[-1].legal_actions())))
    return positions


@pytest.mark.parametrize(("text", "seed"), [("tictactoe", 1), ("tictactoe", 2), (SMALL, 3), (SMALL, 4)])
def test_mistakes_are_those_of_the_exact_solver(text: str, seed: int) -> None:
    positions = random_game(load_game(text), seed)
    basis = Basis(None, ROLLOUTS, 300_000)
    known = {position: evaluate(position, None, basis, lambda: False) for position in positions}
    report = make_report(positions, known.get)
    assert report.complete
    solver = Solver(positions[0].game)
    for position, after, move in zip(positions, positions[1:], report.moves, strict=False):
        assert move is not None
        solution = solver.solve(position)
        values = {m.action: m.value for m in solution.moves}
        worth = values[after.last_action]
        assert worth is not None
        if report.exact[move.ply]:
            assert report.values[move.ply] == solution.value * (1 if position.to_move == 0 else -1)
        if move.exact:
            assert (move.best_value, move.value) == (solution.value, worth)
            assert move.loss == (solution.value - worth) / 2
        assert move.kind == ("blunder" if solution.value > worth else "")
    judged = [move for move in report.moves if move is not None and move.exact]
    assert len(judged) >= len(report.moves) - 2, "so many simulations prove almost every position of these games"
    assert report.mistakes, "a random game without a mistake shows nothing"


def test_the_figures_are_those_of_analyze(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["analyze", "tictactoe", "b2 a1", "--simulations", "150", "--json", "--net", "rollouts"]
    assert main([*arguments, "--selection", "ucb1", "--memory-mb", "64"]) == 0
    received = json.loads(capsys.readouterr().out)
    position = load_game("tictactoe").position("b2 a1")
    found = evaluate(position, None, Basis(None, SearchSettings(**received["settings"]), 150), lambda: False)
    best = max(received["moves"], key=lambda row: row["visits"])
    assert found.visits == received["simulations"] == 150
    assert found.value == pytest.approx(received["value"], abs=1e-6)
    assert position.game.action_name(found.best[0]) == received["best"]["name"] == best["name"]
    assert found.best_value == pytest.approx(best["q"], abs=1e-6)


def test_a_stopped_analysis_continues_where_it_stopped(qtbot: QtBot, analysis: GameAnalysis) -> None:
    positions = random_game(load_game(SMALL), 5)
    basis = Basis(UniformSource(), SearchSettings(memory_mb=32, prove=False), 1500)
    analysis.start(positions, basis)
    qtbot.waitUntil(lambda: analysis.figures(positions[1]) is not None)
    analysis.stop()
    assert not analysis.running
    before = {position: analysis.figures(position) for position in positions}
    kept = {position: figures for position, figures in before.items() if figures is not None}
    assert len(kept) >= 2
    analysis.start(positions, basis)
    qtbot.waitUntil(lambda: not analysis.running)
    assert all(analysis.figures(position) is not None for position in positions)
    assert all(analysis.figures(position) is figures for position, figures in kept.items()), "not searched again"
    analysis.start(positions, basis)
    assert not analysis.running, "there is nothing left to do"
    analysis.start(positions, Basis(None, ROLLOUTS, 10))
    qtbot.waitUntil(lambda: not analysis.running)
    first = analysis.figures(positions[0])
    assert first.visits == 10, "another basis has figures of its own"


def test_a_failing_source_is_reported_once(qtbot: QtBot, analysis: GameAnalysis) -> None:
    class Broken:
        title, label = "broken.onnx", "broken"

        def load(self, game: GameSpec) -> Evaluator:
            raise ValueError("'broken.onnx' is not a net")

    received: list[str] = []
    analysis.failed.connect(received.append)
    analysis.start([load_game("tictactoe").initial()], Basis(Broken(), SearchSettings(), 10))
    qtbot.waitUntil(lambda: not analysis.running)
    assert received == [analysis.error] == ["'broken.onnx' is not a net"]


@pytest.mark.parametrize("simulations", [0, -1, "many", 1.5])
def test_an_invalid_number_of_simulations_is_quoted(simulations: Any) -> None:
    with pytest.raises(ValueError, match=r"simulations is .*it must"):
        Basis(None, SearchSettings(), simulations)


# judging, with scripted figures


def scripted(values: list[float | None], best: int = 8, best_value: float = 0.5) -> tuple[list[Position], dict]:
    """Return tic-tac-toe moves 0, 1, 2, … and their figures; the search always prefers ``best``, at ``best_value``."""
    positions = [load_game("tictactoe").initial()]
    for action in range(len(values) - 1):
        positions.append(positions[-1].play(action))
    found = {
        position: None if value is None else Figures(value, False, (best,), best_value, False, (best,), 100)
        for position, value in zip(positions, values, strict=True)
    }
    return positions, found


def test_losses_are_for_the_mover_in_expected_score() -> None:
    positions, found = scripted([0.5, -0.4, 0.0, 0.5, None])
    report = make_report(positions, found.get)
    first, second, third, fourth = report.moves
    assert fourth is None
    assert (first.value, first.loss, first.kind) == (0.4, pytest.approx(0.05), "inaccuracy")
    assert (second.value, second.loss, second.kind) == (0.0, 0.25, "blunder")
    assert (third.value, third.loss, third.kind) == (-0.5, 0.5, "blunder")
    assert report.values[:4] == (0.5, 0.4, 0.0, -0.5)
    assert math.isnan(report.values[4])
    assert (report.judged, report.complete) == (4, False)
    one, two = report.summary(0), report.summary(1)
    assert (one.moves, one.counts) == (2, {"blunder": 1, "mistake": 0, "inaccuracy": 1})
    assert one.mean_loss == pytest.approx(0.275)
    assert (two.moves, two.agreement) == (1, 0.0)


def test_the_move_the_search_would_play_loses_nothing() -> None:
    positions, found = scripted([0.5, 0.9], best=0)
    move = make_report(positions, found.get).moves[0]
    assert (move.agrees, move.loss, move.kind) == (True, 0.0, "")
    positions, found = scripted([0.5, -0.9], best=3)
    better = make_report(positions, found.get).moves[0]
    assert (better.agrees, better.loss) == (False, 0.0), "better than the search thought is no loss"


def test_next_mistake_steps_through_the_mistakes() -> None:
    report = report_of(*scripted([0.5, -0.5, 0.5, -0.5, 0.5]))
    assert [move.ply for move in report.mistakes] == [1, 3]
    for cursor, step, ply in ((0, 1, 1), (1, 1, 3), (2, 1, 3), (3, -1, 1), (2, -1, 1)):
        move = report.next_mistake(cursor, step)
        assert move.ply == ply
    assert report.next_mistake(3, 1) is None
    assert report.next_mistake(1, -1) is None


def test_classes_are_ordered_by_threshold() -> None:
    assert [class_of(kind.least) for kind in CLASSES] == ["blunder", "mistake", "inaccuracy"]
    assert class_of(0.049) == class_of(0.0) == ""
    assert class_of((1.0 - 0.9) / 2) == "inaccuracy", "rounding does not spare a loss that meets its threshold"


def test_the_csv_has_a_line_for_every_move() -> None:
    positions, found = scripted([0.5, -0.4, 0.0, 0.5, None])
    rows = list(csv.DictReader(io.StringIO(report_csv(make_report(positions, found.get)))))
    assert [row["ply"] for row in rows] == ["1", "2", "3", "4"]
    assert rows[1]["class"] == "blunder"
    assert rows[1]["player"] == "O"
    assert rows[1]["loss_of_expected_score"] == "0.250000"
    assert rows[1]["value_after_for_first_player"] == "0.000000"
    assert rows[3]["class"] == rows[3]["loss_of_expected_score"] == ""


# points, where the net gives score leads


def report_of(positions: list[Position], found: dict[Position, Figures | None]) -> GameReport:
    return make_report(positions, found.get)


def scripted_points(lost: list[float]) -> tuple[list[Position], dict]:
    """Return Go moves that lose so many points each, at equal values; the search prefers another move throughout."""
    positions, lead = [load_game("go(size=5)").initial()], 0.0
    found = {}
    for action, points in enumerate(lost):
        figures = Figures(0.0, False, (24,), 0.0, False, (24,), 100, lead, lead, (24, 23, action % 2 and action))
        found[positions[-1]] = figures
        positions.append(positions[-1].play(action))
        lead = -(lead - points)
    found[positions[-1]] = Figures(0.0, False, (24,), 0.0, lead=lead)
    return positions, found


LOST = [12.0, 6.5, 3.0, 1.5, 0.5, 0.2, -4.0, 0.0]


def test_points_are_the_lead_of_the_best_move_less_that_of_the_played_one() -> None:
    positions, found = scripted_points(LOST)
    report = make_report(positions, found.get)
    assert report.by_points
    moves = [move for move in report.moves if move is not None]
    assert [move.points for move in moves] == pytest.approx([12.0, 6.5, 3.0, 1.5, 0.5, 0.2, 0.0, 0.0])
    assert [move.kind for move in moves] == ["blunder", "blunder", "mistake", "inaccuracy", "", "", "", ""]
    assert report.leads[:3] == pytest.approx((0.0, -12.0, -5.5))
    one, two = report.summary(0), report.summary(1)
    assert one.mean_points == pytest.approx((12.0 + 3.0 + 0.5) / 4)
    assert (one.steps, two.steps) == ((1, 0, 1, 0, 1), (0, 1, 0, 1, 0))
    assert one.accuracy == pytest.approx(100 * 0.75**one.mean_points)
    assert (one.agreement, one.among_first) == (0.0, 0.25), "the first move at a1 is its third choice"
    assert two.among_first == 1.0


def test_the_limits_of_points_and_the_expected_score_can_be_chosen() -> None:
    positions, found = scripted_points(LOST)
    strict = make_report(positions, found.get, Grading(steps=(5.0, 3.0, 1.0, 0.2, 0.1)))
    kinds = [move.kind for move in strict.moves if move is not None]
    assert kinds == ["blunder", "blunder", "blunder", "mistake", "inaccuracy", "inaccuracy", "", ""]
    by_score = make_report(positions, found.get, Grading(by_points=False))
    assert by_score.mistakes == ()
    assert not by_score.by_points
    assert not report_of(*scripted([0.5, -0.4])).by_points, "no leads"


@pytest.mark.parametrize("text", ["12 6 3 1.5", "1 2 3 4 5", "12 6 3 1.5 x", "12 6 3 1.5 0", "2000 6 3 2 1", ""])
def test_bad_limits_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="write five numbers, each less than the one before, as in 12 6 3"):
        Grading(steps=read_steps(text))


def test_files_have_the_points_where_there_are_leads() -> None:
    positions, found = scripted_points(LOST)
    report = make_report(positions, found.get)
    rows = list(csv.DictReader(io.StringIO(report_csv(report))))
    assert [rows[0][name] for name in ("points_lost", "lead_of_move_for_mover", "lead_after_for_first_player")] == [
        "12.000000",
        "-12.000000",
        "-12.000000",
    ]
    made = report_json(report)
    assert made["classes"] == {"by": "points lost", "blunder": 6.0, "mistake": 3.0, "inaccuracy": 1.5}
    assert made["moves"][0]["points_lost"] == 12.0
    assert made["moves"][0]["class"] == "blunder"
    assert made["summary"][0]["moves_by_points_lost"] == {"12.0": 1, "6.0": 0, "3.0": 1, "1.5": 0, "0.5": 1}
    assert len(made["lead_for_first_player"]) == len(positions)
    json.dumps(made, allow_nan=False)
    without = report_of(*scripted([0.5, -0.4, None]))
    assert "points_lost" not in report_csv(without)
    assert report_json(without)["lead_for_first_player"] is None
    json.dumps(report_json(without), allow_nan=False)


def test_the_report_as_a_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("(;GM[4]SZ[3]PLYGAME[tictactoe]PB[Ann]PW[Ben];B[bb];W[ba];B[aa];W[cc])")
    arguments = ["report", str(path), "--net", "rollouts", "--simulations", "50"]
    assert main([*arguments, "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert (made["game"], made["simulations"], made["info"]) == ("tictactoe", 50, {"black": "Ann", "white": "Ben"})
    position, basis = load_game("tictactoe").initial(), Basis(None, SearchSettings(selection="ucb1"), 50)
    figures = evaluate(position, None, basis, lambda: False)
    assert made["value_for_first_player"][0] == pytest.approx(figures.value, abs=1e-6)
    assert len(made["moves"]) == 4
    assert main([*arguments, "--all"]) == 0
    text = capsys.readouterr().out
    assert "classes by expected score lost: blunder from 0.2" in text
    assert "Ann" in text
    assert main([*arguments, "--csv"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 5
    assert main([*arguments, "--classes", "1 2"]) == 2
    assert main([*arguments, "--number", "2"]) == 2
    assert "has 1 games" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("size", "arranged"),
    [((1480, 170), BESIDE), ((1480, 500), BESIDE), ((800, 720), BELOW), ((540, 560), BELOW), ((360, 500), STACKED)],
)
def test_the_parts_are_arranged_so_that_one_bar_at_most_scrolls(
    qtbot: QtBot, size: tuple[int, int], arranged: int
) -> None:
    holder = QWidget()  # a part of a window may be narrower than its controls would like
    qtbot.addWidget(holder)
    view = GameReportView(holder)
    view.resize(*size)
    holder.show()
    qtbot.waitUntil(lambda: view.graph is not None)
    assert view._arranged == arranged
    for label in (*view.summary.players, view.summary.cells["Accuracy", 0], view.summary.cells[OF_HUMAN, 1]):
        assert label.isHidden() or not label.text(), "nothing is known yet"
    assert view.table.horizontalScrollBar().maximum() == 0
    view.show_report(report_of(*scripted_points([13.0] * 20)))
    rows = len(view.table.mistakes.rows)
    assert rows > 8
    bars = (view._scroll.verticalScrollBar(), view.table.verticalScrollBar())
    qtbot.waitUntil(lambda: any(bar.maximum() for bar in bars))
    assert not all(bar.maximum() for bar in bars)
    if arranged == BESIDE:
        assert not bars[0].maximum()
        assert view.summary.visibleRegion().boundingRect().width() >= view.summary.sizeHint().width()
    else:
        assert not view._figures.verticalScrollBar().maximum()
    if arranged == STACKED:
        view.table.setFocus()
        view.table.selectRow(rows - 1)
        last = view.table.visualRect(view.table.currentIndex()).center()
        seen = view._scroll.viewport()
        assert seen.rect().contains(view.table.viewport().mapTo(seen, last))
    graph = view.graph
    assert graph.width() >= min(LEAST_GRAPH, size[0] // 2)


def test_the_room_shows_points_where_there_are_leads(qtbot: QtBot) -> None:
    positions, found = scripted_points(LOST)
    view = GameReportView()
    qtbot.addWidget(view)
    view.resize(1200, 300)
    view.show()
    qtbot.waitUntil(lambda: view.graph is not None)
    assert view.graph is not None
    played, judged = scripted([0.5, -0.5, 0.5])
    for exact in (False, True):
        found_here = {place: replace(figures, exact=exact, best_exact=exact) for place, figures in judged.items()}
        view.show_report(report_of(played, found_here))
        assert view.table.mistakes.rows
        assert view.table.isColumnHidden(PROVED) == (not exact)
    assert view.grading.isHidden()
    move = view.table.mistakes.rows[0].move
    view._point(move.ply + 1.0)  # the curve goes from -1 to +1, so a loss says its own scale
    assert f"loss {move.loss:.2f} of 1" in view.caption.text()
    assert "Loss, 0–1" in [column.title for column in view.table.mistakes.columns]
    view._point(math.nan)
    assert view.table.isColumnHidden(POINTS)
    assert not view.graph.plot.right
    assert view.summary.cells["Accuracy", 0].isHidden()
    report = make_report(positions, found.get)
    view.show_report(report)
    assert not view.grading.isHidden()
    assert not view.table.isColumnHidden(POINTS)
    assert view.table.isColumnHidden(PROVED)
    assert view.graph.plot.right
    assert view.summary.cells["Points lost a move", 0].text() == "3.88"
    assert view.summary.cells["Points lost a move", 0].toolTip().splitlines()[0] == "12 points or more: 1"
    drawn = view.graph.curves[1][1]
    span = lead_span(report)
    assert drawn == pytest.approx([max(-1.0, min(1.0, lead / span)) for lead in report.leads])
    view.show_cursor(1)
    assert "points" in view.caption.text()
    view.grading.show_grading(Grading())
    sent: list[tuple[bool, str]] = []
    view.grading_changed.connect(lambda by_points, steps: sent.append((by_points, steps)))
    view.grading.by.setCurrentIndex(1)
    view.grading.by.activated.emit(1)
    assert sent == [(False, "12 6 3 1.5 0.5")]
    assert not view.grading.steps.isEnabled()


def test_stones_set_up_are_no_move_to_judge() -> None:
    game = load_game("go(size=5)")
    first = game.initial().play(12)
    cells = first.cells()
    cells[0, 0] = 2
    changed = game.set_up(cells, 1)
    positions = [game.initial(), first, changed, changed.play(2)]
    figures = Figures(value=0.0, exact=False, best=(7,), best_value=0.5)
    report = make_report(positions, lambda _: figures)
    assert report.names == ("c3", "set up", "c5")
    assert [move is not None for move in report.moves] == [True, False, True]
    assert report_csv(report).splitlines()[2].startswith("2,,set up,")
