"""Transposition table of minimax: bounds of scores by 128-bit hashes."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._jit import jitable


class Key(NamedTuple):
    """The hash of a position, 128 bits."""

    first: np.uint64
    second: np.uint64


class TranspositionTable(NamedTuple):
    """Bounds of scores; a bucket is two neighbours, the one with the larger subtree and the newest.  M entries."""

    first: NDArray[np.uint64]  # [M]: 0 with ``second`` 0: empty
    second: NDArray[np.uint64]  # [M]
    low: NDArray[np.int16]  # [M]
    high: NDArray[np.int16]  # [M]
    move: NDArray[np.int16]  # [M]: action, -1 none; in the image that was hashed
    work: NDArray[np.int32]  # [M]: nodes of the subtree


def make_table(bits: int) -> TranspositionTable:
    """An empty table of 2 ** bits buckets."""
    entries = 2 << bits
    return TranspositionTable(
        first=np.zeros(entries, np.uint64),
        second=np.zeros(entries, np.uint64),
        low=np.zeros(entries, np.int16),
        high=np.zeros(entries, np.int16),
        move=np.zeros(entries, np.int16),
        work=np.zeros(entries, np.int32),
    )


@jitable
def find(table: TranspositionTable, key: Key) -> int:
    """The entry of a position, -1 when there is none."""
    first, second = key
    bucket = int(first & np.uint64(len(table.first) // 2 - 1)) * 2
    for entry in range(bucket, bucket + 2):
        if table.first[entry] == first and table.second[entry] == second:
            return entry
    return -1


@jitable
def keep(table: TranspositionTable, key: Key, low: int, high: int, move: int, work: int) -> None:
    """Store bounds in the table, merged with those it has for the position."""
    first, second = key
    entry = find(table, key)
    if entry >= 0:
        low = max(low, int(table.low[entry]))
        high = min(high, int(table.high[entry]))
        if move < 0:
            move = int(table.move[entry])
    else:
        entry = int(first & np.uint64(len(table.first) // 2 - 1)) * 2
        if work < table.work[entry]:
            entry += 1
        else:
            table.first[entry + 1] = table.first[entry]
            table.second[entry + 1] = table.second[entry]
            table.low[entry + 1] = table.low[entry]
            table.high[entry + 1] = table.high[entry]
            table.move[entry + 1] = table.move[entry]
            table.work[entry + 1] = table.work[entry]
    table.first[entry] = first
    table.second[entry] = second
    table.low[entry] = low
    table.high[entry] = high
    table.move[entry] = move
    table.work[entry] = min(work, 2**31 - 1)
