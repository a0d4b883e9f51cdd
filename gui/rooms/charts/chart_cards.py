"""The charts over simulations: value and visits of the best moves.  Knows one Snapshot.

The curves are made once and given new data.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent
from PySide6.QtWidgets import QToolButton, QWidget

from gui.language.language import mark, tr
from gui.rooms.charts import chart_data as data
from gui.widgets.figures import count, percent, plain, signed
from gui.widgets.plot import Axis, ChartFrame, Plot, put_line
from gui.widgets.texts import set_texts
from gui.widgets.theme import Theme, current_theme, figure_font, mix, on_theme

if TYPE_CHECKING:
    from core.glass import MoveRow, Snapshot
    from core.glass.curves import Curves

LEAST_HEIGHT = 104  # px of a plot: with a heading and two lines of legend in the least height of all charts
HEAD = 8  # px above and below a heading's text
EXPORT_COLUMN = 3  # column of a card's head where the export button may be
WHOLE: Final = 100.0  # per cent
FILL: Final = 0.5  # opacity of a stacked curve's area
WARM = ("#e69f00", "#009e73", "#cc79a7", "#d55e00", "#f0e442")  # after Okabe and Ito (2008), without the blues
WARM_ON_WHITE = ("#d55e00", "#009e73", "#cc79a7", "#b07800", "#7a6fb0")


def move_colour(theme: Theme, place: int) -> str:
    """Return a move's colour: the board's accent for the best one, a colour of its own for every other."""
    return theme.accent if place < 0 else (WARM if theme.dark else WARM_ON_WHITE)[place]


class Surface(Plot):
    """A plot that fills its card and reports the pointer's position in its own units and in pixels."""

    hovered = Signal(QPointF)

    def __init__(self, left: type[Axis], bottom: type[Axis]) -> None:
        super().__init__(None, left, bottom)
        self.setMinimumHeight(LEAST_HEIGHT)
        self.setMaximumHeight(16777215)
        self.setCursor(Qt.CursorShape.CrossCursor)
        self.empty.setWordWrap(True)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self.hovered.emit(event.position())

    def pixel_of(self, x: float, y: float) -> QPointF:
        scene = self.getViewBox().mapViewToScene(QPointF(x, y))
        return QPointF(self.mapFromScene(scene))


class Card(ChartFrame):
    """A chart of a snapshot."""

    left = bottom = Axis

    def __init__(self, name: str, title: str, meaning: str, parent: QWidget) -> None:
        self.plot: Surface
        super().__init__(title, meaning, Surface(self.left, self.bottom), 2, parent)
        self.name = name
        self.snapshot: Snapshot | None = None
        self.unit.setFont(figure_font(self.unit.font(), 0.94))
        self.head.setContentsMargins(10, 0, 8, 0)
        self.head.setRowMinimumHeight(0, self.fontMetrics().height() + HEAD)
        self.head.addWidget(self.legend, 1, 0, 1, EXPORT_COLUMN + 1)
        self.column.setContentsMargins(0, 0, 4, 2)
        self.plot.set_empty(True)

    def blank(self) -> None:
        """Draw nothing; ``plot.empty`` shows the reason."""
        self.plot.set_empty(True)
        self.unit.setText("")
        self.legend.show_rows([])


class Line(NamedTuple):
    """A curve over the simulations of the root."""

    colour: str
    title: str
    dashed: bool
    values: np.ndarray  # [S]
    figure: Callable[[float], str] | None = None  # how its figures are written, if not as the others'


Moves = list[tuple["MoveRow", int, str]]  # each with its edge in the curves and its colour


@dataclass(frozen=True)
class Quantity:
    """A quantity shown by curves: how it is read from a snapshot, and how its figures are written."""

    lines: Callable[[Snapshot, Moves, Theme], list[Line]]
    span: Callable[[Curves, Moves, list[Line]], tuple[float, float]]  # range of the y axis
    past: Callable[[Snapshot, list[Line]], list[float]] | None  # values at an earlier moment; None: the curves'
    figure: Callable[[float], str]
    words: Callable[[Snapshot], str]  # the unit, and the player that values are for
    whole: float | None = None  # what the lines add up to, if they can be stacked
    none: str = ""  # what to say, in English, where a search has no such lines


