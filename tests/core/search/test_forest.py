"""Policy targets: against numbers worked out by hand, and against slow references in plain Python."""

import math

import numpy as np
import pytest

from core.engine import UniformEvaluator
from core.engine.lockstep import Lockstep
from core.games import load_game
from core.search import SearchSettings
from core.search.proofs import LOSS, PROVED_DRAW, WIN
from core.search.root import mix_noise
from core.search.rules import puct
from core.search.tree import PRIOR_ONE
from tests.core.search.fakes import HashEvaluator


def searched(game="connect4", simulations=300, evaluator=None, prune=False, noise=False, seed=0, **settings):
    spec = load_game(game)
    given = SearchSettings(memory_mb=16, **{"prove": False, **settings})
    lockstep = Lockstep(spec, evaluator or HashEvaluator(spec.num_actions), 1, given, seed, prune=prune)
    lockstep.set_target(0, simulations, noise=noise)
    while not len(lockstep.step()):
        pass
    return lockstep


def children(lockstep):
    tree, root = lockstep.tree, lockstep.root(0)
    start, edges, k = int(tree.child_start[root]), int(tree.edge_start[root]), int(tree.num_children[root])
    return tree, slice(start, start + k), slice(edges, edges + k), tree.edge_action[edges : edges + k].tolist()


def target(lockstep):
    return lockstep.results(np.array([0])).policy[0]


def test_pruning_by_hand():
    """Sum N = 100, c = 1.5, so c sqrt(sum N) = 15.  The bar: move 0 has Q + U = 0.5 + 15 * 0.4 / 61 = 0.598361.

    Move 1: 15 * 0.1 / (0.598361 - 0.3) - 1 = 4.03, so 5 of its 20 visits stay.  Move 2: Q 0.7 is above the bar, all 10
    stay.  Move 3: 15 * 0.3 / 0.598361 - 1 = 6.52, so 7 of 9 stay.  Move 4: its one visit goes.
    """
    lockstep = searched(prune=True, simulations=40, evaluator=UniformEvaluator(7), c_puct=1.5)
    tree, slots, edges, actions = children(lockstep)
    assert len(actions) == 7
    tree.visits[slots] = [60, 20, 10, 9, 1, 0, 0]
    tree.num_children[lockstep.root(0)] = 5
    tree.total[slots] = [30.0, 6.0, 7.0, 0.0, -1.0, 0.0, 0.0]
    tree.edge_prior[edges] = [round(p * PRIOR_ONE) for p in (0.4, 0.1, 0.1, 0.3, 0.05, 0.03, 0.02)]
    expected = np.zeros(7)
    expected[actions[:5]] = np.array([60, 5, 10, 7, 0]) / 82
    assert target(lockstep) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_pruning_removes_visits_until_the_choice_would_change(seed):
    lockstep = searched("gomoku(size=6)", 400, noise=True, prune=True, seed=seed, noise_epsilon=0.5, noise_alpha=0.0)
    clean = searched("gomoku(size=6)", 400, noise=False, seed=seed)
    tree, slots, _, actions = children(lockstep)
    fresh, _, _, _ = children(clean)
    first = int(fresh.edge_start[clean.root(0)])
    priors = dict(
        zip(
            fresh.edge_action[first : first + 36].tolist(),
            fresh.edge_prior[first : first + 36] / PRIOR_ONE,
            strict=True,
        )
    )
    visits = tree.visits[slots].astype(float)
    means = tree.total[slots] / visits
    total, best = visits.sum(), int(visits.argmax())

    def score(i, n):
        return means[i] + puct.bonus(1.5, priors[actions[i]], n, total)

    kept = visits.copy()
    for i in range(len(actions)):
        while i != best and kept[i] > 0 and score(i, kept[i] - 1) < score(best, visits[best]):
            kept[i] -= 1
        if kept[i] <= 1:
            kept[i] = 0
    expected = np.zeros(36)
    expected[actions] = kept / kept.sum()
    assert target(lockstep) == pytest.approx(expected, abs=1e-6)
    plain = np.zeros(36)
    plain[actions] = visits / visits.sum()
    assert np.abs(expected - plain).sum() > 0.02


def test_unpruned_targets_are_visit_shares():
    lockstep = searched(noise=True, noise_epsilon=0.25)
    tree, slots, _, actions = children(lockstep)
    expected = np.zeros(7)
    expected[actions] = tree.visits[slots] / tree.visits[slots].sum()
    assert target(lockstep) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("pruned", [False, True])
def test_proofs_come_before_visits(pruned):
    lockstep = searched(prune=pruned, simulations=60, evaluator=UniformEvaluator(7))
    tree, slots, _, actions = children(lockstep)
    proof = tree.proof[slots]
    proof[2] = LOSS
    policy = target(lockstep)
    assert policy[actions[2]] == 0
    assert policy.sum() == pytest.approx(1)
    proof[[1, 4]] = WIN
    expected = np.zeros(7)
    expected[[actions[1], actions[4]]] = 0.5
    assert target(lockstep) == pytest.approx(expected)
    proof[:] = [LOSS, PROVED_DRAW, LOSS, PROVED_DRAW, LOSS, LOSS, LOSS]
    tree.proof[tree.slot[lockstep.root(0)]] = PROVED_DRAW
    policy = target(lockstep)
    assert set(np.flatnonzero(policy).tolist()) == {actions[1], actions[3]}
    assert lockstep.results(np.array([0])).value[0] == 0
    proof[:] = LOSS
    tree.proof[tree.slot[lockstep.root(0)]] = WIN
    assert target(lockstep) == pytest.approx(lockstep.tree.visits[slots][np.argsort(actions)] / 59)
    assert lockstep.results(np.array([0])).value[0] == -1


