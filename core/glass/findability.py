"""How likely players of a rank find a line over the board, by a human net's policy and the values of a search.

A line is found where each *only move* of one side is found.  A move of the line is an only move where no other searched
move keeps the result: the value of every other one is lower by more than a threshold.  A value is exact where it is
proved (+1, 0, -1), else the mean Q of the search.  With the policy P of the human net,

    findability = product over the side's only moves of P(only move),

and a move that has an equal beside it costs nothing, since the player need not find it.  A move searched for several
symmetric ones has the P of all of them.

Its limits: P is the claim of a net that sees one position without search, so the product takes the moves for
independent, and a player who has read the whole line beforehand is likelier to go on.  Moves that the search has not
visited count as losing the result.  The opponent's other replies are not looked at.  Below few visits nothing is said.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from core.glass.snapshot import NodeView
from core.search.proofs import exact_value

LOSES: Final = 0.2
"""Of a value in [-1, 1]: a move that is worse by more gives the result away."""
LEAST_VISITS: Final = 10
"""Simulations through the moves of a node below which the search says nothing of it."""


class OnlyMove(NamedTuple):
    """A move of the line without which its side loses the result."""

    ply: int  # place in the line, from 0
    action: int
    chance: float  # P of the human net; NaN while it is not known
    value: float  # of the move, for the side that plays it
    exact: bool  # the value of the move is proved


@dataclass(frozen=True)
class Findability:
    """How likely one side finds its moves of a line."""

    side: int  # player 0 or 1
    only: tuple[OnlyMove, ...]
    moves: int  # of the side in the line that were judged
    judged: int  # plies of the line up to where the search says enough

    @property
    def chance(self) -> float:
        """The product over the only moves: 1 where there is none, NaN while a P is not known."""
        return math.prod(move.chance for move in self.only)


def findability(
    line: Sequence[int],
    node_at: Callable[[int], NodeView | None],
    policy_at: Callable[[int], Mapping[int, float] | None],
    side: int,
    loses: float = LOSES,
) -> Findability:
    """Judge the moves of player ``side`` in a line of actions.

    ``node_at(i)``: the node of the search at which move i is played, None where the tree ends.  ``policy_at(i)``: the
    human net's probabilities there by action, None while they are not known.  ``loses``: see ``LOSES``.
    """
    only: list[OnlyMove] = []
    moves = judged = 0
    for ply, action in enumerate(line):
        node = node_at(ply)
        if node is None:
            break
        if node.position.to_move == side:
            values = _values(node)
            enough = int(node.visits_of.sum()) >= LEAST_VISITS or bool(node.proofs.any())
            if action not in values or not enough:
                break
            moves += 1
            value = values.pop(action)
            other = max(values.values(), default=-math.inf)
            if other < value - loses:
                twins = (action, *node.same.get(action, ()))
                policy = policy_at(ply)
                chance = math.nan if policy is None else sum(policy.get(move, 0.0) for move in twins)
                exact = bool(node.proofs[node.actions.tolist().index(action)])
                only.append(OnlyMove(ply, action, chance, value, exact))
        judged = ply + 1
    return Findability(side, tuple(only), moves, judged)


def _values(node: NodeView) -> dict[int, float]:
    """The value of each move that was proved or visited, for the side that plays it."""
    rows = zip(node.actions.tolist(), node.proofs.tolist(), node.qs.tolist(), node.visits_of.tolist(), strict=True)
    return {action: exact_value(proof) if proof else q for action, proof, q, visits in rows if proof or visits}
