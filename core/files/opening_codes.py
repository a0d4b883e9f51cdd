"""The kernel that replays games of stones and gives each position a code, the same for its turned and mirrored images.

The code of a board is the exclusive or of a random number for each stone, by its cell and owner; of the images of a
board by the symmetries the smallest counts, combined with the side to move.

Letters: G games, M moves of all games, N positions of all games, K boards that games begin with, S cells, T symmetries.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._jit import jit, jitable

STAY, CAPTURE, TURN = 0, 1, 2  # what a move does to other stones: nothing, takes them off, turns them as in Othello
UNKNOWN: Final = -1  # a player that the file does not name
PASSED: Final = -1  # in place of a cell
SKIPPED: Final = -3  # less a cell: the player to move passed, which the file leaves out, and the other played there
ENDED: Final = -2  # in place of a cell: no move follows, or one that the rules do not allow
_FEW: Final = 300  # moves up to which the kernel runs interpreted


class Moves(NamedTuple):
    """The moves of games, one game after the other."""

    cells: NDArray[np.int16]
    """[M] or PASSED"""
    players: NDArray[np.int8]
    """[M] 0, 1 or UNKNOWN"""
    first: NDArray[np.int64]
    """[G + 1] the place of each game's first move, and M"""
    start: NDArray[np.int32]
    """[G] the number of the board that a game begins with"""


class Starts(NamedTuple):
    """The boards that games begin with."""

    boards: NDArray[np.int8]
    """[K, S] 0, or 1 + the owner of the stone"""
    to_move: NDArray[np.int8]
    """[K]"""


class Coding(NamedTuple):
    """The board's sizes and the numbers that codes are made of."""

    shape: tuple[int, int]
    rule: int
    suicide: bool
    """Whether a chain of several stones may take itself."""
    symmetries: NDArray[np.int16]
    """[T, S] the image of each cell"""
    stones: NDArray[np.uint64]
    """[2, S]"""
    sides: NDArray[np.uint64]
    """[2]"""


class Codes(NamedTuple):
    """The positions of games, one game after the other: M + G at most."""

    codes: NDArray[np.uint64]
    """[N]"""
    images: NDArray[np.uint8]
    """[N] the symmetry that gives the code"""
    follows: NDArray[np.int16]
    """[N] the cell of the next move, PASSED, ENDED or SKIPPED less a cell"""
    lengths: NDArray[np.int32]
    """[G] the positions of each game; those of a game begin at the place of its first move and its number"""


def coding_of(shape: tuple[int, int], rule: int, suicide: bool, symmetries: NDArray[np.int16], seed: int) -> Coding:
    """The numbers for a board, the same for the same ``seed``."""
    rng = np.random.default_rng(seed)
    stones = rng.integers(0, 2**64, (2, shape[0] * shape[1]), np.uint64)
    return Coding(shape, rule, suicide, np.array(symmetries), stones, rng.integers(0, 2**64, 2, np.uint64))


def codes_of_board(coding: Coding, cells: NDArray[np.int8]) -> NDArray[np.uint64]:
    """The codes of the images of a board [S], without the side to move, uint64 [T]."""
    placed = np.flatnonzero(cells)
    numbers = coding.stones[cells[placed] - 1, coding.symmetries[:, placed]]
    codes: NDArray[np.uint64] = np.bitwise_xor.reduce(numbers, axis=1)
    return codes


def code_games(lines: Moves, starts: Starts, coding: Coding, most: int) -> Codes:
    """The codes of the first ``most`` positions of each game."""
    games, count = len(lines.start), len(lines.cells) + len(lines.start)
    found = Codes(
        np.empty(count, np.uint64), np.empty(count, np.uint8), np.empty(count, np.int16), np.zeros(games, np.int32)
    )
    size, images = starts.boards.shape[1], len(coding.symmetries)
    scratch = np.empty(size, np.int8), np.empty((2, size), np.int32), np.empty(images, np.uint64)
    kernel: Any = replay_codes if len(lines.cells) > _FEW else getattr(replay_codes, "py_func", replay_codes)
    with np.errstate(over="ignore"):
        kernel(*lines, *starts, *coding.shape, coding.rule, coding.suicide, *coding[3:], most, *scratch, *found)
    return found


def compile_codes() -> None:
    """Compile the kernel."""
    coding = coding_of((1, 1), STAY, False, np.zeros((1, 1), np.int16), 0)
    count = _FEW + 1
    lines = Moves(
        np.full(count, PASSED, np.int16), np.zeros(count, np.int8), np.array([0, count]), np.zeros(1, np.int32)
    )
    code_games(lines, Starts(np.zeros((1, 1), np.int8), np.zeros(1, np.int8)), coding, count + 1)


