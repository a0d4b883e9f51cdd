"""The named recipes against hand-computed values: flat, tuned, gumbel's table, merged symmetries, the final move."""

import math

import numpy as np
import pytest

from core.engine import Search, UniformEvaluator
from core.games import load_game
from core.glass.snapshot import LIMIT
from core.search import Limit, SearchSettings
from core.search.rules import tuned
from core.search.rules.gumbel import considered_visits, mixed_value, sigma_scale
from core.search.settings import constant_forms, constant_from
from tests.core.search.fakes import HashEvaluator


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
