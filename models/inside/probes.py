"""How well a linear function of some numbers predicts a label: ridge regression, scores, their intervals over games.

Letters: N rows, D numbers of a row, T labels of a row, G games, R resamples.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

RESAMPLES: Final = 200
LEAST: Final = 10  # rows of either answer, and games, from which a score is given
_STRENGTHS: Final = (1e-5, 1e-3, 1e-1)  # of the ridge, as parts of the rows
_CHUNK: Final = 8192
_BINS: Final = 1024  # of scores, for intervals

Floats = NDArray[np.float64]


class Split(NamedTuple):
    """Rows to fit to, rows to choose the ridge's strength by, and rows to judge by; no game is in two of them."""

    fit: NDArray[np.int64]
    choose: NDArray[np.int64]
    judge: NDArray[np.int64]


class Lines(NamedTuple):
    """Linear functions of D numbers, one for each of T labels."""

    weights: Floats  # [D, T]
    offsets: Floats  # [T]

    def read(self, rows: NDArray[np.float32]) -> Floats:
        """Their values [N, T] for rows [N, D]."""
        return rows @ self.weights + self.offsets


class Score(NamedTuple):
    """How well labels are predicted: the area under the ROC curve, or R²; all NaN where there are too few rows."""

    value: float
    low: float  # the 95 % interval over games
    high: float


UNKNOWN: Final = Score(float("nan"), float("nan"), float("nan"))


def split_games(games: NDArray[np.int64], seed: int) -> Split:
    """Half of the games to fit to, a sixth to choose by, a third to judge by; rows [N] are of the games ``games``."""
    names = np.random.default_rng(seed).permutation(np.unique(games))
    cuts = (len(names) // 2, len(names) - len(names) // 3)
    parts = (names[: cuts[0]], names[cuts[0] : cuts[1]], names[cuts[1] :])
    return Split(*(np.flatnonzero(np.isin(games, part)) for part in parts))


def fit_lines(
    fit: NDArray[np.float32], fit_labels: Floats, choose: NDArray[np.float32], choose_labels: Floats
) -> Lines:
    """The ridge regressions of labels [N, T] on rows [N, D], in closed form; the strength of each is the one with the
    least error on ``choose``."""
    mean = fit.mean(0, dtype=np.float64)
    spread = fit.std(0, dtype=np.float64)
    scale = np.where(spread > 1e-7, 1.0 / np.maximum(spread, 1e-7), 0.0)
    centre = fit_labels.mean(0)
    gram, right = np.zeros((fit.shape[1],) * 2), np.zeros((fit.shape[1], fit_labels.shape[1]))
    for rows, labels in _chunks(fit, fit_labels):
        scaled = ((rows - mean) * scale).astype(np.float32)
        gram += scaled.T @ scaled
        right += scaled.T @ (labels - centre).astype(np.float32)
    best, weights = np.full(fit_labels.shape[1], np.inf), np.zeros_like(right)
    for strength in _STRENGTHS:
        solved = np.linalg.solve(gram + strength * len(fit) * np.eye(len(gram)), right)
        error = np.zeros(fit_labels.shape[1])
        for rows, labels in _chunks(choose, choose_labels):
            error += ((((rows - mean) * scale) @ solved + centre - labels) ** 2).sum(0)
        better = error < best
        weights[:, better], best[better] = solved[:, better], error[better]
    raw = weights * scale[:, None]
    return Lines(raw, centre - mean @ raw)


def _chunks(rows: NDArray[np.float32], labels: Floats) -> Iterator[tuple[NDArray[np.float32], Floats]]:
    for start in range(0, len(rows), _CHUNK):
        yield rows[start : start + _CHUNK], labels[start : start + _CHUNK]


def area(readings: Floats, labels: NDArray[np.bool_]) -> float:
    """The area under the ROC curve: how often a row with the label has a higher reading than one without; ties count
    half (Mann and Whitney's U).  NaN without rows of both."""
    _, ranks = np.unique(readings, return_inverse=True)
    with_label, without = (np.bincount(ranks, kind).astype(np.float64) for kind in (labels, ~labels))
    return float(_areas(with_label[None], without[None])[0])


def _areas(with_label: Floats, without: Floats) -> Floats:
    """The areas of resamples from how many rows there are at each rank of reading, ascending; both [R, K]."""
    below = np.cumsum(without, 1) - without
    pairs = with_label.sum(1) * without.sum(1)
    with np.errstate(invalid="ignore", divide="ignore"):
        areas: Floats = (with_label * (below + without / 2)).sum(1) / pairs
    return areas


class Scorer:
    """Scores readings of the same rows, and again with the games drawn anew, always in the same way, so that scores can
    be subtracted resample by resample."""

    def __init__(self, games: NDArray[np.int64], seed: int, resamples: int = RESAMPLES) -> None:
        names, self._game = np.unique(games, return_inverse=True)
        self.games = len(names)
        rng = np.random.default_rng(seed)
        drawn = rng.integers(self.games, size=(resamples, self.games)) if self.games else np.zeros((resamples, 0), int)
        self._times = np.stack([np.bincount(row, minlength=self.games) for row in drawn]).astype(np.float64)

    def areas(self, readings: Floats, labels: NDArray[np.bool_]) -> tuple[float, Floats]:
        """The area of all rows, and that of each resample [R]; readings are put into 1024 bins there."""
        _, ranks = np.unique(readings, return_inverse=True)
        bins = ranks * _BINS // (int(ranks.max()) + 1)
        at = self._game * _BINS + bins
        size = self.games * _BINS
        with_label, without = (
            self._times @ np.bincount(at, kind, size).reshape(self.games, _BINS) for kind in (labels, ~labels)
        )
        return area(readings, labels), _areas(with_label, without)

    def means(self, values: Floats) -> tuple[float, Floats]:
        """The mean of all rows, and of each resample [R]."""
        sums, rows = np.bincount(self._game, values, self.games), np.bincount(self._game, minlength=self.games)
        return float(values.mean()), (self._times @ sums) / (self._times @ rows)

    def shares(self, readings: Floats, labels: Floats) -> tuple[float, Floats]:
        """R², the share of the labels' variance that the readings explain, of all rows and of each resample [R]."""
        figures = (np.ones(len(labels)), labels, labels**2, (readings - labels) ** 2)
        sums = np.stack([np.bincount(self._game, figure, self.games) for figure in figures])
        return float(_explained(sums.sum(1)[:, None])[0]), _explained(sums @ self._times.T)


def _explained(sums: Floats) -> Floats:
    """R² from the number, sum and sum of squares of labels, and the sum of squared errors; [4, R]."""
    number, total, squares, errors = sums
    with np.errstate(invalid="ignore", divide="ignore"):
        shares: Floats = 1.0 - errors / (squares - total**2 / number)
    return shares


def score_of(value: float, resamples: Floats) -> Score:
    """A score with the middle 95 % of its resamples; NaN where too many of these are."""
    if np.isnan(resamples).mean() > 0.05:
        return Score(value, float("nan"), float("nan"))
    low, high = np.nanquantile(resamples, (0.025, 0.975))
    return Score(value, float(low), float(high))


def spread_of(values: Sequence[float]) -> Score:
    """The mean of several draws, and where 95 % of such draws lie if they are normally distributed."""
    mean, deviation = float(np.mean(values)), float(np.std(values, ddof=1))
    return Score(mean, mean - 1.96 * deviation, mean + 1.96 * deviation)
