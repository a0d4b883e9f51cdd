"""The report of an analysed game: losses, mistakes by class, a summary for each player, CSV and JSON.

A function of positions and figures.
"""

import csv
import io
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from core.games import Position
from core.text import Text, Words

BLUNDER: Final[Words] = "blunder"
MISTAKE: Final[Words] = "mistake"
INACCURACY: Final[Words] = "inaccuracy"
NAMES: Final = (BLUNDER, MISTAKE, INACCURACY)
MARKS: Final = {BLUNDER: "??", MISTAKE: "?", INACCURACY: "?!"}
POINT_STEPS: Final = (12.0, 6.0, 3.0, 1.5, 0.5)  # as KaTrain draws them
KEPT_OF_ACCURACY: Final = 0.75  # of a player's accuracy for each point lost a move, as KaTrain has it
FIRST_FEW: Final = 3
COMMON: Final = 0.1
"""A mistake that players make at least so often is one of their rank, by the claim of a human net."""


@dataclass(frozen=True)
class Figures:
    """The result of one position's search.  Values and leads are for the side to move there; values in [-1, +1]."""

    value: float  # of the position
    exact: bool  # whether it is proved or the game is over
    best: tuple[int, ...] = ()  # the move the search would play and its images under symmetry
    best_value: float = math.nan  # Q of that move in the search
    best_exact: bool = False
    pv: tuple[int, ...] = ()
    visits: int = 0
    lead: float = math.nan  # searched score lead in points; NaN where the net gives none
    best_lead: float = math.nan  # after the best move
    firsts: tuple[int, ...] = ()  # the move it would play, then the most visited others: three, and their images


@dataclass(frozen=True)
class MistakeClass:
    """A class of moves that lose at least ``least``."""

    name: str
    least: float

    @property
    def mark(self) -> str:
        """How it is written beside a move."""
        return MARKS[self.name]


@dataclass(frozen=True)
class Grading:
    """By what a move's class goes: points lost where leads are known, or the expected score.

    ``steps``: five numbers of points, falling; from the second a move is a blunder, then a mistake, an inaccuracy.
    """

    by_points: bool = True
    steps: tuple[float, ...] = POINT_STEPS

    def __post_init__(self) -> None:
        falling = all(a > b for a, b in zip(self.steps, self.steps[1:], strict=False))
        if len(self.steps) != len(POINT_STEPS) or not falling or not all(0 < step < 1000 for step in self.steps):
            raise ValueError(
                Text(
                    "the classes of points lost are {steps}; write five numbers, each less than the one before, as in "
                    "{example}",
                    steps=self.words,
                    example=Grading().words,
                )
            )

    @property
    def words(self) -> str:
        """The steps as they are written: "12 6 3 1.5 0.5"."""
        return " ".join(f"{step:g}" for step in self.steps)

    @property
    def classes(self) -> tuple[MistakeClass, ...]:
        """By points lost."""
        return tuple(MistakeClass(name, least) for name, least in zip(NAMES, self.steps[1:], strict=False))


CLASSES: Final = (  # of expected score: 0 a loss, 1/2 a draw, 1 a win
    MistakeClass(BLUNDER, 0.20),
    MistakeClass(MISTAKE, 0.10),
    MistakeClass(INACCURACY, 0.05),
)


def read_steps(text: str) -> tuple[float, ...]:
    """The numbers of ``Grading.steps`` in a text; ValueError when a word is no number."""
    try:
        return tuple(float(word.replace(",", ".")) for word in text.split())
    except ValueError:
        raise ValueError(
            Text(
                "the classes of points lost are {steps}; write five numbers, each less than the one before, as in "
                "{example}",
                steps=text,
                example=Grading().words,
            )
        ) from None


def class_of(loss: float, classes: Sequence[MistakeClass] = CLASSES) -> str:
    """The class of a loss; "" when it is below every threshold."""
    return next((kind.name for kind in classes if loss >= kind.least - 1e-9), "")


@dataclass(frozen=True)
class JudgedMove:
    """One move of the record compared with the search's choice.  Values and leads are for the mover."""

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
    lead: float = math.nan  # after the move, in points
    best_lead: float = math.nan
    points: float = math.nan  # lost; 0 for a move the search would play
    among_first: bool = False  # whether it is one of the search's first three
    kind: str = ""  # the class of its loss, "" for none
    human: float = math.nan  # how likely the players that a human net imitates play it; NaN where that is not known


