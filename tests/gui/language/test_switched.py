"""A window that was switched to a language shows exactly the texts of a window that was opened in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.engine import Analysis
from core.games import load_game
from core.glass.explain import nodes_for
from core.search import Limit
from gui.jobs.explainer import Explainer
from gui.language.language import CHINESE, ENGLISH, set_language
from gui.rooms.board.overlay_link import OverlayLink
from gui.rooms.opponents.play_seats import Seat
from gui.rooms.timeline.timeline import Timeline
from gui.rooms.training.run_charts import CHARTS
from gui.rooms.training.run_view import PAGES
from gui.rooms.training.tab import TrainingTab
from gui.rooms.tree.icicle_part import IciclePart
from gui.rooms.tree.picture_part import PicturePart
from gui.rooms.what_if.what_if import WhatIf
from gui.shell.docks import VIEWS
from gui.widgets.texts import switch_language
from gui.window import MainWindow
from tests.gui.conftest import open_window
from tests.gui.fakes import FakeAnalysis
from tests.gui.language.shown_texts import shown_texts
from tests.gui.rooms.training.runs import write_run

MEASURED = (" ms.", "毫秒。")  # by the clock
WIDE = 1900, 1000  # px: in each language the search settings stand beside the other rooms
Bring = Callable[[MainWindow], None]  # into a state
OpenIn = Callable[[str], MainWindow]


@pytest.fixture
def open_in(qtbot: QtBot, tmp_path: Path) -> OpenIn:
    """Opens a window in a language, with a game that is searched, and every room of it once."""
    write_run(tmp_path / "runs" / "first")

    def open_in(language: str) -> MainWindow:
        set_language(language)
        analysis = FakeAnalysis()
        training = partial(TrainingTab, home=tmp_path / "runs")
        window = open_window(qtbot, analysis, "connect4(rows=5, k=3)", "d d c", WIDE, training=training)
        analysis.publish(1000)
        for name in VIEWS:
            window.commands.open_dock(name)
        return window

    return open_in


def all_texts(qtbot: QtBot, window: MainWindow) -> dict[str, str]:
    """Those of every room, after it came in sight; a room renews what is live when it does."""
    window.workspaces.turn_to("nets")
    view = window.commands.training.view
    for page in PAGES:
        view.show_page(page)
        window.commands.training.tick()
        if page == "charts":
            qtbot.waitUntil(lambda: len(view.charts.grid.charts) == len(CHARTS))
        for _ in range(5):
            QApplication.processEvents()
    window.commands.training.show_new()
    found = shown_texts(window.commands.training)
    window.workspaces.turn_to("search")
    return found | rooms(qtbot, window)


def rooms(qtbot: QtBot, window: MainWindow, with_picture: bool = False) -> dict[str, str]:
    """Return the texts of the analysis page, every dock shown once; ``with_picture``: wait for its picture."""
    for name in VIEWS:
        view = window.commands.open_dock(name)
        QApplication.processEvents()
        if name == "timeline":
            qtbot.waitUntil(partial(drawn, view))
        if name in ("picture", "icicle") and with_picture:  # they are drawn while they are in sight
            qtbot.waitUntil(partial(has_picture, view))
        if name == "why" and with_picture:
            qtbot.waitUntil(partial(explained, window.findChild(Explainer)))
    if window.state.overlay == "exact":
        truth = window.findChild(OverlayLink).truth
        qtbot.waitUntil(lambda: truth.solution is not None or truth.note.startswith("Not solved"))
    return shown_texts(window)


def drawn(timeline: object) -> bool:
    """Whether all charts are made and drawn, which they are one after the other."""
    assert isinstance(timeline, Timeline)
    return timeline.page.isHidden() or timeline.ready


def explained(explainer: Explainer) -> bool:
    """Whether the explanation has all nodes that it reads, which come one after the other."""
    answer = explainer.answer
    if answer is None:
        return False
    wanted = nodes_for(answer.snapshot, answer.explanation.action)
    return frozenset(wanted) <= answer.snapshot.opened.keys()


def has_picture(view: object) -> bool:
    if isinstance(view, IciclePart):
        return view.canvas.scene.icicle is not None
    assert isinstance(view, PicturePart)
    return view.canvas.scene is not None and view.canvas.scene.picture is not None


def differences(one: dict[str, str], other: dict[str, str]) -> list[str]:
    return [
        f"{place}: {one.get(place)!r} instead of {other.get(place)!r}"
        for place in sorted(one.keys() | other.keys())
        if one.get(place) != other.get(place)
        and not one.get(place, other.get(place, "")).endswith(MEASURED)
        and "SimulationsLabel" not in place  # it shows what there is room for
    ]


# states of the window


def previewing(window: MainWindow) -> None:
    """A node is selected, only some moves are searched, there is a variation, and an engine plays."""
    state = window.state
    state.go(1)
    state.play_line((0,))
    state.restrict((1, 2))
    state.set_comment("message")
    state.select((1,))
    state.set_numbers(True)
    window.commands.keymap.give("toggle", "Ctrl+F8")
    window.commands.games.play.seat(0, Seat(True, None, simulations=50))


def elsewhere(window: MainWindow) -> None:
    """The search is locked on another position, and the exact results are asked for."""
    window.session.toggle_lock()
    window.state.go(1)
    window.state.set_overlay("exact")


def over_and_mistyped(window: MainWindow) -> None:
    """A game of Nim has ended; there are wrong entries in the forms."""
    window.state.open_position(load_game("nim(heaps=1-1)").position("1-1 2-1"), None)
    window.state.set_overlay("threats")
    settings: Any = window.docks["settings"].widget_made
    settings.inputs["limit"].setText("no number")
    settings.take()
    play: Any = window.commands.open_dock("players")
    report: Any = window.docks["report"].widget_made
    editor = play.seats[0]
    editor.who.setCurrentIndex(1)
    editor.amount.setText("none")
    editor.changed.emit()
    report.amount_changed.emit(0)
    window.workspaces.turn_to("nets")
    form = window.commands.training.form
    form.form.inputs["net.blocks"].setText("many")
    form.form.check()
    form.name.setText("a/b")
    form.game.setCurrentText("chess")


STATES = (previewing, elsewhere, over_and_mistyped)


def test_a_switched_window_with_some_rooms_equals_a_new_one(qtbot: QtBot) -> None:
    def opened(language: str) -> MainWindow:
        set_language(language)
        analysis = FakeAnalysis()
        window = open_window(qtbot, analysis, "connect4")
        analysis.publish(1000)
        analysis.finish()
        window.session._poll()
        return window

    def texts(window: MainWindow) -> dict[str, str]:
        for name in ("table", "icicle", "settings", "players"):
            window.commands.open_dock(name)
            QApplication.processEvents()
        return shown_texts(window)

    window = opened(ENGLISH)
    english = texts(window)
    switch_language(CHINESE)
    chinese = texts(window)
    switch_language(ENGLISH)
    again = texts(window)
    window.close()
    other = opened(CHINESE)
    fresh = texts(other)
    other.close()
    set_language(ENGLISH)
    assert len(fresh) > 300
    assert differences(again, english) == []
    assert differences(chinese, fresh) == []


@pytest.mark.slow
def test_a_switched_window_equals_a_new_one(qtbot: QtBot, open_in: OpenIn) -> None:
    """In one state after the other: two languages in one window, then the second alone in another one."""
    switched = list(in_states(qtbot, open_in(ENGLISH), (ENGLISH, CHINESE, ENGLISH)))
    fresh = in_states(qtbot, open_in(CHINESE), (CHINESE,))
    for (english, chinese, again), (other,) in zip(switched, fresh, strict=True):
        assert len(other) > 500
        assert differences(chinese, other) == []
        assert differences(again, english) == []


def in_states(qtbot: QtBot, window: MainWindow, languages: Sequence[str]) -> Iterator[list[dict[str, str]]]:
    """Bring a window into each state, and return its texts there in each of the languages; it is closed at the end."""
    for bring in STATES:
        bring(window)
        cast(FakeAnalysis, window.session.analysis).finish()
        all_texts(qtbot, window)
        found = []
        for language in languages:
            switch_language(language)
            found.append(all_texts(qtbot, window))
        yield found
    window.close()


# with real searches


def searched(qtbot: QtBot, window: MainWindow) -> None:
    """The game is analysed, two searches are compared, and an earlier moment is looked at."""
    session = window.session
    window.state.open_position(load_game("connect4(rows=5, k=3)").position("d d c"), None)
    session.search_to(Limit(simulations=200))
    qtbot.waitUntil(lambda: session.present is not None and bool(session.present.reason))
    window.commands.games.review.set_simulations(20)
    window.commands.games.review.analyse()
    qtbot.waitUntil(
        lambda: window.commands.games.review.report is not None and window.commands.games.review.report.complete
    )
    view = window.docks["what_if"].widget_made
    assert isinstance(view, WhatIf)
    second = view.searches.second.session
    window.context.actions["run_what_if"].trigger()
    qtbot.waitUntil(lambda: second.present is not None and bool(second.present.reason))
    window.commands.time.go(50)
    qtbot.waitUntil(lambda: window.commands.time.past is not None)
    window.state.select((3,))


def without_figures(texts: dict[str, str]) -> dict[str, str]:
    """Times, rates and drawn games differ, the words around them do not; a chart with curves hides why it had none."""
    return {
        place: re.sub(r"[-+−±]?[0-9][0-9\u202f.,]*k?|–(?= \S+/)", "0", text)  # a rate may not be known
        for place, text in texts.items()
        if "/Surface 1/QLabel" not in place
    }


@pytest.mark.slow
def test_a_switched_window_with_real_searches_equals_a_new_one(qtbot: QtBot) -> None:
    def opened(language: str) -> MainWindow:
        set_language(language)
        window = open_window(qtbot, Analysis(), "connect4")
        window.resize(*WIDE)
        for name in VIEWS:
            window.commands.open_dock(name)
        searched(qtbot, window)
        rooms(qtbot, window, with_picture=True)
        return window

    window = opened(ENGLISH)
    english = rooms(qtbot, window, with_picture=True)
    switch_language(CHINESE)
    chinese = rooms(qtbot, window, with_picture=True)
    switch_language(ENGLISH)
    again = rooms(qtbot, window, with_picture=True)
    window.close()
    other = opened(CHINESE)
    fresh = rooms(qtbot, other, with_picture=True)
    other.close()
    set_language(ENGLISH)
    assert differences(without_figures(again), without_figures(english)) == []
    assert differences(without_figures(chinese), without_figures(fresh)) == []
