"""The seats are restored at the next start, and from session files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QSettings
from pytestqt.qtbot import QtBot

from core.games import load_game
from gui.model.sources import UniformSource, default_source
from gui.rooms.opponents.play_seats import AS_WINDOW, PERSON, OwnSearch, Players, Seat, players_from, players_json
from gui.rooms.opponents.play_view import PlayView
from gui.widgets.preferences import Preferences
from gui.window import MainWindow
from tests.gui.conftest import open_window
from tests.gui.fakes import FakeAnalysis

GAME = "connect4"
NET = default_source(load_game(GAME).initial().game)
OWN = OwnSearch("ucb1", 0.7, 1.0)

seats = st.builds(
    Seat,
    engine=st.booleans(),
    source=st.sampled_from([AS_WINDOW, None, UniformSource(), NET]),
    simulations=st.integers(1, 10**6),
    seconds=st.none() | st.floats(0.1, 100),
    search=st.none() | st.just(OWN),
)


@given(st.tuples(seats, seats), st.sampled_from([0.0, 0.5, 5.0]))
def test_players_round_trip_through_json(pair: tuple[Seat, Seat], delay: float) -> None:
    players = Players(pair, delay)
    assert players_from(players_json(players, GAME), GAME) == (players, [])


def test_a_missing_net_or_one_of_another_game_is_refused(tmp_path: Path) -> None:
    value = players_json(Players((Seat(True, NET, 70), PERSON), 0.5), GAME)
    assert players_from(value, "othello") == (Players((Seat(True, AS_WINDOW, 70), PERSON), 0.5), [])
    value["seats"][0]["source"] = str(tmp_path / "gone.onnx")
    players, (note,) = players_from(value, GAME)
    assert players.seats[0].source == AS_WINDOW
    assert "gone.onnx" in note
    assert "plays as the window does" in note


@pytest.mark.parametrize(
    "change",
    [{"delay": -1}, {"delay": "x"}, {"seats": []}, {"seats": [1, 2]}, {"seats": None}],
)
def test_invalid_players_are_refused(change: dict[str, Any]) -> None:
    value = {**players_json(Players(), GAME), **change}
    with pytest.raises(ValueError, match="the players are left out"):
        players_from(value, GAME)


def window_with(qtbot: QtBot, preferences: Preferences) -> MainWindow:
    return open_window(qtbot, FakeAnalysis(), GAME, preferences=preferences)


def test_the_next_start_has_the_same_seats(qtbot: QtBot, tmp_path: Path) -> None:
    def settings() -> Preferences:
        return Preferences(QSettings(str(tmp_path / "kept.ini"), QSettings.Format.IniFormat))

    window = window_with(qtbot, settings())
    play = window.commands.games.play
    play.seat(0, Seat(engine=True, source=NET, seconds=2.0))
    play.seat(1, Seat(engine=True, source=UniformSource(), simulations=77, search=OWN))
    play.set_delay(2.0)
    expected = play.seats
    window.close()
    window = window_with(qtbot, settings())
    play = window.commands.games.play
    assert (play.seats, play.delay_s) == (expected, 2.0)
    view = window.commands.open_dock("players")
    assert isinstance(view, PlayView)
    assert tuple(editor.seat() for editor in view.seats) == (replace(expected[0], simulations=1000), expected[1])
    assert view.delay.currentData() == 2.0
    window.close()


def test_invalid_saved_players_are_reported_once(qtbot: QtBot) -> None:
    preferences = Preferences()
    preferences.players = '{"seats": 7}'
    window = window_with(qtbot, preferences)
    assert window.commands.games.play.seats == Players().seats
    assert "the players are left out" in window.banner.text
    window.close()
    assert window_with(qtbot, preferences).commands.games.play.recall() == [], "it is told once"


def test_a_session_holds_the_seats_and_the_window_s_own_search(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    play, path = window.commands.games.play, tmp_path / "mine.plyscope"
    play.seat(0, Seat(engine=True, source=UniformSource(), simulations=12, search=OWN))
    expected, own = play.seats, window.state.settings
    play.start()
    assert window.session.settings != own, "the engine's search is shown while it thinks"
    with qtbot.waitSignal(window.commands.filing.used):
        window.commands.filing.save_session(path)
    play.pause()
    play.seat(0, PERSON)
    window.state.set_limit(5)
    window.commands.open_dock("players")
    with qtbot.waitSignal(window.commands.filing.used):
        window.commands.filing.open_file(path)
    assert play.seats == expected
    assert (window.state.source, window.state.settings) == (None, own)
    view = window.commands.open_dock("players")
    assert isinstance(view, PlayView)
    assert view.seats[0].seat() == expected[0]


def test_an_invalid_limit_is_reported(qtbot: QtBot, window: MainWindow) -> None:
    view = window.commands.open_dock("players")
    assert isinstance(view, PlayView)
    editor = view.seats[1]
    for text in ("inf", "nan", "many", ""):
        editor.amount.setText(text)
        editor.amount.editingFinished.emit()
        assert editor.error.text().startswith(f"Limit of a move is {text!r}; it must be a whole number")
        assert window.commands.games.play.seats == Players().seats
