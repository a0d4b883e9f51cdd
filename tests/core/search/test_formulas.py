"""The formulas against published figures, and what is shown against what selection does."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.engine import Evaluator, Search, UniformEvaluator
from core.games import load_game
from core.search import Limit, SearchSettings
from core.search.rules import puct, ucb1
from core.search.rules.puct import expected_deviation, score_value, spread_factor
from core.search.rules.terms import growing_c
from tests.core.search.fakes import HashEvaluator

# (sum N, C inside the root, wins of the mover, N, score): Monte Carlo lecture slides, natural logarithm.
SLIDES = [
    (21, 10, 7, 10, 2.4449),
    (21, 10, 5, 8, 2.5758),
    (21, 10, 0, 3, 3.1857),
    (21, 1, 7, 10, 1.2518),
    (21, 1, 5, 8, 1.2419),
    (21, 1, 0, 3, 1.0074),
    (10, 10, 2, 4, 2.8993),
    (10, 10, 5, 6, 2.1257),
    (10, 1, 2, 4, 1.2587),
    (10, 1, 5, 6, 0.7862),
    (20, 10, 7, 14, 1.9628),
    (20, 10, 5, 6, 2.4011),
    (20, 1, 7, 14, 0.9626),
    (20, 1, 5, 6, 0.8733),
]


@pytest.mark.parametrize(("total", "inside", "wins", "visits", "score"), SLIDES)
def test_ucb1_of_the_slides(total, inside, wins, visits, score):
    # At the nodes with sum N = 10 and 20 the slides score the opponent's moves: 1 - wins / N.
    mean = wins / visits if total == 21 else 1 - wins / visits
    assert mean + ucb1.bonus(math.sqrt(inside), visits, math.log(total)) == pytest.approx(score, abs=1e-4)


@given(c=st.floats(1e-12, 100))
def test_ucb1_prefers_the_less_visited_of_equal_means(c):
    assert 3 / 4 + ucb1.bonus(c, 4, math.log(12)) > 6 / 8 + ucb1.bonus(c, 8, math.log(12))


def test_puct_bonus_and_growing_c():
    assert puct.bonus(1.5, 0.2, 3, 16) == pytest.approx(1.5 * 0.2 * 4 / 4)
    assert growing_c(1.25, 0.0, 1.0, 1e6) == 1.25
    assert growing_c(1.25, 19652.0, 1.0, 0) == pytest.approx(1.25 + math.log(19653 / 19652))
    assert growing_c(1.25, 19652.0, 1.0, 19652.0) == pytest.approx(1.25 + math.log(2 + 1 / 19652))
    assert growing_c(1.0, 500.0, 0.45, 499.0) == pytest.approx(1.0 + 0.45 * math.log(2))


def test_c_follows_the_spread_of_values_by_hand():
    # Two simulations of deviation 0.4 beside ten of mean 0.3 and mean square 0.13: (2 * 0.25 + 10 * 0.13) / 11 - 0.09.
    assert expected_deviation(10, 0.3, 0.13) == pytest.approx(math.sqrt(1.8 / 11 - 0.09))
    assert expected_deviation(1, 0.3, 0.09) == expected_deviation(0, 0.0, 0.0) == 0.4
    assert expected_deviation(1e9, -0.5, 0.25) == pytest.approx(0.0, abs=1e-4)
    assert expected_deviation(1e9, 0.0, 0.16) == pytest.approx(0.4)
    assert spread_factor(0.85, 0.4) == 1.0
    assert spread_factor(0.85, 0.1) == pytest.approx(1 - 0.85 * 0.75)
    assert spread_factor(0.0, 0.1) == 1.0


def test_a_score_lead_as_a_value_by_hand():
    assert score_value(0.0, 38.0) == 0.0
    assert score_value(38.0, 38.0) == pytest.approx(0.5)
    assert score_value(-38.0, 38.0) == pytest.approx(-0.5)
    assert 0.99 < score_value(1e4, 38.0) < 1.0


def test_a_puct_tree_worked_by_hand():
    """Two moves of priors 0.6 and 0.4, values 0.1 and 0.5 for the opponent: Q, U and the choice after three visits."""

    class TwoMoves(Evaluator):
        description = "by hand"

        def evaluate(self, planes, features=None):
            logits = np.full((len(planes), 2), -30.0, np.float32)
            logits[:, 0], logits[:, 1] = math.log(0.6), math.log(0.4)
            first = planes[:, 1, :, 0].sum(axis=1) > 0
            return logits, np.where(planes.sum(axis=(1, 2, 3)) < 5, 0.2, np.where(first, 0.1, 0.5)).astype(np.float32)

    position = load_game("connect4(rows=4, cols=2, k=4)").initial()
    search = Search(position, TwoMoves(), SearchSettings(c_puct=1.0, fpu="zero", max_batch=1, memory_mb=4))
    search.run(Limit(simulations=2))
    first, second = sorted(search.snapshot().moves, key=lambda m: m.action)
    assert (first.visits, second.visits) == (1, 0)
    assert first.prior == pytest.approx(0.6, abs=1e-4)
    assert first.u == pytest.approx(0.6 * 1 / 2, abs=1e-4)
    assert second.u == pytest.approx(0.4 * 1 / 1, abs=1e-4)
    assert search.snapshot().root.next_action == (1 if second.score > first.score else 0)


positions = st.sampled_from(["tictactoe", "connect4", "connectn(rows=4, cols=4, k=3)", "gomoku(size=6)"])


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(
    name=positions,
    selection=st.sampled_from(["puct", "ucb1"]),
    fpu=st.sampled_from(["reduction", "loss", "zero"]),
    net=st.booleans(),
    noise=st.sampled_from([0.0, 0.5]),
    base=st.sampled_from([0.0, 50.0]),
    simulations=st.integers(2, 120),
    seed=st.integers(0, 5),
)
def test_the_shown_arg_max_is_where_the_next_simulation_goes(name, selection, fpu, net, noise, base, simulations, seed):
    game = load_game(name)
    chosen = SearchSettings(selection=selection, fpu=fpu, noise_epsilon=noise, c_base=base, max_batch=8, memory_mb=4)
    search = Search(game.initial(), HashEvaluator(game.num_actions, 2.0) if net else None, chosen, seed)
    search.run(Limit(simulations=simulations))
    for _ in range(12):
        before = search.snapshot()
        if before.root.proof:
            assert before.root.next_index == -1
            break
        rows = [m for m in before.moves if m.proof != "loss"]
        best = max(m.score for m in rows)
        assert before.root.next_action in {m.action for m in rows if m.score == pytest.approx(best, abs=1e-5)}
        search.run(Limit(simulations=before.simulations + 1))
        after = {m.action: m.visits for m in search.snapshot().moves}
        grown = [m.action for m in before.moves if after[m.action] != m.visits]
        assert grown == [before.root.next_action]


def test_opened_nodes_have_the_terms_of_a_search_started_there():
    search = Search(load_game("connect4").initial(), HashEvaluator(7), SearchSettings(memory_mb=16))
    search.run(Limit(simulations=800))
    first = search.snapshot().moves[0].action
    second = search.snapshot([(first,)]).opened[(first,)].rows[0].action
    view = search.snapshot([(first,), (first, second), (6, 6, 6, 6, 6, 6)]).opened
    assert set(view) == {(first,), (first, second)}
    assert view[(first,)].position == search.position.play(first)
    search.advance(first)
    assert [(r.action, r.visits, r.q, r.u) for r in search.snapshot().moves] == [
        (r.action, r.visits, r.q, r.u) for r in view[(first,)].rows
    ]


def test_batches_only_differ_by_virtual_loss_and_leave_nothing_in_flight():
    search = Search(load_game("connect4").initial(), HashEvaluator(7), SearchSettings(max_batch=16, memory_mb=16))
    search.run(Limit(simulations=1000))
    counters = search.snapshot().counters
    assert counters.evaluations / counters.batches > 4
    assert not search.tree.inflight[search.tree.slot[: int(search.tree.counts[0])]].any()
    assert counters.simulations == 1000


def test_noise_is_mixed_into_the_root_and_removed_when_the_root_moves():
    chosen = SearchSettings(noise_epsilon=0.25, noise_alpha=0.3, memory_mb=16)
    search = Search(load_game("connect4").initial(), UniformEvaluator(7), chosen, seed=1)
    search.run(Limit(simulations=200))
    start = search.position
    rows = search.snapshot().moves
    assert all(m.net_prior == pytest.approx(1 / 7, abs=1e-4) for m in rows)
    assert sum(m.prior for m in rows) == pytest.approx(1, abs=1e-3)
    assert max(abs(m.prior - m.net_prior) for m in rows) > 0.01
    search.advance(3)
    search.go_to(start)
    assert all(m.prior == pytest.approx(1 / 7, abs=1e-4) for m in search.snapshot().moves)


def test_policy_and_temperature():
    search = Search(load_game("connect4").initial(), HashEvaluator(7), SearchSettings(memory_mb=16))
    assert not search.visit_policy().any()
    search.run(Limit(simulations=400))
    visits = np.zeros(7)
    for m in search.snapshot().moves:
        visits[m.action] = m.visits
    assert search.visit_policy(1.0) == pytest.approx(visits / visits.sum(), abs=1e-6)
    assert search.visit_policy(0.5) == pytest.approx(visits**2 / (visits**2).sum(), abs=1e-6)
    assert search.visit_policy(0.0).argmax() == search.snapshot().best


def test_nine_wins_and_a_loss_are_four_fifths():
    """Q = W / N, and not a running average that forgets: Q += (v - Q) / 2 would come to -0.001."""

    class InTurn(Evaluator):
        description = "in turn"
        calls = 0

        def evaluate(self, planes, features=None):
            # Each node has one move, so call n is the node n plies below the root, and its value is for its mover.
            result = 1.0 if self.calls < 10 else -1.0
            value = result * (-1) ** self.calls
            self.calls += 1
            return np.zeros((1, 1), np.float32), np.array([value], np.float32)

    position = load_game("nim(heaps=15, max_take=1)").initial()
    search = Search(position, InTurn(), SearchSettings(max_batch=1, prove=False, memory_mb=4))
    search.run(Limit(simulations=11))
    (row,) = search.snapshot().moves
    assert (row.visits, row.q) == (10, pytest.approx(0.8))
