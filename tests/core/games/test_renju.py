"""Renju's fouls: positions whose verdict is known, and the kernel against the slow reference on dense boards."""

import random

import numpy as np
import pytest

from core._jit import jit
from core.games import IllegalMove, load_game, renju, renju_fouls
from core.games.dispatch import DRAW
from core.games.info import RESULT
from tests.core.games.reference_renju import stones_of

SIZE = 15
TOP, LEFT = 4, 3  # where a case's first row and column lie on the board

# What a black stone on the star would be, "" for no foul.
CASES = {
    "two open threes": ("double three", "...X", "...X", ".XX*"),
    "two broken threes": ("double three", "...X", "....", "...X", "X.X*"),
    "three threes": ("double three", "...X.X", "...XX.", ".XX*.."),
    "a three and a two": ("", "...X", "....", ".XX*"),
    "a three closed on one side": ("", "...X", "...X", "OXX*"),
    "a three with room for a closed four only": ("", "....X..", "....X..", "O.XX*.O"),
    "a four and a three": ("", "...X", "...X", "XXX*"),
    "a straight four counts once": ("", "XXX*"),
    "two fours cross": ("double four", "...X", "...X", "...X", "XXX*"),
    "two fours, closed on one side": ("double four", "...O", "...X", "...X", "...X", "XXX*"),
    "two fours in one line, ones at the ends": ("double four", "X.X*X.X"),
    "two fours in one line, twos at the ends": ("double four", "XX.X*.XX"),
    "two fours in one line, threes at the ends": ("double four", "XXX.*.XXX"),
    "the second four of a line would be six": ("", "XX.X*.XXX"),
    "four stones that can only become six are no four": ("", ".....X.", ".....X.", ".....X.", "XX.XX*O"),
    "six": ("overline", "XXX*XX"),
    "seven": ("overline", "XXX*XXX"),
    "five": ("", "XX*XX"),
    "five beats six": ("", "...X..", "...X..", "...X..", "...X..", "XXX*XX"),
    "five beats two threes": ("", "....X.X", "....XX.", "XXXX*..", "......."),
    "no straight four, as either end would make six": ("", ".....X...", ".....X...", "X..XX*..X"),
    "a straight four on one side is enough": ("double three", ".....X", ".....X", "X..XX*"),
    "the only straight four is an overline": (
        "",
        ".....X..",
        "....XX..",
        "....XX..",
        "O.XX*..O",
        ".....X..",
        ".....X..",
    ),
    "the only straight four makes a five": ("", "....XX..", "....XX..", "O.XX*..O", ".....X..", ".....X.."),
    "the only straight four is legal": ("double three", "....XX..", "....XX..", "O.XX*..O"),
    "the only straight four is a double three": ("", "....XX.X", "....XXX.", "O.XX*..O"),
    "the only straight four is a double three, but one of those is closed": (
        "double three",
        "........O",
        "....XX.X.",
        "....XXX..",
        "O.XX*..O.",
    ),
}


def case_board(rows: tuple[str, ...]) -> tuple[np.ndarray, int]:
    """The board int8 [15, 15] of a case, and the action of its star."""
    cells = np.zeros((SIZE, SIZE), np.int8)
    star = -1
    for row, text in enumerate(rows, TOP):
        for col, symbol in enumerate(text, LEFT):
            cells[row, col] = {".": 0, "*": 0, "X": 1, "O": 2}[symbol]
            if symbol == "*":
                star = row * SIZE + col
    return cells, star


