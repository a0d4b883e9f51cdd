"""The charts show the search's figures: curves equal to its snapshots, crosshair, click, export, both themes."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QImage, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from core.engine import Analysis
from core.glass.sentence import Sentence
from core.glass.turns import Turn
from core.search import SearchSettings
from core.text import Text
from gui.model.session import CONCEALED
from gui.model.sources import UniformSource
from gui.rooms.timeline.search_charts import CHARTS, SHOWN, Colours, batch_rates, shown_moves
from gui.rooms.timeline.timeline import Timeline
from gui.widgets.charts.chart import Chart
from gui.widgets.charts.grid import COPY_CSV, SAVE_CSV, ChartGrid
from gui.widgets.charts.lines import Line, nearest
from gui.widgets.charts.page import ChartPage
from gui.widgets.figures import count, percent, signed
from gui.widgets.words import waiting_text
from gui.window import MainWindow
from models.commands.program import main
from tests.gui.conftest import open_window
from tests.gui.fakes import FakeAnalysis

LEFT = Qt.MouseButton.LeftButton
SMALL = "connect4(rows=4, cols=5, k=3)"


@pytest.fixture
def searched(qtbot: QtBot) -> Iterator[MainWindow]:
    window = open_window(qtbot, Analysis(), SMALL)
    window.state.set_limit(700)
    yield window
    window.close()


def charts(window: MainWindow) -> Timeline:
    view = window.docks["timeline"].fill()
    assert isinstance(view, Timeline)
    return view


def opened(qtbot: QtBot, window: MainWindow) -> dict[str, Chart]:
    """Return the charts of a search that has ended."""
    window.context.actions["charts"].trigger()
    view = charts(window)
    view.choose_charts([spec.id for spec in CHARTS])

    def drawn() -> bool:
        snapshot = window.session.snapshot
        return (
            view.ready
            and snapshot is not None
            and bool(snapshot.reason)  # the last one of the search: it may end before its last one is shown
            and snapshot.curves is not None
            and not snapshot.curves.behind
            and view.page.grid.model.snapshot is snapshot
        )

    qtbot.waitUntil(drawn)
    view.page.grid.draw_all()
    return view.page.grid.charts


def look_at(qtbot: QtBot, window: MainWindow, chart: Chart, shows: Callable[[], bool]) -> None:
    """Scroll to a chart, and wait until it shows something; the layout may still move it meanwhile."""

    def seen() -> bool:
        charts(window).page.grid.ensureWidgetVisible(chart)
        return shows()

    qtbot.waitUntil(seen)


def named(chart: Chart) -> dict[str, Line]:
    return {line.name: line for line in chart.drawing.lines}


def figures(chart: Chart) -> dict[str, str]:
    """Return the figures of the legend by name."""
    return {name: figure for _, _, name, figure in chart.legend.rows}


def test_the_curves_end_at_the_values_of_the_moves_table(qtbot: QtBot, searched: MainWindow) -> None:
    shown = opened(qtbot, searched)
    snapshot = searched.session.snapshot
    assert list(shown) == [spec.id for spec in CHARTS]
    rows = {row.name: row for row in snapshot.moves}
    values, shares = named(shown["value"]), named(shown["visits"])
    assert values.pop("position").y[-1] == pytest.approx(snapshot.root.q, abs=1e-6)
    assert {name: line.y[-1] for name, line in values.items()} == pytest.approx(
        {name: rows[name].q for name in values}, abs=1e-6
    )
    assert {row.name: shares[row.name].y[-1] for row in shown_moves(snapshot)} == pytest.approx(
        {row.name: 100 * row.share for row in shown_moves(snapshot)}
    )
    assert shown["value"].legend.rows[0][2] == "position"
    assert "Red" in shown["value"].unit.text()
    assert shown["value"].curves[1][0][-1] == snapshot.simulations
    assert named(shown["depth"])["nodes"].y.tolist() == snapshot.curves.nodes.tolist()
    assert sum(len(x) for x, _ in shown["prior"].curves[1:]) == len(snapshot.moves)
    x, y = shown["prior"].curves[1]
    assert sorted(10 ** np.array(x)) == pytest.approx(sorted(row.net_prior for row in snapshot.moves))
    assert sorted(10 ** np.array(y)) == pytest.approx(sorted(row.share for row in snapshot.moves))


def test_shares_can_be_stacked_to_all_visits(qtbot: QtBot, searched: MainWindow) -> None:
    shown = opened(qtbot, searched)
    visits = shown["visits"]
    assert shown["value"].stacked.isHidden()
    before, received = visits.curves, visits.legend.rows
    qtbot.mouseClick(visits.stacked, LEFT)
    drawn = [y for _, y in visits.curves]
    assert len(drawn) == len(before)
    assert drawn[-1][-1] == pytest.approx(100)
    for lower, upper, line in zip(drawn, drawn[1:], visits.drawing.lines[1:], strict=False):
        assert upper[-1] - lower[-1] == pytest.approx(line.y[-1])
    assert visits.plot.up.span == (0, 102)
    assert visits.legend.rows == received, "the figures are those of the moves, stacked or not"
    qtbot.mouseClick(visits.stacked, LEFT)
    assert visits.curves == before


def test_move_colours_are_stable() -> None:
    colours = Colours()
    first = colours.give([3, 2, 1])
    assert first[3] == -1
    second = colours.give([2, 3, 1, 0])
    assert (second[2], second[1]) == (-1, first[1])
    assert len(set(second.values())) == 4
    full = colours.give(list(range(SHOWN)))
    assert sorted(full.values()) == list(range(-1, SHOWN - 1))
    assert colours.give([]) == {}


def test_the_crosshair_reads_both_curves_and_a_click_chooses_the_simulation(qtbot: QtBot, searched: MainWindow) -> None:
    shown = opened(qtbot, searched)
    value, visits = shown["value"], shown["visits"]
    curves = searched.session.snapshot.curves
    spot = value.plot.pixel_of(300.0, float(curves.q[-1])).toPoint()
    QTest.mouseMove(value.plot, spot)
    qtbot.waitUntil(lambda: "at simulation" in visits.unit.text())
    sample = nearest(curves.simulations.tolist(), value.plot.cross)
    assert abs(curves.simulations[sample] - 300) < 20
    assert figures(value)["position"] == signed(curves.q[sample])
    time = searched.commands.time
    QTest.mousePress(value.plot, LEFT, pos=spot)
    qtbot.waitUntil(lambda: time.looking_back and time.past is not None)
    assert abs(time.place - 300) < 20
    for x in (200.0, 100.0):
        QTest.mouseMove(value.plot, value.plot.pixel_of(x, float(curves.q[-1])).toPoint())
    QTest.mouseRelease(value.plot, LEFT)
    qtbot.waitUntil(lambda: time.past is not None and time.past.simulation == time.place)
    assert abs(time.place - 100) < 20
    assert charts(searched).slider.value() == time.place


def test_slider_and_charts_have_one_axis(qtbot: QtBot, searched: MainWindow) -> None:
    shown = opened(qtbot, searched)
    view, grid = charts(searched), charts(searched).page.grid

    def apart() -> float:
        """Return the largest distance between a simulation on the slider and on the charts, in px."""
        origin, places = view.mapToGlobal(QPoint()), grid.span
        return max(
            abs(
                (view.marks.mapToGlobal(QPoint()) - origin).x()
                + view.marks.place(at)
                - (chart.plot.mapToGlobal(QPoint()) - origin).x()
                - chart.plot.pixel_of(at, 0.0).x()
            )
            for at in places
            for chart in (shown["value"], shown["visits"])
        )

    view.choose_charts(["value", "visits"])
    qtbot.waitUntil(lambda: apart() < 2)
    assert shown["depth"].isHidden()
    grid.set_zoom((100.0, 300.0))
    assert (view.slider.minimum(), view.slider.maximum()) == (100, 300)
    qtbot.waitUntil(lambda: apart() < 2)
    searched.resize(1100, 840)
    qtbot.waitUntil(lambda: apart() < 2)
    searched.context.actions["charts"].trigger()
    qtbot.waitUntil(view.page.isHidden)
    assert view.stages.isVisible()


def test_only_the_lowest_of_the_charts_on_the_common_axis_has_its_figures(
    qtbot: QtBot, searched: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = opened(qtbot, searched)
    view = charts(searched)
    footed = {name for name, chart in shown.items() if chart.plot.footed and chart.isVisible()}
    common = [name for name, spec in view.page.grid.specs.items() if spec.zooms and shown[name].isVisible()]
    assert footed == {common[-1], *(name for name, spec in view.page.grid.specs.items() if not spec.zooms)}
    view.choose_charts(["value", "visits"])
    value, visits = shown["value"].plot, shown["visits"].plot
    assert (value.footed, visits.footed) == (False, True)
    searched.resize(1400, 1200)
    searched.docks.set_height("timeline", 600)
    qtbot.waitUntil(lambda: value.height() > 150)
    qtbot.waitUntil(lambda: abs(value.box.height() - visits.box.height()) <= 2)
    drawn: list[bool] = []
    monkeypatch.setattr("gui.widgets.charts.page._picture_of", lambda parts: drawn.append(value.footed))
    view.page.picture(shown["value"])
    assert (drawn, value.footed) == ([True], False), "a picture of one chart has them"
    view.choose_charts(["value"])
    assert value.footed


def moved_to(widget: QWidget, point: QPointF) -> QMouseEvent:
    """A move of the mouse, whatever window is at that place of the screen."""
    none = Qt.MouseButton.NoButton
    plain = Qt.KeyboardModifier.NoModifier
    return QMouseEvent(QEvent.Type.MouseMove, point, widget.mapToGlobal(point), none, none, plain)


def test_the_marks_below_the_slider_explain_themselves(qtbot: QtBot, searched: MainWindow) -> None:
    opened(qtbot, searched)
    view = charts(searched)
    marks = view.marks
    turn = Turn("refuted", 400, 400, 0, 1, Sentence(Text("Q of a fell.")))
    view.show_turns((turn,))
    assert (view.sign.isVisible(), view.sign.kind) == (True, "refuted"), "the sentence has the mark that it is about"
    assert marks.toolTip() == view.sign.toolTip()
    assert "hesitations" in marks.toolTip()
    for simulation, tip in ((400, "Q of a fell."), (100, "hesitations")):
        point = QPointF(marks.place(simulation), 3.0)
        QApplication.sendEvent(marks, moved_to(marks, point))
        assert tip in marks.toolTip()
    view.show_turns(())
    assert not view.sign.isVisible()


def test_the_timeline_shows_as_much_as_it_is_high(qtbot: QtBot, searched: MainWindow) -> None:
    opened(qtbot, searched)
    view = Timeline(searched.commands.time)
    qtbot.addWidget(view)
    view.resize(900, view.minimumSizeHint().height())
    view.show()
    assert view.row.height() <= view.height() < 50
    assert view.buttons["play"].isVisible()
    assert view.slider.isVisible()
    assert view.number.isVisible()
    assert not view.stages.isVisible()
    view.resize(900, view.sizeHint().height())
    assert view.stages.isVisible()
    assert not view.page.isVisible()
    view.resize(900, view.sizeHint().height() + 200)
    assert view.page.isVisible()
    qtbot.waitUntil(lambda: view.ready)


@pytest.mark.slow
def test_pointed_bars_and_points_show_depth_and_move(qtbot: QtBot, searched: MainWindow) -> None:
    shown = opened(qtbot, searched)
    depth, prior = shown["depth"], shown["prior"]
    charts(searched).choose_charts(["depth", "prior"])
    qtbot.waitUntil(lambda: not prior.visibleRegion().isEmpty() and charts(searched).ready)
    x, y = prior.curves[1]
    QTest.mouseMove(prior.plot, prior.plot.pixel_of(x[-1], y[-1]).toPoint())
    rows = {row.name: row for row in searched.session.snapshot.moves}
    qtbot.waitUntil(lambda: prior.legend.rows[0][2] in rows)
    assert prior.legend.rows[0][3].endswith(f"N {rows[prior.legend.rows[0][2]].visits}")
    nodes = searched.session.snapshot.curves.nodes
    QTest.mouseMove(depth.plot, depth.plot.pixel_of(2.0, float(nodes[2]) / 2).toPoint())
    qtbot.waitUntil(lambda: "depth 2" in depth.unit.text())
    assert depth.legend.rows[0][3] == str(int(nodes[2]))


def test_curves_are_requested_only_while_visible(qtbot: QtBot, window: MainWindow) -> None:
    analysis = cast(FakeAnalysis, window.session.analysis)
    window.docks.hide_dock("timeline")
    qtbot.waitUntil(lambda: not analysis.agenda.curves)
    window.context.actions["charts"].trigger()
    view = charts(window)
    qtbot.waitUntil(lambda: view.ready and analysis.agenda.curves)
    empty = view.page.grid.charts["value"].plot.empty
    qtbot.waitUntil(empty.isVisible)
    assert empty.text() == "the search has only begun"
    for phase, idle in (("", True), (CONCEALED, False)):
        view.set_waiting(waiting_text(phase))
        assert ("Space" in empty.text()) == idle
    with qtbot.waitSignal(view.failed):
        view.page.carry_out(view.page.grid.charts["value"], SAVE_CSV)
    window.docks.toggle("timeline")
    qtbot.waitUntil(lambda: not analysis.agenda.curves)


@pytest.mark.slow
def test_figures_are_written_as_csv(
    qtbot: QtBot, searched: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(qtbot, searched)

    def written(name: str) -> tuple[list[str], list[list[str]]]:
        target = tmp_path / name
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
        menu = charts(searched).menu
        menu.aboutToShow.emit()
        with qtbot.waitSignal(charts(searched).notified):
            next(action for action in menu.actions() if action.text() == f"{name} as CSV…").trigger()
        with target.with_suffix(".csv").open(encoding="utf-8", newline="") as stream:
            head, *rows = list(csv.reader(stream))
        return head, rows

    snapshot = searched.session.snapshot
    head, rows = written("Value")
    assert head[:5] == ["simulations", "recorded", "Q root for Red", *head[3:5]]
    assert [int(row[0]) for row in rows] == snapshot.curves.simulations.tolist()
    first = snapshot.position.game.action_name(int(snapshot.curves.actions[0]))
    assert int(rows[-1][head.index(f"N {first}")]) == next(r.visits for r in snapshot.moves if r.name == first)
    _, rows = written("Depth")
    assert [int(row[1]) for row in rows] == snapshot.curves.nodes.tolist()
    _, rows = written("Prior against visits")
    assert [row[0] for row in rows] == [row.name for row in snapshot.moves]
    assert sum(int(row[3]) for row in rows) == sum(row.visits for row in snapshot.moves)


@pytest.mark.slow
def test_batches_and_worse_moves_agree_with_analyze(
    qtbot: QtBot, searched: MainWindow, capsys: pytest.CaptureFixture[str]
) -> None:
    """With a net the last sample, the moment looked at and the file have the figures of ``plyscope analyze --json``."""

    def received(simulations: int) -> dict[str, Any]:
        arguments = ["analyze", SMALL, "--net", "uniform", "--no-prove", "--memory-mb", "32", "--json"]
        assert main([*arguments, "--simulations", str(simulations)]) == 0
        data: dict[str, Any] = json.loads(capsys.readouterr().out)
        return data

    searched.state.set_settings(SearchSettings(prove=False, memory_mb=32))
    searched.state.set_source(UniformSource())
    shown = opened(qtbot, searched)
    grid = charts(searched).page.grid
    qtbot.waitUntil(lambda: grid.model.snapshot.counters.batches > 0 and grid.ready)
    worse, batches = shown["worse"], shown["batches"]
    look_at(qtbot, searched, batches, lambda: len(batches.drawing.lines) == 3 and len(worse.drawing.lines) == 2)
    printed = received(700)
    counters, found = printed["counters"], printed["worse_moves"]
    assert found["threshold"] == 0.1
    grid.draw_all()
    assert {line.name: line.y[-1] / 100 for line in worse.drawing.lines} == pytest.approx(
        {"P": found["net_prior"], "π": found["share"]}, abs=1e-6
    )
    charts(searched).page.carry_out(batches, COPY_CSV)
    head, *rows = list(csv.reader(QGuiApplication.clipboard().text().splitlines()))
    counts = {name: sum(int(row[head.index(name)]) for row in rows) for name in ("leaves", "cache hits", "collisions")}
    assert counts == {
        "leaves": counters["evaluations"],
        "cache hits": counters["cache_hits"],
        "collisions": counters["collisions"],
    }
    assert len(rows) == counters["batches"]
    assert batches.legend.rows[2][3] == f"{batch_rates(grid.model.curves).size[-1]:.1f}"
    searched.commands.time.go(300)
    look_at(qtbot, searched, worse, lambda: worse.unit.text().endswith("at simulation 300"))
    found = received(300)["worse_moves"]
    assert list(figures(worse).values()) == [percent(found["net_prior"]), percent(found["share"])]
    searched.state.set_source(None)
    look_at(
        qtbot, searched, batches, lambda: batches.plot.empty.text().startswith("The net's batches were not recorded")
    )


@pytest.mark.slow
def test_the_picture_is_sharp_in_both_themes(qtbot: QtBot, searched: MainWindow) -> None:
    opened(qtbot, searched)
    page = charts(searched).page
    seen = []
    for theme in ("dark", "light"):
        searched.commands.appearance.set_theme(theme)
        qtbot.waitUntil(lambda: page.grid.ready)
        image = page.picture(None)
        assert image.width() >= 2 * page.grid.body.width()
        seen.append(image.pixelColor(3, 3).lightness())
        plain = image.convertToFormat(QImage.Format.Format_RGB32)
        pixels = np.frombuffer(plain.constBits(), np.uint32)
        assert np.unique(pixels).size > 50
    assert seen[0] < 80 < 180 < seen[1]


@pytest.mark.slow
def test_a_failed_export_is_reported(
    qtbot: QtBot, searched: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = opened(qtbot, searched)
    (tmp_path / "file").write_text("kept")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "file" / "below.csv"), ""))
    with qtbot.waitSignal(charts(searched).failed):
        charts(searched).page.carry_out(shown["value"], SAVE_CSV)
    assert (tmp_path / "file").read_text() == "kept"


@pytest.mark.slow
def test_charts_show_the_past_moment_while_the_curves_grow(qtbot: QtBot, searched: MainWindow) -> None:
    searched.state.set_settings(SearchSettings(selection="ucb1", prove=False, memory_mb=32))  # so that it can go on
    shown = opened(qtbot, searched)
    value, visits, depth, prior = (shown[name] for name in ("value", "visits", "depth", "prior"))
    searched.commands.time.go(137)
    look_at(qtbot, searched, prior, lambda: "at simulation 137" in prior.unit.text())
    charts(searched).page.grid.draw_all()
    rows = {row.name: row for row in searched.session.snapshot.moves}
    received = figures(value)
    assert received.pop("position") == signed(searched.session.snapshot.root.q)
    assert received == {name: signed(rows[name].q) for name in received}
    received = {name: figure for name, figure in figures(visits).items() if name in rows}
    assert received == {name: percent(rows[name].share) for name in received}
    assert value.unit.text().endswith("at simulation 137")
    assert value.plot.marker == 137
    assert depth.unit.text().endswith(f"now, at simulation {count(searched.commands.time.now)}")
    charts(searched).page.carry_out(prior, COPY_CSV)
    table = list(csv.DictReader(QGuiApplication.clipboard().text().splitlines()))
    assert sum(int(row["visits"]) for row in table) == sum(row.visits for row in rows.values())
    searched.session.continue_search()
    look_at(qtbot, searched, value, lambda: value.drawing.lines[0].x[-1] > 3000)
    assert value.unit.text().endswith("at simulation 137")
    searched.session.stop()
    searched.commands.time.go(0)
    look_at(qtbot, searched, prior, lambda: prior.plot.empty.text() == "no move had been visited yet")
    searched.commands.time.to_now()
    look_at(qtbot, searched, value, lambda: value.unit.text() == "Q for Red")


def test_the_figures_of_a_chart_can_be_saved_before_it_is_made(qtbot: QtBot) -> None:
    page = ChartPage(ChartGrid(CHARTS, None, height=80, tracks=True), each=("prior",))
    qtbot.addWidget(page)
    with qtbot.waitSignal(page.failed):
        page.export.menu().actions()[-1].trigger()
    assert "prior" in page.grid.charts


def test_outdated_charts_are_drawn_when_the_layout_or_more_room_brings_them_into_sight(qtbot: QtBot) -> None:
    grid = ChartGrid(CHARTS, None, height=80, tracks=True)
    qtbot.addWidget(grid)
    grid.resize(900, 100)
    grid.show()
    grid.setFocus()  # else hiding the focused chart scrolls to the next one
    qtbot.waitUntil(lambda: grid.ready)
    value, visits, batches = (grid.charts[name] for name in ("value", "visits", "batches"))
    assert batches.visibleRegion().isEmpty()

    def draw_before_the_layout() -> None:
        """What the timer does when it comes first, on a busy machine."""
        grid._drawing.stop()
        grid.draw()

    grid.choose(["batches"])
    draw_before_the_layout()
    qtbot.waitUntil(lambda: not batches.visibleRegion().isEmpty() and grid.ready)
    grid.choose(["value", "visits"])
    qtbot.waitUntil(lambda: not value.visibleRegion().isEmpty() and grid.ready)
    grid.resize(900, 400)
    qtbot.waitUntil(lambda: not visits.visibleRegion().isEmpty() and grid.ready)


def test_charts_say_why_there_are_no_figures_as_long_as_that_holds(qtbot: QtBot) -> None:
    grid = ChartGrid(CHARTS, None, height=80, tracks=True)
    qtbot.addWidget(grid)
    value = grid.chart("value")
    before = value.plot.empty.text()
    grid.set_nothing("not measured")
    assert value.plot.empty.text() == "not measured"
    grid.set_nothing("")
    assert value.plot.empty.text() == before == "no figures yet"
