"""What a net and its search say of one position, and the exact answer to it; their differences as figures.

Values are for the side to move.  E legal moves.
"""

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from core.engine.postmortem import FOUND, HORIZON, POLICY, UNKNOWN, VALUE
from models.audit.positions import Item

KINDS: Final = (POLICY, VALUE, HORIZON, FOUND, UNKNOWN)
_LEAST_PRIOR = 0.5 / 65535  # the tree keeps priors in 16 bits


@dataclass(frozen=True)
class NetAnswer:
    """One net's answer to a position, and that of the search with it; the moves are in order of prior.

    ``value`` is NaN where the net was not asked.
    """

    actions: tuple[int, ...]  # [E]
    priors: tuple[float, ...]  # [E] P
    visits: tuple[int, ...]  # [E] N
    qs: tuple[float, ...]  # [E] Q; NaN without a visit
    policy: tuple[float, ...]  # [E] pi
    value: float  # V of the net
    searched: float  # value of the search, exact where it is proved
    best: int  # the search's move
    proved: bool

    @property
    def first(self) -> int:
        """The move that the net prefers."""
        return self.actions[0]

    @cached_property
    def kl(self) -> float:
        """KL(pi || P) in nats: how much the search changed the policy."""
        return sum(
            pi * math.log(pi / max(p, _LEAST_PRIOR)) for pi, p in zip(self.policy, self.priors, strict=True) if pi > 0.0
        )

    @property
    def swing(self) -> float:
        """What the search added to the net's value."""
        return self.searched - self.value

    @property
    def agrees(self) -> bool:
        """Whether the net's first move is the search's."""
        return self.best == self.first

    @property
    def among_three(self) -> bool:
        """Whether the search's move is among the net's first three."""
        return self.best in self.actions[:3]

    @property
    def loss(self) -> float:
        """What the net's first move loses, as the search values it: Q of the search's move less Q of the net's."""
        q_of = dict(zip(self.actions, self.qs, strict=True))
        lost = q_of.get(self.best, math.nan) - q_of[self.first]
        return 0.0 if self.agrees else max(0.0, lost)

    def mass(self, moves: Collection[int]) -> tuple[float, float]:
        """(Prior of ``moves``, share of the visits on them)."""
        total = sum(self.visits)
        inside = [i for i, action in enumerate(self.actions) if action in moves]
        share = sum(self.visits[i] for i in inside) / total if total else math.nan
        return sum(self.priors[i] for i in inside), share


@dataclass(frozen=True)
class Exact:
    """The exact value of a position and of each legal move: -1, 0 or +1."""

    value: int
    moves: Mapping[int, int]

    @property
    def worse(self) -> frozenset[int]:
        """The moves that lose something: a win, or a draw."""
        return frozenset(action for action, value in self.moves.items() if value < self.value)

    def loss(self, action: int) -> int:
        """What a move loses: 0, 1 or 2."""
        return self.value - self.moves[action]


@dataclass(frozen=True)
class Audited:
    """One position of an audit with all that was found."""

    number: int
    item: Item
    nets: tuple[NetAnswer, ...]
    exact: Exact | None = None

    @property
    def ply(self) -> int:
        return len(self.item.moves)

    @property
    def result(self) -> int | None:
        """The result for the side to move: exact, else that of the game; None when neither is known."""
        if self.exact is not None:
            return self.exact.value
        return None if self.item.outcome is None else self.item.outcome * (-1 if self.ply & 1 else 1)

    def net_wrong(self, net: int = 0) -> bool:
        """Whether the net's first move loses something for certain."""
        return self.exact is not None and self.nets[net].first in self.exact.worse

    def search_wrong(self, net: int = 0) -> bool:
        """Whether the search's move loses something for certain."""
        return self.exact is not None and self.nets[net].best in self.exact.worse

    def loss(self, net: int = 0) -> float:
        """What the net's first move loses: exactly where that is known, else as the search values it."""
        answer = self.nets[net]
        return float(self.exact.loss(answer.first)) if self.exact is not None else answer.loss

    def worse_mass(self, net: int = 0) -> tuple[float, float]:
        """(Prior, share of the visits) on moves that lose something for certain; NaN where that is not known."""
        return (math.nan, math.nan) if self.exact is None else self.nets[net].mass(self.exact.worse)


class Blame(NamedTuple):
    """What is to blame for one mistake of a search."""

    number: int  # of the position
    net: int
    kind: str  # of KINDS; FOUND: searched alone it finds the right move
    sentence: str
