"""Memory and time of a run before it begins: real buffers and reports against the formulas."""

from dataclasses import replace
from typing import Any

import pytest

from core.games import load_game
from core.games.net_inputs import encoding_for
from models.play.replay import Replay
from models.runs.config import TrainConfig
from models.runs.estimate import Measured, duration, memory, position_bytes, simulations_per_position

CONFIG = TrainConfig.of(game="connect4", minutes=1.0, threads=2)
RUN = Measured("a", CONFIG.to_dict(), "cpu", 100.0, 0.8, 20.0, 96.0, 1.5)


def run(config: TrainConfig = CONFIG, **changes: Any) -> Measured:
    return replace(RUN, config=config.to_dict(), **changes)


@pytest.mark.parametrize(
    ("game", "inputs"), [("connect4", "board"), ("go(size=7, komi=9)", "board"), ("go(size=7, komi=9)", "points")]
)
def test_a_position_takes_what_the_replay_buffer_takes_for_it(game: str, inputs: str) -> None:
    spec = load_game(game)
    held = Replay(spec, 10, encoding=encoding_for(spec, inputs))
    arrays: list[Any] = [
        held._planes,
        held._policy,
        held._result,
        held._root_value,
        held._legal,
        held._weight,
        *(held._points or ()),
    ]
    assert sum(array.nbytes for array in arrays) == 10 * position_bytes(spec, inputs)


def test_memory_grows_with_what_needs_it() -> None:
    base = memory(CONFIG)
    assert memory(CONFIG.changed(replay_positions=300_000)).replay == pytest.approx(2 * base.replay)
    assert memory(CONFIG.changed(games=512)).playing > base.playing
    assert memory(CONFIG.changed(batch_size=512)).learning > base.learning
    assert base.total == sum(base)
    go = TrainConfig.of(game="go(size=9, komi=7)", minutes=1.0, inputs="points", heads="pooled")
    both = memory(go.changed(sizes="7 komi 9, 9"))
    assert memory(go).replay * (49 + 81) / 162 == pytest.approx(both.replay, rel=0.05)  # half of them smaller


def test_the_same_settings_take_as_long_again() -> None:
    found = duration(CONFIG, "cpu", [RUN])
    assert found.iteration_s == pytest.approx(4096 / 100 + 1.5)
    assert (found.of, found.differs) == ("a", ())


def test_learning_beside_the_games_may_take_longer() -> None:
    slow = run(learning_s=60.0)  # for 96 steps of 256 positions: 6 times 4096
    found = duration(CONFIG, "cpu", [slow])
    assert found.iteration_s == pytest.approx(61.5)


def test_time_is_scaled_by_search_net_and_positions() -> None:
    def seconds(**changes: Any) -> float:
        found = duration(CONFIG.changed(**changes), "cpu", [replace(RUN, between_s=0.0, learning_s=0.0)])
        return found.iteration_s

    assert seconds(samples_per_iteration=8192) == pytest.approx(2 * seconds())
    searches = simulations_per_position(CONFIG.changed(simulations=400)) / simulations_per_position(CONFIG)
    assert seconds(simulations=400) == pytest.approx(searches * seconds())
    assert 3 * seconds() < seconds(channels=96) < 4 * seconds()  # four times the work in the net's share of 0.8
    assert seconds(threads=1) == pytest.approx(2 * seconds())


def test_the_most_similar_run_on_the_same_device_counts() -> None:
    other = TrainConfig.of(game="othello", minutes=1.0, threads=2)
    runs = [run(other, name="othello"), run(CONFIG.changed(blocks=10), name="wide"), run(device="cuda", name="gpu")]
    found = duration(CONFIG, "cpu", runs)
    assert (found.of, found.differs) == ("wide", ("net",))
    assert duration(CONFIG, "cuda", runs[:2]) is None
    assert duration(CONFIG, "cpu", []) is None
    spoilt = replace(RUN, config={"game": "chess"})
    assert duration(CONFIG, "cpu", [spoilt]) is None
    assert duration(CONFIG, "cpu", [spoilt, RUN]) == duration(CONFIG, "cpu", [RUN])