@jit
def replay_codes(
    cells: NDArray[np.int16],
    players: NDArray[np.int8],
    first: NDArray[np.int64],
    start: NDArray[np.int32],
    boards: NDArray[np.int8],
    to_move: NDArray[np.int8],
    rows: int,
    cols: int,
    rule: int,
    suicide: bool,
    symmetries: NDArray[np.int16],
    stones: NDArray[np.uint64],
    sides: NDArray[np.uint64],
    most: int,
    board: NDArray[np.int8],
    chain: NDArray[np.int32],
    now: NDArray[np.uint64],
    codes: NDArray[np.uint64],
    images: NDArray[np.uint8],
    follows: NDArray[np.int16],
    lengths: NDArray[np.int32],
) -> None:
    """Fill ``codes``, ``images``, ``follows`` and ``lengths``, as ``Codes`` has them; ``board`` [S], ``chain`` [2, S]
    and ``now`` [T] are scratch."""
    size, turned = board.size, now.size
    for game in range(start.size):
        mover = int(to_move[start[game]])
        for cell in range(size):
            board[cell] = 0
            chain[1, cell] = -1
        for t in range(turned):
            now[t] = np.uint64(0)
        for cell in range(size):
            if boards[start[game], cell] != 0:
                _put(board, cell, int(boards[start[game], cell]), symmetries, stones, now)
        begin, count = first[game], first[game + 1] - first[game]
        slot = begin + game
        for ply in range(count + 1):
            least = 0
            for t in range(1, turned):
                if now[t] < now[least]:
                    least = t
            codes[slot + ply] = now[least] ^ sides[mover]
            images[slot + ply] = np.uint8(least)
            follows[slot + ply] = ENDED
            lengths[game] = ply + 1
            if ply == count:
                break
            cell, player = int(cells[begin + ply]), int(players[begin + ply])
            if player == UNKNOWN:
                player = mover
                if rule == TURN and cell >= 0 and _turn(board, cell, player, rows, cols, chain[0]) == 0:
                    player = 1 - mover  # the file leaves out a pass that the rules force
            if cell == PASSED:
                follows[slot + ply] = PASSED
                mover = 1 - player
                if ply + 1 == most:
                    break
                continue
            if cell >= size or board[cell] != 0:
                break
            if not _move(board, cell, player, rows, cols, rule, suicide, symmetries, stones, chain, now):
                break
            follows[slot + ply] = cell if player == mover else SKIPPED - cell
            mover = 1 - player
            if ply + 1 == most:
                break


@jitable
def _put(
    board: NDArray[np.int8],
    cell: int,
    stone: int,
    symmetries: NDArray[np.int16],
    numbers: NDArray[np.uint64],
    now: NDArray[np.uint64],
) -> None:
    """Make the stone of a cell another one, 0 for none, in the board and in the codes of its images."""
    before = int(board[cell])
    board[cell] = stone
    for t in range(now.size):
        image = symmetries[t, cell]
        if before != 0:
            now[t] ^= numbers[before - 1, image]
        if stone != 0:
            now[t] ^= numbers[stone - 1, image]


@jitable
def _move(
    board: NDArray[np.int8],
    cell: int,
    player: int,
    rows: int,
    cols: int,
    rule: int,
    suicide: bool,
    symmetries: NDArray[np.int16],
    numbers: NDArray[np.uint64],
    chain: NDArray[np.int32],
    now: NDArray[np.uint64],
) -> bool:
    """Play on an empty cell; False where the rules do not allow it, with the board as it was or the game at its end."""
    if rule == TURN:
        turned = _turn(board, cell, player, rows, cols, chain[0])
        if turned == 0:
            return False
        for i in range(turned):
            _put(board, chain[0, i], 1 + player, symmetries, numbers, now)
    _put(board, cell, 1 + player, symmetries, numbers, now)
    if rule != CAPTURE:
        return True
    took = False
    for step in range(4):
        beside = _beside(cell, step, rows, cols)
        if beside >= 0 and board[beside] == 2 - player:
            count = _without_liberty(board, beside, rows, cols, chain)
            took = took or count > 0
            for i in range(count):
                _put(board, chain[0, i], 0, symmetries, numbers, now)
    if took:
        return True
    count = _without_liberty(board, cell, rows, cols, chain)
    if count == 0:
        return True
    if count == 1 or not suicide:
        _put(board, cell, 0, symmetries, numbers, now)
        return False
    for i in range(count):
        _put(board, chain[0, i], 0, symmetries, numbers, now)
    return True


@jitable
def _beside(cell: int, step: int, rows: int, cols: int) -> int:
    """The neighbour above, below, on the left or on the right; -1 beyond the board."""
    column = cell % cols
    if step == 0:
        return cell - cols if cell >= cols else -1
    if step == 1:
        return cell + cols if cell < (rows - 1) * cols else -1
    if step == 2:
        return cell - 1 if column > 0 else -1
    return cell + 1 if column < cols - 1 else -1


@jitable
def _without_liberty(board: NDArray[np.int8], cell: int, rows: int, cols: int, chain: NDArray[np.int32]) -> int:
    """The number of stones of the chain at a cell, which stand in ``chain[0]``; 0 where it has a liberty.

    ``chain[1]`` marks the cells seen, -1 for none, as it is left."""
    chain[0, 0] = cell
    chain[1, cell] = 1
    count, free = 1, False
    at = 0
    while at < count and not free:
        for step in range(4):
            beside = _beside(chain[0, at], step, rows, cols)
            if beside < 0:
                continue
            if board[beside] == 0:
                free = True
            elif board[beside] == board[cell] and chain[1, beside] < 0:
                chain[1, beside] = 1
                chain[0, count] = beside
                count += 1
        at += 1
    for i in range(count):
        chain[1, chain[0, i]] = -1
    return 0 if free else count


@jitable
def _turn(board: NDArray[np.int8], cell: int, player: int, rows: int, cols: int, turned: NDArray[np.int32]) -> int:
    """The number of discs that a move turns, which stand in ``turned``."""
    count = 0
    if board[cell] != 0:
        return 0
    for down in range(-1, 2):
        for right in range(-1, 2):
            row, column, line = cell // cols + down, cell % cols + right, 0
            if down == 0 and right == 0:
                continue
            while 0 <= row < rows and 0 <= column < cols and board[row * cols + column] == 2 - player:
                turned[count + line] = row * cols + column
                line += 1
                row += down
                column += right
            if line and 0 <= row < rows and 0 <= column < cols and board[row * cols + column] == 1 + player:
                count += line
    return count
