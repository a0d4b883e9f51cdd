"""Connect Four on boards of 63 and 64 bits: what is computed on words, against lines found cell by cell."""

import random
from typing import Any

import numpy as np
import pytest

from core._jit import jit
from core.games import dispatch, load_game
from core.games.connect4 import winning_cells
from core.games.info import LAST, RESULT
from core.games.lines import line_cells
from core.rng import make_rng
from core.solve.connect4 import Connect4Solver, boards
from core.solve.connect4_search import _bucket, _find, _hash, _keep
from core.solve.connect4_search import winning_cells as solver_cells
from core.solve.count import _expand

BOARDS = [(7, 8, 4), (8, 7, 4), (3, 16, 4), (15, 4, 4), (7, 8, 5), (3, 16, 3)]


@jit
def cells_that_win(discs, inside, height, k):
    return winning_cells(discs, inside, height, k)


@jit
def roll(state, rng, spare, tactical):
    return dispatch.tactical_rollout(state, rng, spare) if tactical else dispatch.rollout(state, rng)


@jit
def hash_of(mover, filled, ply, shape):
    return _hash(mover, filled, ply, shape)[0]


def late_positions(game, number, seed):
    """Unfinished positions after random moves, from half full to nearly full."""
    choose = random.Random(seed)
    cells = game.shape[0] * game.shape[1]
    found = []
    while len(found) < number:
        position, plies = game.initial(), choose.randint(cells // 3, cells - 2)
        while position.ply < plies and not position.is_over:
            position = position.play(choose.choice(position.legal_actions()))
        if not position.is_over:
            found.append(position)
    return found


def bit(cell, rows, cols):
    return 1 << (cell % cols * (rows + 1) + rows - 1 - cell // cols)


@pytest.mark.parametrize(("rows", "cols", "k"), BOARDS)
def test_winning_cells_are_those_that_complete_a_line(rows, cols, k):
    inside = sum(bit(cell, rows, cols) for cell in range(rows * cols))
    found = 0
    for seed in range(6):
        rng = np.random.default_rng(seed)
        cells = rng.choice((1, 2), (rows, cols), p=(0.6, 0.4)).astype(np.int8)
        cells[np.arange(rows)[:, None] < rng.integers(0, rows + 1, cols)] = 0
        discs = sum(bit(cell, rows, cols) for cell in np.flatnonzero(cells == 1).tolist())
        filled = sum(bit(cell, rows, cols) for cell in np.flatnonzero(cells).tolist())
        expected = 0
        for cell in np.flatnonzero(cells == 0).tolist():
            after = cells.copy()
            after.flat[cell] = 1
            if cell in line_cells(after, k, 1):
                expected |= bit(cell, rows, cols)
        assert cells_that_win(discs, inside, rows + 1, k) & ~filled == expected
        if k == 4:
            assert solver_cells(discs, filled, rows + 1, inside) == expected
        found += expected.bit_count()
    assert found


@pytest.mark.parametrize("tactical", [False, True])
@pytest.mark.parametrize(("rows", "cols", "k"), [(7, 8, 4), (3, 16, 4), (15, 4, 4)])
def test_rollouts_end_in_boards_of_the_game(rows, cols, k, tactical):
    """A board set up again by hand has the same result, which is found cell by cell."""
    game = load_game(f"connect4(rows={rows}, cols={cols}, k={k})")
    rng = make_rng(3)
    results = set()
    for position in late_positions(game, 8, seed=5):
        state = position.state
        result = roll(state, rng, game.new_spare(), tactical)
        cells = game.board.cells(state)
        again = game.board.from_cells(cells, None, int(state.info[LAST]))
        assert result == int(again.info[RESULT]) != dispatch.ONGOING
        assert (again.boards == state.boards).all()
        assert (again.boards >= 0).all()
        results.add(result)
    assert len(results) > 1


@pytest.mark.parametrize(("rows", "cols"), [(7, 8), (3, 16), (8, 7)])
def test_the_solvers_hash_tells_positions_apart(rows, cols):
    game = load_game(f"connect4(rows={rows}, cols={cols})")
    solver = Connect4Solver(rows, cols)
    shape = solver.shape
    entries = 1 << (64 - 22)
    seen = {}
    for position in late_positions(game, 40, seed=2):
        mover, filled = boards(position)
        hashed = hash_of(mover, filled, position.ply, shape)
        bucket, rest = _bucket(hashed, shape), hashed & ((1 << shape.shift) - 1)
        assert 0 <= bucket < len(solver.table) - 1
        assert 0 <= rest < entries
        assert seen.setdefault((bucket, rest), (mover, filled)) == (mover, filled)
    assert len(seen) > 30


def test_an_entry_may_use_all_bits_of_a_word():
    table = np.zeros(2, np.int64)
    rest: Any = np.int64((1 << 42) - 1)
    _keep(table, 0, rest, -3, 5, 4, 10)
    assert table[0] < 0
    known = int(_find(table, 0, rest))
    assert known != 0
    assert _find(table, 0, rest >> 1) == 0
    _keep(table, 0, rest, -1, 9, 31, 1)
    merged = int(_find(table, 0, rest))
    assert [((merged >> 16) & 63) - 32, ((merged >> 10) & 63) - 32, (merged >> 5) & 31] == [-1, 5, 4]


def test_a_full_last_column_is_read_from_its_code():
    """Of X O X in the last column of 3x16, whose code uses bit 63, 15 boards follow."""
    game = load_game("connect4(rows=3, cols=16)")
    mover, filled = boards(game.position("p p p"))
    code = np.array([mover + filled]).astype(np.uint64).view(np.int64)
    assert code[0] < 0
    found = np.zeros(64, np.int64)
    assert _expand(code, 0, 1, found, 3, np.array([3, 16, 4, 1], np.int64)) == 15
    after = [boards(game.position("p p p").play(action)) for action in range(15)]
    assert sorted(found[found != 0].view(np.uint64).tolist()) == sorted(mover + filled for mover, filled in after)
