"""Curves over the simulations, and the record of batches."""

import numpy as np
import pytest

from core.engine import Search
from core.engine.look_back import NET, LookBack
from core.games import load_game
from core.glass.batches import NO_BATCHES, BatchLog, Place
from core.glass.curves import SAMPLES
from core.glass.picture import picture_of
from core.search import Limit, SearchSettings
from core.search.tree import NODES, RECORDS
from tests.core.search.fakes import HashEvaluator, run_search
from tests.tiers import slow_but

SMALL = "connect4(rows=4, cols=5, k=3)"


def make(name, *, net=True, seed=3, **settings):
    game = load_game(name)
    chosen = {"memory_mb": 16, "selection": "puct" if net else "ucb1", **settings}
    return Search(game.initial(), HashEvaluator(game.num_actions) if net else None, SearchSettings(**chosen), seed)


def compare(curves, sample, snapshot):
    """A sample has the figures that the snapshot showed."""
    root = snapshot.root
    assert curves.simulations[sample] == snapshot.simulations
    assert curves.q[sample] == pytest.approx(root.q, abs=1e-6, nan_ok=True)
    rows = {row.action: row for row in root.rows if row.visits}
    visited = np.flatnonzero(curves.visits[sample])
    assert {int(curves.actions[e]) for e in visited} == set(rows)
    for e in visited:
        row = rows[int(curves.actions[e])]
        assert curves.visits[sample, e] == row.visits
        assert curves.qs[sample, e] == pytest.approx(row.q, abs=1e-6)
        assert curves.shares[sample, e] == pytest.approx(row.share)
    assert np.isnan(curves.qs[sample, curves.visits[sample] == 0]).all()


def run_by_steps(search, moments, most):
    """Run to each of ``moments``; snapshots by the number of simulations."""
    seen = {}
    for n in moments:
        if search.run(Limit(simulations=n)) == "proved":
            break
        seen[search.simulations] = search.snapshot()
        if most:
            search.curves(most)
    return seen


@pytest.mark.parametrize("most", [0, 7, 1 << 20], ids=["late", "in pieces", "live"])
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"prove": False},
        {"max_batch": 32, "batches_in_flight": 2},
        {"net": False},
        {"net": False, "prove": False, "expansion_threshold": 4},
        {"selection": "gumbel", "noise_epsilon": 0.25},
        {"merge_symmetric": True, "threads": 1},
    ],
    ids=str,
)
@pytest.mark.parametrize("name", slow_but((SMALL,), ("tictactoe", SMALL)))
def test_curve_samples_equal_the_snapshots(name, settings, most):
    search = make(name, **settings)
    seen = run_by_steps(search, range(1, 330, 3), most)
    curves = search.curves()
    assert (curves.behind, curves.exact) == (0, True)
    samples = {int(n): s for s, n in enumerate(curves.simulations)}
    compared = 0
    for n, snapshot in seen.items():
        if n in samples:
            compare(curves, samples[n], snapshot)
            compared += 1
    assert compared > 20
    compare(curves, -1, search.snapshot())


def test_a_long_search_is_sampled_evenly_and_exactly():
    search = make("connect4", max_batch=8)
    moments = [*range(50, 3000, 50)]
    seen = run_by_steps(search, moments, 1 << 20)
    curves = search.curves()
    steps = np.diff(curves.simulations[:-1])
    assert SAMPLES // 2 <= len(curves.simulations) <= SAMPLES + 1
    assert len(set(steps.tolist())) == 1
    compared = [n for n in moments if n in curves.simulations.tolist()]
    assert len(compared) > 10
    for n in compared:
        compare(curves, curves.simulations.tolist().index(n), seen[n])


def test_records_and_depths_are_those_of_the_tree():
    search = make("connect4")
    search.run(Limit(simulations=900))
    curves, tree = search.curves(), search.tree
    picture = picture_of(search.tree, search.root, 20_000)
    assert curves.nodes.sum() == tree.counts[NODES]
    assert curves.nodes.tolist() == np.bincount(picture.depths).tolist()
    assert curves.ended.sum() == search.simulations == curves.records[-1] == tree.counts[RECORDS]
    counters = search.snapshot().counters
    assert len(curves.nodes) - 1 == counters.depth
    assert (np.arange(len(curves.ended)) * curves.ended).sum() / curves.ended.sum() == pytest.approx(
        counters.mean_depth
    )


