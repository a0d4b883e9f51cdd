"""What a root with noise has of its own, beside a slow search: forced playouts, FPU, temperature of the priors."""

import math

import numpy as np
import pytest

from core.engine.lockstep import Lockstep
from core.games import load_game
from core.search import SearchSettings
from tests.amount import slow_but
from tests.core.search.fakes import HashEvaluator
from tests.core.search.reference import Reference
from tests.core.search.test_reference import assert_same


class ForcedReference(Reference):
    """A slow search whose root has given priors, where tried moves have sqrt(k P N) visits at least."""

    def __init__(self, position, evaluator, settings, edges, k):
        super().__init__(position, evaluator, settings)
        self.given, self.k = edges, k

    def prepare(self, node):
        node.edges = self.given

    def scores(self, node):
        total = sum(child.n for child in node.children)
        for i, score in super().scores(node):
            child = node.children[i] if i < len(node.children) else None
            if node is self.root and child and child.n < math.sqrt(self.k * node.edges[i][1] * total):
                score = math.inf
            yield i, score


def searched(text, simulations, settings, *, noise=True, forced=0.0, temperature=1.0, seed=1):
    game = load_game(text)
    lockstep = Lockstep(game, HashEvaluator(game.num_actions, 2.0), 2, settings, seed, forced=forced)
    lockstep.set_target(0, simulations, noise=noise, temperature=temperature)
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


@pytest.mark.parametrize("forced", slow_but((0.0, 20.0), (0.0, 2.0, 20.0)))
@pytest.mark.parametrize("root_fpu", ["same", "reduction"])
@pytest.mark.parametrize("text", ["connect4", "gomoku(size=5)"])
def test_a_search_with_noise_is_the_slow_one(text, root_fpu, forced):
    settings = SearchSettings(
        fpu_reduction=0.4, root_fpu=root_fpu, root_fpu_reduction=0.0, noise_epsilon=0.5, max_batch=1, memory_mb=16
    )
    lockstep = searched(text, 160, settings, forced=forced)
    for g in (0, 1):
        simulations, k = ((160, forced), (80, 0.0))[g]
        game = lockstep.game
        slow_settings = settings if g == 0 else SearchSettings(fpu_reduction=0.4, max_batch=1, memory_mb=16)
        net = HashEvaluator(game.num_actions, 2.0)
        slow = ForcedReference(game.initial(), net, slow_settings, root_edges(lockstep, g), k).run(simulations)
        assert_same(lockstep, slow.root, lockstep.root(g))


def test_forced_playouts_spread_the_visits_of_tried_moves():
    settings = SearchSettings(noise_epsilon=0.25, memory_mb=16, c_puct=0.3)
    least = []
    for forced in (0.0, 20.0):
        lockstep = searched("connect4", 400, settings, forced=forced)
        priors = dict(root_edges(lockstep))
        rows = [(n, math.sqrt(20.0 * priors[a] * 399)) for a, n, _, _ in lockstep.most_visited(0, 7) if n]
        least.append(min(n - due for n, due in rows))
    assert least[0] < -5.0
    assert least[1] > -1.0


@pytest.mark.parametrize("temperature", [1.0, 1.25, 0.5])
def test_priors_are_flattened_before_the_noise(temperature):
    """The same draw of the noise by hand, on the net's priors to the power 1 / T."""
    settings = SearchSettings(noise_epsilon=0.25, noise_alpha=0.0, memory_mb=16)
    lockstep = searched("connect4", 2, settings, temperature=temperature, seed=9)
    game = lockstep.game
    logits = HashEvaluator(7, 2.0).evaluate(game.initial().planes()[None])[0][0].astype(np.float64)
    shares = np.exp(logits / temperature) / np.exp(logits / temperature).sum()
    noise = np.random.default_rng(9).dirichlet(np.full(7, 10.0 / 7.0))
    order = np.argsort(-logits, kind="stable")
    wanted = {int(a): 0.75 * shares[a] + 0.25 * noise[i] for i, a in enumerate(order)}
    got = dict(root_edges(lockstep))
    assert [got[a] for a in range(7)] == pytest.approx([wanted[a] for a in range(7)], abs=1e-4)
    found = lockstep.found(np.arange(2))
    assert found.priors[0] == pytest.approx(shares, abs=1e-4)  # what pruning takes for the search's own priors
    assert found.priors[1] == pytest.approx(np.exp(logits) / np.exp(logits).sum(), abs=1e-4)
