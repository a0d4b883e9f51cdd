"""Games against outside engines: small programs of ours in processes of their own, which play or misbehave."""

import random
import sys
from functools import partial
from pathlib import Path

import pytest

from core.games import load_game
from gui.model.sources import OutsideSource
from gui.rooms.opponents.play_seats import AS_WINDOW, PERSON, Seat
from models.engines.engine import EngineOptions
from models.engines.engine_list import EngineEntry, write_engines
from tests.gui.conftest import cancel_close, open_window

ENGINES = Path(__file__).parents[3] / "models" / "engines"
GOMOKU = "gomoku(size=5)"


def entry(name: str, kind: str = "plays", file: str = "fake_engine.py", protocol: str = "gtp", **values) -> EngineEntry:
    return EngineEntry(name, protocol, f"'{sys.executable}' '{ENGINES / file}' {kind}", **values)


gomocup = partial(entry, file="fake_gomocup.py", protocol="gomocup")
BAD = {
    "hangs": "gave no answer",
    "crashes": "the engine crashes ended: 'out of luck'",
    "cheats": "not legal",
    "chatters": "nobody asked for",
    "odd": "not GTP",
}


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setattr("models.engines.engine_list.data_home", lambda: tmp_path)
    monkeypatch.setattr(EngineOptions, "patience", 60.0)
    monkeypatch.setattr("models.engines.process.END_S", 0.2)
    write_engines([entry("good"), gomocup("five"), entry("gives up", "resigns"), *(entry(kind, kind) for kind in BAD)])


@pytest.fixture
def board(qtbot, analysis):
    window = open_window(qtbot, analysis, GOMOKU)
    window.commands.open_dock("players")
    window.session.automatic = False
    return window


def outside(name: str) -> Seat:
    return Seat(True, OutsideSource(name), seconds=0.1)


def sit(window, first: Seat, second: Seat) -> None:
    window.commands.games.play.set_delay(0.0)
    window.commands.games.play.seat(0, first)
    window.commands.games.play.seat(1, second)
    window.commands.games.play.start()


def names(window) -> str:
    return " ".join(map(window.state.game.action_name, window.state.moves))


def processes(window) -> list:
    return [chair._engine.process for chair in window.commands.games.play._outside._chairs.values() if chair._engine]


def play(window, move: str) -> None:
    window.state.play(window.state.game.parse_action(move))


def test_an_outside_engine_answers_and_can_be_taken_back(qtbot, board):
    sit(board, PERSON, outside("good"))
    play(board, "c3")
    assert "good, which thinks" in board.commands.open_dock("players").status.text()
    qtbot.waitUntil(lambda: names(board) == "c3 a1")
    play(board, "c4")
    qtbot.waitUntil(lambda: names(board) == "c3 a1 c4 b1")
    (process,) = processes(board)
    board.commands.games.take_back()
    assert names(board) == "c3 a1"
    play(board, "b1")
    qtbot.waitUntil(lambda: names(board) == "c3 a1 b1 c1")
    assert processes(board) == [process], "it goes on with the program that runs"
    assert board.commands.games.play.running
    board.commands.games.play.seat(1, PERSON)
    qtbot.waitUntil(lambda: not process.running)


def test_the_game_goes_on_after_a_close_that_was_cancelled(qtbot, board):
    sit(board, PERSON, outside("good"))
    play(board, "c3")
    qtbot.waitUntil(lambda: names(board) == "c3 a1")
    (process,) = processes(board)
    cancel_close(board)
    play(board, "c4")
    qtbot.waitUntil(lambda: names(board) == "c3 a1 c4 b1")
    assert processes(board) == [process]


def test_two_outside_engines_play_to_the_end(qtbot, board):
    sit(board, outside("good"), outside("five"))
    with qtbot.waitSignal(board.commands.games.play.ended):
        pass
    assert board.state.position.is_over
    running = processes(board)
    assert len(running) == 2
    board.close()
    qtbot.waitUntil(lambda: not any(process.running for process in running))


def test_one_that_resigns_has_lost(qtbot, board):
    sit(board, PERSON, outside("gives up"))
    play(board, "c3")
    qtbot.waitUntil(lambda: board.state.record.info.get("result") == "B+R")
    assert names(board) == "c3"
    assert not board.commands.games.play.running


