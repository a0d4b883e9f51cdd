"""The table of the charts of runs: the figures of ``reports.jsonl`` that each one shows, and how it draws them.

A new chart of curves is a row of ``RUN_CHARTS``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np

from core.text import Words
from gui.language.language import tr
from gui.rooms.training.known_runs import ShownRun
from gui.rooms.training.run_model import AXES, Checkpoint, Moment, Rating, RunModel, Series, minutes_text, smoothed
from gui.widgets.charts.calibration import Dots, calibration
from gui.widgets.charts.lines import STYLES, ChartSpec, Drawing, Level, Line, Span, Table, View, abscissae
from gui.widgets.figures import MINUS, NONE, count, percent, plain

EXAM_NAMES: dict[str, Words] = {
    "all": "all positions",
    "random": "random",
    "fours": "fours",
    "endgames": "endgames",
    "middle": "half full",
    "late": "nearly full",
}
Figures = Iterator[tuple[str, Moment, float, float]]  # name, place, value, smoothed value


@dataclass(frozen=True)
class Curve:
    """One curve of a chart; ``colour`` is a place in the theme's series."""

    series: str
    title: Words
    colour: int = 0
    dashed: bool = False
    beside: bool = False  # for comparison: the axis range ignores it


Curves = list[tuple[Curve, Series]]


def _of_table(chart: RunChart, run: RunModel) -> Curves:
    return [(curve, run.series.get(curve.series, Series())) for curve in chart.curves]


def _exams(ending: str) -> Callable[[RunChart, RunModel], Curves]:
    def curves(chart: RunChart, run: RunModel) -> Curves:
        names = [name for name in run.exams if exam_kind(name) == ending]
        return [(Curve(name, exam_title(name, ending), i), run.exams[name]) for i, name in enumerate(names)]

    return curves


def _sizes(figure: str) -> Callable[[RunChart, RunModel], Curves]:
    def curves(chart: RunChart, run: RunModel) -> Curves:
        sizes = run.sizes.get(figure, {})
        return [(Curve(name, name.replace("x", "×"), i), sizes[name]) for i, name in enumerate(sorted(sizes))]

    return curves


def exam_kind(name: str) -> str:
    """Return "value" for an exam that asks for the value, "policy" for one that asks for the best move."""
    return "value" if name.endswith("value") else "policy"


def exam_title(name: str, ending: str) -> str:
    """ "L1_R1_policy" -> "L1 R1"; the sets that have a word for a name have it in English."""
    title = name.removesuffix(ending).strip("_ ").replace("_", " ") or name
    return EXAM_NAMES.get(title, title)


def place_text(axis: str, x: float) -> str:
    """Return a place on the x axis in words."""
    if axis == "minutes":
        return minutes_text(max(0.0, x))
    words = {"step": tr("step {steps}"), "iteration": tr("iteration {steps}"), "samples": tr("{steps} samples")}
    return words[axis].format(steps=count(max(0, round(x))))


def whole_of(runs: Sequence[ShownRun], axis: str) -> Span:
    """Return the range of the x axis, as far as the longest run."""
    return abscissae(max((run.moment.at(axis) for run, _ in runs), default=0.0))


# curves


def draw_curves(chart: RunChart, curves: Curves, view: View, across: Span) -> Drawing:
    """Return what a chart of one run draws of these curves."""
    lines = [_line(chart, curve, series, view, curve.colour, int(curve.dashed)) for curve, series in curves]
    return _drawing(chart, lines, view, across)


def _curves(chart: RunChart, runs: Sequence[ShownRun], view: View) -> Drawing:
    """Curves of one run have colours of their own; of several, colours are the runs', styles the figures'."""
    across = whole_of(runs, view.axis)
    if len(runs) == 1:
        return draw_curves(chart, chart.of_run(chart, runs[0].run), view, across)
    places: dict[str, int] = {}  # of the figures, the same for all runs
    lines: list[tuple[int, Line]] = []
    for run, colour in runs:
        for curve, series in chart.of_run(chart, run):
            place = places.setdefault(curve.series, len(places))
            lines.append((place, _line(chart, curve, series, view, colour, place % len(STYLES), run.name)))
    lines.sort(key=lambda pair: pair[0])
    return _drawing(chart, [line for _, line in lines], view, across)


def _line(chart: RunChart, curve: Curve, series: Series, view: View, colour: int, style: int, owner: str = "") -> Line:
    y = series.values * chart.scale
    mean, raw = (smoothed(y, view.smoothing), y) if view.smoothing else (y, None)
    return Line(
        tr(curve.title),
        series.at(view.axis),
        mean,
        colour,
        style,
        text=chart.text,
        owner=owner,
        raw=raw,
        sizes=5,
        beside=curve.beside,
    )


