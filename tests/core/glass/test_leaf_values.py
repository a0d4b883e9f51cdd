"""Counts of leaf values are those of the records below the node, by either way of finding them."""

import numpy as np
import pytest

from core.engine import Search
from core.games import load_game
from core.glass import leaf_values as counting
from core.search import Limit, SearchSettings
from core.search.tree import RECORDS, node_at
from tests.core.search.fakes import HashEvaluator

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
