"""The rules once more, from their definition: lists and loops, slow, with nothing from core.

A game is (rows, cols, k, gravity).  Boards are lists of rows, row 0 on top, of 0, 1 and 2.
"""

from fractions import Fraction
from typing import NamedTuple, Protocol, Self

DIRECTIONS = [(0, 1), (1, 0), (1, 1), (1, -1)]


class Reference(Protocol):
    """What every reference game answers; results are ongoing, first, second or draw."""

    @property
    def board(self) -> list[list[int]]: ...
    @property
    def to_move(self) -> int: ...
    def copy(self) -> "Reference": ...
    def legal(self) -> list[int]: ...
    def play(self, action: int) -> None: ...
    def line_cells(self) -> list[int]: ...
    def result(self) -> str: ...
    def planes(self) -> list[list[list[float]]]: ...


class Rules(NamedTuple):
    rows: int
    cols: int
    k: int
    gravity: bool  # actions are columns and discs fall


class BoardGame:
    """What games on a board have alike; ``cell`` is where the last stone was put, None after a pass."""

    board: list[list[int]]
    moves: list[int]
    cell: tuple[int, int] | None

    def copy(self) -> Self:
        other = type(self).__new__(type(self))
        other.__dict__ |= {
            name: value.copy() if isinstance(value, list | set) else value for name, value in self.__dict__.items()
        }
        other.board = [row[:] for row in self.board]
        return other

    @property
    def to_move(self) -> int:
        return len(self.moves) % 2

    def line_cells(self) -> list[int]:
        return []

    def planes(self) -> list[list[list[float]]]:
        mover = 1 + self.to_move
        return [
            [[float(cell == mover) for cell in row] for row in self.board],
            [[float(cell == 3 - mover) for cell in row] for row in self.board],
            [[float(self.cell == (r, c)) for c in range(len(row))] for r, row in enumerate(self.board)],
            [[float(self.to_move == 0)] * len(row) for row in self.board],
        ]


class ReferenceGame(BoardGame):
    """One game being played; ``cell`` is where the last stone lies."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.board = [[0] * rules.cols for _ in range(rules.rows)]
        self.moves: list[int] = []
        self.cell: tuple[int, int] | None = None

    def landing(self, action: int) -> tuple[int, int] | None:
        """The cell a move fills, None when it is taken."""
        if self.rules.gravity:
            for row in range(self.rules.rows - 1, -1, -1):
                if self.board[row][action] == 0:
                    return row, action
            return None
        row, col = action // self.rules.cols, action % self.rules.cols
        return (row, col) if self.board[row][col] == 0 else None

    def legal(self) -> list[int]:
        if self.result() != "ongoing":
            return []
        actions = self.rules.cols if self.rules.gravity else self.rules.rows * self.rules.cols
        return [action for action in range(actions) if self.landing(action) is not None]

    def play(self, action: int) -> None:
        self.cell = self.landing(action)
        assert self.cell is not None
        row, col = self.cell
        self.board[row][col] = 1 + self.to_move
        self.moves.append(action)

    def line_cells(self) -> list[int]:
        """All cells of lines of k or more anywhere, as row * cols + col."""
        rows, cols, k = self.rules.rows, self.rules.cols, self.rules.k
        found = set()
        for row in range(rows):
            for col in range(cols):
                for down, right in DIRECTIONS:
                    window = [(row + i * down, col + i * right) for i in range(k)]
                    if all(0 <= r < rows and 0 <= c < cols for r, c in window):
                        stones = {self.board[r][c] for r, c in window}
                        if len(stones) == 1 and stones != {0}:
                            found.update(r * cols + c for r, c in window)
        return sorted(found)

    def result(self) -> str:
        if self.line_cells():
            return "second" if self.to_move == 0 else "first"
        if all(cell != 0 for row in self.board for cell in row):
            return "draw"
        return "ongoing"


Board = tuple[tuple[int, ...], ...]


def final_boards(start: Reference) -> dict[tuple[Board, str], Fraction]:
    """The exact chance of each last board and its result when both sides play uniformly at random."""
    memo: dict[tuple[Board, int], dict[tuple[Board, str], Fraction]] = {}

    def chances(game: Reference) -> dict[tuple[Board, str], Fraction]:
        board = tuple(tuple(row) for row in game.board)
        if (board, game.to_move) in memo:
            return memo[board, game.to_move]
        legal = game.legal()
        total: dict[tuple[Board, str], Fraction] = {}
        if not legal:
            total[board, game.result()] = Fraction(1)
        for action in legal:
            child = game.copy()
            child.play(action)
            for end, chance in chances(child).items():
                total[end] = total.get(end, Fraction(0)) + chance / len(legal)
        memo[board, game.to_move] = total
        return total

    return chances(start)


def random_play_chances(start: Reference) -> dict[str, Fraction]:
    """The exact chance of each result when both sides play uniformly at random."""
    total = {"first": Fraction(0), "second": Fraction(0), "draw": Fraction(0)}
    for (_, result), chance in final_boards(start).items():
        total[result] += chance
    return total
