"""How threads that search one tree keep out of each other's way; for one thread alone all of this compiles to nothing.

The kernels take ``ALONE`` or the ``Locks`` of a tree, and are compiled for each.  Selection reads the tree without a
lock: a figure that is just being changed is the old or the new one.  What is written of a simulation is written under
the tree's one lock, together with its record.  So the records are in the order in which values and proofs came, and an
earlier moment can be worked out from them as after a single thread.  Nodes, edges and blocks of slots are taken under
the lock, too.  Random games, encoding, the order of priors and all of a descent but its new node are outside.  A thread
that values by random games makes several simulations together, so that it fetches what others changed less often.

Simulations in flight are counted without the lock, by one addition for each edge passed.  When a block of slots is full
and moves, its old slots are marked as ``MOVED``, and who counted there does so again at the new place.  Old blocks stay
as they are until all threads rest (``core.search.growth.reclaim``), because another thread may still read them.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core import _atomic
from core._jit import ByType

MOVED: Final = 1 << 30  # added to what is in flight in a slot that has moved
MOST_A_SLICE: Final = 1 << 16  # simulations of several threads between two calls of ``reclaim``

# Indices into Locks.cells: far apart, for what one thread writes would slow down the others' reading beside it.
LOCK: Final = 0
FREED: Final = 16  # blocks that wait for ``reclaim``
_CELLS: Final = 32


class Alone(NamedTuple):
    """One thread has the tree to itself."""

    others: int


class Locks(NamedTuple):
    """What the threads of one tree share beside it."""

    others: int  # threads beside one of them
    cells: NDArray[np.int64]
    freed: NDArray[np.int32]  # [MOST_A_SLICE] the first slots of blocks that moved
    freed_class: NDArray[np.int8]  # [MOST_A_SLICE] their sizes


ALONE: Final = Alone(0)
AnyLocks = Alone | Locks


def make_locks(threads: int) -> Locks:
    """The locks of ``threads`` that search one tree."""
    cells = np.zeros(_CELLS, np.int64)
    return Locks(threads - 1, cells, np.zeros(MOST_A_SLICE, np.int32), np.zeros(MOST_A_SLICE, np.int8))


class LockOperations(NamedTuple):
    """What a thread does; see the functions of the same names below."""

    others: Callable[[Any], int]
    acquire: Callable[[Any], None]
    release: Callable[[Any], None]
    barrier: Callable[[Any], None]
    let_others_run: Callable[[Any], None]
    load: Callable[[Any, NDArray[np.integer], int], int]
    store: Callable[[Any, NDArray[np.integer], int, int], None]
    add: Callable[[Any, NDArray[np.integer], int, int], int]
    count_in: Callable[[Any, NDArray[np.int32], int, int], bool]
    count_moved: Callable[[Any, NDArray[np.int32], int], int]
    keep_block: Callable[[Any, int, int], bool]


_TABLE: Final = ByType[LockOperations]()


@_TABLE.compiled()
def others(locks: AnyLocks) -> int:
    """The threads beside this one."""
    return _TABLE[type(locks)].others(locks)


@_TABLE.compiled()
def acquire(locks: AnyLocks) -> None:
    """Take the tree's lock, and wait while another thread holds it.  It may not be taken twice."""
    _TABLE[type(locks)].acquire(locks)


@_TABLE.compiled()
def release(locks: AnyLocks) -> None:
    """Give the tree's lock back."""
    _TABLE[type(locks)].release(locks)


@_TABLE.compiled()
def barrier(locks: AnyLocks) -> None:
    """Memory barrier: what this thread wrote before is seen by others before what it writes after."""
    _TABLE[type(locks)].barrier(locks)


@_TABLE.compiled()
def let_others_run(locks: AnyLocks) -> None:
    """Offer the processor to another thread."""
    _TABLE[type(locks)].let_others_run(locks)


@_TABLE.compiled()
def load(locks: AnyLocks, array: NDArray[np.integer], index: int) -> int:
    """An element as it is now, which is read anew in every call."""
    return _TABLE[type(locks)].load(locks, array, index)


@_TABLE.compiled()
def store(locks: AnyLocks, array: NDArray[np.integer], index: int, value: int) -> None:
    """Set an element, after all that this thread wrote before."""
    _TABLE[type(locks)].store(locks, array, index, value)


