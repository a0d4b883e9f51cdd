"""Several runs in the charts: chosen in the list, each in its colour, read at one place, saved."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QWheelEvent
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from gui.rooms.training.chart_page import RunCharts, read_view, written
from gui.rooms.training.known_runs import MOST, Comparison, ShownRun
from gui.rooms.training.run_charts import CHARTS
from gui.rooms.training.run_list import ring_of
from gui.rooms.training.run_model import Moment, RunModel, Series
from gui.rooms.training.tab import TrainingTab
from gui.widgets.charts.chart import Chart
from gui.widgets.charts.grid import COPY_CSV, COPY_PNG, SAVE_CSV, SAVE_PNG, ChartTools
from gui.widgets.charts.lines import View
from gui.widgets.charts.plot import log_ticks
from gui.widgets.preferences import Preferences
from gui.widgets.theme import current_theme
from models.runs.reports import read_reports
from tests.gui.rooms.training.conftest import delete_now
from tests.gui.rooms.training.runs import iteration, write_reports, write_run


def read(folder: Path) -> RunModel:
    run = RunModel(folder)
    while run.look() or run.behind:
        pass
    return run


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[ShownRun]:
    """Return a run of 12 iterations and one of 6, whose losses differ."""
    home = tmp_path_factory.mktemp("runs")
    long = write_run(home / "long", iterations=12, kept=3)
    short = write_run(home / "short", iterations=0, kept=0)
    write_reports(short, [{**iteration(n), "policy_loss": 2.0 + 1.0 / n, "samples": 100} for n in range(1, 7)], "a")
    return [ShownRun(read(long), 0), ShownRun(read(short), 2)]


def made_page(qapp: QApplication) -> RunCharts:
    """Return a shown page with all charts made."""
    page = RunCharts()
    page.resize(1100, 900)
    page.show()
    while len(page.grid.charts) < len(CHARTS):
        qapp.processEvents()
    return page


@pytest.fixture(scope="module")
def made(qapp: QApplication) -> Iterator[RunCharts]:
    page = made_page(qapp)
    page.hide()
    page.grid._passes.stop()
    yield page
    delete_now(page)


@pytest.fixture
def active_page(qapp: QApplication, qtbot: QtBot) -> Iterator[RunCharts]:
    """Return a page of its own, whose charts can have the focus; off the screen a window is activated once."""
    page = made_page(qapp)
    qtbot.waitUntil(page.isActiveWindow)
    yield page
    delete_now(page)


@pytest.fixture
def page(made: RunCharts) -> Iterator[RunCharts]:
    """Show the page as it was made."""
    made.recall(Preferences())
    made.grid.enlarge(None)
    made.grid.point_at(math.nan)
    made.show()
    yield made
    made.hide()
    made.grid._passes.stop()


def draw(page: RunCharts, runs: list[ShownRun], qtbot: QtBot) -> None:
    page.show_runs(runs)
    drawn(page, qtbot)


def drawn(page: RunCharts, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: page.grid.ready)


def values(chart: Chart) -> list[str]:
    return [row[3] for row in chart.legend.rows]


# which runs


def test_runs_keep_their_colours_while_they_are_shown() -> None:
    known = {Path(name): RunModel(Path(name)) for name in "abc"}
    a, b, c = known
    comparison = Comparison()
    assert comparison.shown(a, known) == [ShownRun(known[a], 0)]
    assert comparison.toggle(b, a)
    assert comparison.shown(a, known) == [ShownRun(known[a], 0), ShownRun(known[b], 1)]
    assert comparison.shown(c, known) == [ShownRun(known[c], 2), ShownRun(known[a], 0), ShownRun(known[b], 1)]
    assert comparison.toggle(a, c)
    assert comparison.shown(c, known) == [ShownRun(known[c], 2), ShownRun(known[b], 1)]
    del known[b]
    assert comparison.shown(c, known) == [ShownRun(known[c], 2)]
    assert comparison.kept == []


def test_no_more_runs_are_compared_than_there_are_colours() -> None:
    comparison = Comparison()
    assert all(comparison.toggle(Path(str(n)), Path("0")) for n in range(1, MOST))
    assert not comparison.toggle(Path("more"), Path("0"))
    assert len(comparison.kept) == MOST


@pytest.mark.slow
def test_a_ring_in_the_list_keeps_its_run_in_the_charts(tab: TrainingTab, home: Path, qtbot: QtBot) -> None:
    for name in "abc":
        write_run(home / name, iterations=3, kept=0)
    tab._list_runs()
    tab.choose(home / "a")
    ring = ring_of(tab.list.visualItemRect(tab.list.item(1))).center()
    qtbot.mouseClick(tab.list.viewport(), Qt.MouseButton.LeftButton, pos=ring)
    assert tab.known_runs.chosen == home / "a"
    qtbot.waitUntil(lambda: [one.run.name for one in tab.view.charts.shown] == ["a", "b"])
    assert [(row.colour, row.kept) for row in tab.list.rows()] == [(0, True), (1, True), (-1, False)]
    tab.list.setCurrentRow(2)
    qtbot.waitUntil(lambda: [one.run.name for one in tab.view.charts.shown] == ["c", "a", "b"])
    qtbot.keyClick(tab.list, Qt.Key.Key_Space)
    assert tab.comparison.kept == [home / "a", home / "b", home / "c"]
    write_reports(home / "b", [iteration(4)], "a")
    tab.tick()
    qtbot.waitUntil(lambda: tab.view.charts.shown[2].run.iterations == 4)
    grid = tab.view.charts.grid
    qtbot.waitUntil(lambda: "policy" in grid.charts and len(grid.charts["policy"].drawing.lines[2].x) == 4)


# curves


@pytest.mark.slow
def test_each_run_has_its_colour_and_each_figure_its_line(page: RunCharts, runs: list[ShownRun], qtbot: QtBot) -> None:
    draw(page, runs, qtbot)
    policy = page.grid.charts["policy"]
    assert [at for at, _ in policy.curves[:2]] == [[100.0 * n for n in range(1, 13)], [100.0 * n for n in range(1, 7)]]
    series = current_theme().series
    assert [(row[0], row[1], row[2]) for row in policy.legend.rows] == [
        (series[0], 0, "mean loss"),
        (series[2], 0, ""),
        (series[0], 1, "floor: target entropy"),
        (series[2], 1, ""),
    ]
    assert "short mean loss 2.167" in policy.legend.accessibleDescription()
    page.set_axis("samples")
    drawn(page, qtbot)
    assert policy.curves[1][0] == [100.0 * n for n in range(1, 7)]
    assert policy.curves[0][0][-1] == 12 * 4096


def test_the_crosshair_reads_every_run_where_it_has_figures(
    page: RunCharts, runs: list[ShownRun], qtbot: QtBot
) -> None:
    draw(page, runs, qtbot)
    policy, value = page.grid.charts["policy"], page.grid.charts["value"]
    policy.plot.pointed.emit(310.0)
    qtbot.waitUntil(lambda: values(policy)[:2] == [f"{1.1 + 1 / 3:.3f}", f"{2 + 1 / 3:.3f}"])
    assert values(value) == [f"{0.6 + 0.3 / 3:.3f}"] * 2
    assert "step 300" in policy.unit.text()
    policy.plot.pointed.emit(900.0)
    qtbot.waitUntil(lambda: values(policy)[:2] == [f"{1.1 + 1 / 9:.3f}", "–"])
    elo = page.grid.charts["elo"]
    assert [row[3] for row in elo.legend.rows] == ["267"]  # of step 800


@pytest.mark.slow
def test_smoothing_leaves_the_figures_behind_the_curve(page: RunCharts, runs: list[ShownRun], qtbot: QtBot) -> None:
    draw(page, runs, qtbot)
    page.smoothing.setValue(50)
    drawn(page, qtbot)
    chart = page.grid.charts["value"]
    first, second = 0.9, 0.75
    mean = (0.5 * first + second) / 1.5
    assert chart.curves[0][1][:2] == pytest.approx([first, mean])
    assert chart.drawing.lines[0].raw[:2] == pytest.approx([first, second])
    page.grid.enlarge(chart)
    drawn(page, qtbot)
    page.grid.point_at(200.0)
    qtbot.waitUntil(lambda: values(chart)[0] == f"{mean:.3f} (0.750)")
    page.smoothing.setValue(0)
    drawn(page, qtbot)
    assert chart.drawing.lines[0].raw is None


@pytest.mark.slow
def test_a_logarithmic_axis_needs_positive_figures(page: RunCharts, runs: list[ShownRun], qtbot: QtBot) -> None:
    draw(page, runs, qtbot)
    policy, memory = page.grid.charts["policy"], page.grid.charts["memory"]
    page.grid.toggle_log(policy)
    drawn(page, qtbot)
    assert policy.log
    assert not memory.log
    assert policy.curves[0][1][0] == pytest.approx(math.log10(2.1))
    assert "logarithmic" in policy.unit.text()
    page.grid.toggle_log(page.grid.charts["results"])
    drawn(page, qtbot)
    folder = runs[0].run.path.parent / "zero"
    write_reports(write_run(folder, iterations=1, kept=0), [{**iteration(2), "policy_loss": 0.0}], "a")
    draw(page, [ShownRun(read(folder), 0)], qtbot)
    assert not policy.log
    assert not policy.drawing.can_be_log


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [(0, 2, [1, 10, 100, 2, 5, 20, 50]), (math.log10(1.2), math.log10(3.6), [2, 3]), (-3, -2.9, [0.0011, 0.0012])],
)
def test_ticks_of_a_logarithmic_axis_are_round(low: float, high: float, ticks: list[float]) -> None:
    found = [10**place for place in log_ticks(low, high)]
    assert set(ticks) <= {round(value, 12) for value in found}
    assert len(found) <= 8


# zoom and size


@pytest.mark.slow
def test_a_dragged_range_is_shown_in_all_charts_until_a_double_click(
    page: RunCharts, runs: list[ShownRun], qtbot: QtBot
) -> None:
    draw(page, runs, qtbot)
    plot, value = page.grid.charts["policy"].plot, page.grid.charts["value"]

    def at(x: float) -> QPoint:
        return plot.pixel_of(x, 1.5).toPoint()

    qtbot.mousePress(plot, Qt.MouseButton.LeftButton, pos=at(400))
    qtbot.mouseMove(plot, at(600))
    qtbot.mouseMove(plot, at(800))
    qtbot.mouseRelease(plot, Qt.MouseButton.LeftButton, pos=at(800))
    drawn(page, qtbot)
    assert page.grid.view.zoom == pytest.approx((400, 800), abs=10)
    assert value.plot.across.span == pytest.approx((400, 800), abs=10)
    assert value.plot.up.span[1] < 0.72  # as high as what is seen needs
    assert page.whole.isVisible()
    qtbot.mouseDClick(plot, Qt.MouseButton.LeftButton, pos=at(500))
    drawn(page, qtbot)
    assert page.grid.view.zoom is None
    assert not page.whole.isVisible()


def wheel(chart: Chart, keys: Qt.KeyboardModifier) -> bool:
    """Turn the wheel by one step over a chart; return whether the chart took it."""
    at = QPointF(chart.plot.rect().center())
    event = QWheelEvent(
        at,
        chart.plot.mapToGlobal(at),
        QPoint(),
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        keys,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(chart.plot, event)
    return event.isAccepted()


def test_the_wheel_scrolls_the_page_and_zooms_with_ctrl(page: RunCharts, runs: list[ShownRun], qtbot: QtBot) -> None:
    draw(page, runs, qtbot)
    chart = page.grid.charts["policy"]
    wheel(chart, Qt.KeyboardModifier.NoModifier)
    assert page.grid.view.zoom is None
    assert wheel(chart, Qt.KeyboardModifier.ControlModifier)
    left, right = page.grid.view.zoom or (0, 0)
    assert 0 < left < 600 < right < 1200
    page.grid.set_zoom(None)
    page.grid.enlarge(chart)
    assert wheel(chart, Qt.KeyboardModifier.NoModifier)
    assert page.grid.view.zoom is not None


@pytest.mark.slow
def test_keys_enlarge_a_chart_move_the_crosshair_and_zoom(
    active_page: RunCharts, runs: list[ShownRun], qtbot: QtBot
) -> None:
    page = active_page
    draw(page, runs, qtbot)
    chart, other = page.grid.charts["value"], page.grid.charts["policy"]
    chart.setFocus()
    small = chart.height()
    qtbot.keyClick(chart, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: chart.height() > 2 * small)
    assert chart.isVisible()
    assert not other.isVisible()
    assert page.back.isVisible()
    qtbot.keyClick(chart, Qt.Key.Key_Left)
    qtbot.keyClick(chart, Qt.Key.Key_Left)
    qtbot.waitUntil(lambda: values(chart)[0] == f"{0.6 + 0.3 / 11:.3f}")
    qtbot.keyClick(chart, Qt.Key.Key_Plus)
    assert page.grid.view.zoom is not None
    qtbot.keyClick(chart, Qt.Key.Key_0)
    assert page.grid.view.zoom is None
    qtbot.keyClick(chart, Qt.Key.Key_L)
    assert page.grid.view.logs == {"value"}
    qtbot.keyClick(chart, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: other.isVisible() and chart.height() == small)
    assert chart.hasFocus()


@pytest.mark.slow
def test_the_menu_of_a_chart_offers_what_it_can_do(active_page: RunCharts, runs: list[ShownRun], qtbot: QtBot) -> None:
    page = active_page
    draw(page, runs, qtbot)
    chart = page.grid.charts["policy"]
    tools = chart.findChild(ChartTools)
    assert not tools.isVisible()
    chart.setFocus()
    assert tools.isVisible()
    tools.open_menu(QPoint(0, 0))
    menu = QApplication.activePopupWidget()
    texts = {action.text(): action for action in menu.actions() if action.text()}
    assert list(texts) == [
        "Enlarge",
        "Whole range",
        "Logarithmic axis",
        "Picture as PNG…",
        "Copy a picture",
        "Figures as CSV…",
        "Copy the figures",
    ]
    assert not texts["Whole range"].isEnabled()
    texts["Logarithmic axis"].trigger()
    menu.close()
    assert page.grid.view.logs == {"policy"}


@pytest.mark.slow
def test_a_long_run_is_drawn_with_a_few_points_for_each_pixel(page: RunCharts, tmp_path: Path, qtbot: QtBot) -> None:
    run, series = RunModel(tmp_path), Series()
    for n in range(1, 10_001):
        series.add(Moment(step=100 * n), math.sin(n))
    run.series, run.step = {"games_per_s": series}, 1_000_000
    draw(page, [ShownRun(run, 0)], qtbot)
    chart = page.grid.charts["games"]
    assert len(chart.drawing.lines[0].x) == 10_000
    assert 100 < len(chart.curves[0][0]) <= 4 * chart.plot.width()
    page.grid.set_zoom((1000.0, 3000.0))
    drawn(page, qtbot)
    assert chart.curves[0][0] == [100.0 * n for n in range(9, 32)]


# files and preferences


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_the_figures_are_those_of_the_reports(page: RunCharts, runs: list[ShownRun], qtbot: QtBot) -> None:
    draw(page, runs, qtbot)
    page.carry_out(page.grid.charts["policy"], COPY_CSV)
    rows = table(QGuiApplication.clipboard().text())
    found = {
        (row["run"], float(row["iteration"])): float(row["value"]) for row in rows if row["figure"] == "policy_loss"
    }
    for run, _ in runs:
        for report in read_reports(run.path / "reports.jsonl"):
            if report["event"] == "iteration":
                assert found.pop((run.name, report["iteration"])) == pytest.approx(report["policy_loss"])
    assert not found
    page.carry_out(None, COPY_CSV)
    rows = table(QGuiApplication.clipboard().text())
    assert {row["chart"] for row in rows} == set(page.grid.charts)
    assert {row["figure"] for row in rows if row["chart"] == "elo"} == {"elo", "low", "high"}
    assert next(row["value"] for row in rows if row["figure"] == "late policy") == "0.8"  # a share, as reported


@pytest.mark.slow
def test_charts_are_saved_and_copied(
    page: RunCharts, runs: list[ShownRun], tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw(page, runs, qtbot)
    chart = page.grid.charts["policy"]
    page.carry_out(chart, COPY_PNG)
    picture = QGuiApplication.clipboard().image()
    assert picture.width() >= 2 * chart.width()
    assert picture.height() > 2 * chart.height()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *a: (str(tmp_path / Path(a[2]).name), ""))
    page.smoothing.setValue(90)
    for one, what, name in ((chart, SAVE_CSV, "long-policy.csv"), (None, SAVE_PNG, "long.png")):
        with qtbot.waitSignal(page.notified):
            page.carry_out(one, what)
        assert (tmp_path / name).stat().st_size > 1000
    assert "smoothed" in (tmp_path / "long-policy.csv").read_text().splitlines()[0]


def test_how_the_charts_are_shown_is_kept(page: RunCharts) -> None:
    preferences = Preferences()
    page.recall(preferences)
    page.smoothing.setValue(60)
    page.set_axis("minutes")
    page.grid.toggle_log(page.grid.charts["value"])
    page.grid.set_zoom((0.1, 0.5))
    assert read_view(preferences.run_charts) == View("minutes", 0.6, frozenset({"value"}))


@pytest.mark.parametrize(
    "text", ["", "[", "[1]", '{"axis": 3, "smoothing": 2, "logs": 1}', '{"smoothing": "a", "logs": [[], "x"]}']
)
def test_damaged_preferences_are_the_defaults(text: str) -> None:
    assert read_view(text) == View("step")
    assert read_view(written(View("samples", 0.25))) == View("samples", 0.25)
