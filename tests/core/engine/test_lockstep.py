"""Many searches in lockstep: each equals a single one, with noise a slow one."""

import numpy as np
import pytest

from core.engine import Search, UniformEvaluator
from core.engine.lockstep import Lockstep
from core.games import IllegalMove, load_game
from core.games.dispatch import ONGOING
from core.search import Limit, SearchSettings
from tests.core.search.fakes import HashEvaluator, run_search
from tests.core.search.reference import Reference
from tests.core.search.test_reference import assert_same

GAME = load_game("connect4")


def run_to(lockstep, games):
    """Step until each of ``games`` has been done."""
    left = set(games)
    while left:
        left -= {int(g) for g in lockstep.step()}


def run(lockstep, games):
    ready: set[int] = set()
    while len(ready) < games:
        ready |= {int(g) for g in lockstep.step()}


def test_each_lockstep_search_equals_a_single_search():
    settings = SearchSettings(max_batch=1, memory_mb=64)
    lockstep = Lockstep(GAME, HashEvaluator(7), 3, settings)
    openings = [(), (3, 3, 2), (0, 1, 0, 1)]
    for g, moves in enumerate(openings):
        lockstep.restart(g, moves)
        lockstep.set_target(g, 200, noise=False)
    run(lockstep, 3)
    for g, moves in enumerate(openings):
        position = GAME.initial()
        for a in moves:
            position = position.play(a)
        assert lockstep.position(g) == position
        assert (lockstep.inputs(g).planes[0] == position.planes()).all()
        search = run_search(position, HashEvaluator(7), 200, settings)
        found = lockstep.results(np.array([g]))
        assert found.policy[0] == pytest.approx(search.visit_policy(1.0), abs=1e-6)
        assert found.best[0] == search.best_action()
        assert found.value[0] == pytest.approx(search.snapshot().value)
        rows = [(m.action, m.visits, m.q, m.prior) for m in search.snapshot().moves if m.visits][:3]
        assert [row[:2] for row in lockstep.most_visited(g, 3)] == [row[:2] for row in rows]
        assert np.array(lockstep.most_visited(g, 3)) == pytest.approx(np.array(rows), abs=1e-6)


@pytest.mark.parametrize(("text", "opening"), [("connect4", (3, 3, 2)), ("gomoku(size=7)", (24, 17))])
def test_each_lockstep_gumbel_search_equals_a_single_search(text, opening):
    """Four games on four plans of their own: the one whose generator is the lone search's must find the same."""
    game = load_game(text)
    settings = SearchSettings(
        selection="gumbel", gumbel_considered=8, gumbel_simulations=96, max_batch=1, memory_mb=64, prove=False
    )
    for seed in range(3):
        lockstep = Lockstep(game, HashEvaluator(game.num_actions), 4, settings, seed)
        lockstep.restart(2, opening)
        lockstep.set_target(2, 97, noise=False)
        run_to(lockstep, {2})
        for g in (0, 1, 3):  # begun while another holds its plan
            lockstep.restart(g, opening[:g])
            lockstep.set_target(g, 40 + g, noise=False)
        run_to(lockstep, {0, 1, 3})
        position = game.initial()
        for a in opening:
            position = position.play(a)
        search = run_search(position, HashEvaluator(game.num_actions), 97, settings, seed=seed)
        found, root = lockstep.results(np.array([2])), search.snapshot().root
        assert found.best[0] == search.best_action()
        assert lockstep.visits(2) == 97
        visits = {m.action: m.visits for m in root.rows if m.visits}
        assert {row[0]: row[1] for row in lockstep.most_visited(2, 50)} == visits
        improved = dict(zip(root.actions.tolist(), root.us / root.us.sum(), strict=True))
        assert found.policy[0] == pytest.approx([improved.get(a, 0.0) for a in range(game.num_actions)], abs=1e-5)
        assert found.value[0] == pytest.approx((root.us / root.us.sum()) @ root.qs, abs=1e-5)


