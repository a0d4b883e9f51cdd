"""The choice under UCB1 is the first edge of greatest score, by the scores that are shown, whatever the figures."""

import numpy as np
import pytest

from core._jit import jit
from core.search import SearchSettings
from core.search.proofs import LOSS
from core.search.selection import edge_terms, may_enter, node_terms, select
from core.search.tree import OWN_RULE, allocate


@jit
def chosen(tree, params):
    return select(tree, 0, params)


@jit
def by_scores(tree, params):
    """The first edge of greatest score that may be entered, each score worked out; -1 when there is none."""
    terms = node_terms(tree, 0, params)
    best, best_score = -1, -np.inf
    for edge in range(tree.num_edges[0]):
        score = edge_terms(tree, 0, edge, params, terms).score
        if score > best_score and may_enter(tree, 0, edge, params):
            best, best_score = edge, score
    return best


def node_of(edges, children, rng, *, visits, under_way=0, were_root=0.0, lost=0.0):
    """A tree of one node with ``edges``, of which ``children`` have up to ``visits`` of random results."""
    tree = allocate(edges, nodes=edges + 2, slots=edges + 2, edges=edges + 2, records=2, squares=False)
    tree.counts[OWN_RULE] = -1
    tree.num_edges[0], tree.num_children[0], tree.child_start[0], tree.slot[0] = edges, children, 1, 0
    tree.edge_start[0], tree.visits[0], tree.total[0] = 0, 1, 0.0
    for kept in (tree.inflight, tree.was_root, tree.proof, tree.begun):
        kept[: edges + 1] = 0
    tree.edge_action[:edges], tree.edge_prior[:edges] = np.arange(edges), 1
    own = slice(1, 1 + children)
    tree.child[own] = np.arange(1, 1 + children)
    counts = rng.integers(1 if visits else 0, visits + 1, children)
    tree.visits[own] = counts
    tree.was_root[own] = rng.random(children) < were_root
    tree.begun[own] = rng.integers(1, 50, children) * tree.was_root[own]
    seen = counts + tree.begun[own]
    tree.total[own] = [2 * rng.binomial(n, 0.5) - n for n in seen]
    tree.inflight[own] = rng.integers(0, under_way + 1, children)
    tree.proof[own] = np.where(rng.random(children) < lost, LOSS, 0)
    return tree


@pytest.mark.parametrize("prove", [True, False])
@pytest.mark.parametrize("c", [0.0, 0.7, 2.5])
@pytest.mark.parametrize("visits", [1, 3, 40, 5000, 3_000_000])
def test_it_is_the_first_of_greatest_score(visits, c, prove):
    rng = np.random.default_rng(visits + int(10 * c) + prove)
    params = SearchSettings(selection="ucb1", c_ucb=c, prove=prove, memory_mb=16).params(9)
    for edges in (2, 7, 9, 16, 17, 40, 225):
        for kind in ({}, {"under_way": 2}, {"lost": 0.4}, {"were_root": 0.3, "lost": 0.1, "under_way": 1}):
            tree = node_of(edges, edges, rng, visits=visits, **kind)
            expected = by_scores(tree, params)
            assert chosen(tree, params) == expected


def test_equal_scores_go_to_the_first_and_close_ones_are_told_apart():
    params = SearchSettings(selection="ucb1", memory_mb=16).params(9)
    rng = np.random.default_rng(5)
    for edges in (2, 9, 16, 60):
        tree = node_of(edges, edges, rng, visits=1)
        own = slice(1, 1 + edges)
        tree.visits[own], tree.total[own] = 6, 1.0
        assert chosen(tree, params) == 0
        tree.total[edges] = 1.0 + 2.0**-24  # the smallest step of a sum
        assert chosen(tree, params) == edges - 1
        tree.total[edges // 2] = 1.0 + 2.0**-24
        assert chosen(tree, params) == edges // 2 - 1


def test_an_untried_move_comes_first_and_before_it_one_without_visits():
    params = SearchSettings(selection="ucb1", memory_mb=16).params(9)
    rng = np.random.default_rng(6)
    for edges in (3, 40):
        tree = node_of(edges, edges - 1, rng, visits=9)
        assert chosen(tree, params) == edges - 1 == by_scores(tree, params)
        tree.visits[2] = 0  # it was the root: its simulations began there
        tree.was_root[2], tree.begun[2] = 1, 4
        assert chosen(tree, params) == 1 == by_scores(tree, params)
        tree.proof[2] = LOSS
        assert chosen(tree, params) == edges - 1 == by_scores(tree, params)


def test_where_every_move_is_lost_there_is_none():
    params = SearchSettings(selection="ucb1", memory_mb=16).params(9)
    for edges in (3, 40):
        tree = node_of(edges, edges, np.random.default_rng(7), visits=9, lost=1.0)
        assert chosen(tree, params) == -1
