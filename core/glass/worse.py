"""The net's policy and the visits on moves that are held to be worse than the best one.

The search holds a move to be worse when its value, exact where it is proved, else Q, is lower by ``THRESHOLD`` or more
than that of the move it would play; of moves without visits it knows nothing.  Exact results need no threshold.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.glass.curves import Curves
from core.glass.snapshot import NodeView
from core.glass.truth import net_priors
from core.search.proofs import exact_value

THRESHOLD: Final = 0.1
_ROUNDING: Final = 1e-6  # of values kept in 32 bits


@dataclass(frozen=True)
class Worse:
    """The moves of a node that are held to be worse than the best one."""

    actions: tuple[int, ...]  # of the highest prior first, then by action
    prior: float  # of them together, as the net gave it; NaN without a net
    share: float  # of the visits, on them
    unknown: float  # prior of the moves of which nothing is known; NaN without a net


def find_worse(node: NodeView, exact: Mapping[int, int] | None = None, threshold: float = THRESHOLD) -> Worse | None:
    """The moves held to be worse by the search or, if given, by the ``exact`` values of all moves; None before the
    first visit."""
    if node.best_index < 0 or not node.visits_of.any():
        return None
    actions, priors = node.actions.tolist(), net_priors(node)
    if exact is not None:
        best = max(exact.values())
        worse = [action for action in actions if exact.get(action, best) < best]
        judged = set(exact)
    else:
        values = [
            exact_value(proof) if proof else q if n else math.nan
            for proof, q, n in zip(node.proofs.tolist(), node.qs.tolist(), node.backups_of.tolist(), strict=True)
        ]
        limit = values[node.best_index] - threshold + _ROUNDING
        worse = [action for action, value in zip(actions, values, strict=True) if value <= limit]
        judged = {action for action, value in zip(actions, values, strict=True) if not math.isnan(value)}
    visits = dict(zip(actions, node.visits_of.tolist(), strict=True))
    return Worse(
        actions=tuple(sorted(worse, key=lambda action: (-priors.get(action, 0.0), action))),
        prior=math.fsum(priors[action] for action in worse) if priors else math.nan,
        share=sum(visits[action] for action in worse) / sum(visits.values()),
        unknown=math.fsum(prior for action, prior in priors.items() if action not in judged) if priors else math.nan,
    )


class WorseCurves(NamedTuple):
    """The prior and the share of the visits on worse moves after some simulations; [S] each."""

    prior: NDArray[np.float64]  # NaN without a net
    share: NDArray[np.float64]


def worse_curves(curves: Curves, priors: Mapping[int, float], threshold: float = THRESHOLD) -> WorseCurves:
    """What the search held to be worse at each sample, by Q against the move of most visits then; what was proved then
    is not known.  ``priors``: the net's, by action; {} without a net."""
    samples = np.arange(len(curves.simulations))
    if not len(curves.actions):
        return WorseCurves(np.full(len(samples), np.nan), np.zeros(len(samples)))
    leaders = curves.visits.argmax(axis=1)
    limits = curves.qs[samples, leaders].astype(np.float64) - threshold + _ROUNDING
    worse = curves.qs <= limits[:, None]  # False for a move without visits, whose Q is NaN
    masses = np.array([priors.get(action, math.nan) for action in curves.actions.tolist()])
    return WorseCurves((worse * masses).sum(axis=1), (worse * curves.shares).sum(axis=1))
