"""Checks what a net, read in some way, answers: wins in one move, and the same under the symmetries of its game."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from core.engine.evaluator import Evaluator, ask
from core.engine.symmetry import under_symmetries
from core.games import Position
from core.games.encoding import Inputs
from core.text import Text

if TYPE_CHECKING:
    from core.games import GameSpec

COUNT: Final = 12  # positions
_TURNED: Final = 4  # of them are looked at under every symmetry
_GAMES: Final = 200  # tried for them
_SMALL: Final = 64  # cells, up to which random games come by a win in one


@dataclass(frozen=True, slots=True)
class Check:
    """The answers of a net to positions in which a move wins at once."""

    positions: int
    found: int  # positions where the most probable move wins
    glad: int  # positions whose value is above 0
    alike: float  # how much of the policy stays under a symmetry, 1 for all of it

    @property
    def rank(self) -> float:
        """The larger, the better the net was read."""
        return (self.found + 0.5 * self.glad) / max(1, self.positions) + 0.1 * self.alike

    @property
    def convincing(self) -> bool:
        return self.positions > 0 and self.found >= 0.75 * self.positions

    @property
    def words(self) -> str:
        if not self.positions:
            return Text("no position with a win in one move was found to check it with")
        return Text(
            "it finds {found} of {positions} wins in one move, with a value above 0 in {glad}; {alike:.0%} of its "
            "policy stays under the board's symmetries",
            found=self.found,
            positions=self.positions,
            glad=self.glad,
            alike=self.alike,
        )


@dataclass(frozen=True, slots=True)
class Won:
    """A position in which the side to move wins at once."""

    position: Position
    winning: frozenset[int]


def positions_won(game: "GameSpec", count: int = COUNT, seed: int = 0) -> list[Won]:
    """Positions with a win in one move, fewer where random games do not come by them."""
    rng = np.random.default_rng(seed)
    staged = game.lines is not None and game.moves_are_cells and game.num_cells > _SMALL
    found: list[Won] = []
    for i in range(_GAMES):
        position = _staged(game, rng, i % 2) if staged else _played(game, rng)
        if position is not None:
            found.append(Won(position, _winning(position)))
        if len(found) == count:
            break
    return found


def _winning(position: Position) -> frozenset[int]:
    mover = position.to_move
    after = ((action, position.play(action)) for action in position.legal_actions())
    return frozenset(action for action, then in after if then.is_over and then.returns[mover] > 0)


def _played(game: "GameSpec", rng: np.random.Generator) -> Position | None:
    """The position before the last move of a random game, if that won."""
    before, position = game.initial(), game.initial()
    while not position.is_over:
        before, position = position, position.play(int(rng.choice(position.legal_actions())))
    return before if position.returns[before.to_move] > 0 else None


def _staged(game: "GameSpec", rng: np.random.Generator, attacker: int) -> Position | None:
    """A position where a player has all of a line but one cell, and is to move."""
    k = game.lines.k if game.lines else 0
    height, width = game.shape
    down, right = ((0, 1), (1, 0), (1, 1), (1, -1))[int(rng.integers(4))]
    row, col = int(rng.integers(height)), int(rng.integers(width))
    cells = [(row + i * down, col + i * right) for i in range(k)]
    if not all(0 <= r < height and 0 <= c < width for r, c in cells):
        return None
    line = [r * width + c for r, c in cells]
    line.pop(int(rng.integers(k)))
    own, position = list(line), game.initial()
    for ply in range(2 * len(line) + attacker):
        legal = position.legal_actions()
        others = [action for action in legal if action not in own and action < game.num_cells]
        action = own.pop() if ply % 2 == attacker else int(rng.choice(others))
        if action not in legal:
            return None
        position = position.play(action)
        if position.is_over:
            return None
    return position if _winning(position) else None


def check(evaluator: Evaluator, won: Sequence[Won]) -> Check:
    """Ask ``evaluator`` about positions that are won in one move."""
    if not won:
        return Check(0, 0, 0, 0.0)
    game = won[0].position.game
    features = np.zeros((len(won), 0), np.float32)
    planes = np.stack([one.position.planes() for one in won])
    logits, values, _ = ask(evaluator, Inputs(planes, features), game.num_actions)
    found = glad = 0
    for one, row, value in zip(won, logits, values, strict=True):
        legal = list(one.position.legal_actions())
        found += legal[int(np.argmax(row[legal]))] in one.winning
        glad += bool(value > 0)
    turned = [under_symmetries(evaluator, one.position) for one in won[:_TURNED]]
    moved = [np.abs(answer.policies - answer.policy_mean).sum(axis=1).mean() / 2 for answer in turned]
    return Check(len(won), found, glad, 1.0 - float(np.mean(moved)))