@dataclass(frozen=True)
class Summary:
    """Figures for one player's moves; NaN without moves, of points where no leads are known."""

    moves: int  # judged
    counts: dict[str, int]  # by class
    mean_loss: float
    agreement: float  # share of the search's moves
    among_first: float  # share of the search's first three
    mean_points: float  # lost in a move
    steps: tuple[int, ...]  # moves that lose at least each of the grading's steps and less than the one before
    common: int = 0  # mistakes of any class that the players of the human net make at least one time in ten

    @property
    def accuracy(self) -> float:
        """From 0 to 100: 100 where no point is lost, three quarters of it for each point lost a move."""
        return 100.0 * math.pow(KEPT_OF_ACCURACY, self.mean_points)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else math.nan


@dataclass(frozen=True)
class GameReport:
    """The report; ``values[n]`` and ``leads[n]`` are after n moves for the first player, NaN while unknown."""

    players: tuple[str, str]
    sides: tuple[str, str]  # the players' names for files, in English
    names: tuple[str, ...]  # of the moves
    values: tuple[float, ...]
    exact: tuple[bool, ...]
    moves: tuple[JudgedMove | None, ...]  # None: not judged, because one of its positions has no figures
    leads: tuple[float, ...] = ()
    grading: Grading = Grading()

    @property
    def judged(self) -> int:
        """Number of positions that have figures."""
        return sum(
            not (math.isnan(value) and math.isnan(lead)) for value, lead in zip(self.values, self.leads, strict=True)
        )

    @property
    def complete(self) -> bool:
        return self.judged == len(self.values)

    @property
    def has_leads(self) -> bool:
        """Whether the search gave score leads."""
        return any(not math.isnan(lead) for lead in self.leads)

    @property
    def has_human(self) -> bool:
        """Whether a human net was asked about any of the moves."""
        return any(move is not None and not math.isnan(move.human) for move in self.moves)

    @property
    def by_points(self) -> bool:
        """Whether the classes go by points lost."""
        return self.grading.by_points and self.has_leads

    @property
    def classes(self) -> tuple[MistakeClass, ...]:
        return self.grading.classes if self.by_points else CLASSES

    @property
    def mistakes(self) -> tuple[JudgedMove, ...]:
        return tuple(move for move in self.moves if move is not None and move.kind)

    def next_mistake(self, cursor: int, step: int) -> JudgedMove | None:
        """The nearest mistake made in a position after (step +1) or before (-1) the one at ``cursor``."""
        mistakes = [move for move in self.mistakes if (move.ply - cursor) * step > 0]
        return (mistakes[0] if step > 0 else mistakes[-1]) if mistakes else None

    def summary(self, player: int) -> Summary:
        """The summary of player 0 or 1."""
        moves = [move for move in self.moves if move is not None and move.mover == player]
        points = [move.points for move in moves if not math.isnan(move.points)]
        above = (math.inf, *self.grading.steps)
        return Summary(
            moves=len(moves),
            counts={name: sum(move.kind == name for move in moves) for name in NAMES},
            mean_loss=_mean([move.loss for move in moves]),
            agreement=_mean([move.agrees for move in moves]),
            among_first=_mean([move.among_first for move in moves]),
            mean_points=_mean(points),
            steps=tuple(
                sum(least <= lost < most for lost in points)
                for least, most in zip(self.grading.steps, above, strict=False)
            ),
            common=sum(bool(move.kind) and move.human >= COMMON for move in moves),
        )


def make_report(
    positions: Sequence[Position],
    figures: Callable[[Position], Figures | None],
    players: tuple[str, str],
    sides: tuple[str, str],
    grading: Grading | None = None,
    human: Callable[[Position], Mapping[int, float] | None] = lambda _: None,
) -> GameReport:
    """Judge the moves that lead from each position to the next; where one has no moves it was set up, and nothing is
    judged.  ``human``: how likely the players that a human net imitates play each action of a position, None where
    that is not known."""
    grading = grading or Grading()
    game = positions[0].game
    all_figures = [figures(position) for position in positions]
    signs = [1 if position.to_move == 0 else -1 for position in positions]
    return GameReport(
        players=players,
        sides=sides,
        names=tuple(game.action_name(p.last_action) if p.moves else Text("set up") for p in positions[1:]),
        values=tuple(math.nan if f is None else sign * f.value for sign, f in zip(signs, all_figures, strict=True)),
        exact=tuple(f is not None and f.exact for f in all_figures),
        moves=tuple(_judge(positions, all_figures, ply, grading, human) for ply in range(len(positions) - 1)),
        leads=tuple(math.nan if f is None else sign * f.lead for sign, f in zip(signs, all_figures, strict=True)),
        grading=grading,
    )


