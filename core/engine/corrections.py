"""Answers that a search takes instead of its net's: one prior or one value at one node, to see what they change."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.glass.snapshot import Path
from core.search.tree import Tree, node_at
from core.search.work import Answer, Work


class PriorAt(NamedTuple):
    """At the node ``path`` the net gives ``action`` this ``prior``; the other moves share the rest as before."""

    path: Path  # actions from the root
    action: int
    prior: float  # above 0 and below 1


class ValueBelow(NamedTuple):
    """At the node ``path``, and with the sign of the side to move at all nodes below it, the net gives ``value``."""

    path: Path
    value: float  # in [-1, 1] for the side to move at the node


Correction = PriorAt | ValueBelow


class Corrections:
    """The corrections of one search.  A search that has them, even none, keeps no cache of its net's answers: a
    position that is reached in two ways is corrected in one of them alone."""

    def __init__(self, corrections: Sequence[Correction] = ()) -> None:
        """Raises ValueError for a prior or a value outside its bounds."""
        for correction in corrections:
            if isinstance(correction, PriorAt) and not 0.0 < correction.prior < 1.0:
                raise ValueError(f"a corrected prior is {correction.prior!r}; it must lie between 0 and 1")
            if isinstance(correction, ValueBelow) and not -1.0 <= correction.value <= 1.0:
                raise ValueError(f"a corrected value is {correction.value!r}; it must lie from -1 to 1")
        self._corrections = tuple(corrections)

    def apply(self, tree: Tree, batch: Work, leaves: int, answer: Answer) -> Answer:
        """Return the ``answer`` for the first ``leaves`` of a ``batch``, corrected."""
        nodes, root = batch.leaf_node[:leaves], int(batch.leaf_root[0])
        for correction in self._corrections:
            node = node_at(tree, root, correction.path)
            if node < 0:
                continue
            if isinstance(correction, PriorAt):
                for place in np.flatnonzero(nodes == node):
                    legal = batch.leaf_legal[place, : batch.leaf_count[place]]
                    answer.logits[place] = _with_prior(answer.logits[place], legal, correction)
            else:
                plies = _plies_below(tree, nodes, node)
                signs = np.where(plies % 2, -1.0, 1.0)
                answer.values[:] = np.where(plies >= 0, signs * correction.value, answer.values)
        return answer


def _with_prior(logits: NDArray[np.float32], legal: NDArray[np.int16], correction: PriorAt) -> NDArray[np.float32]:
    """Return ``logits`` [A] whose softmax over the ``legal`` actions gives one of them the prior of ``wanted``."""
    if correction.action not in legal or len(legal) < 2:
        return logits
    others = legal[legal != correction.action]
    most = logits[others].max()
    rest = most + math.log(np.exp((logits[others] - most).astype(np.float64)).sum())
    corrected = logits.copy()
    corrected[correction.action] = rest + math.log(correction.prior) - math.log1p(-correction.prior)
    return corrected


def _plies_below(tree: Tree, nodes: NDArray[np.int32], node: int) -> NDArray[np.int64]:
    """How many plies each of ``nodes`` lies below ``node``, [B]; -1 where it does not."""
    at, plies = nodes.copy(), np.zeros(len(nodes), np.int64)
    while (deeper := at > node).any():  # a parent's id is smaller than its children's
        at[deeper] = tree.parent[at[deeper]]
        plies += deeper
    return np.where(at == node, plies, -1)
