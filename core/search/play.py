"""From what a search found to the move that is played.  Knows no tree and no settings.

``apply_proofs`` turns visits into weights; every target and every drawn move comes from these, in self-play, in the
engine and in the window.  The rule, from best to worst:

- a won move is known: the won moves share all, and the one played is the shortest win, whatever the temperature;
- the position is proved drawn: the drawn moves alone;
- else a move proved lost gets nothing while another is left.

The target that a net learns is these weights themselves (tau = 1): clean of the root's noise where visits are pruned,
and never sharpened.  The move played is drawn from weights^(1/tau) (AlphaGo Zero: Silver et al. 2017, Methods, Play).
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from core._jit import jitable
from core.search.formulas import LOSS, PROVED_DRAW, UNPROVED, WIN


@jitable
def apply_proofs(
    weights: NDArray[np.float64], proofs: NDArray[np.int8], priors: NDArray[Any], n: int, k: int, own: int
) -> bool:
    """Let proofs change the ``weights`` of ``n`` moves, their visits; whether nothing else has a say then.

    ``proofs`` are those of the first ``k``, for the side to move, whose position is proved ``own`` for either side.
    When every move tried is lost the others go by their ``priors``.
    """
    won = False
    left = False
    for i in range(n):
        won = won or (i < k and proofs[i] == WIN)
        left = left or i >= k or proofs[i] != LOSS
    if not left:
        return True
    mass = 0.0
    for i in range(n):
        proof = proofs[i] if i < k else UNPROVED
        if won:
            weights[i] = 1.0 if proof == WIN else 0.0
        elif own == PROVED_DRAW:
            weights[i] = max(1.0, weights[i]) if proof == PROVED_DRAW else 0.0
        elif proof == LOSS:
            weights[i] = 0.0
        mass += weights[i]
    if mass > 0.0:
        return won or own != UNPROVED
    for i in range(n):
        if i >= k or proofs[i] != LOSS:
            weights[i] = priors[i]
    return True


def sharpened(weights: NDArray[Any], temperature: float) -> NDArray[np.float64]:
    """weights^(1/tau), sum 1; ``temperature`` 0 shares all among the largest."""
    top = weights.max()
    if temperature == 0.0:
        out = (weights == top).astype(np.float64)
    else:
        with np.errstate(divide="ignore"):
            out = np.exp(np.log(weights.astype(np.float64) / top) / temperature)
    return np.asarray(out / out.sum())


def chances(weights: NDArray[Any], best: int, won: bool, temperature: float) -> NDArray[np.float64]:
    """How likely each move is to be played; ``weights`` as ``apply_proofs`` left them, ``best`` the place of the move
    that the search would play, -1 when it has none.  Of won moves (``won``), and at ``temperature`` 0, it is that."""
    if best >= 0 and (won or temperature == 0.0):
        out = np.zeros(len(weights), np.float64)
        out[best] = 1.0
        return out
    return sharpened(weights, temperature)
