"""Some nodes of a tree as flat arrays, for drawing.  Changes no tree, knows no drawing.

Letters: M nodes.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.search.proofs import is_upper_bound
from core.search.tree import PRIOR_ONE, TERMINAL, Path, Tree, backups_of
from core.solve.threats_leaf import UNKNOWN_PLIES

"""In a tree the distance of a proof whose plies are not known: further than any that is."""


def known_plies(distances: NDArray[np.int16]) -> NDArray[np.int16]:
    """Distances of a tree, 0 where the plies are not known."""
    return np.where(distances < UNKNOWN_PLIES, distances, np.int16(0))


class Taken(NamedTuple):
    """The nodes to be read, the root first."""

    nodes: NDArray[np.int32]  # [M] ids in the tree
    parents: NDArray[np.int32]  # [M] places in these arrays; -1 for the root
    depths: NDArray[np.int16]  # [M] plies below the root


@dataclass(frozen=True, eq=False)
class TreeNodes:
    """Nodes at and below a root, parents before their children; the root is node 0.

    Values of a node are for the side that plays into it; those of the root for the side that is not to move there."""

    tree: int  # the numbering that ``ids`` belong to; it changes with a new tree or a compacted one
    ids: NDArray[np.int32]  # [M] nodes in the order in which the search first entered them; kept as the tree grows
    parents: NDArray[np.int32]  # [M] places in these arrays; -1 for the root
    actions: NDArray[np.int16]  # [M] -1 for the root
    depths: NDArray[np.int16]  # [M] plies below the root
    visits: NDArray[np.int32]  # [M] N of the move that leads there; n of the root
    backups: NDArray[np.int32]  # [M] n, the number of simulations in ``qs``
    qs: NDArray[np.float32]  # [M] searched values; exact ones once proved
    values: NDArray[np.float32]  # [M] the net's own; NaN where there is none
    priors: NDArray[np.float32]  # [M] as selection uses them, NaN under a rule without; 1 for the root
    proofs: NDArray[np.int8]  # [M] codes of core.search.proofs
    # [M] plies to the end under the proof, from the node's own position on; 0 when unproved or not known
    distances: NDArray[np.int16]
    terminals: NDArray[np.bool_]  # [M] the game is over there
    num_children: NDArray[np.int16]  # [M] visited ones, included here or not
    pv: NDArray[np.int32]  # places of the principal variation, the root first, as far as it is included

    def __len__(self) -> int:
        return int(self.ids.size)

    def path_of(self, place: int) -> Path:
        """The actions from the root to a node."""
        actions = []
        while place > 0:
            actions.append(int(self.actions[place]))
            place = int(self.parents[place])
        return tuple(reversed(actions))

    def child(self, place: int, action: int) -> int:
        """The place of the node that ``action`` leads to; -1 when it is not included."""
        places = np.flatnonzero((self.parents == place) & (self.actions == action))
        return int(places[0]) if places.size else -1

    @property
    def distances_at_most(self) -> NDArray[np.bool_]:
        """[M] whether best play may end sooner than ``distances``."""
        bound: NDArray[np.bool_] = is_upper_bound(self.proofs, self.distances, self.num_children > 0)
        return bound

    def along(self, path: Path) -> list[int]:
        """The places of the root and of the nodes along ``path``, as far as they are included."""
        places = [0] if len(self) else []
        for action in path:
            if not places or (below := self.child(places[-1], action)) < 0:
                break
            places.append(below)
        return places

    def place_of(self, path: Path) -> int:
        """The place of the node at ``path`` from the root; -1 when it is not included."""
        places = self.along(path)
        return places[-1] if len(places) == len(path) + 1 else -1


def figures_of(tree: Tree, taken: Taken, pv: Path, number: int, with_priors: bool) -> dict[str, Any]:
    """The fields of ``TreeNodes``; ``pv`` is the principal variation, ``number`` the nodes' numbering, and
    ``with_priors`` whether the rule uses priors."""
    nodes, parents, depths = taken
    slots = tree.slot[nodes]
    backups, visits = backups_of(tree, slots), tree.visits[slots]
    visits[0] = backups[0]
    proofs = tree.proof[slots]
    qs = (tree.total[slots] / np.maximum(backups, 1)).astype(np.float32)
    qs = np.where(proofs == 0, qs, np.array([0, 1, 0, -1], np.float32)[proofs])
    actions = tree.action[nodes]
    actions[0] = -1
    priors = np.ones(nodes.size, np.float32)
    above = nodes[parents[1:]]
    edges = tree.edge_start[above] + slots[1:] - tree.child_start[above]
    priors[1:] = tree.edge_prior[edges] / PRIOR_ONE if with_priors else np.nan
    line = [0]
    for action in pv:
        places = np.flatnonzero((parents == line[-1]) & (actions == action))
        if not places.size:
            break
        line.append(int(places[0]))
    return {
        "tree": number,
        "ids": nodes,
        "parents": parents,
        "actions": actions,
        "depths": depths,
        "visits": visits,
        "backups": backups,
        "qs": qs,
        "values": -tree.value[nodes],
        "priors": priors,
        "proofs": proofs,
        "distances": known_plies(tree.distance[slots]),
        "terminals": tree.num_edges[nodes] == TERMINAL,
        "num_children": tree.num_children[nodes],
        "pv": np.array(line, np.int32),
    }
