"""Dirichlet noise on the roots of many games at once.

As core.search.root, which does it for one.  G games, A actions, R roots.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._jit import jit, jitable
from core.search.forest import Forest
from core.search.priors import order_by_prior, order_scratch
from core.search.tree import PRIOR_ONE, Tree


class NoiseScratch(NamedTuple):
    """Scratch for mixing noise into priors."""

    actions: NDArray[np.int16]  # [A]
    clean: NDArray[np.uint16]  # [A]
    mixed: NDArray[np.uint16]  # [A]
    order: NDArray[np.int64]  # of core.search.priors.order_scratch


def make_noise_scratch(num_actions: int) -> NoiseScratch:
    """Scratch for roots of up to so many edges."""
    priors = np.zeros((2, num_actions), np.uint16)
    return NoiseScratch(np.zeros(num_actions, np.int16), priors[0], priors[1], order_scratch(num_actions))


@jitable
def _as_prior(share: float) -> int:
    return int(min(max(1.0, np.rint(share)), float(PRIOR_ONE)))


@jit
def mix_noises(
    tree: Tree,
    forest: Forest,
    games: NDArray[np.int64],
    draws: NDArray[np.float64],
    epsilon: float,
    scratch: NoiseScratch,
) -> None:
    """Mix Dirichlet noise into the priors of the expanded roots of ``games`` [R], as ``core.search.root.mix_noise``
    does for one; the priors without noise go to ``forest.clean``.

    ``draws``: a gamma variate for each edge of these roots, one root after the other."""
    first = 0
    for r in range(games.size):
        g = games[r]
        root = forest.roots[g]
        start, n, k = tree.edge_start[root], tree.num_edges[root], tree.num_children[root]
        priors, actions = tree.edge_prior[start : start + n], tree.edge_action[start : start + n]
        total = 0.0
        for i in range(n):
            total += draws[first + i]
        for i in range(n):
            scratch.actions[i], scratch.clean[i] = actions[i], priors[i]
            noise = draws[first + i] / total * PRIOR_ONE
            scratch.mixed[i] = _as_prior((1.0 - epsilon) * priors[i] + epsilon * noise)
        order_by_prior(scratch.mixed[k:n], n - k, scratch.order)
        for i in range(n):  # visited edges keep their places
            source = i if i < k else k + (scratch.order[i - k] & 0xFFFF)
            actions[i], priors[i] = scratch.actions[source], scratch.mixed[source]
            forest.clean[g, i] = scratch.clean[source]
        first += n
