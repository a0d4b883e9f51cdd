"""The time machine in the window: keys, slider, buttons and playing, with real searches; every view shows the past."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.engine import Analysis, Search, UniformEvaluator
from core.engine.look_back import Playout
from core.games import GameSpec, load_game
from core.search import Limit, SearchSettings
from gui.rooms.timeline.stage_strip import StageStrip, two_lines
from gui.rooms.timeline.timeline import Timeline
from gui.widgets.board.playout_paint import BACKUP, EVALUATION, SELECTION, STAGES, stage_color
from gui.widgets.icicle.icicle_paint import spot_of_new
from gui.widgets.tables.row_delegate import IS_HIGHLIGHTED, MarkRole
from gui.widgets.theme import DARK, LIGHT
from gui.window import MainWindow
from tests.gui.conftest import open_window
from tests.gui.fakes import FakeAnalysis

GAME = "connect4(rows=4, cols=5, k=3)"


class Net:
    label = title = "even"

    def load(self, game: GameSpec) -> UniformEvaluator:
        return UniformEvaluator(game.num_actions)


@pytest.fixture
def searched(qtbot: QtBot) -> Iterator[MainWindow]:
    """Search a small Connect Four to 600 simulations by random games, with the time machine shown."""
    window = open_window(qtbot, Analysis(), GAME)
    window.state.set_limit(600)
    window.state.set_settings(SearchSettings(selection="ucb1", prove=False, memory_mb=32))  # restarts the search
    window.docks.show_dock("tree")
    window.docks.show_dock("timeline")
    qtbot.waitUntil(lambda: window.commands.time.now == 600 and not window.session.searching)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    yield window
    window.close()


def view(window: MainWindow) -> Timeline:
    widget = window.docks["timeline"].widget_made
    assert isinstance(widget, Timeline)
    return widget


def at(qtbot: QtBot, window: MainWindow, simulation: int) -> None:
    """Wait until every view shows that moment."""
    time = window.commands.time
    qtbot.waitUntil(lambda: time.past is not None and time.past.simulation == simulation)
    assert window.session.snapshot is time.shown


def plain(words: str) -> str:
    """Return words with the minus sign of the keyboard."""
    return words.replace("\N{MINUS SIGN}", "-")


def stopped_at(simulations: int) -> Search:
    settings = SearchSettings(selection="ucb1", prove=False, memory_mb=32)
    search = Search(load_game(GAME).initial(), None, settings, seed=0)
    search.run(Limit(simulations=simulations))
    return search


def test_every_view_shows_the_results_of_a_search_stopped_there(qtbot: QtBot, searched: MainWindow) -> None:
    window = searched
    window.commands.time.go(137)
    at(qtbot, window, 137)
    qtbot.waitUntil(lambda: window.docks["tree"].heading.text().startswith("Simulation 137 of 600"))
    expected = stopped_at(137).snapshot()
    shown = {row.action: row.visits for row in expected.moves}
    assert [row.visits for row in window.session.snapshot.moves] == [row.visits for row in expected.moves]
    model = window.views.tree.model()
    table = {model.data(model.index(i, 0)): model.data(model.index(i, 1)) for i in range(model.rowCount())}
    names = load_game(GAME).action_names
    assert {name.split()[-1] for name in table} == {names[action] for action in shown}
    tree = {
        item.path[-1]: item.row.visits for item in window.views.tree.nodes.item(window.views.tree.rootIndex()).children
    }
    assert tree == shown
    assert {mark.text for mark in window.room.board.marks()} >= {""} - {""}
    assert window.room.player.past == "Simulation 137 of 600 · Esc returns to the present"
    assert window.docks["tree"].heading.text().startswith("Simulation 137 of 600 · values")
    assert window.session.present.simulations == 600
    QTest.keyClick(window.room.board, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not window.commands.time.looking_back)
    assert window.session.snapshot.simulations == 600
    assert window.room.player.past == ""
    assert window.docks["tree"].heading.text().startswith("values")
    assert window.room.board.highlight is None


STEPS = [
    (Qt.Key.Key_Comma, Qt.KeyboardModifier.NoModifier, 299),
    (Qt.Key.Key_Period, Qt.KeyboardModifier.NoModifier, 301),
    (Qt.Key.Key_Less, Qt.KeyboardModifier.NoModifier, 290),
    (Qt.Key.Key_Greater, Qt.KeyboardModifier.NoModifier, 310),
    (Qt.Key.Key_ParenLeft, Qt.KeyboardModifier.NoModifier, 200),
    (Qt.Key.Key_ParenRight, Qt.KeyboardModifier.NoModifier, 400),
    (Qt.Key.Key_Comma, Qt.KeyboardModifier.AltModifier, 0),
    (Qt.Key.Key_Period, Qt.KeyboardModifier.AltModifier, 600),
    (Qt.Key.Key_Period, Qt.KeyboardModifier.ControlModifier, 600),
    (Qt.Key.Key_AsciiCircum, Qt.KeyboardModifier.NoModifier, 0),
]


@pytest.mark.slow
def test_keys_step_through_the_simulations(qtbot: QtBot, searched: MainWindow) -> None:
    for key, modifier, place in STEPS:
        searched.commands.time.go(300)
        at(qtbot, searched, 300)
        QTest.keyClick(searched.room.board, key, modifier)
        at(qtbot, searched, place)


def test_headings_name_the_simulation_once_its_results_arrive(qtbot: QtBot, searched: MainWindow) -> None:
    heading = searched.docks["tree"].heading
    searched.commands.time.go(100)
    assert view(searched).stages.accessibleDescription().startswith("Going to simulation 100…")
    searched.commands.time.count_changed.emit()
    assert heading.text().startswith("values")
    at(qtbot, searched, 100)
    assert heading.text().startswith("Simulation 100 of 600 · values")


@pytest.mark.slow
def test_held_keys_are_summed(qtbot: QtBot, searched: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int | None] = []
    look_back = searched.session.look_back

    def noted(simulation: int | None, before: bool = False) -> None:
        asked.append(simulation)
        look_back(simulation, before)

    monkeypatch.setattr(searched.session, "look_back", noted)
    for _ in range(25):
        QTest.keyClick(searched.room.board, Qt.Key.Key_Comma)
    at(qtbot, searched, 575)
    assert len(asked) < 25
    assert asked[-1] == 575


def test_slider_number_and_buttons(qtbot: QtBot, searched: MainWindow) -> None:
    dock = view(searched)
    assert dock.of.text() == "of 600"
    assert (dock.slider.value(), dock.number.value()) == (600, 600)
    assert not dock.buttons["now"].isEnabled()
    dock.slider.setValue(420)
    at(qtbot, searched, 420)
    assert dock.number.value() == 420
    dock.number.setValue(77)
    at(qtbot, searched, 77)
    assert dock.slider.value() == 77
    for name, place in (("back", 76), ("back_10", 66), ("on_10", 76), ("on", 77), ("rewind", 0)):
        dock.buttons[name].click()
        at(qtbot, searched, place)
    assert "tree is empty" in dock.stages.accessibleDescription()
    assert searched.views.tree.nodes.rowCount() == 0
    assert "tree is empty" in searched.views.tree._note
    dock.buttons["now"].click()
    assert not searched.commands.time.looking_back
    assert searched.views.tree._note == "limit reached: 600 simulations — Space continues without limit"
    assert dock.stages.accessibleDescription().endswith("to look back.")  # the search rests
    assert dock.slider.value() == 600


def test_a_press_on_the_slider_goes_there_and_is_dragged_on(qtbot: QtBot, searched: MainWindow) -> None:
    dock = view(searched)
    left, middle = (QPoint(round(dock.marks.place(n)), dock.slider.height() // 2) for n in (120, 300))
    qtbot.mousePress(dock.slider, Qt.MouseButton.LeftButton, pos=left)
    assert abs(dock.slider.value() - 120) < 600 / (dock.slider.width() - 40)
    assert dock.slider.isSliderDown()
    qtbot.mouseMove(dock.slider, middle)
    qtbot.mouseRelease(dock.slider, Qt.MouseButton.LeftButton, pos=middle)
    assert abs(dock.slider.value() - 300) < 2 * 600 / (dock.slider.width() - 40)
    at(qtbot, searched, dock.slider.value())


def test_a_press_beyond_an_end_of_the_slider_is_dragged_on(qtbot: QtBot, searched: MainWindow) -> None:
    slider = view(searched).slider
    edge, middle = QPoint(0, slider.height() // 2), slider.rect().center()
    qtbot.mousePress(slider, Qt.MouseButton.LeftButton, pos=edge)
    assert slider.value() == slider.minimum()
    assert slider.isSliderDown()
    qtbot.mouseMove(slider, middle)
    qtbot.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=middle)
    assert abs(slider.value() - 300) < 2 * 600 / (slider.width() - 40)


def test_the_simulation_is_highlighted_on_board_and_tree(qtbot: QtBot, searched: MainWindow) -> None:
    dock = view(searched)
    searched.commands.time.go(480)
    at(qtbot, searched, 480)
    playout = searched.commands.time.playout
    assert len(playout.path) >= 2
    assert len(searched.room.board.highlight.path) == len(playout.path)
    assert len(searched.room.board.highlight.game) == len(playout.game) > 0
    path, index = playout.path, searched.views.tree.nodes.index_of
    qtbot.waitUntil(lambda: index(path).isValid())
    assert all(index(path[:i]).data(MarkRole) & IS_HIGHLIGHTED for i in range(1, len(path) + 1))
    other = next(a for a in range(5) if a != path[0])
    assert not index((other,)).data(MarkRole) & IS_HIGHLIGHTED
    words = dock.stages.words
    names = load_game(GAME).action_names
    assert words[0].startswith(" › ".join(names[a] for a in path))
    assert words[1].startswith("new leaf")
    assert words[2].startswith(f"random game of {len(playout.game)} move")
    first = playout.backed[1]
    assert f"{names[path[0]]} N {first.visits_before} → {first.visits}, Q {first.q_before:+.3f}" in plain(words[3])
    assert words[3].startswith("for Red: ")
    searched.context.preferences.values_for = "second"
    assert dock.stages.words[3].startswith("for Yellow: ")
    assert f"→ {first.visits}, Q {-first.q_before:+.3f} → {-first.q:+.3f}" in plain(dock.stages.words[3])
    deeper = playout.backed[2]
    assert f"→ {deeper.visits}, Q {deeper.q_before:+.3f} → {deeper.q:+.3f}" in plain(dock.stages.words[3])
    searched.context.preferences.values_for = "mover"
    searched.commands.time.set_following(False)
    assert searched.room.board.highlight is None
    assert not index((path[0],)).data(MarkRole) & IS_HIGHLIGHTED
    assert not searched.views.tree.isExpanded(index(path[:1]))
    searched.commands.time.set_following(True)
    assert searched.room.board.highlight is not None
    assert searched.views.tree._delegate.highlight == stage_color(BACKUP, DARK)
    searched.commands.appearance.toggle_theme()
    searched.docks.show_dock("tree")
    assert searched.views.tree._delegate.highlight == stage_color(BACKUP, LIGHT)


@pytest.mark.parametrize("name", [pytest.param("icicle", marks=pytest.mark.slow), "picture"])
def test_the_simulation_is_marked_in_the_pictures_of_the_tree(qtbot: QtBot, searched: MainWindow, name: str) -> None:
    time = searched.commands.time
    time.go(480)
    at(qtbot, searched, 480)
    part: Any = searched.commands.open_dock(name)
    canvas = part.canvas
    path = time.playout.path
    drawn = len(path) if name == "icicle" else 1  # the picture has the most visited nodes alone
    qtbot.waitUntil(lambda: canvas.nodes is not None and len(canvas.nodes.along(path)) > drawn)
    qtbot.waitUntil(lambda: not canvas.moving)

    def marked(stage: int) -> bool:
        colour = np.uint32(stage_color(stage, DARK).rgb())
        return bool((np.frombuffer(canvas.grab().toImage().constBits(), np.uint32) == colour).any())

    assert marked(BACKUP)
    view(searched).stages.chosen.emit(SELECTION)
    assert marked(SELECTION)
    assert not marked(BACKUP)
    time.set_following(False)
    assert not marked(SELECTION)
    time.set_following(True)
    time.to_now()
    assert not marked(BACKUP)


def test_the_text_of_a_stage_takes_two_lines(qtbot: QtBot) -> None:
    strip = StageStrip()
    qtbot.addWidget(strip)
    words = "net, batch 103, leaf 4 of 8: -0.108 for Red"
    width = strip.fontMetrics().horizontalAdvance(words)
    assert two_lines(words, strip.font(), width + 5) == (words, "")
    first, second = two_lines(words, strip.font(), width * 0.7)
    assert f"{first} {second}" == words
    assert two_lines(words, strip.font(), width * 0.3)[1].endswith("…")


@pytest.mark.slow
def test_a_stage_is_shown_by_a_click(qtbot: QtBot, searched: MainWindow) -> None:
    dock = view(searched)
    searched.commands.time.go(480)
    at(qtbot, searched, 480)
    assert searched.room.board.highlight.stage == BACKUP
    for stage in range(len(STAGES)):
        point = dock.stages.boxes()[stage].center().toPoint()
        qtbot.mouseClick(dock.stages, Qt.MouseButton.LeftButton, pos=QPoint(point))
        assert searched.room.board.highlight.stage == dock.stages.stage == stage
        assert bool(searched.room.board.highlight.game) == (stage >= EVALUATION)


def test_until_the_backup_every_view_shows_the_tree_before_the_simulation(qtbot: QtBot, searched: MainWindow) -> None:
    time, stages = searched.commands.time, view(searched).stages
    icicle: Any = searched.commands.open_dock("icicle")
    canvas = icicle.canvas
    number = next(n for n in range(300, 600) if len(_playout_of(qtbot, searched, n).path) >= 2)
    qtbot.waitUntil(lambda: canvas.nodes is not None and canvas.nodes.visits[0] == number)
    path, created = time.playout.path, time.playout.created
    assert created
    qtbot.waitUntil(lambda: path[:1] in searched.session.snapshot.opened)

    def added() -> bool:
        """Return whether a box in the colour of the stage stands where the leaf will be."""
        spot = spot_of_new(canvas.scene, canvas.camera, canvas.row, canvas.nodes.along(path)[-1]).toRect()
        image, colour = canvas.grab().toImage().copy(spot), stage_color(time.stage, DARK).rgb()
        return bool((np.frombuffer(image.constBits(), np.uint32) == np.uint32(colour)).any())

    for stage in (*range(len(STAGES)), SELECTION):
        stages.chosen.emit(stage)
        done = number if stage == BACKUP else number - 1
        qtbot.waitUntil(lambda done=done: searched.session.snapshot.simulations == done)
        expected = stopped_at(done).snapshot()
        visits = {row.action: row.visits for row in expected.moves}
        assert {row.action: row.visits for row in searched.views.tree.nodes.rows} == visits
        model, top = searched.views.tree.nodes, searched.views.tree.rootIndex()
        tree = {item.path[-1]: item.row.visits for item in model.item(top).children}
        assert tree == visits
        assert searched.views.toolbar.simulations.accessibleName() == f"{done} of 600"
        assert canvas.nodes.visits[0] == searched.room.board.node.visits == done
        assert (canvas.nodes.place_of(path) >= 0) == (stage == BACKUP)  # the leaf
        if stage != BACKUP:
            canvas.advance(10.0)
            assert added() == (stage != SELECTION)
        assert f"visits N {done} " in canvas.text_of(()) + " "
    time.step(1)
    at(qtbot, searched, number + 1)
    assert time.stage == BACKUP


def _playout_of(qtbot: QtBot, window: MainWindow, simulation: int) -> Playout:
    window.commands.time.go(simulation)
    at(qtbot, window, simulation)
    assert window.commands.time.playout is not None
    return window.commands.time.playout


@pytest.mark.slow
def test_playback_steps_through_the_stages(qtbot: QtBot, searched: MainWindow) -> None:
    time = searched.commands.time
    time.go(598)
    at(qtbot, searched, 598)
    time.set_speed(2)
    seen = []
    time.stage_changed.connect(lambda: seen.append((time.past.simulation, time.stage, time.part)))
    time.moment_changed.connect(lambda: seen.append((time.past.simulation, time.stage, time.part)))
    time.toggle_play()
    assert time.playing
    qtbot.waitUntil(lambda: not time.playing)
    assert time.at == 600  # it pauses at the end
    assert list(dict.fromkeys(stage for k, stage, _ in seen if k == 599)) == [0, 1, 2, 3]
    assert seen[0][1:] == (SELECTION, 0) or seen[0][0] == 598


@pytest.mark.slow
def test_fast_playing_shows_whole_simulations_and_can_be_stopped(qtbot: QtBot, searched: MainWindow) -> None:
    dock, time = view(searched), searched.commands.time
    time.set_speed(200)
    QTest.keyClick(searched.room.board, Qt.Key.Key_Space, Qt.KeyboardModifier.ControlModifier)
    assert time.playing
    qtbot.waitUntil(lambda: time.past is not None and time.past.simulation > 30)
    assert time.stage == BACKUP
    dock.buttons["play"].click()
    assert not time.playing
    here = time.at
    at(qtbot, searched, here)
    with pytest.raises(ValueError, match="speed is 3; it must be one of "):
        time.set_speed(3)


def test_the_search_continues_while_looking_back(qtbot: QtBot, searched: MainWindow) -> None:
    searched.commands.time.go(50)
    at(qtbot, searched, 50)
    rows = [row.visits for row in searched.session.snapshot.moves]
    searched.session.continue_search()
    qtbot.waitUntil(lambda: searched.commands.time.now > 3000)
    assert searched.session.searching
    assert [row.visits for row in searched.session.snapshot.moves] == rows
    qtbot.waitUntil(lambda: not searched.room.player.past.endswith("of 600 · Esc returns to the present"))
    assert searched.room.player.past.startswith("Simulation 50 of ")
    QTest.keyClick(searched.room.board, Qt.Key.Key_Escape)
    assert searched.session.searching  # the first Escape returned to the present and did not stop the search
    assert searched.session.snapshot.simulations > 3000
    searched.session.stop()


@pytest.mark.slow
def test_another_position_ends_looking_back(qtbot: QtBot, searched: MainWindow) -> None:
    searched.commands.time.go(50)
    at(qtbot, searched, 50)
    searched.state.play(2)
    assert not searched.commands.time.looking_back
    assert searched.room.player.past == ""
    assert searched.room.board.highlight is None
    qtbot.waitUntil(lambda: searched.commands.time.now == 600 and not searched.session.searching)
    searched.commands.time.step(-1)
    at(qtbot, searched, 599)


@pytest.mark.slow
def test_stage_texts_describe_the_evaluation_by_a_net(qtbot: QtBot, searched: MainWindow) -> None:
    searched.state.set_source(Net())
    qtbot.waitUntil(lambda: searched.commands.time.now == 600 and not searched.session.searching)
    searched.commands.time.go(3)
    at(qtbot, searched, 3)
    words = view(searched).stages.words
    playout = searched.commands.time.playout
    assert playout is not None
    assert playout.place is not None
    assert words[2].startswith(
        f"net, batch {playout.place.batch}, leaf {playout.place.leaf} of {playout.place.leaves}:"
    )
    assert "gets 5 moves" in words[1]
    assert searched.room.board.highlight.game == ()
    cached = (n for n in range(4, 600) if _words_of(qtbot, searched, n)[2].startswith("from the net's cache:"))
    assert next(cached) > 3
    assert searched.commands.time.playout.place == (0, 0, 0)


def _words_of(qtbot: QtBot, window: MainWindow, simulation: int) -> tuple[str, ...]:
    window.commands.time.go(simulation)
    at(qtbot, window, simulation)
    return view(window).stages.words


@pytest.mark.slow
def test_without_a_search_there_is_nothing_to_look_at(qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis) -> None:
    window.docks.show_dock("tree")
    window.docks.show_dock("timeline")
    window.commands.time.step(-1)
    qtbot.waitUntil(lambda: "No simulation to look at yet" in window.banner.text)
    assert not window.commands.time.looking_back
    assert not view(window).buttons["play"].isEnabled()
    assert view(window).stages.accessibleDescription() == "No simulation to look at yet: the search has only begun."
    analysis.stop()
    assert window.commands.time.why_none == "No simulation to look at yet: Space starts a search."


@pytest.mark.slow
def test_the_time_machine_says_that_the_search_is_locked_elsewhere(qtbot: QtBot, searched: MainWindow) -> None:
    searched.session.toggle_lock()
    searched.state.play(2)
    qtbot.waitUntil(lambda: "locked on another position" in view(searched).stages.accessibleDescription())
    searched.commands.time.step(-1)
    qtbot.waitUntil(lambda: "locked on another position" in searched.banner.text)


@pytest.mark.slow
def test_return_takes_the_number_typed_and_plays_no_move(qtbot: QtBot, searched: MainWindow) -> None:
    dock = view(searched)
    searched.commands.time.go(300)
    at(qtbot, searched, 300)
    dock.number.setFocus()
    dock.number.selectAll()
    QTest.keyClicks(dock.number, "7")
    searched.commands.time.count_changed.emit()  # the search goes on
    QTest.keyClicks(dock.number, "7")
    QTest.keyClick(dock.number, Qt.Key.Key_Return)
    at(qtbot, searched, 77)
    assert searched.state.moves == ()
    QTest.keyClick(dock.number, Qt.Key.Key_Period)
    at(qtbot, searched, 78)


@pytest.mark.slow
def test_the_names_of_deep_rows_stay_in_sight(qtbot: QtBot, searched: MainWindow) -> None:
    tree = searched.views.tree
    usual = tree.indentation()
    tree.setColumnWidth(0, 64)
    line = searched.session.snapshot.pv
    tree.open_path(line[:1])
    qtbot.waitUntil(lambda: tree.indentation() < usual)
    qtbot.waitUntil(lambda: tree.nodes.index_of(line[:2]).isValid())
    name = tree.visualRect(tree.nodes.index_of(line[:2]))
    assert name.width() > tree.fontMetrics().horizontalAdvance("▸ a ")
    tree.collapse(tree.nodes.index_of(line[:1]))
    tree.show_snapshot(searched.session.snapshot)
    assert tree.indentation() > name.left() // 2


@pytest.mark.slow
def test_rows_opened_by_following_close_when_a_move_is_played(qtbot: QtBot, searched: MainWindow) -> None:
    tree = searched.views.tree
    searched.commands.time.go(480)
    at(qtbot, searched, 480)
    path = searched.commands.time.playout.path
    assert tree.open_paths() == tuple(path[:i] for i in range(1, len(path)))
    searched.state.play(path[0])
    searched.state.go(0)
    assert tree.open_paths() == ()


@pytest.mark.slow
def test_the_status_line_describes_the_running_search(qtbot: QtBot, searched: MainWindow) -> None:
    searched.commands.time.go(50)
    at(qtbot, searched, 50)
    qtbot.waitUntil(lambda: searched.views.toolbar.simulations.accessibleName() == "50 of 600")
    nodes = searched.views.status.text("nodes")
    searched.session.continue_search()
    qtbot.waitUntil(lambda: searched.views.status.text("nodes") != nodes)
    assert searched.session.snapshot.simulations == 50
    searched.session.stop()
    searched.commands.time.to_now()
    assert searched.views.toolbar.simulations.accessibleName().endswith("simulations")
