"""Several batches at the evaluator at once."""

import numpy as np
import pytest
from numpy.typing import NDArray

from core.engine import Evaluator, Search
from core.games import load_game
from core.search import Limit, SearchSettings
from core.search.tree import NODES, PENDING


class Varied(Evaluator):
    """Logits and values that depend on the planes alone; fails at the call numbered ``failing``."""

    description = "varied"

    def __init__(self, num_actions: int, failing: int = 0) -> None:
        self.num_actions, self.failing, self.calls = num_actions, failing, 0

    def evaluate(self, planes: NDArray[np.float32], features: object = None) -> tuple[NDArray[np.float32], ...]:
        self.calls += 1
        if self.calls == self.failing:
            raise ValueError("the net is gone")
        flat = planes.reshape(len(planes), -1).astype(np.float64)
        wave = np.sin(flat @ np.arange(1.0, flat.shape[1] + 1.0))
        logits = np.cos(wave[:, None] * np.arange(1.0, self.num_actions + 1.0))
        return logits.astype(np.float32), (0.9 * wave).astype(np.float32)


def net_search(batches: int, failing: int = 0) -> Search:
    game = load_game("connect4")
    settings = SearchSettings(batches_in_flight=batches, max_batch=8)
    return Search(game.initial(), Varied(game.num_actions, failing), settings)


def waits(search: Search) -> int:
    return int(search.tree.inflight[search.tree.slot[: search.tree.counts[NODES]]].sum())


def pending(search: Search) -> int:
    return int((search.tree.num_edges[: search.tree.counts[NODES]] == PENDING).sum())


@pytest.mark.parametrize("batches", [1, 2, 3])
def test_the_limit_is_met_exactly_and_nothing_stays_in_flight(batches: int) -> None:
    search = net_search(batches)
    search.run(Limit(simulations=777))
    assert search.simulations == 777
    assert waits(search) == pending(search) == 0
    moves = search.snapshot().moves
    assert sum(row.visits for row in moves) == 776


def test_batches_are_full_though_descents_collide_once_the_tree_has_grown() -> None:
    search = net_search(1)
    search.run(Limit(simulations=100))
    young = search.snapshot().counters
    assert 0 < young.collisions <= young.batches, "the first one ends the batch"
    search.run(Limit(simulations=2000))
    before = search.snapshot().counters
    search.run(Limit(simulations=4000))
    after = search.snapshot().counters
    assert after.collisions > before.collisions
    assert after.evaluations - before.evaluations > 7.5 * (after.batches - before.batches)
    assert waits(search) == pending(search) == 0


class Clock:
    now = 0.0

    def perf_counter(self) -> float:
        return self.now


def test_the_clock_counts_every_wait_for_the_net_once(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, search = Clock(), net_search(2)
    for module in ("search", "simulator"):
        monkeypatch.setattr(f"core.engine.{module}.time", clock)
    receive = search.simulator.batches.receive

    def wait_a_second() -> object:
        clock.now += 1.0
        return receive()

    monkeypatch.setattr(search.simulator.batches, "receive", wait_a_second)
    while search.simulations < 400:
        search.step(None, max_seconds=0.0)
    clock.now += 100.0  # between two steps nothing is counted
    assert waits(search) > 0
    search.run(Limit(), should_stop=lambda: True)
    search.run(Limit(simulations=500))
    assert search.snapshot().counters.elapsed_s == clock.now - 100.0


def test_slices_do_not_change_the_tree() -> None:
    whole, sliced = net_search(2), net_search(2)
    whole.run(Limit(simulations=500))
    while not sliced.step(500, max_seconds=0.0):
        pass
    nodes = int(whole.tree.counts[NODES])
    assert nodes == int(sliced.tree.counts[NODES])
    assert (whole.tree.action[:nodes] == sliced.tree.action[:nodes]).all()
    assert [row.visits for row in whole.snapshot().moves] == [row.visits for row in sliced.snapshot().moves]


def test_snapshots_contain_no_virtual_loss() -> None:
    search = net_search(2)
    while search.simulations < 400:
        search.step(None, max_seconds=0.0)
    assert waits(search) > 0
    tree, root = search.tree, search.root
    slots = [int(tree.child_start[root]) + i for i in range(int(tree.num_children[root]))]
    means = {int(tree.action[tree.child[s]]): tree.total[s] / tree.visits[s] for s in slots if tree.visits[s]}
    shown = {row.action: row.q for row in search.snapshot().moves if row.visits}
    assert shown == pytest.approx(means, abs=1e-6)
    assert waits(search) > 0, "looking must not change the tree"


def test_stopping_and_moving_the_root_absorb_batches_in_flight() -> None:
    search = net_search(2)
    while not waits(search):
        search.step(None, max_seconds=0.0)
    before = search.simulations
    search.run(Limit(), should_stop=lambda: True)
    assert search.simulations > before
    assert waits(search) == pending(search) == 0
    while not waits(search):
        search.step(None, max_seconds=0.0)
    search.advance(3)
    assert waits(search) == pending(search) == 0


@pytest.mark.parametrize("batches", [1, 2, 3])
def test_a_failing_evaluator_leaves_nothing_in_flight(batches: int) -> None:
    search = net_search(batches, failing=20)
    with pytest.raises(ValueError, match="the net is gone"):
        search.run(Limit(simulations=10_000))
    assert waits(search) == pending(search) == 0
    search.run(Limit(simulations=1000))
    assert search.simulations == 1000
    assert sum(row.visits for row in search.snapshot().moves) == 999


def test_in_flight_counters_hold_more_than_all_threads_send() -> None:
    most = 1 << 16
    seen = []

    class Looking(Varied):
        def evaluate(self, planes: NDArray[np.float32], features: object = None) -> tuple[NDArray[np.float32], ...]:
            seen.append(int(search.tree.inflight[own]))
            return super().evaluate(planes)

    search = Search(load_game("connect4").initial(), Looking(7), SearchSettings())
    own = int(search.tree.slot[search.root])
    search.tree.inflight[own] = most - 1
    search.run(Limit(simulations=200))
    assert min(seen) == most
    assert int(search.tree.inflight[own]) == most - 1


@pytest.mark.parametrize("batches", [1, 2])
def test_a_value_out_of_range_is_refused_in_any_batch_and_one_beyond_by_rounding_is_clipped(batches: int) -> None:
    class Rising(Varied):
        def evaluate(self, planes: NDArray[np.float32], features: object = None) -> tuple[NDArray[np.float32], ...]:
            logits, values = super().evaluate(planes)
            return logits, np.full_like(values, 1.2 if self.calls == 20 else 1.0000001)

    game = load_game("connect4")
    settings = SearchSettings(batches_in_flight=batches, max_batch=8)
    evaluator = Rising(game.num_actions)
    search = Search(game.initial(), evaluator, settings)
    with pytest.raises(ValueError, match=r"^varied gave the value 1\.2; values must lie from -1 to 1$"):
        search.run(Limit(simulations=5_000))
    assert evaluator.calls >= 20
    assert waits(search) == pending(search) == 0
    values = search.tree.value[: search.tree.counts[NODES]]
    assert np.nanmax(values) == 1.0
