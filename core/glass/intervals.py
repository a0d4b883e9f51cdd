"""How far the Q of each move may be from its true value: the interval that its selection rule defines.

ucb1: Q - U to Q + U.  Were the values independent, each end would be wrong with a probability of at most
(sum N)^(-2 c^2), c on values in [0, 1] (Auer et al. 2002, by Hoeffding's inequality).  ucb1_tuned: the same with its U,
for which nothing is proved.  flat: the games of a move are independent, so Wilson's score interval holds (Wilson 1927;
a draw as half a win makes it wider than needed).  puct and gumbel define none: U weighs a prior and g is noise.  Theirs
is z standard errors of the values found, the radius of the lower bound that may choose the move to play
(core.search.selection).  A proved result is exact.
Letters: E edges of one node.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.glass.snapshot import NodeView
from core.search.proofs import exact_value
from core.search.rules.table import RULES


class Interval(NamedTuple):
    """Where the value of a move may lie, for the side to move at its node, within [-1, 1]."""

    low: float
    high: float


def intervals(node: NodeView, spreads: NDArray[np.float64] | None = None) -> tuple[Interval | None, ...]:
    """The interval of each edge; None for a move without visits, and where the spread of its values is not known.

    ``spreads`` [E or fewer]: variance of each move's values, where the tree does not keep it (core.glass.leaf_values).
    """
    choice = node.choice
    z = choice.params.lcb_z if choice is not None else math.nan
    if choice is not None and choice.node.squares.size:
        spreads = choice.spreads
    variances = np.full(len(node.actions), np.nan)
    if spreads is not None:
        variances[: len(spreads)] = spreads[: len(variances)]
    return tuple(
        _interval(node.selection, int(proof), int(n), float(q), float(u), float(spread), z)
        for proof, n, q, u, spread in zip(node.proofs, node.visits_of, node.qs, node.us, variances, strict=True)
    )


def _interval(rule: str, proof: int, n: int, q: float, u: float, spread: float, z: float) -> Interval | None:
    if proof:
        value = exact_value(proof)
        return Interval(value, value)
    if n == 0:
        return None
    if RULES[rule].interval == "games":
        return _wilson(q, n, z)
    radius = u if RULES[rule].interval == "u" else standard_errors(spread, n, z)
    if math.isnan(radius):
        return None
    return Interval(max(-1.0, q - radius), min(1.0, q + radius))


def standard_errors(spread: float, n: int, z: float) -> float:
    """z standard errors of a mean of ``n`` values, with 1 / n more variance than was seen."""
    return z * math.sqrt((spread + 1.0 / n) / n)


def _wilson(q: float, n: int, z: float) -> Interval:
    share, extra = (q + 1.0) / 2.0, z * z / n
    centre = (share + extra / 2.0) / (1.0 + extra)
    half = z / (1.0 + extra) * math.sqrt(max(0.0, share * (1.0 - share)) / n + extra / (4.0 * n))
    return Interval(2.0 * (centre - half) - 1.0, 2.0 * (centre + half) - 1.0)
