"""The move shown as next has the greatest score shown and is the one that the next simulation enters."""

from dataclasses import replace

import numpy as np
import pytest

from core.engine import Search
from core.games import load_game
from core.search import Limit, SearchSettings
from core.search.rules.table import RULES
from tests.core.search.fakes import HashEvaluator, run_search
from tests.tiers import slow_but


def plus_under_way(root):
    """Finished simulations and those on their way, by action."""
    return dict(zip(root.actions.tolist(), (root.choice.visits + root.choice.inflight).tolist(), strict=True))


def assert_one_answer(node):
    """Table, inspector and written sums of a node name the same next move: the first of greatest score."""
    choice = node.choice
    assert node.next_index == choice.next_index
    np.testing.assert_allclose(node.scores, choice.scores, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(node.us, choice.us, rtol=1e-6, atol=1e-6)
    scores = np.where(choice.allowed, choice.scores, -np.inf)
    if node.proof and choice.params.prove:
        assert node.next_index == -1
    elif scores.max() > -np.inf and not choice.first_try:
        assert node.next_index == int(np.argmax(scores))


def assert_next_is_shown(search, simulations):
    """Go on to ``simulations`` one descent at a time; each must enter the move that was shown before it."""
    seen, before = 0, None
    while not search.step(simulations, 0.0):
        root = search.snapshot().root
        if root.choice is None:
            continue
        assert_one_answer(root)
        if before is not None:
            was = plus_under_way(before)
            grown = {action: n - was[action] for action, n in plus_under_way(root).items() if n != was[action]}
            if sum(grown.values()) == 1:  # of several descents the first is not known
                assert list(grown) == [before.next_action]
                seen += 1
        before = root
    return seen


@pytest.mark.parametrize("batches", [1, 3])
@pytest.mark.parametrize(("considered", "planned"), [(4, 40), (16, 40), (16, 9), (1, 5)])
@pytest.mark.parametrize(
    "name", slow_but(("tictactoe",), ("gomoku(size=5)", "connect4(rows=4, cols=5, k=3)", "tictactoe"))
)
def test_gumbel_next_move_is_shown_during_and_after_its_schedule(name, considered, planned, batches):
    game = load_game(name)
    settings = SearchSettings(
        selection="gumbel",
        gumbel_considered=considered,
        gumbel_simulations=planned,
        max_batch=1,
        batches_in_flight=batches,
        memory_mb=4,
    )
    seen = 0
    for seed in range(3):
        search = Search(game.initial(), HashEvaluator(game.num_actions, 2.0), settings, seed)
        seen += assert_next_is_shown(search, planned + 80)
    assert seen > 30


def test_after_its_schedule_gumbel_tries_the_greatest_prior_first():
    game = load_game("gomoku(size=5)")
    settings = SearchSettings(selection="gumbel", gumbel_considered=4, gumbel_simulations=16, memory_mb=4)
    search = Search(game.initial(), HashEvaluator(game.num_actions, 2.0), settings)
    while search.simulations < 2:
        search.step(2, 0.0)
    root = search.snapshot().root
    rest = root.priors[4:]
    assert (rest[:-1] >= rest[1:]).all(), "by their prior"
    drawn = root.choice.gumbels + np.log(root.priors)
    assert (drawn[:3] >= drawn[1:4]).all()
    assert drawn[3] >= drawn[4:].max(), "the moves considered come before, by g + ln P"


IN_FLIGHT = SearchSettings(batches_in_flight=2, max_batch=4, memory_mb=4)
SEARCHES = {
    **{rule: replace(IN_FLIGHT, selection=rule) for rule in RULES if rule != "flat"},  # which takes no net
    "puct, zero, noise": replace(IN_FLIGHT, fpu="zero", noise_epsilon=0.25, root_first=True),
    "ucb1_tuned, lcb": replace(IN_FLIGHT, selection="ucb1_tuned", final="lcb"),
    "gumbel": replace(IN_FLIGHT, selection="gumbel", gumbel_simulations=100),
}


@pytest.mark.parametrize("name", SEARCHES)
def test_with_batches_in_flight_every_view_of_a_node_names_the_same_next_move(name):
    game = load_game("gomoku(size=5)")
    search = Search(game.initial(), HashEvaluator(game.num_actions, 2.0), SEARCHES[name], seed=1)
    under_way = 0
    while not search.step(400, 0.0):
        root = search.snapshot().root
        if root.choice is None:
            continue
        opened = [(action,) for action in root.actions[:6].tolist()]
        snapshot = search.snapshot(opened)
        under_way += bool(snapshot.root.choice.inflight.any())
        for node in (snapshot.root, *snapshot.opened.values()):
            assert_one_answer(node)
    assert under_way > 20


def test_the_move_to_play_is_chosen_by_finished_simulations_alone():
    game = load_game("gomoku(size=5)")
    settings = SearchSettings(final="lcb", memory_mb=4)
    search = run_search(game.initial(), HashEvaluator(game.num_actions, 2.0), 200, settings)
    best = search.snapshot().best
    slot = int(search.tree.child_start[search.root]) + search.snapshot().root.best_index
    search.tree.inflight[slot] += 50
    assert search.snapshot().best == best
    search.tree.inflight[slot] -= 50


def test_the_improved_policy_sums_to_one_however_sharp_the_priors_are():
    """The net is sure of a move that turns out to lose, and gives the others the least prior that 16 bits hold."""

    class Sure(HashEvaluator):
        def evaluate(self, planes, features=None):
            logits, values = super().evaluate(planes)
            logits[:, 7] += 40.0
            return logits, np.ones_like(values)

    settings = SearchSettings(selection="gumbel", gumbel_simulations=4, max_batch=1, prove=False, memory_mb=4)
    search = Search(load_game("gomoku(size=5)").initial(), Sure(25), settings)
    for simulations in (2, 3, 20):
        search.run(Limit(simulations=simulations))
        assert search.snapshot().root.us.sum() == pytest.approx(1.0, abs=0.01)