def test_gumbel_without_noise_considers_the_highest_priors():
    settings = SearchSettings(selection="gumbel", gumbel_considered=4, gumbel_simulations=64, memory_mb=64)
    lockstep = Lockstep(GAME, HashEvaluator(7, 3.0), 2, settings, seed=5)
    for g in range(2):
        lockstep.set_target(g, 33, noise=False, scale=0.0)
    run(lockstep, 2)
    rows = lockstep.most_visited(0, 7)
    assert rows == lockstep.most_visited(1, 7)
    start = int(lockstep.tree.edge_start[lockstep.root(0)])
    likeliest = np.argsort(-lockstep.tree.edge_prior[start : start + 7].astype(int), kind="stable")[:4]
    assert {row[0] for row in rows} == {int(lockstep.tree.edge_action[start + i]) for i in likeliest}
    lockstep.play(0, rows[0][0])
    assert lockstep.visits(0) == 0  # sequential halving wants a fresh root
    with pytest.raises(ValueError, match="simulations is 66; with gumbel_simulations 64 a search has at most 65"):
        lockstep.set_target(0, 66, noise=False)


def test_noise_is_drawn_once_per_search():
    settings = SearchSettings(noise_epsilon=0.25, noise_alpha=0.0, memory_mb=16)
    lockstep = Lockstep(GAME, UniformEvaluator(7), 1, settings, seed=2)
    lockstep.set_target(0, 2, noise=True)
    run(lockstep, 1)
    first = sorted(row[3] for row in lockstep.most_visited(0, 7))
    lockstep.set_target(0, 200, noise=False)
    run(lockstep, 1)
    priors = {a: p for a, _, _, p in lockstep.most_visited(0, 7)}
    assert first[0] in priors.values()
    assert len(set(priors.values())) == 7
    assert sum(priors.values()) == pytest.approx(1, abs=1e-3)
    lockstep.play(0, 3)
    assert {round(p, 4) for _, _, _, p in lockstep.most_visited(0, 7)} == {round(1 / 7, 4)}


def test_illegal_moves_are_refused_in_words():
    lockstep = Lockstep(load_game("tictactoe"), UniformEvaluator(9), 1, SearchSettings(memory_mb=4))
    assert lockstep.play(0, 4) == ONGOING
    with pytest.raises(IllegalMove, match="the place is taken"):
        lockstep.play(0, 4)
    assert lockstep.moves(0) == (4,)


def test_a_search_of_one_simulation_plays_the_greatest_prior():
    evaluator, settings = HashEvaluator(7, 2.0), SearchSettings(memory_mb=16)
    lockstep = Lockstep(GAME, evaluator, 2, settings)
    lockstep.restart(1, (3, 3))
    for g in range(2):
        lockstep.set_target(g, 1, noise=False)
    run_to(lockstep, (0, 1))
    found = lockstep.results(np.array([0, 1]))
    for g in range(2):
        search = run_search(lockstep.position(g), evaluator, 1, settings)
        root = search.snapshot().root
        assert lockstep.visits(g) == root.visits == 1
        assert lockstep.best(g) == search.best_action() == root.actions[np.argmax(root.priors)]
        assert search.snapshot().pv == (lockstep.best(g),)
        assert found.policy[g][root.actions] == pytest.approx(root.priors, abs=1e-4)
        assert root.visit_policy()[root.best_index] == root.visit_policy(0.0)[root.best_index] == 1.0


@pytest.mark.parametrize("scale", [0.0, 1.0])
def test_gumbel_with_one_simulation_plays_its_first_candidate(scale):
    settings = SearchSettings(selection="gumbel", gumbel_simulations=8, memory_mb=16)
    first = []
    for simulations in (1, 2):
        lockstep = Lockstep(GAME, HashEvaluator(7, 2.0), 1, settings, seed=4)
        lockstep.set_target(0, simulations, noise=False, scale=scale)
        run_to(lockstep, (0,))
        first.append(lockstep.best(0))
    assert first[0] == first[1]
    if scale == 0.0:
        assert first[0] == int(np.argmax(HashEvaluator(7, 2.0).evaluate(GAME.initial().planes()[None])[0][0]))


@pytest.mark.slow
def test_a_root_proved_by_threats_as_a_leaf_has_a_move_to_play():
    """A root that was a leaf has visits before it has edges."""
    game = load_game("gomoku(size=9)")
    settings = SearchSettings(threat_proofs=True, memory_mb=16)
    lockstep = Lockstep(game, UniformEvaluator(81), 1, settings)
    lockstep.restart(0, game.position("e5 a1 e6 a3 e7 a5").moves)
    lockstep.set_target(0, 200, noise=False)
    run_to(lockstep, (0,))
    search = run_search(game.position("e5 a1 e6 a3 e7 a5"), UniformEvaluator(81), 200, settings)
    action = lockstep.best(0)
    lockstep.play(0, action)
    search.go_to(search.position.play(search.best_action()))
    lockstep.set_target(0, 1, noise=False)
    run_to(lockstep, (0,))
    search.run(Limit(simulations=1))
    assert min(lockstep.best(0), search.best_action()) >= 0


