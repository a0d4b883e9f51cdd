"""Every picture of the window shows the numbers that ``plyscope analyze --json`` prints of the same search.

The command searches with the same game, net, settings, seed and simulations; what a picture draws is read from its
pixels, or from the figures that it paints.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from core.games import load_game
from core.search import SearchSettings
from gui.jobs.kept_trees import KeepingAnalysis
from gui.model.sources import UniformSource, net_source
from gui.rooms.tree import picture_look
from gui.rooms.tree.picture_part import LEAST
from gui.rooms.tree.picture_scene import radii_of
from gui.widgets.figures import COLUMNS, count, percent, signed
from gui.widgets.icicle import icicle_colours, icicle_paint
from gui.widgets.theme import current_theme
from gui.window import MainWindow
from models.commands.program import main
from models.netfiles.shipped import nets_dir
from tests.gui.conftest import open_window

ROOMS = ("table", "icicle", "picture", "why", "timeline")
SEED = 3
RADIUS = 12.0  # px of a node that is looked at
NET = sorted(nets_dir().glob("tictactoe-*.onnx"))[0]


@dataclass(frozen=True)
class Case:
    """A search, as the command line and as the window describe it."""

    game: str
    moves: str
    net: str
    simulations: int
    settings: dict[str, Any]


CASES = {
    "net": Case("tictactoe", "b2", str(NET), 150, {"selection": "puct", "c_puct": 2.5}),
    "gumbel": Case("tictactoe", "", str(NET), 64, {"selection": "gumbel", "prove": False}),
    "rollouts": Case("connect4(rows=4, cols=5, k=3)", "", "rollouts", 500, {"selection": "ucb1", "prove": False}),
}


@dataclass
class Shown:
    """A window that has searched, and what the command printed."""

    window: MainWindow
    json: dict[str, Any]

    def view(self, name: str) -> Any:
        return self.window.commands.open_dock(name)

    @property
    def visited(self) -> list[dict[str, Any]]:
        return [row for row in self.json["moves"] if row["visits"]]


def printed(case: Case, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    given: list[str] = []
    for name, value in case.settings.items():
        option = name.replace("_", "-")
        given += [f"--no-{option}"] if value is False else [f"--{option}", str(value)]
    limits = ["--simulations", str(case.simulations), "--seed", str(SEED), "--memory-mb", "16"]
    assert main(["analyze", case.game, *case.moves.split(), "--net", case.net, *limits, *given, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


@pytest.fixture(params=["net", *(pytest.param(name, marks=pytest.mark.slow) for name in ("gumbel", "rollouts"))])
def shown(request: pytest.FixtureRequest, qtbot: QtBot, capsys: pytest.CaptureFixture[str]) -> Shown:
    """The window with all its pictures at rest."""
    case = CASES[request.param]
    found = printed(case, capsys)
    window = open_window(qtbot, KeepingAnalysis(), case.game)
    state, session = window.state, window.session
    for name in ROOMS:
        window.commands.open_dock(name)
    session.seed = SEED
    source = {"uniform": UniformSource(), "rollouts": None}.get(case.net) if case.net != str(NET) else net_source(NET)
    position = load_game(case.game).position(case.moves)
    record_settings = SearchSettings(memory_mb=16, **case.settings)
    state.set_limit(case.simulations)
    state.open_position(position, source)
    state.set_settings(record_settings)

    def at_rest() -> bool:
        """Return whether the tables, which come a little later at another position, show the end of the search."""
        snapshot, rows = session.snapshot, [row for row in window.views.tree.nodes.rows if row.action >= 0]
        visits = {} if snapshot is None else {row.action: row.visits for row in snapshot.moves}
        ended = snapshot is not None and bool(snapshot.reason)
        return ended and bool(rows) and all(visits.get(row.action) == row.visits for row in rows)

    qtbot.waitUntil(at_rest)
    return Shown(window, found)


def in_front(qtbot: QtBot, one: Shown, dock: str) -> Any:
    """Return the view of a dock, in front and at rest."""
    view = one.view(dock)
    canvas = getattr(view, "canvas", view)
    qtbot.waitUntil(lambda: not canvas.visibleRegion().isEmpty())
    return view


def colour_at(widget: QWidget, points: list[tuple[float, float]]) -> int:
    """Return the colour, as 0xFFRRGGBB, that most of these points of a widget have."""
    image = widget.grab().toImage()
    ratio = image.devicePixelRatio()
    seen = Counter(image.pixel(round(x * ratio), round(y * ratio)) for x, y in points)
    return seen.most_common(1)[0][0]


@pytest.mark.slow
def test_every_picture_agrees_with_the_command(shown: Shown, qtbot: QtBot) -> None:
    """One window for all: it takes longer to open than to look at."""
    snapshot = shown.window.session.snapshot
    assert snapshot.simulations == shown.json["simulations"]
    assert shown.json["stopped_because"] == snapshot.reason
    for check in CHECKS:
        check(shown, qtbot)


def value_bar(one: Shown, qtbot: QtBot) -> None:
    bar = one.window.room.value_bar
    value = one.json["value"] * (-1 if one.window.state.position.to_move else 1)
    assert bar.value == pytest.approx(value, abs=1e-6)
    box = bar._bar()
    first = (box.bottom() - bar._edge) / box.height()  # the first player's part
    assert first == pytest.approx((1 + value) / 2, abs=0.5 / box.height())
    assert signed(one.json["value"], 2) in one.window.room.player.accessibleDescription() + bar.toolTip()


def tables(one: Shown, qtbot: QtBot) -> None:
    """The table of moves writes N, share, P and Q."""
    model, total = one.window.views.tree.model(), sum(row["visits"] for row in one.json["moves"])
    titles = [column.id for column in COLUMNS]
    texts = {
        model.index(place, titles.index("move")).data().strip(): {
            name: model.index(place, titles.index(name)).data() for name in ("n", "share", "p", "q")
        }
        for place in range(model.rowCount())
    }
    for row in one.visited:
        mine = texts[row["name"]]
        assert mine["n"] == count(row["visits"])
        assert mine["share"] == percent(row["visits"] / total)
        assert mine["q"] == signed(row["q"])
        assert mine["p"] == percent(math.nan if row["prior"] is None else row["prior"])


def score_bars(one: Shown, qtbot: QtBot) -> None:
    """Q and U stand one after the other and end at the score."""
    rows = {row.key: row for row in in_front(qtbot, one, "why").choice.bars.chart.rows}
    assert rows
    for row in one.json["moves"]:
        mine = rows.get(row["action"])
        if mine is None or row["score"] is None:
            continue
        assert mine.ticks[0][0] == pytest.approx(row["score"], abs=1e-6)
        assert mine.spans[-1].end == pytest.approx(row["score"], abs=1e-6)
        if one.json["settings"]["selection"] != "gumbel":
            q, u = mine.spans
            assert (q.start, q.end) == pytest.approx((0.0, row["q"]), abs=1e-6)
            assert u.end - u.start == pytest.approx(row["u"], abs=1e-6)


def policy_bars(one: Shown, qtbot: QtBot) -> None:
    """P stands above π."""
    rows = {row.key: row for row in in_front(qtbot, one, "why").policies.bars.chart.rows}
    total = sum(row["visits"] for row in one.json["moves"])
    assert rows
    for row in one.json["moves"]:
        if row["action"] in rows:
            prior, share = rows[row["action"]].spans
            assert prior.end == pytest.approx(row["net_prior"], abs=1e-6)
            assert share.end == pytest.approx(row["visits"] / total, abs=1e-6)


def chart_of(view: Any, name: str) -> Any:
    """Return a chart by its name, in sight."""
    chart = view.page.grid.charts[name]
    view.page.grid.ensureWidgetVisible(chart)
    return chart


def curves(one: Shown, qtbot: QtBot) -> None:
    """The curves end at Q and at the share of every move they show."""
    view = in_front(qtbot, one, "timeline")
    view.choose_charts(["value", "visits", "prior"])
    view.turn_charts()
    session = one.window.session
    qtbot.waitUntil(lambda: view.ready and not session.snapshot.curves.behind)
    by_name = {row["name"]: row for row in one.json["moves"]}
    total = sum(row["visits"] for row in one.json["moves"])
    for name in ("value", "visits"):
        chart_of(view, name)
        qtbot.waitUntil(lambda: view.page.grid.model.snapshot is session.snapshot and view.ready)
    value, visits = chart_of(view, "value"), chart_of(view, "visits")
    for (_, drawn), line in zip(value.curves, value.drawing.lines, strict=True):
        assert drawn[-1] == pytest.approx(line.y[-1])
    assert value.drawing.lines[0].y[-1] == pytest.approx(one.json["value"], abs=1e-5)
    for line in value.drawing.lines[1:]:
        assert line.y[-1] == pytest.approx(by_name[line.name]["q"], abs=1e-5)
    for line in visits.drawing.lines:
        if line.name in by_name:
            assert line.y[-1] == pytest.approx(100 * by_name[line.name]["visits"] / total, abs=1e-5)
    assert sum(line.y[-1] for line in visits.drawing.lines) == pytest.approx(100.0)


def prior_points(one: Shown, qtbot: QtBot) -> None:
    """Each move's point lies at its prior and its share."""
    view, total = one.view("timeline"), sum(row["visits"] for row in one.json["moves"])
    chart = chart_of(view, "prior")
    qtbot.waitUntil(lambda: view.ready and len(chart.curves) > 1)
    assert sum(len(x) for x, _ in chart.curves[1:]) == len(one.json["moves"])
    expected = []
    for row in one.visited:
        prior = row["net_prior"] if row["prior"] is None else row["prior"]
        expected.append((math.log10(max(prior, 1e-6)), math.log10(row["visits"] / total)))
    drawn = sorted(zip(*chart.curves[1], strict=True))
    assert np.array(drawn) == pytest.approx(np.array(sorted(expected)), abs=1e-4)