@pytest.mark.slow
def test_one_that_fails_is_named_and_the_game_stays(qtbot, board, monkeypatch):
    for kind, words in BAD.items():
        if kind == "hangs":
            monkeypatch.setattr(EngineOptions, "patience", 0.3)
        sit(board, PERSON, outside(kind))
        play(board, "a1")
        qtbot.waitUntil(lambda: not board.commands.games.play.running)
        assert words in board.banner.text
        assert names(board) == "a1"
        assert not board.commands.games.play.thinking
        assert not processes(board)
        monkeypatch.setattr(EngineOptions, "patience", 60.0)
        board.commands.games.take_back()
    sit(board, PERSON, outside("good"))
    play(board, "a1")
    qtbot.waitUntil(lambda: names(board) == "a1 b1")


@pytest.mark.slow
def test_the_position_may_change_while_it_thinks(qtbot, board):
    sit(board, PERSON, outside("hangs"))
    play(board, "c3")
    qtbot.waitUntil(lambda: len(processes(board)) == 1)
    (hung,) = processes(board)
    board.commands.games.take_back()
    assert names(board) == ""
    assert not board.commands.games.play.thinking
    play(board, "c4")
    qtbot.waitUntil(lambda: not hung.running)  # asked again: not after the hung one, but in its place
    board.commands.games.play.pause()
    assert names(board) == "c4"
    board.context.opener.open_game("tictactoe")
    qtbot.waitUntil(lambda: board.state.game.text == "tictactoe")
    assert "the engine" not in board.banner.text


def test_seats_are_chosen_and_kept_with_the_engines_of_the_list(qtbot, board):
    view = board.commands.open_dock("players")
    second = view.seats[1]
    titles = [second.net.itemText(place) for place in range(second.net.count())]
    assert "five (outside engine)" in titles
    second.net.setCurrentIndex(titles.index("five (outside engine)"))
    second.net.activated.emit(second.net.currentIndex())
    assert board.commands.games.play.seats[1] == Seat(True, OutsideSource("five"), seconds=1.0)
    assert not second.unit.isEnabled()
    assert not second.search.isVisibleTo(view)
    kept = board.commands.games.play.as_json()
    board.commands.games.play.seat(1, Seat(True, AS_WINDOW))
    assert board.commands.games.play.restore(kept) == []
    assert board.commands.games.play.seats[1].outside == OutsideSource("five")
    write_engines([entry("new", games=("gomoku",)), entry("other", games=("go",))])
    view.returned.emit()
    titles = [second.net.itemText(place) for place in range(second.net.count())]
    assert "new (outside engine)" in titles
    assert "other (outside engine)" not in titles
    with pytest.raises(ValueError, match="seconds for a move"):
        Seat(True, OutsideSource("five"))
    play(board, "c3")
    board.commands.games.play.start()
    qtbot.waitUntil(lambda: "'five' is no engine of the list" in board.banner.text)
    assert not board.commands.games.play.running


@pytest.mark.slow
def test_engines_killed_at_random_moments_lose_no_game(qtbot, board):
    chance = random.Random(14)
    for _ in range(4):
        kill_at_a_random_moment(qtbot, board, chance)


def kill_at_a_random_moment(qtbot, board, chance: random.Random) -> None:
    """Let two engines play and kill one after some moves: the moves stay, and the game goes on with new processes."""
    board.state.open_position(load_game(GOMOKU).initial(), None)
    sit(board, outside("good"), outside("five"))
    plies = chance.randrange(1, 6)
    qtbot.waitUntil(lambda: len(board.state.moves) >= plies)
    qtbot.waitUntil(lambda: len(processes(board)) == 2 or not board.commands.games.play.running)
    victims = processes(board)
    if not victims:
        return
    chance.choice(victims)._kill()
    before = board.state.moves
    qtbot.waitUntil(lambda: not board.commands.games.play.running)
    assert board.state.moves[: len(before)] == before
    if not board.state.position.is_over:
        assert "the engine" in board.banner.text
        board.commands.games.play.start()
        with qtbot.waitSignal(board.commands.games.play.ended):
            pass
