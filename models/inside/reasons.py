"""Right moves, and whether a net chooses them for the right reason, over the positions of an audit.

Of each position whose first move is right :attr:`models.inside.stones.Stones.reason` says how well the net tells the
legal changes of the position that make the move wrong from those that do not.  A low figure: right move, wrong reason.
"""

import math
import time
from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np

from core.engine.evaluator import report
from core.games import Position
from core.text import Text
from models.audit.answers import Audited
from models.audit.positions import games_of
from models.inside.counterfactuals import refusal
from models.inside.mistakes import ByBlock
from models.inside.probes import Score, Scorer, score_of
from models.inside.sample import Stop
from models.inside.stones import Answers, Reason, Stones, answers_of, stones_of, with_truth
from models.inside.truth import TruthFinder
from models.netfiles.tapped import TappedNet

MOST: Final = 400  # positions that are looked at
SECONDS: Final = 600.0  # for all of them
EACH: Final = 5.0  # seconds for the exact answers of one position and its changes
_REPORTED: Final = 20  # positions between two reports


class Reasoned(NamedTuple):
    """A position of an audit with a right first move."""

    audited: Audited
    position: Position
    move: int
    """The net's."""
    reason: Reason


class Reasons(NamedTuple):
    """The right first moves of a net over an audit, and how right the reasons are."""

    cases: tuple[Reasoned, ...]
    """Those that have a figure, the lowest first."""
    mean: Score | None
    """Of their scores, with a 95 % interval over games; None where there are none."""
    looked: int
    """The right first moves that were looked at, in an order without a pattern."""
    right: int
    """All right first moves."""
    refusal: str = ""
    """Why none was looked at; "" where some could be."""

    @property
    def sentence(self) -> str:
        """What was found, in a sentence."""
        if self.refusal:
            return self.refusal
        if self.mean is None:
            return Text("None of {looked} right first moves has a figure for its reason.", looked=self.looked)
        return Text(
            "Right for the right reason: {mean} ({low} to {high}), the mean of {count} of {looked} right first moves "
            "looked at; a guess has 0.50.",
            mean=f"{self.mean.value:.2f}",
            low=_figure(self.mean.low),
            high=_figure(self.mean.high),
            count=len(self.cases),
            looked=self.looked,
        )


def reasons_of(
    net: TappedNet,
    found: ByBlock,
    should_stop: Stop = lambda: False,
    *,
    answers: Answers | None = None,
    most: int = MOST,
    seconds: float = SECONDS,
    clock: Callable[[], float] = time.perf_counter,
) -> Reasons:
    """The right first moves of an audit and their reasons; as far as it came when ``should_stop``, or when ``seconds``
    by ``clock`` are over.

    found: the audit block by block, by this net.  answers: what is asked instead of the net.  BadNet or ValueError when
    the net fails."""
    right = [case for case in found.cases if case.own.right[-1]]
    if reason := refusal(net.game):
        return Reasons((), None, 0, len(right), reason)
    games = dict(zip([case.audited.number for case in right], games_of([c.audited.item for c in right]), strict=True))
    judge, end, looked = TruthFinder(net.game), clock() + seconds, 0
    chosen = [right[place] for place in np.random.default_rng(0).permutation(len(right))[:most].tolist()]
    cases: list[Reasoned] = []
    for case in chosen:
        left = end - clock()
        if should_stop() or left <= 0.0:
            break
        if looked % _REPORTED == 0:
            report(Text("{done} of {count} right first moves looked at", done=looked, count=len(chosen)))
        stones = _examined(case.position, case.firsts[-1], answers or answers_of(net), judge, left, should_stop)
        if stones is None:
            break
        looked += 1
        if stones.reason is not None:
            cases.append(Reasoned(case.audited, case.position, stones.move, stones.reason))
    cases.sort(key=lambda one: (one.reason.score, -one.reason.wrong * one.reason.right))
    return Reasons(tuple(cases), _mean(cases, games), looked, len(right))


def _examined(
    position: Position, move: int, answers: Answers, judge: TruthFinder, left: float, should_stop: Stop
) -> Stones | None:
    """What the move depends on, beside the exact answer; None when stopped."""
    stones = stones_of(position, answers, move=move, should_stop=should_stop)
    if stones is None:
        return None
    stones = with_truth(stones, judge, min(EACH, left), should_stop)
    return None if should_stop() else stones


def _mean(cases: list[Reasoned], games: dict[int, int]) -> Score | None:
    if not cases:
        return None
    scores = np.array([one.reason.score for one in cases])
    return score_of(*Scorer(np.array([games[one.audited.number] for one in cases]), 0).means(scores))


def _figure(value: float) -> str:
    return "?" if math.isnan(value) else f"{value:.2f}"