class CurveCard(Card):
    """A card with curves of the best moves over the simulations of the root, with a crosshair."""

    chosen = Signal(float)  # simulation of the root
    pointed = Signal(float)  # simulation under the pointer; NaN when it has left

    def __init__(self, name: str, title: str, meaning: str, quantity: Quantity, parent: QWidget) -> None:
        super().__init__(name, title, meaning, parent)
        self._quantity = quantity
        self._colours: dict[int, int] = {}
        self.stacked = QToolButton(self)
        self.stacked.setObjectName("small")
        set_texts(self.stacked, text="Stacked", toolTip="Stacked shares: together they are all visits")
        self.stacked.setCheckable(True)
        self.stacked.setFixedHeight(self.fontMetrics().height() + HEAD)
        self.stacked.setVisible(quantity.whole is not None)
        self.stacked.toggled.connect(lambda _: self.show_snapshot(self.snapshot, self._colours))
        self.head.addWidget(self.stacked, 0, EXPORT_COLUMN - 1)
        self._items = [self.plot.add_curve() for _ in range(data.SHOWN + 1)]
        for line in (self.plot.cross, self.plot.marker):
            line.setZValue(0.5)  # below the best move's curve
        self._hover = math.nan
        self._past: Snapshot | None = None
        self.lines: list[Line] = []
        self.plot.pointed.connect(self._point)
        self.plot.pressed.connect(self._press)
        on_theme(self.plot, lambda: self.plot.marker.setPen(pg.mkPen(current_theme().warn, width=1.6)))

    @property
    def curves(self) -> Curves | None:
        return self.snapshot.curves if self.snapshot is not None else None

    def show_snapshot(self, snapshot: Snapshot | None, colours: dict[int, int]) -> None:
        """Show a snapshot; ``colours``: action -> place, see ``chart_data.Colours``."""
        self.snapshot, self._colours = snapshot, colours
        curves = self.curves
        if snapshot is None or curves is None or not len(curves.actions) or not colours:
            self._hide_lines()
            return
        rows = {row.action: row for row in snapshot.moves}
        moves = [
            (rows[action], edge, move_colour(current_theme(), place))
            for action, place in sorted(colours.items(), key=lambda pair: (pair[1] >= 0, -rows[pair[0]].visits))
            if (edge := data.edge_of(curves, action)) >= 0
        ]
        self.lines = self._quantity.lines(snapshot, moves, current_theme())
        if not self.lines:
            self._hide_lines()
            self.plot.empty.setText(tr(self._quantity.none))
            return
        low, high = self._quantity.span(curves, moves, self.lines)
        if self.stacked.isChecked() and self._quantity.whole is not None:
            low, high = 0.0, 1.02 * self._quantity.whole
        self._draw(curves)
        self.plot.set_empty(False)
        last = float(max(1, curves.simulations[-1]))
        self.plot.setRange(xRange=(0, 1.012 * last), yRange=(low, high), padding=0)
        self.read()

    def _hide_lines(self) -> None:
        for item in self._items:
            item.setVisible(False)
        self.lines = []
        self.plot.cross.hide()
        self.blank()

    def _draw(self, curves: Curves) -> None:
        """Draw a curve for each line; if stacked, each is added to those before it, which cover its lower part."""
        stacked = self.stacked.isChecked()
        xs, below = curves.simulations.astype(np.float64), np.zeros(len(curves.simulations))
        for place, item in enumerate(self._items):
            item.setVisible(place < len(self.lines))
            if place >= len(self.lines):
                continue
            colour, _, dashed, values, _ = self.lines[place]
            best = colour == current_theme().accent
            style = Qt.PenStyle.DotLine if dashed and not stacked else Qt.PenStyle.SolidLine
            item.setPen(pg.mkPen(colour, width=2.4 if best and not stacked else 1.5, style=style))
            item.setZValue(-place if stacked else int(best))
            item.setFillLevel(0.0 if stacked else None)
            fill = mix(current_theme().color("panel"), QColor(colour), FILL)
            item.setFillBrush(pg.mkBrush(fill) if stacked else None)
            if stacked:
                below = below + np.nan_to_num(values)
            item.setData(xs, below if stacked else values.astype(np.float64))

    def _point(self, x: float) -> None:
        self.pointed.emit(self._inside(x))

    def _press(self, x: float) -> None:
        inside = self._inside(x)
        if math.isfinite(inside):
            self.chosen.emit(inside)

    def _inside(self, x: float) -> float:
        curves = self.curves
        if curves is None or not self.lines or not math.isfinite(x):
            return math.nan
        return max(0.0, min(float(curves.simulations[-1]), x))

    def set_hover(self, x: float) -> None:
        """Move the crosshair to a simulation; NaN for none."""
        self._hover = x
        self.read()

    def set_past(self, earlier: Snapshot | None) -> None:
        """Mark the earlier moment that is shown."""
        self._past = earlier
        put_line(self.plot.marker, math.nan if earlier is None else float(earlier.simulations))
        self.read()

    def read(self) -> None:
        """Show in the legend the figures under the crosshair, else of the earlier moment shown, else the present."""
        curves, hover, past = self.curves, self._hover, self._past
        looked = curves is not None and math.isfinite(hover)
        self.plot.cross.setVisible(looked)
        if curves is None or not self.lines:
            return
        sample = data.sample_at(curves, hover) if looked else len(curves.simulations) - 1
        at = int(curves.simulations[sample])
        self.plot.cross.setValue(float(at))
        figures = [float(line.values[sample]) for line in self.lines]
        if past is not None and not looked:
            at, looked = past.simulations, True
            figures = [float(line.values[data.sample_at(curves, at)]) for line in self.lines]
            if self._quantity.past is not None:
                figures = self._quantity.past(past, self.lines)
        pairs = zip(self.lines, figures, strict=True)
        self.legend.show_rows(
            [(line.colour, line.dashed, line.title, (line.figure or self._quantity.figure)(x)) for line, x in pairs]
        )
        assert self.snapshot is not None
        words = [self._quantity.words(self.snapshot)]
        if looked:
            words.append(tr("at simulation {simulations}").format(simulations=count(at)))
        self.unit.setText(" · ".join(words))


