"""Ownership: how surely a net expects each point to belong to a side at the end, and which stones are dead by that.

A net's is asked for in runs of their own, never in the batches of a search.  An evaluator answers for the side to move;
everything here is for the first player: +1 his point, -1 his opponent's.  Letters: B batch, H W board.
"""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from core._jit import jit
from core.engine.evaluator import Evaluator
from core.engine.search import Search
from core.games import Position, dispatch
from core.games.net_inputs import inputs_of
from core.glass.picture import TreePicture, picture_of
from core.glass.snapshot import Path
from core.rng import make_rng
from core.search.tree import backups, node_at
from core.text import Text

MOST_POSITIONS: Final = 64  # in a mean
SIMULATIONS_EACH: Final = 8  # of the search for a position in its mean, so that the mean costs little beside it
_BATCH: Final = 8
_RANDOM_GAMES: Final = 64
_MOST_ANSWERED: Final = 2048  # positions

Array = NDArray[np.float32]
Weighted = Sequence[tuple[Position, int]]  # positions and their visits
_Key = tuple[Position, tuple[int, ...]]  # nets may be shown earlier moves, too


@dataclass(frozen=True, eq=False)
class Ownership:
    """Ownership of a position's points for the first player, [H, W] in [-1, 1], row 0 on top.

    It is the net's answer to that position, or the mean of its answers to ``positions`` of the tree below, each counted
    by its visits."""

    position: Position
    points: Array
    positions: int = 1


