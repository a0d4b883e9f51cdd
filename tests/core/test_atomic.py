"""Additions and locks of several threads."""

import threading

import numpy as np
import pytest
from numpy.typing import NDArray

from core._atomic import acquire, add, let_others_run, load, release, store
from core._jit import jit

TIMES = 2000


@jit
def work(counts: NDArray[np.int32], locked: NDArray[np.int64], locks: NDArray[np.int64]) -> None:
    for i in range(TIMES):
        add(counts, i & 1, 1)
        acquire(locks, 8)
        before = load(locked, 1)
        if i % 100 == 0:
            let_others_run()
        store(locked, 1, before + 1)
        release(locks, 8)


@pytest.mark.slow
def test_nothing_that_three_threads_count_is_lost() -> None:
    records = np.zeros(3, np.dtype([("before", np.int32), ("count", np.int32), ("after", np.int64)]))
    locked, locks = np.zeros(2, np.int64), np.zeros(16, np.int64)
    work(records["count"], locked, locks)
    threads = [threading.Thread(target=work, args=(records["count"], locked, locks)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert records["count"].tolist() == [2 * TIMES, 2 * TIMES, 0]
    assert locked.tolist() == [0, 4 * TIMES]
    assert not records["before"].any()
    assert not records["after"].any()
    assert not locks.any()


def test_an_addition_returns_what_was_there() -> None:
    counts = np.array([3, 7], np.int32)
    assert (add(counts, 1, -9), load(counts, 1)) == (7, -2)
