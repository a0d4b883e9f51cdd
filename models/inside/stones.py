"""On which stones a net's choice depends, and on which the right choice does.

The move that the net prefers is tested on counterfactuals (:mod:`models.inside.counterfactuals`).  For each of them
SARFA says how much this very move suffers, with P for its softmax of Q:

    dP = P(move) - P'(move),  K = 1 / (1 + KL(P'rem || Prem)),  SARFA = 2 K dP / (K + dP)

P' is the policy of the counterfactual; Prem and P'rem are both policies without the move, over the moves that are legal
in both.  Puri et al., Explain Your Move: Understanding Agent Actions Using Specific and Relevant Feature Attribution,
ICLR 2020, https://arxiv.org/abs/1912.12191, equations 1 to 4.  Where dP is negative SARFA is 0 there; here it is that
of -dP with a minus: the move gains without the stone.

A stone's figure is the median over its counterfactuals, so that a stone does not matter because its partner does.

Letters: A actions, S stones, N counterfactuals.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import median
from typing import Final, NamedTuple

import numpy as np

from core.games import Position
from core.games.net_inputs import inputs_of_all
from core.search.work import Answer
from core.text import Text
from models.inside.counterfactuals import PARTNERS, Counterfactual, counterfactuals
from models.inside.sample import Stop
from models.inside.truth import FOURS, PROVED, SECONDS, Truth, TruthFinder
from models.inside.views import Chances, legal_of
from models.netfiles.agreement import chances
from models.netfiles.tapped import TappedNet

Answers = Callable[[Sequence[Position]], Answer]  # what is asked about unfinished positions
_BATCH: Final = 32


class Effect(NamedTuple):
    """What one counterfactual changes for the net."""

    counterfactual: Counterfactual
    drop: float
    """P of the move less P of it here, from -1 to 1."""
    sarfa: float
    """From -1 to 1: above 0 the move needs the stones, below 0 it gains without them."""
    value: float
    """V of the counterfactual less V of the position, for the side to move, from -2 to 2."""


class Stone(NamedTuple):
    """A stone, and how much depends on it: medians over its counterfactuals."""

    cell: int
    sarfa: float
    """Of the net's move; from -1 to 1."""
    value: float
    """By how much V rises without the stone, for the side to move."""
    tests: int
    """The counterfactuals in which it is changed; 0: the rules allow none, and the other figures are 0."""
    truth: float | None
    """The share of them in which the exact value is another, or the move becomes right or wrong; None where the exact
    answer is known of none."""


class Reason(NamedTuple):
    """Whether the right move was chosen for the right reason."""

    score: float
    """Of two counterfactuals, one in which the move is wrong and one in which it is still right: how often P of the
    move is lower in the first; ties count half.  0 to 1; 0.5 is what a net has that does not know the difference, on
    average, and a net whose P is spread evenly over the best moves of a solver has 1."""
    wrong: int
    """The counterfactuals in which the move is wrong."""
    right: int


