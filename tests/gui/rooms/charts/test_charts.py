"""The charts show the search's figures: curves equal to its snapshots, crosshair, click, export, both themes."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from core.engine import Analysis, Search
from core.games import load_game
from core.search import Limit, SearchSettings
from gui.model.concealment import CONCEALED
from gui.model.sources import UniformSource
from gui.rooms.charts.chart_data import SHOWN, Colours, batch_rates, batches_csv, sample_at, shown_moves
from gui.rooms.charts.charts import NAMES, ChartsView
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


def charts(window: MainWindow) -> ChartsView:
    view = window.docks["charts"].fill()
    assert isinstance(view, ChartsView)
    return view


def opened(qtbot: QtBot, window: MainWindow) -> ChartsView:
    """Return the dock's view with the charts of a search that has ended."""
    window.docks.show_dock("charts")
    view = charts(window)

    def drawn() -> bool:
        snapshot = window.session.snapshot
        return (
            view.ready
            and not window.session.searching
            and snapshot is not None
            and snapshot.curves is not None
            and all(card.snapshot is snapshot for card in view.cards if card.isVisible())
        )

    qtbot.waitUntil(drawn)
    return view


def test_the_curves_end_at_the_values_of_the_moves_table(qtbot: QtBot, searched: MainWindow) -> None:
    view = opened(qtbot, searched)
    value, visits, depth, prior, *_ = view.cards
    snapshot = searched.session.snapshot
    assert [card.name for card in view.cards] == list(NAMES)
    rows = {row.name: row for row in snapshot.moves}
    for _, name, _, line, _ in value.lines[1:]:
        assert line[-1] == pytest.approx(rows[name].q, abs=1e-6)
    assert value.lines[0][3][-1] == pytest.approx(snapshot.root.q, abs=1e-6)
    assert {name: line[-1] for _, name, dashed, line, _ in visits.lines if not dashed} == pytest.approx(
        {row.name: 100 * row.share for row in shown_moves(snapshot)}
    )
    assert next(row[2] for row in value.legend.rows) == "position"
    assert "Red" in value.unit.text()
    assert value._items[1].getData()[0][-1] == snapshot.simulations
    assert depth._bars.opts["height"].tolist() == snapshot.curves.nodes.tolist()
    assert len(prior.rows) == len(snapshot.moves)
    assert 10 ** prior.at[0] == pytest.approx([snapshot.moves[0].net_prior, snapshot.moves[0].share])


@pytest.mark.slow
def test_a_chart_still_to_be_drawn_has_its_own_snapshot_while_a_newer_one_waits(
    qtbot: QtBot, searched: MainWindow
) -> None:
    view = opened(qtbot, searched)
    before = searched.session.snapshot
    search = Search(load_game("tictactoe").position("a1 b2 c3"), None, SearchSettings(memory_mb=16))
    search.run(Limit(simulations=50))
    other = replace(search.snapshot(), curves=search.curves())
    view._renew()
    view._in_sight = False
    view.show_snapshot(other)
    view._work()
    assert view.cards[0].snapshot is before


def test_shares_can_be_stacked_to_all_visits(qtbot: QtBot, searched: MainWindow) -> None:
    view = opened(qtbot, searched)
    value, visits, *_ = view.cards
    assert value.stacked.isHidden()
    before = [item.getData()[1] for item in visits._items if item.isVisible()]
    received = visits.legend.rows
    qtbot.mouseClick(visits.stacked, LEFT)
    drawn = [item.getData()[1] for item in visits._items if item.isVisible()]
    assert len(drawn) == len(before) == len(visits.lines)
    assert drawn[-1][-1] == pytest.approx(100)
    for lower, upper, line in zip(drawn, drawn[1:], visits.lines[1:], strict=False):
        assert upper[-1] - lower[-1] == pytest.approx(line.values[-1])
    assert [item.zValue() for item in visits._items[: len(drawn)]] == [-place for place in range(len(drawn))]
    assert visits.plot.getViewBox().viewRange()[1] == [0, 102]
    assert visits.legend.rows == received, "the figures are those of the moves, stacked or not"
    qtbot.mouseClick(visits.stacked, LEFT)
    assert [item.getData()[1][-1] for item in visits._items if item.isVisible()] == [line[-1] for line in before]


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
    view = opened(qtbot, searched)
    value, visits, *_ = view.cards
    curves = searched.session.snapshot.curves
    spot = value.plot.pixel_of(300.0, float(curves.q[-1])).toPoint()
    QTest.mouseMove(value.plot.viewport(), spot)
    qtbot.waitUntil(lambda: "at simulation" in visits.unit.text())
    sample = sample_at(curves, value.plot.cross.value())
    assert abs(curves.simulations[sample] - 300) < 20
    text = {title: figure for _, _, title, figure in value.legend.rows}
    assert text["position"].replace("−", "-") in f"{curves.q[sample]:+.3f} {curves.q[sample]:.3f}"
    with qtbot.waitSignal(view.simulation_chosen) as chosen:
        qtbot.mouseClick(value.plot.viewport(), LEFT, pos=spot)
    assert abs(chosen.args[0] - 300) < 20
    view._point(float("nan"))
    qtbot.waitUntil(lambda: "at simulation" not in visits.unit.text())


