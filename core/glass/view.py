"""Reads one node of the tree for display, with all its edges as selection sees them.  Changes no tree."""

import math
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.games import Position
from core.glass.choice import choice_at, until_switch, uses_score
from core.glass.nodes import known_plies
from core.glass.snapshot import NO_LEADS, NodeView, Path
from core.search.params import FINAL_LCB, Params
from core.search.proofs import UNPROVED, flip
from core.search.root import RootEdges
from core.search.selection import COLUMNS, figures, make_figures
from core.search.settings import SELECTION_NAMES
from core.search.tree import PRIOR_ONE, Tree, backups, backups_of, one_node

PV_LENGTH = 24
AS_EXPANDED: Final = RootEdges()
Scalar = TypeVar("Scalar", bound=np.generic)


def as_shares(priors: NDArray[np.uint16]) -> NDArray[np.float32]:
    """16-bit priors as numbers in (0, 1]."""
    return (priors / PRIOR_ONE).astype(np.float32)


def _lead_of(sums: NDArray[np.float64], counts: NDArray[Any]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """(Mean lead, standard deviation of the score) [n] of ``sums`` [n, 2] over ``counts`` simulations; NaN for none."""
    with np.errstate(invalid="ignore", divide="ignore"):
        mean, square = (sums / counts[:, None]).T
        spread = np.sqrt(np.maximum(0.0, square - mean * mean))
    return mean.astype(np.float32), spread.astype(np.float32)


class Viewer:
    """Reads nodes of one game's trees, in buffers of its own."""

    def __init__(self, num_actions: int) -> None:
        self._figures = make_figures(num_actions, PV_LENGTH)
        self._ready = False

    def view(
        self,
        tree: Tree,
        node: int,
        params: Params,
        path: Path,
        position: Position,
        edges_done: RootEdges = AS_EXPANDED,
    ) -> NodeView:
        """The figures of ``node``, whose position is ``position``, reached from the root by the actions ``path``;
        ``edges_done``: what was done to its edges, where it is the root."""
        shown = self._figures
        net_priors, restriction = edges_done.net_priors, edges_done.restriction
        next_index, best_index = figures(tree, node, params, self._figures)
        slot = int(tree.slot[node])
        visits = backups(tree, slot)
        proof = int(flip(int(tree.proof[slot])))
        n = max(0, int(tree.num_edges[node]))
        edges = slice(int(tree.edge_start[node]), int(tree.edge_start[node]) + n)
        k = int(tree.num_children[node])
        slots = slice(int(tree.child_start[node]), int(tree.child_start[node]) + k)
        children = tree.child[slots] if k else np.zeros(0, np.int32)

        def of_children(source: NDArray[Scalar], rest: float) -> NDArray[Scalar]:
            out = np.full(n, rest, source.dtype)
            out[:k] = source
            return out

        lead, lead_spread, leads, lead_spreads = math.nan, math.nan, NO_LEADS, NO_LEADS
        if tree.lead_sum.size:
            mean, spread = _lead_of(tree.lead_sum[slot : slot + 1], np.array([visits]))
            lead, lead_spread = -float(mean[0]), float(spread[0])
            of_moves = _lead_of(tree.lead_sum[slots], backups_of(tree, slots))
            leads, lead_spreads = (of_children(part, np.nan) for part in of_moves)
        priors = as_shares(tree.edge_prior[edges])
        choice = choice_at(tree, node, params, net_priors) if n else None
        if choice is not None and not self._ready:
            # Compile it here, in the thread of the search, not when the window first needs it.
            until_switch(one_node(choice.node, 0), params, 0)
            self._ready = True
        actions = tree.edge_action[edges].copy()
        columns = {name: getattr(shown, name)[:n].copy() for name in COLUMNS}
        if not uses_score(tree, params):
            columns["ss"] = NO_LEADS
        if params.final != FINAL_LCB:
            columns["radii"] = NO_LEADS
        solution = edges_done.solution if proof != UNPROVED else None
        return NodeView(
            path=path,
            position=position,
            selection=SELECTION_NAMES[params.selection],
            visits=visits,
            q=-float(tree.total[slot]) / visits if visits else float("nan"),
            value=float(tree.value[node]),
            proof=proof,
            distance=int(known_plies(tree.distance[slot])),
            next_index=int(next_index),
            best_index=int(best_index) if solution is None else 0,  # a solved root's first edge is its best
            actions=actions,
            visits_of=of_children(tree.visits[slots], 0),
            backups_of=of_children(backups_of(tree, slots), 0),
            priors=priors,
            net_priors=(priors if net_priors is None else as_shares(net_priors)) * np.float32(restriction.mass),
            **columns,
            values=of_children(-tree.value[children], np.nan),
            proofs=of_children(tree.proof[slots], 0),
            distances=of_children(known_plies(tree.distance[slots] + (tree.proof[slots] != UNPROVED)), 0),
            expanded=of_children(tree.num_edges[children] > 0, 0),
            same=edges_done.same,
            pvs=tuple(
                tuple(line[:length])
                for line, length in zip(shown.pv[:n].tolist(), shown.pv_length[:n].tolist(), strict=True)
            ),
            lead=lead,
            lead_spread=lead_spread,
            leads=leads,
            lead_spreads=lead_spreads,
            choice=choice,
            left_out={action: prior / PRIOR_ONE for action, prior in restriction.left_out.items()},
            solved=solution is not None,
            discs={} if solution is None else solution.scores(actions),
        )
