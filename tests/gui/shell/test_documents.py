"""Several trees in one window: each is shown again as it was left, none is lost, a session holds them all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QTabBar
from pytestqt.qtbot import QtBot

from core.files.session import open_session
from core.games import load_game
from core.glass import Snapshot
from core.search import SearchSettings
from gui.jobs.kept_trees import KeepingAnalysis
from gui.model.document import DISK, IDLE, MEMORY, NONE, SHOWN, UNBOUNDED
from gui.model.sources import UniformSource
from gui.rooms.board.scope import ScopeStrip
from gui.shell.document_files import read_trace
from gui.shell.documents import MOST_OPEN, Documents
from gui.window import MainWindow
from tests.core.glass.toy_search import Toy
from tests.gui.conftest import open_window
from tests.gui.test_session_trees import rested, same_figures, save

GAME = "connect4(rows=4, cols=5, k=3)"


@pytest.fixture
def make(qtbot: QtBot, tmp_path: Path) -> Callable[[], MainWindow]:
    """Returns a function that makes windows with real searches of 200 simulations."""

    def one() -> MainWindow:
        window = open_window(qtbot, KeepingAnalysis(), GAME)
        window.commands.documents.folder = tmp_path / "trees"
        window.state.set_limit(200)  # before what begins a search, so that none gets larger
        window.state.set_settings(SearchSettings(memory_mb=16, prove=False))
        window.state.set_source(UniformSource())
        return window

    return one


def searched(qtbot: QtBot, window: MainWindow, move: int, limit: int = 200) -> Snapshot:
    window.state.set_limit(limit)
    window.state.play(move)
    qtbot.waitUntil(lambda: window.session.snapshot is not None)
    qtbot.waitUntil(lambda: rested(qtbot, window).simulations >= limit)
    return rested(qtbot, window)


def copied(qtbot: QtBot, documents: Documents) -> None:
    """Keep the tree shown, go on in a copy."""
    count = len(documents.in_order)
    documents.add_copy()
    qtbot.waitUntil(lambda: len(documents.in_order) == count + 1)


def shown(qtbot: QtBot, window: MainWindow, place: int) -> Snapshot:
    """Show the tree at a place and wait for its figures."""
    documents = window.commands.documents
    wanted = documents.in_order[place]
    documents.show(wanted)
    qtbot.waitUntil(lambda: documents.shown is wanted and window.session.snapshot is not None)
    return rested(qtbot, window)


def places(window: MainWindow) -> list[str]:
    return [one.place for one in window.commands.documents.facts]


def test_trees_are_shown_again_as_they_were_left(qtbot: QtBot, make: Callable[[], MainWindow]) -> None:
    window = make()
    documents, state = window.commands.documents, window.state
    first = searched(qtbot, window, 2)
    copied(qtbot, documents)
    second = searched(qtbot, window, 1, 350)
    assert places(window) == [MEMORY, SHOWN]
    # Another game, other settings, moves chosen, a path selected.
    copied(qtbot, documents)
    state.open_position(load_game("tictactoe").position("b2"), None)
    state.set_settings(replace(state.settings, c_ucb=0.7, memory_mb=8))
    state.restrict((0, 1, 2))
    third = searched_here(qtbot, window)
    state.select((0, 5))
    assert [one.title for one in documents.facts] == [
        "Connect Four 4×5, 3 in a row · c",
        "Connect Four 4×5, 3 in a row · c b",
        "Tic-tac-toe · b2",
    ]
    again = shown(qtbot, window, 0)
    same_figures(first, again)
    assert (state.limit, state.only, state.selected, state.moves) == (200, (), (), (2,))
    assert isinstance(state.source, UniformSource)
    same_figures(second, shown(qtbot, window, 1))
    assert state.limit == 350
    same_figures(third, shown(qtbot, window, 2))
    assert (state.only, state.selected, state.source) == ((0, 1, 2), (0, 5), None)
    assert state.settings.c_ucb == 0.7
    assert window.banner.text == ""


def searched_here(qtbot: QtBot, window: MainWindow) -> Snapshot:
    qtbot.waitUntil(lambda: window.session.snapshot is not None)
    return rested(qtbot, window)


@pytest.mark.slow
def test_a_copy_at_the_same_position_does_not_share_the_search(qtbot: QtBot, make: Callable[[], MainWindow]) -> None:
    window = make()
    first = searched(qtbot, window, 2)
    copied(qtbot, window.commands.documents)
    window.state.set_limit(700)
    qtbot.waitUntil(lambda: rested(qtbot, window).simulations >= 700)
    longer = rested(qtbot, window)
    window.session.look_back(600)
    qtbot.waitUntil(lambda: window.session.past() is not None)
    window.session.look_back(None)
    same_figures(first, shown(qtbot, window, 0))
    window.session.look_back(600)
    qtbot.waitUntil(lambda: window.session.past() is not None)
    assert window.session.past().simulation == 200
    window.session.look_back(None)
    same_figures(longer, shown(qtbot, window, 1))


def test_a_search_that_was_running_goes_on_and_one_at_rest_does_not(
    qtbot: QtBot, make: Callable[[], MainWindow]
) -> None:
    window = make()
    searched(qtbot, window, 2)
    copied(qtbot, window.commands.documents)
    window.session.continue_search()
    qtbot.waitUntil(lambda: window.session.newest.simulations > 400)
    assert shown(qtbot, window, 0).simulations == 200
    assert (window.session.limit.mode, window.session.searching) == (IDLE, False)
    kept = window.commands.documents.in_order[1].tree
    assert kept is not None
    window.commands.documents.step(1)
    # the present is None again while the search that goes on has not reported yet
    qtbot.waitUntil(
        lambda: window.session.present is not None and window.session.present.simulations > kept.simulations,
    )
    assert window.session.limit.mode == UNBOUNDED


@pytest.mark.slow
def test_a_tree_is_kept_even_if_it_is_left_before_its_search_has_followed(
    qtbot: QtBot, make: Callable[[], MainWindow]
) -> None:
    window = make()
    documents, state = window.commands.documents, window.state
    first = searched(qtbot, window, 2, 400)
    copied(qtbot, documents)
    state.set_limit(1)
    rested(qtbot, window)
    state.play(first.best)
    documents.step(-1)
    state.take_back()
    state.play(first.best)
    qtbot.waitUntil(lambda: documents.shown is documents.in_order[0])
    kept = documents.in_order[1].tree
    assert kept.position.moves == (2, first.best)
    assert kept.nodes >= first.counters.nodes
    same_figures(first, rested(qtbot, window))


def test_a_lock_belongs_to_its_tree(qtbot: QtBot, make: Callable[[], MainWindow]) -> None:
    window = make()
    session, state = window.session, window.state
    first = searched(qtbot, window, 2)
    copied(qtbot, window.commands.documents)
    session.toggle_lock()
    state.go(0)
    assert session.away
    shown(qtbot, window, 0)
    assert session.locked is None
    window.commands.documents.step(1)
    qtbot.waitUntil(lambda: session.locked is not None)
    assert session.away
    assert state.cursor == 0
    visit = window.room.findChild(ScopeStrip).visit
    assert not visit.isHidden()
    visit.click()
    assert state.cursor == 1
    qtbot.waitUntil(lambda: session.snapshot is not None)
    same_figures(first, rested(qtbot, window))


def test_beyond_the_memory_the_oldest_trees_go_to_files_and_pinned_ones_last(
    qtbot: QtBot, make: Callable[[], MainWindow]
) -> None:
    window = make()
    documents = window.commands.documents
    before = [searched(qtbot, window, 2)]
    for move in (1, 3):
        copied(qtbot, documents)
        before.append(searched(qtbot, window, move))
    documents.pin(documents.in_order[0], True)
    documents.most_memory = 1
    copied(qtbot, documents)
    qtbot.waitUntil(lambda: places(window) == [DISK, DISK, DISK, SHOWN])
    assert documents.memory == 0
    same_figures(before[1], shown(qtbot, window, 1))
    documents.most_memory = documents.facts[0].memory
    same_figures(before[0], shown(qtbot, window, 0))
    qtbot.waitUntil(lambda: places(window)[1] == DISK)
    documents.show(documents.in_order[3])
    qtbot.waitUntil(lambda: places(window) == [MEMORY, DISK, DISK, SHOWN])


@pytest.mark.slow
def test_trees_that_cannot_be_written_stay_in_memory(qtbot: QtBot, make: Callable[[], MainWindow]) -> None:
    window = make()
    window.commands.documents.folder.write_text("no folder")
    searched(qtbot, window, 2)
    window.commands.documents.most_memory = 1
    copied(qtbot, window.commands.documents)
    qtbot.waitUntil(lambda: "Trees stay in memory" in window.banner.text)
    assert places(window) == [MEMORY, SHOWN]


def test_a_closed_tree_is_opened_again(qtbot: QtBot, make: Callable[[], MainWindow]) -> None:
    window = make()
    documents = window.commands.documents
    documents.close(documents.shown)
    assert "the only tree" in window.banner.text
    first = searched(qtbot, window, 2)
    documents.rename(documents.shown, "  The\nfirst ")
    copied(qtbot, documents)
    searched(qtbot, window, 1)
    documents.show(documents.in_order[0])
    qtbot.waitUntil(lambda: documents.shown is documents.in_order[0])
    documents.close(documents.shown)
    qtbot.waitUntil(lambda: len(documents.in_order) == 1)
    assert window.banner.text == "“The first” is closed."
    assert len(window.state.moves) == 2
    window.banner.offer_button.click()
    qtbot.waitUntil(lambda: len(documents.in_order) == 2 and documents.shown is documents.in_order[0])
    same_figures(first, rested(qtbot, window))
    assert documents.title(documents.shown) == "The first"


@pytest.mark.slow
def test_an_unsaved_game_of_a_closed_tree_is_among_the_previous_ones(
    qtbot: QtBot, make: Callable[[], MainWindow]
) -> None:
    window = make()
    documents = window.commands.documents
    copied(qtbot, documents)
    window.state.play_line((2, 2, 1))
    assert documents.shown.unsaved
    documents.show(documents.in_order[0])
    qtbot.waitUntil(lambda: documents.shown is documents.in_order[0])
    assert not documents.shown.unsaved
    assert documents.unsaved
    documents.close(documents.in_order[1])
    assert [one.moves for one in documents.closed] == [3]
    documents.go_back()
    qtbot.waitUntil(lambda: len(window.state.moves) == 3)
    assert documents.closed == []
    assert documents.shown.unsaved
    assert window.state.can_undo


@pytest.mark.slow
def test_there_are_at_most_so_many_trees(qtbot: QtBot, window: MainWindow) -> None:
    documents = window.commands.documents
    for _ in range(MOST_OPEN):
        documents.add_copy()  # the scripted analysis has no tree, so that they are made at once
    assert len(documents.in_order) == MOST_OPEN
    assert "At most 20 trees" in window.banner.text
    assert places(window)[0] == NONE


def test_a_session_holds_all_trees(qtbot: QtBot, make: Callable[[], MainWindow], tmp_path: Path) -> None:
    window = make()
    documents, path = window.commands.documents, tmp_path / "all.plyscope"
    before = [searched(qtbot, window, 2)]
    documents.rename(documents.shown, "Opening")
    for move in (1, 3):
        copied(qtbot, documents)
        before.append(searched(qtbot, window, move))
    window.session.seed = 5
    shown(qtbot, window, 1)
    window.state.select((3,))
    save(qtbot, window, path)
    assert [len(game.searches) for game in open_session(path).session.games] == [1, 1, 1]
    other = make()
    rested(qtbot, other)
    other.commands.documents.most_memory = 1
    with qtbot.waitSignal(other.commands.filing.used):
        other.commands.filing.open_file(path)
    same_figures(before[1], searched_here(qtbot, other))
    assert other.state.selected == (3,)
    assert places(other) == [DISK, SHOWN, DISK]
    assert [one.name for one in other.commands.documents.in_order] == ["Opening", "", ""]
    assert other.commands.documents.in_order[2].seed == 5
    for place in (0, 2):
        same_figures(before[place], shown(qtbot, other, place))
    assert not other.commands.documents.unsaved

    save(qtbot, window, tmp_path / "games.plyscope", with_tree=False)
    games = open_session(tmp_path / "games.plyscope").session
    assert [len(game.searches) for game in games.games] == [0, 0, 0]
    assert games.current == 1


@pytest.mark.slow
def test_a_tree_is_compared_with_the_one_shown_and_saved(
    qtbot: QtBot, make: Callable[[], MainWindow], tmp_path: Path
) -> None:
    window = make()
    documents = window.commands.documents
    first = searched(qtbot, window, 2)
    copied(qtbot, documents)
    window.state.set_limit(500)
    qtbot.waitUntil(lambda: rested(qtbot, window).simulations >= 500)
    documents.compare(documents.shown)
    assert "choose another one" in window.banner.text
    documents.compare(documents.in_order[0])
    qtbot.waitUntil(lambda: window.docks["what_if"].open)
    second = window.docks["what_if"].fill().searches.second  # type: ignore[attr-defined]
    qtbot.waitUntil(lambda: second.session.snapshot is not None)
    qtbot.waitUntil(lambda: bool(second.session.snapshot.reason))
    same_figures(first, second.session.snapshot)
    window.state.go(0)
    documents.compare(documents.in_order[0])
    qtbot.waitUntil(lambda: "another position" in window.banner.text)

    path = tmp_path / "kept.npz"
    window.commands.filing.save_tree(path, documents.in_order[0])
    qtbot.waitUntil(lambda: path.name in window.banner.text)
    from core.files.tree_file import open_tree

    kept = open_tree(path)
    assert (kept.position, kept.source) == (first.position, "uniform")


def test_a_trace_is_shown_as_its_tree_with_its_faults_on_the_timeline(
    qtbot: QtBot, make: Callable[[], MainWindow], tmp_path: Path
) -> None:
    window = make()
    toy = Toy("tictactoe", moves="b2 a1 c3", fault="terminal value for the other side").run(90)
    path = tmp_path / "bot.trace"
    path.write_bytes(toy.text())
    with qtbot.waitSignal(window.state.position_changed):
        window.commands.filing.open_file(path)
    timeline = window.commands.open_dock("timeline")
    qtbot.waitUntil(lambda: window.session.snapshot is not None and bool(window.session.snapshot.reason))
    assert "the game is over, and its value" in window.banner.text
    assert {row.action: row.visits for row in window.session.snapshot.moves if row.visits} == {
        action: child.n for action, child in toy.root.children.items() if child.n
    }
    (fault,) = [turn for turn in timeline.marks.turns if turn.kind == "fault"]
    timeline.marks.chosen.emit(fault.simulation)
    qtbot.waitUntil(lambda: window.session.snapshot.simulations == fault.simulation)
    assert timeline.turn.text().startswith(f"simulation {fault.simulation}, after")
    window.commands.filing.open_second(path)
    qtbot.waitUntil(lambda: window.docks["what_if"].open)
    second = window.docks["what_if"].fill().searches.second  # type: ignore[attr-defined]
    qtbot.waitUntil(lambda: second.session.snapshot is not None and second.session.snapshot.simulations == 90)
    trace = window.state.document.trace
    assert trace.file == path.name
    assert window.views.toolbar.net.text() == path.name
    assert path.name in window.docks["tree"]._heading()
    assert "the net says" not in window.docks["tree"]._heading()
    window.session.seed += 1  # another tree
    assert window.state.document.marked_faults == ()


def test_a_long_trace_says_how_much_of_it_is_checked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "bot.trace"
    path.write_bytes(Toy("tictactoe", moves="b2 a1 c3").run(90).text())
    assert read_trace(path).notes == ()
    monkeypatch.setattr("gui.shell.document_files._LINTED", 60)
    assert list(map(str, read_trace(path).notes)) == [
        "the first 60 of 90 simulations are checked for faults; “plyscope lint” checks all"
    ]
    assert read_trace(path, linted=False).notes == ()


def test_the_tabs_and_the_list_follow_the_trees(qtbot: QtBot, make: Callable[[], MainWindow]) -> None:
    window = make()
    documents, bar = window.commands.documents, window.views.tabs.bar
    searched(qtbot, window, 2)
    assert window.views.tabs.isHidden()
    view = window.commands.open_dock("open_games")
    view.add.click()
    qtbot.waitUntil(lambda: bar.count() == 2)
    assert window.views.tabs.isVisible()
    assert bar.currentIndex() == 1
    model = view.model
    assert [row.place for row in model.rows] == [MEMORY, SHOWN]
    assert "1 GB" in view.memory.text().replace("1.0", "1")
    assert [one.title for one in documents.facts] == [bar.tabText(0), f"{bar.tabText(0)} (2)"]
    bar.setCurrentIndex(0)
    qtbot.waitUntil(lambda: documents.shown is documents.in_order[0])
    assert view.table.currentIndex().row() == 0
    documents.rename(documents.shown, "A & B")
    assert bar.tabText(0) == "A && B"
    assert bar.tabToolTip(0).startswith("A & B\n")
    bar.moveTab(0, 1)
    assert [one.name for one in documents.in_order] == ["", "A & B"]
    assert [row.document for row in model.rows] == documents.in_order
    bar.tabButton(0, QTabBar.ButtonPosition.RightSide).click()  # type: ignore[attr-defined]
    qtbot.waitUntil(lambda: bar.count() == 1)
    assert window.views.tabs.isHidden()