def test_curves_continue_through_a_kept_subtree_and_back():
    search = make("connect4", prove=False)
    start = search.position
    search.run(Limit(simulations=300))
    above = search.snapshot()
    row = above.moves[0]
    search.advance(row.action)
    first = search.snapshot()
    curves = search.curves()
    compare(curves, -1, first)
    assert curves.simulations[-1] == row.visits
    assert row.visits < curves.records[-1] <= 300, "the last one through the move, at most the last of all"
    search.run(Limit(simulations=row.visits + 200))
    below = search.snapshot()
    compare(search.curves(), -1, below)
    search.go_to(start)
    curves = search.curves()
    compare(curves, -1, search.snapshot())
    place = curves.simulations.tolist().index(300)
    compare(curves, place, above)
    # what was searched below is known, and preferred nothing here
    assert curves.visits[-1].tolist() == curves.visits[place].tolist()
    assert (curves.qs[-1] != curves.qs[place]).sum() == 1
    search.run(Limit(simulations=500))
    curves = search.curves()
    compare(curves, -1, search.snapshot())
    assert curves.records[-1] == 700
    assert curves.exact


@pytest.mark.parametrize("net", [True, False])
def test_curves_contain_proofs_found_from_other_roots(net):
    search = make(SMALL, net=net)
    start = search.position
    search.run(Limit(simulations=60))
    search.curves()
    for move in [row.action for row in search.snapshot().moves[:3]]:
        search.advance(move)
        search.run(Limit(simulations=search.simulations + 4000))
        compare(search.curves(), -1, search.snapshot())
        search.go_to(start)
        search.run(Limit(simulations=search.simulations + 40))
        assert search.curves().exact
        compare(search.curves(), -1, search.snapshot())
    assert any(row.proof for row in search.snapshot().moves)


def test_partial_curves_report_the_records_left():
    search = make("connect4")
    search.run(Limit(simulations=500))
    left = [search.curves(100).behind for _ in range(5)]
    assert left == [400, 300, 200, 100, 0]
    compare(search.curves(), -1, search.snapshot())


def test_a_search_not_begun_has_one_empty_sample():
    curves = make("connect4").curves()
    assert (curves.simulations.tolist(), curves.visits.shape, curves.nodes.tolist()) == ([0], (1, 0), [1])
    assert np.isnan(curves.q[0])


def test_curves_of_another_tree_start_anew():
    search = make("connect4")
    search.run(Limit(simulations=400))
    search.curves()
    search.advance(search.snapshot().best)
    search._compact()
    curves = search.curves()
    compare(curves, -1, search.snapshot())
    assert not search.go_to(load_game("connect4").position("a a a b"))
    search.run(Limit(simulations=30))
    compare(search.curves(), -1, search.snapshot())
    assert search.curves().records[-1] == 30


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
    assert batches.number == counters.batches > 20
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
    for number in range(1, batches.number + 1):
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
        if playout.kind != NET:
            assert playout.place is None
            continue
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
    assert (batches.number, batches.first) == (0, 200)
    assert batches.place(10) is None
    other.run(Limit(simulations=400))
    batches = other.curves().batches
    found = batches.sums(np.array([100.0, 200.0, 400.0]))
    assert np.isnan(found.hits[0])
    assert found.simulations[1:].tolist() == [0.0, 200.0]
    assert found.leaves[2] + found.hits[2] <= 200
    other.advance(2)
    assert other.curves().batches.number >= batches.number
    rollouts = run_search(GAME.initial(), None, 50, memory_mb=16, selection="ucb1")
    assert rollouts.curves().batches.number == NO_BATCHES.number == 0


def test_rows_read_earlier_do_not_change() -> None:
    log = BatchLog()
    for number in range(1, 300):
        log.add(8 * number, 8, 0, 0)
    before = log.read(8 * 299, 0, 0)
    kept = before.rows.copy()
    for number in range(300, 2000):
        log.add(8 * number, 8, 0, 0)
    assert (before.rows == kept).all()
    assert log.read(16000, 0, 0).number == 1999