def icicle(one: Shown, qtbot: QtBot) -> None:
    """Widths are shares of the simulations, colours are Q, drawn pixel by pixel."""
    canvas = in_front(qtbot, one, "icicle").canvas
    qtbot.waitUntil(lambda: canvas.scene.icicle is not None and not canvas.moving)
    scene, drawn = canvas.scene, 0
    scene.settle()
    root = icicle_paint.spot_of(scene, canvas.camera, canvas.row, 0)
    palette = icicle_colours.palette(current_theme())
    for row in one.visited:
        place = scene.icicle.child(0, row["action"])
        if place < 0:
            continue  # a strip: too narrow to be drawn alone
        spot = icicle_paint.spot_of(scene, canvas.camera, canvas.row, place)
        assert spot.width() / root.width() == pytest.approx(row["visits"] / one.json["simulations"], abs=1e-9)
        if spot.width() < 12 or row["proof"]:
            continue  # hatched, or nothing but outlines
        points = [(spot.left() + 3 + i, spot.bottom() - 3) for i in range(6)]
        place_of = icicle_colours.places_of(np.array([row["q"]], np.float32), icicle_colours.RANGES["value"])
        assert colour_at(canvas, points) == palette[place_of[0]], row["name"]
        drawn += 1
    assert drawn > 1


