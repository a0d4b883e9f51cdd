"""The kernels and a slow recursive search agree on every visit count, sum and proof."""

import pytest

from core.engine import Search
from core.games import load_game
from core.search import Limit, SearchSettings
from core.search.settings import PRESETS
from tests.core.search.fakes import HashEvaluator, LeadEvaluator
from tests.core.search.reference import Reference
from tests.tiers import slow_but

GAMES = ["tictactoe", "connectn(rows=4, cols=3, k=3)", "connect4(rows=4, cols=5, k=3)", "connect4", "gomoku(size=7)"]
SETTINGS = {
    "puct": SearchSettings(max_batch=1, memory_mb=16),
    "puct, no proofs": SearchSettings(max_batch=1, prove=False, memory_mb=16),
    "puct, growing c, loss": SearchSettings(max_batch=1, c_puct=1.25, c_base=30.0, fpu="loss", memory_mb=16),
    "puct, zero": SearchSettings(max_batch=1, c_puct=0.7, fpu="zero", memory_mb=16),
    "puct, c by a part of the logarithm and by the spread": SearchSettings(
        max_batch=1, c_base=20.0, c_log=0.45, c_spread=0.85, memory_mb=16
    ),
    "puct, root of its own": SearchSettings(
        max_batch=1, root_fpu="reduction", root_fpu_reduction=0.9, root_temperature=1.6, memory_mb=16
    ),
    "puct, root's moves lost at first": SearchSettings(max_batch=1, fpu="zero", root_fpu="loss", memory_mb=16),
    "puct, symmetric": SearchSettings(
        max_batch=1, root_symmetries=True, merge_symmetric=True, root_temperature=0.7, prove=False, memory_mb=16
    ),
    "puct, score": SearchSettings(max_batch=1, score_utility=0.4, memory_mb=16),
    "puct, score, loss": SearchSettings(max_batch=1, score_utility=0.4, fpu="loss", root_fpu="zero", memory_mb=16),
    "katago-like": SearchSettings(max_batch=1, memory_mb=16, **PRESETS["katago-like"]),
    "ucb1": SearchSettings(selection="ucb1", c_ucb=0.8, max_batch=1, memory_mb=16),
    "ucb1, C inside, threshold, root first": SearchSettings(
        selection="ucb1", c_form="inside", c_ucb=0.6, expansion_threshold=4, root_first=True, max_batch=1, memory_mb=16
    ),
    "ucb1_tuned": SearchSettings(selection="ucb1_tuned", max_batch=1, memory_mb=16),
    "ucb1_tuned, no proofs": SearchSettings(selection="ucb1_tuned", prove=False, max_batch=1, memory_mb=16),
    "gumbel": SearchSettings(selection="gumbel", gumbel_considered=4, gumbel_simulations=64, max_batch=1, memory_mb=16),
    "gumbel, no proofs": SearchSettings(
        selection="gumbel", prove=False, c_scale=0.3, gumbel_simulations=200, max_batch=1, memory_mb=16
    ),
    "flat": SearchSettings(selection="flat", max_batch=1, memory_mb=16),
    "flat, tactical": SearchSettings(selection="flat", rollout_policy="tactical", max_batch=1, memory_mb=16),
    "ucb1, tactical": SearchSettings(
        selection="ucb1", rollout_policy="tactical", prove=False, max_batch=1, memory_mb=16
    ),
    "ucb1, no proofs": SearchSettings(selection="ucb1", prove=False, max_batch=1, memory_mb=16),
}


def assert_same(search, node, ours, path=()):
    tree = search.tree
    slot = int(tree.slot[ours])
    assert (tree.visits[slot], tree.begun[ours], tree.proof[slot]) == (node.n, node.begun, node.proof), path
    assert abs(tree.total[slot] - node.w) <= 1e-6, path
    if tree.lead_sum.size:
        assert abs(tree.lead_sum[slot, 0] - node.leads) <= 1e-6, path
    if node.proof:
        assert tree.distance[slot] == node.distance, path
    assert tree.num_children[ours] == len(node.children), path
    for i, child in enumerate(node.children):
        below = int(tree.child[int(tree.child_start[ours]) + i])
        assert tree.action[below] == node.edges[i][0], path
        assert_same(search, child, below, (*path, node.edges[i][0]))


@pytest.mark.parametrize("name", slow_but(("tictactoe", "connect4(rows=4, cols=5, k=3)"), GAMES))
@pytest.mark.parametrize("kind", SETTINGS)
@pytest.mark.parametrize("net", [True, False], ids=["net", "rollouts"])
def test_search_builds_the_tree_of_the_reference(name, kind, net):
    if SETTINGS[kind].selection == "flat" and net:
        with pytest.raises(ValueError, match="'flat', which plays random games"):
            Search(load_game(name).initial(), HashEvaluator(1), SETTINGS[kind])
        return
    position = load_game(name).initial()
    evaluator = HashEvaluator(position.game.num_actions) if net else None
    search = Search(position, evaluator, SETTINGS[kind], seed=7)
    reference = Reference(position, evaluator, SETTINGS[kind], seed=7)
    for simulations in (1, 2, 50, 160):
        search.run(Limit(simulations=simulations))
        reference.run(simulations)
        assert search.simulations == reference.root.backups
        assert_same(search, reference.root, search.root)


@pytest.mark.parametrize("kind", ["puct, score", "puct, score, loss", "katago-like"])
@pytest.mark.parametrize("name", ["go(size=4, komi=0.5)", "go(rows=3, cols=4)", "othello(size=4)", "tictactoe"])
def test_with_leads_search_builds_the_tree_of_the_reference(name, kind):
    position = load_game(name).initial()
    evaluator = LeadEvaluator(position.game.num_actions)
    search = Search(position, evaluator, SETTINGS[kind], seed=7)
    reference = Reference(position, evaluator, SETTINGS[kind], seed=7)
    for simulations in (1, 2, 50, 200):
        search.run(Limit(simulations=simulations))
        reference.run(simulations)
        assert_same(search, reference.root, search.root)


@pytest.mark.parametrize("kind", ["puct", "puct, no proofs", "ucb1_tuned", "gumbel"])
@pytest.mark.parametrize("net", [True, False], ids=["net", "rollouts"])
def test_same_tree_when_the_root_moves_down_and_back(kind, net):
    position = load_game("connect4(rows=4, cols=5, k=3)").initial()
    evaluator = HashEvaluator(position.game.num_actions) if net else None
    search = Search(position, evaluator, SETTINGS[kind], seed=7)
    reference = Reference(position, evaluator, SETTINGS[kind], seed=7)
    search.run(Limit(simulations=60))
    reference.run(60)
    first, second = (row.action for row in search.snapshot().moves[1:3])
    answer = next(row.action for row in search.snapshot([(first,)]).opened[(first,)].rows if row.visits > 1)
    for path in [(first,), (), (first, answer), (first,), (), (second,), ()]:
        search.go_to(position.game.position(" ".join(position.game.action_name(a) for a in path)))
        reference.go_to(path)
        more = search.simulations + 80
        search.run(Limit(simulations=more))
        reference.run(more)
        assert search.simulations == reference.root.backups
        assert_same(search, reference.top, 0)
