"""The charts of a run: curves, figures under the crosshair, choosing a checkpoint."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.rooms.training.chart_grid import PASS_MS, ChartGrid
from gui.rooms.training.charts import Chart, Look, exam_kind, exam_title
from gui.rooms.training.checkpoints import VALUE_CHART
from gui.rooms.training.comparison import Shown
from gui.rooms.training.elo_chart import EloChart
from gui.rooms.training.run_model import RunModel
from gui.rooms.training.series import Moment, Series, nearest
from gui.widgets.chart_table import CHARTS, Curve, tick_text
from tests.gui.rooms.training.conftest import delete_now
from tests.gui.rooms.training.runs import iteration, write_reports, write_run


@pytest.fixture(scope="module")
def made(qapp: QApplication) -> Iterator[ChartGrid]:
    """A grid with all charts, which take a second to make."""
    grid = ChartGrid()
    grid.resize(1100, 1800)  # all visible
    grid.show()
    while len(grid.charts) < len(CHARTS):
        QApplication.processEvents()
    grid.hide()
    grid._passes.stop()
    yield grid
    delete_now(grid)


@pytest.fixture
def grid(made: ChartGrid) -> Iterator[ChartGrid]:
    """The grid without a run, as it was made."""
    made.resize(1100, 1800)
    made.verticalScrollBar().setValue(0)
    made.set_look(Look())
    made.set_marker(math.nan)
    made._passes.setInterval(PASS_MS)
    made.show_runs([])
    made.show()
    yield made
    made.hide()
    made._passes.stop()


@pytest.fixture
def run(tmp_path: Path) -> RunModel:
    run = RunModel(write_run(tmp_path / "r", iterations=12, kept=3))
    while run.look() or run.behind:
        pass
    return run


POINTS = {"held_out_policy_loss", "held_out_value_loss", "score_loss", "ownership_loss", "wrong_resignations", "sizes"}


def draw(grid: ChartGrid, run: RunModel | None, qtbot: QtBot) -> None:
    grid.show_runs([Shown(run, 0)] if run is not None else [])
    qtbot.waitUntil(lambda: not grid._stale)


def drawn(grid: ChartGrid, chart: str) -> list[tuple[list[float], list[float]]]:
    """Return the x and y values of each curve."""
    found = grid.charts[chart]
    items = [item for item in found._items if item.isVisible()]
    return [(item.getData()[0].tolist(), item.getData()[1].tolist()) for item in items]


@pytest.mark.slow
def test_every_figure_a_run_reports_has_its_chart(grid: ChartGrid, run: RunModel, qtbot: QtBot) -> None:
    draw(grid, run, qtbot)
    for spec in CHARTS:
        assert not grid.charts[spec.id].plot.empty.isVisible(), spec.id
    assert drawn(grid, "policy")[0] == ([100.0 * n for n in range(1, 13)], [1.1 + 1.0 / n for n in range(1, 13)])
    assert len(drawn(grid, "evaluations")) == 2
    assert drawn(grid, "exam_moves")[0][0] == [400.0, 800.0, 1200.0]
    assert [row[2:] for row in grid.charts["exam_values"].legend.rows] == [
        ("nearly full", "70\u202f%"),
        ("early", "46\u202f%"),
    ]


def test_charts_without_data_say_so(grid: ChartGrid, qtbot: QtBot) -> None:
    draw(grid, None, qtbot)
    for chart in grid.charts.values():
        assert chart.plot.empty.isVisible() == chart.isVisible() == (not chart.spec.optional)


@pytest.mark.slow
def test_charts_that_few_runs_need_come_with_their_figures(grid: ChartGrid, tmp_path: Path, qtbot: QtBot) -> None:
    optional = [spec.id for spec in CHARTS if spec.optional]
    assert optional == [spec.id for spec in CHARTS[-len(optional) :]]  # no gap in the grid
    folder = write_run(tmp_path / "r", iterations=0, kept=0)
    plain = {name: value for name, value in iteration(1).items() if name not in POINTS}
    write_reports(folder, [plain], "a")
    run = RunModel(folder)
    run.look()
    draw(grid, run, qtbot)
    assert not any(grid.charts[name].isVisible() for name in optional)
    write_reports(folder, [{**plain, "iteration": 2, "step": 200, "wrong_resignations": None, "score_loss": 2.5}], "a")
    run.look()
    draw(grid, run, qtbot)
    qtbot.waitUntil(grid.charts["score"].isVisible)
    assert [name for name in optional if grid.charts[name].isVisible()] == ["score"]


@pytest.mark.slow
def test_each_size_of_the_board_has_its_curve(grid: ChartGrid, run: RunModel, qtbot: QtBot) -> None:
    draw(grid, run, qtbot)
    assert [row[2:] for row in grid.charts["plies_by_size"].legend.rows] == [("3×3", "8.0"), ("4×4", "32.0")]
    assert drawn(grid, "plies_by_size")[1][1] == [20.0 + n for n in range(1, 13)]
    assert [row[2:] for row in grid.charts["wins_by_size"].legend.rows] == [("3×3", "50\u202f%"), ("4×4", "–")]


@pytest.mark.slow
def test_minutes_instead_of_steps(grid: ChartGrid, run: RunModel, qtbot: QtBot) -> None:
    draw(grid, run, qtbot)
    grid.set_look(Look("minutes"))
    qtbot.waitUntil(lambda: not grid._stale)
    assert drawn(grid, "value")[0][0][-1] == 6.0


def test_one_crosshair_reads_all_charts(grid: ChartGrid, run: RunModel, qtbot: QtBot) -> None:
    draw(grid, run, qtbot)
    grid.charts["policy"].plot.pointed.emit(310.0)
    third = f"{1.1 + 1 / 3:.3f}"
    qtbot.waitUntil(lambda: grid.charts["policy"].legend.rows[0][3] == third)
    assert grid.charts["value"].legend.rows[0][3] == f"{0.6 + 0.3 / 3:.3f}"
    grid.charts["policy"].plot.pointed.emit(math.nan)
    qtbot.waitUntil(lambda: grid.charts["policy"].legend.rows[0][3] == f"{1.1 + 1 / 12:.3f}")


def test_between_distant_reports_the_crosshair_stands_at_the_one_it_reads(
    grid: ChartGrid, run: RunModel, qtbot: QtBot
) -> None:
    """The line between two exams passes through shares that no exam gave."""
    draw(grid, run, qtbot)
    exam = grid.charts["exam_moves"]
    exam.plot.pointed.emit(570.0)
    qtbot.waitUntil(lambda: "step 400" in exam.unit.text())
    assert exam.plot.cross.value() == 400
    assert {point.pos().x() for point in exam._dots.points()} == {400.0}
    elo = grid.charts["elo"]
    assert (elo.plot.cross.value(), elo.legend.rows[0][2]) == (400, "step 400")
    assert grid.charts["policy"].plot.cross.value() == 600
    exam.plot.pointed.emit(math.nan)
    qtbot.waitUntil(lambda: not exam.plot.cross.isVisible())


@pytest.mark.slow
def test_a_click_on_the_ladder_chooses_the_next_net(grid: ChartGrid, run: RunModel, qtbot: QtBot) -> None:
    draw(grid, run, qtbot)
    elo = grid.charts["elo"]
    assert isinstance(elo, EloChart)
    with qtbot.waitSignal(grid.checkpoint_chosen) as chosen:
        elo.plot.pressed.emit(830.0)
    assert chosen.args == [800]
    grid.set_marker(800.0)
    assert elo.legend.rows[0][2] == "step 800"
    assert "(" in elo.legend.rows[0][3]  # with its interval
    assert sorted(name.toPlainText() for _, name in elo._fixed if name.isVisible()) == ["random", "rollouts:100"]


@pytest.mark.slow
def test_missing_figures_are_gaps(grid: ChartGrid, tmp_path: Path, qtbot: QtBot) -> None:
    folder = write_run(tmp_path / "r", iterations=2, kept=0)
    write_reports(folder, [{**iteration(3), "policy_loss": None}], "a")
    run = RunModel(folder)
    run.look()
    draw(grid, run, qtbot)
    assert grid.charts["policy"].legend.rows[0][3] == "–"


@pytest.mark.slow
def test_curves_are_made_once(grid: ChartGrid, run: RunModel, qtbot: QtBot) -> None:
    draw(grid, run, qtbot)
    before = {name: list(chart._items) for name, chart in grid.charts.items()}
    draw(grid, run, qtbot)
    assert {name: list(chart._items) for name, chart in grid.charts.items()} == before


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


def test_charts_are_drawn_when_scrolled_into_view(grid: ChartGrid, run: RunModel, qtbot: QtBot) -> None:
    grid.resize(1100, 400)
    grid.show_runs([Shown(run, 0)])
    policy, memory = grid.charts["policy"], grid.charts["memory"]
    qtbot.waitUntil(lambda: policy not in grid._stale)
    assert not policy.plot.empty.isVisible()
    assert memory in grid._stale
    grid.ensureWidgetVisible(memory)
    qtbot.waitUntil(lambda: memory not in grid._stale)
    assert memory.lines


@pytest.mark.slow
def test_new_reports_of_a_run_wait_for_the_next_pass(grid: ChartGrid, tmp_path: Path, qtbot: QtBot) -> None:
    folder = write_run(tmp_path / "r", iterations=2, kept=0)
    run = RunModel(folder)
    run.look()
    grid._passes.setInterval(60_000)  # a loaded machine takes seconds to draw
    draw(grid, run, qtbot)
    write_reports(folder, [iteration(3)], "a")
    run.look()
    grid.show_runs([Shown(run, 0)])
    assert not grid._stale
    grid._passes.setInterval(1)
    qtbot.waitUntil(lambda: len(drawn(grid, "policy")[0][0]) == 3)


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


def test_curves_for_comparison_do_not_set_the_axis_range(qtbot: QtBot) -> None:
    chart = Chart(next(spec for spec in CHARTS if spec.id == "evaluations"))
    qtbot.addWidget(chart)
    own, alone = chart.spec.curves
    chart.show_curves([(own, series(900, 1000)), (alone, series(52000, 52000))], "step", 2.0)
    assert chart.plot.viewRange()[1][1] < 1100
    assert chart.legend.rows[1][3] == "52\u202f000"


def test_small_value_differences_do_not_fill_the_axis(qtbot: QtBot) -> None:
    chart = Chart(VALUE_CHART)
    qtbot.addWidget(chart)
    chart.show_curves([(Curve("v", "value"), series(0.201, 0.203))], "step", 2.0)
    low, high = chart.plot.viewRange()[1]
    assert high - low >= 0.5
    assert low < 0.2 < high


def series(*values: float) -> Series:
    """Return a series with these values for the first steps."""
    made = Series()
    for place, value in enumerate(values, 1):
        made.add(Moment(step=place, minutes=place / 10), value)
    return made


def test_a_long_unit_makes_no_chart_wider(qtbot: QtBot) -> None:
    charts = [Chart(replace(VALUE_CHART, unit=unit)) for unit in ("%", "for the side to move, of all positions")]
    for chart in charts:
        qtbot.addWidget(chart)
    assert charts[0].minimumSizeHint() == charts[1].minimumSizeHint()
