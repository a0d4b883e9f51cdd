"""Checks of a run's reports and settings: how its losses went, what it learned from, how nets were judged."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from core.games import GameSpec
from core.text import Text
from models.doctor.findings import LIKELY, SHOWN, Experiment, Finding
from models.inside.probes import Score
from models.runs.config import TrainConfig
from models.runs.reports import Report
from models.strength.ladder import GATE_GAMES, net_player
from models.strength.rating import wilson_interval

_LEAST: Final = 6  # iterations
_CLIPPED: Final = 4.9  # norm of the gradient that is cut in most steps
_JUMP: Final = 0.5  # nats
_WRONG_RESIGNATIONS: Final = 0.1
_LEARNED_OFTEN: Final = 20.0  # times a sample
_OLD: Final = 0.8  # of the run's iterations
TOO_SLOW, _TOO_FAST = 1e-5, 3e-2  # rates of AdamW at these sizes of nets
_HIGH: Final = 0.95  # share of right answers that need not rise
_NO_GAIN: Final = 60.0  # Elo, by which the best net leads the first of a run that gains nothing
_FEW: Final = 16  # simulations by which a search tells good moves from bad, of however many


def column(reports: Sequence[Report], name: str) -> np.ndarray:
    """A figure of each iteration, NaN where there is none."""
    values = [report.get(name) for report in reports if report["event"] == "iteration"]
    return np.array([math.nan if value is None else float(value) for value in values])


def unstable(reports: Sequence[Report]) -> Finding | None:
    """Whether losses on new samples jump between iterations, or most gradients are cut."""
    for name in ("held_out_policy_loss", "held_out_value_loss"):
        losses = column(reports, name)
        losses = losses[np.isfinite(losses)]
        if len(losses) < _LEAST:
            continue
        jumps = np.abs(np.diff(losses[1:]))
        if float(np.median(jumps)) > _JUMP:
            sentence = Text(
                "the loss on new samples changes by {jump:.2f} nats from one iteration to the next",
                jump=float(np.median(jumps)),
            )
            return Finding("unstable", LIKELY, sentence)
    norms = column(reports, "gradient_norm")
    norms = norms[np.isfinite(norms)]
    if len(norms) >= _LEAST and float(np.median(norms[len(norms) // 2 :])) > _CLIPPED:
        sentence = Text(
            "the gradient's norm is {norm:.0f} in half of the steps, and is cut to 5", norm=float(np.median(norms))
        )
        return Finding("unstable", LIKELY, sentence)
    return None


def highest_rate(reports: Sequence[Report], config: TrainConfig) -> float:
    """The highest learning rate that was reported; that of the settings where no step was taken."""
    rates = column(reports, "learning_rate")
    taken = rates[rates > 0.0]
    return float(taken.max()) if len(taken) else config.learning.rate


def rates(reports: Sequence[Report], config: TrainConfig) -> Finding | None:
    """Whether the learning rate is one that nets of these sizes learn with."""
    rate = highest_rate(reports, config)
    if TOO_SLOW <= rate <= _TOO_FAST:
        return None
    kind = "rate low" if rate < TOO_SLOW else "rate high"
    sentence = Text(
        "the learning rate is {rate:.1e} at most; runs learn with {low:g} to {high:g}",
        rate=rate,
        low=TOO_SLOW,
        high=_TOO_FAST,
    )
    return Finding(kind, SHOWN, sentence)


def searches(config: TrainConfig, game: GameSpec) -> Finding | None:
    """Whether a full search can try each move, and explores."""
    settings = config.self_play
    moves = len(game.initial().legal_actions())
    if settings.search == "puct" and settings.simulations < min(moves, _FEW):
        sentence = Text(
            "a full search has {simulations} simulations; the first position alone has {moves} moves",
            simulations=settings.simulations,
            moves=moves,
        )
        return Finding("search budget", SHOWN, sentence)
    if settings.search == "puct" and (not settings.noise_epsilon or not settings.c_puct):
        sentence = Text(
            "noise_epsilon is {epsilon:g} and c_puct {c:g}: moves that the net does not think of are never tried",
            epsilon=settings.noise_epsilon,
            c=settings.c_puct,
        )
        return Finding("noise off", LIKELY, sentence)
    return None


def resignations(reports: Sequence[Report], config: TrainConfig) -> Finding | None:
    """Whether games are given up that would not have been lost, by those played to the end."""
    wrong = column(reports, "wrong_resignations")
    wrong = wrong[np.isfinite(wrong)]
    if not config.self_play.resign_below or len(wrong) < _LEAST or float(wrong[-_LEAST:].mean()) < _WRONG_RESIGNATIONS:
        return None
    sentence = Text(
        "{share:.0%} of the resignations that were checked would have been wrong, with resign_below {below:g}",
        share=float(wrong[-_LEAST:].mean()),
        below=config.self_play.resign_below,
    )
    return Finding("resignations", LIKELY, sentence, None, float(wrong[-_LEAST:].mean()))


def replay(reports: Sequence[Report], config: TrainConfig) -> Finding | None:
    """Whether the samples learned from are of nets of about the same strength, and enough for the steps."""
    age, size, steps = (column(reports, name) for name in ("replay_age", "replay", "steps"))
    made = column(reports, "samples")
    if len(age) < _LEAST:
        return None
    if np.isfinite(age[-1]) and age[-1] > _OLD * len(age) and len(age) > 40:
        sentence = Text(
            "after {iterations} iterations it still learns from samples {age:.0f} iterations old",
            iterations=len(age),
            age=float(age[-1]),
        )
        return Finding("replay old", LIKELY, sentence)
    recent = slice(-_LEAST, None)
    often = float(np.nansum(steps[recent]) * config.learning.batch_size / max(1.0, float(np.nansum(made[recent]))))
    if often > _LEARNED_OFTEN and np.isfinite(size[-1]):
        sentence = Text("each sample is learned from {times:.0f} times", times=often)
        return Finding("replay young", LIKELY, sentence)
    return None


def gate(reports: Sequence[Report], config: TrainConfig) -> Finding | None:
    """Whether a gate of so few games can tell a better net from an equal one."""
    decided = [report for report in reports if report["event"] == "gate"]
    if len(decided) < _LEAST or any(report.get("passed") for report in decided):
        return None
    scores = [float(report["score"]) for report in decided if isinstance(report.get("score"), int | float)]
    error = 0.5 / math.sqrt(GATE_GAMES)
    near = [score for score in scores if score > config.strength.gate - 2.0 * error]
    if not scores or len(near) < len(scores) / 2:
        return None
    sentence = Text(
        "none of {matches} nets passed the gate of {gate:.0%}, {near} of them by less than the chance of {games} games",
        matches=len(decided),
        gate=config.strength.gate,
        near=len(near),
        games=GATE_GAMES,
    )
    return Finding("gate", LIKELY, sentence)


def exams(reports: Sequence[Report]) -> Finding | None:
    """Whether more questions of an exam are answered right than at first, by more than chance."""
    taken = [report["results"] for report in reports if report["event"] == "exam"]
    if len(taken) < _LEAST:
        return None
    third = len(taken) // 3
    for name in taken[0]:
        first, last = (
            _answered([results[name] for results in part if name in results]) for part in _ends(taken, third)
        )
        if first is None or last is None or last.low > first.value or last.value > _HIGH:
            continue
        sentence = Text(
            "exam {name}: {first:.1%} right in the first {third} of {count} exams, {last:.1%} in the last; with so "
            "many questions differences below {chance:.1%} are chance",
            name=name,
            first=first.value,
            last=last.value,
            third=third,
            count=len(taken),
            chance=(last.high - last.low) / 2.0,
        )
        change, figure = Text("the nets of the last exams"), Text("share of right answers")
        return Finding("exam", LIKELY, sentence, Experiment(change, figure, first, last))
    return None


def _ends(taken: list[Any], third: int) -> tuple[list[Any], list[Any]]:
    return taken[:third], taken[-third:]


def _answered(results: Sequence[Mapping[str, int]]) -> Score | None:
    """The share of right answers over several exams of the same questions, whose interval counts each question once."""
    right, of = (sum(result[name] for result in results) for name in ("right", "of"))
    if not of:
        return None
    low, high = wilson_interval(right / of, of // len(results))
    return Score(right / of, low, high)


def ladder(reports: Sequence[Report]) -> Finding | None:
    """Whether the best net leads the first of the run on its ladder."""
    tables = [report["ratings"] for report in reports if report["event"] == "ladder"]
    steps = [report["step"] for report in reports if report["event"] == "checkpoint"]
    if not tables or len(steps) < _LEAST:
        return None
    ratings = [tables[-1][net_player(step)] for step in sorted(set(steps)) if net_player(step) in tables[-1]]
    if len(ratings) < _LEAST:
        return None
    lead = max(elo for elo, _, _ in ratings) - ratings[0][0]
    if lead > _NO_GAIN:
        return None
    sentence = Text(
        "the best of {nets} nets is {lead:.0f} Elo above the first; the newest is known to ±{error:.0f}",
        nets=len(ratings),
        lead=lead,
        error=(ratings[-1][2] - ratings[-1][1]) / 2.0,
    )
    return Finding("ladder", LIKELY, sentence)
