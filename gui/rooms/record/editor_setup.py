"""A board being set up by hand: the effect of clicks in each game, and the resulting position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gui.widgets.board.board_paint import kind_of
from gui.widgets.board.places import COLUMNS, HEAPS

if TYPE_CHECKING:
    from core.files.edit import Verdict
    from core.games import GameSpec, Position


class Setup:
    """A board to edit.  ``cells`` int8 [H, W]: 0 empty, 1 player 0, 2 player 1; ``to_move`` None: from the stones."""

    def __init__(self, position: Position) -> None:
        self.game: GameSpec = position.game
        self.places = kind_of(self.game.name).places
        self.turn_from_stones = self._turn_follows_from_stones()
        self.to_move: int | None = None
        self.load(position)

    def _turn_follows_from_stones(self) -> bool:
        """Whether the side to move follows from the stones."""
        from core.files.edit import judge

        return judge(self.game, self.game.initial().cells()).position is not None

    def load(self, position: Position) -> None:
        """Load a position of the game."""
        self.cells = position.cells()
        self.last = position.last_action
        self.to_move = None if self.turn_from_stones else position.to_move

    # changes

    def clear(self) -> None:
        """Remove all chips; of stones only those that the game begins with remain."""
        self.cells[:] = 0 if self.places is HEAPS else self.game.initial().cells()
        self.last = -1

    def click(self, cell: int, player: int) -> None:
        """Put a player's stone on a cell, or remove it if it is already there.

        Discs fall to the lowest free cell of their column; removing one lets those above it fall.  In a heap the
        clicked chip becomes the last one, or is removed if it already is.
        """
        rows, cols = self.cells.shape
        row, col = divmod(cell, cols)
        self.last = -1
        if self.places is HEAPS:
            chips = self.heap(row)
            self.set_heap(row, col if col + 1 == chips else col + 1)
        elif self.cells[row, col] == player + 1:
            self.cells[row, col] = 0
            if self.places is COLUMNS:
                self.cells[1 : row + 1, col] = self.cells[:row, col].copy()
                self.cells[0, col] = 0
        else:
            if self.places is COLUMNS and not self.cells[row, col]:
                row = max(r for r in range(rows) if not self.cells[r, col])
            self.cells[row, col] = player + 1

    def heap(self, row: int) -> int:
        """Return the number of chips in a row."""
        return int((self.cells[row] != 0).sum())

    def set_heap(self, row: int, chips: int) -> None:
        self.cells[row] = 0
        self.cells[row, :chips] = 1
        self.last = -1

    # texts

    def read(self, text: str) -> str:
        """Read a diagram, legal or not, or moves from the game's start, or a game in SGF; ValueError if it is none.

        Return how moves were read where that was a choice, else "".
        """
        from core.files.pasted import is_game_file, position_of
        from core.games import diagram, written

        if is_game_file(text) or not written.is_board(self.game, text):
            found = position_of(self.game, text)
            self.load(found.position)
            return found.note
        board = diagram.read(text, self.game.shape, self.game.rows_from_top)
        last = -1 if board.last is None else self.game.parse_action(board.last)
        self.cells, self.last = board.cells, last
        if not self.turn_from_stones:
            self.to_move = self.to_move if board.to_move is None else board.to_move
        else:  # a stated turn is used only where the stones give another or none
            self.to_move = None
            position = self.verdict().position
            if position is None or position.to_move != board.to_move:
                self.to_move = board.to_move
        return ""

    def diagram(self) -> str:
        """Return the board as text, with the side to move if it is known."""
        from core.games import diagram

        last = None if self.last < 0 else self.game.action_name(self.last)
        position = self.verdict().position
        mover = self.to_move if position is None else position.to_move
        text = diagram.write(self.cells, mover or 0, last)
        return text if mover is not None else text.rpartition("\n")[0]

    # result

    def verdict(self) -> Verdict:
        """Return the position, or every reason why it is not valid."""
        from core.files.edit import judge

        return judge(self.game, self.cells, self.to_move, self.last)
