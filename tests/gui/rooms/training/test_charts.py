"""The charts of a run: curves, figures under the crosshair, choosing a checkpoint."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.rooms.training.chart_page import PASS_MS, RunCharts
from gui.rooms.training.checkpoints import VALUE_CHART
from gui.rooms.training.known_runs import ShownRun
from gui.rooms.training.run_charts import CHARTS, RUN_CHARTS, Curve, RunChart, draw_curves, exam_kind, exam_title
from gui.rooms.training.run_model import Moment, RunModel, Series
from gui.widgets.charts.chart import Chart
from gui.widgets.charts.lines import View, nearest, tick_text
from tests.gui.rooms.training.conftest import delete_now
from tests.gui.rooms.training.runs import iteration, write_reports, write_run


@pytest.fixture(scope="module")
def made(qapp: QApplication) -> Iterator[RunCharts]:
    """A page with all charts, which take a second to make."""
    page = RunCharts()
    page.resize(1100, 1800)  # all visible
    page.show()
    while len(page.grid.charts) < len(CHARTS):
        QApplication.processEvents()
    page.hide()
    page.grid._passes.stop()
    yield page
    delete_now(page)


@pytest.fixture
def page(made: RunCharts) -> Iterator[RunCharts]:
    """The page without a run, as it was made."""
    made.resize(1100, 1800)
    made.grid.verticalScrollBar().setValue(0)
    made.set_view(View("step"))
    made.grid.set_marker(math.nan)
    made.grid._passes.setInterval(PASS_MS)
    made.show_runs([])
    made.grid.draw_all()
    made.show()
    yield made
    made.hide()
    made.grid._passes.stop()


@pytest.fixture
def run(tmp_path: Path) -> RunModel:
    run = RunModel(write_run(tmp_path / "r", iterations=12, kept=3))
    while run.look() or run.behind:
        pass
    return run


POINTS = {"held_out_policy_loss", "held_out_value_loss", "score_loss", "ownership_loss", "wrong_resignations", "sizes"}


def draw(page: RunCharts, run: RunModel | None, qtbot: QtBot) -> dict[str, Chart]:
    page.show_runs([ShownRun(run, 0)] if run is not None else [])
    qtbot.waitUntil(lambda: page.grid.ready)
    page.grid.draw_all()
    return page.grid.charts


@pytest.mark.slow
def test_every_figure_a_run_reports_has_its_chart(page: RunCharts, run: RunModel, qtbot: QtBot) -> None:
    charts = draw(page, run, qtbot)
    for spec in CHARTS:
        assert not charts[spec.id].plot.empty.isVisible(), spec.id
    assert charts["policy"].curves[0] == ([100.0 * n for n in range(1, 13)], [1.1 + 1.0 / n for n in range(1, 13)])
    assert len(charts["evaluations"].curves) == 2
    assert charts["exam_moves"].curves[0][0] == [400.0, 800.0, 1200.0]
    assert [row[2:] for row in charts["exam_values"].legend.rows] == [
        ("nearly full", "70\u202f%"),
        ("early", "46\u202f%"),
    ]


def test_charts_without_data_say_so(page: RunCharts, qtbot: QtBot) -> None:
    charts = draw(page, None, qtbot)
    for chart in charts.values():
        assert chart.plot.empty.isVisible() == chart.isVisible() == (page.grid.specs[chart.id].optional is None)


@pytest.mark.slow
def test_charts_that_few_runs_need_come_with_their_figures(page: RunCharts, tmp_path: Path, qtbot: QtBot) -> None:
    optional = [spec.id for spec in CHARTS if spec.optional is not None]
    assert optional == [spec.id for spec in CHARTS[-len(optional) :]]  # no gap in the grid
    folder = write_run(tmp_path / "r", iterations=0, kept=0)
    plain = {name: value for name, value in iteration(1).items() if name not in POINTS}
    write_reports(folder, [plain], "a")
    run = RunModel(folder)
    run.look()
    charts = draw(page, run, qtbot)
    assert not any(charts[name].isVisible() for name in optional)
    write_reports(folder, [{**plain, "iteration": 2, "step": 200, "wrong_resignations": None, "score_loss": 2.5}], "a")
    run.look()
    charts = draw(page, run, qtbot)
    qtbot.waitUntil(charts["score"].isVisible)
    assert [name for name in optional if charts[name].isVisible()] == ["score"]


@pytest.mark.slow
def test_each_size_of_the_board_has_its_curve(page: RunCharts, run: RunModel, qtbot: QtBot) -> None:
    charts = draw(page, run, qtbot)
    assert [row[2:] for row in charts["plies_by_size"].legend.rows] == [("3×3", "8.0"), ("4×4", "32.0")]
    assert charts["plies_by_size"].curves[1][1] == [20.0 + n for n in range(1, 13)]
    assert [row[2:] for row in charts["wins_by_size"].legend.rows] == [("3×3", "50\u202f%"), ("4×4", "–")]


@pytest.mark.slow
def test_minutes_instead_of_steps(page: RunCharts, run: RunModel, qtbot: QtBot) -> None:
    charts = draw(page, run, qtbot)
    page.set_axis("minutes")
    qtbot.waitUntil(lambda: page.grid.ready)
    assert charts["value"].curves[0][0][-1] == 6.0


def test_one_crosshair_reads_all_charts(page: RunCharts, run: RunModel, qtbot: QtBot) -> None:
    charts = draw(page, run, qtbot)
    charts["policy"].plot.pointed.emit(310.0)
    third = f"{1.1 + 1 / 3:.3f}"
    qtbot.waitUntil(lambda: charts["policy"].legend.rows[0][3] == third)
    assert charts["value"].legend.rows[0][3] == f"{0.6 + 0.3 / 3:.3f}"
    charts["policy"].plot.pointed.emit(math.nan)
    qtbot.waitUntil(lambda: charts["policy"].legend.rows[0][3] == f"{1.1 + 1 / 12:.3f}")


def test_between_distant_reports_the_crosshair_stands_at_the_one_it_reads(
    page: RunCharts, run: RunModel, qtbot: QtBot
) -> None:
    """The line between two exams passes through shares that no exam gave."""
    charts = draw(page, run, qtbot)
    exam = charts["exam_moves"]
    exam.plot.pointed.emit(570.0)
    qtbot.waitUntil(lambda: "step 400" in exam.unit.text())
    assert exam.plot.cross == 400
    assert {x for x, _, _ in exam.plot.dots} == {400.0}
    elo = charts["elo"]
    assert (elo.plot.cross, elo.legend.rows[0][2]) == (400, "step 400")
    assert charts["policy"].plot.cross == 600
    exam.plot.pointed.emit(math.nan)
    qtbot.waitUntil(lambda: math.isnan(exam.plot.cross))


@pytest.mark.slow
def test_a_click_on_the_ladder_chooses_the_next_net(page: RunCharts, run: RunModel, qtbot: QtBot) -> None:
    charts = draw(page, run, qtbot)
    elo = charts["elo"]
    with qtbot.waitSignal(page.checkpoint_chosen) as chosen:
        elo.plot.pressed.emit(830.0)
    assert chosen.args == [800]
    page.grid.set_marker(800.0)
    assert elo.legend.rows[0][2] == "step 800"
    assert "(" in elo.legend.rows[0][3]  # with its interval
    assert sorted(level.name for level in elo.drawing.levels) == ["random", "rollouts:100"]


@pytest.mark.slow
def test_missing_figures_are_gaps(page: RunCharts, tmp_path: Path, qtbot: QtBot) -> None:
    folder = write_run(tmp_path / "r", iterations=2, kept=0)
    write_reports(folder, [{**iteration(3), "policy_loss": None}], "a")
    run = RunModel(folder)
    run.look()
    charts = draw(page, run, qtbot)
    assert charts["policy"].legend.rows[0][3] == "–"


@pytest.mark.parametrize(
    ("name", "kind", "title"),
    [
        ("L1_R2 policy", "policy", "L1 R2"),
        ("endgame_value", "value", "endgame"),
        ("value", "value", "value"),
        ("4x4", "policy", "4x4"),
    ],
)
def test_every_exam_has_its_chart_and_a_short_title(name: str, kind: str, title: str) -> None:
    assert exam_kind(name) == kind
    assert exam_title(name, kind) == title


@pytest.mark.parametrize(("at", "place"), [(-5, 0), (11, 0), (16, 1), (99, 2)])
def test_nearest_finds_the_closest_step(at: float, place: int) -> None:
    assert nearest([10.0, 20.0, 30.0], at) == place


@pytest.mark.parametrize(
    ("value", "text"), [(0.5, "0.5"), (-1, "−1"), (25_000, "25k"), (2e-4, "2e−4"), (0.0, "0"), (1234.5, "1234.5")]
)
def test_ticks_are_short(value: float, text: str) -> None:
    assert tick_text(value) == text


def test_charts_are_drawn_when_scrolled_into_view(page: RunCharts, run: RunModel, qtbot: QtBot) -> None:
    page.resize(1100, 400)
    page.show_runs([ShownRun(run, 0)])
    charts = page.grid.charts
    qtbot.waitUntil(lambda: not charts["policy"].plot.is_empty)
    assert charts["memory"].plot.is_empty
    page.grid.ensureWidgetVisible(charts["memory"])
    qtbot.waitUntil(lambda: not charts["memory"].plot.is_empty)


@pytest.mark.slow
def test_new_reports_of_a_run_wait_for_the_next_pass(page: RunCharts, tmp_path: Path, qtbot: QtBot) -> None:
    folder = write_run(tmp_path / "r", iterations=2, kept=0)
    run = RunModel(folder)
    run.look()
    page.grid._passes.setInterval(60_000)  # a loaded machine takes seconds to draw
    charts = draw(page, run, qtbot)
    write_reports(folder, [iteration(3)], "a")
    run.look()
    page.show_runs([ShownRun(run, 0)])
    page.grid.draw_all()
    assert len(charts["policy"].curves[0][0]) == 2
    page.grid._passes.setInterval(1)
    qtbot.waitUntil(lambda: len(charts["policy"].curves[0][0]) == 3)


def test_a_net_without_a_bout_is_not_on_the_ladder(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", iterations=3, kept=1)
    ratings = {"random": [0, 0, 0], "step-00000300": [225, 165, 295], "step-00000400": [0, -3920, 3920]}
    write_reports(folder, [{"event": "ladder", "elapsed_s": 99.0, "ratings": ratings, "best": ""}], "a")
    run = RunModel(folder)
    run.look()
    assert set(run.ratings) == {"random", "step-00000300"}
    pair = {"players": ["step-00000400", "random"], "wins": 5, "draws": 1, "losses": 2}
    write_reports(folder, [{"event": "match", "elapsed_s": 100.0, **pair}], "a")
    write_reports(folder, [{"event": "ladder", "elapsed_s": 101.0, "ratings": ratings, "best": ""}], "a")
    run.look()
    assert "step-00000400" in run.ratings


def chart_of(qtbot: QtBot, row: RunChart, *curves: tuple[Curve, Series]) -> Chart:
    """Return a chart that shows these curves of two steps."""
    chart = Chart(row.title, row.meaning)
    qtbot.addWidget(chart)
    chart.show_drawing(draw_curves(row, list(curves), View("step"), (0.0, 2.0)))
    return chart


def test_curves_for_comparison_do_not_set_the_axis_range(qtbot: QtBot) -> None:
    row = next(row for row in RUN_CHARTS if row.id == "evaluations")
    own, alone = row.curves
    chart = chart_of(qtbot, row, (own, series(900, 1000)), (alone, series(52000, 52000)))
    assert chart.plot.up.span[1] < 1100
    assert chart.legend.rows[1][3] == "52\u202f000"


def test_small_value_differences_do_not_fill_the_axis(qtbot: QtBot) -> None:
    chart = chart_of(qtbot, VALUE_CHART, (Curve("v", "value"), series(0.201, 0.203)))
    low, high = chart.plot.up.span
    assert high - low >= 0.5
    assert low < 0.2 < high


def series(*values: float) -> Series:
    """Return a series with these values for the first steps."""
    made = Series()
    for place, value in enumerate(values, 1):
        made.add(Moment(step=place, minutes=place / 10), value)
    return made


def test_a_long_unit_makes_no_chart_wider(qtbot: QtBot) -> None:
    rows = [replace(VALUE_CHART, unit=unit) for unit in ("%", "for the side to move, of all positions")]
    charts = [chart_of(qtbot, row, (Curve("v", "value"), series(0.2))) for row in rows]
    assert charts[0].minimumSizeHint() == charts[1].minimumSizeHint()


def test_two_whole_rows_of_charts_are_in_sight_in_a_low_window(qtbot: QtBot) -> None:
    page = RunCharts()
    qtbot.addWidget(page)
    grid = page.grid
    page.show()
    page.resize(820, 405 + page.height() - grid.viewport().height())
    qtbot.waitUntil(lambda: len(grid.charts) == len(CHARTS))
    charts = list(grid.charts.values())
    seen = grid.viewport().rect().adjusted(0, 0, 0, 1)
    qtbot.waitUntil(lambda: charts[2].mapTo(grid.viewport(), charts[2].rect().topLeft()).y() > 0)
    for chart in charts[:4]:
        assert seen.contains(chart.rect().translated(chart.mapTo(grid.viewport(), chart.rect().topLeft())))