@pytest.mark.slow
def test_pointed_bars_and_points_show_depth_and_move(qtbot: QtBot, searched: MainWindow) -> None:
    view = opened(qtbot, searched)
    _, _, depth, prior, *_ = view.cards
    QTest.mouseMove(prior.plot.viewport(), prior.plot.pixel_of(*prior.at[0]).toPoint())
    rows = {row.name: row for row in searched.session.snapshot.moves}
    qtbot.waitUntil(lambda: prior.legend.rows[0][2] in rows)
    assert prior.legend.rows[0][3].endswith(f"N {rows[prior.legend.rows[0][2]].visits}")
    nodes = searched.session.snapshot.curves.nodes
    QTest.mouseMove(depth.plot.viewport(), depth.plot.pixel_of(2.0, float(nodes[2]) / 2).toPoint())
    qtbot.waitUntil(lambda: "depth 2" in depth.unit.text())
    assert depth.legend.rows[0][3] == str(int(nodes[2]))


def test_curves_are_requested_only_while_visible(qtbot: QtBot, window: MainWindow) -> None:
    analysis = cast(FakeAnalysis, window.session.analysis)
    assert not analysis.traced
    window.docks.show_dock("charts")
    view = charts(window)
    qtbot.waitUntil(lambda: view.ready and analysis.traced)
    qtbot.waitUntil(view.cards[0].plot.empty.isVisible)
    assert view.cards[0].plot.empty.text() == "the search has only begun"
    for phase, idle in (("", True), (CONCEALED, False)):
        view.set_waiting(waiting_text(phase))
        assert ("Space" in view.cards[0].plot.empty.text()) == idle
    with qtbot.waitSignal(view.failed):
        view.save_csv(Path("never.csv"), "curves_csv")
    assert not Path("never.csv").exists()
    window.docks.toggle("charts")
    qtbot.waitUntil(lambda: not analysis.traced)


@pytest.mark.slow
def test_charts_are_side_by_side_if_they_fit(qtbot: QtBot) -> None:
    view = ChartsView()
    qtbot.addWidget(view)
    view.resize(300, 220)
    view.show()
    qtbot.waitUntil(lambda: view.ready)
    qtbot.waitUntil(lambda: sum(card.isVisible() for card in view.cards) == 1)
    button = view.segments.buttons["depth"]
    qtbot.waitUntil(lambda: button.height() > 10)
    qtbot.mouseClick(button, LEFT)
    qtbot.waitUntil(lambda: [card.name for card in view.cards if card.isVisible()] == ["depth"])
    for width, height, below in ((1000, 560, 3), (700, 780, 2), (330, 1500, 1)):
        view.resize(width, height)
        qtbot.waitUntil(lambda: all(card.isVisible() for card in view.cards))
        qtbot.waitUntil(lambda below=below: view.cards[0].x() == view.cards[below].x())
    view.resize(2000, 300)
    qtbot.waitUntil(lambda: len({card.y() for card in view.cards if card.isVisible()}) == 1)
    assert all(card.isVisible() for card in view.cards)
    assert view.segments.isHidden()


