"""Preparation of a root's edges: restriction to some moves, temperature, merging of symmetric ones, noise, Gumbel's
order.

Moves are merged where a symmetry leaves the whole state as it is (``Position.symmetries``); what a net is shown beyond
that, such as the last moves, is not compared.

(1 - eps) P + eps Dir(alpha): AlphaGo Zero, Silver et al. 2017, Methods, Self-play (eps 0.25).
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.games.position import Position
from core.search.rules.gumbel import considered_visits
from core.search.settings import SearchSettings
from core.search.tree import PRIOR_ONE, SCHEDULED, Tree
from core.solve.solution import Solution

NOISE_SUM: Final = 10.0  # sum of the moves' alphas when alpha is 0 (AlphaZero: about 10 / legal moves each)

_LEAST_SUM: Final = 1e-300

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
    noise = dirichlet_draws(np.array([len(clean)]), alpha, rng)
    noise /= noise.sum()
    mixed = (1 - epsilon) * clean.astype(np.float64) + epsilon * noise * PRIOR_ONE
    order = set_priors(tree, node, np.clip(np.rint(mixed), 1, PRIOR_ONE).astype(np.uint16))
    return clean[order]


def dirichlet_draws(counts: NDArray[np.int64], alpha: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """Gamma variates for roots of so many moves each, one root after the other: divided by their sum they are Dirichlet
    noise.  ``alpha`` as for ``mix_noise``."""
    alphas = np.full(len(counts), alpha) if alpha else NOISE_SUM / counts
    draws = rng.standard_gamma(np.repeat(alphas, counts))
    ends = counts.cumsum()
    for i in np.flatnonzero(np.add.reduceat(draws, ends - counts) < _LEAST_SUM):  # all too small for a float
        draws[ends[i] - counts[i] : ends[i]] = rng.dirichlet(np.full(counts[i], alphas[i]))
    return draws


def set_priors(tree: Tree, node: int, priors: NDArray[np.uint16]) -> NDArray[np.int64]:
    """Set the priors of ``node``, uint16 [E]: visited edges keep their places, the others are sorted by prior; returns
    the order."""
    start = int(tree.edge_start[node])
    tree.edge_prior[start : start + len(priors)] = priors
    k = int(tree.num_children[node])
    order = np.concatenate([np.arange(k), k + np.argsort(-priors[k:].astype(np.int64), kind="stable")])
    reorder(tree, node, order)
    return order


def reorder(tree: Tree, node: int, order: NDArray[np.int64]) -> None:
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
    reorder(tree, node, order)
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
    net_priors: NDArray[np.uint16] | None = None  # [E] as the net gave them, where something changed or reordered them
    done: bool = False
    solution: Solution | None = None  # the exact results that its moves entered the tree with

    def prepare(
        self, tree: Tree, root: int, position: Position, settings: SearchSettings, rng: np.random.Generator
    ) -> None:
        """Restrict, flatten the priors, merge symmetric moves, mix in noise and draw Gumbel's order; once, when the
        root has edges."""
        if self.done or tree.num_edges[root] <= 0:
            return
        self.done = True
        if self.restriction.only:
            self.restriction = leave_out(tree, root, self.restriction.only)
        net = _by_action(tree, root)
        if settings.root_temperature != 1.0:
            set_priors(tree, root, flattened(priors_of(tree, root), settings.root_temperature))
        fresh = tree.num_children[root] == 0
        if settings.merge_symmetric:
            if fresh:
                merged = merge_symmetric(tree, root, position)
                net = {action: _together(net, members) for action, members in merged.items()}
            self.same = merged_moves(tree, root, position, self.restriction.only)
        if settings.noise_epsilon > 0:
            mix_noise(tree, root, settings.noise_epsilon, settings.noise_alpha, rng)
        # A kept subtree has its own visits: sequential halving is for a fresh root.
        planned = settings.selection == "gumbel" and fresh
        if planned:
            plan_gumbel(tree, root, settings, rng)
        if planned or settings.noise_epsilon > 0 or settings.root_temperature != 1.0:
            self.net_priors = np.array([net[action] for action in _by_action(tree, root)], np.uint16)

    def take_answer(self, tree: Tree, root: int, policy: dict[int, float], position: Position) -> None:
        """Set the priors of a root that has edges to ``policy``, by action, before they are prepared."""
        same = merged_moves(tree, root, position)
        shares = [sum(policy[a] for a in (action, *same.get(action, ()))) for action in _by_action(tree, root)]
        set_priors(tree, root, _rounded(np.array(shares)))

    def put_in_order(self, tree: Tree, root: int, order: NDArray[np.int64]) -> None:
        """Put the root's edges, none of them visited, in ``order`` [E]."""
        reorder(tree, root, order)
        tree.gumbel[: len(order)] = tree.gumbel[: len(order)][order]
        if self.net_priors is not None:
            self.net_priors = self.net_priors[order]

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
    start, edges = int(tree.edge_start[node]), list(_by_action(tree, node).items())
    edges_kept = [edge for edge in edges if edge[0] in only]
    mass = sum(prior for _, prior in edges_kept) / PRIOR_ONE
    tree.num_edges[node] = len(edges_kept)
    tree.edge_action[start : start + len(edges_kept)] = [action for action, _ in edges_kept]
    scaled = np.rint(np.array([prior for _, prior in edges_kept]) / mass)
    set_priors(tree, node, np.clip(scaled, 1, PRIOR_ONE).astype(np.uint16))
    return Restriction(tuple(sorted(only)), {action: prior for action, prior in edges if action not in only}, mass)


