"""The cells of a move and the move for a clicked cell, for each type of game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from core.games import GameSpec, Position


@dataclass(frozen=True)
class Places:
    """The mapping between cells and moves of a type of game.

    ``action_at(position, cell)``: the move for a click, -1 for none.  ``cells_of(position, action)``: the cells the
    move fills or empties, first the one for its numbers.  ``last_cells(position)``: the cells of the last move.
    ``labels(game)``: the labels below the columns and beside the rows.
    """

    action_at: Callable[[Position, int], int]
    cells_of: Callable[[Position, int], tuple[int, ...]]
    last_cells: Callable[[Position], tuple[int, ...]]
    labels: Callable[[GameSpec], tuple[tuple[str, ...], tuple[str, ...]]]


# a move is a cell, the action after the last cell a pass; moves that are not cells have no place on the board


def _cell_action(position: Position, cell: int) -> int:
    if not position.game.moves_are_cells:
        return -1
    legal = position.legal_actions()
    rows, cols = position.game.shape
    return legal[0] if legal == (rows * cols,) else cell  # if only a pass is legal, any click passes


def _on_board(position: Position, action: int) -> tuple[int, ...]:
    rows, cols = position.game.shape
    return (action,) if position.game.moves_are_cells and 0 <= action < rows * cols else ()


def _cell_labels(game: GameSpec) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if not game.moves_are_cells:
        return (), ()
    rows, cols = game.shape
    names = game.action_names
    return (
        tuple(names[col].rstrip("0123456789") for col in range(cols)),
        tuple(names[row * cols].lstrip("abcdefghijklmnopqrstuvwxyz") for row in range(rows)),
    )


# a move is a column; the disc falls to the lowest empty cell


def _column_action(position: Position, cell: int) -> int:
    return cell % position.game.shape[1]


def _landing(position: Position, action: int) -> tuple[int, ...]:
    cells = position.cells()
    rows, cols = cells.shape
    return next(((row * cols + action,) for row in range(rows - 1, -1, -1) if not cells[row, action]), ())


def _top_disc(position: Position) -> tuple[int, ...]:
    action, cells = position.last_action, position.cells()
    rows, cols = cells.shape
    if action < 0:
        return ()
    return next(((row * cols + action,) for row in range(rows) if cells[row, action]), ())


def _column_labels(game: GameSpec) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return tuple(game.action_names), ()


# a move takes chips from the right end of a row: action = row * most + taken - 1


def _heap(position: Position, action: int) -> tuple[int, int, int]:
    """Return (row, chips taken, chips there) of a move."""
    rows = position.game.shape[0]
    row, taken = divmod(action, position.game.num_actions // rows)
    return row, taken + 1, int((position.cells()[row] != 0).sum())


def _heap_action(position: Position, cell: int) -> int:
    rows, cols = position.game.shape
    most = position.game.num_actions // rows
    row, col = divmod(cell, cols)
    taken = int((position.cells()[row] != 0).sum()) - col
    return row * most + taken - 1 if 1 <= taken <= most else -1


def _taken(position: Position, action: int) -> tuple[int, ...]:
    row, taken, chips = _heap(position, action)
    cols = position.game.shape[1]
    return tuple(range(row * cols + max(0, chips - taken), row * cols + chips))


def _gone(position: Position) -> tuple[int, ...]:
    if position.last_action < 0:
        return ()
    row, taken, chips = _heap(position, position.last_action)
    cols = position.game.shape[1]
    return tuple(range(row * cols + chips, row * cols + chips + taken))


def _heap_labels(game: GameSpec) -> tuple[tuple[str, ...], tuple[str, ...]]:
    rows = game.shape[0]
    return (), tuple(str(row + 1) for row in range(rows)) if rows > 1 else ()


CELLS: Final = Places(_cell_action, _on_board, lambda position: _on_board(position, position.last_action), _cell_labels)
COLUMNS: Final = Places(_column_action, _landing, _top_disc, _column_labels)
HEAPS: Final = Places(_heap_action, _taken, _gone, _heap_labels)


def next_cell(cell: int, step: tuple[int, int], rows: int, cols: int) -> int:
    """Return the cell a step of (rows, columns) away, inside the board; the middle one from no cell (-1)."""
    if cell < 0:
        return (rows // 2) * cols + cols // 2
    row, col = divmod(cell, cols)
    return max(0, min(rows - 1, row + step[0])) * cols + max(0, min(cols - 1, col + step[1]))


def moves_made(position: Position) -> int:
    """Return the number of moves; those before a position that was set up count where its stones tell them."""
    return len(position.moves) if position.game.captures else position.ply


def stone_numbers(position: Position, places: Places) -> dict[int, int]:
    """Return cell -> number of the move that filled it, from the start of the game; {} where moves remove pieces."""
    if places is HEAPS or (places is CELLS and not position.game.moves_are_cells):
        return {}
    rows, cols = position.game.shape
    start = position.start
    free = (start.cells() == 0).sum(axis=0).tolist()
    numbers = {}
    for number, action in enumerate(position.moves, moves_made(start) + 1):
        if places is COLUMNS:
            free[action] -= 1
            numbers[free[action] * cols + action] = number
        elif action < rows * cols:
            numbers[action] = number
    return numbers
