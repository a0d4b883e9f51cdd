"""The boards of many games of Othello at once, on words of 64 bits.

Bit ``row * 8 + column``; bitboards as in the Chess Programming Wiki's articles on fills.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

SIDE: Final = 8
_NOT_A: Final = np.uint64(0xFEFEFEFEFEFEFEFE)
_NOT_H: Final = np.uint64(0x7F7F7F7F7F7F7F7F)
_ALL: Final = np.uint64(0xFFFFFFFFFFFFFFFF)
# Steps to the neighbours, up as shifts to the left, with the cells that a step may come to.
_STEPS: Final = ((1, _NOT_A), (8, _ALL), (9, _NOT_A), (7, _NOT_H))
_LONGEST: Final = 6  # discs between two ends

Words = NDArray[np.uint64]


def replay(moves: NDArray[np.int16]) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """Play the cells [G, n] of many games without their passes: the boards int8 [G, 64] and who played last [G].

    -1 for the player of a game that has no such move.
    """
    count = len(moves)
    mover = np.full(count, (1 << 28) | (1 << 35), np.uint64)  # of the player to move
    opponent = np.full(count, (1 << 27) | (1 << 36), np.uint64)
    player = np.zeros(count, np.int8)
    last = np.ones(count, np.int8)
    sound = np.ones(count, bool)
    for ply in range(moves.shape[1]):
        plays = sound & (moves[:, ply] >= 0)
        place = np.where(plays, np.uint64(1) << np.maximum(moves[:, ply], 0).astype(np.uint64), np.uint64(0))
        place &= ~(mover | opponent)
        turned = _turned(mover, opponent, place)
        passed = np.flatnonzero((turned == 0) & (place != 0))
        if len(passed):  # the player cannot move there: the other did, after a pass
            mover[passed], opponent[passed] = opponent[passed], mover[passed]
            player[passed] = 1 - player[passed]
            turned[passed] = _turned(mover[passed], opponent[passed], place[passed])
        sound &= turned != 0
        turned[~sound] = 0
        place[~sound] = 0
        last = player.copy()
        mover, opponent = opponent & ~turned, mover | turned | place
        player = 1 - player
    black, white = np.where(player == 0, mover, opponent), np.where(player == 0, opponent, mover)
    cells = _cells(black) + 2 * _cells(white)
    last[~sound] = -1
    return cells, last


def _turned(mover: Words, opponent: Words, place: Words) -> Words:
    """The discs that a disc of the player on ``place`` turns."""
    turned = np.zeros_like(mover)
    for shift, mask in _STEPS:
        step = np.uint64(shift)
        back = _NOT_H if mask is _NOT_A else _NOT_A if mask is _NOT_H else _ALL
        for up, reach in ((True, mask), (False, back)):
            line = np.zeros_like(mover)
            at = place
            for _ in range(_LONGEST):
                at = ((at << step if up else at >> step) & reach) & opponent
                line |= at
            end = (line << step if up else line >> step) & reach
            turned |= np.where(end & mover != 0, line, np.uint64(0))
    return turned


def _cells(words: Words) -> NDArray[np.int8]:
    """The bits as cells, int8 [G, 64]."""
    return np.unpackbits(words.astype("<u8").view(np.uint8).reshape(-1, 8), axis=1, bitorder="little").view(np.int8)
