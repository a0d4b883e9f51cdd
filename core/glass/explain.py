"""Why a search does not play a move: sentences and lines of moves, every figure of which is in its tree.

A function of a snapshot, and of its curves and exact results where there are any.
Values are for the side to move at the root.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.glass.curves import Curves
from core.glass.sentence import Link, Sentence
from core.glass.snapshot import MoveRow, Path, Snapshot
from core.glass.turns import LEAST_VISITS, MOST, LogReader
from core.text import Text

PLIES: Final = 4  # of each line
HARDLY: Final = 0.02  # share of the visits below which a move was hardly searched
FELL: Final = 0.1  # of Q, to be told
POINTS: Final = 64  # moments at which Q is compared
Results = Mapping[int, tuple[int, int | None]]  # exact value and plies to the end, if known, by action
RESULTS: Final = {-1: "loss", 0: "draw", 1: "win"}


@dataclass(frozen=True)
class Step:
    """One move of a line, with the figures of its row."""

    path: Path  # from the root, this move included
    name: str
    visits: int
    q: float
    value: float  # the net's, NaN where there is none
    proof: str  # for the side to move at the root


@dataclass(frozen=True)
class Explanation:
    """Why not ``action``: sentences, and the line after it beside that of the best move."""

    action: int
    best: int
    sentences: tuple[Sentence, ...]
    line: tuple[Step, ...]
    best_line: tuple[Step, ...]


def nodes_for(snapshot: Snapshot, action: int) -> tuple[Path, ...]:
    """The nodes that ``explain`` reads, as paths for a snapshot."""
    rows = {row.action: row for row in snapshot.moves}
    lines = [rows[a].pv[:PLIES] for a in (action, snapshot.best) if a in rows]
    return tuple(dict.fromkeys(tuple(line[:i]) for line in lines for i in range(1, len(line))))


def explain(
    snapshot: Snapshot,
    action: int,
    curves: Curves | None = None,
    results: Results | None = None,
) -> Explanation:
    """Explain a legal move; ValueError for another action."""
    rows = {row.action: row for row in (*snapshot.moves, *snapshot.root.left_out_rows)}
    if action not in rows:
        raise ValueError(Text("{action} is no move of this position", action=action))
    row, best = rows[action], rows.get(snapshot.best)
    if row.left_out:
        sentence = Sentence(Text("{move} is left out of the search.", move=row.name), {"move": (action,)})
        return Explanation(action, snapshot.best, (sentence,), (), ())
    if best is None:
        sentence = Sentence(Text("No simulation has been made yet."))
        return Explanation(action, -1, (sentence,), (), ())
    other = best if best is not row else _second(snapshot, row)
    sentences = [
        _effort(snapshot, row, best),
        *_proofs(row, best),
        *_exact(row, other, results),
        *_values(row, other, best),
        *_first_thoughts(snapshot, row, other),
        *_change(snapshot, row, curves),
    ]
    line = _line(snapshot, row)
    return Explanation(action, best.action, tuple(sentences), line, _line(snapshot, best) if best is not row else ())


def _second(snapshot: Snapshot, row: MoveRow) -> MoveRow | None:
    return next((other for other in snapshot.moves if other is not row and other.visits), None)


def _effort(snapshot: Snapshot, row: MoveRow, best: MoveRow) -> Sentence:
    total = int(snapshot.root.visits_of.sum())
    values = {"move": row.name, "visits": row.visits, "total": total, "share": row.share}
    links: dict[str, Link] = {"move": (row.action,), "visits": (row.action,), "total": ()}
    if row is best:
        text = Text(
            "{move} is the move that would be played: {visits:,} of {total:,} visits, {share:.1%}.",
            **values,
        )
        return Sentence(text, links)
    if not row.visits:
        return Sentence(Text("The search has not tried {move}: none of {total:,} visits.", **values), links)
    text = Text(
        "The search has hardly looked at {move}: {visits:,} of {total:,} visits, {share:.1%}; {best} has "
        "{best_visits:,}."
        if row.share < HARDLY
        else "{move} has {visits:,} of {total:,} visits, {share:.1%}; {best} has {best_visits:,}.",
        **values,
        best=best.name,
        best_visits=best.visits,
    )
    return Sentence(text, links | {"best": (best.action,), "best_visits": (best.action,)})


def _proofs(row: MoveRow, best: MoveRow) -> Iterable[Sentence]:
    for move in (row, best) if best is not row else (row,):
        if move.proof:
            text = Text(
                "The search has proved {move} a {result}."
                if not move.distance
                else "The search has proved {move} a {result} in {distance} ply."
                if move.distance == 1
                else "The search has proved {move} a {result} in at most {distance} plies."
                if move.distance_at_most
                else "The search has proved {move} a {result} in {distance} plies.",
                move=move.name,
                result=Text(move.proof),
                distance=move.distance,
            )
            figures = ("move", "distance") if move.distance else ("move",)
            yield Sentence(text, dict.fromkeys(figures, (move.action,)))


def _exact(row: MoveRow, other: MoveRow | None, results: Results | None) -> Iterable[Sentence]:
    for move in (row, other):
        if move is not None and results and move.action in results:
            value, plies = results[move.action]
            text = Text(
                "Exact result: {move} is a {result}."
                if plies is None
                else "Exact result: {move} is a {result} in {plies} ply."
                if plies == 1
                else "Exact result: {move} is a {result} in {plies} plies.",
                move=move.name,
                result=Text(RESULTS[value]),
                plies=plies,
            )
            yield Sentence(text, {"move": (move.action,)})


def _values(row: MoveRow, other: MoveRow | None, best: MoveRow) -> Iterable[Sentence]:
    if other is None or not row.visits or not other.visits:
        return
    # What the choice of the move rests on: the lower bounds where there are any, else the visits.
    bound, other_bound = row.q - row.radius, other.q - other.radius
    bounded = not math.isnan(bound)
    despite_q = row is not best and row.q > other.q and not row.proof and not other.proof
    text = Text(
        "Q of {move} is {q:+.3f}, of {other} {other_q:+.3f}."
        if not despite_q or (not bounded and row.visits >= other.visits)
        else "Q of {move} is {q:+.3f}, above the {other_q:+.3f} of {other}; but visits decide, not Q."
        if not bounded
        else "Q of {move} is {q:+.3f}, above the {other_q:+.3f} of {other}; but the lower bound of Q decides: "
        "{bound:+.3f} against {other_bound:+.3f}."
        if bound <= other_bound
        else "Q of {move} is {q:+.3f}, above the {other_q:+.3f} of {other}, and its lower bound {bound:+.3f} above "
        "{other_bound:+.3f}; but it has too few visits to be chosen by that.",
        move=row.name,
        q=row.q,
        other=other.name,
        other_q=other.q,
        bound=bound,
        other_bound=other_bound,
    )
    move, another = (row.action,), (other.action,)
    links: dict[str, Link] = {"move": move, "q": move, "other": another, "other_q": another}
    if despite_q and bounded:
        links |= {"bound": move, "other_bound": another}
    yield Sentence(text, links)


def _first_thoughts(snapshot: Snapshot, row: MoveRow, other: MoveRow | None) -> Iterable[Sentence]:
    """What the net said of the move; nothing in a search by random games."""
    root = snapshot.root
    place = root.actions == row.action
    # A position that was proved before it had moves, as the end of the game, was not shown to the net.
    value = math.nan if row.proof and not root.expanded[place][0] else row.value
    if math.isnan(root.value) and math.isnan(value):
        return
    if root.has_priors:
        links: dict[str, Link] = {"move": (row.action,), "prior": (row.action,)}
        if other is not None:
            links |= {"other": (other.action,), "other_prior": (other.action,)}
        text = Text(
            "The net gave {move} P {prior:.1%}, rank {rank} of {moves}."
            if other is None
            else "The net gave {move} P {prior:.1%}, rank {rank} of {moves}, and {other} P {other_prior:.1%}.",
            move=row.name,
            prior=row.net_prior,
            rank=1 + int((root.net_priors > root.net_priors[place][0]).sum()),
            moves=len(root.actions),
            other="" if other is None else other.name,
            other_prior=0.0 if other is None else other.net_prior,
        )
        yield Sentence(text, links)
    if row.visits and not math.isnan(value):
        text = Text(
            "The net's own value after {move} was {value:+.3f}; the search has Q {q:+.3f}."
            if abs(row.q - value) >= FELL
            else "The net's own value after {move} was {value:+.3f}, near the Q {q:+.3f} of the search.",
            move=row.name,
            value=value,
            q=row.q,
        )
        yield Sentence(text, dict.fromkeys(("move", "value", "q"), (row.action,)))


def _change(snapshot: Snapshot, row: MoveRow, curves: Curves | None) -> Iterable[Sentence]:
    """The largest fall of Q over the simulations, and the reply that grew meanwhile."""
    if curves is None or curves.behind or row.action not in curves.actions.tolist():
        return
    reader = LogReader(curves.log, curves.actions)
    edge = curves.actions.tolist().index(row.action)
    simulations = np.flatnonzero(reader.edges == edge) + 1
    if len(simulations) <= LEAST_VISITS:
        return
    places = np.unique(np.geomspace(LEAST_VISITS, len(simulations), POINTS).astype(np.int64)) - 1
    moments = simulations[places]
    q = reader.qs(edge, moments)
    lowest_after = np.minimum.accumulate(q[::-1])[::-1]
    start = int((q - lowest_after).argmax())
    end = start + int(q[start:].argmin())
    if q[start] - q[end] < FELL:
        return
    first, last, new = int(moments[start]), int(moments[end]), int(places[end] - places[start])
    grown = reader.replies(edge, first, last)
    reply = max(grown, key=lambda a: (grown[a], -a), default=-1)
    named = reply >= 0 and grown[reply] >= MOST * new
    text = Text(
        "Q of {move} fell from {q_before:+.3f} after {first:,} simulations to {q:+.3f} after {last:,}: {grown:,} of "
        "its {new:,} visits between went to the reply {reply}."
        if named
        else "Q of {move} fell from {q_before:+.3f} after {first:,} simulations to {q:+.3f} after {last:,}.",
        move=row.name,
        first=first,
        last=last,
        q_before=float(q[start]),
        q=float(q[end]),
        grown=grown.get(reply, 0),
        new=new,
        reply=snapshot.position.game.action_name(reply) if named else "",
    )
    links: dict[str, Link] = {"move": (row.action,), "first": first, "last": last}
    yield Sentence(text, links | ({"reply": (row.action, reply)} if named else {}))


def _line(snapshot: Snapshot, row: MoveRow) -> tuple[Step, ...]:
    """The principal variation from a move on, as far as the snapshot has its nodes."""
    steps: list[Step] = []
    path: Path = ()
    flipped = {"win": "loss", "loss": "win"}
    for ply, action in enumerate(row.pv[:PLIES]):
        node = snapshot.node(path)
        child = None if node is None else next((move for move in node.rows if move.action == action), None)
        if child is None or not child.visits:
            break
        sign = 1 if ply % 2 == 0 else -1
        path = (*path, action)
        proof = child.proof if sign > 0 else flipped.get(child.proof, child.proof)
        steps.append(Step(path, child.name, child.visits, sign * child.q, sign * child.value, proof))
    return tuple(steps)
