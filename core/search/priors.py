"""From a net's logits to 16-bit priors, and their order.

A actions.  Both functions take most of the time of a leaf on a large board, so their loops are written for the
processor's wide instructions: without branches, calls, or sums in which each term waits for the one before.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from core._jit import apart, jitable
from core.search.tree import PRIOR_ONE

_FEW: Final = 24  # priors that are inserted one by one sooner
_EXACT: Final = 128  # smaller priors have a bucket each; from here on, 32 for each power of two
_COARSE: Final = (127 + 7) << 5  # the first bits of 128.0 as a float32
_LEFT_OUT: Final = 18  # the others
_BUCKETS: Final = 512  # in use are 416; a power of two, for the mask that shows the compiler that no index is negative

# The exponential function, by its series on [-ln 2 / 2, ln 2 / 2].
_LOG2_E: Final = 1.4426950408889634
_LN2_HIGH: Final = 0.693147180369123816490  # ln 2 in two parts: multiples of the first are exact
_LN2_LOW: Final = 1.90821492927058770002e-10
_ROUNDER: Final = 6755399441055744.0  # 1.5 * 2**52: added, it leaves a whole number in the lowest bits
_LEAST: Final = -700.0  # below, exp is next to 0 and needs smaller exponents than there are


@jitable
def _exp(x: float) -> float:
    """exp(``x``) for x <= 0, to about 2 units in the last place; as plain arithmetic, of which several fit in one
    instruction."""
    x = max(x, _LEAST)
    rounded = np.float64(x * _LOG2_E + _ROUNDER)
    power = rounded - _ROUNDER
    r = (x - power * _LN2_HIGH) - power * _LN2_LOW
    p = r * (1.0 / 479001600) + 1.0 / 39916800
    p = p * r + 1.0 / 3628800
    p = p * r + 1.0 / 362880
    p = p * r + 1.0 / 40320
    p = p * r + 1.0 / 5040
    p = p * r + 1.0 / 720
    p = p * r + 1.0 / 120
    p = p * r + 1.0 / 24
    p = p * r + 1.0 / 6
    p = p * r + 0.5
    p = p * r + 1.0
    p = np.float64(p * r + 1.0)
    bits = np.int64(p.view(np.int64) + (rounded.view(np.int64) << np.int64(52)))
    return bits.view(np.float64)


@apart
def quantise(
    logits: NDArray[np.float32],
    actions: NDArray[np.int16],
    n: int,
    weights: NDArray[np.float64],
    out: NDArray[np.uint16],
) -> None:
    """Softmax of ``logits`` [A] over the first ``n`` ``actions`` as 16-bit priors, at least 1 each; ``weights`` [A] is
    scratch."""
    whole = n - n % 4
    a = b = c = d = -np.inf
    for i in range(0, whole, 4):
        weights[i], weights[i + 1] = logits[actions[i]], logits[actions[i + 1]]
        weights[i + 2], weights[i + 3] = logits[actions[i + 2]], logits[actions[i + 3]]
        a, b, c, d = max(a, weights[i]), max(b, weights[i + 1]), max(c, weights[i + 2]), max(d, weights[i + 3])
    for i in range(whole, n):
        weights[i] = logits[actions[i]]
        a = max(a, weights[i])
    top = max(a, b, c, d)
    for i in range(n):
        weights[i] = _exp(weights[i] - top)
    a = b = c = d = 0.0
    for i in range(0, whole, 4):
        a += weights[i]
        b += weights[i + 1]
        c += weights[i + 2]
        d += weights[i + 3]
    for i in range(whole, n):
        a += weights[i]
    total = (a + b) + (c + d)
    for i in range(n):
        out[i] = max(np.int32(1), np.int32(weights[i] / total * PRIOR_ONE + 0.5))


def order_scratch(num_actions: int) -> NDArray[np.int64]:
    """Scratch for ``order_by_prior`` with up to so many priors."""
    return np.zeros(2 * num_actions + _BUCKETS, np.int64)


@apart
def order_by_prior(priors: NDArray[np.uint16], n: int, order: NDArray[np.int64]) -> None:
    """Write a key for each of the first ``n`` ``priors`` to the start of ``order``, highest prior first, equal ones as
    they stand: what the prior lacks of the highest there is, and in the lowest 16 bits its place.  ``order`` is of
    ``order_scratch``.

    Few are inserted one by one.  Many are first dealt out to buckets, so narrow that hardly any has to be moved then.
    """
    sorted_before = 1
    while sorted_before < n and priors[sorted_before] <= priors[sorted_before - 1]:
        sorted_before += 1
    if n <= _FEW or sorted_before == n:
        for i in range(n):
            order[i] = (PRIOR_ONE - np.int64(priors[i])) << 16 | i
    else:
        _deal(priors, n, order)
    for i in range(1, n):
        key = order[i]
        j = i
        while j > 0 and order[j - 1] > key:
            order[j] = order[j - 1]
            j -= 1
        order[j] = key


@jitable
def _deal(priors: NDArray[np.uint16], n: int, order: NDArray[np.int64]) -> None:
    """Write the keys to the start of ``order`` by bucket, the highest first, as they stand in each."""
    half = (len(order) - _BUCKETS) // 2
    keys, buckets, counts = order[:half], order[half : 2 * half], order[2 * half :]
    first, last = np.int64(_BUCKETS), np.int64(0)
    for i in range(n):
        prior = np.int32(priors[i])
        coarse = (np.float32(prior).view(np.int32) >> np.int32(_LEFT_OUT)) - np.int32(_COARSE - _EXACT)
        buckets[i] = np.int32(_BUCKETS - 1) - (prior if prior < _EXACT else coarse)
    for i in range(n):
        first, last = min(first, buckets[i]), max(last, buckets[i])
    for b in range(first, last + 1):
        counts[b] = 0
    for i in range(n):
        counts[buckets[i] & (_BUCKETS - 1)] += 1
    before = 0
    for b in range(first, last + 1):
        count = counts[b]
        counts[b] = before
        before += count
    for i in range(n):
        b = buckets[i] & (_BUCKETS - 1)
        keys[counts[b] & 0x7FFF] = (PRIOR_ONE - np.int64(priors[i])) << 16 | i
        counts[b] += 1
