"""The record of a search's batches adds up to its counters, and says where each simulation got its value."""

import numpy as np
import pytest

from core.engine import Search
from core.engine.look_back import NET, LookBack
from core.games import load_game
from core.glass.batches import NO_BATCHES, BatchLog, Place
from core.search import Limit, SearchSettings
from tests.core.search.fakes import HashEvaluator

GAME = load_game("connect4(rows=4, cols=5, k=4)")


def searched(simulations: int = 700, evaluator: object = None, **given: object) -> Search:
    settings = SearchSettings(memory_mb=16, prove=False, **given)  # type: ignore[arg-type]
    search = Search(GAME.initial(), evaluator or HashEvaluator(GAME.num_actions), settings)  # type: ignore[arg-type]
    search.run(Limit(simulations=simulations))
    return search


@pytest.mark.parametrize("in_flight", [1, 2])
def test_the_record_adds_up_to_the_counters(in_flight: int) -> None:
    search = searched(batches_in_flight=in_flight, max_batch=6)
    counters, batches = search.snapshot().counters, search.curves().batches
    assert batches.made == counters.batches > 20
    assert batches.end == (counters.simulations, counters.cache_hits, counters.collisions)
    assert int(batches.rows[:, 1].sum()) == counters.evaluations
    assert batches.largest == 6
    assert counters.cache_hits > 0
    assert counters.collisions > 0
    last = batches.sums(np.array([0.0, float(counters.simulations)]))
    assert [part[0] for part in last] == [0.0] * 5
    assert [part[1] for part in last] == [
        counters.simulations,
        counters.evaluations,
        counters.cache_hits,
        counters.collisions,
        counters.batches,
    ]
    every = batches.sums(np.arange(counters.simulations + 1.0))
    for part in every:
        assert (np.diff(part) >= 0).all()
    evaluated = np.diff(every.leaves)
    for begin, end in ((0, 50), (100, 101), (333, 600)):
        leaves, made = (part[end] - part[begin] for part in (every.leaves, every.batches))
        assert not made or 1.0 <= leaves / made <= 6.0 + 1e-9, "of whichever simulations"
    assert set(evaluated.tolist()) == {0.0, 1.0}
    places = [batches.place(record) for record in range(counters.simulations)]
    assert [place is not None and place.batch > 0 for place in places] == (evaluated == 1).tolist()
    for number in range(1, batches.made + 1):
        own = [place for place in places if place is not None and place.batch == number]
        leaves = int(batches.rows[number, 1])
        assert own == [Place(number, leaf, leaves) for leaf in range(1, leaves + 1)]


def test_a_simulation_says_whether_the_net_or_its_cache_answered() -> None:
    asked: list[bytes] = []

    class Counting(HashEvaluator):
        def evaluate(self, planes: np.ndarray, features: object = None) -> tuple[np.ndarray, ...]:
            asked.extend(plane.tobytes() for plane in planes)
            return super().evaluate(planes)

    search = searched(120, Counting(GAME.num_actions), max_batch=4)
    back = LookBack(search)
    order, cached = [], 0
    for simulation in range(1, len(back) + 1):
        playout = back.past(simulation).playout
        assert playout is not None
        if playout.kind != NET:
            assert playout.place is None
            continue
        assert playout.place is not None
        if playout.place.batch:
            order.append(playout.leaf.planes().tobytes())
        else:
            cached += 1
            assert playout.leaf.planes().tobytes() in asked
    assert order == asked
    assert cached == search.snapshot().counters.cache_hits > 0


def test_what_was_not_recorded_is_not_known() -> None:
    search = searched(200)
    other = Search(GAME.initial(), HashEvaluator(GAME.num_actions), search.settings)
    other.load_state(search.state())
    batches = other.curves().batches
    assert (batches.made, batches.first) == (0, 200)
    assert batches.place(10) is None
    other.run(Limit(simulations=400))
    batches = other.curves().batches
    found = batches.sums(np.array([100.0, 200.0, 400.0]))
    assert np.isnan(found.hits[0])
    assert found.simulations[1:].tolist() == [0.0, 200.0]
    assert found.leaves[2] + found.hits[2] <= 200
    other.advance(2)
    assert other.curves().batches.made >= batches.made
    rollouts = Search(GAME.initial(), None, SearchSettings(memory_mb=16, selection="ucb1"))
    rollouts.run(Limit(simulations=50))
    assert rollouts.curves().batches.made == NO_BATCHES.made == 0


def test_rows_read_earlier_do_not_change() -> None:
    log = BatchLog()
    for number in range(1, 300):
        log.add(8 * number, 8, 0, 0)
    before = log.read(8 * 299, 0, 0)
    kept = before.rows.copy()
    for number in range(300, 2000):
        log.add(8 * number, 8, 0, 0)
    assert (before.rows == kept).all()
    assert log.read(16000, 0, 0).made == 1999
