"""Going back to a position: what was searched below it is known there, and prefers nothing."""

from typing import Any

import numpy as np
import pytest

from core.engine import Search
from core.engine.look_back import LookBack
from core.files.tree_export import pick
from core.files.tree_file import dump_tree, load_tree, saved
from core.games import load_game
from core.glass.picture import picture_of
from core.search import Limit, SearchSettings
from core.search.tree import node_at, seen
from tests.core.search.fakes import HashEvaluator

CASES: dict[str, tuple[str, bool, dict[str, Any]]] = {
    "puct, net": ("connect4", True, {}),
    "puct, gomoku": ("gomoku(size=7)", True, {"max_batch": 4}),
    "ucb1": ("connect4", False, {"selection": "ucb1"}),
    "ucb1_tuned": ("connect4", False, {"selection": "ucb1_tuned"}),
    "gumbel": ("connect4", True, {"selection": "gumbel", "gumbel_simulations": 60}),
    "lower bound": ("connect4", False, {"selection": "ucb1", "final": "lcb"}),
    "noise, no proofs": ("connect4", True, {"noise_epsilon": 0.25, "prove": False}),
}


def make(case, **more):
    name, net, given = CASES[case]
    game = load_game(name)
    evaluator = HashEvaluator(game.num_actions) if net else None
    return Search(game.initial(), evaluator, SearchSettings(**{"memory_mb": 16, "max_batch": 1, **given, **more}), 3)


def worst_of(snapshot):
    return [row.action for row in snapshot.moves if row.visits > 1][-1]


def gone_back(case, simulations=200, below=1500):
    """(A search that went down its worst move and came back, what it showed before, that move)."""
    search = make(case)
    search.run(Limit(simulations=simulations))
    start, before = search.position, search.snapshot()
    worst = worst_of(before)
    search.advance(worst)
    search.run(Limit(simulations=below))
    search.go_to(start)
    return search, before, worst


@pytest.mark.parametrize("case", CASES)
def test_visits_from_below_do_not_count_for_the_move(case):
    search, before, worst = gone_back(case)
    after = search.snapshot()
    assert after.best == before.best != worst
    assert after.simulations == before.simulations
    assert [(row.action, row.visits, row.share) for row in after.moves] == [
        (row.action, row.visits, row.share) for row in before.moves
    ]
    assert after.root.q == before.root.q
    assert after.root.visit_policy().tolist() == before.root.visit_policy().tolist()
    row = next(row for row in after.moves if row.action == worst)
    was = next(row for row in before.moves if row.action == worst)
    below = load_game(CASES[case][0]).initial().play(worst)
    search.go_to(below)
    assert (row.seen, row.q) == (search.simulations, pytest.approx(-search.snapshot().root.q, abs=1e-6))
    assert (row.visits, row.q) == (was.visits, pytest.approx(row.q)) != (was.seen, was.q)


@pytest.mark.parametrize("case", CASES)
def test_root_visits_are_the_sum_over_its_moves(case):
    search, before, _ = gone_back(case)
    itself = before.simulations - sum(row.visits for row in before.moves)  # the simulation that expanded it, with a net
    assert itself == (1 if CASES[case][1] else 0)
    for more in (0, 1, 150):
        search.run(Limit(simulations=before.simulations + more))
        snapshot = search.snapshot()
        assert snapshot.simulations == before.simulations + more
        assert snapshot.root.visits_of.sum() == snapshot.simulations - itself
        assert snapshot.root.choice.total == snapshot.root.visits_of.sum()


@pytest.mark.parametrize("case", CASES)
def test_the_move_shown_as_next_is_the_one_entered(case):
    search, _, _ = gone_back(case, 60, 400)
    for _ in range(60):
        shown = search.snapshot().root
        assert shown.next_index == shown.choice.next_index
        search.run(Limit(simulations=search.simulations + 1))
        entered = search.snapshot().root.visits_of - shown.visits_of
        assert entered[shown.next_index] == 1 == entered.sum()


