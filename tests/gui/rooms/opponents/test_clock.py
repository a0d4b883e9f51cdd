"""The clock of a game, levels, resignation, take-backs, and the analysis that a game hides."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from core.search import SearchSettings
from gui.rooms.opponents.clock import BYO_YOMI, INCREMENT, NONE, Clock, ClockSettings, clock_from, time_text
from gui.rooms.opponents.play_seats import CUSTOM, LEVELS, PERSON, Seat, level_of
from gui.rooms.opponents.play_view import PlayView
from gui.window import MainWindow
from tests.gui.conftest import open_window
from tests.gui.fakes import FakeAnalysis

ENGINE = Seat(engine=True, simulations=60)


class Time:
    """A time that a test sets."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def time() -> Time:
    return Time()


def test_an_increment_is_added_after_each_move(time: Time) -> None:
    clock = Clock(ClockSettings(INCREMENT, main_s=60.0, increment_s=5.0), time)
    clock.run(0)
    time.now = 20.0
    assert clock.side(0).seconds == 40.0
    assert clock.side(1).seconds == 60.0
    clock.press(0)
    clock.run(1)
    time.now = 80.0
    assert clock.side(0).seconds == 45.0
    assert clock.side(1).fallen
    clock.press(1)
    assert clock.side(1).fallen, "a move made after the flag fell gives no time"


def test_byo_yomi_periods_begin_anew_until_they_run_out(time: Time) -> None:
    clock = Clock(ClockSettings(BYO_YOMI, main_s=10.0, period_s=30.0, periods=3), time)
    clock.run(0)
    time.now = 9.0
    assert (clock.side(0).seconds, clock.side(0).counting) == (1.0, False)
    time.now = 25.0
    side = clock.side(0)
    assert (side.seconds, side.periods, side.counting) == (15.0, 3, True)
    clock.press(0)
    clock.run(0)
    assert clock.side(0).seconds == 30.0
    time.now += 30.0
    assert (clock.side(0).seconds, clock.side(0).periods) == (30.0, 2)
    time.now += 59.0
    assert (clock.side(0).seconds, clock.side(0).periods, clock.side(0).fallen) == (1.0, 1, False)
    time.now += 1.0
    assert clock.side(0).fallen


def test_a_paused_clock_stands_still_and_an_engine_keeps_time_in_hand(time: Time) -> None:
    clock = Clock(ClockSettings(INCREMENT, main_s=60.0, increment_s=5.0), time)
    clock.run(1)
    time.now = 30.0
    clock.run(None)
    time.now = 900.0
    assert clock.side(1).seconds == 30.0
    assert clock.budget(1) == pytest.approx(5.0)
    assert Clock(ClockSettings(NONE), time).budget(0) == float("inf")
    assert Clock(ClockSettings(BYO_YOMI, 0.0, period_s=10.0), time).budget(0) == pytest.approx(8.0)


def test_settings_come_back_and_bad_ones_are_refused() -> None:
    settings = ClockSettings(BYO_YOMI, 600.0, 0.0, 20.0, 5)
    assert clock_from(settings.as_json()) == settings
    with pytest.raises(ValueError, match="periods"):
        ClockSettings(BYO_YOMI, periods=0)
    with pytest.raises(ValueError, match="24 hours"):
        ClockSettings(INCREMENT, main_s=1e9)
    with pytest.raises(ValueError, match="must be none"):
        clock_from({**settings.as_json(), "kind": "sand"})
    assert [time_text(seconds) for seconds in (9.37, 59.2, 272.0, 3725.0)] == ["9.3", "1:00", "4:32", "1:02:05"]


@pytest.fixture
def game(qtbot: QtBot) -> MainWindow:
    """A person against an engine, whose search is scripted."""
    window = open_window(qtbot, FakeAnalysis(), "connect4")
    window.commands.open_dock("players")
    window.commands.games.play.seats = (PERSON, ENGINE)
    return window


def view_of(window: MainWindow) -> PlayView:
    view = window.commands.open_dock("players")
    assert isinstance(view, PlayView)
    return view


