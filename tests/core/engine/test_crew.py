"""Batches in flight and several threads: sound trees, exact limits, and evaluators that fail."""

import gc
import random
import weakref
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from core.engine import Analysis, Evaluator, Search
from core.engine.look_back import LookBack
from core.games import Position, load_game
from core.glass.snapshot import FULL, LIMIT, OVER, PROVED
from core.search import Limit, SearchSettings
from core.search.tree import NODES, PENDING, SLOTS, Tree, backups_of
from core.solve import Solver
from tests.core.search.fakes import run_search

ROLLOUTS = ("ucb1", "puct", "ucb1_tuned")


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


def check(search: Search) -> None:
    """What holds of every tree at rest, and that its records lead to exactly its figures."""
    tree, nodes = search.tree, int(search.tree.counts[NODES])
    own, parents = tree.slot[:nodes], tree.parent[:nodes]
    assert not tree.inflight[own].any()
    assert not (tree.num_edges[:nodes] == PENDING).any()
    assert (tree.child[own] == np.arange(nodes)).all()
    ended = np.bincount(tree.leaf[: len(LookBack(search)._history)], minlength=nodes)
    below = parents >= 0
    taken = np.bincount(parents[below], weights=tree.visits[own[below]], minlength=nodes)
    assert (backups_of(tree, own) == taken + ended).all()
    assert (parents[1:] < np.arange(1, nodes)).all()
    place = own[below] - tree.child_start[parents[below]]
    assert ((place >= 0) & (place < tree.num_children[parents[below]])).all()
    assert (tree.edge_action[tree.edge_start[parents[below]] + place] == tree.action[:nodes][below]).all()
    used = np.zeros(int(tree.counts[SLOTS]), np.int32)
    for node in np.flatnonzero(tree.num_children[:nodes]).tolist():
        used[tree.child_start[node] : tree.child_start[node] + tree.num_children[node]] += 1
    assert used.max(initial=0) <= 1
    check_history(search, tree, nodes)