@_TABLE.compiled()
def add(locks: AnyLocks, array: NDArray[np.integer], index: int, amount: int) -> int:
    """Add ``amount`` to an element; returns what it was before."""
    return _TABLE[type(locks)].add(locks, array, index, amount)


@_TABLE.compiled()
def count_in(locks: AnyLocks, inflight: NDArray[np.int32], slot: int, amount: int) -> bool:
    """Count ``amount`` simulations that are in flight in a slot; False where it has moved, and must be counted at its
    new place."""
    return _TABLE[type(locks)].count_in(locks, inflight, slot, amount)


@_TABLE.compiled()
def count_moved(locks: AnyLocks, inflight: NDArray[np.int32], slot: int) -> int:
    """What is in flight in a slot that moves; from here on nobody counts there."""
    return _TABLE[type(locks)].count_moved(locks, inflight, slot)


@_TABLE.compiled()
def keep_block(locks: AnyLocks, start: int, size_class: int) -> bool:
    """Keep a block of slots that other threads may still read, until ``reclaim``; False where there are none."""
    return _TABLE[type(locks)].keep_block(locks, start, size_class)


def _none(locks: AnyLocks) -> int:
    return 0  # known to the compiler, which leaves out what is counted of simulations in flight


def _nothing(locks: AnyLocks) -> None:
    pass


def _load_alone(locks: AnyLocks, array: NDArray[np.integer], index: int) -> int:
    return int(array[index])


def _store_alone(locks: AnyLocks, array: NDArray[np.integer], index: int, value: int) -> None:
    array[index] = value


def _add_alone(locks: AnyLocks, array: NDArray[np.integer], index: int, amount: int) -> int:
    before = int(array[index])
    array[index] = before + amount
    return before


def _count_in_alone(locks: AnyLocks, inflight: NDArray[np.int32], slot: int, amount: int) -> bool:
    inflight[slot] += amount
    return True


def _keep_nothing(locks: AnyLocks, start: int, size_class: int) -> bool:
    return False


_TABLE.register(
    Alone,
    LockOperations(
        others=_none,
        acquire=_nothing,
        release=_nothing,
        barrier=_nothing,
        let_others_run=_nothing,
        load=_load_alone,
        store=_store_alone,
        add=_add_alone,
        count_in=_count_in_alone,
        count_moved=_load_alone,
        keep_block=_keep_nothing,
    ),
)


def _others(locks: Locks) -> int:
    return locks.others


def _acquire(locks: Locks) -> None:
    _atomic.acquire(locks.cells, LOCK)


def _release(locks: Locks) -> None:
    _atomic.release(locks.cells, LOCK)


def _barrier(locks: Locks) -> None:
    _atomic.barrier()


def _let_others_run(locks: Locks) -> None:
    _atomic.let_others_run()


def _load(locks: Locks, array: NDArray[np.integer], index: int) -> int:
    return _atomic.load(array, index)


def _store(locks: Locks, array: NDArray[np.integer], index: int, value: int) -> None:
    _atomic.store(array, index, value)


def _add(locks: Locks, array: NDArray[np.integer], index: int, amount: int) -> int:
    return _atomic.add(array, index, amount)


def _count_in(locks: Locks, inflight: NDArray[np.int32], slot: int, amount: int) -> bool:
    return bool(_atomic.add(inflight, slot, amount) < MOVED)


def _count_moved(locks: Locks, inflight: NDArray[np.int32], slot: int) -> int:
    return _atomic.add(inflight, slot, MOVED)


def _keep_block(locks: Locks, start: int, size_class: int) -> bool:
    place = locks.cells[FREED]
    locks.freed[place] = start
    locks.freed_class[place] = size_class
    locks.cells[FREED] = place + 1
    return True


_TABLE.register(
    Locks,
    LockOperations(
        others=_others,
        acquire=_acquire,
        release=_release,
        barrier=_barrier,
        let_others_run=_let_others_run,
        load=_load,
        store=_store,
        add=_add,
        count_in=_count_in,
        count_moved=_count_moved,
        keep_block=_keep_block,
    ),
)
