"""Preparation of a root's edges: restriction to some moves, merging of symmetric ones, noise, Gumbel's order.

Knows no selection formula.

(1 - eps) P + eps Dir(alpha): AlphaGo Zero, Silver et al. 2017, Methods, Self-play (eps 0.25).
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.games import Position
from core.search.formulas import considered_visits
from core.search.settings import SearchSettings
from core.search.tree import PRIOR_ONE, SCHEDULED, Tree

NOISE_SUM: Final = 10.0  # sum of the moves' alphas when alpha is 0 (AlphaZero: about 10 / legal moves each)

_table = cache(considered_visits)  # callers only read it: a table is copied into the tree


def priors_of(tree: Tree, node: int) -> NDArray[np.uint16]:
    """The priors of ``node``'s edges, uint16 [E], a view."""
    start = int(tree.edge_start[node])
    return tree.edge_prior[start : start + int(tree.num_edges[node])]


def mix_noise(tree: Tree, node: int, epsilon: float, alpha: float, rng: np.random.Generator) -> NDArray[np.uint16]:
    """Mix Dirichlet noise into the priors of an expanded ``node``; returns the clean priors in the edges' new order.

    ``alpha`` 0 means 10 / the number of moves.
    """
    clean = priors_of(tree, node).copy()
    noise = rng.dirichlet(np.full(len(clean), alpha or NOISE_SUM / len(clean)))
    mixed = (1 - epsilon) * clean.astype(np.float64) + epsilon * noise * PRIOR_ONE
    order = set_priors(tree, node, np.clip(np.rint(mixed), 1, PRIOR_ONE).astype(np.uint16))
    return clean[order]


def set_priors(tree: Tree, node: int, priors: NDArray[np.uint16]) -> NDArray[np.int64]:
    """Set the priors of ``node``, uint16 [E]: visited edges keep their places, the others are sorted by prior; returns
    the order."""
    start = int(tree.edge_start[node])
    tree.edge_prior[start : start + len(priors)] = priors
    k = int(tree.num_children[node])
    order = np.concatenate([np.arange(k), k + np.argsort(-priors[k:].astype(np.int64), kind="stable")])
    _reorder(tree, node, order)
    return order


def _reorder(tree: Tree, node: int, order: NDArray[np.int64]) -> None:
    """Put the edges of ``node`` in ``order`` [E], both priors and actions; visited ones must keep their places."""
    edges = slice(int(tree.edge_start[node]), int(tree.edge_start[node]) + len(order))
    tree.edge_prior[edges] = tree.edge_prior[edges][order]
    tree.edge_action[edges] = tree.edge_action[edges][order]


def plan_gumbel(
    tree: Tree,
    node: int,
    settings: SearchSettings,
    rng: np.random.Generator,
    simulations: int | None = None,
    scale: float = 1.0,
) -> NDArray[np.int64]:
    """Draw g for the edges of ``node``, none of them visited, order them and write the table of sequential halving;
    returns the order.

    The moves that the table considers come first, by g + ln P (Danihelka et al. 2022, algorithm 2: sampling without
    replacement by Gumbel top-k).  The others follow, highest prior first, as below the root.
    ``simulations`` None plans over the settings' number.  ``scale`` multiplies g: 0 takes the moves of highest prior.
    """
    priors = priors_of(tree, node)
    g = scale * rng.gumbel(size=len(priors))
    table = _table(min(settings.gumbel_considered, len(priors)), simulations or settings.gumbel_simulations)
    drawn = np.argsort(-(g + np.log(priors / PRIOR_ONE)), kind="stable")
    considered, rest = np.split(drawn, [np.count_nonzero(table == 0)])
    order = np.concatenate([considered, rest[np.argsort(-priors[rest].astype(np.int64), kind="stable")]])
    _reorder(tree, node, order)
    tree.gumbel[: len(order)] = g[order]
    tree.schedule[: len(table)] = table
    tree.counts[SCHEDULED] = len(table)
    return order


class Restriction(NamedTuple):
    """The root moves that are searched."""

    only: tuple[int, ...] = ()  # actions, ascending; (): all of them
    left_out: dict[int, int] = {}  # noqa: RUF012 - action -> prior as the net gave it; filled when the root has edges
    mass: float = 1.0  # prior mass of the moves searched, as the net gave it


