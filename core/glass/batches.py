"""The batches of a search at its evaluator, and what else gave its simulations their values.

One row for each batch, written after it was backed up: records of the tree, leaves of the batch, cache hits and
collisions so far.  Between two rows come first the simulations that needed no evaluation, then the leaves.
Letters: B batches, K numbers of records.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

RECORDED, LEAVES = 0, 1  # the first columns of ``Batches.rows``
MOST_NEW: Final = 1024  # rows that wait to be written


class Place(NamedTuple):
    """Where a simulation was evaluated."""

    batch: int  # from 1; 0: in none, its value came from the cache
    leaf: int  # its place in the batch, from 1
    leaves: int  # of the batch


class Counts(NamedTuple):
    """Counts up to each of some numbers of records; NaN where nothing was recorded."""

    simulations: NDArray[np.float64]  # [K]
    leaves: NDArray[np.float64]  # [K] evaluated by the net
    hits: NDArray[np.float64]  # [K] answered from the cache
    collisions: NDArray[np.float64]  # [K] descents given up, as their leaf was waiting already
    batches: NDArray[np.float64]  # [K] each counted leaf by leaf


class BatchRows(NamedTuple):
    """The batches so far; the first row is the state before the first."""

    rows: NDArray[np.int64]  # [1 + B, 4] records, leaves, cache hits, collisions; only appended to
    end: tuple[int, int, int]  # records, cache hits and collisions by now

    @property
    def number(self) -> int:
        """The number of batches."""
        return len(self.rows) - 1

    @property
    def first(self) -> int:
        """The number of records before the first that is known of."""
        return int(self.rows[0, RECORDED])

    @property
    def largest(self) -> int:
        """The most leaves of a batch."""
        return int(self.rows[:, LEAVES].max())

    def sums(self, records: NDArray[np.float64]) -> Counts:
        """The counts after the first ``records`` [K] of the tree.  Collisions, and cache hits among what needed no
        evaluation, are spread evenly between two batches."""
        at, leaves, hits, collisions = self.rows.T.astype(np.float64)
        ends = np.append(at, self.end[0])
        begins = np.append(at[1:] - leaves[1:], self.end[0])  # of the leaves of each batch
        evaluated = np.append(np.cumsum(leaves), leaves.sum())
        numbers = np.append(np.arange(len(at)), self.number).astype(np.float64)
        hits = np.append(hits, self.end[1])
        knots = np.append(at[:1], np.stack([begins, ends[1:]], 1).ravel())

        def between(before: NDArray[np.float64], after: NDArray[np.float64]) -> NDArray[np.float64]:
            values: NDArray[np.float64] = np.interp(
                records, knots, np.append(before[:1], np.stack([before[1:], after[1:]], 1).ravel())
            )
            return values

        unknown = records < self.first
        sums = Counts(
            simulations=np.minimum(records, self.end[0]) - self.first,
            leaves=between(np.append(evaluated[:1], evaluated[:-1]), evaluated),
            hits=between(hits, hits) - hits[0],
            collisions=np.interp(records, ends, np.append(collisions, self.end[2])) - collisions[0],
            batches=between(np.append(numbers[:1], numbers[:-1]), numbers),
        )
        return Counts(*(np.where(unknown, np.nan, part) for part in sums))

    def place(self, record: int) -> Place | None:
        """Where the simulation of a record, which needed a value, got it; None where that was not recorded."""
        if not self.first <= record < self.end[0]:
            return None
        row = int(np.searchsorted(self.rows[:, RECORDED], record, "right"))
        if row > self.number:
            return Place(0, 0, 0)
        at, leaves = self.rows[row, RECORDED : LEAVES + 1].tolist()
        leaf = record - (at - leaves) + 1
        return Place(row, leaf, leaves) if leaf > 0 else Place(0, 0, 0)


NO_BATCHES: Final = BatchRows(np.zeros((1, 4), np.int64), (0, 0, 0))


class BatchLog:
    """Records the batches of one search; ``clear`` when the records of its tree are renumbered."""

    def __init__(self) -> None:
        self.clear(0, 0, 0)

    def clear(self, records: int, hits: int, collisions: int) -> None:
        """Begin with what was counted so far."""
        self._rows = np.zeros((256, 4), np.int64)
        self._rows[0] = records, 0, hits, collisions
        self._used = 1
        self._new: list[tuple[int, int, int, int]] = []  # rows not yet written: a list is quicker than an array

    def add(self, records: int, leaves: int, hits: int, collisions: int) -> None:
        """Record a batch that was backed up: its leaves, and what was counted up to it."""
        self._new.append((records, leaves, hits, collisions))
        if len(self._new) == MOST_NEW:
            self._write()

    def _write(self) -> None:
        used = self._used + len(self._new)
        if used > len(self._rows):
            larger = np.zeros((2 * used, 4), np.int64)  # views of the old rows stay as they are
            larger[: self._used] = self._rows[: self._used]
            self._rows = larger
        if self._new:
            self._rows[self._used : used] = self._new
        self._used = used
        self._new.clear()

    def read(self, records: int, hits: int, collisions: int) -> BatchRows:
        """The batches so far and what was counted by now; the rows are not copied."""
        self._write()
        return BatchRows(self._rows[: self._used], (records, hits, collisions))
