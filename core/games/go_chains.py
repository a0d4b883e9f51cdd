"""Go stones as chains that know their liberties, on which a stone can be played and taken back.

Of the rules it holds capture and simple ko.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._jit import jit, jitable

EMPTY: Final = 0
BLACK: Final = 1
WHITE: Final = 2
OUTSIDE: Final = 3

NOWHERE: Final = 0  # a cell outside the board

# Entries of Chains.dims.
ROWS: Final = 0
COLS: Final = 1
KO: Final = 2  # where the side to move may not retake, or NOWHERE
MOVES: Final = 3  # how many can be taken back
_DIMS: Final = 4

# What is kept of a move: these fields, a row for each chain joined, and a stone of each chain captured.
_CELL: Final = 0
_KO_BEFORE: Final = 1
_KEPT: Final = 2  # a stone of the chain to which others were joined
_JOINED: Final = 3  # how many these were
_CAPTURED: Final = 4
_LINKS: Final = 5  # head, next, liberties and size of the cell before, by which a captured chain is put back
_JOINS: Final = 9  # rows: liberties of the kept chain before, head of the joined one, the stone at which it was joined
_JOIN: Final = 3
_CAPTURES: Final = _JOINS + 4 * _JOIN
_RECORD: Final = _CAPTURES + 4


class Chains(NamedTuple):
    """A board with a border, so that nothing needs a bounds check.  N cells, M moves that can be taken back.

    The cell of row r, column c is at ``(r + 1) * (W + 1) + c + 1``: one border column serves both sides.  A chain is
    named by one of its stones, its head; its stones are linked in a circle.
    """

    cells: NDArray[np.int8]  # [N]: EMPTY, BLACK, WHITE, OUTSIDE
    head: NDArray[np.int16]  # [N]: of a stone, the head of its chain
    next: NDArray[np.int16]  # [N]: of a stone, the next one of its chain
    liberties: NDArray[np.int16]  # [N]: of a head, the liberties of its chain
    size: NDArray[np.int16]  # [N]: of a head, the stones of its chain
    records: NDArray[np.int16]  # [M, _RECORD]: see above
    dims: NDArray[np.int64]  # [_DIMS]: see above


def new_chains(rows: int, cols: int, moves: int = 0) -> Chains:
    """An empty board on which that many moves can be played and taken back."""
    cells = np.full((rows + 2) * (cols + 1) + 1, OUTSIDE, np.int8)
    for row in range(rows):
        first = (row + 1) * (cols + 1) + 1
        cells[first : first + cols] = EMPTY
    head, follows, liberties, size = (np.zeros(len(cells), np.int16) for _ in range(4))
    dims = np.zeros(_DIMS, np.int64)
    dims[ROWS], dims[COLS] = rows, cols
    return Chains(cells, head, follows, liberties, size, np.zeros((moves, _RECORD), np.int16), dims)


@jitable
def cell_of(b: Chains, point: int) -> int:
    """The cell of point ``row * W + column``."""
    cols = b.dims[COLS]
    return int(point + cols + 2 + point // cols)


@jitable
def point_of(b: Chains, cell: int) -> int:
    """The point of a cell on the board."""
    cols = b.dims[COLS]
    return int(cell - cols - 1 - cell // (cols + 1))


@jitable
def neighbour(cell: int, direction: int, stride: int) -> int:
    """One of the four adjacent cells; directions 0 and 3, 1 and 2 are opposite."""
    if direction == 0:
        return cell - stride
    if direction == 1:
        return cell - 1
    return cell + 1 if direction == 2 else cell + stride


@jitable
def _was_met(b: Chains, cell: int, direction: int, stride: int) -> bool:
    """Whether the chain next to ``cell`` in a direction is also there in an earlier direction."""
    near = neighbour(cell, direction, stride)
    for earlier in range(direction):
        other = neighbour(cell, earlier, stride)
        if b.cells[other] == b.cells[near] and b.head[other] == b.head[near]:
            return True
    return False


@jitable
def _change_liberties(b: Chains, cell: int, by: int, but: int) -> None:
    """Add ``by`` to the liberties of each chain next to ``cell``, those of colour ``but`` left out."""
    stride = b.dims[COLS] + 1
    for direction in range(4):
        near = neighbour(cell, direction, stride)
        stone = b.cells[near]
        if stone not in (EMPTY, OUTSIDE, but) and not _was_met(b, cell, direction, stride):
            b.liberties[b.head[near]] += by


@jitable
def _join(b: Chains, first: int, joined: int) -> None:
    """Make one chain of two, by a stone of each; the liberties are the caller's."""
    head, follows = b.head, b.next
    name, other = head[first], head[joined]
    stone = joined
    while True:
        head[stone] = name
        stone = follows[stone]
        if stone == joined:
            break
    follows[first], follows[joined] = follows[joined], follows[first]
    b.size[name] += b.size[other]