def check_history(search: Search, tree: Tree, nodes: int) -> None:
    back = LookBack(search)
    assert len(back) == search.simulations
    for simulation in (len(back) // 2, len(back)):
        back.past(simulation)
    history = back._history
    past, own = history.seek(len(history)), tree.slot[:nodes]
    then = past.slot[:nodes]
    for name in ("visits", "total", "proof", "distance"):
        assert (getattr(past, name)[then] == getattr(tree, name)[own]).all(), name
    assert not history.seek(0).total.any()


def some_position(text: str, rng: random.Random) -> Position:
    position = load_game(text).initial()
    for _ in range(rng.choice((0, 2, 4))):
        if not position.is_over:
            position = position.play(rng.choice(position.legal_actions()))
    return position


@pytest.mark.slow
@pytest.mark.parametrize("threads", [2, pytest.param(4, marks=pytest.mark.slow)])
@pytest.mark.parametrize("text", [pytest.param("tictactoe", marks=pytest.mark.slow), "connect4"])
def test_random_searches_by_rollouts_are_sound(text: str, threads: int) -> None:
    rng = random.Random(threads)
    for round_ in range(3):
        values: dict[str, Any] = {"selection": ROLLOUTS[round_], "prove": rng.random() < 0.7}
        values |= {"expansion_threshold": rng.choice((1, 2, 8)), "threads": threads, "memory_mb": 16}
        search_on(Search(some_position(text, rng), None, SearchSettings(**values), round_))


@pytest.mark.slow
@pytest.mark.parametrize("threads", [2, pytest.param(4, marks=pytest.mark.slow)])
@pytest.mark.parametrize("selection", ["puct", "gumbel"])
def test_random_searches_with_a_net_are_sound(selection: str, threads: int) -> None:
    rng = random.Random(threads)
    for batch, flight in ((8, 2), (64, 1)):
        values: dict[str, Any] = {"selection": selection, "prove": rng.random() < 0.7, "memory_mb": 16}
        values |= {"collectors": threads, "max_batch": batch, "batches_in_flight": flight}
        position = some_position("connect4", rng)
        search_on(Search(position, Varied(7), SearchSettings(**values)))


def search_on(search: Search) -> None:
    """Search to a limit, then below the root, then at the root again."""
    position = search.position
    for simulations, move in ((1501, True), (700, False), (2500, False)):
        why = search.run(Limit(simulations=simulations))
        assert why in (LIMIT, PROVED, OVER)
        assert why != LIMIT or search.simulations in (simulations, max(simulations, search.simulations))
        check(search)
        if why != LIMIT:
            return
        search.go_to(position.play(search.best_action()) if move else position)


def test_a_limit_is_met_exactly_and_the_description_names_the_threads() -> None:
    search = Search(load_game("connect4").initial(), None, SearchSettings(selection="ucb1", threads=3, prove=False))
    for simulations in (1, 2, 33, 1000, 1001, 4000, 50_000, 50_007):
        assert search.run(Limit(simulations=simulations)) == LIMIT
        assert search.simulations == simulations
        assert sum(row.visits for row in search.snapshot().moves) == simulations
        check(search)
    assert search.snapshot().evaluator == "random rollouts on CPU, 3 threads"
    assert search.simulator.stats[0] == 50_007


def test_proofs_are_those_of_the_exact_solver() -> None:
    game, rng = load_game("tictactoe"), random.Random(5)
    settings = SearchSettings(selection="ucb1", threads=4, memory_mb=16)
    proved = 0
    for seed in range(12):
        position = game.initial()
        for _ in range(rng.choice((1, 2, 3))):
            position = position.play(rng.choice(position.legal_actions()))
        search = Search(position, None, settings, seed)
        if search.run(Limit(simulations=20_000)) == PROVED:
            proved += 1
            assert search.snapshot().value == Solver(game).solve(position, seconds=600.0).value
        check(search)
    assert proved >= 6


def test_flat_plays_equally_many_games_of_each_move() -> None:
    settings = SearchSettings(selection="flat", flat_games=200, threads=4, prove=False)
    search = Search(load_game("tictactoe").initial(), None, settings)
    search.run(Limit())
    assert {row.visits for row in search.snapshot().moves} == {200}


@pytest.mark.parametrize("net", [False, True])
def test_a_full_tree_stays_within_its_budget(net: bool) -> None:
    game = load_game("connect4")
    settings = SearchSettings(selection="puct", threads=4, collectors=4, max_batch=16, memory_mb=2, prove=False)
    search = Search(game.initial(), Varied(7) if net else None, settings)
    assert search.run(Limit(simulations=1 << 20)) == FULL
    counters = search.snapshot().counters
    assert counters.bytes_budget // 2 < counters.bytes_used <= counters.bytes_budget
    check(search)


@pytest.mark.parametrize("batches", [1, 2])
def test_a_failing_evaluator_leaves_a_sound_tree(batches: int) -> None:
    settings = SearchSettings(batches_in_flight=batches, max_batch=32, collectors=3)
    search = Search(load_game("connect4").initial(), Varied(7, failing=20), settings)
    with pytest.raises(ValueError, match="the net is gone"):
        search.run(Limit(simulations=10_000))
    check(search)
    search.run(Limit(simulations=3000))
    assert search.simulations == 3000
    check(search)


def test_batches_are_as_full_as_those_of_one_thread_and_counted_once() -> None:
    means = []
    for count in (1, 4):
        evaluator = Varied(7)
        settings = SearchSettings(max_batch=32, collectors=count, prove=False)
        search = run_search(load_game("connect4").initial(), evaluator, 5000, settings)
        counters = search.snapshot().counters
        assert counters.batches == evaluator.calls
        assert counters.evaluations + counters.cache_hits <= counters.simulations == 5000
        means.append(counters.evaluations / counters.batches)
    assert means[1] > 0.7 * means[0]


def test_an_analysis_is_closed_amid_its_search() -> None:
    game = load_game("connect4")
    with Analysis() as analysis:
        analysis.start(game.initial(), settings=SearchSettings(selection="ucb1", threads=4))
        visited: list[int] = []

        def look(search: Search | None) -> None:
            search.run(Limit(simulations=2000))
            visited.append(search.simulations)

        analysis.visit(look)
        while not visited:
            assert analysis.error is None
            analysis._thread.join(0.01)
    assert not analysis.alive
    check(analysis._search)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_compacted_tree_frees_the_earlier_one(threads: int) -> None:
    """Held by the calls it was given to, it would take the memory budget a second time."""
    game = load_game("connect4")
    settings = SearchSettings(collectors=threads, max_batch=16, batches_in_flight=2, memory_mb=16)
    search = run_search(game.initial(), Varied(7), 2000, settings, only=[2, 3])
    arrays = {name: weakref.ref(array) for name, array in search.tree._asdict().items()}
    search.go_to(game.initial().play(3))  # a restricted root is never gone back to
    gc.collect()
    assert not [name for name, array in arrays.items() if array() is not None]
    search.run(Limit(simulations=2000))
    check(search)


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