def _drawing(chart: RunChart, lines: Sequence[Line], view: View, across: Span, **more: Any) -> Drawing:
    return Drawing(
        lines,
        across=across,
        from_zero=chart.from_zero,
        least_span=chart.least_span,
        unit=tr(chart.unit),
        at=partial(place_text, view.axis),
        **more,
    )


def _curve_rows(chart: RunChart, run: RunModel, smoothing: float) -> Figures:
    for curve, series in chart.of_run(chart, run):
        values = series.values
        places = zip(*(series.at(axis).tolist() for axis in AXES), strict=True)
        means = smoothed(values, smoothing)
        for place, value, mean in zip(places, values.tolist(), means.tolist(), strict=True):
            if math.isfinite(value):
                yield curve.series, Moment(*place), value, mean


# the ladder


def rated_nets(run: RunModel) -> list[tuple[Checkpoint, Rating]]:
    """Return the nets of a run that the ladder has rated, by step."""
    rated = [(net, run.ratings[net.player]) for net in run.checkpoints if net.player in run.ratings]
    return sorted(rated, key=lambda pair: pair[0].step)


def player_title(player: str) -> str:
    """Return the name of a fixed player for the screen: "random" or "rollouts:100"."""
    kind, _, simulations = player.partition(":")
    titles = {"random": tr("random"), "rollouts": tr("rollouts:{simulations}").format(simulations=simulations)}
    return titles.get(kind, player)


def _ladder(chart: RunChart, runs: Sequence[ShownRun], view: View) -> Drawing:
    """Every kept net with its interval; the chosen run's fixed players are levels."""
    several = len(runs) > 1
    lines = []
    for run, colour in runs:
        nets = rated_nets(run)

        def read(place: int, large: bool, nets: list[tuple[Checkpoint, Rating]] = nets) -> tuple[str, str]:
            net, rating = nets[place]
            elo, low, high = map(chart.text, (rating.elo, rating.low, rating.high))
            if several and not large:
                return "", elo
            text = tr("{elo}  ({low} to {high})").format(elo=elo, low=low, high=high)
            return tr("step {steps}").format(steps=count(net.step)), text

        elos, lows, highs = (np.array([getattr(rating, end) for _, rating in nets]) for end in ("elo", "low", "high"))
        at = np.array([net.at(view.axis) for net, _ in nets])
        owner = run.name if several else ""
        line = Line(
            run.name,
            at,
            elos,
            colour if several else 0,
            0,
            text=chart.text,
            read=read,
            owner=owner,
            low=lows,
            high=highs,
            sizes=6,
        )
        if nets:
            lines.append(line)
    fixed = runs[0].run.ratings if runs else {}
    levels = [Level(rating.elo, player_title(name)) for name, rating in fixed.items() if not name.startswith("step-")]
    return _drawing(chart, lines, view, whole_of(runs, view.axis), levels=levels)


def _ladder_rows(chart: RunChart, run: RunModel, smoothing: float) -> Figures:
    for net, rating in rated_nets(run):
        for end in ("elo", "low", "high"):
            value = getattr(rating, end)
            yield end, net.moment, value, value


# calibration


def _calibration(chart: RunChart, runs: Sequence[ShownRun], view: View) -> Drawing:
    """Predicted value against outcome, of each run's newest iteration."""
    several = len(runs) > 1
    rows = [
        Dots(
            tr("mean error"),
            colour if several else 0,
            run.calibration,
            run.series["calibration_error"].last if "calibration_error" in run.series else math.nan,
            run.name if several else "",
        )
        for run, colour in runs
    ]
    return calibration(rows, tr(chart.unit))


def _calibration_rows(chart: RunChart, run: RunModel, smoothing: float) -> Figures:
    yield from _curve_rows(chart, run, smoothing)
    for place, (predicted, outcome, positions) in enumerate(run.calibration, 1):
        bins = {"predicted": predicted, "outcome": outcome, "positions": float(positions)}
        yield from ((f"bin {place} {name}", run.moment, value, value) for name, value in bins.items())


# the table


