"""Minimax in kernels against minimax in plain Python, and against the known values of m,n,k games."""

import random
import re
from pathlib import Path

import numba
import numpy as np
import pytest

from core.games import load_game
from core.solve import Solver, solve
from core.solve.minimax import MinimaxSolver
from core.solve.slices import Monitor
from tests.core import exact
from tests.core.solve import plain

COUNTS = Path(__file__).parents[2] / "data" / "counts.tsv"
INTERPRETED = bool(numba.config.DISABLE_JIT)
compiled = pytest.mark.skipif(INTERPRETED, reason="takes minutes interpreted")


def answers(solution):
    return [(move.action, move.value, move.distance) for move in solution.moves]


def mnk_games(quantity):
    """The games of one line of the table: rows x cols, k."""
    rows = [line.split("\t") for line in COUNTS.read_text(encoding="utf-8").splitlines()]
    (values,) = [row[2] for row in rows if row[:2] == ["mnk value", quantity]]
    games = [tuple(map(int, game)) for game in re.findall(r"([0-9]+),([0-9]+),([0-9]+)", values)]
    if INTERPRETED:
        return [game for game in games if game[0] * game[1] <= 12]
    return [game for game in games if game[0] * game[1] <= 18 or game == (5, 4, 4)]


def text(m, n, k):
    return f"connectn(rows={m}, cols={n}, k={k})"


def test_every_class_of_tictactoe():
    solver = Solver(load_game("tictactoe"))
    seen = {}
    positions = exact.unfinished_classes()
    assert len(positions) == 627
    for position in positions[::1]:
        found = solver.solve(position)
        assert answers(found) == plain.move_worths(position, seen)
        assert (found.value, found.distance) == plain.worth(position, seen)
        assert set(found.best) == {
            action for action, *worth in answers(found) if worth == [found.value, found.distance]
        }


@pytest.mark.parametrize(
    ("game_text", "left"),
    [
        (text(4, 3, 3), 9),
        pytest.param(text(4, 3, 4), 9, marks=pytest.mark.slow),
        (text(4, 4, 3), 8),
        pytest.param(text(4, 4, 4), 8, marks=pytest.mark.slow),
        (text(3, 5, 3), 8),
        ("gomoku(size=5)", 8),
        pytest.param("gomoku(size=6, rule=standard)", 7, marks=pytest.mark.slow),
        pytest.param("connect4(rows=4, cols=4, k=3)", 9, marks=pytest.mark.slow),
        ("connect4(rows=4, cols=5, k=5)", 9),
        ("connect4(rows=5, cols=3, k=2)", 11),
    ],
)
def test_random_positions(game_text, left):
    game = load_game(game_text)
    rng = random.Random(5)
    solver = Solver(game)
    seen = {}
    for _ in range(4 if INTERPRETED else 25):
        plies = max(game.max_plies - rng.randint(max(left - 4, 1), left), 0)
        position = plain.random_position(game, min(plies, 3 if game.params.get("k") == 2 else plies), rng)
        found = solver.solve(position)
        assert answers(found) == plain.move_worths(position, seen), position.diagram()
        assert (found.value, found.distance) == plain.worth(position, seen)


@pytest.mark.slow
def test_renju():
    """Forbidden moves, and draws before the board is full, whose length is not sought."""
    game = load_game("gomoku(size=6, rule=renju)")
    rng = random.Random(7)
    solver = Solver(game)
    for _ in range(2 if INTERPRETED else 12):
        position = plain.random_position(game, 29, rng)
        expected = [(a, v, d if v else None) for a, v, d in plain.move_worths(position, {})]
        assert answers(solver.solve(position)) == expected, position.diagram()


@pytest.mark.slow
@pytest.mark.parametrize("left", [5, 8])
def test_solving_without_line_knowledge(left):
    """As games are searched of which nothing is known: by mobility, and with a look at every move's result."""
    game = load_game(text(3, 4, 3))
    solver = MinimaxSolver(game)
    solver.rules = solver.rules._replace(lines=False, free=False, mobility=True)
    rng = random.Random(6)
    seen = {}
    for _ in range(4 if INTERPRETED else 20):
        position = plain.random_position(game, game.max_plies - left, rng)
        assert answers(solver.solve(position, Monitor())) == plain.move_worths(position, seen)


@pytest.mark.parametrize(("m", "n", "k"), mnk_games("first player wins"))
def test_mnk_wins(m, n, k):
    found = solve(load_game(text(m, n, k)).initial())
    assert found.value == 1
    turned = solve(load_game(text(n, m, k)).initial())
    assert (turned.value, turned.distance) == (1, found.distance)


@pytest.mark.parametrize(
    ("m", "n", "k"), [pytest.param(*game, marks=[pytest.mark.slow] * (game == (5, 4, 4))) for game in mnk_games("draw")]
)
def test_mnk_draws(m, n, k):
    found = solve(load_game(text(m, n, k)).initial())
    assert (found.value, found.distance) == (0, m * n)
    assert all(move.value is not None for move in found.moves)


@pytest.mark.parametrize("game_text", [text(4, 3, 3), text(4, 4, 3)])
def test_symmetric_positions_have_the_same_value(game_text):
    game = load_game(game_text)
    found = {move.action: (move.value, move.distance) for move in solve(game.initial()).moves}
    for image in game.symmetries:
        assert all(found[action] == found[int(image[action])] for action in found)


@pytest.mark.slow
def test_late_position_of_a_large_board():
    """19x19 with a corner left: lines of the full part do not matter, and the table's keys depend on all cells."""
    size = 19
    # Pairs in each row, shifted by one from row to row: nowhere three in line.
    cells = np.array([[1 + (col // 2 + row) % 2 for col in range(size)] for row in range(size)])
    cells[:3, :3] = 0
    while (cells == 1).sum() - (cells == 2).sum() not in (0, 1):
        surplus = 1 if (cells == 1).sum() > (cells == 2).sum() else 2
        row, col = np.argwhere(cells == surplus)[-1]
        cells[row, col] = 0
    game = load_game("gomoku(size=19)")
    diagram = "\n".join(" ".join(".XO"[cell] for cell in row) for row in cells)
    position = game.parse_diagram(diagram)
    found = solve(position)
    expected = plain.move_worths(position, {})
    assert answers(found) == expected


def test_finished_position():
    position = load_game("tictactoe").position("0 3 1 4 2")
    found = solve(position)
    assert (found.value, found.distance, found.moves) == (-1, 0, ())


def test_large_positions_are_refused():
    with pytest.raises(ValueError, match=r"position of gomoku has 225 empty cells, exact solving is offered up to"):
        solve(load_game("gomoku").initial())


def test_a_position_of_another_game_is_refused():
    with pytest.raises(ValueError, match="the solver of tictactoe was given a position of connect4"):
        Solver(load_game("tictactoe")).solve(load_game("connect4").initial())


@compiled
def test_cancelled_between_slices():
    asked = []
    received = []

    def should_stop():
        asked.append(True)
        return len(asked) == 4

    found = solve(load_game(text(5, 4, 4)).initial(), should_stop=should_stop, progress=received.append)
    assert found is None
    assert len(asked) == len(received) == 4
    assert received == sorted(received)
    assert received[-1] < 50_000


@compiled
def test_answer_after_a_cancelled_one():
    """What a cancelled search left behind does no harm."""
    game = load_game(text(4, 4, 4))
    solver = Solver(game)
    stops = iter([False, True])
    assert solver.solve(game.initial(), should_stop=lambda: next(stops)) is None
    position = game.position("5 0 10 15 6 9 1")
    assert answers(solver.solve(position)) == plain.move_worths(position, {})
