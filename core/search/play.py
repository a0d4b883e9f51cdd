"""From visits and proofs to the policy target and the move played.

``apply_proofs`` turns visits into weights; every target and every drawn move comes from these, in self-play, in the
engine and in the window.  The first rule that applies:

- a won move is known: the won moves share the weight equally, and the shortest win is played at any temperature;
- the position is proved drawn: only drawn moves have weight;
- otherwise a move proved lost has no weight while another is left.

The target that a net learns is these weights (tau = 1), pruned of the root's noise where visits are pruned.
The move played is drawn from weights^(1/tau) (AlphaGo Zero: Silver et al. 2017, Methods, Play).
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core._jit import jit, jitable
from core.search.proofs import LOSS, PROVED_DRAW, UNPROVED, WIN


@jitable
def apply_proofs(
    weights: NDArray[np.float64], proofs: NDArray[np.int8], priors: NDArray[Any], n: int, k: int, root_proof: int
) -> bool:
    """Change the ``weights`` of ``n`` moves, their visits, by what is proved; returns whether that settles them.

    ``proofs`` are those of the first ``k`` moves, for the side to move; ``root_proof`` is that of the position, for
    either side.  When every move tried is lost the others are weighted by their ``priors``.
    """
    won = False
    any_unlost = False
    for i in range(n):
        won = won or (i < k and proofs[i] == WIN)
        any_unlost = any_unlost or i >= k or proofs[i] != LOSS
    if not any_unlost:
        return True
    mass = 0.0
    for i in range(n):
        proof = proofs[i] if i < k else UNPROVED
        if won:
            weights[i] = 1.0 if proof == WIN else 0.0
        elif root_proof == PROVED_DRAW:
            weights[i] = max(1.0, weights[i]) if proof == PROVED_DRAW else 0.0
        elif proof == LOSS:
            weights[i] = 0.0
        mass += weights[i]
    if mass > 0.0:
        return won or root_proof != UNPROVED
    for i in range(n):
        if i >= k or proofs[i] != LOSS:
            weights[i] = priors[i]
    return True


def sharpened(weights: NDArray[Any], temperature: float) -> NDArray[np.float64]:
    """weights^(1/tau), sum 1; at ``temperature`` 0 the largest share it equally."""
    top = weights.max()
    if temperature == 0.0:
        out = (weights == top).astype(np.float64)
    else:
        with np.errstate(divide="ignore"):
            out = np.exp(np.log(weights.astype(np.float64) / top) / temperature)
    return np.asarray(out / out.sum())


def chances(weights: NDArray[Any], best: int, won: bool, temperature: float) -> NDArray[np.float64]:
    """The probability of each move to be played.

    ``weights`` are those of ``apply_proofs``; ``best`` is the index of the move that the search would play, -1 = none:
    it is certain when a move is won (``won``) and at ``temperature`` 0.
    """
    if best >= 0 and (won or temperature == 0.0):
        out = np.zeros(len(weights), np.float64)
        out[best] = 1.0
        return out
    return sharpened(weights, temperature)


@jit
def draw_moves(
    weights: NDArray[np.float32],
    best: NDArray[np.int64],
    won: NDArray[np.bool_],
    temperatures: NDArray[np.float64],
    uniforms: NDArray[np.float64],
    drawn: NDArray[np.int64],
) -> None:
    """Draw a move for each row of ``weights`` [R, A] with the ``chances`` of its ``best`` and so on, by its number of
    ``uniforms`` in [0, 1), into ``drawn`` [R]."""
    for r in range(drawn.size):
        row, temperature = weights[r], temperatures[r]
        drawn[r] = best[r]
        if best[r] >= 0 and (won[r] or temperature == 0.0):
            continue
        top = np.float64(0.0)
        for weight in row:
            top = max(top, np.float64(weight))
        total = 0.0
        for weight in row:
            total += _sharp(weight / top, temperature)
        rest = uniforms[r] * total
        for action in range(row.size):
            if row[action] > 0.0 and rest >= 0.0:
                drawn[r] = action  # the last one, should rounding leave a little
                rest -= _sharp(row[action] / top, temperature)


@jitable
def _sharp(share: float, temperature: float) -> float:
    """``share``^(1/tau), at ``temperature`` 0 its limit."""
    if temperature == 1.0 or share == 0.0:
        return share
    return 1.0 * (share == 1.0) if temperature == 0.0 else math.exp(math.log(share) / temperature)
