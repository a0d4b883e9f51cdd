"""Renju's rules once more, from the federation's words: sets of points, slow, with nothing from core.

A four is four stones in a line to which one stone can be added to make exactly five.  A straight four is one to
which it can be added in two places.  A three is three stones to which one stone, that makes no five and is no foul,
can be added to make a straight four.
"""

from collections.abc import Iterator

from tests.core.games.reference import DIRECTIONS, ReferenceGame, Rules

Point = tuple[int, int]


class Stones:
    """Black and white stones on a square board."""

    def __init__(self, size: int, black: set[Point], white: set[Point]) -> None:
        self.size = size
        self.black = black
        self.white = white
        self.naive = False  # whether every apparent three counts, for tests of the tests

    def with_black(self, point: Point) -> "Stones":
        stones = Stones(self.size, self.black | {point}, self.white)
        stones.naive = self.naive
        return stones

    def empty(self, point: Point) -> bool:
        on_board = 0 <= point[0] < self.size and 0 <= point[1] < self.size
        return on_board and point not in self.black and point not in self.white

    def row_of_black(self, point: Point, direction: Point) -> set[Point]:
        row = {point}
        for sign in (1, -1):
            r, c = point
            while (r, c) in self.black:
                row.add((r, c))
                r, c = r + sign * direction[0], c + sign * direction[1]
        return row

    def longest(self, point: Point) -> int:
        return max(len(self.row_of_black(point, direction)) for direction in DIRECTIONS)

    def makes_five(self, point: Point) -> bool:
        return any(len(self.row_of_black(point, direction)) == 5 for direction in DIRECTIONS)

    def fours(self, point: Point, direction: Point) -> dict[frozenset[Point], set[Point]]:
        """Every four with ``point`` along a direction, and where it can become five."""
        found: dict[frozenset[Point], set[Point]] = {}
        for start in range(-4, 1):
            window = [(point[0] + (start + i) * direction[0], point[1] + (start + i) * direction[1]) for i in range(5)]
            stones = frozenset(p for p in window if p in self.black)
            rest = [p for p in window if p not in self.black]
            if len(stones) == 4 and self.empty(rest[0]):
                five = self.with_black(rest[0]).row_of_black(rest[0], direction)
                if five == stones | set(rest):
                    found.setdefault(stones, set()).add(rest[0])
        return found

    def threes(self, point: Point, direction: Point) -> Iterator[frozenset[Point]]:
        """Every three with ``point`` along a direction."""
        for distance in range(-4, 5):
            other = (point[0] + distance * direction[0], point[1] + distance * direction[1])
            if not self.empty(other):
                continue
            after = self.with_black(other)
            for four, completions in after.fours(other, direction).items():
                if point in four and len(completions) == 2:
                    legal = self.naive or (not after.makes_five(other) and self.foul(other) is None)
                    if legal:
                        yield four - {other}

    def foul(self, point: Point) -> str | None:
        """Why black may not play an empty point; None when he may."""
        after = self.with_black(point)
        if after.makes_five(point):
            return None
        if after.longest(point) > 5:
            return "overline"
        if len({four for direction in DIRECTIONS for four in after.fours(point, direction)}) > 1:
            return "double four"
        if len({three for direction in DIRECTIONS for three in after.threes(point, direction)}) > 1:
            return "double three"
        return None


def stones_of(board: list[list[int]]) -> Stones:
    points = [(row, col) for row in range(len(board)) for col in range(len(board))]
    black = {(row, col) for row, col in points if board[row][col] == 1}
    return Stones(len(board), black, {(row, col) for row, col in points if board[row][col] == 2})


class ReferenceFive(ReferenceGame):
    """Gomoku in which only exactly five win, for both players or, under Renju, for black."""

    def __init__(self, size: int, renju: bool) -> None:
        super().__init__(Rules(size, size, 5, gravity=False))
        self.renju = renju
        self.known: dict[int, dict[int, str]] = {}

    def fouls(self) -> dict[int, str]:
        if not self.renju or self.to_move == 1 or self.line_cells():
            return {}
        if len(self.moves) not in self.known:
            self.known = {len(self.moves): self.find_fouls()}
        return self.known[len(self.moves)]

    def find_fouls(self) -> dict[int, str]:
        stones = stones_of(self.board)
        size = self.rules.rows
        fouls = {
            row * size + col: stones.foul((row, col))
            for row in range(size)
            for col in range(size)
            if self.board[row][col] == 0
        }
        return {action: foul for action, foul in fouls.items() if foul is not None}

    def legal(self) -> list[int]:
        if self.line_cells():
            return []
        fouls = self.fouls()
        return [a for a in range(self.rules.rows * self.rules.cols) if self.landing(a) is not None and a not in fouls]

    def line_cells(self) -> list[int]:
        size = self.rules.rows
        found = set()
        for cell in range(size * size):
            colour = self.board[cell // size][cell % size]
            if colour == 0:
                continue
            own = {(r, c) for r in range(size) for c in range(size) if self.board[r][c] == colour}
            for direction in DIRECTIONS:
                row = Stones(size, own, set()).row_of_black((cell // size, cell % size), direction)
                if len(row) == 5 or (len(row) > 5 and self.renju and colour == 2):
                    found.update(r * size + c for r, c in row)
        return sorted(found)

    def result(self) -> str:
        if self.line_cells():
            return "second" if self.to_move == 0 else "first"
        return "ongoing" if self.legal() else "draw"
