"""Exact differences of discs against plain minimax and against the FFO suite, with and without passes."""

import random
from pathlib import Path

import numba
import numpy as np
import pytest

from core.games import Position, load_game
from core.solve import Solver, solve
from core.solve.othello import OthelloSolver
from core.solve.othello_last import make_rules, stable_discs
from core.solve.solution import Watch

INTERPRETED = bool(numba.config.DISABLE_JIT)
FFO = Path(__file__).parents[2] / "data" / "othello" / "ffo.txt"
BOARDS = ("othello(size=4)", "othello(size=4, passes=no)", "othello(size=6)", "othello", "othello(passes=no)")


def ffo_positions():
    """Yield the number, the position and the score for the side to move of each line of the file."""
    for line in FFO.read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            number, board, side, score = line.split()
            rows = [" ".join(board[at : at + 8]).replace("-", ".") for at in range(0, 64, 8)]
            yield int(number), load_game("othello").parse_diagram("\n".join([*rows, f"{side} to move"])), int(score)


def late_positions(game, empties, number):
    rng = random.Random(empties)
    while number:
        position = game.initial()
        while not position.is_over and np.count_nonzero(position.cells() == 0) > empties:
            position = position.play(rng.choice(position.legal_actions()))
        if not position.is_over:
            number -= 1
            yield position


def plain_score(position: Position, seen: dict[object, int]) -> int:
    """Discs more at the end under best play; empty cells are the winner's."""
    discs = position.cells()
    mine, theirs = (int(np.count_nonzero(discs == 1 + side)) for side in (position.to_move, 1 - position.to_move))
    if position.is_over:
        return int(mine != theirs) * (discs.size - 2 * theirs if mine > theirs else 2 * mine - discs.size)
    key = (discs.tobytes(), position.to_move)
    if key not in seen:
        seen[key] = max(-plain_score(position.play(action), seen) for action in position.legal_actions())
    return seen[key]


@pytest.mark.parametrize("text", BOARDS)
def test_late_positions(text):
    game = load_game(text)
    solver = Solver(game)
    seen: dict[object, int] = {}
    deepest = 4 if INTERPRETED else 8 if game.shape == (4, 4) else 7
    for empties, number in ((1, 4), (2, 4), (3, 4), (4, 2), (5, 1), (deepest, 1)):
        for position in late_positions(game, empties, number):
            found = solver.solve(position)
            assert found is not None
            expected = [(a, -plain_score(position.play(a), seen)) for a in position.legal_actions()]
            assert [(move.action, move.score) for move in found.moves] == expected, position.diagram()
            best = max(score for _, score in expected)
            assert (found.score, found.value) == (best, int(np.sign(best)))
            assert found.best == tuple(action for action, score in expected if score == best)


@pytest.mark.skipif(INTERPRETED, reason="minutes when interpreted")
def test_the_ffo_suite_up_to_sixteen_empty_cells():
    solver = OthelloSolver()
    for number, position, score in ffo_positions():
        if number < 20:
            assert solver.score(position) == score, number


@pytest.mark.skipif(INTERPRETED, reason="minutes when interpreted")
def test_scores_stay_along_the_published_best_line():
    position, score = next((one, points) for number, one, points in ffo_positions() if number == 40)
    for name in ["a2", "b1", "c1", "pass", "b6", "c7", "a7"]:
        position = position.play(position.game.parse_action(name))
        score = -score
    assert OthelloSolver().score(position) == score


def test_stable_discs_are_never_turned():
    rules = make_rules(6, True)
    game = load_game("othello(size=6)")
    for position in late_positions(game, 6, 3):
        discs = position.state.boards
        few = stable_discs(discs[0], discs[1], rules)
        rng, least = random.Random(0), 36
        for _ in range(20):
            after = position
            while not after.is_over:
                after = after.play(rng.choice(after.legal_actions()))
            least = min(least, int(np.count_nonzero((position.cells() == 1) & (after.cells() == 1))))
        assert few <= least
    full = np.uint64(2**64 - 1)
    assert stable_discs(full, np.uint64(0), make_rules(8, True)) == 64


def test_bounds_narrow_and_a_stopped_search_says_nothing():
    game = load_game("othello(size=6)")
    position = next(late_positions(game, 7 if INTERPRETED else 10, 1))
    told = []
    found = solve(position, interim=told.append)
    assert found is not None
    assert (told[-1].low, told[-1].high) == (found.score, found.score)
    widths = [one.high - one.low for one in told]
    assert widths == sorted(widths, reverse=True)
    assert told[-1].best in found.best
    assert all(one.solution is None or one.solution.value == found.value for one in told)
    assert solve(position, should_stop=lambda: True) is None


def test_what_time_leaves_unknown_has_bounds():
    position = next(late_positions(load_game("othello(size=6)"), 6 if INTERPRETED else 10, 1))
    ends = iter([False] * 4)
    watch = Watch()
    watch.interim = lambda one: setattr(watch, "seconds", None if next(ends, True) is False else 0.0)
    found = OthelloSolver(6).solve(position, watch)
    assert found is not None
    assert any(move.score is None for move in found.moves)
    exact = solve(position)
    for move, known in zip(found.moves, exact.moves, strict=True):
        assert move.bounds[0] <= known.score <= move.bounds[1]


def test_large_positions_are_refused():
    with pytest.raises(ValueError, match="position of othello has 60 empty cells, exact solving is offered up to"):
        solve(load_game("othello").initial())