ALL_MOVES: Final = Restriction()


@dataclass
class RootEdges:
    """The preparation of the edges of a search's root."""

    restriction: Restriction = ALL_MOVES
    same: dict[int, tuple[int, ...]] = field(default_factory=dict)  # action -> others that symmetry merged into it
    net_priors: NDArray[np.uint16] | None = None  # [E] as the net gave them, where noise or gumbel changed them
    done: bool = False

    def prepare(
        self, tree: Tree, root: int, position: Position, settings: SearchSettings, rng: np.random.Generator
    ) -> None:
        """Restrict, merge symmetric moves, mix in noise and draw Gumbel's order; once, when the root has edges."""
        if self.done or tree.num_edges[root] <= 0:
            return
        self.done = True
        if self.restriction.only:
            self.restriction = leave_out(tree, root, self.restriction.only)
        if settings.merge_symmetric and tree.num_children[root] == 0:
            self.same = merge_symmetric(tree, root, position)
        if settings.noise_epsilon > 0:
            self.net_priors = mix_noise(tree, root, settings.noise_epsilon, settings.noise_alpha, rng)
        # A kept subtree has its own visits: sequential halving is for a fresh root.
        if settings.selection == "gumbel" and tree.num_children[root] == 0:
            clean = priors_of(tree, root).copy() if self.net_priors is None else self.net_priors
            self.net_priors = clean[plan_gumbel(tree, root, settings, rng)]

    def restore_priors(self, tree: Tree, root: int) -> None:
        """Reset the root's priors to those of the net: noise is for one move only."""
        if self.net_priors is not None:
            set_priors(tree, root, self.net_priors)


def chosen_moves(position: Position, only: Iterable[int]) -> tuple[int, ...]:
    """``only`` ascending and each once; () when that is every move.  Raises IllegalMove."""
    chosen = tuple(sorted({int(action) for action in only}))
    for action in chosen:
        if action not in position.legal_actions():
            position.play(action)
    return () if len(chosen) == len(position.legal_actions()) else chosen


def leave_out(tree: Tree, node: int, only: Collection[int]) -> Restriction:
    """Keep the edges of ``only``, their priors scaled to sum 1 as if no other move were legal.

    ``node`` must have no visited edge."""
    start, n = int(tree.edge_start[node]), int(tree.num_edges[node])
    edges = list(zip(tree.edge_action[start : start + n].tolist(), priors_of(tree, node).tolist(), strict=True))
    kept = [edge for edge in edges if edge[0] in only]
    mass = sum(prior for _, prior in kept) / PRIOR_ONE
    tree.num_edges[node] = len(kept)
    tree.edge_action[start : start + len(kept)] = [action for action, _ in kept]
    scaled = np.rint(np.array([prior for _, prior in kept]) / mass)
    set_priors(tree, node, np.clip(scaled, 1, PRIOR_ONE).astype(np.uint16))
    return Restriction(tuple(sorted(only)), {action: prior for action, prior in edges if action not in only}, mass)


def merge_symmetric(tree: Tree, node: int, position: Position) -> dict[int, tuple[int, ...]]:
    """Keep one edge of each class of moves that a symmetry of ``position``'s board maps onto one another, with the sum
    of their priors; returns {kept action: the others}.  ``node`` must have no visited edge."""
    game, cells = position.game, position.cells().ravel()
    # cell_symmetries[s][i] is where cell i goes: the board stays the same when every cell meets its like.
    fixed = [s for s, image in enumerate(game.cell_symmetries) if (cells[image] == cells).all()]
    start, n = int(tree.edge_start[node]), int(tree.num_edges[node])
    classes: dict[int, list[int]] = {}
    shares: dict[int, int] = {}
    for action, prior in zip(tree.edge_action[start : start + n].tolist(), priors_of(tree, node).tolist(), strict=True):
        name = min(int(game.symmetries[s][action]) for s in fixed)
        classes.setdefault(name, []).append(action)
        shares[name] = shares.get(name, 0) + prior
    tree.num_edges[node] = len(classes)
    tree.edge_action[start : start + len(classes)] = [members[0] for members in classes.values()]
    set_priors(tree, node, np.minimum(list(shares.values()), PRIOR_ONE).astype(np.uint16))
    return {members[0]: tuple(members[1:]) for members in classes.values() if len(members) > 1}
