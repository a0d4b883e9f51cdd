"""Players at work together: shares, order, errors and ends."""

import threading
from typing import Any

import numpy as np
import pytest

from core.engine import UniformEvaluator
from core.games import load_game
from models.play.games import Part
from models.play.selfplay import SelfPlay
from models.runs.config import TrainConfig
from models.training.pool import play_together

GAME = load_game("tictactoe")
NET = UniformEvaluator(9)
CONFIG = TrainConfig.of(game="tictactoe", simulations=8, fast_simulations=4, iterations=1)


def players(count: int) -> list[SelfPlay]:
    return [SelfPlay(GAME, NET, CONFIG, 4, seed) for seed in range(count)]


def test_all_players_share_the_games() -> None:
    parts = [part for some in play_together(players(2), [NET, NET], 7, 60, lambda: False) for part in some]
    assert sum(len(samples) for samples, _ in parts) >= 60
    assert len(parts) > 2  # a player hands over as it goes
    assert {trace.net_step for samples, _ in parts for trace in samples.traces} == {7}


def test_players_are_heard_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """However late the first player is: what a seeded run learns from must not depend on its threads' luck."""
    first, second = players(2)
    done = threading.Event()
    play, play_second = first.play, second.play

    def late(*given: Any) -> Part:
        assert done.wait(60)
        return play(*given)

    def prompt(*given: Any) -> Part:
        part = play_second(*given)
        done.set()
        return part

    monkeypatch.setattr(first, "play", late)
    monkeypatch.setattr(second, "play", prompt)
    both = list(play_together([first, second], [NET, NET], 0, 24, lambda: False))
    alone = next(play_together(players(1), [NET], 0, 12, lambda: False))
    np.testing.assert_array_equal(both[0][0][0].planes, alone[0][0].planes)


def test_players_stop_when_told() -> None:
    assert list(play_together(players(2), [NET, NET], 0, 10_000, lambda: True)) == []
    playing = play_together(players(2), [NET, NET], 0, 10_000, lambda: False)
    next(playing)
    playing.close()
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("play")]


def test_the_first_error_ends_all_players(monkeypatch: pytest.MonkeyPatch) -> None:
    both = players(2)

    def fail(*_: object) -> Part:
        raise ValueError("the player gave up")

    monkeypatch.setattr(both[1], "play", fail)
    with pytest.raises(ValueError, match="the player gave up"):
        list(play_together(both, [NET, NET], 0, 1 << 30, lambda: False))
