"""Play against the engine and engine against engine, with the real search on small games."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from core.engine import Analysis
from core.games import load_game
from core.search import SearchSettings
from core.search.rules.table import RULES
from gui.model.sources import UniformSource, default_source, fitting
from gui.rooms.opponents.play import Play
from gui.rooms.opponents.play_hint import ring_of
from gui.rooms.opponents.play_seats import AS_WINDOW, PERSON, OwnSearch, Seat
from gui.rooms.opponents.play_view import PlayView
from gui.window import MainWindow
from tests.gui.conftest import cancel_close, open_window
from tests.gui.fakes import FakeAnalysis

SMALL = "connect4(rows=4, cols=5, k=3)"
QUICK = Seat(engine=True, simulations=60)


@pytest.fixture
def small(qtbot: QtBot) -> MainWindow:
    """Open a small Connect Four with the real analysis and rollouts."""
    window = open_window(qtbot, Analysis(), SMALL)
    window.state.set_limit(50)  # before the settings, so that their tree never gets larger
    window.state.set_settings(SearchSettings(selection="ucb1", memory_mb=32))
    window.context.preferences.play_shown = True  # so that tests see what is searched
    window.activateWindow()
    return window


def room(window: MainWindow) -> tuple[Play, PlayView]:
    view = window.commands.open_dock("players")
    assert isinstance(view, PlayView)
    return window.commands.games.play, view


def click_column(qtbot: QtBot, window: MainWindow, column: int) -> None:
    point = window.room.board.geometry_of_board().center(column).toPoint()
    qtbot.mouseClick(window.room.board, Qt.MouseButton.LeftButton, pos=point)


def test_the_engine_answers_with_the_move_its_search_found(qtbot: QtBot, small: MainWindow) -> None:
    play, view = room(small)
    play.seat(1, QUICK)
    view.run.click()
    assert play.running
    assert view.run.text() == "Pause"
    assert "Your move, Red" in view.status.text()
    received: list[tuple[int, int, int]] = []
    small.session.snapshot_for_frame.connect(
        lambda s: s and s.reason and received.append((s.position.ply, s.simulations, s.best)) if s else None
    )
    click_column(qtbot, small, 2)
    qtbot.waitUntil(lambda: len(small.state.moves) == 2)
    ply, simulations, best = next(entry for entry in received if entry[0] == 1 and entry[1] >= 60)
    assert small.state.moves == (2, best)
    assert (ply, simulations) == (1, 60), "to the engine's own limit, not to that of the window"
    assert "Your move, Red" in view.status.text()


@pytest.mark.slow
def test_f9_starts_and_pauses(qtbot: QtBot, small: MainWindow) -> None:
    qtbot.keyClick(small, Qt.Key.Key_F9)
    play = small.commands.games.play
    assert play.running
    assert small.docks["opponents"].open
    qtbot.keyClick(small, Qt.Key.Key_F9)
    assert not play.running


def test_two_engines_play_to_the_end_and_the_result_offers_an_analysis(qtbot: QtBot, small: MainWindow) -> None:
    play, view = room(small)
    play.delay_s = 0.0
    play.seat(0, QUICK)
    play.seat(1, replace(QUICK, source=UniformSource(), search=OwnSearch("puct", 1.5, 0.0)))
    own = small.state.source, small.state.settings
    shown: set[tuple[int, object, str]] = set()

    def look(snapshot: object) -> None:
        if play.thinking:
            session, position = small.session, small.state.position
            shown.add((position.to_move, session.source, session.settings.selection))

    small.session.snapshot_for_text.connect(look)
    view.run.click()
    qtbot.waitUntil(lambda: small.state.position.is_over)
    assert shown == {(0, None, "ucb1"), (1, UniformSource(), "puct")}, "each engine's search is the one shown"
    assert (small.state.source, small.state.settings) == own
    assert not play.running
    result = small.banner.text
    assert f"after {small.state.position.ply} moves." in result
    assert result == view.status.text()
    assert view.analyse.isVisible()
    assert view.analyse.isDefault()
    assert not view.run.isVisible()  # the main button is another
    small.banner.offer_button.click()
    assert small.banner.text == ""
    assert small.docks["report"].open
    review = small.commands.games.review
    qtbot.waitUntil(lambda: not review.analysis.running)
    assert review.report.complete
    report: Any = small.docks["report"].widget_made
    qtbot.waitUntil(lambda: report.graph is not None)
    view.new_game.click()
    assert small.state.moves == ()


@pytest.mark.slow
def test_a_new_game_hides_the_offer(qtbot: QtBot, small: MainWindow) -> None:
    play = small.commands.games.play
    small.state.open_position(load_game(SMALL).position("a b a b"))
    play.seats = (PERSON, PERSON)
    play.start()
    small.state.play(0)
    assert "Red wins after 5 moves." in small.banner.text
    assert small.banner.offer_button.isVisible()
    small.context.actions["new_game"].trigger()
    assert small.banner.text == ""


def test_no_move_is_played_where_the_person_has_navigated_away(qtbot: QtBot, small: MainWindow) -> None:
    play, view = room(small)
    play.seat(1, Seat(engine=True, simulations=50_000_000))
    small.state.set_settings(SearchSettings(selection="ucb1", memory_mb=64, prove=False))
    view.run.click()
    small.state.play_line((2, 2, 1))
    assert play.thinking
    qtbot.keyClick(small, Qt.Key.Key_Left)
    qtbot.waitUntil(lambda: small.state.cursor == 2)
    assert not play.thinking
    assert "Looking back" in view.status.text()
    small.session.stop()
    qtbot.keyClick(small, Qt.Key.Key_Home)
    qtbot.waitUntil(lambda: small.state.cursor == 0)
    play.seat(1, QUICK)
    qtbot.waitUntil(lambda: small.session.snapshot is not None and bool(small.session.snapshot.reason))
    assert small.state.moves == (2, 2, 1)
    qtbot.keyClick(small, Qt.Key.Key_End)
    qtbot.waitUntil(lambda: len(small.state.moves) == 4)
    assert small.state.moves[:3] == (2, 2, 1)


@pytest.mark.slow
def test_pausing_cancels_a_delayed_move(qtbot: QtBot, small: MainWindow) -> None:
    play, view = room(small)
    play.delay_s = 3600.0
    play.seat(0, QUICK)
    play.seat(1, QUICK)
    small.state.play_line((0, 1))
    view.run.click()
    qtbot.waitUntil(play._moving.isActive)
    assert "is making its move" in view.status.text()
    small.state.go(1)
    assert not play._moving.isActive()
    play._move()
    assert small.state.moves == (0, 1)
    view.delay.setCurrentIndex(0)
    view.delay.activated.emit(0)
    assert play.delay_s == 0.0
    small.state.go(2)
    qtbot.waitUntil(lambda: len(small.state.moves) > 2)
    play.pause()


def test_take_back_takes_the_reply_too(qtbot: QtBot, small: MainWindow) -> None:
    play, view = room(small)
    play.seat(1, QUICK)
    view.run.click()
    small.state.play(2)
    qtbot.waitUntil(lambda: len(small.state.moves) == 2)
    small.state.play(3)
    qtbot.waitUntil(lambda: len(small.state.moves) == 4)
    view.take_back.click()
    assert small.state.cursor == 2
    assert play.running
    qtbot.keyClick(small, Qt.Key.Key_Backspace)
    assert small.state.cursor == 0
    play.pause()
    small.state.play_line((2, 2))
    small.context.actions["take_back"].trigger()
    assert small.state.cursor == 1, "while nothing is played it is one move"


def test_undo_goes_back_to_the_persons_turn(qtbot: QtBot, small: MainWindow) -> None:
    play, view = room(small)
    play.seat(1, QUICK)
    view.run.click()
    small.state.play(2)
    qtbot.waitUntil(lambda: len(small.state.moves) == 2)
    qtbot.keyClick(small, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert small.state.moves == ()
    assert play.running
    assert not play.thinking
    play.seat(0, QUICK)
    play.seat(1, PERSON)
    qtbot.waitUntil(lambda: len(small.state.moves) == 1)
    qtbot.keyClick(small, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert small.state.moves == ()
    assert not play.running, "the engine does not make its move again at once"


@pytest.mark.parametrize("back", ["undo", "take_back"])
def test_redo_brings_back_what_one_undo_took(qtbot: QtBot, small: MainWindow, back: str) -> None:
    play, actions = small.commands.games.play, small.context.actions
    play.seat(1, QUICK)
    play.start()
    for ply in (0, 2):
        small.state.play(2)
        qtbot.waitUntil(lambda ply=ply: len(small.state.moves) == ply + 2)
    line = small.state.line
    for left in (2, 0):
        actions[back].trigger()
        assert small.state.line == line[:left]
    for left in (2, 4):
        actions["redo"].trigger()
        assert small.state.line == line[:left]
        assert not play.thinking
    assert not small.state.can_redo
    actions["undo"].trigger()
    assert small.state.line == line[:2]


@pytest.mark.parametrize("own", [None, OwnSearch("puct", 1.5, 0.0)])
def test_each_move_starts_one_search(
    qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis, own: OwnSearch | None
) -> None:
    play, started = window.commands.games.play, analysis.started
    play.seat(1, Seat(engine=True, simulations=60, search=own))
    play.start()
    for _ in range(2):
        del started[:]
        window.state.play(3)
        assert [(one.position, one.limit.simulations) for one in started] == [(window.state.position, 60)]
        analysis.publish(60)
        analysis.finish()
        qtbot.waitUntil(lambda: not play.thinking)
        assert [one.position for one in started[1:]] == [window.state.position]
        assert (started[1].settings, started[1].limit.simulations) == (window.state.settings, window.state.limit)


def test_play_goes_on_after_a_close_that_was_cancelled(qtbot: QtBot, small: MainWindow) -> None:
    small.commands.games.play.seat(1, QUICK)
    small.commands.games.play.start()
    cancel_close(small)
    small.state.play(2)
    qtbot.waitUntil(lambda: len(small.state.moves) == 2)


@pytest.mark.slow
def test_an_engine_releases_the_lock(qtbot: QtBot, small: MainWindow) -> None:
    play, view = room(small)
    small.session.toggle_lock()
    play.seat(1, QUICK)
    view.run.click()
    small.state.play(2)
    qtbot.waitUntil(lambda: len(small.state.moves) == 2)
    assert small.session.locked is None


def test_take_back_while_the_engine_thinks_takes_the_persons_move(qtbot: QtBot, small: MainWindow) -> None:
    play, view = room(small)
    small.state.set_settings(SearchSettings(selection="ucb1", memory_mb=64, prove=False))
    play.seat(1, Seat(engine=True, seconds=3600.0))
    view.run.click()
    small.state.play(2)
    assert play.thinking
    view.take_back.click()
    assert small.state.cursor == 0
    assert not play.thinking
    play.seat(0, Seat(engine=True, seconds=3600.0))
    play.seat(1, PERSON)
    small.state.play(0)
    view.take_back.click()
    assert small.state.cursor == 0
    assert not play.running, "an engine's first move is not made again at once"


def test_a_click_makes_no_move_for_the_engine(qtbot: QtBot, small: MainWindow) -> None:
    play, view = room(small)
    play.seat(0, Seat(engine=True, seconds=3600.0))
    small.state.set_settings(SearchSettings(selection="ucb1", memory_mb=64, prove=False))
    view.run.click()
    click_column(qtbot, small, 1)
    assert small.state.moves == ()
    assert "engine is to move" in small.banner.text
    view.run.click()
    click_column(qtbot, small, 1)
    assert small.state.moves == (1,)


@pytest.mark.slow
def test_seconds_a_move(qtbot: QtBot, small: MainWindow) -> None:
    play, view = room(small)
    small.state.set_settings(SearchSettings(selection="ucb1", memory_mb=64, prove=False))
    play.seat(1, Seat(engine=True, seconds=0.1))
    view.run.click()
    small.state.play(2)
    assert "0.1 s" in view.status.text()
    qtbot.waitUntil(lambda: len(small.state.moves) == 2)


@pytest.mark.parametrize("how", ["space", pytest.param("escape", marks=pytest.mark.slow)])
def test_stopping_the_search_pauses_play(qtbot: QtBot, small: MainWindow, how: str) -> None:
    play, view = room(small)
    small.state.set_settings(SearchSettings(selection="ucb1", memory_mb=64, prove=False))
    play.seat(0, Seat(engine=True, seconds=3600.0))
    view.run.click()
    qtbot.waitUntil(lambda: small.session.searching)
    qtbot.keyClick(small, Qt.Key.Key_Space if how == "space" else Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not play.running)
    assert small.state.moves == ()
    assert view.run.text() == "Start"


@pytest.mark.slow
def test_enter_still_plays_the_engines_move(qtbot: QtBot, small: MainWindow) -> None:
    qtbot.waitUntil(lambda: small.session.snapshot is not None and bool(small.session.snapshot.reason))
    best = small.session.snapshot.best
    qtbot.keyClick(small, Qt.Key.Key_Return)
    assert small.state.moves == (best,)


@pytest.mark.slow
def test_settings_changed_during_play_stay_and_pause_the_engine(qtbot: QtBot, small: MainWindow) -> None:
    play, view = room(small)
    own = SearchSettings(selection="ucb1", memory_mb=64, prove=False)
    small.state.set_settings(own)
    play.seat(0, Seat(engine=True, seconds=3600.0, search=OwnSearch("ucb1", 2.5, 0.0)))
    view.run.click()
    assert small.session.settings == replace(own, c_ucb=2.5)
    assert (small.state.source, small.state.settings) == (None, own)
    small.state.set_source(UniformSource())
    assert not play.running
    assert "play is paused" in small.banner.text
    assert small.state.source == UniformSource()
    play.seat(0, Seat(engine=True, source=None, seconds=3600.0))
    view.run.click()
    assert small.session.source is None
    assert small.state.source == UniformSource()
    small.close()
    assert small.session.source == UniformSource()


@pytest.mark.slow
def test_the_previous_game_is_restored_with_the_users_own_search(qtbot: QtBot, small: MainWindow) -> None:
    play, view = room(small)
    own = SearchSettings(selection="ucb1", memory_mb=64, prove=False)
    small.state.set_settings(own)
    small.state.play(1)
    play.seat(1, Seat(engine=True, source=UniformSource(), seconds=3600.0, search=OwnSearch("puct", 3.0, 0.5)))
    view.run.click()
    assert (small.session.source, small.session.settings.selection) == (UniformSource(), "puct")
    small.state.open_position(load_game("tictactoe").initial(), None)
    assert (small.session.source, small.session.settings) == (None, own)
    small.context.actions["game_before"].trigger()
    assert small.state.moves == (1,)
    assert (small.state.source, small.state.settings) == (None, own)
    assert (small.session.source, small.session.settings) == (None, own)


@pytest.mark.slow
def test_another_game_ends_the_play_and_gives_the_search_back(qtbot: QtBot, small: MainWindow) -> None:
    play, view = room(small)
    net = default_source(load_game("tictactoe"))
    own = small.state.settings
    play.seat(0, Seat(engine=True, source=UniformSource(), seconds=3600.0, search=OwnSearch("puct", 3.0, 0.0)))
    view.run.click()
    assert small.session.settings.selection == "puct"
    small.state.open_position(load_game("tictactoe").initial(), net)
    assert not play.running
    assert small.state.source == net
    assert small.state.settings == replace(own, selection="puct")
    play.seat(1, Seat(engine=True, source=net))
    small.state.open_position(load_game(SMALL).initial(), None)
    assert play.seats[1].source == AS_WINDOW


@pytest.mark.slow
def test_an_engine_that_cannot_search_is_reported_and_pauses(qtbot: QtBot, small: MainWindow) -> None:
    play, view = room(small)
    play.seat(0, Seat(engine=True, source=UniformSource(), search=OwnSearch("flat", 1.0, 0.0)))
    view.run.click()
    qtbot.waitUntil(lambda: not play.running)
    assert "flat" in small.banner.text
    assert small.state.source is None


def test_pausing_stops_the_engine_and_leaving_the_board_pauses(qtbot: QtBot, small: MainWindow) -> None:
    play, view = room(small)
    small.state.set_settings(SearchSettings(selection="ucb1", memory_mb=64, prove=False))
    play.seat(0, Seat(engine=True, seconds=3600.0))
    view.run.click()
    qtbot.waitUntil(lambda: small.session.searching)
    view.run.click()
    assert not small.session.searching
    view.run.click()
    assert play.thinking
    small.workspaces.turn_to("nets")
    assert not play.running
    assert "out of sight" in small.banner.text


@pytest.mark.slow
def test_play_continues_in_a_new_game_and_pauses_in_an_opened_one(qtbot: QtBot, small: MainWindow) -> None:
    play, view = room(small)
    play.seat(0, QUICK)
    play.seat(1, PERSON)
    view.run.click()
    qtbot.waitUntil(lambda: len(small.state.moves) == 1)
    view.new_game.click()
    assert play.running
    qtbot.waitUntil(lambda: len(small.state.moves) == 1)
    small.state.open_position(load_game(SMALL).position("a b"))
    assert not play.running
    assert not play.thinking


@pytest.mark.slow
def test_hint_shows_and_plays_nothing(qtbot: QtBot, small: MainWindow) -> None:
    qtbot.waitUntil(lambda: small.session.snapshot is not None and bool(small.session.snapshot.reason))
    snapshot = small.session.snapshot
    qtbot.keyClick(small, Qt.Key.Key_H)
    ring = ring_of(small.context, small.room.board)
    assert ring.isVisible()
    assert ring.action == snapshot.best
    assert small.room.board.line == snapshot.pv[: len(small.room.board.line)]
    assert small.room.board.line
    assert small.state.moves == ()
    assert f"Hint: {snapshot.position.game.action_name(snapshot.best)}" in small.banner.text
    assert "for Red" in small.banner.text
    ring.grab()
    small.resize(1200, 900)
    qtbot.waitUntil(lambda: ring.size() == small.room.board.size())
    qtbot.keyClick(small, Qt.Key.Key_H)
    assert ring.isHidden()
    qtbot.keyClick(small, Qt.Key.Key_H)
    assert ring.isVisible()
    small.context.actions["resign"].trigger()
    assert ring.isHidden()
    assert small.room.board.line == ()
    qtbot.keyClick(small, Qt.Key.Key_H)
    small.state.play(0)
    assert ring.isHidden()


def test_a_game_that_is_not_over_can_be_analysed_in_the_workspace_play(qtbot: QtBot, small: MainWindow) -> None:
    small.commands.workspaces.turn_to("play")
    _, view = room(small)
    assert not view.analyse.isVisible()
    small.state.play(0)
    qtbot.waitUntil(view.analyse.isVisible)
    assert view.run.isVisible()
    assert not view.analyse.isDefault()
    view.run.click()
    assert not view.analyse.isVisible()
    view.run.click()
    view.analyse.setFocus()
    view.analyse.click()
    assert small.room.board.hasFocus()  # Space searches
    assert small.docks["report"].open
    review = small.commands.games.review
    qtbot.waitUntil(lambda: review.report is not None and review.report.complete)


def test_no_hint_where_there_is_none(qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis) -> None:
    window.context.actions["hint"].trigger()
    assert "no hint yet" in window.banner.text
    window.state.open_position(load_game("tictactoe").position("a1 a2 b1 b2 c1"))
    window.context.actions["hint"].trigger()
    assert "the game is over" in window.banner.text


def choose(box, data: object) -> None:
    box.setCurrentIndex(box.findData(data))
    box.activated.emit(box.currentIndex())


def test_the_play_room_sets_the_seats(qtbot: QtBot, small: MainWindow) -> None:
    play, view = room(small)
    first = view.seats[0]
    assert "Red" in first.title.text()
    assert not first.net.isVisible()
    choose(first.who, "engine")
    assert first.net.isVisible()
    assert not first.rule.isVisible()
    first.amount.setText("2 500")
    first.amount.editingFinished.emit()
    assert play.seats[0] == Seat(engine=True, simulations=2500)
    choose(first.search, "own")
    assert first.rule.isVisible()
    choose(first.rule, "ucb1_tuned")
    first.c.setText("0,7")
    first.c.editingFinished.emit()
    first.temperature.setText("0.5")
    first.temperature.editingFinished.emit()
    assert play.seats[0].search == OwnSearch("ucb1_tuned", 0.7, 0.5)
    first.net.setCurrentIndex(first.net.findText("uniform prior"))
    first.net.activated.emit(first.net.currentIndex())
    assert play.seats[0].source == UniformSource()
    assert play.search_of(play.seats[0])[1].c_ucb == 0.7
    choose(first.unit, "seconds")
    first.amount.setText("1.5")
    first.amount.editingFinished.emit()
    assert play.seats[0].seconds == 1.5
    view.in_sight.emit(True)
    assert first.seat() == play.seats[0], "shown again it is the same"
    for text, received in (("soon", "'soon'"), ("-1", "-1"), ("0", "from 0.05")):
        first.amount.setText(text)
        first.amount.editingFinished.emit()
        assert received in first.error.text()
        assert first.error.isVisible()
    choose(first.unit, "simulations")
    first.amount.setText("7.5")
    first.amount.editingFinished.emit()
    assert "whole number" in first.error.text()
    first.amount.setText("100")
    first.c.setText("-4")
    first.c.editingFinished.emit()
    assert "c of the rule is '-4'" in first.error.text()
    assert play.seats[0].simulations == 1000, "what is wrong is not taken"
    choose(first.who, "person")
    assert play.seats[0] == PERSON
    assert first.error.isHidden()


@pytest.mark.slow
def test_shipped_nets_can_be_chosen(qtbot: QtBot, real_window: MainWindow) -> None:
    qtbot.waitUntil(lambda: bool(real_window.context.opener.nets))
    play, view = room(real_window)
    net = default_source(real_window.state.game)
    editor = view.seats[1]
    place = editor.net.findText(net.title)
    assert place > 0
    editor.net.setCurrentIndex(place)
    editor.net.activated.emit(place)
    assert play.seats[1].source == net
    play.seat(1, replace(play.seats[1], simulations=40))
    real_window.state.set_settings(SearchSettings(selection="ucb1", memory_mb=32))
    view.run.click()
    real_window.state.play(4)
    assert real_window.session.source == net
    assert real_window.session.settings.selection == "puct"
    qtbot.waitUntil(lambda: len(real_window.state.moves) == 2)
    assert real_window.state.source is None
    assert real_window.state.settings.selection == "ucb1"


def test_the_selection_rule_is_changed_to_fit_the_source() -> None:
    puct, ucb = SearchSettings(), SearchSettings(selection="ucb1")
    assert fitting(puct, None).selection == "ucb1"
    assert fitting(ucb, UniformSource()).selection == "puct"
    assert fitting(ucb, None) is ucb
    assert fitting(puct, UniformSource()) is puct


@pytest.mark.parametrize("name", RULES)
def test_a_rule_that_suits_nets_and_random_games_is_kept(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    settings = SearchSettings(selection=name)
    kept = {source is not None: fitting(settings, source) is settings for source in (None, UniformSource())}
    assert kept == {net: RULES[name].suits in ("both", "net" if net else "games") for net in kept}
    monkeypatch.setitem(RULES, name, replace(RULES[name], suits="both"))
    assert fitting(settings, None) is fitting(settings, UniformSource()) is settings


@pytest.mark.parametrize(("given", "received"), [({"simulations": 0}, "0"), ({"seconds": 0.0}, "0.05")])
def test_limits_out_of_range_are_refused(given: dict[str, Any], received: str) -> None:
    with pytest.raises(ValueError, match=received):
        Seat(engine=True, **given)
