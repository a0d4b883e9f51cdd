"""Ownership of points, by nets and by random games, and the dead stones that follow."""

import numpy as np
import pytest

from core.engine import Search, UniformEvaluator
from core.engine.ownership import (
    MOST_POSITIONS,
    SIMULATIONS_EACH,
    OwnershipReader,
    dead_stones,
    most_visited,
    positions_in,
    random_ownership,
)
from core.games import load_game
from core.search import SearchSettings
from core.search.tree import node_at
from tests.core.search.fakes import HashEvaluator, run_search

GO = load_game("go(size=5, komi=0.5)")
SETTINGS = SearchSettings(memory_mb=16)


class OwnerEvaluator(HashEvaluator):
    """A net with arbitrary answers that gives each stone's point to its owner, surer with more stones."""

    gives_ownership = True

    def __init__(self, num_actions):
        super().__init__(num_actions)
        self.batches = []

    def ownership(self, planes, features=None):
        self.batches.append(len(planes))
        mine, other = planes[:, 0], planes[:, 1]
        stones = (mine + other).sum(axis=(1, 2), keepdims=True)
        return ((mine - other) * (1 - 1 / (1 + stones))).astype(np.float32)


def of_stones(position):
    """What OwnerEvaluator says, for the first player."""
    cells = position.cells()
    stones = np.count_nonzero(cells)
    return np.where(cells == 1, 1.0, np.where(cells == 2, -1.0, 0.0)) * (1 - 1 / (1 + stones))


def searched(moves="c3 c4", simulations=400):
    return run_search(GO.position(moves), OwnerEvaluator(GO.num_actions), simulations, SETTINGS, seed=3)


