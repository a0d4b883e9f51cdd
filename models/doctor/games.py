"""Checks of a run's games: whether they differ, how moves are drawn, how they end.

Letters: n samples, m moves.
"""

from typing import Final

import numpy as np

from core.text import Text
from models.doctor.findings import LIKELY, SHOWN, Experiment, Finding
from models.doctor.rows import NO_MOVE, Rows
from models.doctor.samples import enough, mean_of
from models.inside.probes import Score
from models.play.samples import GameTrace
from models.play.selfplay import LATE_TEMPERATURE
from models.runs.config import TrainConfig
from models.strength.rating import wilson_interval

_LEAST_GAMES: Final = 60
_SMALL_BOARD: Final = 16  # cells; games on such boards repeat by themselves
_ALIKE: Final = 0.3  # share of games played before
_ALIKE_SMALL: Final = 0.95
_SAME_RESULT: Final = 0.985
_GAP: Final = 0.12  # between the share of best moves played and the one expected
_DECIDED: Final = 0.9


def repeated_games(traces: tuple[GameTrace, ...], cells: int) -> Finding | None:
    """Whether the games of one iteration differ from one another."""
    if len(traces) < _LEAST_GAMES:
        return None
    lines = [(trace.game, *trace.opening, *trace.moves) for trace in traces]
    share = 1.0 - len(set(lines)) / len(lines)
    if share < (_ALIKE_SMALL if cells <= _SMALL_BOARD else _ALIKE):
        return None
    sentence = Text(
        "{share:.0%} of {games} games of one iteration are move for move the same as an earlier one",
        share=share,
        games=len(lines),
    )
    return Finding("games alike", SHOWN, sentence, None, share)


def one_result(traces: tuple[GameTrace, ...]) -> Finding | None:
    """Whether every game ends alike, so that the value has nothing to learn."""
    if len(traces) < _LEAST_GAMES:
        return None
    outcomes = np.array([trace.outcome for trace in traces])
    for outcome, words in (
        (0, Text("draws")),
        (1, Text("wins of the first player")),
        (-1, Text("wins of the second player")),
    ):
        share = float((outcomes == outcome).mean())
        if wilson_interval(share, len(outcomes))[0] > _SAME_RESULT:
            sentence = Text(
                "{share:.0%} of {games} games are {results}", share=share, games=len(outcomes), results=words
            )
            return Finding("one result", LIKELY, sentence, None, share)
    return None


def drawing(rows: Rows, config: TrainConfig) -> Finding | None:
    """Whether moves are drawn at random early in games and seldom later, as the settings say."""
    if rows.truth is None:
        return None
    best = rows.policy.argmax(axis=1) == rows.truth.played
    undecided = (rows.truth.played != NO_MOVE) & (np.abs(rows.root_value) < _DECIDED)
    early = undecided & (rows.ply < config.self_play.temperature_plies)
    figure = Text("share of moves that are the target's first")
    if enough(rows, early):
        seen, expected = mean_of(best, rows, early), mean_of(_first_share(rows, 1.0), rows, early)
        if seen.low > expected.high + _GAP:
            sentence = Text(
                "{seen:.0%} of the first {plies} plies are the target's first move; drawn by the target it would be "
                "{expected:.0%}",
                seen=seen.value,
                plies=config.self_play.temperature_plies,
                expected=expected.value,
            )
            return Finding("never sampled", SHOWN, sentence, _drawn(figure, seen, expected), seen.value)
    late = undecided & (rows.ply >= config.self_play.temperature_plies)
    if config.self_play.search == "puct" and enough(rows, late):
        seen, expected = mean_of(best, rows, late), mean_of(_first_share(rows, LATE_TEMPERATURE), rows, late)
        if seen.high < expected.low - _GAP:
            sentence = Text(
                "{seen:.0%} of the plies after the first {plies} are the target's first move; by the settings it would "
                "be {expected:.0%}",
                seen=seen.value,
                plies=config.self_play.temperature_plies,
                expected=expected.value,
            )
            return Finding("always sampled", SHOWN, sentence, _drawn(figure, seen, expected), 1.0 - seen.value)
    return None


def _drawn(figure: Text, seen: Score, expected: Score) -> Experiment:
    return Experiment(Text("moves drawn from the target as the settings say"), figure, seen, expected)


def _first_share(rows: Rows, temperature: float) -> np.ndarray:
    """How often [n] the target's first move is drawn at a temperature."""
    with np.errstate(divide="ignore"):
        powers = np.exp(np.log(rows.policy.astype(np.float64)) / temperature)
    share: np.ndarray = powers.max(axis=1) / powers.sum(axis=1)
    return share
