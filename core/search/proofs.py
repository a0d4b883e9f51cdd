"""Proofs: codes of exact results, for the side that owns an edge."""

from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from core._jit import jitable

UNPROVED: Final = 0
WIN: Final = 1
PROVED_DRAW: Final = 2
LOSS: Final = 3

Proofs = TypeVar("Proofs", int, NDArray[np.int8])  # one proof, or one of each node


@jitable
def flip(proof: Proofs) -> Proofs:
    """The same result from the other side's point of view."""
    return (4 - proof) & 3


@jitable
def exact_value(proof: int) -> float:
    """+1, 0 or -1 of a proved result."""
    return float(2 - proof)


def is_upper_bound(proof: Any, distance: Any, expanded: Any) -> Any:
    """Whether the distance of a proved node may be longer than under best play; numbers or arrays of one shape.

    MCTS-Solver keeps the first win it finds, and a loss is as long as the wins that prove it.  Nothing is shorter than
    a win in 1, and only wins in 1 make a loss in 2; the end of a game and what threats proved (a node that is not
    ``expanded``) are exact.  ``distance`` is the node's own, ``proof`` for the side that plays into it."""
    return expanded & (proof != UNPROVED) & (distance > np.where(np.equal(proof, WIN), 2, 1))
