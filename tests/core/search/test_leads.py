"""Tests of score leads in the tree: sums of what the evaluator and finished games give, at any moment and in files."""

import io

import numpy as np
import pytest

from core.engine import Search
from core.engine.lockstep import Lockstep
from core.engine.look_back import LookBack
from core.files.tree_file import dump_tree, load_tree, saved
from core.games import load_game
from core.search import Limit, SearchSettings
from core.search.tree import NODES, RECORDS, TERMINAL, Tree, node_at, seen
from tests.core.search.fakes import HashEvaluator, LeadEvaluator

SMALL_GO = load_game("go(size=4, komi=0.5)")


def recount(tree: Tree) -> np.ndarray:
    """The sums of all slots in use, from the recorded simulations of a search whose root never moved: [K, 2]."""
    sums = np.zeros((int(tree.slot[: tree.counts[NODES]].max()) + 1, 2))
    for leaf in tree.leaf[: tree.counts[RECORDS]].tolist():
        lead, square = tree.node_lead[leaf].tolist()
        node = leaf
        while node >= 0:
            lead = -lead
            sums[tree.slot[node]] += lead, square
            node = int(tree.parent[node])
    return sums


def with_leads(simulations: int = 600, position=None) -> Search:
    search = Search(position or SMALL_GO.position("b2 c3 c2 b3"), LeadEvaluator(17), SearchSettings(memory_mb=16), seed=1)
    search.run(Limit(simulations=simulations))
    return search


def in_use(tree: Tree) -> np.ndarray:
    return tree.lead_sum[tree.slot[: tree.counts[NODES]]]


def test_the_sums_are_those_of_all_simulations() -> None:
    search = with_leads()
    tree = search.tree
    assert np.array_equal(in_use(tree), recount(tree)[tree.slot[: tree.counts[NODES]]])


def test_a_finished_game_counts_with_its_score() -> None:
    search = with_leads(900, SMALL_GO.position("b1 c1 b2 c2 b3 c3 b4 c4 pass"))
    tree = search.tree
    ends = np.flatnonzero(tree.num_edges[: tree.counts[NODES]] == TERMINAL)
    assert len(ends)
    # Black has as many points as white, who wins by half a point and is to move after black's second pass.
    second_pass = [node for node in ends if tree.parent[node] == 0 and tree.action[node] == 16]
    assert [tree.node_lead[node].tolist() for node in second_pass] == [[-0.5, 0.25]]
    row = next(row for row in search.snapshot().moves if row.name == "pass")
    assert (row.lead, row.lead_spread) == (0.5, 0.0)


def test_the_rows_show_means_for_the_side_to_move() -> None:
    search = with_leads()
    tree, root = search.tree, search.snapshot(opened=[(search.best_action(),)]).root
    for row in root.rows:
        if row.visits:
            slot = int(tree.slot[node_at(tree, search.root, [row.action])])
            mean, square = tree.lead_sum[slot] / seen(tree, slot)
            assert row.lead == pytest.approx(mean, rel=1e-6)
            assert row.lead_spread == pytest.approx(np.sqrt(square - mean**2), rel=1e-5)
        else:
            assert np.isnan(row.lead)
    assert root.lead == pytest.approx(-tree.lead_sum[0, 0] / 600, rel=1e-6)


def test_without_leads_there_are_no_arrays_for_them() -> None:
    search = Search(SMALL_GO.initial(), HashEvaluator(17), SearchSettings(memory_mb=16))
    search.run(Limit(simulations=50))
    assert search.tree.lead_sum.size == search.tree.node_lead.size == 0
    assert np.isnan(search.snapshot().moves[0].lead)
    assert np.isnan(search.snapshot().root.lead)


def test_an_earlier_moment_has_the_sums_of_that_moment() -> None:
    search, at = with_leads(900), 250
    then = with_leads(at)
    past = LookBack(search).past(at).snapshot
    assert past.root.lead == then.snapshot().root.lead
    assert [(r.name, r.lead, r.lead_spread) for r in past.moves if r.visits] == [
        (r.name, r.lead, r.lead_spread) for r in then.snapshot().moves if r.visits
    ]
    later = LookBack(search).past(900).snapshot
    assert later.root.lead == search.snapshot().root.lead


def test_a_subtree_keeps_its_leads_when_the_tree_is_compacted() -> None:
    search = with_leads()
    action = search.best_action()
    before = next(row for row in search.snapshot().moves if row.action == action)
    search.advance(action)
    assert search.snapshot().root.lead == pytest.approx(-before.lead)
    again = Search(SMALL_GO.initial(), LeadEvaluator(17), SearchSettings(memory_mb=16))
    again.load_state(search.state())
    assert again.snapshot().root.lead == pytest.approx(-before.lead)
    again.run(Limit(simulations=800))
    assert again.tree.lead_sum.size


@pytest.mark.slow
def test_leads_lie_in_the_file_of_a_tree() -> None:
    search = with_leads()
    loaded = load_tree(io.BytesIO(dump_tree(saved(search))).read())
    assert np.array_equal(in_use(loaded.state.tree), in_use(search.tree))
    assert np.array_equal(loaded.state.tree.node_lead, search.tree.node_lead[: int(search.tree.counts[NODES])])
    other = Search(SMALL_GO.initial(), HashEvaluator(17), SearchSettings(memory_mb=16))
    loaded.resume(other)
    assert np.isnan(other.snapshot().root.lead)


def test_a_tree_without_leads_is_refused_by_a_search_that_needs_them() -> None:
    plain = Search(SMALL_GO.initial(), HashEvaluator(17), SearchSettings(memory_mb=16))
    plain.run(Limit(simulations=50))
    with pytest.raises(ValueError, match="without score leads"):
        Search(SMALL_GO.initial(), LeadEvaluator(17), SearchSettings(memory_mb=16)).load_state(plain.state())


def test_games_in_lockstep_keep_leads() -> None:
    lockstep = Lockstep(SMALL_GO, LeadEvaluator(17), 2, SearchSettings(memory_mb=32), seed=3)
    for g in range(2):
        lockstep.restart(g, (g,))
        lockstep.set_target(g, 60, False)
    while len(lockstep.step()) < 2:
        pass
    for g in range(2):
        slot = int(lockstep.tree.slot[lockstep.root(g)])
        assert lockstep.tree.lead_sum[slot, 1] > 0


@pytest.mark.parametrize("leads", [(), (np.zeros((0, 2), np.float32),), (np.full((1, 2), np.nan, np.float32),)])
def test_an_evaluator_that_owes_leads_is_refused(leads) -> None:
    class Poor(LeadEvaluator):
        def evaluate(self, planes, features=None):
            return (*HashEvaluator.evaluate(self, planes), *leads)

    search = Search(SMALL_GO.initial(), Poor(17), SearchSettings(memory_mb=16))
    with pytest.raises(ValueError, match=r"score leads of shape \(0, 2\)|no finite number"):
        search.run(Limit(simulations=20))
