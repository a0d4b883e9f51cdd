"""A root with noise beside a slow search: FPU of its own, and the noise drawn for it."""

import numpy as np
import pytest

from core.engine.lockstep import Lockstep
from core.games import load_game
from core.search import SearchSettings
from tests.core.search.fakes import HashEvaluator
from tests.core.search.reference import Reference
from tests.core.search.test_reference import assert_same


class GivenRoot(Reference):
    """A slow search whose root has given edges with their priors."""

    def __init__(self, position, evaluator, settings, edges):
        super().__init__(position, evaluator, settings)
        self.given = edges

    def prepare(self, node):
        node.edges = self.given


def searched(text, simulations, settings, *, noise=True, seed=1):
    game = load_game(text)
    lockstep = Lockstep(game, HashEvaluator(game.num_actions, 2.0), 2, settings, seed)
    lockstep.set_target(0, simulations, noise=noise)
    lockstep.set_target(1, simulations // 2, noise=False)  # a game without noise beside it
    done = set()
    while len(done) < 2:
        done |= set(lockstep.step().tolist())
    return lockstep


def root_edges(lockstep, g=0):
    tree, root = lockstep.tree, lockstep.root(g)
    start = int(tree.edge_start[root])
    edges = slice(start, start + int(tree.num_edges[root]))
    return list(zip(tree.edge_action[edges].tolist(), (tree.edge_prior[edges] / 65535).tolist(), strict=True))


@pytest.mark.parametrize("root_fpu", ["same", "reduction"])
@pytest.mark.parametrize("text", ["connect4", "gomoku(size=5)"])
def test_a_search_with_noise_is_the_slow_one(text, root_fpu):
    settings = SearchSettings(
        fpu_reduction=0.4, root_fpu=root_fpu, root_fpu_reduction=0.0, noise_epsilon=0.5, max_batch=1, memory_mb=16
    )
    lockstep = searched(text, 160, settings)
    for g, simulations in ((0, 160), (1, 80)):
        game = lockstep.game
        slow_settings = settings if g == 0 else SearchSettings(fpu_reduction=0.4, max_batch=1, memory_mb=16)
        net = HashEvaluator(game.num_actions, 2.0)
        slow = GivenRoot(game.initial(), net, slow_settings, root_edges(lockstep, g)).run(simulations)
        assert_same(lockstep, slow.root, lockstep.root(g))


def test_the_noise_is_the_draw_of_the_seed_on_the_priors_of_the_net():
    settings = SearchSettings(noise_epsilon=0.25, noise_alpha=0.0, memory_mb=16)
    lockstep = searched("connect4", 2, settings, seed=9)
    game = lockstep.game
    logits = HashEvaluator(7, 2.0).evaluate(game.initial().planes()[None])[0][0].astype(np.float64)
    shares = np.exp(logits) / np.exp(logits).sum()
    noise = np.random.default_rng(9).dirichlet(np.full(7, 10.0 / 7.0))
    order = np.argsort(-logits, kind="stable")
    wanted = {int(a): 0.75 * shares[a] + 0.25 * noise[i] for i, a in enumerate(order)}
    got = dict(root_edges(lockstep))
    assert [got[a] for a in range(7)] == pytest.approx([wanted[a] for a in range(7)], abs=1e-4)
    found = lockstep.found(np.arange(2))
    for row in (0, 1):  # without noise: what pruning takes for the search's own priors
        assert found.priors[row] == pytest.approx(shares, abs=1e-4)
