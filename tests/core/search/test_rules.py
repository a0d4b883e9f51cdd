"""The rules of selection: their formulas against published figures, the named recipes by hand, and the choice shown."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core._jit import jit
from core.engine import Evaluator, Search, UniformEvaluator
from core.games import load_game
from core.glass.snapshot import LIMIT
from core.search import Limit, SearchSettings
from core.search.proofs import LOSS
from core.search.rules import puct, tuned, ucb1
from core.search.rules.gumbel import considered_visits, mixed_value, sigma_scale
from core.search.rules.puct import expected_deviation, score_value, spread_factor
from core.search.rules.terms import growing_c
from core.search.selection import edge_terms, may_enter, node_terms, select
from core.search.settings import constant_forms, constant_from
from core.search.tree import OWN_RULE, allocate
from tests.core.search.fakes import HashEvaluator, run_search

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
    search = run_search(position, TwoMoves(), 2, c_puct=1.0, fpu="zero", max_batch=1, memory_mb=4)
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
    search = run_search(
        game.initial(), HashEvaluator(game.num_actions, 2.0) if net else None, simulations, chosen, seed=seed
    )
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
    search = run_search(load_game("connect4").initial(), HashEvaluator(7), 800, memory_mb=16)
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
    search = run_search(load_game("connect4").initial(), HashEvaluator(7), 1000, max_batch=16, memory_mb=16)
    counters = search.snapshot().counters
    assert counters.evaluations / counters.batches > 4
    assert not search.tree.inflight[search.tree.slot[: int(search.tree.counts[0])]].any()
    assert counters.simulations == 1000


def test_noise_is_mixed_into_the_root_and_removed_when_the_root_moves():
    chosen = SearchSettings(noise_epsilon=0.25, noise_alpha=0.3, memory_mb=16)
    search = run_search(load_game("connect4").initial(), UniformEvaluator(7), 200, chosen, seed=1)
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
    search = run_search(position, InTurn(), 11, max_batch=1, prove=False, memory_mb=4)
    (row,) = search.snapshot().moves
    assert (row.visits, row.q) == (10, pytest.approx(0.8))


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


def search_of(text, evaluator=None, simulations=None, moves="", seed=0, **settings):
    game = load_game(text)
    position = game.position(moves) if moves else game.initial()
    search = Search(position, evaluator, SearchSettings(memory_mb=16, **settings), seed)
    if simulations:
        search.run(Limit(simulations=simulations))
    return search


def test_the_ucb1_constant_converts_between_its_three_forms():
    forms = constant_forms(math.sqrt(2))
    assert forms == pytest.approx({"c": math.sqrt(2), "inside": 2, "uctk": 1})
    for form, value in forms.items():
        assert constant_from(form, value) == pytest.approx(math.sqrt(2))
        assert SearchSettings(selection="ucb1", c_form=form, c_ucb=value).c == pytest.approx(math.sqrt(2))
    with pytest.raises(ValueError, match=r"'K'.*c, inside, uctk"):
        constant_from("K", 1.0)


def test_ucb1_tuned_by_hand():
    # ln 100 / 10 = 0.46052; V = 0.09 + sqrt(0.92103) = 1.0497 > 1/4; with ln e = 1 and N = 1000, V = 0.04 + 0.04472.
    assert tuned.bonus(1.0, 10, math.log(100), 0.09) == pytest.approx(math.sqrt(0.4605170 * 0.25))
    assert tuned.bonus(1.0, 1000, 1.0, 0.04) == pytest.approx(math.sqrt(1e-3 * (0.04 + math.sqrt(2e-3))))
    assert tuned.bonus(1.0, 0, math.log(5), 0.0) == math.inf


def test_ucb1_tuned_keeps_sums_of_squares():
    search = search_of("connect4", simulations=500, selection="ucb1_tuned")
    row = search.snapshot().moves[0]
    slot = next(i for i in range(8) if search.tree.visits[search.tree.child_start[search.root] + i] == row.visits)
    place = int(search.tree.child_start[search.root]) + slot
    # Rollouts give -1, 0 or 1, so the sum of squares counts the decided games.
    assert 0 < search.tree.squares[place] <= row.visits
    assert search.tree.squares[place] == int(search.tree.squares[place])


def test_considered_visits_are_those_of_sequential_halving():
    assert considered_visits(1, 4).tolist() == [0, 1, 2, 3]
    assert considered_visits(4, 16).tolist() == [0] * 4 + [1] * 4 + [2] * 2 + [3] * 2 + [4] * 2 + [5] * 2
    table = considered_visits(16, 200)
    assert len(table) == 200
    assert np.bincount(table[:48]).tolist() == [16, 16, 16]


def test_sigma_and_the_mixed_value_by_hand():
    assert sigma_scale(50, 1.0, 14) * 2 == 64  # on values in [0, 1], half as wide
    assert mixed_value(0.2, 0, 0.0, 0.0) == 0.2
    # Two of four equal moves visited, Q 0.5 and -0.1, 3 visits: (0.2 + 3 * 0.2) / 4.
    assert mixed_value(0.2, 3, 0.5, 0.25 * 0.5 - 0.25 * 0.1) == pytest.approx(0.2)


def test_gumbel_spends_its_simulations_by_sequential_halving():
    search = search_of(
        "gomoku(size=6)",
        HashEvaluator(36),
        1 + 96,
        selection="gumbel",
        gumbel_considered=8,
        gumbel_simulations=96,
        max_batch=1,
        prove=False,
    )
    visits = sorted((m.visits for m in search.snapshot().moves if m.visits), reverse=True)
    # Three phases of 32: four more each of 8, eight more each of 4, sixteen more each of 2.
    assert visits == [28, 28, 12, 12, 4, 4, 4, 4]


def test_flat_plays_equally_many_games_of_each_move_and_takes_the_best_mean():
    search = search_of("connect4", selection="flat", flat_games=150, moves="d d c")
    assert search.run(Limit()) == LIMIT
    snapshot = search.snapshot()
    assert {m.visits for m in snapshot.moves} == {150}
    assert snapshot.counters.depth == 1
    assert snapshot.best == max(snapshot.moves, key=lambda m: m.q).action
    assert snapshot.counters.nodes == 8
    with pytest.raises(ValueError, match="plays random games; with a net it must be another"):
        search_of("connect4", UniformEvaluator(7), selection="flat")


def test_root_first_tries_every_move_before_any_again():
    greedy = search_of("gomoku(size=6)", HashEvaluator(36, 4.0), 37, c_puct=0.1, max_batch=1)
    first = search_of("gomoku(size=6)", HashEvaluator(36, 4.0), 37, c_puct=0.1, max_batch=1, root_first=True)
    assert sum(m.visits > 0 for m in first.snapshot().moves) == 36
    assert sum(m.visits > 0 for m in greedy.snapshot().moves) < 36


def test_expansion_threshold_keeps_the_tree_small():
    small = search_of("connect4", simulations=3000, selection="ucb1", expansion_threshold=20)
    large = search_of("connect4", simulations=3000, selection="ucb1")
    tree = small.tree
    for node in range(1, int(tree.counts[0])):
        if tree.num_children[node]:
            assert tree.visits[tree.slot[node]] > 20
    assert small.snapshot().counters.nodes < large.snapshot().counters.nodes / 5
    assert small.simulations == large.simulations == 3000


@pytest.mark.parametrize(
    ("text", "classes"),
    [
        ("tictactoe", 3),
        ("connectn(rows=4, cols=4, k=4)", 3),
        ("connectn(rows=8, cols=8, k=5)", 10),
        ("gomoku", 36),
    ],
)
@pytest.mark.parametrize("net", [True, False])
def test_symmetric_first_moves_are_merged(text, classes, net):
    game = load_game(text)
    evaluator = UniformEvaluator(game.num_actions) if net else None
    search = search_of(text, evaluator, 100, merge_symmetric=True)
    view = search.snapshot().root
    assert len(view.rows) == classes
    assert sum(1 + len(view.same.get(m.action, ())) for m in view.rows) == game.num_actions
    assert sum(m.prior for m in view.rows) == pytest.approx(1, abs=0.01)
    for action, others in view.same.items():
        images = {int(image[action]) for image in game.symmetries}
        assert set(others) <= images


def test_merging_does_nothing_where_the_board_is_not_symmetric():
    assert len(search_of("tictactoe", None, 50, moves="0 1", merge_symmetric=True, prove=False).snapshot().moves) == 7
    assert len(search_of("tictactoe", None, 50, moves="4 0", merge_symmetric=True, prove=False).snapshot().moves) == 4


def test_the_final_move_by_mean_and_by_bound():
    rows = {}
    for final in ("visits", "mean", "lcb"):
        snapshot = search_of("connect4", HashEvaluator(7), 400, final=final, c_puct=4.0, prove=False).snapshot()
        rows[final] = {m.action: m for m in snapshot.moves}, snapshot.best
    figures, best = rows["mean"]
    assert figures[best].q == max(m.q for m in figures.values() if m.visits)
    figures, best = rows["visits"]
    assert figures[best].visits == max(m.visits for m in figures.values())
    figures, best = rows["lcb"]
    assert figures[best].visits >= 0.1 * max(m.visits for m in figures.values())


def test_a_proved_win_counts_from_the_move_that_makes_it():
    row = search_of("tictactoe", None, 50, moves="0 3 1 4", selection="ucb1").snapshot().moves
    assert next(m.distance for m in row if m.action == 2) == 1
