"""Numbers of boards and games that independent programs have counted; the table names its sources."""

from functools import cache
from pathlib import Path

import numba
import numpy as np
import pytest

from core._jit import jit
from core.games import Position, dispatch, load_game
from core.games.info import LAST
from core.games.perft import perft

TABLE = Path(__file__).parents[2] / "data" / "counts.tsv"

compiled = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="takes minutes interpreted")


def counts(game: str, quantity: str) -> list[int]:
    """The values of one line of the table."""
    rows = [line.split("\t") for line in TABLE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    (found,) = [row[2] for row in rows if row[:2] == [game, quantity]]
    return [int(value) for value in found.split()]


@jit
def children(root, parent, child, lines, legal, keys, longer):
    """Write every child of the positions after ``lines`` int8 [n, ply]: board hash and longer line; their number."""
    number = 0
    for i in range(len(lines)):
        dispatch.copy(parent, root)
        for j in range(lines.shape[1]):
            dispatch.play(parent, int(lines[i, j]))
        for m in range(dispatch.legal(parent, legal)):
            dispatch.copy(child, parent)
            dispatch.play(child, int(legal[m]))
            child.info[LAST] = -1  # boards are counted, however they arose
            keys[number] = dispatch.key(child)
            for j in range(lines.shape[1]):
                longer[number, j] = lines[i, j]
            longer[number, lines.shape[1]] = legal[m]
            number += 1
    return number


def boards_per_ply(text: str, plies: int) -> list[int]:
    """Distinct boards after 0, 1, ... ``plies`` moves, or until none are left."""
    game = load_game(text)
    lines = np.zeros((1, 0), np.int8)
    numbers = []
    while len(lines) and len(numbers) <= plies:
        numbers.append(len(lines))
        capacity = len(lines) * game.num_actions
        keys = np.empty(capacity, np.uint64)
        longer = np.empty((capacity, lines.shape[1] + 1), np.int8)
        legal = np.empty(game.num_actions, np.int16)
        found = children(game.new_state(), game.new_state(), game.new_state(), lines, legal, keys, longer)
        _, first = np.unique(keys[:found], return_index=True)
        lines = longer[first]
    return numbers


def test_tictactoe_boards():
    numbers = boards_per_ply("tictactoe", 9)
    assert numbers == counts("tictactoe", "distinct boards per ply")
    assert [sum(numbers)] == counts("tictactoe", "distinct boards, all")


@pytest.mark.slow
def test_tictactoe_games():
    @cache
    def games(position: Position) -> int:
        return 1 if position.is_over else sum(games(position.play(action)) for action in position.legal_actions())

    start = load_game("tictactoe").initial()
    assert [games(start)] == counts("tictactoe", "games")
    if not numba.config.DISABLE_JIT:
        assert perft(start, 9) == games(start)


def test_tictactoe_classes_under_symmetry():
    game = load_game("tictactoe")
    classes: dict[bytes, bool] = {}
    frontier = [game.initial()]
    while frontier:
        further = []
        for position in frontier:
            cells = position.cells().reshape(-1)
            name = min(game.transform_planes(cells.reshape(3, 3), s).tobytes() for s in range(len(game.symmetries)))
            if name not in classes:
                classes[name] = position.is_over
                further += [position.play(action) for action in position.legal_actions()]
        frontier = further
    unfinished = sum(not over for over in classes.values())
    assert [len(classes), unfinished] == counts("tictactoe", "classes under symmetry, all / not finished")


@compiled
@pytest.mark.parametrize("text", ["connectn(rows=4,cols=3,k=3)", "connect4(rows=4,cols=4,k=4)"])
def test_all_boards_of_a_small_game(text):
    assert [sum(boards_per_ply(text, load_game(text).max_plies))] == counts(text, "distinct boards, all")


def test_connect4_boards():
    plies = 4 if numba.config.DISABLE_JIT else 8
    assert boards_per_ply("connect4", plies) == counts("connect4", "distinct boards per ply")[: plies + 1]


@pytest.mark.parametrize(
    ("text", "number"),
    [("tictactoe", 3), ("connectn(rows=4, cols=4, k=3)", 3), ("gomoku(size=8)", 10), ("gomoku", 36), ("connect4", 4)],
)
def test_first_moves_up_to_symmetry(text, number):
    game = load_game(text)
    assert len({min(game.symmetries[:, action].tolist()) for action in range(game.num_actions)}) == number


def test_othello_lines_of_play():
    """``counts`` begins with depth 1."""
    position = load_game("othello").initial()
    depth = 4 if numba.config.DISABLE_JIT else 9
    expected = counts("othello", "perft, a pass is a ply, an early end one leaf")[:depth]
    assert [perft(position, plies) for plies in range(1, depth + 1)] == expected


def test_connect4_lines_of_play():
    position = load_game("connect4").initial()
    depth = 4 if numba.config.DISABLE_JIT else 9
    expected = counts("connect4", "perft, an early end one leaf")[:depth]
    assert [perft(position, plies) for plies in range(1, depth + 1)] == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "depth"),
    [
        ("tictactoe", 6),
        ("connect4", 4),
        ("othello(size=4)", 8),
        ("othello(size=6, passes=no)", 5),
        ("othello(size=10)", 2),
        ("nim(heaps=3-4-5)", 6),
        ("gomoku(size=6, rule=renju)", 2),
    ],
)
def test_lines_of_play_are_those_of_single_positions(text, depth):
    if numba.config.DISABLE_JIT:
        depth = min(depth, 5)

    @cache
    def lines(position: Position, plies: int) -> int:
        if plies == 0 or position.is_over:
            return 1
        return sum(lines(position.play(action), plies - 1) for action in position.legal_actions())

    start = load_game(text).initial()
    assert [perft(start, plies) for plies in range(depth + 1)] == [lines(start, plies) for plies in range(depth + 1)]


def test_perft_of_a_finished_game_and_of_no_depth():
    over = load_game("tictactoe").position("a1 b1 a2 b2 a3")
    assert (perft(over, 0), perft(over, 3)) == (1, 1)
    with pytest.raises(ValueError, match="depth is -1; it must be at least 0"):
        perft(over, -1)


def test_nim_is_lost_exactly_where_the_nim_sum_is_zero():
    @cache
    def wins(position: Position) -> bool:
        return any(not wins(position.play(action)) for action in position.legal_actions())

    position = load_game("nim(heaps=20)").initial()
    while not position.is_over:
        left = int(position.cells().sum())
        assert wins(position) == (left % 4 != 0)
        winning = [action for action in position.legal_actions() if not wins(position.play(action))]
        assert winning == ([left % 4 - 1] if left % 4 else [])
        position = position.play(0)
    heaps = load_game("nim(heaps=3-4-5)")
    for action in range(heaps.num_actions):
        for position in (heaps.initial(), heaps.initial().play(0)):
            if action in position.legal_actions():
                left = position.play(action).cells().sum(axis=1).tolist()
                assert wins(position.play(action)) == (left[0] ^ left[1] ^ left[2] != 0)
