"""Dirichlet noise on a node's priors, and taking it off again.  Knows no game.

(1 - eps) P + eps Dir(alpha): AlphaGo Zero, Silver et al. 2017, Methods, Self-play (eps 0.25).
"""

import numpy as np
from numpy.typing import NDArray

from core.search.tree import PRIOR_ONE, Tree


def priors_of(tree: Tree, node: int) -> NDArray[np.uint16]:
    """The priors of ``node``'s edges, uint16 [E], a view."""
    start = int(tree.edge_start[node])
    return tree.edge_prior[start : start + int(tree.num_edges[node])]


def mix_noise(tree: Tree, node: int, epsilon: float, alpha: float, rng: np.random.Generator) -> NDArray[np.uint16]:
    """Mix noise into the priors of an expanded ``node``; returns the clean ones in the edges' new order."""
    clean = priors_of(tree, node).copy()
    noise = rng.dirichlet(np.full(len(clean), alpha))
    mixed = (1 - epsilon) * clean.astype(np.float64) + epsilon * noise * PRIOR_ONE
    order = set_priors(tree, node, np.clip(np.rint(mixed), 1, PRIOR_ONE).astype(np.uint16))
    return clean[order]


def set_priors(tree: Tree, node: int, priors: NDArray[np.uint16]) -> NDArray[np.int64]:
    """Give ``node`` new priors, uint16 [E]: visited edges keep their places, the rest is sorted anew;
    returns the order."""
    start, n, k = int(tree.edge_start[node]), int(tree.num_edges[node]), int(tree.num_children[node])
    order = np.concatenate([np.arange(k), k + np.argsort(-priors[k:].astype(np.int64), kind="stable")])
    tree.edge_prior[start : start + n] = priors[order]
    tree.edge_action[start : start + n] = tree.edge_action[start : start + n][order]
    return order