@pytest.mark.slow
def test_a_root_proved_by_threats_has_a_policy():
    game = load_game("gomoku(size=9)")
    four = game.position("e5 a1 e6 a3 e7 a5").moves  # to move: an open four, or more
    settings = SearchSettings(threat_proofs=True, memory_mb=16)
    lockstep = Lockstep(game, UniformEvaluator(81), 1, settings)
    lockstep.restart(0, four)
    lockstep.set_target(0, 200, noise=False)
    run(lockstep, 1)
    found = lockstep.results(np.array([0]))
    assert (found.value[0], lockstep.proof(0)) == (1.0, 1)
    assert lockstep.visits(0) < 200
    lockstep.play(0, int(found.best[0]))
    assert lockstep.proof(0) == 3  # known before any search
    lockstep.set_target(0, 200, noise=False)
    run(lockstep, 1)
    assert lockstep.results(np.array([0])).policy[0].sum() == pytest.approx(1)


@pytest.mark.slow
def test_whole_games_in_a_pool_that_must_be_compacted():
    lockstep = Lockstep(GAME, UniformEvaluator(7), 8, SearchSettings(memory_mb=2, noise_epsilon=0.25), seed=1)
    rng = np.random.default_rng(0)
    finished, most = 0, 0
    for g in range(8):
        lockstep.set_target(g, 64, noise=True)
    while finished < 24:
        for g in map(int, lockstep.step()):
            policy = lockstep.results(np.array([g])).policy[0].astype(float)
            legal = lockstep.position(g).legal_actions()
            assert policy.sum() == pytest.approx(1)
            assert set(np.flatnonzero(policy).tolist()) <= set(legal)
            assert lockstep.visits(g) >= 64 or lockstep.proof(g)
            most = max(most, int(lockstep.tree.counts[0]))
            assert (lockstep.inputs(g).planes[0] == lockstep.position(g).planes()).all()
            if lockstep.play(g, int(rng.choice(7, p=policy / policy.sum()))) != ONGOING:
                finished += 1
                lockstep.restart(g)
            lockstep.set_target(g, 64, noise=True)
    assert most < len(lockstep.tree.parent)
    nodes = int(lockstep.tree.counts[0])
    assert not lockstep.tree.inflight[lockstep.tree.slot[:nodes]].any()


def test_too_little_memory_for_the_games_is_an_error():
    lockstep = Lockstep(GAME, UniformEvaluator(7), 200, SearchSettings(memory_mb=1))
    for g in range(200):
        lockstep.set_target(g, 500, noise=False)
    with pytest.raises(ValueError, match=r"memory_mb is 1.*200 games of connect4"):
        run(lockstep, 200)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda logits, values: (logits * np.nan, values), "no finite number"),
        (lambda logits, values: (logits[:, :6], values), r"shapes \(1, 6\) and \(1,\)"),
        (lambda logits, values: (logits, values * np.nan), "gave the value nan; values must lie from -1 to 1"),
        (lambda logits, values: (logits, values + np.inf), "gave the value inf"),
        (lambda logits, values: (logits, values + 5.0), "uniform prior, value 0 gave the value 5; values must lie"),
        (lambda logits, values: (logits, values - 1.2), r"gave the value -1\.2"),
    ],
)
def test_invalid_answers_of_evaluators_are_refused(wrong, words):
    class Broken(UniformEvaluator):
        def evaluate(self, planes, features=None):
            return wrong(*super().evaluate(planes))

    lockstep = Lockstep(GAME, Broken(7), 1, SearchSettings(memory_mb=4))
    lockstep.set_target(0, 10, noise=False)
    with pytest.raises(ValueError, match=words):
        lockstep.step()
    search = Search(GAME.initial(), Broken(7), SearchSettings(memory_mb=4))
    with pytest.raises(ValueError, match=words):
        search.run(Limit(simulations=10))


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
    found = lockstep.results(np.arange(2))
    for row in (0, 1):  # without noise: what pruning takes for the search's own priors
        assert found.priors[row] == pytest.approx(shares, abs=1e-4)
