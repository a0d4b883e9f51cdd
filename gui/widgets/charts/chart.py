"""One chart: title, unit, legend with figures, plot with a crosshair.  What it draws is a :class:`Drawing`."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from gui.language.language import tr
from gui.widgets.charts.legend import LINE_STYLES, ChartLegend, Row
from gui.widgets.charts.lines import (
    ACROSS,
    BARS,
    CURVE,
    NEAREST,
    POINTS,
    SIDE,
    SOLID,
    USUAL,
    Drawing,
    Floats,
    Line,
    Role,
    Span,
    View,
    colour_of,
    inside,
    nearest,
    stacked,
    thinned,
)
from gui.widgets.charts.plot import Axis, Plot, put_line
from gui.widgets.labels import ShortLabel
from gui.widgets.text_size import by_font, px, scale
from gui.widgets.texts import set_texts
from gui.widgets.theme import current_theme, figure_font, mix, on_theme, with_alpha

PLOT_HEIGHT: Final = 148  # px
BESIDE: Final = 8  # px between a track's plot and its legend
APART: Final = 7  # px between points of a curve that are marked one by one
NEAR: Final = 14  # px within which the pointer hits a point
LABELLED: Final = 5
BEHIND: Final = 0.4  # opacity of the figures behind their smoothed curve
FILL: Final = 0.5  # opacity of a stacked line's area, and of bars
ROOM: Final = 16777215  # QWIDGETSIZE_MAX


Made = TypeVar("Made")


def _enough(made: list[Made], wanted: int, make: Callable[[], Made]) -> list[Made]:
    """Return the list after as many were added as are wanted."""
    while len(made) < wanted:
        made.append(make())
    return made


def _colour(role: Role) -> QColor:
    return QColor(colour_of(current_theme(), role))


class _Items:
    """What draws one line; made once and given the data of other lines."""

    def __init__(self, plot: Plot) -> None:
        self._plot = plot
        self._made: dict[str, pg.GraphicsObject] = {}

    def _item(self, kind: str) -> pg.GraphicsObject:
        if kind not in self._made:
            if kind in (CURVE, "raw"):
                self._made[kind] = self._plot.add_curve()
            else:
                none = np.zeros(0)
                if kind == POINTS:
                    self._made[kind] = pg.ScatterPlotItem()
                elif kind == BARS:
                    self._made[kind] = pg.BarGraphItem(x=none, height=none, width=1)
                else:
                    self._made[kind] = pg.ErrorBarItem(x=none, y=none, beam=0)
                self._plot.addItem(self._made[kind])
        return self._made[kind]

    def hide(self) -> None:
        for item in self._made.values():
            item.setVisible(False)

    @property
    def drawn(self) -> tuple[list[float], list[float]]:
        """The places and values of the curve or the points that are drawn."""
        item = next(item for kind, item in self._made.items() if kind in (CURVE, POINTS) and item.isVisible())
        x, y = item.getData()
        return ([], []) if x is None else (x.tolist(), y.tolist())

    def show(self, line: Line, span: Span, pixels: int, ratio: float, logs: tuple[bool, bool]) -> None:
        """Draw the part of a line within a span that is so many pixels wide."""
        self.hide()
        if line.form == CURVE:
            self._show_curve(line, span, pixels, ratio, logs)
            return
        x, y = (np.log10(v) if log else v for v, log in zip((line.x, line.y), logs, strict=True))
        self._show_interval(line, x, y)
        item, colour = self._item(line.form), _colour(line.colour)
        if line.form == BARS:
            item.setOpts(x=x, height=y, width=0.74, brush=with_alpha(colour, FILL), pen=pg.mkPen(None))
        else:
            roles = line.colours or [line.colour] * len(x)
            brushes = [pg.mkBrush(None if line.hollow else _colour(role)) for role in roles]
            pens = [pg.mkPen(_colour(role) if line.hollow else None) for role in roles]
            item.setData(x=x, y=y, size=line.sizes, symbol=list(line.symbols or "o" * len(x)), brush=brushes, pen=pens)
        item.setVisible(True)

    def _show_curve(self, line: Line, span: Span, pixels: int, ratio: float, logs: tuple[bool, bool]) -> None:
        colour = _colour(line.colour)
        self._show_interval(line, line.x, line.y)
        for kind, values in ((CURVE, line.y), ("raw", line.raw)):
            if values is None:
                continue
            item = self._item(kind)
            x, y = thinned(line.x, values, *span, round(pixels * ratio))
            known = np.isfinite(y).any()
            x, y = (np.log10(v) if log else v for v, log in zip((x, y), logs, strict=True))
            if kind == CURVE:  # pens of plots are in pixels of the screen
                item.setPen(pg.mkPen(colour, width=line.width * ratio, style=LINE_STYLES[line.style]))
                item.setZValue(1 if line.width > USUAL else 0)
                self._show_symbols(item, line, span, pixels, colour)
            else:
                item.setPen(pg.mkPen(with_alpha(colour, BEHIND), width=1))
                item.setZValue(-5)
            item.setFillLevel(None)
            item.setFillBrush(None)
            item.setData(x if known else [], y if known else [])
            item.setVisible(True)

    def _show_symbols(self, item: pg.PlotDataItem, line: Line, span: Span, pixels: int, colour: QColor) -> None:
        """Mark the points of a curve one by one where they are far enough apart."""
        seen = line.x[inside(line.x, *span)]
        wide = len(seen) < 2 or (seen[-1] - seen[0]) / (span[1] - span[0]) * pixels >= APART * len(seen)
        each = not isinstance(line.sizes, float | int)
        item.setSymbol("o" if each or (line.sizes and wide and line.raw is None) else None)
        item.setSymbolSize(list(line.sizes) if each else line.sizes)  # type: ignore[arg-type]
        item.setSymbolBrush(colour)
        item.setSymbolPen(None)

    def _show_interval(self, line: Line, x: Floats, y: Floats) -> None:
        if line.low is not None and line.high is not None:
            item = self._item("interval")
            pen = pg.mkPen(with_alpha(_colour(line.colour), 0.7), width=1.3)
            item.setData(x=x, y=y, top=np.maximum(line.high - y, 0), bottom=np.maximum(y - line.low, 0), pen=pen)
            item.setVisible(True)

    def fill(self, place: int, role: Role) -> None:
        """Fill the area below a stacked curve; those before it cover its lower part."""
        item = self._item(CURVE)
        item.setZValue(-place)
        item.setFillLevel(0.0)
        item.setFillBrush(pg.mkBrush(mix(current_theme().color("panel"), _colour(role), FILL)))


class Chart(QFrame):
    """A chart; without a title or entries of a legend it is the plot and what there is of these."""

    def __init__(
        self,
        title: str,
        meaning: str,
        parent: QWidget | None = None,
        entries: int = 1,
        height: int = PLOT_HEIGHT,
        alone: bool = True,
        track: bool = False,
    ) -> None:
        """``entries``: lines it usually has; ``height``: least one of its plot, in px; ``alone``: it moves its own
        crosshair; ``track``: its head stands at the left of the plot and its legend at the right."""
        super().__init__(parent)
        self.id = ""  # in a grid
        self.large = self.log = False
        self.drawing, self.view = Drawing(), View()
        self.plot = Plot(self)
        self._entries, self._height, self._track = entries, height, track
        self._hover = self._marked = math.nan
        self._near: tuple[int, int] | None = None  # the line and its point that the pointer is at
        self._items: list[_Items] = []
        self._levels: list[tuple[pg.InfiniteLine, pg.TextItem]] = []
        self._shades: list[pg.LinearRegionItem] = []
        self._labels: list[pg.TextItem] = []
        self._upright = pg.InfiniteLine(angle=90)
        self._dots = pg.ScatterPlotItem(size=7, pen=None)
        self._dots.setZValue(10)
        for item in (self._upright, self._dots):
            self.plot.addItem(item, ignoreBounds=True)
        self._lay_out(title, meaning)
        self.plot.set_empty(True)
        self.plot.hovered.connect(self._find_near)
        self.plot.pointed.connect(lambda x: None if math.isfinite(x) else self._name(None))
        if alone:
            self.plot.pointed.connect(self.set_hover)
        self.plot.getViewBox().sigResized.connect(lambda _: self._draw())
        by_font(self.plot, self.measure)
        on_theme(self, self._draw_again)

    def _lay_out(self, title: str, meaning: str) -> None:
        set_texts(self, toolTip=meaning, accessibleName=title, accessibleDescription=meaning)
        self.title = set_texts(QLabel(self), text=title)
        self.unit = QLabel(self) if self._track else ShortLabel(self)  # a long unit makes it no wider
        self.title.setObjectName("heading")
        self.title.setVisible(bool(title))
        self.unit.setObjectName("faint")
        self.legend = ChartLegend(0 if self._track else 1, self)  # ``measure`` tells how many lines
        self.stacked = QToolButton(self)
        self.stacked.setObjectName("small")
        set_texts(self.stacked, text="Stacked", toolTip="Stacked shares: together they are all visits")
        self.stacked.setCheckable(True)
        self.stacked.hide()
        self.stacked.toggled.connect(lambda _: self.show_drawing(self.drawing, self.view))
        self.head = QGridLayout()
        self.head.setHorizontalSpacing(8)
        self.head.setVerticalSpacing(1)
        self.head.addWidget(self.title, 0, 0)
        self.head.setColumnStretch(1, 1)
        self.plot.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)  # as high as its row
        self.plot.setMaximumHeight(ROOM)
        self.legend.setVisible(bool(self._entries))
        self.unit.setVisible(bool(self._entries))
        if self._track:
            self._lay_out_track()
            return
        self.head.addWidget(self.unit, 0, 1)
        self.head.addWidget(self.stacked, 0, 2)
        self.head.addWidget(self.legend, 1, 0, 1, 4)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(self.head)
        column.addWidget(self.plot, 1)
        if title:
            self.setObjectName("card")
            self.head.setContentsMargins(12, 0, 12, 0)
            column.setContentsMargins(0, 8, 6, 4)

    def _lay_out_track(self) -> None:
        self.unit.setWordWrap(True)
        self.unit.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.unit.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self._side = QWidget(self)
        self._side.setLayout(self.head)
        self.head.setContentsMargins(2, 2, 6, 0)
        self.head.addWidget(self.unit, 1, 0, 1, 4)
        self.head.addWidget(self.stacked, 2, 0)
        self.head.setRowStretch(1, 1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self._side)
        row.addWidget(self.plot, 1)
        row.addSpacing(BESIDE)
        row.addWidget(self.legend)

    def set_sides(self, left: int, right: int) -> None:
        """Set the widths of a track's head and legend, in px."""
        self._side.setFixedWidth(left)
        self.legend.setFixedWidth(max(0, right - BESIDE))

    def measure(self) -> None:
        """Set heights so that a taller legend makes no taller chart; large text needs an extra line for it."""
        if self._track:
            self.plot.setMinimumHeight(px(self._height))
            return
        least = 1 + (self._entries > 3) + (self._entries > 1 and scale() > 1.2)
        several = any(line.owner for line in self.drawing.lines)
        self.legend.lines = max(least, len({line.name for line in self.drawing.lines})) if several else least
        self.legend.updateGeometry()
        self.plot.setMinimumHeight(px(self._height) + self.fontMetrics().height() * (1 - least))

    def set_large(self, large: bool) -> None:
        """Let it fill its page."""
        self.large = self.plot.by_wheel = large
        self.measure()
        self._read()

    # what is drawn

    def show_drawing(self, drawing: Drawing, view: View | None = None) -> None:
        """Draw something else, or in another way."""
        self.drawing, self.view = drawing, view or View()
        self.log = self.id in self.view.logs and drawing.can_be_log
        self.stacked.setVisible(drawing.whole is not None)
        self.plot.set_empty(not drawing.has_figures)
        if drawing.nothing:
            self.plot.empty.setText(drawing.nothing)
        self.measure()
        self._draw_again()

    def _draw_again(self) -> None:
        """Draw everything, in the colours of the theme."""
        theme, drawing = current_theme(), self.drawing
        self.plot.marker.setPen(pg.mkPen(_colour(drawing.marker), width=1.6))
        self._upright.setPen(pg.mkPen(theme.good, width=1.4))
        self._set_axes()
        for shade, span in zip(_enough(self._shades, len(drawing.spans), self._new_shade), drawing.spans, strict=False):
            shade.setBrush(pg.mkBrush(theme.color("warn", 0.22)))
            shade.setRegion(span)
        for place, shade in enumerate(self._shades):
            shade.setVisible(place < len(drawing.spans) and not self.plot.is_empty)
        self._draw()
        self._read()

    def _set_axes(self) -> None:
        left, bottom, right = (self.plot.getAxis(side) for side in ("left", "bottom", "right"))
        logs = self._logs
        bottom.setLogMode(logs[0], None)
        left.setLogMode(None, logs[1])
        bottom.wholes = self.drawing.wholes
        for axis, text in zip((bottom, left), self.drawing.ticks, strict=True):
            axis.text = text or Axis.text
        for axis, ticks in ((left, self.drawing.left), (right, self.drawing.right)):
            axis.setTicks([[*ticks], [(-0.5, ""), (0.5, "")]] if ticks else None)
        if bool(self.drawing.right) != right.isVisible():
            self.plot.showAxis("right", bool(self.drawing.right))
            right.setWidth(40)

    def _new_shade(self) -> pg.LinearRegionItem:
        shade = pg.LinearRegionItem(movable=False, pen=pg.mkPen(None))
        shade.setZValue(-20)
        self.plot.addItem(shade, ignoreBounds=True)
        return shade

    @property
    def _logs(self) -> tuple[bool, bool]:
        return self.drawing.logs[0], self.log or self.drawing.logs[1]

    @property
    def is_stacked(self) -> bool:
        """Whether the lines are drawn one on the other."""
        return self.drawing.whole is not None and self.stacked.isChecked()

    @property
    def drawn_lines(self) -> Sequence[Line]:
        """The lines as they are drawn."""
        lines = self.drawing.lines
        return stacked(lines) if self.is_stacked and lines else lines

    @property
    def curves(self) -> list[tuple[list[float], list[float]]]:
        """The places and values of each curve and row of points as they are drawn; logarithms on such an axis."""
        lines = self.drawing.lines if not self.plot.is_empty else ()
        return [items.drawn for items, line in zip(self._items, lines, strict=False) if line.form != BARS]

    @property
    def span(self) -> Span:
        """The range of the x axis."""
        drawing = self.drawing
        if self.view.zoom is not None and self.plot.zooms:
            return self.view.zoom
        if drawing.across is not None:
            return drawing.across
        xs = np.concatenate([line.x for line in drawing.lines]) if drawing.lines else np.zeros(0)
        return (float(xs.min()), float(xs.max())) if xs.size else (0.0, 1.0)

    def _draw(self) -> None:
        """Draw the lines within the range, with at most a few points for each pixel."""
        shown = self.drawn_lines if not self.plot.is_empty else ()
        span, pixels = self.span, max(64, round(self.plot.getViewBox().width()))
        for items in _enough(self._items, len(shown), lambda: _Items(self.plot))[len(shown) :]:
            items.hide()
        for place, (items, line) in enumerate(zip(self._items, shown, strict=False)):
            items.show(line, span, pixels, self.devicePixelRatioF(), self._logs)
            if self.is_stacked:
                items.fill(place, line.colour)
        for upright, x in ((self.plot.marker, self._marked), (self._upright, self.drawing.upright)):
            put_line(upright, math.nan if self.plot.is_empty else x)
        self._fit(*span)
        self._place_labels()
        self.plot.scene().prepareForPaint()  # what a new range moves is moved now, not during a paint that then is two

    def _fit(self, left: float, right: float) -> None:
        """Set both ranges so that every finite figure within the x range is visible."""
        drawing, whole = self.drawing, self.view.zoom is None or not self.plot.zooms
        if self.plot.is_empty:
            self._show_levels(right, 0.0)
            return
        if self.is_stacked:
            low, high = 0.0, 1.02 * (drawing.whole or 1.0)
        elif drawing.up is not None and whole and not self.log:
            low, high = drawing.up
        else:
            low, high = self._range_of(self._seen(left, right))
        if drawing.levels:
            right, high = self._name_levels(left, right, low, high)
        x, y = (
            (math.log10(a), math.log10(b)) if log else (a, b)
            for log, (a, b) in zip(drawing.logs, ((left, right), (low, high)), strict=True)
        )
        self.plot.setRange(xRange=x, yRange=y, padding=0, update=True)

    def _seen(self, left: float, right: float) -> Floats:
        """Return the values within the x range that set the y range; those of lines for comparison only if alone."""
        lines = [line for line in self.drawing.lines if not line.beside] or self.drawing.lines
        values = [np.array([level.y for level in self.drawing.levels])]
        for line in lines:
            part = inside(line.x, left, right)
            values += [ys[part] for ys in (line.y, line.low, line.high) if ys is not None]
        seen: Floats = np.concatenate(values)
        return seen[np.isfinite(seen)]

    def _range_of(self, seen: Floats) -> Span:
        """Return the range of the y axis for these values; of logarithms on a logarithmic one."""
        drawing = self.drawing
        if not seen.size:
            return 0.0, 1.0
        low, high = float(seen.min()), float(seen.max())
        if self.log:
            low, high = math.log10(low), math.log10(high)
            pad = 0.06 * (high - low) or 0.1
            return low - pad, high + pad
        if drawing.from_zero:
            low = min(0.0, low)
        lacking = max(0.0, drawing.least_span - (high - low))
        low, high = low - lacking / 2, high + lacking / 2
        pad = 0.06 * (high - low) or 0.1 * abs(high) or 1.0
        return low if drawing.from_zero and low == 0 else low - pad, high + pad

    # names of levels and points

    @property
    def _small(self) -> QFont:
        return figure_font(self.font(), 0.85)

    def _name_levels(self, left: float, right: float, low: float, high: float) -> Span:
        """Show the levels with their names at the right; return the right end and the top that these need."""
        metrics, view = QFontMetrics(self._small), self.plot.getViewBox()
        if self.view.zoom is None:
            needed = max(metrics.horizontalAdvance(level.name) + px(10) for level in self.drawing.levels)
            right += (right - left) * needed / max(1.0, view.width() - needed, needed)
        apart = 1.4 * metrics.height() * (high - low) / max(1.0, view.height())
        return right, max(high, self._show_levels(right, apart) + 0.06 * (high - low))

    def _show_levels(self, right: float, apart: float) -> float:
        """Show the levels, with names at ``right`` at least ``apart`` from each other; return the highest name's y.

        A name that does not fit near its line is left out.
        """
        ordered = sorted(self.drawing.levels, key=lambda level: level.y) if not self.plot.is_empty else []
        theme, top = current_theme(), -math.inf
        for place, (line, name) in enumerate(_enough(self._levels, len(ordered), self._new_level)):
            for item in (line, name):
                item.setVisible(place < len(ordered))
            if place < len(ordered):
                level = ordered[place]
                line.setPen(pg.mkPen(theme.faint, width=1, style=Qt.PenStyle.DashLine))
                line.setValue(level.y)
                at = max(level.y, top + apart)
                shown = at - level.y <= apart  # farther away it could be taken for another line's name
                name.setColor(theme.dim)
                name.fill = pg.mkBrush(theme.color("panel", 0.85))
                name.setFont(self._small)
                name.setText(level.name if shown else "")
                name.setPos(right, at)
                top = at if shown else top
        return top

    def _new_level(self) -> tuple[pg.InfiniteLine, pg.TextItem]:
        line, name = pg.InfiniteLine(angle=0), pg.TextItem(anchor=(1, 0.5))
        for item, depth in ((line, -10), (name, 10)):
            item.setZValue(depth)
            self.plot.addItem(item, ignoreBounds=True)
        return line, name

    def _place_labels(self) -> None:
        """Place the labels beside their points, the first ones first, where they do not overlap."""
        labels = self.drawing.labels if not self.plot.is_empty else ()
        taken: list[QPointF] = []
        metrics = self.fontMetrics()
        for x, y, name in labels:
            x, y = (math.log10(v) if log else v for v, log in zip((x, y), self._logs, strict=True))
            pixel = self.plot.pixel_of(x, y)
            if len(taken) == LABELLED or any(
                abs(pixel.y() - other.y()) <= 0.8 * metrics.height()
                and abs(pixel.x() - other.x()) <= 3 * metrics.height()
                for other in taken
            ):
                continue
            taken.append(pixel)
            label = _enough(self._labels, len(taken), self._new_label)[len(taken) - 1]
            left = pixel.x() + metrics.horizontalAdvance(name) + 14 > self.plot.width()
            label.setFont(self._small)
            label.setColor(current_theme().text)
            label.setAnchor((1.25, 0.5) if left else (-0.25, 0.5))
            label.setText(name)
            label.setPos(x, y)
        for place, label in enumerate(self._labels):
            label.setVisible(place < len(taken))

    def _new_label(self) -> pg.TextItem:
        label = pg.TextItem(anchor=(0, 0.5))
        self.plot.addItem(label, ignoreBounds=True)
        return label

    # crosshair and marker

    def set_hover(self, x: float) -> None:
        """Move the crosshair to the figures nearest to an x value; NaN for none."""
        self._hover = x
        self._read()

    def set_marker(self, x: float) -> None:
        """Show a line at a chosen place; NaN for none."""
        if x == self._marked or (math.isnan(x) and math.isnan(self._marked)):
            return
        self._marked = x
        put_line(self.plot.marker, math.nan if self.plot.is_empty else x)
        self._read()

    @property
    def looked_at(self) -> float:
        """The x value of the legend's figures: the crosshair's, else the marker's; NaN for the newest."""
        return self._hover if math.isfinite(self._hover) else self._marked

    def _place(self, line: Line) -> int:
        """Return the place of a line that is looked at, -1 for none: beside others a line ends with its last figure."""
        at = self.looked_at
        if not len(line.x) or not math.isfinite(at) or self.drawing.reads != ACROSS:
            return len(line.x) - 1
        left, right = self.span
        margin = SIDE * (right - left) if line.owner else math.inf
        return nearest(line.x, at) if line.x[0] - margin <= at <= line.x[-1] + margin else -1

    def _words(self, line: Line, place: int) -> tuple[str, str]:
        """Return the name and the value of a line in the legend."""
        if line.now is not None and not (math.isfinite(self._hover) and self.drawing.reads == ACROSS):
            return line.name, line.now
        if place < 0:
            return line.name, line.text(math.nan)
        if line.read is not None:
            return line.read(place, self.large)
        text, raw = line.text(float(line.y[place])), math.nan if line.raw is None else float(line.raw[place])
        if self.large and math.isfinite(raw):
            text = tr("{smoothed} ({value})").format(smoothed=text, value=line.text(raw))
        return line.name, text

    def _read(self) -> None:
        """Show the figures that are looked at in the legend, on the lines and beside the title."""
        rows: list[Row] = []
        words: list[str] = []
        dots: list[dict[str, object]] = []
        before, at = "", math.nan
        for line, drawn in zip(self.drawing.lines, self.drawn_lines, strict=True):
            if not line.name:
                continue
            place = self._place(line)
            name, text = self._words(line, place)
            colour = colour_of(current_theme(), line.colour)
            rows.append((colour, line.style, "" if line.owner and name == before else name, text))
            words.append(" ".join(filter(None, (line.owner, name, text))))
            before = name
            if place >= 0 and not math.isfinite(at):
                at = float(line.x[place])
            y = float(drawn.y[place]) if place >= 0 and line.form == CURVE else math.nan
            if math.isfinite(self._hover) and math.isfinite(y):
                dots.append({"pos": (line.x[place], math.log10(y) if self.log else y), "brush": colour})
        rows = self._near_row() or rows
        self.legend.show_rows(rows, "; ".join(words))
        if dots or len(self._dots.data):
            self._dots.setData(dots)
        self._show_cross(at)

    def _near_row(self) -> list[Row]:
        """Return the row of the point that the pointer is at."""
        if self._near is None or self._near[0] >= len(self.drawing.lines):
            return []
        line, place = self.drawing.lines[self._near[0]], self._near[1]
        if line.read is None or place >= len(line.x):
            return []
        role = line.colours[place] if line.colours else line.colour
        return [(colour_of(current_theme(), role), SOLID, *line.read(place, self.large))]

    def _show_cross(self, at: float) -> None:
        """Show the crosshair at the figures that are read, and their place beside the unit.

        Figures may be far apart: between two of them the curve passes through values that were never measured.
        """
        drawing = self.drawing
        hovers = math.isfinite(self._hover) and drawing.reads == ACROSS
        at = (at if math.isfinite(at) else self._hover) if hovers else math.nan
        put_line(self.plot.cross, math.nan if self.plot.is_empty else at)
        place = drawing.now
        if hovers:
            place = drawing.at(at)
        elif math.isfinite(self._marked):
            place = place or drawing.at(self._marked)
        logarithmic = tr("logarithmic") if self.log else ""
        self.unit.setText(" · ".join(filter(None, (drawing.unit, place, logarithmic))) if drawing.lines else "")

    def _find_near(self, pixel: QPointF) -> None:
        if self.drawing.reads != NEAREST or self.plot.is_empty:
            return
        best, far = None, float(NEAR)
        for index, line in enumerate(self.drawing.lines):
            if line.form == POINTS:
                xs, ys = (np.log10(v) if log else v for v, log in zip((line.x, line.y), self._logs, strict=True))
                for place, (x, y) in enumerate(zip(xs.tolist(), ys.tolist(), strict=True)):
                    away = self.plot.pixel_of(x, y) - pixel
                    if math.hypot(away.x(), away.y()) <= far:
                        best, far = (index, place), math.hypot(away.x(), away.y())
        self._name(best)

    def _name(self, near: tuple[int, int] | None) -> None:
        """Show one point's figures; None: what the chart shows."""
        if near != self._near:
            self._near = near
            self._read()
