"""The table of charts and the statistics of a run that each one shows.  Knows names and units, no widget."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from gui.widgets.figures import MINUS, NONE, count, percent, plain, short_count

LINES, CALIBRATION, ELO, EXAMS, SIZES = "lines", "calibration", "elo", "exams", "sizes"


@dataclass(frozen=True)
class Curve:
    """One curve of a chart; ``colour`` is an index into the theme's series."""

    series: str
    title: str
    colour: int = 0
    dashed: bool = False
    beside: bool = False  # for comparison: the axis range ignores it


@dataclass(frozen=True)
class ChartSpec:
    """One chart.

    ``text`` formats its values; ``from_zero`` keeps 0 in view; ``scale`` converts values into its unit.
    """

    id: str
    title: str
    unit: str
    meaning: str
    text: Callable[[float], str]
    curves: tuple[Curve, ...] = ()
    kind: str = LINES
    from_zero: bool = False
    scale: float = 1.0
    least_span: float = 0.0  # smallest range of the y axis, so that noise is not enlarged
    ending: str = ""  # suffix of the names of the exams it shows; the figure of each size of the board
    optional: bool = False  # hidden while a run has no such figures; these are the last ones


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


def tick_text(value: float) -> str:
    """Return a short text for a value at an axis."""
    if abs(value) >= 10_000:
        return (MINUS if value < 0 else "") + short_count(abs(value))
    if value and abs(value) < 0.001:
        return f"{value:.0e}".replace("e-0", "e−").replace("e-", "e−")
    return f"{value:.6g}".replace("-", MINUS)


CHARTS: Final = (
    ChartSpec(
        "policy",
        "Policy loss",
        "nats",
        "Cross-entropy of the net's policy to the search's. It cannot fall below the entropy of the targets.",
        _three,
        (Curve("policy_loss", "mean loss"), Curve("target_entropy", "floor: target entropy", 3, dashed=True)),
    ),
    ChartSpec(
        "value",
        "Value loss",
        "",
        "Cross-entropy to win, draw, loss (nats), or (z − v)², as the run's settings say.",
        _three,
        (Curve("value_loss", "mean loss", 1),),
    ),
    ChartSpec(
        "elo",
        "Elo on the ladder",
        "Elo, 95 %",
        "Every kept net against fixed players and each other; random play is 0. A click chooses the net.",
        _elo,
        kind=ELO,
    ),
    ChartSpec(
        "exam_moves",
        "Best moves found",
        "% of exact sets",
        "Share of positions with known answers in which the net's most probable move is a best one.",
        _rough_share,
        kind=EXAMS,
        scale=100,
        ending="policy",
    ),
    ChartSpec(
        "exam_values",
        "Results predicted",
        "% of exact sets",
        "Share of positions with known answers in which the net's value predicts the win, draw or loss.",
        _rough_share,
        kind=EXAMS,
        scale=100,
        ending="value",
    ),
    ChartSpec(
        "entropy",
        "Entropy and KL",
        "nats",
        "Entropy of the net's policy, and how far the search departs from it: KL(π ‖ P).",
        _three,
        (Curve("entropy", "entropy of P", 2), Curve("kl", "KL(π ‖ P)", 1)),
        from_zero=True,
    ),
    ChartSpec(
        "calibration",
        "Calibration of the value",
        "newest iteration",
        "Positions by the value predicted, against the mean of how they ended; on the diagonal it is right. "
        "A dot's size is the number of positions.",
        _three,
        (Curve("calibration_error", "mean error", 0),),
        kind=CALIBRATION,
    ),
    ChartSpec(
        "positions",
        "Positions",
        "per second",
        "Moves searched in self-play, and positions to learn from among them.",
        _rate,
        (Curve("moves_per_s", "searched", 0), Curve("positions_per_s", "to learn from", 1)),
        from_zero=True,
    ),
    ChartSpec(
        "games",
        "Games finished",
        "per second",
        "Games of self-play.",
        _rate,
        (Curve("games_per_s", "games/s", 2),),
        from_zero=True,
    ),
    ChartSpec(
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
    ChartSpec(
        "at_work",
        "Net utilisation",
        "% of self-play",
        "Share of self-play time spent computing the net; the search takes the rest.",
        _rough_share,
        (Curve("of_alone", "net busy", 5),),
        from_zero=True,
        scale=100,
    ),
    ChartSpec(
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
    ChartSpec(
        "plies",
        "Length of the games",
        "plies",
        "Mean over the games of the iteration, openings included.",
        _rate,
        (Curve("mean_plies", "mean", 2),),
        from_zero=True,
    ),
    ChartSpec(
        "age",
        "Age of the replay window",
        "iterations",
        "Iterations since the oldest position in the replay window was made.",
        _rate,
        (Curve("replay_age", "oldest", 1),),
        from_zero=True,
    ),
    ChartSpec(
        "rate",
        "Learning rate",
        "",
        "Of the optimiser.",
        _tiny,
        (Curve("learning_rate", "rate", 0),),
        from_zero=True,
    ),
    ChartSpec(
        "regularisation",
        "Weight penalty",
        "",
        "The term of the loss that weight decay keeps small.",
        _tiny,
        (Curve("regularisation", "penalty", 2),),
        from_zero=True,
    ),
    ChartSpec(
        "memory",
        "Memory",
        "MB",
        "Of the training process.",
        _whole,
        (Curve("memory_mb", "resident", 3),),
        from_zero=True,
    ),
    ChartSpec(
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
    ChartSpec(
        "score",
        "Score loss",
        "nats",
        "−ln of the density that the net gives to the final lead in points, in games that points decide.",
        _three,
        (Curve("score_loss", "mean loss", 0),),
        optional=True,
    ),
    ChartSpec(
        "ownership",
        "Ownership loss",
        "nats",
        "Cross-entropy of the net's ownership to the final owner of each point, mean over the board.",
        _three,
        (Curve("ownership_loss", "mean loss", 1),),
        optional=True,
    ),
    ChartSpec(
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
    ChartSpec(
        "plies_by_size",
        "Length of the games by board size",
        "plies",
        "Mean over the games of the iteration on each board, openings included.",
        _rate,
        kind=SIZES,
        from_zero=True,
        ending="mean_plies",
        optional=True,
    ),
    ChartSpec(
        "wins_by_size",
        "First player's wins by board size",
        "%",
        "Share of the games on each board; near 50 the komi of that size is fair.",
        _rough_share,
        kind=SIZES,
        from_zero=True,
        scale=100,
        ending="first_wins",
        optional=True,
    ),
)
