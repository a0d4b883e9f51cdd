"""A search beside the exact results of its position: how long it was wrong, and which reply it had not seen.

A move is wrong when its exact result is worse than the position's.  The best move is the one with the most visits.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.glass.curves import Curves
from core.glass.sentence import Link, Sentence
from core.glass.snapshot import NodeView
from core.glass.turns import LogReader
from core.text import Text

UNSEEN: Final = 0.25  # a reply had not been seen while it had at most this share of the move's visits
SEEN: Final = 0.5  # and has been when it has this share of those since
RESULTS: Final = ("loss", "draw", "win")  # by value + 1
SHORTEST: Final = 0.01  # stretches shorter than this share of the simulations are counted, not told


@dataclass(frozen=True)
class Stretch:
    """A time during which the best move was wrong: after the simulations [first, last), or until now."""

    first: int
    last: int
    action: int
    ended: bool
    sentence: Sentence


@dataclass(frozen=True, eq=False)
class Truth:
    """What the exact results say of a search's root."""

    value: int  # of the position, for the side to move
    wrong: tuple[int, ...]  # the actions with a worse result, ascending
    prior: float  # of the wrong moves together, as the net gave it; NaN without a net
    simulations: NDArray[np.int64]  # [S]
    shares: NDArray[np.float64]  # [S] of the visits, on wrong moves
    right_from: int  # after this many simulations the best move is never wrong again; -1: it is wrong now
    stretches: tuple[Stretch, ...]  # the longest times in which it was wrong, ascending
    sentence: Sentence

    @property
    def share(self) -> float:
        """The share of the visits on wrong moves now."""
        return float(self.shares[-1]) if len(self.shares) else float("nan")


def net_priors(root: NodeView) -> dict[int, float]:
    """The net's prior of each move of a position, by action, those left out of the search too; {} without a net.

    Of moves that are the same by symmetry one has the priors of all."""
    if math.isnan(root.value):
        return {}
    return root.left_out | dict(zip(root.actions.tolist(), root.net_priors.tolist(), strict=True))


def find_truth(
    curves: Curves, values: Mapping[int, int], priors: Mapping[int, float], names: tuple[str, ...]
) -> Truth | None:
    """Compare a search with the exact ``values`` of all its moves, -1, 0 or +1 for the side to move.

    ``priors``: the net's, by action; {} without a net.  None where no move was tried yet."""
    reader = LogReader(curves.log, curves.actions)
    if not reader.leaders or any(action not in values for action in curves.actions.tolist()):
        return None
    best = max(values.values())
    wrong = tuple(sorted(action for action, value in values.items() if value < best))
    are_wrong = np.isin(curves.actions, wrong)
    shares = curves.shares[:, are_wrong].sum(axis=1)
    prior = sum(priors.get(action, 0.0) for action in wrong) if priors else float("nan")
    stretches = _stretches(reader, are_wrong)
    now = len(reader)
    right_from = max([stretch.end for stretch in stretches], default=0)
    if stretches and right_from == now:
        right_from = -1
    long = [stretch for stretch in stretches if stretch.end - stretch.first >= SHORTEST * now]
    described = tuple(_described(reader, stretch, values, names) for stretch in long)
    return Truth(
        best,
        wrong,
        prior,
        curves.simulations,
        shares,
        right_from,
        described,
        _summary(right_from, best, wrong, now, len(stretches)),
    )


class _Wrong(NamedTuple):
    """A time in which the best move was wrong, and the wrong move that was the best for longest."""

    first: int
    end: int
    edge: int
    since: int  # from when it was the best for longest
    longest: int  # for so many simulations


def _stretches(reader: LogReader, are_wrong: NDArray[np.bool_]) -> list[_Wrong]:
    ends = [simulation for simulation, _ in reader.leaders[1:]] + [len(reader)]
    stretches: list[_Wrong] = []
    for (first, edge), end in zip(reader.leaders, ends, strict=True):
        if not are_wrong[edge]:
            continue
        new = _Wrong(first, end, edge, first, end - first)
        if stretches and stretches[-1].end == first:
            longest = max(stretches[-1], new, key=lambda stretch: stretch.longest)
            new = longest._replace(first=stretches[-1].first, end=end)
            stretches.pop()
        stretches.append(new)
    return stretches


def _summary(right_from: int, best: int, wrong: tuple[int, ...], now: int, stretches: int) -> Sentence:
    result = Text(RESULTS[best + 1])
    if not wrong:
        return Sentence(Text("Every move is a {result}: the search cannot be wrong here.", result=result))
    if right_from < 0:
        return Sentence(
            Text(
                "The best move is wrong now, after {now:,} simulations: it gives away the {result}.",
                now=now,
                result=result,
            ),
            {"now": now},
        )
    if not stretches:
        return Sentence(
            Text("The best move kept the {result} at each of the {now:,} simulations.", now=now, result=result),
            {"now": now},
        )
    return Sentence(
        Text("Right for good after {right_from:,} of {now:,} simulations.", right_from=right_from, now=now),
        {"right_from": right_from, "now": now},
    )


def _described(reader: LogReader, wrong: _Wrong, values: Mapping[int, int], names: tuple[str, ...]) -> Stretch:
    """The stretch with its sentence, whose reason is what the log holds."""
    first, end, edge, since, _ = wrong
    ended = end < len(reader)
    action = int(reader.actions[edge])
    before, after = reader.at(edge, since), reader.at(edge, end)
    figures: dict[str, object] = {
        "first": first,
        "end": end,
        "since": since,
        "move": names[action],
        "result": Text(RESULTS[values[action] + 1]),
        "q_before": before.q,
        "q": after.q,
    }
    links: dict[str, Link] = {"first": first, "end": end, "since": since, "move": (action,)}
    middle = (first + end) // 2
    early, late = reader.replies(edge, 0, middle), reader.replies(edge, middle, len(reader))
    reply = max(late, key=lambda a: (late[a], -a), default=-1)
    visits, of = early.get(reply, 0), sum(early.values())
    unseen = ended and reply >= 0 and of and visits <= UNSEEN * of and late[reply] >= SEEN * sum(late.values())
    if unseen:
        figures |= {"reply": names[reply], "visits": visits, "of": of, "middle": middle}
        figures |= {"now": visits + late[reply], "of_now": of + sum(late.values())}
        links |= {"reply": (action, reply), "middle": middle, "now": (action, reply)}
    text = Text(
        "Wrong from {first:,} to {end:,} simulations, longest with {move}, a {result}: it had hardly looked at the "
        "reply {reply}, which had {visits:,} of {of:,} visits after {middle:,} simulations and has {now:,} of "
        "{of_now:,} now."
        if unseen
        else "Wrong from {first:,} to {end:,} simulations, longest with {move}, a {result}: its Q went from "
        "{q_before:+.3f} after {since:,} to {q:+.3f}."
        if ended
        else "Wrong since {first:,} simulations, longest with {move}, a {result}: its Q went from {q_before:+.3f} "
        "after {since:,} to {q:+.3f}.",
        **figures,
    )
    return Stretch(first, end, action, ended, Sentence(text, links))
