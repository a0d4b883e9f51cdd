"""Checks what a net, read in some way, answers: wins in one move, legal moves, the same under its game's symmetries."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from core.engine.evaluator import Evaluator, ask
from core.engine.symmetry import under_symmetries
from core.games import GameSpec, Position
from core.games.net_inputs import inputs_of_all
from core.text import Text
from models.netfiles.agreement import chances

COUNT: Final = 12  # positions
_TURNED: Final = 4  # of them are looked at under every symmetry
_ENOUGH: Final = 4  # wins in one, to judge by them
_GAMES: Final = 60  # tried for them
_SMALL: Final = 64  # cells, up to which random games come by a win in one


@dataclass(frozen=True, slots=True)
class Check:
    """The answers of a net to positions in which a move wins at once."""

    positions: int
    wins: int  # positions where the most probable move wins
    glad: int  # positions whose value is above 0
    legal: float  # share of the policy on legal moves in the middle of games
    few: float  # the share of the moves that are legal there
    alike: float  # how much of the policy stays under a symmetry, 1 for all of it

    @property
    def rank(self) -> float:
        """The larger, the better the net was read."""
        wins = min(1.0, self.positions / _ENOUGH) * (self.wins + 0.5 * self.glad) / max(1, self.positions)
        return wins + self.legal + 0.1 * self.alike

    @property
    def partly(self) -> bool:
        """Whether the net finds at least half of the wins, which no net does that is read wrongly."""
        return self.positions >= _ENOUGH and 2 * self.wins >= self.positions

    @property
    def convincing(self) -> bool:
        finds = self.positions >= _ENOUGH and self.wins >= 0.75 * self.positions
        return finds or (self.legal >= 0.9 and self.few <= 0.5)

    @property
    def words(self) -> str:
        if self.positions < _ENOUGH:
            return Text("{legal:.0%} of its policy lies on legal moves", legal=self.legal)
        return Text(
            "it finds {wins} of {positions} wins in one move, with a value above 0 in {glad}; {legal:.0%} of its "
            "policy lies on legal moves, and {alike:.0%} stays under the board's symmetries",
            wins=self.wins,
            positions=self.positions,
            glad=self.glad,
            legal=self.legal,
            alike=self.alike,
        )


@dataclass(frozen=True, slots=True)
class Won:
    """A position in which the side to move wins at once."""

    position: Position
    winning: frozenset[int]


@dataclass(frozen=True, slots=True)
class Questions:
    """What a net is asked."""

    won: tuple[Won, ...]
    """Positions with a win in one move, fewer where random games do not come by them."""
    others: tuple[Position, ...]
    """Positions of random games."""


def questions(game: "GameSpec") -> Questions:
    """The positions about which nets of ``game`` are asked."""
    rng = np.random.default_rng(0)
    return Questions(tuple(_won(game, rng)), tuple(_reached(game, rng) for _ in range(COUNT)))


def _reached(game: "GameSpec", rng: np.random.Generator) -> Position:
    """An unfinished position after some random moves."""
    position = game.initial()
    for _ in range(int(rng.integers(1, max(2, min(game.max_plies, game.num_cells) // 3)))):
        following = position.play(int(rng.choice(position.legal_actions())))
        if following.is_over:
            break
        position = following
    return position


def _won(game: "GameSpec", rng: np.random.Generator) -> list[Won]:
    staged = game.lines is not None and game.moves_are_cells and game.num_cells > _SMALL
    wins: list[Won] = []
    for i in range(_GAMES):
        position = _staged(game, rng, i % 2) if staged else _played(game, rng)
        if position is None:
            continue
        winning = _winning(position)
        if len(winning) < len(position.legal_actions()):  # there is a choice to be made
            wins.append(Won(position, winning))
        if len(wins) == COUNT:
            break
    return wins


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
    line_cells, position = list(line), game.initial()
    for ply in range(2 * len(line) + attacker):
        legal = position.legal_actions()
        others = [action for action in legal if action not in line_cells and action < game.num_cells]
        action = line_cells.pop() if ply % 2 == attacker else int(rng.choice(others))
        if action not in legal:
            return None
        position = position.play(action)
        if position.is_over:
            return None
    return position


def check(evaluator: Evaluator, questions: Questions) -> Check:
    """Ask ``evaluator`` about the positions."""
    game = questions.others[0].game
    shown = [*(question.position for question in questions.won), *questions.others]
    logits, values, _ = ask(evaluator, inputs_of_all(shown, evaluator.encoding), game.num_actions)
    wins = glad = 0
    for question, row, value in zip(questions.won, logits, values, strict=False):
        legal = list(question.position.legal_actions())
        wins += legal[int(np.argmax(row[legal]))] in question.winning
        glad += bool(value > 0)
    mask = np.zeros((len(questions.others), game.num_actions), np.bool_)
    for row, position in zip(mask, questions.others, strict=True):
        row[list(position.legal_actions())] = True
    shares = chances(logits[len(questions.won) :], np.ones_like(mask))
    turned = [under_symmetries(evaluator, position) for position in shown[:_TURNED]]
    moved = [np.abs(answer.policies - answer.policy_mean).sum(axis=1).mean() / 2 for answer in turned]
    legal_share = float((shares * mask).sum(axis=1).mean())
    return Check(len(questions.won), wins, glad, legal_share, float(mask.mean()), 1.0 - float(np.mean(moved)))