def node_link(one: Shown, qtbot: QtBot) -> None:
    """Sizes follow N, fills are Q, drawn pixel by pixel; the words of a node are its figures."""
    view, session = in_front(qtbot, one, "picture"), one.window.session
    canvas = view.canvas
    view.set_nodes(LEAST)
    qtbot.waitUntil(lambda: canvas.scene is not None and canvas.scene.picture is not None)
    qtbot.waitUntil(lambda: canvas.scene.picture.most == LEAST)
    qtbot.waitUntil(lambda: session.snapshot.picture is canvas.scene.picture and not canvas.moving)
    scene, drawn = canvas.scene, 0
    palette = picture_look.palette(current_theme())
    for row in one.visited:
        path = (row["action"],)
        place = scene.picture.place_of(path)
        if place < 0:
            continue
        shown_at = list(scene.places).index(place)
        assert scene.picture.visits[place] == row["visits"]
        assert scene.radii[shown_at] == radii_of(scene.picture.visits[place : place + 1])[0]
        if row["proof"]:
            continue  # hatched
        canvas.fit()
        canvas.advance(10.0)
        canvas.zoom(RADIUS / (float(scene.radii[shown_at]) * canvas.camera.lens.scale), canvas.spot_of(path))
        canvas.advance(10.0)
        radius = float(scene.radii[shown_at]) * canvas.camera.lens.scale
        points = around(canvas.spot_of(path), 0.62 * radius)
        step = picture_look.steps_of(np.array([row["q"]], np.float32))[0]
        assert colour_at(canvas, points) == palette[step], row["name"]
        words = canvas.text_of(path)
        assert count(row["visits"]) in words
        drawn += 1
    assert drawn > 1