@dataclass(frozen=True)
class RunChart:
    """One chart of runs; ``text`` writes its values, ``scale`` converts the figures into its unit."""

    id: str
    title: Words
    unit: Words
    meaning: Words
    text: Callable[[float], str]
    curves: tuple[Curve, ...] = ()
    from_zero: bool = False  # keeps 0 in view
    scale: float = 1.0
    least_span: float = 0.0  # smallest range of the y axis, so that noise is not enlarged
    optional: bool = False  # hidden while no run has such figures; these are the last ones
    of_run: Callable[[RunChart, RunModel], Curves] = _of_table  # the curves of a run
    draw: Callable[[RunChart, Sequence[ShownRun], View], Drawing] = _curves
    table: Callable[[RunChart, RunModel, float], Figures] = _curve_rows
    zooms: bool = True
    presses: bool = False

    def has_figures(self, runs: Sequence[ShownRun]) -> bool:
        """Whether one of the runs has a figure for it."""
        curves = (series for run, _ in runs for _, series in self.of_run(self, run))
        return any(np.isfinite(series.values).any() for series in curves)

    def rows(self, runs: Sequence[ShownRun], view: View) -> Table:
        """Return all figures of the runs, as in the reports, one in a row with its place in the run."""
        smoothing = view.smoothing
        rows = [
            [run.name, self.id, name, *(f"{number:.10g}" for number in (*at, value, *([mean] if smoothing else [])))]
            for run, _ in runs
            for name, at, value, mean in self.table(self, run, smoothing)
        ]
        return ["run", "chart", "figure", *AXES, "value", *(["smoothed"] if smoothing else [])], rows

    @property
    def spec(self) -> ChartSpec[Sequence[ShownRun]]:
        """The chart for a grid."""
        return ChartSpec(
            self.id,
            self.title,
            self.meaning,
            partial(self.draw, self),
            self.rows,
            entries=max(1, len(self.curves)) if self.of_run is _of_table else 6,
            zooms=self.zooms,
            optional=self.has_figures if self.optional else None,
            presses=self.presses,
        )


def _three(x: float) -> str:
    return plain(x, 3)


def _rate(x: float) -> str:
    return NONE if x != x else plain(x, 1) if abs(x) < 100 else count(round(x))


def _whole(x: float) -> str:
    return NONE if x != x else count(round(x))


def _elo(x: float) -> str:
    return NONE if x != x else (MINUS if x < 0 else "") + count(round(abs(x)))


def _tiny(x: float) -> str:
    if x != x or abs(x) >= 0.01:
        return plain(x, 3)
    return f"{x:.2e}".replace("e-0", "e−").replace("e-", "e−").replace("e+0", "e")


def _rough_share(x: float) -> str:
    return percent(x / 100, 0)