def _value_lines(snapshot: Snapshot, moves: Moves, theme: Theme) -> list[Line]:
    """Return the lines of the position's value and of its best moves."""
    curves = data.curves_of(snapshot)
    lines = [Line(theme.text, tr("position"), True, curves.q)]
    return lines + [Line(colour, row.name, False, curves.qs[:, edge]) for row, edge, colour in moves]


def _value_span(curves: Curves, moves: Moves, lines: list[Line]) -> tuple[float, float]:
    return data.value_range(
        curves, [curves.q, *(curves.qs[:, edge] for row, edge, _ in moves if row.share >= data.FEW)]
    )


def _past_values(earlier: Snapshot, lines: list[Line]) -> list[float]:
    qs = {row.name: row.q for row in earlier.moves if row.visits}
    return [earlier.root.q, *(qs.get(line.title, math.nan) for line in lines[1:])]


def _share_lines(snapshot: Snapshot, moves: Moves, theme: Theme) -> list[Line]:
    """Return the lines of the best moves' shares and of all others together."""
    curves = data.curves_of(snapshot)
    shares = WHOLE * curves.shares
    lines = [Line(colour, row.name, False, shares[:, edge]) for row, edge, colour in moves]
    others = [e for e in range(len(curves.actions)) if e not in {edge for _, edge, _ in moves}]
    if others:
        title = (tr("{count} others") if len(others) > 1 else tr("1 other")).format(count=len(others))
        lines.append(Line(theme.dim, title, True, shares[:, others].sum(axis=1)))
    return lines


