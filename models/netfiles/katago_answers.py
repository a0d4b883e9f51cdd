"""Makes probabilities, points and ownership of the outputs of KataGo's nets.

Pure functions on arrays, all for the side to move.  Letters: N positions, P channels of the policy, A moves with the
pass as the last, H W board.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.files.reading import Fields
from models.netfiles.katago_file import VERSIONS, Scaling

ROOT_OPTIMISM: Final = 0.2  # KataGo's defaults
TREE_OPTIMISM: Final = 1.0

_SHORT_SCORE: Final = 10.0  # points, in version 9

Array = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Scores:
    """Points by which the side to move leads, float64 [N] each.

    mean, stdev: of self-play's final score.  lead: points that make the game even.  moves_left: the variance of the
    time that is left.  win_error, score_error: expected short-term errors of the win rate and the score.  The last
    three are None for nets that do not give them: below version 9, and some that others have converted.
    """

    mean: NDArray[np.float64]
    stdev: NDArray[np.float64]
    lead: NDArray[np.float64]
    var_time: NDArray[np.float64] | None
    win_error: NDArray[np.float64] | None
    score_error: NDArray[np.float64] | None


@dataclass(frozen=True, slots=True)
class Answers:
    """What a net says of N positions: policy float32 [N, A], outcome float64 [N, 3], scores, ownership [N, H, W], which
    some nets do not give."""

    policy: Array
    outcome: NDArray[np.float64]
    scores: Scores
    ownership: Array | None


def scaling_of(config: Mapping[str, object]) -> Scaling:
    """The scaling in the metadata of a net file; BadFile when it is missing or damaged."""
    fields = Fields(dict(config)).object("scaling")
    names = [name for name in Scaling.__dataclass_fields__ if name != "version"]
    version = fields.whole("version", *VERSIONS)
    return Scaling(version, **{name: fields.number(name, 1e-6, 1e6) for name in names})


def answers(
    outputs: Mapping[str, Array],
    legal: NDArray[np.bool_],
    scaling: Scaling,
    *,
    optimism: float = TREE_OPTIMISM,
    no_result: bool = True,
) -> Answers:
    """Every answer of a net of its outputs by their names in :mod:`models.netfiles.katago_graph`.

    legal bool [N, A].  no_result: the rules let a game end without result (simple ko, or territory scoring).
    """
    chances = outcome(outputs["value"], no_result)
    return Answers(
        policy(outputs["policy"], legal, optimism),
        chances,
        scores(outputs["miscvalue"], scaling, chances[:, 2]),
        np.tanh(outputs["ownership"]) if "ownership" in outputs else None,
    )


def policy(logits: Array, legal: NDArray[np.bool_], optimism: float) -> Array:
    """Probabilities float32 [N, A] of the moves, 0 for illegal ones; logits [N, P, A], legal bool [N, A].

    optimism: from 0, the plain policy, to 1, the optimistic one, where a net has both.  Each row needs a
    legal move.
    """
    mixed = logits[:, 0].astype(np.float64)
    if logits.shape[1] > 1:
        mixed += (logits[:, 1] - mixed) * optimism
    mixed = np.where(legal, mixed, -np.inf)
    chances = np.exp(mixed - mixed.max(axis=1, keepdims=True))
    result: Array = (chances / chances.sum(axis=1, keepdims=True)).astype(np.float32)
    return result


def outcome(logits: Array, no_result: bool) -> NDArray[np.float64]:
    """Probabilities float64 [N, 3] of win, loss and no result; logits [N, 3].  The last is 0 without ``no_result``."""
    chances = np.exp(logits - logits.max(axis=1, keepdims=True).astype(np.float64))
    if not no_result:
        chances[:, 2] = 0.0
    result: NDArray[np.float64] = chances / chances.sum(axis=1, keepdims=True)
    return result


def scores(outputs: Array, scaling: Scaling, no_result: NDArray[np.float64]) -> Scores:
    """Points and errors; outputs [N, 4 or 6], no_result [N] the probability that the game has no result."""
    s = outputs.astype(np.float64).T
    mean = s[0] * scaling.score_mean
    stdev = _softplus(s[1]) * scaling.score_stdev
    decided = 1.0 - no_result
    square = (mean**2 + stdev**2) * decided
    mean = mean * decided
    spread = np.sqrt(np.maximum(0.0, square - mean**2))
    lead = s[2] * scaling.lead * decided
    var_time = _softplus(s[3]) * scaling.var_time if scaling.version >= 9 else None
    if scaling.version < 9 or len(s) < 6:
        return Scores(mean, spread, lead, var_time, None, None)
    if scaling.version == 9:
        return Scores(mean, spread, lead, var_time, _softplus(s[4]), _SHORT_SCORE * _softplus(s[5]))
    win_error = _short_term(s[4], scaling.version, scaling.short_value)
    score_error = _short_term(s[5], scaling.version, scaling.short_score)
    return Scores(mean, spread, lead, var_time, win_error, score_error)


def values_and_leads(value: Array, outputs: Array, scaling: Scaling, no_result: bool) -> tuple[Array, Array]:
    """What a search needs of ``outcome`` and ``scores``: values float32 [N], and leads float32 [N, 2] with the square.

    The square is of the lead and the spread around it.  Small batches cost mostly calls of numpy, so games that always
    have a result go another way to the same numbers.
    """
    leads = np.empty((len(value), 2), np.float32)
    if no_result:
        chances = outcome(value, no_result)
        score = scores(outputs, scaling, chances[:, 2])
        leads[:, 0] = score.lead
        leads[:, 1] = score.lead**2 + score.stdev**2
        return (chances[:, 0] - chances[:, 1]).astype(np.float32), leads
    lead, spread = outputs[:, 2] * scaling.lead, np.logaddexp(np.float32(0.0), outputs[:, 1]) * scaling.score_stdev
    leads[:, 0] = lead
    leads[:, 1] = lead * lead + spread * spread
    return np.tanh(np.float32(0.5) * (value[:, 0] - value[:, 1])), leads


def _short_term(x: NDArray[np.float64], version: int, by: float) -> NDArray[np.float64]:
    """The root of a squared error, as nets give it from version 10 on."""
    return _softplus(x / 2) * np.sqrt(by) if version >= 14 else np.sqrt(_softplus(x) * by)


def _softplus(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.logaddexp(0.0, x)
