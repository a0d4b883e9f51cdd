"""The move played and the target learned: what is proved binds both, the temperature only what is open."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.engine import Search, UniformEvaluator
from core.engine.lockstep import Lockstep
from core.games import load_game
from core.search import Limit, SearchSettings
from core.search.play import apply_proofs, chances, draw_moves, sharpened
from core.search.proofs import LOSS, PROVED_DRAW, UNPROVED, WIN
from tests.core.search.fakes import run_search


def weighed(visits, proofs, own=UNPROVED, k=None):
    weights = np.array(visits, np.float64)
    n = len(visits)
    priors = np.linspace(0.4, 0.1, n)
    apply_proofs(weights, np.array(proofs, np.int8), priors, n, n if k is None else k, own)
    return weights.tolist()


def test_proofs_come_before_visits_in_move_weights():
    assert weighed([5, 3, 9], [UNPROVED, UNPROVED, LOSS]) == [5, 3, 0]
    assert weighed([5, 3, 9], [WIN, WIN, UNPROVED], WIN) == [1, 1, 0]
    assert weighed([5, 3, 9], [PROVED_DRAW, LOSS, LOSS], PROVED_DRAW) == [5, 0, 0]
    assert weighed([5, 3, 9], [PROVED_DRAW, UNPROVED, LOSS]) == [5, 3, 0]
    assert weighed([5, 3, 9], [LOSS, LOSS, LOSS], LOSS) == [5, 3, 9]
    assert weighed([5, 3, 0], [LOSS, LOSS, UNPROVED]) == [0, 0, pytest.approx(0.1)]
    assert weighed([5, 0, 0], [LOSS], k=1) == [0, pytest.approx(0.25), pytest.approx(0.1)]


def test_the_shortest_win_is_played_at_any_temperature():
    assert chances(np.array([1.0, 1.0, 0.0]), 1, True, 3.0).tolist() == [0, 1, 0]
    assert chances(np.array([1.0, 2.0, 0.0]), 0, False, 0.0).tolist() == [1, 0, 0]
    assert chances(np.array([1.0, 3.0, 0.0]), 0, False, 1.0).tolist() == pytest.approx([0.25, 0.75, 0])
    assert chances(np.array([1.0, 1.0, 0.0]), -1, False, 0.0).tolist() == [0.5, 0.5, 0]


def test_policies_are_sharpened_by_temperature():
    policy = np.array([0.5, 0.25, 0.25, 0.0], np.float32)
    np.testing.assert_allclose(sharpened(policy, 1.0), policy)
    np.testing.assert_allclose(sharpened(policy, 0.5), np.array([4, 1, 1, 0]) / 6)
    np.testing.assert_allclose(sharpened(policy, 0.01), [1, 0, 0, 0], atol=1e-9)
    np.testing.assert_allclose(sharpened(np.array([0.4, 0.4, 0.2], np.float32), 0.0), [0.5, 0.5, 0.0])


@given(st.lists(st.floats(0.0, 1.0, width=32), min_size=2, max_size=9), st.floats(0.05, 5.0))
def test_sharpening_keeps_the_order_and_gives_chances(weights, temperature):
    policy = np.array(weights, np.float32)
    if policy.sum() < 1e-3:
        return
    policy /= policy.sum()
    out = sharpened(policy, temperature)
    assert out.sum() == pytest.approx(1.0)
    assert (np.diff(out[np.argsort(policy, kind="stable")]) >= -1e-12).all()
    assert (out[policy == 0] == 0).all()
    assert sharpened(policy, temperature / 2).max() >= out.max() - 1e-9


def sound(snapshot, played):
    """Whether only moves that what is proved allows are ``played``: places of the root's edges."""
    root = snapshot.root
    proofs = root.proofs
    if root.proof == WIN:
        return played.tolist() == [root.best_index] and proofs[root.best_index] == WIN
    if root.proof == PROVED_DRAW:
        return bool((proofs[played] == PROVED_DRAW).all())
    return bool((proofs == LOSS).all() or (proofs[played] != LOSS).all())


@pytest.mark.parametrize("net", [True, False])
def test_no_move_proved_lost_is_drawn_in_the_engine_and_in_self_play(net):
    game, rng = load_game("tictactoe"), np.random.default_rng(4)
    evaluator = UniformEvaluator(9)
    settings = SearchSettings(selection="puct" if net else "ucb1", temperature=1.0, memory_mb=4, max_batch=1)
    lockstep = Lockstep(game, evaluator, 1, settings)
    proofs = set()
    positions = [game.position("b1 c2 b2")]
    while len(positions) < 25:
        position = game.initial()
        for _ in range(int(rng.integers(2, 7))):
            if not position.is_over:
                position = position.play(int(rng.choice(position.legal_actions())))
        if not position.is_over:
            positions.append(position)
    for position in positions:
        search = Search(position, evaluator if net else None, settings, seed=1)
        for simulations in (12, 60, 400):
            search.run(Limit(simulations=simulations))
            snapshot = search.snapshot()
            proofs |= {(snapshot.root.proof, proof) for proof in snapshot.root.proofs.tolist()}
            for temperature in (0.5, 1.0, 5.0):
                policy = search.visit_policy(temperature)
                assert policy.sum() == pytest.approx(1.0)
                assert sound(snapshot, np.flatnonzero(policy[snapshot.root.actions]))
        if net:
            lockstep.restart(0, position.moves)
            lockstep.set_target(0, 60, noise=False)
            while not len(lockstep.step()):
                pass
            found = lockstep.results(np.array([0]))
            search = run_search(position, evaluator, 60, settings, seed=1)
            target, played = found.policy[0], search.visit_policy(1.0)
            if found.proof[0] == WIN:
                assert target[played.argmax()] > 0
            else:
                np.testing.assert_allclose(target, played, atol=1e-6)
    assert {(UNPROVED, LOSS), (PROVED_DRAW, LOSS), (WIN, WIN)} <= proofs


def test_moves_are_drawn_with_their_chances():
    rng = np.random.default_rng(3)
    rows = 200
    weights = (rng.random((rows, 6)) * (rng.random((rows, 6)) < 0.7)).astype(np.float32)
    weights[:, 2] += np.float32(0.01)
    best = rng.integers(-1, 6, rows)
    won = rng.random(rows) < 0.2
    temperatures, uniforms = rng.choice([0.0, 0.25, 1.0, 2.0], rows), rng.random(rows)
    drawn = np.zeros(rows, np.int64)
    draw_moves(weights, best, won, temperatures, uniforms, drawn)
    for r in range(rows):
        sums = np.cumsum(chances(weights[r], int(best[r]), bool(won[r]), float(temperatures[r])))
        assert drawn[r] == np.searchsorted(sums, uniforms[r] * sums[-1], side="right")
