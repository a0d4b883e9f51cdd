"""What a driver of simulations keeps beside the tree: scratch, counters and the evaluation cache.  Knows no game.

Letters: M cache entries, B batch, A actions, C planes, H W board.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.solve.threats_leaf import Scout

# Indices into Work.stats.
SIMULATIONS: Final = 0
EVALUATIONS: Final = 1
CACHE_HITS: Final = 2
COLLISIONS: Final = 3
DEPTH_SUM: Final = 4
DEPTH_MAX: Final = 5
BATCHES: Final = 6
NUM_STATS: Final = 8


class Cache(NamedTuple):
    """Evaluations seen before, direct-mapped by position key.  M entries, a power of two."""

    keys: NDArray[np.uint64]  # [M] 0 = empty
    values: NDArray[np.float32]  # [M]
    priors: NDArray[np.uint16]  # [M, A] by rank among the legal actions in ascending order


class Work(NamedTuple):
    """Scratch and counters of one driver.  B batch, A actions, C planes."""

    actions: NDArray[np.int16]  # [A]
    priors: NDArray[np.uint16]  # [A]
    keys: NDArray[np.int64]  # [A]
    stats: NDArray[np.int64]  # [NUM_STATS]
    planes: NDArray[np.float32]  # [B, C, H, W]
    leaf_node: NDArray[np.int32]  # [B]
    leaf_root: NDArray[np.int32]  # [B]
    leaf_key: NDArray[np.uint64]  # [B]
    leaf_legal: NDArray[np.int16]  # [B, A]
    leaf_count: NDArray[np.int64]  # [B]
    leaf_boost: NDArray[np.float32]  # [B, A] factors of the priors by rank, 1 where threats change nothing
    threats: Scout  # of the board last looked at


def another_batch(work: Work) -> Work:
    """Room for one more batch beside that of ``work``, with which it shares all that is not a batch's own."""
    own = ("planes", "leaf_node", "leaf_root", "leaf_key", "leaf_legal", "leaf_count", "leaf_boost")
    return work._replace(**{name: getattr(work, name).copy() for name in own})


def make_cache(num_actions: int, entries: int) -> Cache:
    """An empty cache of ``entries`` (a power of two)."""
    return Cache(
        np.zeros(entries, np.uint64), np.zeros(entries, np.float32), np.zeros((entries, num_actions), np.uint16)
    )


def make_work(num_actions: int, planes_shape: tuple[int, int, int], batch: int, threats: Scout) -> Work:
    """Scratch for batches of up to ``batch`` leaves."""
    return Work(
        actions=np.zeros(num_actions, np.int16),
        priors=np.zeros(num_actions, np.uint16),
        keys=np.zeros(num_actions, np.int64),
        stats=np.zeros(NUM_STATS, np.int64),
        planes=np.zeros((batch, *planes_shape), np.float32),
        leaf_node=np.zeros(batch, np.int32),
        leaf_root=np.zeros(batch, np.int32),
        leaf_key=np.zeros(batch, np.uint64),
        leaf_legal=np.zeros((batch, num_actions), np.int16),
        leaf_count=np.zeros(batch, np.int64),
        leaf_boost=np.ones((batch, num_actions), np.float32),
        threats=threats,
    )