def _judge(
    positions: Sequence[Position],
    all_figures: Sequence[Figures | None],
    ply: int,
    grading: Grading,
    human: Callable[[Position], Mapping[int, float] | None],
) -> JudgedMove | None:
    before, after = all_figures[ply], all_figures[ply + 1]
    position, played = positions[ply], positions[ply + 1]
    if before is None or after is None or not played.moves or not before.best:
        return None
    action = played.last_action
    sign = 1 if played.to_move == position.to_move else -1
    value, lead = sign * after.value, sign * after.lead
    agrees = action in before.best
    name = position.game.action_name
    loss = _lost((before.best_value - value) / 2, agrees)
    points = _lost(before.best_lead - lead, agrees)
    if math.isnan(loss) and math.isnan(points):
        return None
    policy = human(position)
    graded = grading.by_points and not math.isnan(points)
    return JudgedMove(
        ply=ply,
        mover=position.to_move,
        name=name(action),
        best=name(action if agrees else before.best[0]),
        value=value,
        best_value=before.best_value,
        loss=loss,
        exact=after.exact and before.best_exact,
        agrees=agrees,
        pv=tuple(name(a) for a in before.pv),
        lead=lead,
        best_lead=before.best_lead,
        points=points,
        among_first=agrees or action in before.firsts,
        kind=class_of(points, grading.classes) if graded else class_of(loss),
        human=math.nan if policy is None else policy.get(action, 0.0),
    )


def _lost(number: float, agrees: bool) -> float:
    """What a move loses: nothing where it is the best one, NaN where that is not known."""
    return number if math.isnan(number) else 0.0 if agrees else max(0.0, number)


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
OF_LEADS: Final = ("points_lost", "lead_of_move_for_mover", "lead_of_best_for_mover", "lead_after_for_first_player")
OF_HUMAN: Final = ("probability_by_human_net",)


def report_csv(report: GameReport) -> str:
    """The report as CSV, a line for each move; unknown figures are empty.  Leads follow where there are any, then how
    likely players of a rank play the move, where a human net was asked."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow((*HEADER, *(OF_LEADS if report.has_leads else ()), *(OF_HUMAN if report.has_human else ())))
    for ply, (name, move) in enumerate(zip(report.names, report.moves, strict=True)):
        after = _text(report.values[ply + 1])
        if move is None:
            row: tuple[object, ...] = (ply + 1, "", name, *[""] * 6, after, "")
            leads = ("", "", "")
        else:
            row = (
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
            leads = (_text(move.points), _text(move.lead), _text(move.best_lead))
        more = (*leads, _text(report.leads[ply + 1])) if report.has_leads else ()
        human = (_text(math.nan if move is None else move.human),) if report.has_human else ()
        writer.writerow((*row, *more, *human))
    return out.getvalue()


def _text(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.6f}"


def _number(value: float) -> float | None:
    return None if math.isnan(value) else round(value, 6)


def report_json(report: GameReport) -> dict[str, Any]:
    """The report as JSON: null where a figure does not exist."""
    return {
        "classes": {
            "by": "points lost" if report.by_points else "expected score lost",
            **{kind.name: kind.least for kind in report.classes},
        },
        "summary": [_summary_json(report, player) for player in (0, 1)],
        "value_for_first_player": [_number(value) for value in report.values],
        "lead_for_first_player": [_number(lead) for lead in report.leads] if report.has_leads else None,
        "moves": [
            None
            if move is None
            else {
                "ply": move.ply + 1,
                "player": report.sides[move.mover],
                "move": move.name,
                "best": move.best,
                "value": _number(move.value),
                "best_value": _number(move.best_value),
                "loss": _number(move.loss),
                "lead": _number(move.lead),
                "best_lead": _number(move.best_lead),
                "points_lost": _number(move.points),
                "class": move.kind or None,
                "exact": move.exact,
                "first": move.agrees,
                "among_first_three": move.among_first,
                "pv": list(move.pv),
                **({"human": _number(move.human)} if report.has_human else {}),
            }
            for move in report.moves
        ],
    }


def _summary_json(report: GameReport, player: int) -> dict[str, Any]:
    summary = report.summary(player)
    return {
        "player": report.sides[player],
        "moves": summary.moves,
        **{f"{name}s" if name != INACCURACY else "inaccuracies": summary.counts[name] for name in NAMES},
        "mean_loss": _number(summary.mean_loss),
        "mean_points_lost": _number(summary.mean_points),
        "accuracy": _number(summary.accuracy),
        "moves_by_points_lost": dict(zip(map(str, report.grading.steps), summary.steps, strict=True))
        if report.has_leads
        else None,
        "first": _number(summary.agreement),
        "among_first_three": _number(summary.among_first),
        **({"mistakes_of_the_rank": summary.common} if report.has_human else {}),
    }