def test_simulations_from_below_count_in_the_mean():
    """The mean of the move explored is the one of all simulations, and its count grows by its own alone."""
    search, before, worst = gone_back("ucb1", 100, 2000)
    search.run(Limit(simulations=800))
    rows = {row.action: row for row in search.snapshot().moves}
    was = {row.action: row for row in before.moves}
    assert rows[worst].seen - rows[worst].visits == 2000 - was[worst].visits
    assert was[worst].visits < rows[worst].visits < 0.5 * 800
    best = search.snapshot().best
    assert rows[best].visits == max(row.visits for row in rows.values())


def test_simulations_begun_at_lower_roots_are_kept_at_every_depth():
    search = make("ucb1")
    search.run(Limit(simulations=400))
    start = search.position
    first = search.snapshot().moves[2].action
    search.advance(first)
    search.run(Limit(simulations=search.simulations + 300))
    answer = search.snapshot().moves[2].action
    visits, own = search.snapshot().moves[2].visits, search.simulations
    search.advance(answer)
    search.run(Limit(simulations=visits + 500))
    search.go_to(start)
    opened = search.snapshot([(first,), (first, answer)]).opened
    assert opened[(first,)].visits == own
    row = next(row for row in opened[(first,)].rows if row.action == answer)
    assert (row.visits, row.seen) == (visits, visits + 500)
    assert opened[(first, answer)].visits == visits + 500
    tree = search.tree
    node = node_at(tree, search.root, (first, answer))
    assert seen(tree, int(tree.slot[node])) == visits + 500
    picture = picture_of(search.tree, search.root, 500)
    place = picture.place_of((first, answer))
    assert (picture.visits[place], picture.seen[place]) == (visits, visits + 500)
    assert picture.qs[place] == pytest.approx(row.q, abs=1e-6)
    assert (picture.parents[1:] < np.arange(1, len(picture))).all()


@pytest.mark.parametrize("case", ["puct, net", "ucb1"])
def test_curves_saved_tree_and_history_agree(case):
    search, before, _ = gone_back(case)
    after = search.snapshot()
    curves = search.curves()
    visits = {row.action: row.visits for row in after.moves if row.visits}
    assert dict(zip(curves.actions.tolist(), curves.visits[-1].tolist(), strict=True)) == visits
    qs = {row.action: pytest.approx(row.q, abs=1e-6) for row in after.moves if row.visits}
    assert dict(zip(curves.actions.tolist(), curves.qs[-1].tolist(), strict=True)) == qs
    assert curves.simulations[-1] == before.simulations
    nodes = pick(search.state(), search.settings, 50)
    assert (nodes[0].visits, nodes[0].q) == (after.simulations, after.root.q)
    best = next(node for node in nodes if node.depth == 1 and node.best)
    assert best.action == after.best
    loaded = load_tree(dump_tree(saved(search)))
    again = make(case)
    loaded.resume(again)
    assert repr(again.snapshot().root.rows) == repr(after.root.rows)
    assert again.snapshot().simulations == after.simulations
    past = LookBack(search).past(before.simulations).snapshot
    assert repr(past.root.rows) == repr(after.root.rows)
    search.run(Limit(simulations=before.simulations + 60))
    later = search.snapshot()
    back = LookBack(search)
    for moment, then in ((before.simulations, after), (before.simulations + 60, later)):
        shown = back.past(moment).snapshot
        assert repr(shown.root.rows) == repr(then.root.rows)
        assert (shown.simulations, shown.root.q) == (then.simulations, then.root.q)


def test_a_saved_tree_keeps_the_simulations_begun_at_each_root():
    search, _, _ = gone_back("ucb1", 100, 300)
    state = load_tree(dump_tree(saved(search))).state
    nodes = state.tree.parent.size
    assert state.tree.begun.tolist() == search.tree.begun[:nodes].tolist()
    slots = search.tree.slot[:nodes]
    assert state.tree.visits[state.tree.slot].tolist() == search.tree.visits[slots].tolist()


@pytest.mark.parametrize("proving", [True, False])
def test_a_finished_game_proves_nothing_above_it_without_proofs(proving):
    before = load_game("tictactoe").position("a1 a2 b1 b2")
    search = Search(before, HashEvaluator(9), SearchSettings(memory_mb=16, prove=proving))
    search.run(Limit(simulations=60))
    won = before.play(before.game.parse_action("c1"))
    assert search.go_to(won)
    search.go_to(before)
    assert search.snapshot().root.proof == (1 if proving else 0)
