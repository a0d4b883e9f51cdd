"""The hesitations of a search: when its best move changed, and when a reply refuted it.

Computed from the log of the root's simulations (core.glass.curves).  The best move is the one with the most visits.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.glass.curves import BEGUN, Curves, Log
from core.glass.sentence import Link, Sentence
from core.text import Text

CHANGED: Final = "changed"
REFUTED: Final = "refuted"
FAULT: Final = "fault"  # a fault of another program's search (core.glass.lint_report)

LASTING: Final = 0.05  # a best move counts if it stays so for this share of the simulations before it
LEAST_LASTING: Final = 8  # and for so many simulations
FALL: Final = 0.15  # of Q, at least
SPAN: Final = 2.0  # within which the simulations grow by this factor at most
LEAST_VISITS: Final = 16  # of the move before its fall
MOST: Final = 0.5  # of the new visits that a reply needs to be named
GRID_FROM, GRID_STEP = 16, 1.1  # the simulations at which Q is compared
FIRST_CHUNK, LARGEST_CHUNK = 64, 8192  # simulations looked at together


@dataclass(frozen=True)
class MoveFigures:
    """What the log says of one move at one moment."""

    visits: int  # N
    q: float  # NaN before the first visit


@dataclass(frozen=True)
class Turn:
    """One hesitation.  Values are for the side to move at the root."""

    kind: str  # CHANGED, REFUTED; FAULT has no moves
    begun: int  # REFUTED: the simulation at which Q began to fall; else ``simulation``
    simulation: int  # after which the best move had changed, or Q had fallen
    before: int  # the action that was the best
    after: int  # CHANGED: the one that is then; REFUTED: the reply that grew, -1 for none
    sentence: Sentence


class LogReader:
    """Figures of the root's moves after any number of its simulations."""

    def __init__(self, log: Log, actions: NDArray[np.int16]) -> None:
        self.log, self.actions = log, actions
        self._places = np.flatnonzero(log.edges > BEGUN)  # entries that are simulations of the root
        self._of: dict[int, tuple[NDArray[np.int64], NDArray[np.float64]]] = {}

    def __len__(self) -> int:
        """The number of simulations of the root."""
        return len(self._places)

    @cached_property
    def edges(self) -> NDArray[np.int16]:
        """The edge of each simulation of the root."""
        return self.log.edges[self._places]

    def entries(self, simulation: int) -> int:
        """The number of entries of the log up to a simulation of the root."""
        if simulation >= len(self._places):
            return len(self.log.edges)
        return int(self._places[simulation - 1]) + 1 if simulation > 0 else 0

    def _moves(self, edge: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The entries that count for Q of an edge, and the running sums of their values."""
        if edge not in self._of:
            of = (self.log.edges == edge) | (self.log.edges == BEGUN - edge)
            places = np.flatnonzero(of)
            self._of[edge] = places, np.cumsum(self.log.values[places], dtype=np.float64)
        return self._of[edge]

    def qs(self, edge: int, simulations: NDArray[np.int64]) -> NDArray[np.float64]:
        """Q of an edge after each of ``simulations``; NaN before its first visit."""
        places, sums = self._moves(edge)
        ends = np.array([self.entries(int(s)) for s in simulations])
        counts = np.searchsorted(places, ends)
        totals = np.concatenate([[np.nan], sums])[counts]
        result: NDArray[np.float64] = totals / np.maximum(counts, 1)
        return result

    def visits(self, edge: int, simulations: NDArray[np.int64]) -> NDArray[np.int64]:
        """N of an edge after each of ``simulations``."""
        return np.searchsorted(np.flatnonzero(self.edges == edge), simulations)

    def at(self, edge: int, simulation: int) -> MoveFigures:
        """N and Q of an edge after a simulation."""
        when = np.array([simulation])
        return MoveFigures(int(self.visits(edge, when)[0]), float(self.qs(edge, when)[0]))

    def replies(self, edge: int, first: int, last: int) -> dict[int, int]:
        """How many of the simulations (first, last] through an edge went to each reply."""
        places, _ = self._moves(edge)
        inside = places[(places >= self.entries(first)) & (places < self.entries(last))]
        replies = self.log.replies[inside]
        actions, counts = np.unique(replies[replies >= 0], return_counts=True)
        return dict(zip(actions.tolist(), counts.tolist(), strict=True))

    @cached_property
    def leaders(self) -> list[tuple[int, int]]:
        """(Simulation, edge) of every change of the most visited edge; of equal ones the earlier stays."""
        edges, changes, leader = self.edges, list[tuple[int, int]](), -1
        visits = np.zeros(len(self.actions), np.int64)
        first, size = 0, FIRST_CHUNK
        while first < len(edges):
            part = edges[first : first + size]
            after = visits + np.bincount(part[part >= 0], minlength=len(visits))
            rivals = np.flatnonzero(after > (visits[leader] if leader >= 0 else 0))
            if len(rivals) and rivals.tolist() != [leader]:
                near = np.union1d(rivals, [leader] if leader >= 0 else [])[:, None].astype(np.int64)
                running = visits[near] + np.cumsum(part[None, :] == near, axis=1)
                place = 0
                while True:
                    of_leader = running[np.flatnonzero(near[:, 0] == leader)[0], place:] if leader >= 0 else 0
                    ahead = (running[:, place:] > of_leader).any(axis=0)
                    if not ahead.any():
                        break
                    place += int(ahead.argmax())
                    leader = int(near[running[:, place].argmax(), 0])
                    changes.append((first + place + 1, leader))
            visits, first, size = after, first + size, min(2 * size, LARGEST_CHUNK)
        return changes

    @cached_property
    def lasting_leaders(self) -> list[tuple[int, int]]:
        """``leaders`` without those that soon gave way again; the last one is always there."""
        stayed: list[tuple[int, int]] = []
        ends = [simulation for simulation, _ in self.leaders[1:]]
        for place, (simulation, edge) in enumerate(self.leaders):
            last = place == len(ends)
            lasting = last or ends[place] - simulation >= max(LEAST_LASTING, LASTING * simulation)
            if lasting and (not stayed or stayed[-1][1] != edge):
                stayed.append((simulation, edge))
        return stayed


def until(curves: Curves, simulations: int) -> Curves:
    """Curves whose log ends after so many simulations of the root; their samples stay."""
    reader = LogReader(curves.log, curves.actions)
    entries = reader.entries(simulations)
    return replace(
        curves, log=Log(curves.log.edges[:entries], curves.log.replies[:entries], curves.log.values[:entries])
    )


def find_turns(curves: Curves, names: tuple[str, ...]) -> tuple[Turn, ...]:
    """The hesitations of a search in the order of their simulations; ``names`` [A] of all actions."""
    return turns_of(LogReader(curves.log, curves.actions), names)


def turns_of(reader: LogReader, names: tuple[str, ...]) -> tuple[Turn, ...]:
    """``find_turns`` of what a reader has."""
    return tuple(sorted([*_changes(reader, names), *_refutations(reader, names)], key=lambda turn: turn.simulation))


def _changes(reader: LogReader, names: tuple[str, ...]) -> list[Turn]:
    turns, leaders = [], reader.lasting_leaders
    for (_, old), (simulation, new) in pairwise(leaders):
        before, after = int(reader.actions[old]), int(reader.actions[new])
        was, now = reader.at(old, simulation), reader.at(new, simulation)
        text = Text(
            "After {simulation:,} simulations {after} has more visits than {before}: {visits:,} to {visits_before:,}, "
            "Q {q:+.3f} to {q_before:+.3f}.",
            simulation=simulation,
            after=names[after],
            before=names[before],
            visits=now.visits,
            visits_before=was.visits,
            q=now.q,
            q_before=was.q,
        )
        links: dict[str, Link] = {"simulation": simulation, "after": (after,), "before": (before,)}
        turns.append(Turn(CHANGED, simulation, simulation, before, after, Sentence(text, links)))
    return turns


def _grid(simulations: int) -> NDArray[np.int64]:
    points, at = [], float(GRID_FROM)
    while at < simulations:
        points.append(int(at))
        at = max(at + 1, at * GRID_STEP)
    return np.array([*points, simulations], np.int64)


def _refutations(reader: LogReader, names: tuple[str, ...]) -> list[Turn]:
    if len(reader) <= GRID_FROM:
        return []
    grid = _grid(len(reader))
    starts = [simulation for simulation, _ in reader.leaders]
    places = np.searchsorted(starts, grid, side="right") - 1
    best = np.array([reader.leaders[place][1] if place >= 0 else -1 for place in places])
    falls = np.full((len(grid), len(grid)), -np.inf)
    for edge in set(best.tolist()) - {-1}:
        rows = np.flatnonzero((best == edge) & (reader.visits(edge, grid) >= LEAST_VISITS))
        q = reader.qs(edge, grid)
        falls[rows] = q[rows, None] - q[None, :]
    falls[(grid[None, :] <= grid[:, None]) | (grid[None, :] > SPAN * grid[:, None])] = -np.inf
    turns, open_ = [], [(0, len(grid))]
    while open_:
        first, last = open_.pop()
        part = falls[first:last, first:last]
        if not part.size or not part.max() >= FALL:
            continue
        start, end = (first + int(place) for place in np.unravel_index(part.argmax(), part.shape))
        turns.append(_refutation(reader, names, int(best[start]), int(grid[start]), int(grid[end])))
        open_ += [(first, start + 1), (end, last)]
    return turns


def _refutation(reader: LogReader, names: tuple[str, ...], edge: int, begun: int, simulation: int) -> Turn:
    action, was, now = int(reader.actions[edge]), reader.at(edge, begun), reader.at(edge, simulation)
    grown = reader.replies(edge, begun, simulation)
    reply = max(grown, key=lambda a: (grown[a], -a), default=-1)
    if reply >= 0 and grown[reply] < MOST * (now.visits - was.visits):
        reply = -1
    text = Text(
        "From {begun:,} to {simulation:,} simulations Q of {move}, then the best move, fell from {q_before:+.3f} to "
        "{q:+.3f}."
        if reply < 0
        else "From {begun:,} to {simulation:,} simulations Q of {move}, then the best move, fell from {q_before:+.3f} "
        "to {q:+.3f}: {grown:,} of its {visits:,} visits between went to the reply {reply}.",
        begun=begun,
        simulation=simulation,
        move=names[action],
        q_before=was.q,
        q=now.q,
        grown=grown.get(reply, 0),
        visits=now.visits - was.visits,
        reply=names[reply] if reply >= 0 else "",
    )
    links: dict[str, Link] = {"begun": begun, "simulation": simulation, "move": (action,)}
    if reply >= 0:
        links["reply"] = (action, reply)
    return Turn(REFUTED, begun, simulation, action, reply, Sentence(text, links))