@jitable
def _part(b: Chains, first: int, joined: int, other: int) -> None:
    """Undo :func:`_join`: the stones that follow ``first``, up to ``joined``, are chain ``other`` again."""
    head, follows = b.head, b.next
    b.size[head[first]] -= b.size[other]
    follows[first], follows[joined] = follows[joined], follows[first]
    stone = joined
    while True:
        head[stone] = other
        stone = follows[stone]
        if stone == joined:
            break


@jitable
def touches(b: Chains, cell: int, chain: int, colour: int) -> bool:
    """Whether a stone of a chain, given by its head and colour, lies next to ``cell``."""
    stride = b.dims[COLS] + 1
    cells, head = b.cells, b.head
    return bool(
        (cells[cell - stride] == colour and head[cell - stride] == chain)
        or (cells[cell - 1] == colour and head[cell - 1] == chain)
        or (cells[cell + 1] == colour and head[cell + 1] == chain)
        or (cells[cell + stride] == colour and head[cell + stride] == chain)
    )


@jitable
def empty_neighbours(b: Chains, cell: int) -> int:
    """How many cells next to ``cell`` are empty."""
    stride = b.dims[COLS] + 1
    cells = b.cells
    return (
        int(cells[cell - stride] == EMPTY)
        + int(cells[cell - 1] == EMPTY)
        + int(cells[cell + 1] == EMPTY)
        + int(cells[cell + stride] == EMPTY)
    )


@jitable
def is_legal(b: Chains, cell: int, colour: int) -> bool:
    """Whether ``colour`` may play at ``cell``: it is empty, not the ko, and the stone is left with a liberty."""
    if b.cells[cell] != EMPTY or cell == b.dims[KO]:
        return False
    stride = b.dims[COLS] + 1
    for direction in range(4):
        near = neighbour(cell, direction, stride)
        stone = b.cells[near]
        if stone == EMPTY or (stone != OUTSIDE and (b.liberties[b.head[near]] == 1) == (stone != colour)):
            return True
    return False


@jitable
def _new_liberties(b: Chains, joined: int, chain: int, colour: int) -> int:
    """The liberties of the chain of stone ``joined`` that ``chain`` has not."""
    stride = b.dims[COLS] + 1
    other = b.head[joined]
    count = 0
    stone = joined
    while True:
        for direction in range(4):
            cell = neighbour(stone, direction, stride)
            if b.cells[cell] == EMPTY:
                # It is counted at the first stone of the chain round it.
                for back in range(4):
                    first = neighbour(cell, back, stride)
                    if b.cells[first] == colour and b.head[first] == other:
                        count += int(first == stone and not touches(b, cell, chain, colour))
                        break
        stone = b.next[stone]
        if stone == joined:
            return count


@jitable
def _connect(b: Chains, cell: int, record: NDArray[np.int16]) -> None:
    """Join a new stone of one chain and the chains of its colour round it: all to the largest."""
    stride = b.dims[COLS] + 1
    colour = b.cells[cell]
    largest = NOWHERE
    for direction in range(4):
        near = neighbour(cell, direction, stride)
        if b.cells[near] == colour and (largest == NOWHERE or b.size[b.head[near]] > b.size[b.head[largest]]):
            largest = near
    if largest == NOWHERE:
        return
    chain = b.head[largest]
    place = _JOINS
    joined = cell
    for direction in range(-1, 4):
        if direction >= 0:
            joined = neighbour(cell, direction, stride)
            if b.cells[joined] != colour or b.head[joined] == chain:
                continue
        record[place], record[place + 1], record[place + 2] = b.liberties[chain], b.head[joined], joined
        place += _JOIN
        b.liberties[chain] += _new_liberties(b, joined, chain, colour)
        _join(b, largest, joined)
    record[_KEPT] = largest
    record[_JOINED] = (place - _JOINS) // _JOIN


