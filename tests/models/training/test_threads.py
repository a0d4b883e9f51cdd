"""Players and a learner at work together: shares, handing over, errors and ends."""

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from core.engine import UniformEvaluator
from core.games import load_game
from models.play.selfplay import SelfPlay
from models.runs.config import TrainConfig
from models.training.threads import Part, play_and_learn

GAME = load_game("tictactoe")
NET = UniformEvaluator(9)
CONFIG = TrainConfig(game="tictactoe", simulations=8, fast_simulations=4, iterations=1)


def players(count: int) -> list[SelfPlay]:
    return [SelfPlay(GAME, NET, CONFIG, 4, seed) for seed in range(count)]


def test_all_players_share_the_games() -> None:
    parts: list[Part] = []
    threads: set[str] = set()
    answer = play_and_learn(
        players(2), [NET, NET], 7, 60, parts, lambda _: "learned", lambda: False, lambda _: None,
        lambda: threads.add(threading.current_thread().name),
    )  # fmt: skip
    assert answer == "learned"
    assert sum(len(samples) for samples, _ in parts) >= 60
    assert len(parts) > 2  # a player hands over as it goes
    assert {trace.net_step for samples, _ in parts for trace in samples.traces} == {7}
    assert threads


def test_parts_are_in_the_order_of_the_players(monkeypatch: pytest.MonkeyPatch) -> None:
    """However late the first player is: what a seeded run learns from must not depend on its threads' luck."""
    first, second = players(2)
    done = threading.Event()
    play = first.play

    def late(*given: Any) -> Part:
        assert done.wait(60)
        return play(*given)

    def last(*given: Any) -> Part:
        part = second_play(*given)
        done.set()
        return part

    second_play = second.play
    monkeypatch.setattr(first, "play", late)
    monkeypatch.setattr(second, "play", last)
    parts: list[Part] = []
    play_and_learn([first, second], [NET, NET], 0, 24, parts, lambda _: None, lambda: False, lambda _: None)
    alone: list[Part] = []
    play_and_learn(players(1), [NET], 0, 12, alone, lambda _: None, lambda: False, lambda _: None)
    np.testing.assert_array_equal(parts[0][0].planes, alone[0][0].planes)


def test_finished_parts_are_handed_over_during_play(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("models.training.threads.SPILL_S", 0.0)
    handed: list[int] = []
    enough = threading.Event()

    def spill(parts: list[Part]) -> None:
        handed.append(sum(len(samples) for samples, _ in parts))
        if handed[-1] > 0:
            enough.set()

    def learn(should_stop: Callable[[], bool]) -> bool:
        return enough.wait(60)

    parts: list[Part] = []
    assert play_and_learn(players(1), [NET], 0, 40, parts, learn, lambda: False, spill)
    assert handed == sorted(handed)
    assert handed[-1] <= sum(len(samples) for samples, _ in parts)


def test_the_end_of_learning_stops_all_players() -> None:
    parts: list[Part] = []
    answer = play_and_learn(players(2), [NET, NET], 0, 10_000, parts, lambda stop: stop(), lambda: True, lambda _: None)
    assert answer is True
    assert parts == []


def test_learning_that_is_carried_over_stops_with_the_playing() -> None:
    parts: list[Part] = []

    def learn(should_stop: Callable[[], bool]) -> str:
        while not should_stop():
            pass
        return "stopped"

    answer = play_and_learn(
        players(2), [NET, NET], 0, 20, parts, learn, lambda: False, lambda _: None, lambda: None, True
    )
    assert answer == "stopped"
    assert sum(len(samples) for samples, _ in parts) >= 20


@pytest.mark.parametrize("who", ["player", "learner"])
def test_the_first_error_ends_all_threads(who: str, monkeypatch: pytest.MonkeyPatch) -> None:
    both = players(2)

    def fail(*_: object) -> None:
        raise ValueError(f"the {who} gave up")

    def learn(should_stop: Callable[[], bool]) -> None:
        if who == "learner":
            fail()
        while not should_stop():
            pass

    if who == "player":
        monkeypatch.setattr(both[1], "play", fail)
    with pytest.raises(ValueError, match=f"the {who} gave up"):
        play_and_learn(both, [NET, NET], 0, 1 << 30, [], learn, lambda: False, lambda _: None)
