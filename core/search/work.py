"""Working memory of a driver of simulations beside the tree: scratch, counters, evaluation cache, random numbers.

Letters: M cache entries, B batch, A actions, C planes, H W board, P plies,
G features.
"""

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.games.dispatch import Spare
from core.games.encoding import Encoder, Encoding
from core.games.net_inputs import make_inputs
from core.rng import make_rng
from core.search.priors import order_scratch
from core.solve.threats_leaf import Scout

if TYPE_CHECKING:
    from core.games.spec import GameSpec

# Indices into Work.stats.
SIMULATIONS: Final = 0
EVALUATIONS: Final = 1
CACHE_HITS: Final = 2
COLLISIONS: Final = 3
DEPTH_SUM: Final = 4
DEPTH_MAX: Final = 5
BATCHES: Final = 6
NUM_STATS: Final = 8

# Indices into Work.common: far apart, for what one thread writes would slow down the others' reading beside it.
LEFT: Final = 0  # simulations that may still begin
FULL: Final = 16  # 1: the tree has no room
PLACED: Final = 32  # places of the batch that are taken
COLLIDED: Final = 33  # descents that collided and do not end the batch
_COMMON: Final = 48

MOST_TOGETHER: Final = 32  # simulations valued by random games that a thread beside others makes together


class Cache(NamedTuple):
    """Evaluations seen before, direct-mapped by ``core.search.simulate.key_of``.  M entries, a power of two."""

    keys: NDArray[np.uint64]  # [M] 0 = empty
    values: NDArray[np.float32]  # [M]
    priors: NDArray[np.uint16]  # [M, A] by rank among the legal actions in ascending order
    leads: NDArray[np.float32]  # [M, 2] score lead for the side to move and its mean square; [0, 2] without leads


class Answer(NamedTuple):
    """What an evaluator gives for B positions."""

    logits: NDArray[np.float32]  # [B, A] of the policy
    values: NDArray[np.float32]  # [B] in [-1, 1] for the side to move
    leads: NDArray[np.float32] = np.zeros((0, 2), np.float32)
    """[B, 2] the score lead of the side to move in points, and its mean square, where the encoding has leads."""


class Work(NamedTuple):
    """Scratch, counters, cache and random numbers of one driver."""

    actions: NDArray[np.int16]  # [A]
    priors: NDArray[np.uint16]  # [A]
    order: NDArray[np.int64]  # of core.search.priors.order_scratch
    weights: NDArray[np.float64]  # [A] of the legal actions, by rank
    stats: NDArray[np.int64]  # [NUM_STATS]
    common: NDArray[np.int64]  # what the threads that search one tree count together
    encoder: Encoder  # of core.games.encoding: what the evaluator is given of a position
    planes: NDArray[np.float32]  # [B, C, H, W]
    features: NDArray[np.float32]  # [B, G]
    leaf_node: NDArray[np.int32]  # [B]
    leaf_root: NDArray[np.int32]  # [B]
    leaf_key: NDArray[np.uint64]  # [B]
    leaf_legal: NDArray[np.int16]  # [B, A]
    leaf_count: NDArray[np.int64]  # [B]
    leaf_boost: NDArray[np.float32]  # [B, A] factors of the priors by rank, 1 where threats change nothing
    collided: NDArray[np.int32]  # [B] scratch: leaves that waited already when a descent came to them
    begun_node: NDArray[np.int32]  # [MOST_TOGETHER] scratch: leaves of simulations that are made together
    begun_value: NDArray[np.float64]  # [MOST_TOGETHER] scratch: their values
    cache: Cache
    rng: NDArray[np.uint64]  # [2] state of the random generator (core.rng)
    threats: Scout  # of the board last looked at
    spare: Spare  # of tactical random games


class Quota(NamedTuple):
    """The limits of collecting one batch, beside ``LEFT``."""

    leaves: int  # at most so many wait for a value
    in_flight: int  # leaves that wait in other batches
    collisions: int  # so many, at most B, do not end it


class PlayoutScratch(NamedTuple):
    """Scratch with which one thread plays random games."""

    state: Any  # scratch: a state of the game
    path: NDArray[np.int16]  # [P] scratch: the actions from the root to a leaf, the last one first
    rng: NDArray[np.uint64]  # [2] state of the random generator (core.rng)
    spare: Spare


def make_playout_scratch(game: "GameSpec", rng: NDArray[np.uint64]) -> PlayoutScratch:
    """Scratch for random games drawn from ``rng``, which they advance."""
    return PlayoutScratch(game.new_state(), np.zeros(game.max_plies + 1, np.int16), rng, game.new_spare())


def another_batch(work: Work) -> Work:
    """Room for one more batch beside that of ``work``, with which it shares all that is not a batch's own."""
    names = ("planes", "features", *(name for name in Work._fields if name.startswith("leaf_")))
    return work._replace(**{name: getattr(work, name).copy() for name in names})


def make_cache(num_actions: int, entries: int, leads: bool) -> Cache:
    """An empty cache of ``entries`` (a power of two)."""
    return Cache(
        keys=np.zeros(entries, np.uint64),
        values=np.zeros(entries, np.float32),
        priors=np.zeros((entries, num_actions), np.uint16),
        leads=np.zeros((entries if leads else 0, 2), np.float32),
    )


def make_work(game: "GameSpec", encoding: Encoding, batch: int, cache_entries: int, seed: int, threats: Scout) -> Work:
    """Scratch for batches of up to ``batch`` leaves in an ``encoding``; ``cache_entries`` is a power of two."""
    num_actions = game.num_actions
    inputs = make_inputs(game, encoding, batch)
    return Work(
        actions=np.zeros(num_actions, np.int16),
        priors=np.zeros(num_actions, np.uint16),
        order=order_scratch(num_actions),
        weights=np.zeros(num_actions),
        stats=np.zeros(NUM_STATS, np.int64),
        common=np.zeros(_COMMON, np.int64),
        encoder=encoding.new_encoder(),
        planes=inputs.planes,
        features=inputs.features,
        leaf_node=np.zeros(batch, np.int32),
        leaf_root=np.zeros(batch, np.int32),
        leaf_key=np.zeros(batch, np.uint64),
        leaf_legal=np.zeros((batch, num_actions), np.int16),
        leaf_count=np.zeros(batch, np.int64),
        leaf_boost=np.ones((batch, num_actions), np.float32),
        collided=np.zeros(batch, np.int32),
        begun_node=np.zeros(MOST_TOGETHER, np.int32),
        begun_value=np.zeros(MOST_TOGETHER),
        cache=make_cache(num_actions, cache_entries, encoding.leads),
        rng=make_rng(seed),
        threats=threats,
        spare=game.new_spare(),
    )
