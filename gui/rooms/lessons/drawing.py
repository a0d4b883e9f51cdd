"""Drawing of the experiments: points, curves with bands, bars."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QImage, QPainter, QPen

from core.text import Text
from gui.language.language import tr
from gui.rooms.lessons.experiments import (
    Bandit,
    Floats,
    Formula,
    Noise,
    PointRuns,
    Points,
    Temperature,
    Trials,
    pi_error,
)
from gui.widgets.charts.lines import DOTTED, Drawing, Line
from gui.widgets.figures import count, percent, plain
from gui.widgets.text_size import px
from gui.widgets.theme import current_theme, figure_font, with_alpha

MOST_BARS: Final = 12  # of moves in a picture
LEFT: Final = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
CENTRE: Final = Qt.AlignmentFlag.AlignCenter


class Sheet:
    """A painter with the fonts and colours of a picture."""

    def __init__(self, painter: QPainter, box: QRectF, font: QFont) -> None:
        self.painter, self.box = painter, box
        self.small = figure_font(font, 0.88)
        self.bold = figure_font(font, 0.94, bold=True)
        self.line = QFontMetricsF(self.small).height()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self.small)

    def text(self, box: QRectF, words: str, token: str = "dim", side: Qt.AlignmentFlag = LEFT) -> None:
        self.painter.setPen(current_theme().color(token))
        shown = QFontMetricsF(self.painter.font()).elidedText(words, Qt.TextElideMode.ElideRight, box.width() + 1)
        self.painter.drawText(box, side, shown)

    def heading(self, words: str) -> None:
        """A line of text at the top; the rest of the box is left."""
        self.text(QRectF(self.box.left(), self.box.top(), self.box.width(), self.line), words)
        self.box = self.box.adjusted(0, self.line + 4, 0, 0)


def draw_points(sheet: Sheet, shown: Points) -> None:
    theme, box = current_theme(), sheet.box
    size = min(box.width() - 2, box.height() - 2)
    square = QRectF(box.center().x() - size / 2, box.top(), size, size)
    painter = sheet.painter
    painter.fillRect(square, theme.color("window"))
    ratio = painter.device().devicePixelRatio()
    if shown.count:
        painter.drawImage(square, _point_image(shown, round(size * ratio), max(2, round(1.6 * ratio))))
    painter.setPen(QPen(theme.color("text"), 1.6))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    circle = QRectF(square.left() - size, square.top(), 2 * size, 2 * size)
    painter.drawArc(circle, 0, 90 * 16)
    painter.setPen(QPen(theme.color("disabled"), 1))
    painter.drawRect(square)


def _point_image(shown: Points, pixels: int, dot: int) -> QImage:
    """The points, each ``dot`` pixels wide: those inside the quarter circle in one colour, the others in another."""
    theme = current_theme()
    if len(shown.points) < 200:
        dot *= 3
    image = np.zeros((pixels + dot, pixels + dot), np.uint32)
    inside = (shown.points**2).sum(axis=1) <= 1.0
    column = (shown.points[:, 0] * (pixels - 1)).astype(np.int64)
    row = ((1 - shown.points[:, 1]) * (pixels - 1)).astype(np.int64)
    colours = np.where(inside, theme.color("accent").rgba(), theme.color("warn").rgba()).astype(np.uint32)
    for down, right in product(range(dot), range(dot)):
        image[row + down, column + right] = colours
    image = np.ascontiguousarray(image[:pixels, :pixels])
    picture = QImage(image.data, pixels, pixels, 4 * pixels, QImage.Format.Format_ARGB32)
    return picture.copy()  # which owns its pixels


def estimates(shown: Points) -> Drawing:
    """The estimate against the number of points, between the ends of one standard error."""
    high = float(10 ** math.ceil(math.log10(max(1000, shown.count)) - 1e-9))
    xs = np.logspace(1, math.log10(high), 40)
    errors = np.array([pi_error(round(x)) for x in xs])
    enough, now = np.array(shown.ns) >= 10, _four(pi_error(max(1, shown.count)))
    lines = [
        Line("π ≈", np.array(shown.ns, float)[enough], np.array(shown.estimates)[enough], "text", text=_four),
        Line("± 1 σ", xs, math.pi + errors, "accent", DOTTED, text=lambda x: _four(x - math.pi), now=now),
        Line("", xs, math.pi - errors, "accent", DOTTED),
        Line("", xs[[0, -1]], np.full(2, math.pi), "faint", width=1),
    ]
    up = math.pi - 0.6, math.pi + 0.6
    return Drawing(lines, across=(10.0, high), up=up, logs=(True, False), at=_after)


def _four(x: float) -> str:
    return plain(x, 4)


def _one_decimal(x: float) -> str:
    return plain(x, 1)


def _after(x: float) -> str:
    return count(round(x))


def draw_runs(sheet: Sheet, shown: PointRuns) -> None:
    """A histogram of the estimates; those as near as the published one are coloured."""
    theme, painter = current_theme(), sheet.painter
    sheet.heading(tr("{runs} runs · coloured: within {within:.2%} of π").format(runs=shown.count, within=shown.within))
    box = sheet.box.adjusted(4, 0, -4, -sheet.line - 4)
    error = pi_error(shown.points)
    bins = np.linspace(math.pi - 4 * error, math.pi + 4 * error, 41)
    heights, _ = np.histogram(shown.estimates, bins)
    near, _ = np.histogram(shown.estimates[shown.near], bins)
    top = max(4, int(heights.max()))
    width = box.width() / 40
    for place in range(40):
        for counted, colour in ((heights[place], theme.color("disabled", 0.6)), (near[place], theme.color("accent"))):
            height = box.height() * int(counted) / top
            painter.fillRect(QRectF(box.left() + place * width + 0.5, box.bottom() - height, width - 1, height), colour)
    painter.setPen(QPen(theme.color("text"), 1))
    painter.drawLine(box.bottomLeft(), box.bottomRight())
    painter.setPen(QPen(theme.color("text"), 1.4, Qt.PenStyle.DashLine))
    painter.drawLine(QPointF(box.center().x(), box.top()), QPointF(box.center().x(), box.bottom()))
    for place, words in ((-2, "−2 σ"), (-1, "−1 σ"), (0, "π"), (1, "+1 σ"), (2, "+2 σ")):
        x = box.center().x() + place * box.width() / 8
        sheet.text(QRectF(x - 40, box.bottom() + 2, 80, sheet.line), words, "dim", CENTRE)


@dataclass(frozen=True)
class Bar:
    """One row: a title, a first part, a second part stacked on it, and the words at its end."""

    title: str
    first: float
    second: float = 0.0
    words: str = ""
    strong: bool = False
    mark: float = math.nan  # a line across the bar
    good: bool | None = None


def draw_bars(sheet: Sheet, bars: Sequence[Bar], top: float, heading: str) -> None:
    """Bars from the left; the strong one is outlined."""
    theme, painter = current_theme(), sheet.painter
    sheet.heading(heading)
    metrics = QFontMetricsF(sheet.bold)
    if not bars:
        return
    left = max(metrics.horizontalAdvance(bar.title) for bar in bars) + 10
    right = max([metrics.horizontalAdvance(bar.words) for bar in bars]) + 10
    box = sheet.box
    width = max(20.0, box.width() - left - right)
    height = min(px(30.0), box.height() / len(bars))
    for place, bar in enumerate(bars):
        row = QRectF(box.left(), box.top() + place * height, box.width(), height)
        painter.setFont(sheet.bold if bar.strong else sheet.small)
        sheet.text(QRectF(row.left(), row.top(), left, height), bar.title, "text")
        lane = QRectF(row.left() + left, row.top() + height * 0.16, width, height * 0.68)
        painter.fillRect(lane, theme.color("raised"))
        first = lane.width() * min(1.0, max(0.0, bar.first) / top)
        second = min(lane.width() - first, lane.width() * min(1.0, max(0.0, bar.second) / top))
        base = theme.color("accent") if bar.good is None else theme.color("good" if bar.good else "warn")
        painter.fillRect(QRectF(lane.left(), lane.top(), first, lane.height()), base)
        painter.fillRect(QRectF(lane.left() + first, lane.top(), second, lane.height()), with_alpha(base, 0.42))
        if not math.isnan(bar.mark):
            x = lane.left() + lane.width() * min(1.0, bar.mark / top)
            painter.setPen(QPen(theme.color("text"), 2))
            painter.drawLine(QPointF(x, lane.top() - 2), QPointF(x, lane.bottom() + 2))
        if bar.strong:
            painter.setPen(QPen(theme.color("text"), 1.6))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(lane)
        sheet.text(QRectF(lane.right() + 6, row.top(), right, height), bar.words, "text")
    painter.setFont(sheet.small)
    sheet.box = box.adjusted(0, height * len(bars) + 6, 0, 0)


def _shown_score(score: float) -> str:
    return "∞" if math.isinf(score) else f"{score:.4f}"


def draw_formula(sheet: Sheet, shown: Formula) -> None:
    scores = shown.scores
    best = int(scores.argmax())
    bars = []
    for place, (wins, games) in enumerate(zip(shown.wins.tolist(), shown.games.tolist(), strict=True)):
        mean = wins / games if games else 0.0
        mean = 1 - mean if shown.flipped else mean
        score = float(scores[place])
        title = f"{place + 1}:  {wins:g}/{games:g}"
        bars.append(Bar(title, mean, score - mean, _shown_score(score), place == best))
    words = tr("C = {c:.1f}, ΣN = {total}: Q + √(C · ln ΣN / N)")
    if shown.flipped:
        words = tr("C = {c:.1f}, ΣN = {total}: 1 − Q + √(C · ln ΣN / N)")
    draw_bars(sheet, bars, max(1.2, float(scores.max())), words.format(c=shown.c, total=int(shown.games.sum())))


def draw_bandit(sheet: Sheet, shown: Bandit) -> None:
    scores = shown.scores
    bars = []
    finite = scores[np.isfinite(scores)]
    top = max(1.3, float(finite.max()) if len(finite) else 1.3)
    for place, (wins, games) in enumerate(zip(shown.wins.tolist(), shown.games.tolist(), strict=True)):
        mean, score = (wins / games if games else 0.0), float(scores[place])
        second = top if math.isinf(score) else score - mean
        bars.append(
            Bar(
                str(place + 1), mean, second, f"{int(wins)}/{int(games)}", place == shown.next, float(shown.arms[place])
            )
        )
    draw_bars(sheet, bars, top, tr("Mean + bonus; line: the true chance"))


def regrets(shown: Bandit) -> Drawing:
    """The regret of UCB1 against the number of plays, beside that of playing at random."""
    high = float(max(20, shown.count))
    lines = [
        Line(
            tr("UCB1"),
            np.array([0.0, *shown.ns]),
            np.array([0.0, *shown.regrets]),
            "accent",
            text=_one_decimal,
            width=2.2,
        ),
        Line(
            tr("at random"), np.array([0.0, high]), np.array([0.0, high * shown.random_rate]), "warn", text=_one_decimal
        ),
    ]
    return Drawing(lines, across=(0.0, high), from_zero=True, at=_after)


def shown_moves(shown: Trials) -> dict[int, int]:
    """The moves to draw and how often each was played: all, or where they are many the right and the most played."""
    if len(shown.chosen) <= MOST_BARS:
        return shown.chosen
    right = shown.right or frozenset()
    best = sorted(shown.chosen, key=lambda action: (action not in right, -shown.chosen[action]))[:MOST_BARS]
    return {action: shown.chosen[action] for action in best if action in right or shown.chosen[action]}


def draw_trials(sheet: Sheet, shown: Trials) -> None:
    names = shown.position.game.action_names
    most = max([1, *shown.chosen.values()])
    bars = [
        Bar(names[action], times, 0.0, count(times), False, good=None if not shown.right else action in shown.right)
        for action, times in shown_moves(shown).items()
    ]
    words = tr("{searches} searches of {simulations} simulations: the move played")
    draw_bars(sheet, bars, most, words.format(searches=shown.count, simulations=count(shown.simulations)))


def _policy(sheet: Sheet, before: Floats, after: Floats, heading: str, marks: Floats | None = None) -> None:
    top = max(0.3, float(max(before.max(), after.max())))
    bars = [
        Bar(
            str(place + 1),
            value,
            words=percent(value, 0),
            strong=False,
            mark=math.nan if marks is None else float(marks[place]),
        )
        for place, value in enumerate(after.tolist())
    ]
    draw_bars(sheet, bars, top, heading)


def draw_noise(sheet: Sheet, shown: Noise) -> None:
    words = tr("Draw {count}: α = {alpha:g}, ε = {epsilon:g}; line: P before")
    heading = words.format(count=shown.count, alpha=shown.alpha, epsilon=shown.epsilon)
    _policy(sheet, shown.priors, shown.drawn, heading, shown.priors)


def draw_temperature(sheet: Sheet, shown: Temperature) -> None:
    words = tr("Chance at τ = {tau:.1f}; line: share of the visits")
    shares = shown.visits / shown.visits.sum()
    _policy(sheet, shares, shown.chances, words.format(tau=shown.tau), shares)


DRAWERS: Final[dict[type, Callable[[Sheet, object], None]]] = {
    Points: draw_points,  # type: ignore[dict-item]
    PointRuns: draw_runs,  # type: ignore[dict-item]
    Formula: draw_formula,  # type: ignore[dict-item]
    Bandit: draw_bandit,  # type: ignore[dict-item]
    Trials: draw_trials,  # type: ignore[dict-item]
    Noise: draw_noise,  # type: ignore[dict-item]
    Temperature: draw_temperature,  # type: ignore[dict-item]
}
CHARTS: Final[dict[type, tuple[str, Callable[[Any], Drawing]]]] = {  # what has a chart below its picture, and its title
    Points: (Text("Estimate after so many points"), estimates),
    Bandit: (Text("Regret after so many plays"), regrets),
}