@pytest.mark.parametrize("moves", ["c3 c4", "c3 c4 b2"])
def test_it_is_for_the_first_player_whoever_is_to_move(moves):
    position = GO.position(moves)
    found = OwnershipReader(OwnerEvaluator(GO.num_actions)).at(position)
    assert (found.position, found.positions) == (position, 1)
    np.testing.assert_allclose(found.points, of_stones(position), atol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("path", [(), (0,)])
def test_the_mean_counts_each_position_of_the_tree_by_its_visits(path):
    search = searched()
    path = tuple(search.snapshot().moves[i].action for i in path)
    first = GO.position("c3 c4")
    for action in path:
        first = first.play(action)
    picture = most_visited(search, path)
    wanted = search.snapshot(opened=[path]).opened[path].visits if path else search.simulations
    assert len(picture) == min(MOST_POSITIONS, wanted // SIMULATIONS_EACH)
    total, weights = np.zeros(GO.shape), 0
    for place in range(len(picture)):
        below = picture.path_of(place)
        position = first
        for action in below:
            position = position.play(action)
        node = node_at(search.tree, search.root, (*path, *below))
        visits = int(search.tree.visits[search.tree.slot[node]]) if path + below else search.simulations
        if not position.is_over:
            total += visits * of_stones(position)
            weights += visits
    found = OwnershipReader(search.evaluator).mean(first, picture)
    np.testing.assert_allclose(found.points, total / weights, atol=1e-6)
    assert found.positions == sum(not position.is_over for position, _ in positions_in(picture, first)) > 5


def test_ended_games_are_left_out_and_a_position_without_a_node_is_alone():
    position, end = GO.position("pass"), GO.action_names.index("pass")
    settings = SearchSettings(memory_mb=16, prove=False)
    search = run_search(position, OwnerEvaluator(GO.num_actions), 400, settings, only=[end, 0])
    picture = most_visited(search)
    assert picture.child(0, end) > 0
    positions = [position for position, _ in positions_in(picture, search.position)]
    assert len(positions) == len(picture) - picture.terminals.sum() < len(picture)
    assert most_visited(search, (0, 1, 2, 3, 4)) is None
    assert OwnershipReader(search.evaluator).mean(position.play(1), None).positions == 1


def test_a_position_is_asked_about_once_and_in_small_batches():
    search = searched()
    reader, evaluator = OwnershipReader(search.evaluator), search.evaluator
    first = reader.mean(search.position, most_visited(search))
    assert sum(evaluator.batches) == first.positions
    assert max(evaluator.batches) <= 8
    reader.at(search.position)
    again = reader.mean(search.position, most_visited(search))
    assert sum(evaluator.batches) == first.positions
    assert np.array_equal(again.points, first.points)


def test_a_question_that_is_no_longer_wanted_ends_between_batches():
    search = searched()
    assert OwnershipReader(search.evaluator).mean(search.position, most_visited(search), lambda: True) is None
    assert search.evaluator.batches == []


def test_a_search_does_not_ask_for_it_and_says_whether_it_is_there():
    search = searched()
    assert search.evaluator.batches == []
    assert search.snapshot().ownership
    plain = Search(GO.initial(), UniformEvaluator(GO.num_actions), SETTINGS)
    assert not plain.snapshot().ownership


def test_the_same_board_after_other_moves_is_another_question():
    evaluator = OwnerEvaluator(GO.num_actions)
    reader = OwnershipReader(evaluator)
    for moves in ("a1 b2 c3 d4", "c3 d4 a1 b2"):
        reader.at(GO.position(moves))
    assert evaluator.batches == [1, 1]


@pytest.mark.parametrize(
    "points", [np.zeros((1, 4, 5), np.float32), np.full((1, 5, 5), np.nan, np.float32), np.full((1, 5, 5), 1.5)]
)
def test_a_wrong_answer_is_refused(points):
    evaluator = OwnerEvaluator(GO.num_actions)
    evaluator.ownership = lambda planes, features=None: points
    with pytest.raises(ValueError, match="ownership that does not fit the board or is not from -1 to 1"):
        OwnershipReader(evaluator).at(GO.initial())


def test_an_evaluator_without_it_is_refused():
    with pytest.raises(ValueError, match="random games give no ownership"):
        OwnershipReader(None)
    with pytest.raises(ValueError, match="uniform prior, value 0 gives no ownership"):
        OwnershipReader(UniformEvaluator(GO.num_actions))


SMALL = load_game("go(size=5, rules=chinese, komi=0.5)")
# Black has the left, with a white stone at a3; white has the right.
ENDED = "c1 d1 c2 d2 c3 d3 c4 d4 c5 d5 b1 a3 b2 e2 b4 e4 b5 pass a2 pass a4"


class WhiteOwnsAll(HashEvaluator):
    """A net that gives every point to white, and is asked only where the game goes on."""

    gives_ownership = True

    def ownership(self, planes, features=None):
        first_to_move = planes[:, 3:4].max(axis=(1, 2, 3), keepdims=False)
        signs = np.where(first_to_move > 0, -1.0, 1.0)
        return np.broadcast_to(signs[:, None, None], (len(planes), *SMALL.shape)).astype(np.float32)


@pytest.mark.parametrize("passes", ["", " pass", " pass pass"])
def test_by_random_games(passes):
    position = SMALL.position(ENDED + passes)
    assert [SMALL.action_name(cell) for cell in dead_stones(position)] == ["a3"]
    owned = random_ownership(position)
    assert owned.shape == (5, 5)
    assert owned[:, :3].min() > 0.5
    assert owned[:, 3:].max() < -0.5


@pytest.mark.parametrize("passes", ["", " pass", " pass pass"])
def test_by_the_net(passes):
    position = SMALL.position(ENDED + passes)
    blacks = set(np.flatnonzero(position.cells() == 1).tolist())
    assert dead_stones(position, WhiteOwnsAll(SMALL.num_actions)) == blacks
    assert dead_stones(position, HashEvaluator(SMALL.num_actions)) == dead_stones(position)


def test_none_in_a_game_that_is_not_counted():
    assert dead_stones(load_game("tictactoe").position("1 2 3")) == frozenset()
