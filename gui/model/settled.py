"""Judges from the snapshots seen whether a search's best move may still change.

Settled: the best move has been the same over the last half of the simulations, and the most visited other move, the
runner-up, is far from overtaking it.  (Of searches that the first condition alone called settled, 7 to 43 % had
another best move when continued; with both conditions 0 to 6 %: nets and random games, two games each.)

Since when the best move is the best, the curves of the search say, which are made of its log.  While a snapshot has
none, the snapshots seen count, which come up to thirty times a second: then there is no verdict while the first of them
lies within the last half and the best move has not changed since.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from core.text import Text, Words

if TYPE_CHECKING:
    from core.glass import NodeView, Snapshot

SETTLED: Final[Words] = "best move settled"
UNDECIDED: Final[Words] = "best move undecided"
UNTRIED: Final[Words] = "others hardly tried"
MOVING: Final[Words] = "best move changing"
UNKNOWN: Final = ""
LOSS: Final = 3  # core.search.proofs.LOSS
FAR: Final = 0.5  # as a share of the simulations: the visits by which the runner-up must be behind
MEANING: Final[dict[str, Words]] = {
    SETTLED: (
        "The best move has been the same over the last half of the simulations, and the runner-up is far behind in "
        "visits and in value."
    ),
    MOVING: "The best move has changed within the last half of the simulations.",
    UNKNOWN: "",
}


NEAR: Final[Words] = (
    "The best move has been the same over the last half of the simulations, but {move}, the runner-up, may still "
    "take its place: it is near in visits."
)
HIGHER: Final[Words] = (
    "The best move has been the same over the last half of the simulations, but {move}, the runner-up, may still "
    "take its place: its value is not lower."
)
FEW: Final[Words] = (
    "The best move has been the same over the last half of the simulations, but {move}, the runner-up, may still "
    "take its place: it has so few visits that its value may still turn out higher."
)


def doubt(node: NodeView) -> Words:
    """Return why the runner-up may still become best: NEAR, HIGHER or FEW of its name; "" where it is far behind.

    It is, when it needs many more visits to become best, and its Q is lower by more than a standard error.  The
    variance of its values is taken as the largest that their mean allows.
    """
    best = node.best_index
    others = [i for i in range(len(node.actions)) if i != best and int(node.proofs[i]) != LOSS]
    if not others:
        return ""
    second = max(others, key=lambda i: int(node.visits_of[i]))
    visits, q = int(node.visits_of[second]), float(node.qs[second])
    move = node.position.game.action_name(int(node.actions[second]))
    if int(node.visits_of[best]) - visits < FAR * node.visits_of.sum():
        return Text(NEAR, move=move)
    if visits == 0:
        return ""
    if q >= float(node.qs[best]):
        return Text(HIGHER, move=move)
    may_be = q + math.sqrt((1.0 - min(1.0, q * q) + 1.0 / visits) / visits)
    return "" if may_be < float(node.qs[best]) else Text(FEW, move=move)


class Steadiness:
    """Tracks the best move over the snapshots of one request."""

    def __init__(self) -> None:
        self._of: object = None
        self._best = -1
        self._since = 0  # simulations when the current best move was first seen
        self._changed = False
        self._last: Snapshot | None = None
        self._away = False

    def see(self, snapshot: Snapshot | None) -> None:
        if snapshot is None:
            self._of = self._last = None
            return
        of = (snapshot.request, snapshot.position)
        before = self._last.simulations if self._last is not None else 0
        missed = self._away and snapshot.simulations != before
        self._away = False
        if of != self._of or snapshot.simulations < before or missed:
            self._of, self._best, self._changed = of, -1, False
        self._last = snapshot
        if snapshot.best != self._best:
            self._changed = self._best >= 0
            self._best, self._since = snapshot.best, snapshot.simulations

    def skip(self) -> None:
        """Record that the snapshots until the next ``see`` are missed."""
        self._away = True

    @property
    def verdict(self) -> str:
        """SETTLED, UNDECIDED, UNTRIED or MOVING; UNKNOWN when too little was seen or the result is proved."""
        last = self._last
        if last is None or self._best < 0 or last.root.proof or len(last.root.actions) < 2:
            return UNKNOWN
        since, changed = self._since_when(last)
        if 2 * since <= last.simulations:
            reason = doubt(last.root)
            if not isinstance(reason, Text):
                return SETTLED
            return UNTRIED if reason.template == FEW else UNDECIDED
        return MOVING if changed else UNKNOWN

    @property
    def meaning(self) -> Words:
        """What the verdict says, in a sentence; "" for UNKNOWN."""
        verdict = self.verdict
        return MEANING[verdict] if self._last is None or verdict in MEANING else doubt(self._last.root)

    def _since_when(self, last: Snapshot) -> tuple[int, bool]:
        """The simulations since which the best move is the best, and whether another was best before."""
        curves = last.curves
        if curves is None or curves.behind or not curves.exact or last.best not in curves.actions:
            return self._since, self._changed
        visits = curves.visits[:, np.flatnonzero(curves.actions == last.best)[0]]
        behind = np.flatnonzero(visits < curves.visits.max(axis=1))
        if not behind.size:
            return 0, False
        if behind[-1] == len(visits) - 1:  # it is not the best by its visits
            return self._since, self._changed
        return int(curves.simulations[behind[-1] + 1]), True