def around(at: QPointF, radius: float) -> list[tuple[float, float]]:
    turns = [2 * math.pi * i / 16 for i in range(16)]
    return [(at.x() + radius * math.cos(turn), at.y() + radius * math.sin(turn)) for turn in turns]


CHECKS: tuple[Callable[[Shown, QtBot], None], ...] = (
    value_bar,
    tables,
    score_bars,
    policy_bars,
    curves,
    prior_points,
    icicle,
    node_link,
)


@pytest.mark.slow
def test_while_it_searches_all_views_show_one_moment(qtbot: QtBot) -> None:
    """Numbers are compared at every turn of the event loop, whatever is due next."""
    window = open_window(qtbot, KeepingAnalysis(), "connect4")
    rooms: list[Any] = [window.commands.open_dock(name) for name in ("icicle", "picture", "why")]
    window.docks.float_dock("why")  # all in sight at once
    window.state.set_settings(SearchSettings(memory_mb=512, prove=False))
    window.session.continue_search()
    icicle, picture, why = rooms
    moments: set[int] = set()
    wrong: list[object] = []  # waitUntil goes on after an AssertionError

    def look() -> bool:
        snapshot, rows = window.session.snapshot, window.views.tree.nodes.rows
        if snapshot is None or any(room.canvas.nodes is None for room in (icicle, picture)):
            return False
        moments.add(snapshot.simulations)
        visits, shown = {row.action: row.visits for row in snapshot.moves}, count(snapshot.simulations)
        grid = why.choice.grid.rows
        found = {
            "header": window.views.toolbar.simulations.text().startswith(shown),
            "moves": {row.action: row.visits for row in rows} == visits,
            "why": all(row.texts[1].split("+")[0] == count(visits[row.key]) for row in grid),
            "board": window.room.board.node.visits_of.sum() == sum(visits.values()),
        }
        for room in (icicle, picture):
            nodes, words = room.canvas.nodes, room.canvas.text_of(())
            below = [i for i in range(1, len(nodes)) if nodes.depths[i] == 1]
            found[f"{room}"] = all(nodes.visits[i] == visits[nodes.actions[i]] for i in below)
            found[f"words of {room}"] = f" {shown} " in f"{words} " and room.canvas.accessibleDescription() == words
        wrong.extend((snapshot.simulations, name) for name, same in found.items() if not same)
        return len(moments) >= 12

    qtbot.waitUntil(look)
    assert window.session.searching
    assert wrong == []
    window.session.stop()