def most_visited(search: Search, path: Path = ()) -> TreePicture | None:
    """The most visited nodes from the root's node at ``path`` on, as many as a mean counts; None where it has none."""
    node = node_at(search.tree, search.root, path)
    if node < 0:
        return None
    visits = backups(search.tree, int(search.tree.slot[node]))
    return picture_of(search.tree, node, max(1, min(MOST_POSITIONS, visits // SIMULATIONS_EACH)))


def positions_in(picture: TreePicture, first: Position) -> Weighted:
    """The positions of a picture that begins at ``first``, and their visits, without ended games."""
    positions: list[Position] = []
    for parent, action in zip(picture.parents.tolist(), picture.actions.tolist(), strict=True):
        positions.append(positions[parent].play(action) if parent >= 0 else first)
    weighted = zip(positions, picture.visits.tolist(), strict=True)
    return [(position, visits) for position, visits in weighted if not position.is_over]


class OwnershipReader:
    """Asks one evaluator for ownership and keeps its newest answers; for one thread at a time.

    ValueError, one sentence, when the evaluator gives none or answers wrongly."""

    def __init__(self, evaluator: Evaluator | None) -> None:
        if evaluator is None or not evaluator.gives_ownership:
            raise ValueError(
                Text("{evaluator} gives no ownership", evaluator=evaluator.description)
                if evaluator is not None
                else Text("random games give no ownership; a net that has it is needed")
            )
        self.evaluator = evaluator
        self._answered: OrderedDict[_Key, Array] = OrderedDict()

    def at(self, position: Position) -> Ownership:
        """The net's ownership of one position, which is not over."""
        self._need([position])
        return Ownership(position, self._answered[_key(position)])

    def mean(
        self, position: Position, below: TreePicture | None, stale: Callable[[], bool] = lambda: False
    ) -> Ownership | None:
        """The mean over ``position`` and the positions ``below`` it by their visits; None once ``stale``."""
        weighted = positions_in(below, position) if below is not None else [(position, 1)]
        positions = [reached for reached, _ in weighted]
        if not self._need(positions, stale):
            return None
        visits = np.array([max(1, visits) for _, visits in weighted], np.float64)
        points = np.stack([self._answered[_key(position)] for position in positions])
        mean = np.tensordot(visits / visits.sum(), points, 1).astype(np.float32)
        return Ownership(position, mean, len(positions))

    def _need(self, positions: Sequence[Position], stale: Callable[[], bool] = lambda: False) -> bool:
        """Have answers to all ``positions``; False when ``stale`` ended it before."""
        missing = [position for position in positions if _key(position) not in self._answered]
        for start in range(0, len(missing), _BATCH):
            if stale():
                return False
            part = missing[start : start + _BATCH]
            self._answered.update(zip(map(_key, part), self._answers(part), strict=True))
        for position in positions:
            self._answered.move_to_end(_key(position))
        while len(self._answered) > max(_MOST_ANSWERED, len(positions)):
            self._answered.popitem(last=False)
        return True

    def _answers(self, positions: Sequence[Position]) -> Array:
        """[B, H, W] for the first player."""
        game = positions[0].game
        inputs = [inputs_of(position, self.evaluator.encoding) for position in positions]
        planes, features = (np.concatenate(part) for part in zip(*inputs, strict=True))
        points = self.evaluator.ownership(planes, features)
        if points.shape != (len(positions), *game.shape) or not (np.abs(points) <= 1.0).all():
            raise ValueError(
                f"the evaluator {self.evaluator.description!r} answered with ownership that does not fit "
                "the board or is not from -1 to 1"
            )
        sides = np.array([1.0 if position.to_move == 0 else -1.0 for position in positions], np.float32)
        return np.asarray(points * sides[:, None, None], np.float32)


def _key(position: Position) -> _Key:
    return position, position.moves


# By random games.


@jit
def _rollout(state: Any, rng: NDArray[np.uint64]) -> int:
    return dispatch.rollout(state, rng)


def random_ownership(position: Position, seed: int = 0) -> NDArray[np.float64]:
    """The mean over random games of whose each point is, [H, W]: +1 the first player's, -1 the second's.

    An ended game is played on from its board.
    """
    board = position.game.board
    if position.is_over:
        position = Position(position.game, board.from_cells(position.cells(), position.to_move, -1))
    total, rng = np.zeros(position.game.shape), make_rng(seed)
    for _ in range(_RANDOM_GAMES):
        state = position.state
        _rollout(state, rng)
        total += _owners(board.cells(state))
    return total / _RANDOM_GAMES


def _owners(cells: NDArray[np.int8]) -> NDArray[np.int8]:
    """+1 and -1 for the owner of each point [H, W]; an empty one is its neighbours', 0 if they differ."""
    signs = np.where(cells == 2, -1, cells).astype(np.int8)
    padded = np.pad(signs, 1)
    near = np.stack([padded[:-2, 1:-1], padded[2:, 1:-1], padded[1:-1, :-2], padded[1:-1, 2:]])
    beside = (near == 1).any(axis=0).astype(np.int8) - (near == -1).any(axis=0).astype(np.int8)
    return np.where(cells == 0, beside, signs).astype(np.int8)


# Dead stones.


def dead_stones(position: Position, evaluator: Evaluator | None = None) -> frozenset[int]:
    """The cells of the stones that are dead by the evaluator's ownership if it gives it, else in most random games.

    None in a game that is not counted; ValueError where the evaluator fails.
    """
    counting = position.game.counting
    if counting is None:
        return frozenset()
    if evaluator is None or not evaluator.gives_ownership:
        return counting.dead_stones(position, random_ownership(position))
    return counting.dead_stones(position, OwnershipReader(evaluator).at(_going_on(position)).points)


def agreed_margin(position: Position, evaluator: Evaluator | None = None) -> float | None:
    """Player 0's points less player 1's in an ended game that its players count, without the stones that seem dead.

    None for any other position.  ValueError where the evaluator fails.
    """
    counting = position.game.counting
    if counting is None or not position.is_agreed:
        return None
    return counting.counted(position, dead_stones(position, evaluator)).margin


def _going_on(position: Position) -> Position:
    """The position, or where that ended the game the one before its last move, a pass."""
    if not position.is_over:
        return position
    before = position.start
    for action in position.moves[:-1]:
        before = before.play(action)
    return before