RUN_CHARTS: Final = (
    RunChart(
        "policy",
        "Policy loss",
        "nats",
        "Cross-entropy of the net's policy to the search's. It cannot fall below the entropy of the targets.",
        _three,
        (Curve("policy_loss", "mean loss"), Curve("target_entropy", "floor: target entropy", 3, dashed=True)),
    ),
    RunChart(
        "value",
        "Value loss",
        "",
        "Cross-entropy to win, draw, loss (nats), or (z − v)², as the run's settings say.",
        _three,
        (Curve("value_loss", "mean loss", 1),),
    ),
    RunChart(
        "elo",
        "Elo on the ladder",
        "Elo, 95 %",
        "Every kept net against fixed players and each other; random play is 0. A click chooses the net.",
        _elo,
        draw=_ladder,
        table=_ladder_rows,
        presses=True,
    ),
    RunChart(
        "exam_moves",
        "Best moves found",
        "% of exact sets",
        "Share of positions with known answers in which the net's most probable move is a best one.",
        _rough_share,
        scale=100,
        of_run=_exams("policy"),
    ),
    RunChart(
        "exam_values",
        "Results predicted",
        "% of exact sets",
        "Share of positions with known answers in which the net's value predicts the win, draw or loss.",
        _rough_share,
        scale=100,
        of_run=_exams("value"),
    ),
    RunChart(
        "entropy",
        "Entropy and KL",
        "nats",
        "Entropy of the net's policy, and how far the search departs from it: KL(π ‖ P).",
        _three,
        (Curve("entropy", "entropy of P", 2), Curve("kl", "KL(π ‖ P)", 1)),
        from_zero=True,
    ),
    RunChart(
        "calibration",
        "Calibration of the value",
        "newest iteration",
        "Positions by the value predicted, against the mean of how they ended; on the diagonal it is right. "
        "A dot's size is the number of positions.",
        _three,
        (Curve("calibration_error", "mean error", 0),),
        draw=_calibration,
        table=_calibration_rows,
        zooms=False,
    ),
    RunChart(
        "positions",
        "Positions",
        "per second",
        "Moves searched in self-play, and positions to learn from among them.",
        _rate,
        (Curve("moves_per_s", "searched", 0), Curve("positions_per_s", "to learn from", 1)),
        from_zero=True,
    ),
    RunChart(
        "games",
        "Games finished",
        "per second",
        "",
        _rate,
        (Curve("games_per_s", "games/s", 2),),
        from_zero=True,
    ),
    RunChart(
        "evaluations",
        "Evaluations",
        "per second",
        "Positions valued by the net in self-play, and what the evaluator alone does at that batch size in as many "
        "threads, each as fast as the one that the run's heading names.",
        _rate,
        (
            Curve("evaluations_per_s", "in self-play", 1),
            Curve("alone_per_s", "alone, all threads", 3, dashed=True, beside=True),
        ),
        from_zero=True,
    ),
    RunChart(
        "at_work",
        "Net utilisation",
        "% of self-play",
        "Share of self-play time spent computing the net; the search takes the rest.",
        _rough_share,
        (Curve("of_alone", "net busy", 5),),
        from_zero=True,
        scale=100,
    ),
    RunChart(
        "results",
        "Results of self-play",
        "%",
        "Share of the games that the first player won, that were drawn, resigned, or ended by a proof.",
        _rough_share,
        (
            Curve("first_wins", "first wins", 0),
            Curve("draws", "draws", 3),
            Curve("resigned", "resigned", 4),
            Curve("proved", "proved", 2),
        ),
        from_zero=True,
        scale=100,
    ),
    RunChart(
        "plies",
        "Length of the games",
        "plies",
        "Mean over the games of the iteration, openings included.",
        _rate,
        (Curve("mean_plies", "mean", 2),),
        from_zero=True,
    ),
    RunChart(
        "age",
        "Age of the replay window",
        "iterations",
        "Iterations since the oldest position in the replay window was made.",
        _rate,
        (Curve("replay_age", "oldest", 1),),
        from_zero=True,
    ),
    RunChart(
        "rate",
        "Learning rate",
        "",
        "",
        _tiny,
        (Curve("learning_rate", "rate", 0),),
        from_zero=True,
    ),
    RunChart(
        "regularisation",
        "Weight penalty",
        "",
        "The term of the loss that weight decay keeps small.",
        _tiny,
        (Curve("regularisation", "penalty", 2),),
        from_zero=True,
    ),
    RunChart(
        "memory",
        "Memory",
        "MB",
        "",
        _whole,
        (Curve("memory_mb", "resident", 3),),
        from_zero=True,
    ),
    RunChart(
        "held_out",
        "Losses on new positions",
        "nats",
        "Of the averaged net on the newest positions before it learns from them. Well above the losses of learning: it "
        "remembers positions rather than learns the game.",
        _three,
        (
            Curve("held_out_policy_loss", "of the policy"),
            Curve("held_out_value_loss", "of the value", 1),
            Curve("held_out_kl", "KL(π ‖ P)", 2),
        ),
        optional=True,
    ),
    RunChart(
        "score",
        "Score loss",
        "nats",
        "−ln of the density that the net gives to the final lead in points, in games that points decide.",
        _three,
        (Curve("score_loss", "mean loss", 0),),
        optional=True,
    ),
    RunChart(
        "ownership",
        "Ownership loss",
        "nats",
        "Cross-entropy of the net's ownership to the final owner of each point, mean over the board.",
        _three,
        (Curve("ownership_loss", "mean loss", 1),),
        optional=True,
    ),
    RunChart(
        "wrong",
        "Wrong resignations",
        "%",
        "Of the games that were played to the end although a side would have resigned: the share that it did not lose.",
        _rough_share,
        (Curve("wrong_resignations", "wrong", 4),),
        from_zero=True,
        scale=100,
        optional=True,
    ),
    RunChart(
        "plies_by_size",
        "Length of the games by board size",
        "plies",
        "Mean over the games of the iteration, openings included.",
        _rate,
        from_zero=True,
        of_run=_sizes("mean_plies"),
        optional=True,
    ),
    RunChart(
        "wins_by_size",
        "First player's wins by board size",
        "%",
        "Share of the games on each board; near 50 the komi of that size is fair.",
        _rough_share,
        from_zero=True,
        scale=100,
        of_run=_sizes("first_wins"),
        optional=True,
    ),
)
CHARTS: Final = tuple(chart.spec for chart in RUN_CHARTS)