def _share_span(curves: Curves, moves: Moves, lines: list[Line]) -> tuple[float, float]:
    settled = curves.simulations >= data.EARLY * curves.simulations[-1]
    high = max(float(line.values[settled].max()) for line in lines)
    return 0.0, min(1.02 * WHOLE, 1.08 * high + 1)


def _past_shares(earlier: Snapshot, lines: list[Line]) -> list[float]:
    shares = {row.name: WHOLE * row.share for row in earlier.moves}
    figures = [shares.pop(line.title, 0.0) for line in lines if not line.dashed]
    return [*figures, sum(shares.values())][: len(lines)]


def _part(value: float) -> str:
    return percent(value / WHOLE)


VALUE: Final = Quantity(
    lines=_value_lines,
    span=_value_span,
    past=_past_values,
    figure=signed,
    words=lambda snapshot: tr("Q for {mover}, who is to move").format(mover=data.mover(snapshot)),
)
SHARE: Final = Quantity(
    lines=_share_lines,
    span=_share_span,
    past=_past_shares,
    figure=_part,
    words=lambda _: tr("% of the visits N"),
    whole=WHOLE,
)


def _worse_lines(snapshot: Snapshot, moves: Moves, theme: Theme) -> list[Line]:
    """Return the lines of the net's policy and of the visits on moves held to be worse; the last sample is the
    snapshot's, with what is proved."""
    from core.glass.truth import net_priors
    from core.glass.worse import worse_curves

    found = worse_curves(data.curves_of(snapshot), net_priors(snapshot.root))
    lines = [(move_colour(theme, 0), "P", found.prior), (move_colour(theme, 1), "π", found.share)]
    now = _worse_now(snapshot)
    return [
        Line(colour, title, False, WHOLE * np.append(line[:-1], now[title]))
        for colour, title, line in lines
        if not math.isnan(now[title])
    ]


def _worse_now(snapshot: Snapshot) -> dict[str, float]:
    from core.glass.worse import find_worse

    found = find_worse(snapshot.root)
    return {"P": math.nan, "π": 0.0} if found is None else {"P": found.prior, "π": found.share}


def _past_worse(earlier: Snapshot, lines: list[Line]) -> list[float]:
    now = _worse_now(earlier)
    return [WHOLE * now[line.title] for line in lines]


def _worse_span(curves: Curves, moves: Moves, lines: list[Line]) -> tuple[float, float]:
    return 0.0, max(5.0, min(1.04 * WHOLE, 1.08 * max(float(line.values.max()) for line in lines)))


WORSE: Final = Quantity(
    lines=_worse_lines,
    span=_worse_span,
    past=_past_worse,
    figure=_part,
    words=lambda _: tr("% on moves worse by 0.1 or more"),
)


def _batch_lines(snapshot: Snapshot, moves: Moves, theme: Theme) -> list[Line]:
    """Return the lines of what gave the latest simulations their values; [] where no batches were recorded."""
    curves = data.curves_of(snapshot)
    if not curves.batches.made:
        return []
    rates, largest = data.batch_rates(curves), curves.batches.largest

    def leaves(share: float) -> str:
        return plain(share / WHOLE * largest, 1)

    size = tr("batch, of {largest}").format(largest=largest)
    return [
        Line(move_colour(theme, 1), tr("from the cache"), False, WHOLE * rates.hits),
        Line(theme.warn, tr("collisions"), False, WHOLE * rates.collisions),
        Line(theme.text, size, True, WHOLE * rates.size / largest, leaves),
    ]


def _batch_span(curves: Curves, moves: Moves, lines: list[Line]) -> tuple[float, float]:
    return 0.0, 1.04 * WHOLE


BATCHES: Final = Quantity(
    lines=_batch_lines,
    span=_batch_span,
    past=None,
    figure=_part,
    words=lambda _: tr("% of the simulations · batch: mean leaves"),
    none=mark("The net's batches were not recorded here: no net, or a search from a file."),
)