def test_the_form_sets_a_clock_that_is_remembered(game: MainWindow) -> None:
    form, clock = view_of(game).clock_form, game.commands.games.play.clock
    assert view_of(game).clock.faces[0].isHidden()
    form.kind.setCurrentIndex(form.kind.findData(INCREMENT))
    form.main.setText("2,5")
    form.chosen.emit()
    assert (clock.settings.kind, clock.settings.main_s) == (INCREMENT, 150.0)
    assert view_of(game).clock.faces[0].time.text() == "2:30"
    assert '"main_s": 150.0' in game.context.preferences.clock
    form.main.setText("soon")
    form.chosen.emit()
    assert "'soon'" in form.error.text()
    assert clock.settings.main_s == 150.0


def test_a_fallen_flag_ends_the_game(game: MainWindow, time: Time) -> None:
    play = game.commands.games.play
    play.clock.set_settings(ClockSettings(INCREMENT, main_s=60.0, increment_s=1.0))
    play.clock.clock = Clock(play.clock.settings, time)
    play.start()
    assert play.clock.clock.running == 0
    time.now = 10.0
    game.state.play(3)
    assert play.clock.clock.side(0).seconds == 51.0, "its increment included"
    assert play.clock.clock.running == 1
    assert play.thinking
    time.now = 80.0
    play.clock._tick()
    assert not play.running
    assert game.state.record.info["result"] == "B+T"
    assert view_of(game).status.text() == "Yellow has lost on time: Red wins."
    assert game.banner.text == "Yellow has lost on time: Red wins."
    play.start()
    assert "result" not in game.state.record.info, "played on, it has no result"
    assert not play.clock.clock.side(1).fallen
    play.pause()


def test_the_person_resigns_and_take_backs_are_counted(game: MainWindow) -> None:
    play, view = game.commands.games.play, view_of(game)
    play.start()
    game.state.play(3)
    view.take_back.click()
    assert view.clock.taken_back.text() == "Taken back once"
    game.state.play(2)
    assert play.thinking
    view.resign.click()
    assert not play.running
    assert game.state.record.info["result"] == "W+R", "the person's game, though the engine was to move"
    assert view.status.text() == "Red resigned: Yellow wins."
    assert game.room.player.title == "Yellow wins"
    game.state.go(0)
    assert game.room.player.title == "Red to move"
    game.state.open_position(game.state.position.game.position("d d"))
    game.state.write_info({"result": "W+R"})
    assert game.room.player.title == "Yellow wins"
    game.state.go(0)
    game.state.play(2)
    assert game.state.record.info["result"] == "W+R"
    assert game.room.player.title == "Yellow to move", "a variation has not ended"
    game.context.actions["new_game"].trigger()
    assert view.clock.taken_back.isHidden()


def test_a_level_sets_simulations_and_temperature(game: MainWindow) -> None:
    editor = view_of(game).seats[1]
    beginner = LEVELS[0]
    editor.level.setCurrentIndex(0)
    editor.level.activated.emit(0)
    seat = game.commands.games.play.seats[1]
    assert (seat.simulations, seat.seconds) == (beginner.simulations, None)
    assert seat.search.temperature == beginner.temperature
    assert level_of(seat) == beginner.name
    editor.amount.setText("9")
    editor.amount.editingFinished.emit()
    assert editor.level.currentData() == CUSTOM
    assert game.commands.games.play.seats[1].simulations == 9
    strengths = [one.of(Seat(), SearchSettings()) for one in LEVELS]
    assert [level_of(one) for one in strengths] == [one.name for one in LEVELS]


def test_the_analysis_is_hidden_while_a_person_plays_against_an_engine(game: MainWindow) -> None:
    analysis = game.session.analysis
    assert isinstance(analysis, FakeAnalysis)
    analysis.publish(400)
    game.session._poll()
    assert game.views.tree.nodes.rows
    game.commands.games.play.start()
    assert game.session.snapshot is None
    assert game.session.present is None
    assert game.views.tree.nodes.rows == []
    assert game.room.board.node is None
    assert "hidden while you play" in game.views.tree._note
    game.state.play(3)
    analysis.publish(60, "limit reached")
    game.session._poll()
    assert game.views.tree.nodes.rows == []
    game.context.actions["play_shown"].trigger()
    assert view_of(game).clock_form.shown.isChecked()
    assert game.views.tree.nodes.rows
    view_of(game).clock_form.shown.click()
    assert game.views.tree.nodes.rows == []
    game.commands.games.play.pause()
    assert game.views.tree.nodes.rows, "a pause shows it"
