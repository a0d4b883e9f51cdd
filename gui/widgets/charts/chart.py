"""One chart: title, unit, legend with figures, plot with a crosshair.  What it draws is a :class:`Drawing`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor
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
from gui.widgets.charts.plot import Axis, Plot, Tag
from gui.widgets.charts.shapes import Shape
from gui.widgets.labels import ShortLabel
from gui.widgets.text_size import by_font, px, scale
from gui.widgets.texts import set_texts
from gui.widgets.theme import current_theme, mix, on_theme, with_alpha

PLOT_HEIGHT: Final = 148  # px
BESIDE: Final = 8  # px between a track's plot and its legend
APART: Final = 7  # px between points of a curve that are marked one by one
NEAR: Final = 14  # px within which the pointer hits a point
LABELLED: Final = 5
BEHIND: Final = 0.4  # opacity of the figures behind their smoothed curve
FILL: Final = 0.5  # opacity of a stacked line's area, and of bars
ROOM: Final = 16777215  # QWIDGETSIZE_MAX


def _colour(role: Role) -> QColor:
    return QColor(colour_of(current_theme(), role))


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
        self._drawn: list[Shape] = []  # that of each line, without what is drawn behind
        self._lay_out(title, meaning)
        self.plot.set_empty(True)
        self.plot.hovered.connect(self._find_near)
        self.plot.pointed.connect(lambda x: None if math.isfinite(x) else self._name(None))
        if alone:
            self.plot.pointed.connect(self.set_hover)
        self.plot.resized.connect(self._draw)
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

    def set_footed(self, footed: bool) -> None:
        """Draw the figures of the x axis, or leave them to the chart below."""
        if footed != self.plot.footed:
            self.plot.footed = footed
            self._draw()

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
        empty = not drawing.has_figures
        self.plot.set_empty(empty)
        self.plot.empty.setText((empty and drawing.nothing) or tr("no figures yet"))
        self.measure()
        self._draw_again()

    def _draw_again(self) -> None:
        """Draw everything, in the colours of the theme."""
        self._draw()
        self._read()

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
        return [(shape.x.tolist(), shape.y.tolist()) for shape in self._drawn if shape.form != BARS]

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
        plot, drawing = self.plot, self.drawing
        lines, span = () if plot.is_empty else self.drawn_lines, self.span
        behind: list[Shape] = []
        self._drawn = [self._shape(line, place, span, behind) for place, line in enumerate(lines)]
        plot.shapes = [*behind, *self._drawn]
        plot.right, plot.spans, plot.upright = drawing.right, drawing.spans, drawing.upright
        plot.marker, plot.marker_colour = math.nan if plot.is_empty else self._marked, _colour(drawing.marker)
        if not plot.is_empty:
            self._fit(*span)
        plot.update()

    def _scaled(self, x: Floats, y: Floats) -> tuple[Floats, Floats]:
        """Return places and values in the units of the axes."""
        with np.errstate(divide="ignore", invalid="ignore"):
            x, y = (np.log10(v) if log else v for v, log in zip((x, y), self._logs, strict=True))
        return x, y

    def _shape(self, line: Line, place: int, span: Span, behind: list[Shape]) -> Shape:
        """Return what a line is drawn as; what it is the smoothed curve of is added to ``behind``."""
        colour, (x, y) = _colour(line.colour), (line.x, line.y)
        sizes = [line.sizes] if isinstance(line.sizes, float | int) else line.sizes
        ends = None if line.low is None or line.high is None else (line.low, line.high)
        if line.form != CURVE:
            colours = [_colour(role) for role in line.colours or (line.colour,)]
            colours = [with_alpha(colour, FILL)] if line.form == BARS else colours
            x, y = self._scaled(x, y)
            return Shape(
                x, y, line.form, colours, sizes=sizes, symbols=line.symbols or "o", hollow=line.hollow, ends=ends
            )
        pixels = max(64, round(self.plot.box.width() * self.devicePixelRatioF()))
        if line.raw is not None:
            thin = self._scaled(*thinned(x, line.raw, *span, pixels))
            behind.append(Shape(*thin, CURVE, [with_alpha(colour, BEHIND)], depth=-5))
        if ends is None and len(sizes) < 2:  # else each point has its own
            x, y = thinned(x, y, *span, pixels)
            shown = line.x[inside(line.x, *span)]
            wide = len(shown) < 2 or (shown[-1] - shown[0]) / (
                span[1] - span[0]
            ) * self.plot.box.width() >= APART * len(shown)
            sizes = sizes if sizes[0] and wide and line.raw is None else ()
        x, y = self._scaled(x, y)
        area = mix(current_theme().color("panel"), colour, FILL) if self.is_stacked else None
        depth = -place if self.is_stacked else int(line.width > USUAL)  # the areas before cover the lower part
        return Shape(
            x, y, CURVE, [colour], line.width, LINE_STYLES[line.style], sizes, area=area, ends=ends, depth=depth
        )

    def _fit(self, left: float, right: float) -> None:
        """Set both ranges so that every finite figure within the x range is visible."""
        drawing, whole = self.drawing, self.view.zoom is None or not self.plot.zooms
        if self.is_stacked:
            low, high = 0.0, 1.02 * (drawing.whole or 1.0)
        elif drawing.up is not None and whole and not self.log:
            low, high = drawing.up
        else:
            low, high = self._range_of(self._values_within(left, right))
        tags: list[Tag] = []
        if drawing.levels:
            right, high = self._name_levels(left, right, low, high, tags)
        x, y = (
            (math.log10(a), math.log10(b)) if log else (a, b)
            for log, (a, b) in zip(drawing.logs, ((left, right), (low, high)), strict=True)
        )
        across, up = (text or Axis.text for text in drawing.ticks)
        self.plot.across = Axis(x, self._logs[0], drawing.wholes, across)
        self.plot.up = Axis(y, self._logs[1], text=up, fixed=drawing.left)
        self.plot.tags = [*tags, *self._labels()]

    def _values_within(self, left: float, right: float) -> Floats:
        """Return the values within the x range that set the y range; those of lines for comparison only if alone."""
        lines = [line for line in self.drawing.lines if not line.beside] or self.drawing.lines
        values = [np.array([level.y for level in self.drawing.levels])]
        for line in lines:
            part = inside(line.x, left, right)
            values += [ys[part] for ys in (line.y, line.low, line.high) if ys is not None]
        figures: Floats = np.concatenate(values)
        return figures[np.isfinite(figures)]

    def _range_of(self, values: Floats) -> Span:
        """Return the range of the y axis for these values; of logarithms on a logarithmic one."""
        drawing = self.drawing
        if not values.size:
            return 0.0, 1.0
        low, high = float(values.min()), float(values.max())
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

    def _name_levels(self, left: float, right: float, low: float, high: float, tags: list[Tag]) -> Span:
        """Add the names of the levels to ``tags``; return the right end and the top that these need.

        A name that does not fit near its line is left out.
        """
        metrics, box = self.fontMetrics(), self.plot.box
        if self.view.zoom is None:
            needed = max(metrics.horizontalAdvance(level.name) + px(10) for level in self.drawing.levels)
            right += (right - left) * needed / max(1.0, box.width() - needed, needed)
        apart, top = 1.2 * metrics.height() * (high - low) / max(1.0, box.height()), -math.inf
        for level in sorted(self.drawing.levels, key=lambda level: level.y):
            at = max(level.y, top + apart)
            shown = at - level.y <= apart  # farther away it could be taken for another line's name
            tags.append(Tag(right, at, level.name if shown else "", level.y))
            top = at if shown else top
        return right, max(high, top + 0.06 * (high - low))

    def _labels(self) -> list[Tag]:
        """Return the names beside points, the first ones first, where they do not overlap."""
        taken: dict[Tag, QPointF] = {}
        tall = self.fontMetrics().height()
        for x, y, name in self.drawing.labels:
            x, y = (math.log10(v) if log else v for v, log in zip((x, y), self._logs, strict=True))
            tag = Tag(x, y, name)
            pixel = self.plot.pixel_of(tag.x, tag.y)
            away = (pixel - other for other in taken.values())
            if len(taken) < LABELLED and all(abs(by.y()) > 0.8 * tall or abs(by.x()) > 3 * tall for by in away):
                taken[tag] = pixel
        return list(taken)

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
        self.plot.marker = math.nan if self.plot.is_empty else x
        self.plot.update()
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
        dots: list[tuple[float, float, str]] = []
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
                dots.append((float(line.x[place]), math.log10(y) if self.log else y, colour))
        rows = self._near_row() or rows
        self.legend.show_rows(rows, "; ".join(words))
        self._show_cross(at, dots)

    def _near_row(self) -> list[Row]:
        """Return the row of the point that the pointer is at."""
        if self._near is None or self._near[0] >= len(self.drawing.lines):
            return []
        line, place = self.drawing.lines[self._near[0]], self._near[1]
        if line.read is None or place >= len(line.x):
            return []
        role = line.colours[place] if line.colours else line.colour
        return [(colour_of(current_theme(), role), SOLID, *line.read(place, self.large))]

    def _show_cross(self, at: float, dots: list[tuple[float, float, str]]) -> None:
        """Show the crosshair at the figures that are read, and their place beside the unit.

        Figures may be far apart: between two of them the curve passes through values that were never measured.
        """
        drawing = self.drawing
        hovers = math.isfinite(self._hover) and drawing.reads == ACROSS
        at = (at if math.isfinite(at) else self._hover) if hovers else math.nan
        cross = math.nan if self.plot.is_empty else at
        if dots != self.plot.dots or not (
            cross == self.plot.cross or (math.isnan(cross) and math.isnan(self.plot.cross))
        ):
            self.plot.cross, self.plot.dots = cross, dots
            self.plot.update()
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
                xs, ys = self._scaled(line.x, line.y)
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
