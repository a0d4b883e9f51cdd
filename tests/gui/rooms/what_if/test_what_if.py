"""A second search beside the first with the real engine: run, compared, following the position, paused, closed."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.engine import Analysis, Search, UniformEvaluator
from core.games import load_game
from core.search import Limit, SearchSettings
from gui.jobs.luck import SEEDS
from gui.model.sources import NetSource, UniformSource
from gui.rooms.what_if.comparison import HEADS, paired
from gui.rooms.what_if.what_if import WhatIf, WhatIfSearches
from gui.widgets.figures import NONE
from gui.widgets.room import Room
from gui.window import MainWindow
from tests.gui.conftest import open_window

GAME = "connect4(rows=4, cols=5, k=3)"


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[MainWindow]:
    """Show the dock beside a search with equal priors."""
    window = open_window(qtbot, Analysis(), GAME)
    window.session.automatic = False  # one search, from its first simulation to its limit
    window.session.stop()
    window.state.set_source(UniformSource())
    window.state.set_limit(200)
    window.session.automatic = True
    window.state.open_position(load_game(GAME).initial())
    window.context.actions["what_if"].trigger()
    qtbot.waitUntil(lambda: view_of(window).isVisible())
    yield window
    window.close()


def view_of(window: MainWindow) -> WhatIf:
    view = window.docks["what_if"].fill()
    assert isinstance(view, WhatIf)
    return view


def searches_of(window: MainWindow) -> WhatIfSearches:
    searches = view_of(window).searches
    assert searches is not None
    return searches


def finished(qtbot: QtBot, window: MainWindow, both: bool = True) -> None:
    """Wait until the searches have ended at the position shown."""

    def done() -> bool:
        sessions = [window.session, searches_of(window).second.session] if both else [window.session]
        return all(
            s.snapshot is not None
            and s.snapshot.position == window.state.position
            and bool(s.snapshot.reason)
            and not s.searching
            for s in sessions
        )

    qtbot.waitUntil(done)


def test_where_the_room_is_low_the_settings_stand_in_the_place_of_the_page(qtbot: QtBot, window: MainWindow) -> None:
    view = view_of(window)
    window.resize(900, 800)
    qtbot.waitUntil(view.body.isVisible)
    window.resize(900, 500)
    qtbot.waitUntil(view.body.isHidden)
    assert view.settings.isVisible()
    view.tune.setChecked(False)
    assert view.body.isVisible()
    assert not view.settings.isVisible()


def test_settings_in_the_place_of_the_page_are_whole_and_the_room_alone_scrolls(
    qtbot: QtBot, window: MainWindow
) -> None:
    view = view_of(window)
    room = window.docks["what_if"].findChild(Room)
    window.commands.appearance.set_text_size(150)
    try:
        for size in ((800, 500), (956, 508)):
            window.resize(*size)

            def laid_out() -> None:
                assert view.body.isHidden()
                assert view.settings.height() == view.settings.whole_height
                bars = room.verticalScrollBar(), room.horizontalScrollBar(), view.settings.form.verticalScrollBar()
                assert [bar.maximum() > 0 for bar in bars] == [True, False, False]

            qtbot.waitUntil(laid_out)
    finally:
        window.commands.appearance.set_text_size(100)
    window.resize(1600, 900)
    qtbot.waitUntil(view.body.isVisible)
    assert room.verticalScrollBar().maximum() == 0


@pytest.mark.parametrize("size", [(800, 500), (1024, 700), (1480, 920)])
def test_the_pages_are_chosen_in_one_line(qtbot: QtBot, window: MainWindow, size: tuple[int, int]) -> None:
    pages = view_of(window).pages
    window.resize(*size)
    qtbot.waitUntil(lambda: pages.height() == pages.buttons["moves"].height())
    assert pages.width() >= pages.sizeHint().width()


def run(qtbot: QtBot, window: MainWindow) -> None:
    view_of(window).run.click()
    finished(qtbot, window)


def test_the_table_has_the_first_search_before_the_second_begins(qtbot: QtBot, window: MainWindow) -> None:
    view, second = view_of(window), searches_of(window).second
    finished(qtbot, window, both=False)
    assert second.session.snapshot is None
    model, first = view.table.model, window.session.snapshot
    assert first is not None
    qtbot.waitUntil(lambda: len(model.rows) == len(first.root.rows) and model.rows[0].rows[0] == first.root.rows[0])
    assert [row.ranks for row in model.rows] == [(rank, 0) for rank in range(1, 6)]
    for column, head in enumerate(HEADS):
        looks = [model.look(row, column) for row in model.rows]
        assert not any(look.ground for look in looks), "nothing differs yet"
        assert ({look.text for look in looks} == {NONE}) == (head.side == 1 or head.id == "change")


@pytest.mark.slow
def test_the_second_search_starts_with_the_settings_of_the_first(window: MainWindow) -> None:
    view, second = view_of(window), searches_of(window).second
    assert view.settings.isVisible()
    assert second.state.settings == window.state.settings
    assert second.state.source == window.state.source
    assert second.state.limit == 200
    assert view.changes.text() == "Second: same settings as the first"
    assert view.divergence.text().startswith("Change a setting, the net or the simulations")
    assert second.session.snapshot is None
    assert second.session._analysis is None, "no thread before it is run"


def test_the_same_search_gives_the_same_figures(qtbot: QtBot, window: MainWindow) -> None:
    run(qtbot, window)
    view, second = view_of(window), searches_of(window).second
    assert view.page == "moves"
    ours, theirs = window.session.snapshot, second.session.snapshot
    assert ours is not None
    assert theirs is not None
    assert ours.root.rows == theirs.root.rows
    qtbot.waitUntil(lambda: view.values.text().endswith(": the same."))
    assert view.divergence.text().startswith("Both expect ")
    assert view.table.model.rowCount() == 5


def test_another_setting_is_searched_at_once_and_compared(qtbot: QtBot, window: MainWindow) -> None:
    view, second = view_of(window), searches_of(window).second
    view.settings.inputs["limit"].setText("350")
    view.settings.take()
    finished(qtbot, window)
    view.settings.inputs["c_puct"].setText("8")
    view.settings.take()
    assert window.state.settings is not None
    assert window.state.settings.c_puct != 8, "the first stays as it is"
    finished(qtbot, window)
    assert second.session.snapshot is not None
    assert second.session.snapshot.simulations == 350
    position = window.state.position
    assert position is not None
    direct = Search(position, UniformEvaluator(5), replace(window.state.settings, c_puct=8.0))
    direct.run(Limit(simulations=350))
    assert second.session.snapshot.moves == direct.snapshot().moves
    model = view.table.model
    qtbot.waitUntil(lambda: model.rowCount() == 5 and model.rows[0].rows[1] in direct.snapshot().moves)
    assert " 8 instead of" in view.changes.text()
    assert "350 simulations instead of 200" in view.changes.text()
    assert view.values.text().startswith("Value for Red: first ")
    qtbot.waitUntil(lambda: "second 350" in view.counts.text())
    assert view.unequal.isVisible()
    view.level.click()
    finished(qtbot, window)
    qtbot.waitUntil(lambda: "first 350" in view.counts.text() and view.warning.isHidden())
    assert view.level.text() == ""  # as in a window in which nothing was unequal
    view.same.click()
    assert second.state.settings == window.state.settings
    finished(qtbot, window)
    qtbot.waitUntil(lambda: view.values.text().endswith(": the same."))


@pytest.mark.slow
def test_the_divergence_shows_values_of_both_trees(qtbot: QtBot, window: MainWindow) -> None:
    view, second = view_of(window), searches_of(window).second
    second.state.set_source(None)
    finished(qtbot, window)
    ours, theirs = window.session.snapshot, second.session.snapshot
    assert ours is not None
    assert theirs is not None
    assert "random rollouts instead of uniform prior" in view.changes.text()
    assert second.state.settings is not None
    assert second.state.settings.selection == "ucb1"
    assert ours.pv != theirs.pv
    words = view.divergence.text
    qtbot.waitUntil(lambda: words().count("(N ") == 2 or "looks further" in words())


def test_the_second_search_follows_position_and_chosen_moves(qtbot: QtBot, window: MainWindow) -> None:
    run(qtbot, window)
    second = searches_of(window).second
    window.state.play(2)
    finished(qtbot, window)
    assert second.state.position == window.state.position
    window.state.restrict((0, 1))
    assert second.state.only == (0, 1)
    qtbot.waitUntil(lambda: second.session.snapshot is not None and bool(second.session.snapshot.root.left_out))
    finished(qtbot, window)
    assert second.session.snapshot is not None
    assert set(second.session.snapshot.root.actions.tolist()) == {0, 1}
    searched = []
    second.state.position_changed.connect(lambda: searched.append(second.state.only))
    window.state.go(0)
    assert searched == [()]  # never the moves chosen at the other position
    finished(qtbot, window)
    assert second.session.snapshot.position.moves == ()
    assert second.state.only == ()


@pytest.mark.slow
def test_opened_during_a_lock_it_searches_the_locked_moves(qtbot: QtBot, window: MainWindow) -> None:
    window.docks.toggle("what_if")
    window.state.play(0)
    window.state.restrict((1, 3))
    window.session.toggle_lock()
    window.state.play(2)
    second = searches_of(window).second
    assert second.state.position.moves == ()  # it is paused
    window.docks.toggle("what_if")
    assert second.state.position.moves == (0,)
    assert second.state.only == (1, 3)


def test_both_trees_open_together_and_a_click_selects(qtbot: QtBot, window: MainWindow) -> None:
    run(qtbot, window)
    view = view_of(window)
    view.pages.buttons["trees"].click()
    one, other = view.trees.trees
    qtbot.waitUntil(lambda: one.nodes.rowCount() == 5 and other.nodes.rowCount() == 5)
    one.expand(one.nodes.index_of((2,)))
    assert other.isExpanded(other.nodes.index_of((2,)))
    for tree in (one, other):
        qtbot.waitUntil(lambda t=tree: t.nodes.rowCount(t.nodes.index_of((2,))) == 5)
    other.collapse(other.nodes.index_of((2,)))
    assert not one.isExpanded(one.nodes.index_of((2,)))
    one.setCurrentIndex(one.nodes.index_of((3,)))
    assert window.state.selected == (3,)
    assert other.currentIndex() == other.nodes.index_of((3,))
    view.pages.buttons["moves"].click()
    view.table.selected.emit(1)
    assert window.state.selected == (1,)


@pytest.mark.slow
def test_requested_paths_of_both_trees_are_carried(qtbot: QtBot, window: MainWindow) -> None:
    run(qtbot, window)
    window.views.tree.open_path((1,))
    qtbot.waitUntil(lambda: window.session.snapshot is not None and (1,) in window.session.snapshot.opened)
    view = view_of(window)
    view.pages.buttons["trees"].click()
    view.trees.trees[1].open_path((4,))
    qtbot.waitUntil(
        lambda: window.session.snapshot is not None and {(1,), (4,)} <= window.session.snapshot.opened.keys()
    )


@pytest.mark.slow
def test_the_second_search_pauses_while_its_dock_is_closed(qtbot: QtBot, window: MainWindow) -> None:
    run(qtbot, window)
    second = searches_of(window).second
    second.toggle()
    qtbot.waitUntil(lambda: second.session.searching)
    window.docks.hide_dock("what_if")
    qtbot.waitUntil(lambda: not second.session.searching)
    assert not second.running
    window.state.play(2)
    finished(qtbot, window, both=False)
    assert second.session.snapshot is None or second.session.snapshot.position != window.state.position
    window.context.actions["run_what_if"].trigger()
    finished(qtbot, window)
    assert second.state.position == window.state.position


def test_searches_that_differ_are_compared_without_a_word(qtbot: QtBot, window: MainWindow) -> None:
    view, second = view_of(window), searches_of(window).second
    assert window.state.settings is not None
    window.state.set_settings(replace(window.state.settings, c_puct=4.0))  # the second keeps its own
    finished(qtbot, window)
    qtbot.waitUntil(lambda: view.table.model.rowCount() == 5)
    window.docks.hide_dock("what_if")
    window.state.play(2)
    finished(qtbot, window, both=False)
    window.docks.show_dock("what_if")
    finished(qtbot, window)
    assert second.session.snapshot is not None
    qtbot.waitUntil(lambda: view.table.model.rowCount() == len(second.session.snapshot.moves))
    window.docks.hide_dock("what_if")
    window.state.play(2)
    window.context.actions["run_what_if"].trigger()  # opens the room, and does not stop what begins with it
    finished(qtbot, window)
    assert second.running


def test_run_and_stop(qtbot: QtBot, window: MainWindow) -> None:
    run(qtbot, window)
    view, second = view_of(window), searches_of(window).second
    window.state.set_settings(replace(window.state.settings or SearchSettings(), prove=False))
    view.same.click()
    finished(qtbot, window)
    view.run.click()
    qtbot.waitUntil(lambda: view.run.text() == "Stop")
    qtbot.waitUntil(lambda: (second.session.snapshot or window.session.snapshot).simulations > 400)
    view.run.click()
    qtbot.waitUntil(lambda: view.run.text() == "Continue")
    qtbot.waitUntil(lambda: second.session.snapshot is not None and second.session.snapshot.reason == "stopped")
    qtbot.waitUntil(lambda: view.counts.text().endswith(" · stopped"))


@pytest.mark.slow
def test_a_lock_keeps_both_searches_at_their_position(qtbot: QtBot, window: MainWindow) -> None:
    run(qtbot, window)
    view, second = view_of(window), searches_of(window).second
    window.context.actions["lock"].trigger()
    window.state.play(2)
    assert second.state.line == ()
    assert view.divergence.text() == "The first search is locked on another position; go there to compare."
    assert view.table.model.rowCount() == 0
    window.context.actions["lock"].trigger()
    assert second.state.line == (2,)
    finished(qtbot, window)


@pytest.mark.slow
def test_another_game_changes_the_net_and_keeps_the_settings(qtbot: QtBot, window: MainWindow) -> None:
    run(qtbot, window)
    second = searches_of(window).second
    second.state.set_settings(replace(second.state.settings or SearchSettings(), c_puct=4.0))
    second.state.set_source(None)
    window.state.open_position(load_game("tictactoe").initial(), UniformSource())
    finished(qtbot, window)
    assert second.state.settings is not None
    assert second.state.settings.c_puct == 4.0
    assert second.state.game == window.state.game
    assert second.state.source == UniformSource()
    assert view_of(window).net.text() == "uniform prior"


@pytest.mark.slow
def test_a_net_of_another_game_is_refused_in_words(window: MainWindow) -> None:
    second = searches_of(window).second
    second.opener._take_net((NetSource(Path("other.onnx"), 1), load_game("tictactoe")))
    assert "other.onnx is a net for Tic-tac-toe" in window.banner.text
    assert second.state.source == window.state.source


@pytest.mark.slow
def test_a_failing_source_is_reported(qtbot: QtBot, window: MainWindow) -> None:
    view, second = view_of(window), searches_of(window).second
    second.state.set_source(NetSource(Path("nowhere.onnx"), 1))
    qtbot.waitUntil(lambda: "nowhere.onnx" in view.divergence.text())
    qtbot.waitUntil(lambda: not second.session.searching)


def test_the_second_search_ends_with_the_window(qtbot: QtBot, window: MainWindow) -> None:
    before = {thread for thread in threading.enumerate() if thread.name == "analysis"}
    run(qtbot, window)
    started = {thread for thread in threading.enumerate() if thread.name == "analysis"} - before
    assert len(started) == 1
    searches_of(window).second.toggle()
    window.close()
    qtbot.waitUntil(lambda: not any(thread.is_alive() for thread in started))


@pytest.mark.slow
def test_the_icicle_shows_where_the_searches_differ(qtbot: QtBot, window: MainWindow) -> None:
    run(qtbot, window)
    view, second = view_of(window), searches_of(window).second
    assert second.state.settings is not None
    second.state.set_settings(replace(second.state.settings, c_puct=9.0))
    finished(qtbot, window)
    page = view.icicle
    view.pages.buttons["icicle"].click()
    canvas = page.canvas
    sessions = (window.session, second.session)
    for side in (0, 1):
        if side:
            page.sides.buttons["second_search"].click()
        qtbot.waitUntil(lambda: canvas.scene.icicle is not None and canvas._twin is not None)
        canvas.grab()
        icicle, figures = canvas.scene.icicle, canvas._look(canvas.scene.icicle).figures
        changes = {pair.action: pair.change("share") for pair in paired(sessions[0].snapshot, sessions[1].snapshot)}
        assert figures.nodes[0] == 0
        for row in sessions[side].snapshot.moves:
            place = icicle.place_of((row.action,))
            if place >= 0:
                assert icicle.visits[place] == row.visits
                assert figures.nodes[place] == pytest.approx(changes[row.action], abs=1e-6)
    page.canvas.selected.emit((3,))
    assert window.state.selected == (3,)
    view.pages.buttons["moves"].click()
    assert not any(session.extras.icicles or session.extras.twins for session in sessions)
    qtbot.waitUntil(lambda: not canvas.moving)


def test_luck_is_what_many_seeds_say_of_both_searches(qtbot: QtBot, window: MainWindow) -> None:
    view, searches = view_of(window), searches_of(window)
    settings = window.session.settings
    assert settings is not None
    searches.second.state.set_settings(replace(settings, noise_epsilon=0.5))
    finished(qtbot, window)
    view.pages.buttons["luck"].click()
    page = view.luck
    page.run.click()
    assert page.job.running
    qtbot.waitUntil(lambda: not page.job.running, timeout=20_000)
    assert [len(runs) for runs in page.job.runs] == [SEEDS, SEEDS]
    rows = {row.key: row for row in page.bars.chart.rows}
    assert all(len(row.dots) == SEEDS for row in rows.values())
    best = window.session.snapshot.best
    assert rows[2 * best].note == f"{SEEDS}/{SEEDS}", "nothing in the first search depends on the seed"
    assert "depends on the seed" in page.words.text()
    assert len({dot.at for key, row in rows.items() if key % 2 for dot in row.dots}) > 3
    page.bars.chosen.emit(2 * best)
    assert window.state.selected == (best,)
    page.run.click()
    page.run.click()
    assert not page.job.running, "it can be stopped"
    window.state.play(best)
    assert page.job.runs == ([], [])
    assert not page.bars.chart.rows
