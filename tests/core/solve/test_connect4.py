"""The Connect Four solver against benchmark scores, plain minimax and the generic minimax."""

import random
from itertools import islice
from pathlib import Path

import numba
import numpy as np
import pytest

from core.games import load_game
from core.solve import Solver, solve
from core.solve.connect4 import Connect4Solver, boards
from core.solve.connect4_search import _keep, _mirror
from core.solve.minimax import MinimaxSolver
from core.solve.solution import OutOfTime, Watch
from tests.core.solve import plain

DATA = Path(__file__).parents[2] / "data" / "connect4"
INTERPRETED = bool(numba.config.DISABLE_JIT)
compiled = pytest.mark.skipif(INTERPRETED, reason="takes minutes interpreted")


def benchmark(name, number):
    """The first positions of a set with their scores."""
    game = load_game("connect4")
    with (DATA / name).open(encoding="ascii") as lines:
        for line in islice(lines, number):
            moves, score = line.split()
            yield game.position(" ".join(moves)), int(score)


def answers(solution):
    return [(move.action, move.value, move.distance) for move in solution.moves]


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("Test_L3_R1", 1000),
        ("Test_L2_R1", 1000),
        ("Test_L2_R2", 100),
        ("Test_L1_R1", 100),
        ("Test_L1_R2", 4),
    ],
)
def test_benchmark_scores(name, number):
    if INTERPRETED:
        if name != "Test_L3_R1":
            pytest.skip("takes minutes interpreted")
        number = 60
    solver = Connect4Solver()
    solved = 0
    for position, score in benchmark(name, number):
        assert solver.score(position) == score, position
        solved += 1
    assert solved == number


def test_sign_only_scores_are_signs():
    solver = Connect4Solver()
    for position, score in benchmark("Test_L3_R1" if INTERPRETED else "Test_L2_R1", 50):
        assert solver.score(position, sign_only=True) == np.sign(score)


def test_every_move_of_late_positions():
    solver = Solver(load_game("connect4"))
    late = [position for position, _ in benchmark("Test_L3_R1", 1000) if position.ply >= 35]
    assert len(late) > 100
    for position in late[:: 20 if INTERPRETED else 4]:
        seen = {}
        found = solver.solve(position)
        assert answers(found) == plain.move_worths(position, seen)
        assert (found.value, found.distance) == plain.worth(position, seen)


def test_distance_of_the_benchmark():
    """The score counts the winner's discs left, 1 more; the distance says with which disc the game ends."""
    solver = Solver(load_game("connect4"))
    for position, score in benchmark("Test_L3_R1", 20 if INTERPRETED else 200):
        found = solver.solve(position)
        last = position.ply + found.distance
        if score == 0:
            assert (found.value, last) == (0, 42)
        else:
            assert found.value == np.sign(score)
            assert found.distance % 2 == (score > 0)
            assert abs(score) == 1 + 21 - (last + 1) // 2


@pytest.mark.parametrize(("rows", "cols"), [(4, 4), (4, 5), (5, 4), (3, 7), (2, 10)])
def test_scores_on_other_boards_agree_with_plain_search(rows, cols):
    game = load_game(f"connect4(rows={rows}, cols={cols})")
    rng = random.Random(rows)
    solver = Solver(game)
    seen = {}
    for _ in range(5 if INTERPRETED else 30):
        position = plain.random_position(game, rows * cols - rng.randint(4, 9), rng)
        found = solver.solve(position)
        assert answers(found) == plain.move_worths(position, seen), position.diagram()
        assert (found.value, found.distance) == plain.worth(position, seen)


@pytest.mark.slow
@compiled
@pytest.mark.parametrize(("rows", "cols"), [(4, 4), (4, 5), (5, 4)])
def test_whole_small_games_by_both_solvers(rows, cols):
    game = load_game(f"connect4(rows={rows}, cols={cols})")
    for moves in ("", "b", "a b"):
        position = game.position(moves)
        assert answers(MinimaxSolver(game).solve(position, Watch())) == answers(solve(position))


@compiled
@pytest.mark.parametrize(("rows", "cols"), [(14, 4), (3, 15), (6, 8), (8, 7), (7, 8), (3, 16), (15, 4)])
def test_boards_of_many_bits(rows, cols):
    """Nearly full boards of up to 64 bits against plain minimax."""
    game = load_game(f"connect4(rows={rows}, cols={cols})")
    rng = random.Random(cols)
    solver = Solver(game)
    for _ in range(5):
        position = plain.random_position(game, rows * cols - 9, rng)
        assert answers(solver.solve(position)) == plain.move_worths(position, {})


def test_mirror_image_of_a_key():
    game = load_game("connect4(rows=4, cols=5)")
    rng = random.Random(3)
    for _ in range(20):
        position = plain.random_position(game, 8, rng)
        image = game.position(" ".join("abcde"[4 - action] for action in position.moves))
        (mover, filled), (other, others) = boards(position), boards(image)
        assert _mirror(mover + filled, 5, 5) == other + others


def test_table_merges_bounds_and_keeps_the_larger_subtree():
    table = np.zeros(4, np.int64)
    _keep(table, 0, 7, -3, 5, 31, 1000)
    _keep(table, 0, 7, -1, 9, 2, 10)  # the same position: the sharper of each bound
    _keep(table, 0, 8, 0, 0, 1, 5)
    _keep(table, 0, 9, 1, 1, 3, 6)
    entries = {int(entry) >> 22: int(entry) for entry in table if entry != 0}
    assert set(entries) == {7, 9}
    assert ((entries[7] >> 16) & 63) - 32 == -1
    assert ((entries[7] >> 10) & 63) - 32 == 5
    assert (entries[7] >> 5) & 31 == 2


@compiled
def test_cancelled_between_slices():
    asked = []
    received = []

    def should_stop():
        asked.append(True)
        return len(asked) == 5

    assert solve(load_game("connect4").initial(), should_stop=should_stop, progress=received.append) is None
    assert len(asked) == len(received) == 5
    assert received == sorted(set(received))


@compiled
def test_no_solution_without_time():
    assert solve(load_game("connect4").initial(), seconds=0.0) is None


@compiled
def test_value_without_distances():
    """When the time ends between signs and scores, the value stands and the distances are unknown."""
    position = load_game("connect4").position("d d d d d b b c b c c")
    solver = Connect4Solver()
    whole = solver.solve(position, Watch())

    class Until(Watch):
        allowed = 0.0

        def check(self, nodes=0):
            super().check(nodes)
            if self.nodes > self.allowed:
                raise OutOfTime

    kinds = set()
    for share in (0.0, 0.2, 0.4, 0.6, 0.8, 0.95):
        watch = Until()
        watch.allowed = whole.nodes * share
        found = Connect4Solver().solve(position, watch)
        if found is None:
            kinds.add("nothing")
            continue
        kinds.add("value" if found.distance is None else "all")
        assert found.value == whole.value
        assert found.distance in (None, whole.distance)
        for move, truth in zip(found.moves, whole.moves, strict=True):
            assert move.value in (None, truth.value)
            assert move.distance in (None, truth.distance)
    assert {"nothing", "value"} <= kinds
