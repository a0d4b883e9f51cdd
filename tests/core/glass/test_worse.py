"""What a search thinks of worse moves, and the values of its leaves, counted again in plain Python."""

import math

import numpy as np
import pytest

from core.engine import Search
from core.games import load_game
from core.glass import leaf_values as counting
from core.glass.truth import find_truth, net_priors
from core.glass.worse import find_worse, worse_curves
from core.search import Limit, SearchSettings
from core.search.tree import RECORDS, node_at
from core.solve import Solver
from tests.core.search.fakes import HashEvaluator

GAME = load_game("connect4(rows=4, cols=5, k=3)")
EXACT = {"win": 1.0, "draw": 0.0, "loss": -1.0}


def searched(simulations: int, net: bool = True, moves: str = "c", **given: object) -> Search:
    settings = SearchSettings(memory_mb=16, selection="puct" if net else "ucb1", **given)  # type: ignore[arg-type]
    search = Search(GAME.position(moves), HashEvaluator(GAME.num_actions) if net else None, settings)
    search.run(Limit(simulations=simulations))
    return search


@pytest.mark.parametrize("simulations", [3, 30, 400])
@pytest.mark.parametrize("threshold", [0.02, 0.1, 0.5])
def test_worse_moves_are_those_of_the_rows(simulations: int, threshold: float) -> None:
    root = searched(simulations).snapshot().root
    found = find_worse(root, threshold=threshold)
    assert found is not None
    values = {row.action: EXACT[row.proof] if row.proof else row.q for row in root.rows if row.seen or row.proof}
    best = values[root.best_action]
    rows = [row for row in root.rows if row.action in values and best - values[row.action] >= threshold - 1e-6]
    assert set(found.actions) == {row.action for row in rows}
    assert found.prior == pytest.approx(math.fsum(row.net_prior for row in rows), abs=1e-7)
    assert found.share == pytest.approx(sum(row.share for row in rows))
    unseen = [row.net_prior for row in root.rows if row.action not in values]
    assert found.unknown == pytest.approx(math.fsum(unseen), abs=1e-7)


def test_exact_results_say_the_same_as_the_truth() -> None:
    search = searched(300, prove=False, moves="a b")
    solution = Solver(GAME).solve(search.position, seconds=20.0)
    assert solution is not None
    values = {move.action: move.value for move in solution.moves if move.value is not None}
    root, curves = search.snapshot().root, search.curves()
    truth = find_truth(curves, values, net_priors(root), GAME.action_names)
    found = find_worse(root, values)
    assert truth is not None
    assert found is not None
    assert truth.wrong
    assert sorted(found.actions) == list(truth.wrong)
    assert (found.prior, found.share) == pytest.approx((truth.prior, truth.share))
    assert found.unknown == 0.0


def test_curves_end_where_the_search_is() -> None:
    search = searched(500, prove=False)
    root, curves = search.snapshot().root, search.curves()
    found, over_time = find_worse(root), worse_curves(curves, net_priors(root))
    assert found is not None
    assert found.actions
    assert over_time.prior[-1] == pytest.approx(found.prior, abs=1e-6)
    assert over_time.share[-1] == pytest.approx(found.share)
    assert len(over_time.prior) == len(curves.simulations)
    assert (over_time.prior <= 1.0 + 1e-6).all()


def test_without_a_net_there_is_no_prior() -> None:
    search = searched(200, net=False)
    found = find_worse(search.snapshot().root)
    assert found is not None
    assert math.isnan(found.prior)
    assert math.isnan(found.unknown)
    assert 0.0 <= found.share < 1.0
    assert find_worse(searched(1).snapshot().root) is None


BINS = 8


def found(search, node, records):
    """The values by going up from each leaf."""
    tree, values = search.tree, []
    for i in range(records):
        at, value = int(tree.leaf[i]), float(tree.leaf_value[i])
        while at > node:
            at, value = int(tree.parent[at]), -value
        if at == node:
            values.append(value)
    return np.array(values)


@pytest.mark.parametrize("few", [0, 1 << 20], ids=["from the leaves up", "from the node down"])
@pytest.mark.parametrize("net", [True, False])
def test_counts_are_those_of_the_records(monkeypatch, few, net):
    monkeypatch.setattr(counting, "FEW", few)
    game = load_game("connect4(rows=4, cols=5, k=3)")
    search = Search(game.initial(), HashEvaluator(5) if net else None, SearchSettings(memory_mb=16, prove=False))
    search.run(Limit(simulations=700))
    if few:
        monkeypatch.setattr(counting, "FEW", int(search.tree.counts[RECORDS]) - 1)
    row = search.snapshot().moves[0]
    for path in ((), row.pv[:1], row.pv[:2]):
        node = node_at(search.tree, search.root, path)
        for records in (None, 300):
            values = found(search, node, 700 if records is None else records)
            told = counting.leaf_values(search.tree, node, BINS, records)
            assert told.simulations == len(values)
            assert told.mean == pytest.approx(values.mean())
            places = np.minimum(((values + 1) / 2 * BINS).astype(int), BINS - 1)
            assert told.counts.tolist() == np.bincount(places, minlength=BINS).tolist()
    whole = counting.leaf_values(search.tree, search.root, BINS)
    assert (whole.of, whole.mean) == (700, pytest.approx(search.snapshot().root.q, abs=1e-6))


def test_a_long_search_is_sampled(monkeypatch):
    monkeypatch.setattr(counting, "MOST", 100)
    monkeypatch.setattr(counting, "FEW", 10)
    search = Search(load_game("connect4").initial(), HashEvaluator(7), SearchSettings(memory_mb=16))
    search.run(Limit(simulations=1000))
    told = counting.leaf_values(search.tree, search.root, BINS)
    assert (told.simulations, told.of) == (100, 1000)