@jitable
def _remove(b: Chains, stone: int) -> None:
    """Take the chain of ``stone`` from the board; its links stay for :func:`_put_back`."""
    cell = stone
    colour = int(b.cells[stone])
    while True:
        b.cells[cell] = EMPTY
        _change_liberties(b, cell, 1, colour)
        cell = b.next[cell]
        if cell == stone:
            return


@jitable
def _put_back(b: Chains, stone: int, colour: int) -> None:
    """Undo :func:`_remove`."""
    cell = stone
    while True:
        b.cells[cell] = colour
        _change_liberties(b, cell, -1, colour)
        cell = b.next[cell]
        if cell == stone:
            return


@jit
def play(b: Chains, cell: int, colour: int) -> None:
    """Play a legal move."""
    stride = b.dims[COLS] + 1
    record = b.records[b.dims[MOVES]]
    b.dims[MOVES] += 1
    record[_CELL], record[_KO_BEFORE], record[_JOINED], record[_CAPTURED] = cell, b.dims[KO], 0, 0
    record[_LINKS], record[_LINKS + 1] = b.head[cell], b.next[cell]
    record[_LINKS + 2], record[_LINKS + 3] = b.liberties[cell], b.size[cell]
    _change_liberties(b, cell, -1, EMPTY)
    b.cells[cell], b.head[cell], b.next[cell], b.size[cell] = colour, cell, cell, 1
    b.liberties[cell] = empty_neighbours(b, cell)
    _connect(b, cell, record)
    captured, stones, last = 0, 0, NOWHERE
    for direction in range(4):
        near = neighbour(cell, direction, stride)
        if b.cells[near] == 3 - colour and b.liberties[b.head[near]] == 0:
            record[_CAPTURES + captured] = near
            captured += 1
            stones += b.size[b.head[near]]
            last = near
            _remove(b, near)
    record[_CAPTURED] = captured
    alone = stones == 1 and record[_JOINED] == 0 and b.liberties[cell] == 1
    b.dims[KO] = last if alone else NOWHERE


@jit
def take_back(b: Chains) -> None:
    """Undo the last :func:`play`."""
    b.dims[MOVES] -= 1
    record = b.records[b.dims[MOVES]]
    cell = int(record[_CELL])
    colour = b.cells[cell]
    for i in range(record[_CAPTURED] - 1, -1, -1):
        _put_back(b, record[_CAPTURES + i], 3 - colour)
    for i in range(record[_JOINED] - 1, -1, -1):
        place = _JOINS + _JOIN * i
        _part(b, record[_KEPT], record[place + 2], record[place + 1])
        b.liberties[b.head[record[_KEPT]]] = record[place]
    b.cells[cell] = EMPTY
    b.head[cell], b.next[cell] = record[_LINKS], record[_LINKS + 1]
    b.liberties[cell], b.size[cell] = record[_LINKS + 2], record[_LINKS + 3]
    b.dims[KO] = record[_KO_BEFORE]
    _change_liberties(b, cell, 1, EMPTY)


@jitable
def _join_earlier(b: Chains, cell: int, earlier: int) -> None:
    """Join the chains of two adjacent stones of one colour; nothing where they are not."""
    if b.cells[earlier] == b.cells[cell] and b.head[earlier] != b.head[cell]:
        if b.size[b.head[earlier]] < b.size[b.head[cell]]:
            _join(b, cell, earlier)
        else:
            _join(b, earlier, cell)


@jit
def set_stones(b: Chains, stones: NDArray[np.int8], ko: int) -> None:
    """Set up the board: ``stones`` int8 [H * W] of EMPTY, BLACK, WHITE, and the point of the simple ko or -1."""
    rows, cols = b.dims[ROWS], b.dims[COLS]
    point, cell = 0, cols + 2
    for _ in range(rows):
        for _ in range(cols):
            colour = stones[point]
            b.cells[cell] = colour
            if colour != EMPTY:
                b.head[cell], b.next[cell], b.size[cell], b.liberties[cell] = cell, cell, 1, 0
                _join_earlier(b, cell, cell - 1)
                _join_earlier(b, cell, cell - cols - 1)
            point += 1
            cell += 1
        cell += 1
    cell = cols + 2
    for _ in range(rows):
        for _ in range(cols):
            if b.cells[cell] == EMPTY:
                _change_liberties(b, cell, 1, EMPTY)
            cell += 1
        cell += 1
    b.dims[KO] = NOWHERE if ko < 0 else cell_of(b, ko)
    b.dims[MOVES] = 0
