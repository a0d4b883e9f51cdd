"""Figures of a whole audit: agreement, mistakes and calibration, by net, phase and ply."""

import math
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import numpy as np

from core.games import GameSpec
from core.text import Text, aligned
from models.audit.answers import Audited
from models.audit.neighbours import is_hunt, neighbour_score
from models.audit.results import Audit
from models.runs.reports import calibration
from models.strength.rating import result_interval

PHASES: Final = (Text("opening"), Text("middle"), Text("end"))


class NetFigures(NamedTuple):
    """Figures of one net over some positions; a mean over none is NaN."""

    positions: int
    agree: int  # the search chose the net's first move
    among_three: int
    kl: float  # mean
    swing: float  # mean size of what the search added to the value
    solved: int  # positions with an exact answer
    net_wrong: int  # of those: the net's first move loses something
    search_wrong: int
    worse_prior: float  # mean prior of moves that lose something
    worse_visits: float  # mean share of the visits on them
    loss: float  # mean loss of the net's first move


class Bin(NamedTuple):
    """One bin of predicted values, with the 95 % interval of the mean result."""

    predicted: float
    result: float
    positions: int
    low: float
    high: float


class Calibration(NamedTuple):
    """Predicted values against results; ``error`` is the mean distance, NaN without positions."""

    bins: tuple[Bin, ...]
    error: float
    positions: int


def figures_of(done: Sequence[Audited], net: int = 0) -> NetFigures:
    """The figures of a net over ``done``."""
    solved = [audited for audited in done if audited.exact is not None]
    masses = [audited.worse_mass(net) for audited in solved]
    answers = [audited.nets[net] for audited in done]
    return NetFigures(
        positions=len(done),
        agree=sum(answer.agrees for answer in answers),
        among_three=sum(answer.among_three for answer in answers),
        kl=_mean([answer.kl for answer in answers]),
        swing=_mean([abs(answer.swing) for answer in answers]),
        solved=len(solved),
        net_wrong=sum(audited.net_wrong(net) for audited in solved),
        search_wrong=sum(audited.search_wrong(net) for audited in solved),
        worse_prior=_mean([mass[0] for mass in masses]),
        worse_visits=_mean([mass[1] for mass in masses]),
        loss=_mean([audited.loss(net) for audited in done]),
    )


def _mean(values: Sequence[float]) -> float:
    finite = [value for value in values if math.isfinite(value)]
    return sum(finite) / len(finite) if finite else math.nan


def phase_of(game: GameSpec, ply: int) -> int:
    """The index in PHASES of a position: by thirds of as many moves as the board has cells."""
    return min(len(PHASES) - 1, ply * len(PHASES) // game.num_cells)


def calibrate(done: Sequence[Audited], net: int = 0, searched: bool = False) -> Calibration:
    """The calibration of a net's value, or of the search's, on the positions whose result is known."""
    pairs = []
    for audited in done:
        answer = audited.nets[net]
        predicted, result = answer.searched if searched else answer.value, audited.result
        if result is not None and math.isfinite(predicted):
            pairs.append((predicted, result))
    values = np.array(pairs, np.float32).reshape(-1, 2)
    bins, error = calibration(values[:, 0], values[:, 1])
    return Calibration(
        tuple(Bin(p, o, int(n), *result_interval(o, int(n))) for p, o, n in bins),
        math.nan if error is None else error,
        len(pairs),
    )


def split(done: Sequence[Audited], part: Callable[[Audited], int]) -> dict[int, list[Audited]]:
    """The positions by ``part``, ascending."""
    parts: dict[int, list[Audited]] = {}
    for audited in done:
        parts.setdefault(part(audited), []).append(audited)
    return dict(sorted(parts.items()))


def differing(done: Sequence[Audited]) -> list[Audited]:
    """The positions where two nets prefer different first moves."""
    return [audited for audited in done if len(audited.nets) == 2 and audited.nets[0].first != audited.nets[1].first]


def summary_lines(audit: Audit) -> list[str]:
    """The summary as text, a column for each net."""
    done, nets = audit.done, range(len(audit.plan.nets))
    lines = [
        f"{audit.game.title}: {len(done)} of {len(audit.items)} positions, {audit.plan.source}",
        f"{audit.plan.simulations} simulations each; {sum(figures.exact is not None for figures in done)} solved",
    ]
    errors = [(calibrate(done, net), calibrate(done, net, searched=True)) for net in nets]
    rows = [("", *(figures.name for figures in audit.plan.nets)), *rows_of(audit)]
    rows.append(("calibration error of the net's value", *(figure_text(figures.error, ".3f") for figures, _ in errors)))
    rows.append(
        ("calibration error of the search's value", *(figure_text(figures.error, ".3f") for _, figures in errors))
    )
    if len(nets) == 2:
        lines.append(f"the nets prefer different moves in {_share(len(differing(done)), len(done))}")
    return [*lines, "", *aligned(rows)]


def rows_of(audit: Audit) -> list[tuple[str, ...]]:
    """The figures of the nets as rows: a title, and a cell for each net."""
    nets = range(len(audit.plan.nets))
    all_of = [figures_of(audit.done, net) for net in nets]
    rows = [(title, *(cell(figures) for figures in all_of)) for title, cell in ROWS]
    if is_hunt(audit):
        for title, searched in (("neighbours the net gets wrong", False), ("neighbours the search gets wrong", True)):
            rows.append((title, *(neighbour_score(audit, net, searched).words for net in nets)))
    return rows


ROWS: Final[tuple[tuple[str, Callable[[NetFigures], str]], ...]] = (
    ("net's first move is the search's", lambda f: _share(f.agree, f.positions)),
    ("search's move is among the net's first three", lambda f: _share(f.among_three, f.positions)),
    ("mean KL(search || net)", lambda f: figure_text(f.kl, ".3f")),
    ("mean change of the value by the search", lambda f: figure_text(f.swing, ".3f")),
    ("net's first move loses something", lambda f: _share(f.net_wrong, f.solved)),
    ("search's move loses something", lambda f: _share(f.search_wrong, f.solved)),
    ("prior on moves that lose something", lambda f: figure_text(f.worse_prior, ".1%")),
    ("visits on moves that lose something", lambda f: figure_text(f.worse_visits, ".1%")),
)


def _share(count: int, of: int) -> str:
    return f"{count} of {of} ({count / of:.1%})" if of else "-"


def figure_text(value: float, form: str) -> str:
    """A figure in a format; "-" where it is not known."""
    return format(value, form) if math.isfinite(value) else "-"