def merge_symmetric(tree: Tree, node: int, position: Position) -> dict[int, list[int]]:
    """Keep one edge of each class of moves that a symmetry of ``position`` maps onto one another, the one tried first,
    with the sum of their priors; returns {its action: all of them}.  ``node`` must have no visited edge."""
    priors, first_image = _by_action(tree, node), _first_images(position)
    classes: dict[int, list[int]] = {}
    for action in priors:
        classes.setdefault(first_image[action], []).append(action)
    merged = {members[0]: members for members in classes.values()}
    start = int(tree.edge_start[node])
    tree.num_edges[node] = len(merged)
    tree.edge_action[start : start + len(merged)] = list(merged)
    set_priors(tree, node, np.array([_together(priors, members) for members in merged.values()], np.uint16))
    return merged


def merged_moves(tree: Tree, node: int, position: Position, only: Collection[int] = ()) -> dict[int, tuple[int, ...]]:
    """{action: the others that it represents} of a node whose symmetric moves were merged; {} where none were.

    ``only``: the moves that are searched there, () for all."""
    priors = _by_action(tree, node)
    rest = [action for action in only or position.legal_actions() if action not in priors]
    if not rest:
        return {}
    first_image = _first_images(position)
    of_class = {first_image[action]: action for action in priors}
    others: dict[int, tuple[int, ...]] = {}
    for action in rest:
        first = of_class[first_image[action]]
        others[first] = (*others.get(first, ()), action)
    return others


def _first_images(position: Position) -> list[int]:
    """[A] the least action that a symmetry of ``position`` carries each to: the same for moves that are alike."""
    images: list[int] = position.game.symmetries[list(position.symmetries())].min(axis=0).tolist()
    return images


def _by_action(tree: Tree, node: int) -> dict[int, int]:
    """The priors of ``node``'s edges by action, in the order of the edges."""
    start, n = int(tree.edge_start[node]), int(tree.num_edges[node])
    return dict(zip(tree.edge_action[start : start + n].tolist(), priors_of(tree, node).tolist(), strict=True))


def _together(priors: dict[int, int], actions: Iterable[int]) -> int:
    """The sum of the priors of ``actions``, as far as 16 bits hold it."""
    return min(PRIOR_ONE, sum(priors[action] for action in actions))


def _rounded(shares: NDArray[np.float64]) -> NDArray[np.uint16]:
    """Shares as 16-bit priors, at least 1 each."""
    return np.clip(np.rint(shares * PRIOR_ONE), 1, PRIOR_ONE).astype(np.uint16)


def flattened(priors: NDArray[np.uint16], temperature: float) -> NDArray[np.uint16]:
    """P^(1 / temperature) with sum 1 (KataGo: rootPolicyTemperature in cpp/search/searchhelpers.cpp)."""
    powers = (priors / priors.max()) ** (1.0 / temperature)
    return _rounded(powers / powers.sum())
