"""A search of chosen moves: the others stay without visits, and what is proved is proved among those searched."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.engine import Analysis, Search
from core.files.tree_export import pick
from core.files.tree_file import dump_tree, load_tree, saved
from core.games import IllegalMove, load_game
from core.glass.picture import picture_of
from core.search import Limit, SearchSettings
from tests.core.engine.test_analysis import Source, done
from tests.core.search.fakes import HashEvaluator

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
    search = Search(position, HashEvaluator(9), chosen, only=(0, 2, 4))
    search.run(Limit(simulations=60))
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
