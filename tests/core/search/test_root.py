"""The root that moves on and back, and one of which only some moves are searched."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.engine import Analysis, Search
from core.engine.look_back import LookBack
from core.files.tree_export import pick
from core.files.tree_file import dump_tree, load_tree, saved
from core.games import IllegalMove, load_game
from core.glass.picture import picture_of
from core.search import Limit, SearchSettings
from core.search.tree import backups, node_at
from tests.core.engine.test_analysis import Source, done
from tests.core.search.fakes import HashEvaluator, run_search

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
    assert (row.backups, row.q) == (search.simulations, pytest.approx(-search.snapshot().root.q, abs=1e-6))
    assert (row.visits, row.q) == (was.visits, pytest.approx(row.q)) != (was.backups, was.q)


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
    assert rows[worst].backups - rows[worst].visits == 2000 - was[worst].visits
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
    assert (row.visits, row.backups) == (visits, visits + 500)
    assert opened[(first, answer)].visits == visits + 500
    tree = search.tree
    node = node_at(tree, search.root, (first, answer))
    assert backups(tree, int(tree.slot[node])) == visits + 500
    picture = picture_of(search.tree, search.root, 500)
    place = picture.place_of((first, answer))
    assert (picture.visits[place], picture.backups[place]) == (visits, visits + 500)
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
    search = run_search(before, HashEvaluator(9), 60, memory_mb=16, prove=proving)
    won = before.play(before.game.parse_action("c1"))
    assert search.go_to(won)
    search.go_to(before)
    assert search.snapshot().root.proof == (1 if proving else 0)


SETTINGS = {
    "puct": SearchSettings(memory_mb=16),
    "puct, noise": SearchSettings(noise_epsilon=0.25, memory_mb=16),
    "puct, root first": SearchSettings(root_first=True, prove=False, memory_mb=16),
    "ucb1": SearchSettings(selection="ucb1", memory_mb=16),
    "ucb1_tuned": SearchSettings(selection="ucb1_tuned", memory_mb=16),
    "gumbel": SearchSettings(selection="gumbel", gumbel_considered=4, gumbel_simulations=64, memory_mb=16),
    "flat": SearchSettings(selection="flat", memory_mb=16),
    "rollouts": SearchSettings(selection="ucb1", memory_mb=16),
    "rollouts, two threads": SearchSettings(selection="ucb1", threads=2, memory_mb=16),
}
ONE_BY_ONE = [kind for kind in SETTINGS if not kind.endswith("threads")]  # those go out in batches
BOARD = load_game("connect4(rows=4, cols=5, k=3)")


def searched(kind, position, only=(), simulations=120, seed=0):
    evaluator = None if kind.startswith(("flat", "rollouts")) else HashEvaluator(position.game.num_actions)
    search = Search(position, evaluator, SETTINGS[kind], seed, only)
    if simulations:
        search.run(Limit(simulations=simulations))
    return search


def figures(search):
    root = search.snapshot().root
    return [(row.action, row.visits, str(row.prior), row.net_prior, row.q, row.u, row.proof) for row in root.rows]


@pytest.mark.parametrize("kind", SETTINGS)
@settings(max_examples=8, deadline=None)
@given(only=st.sets(st.integers(0, 48), min_size=1, max_size=48), simulations=st.integers(2, 150))
def test_only_the_chosen_moves_are_visited(kind, only, simulations):
    position = load_game("gomoku(size=7)").initial()
    search = searched(kind, position, only, simulations)
    root = search.snapshot().root
    assert search.only == tuple(sorted(only))
    assert set(root.actions.tolist()) == only
    assert set(root.left_out) == set(position.legal_actions()) - only
    evaluated = 0 if kind.startswith(("flat", "rollouts")) else 1  # the root's own simulation
    assert root.visits == simulations == root.visits_of.sum() + evaluated
    assert root.priors.sum() == pytest.approx(1.0, abs=1e-3 * len(only) / 10 + 1e-3)
    net = root.net_priors.sum() + sum(root.left_out.values())
    assert net == pytest.approx(1.0, abs=2e-3)
    assert root.choice.target.sum() == pytest.approx(1.0)
    assert root.next_index == -1 or root.next_action in only
    assert {row.visits for row in root.left_out_rows} == {0}


@pytest.mark.parametrize("kind", ONE_BY_ONE)
def test_the_next_simulation_enters_the_move_shown(kind):
    search = searched(kind, BOARD.initial(), (1, 3, 4), 20)
    before = search.snapshot().root
    search.run(Limit(simulations=search.simulations + 1))
    after = search.snapshot().root
    earlier = dict(zip(before.actions.tolist(), before.visits_of.tolist(), strict=True))
    grown = [a for a, n in zip(after.actions.tolist(), after.visits_of.tolist(), strict=True) if n > earlier[a]]
    assert grown == [before.next_action]


@pytest.mark.parametrize("kind", ONE_BY_ONE)
def test_choosing_every_move_equals_an_unrestricted_search(kind):
    position = BOARD.initial()
    free, all_chosen = searched(kind, position), searched(kind, position, range(5))
    assert all_chosen.only == ()
    assert figures(free) == figures(all_chosen)
    assert not free.snapshot().root.left_out


def test_priors_are_scaled_as_if_no_other_move_were_legal():
    position = BOARD.initial()
    free = {row.action: row for row in searched("puct", position).snapshot().moves}
    root = searched("puct", position, (0, 4)).snapshot().root
    mass = free[0].prior + free[4].prior
    for row in root.rows:
        assert row.prior == pytest.approx(free[row.action].prior / mass, abs=1e-4)
        assert row.net_prior == pytest.approx(free[row.action].prior, abs=1e-4)
    for row in root.left_out_rows:
        assert row.net_prior == pytest.approx(free[row.action].prior, abs=1e-6)
        assert row.left_out
        assert np.isnan(row.q)
    shown = [row.prior for row in (*root.rows, *root.left_out_rows) if not np.isnan(row.prior)]
    assert len(shown) == 2, "one column, one scale: selection knows no prior of a move that is left out"
    assert sum(shown) == pytest.approx(1.0, abs=1e-4)
    assert not root.noisy
    assert searched("puct, noise", position, (0, 4)).snapshot().root.noisy


@pytest.mark.parametrize("kind", SETTINGS)
def test_a_rule_without_priors_shows_none(kind):
    search = searched(kind, BOARD.initial())
    root = search.snapshot().root
    known = kind.startswith(("puct", "gumbel"))
    assert root.has_priors == known
    assert all(np.isnan(row.prior) != known for row in root.rows)
    assert sorted(row.visits for row in root.rows) == sorted(root.visits_of.tolist())
    assert [row.visits for row in root.rows] == sorted(root.visits_of.tolist(), reverse=True)
    picture = picture_of(search.tree, search.root, 20, with_priors=search.settings.rule.priors)
    assert (np.isnan(picture.priors[1:]) != known).all()
    assert all(np.isnan(node.prior) != known for node in pick(search.state(), search.settings)[1:])


def test_a_proved_loss_among_the_chosen_moves_is_reported():
    # X threatens a1 b1 c1: only c1 holds.
    position = load_game("tictactoe").position("a1 b2 b1")
    action = {name: a for a, name in enumerate(position.game.action_names)}
    losing = tuple(a for a in position.legal_actions() if a != action["c1"])
    search = searched("puct", position, losing, 5000)
    root = search.snapshot().root
    assert search.reason == "proved"
    assert {row.proof for row in root.rows} == {"loss"}
    assert set(root.left_out) == {action["c1"]}, "it says among which moves"
    free = searched("puct", position, (), 5000).snapshot().root
    assert free.proof in (0, 2)
    assert not free.left_out


def test_a_restriction_ends_when_the_root_moves():
    position = BOARD.initial()
    search = searched("puct", position, (2,), 80)
    row = search.snapshot().moves[0]
    assert search.go_to(position.play(2))
    assert search.simulations == row.visits
    assert search.only == ()
    search.run(Limit(simulations=100))
    assert not search.go_to(position)
    search.run(Limit(simulations=30))
    root = search.snapshot().root
    assert len(root.actions) == 5
    assert not root.left_out


def test_illegal_chosen_moves_are_refused():
    with pytest.raises(IllegalMove, match="'a1'"):
        Search(load_game("tictactoe").position("a1"), None, SearchSettings(memory_mb=16), only=(1, 6, 0, 8, 2))


def test_merged_moves_are_merged_among_the_chosen_ones():
    position = load_game("tictactoe").initial()
    chosen = SearchSettings(merge_symmetric=True, memory_mb=16)
    search = run_search(position, HashEvaluator(9), 60, chosen, only=(0, 2, 4))
    root = search.snapshot().root
    assert len(root.actions) == 2
    assert sorted([*root.actions.tolist(), *(a for others in root.same.values() for a in others)]) == [0, 2, 4]


@pytest.mark.parametrize("kind", ["puct, noise", "gumbel", "rollouts"])
@pytest.mark.parametrize("simulations", [0, 90])
def test_a_file_keeps_the_restriction(kind, simulations):
    search = searched(kind, BOARD.initial(), (0, 3), simulations)
    loaded = load_tree(dump_tree(saved(search)))
    again = searched(kind, BOARD.initial(), (), 0)
    loaded.resume(again)
    assert again.only == (0, 3)
    assert again.snapshot().root.left_out == search.snapshot().root.left_out
    assert figures(again) == figures(search)
    again.run(Limit(simulations=200))
    assert set(again.snapshot().root.actions.tolist()) == {0, 3}


def test_analysis_keeps_its_tree_only_for_the_same_chosen_moves():
    position, limit = BOARD.initial(), Limit(simulations=200)
    with Analysis() as analysis:

        def start(place, only=(), simulations=200):
            return done(
                analysis,
                analysis.start(place, Source(), SETTINGS["puct"], Limit(simulations=simulations), only=only),
            )

        free = start(position)
        some = start(position, (1, 2))
        assert set(some.root.actions.tolist()) == {1, 2}
        assert some.counters.simulations == 200
        direct = searched("puct", position, (1, 2), 200)
        assert some.root.rows == direct.snapshot().root.rows
        more = start(position, (2, 1, 2), 300)
        assert more.counters.simulations == 300, "it goes on in its tree"
        analysis.resume(limit)
        assert set(analysis.latest().root.actions.tolist()) == {1, 2}
        below = start(position.play(1), (), 1)
        assert below.simulations == next(row.visits for row in more.moves if row.action == 1)
        again = start(position)
        assert len(again.root.actions) == len(free.root.actions) == 5
        assert not again.root.left_out
