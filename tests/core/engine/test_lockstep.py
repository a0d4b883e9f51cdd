"""Games in step search as they would alone, survive compaction, and use proofs in their policies."""

import numpy as np
import pytest

from core.engine import Search, UniformEvaluator
from core.engine.lockstep import Lockstep
from core.games import load_game
from core.search import Limit, SearchSettings
from tests.core.search.fakes import HashEvaluator

GAME = load_game("connect4")


def run(lockstep, games):
    ready: set[int] = set()
    while len(ready) < games:
        ready |= {int(g) for g in lockstep.step()}


def test_each_game_searches_as_it_would_alone():
    settings = SearchSettings(max_batch=1, memory_mb=64)
    lockstep = Lockstep(GAME, HashEvaluator(7), 3, settings)
    openings = [(), (3, 3, 2), (0, 1, 0, 1)]
    for g, moves in enumerate(openings):
        lockstep.restart(g, moves)
        lockstep.aim(g, 200, noise=False)
    run(lockstep, 3)
    for g, moves in enumerate(openings):
        position = GAME.initial()
        for a in moves:
            position = position.play(a)
        assert lockstep.positions[g] == position
        search = Search(position, HashEvaluator(7), settings)
        search.run(Limit(simulations=200))
        assert lockstep.policy(g) == pytest.approx(search.visit_policy(1.0), abs=1e-6)
        assert lockstep.best(g) == search.best_action()
        assert lockstep.value(g) == pytest.approx(search.snapshot().value)


def test_whole_games_in_a_pool_that_must_be_compacted():
    lockstep = Lockstep(GAME, UniformEvaluator(7), 8, SearchSettings(memory_mb=2, noise_epsilon=0.25), seed=1)
    rng = np.random.default_rng(0)
    finished, most = 0, 0
    for g in range(8):
        lockstep.aim(g, 64, noise=True)
    while finished < 24:
        for g in map(int, lockstep.step()):
            policy = lockstep.policy(g).astype(float)
            legal = lockstep.positions[g].legal_actions()
            assert policy.sum() == pytest.approx(1)
            assert set(np.flatnonzero(policy).tolist()) <= set(legal)
            assert lockstep.visits(g) >= 64 or lockstep.proof(g)
            most = max(most, int(lockstep.tree.counts[0]))
            if lockstep.play(g, int(rng.choice(7, p=policy / policy.sum()))).is_over:
                finished += 1
                lockstep.restart(g)
            lockstep.aim(g, 64, noise=True)
    assert most < len(lockstep.tree.parent)
    nodes = int(lockstep.tree.counts[0])
    assert not lockstep.tree.inflight[lockstep.tree.slot[:nodes]].any()


def test_a_proved_win_takes_the_whole_policy():
    game = load_game("tictactoe")
    lockstep = Lockstep(game, UniformEvaluator(9), 1, SearchSettings(memory_mb=4))
    lockstep.restart(0, (0, 3, 1, 4))
    lockstep.aim(0, 100, noise=False)
    run(lockstep, 1)
    assert lockstep.policy(0)[2] == 1.0
    assert (lockstep.best(0), lockstep.value(0)) == (2, 1.0)


def test_a_pool_too_small_says_so():
    lockstep = Lockstep(GAME, UniformEvaluator(7), 200, SearchSettings(memory_mb=1))
    for g in range(200):
        lockstep.aim(g, 500, noise=False)
    with pytest.raises(ValueError, match=r"memory_mb is 1.*200 games of connect4"):
        run(lockstep, 200)