@dataclass(frozen=True)
class Stones:
    """What a net's move in a position depends on."""

    position: Position
    move: int
    """The net's first move."""
    prior: float
    """P of the move."""
    value: float
    """V of the position, for the side to move."""
    effects: tuple[Effect, ...]
    truth: Truth | None = None
    """The exact answer of the position; None where there is none, or none yet."""
    truths: tuple[Truth | None, ...] = ()
    """[N] that of each counterfactual; () as long as none was looked for."""

    @cached_property
    def stones(self) -> tuple[Stone, ...]:
        """Every stone of the board, ascending."""
        of: dict[int, list[int]] = {cell: [] for cell in np.flatnonzero(self.position.cells()).tolist()}
        for number, effect in enumerate(self.effects):
            for cell in effect.counterfactual.stones:
                of[cell].append(number)
        return tuple(self._stone(cell, tests) for cell, tests in of.items())

    def _stone(self, cell: int, tests: Sequence[int]) -> Stone:
        if not tests:
            return Stone(cell, 0.0, 0.0, 0, None)
        known = [self._differs(truth) for i in tests if self.truths and (truth := self.truths[i]) is not None]
        return Stone(
            cell,
            median(self.effects[i].sarfa for i in tests),
            median(self.effects[i].value for i in tests),
            len(tests),
            sum(known) / len(known) if known else None,
        )

    @property
    def is_right(self) -> bool | None:
        """Whether the net's move is among the best; None where that is not known."""
        return None if self.truth is None else self.truth.allows(self.move)

    def _differs(self, truth: Truth) -> bool:
        """Whether an exact answer differs from the position's in the value or in what it says of the move."""
        here = self.truth
        return here is None or (truth.value, truth.allows(self.move)) != (here.value, here.allows(self.move))

    @cached_property
    def reason(self) -> Reason | None:
        """None where the move is not known to be right, or it is right, or wrong, in all counterfactuals."""
        if not self.is_right:
            return None
        drops: dict[bool, list[float]] = {True: [], False: []}
        for effect, truth in zip(self.effects, self.truths, strict=True):
            if truth is not None:
                drops[self.move in truth.best].append(effect.drop)
        wrong, right = np.array(drops[False]), np.array(drops[True])
        if not len(wrong) or not len(right):
            return None
        more, same = wrong[:, None] > right, wrong[:, None] == right
        return Reason(float(more.mean() + 0.5 * same.mean()), len(wrong), len(right))

    @property
    def sentence(self) -> str:
        """The result in a sentence or two."""
        move = self.position.game.action_name(self.move)
        if not self.effects:
            return Text("No stone can be changed here so that the rules still lead to the board.")
        if self.truth is None:
            return Text("The net wants {move}; the exact answer is not known here.", move=move)
        if self.truth.kind == PROVED:
            return self._proved(self.truth, move)
        if self.is_right is None:
            return Text(
                "The net wants {move}; there is no win by fours here, so no move is known to be right.", move=move
            )
        if not self.is_right and self.truth.kind == FOURS:
            return Text(
                "The net wants {move}, which begins none of the wins by fours: there is no right reason.", move=move
            )
        if not self.is_right:
            return Text("The net wants {move}, which is a mistake: there is no right reason.", move=move)
        if self.reason is None:
            right = [self.move in truth.best for truth in self.truths if truth is not None]
            words = {"move": move, "number": len(right), "all": len(self.truths)}
            if not right:
                return Text("The net wants {move}, which is right; no test has an exact answer.", **words)
            if right[0]:
                return Text(
                    "The net wants {move}, which is right, and right in the {number} of {all} tests with an exact "
                    "answer: no stone is seen to decide it.",
                    **words,
                )
            return Text(
                "The net wants {move}, which is right, and wrong in the {number} of {all} tests with an exact answer.",
                **words,
            )
        return Text(
            "The net wants {move}, which is right; for the right reason: {score} (a guess has 0.50).",
            move=move,
            score=f"{self.reason.score:.2f}",
        )

    def _proved(self, truth: Truth, move: str) -> str:
        """The result in a sentence, where the search has proved the position's value."""
        if truth.value < 0:
            return Text("The net wants {move}; the search has proved that every move loses.", move=move)
        if self.is_right is None:
            name = self.position.game.action_name
            return Text(
                "The net wants {move}, of which nothing is proved; the search has proved that {moves} is best.",
                move=move,
                moves=", ".join(name(best) for best in sorted(truth.best)),
            )
        if not self.is_right:
            return Text(
                "The net wants {move}, which is a mistake, as the search has proved: there is no right reason.",
                move=move,
            )
        return Text(
            "The net wants {move}, which is right, as the search has proved; the tests are not searched: no reason is "
            "known.",
            move=move,
        )


def with_truth(
    stones: Stones, judge: TruthFinder, seconds: float = SECONDS, should_stop: Stop = lambda: False
) -> Stones:
    """The same with the exact answers found in ``seconds``; as it was if there are none, or ``should_stop``."""
    positions = [stones.position, *(effect.counterfactual.position for effect in stones.effects)]
    truths = judge.judge_all(positions, seconds, should_stop)
    if truths is None:
        return stones
    return replace(stones, truth=truths[0], truths=tuple(truths[1:]))


def with_proof(stones: Stones, proved: Truth | None) -> Stones:
    """The same with what a search has proved of the position by now, where no exact answer was found."""
    if proved is None or (stones.truth is not None and stones.truth.kind != PROVED):
        return stones
    return replace(stones, truth=proved, truths=(None,) * len(stones.effects))


def sarfa(before: Chances, after: Chances, move: int) -> float:
    """SARFA of ``move`` from -1 to 1, between two policies [A], which are 0 at illegal moves."""
    change = float(before[move] - after[move])
    both = (before > 0.0) & (after > 0.0)
    both[move] = False
    p, q = after[both], before[both]
    divergence = float(np.sum(p / p.sum() * np.log((p / p.sum()) / (q / q.sum())))) if both.any() else 0.0
    relevance = 1.0 / (1.0 + max(0.0, divergence))
    size = abs(change)
    return math.copysign(2.0 * relevance * size / (relevance + size), change) if size else 0.0


def answers_of(net: TappedNet) -> Answers:
    """What asks a net."""
    return lambda positions: net.run(inputs_of_all(positions, net.encoding)).answer


def stones_of(
    position: Position,
    answers: Answers,
    *,
    partners: int = PARTNERS,
    move: int | None = None,
    should_stop: Stop = lambda: False,
) -> Stones | None:
    """What the net's first move, or ``move``, depends on, without the exact answer; None when ``should_stop``.

    ``partners``: counterfactuals of each stone.  ValueError for a game or position without any question to ask, and
    what ``answers`` raises.
    """
    if position.is_over:
        raise ValueError(Text("the game is over: there is no move to be explained"))
    others = counterfactuals(position, partners, should_stop)
    positions = [position, *(other.position for other in others)]
    parts, values = [], []
    for first in range(0, len(positions), _BATCH):
        if should_stop():
            return None
        batch = positions[first : first + _BATCH]
        answer = answers(batch)
        parts.append(chances(answer.logits, legal_of(batch)))
        values += answer.values.tolist()
    policy = np.concatenate(parts)
    chosen = int(policy[0].argmax()) if move is None else move
    effects = tuple(
        Effect(other, float(policy[0, chosen] - after[chosen]), sarfa(policy[0], after, chosen), value - values[0])
        for other, after, value in zip(others, policy[1:], values[1:], strict=True)
    )
    return Stones(position, chosen, float(policy[0, chosen]), values[0], effects)
