"""The report of an analysed game: losses, mistakes by class, a summary for each player, CSV.

A function of positions and figures; knows no widget and no search.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from gui.language.language import mark
from gui.widgets.board.board_paint import kind_of

if TYPE_CHECKING:
    from core.games import Position
    from gui.jobs.game_analysis import Figures


@dataclass(frozen=True)
class MistakeClass:
    """A class of moves that lose at least ``least`` of the expected score (0 a loss, 1/2 a draw, 1 a win)."""

    name: str
    least: float
    mark: str


CLASSES: Final = (
    MistakeClass(mark("blunder"), 0.20, "??"),
    MistakeClass(mark("mistake"), 0.10, "?"),
    MistakeClass(mark("inaccuracy"), 0.05, "?!"),
)
MARKS: Final = {kind.name: kind.mark for kind in CLASSES}
COLOURS: Final = {  # by theme; each class also has its own shape
    "dark": {"inaccuracy": "#f0e442", "mistake": "#e69f00", "blunder": "#f0603a"},
    "light": {"inaccuracy": "#a08400", "mistake": "#c76a00", "blunder": "#b3261e"},
}


def class_of(loss: float) -> str:
    """Return the class of a loss in expected score; "" if it is below every threshold."""
    return next((kind.name for kind in CLASSES if loss >= kind.least - 1e-9), "")


def class_colour(kind: str, dark: bool) -> str:
    """Return the colour of a class as "#rrggbb", on a dark or a light background."""
    return COLOURS["dark" if dark else "light"][kind]


@dataclass(frozen=True)
class JudgedMove:
    """One move of the record compared with the search's choice.  Values are for the mover, in [-1, +1]."""

    ply: int  # moves played before it: the cursor of the position before it
    mover: int
    name: str
    best: str
    value: float  # of the move: from the search of the position after it
    best_value: float
    loss: float  # of expected score (v + 1) / 2; 0 for a move the search would play
    exact: bool  # both values are proved
    agrees: bool
    pv: tuple[str, ...]  # principal variation

    @property
    def kind(self) -> str:
        """The class of its loss, "" for none."""
        return class_of(self.loss)


@dataclass(frozen=True)
class Summary:
    """Figures for one player's moves."""

    moves: int  # judged
    counts: dict[str, int]  # by class
    mean_loss: float  # NaN without moves
    agreement: float  # share of the search's moves, NaN without moves


@dataclass(frozen=True)
class GameReport:
    """The report; ``values[n]`` is the value after n moves for the first player, NaN while unknown."""

    players: tuple[str, str]
    sides: tuple[str, str]  # the players' names for files, in English
    names: tuple[str, ...]  # of the moves
    values: tuple[float, ...]
    exact: tuple[bool, ...]
    moves: tuple[JudgedMove | None, ...]  # None: not judged, because one of its positions has no figures

    @property
    def known(self) -> int:
        """Number of positions that have figures."""
        return sum(not math.isnan(value) for value in self.values)

    @property
    def complete(self) -> bool:
        return self.known == len(self.values)

    @property
    def mistakes(self) -> tuple[JudgedMove, ...]:
        return tuple(move for move in self.moves if move is not None and move.kind)

    def next_mistake(self, cursor: int, step: int) -> JudgedMove | None:
        """Return the nearest mistake made in a position after (step +1) or before (-1) the one at ``cursor``."""
        found = [move for move in self.mistakes if (move.ply - cursor) * step > 0]
        return (found[0] if step > 0 else found[-1]) if found else None

    def summary(self, player: int) -> Summary:
        """Return the summary of player 0 or 1."""
        moves = [move for move in self.moves if move is not None and move.mover == player]
        return Summary(
            moves=len(moves),
            counts={kind.name: sum(move.kind == kind.name for move in moves) for kind in CLASSES},
            mean_loss=sum(move.loss for move in moves) / len(moves) if moves else math.nan,
            agreement=sum(move.agrees for move in moves) / len(moves) if moves else math.nan,
        )


def make_report(positions: Sequence[Position], figures: Callable[[Position], Figures | None]) -> GameReport:
    """Judge the moves that lead from each position to the next."""
    game = positions[0].game
    found = [figures(position) for position in positions]
    values, exact = [], []
    for position, known in zip(positions, found, strict=True):
        sign = 1 if position.to_move == 0 else -1
        values.append(math.nan if known is None else sign * known.value)
        exact.append(known is not None and known.exact)
    return GameReport(
        players=kind_of(game.name).players,
        sides=kind_of(game.name).names,
        names=tuple(game.action_name(position.last_action) for position in positions[1:]),
        values=tuple(values),
        exact=tuple(exact),
        moves=tuple(_judge(positions, found, ply) for ply in range(len(positions) - 1)),
    )


def _judge(positions: Sequence[Position], found: Sequence[Figures | None], ply: int) -> JudgedMove | None:
    before, after = found[ply], found[ply + 1]
    if before is None or after is None or not before.best or math.isnan(after.value):
        return None
    position, played = positions[ply], positions[ply + 1]
    action = played.last_action
    value = after.value if played.to_move == position.to_move else -after.value
    agrees = action in before.best
    name = position.game.action_name
    return JudgedMove(
        ply=ply,
        mover=position.to_move,
        name=name(action),
        best=name(action if agrees else before.best[0]),
        value=value,
        best_value=before.best_value,
        loss=0.0 if agrees else max(0.0, (before.best_value - value) / 2),
        exact=after.exact and before.best_exact,
        agrees=agrees,
        pv=tuple(name(a) for a in before.pv),
    )


HEADER: Final = (
    "ply",
    "player",
    "move",
    "best",
    "value_of_move_for_mover",
    "value_of_best_for_mover",
    "loss_of_expected_score",
    "class",
    "exact",
    "value_after_for_first_player",
    "principal_variation",
)


def report_csv(report: GameReport) -> str:
    """Return the report as CSV, a line for each move; unknown figures are empty."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HEADER)
    for ply, (name, move) in enumerate(zip(report.names, report.moves, strict=True)):
        after = _text(report.values[ply + 1])
        if move is None:
            writer.writerow((ply + 1, "", name, *[""] * 6, after, ""))
            continue
        writer.writerow(
            (
                ply + 1,
                report.sides[move.mover],
                name,
                move.best,
                _text(move.value),
                _text(move.best_value),
                _text(move.loss),
                move.kind,
                "yes" if move.exact else "no",
                after,
                " ".join(move.pv),
            )
        )
    return out.getvalue()


def _text(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.6f}"
