"""Neighbours of positions at which a net goes wrong: two quiet moves further on, one of each side, with the same exact
value.

A move is quiet when it neither wins at once nor is the only one that stops the opponent from winning at once.  Both
moves keep the value of the position by the solver, so that nothing that decides the game has happened; a net that plays
the position right has no reason to go wrong at its neighbour.
"""

import math
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from core.engine.evaluator import Evaluator, ask
from core.games import GameSpec, Position
from core.games.net_inputs import inputs_of_all
from core.games.spec import DISCS, FOUR_ON_BITS, MINIMAX
from core.solve import Solver
from core.solve.solver import empty_cells, instant_empties
from core.text import Text
from models.audit.answers import Exact
from models.audit.positions import Gathered, Item, Stop, games_of, key_of
from models.audit.results import Audit
from models.audit.searching import exact_answer
from models.strength.exams import after
from models.strength.rating import wilson_interval

SOLVE_S: Final = 1.0  # for one exact answer, at most
_SOLVED_EMPTIES: Final = 14  # empty cells from which on a game without a solver of its own is solved in an instant
_ROOM: Final = 4  # plies before the end of the longest game in which there is no more to be lost
PER: Final = 1000  # positions that the score counts


def hunted_plies(game: GameSpec) -> tuple[int, int] | None:
    """The plies after which positions are taken where none are given: so late that they are solved in an instant; None
    where the solver does not depend on that."""
    if game.solver not in (MINIMAX, DISCS, FOUR_ON_BITS):
        return None
    empties = empty_cells(game.initial())
    low = max(1, empties - (instant_empties(game) or _SOLVED_EMPTIES))
    return low, max(low, min(low + game.num_cells // 4, empties - _ROOM))


def quiet_moves(position: Position) -> list[int]:
    """The legal moves that neither end the game nor are the only ones to stop the opponent from winning at once; none
    where there is only one move."""
    legal = position.legal_actions()
    then = {action: position.play(action) for action in legal}
    going_on = [action for action in legal if not then[action].is_over]
    if len(legal) < 2:
        return []
    won = {action: frozenset(_wins_at_once(then[action])) for action in going_on}
    quiet = []
    for action in going_on:
        others = [won[other] for other in going_on if other != action]
        if not others or frozenset.intersection(*others) <= won[action]:
            quiet.append(action)
    return quiet


def _wins_at_once(position: Position) -> Iterator[int]:
    for action in position.legal_actions():
        then = position.play(action)
        if then.is_over and then.returns[position.to_move] > 0:
            yield action


class ProvedNeighbour(NamedTuple):
    """A position two quiet moves further on, with its exact answer; ``moves`` lead to it from the first position."""

    moves: tuple[int, ...]
    exact: Exact


class Proofs:
    """Exact answers to positions and their neighbours; an answer takes at most ``seconds``."""

    def __init__(self, game: GameSpec, seconds: float = SOLVE_S, should_stop: Stop = lambda: False) -> None:
        self._solver, self._seconds, self._should_stop = Solver(game), seconds, should_stop

    def answer(self, moves: tuple[int, ...]) -> Exact | None:
        """The exact answer to the position after ``moves``; None where it is not found in time."""
        return exact_answer(self._solver, Item(moves), self._seconds, self._should_stop)

    def neighbours(self, moves: tuple[int, ...], exact: Exact) -> Iterator[ProvedNeighbour]:
        """The neighbours of a position with this exact answer at which something can be lost."""
        position = after(self._solver.game, moves)
        for quiet in quiet_moves(position):
            if exact.moves[quiet] != exact.value or (between := self.answer((*moves, quiet))) is None:
                continue
            for reply in quiet_moves(position.play(quiet)):
                if between.moves[reply] != between.value:
                    continue
                there = (*moves, quiet, reply)
                found = self.answer(there)
                if found is not None and found.worse:
                    assert found.value == exact.value
                    yield ProvedNeighbour(there, found)


def with_neighbours(
    game: GameSpec,
    gathered: Gathered,
    evaluators: Sequence[Evaluator],
    number: int,
    should_stop: Stop = lambda: False,
    seconds: float = SOLVE_S,
) -> Gathered:
    """The first ``number`` of the gathered positions at which a win or a draw can be thrown away, each followed by the
    neighbour that a net gets most wrong without search, of each net.  When stopped, those found until then."""
    proofs, items = Proofs(game, seconds, should_stop), list[Item]()
    unsolved = nothing = alone = kept = 0
    for base in gathered.items:
        if kept == number or should_stop():
            break
        exact = proofs.answer(base.moves)
        if exact is None:
            unsolved += 1
            continue
        if not exact.worse:
            nothing += 1
            continue
        neighbours = list(proofs.neighbours(base.moves, exact))
        if not neighbours:
            alone += 1
            continue
        worst = dict.fromkeys(_worst(game, neighbours, evaluator).moves for evaluator in evaluators)
        kept += 1
        items.append(base)
        place = len(items) - 1
        items += [Item(moves, None, base.source, place) for moves in worst]
    notes = (
        (unsolved, Text("{count} positions were not solved in time and were left out", count=unsolved)),
        (nothing, Text("{count} positions have nothing that can be lost and were left out", count=nothing)),
        (alone, Text("{count} positions have no neighbour of the same value and were left out", count=alone)),
    )
    told = [text for count, text in notes if count]
    return Gathered(tuple(items), (*gathered.notes, *told))


def _worst(game: GameSpec, neighbours: Sequence[ProvedNeighbour], evaluator: Evaluator) -> ProvedNeighbour:
    """The neighbour where the net's first move loses most; among equals, where most of its policy is on moves that lose
    something."""
    shown = inputs_of_all([after(game, one.moves) for one in neighbours], evaluator.encoding)
    logits = ask(evaluator, shown, game.num_actions).logits

    def wrong(place: int) -> tuple[int, float]:
        exact = neighbours[place].exact
        actions = list(exact.moves)
        row = logits[place, actions]
        priors = np.exp(row - row.max())
        worse = np.array([action in exact.worse for action in actions])
        return exact.loss(actions[int(row.argmax())]), float(priors[worse].sum() / priors.sum())

    return neighbours[max(range(len(neighbours)), key=wrong)]


# The score.


class NeighbourScore(NamedTuple):
    """Of the positions that are played right, how many have a neighbour that is played wrong."""

    right: int
    failed: int
    low: float  # the 95 % interval of the share, over games
    high: float

    @property
    def share(self) -> float:
        return self.failed / self.right if self.right else math.nan

    @property
    def words(self) -> str:
        """The score for a thousand positions, with its interval."""
        if not self.right:
            return "-"
        low, high = round(PER * self.low), round(PER * self.high)
        return f"{round(PER * self.share)} of {PER} ({low} to {high}); {self.failed} of {self.right}"


def is_hunt(audit: Audit) -> bool:
    """Whether the audit has neighbours."""
    return any(item.base is not None for item in audit.items)


def neighbour_score(audit: Audit, net: int = 0, searched: bool = False) -> NeighbourScore:
    """The score of the net's first move, or of the search's, as far as the audit went; the interval takes the positions
    of a game as one draw."""
    of_base = dict(_judged(audit, net, searched))
    failed = np.array([bool(wrong) for wrong in of_base.values()], np.float64)
    games = np.array(games_of([audit.items[base] for base in of_base]), np.int64)
    return NeighbourScore(len(of_base), int(failed.sum()), *_interval(failed, games))


def wrong_neighbours(audit: Audit, net: int, searched: bool) -> set[int]:
    """The numbers of the neighbours that are played wrong, of positions that are played right."""
    return {number for _, wrong in _judged(audit, net, searched) for number in wrong}


def _judged(audit: Audit, net: int, searched: bool) -> Iterator[tuple[int, list[int]]]:
    """The positions that are played right and whose neighbours were searched, with those of them that are played
    wrong."""

    def wrong(number: int) -> bool:
        return done[number].search_wrong(net) if searched else done[number].net_wrong(net)

    done = {audited.number: audited for audited in audit.done if audited.exact is not None}
    of_base: dict[int, list[int]] = {}
    for number, item in enumerate(audit.items):
        if item.base is not None and number in done:
            of_base.setdefault(item.base, []).append(number)
    for base, neighbours in of_base.items():
        if base in done and not wrong(base):
            yield base, [number for number in neighbours if wrong(number)]


def _interval(failed: np.ndarray, games: np.ndarray) -> tuple[float, float]:
    """The interval of a share (Wilson) of as many independent draws as vary as much as the games do."""
    count, different = len(failed), len(np.unique(games))
    if not count:
        return 0.0, 1.0
    share = float(failed.mean())
    draws = different
    if 0.0 < share < 1.0 and different > 1:
        _, of = np.unique(games, return_inverse=True)
        sums = np.bincount(of, failed - share)
        variance = float((sums**2).sum()) * different / (different - 1) / count**2
        draws = max(1, min(count, round(share * (1.0 - share) / variance))) if variance else count
    return wilson_interval(share, draws)


# Against the hunt before.


def check_fresh(audit: Audit, before: Audit) -> None:
    """ValueError where the hunt before is of another game or none, or had one in ten of these positions, which may have
    been learned by heart since."""
    if before.game != audit.game or not is_hunt(before):
        raise ValueError(Text("the audit before has no neighbours of positions of {game}", game=audit.game.text))
    seen = {key_of(after(before.game, item.moves)) for item in before.items if item.base is None}
    now = [item for item in audit.items if item.base is None]
    common = sum(key_of(after(audit.game, item.moves)) in seen for item in now)
    if 10 * common >= len(now):
        raise ValueError(
            Text(
                "{common} of {count} positions are those of the audit before: hunt with another seed",
                common=common,
                count=len(now),
            )
        )


def change_words(now: NeighbourScore, before: NeighbourScore) -> str:
    """How a score changed since the hunt before, with the 95 % interval of the difference of two independent shares
    (Newcombe's, of Wilson's intervals)."""
    if not now.right or not before.right:
        return "-"
    change = now.share - before.share
    low = change - math.hypot(now.share - now.low, before.high - before.share)
    high = change + math.hypot(now.high - now.share, before.share - before.low)
    low, change, high = (round(PER * value) for value in (low, change, high))
    return f"{change:+d} of {PER} ({low:+d} to {high:+d})"