@pytest.mark.parametrize("name", CASES)
def test_known_positions(name):
    expected, *rows = CASES[name]
    cells, star = case_board(tuple(rows))
    for symmetry in load_game("gomoku").symmetries:
        turned = np.empty_like(cells)
        turned.flat[symmetry] = cells.flat
        action = int(symmetry[star])
        assert stones_of(turned.tolist()).foul((action // SIZE, action % SIZE)) == (expected or None)
        assert renju_fouls.FOULS.get(renju.foul(renju.make_state(turned, 0, -1), action), "") == expected


def balanced(cells: np.ndarray) -> np.ndarray:
    """The board with white stones in far places until black is to move."""
    cells = cells.copy()
    ring = [*range(0, SIZE, 2), *range(SIZE * (SIZE - 1), SIZE * SIZE, 2), *range(2 * SIZE, SIZE * SIZE, 2 * SIZE)]
    for cell in ring:
        if (cells == 1).sum() <= (cells == 2).sum():
            return cells
        cells.flat[cell] = cells.flat[cell] or 2
    raise AssertionError


@pytest.mark.parametrize("name", [name for name, (expected, *_) in CASES.items() if expected])
def test_fouls_are_illegal_for_black_and_named(name):
    expected, *rows = CASES[name]
    cells, star = case_board(tuple(rows))
    game = load_game("gomoku(rule=renju)")
    position = Board(balanced(cells), 0).position()
    assert position.forbidden()[star] == expected
    assert star not in position.legal_actions()
    assert set(position.legal_actions()) | set(position.forbidden()) == set(np.flatnonzero(position.cells() == 0))
    with pytest.raises(IllegalMove, match=f"{game.action_name(star)}.*it is a foul, {expected}"):
        position.play(star)
    # The same stones in white know no fouls, and neither does the free game.
    white = Board(np.array([0, 2, 1], np.int8)[balanced(cells)], 1).position()
    assert white.forbidden() == {}
    assert star in white.legal_actions()
    free = load_game("gomoku").parse_diagram(position.diagram())
    assert free.forbidden() == {}
    assert star in free.legal_actions()


class Board:
    """A board as a Renju position with the given side to move."""

    def __init__(self, cells: np.ndarray, to_move: int) -> None:
        self.cells = cells
        self.to_move = to_move

    def position(self):
        cells = self.cells
        if self.to_move == 1:  # one black stone more
            cells = cells.copy()
            cells[SIZE - 2, SIZE - 2] = 1
        rows = "\n".join("".join(".XO"[cell] for cell in row) for row in cells.tolist())
        return load_game("gomoku(rule=renju)").parse_diagram(f"{rows}\n{'XO'[self.to_move]} to move")


@jit
def verdicts(state, out):
    """What a black stone would be on every empty point."""
    for action in range(len(out)):
        if state.cells[action] == 0:
            out[action] = renju.foul(state, action)


@pytest.mark.slow
def test_dense_boards_agree_with_the_reference():
    choose = random.Random(3)
    seen: dict[str | None, int] = {}
    nested = 0
    for number in range(48):
        size = (8, 10, 12)[number % 3]
        black, white = choose.uniform(0.15, 0.4), choose.uniform(0.0, 0.2)
        cells = np.array([choose.choices((0, 1, 2), (1 - black - white, black, white))[0] for _ in range(size * size)])
        board = cells.astype(np.int8).reshape(size, size)
        state = renju.make_state(board, 0, -1)
        lines = state.lines.copy()
        out = np.full(size * size, -1, np.int64)
        verdicts(state, out)
        assert np.array_equal(state.lines, lines)
        stones = stones_of(board.tolist())
        naive = stones_of(board.tolist())
        naive.naive = True
        for action in np.flatnonzero(cells == 0).tolist():
            point = (action // size, action % size)
            expected = stones.foul(point)
            assert renju_fouls.FOULS.get(int(out[action])) == expected
            seen[expected] = seen.get(expected, 0) + 1
            nested += naive.foul(point) != expected
    assert min(seen[verdict] for verdict in (None, *renju_fouls.FOULS.values())) >= 20
    assert nested >= 20  # points on which it matters whether a three is real


def test_black_wins_with_exactly_five_and_white_with_more():
    game = load_game("gomoku(rule=renju)")
    row = "a1 a3 b1 b3 c1 c3 e1 e3 f1"
    black = game.position(row)
    assert black.play(game.parse_action("f3")).forbidden() == {game.parse_action("d1"): "overline"}
    white = black.play(game.parse_action("f3")).play(game.parse_action("h8")).play(game.parse_action("d3"))
    assert white.returns == (-1, 1)
    assert len(white.winning_cells) == 6
    five = game.position("a1 a3 b1 b3 c1 c3 e1 e3 d1")
    assert five.returns == (1, -1)
    assert [game.action_name(cell) for cell in five.winning_cells] == ["a1", "b1", "c1", "d1", "e1"]


def test_standard_gomoku_needs_exactly_five_of_both():
    game = load_game("gomoku(rule=standard)")
    six = game.position("a1 a3 b1 b3 c1 c3 e1 e3 f1 f3 d1 d3")
    assert not six.is_over
    assert six.winning_cells == ()
    assert game.parse_diagram(six.diagram()) == six
    assert game.position("a1 a3 b1 b3 c1 c3 e1 e3 d1").returns == (1, -1)
    assert game.position("a1 a3 b1 b3 c1 c3 e1 e3 h8 d3").returns == (-1, 1)
    # A five that crosses a six wins.
    both = game.position("a1 b9 b1 d9 c1 f9 e1 h9 f1 j9 d2 b11 d3 d11 d4 f11 d5 h11 d1")
    assert both.returns == (1, -1)
    assert [game.action_name(cell) for cell in both.winning_cells] == ["d5", "d4", "d3", "d2", "d1"]


def test_a_game_in_which_black_has_only_fouls_left_is_a_draw():
    cells = np.array([[1, 1, 1, 0, 1, 1], *[[2, 1, 2, 2, 1, 2], [1, 2, 1, 1, 2, 1]] * 2, [2, 1, 2, 2, 1, 2]], np.int8)
    game = load_game("gomoku(size=6, rule=renju)")
    state = renju.make_state(cells, int(np.count_nonzero(cells)) // 2 * 2, -1)
    renju.settle(state)
    assert state.info[RESULT] == DRAW
    assert renju.foul(state, 3) == renju_fouls.OVERLINE
    assert game.board.forbidden(state) == {3: "overline"}


def test_an_overline_of_black_is_refused_unless_he_has_won():
    game = load_game("gomoku(size=6, rule=renju)")
    with pytest.raises(ValueError, match="X has six or more in a row, which is a foul"):
        game.parse_diagram("XXXXXX\nOOO.O.\nOO....\n......\n......\n......")
    won = game.parse_diagram("XXXXXX\nOOX.O.\nO.X.O.\nO.X.OO\n..X..O\n......\nO to move, last c6")
    assert won.returns == (1, -1)
    assert won.winning_cells == (2, 8, 14, 20, 26)


def test_a_last_move_that_was_a_foul_is_refused():
    cells, star = case_board(tuple(CASES["two open threes"][1:]))
    cells = balanced(cells)
    cells.flat[star] = 1
    game = load_game("gomoku(rule=renju)")
    rows = "\n".join("".join(".XO"[cell] for cell in row) for row in cells.tolist())
    with pytest.raises(ValueError, match="its last move g9 was a foul, double three"):
        game.parse_diagram(f"{rows}\nO to move, last {game.action_name(star)}")
    assert game.parse_diagram(f"{rows}\nO to move").to_move == 1
