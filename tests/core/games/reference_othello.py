"""Othello's rules once more, from their definition: lists and loops, slow, with nothing from core."""

from tests.core.games.reference import BoardGame

RAYS = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0)]


class ReferenceOthello(BoardGame):
    """One game being played; ``cell`` is where the last disc was put, None after a pass."""

    def __init__(self, size: int, passes: bool) -> None:
        self.size = size
        self.passes = passes
        self.board = [[0] * size for _ in range(size)]
        half = size // 2
        self.board[half - 1][half - 1] = self.board[half][half] = 2
        self.board[half - 1][half] = self.board[half][half - 1] = 1
        self.moves: list[int] = []
        self.cell: tuple[int, int] | None = None

    def turned(self, row: int, col: int, colour: int) -> list[tuple[int, int]]:
        """The discs that a disc of ``colour`` on an empty cell turns."""
        turned = []
        for down, right in RAYS:
            line = []
            for distance in range(1, self.size):
                r, c = row + distance * down, col + distance * right
                if not (0 <= r < self.size and 0 <= c < self.size) or self.board[r][c] == 0:
                    break
                if self.board[r][c] == colour:
                    turned += line
                    break
                line.append((r, c))
        return turned

    def places(self, colour: int) -> list[int]:
        return [
            row * self.size + col
            for row in range(self.size)
            for col in range(self.size)
            if self.board[row][col] == 0 and self.turned(row, col, colour)
        ]

    def legal(self) -> list[int]:
        if self.result() != "ongoing":
            return []
        return self.places(1 + self.to_move) or [self.size * self.size]

    def play(self, action: int) -> None:
        colour = 1 + self.to_move
        self.cell = None
        if action < self.size * self.size:
            row, col = self.cell = action // self.size, action % self.size
            for r, c in [*self.turned(row, col, colour), (row, col)]:
                self.board[r][c] = colour
        self.moves.append(action)

    def result(self) -> str:
        mine, theirs = 1 + self.to_move, 2 - self.to_move
        if self.places(mine) or (self.passes and self.places(theirs)):
            return "ongoing"
        firsts, seconds = (sum(row.count(colour) for row in self.board) for colour in (1, 2))
        return "draw" if firsts == seconds else "first" if firsts > seconds else "second"