@pytest.mark.slow
def test_figures_are_written_as_csv(
    qtbot: QtBot, searched: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = opened(qtbot, searched)

    def written(table: str) -> tuple[list[str], list[list[str]]]:
        target = tmp_path / table
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
        with qtbot.waitSignal(view.notified):
            next(action for action in view.export.menu().actions() if action.text().lower().startswith(table)).trigger()
        with target.with_suffix(".csv").open(encoding="utf-8", newline="") as stream:
            head, *rows = list(csv.reader(stream))
        return head, rows

    snapshot = searched.session.snapshot
    head, rows = written("curves")
    assert head[:5] == ["simulations", "recorded", "Q root for Red", *head[3:5]]
    assert [int(row[0]) for row in rows] == snapshot.curves.simulations.tolist()
    first = snapshot.position.game.action_name(int(snapshot.curves.actions[0]))
    assert int(rows[-1][head.index(f"N {first}")]) == next(r.visits for r in snapshot.moves if r.name == first)
    _, rows = written("depths")
    assert [int(row[1]) for row in rows] == snapshot.curves.nodes.tolist()
    _, rows = written("priors")
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
    view = opened(qtbot, searched)
    qtbot.waitUntil(lambda: view._snapshot is not None and view._snapshot.counters.batches > 0)
    view.segments.buttons["batches"].click()
    worse, batches = view.cards[4:]
    qtbot.waitUntil(lambda: len(batches.lines) == 3 and len(worse.lines) == 2)
    told = received(700)
    counters, found = told["counters"], told["worse_moves"]
    assert found["threshold"] == 0.1
    assert {line.title: line.values[-1] / 100 for line in worse.lines} == pytest.approx(
        {"P": found["net_prior"], "π": found["share"]}, abs=1e-6
    )
    head, *rows = list(csv.reader(batches_csv(view._snapshot).decode().splitlines()))
    counts = {name: sum(int(row[head.index(name)]) for row in rows) for name in ("leaves", "cache hits", "collisions")}
    assert counts == {
        "leaves": counters["evaluations"],
        "cache hits": counters["cache_hits"],
        "collisions": counters["collisions"],
    }
    assert len(rows) == counters["batches"]
    assert batches.legend.rows[2][3] == f"{batch_rates(view._snapshot.curves).size[-1]:.1f}"
    searched.commands.time.go(300)
    qtbot.waitUntil(lambda: worse.unit.text().endswith("at simulation 300"))
    found = received(300)["worse_moves"]
    assert [figure for _, _, _, figure in worse.legend.rows] == [percent(found["net_prior"]), percent(found["share"])]
    searched.state.set_source(None)
    qtbot.waitUntil(lambda: batches.plot.empty.text().startswith("The net's batches were not recorded"))


@pytest.mark.slow
def test_the_picture_is_saved_sharp_in_both_themes(qtbot: QtBot, searched: MainWindow, tmp_path: Path) -> None:
    view = opened(qtbot, searched)
    seen = []
    for theme in ("dark", "light"):
        searched.commands.appearance.set_theme(theme)
        qtbot.waitUntil(lambda: not view._stale and not view._working.isActive())
        width = view.body.width()  # of the moment when the picture is made: another layout may follow it
        with qtbot.waitSignal(view.notified):
            view.save_png(tmp_path / f"{theme}.png")
        image = QImage(str(tmp_path / f"{theme}.png"))
        assert image.width() == 2 * width
        seen.append(image.pixelColor(3, 3).lightness())
        pixels = np.frombuffer(image.convertToFormat(QImage.Format.Format_RGB32).constBits(), np.uint32)
        assert np.unique(pixels).size > 50
    assert seen[0] < 80 < 180 < seen[1]


@pytest.mark.slow
def test_a_failed_export_is_reported(qtbot: QtBot, searched: MainWindow, tmp_path: Path) -> None:
    view = opened(qtbot, searched)
    (tmp_path / "file").write_text("kept")
    with qtbot.waitSignal(view.failed):
        view.save_csv(tmp_path / "file" / "below.csv", "curves_csv")
    assert (tmp_path / "file").read_text() == "kept"


@pytest.mark.slow
def test_charts_show_the_past_moment_while_the_curves_grow(qtbot: QtBot, searched: MainWindow, tmp_path: Path) -> None:
    searched.state.set_settings(SearchSettings(selection="ucb1", prove=False, memory_mb=32))  # so that it can go on
    view = opened(qtbot, searched)
    value, visits, depth, prior, *_ = view.cards
    searched.commands.time.go(137)
    qtbot.waitUntil(lambda: "at simulation 137" in prior.unit.text())
    rows = {row.name: row for row in searched.session.snapshot.moves}
    received = {title: figure for _, _, title, figure in value.legend.rows}
    assert received.pop("position") == signed(searched.session.snapshot.root.q)
    assert received == {name: signed(rows[name].q) for name in received}
    received = {title: figure for _, dashed, title, figure in visits.legend.rows if not dashed}
    assert received == {name: percent(rows[name].share) for name in received}
    assert value.unit.text().endswith("at simulation 137")
    assert depth.unit.text().endswith(f"now, at simulation {count(searched.commands.time.now)}")
    with qtbot.waitSignal(view.notified):
        view.save_csv(tmp_path / "priors.csv", "priors_csv")
    with (tmp_path / "priors.csv").open(encoding="utf-8", newline="") as stream:
        assert sum(int(row["visits"]) for row in csv.DictReader(stream)) == sum(row.visits for row in rows.values())
    searched.session.continue_search()
    qtbot.waitUntil(lambda: value.curves.simulations[-1] > 3000)
    assert value.unit.text().endswith("at simulation 137")
    searched.session.stop()
    searched.commands.time.go(0)
    qtbot.waitUntil(lambda: prior.plot.empty.text() == "no move had been visited yet")
    searched.commands.time.to_now()
    qtbot.waitUntil(lambda: value.unit.text() == "Q for Red, who is to move")
