"""The move shown as next has the greatest score shown and is the one that the next simulation enters."""

import numpy as np
import pytest

from core.engine import Search
from core.games import load_game
from core.search import SearchSettings
from tests.core.search.fakes import HashEvaluator


def plus_under_way(root):
    """Finished simulations and those on their way, by action."""
    return dict(zip(root.actions.tolist(), (root.choice.visits + root.choice.inflight).tolist(), strict=True))


def assert_next_is_shown(search, simulations):
    """Go on to ``simulations`` one descent at a time; each must enter the move that was shown before it."""
    seen, before = 0, None
    while not search.step(simulations, 0.0):
        root = search.snapshot().root
        if root.choice is None:
            continue
        scores = np.where(root.choice.allowed, root.scores, -np.inf)
        if scores.max() > -np.inf:
            assert root.next_index == int(np.argmax(scores))
        assert root.next_index == root.choice.next_index
        if before is not None:
            was = plus_under_way(before)
            grown = {action: n - was[action] for action, n in plus_under_way(root).items() if n != was[action]}
            if sum(grown.values()) == 1:  # of several descents the first is not known
                assert list(grown) == [before.next_action]
                seen += 1
        before = root
    return seen


@pytest.mark.parametrize("batches", [1])
@pytest.mark.parametrize(("considered", "planned"), [(4, 40), (16, 40), (16, 9), (1, 5)])
@pytest.mark.parametrize("name", ["gomoku(size=5)", "connect4(rows=4, cols=5, k=3)", "tictactoe"])
def test_gumbel_over_its_schedule_and_after_it(name, considered, planned, batches):
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


def test_after_gumbels_schedule_the_move_of_greatest_prior_is_the_first_untried():
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