def test_the_policy_is_over_untried_moves_if_all_tried_ones_lose():
    lockstep = searched("gomoku(size=6)", 10)
    tree, slots, _, actions = children(lockstep)
    assert len(actions) < 36
    tree.proof[slots] = LOSS
    policy = target(lockstep)
    assert policy[actions].sum() == 0
    assert (policy > 0).sum() == 36 - len(actions)
    assert policy.sum() == pytest.approx(1)


def test_the_improved_policy_equals_its_formula():
    """softmax(ln P + sigma(completed Q)) with v_mix for moves not tried, and the value that policy has."""
    settings = {"selection": "gumbel", "gumbel_considered": 5, "gumbel_simulations": 60}
    lockstep = searched("gomoku(size=6)", 61, **settings)
    tree, root = lockstep.tree, lockstep.root(0)
    start, n, k = int(tree.edge_start[root]), int(tree.num_edges[root]), int(tree.num_children[root])
    slots = slice(int(tree.child_start[root]), int(tree.child_start[root]) + k)
    visits, priors = tree.visits[slots], tree.edge_prior[start : start + n] / PRIOR_ONE
    q = tree.total[slots] / visits
    assert (n, k) == (36, 5)
    mass = priors[:k].sum()
    mixed = (float(tree.value[root]) + visits.sum() * (priors[:k] * q).sum() / mass) / (1 + visits.sum())
    completed = np.concatenate([q, np.full(n - k, mixed)])
    logits = np.log(priors) + (50 + visits.max()) * 1.0 * completed / 2
    improved = np.exp(logits - logits.max())
    improved /= improved.sum()
    expected = np.zeros(36)
    expected[tree.edge_action[start : start + n]] = improved
    found = lockstep.results(np.array([0]))
    assert found.policy[0] == pytest.approx(expected, abs=1e-5)
    assert found.value[0] == pytest.approx(improved @ completed, abs=1e-4)
    assert not math.isclose(found.value[0], -tree.total[tree.slot[root]] / tree.begun[root], abs_tol=1e-4)


def test_a_root_not_searched_has_found_nothing():
    lockstep = Lockstep(load_game("connect4"), UniformEvaluator(7), 1, SearchSettings(memory_mb=4))
    found = lockstep.results(np.array([0]))
    assert not found.policy.any()
    assert np.isnan(found.value[0])
    assert found.best[0] == -1


def test_noise_of_several_roots_is_that_of_each_alone() -> None:
    """Drawn in the same order, among them roots with visited moves."""
    spec = load_game("connect4")
    settings = SearchSettings(memory_mb=16, noise_epsilon=0.4, noise_alpha=0.3)
    lockstep = Lockstep(spec, HashEvaluator(7), 3, settings, seed=6)
    lockstep.restart(1, (3, 3))
    for g, simulations in enumerate((1, 30, 4)):
        lockstep.set_target(g, simulations, noise=False)
    while len(lockstep.step()) < 3:
        pass
    tree, rng = lockstep.tree, np.random.default_rng(6)
    alone = tree._replace(edge_prior=tree.edge_prior.copy(), edge_action=tree.edge_action.copy())
    clean = [mix_noise(alone, lockstep.root(g), 0.4, 0.3, rng) for g in range(3)]
    lockstep.set_targets(np.arange(3), np.full(3, 40), np.ones(3, np.bool_), np.ones(3))
    found = lockstep.results(np.arange(3))
    for g in range(3):
        edges = slice(int(tree.edge_start[lockstep.root(g)]), int(tree.edge_start[lockstep.root(g)]) + 7)
        np.testing.assert_array_equal(tree.edge_prior[edges], alone.edge_prior[edges])
        np.testing.assert_array_equal(tree.edge_action[edges], alone.edge_action[edges])
        assert found.priors[g, tree.edge_action[edges]] == pytest.approx(clean[g] / PRIOR_ONE)


@pytest.mark.parametrize(("moves", "alpha"), [((), 10 / 36), ((0, 1, 2, 3, 4, 6), 10 / 30)])
def test_noise_is_shaped_to_the_moves_of_its_root(moves, alpha):
    game = load_game("gomoku(size=6)")
    settings = SearchSettings(memory_mb=4, noise_epsilon=1.0, noise_alpha=0.0)
    lockstep = Lockstep(game, UniformEvaluator(36), 1, settings, seed=9)
    lockstep.restart(0, moves)
    lockstep.set_target(0, 2, noise=True)
    lockstep.step()
    tree, root = lockstep.tree, lockstep.root(0)
    start, n = int(tree.edge_start[root]), int(tree.num_edges[root])
    assert n == 36 - len(moves)
    expected = np.random.default_rng(9).dirichlet(np.full(n, alpha))
    priors = np.sort(tree.edge_prior[start : start + n]) / PRIOR_ONE
    assert priors == pytest.approx(np.sort(np.maximum(expected, 1 / PRIOR_ONE)), abs=1e-5)
