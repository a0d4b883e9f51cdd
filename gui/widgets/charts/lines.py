"""What a chart shows, as data: lines with their figures, named levels, shaded spans, ranges.

A room gives each chart a :class:`Drawing`; how it looks and answers to the mouse is the chart's.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Generic, TypeVar

import numpy as np

from core.text import Words
from gui.widgets.figures import MINUS, plain, short_count
from gui.widgets.theme import Theme

Floats = np.ndarray[Any, np.dtype[np.float64]]
Role = int | str | Callable[[Theme], str]  # a place in the theme's series, the name of a colour, a function of both
Span = tuple[float, float]
STYLES: Final = range(5)  # of lines: solid, dotted, dashed and two more that only tell several lines apart
SOLID, DOTTED, DASHED = STYLES[:3]
CURVE, BARS, POINTS = "curve", "bars", "points"
ACROSS, NEAREST, NOTHING = "across", "nearest", "nothing"  # what the crosshair reads
USUAL: Final = 1.8  # px, width of a line
SIDE: Final = 0.012  # share of the width left free at both sides


def colour_of(theme: Theme, role: Role) -> str:
    """Return the colour of a role in a theme, as "#rrggbb"."""
    if isinstance(role, int):
        return theme.series[role % len(theme.series)]
    return str(getattr(theme, role)) if isinstance(role, str) else role(theme)


@dataclass(frozen=True, eq=False)
class Line:
    """One curve, row of bars or row of points, n values at ascending places; NaN is a gap.

    Without a name it has no row in the legend.
    """

    name: str  # in the language of the window
    x: Floats  # [n]
    y: Floats  # [n]
    colour: Role = 0
    style: int = SOLID  # one of STYLES
    form: str = CURVE
    text: Callable[[float], str] = plain  # of a value, in the legend
    now: str | None = None  # value in the legend while no place is looked at; None: that of the last place
    read: Callable[[int, bool], tuple[str, str]] | None = None  # (place, is the chart large) -> name and value
    owner: str = ""  # whose line, where several have a line of this name
    raw: Floats | None = None  # [n] drawn faintly behind: what ``y`` is the smoothed curve of
    low: Floats | None = None  # [n] ends of the interval of each value
    high: Floats | None = None
    sizes: float | Sequence[float] = 0.0  # px of the points on a curve, or of those of a row of points; 0: none
    symbols: Sequence[str] | None = None  # of each point of a row of points, see ``Shape``
    colours: Sequence[Role] | None = None  # the same
    hollow: bool = False  # points without a fill
    width: float = USUAL  # px; a wider one is before the others
    beside: bool = False  # for comparison: the range of the y axis ignores it


@dataclass(frozen=True)
class Level:
    """A named horizontal line."""

    y: float
    name: str


@dataclass(frozen=True, eq=False)
class Drawing:
    """What a chart shows.  A range that is None follows from the lines seen."""

    lines: Sequence[Line] = ()
    across: Span | None = None  # of the x axis when nothing is zoomed
    up: Span | None = None  # of the y axis when nothing is zoomed
    from_zero: bool = False  # keeps 0 in view
    least_span: float = 0.0  # smallest range of the y axis, so that noise is not enlarged
    whole: float | None = None  # what the lines add up to, where they can be stacked
    unit: str = ""
    at: Callable[[float], str] = lambda x: ""  # a place on the x axis in words
    now: str = ""  # beside the unit while no place is looked at
    nothing: str = ""  # why there is nothing to draw; "": what the grid says
    reads: str = ACROSS
    logs: tuple[bool, bool] = (False, False)  # whether x and y are logarithmic in any case
    wholes: bool = False  # ticks of the x axis at whole numbers only
    ticks: tuple[Callable[[float], str] | None, Callable[[float], str] | None] = (
        None,
        None,
    )  # how those of x and y are written
    left: Sequence[tuple[float, str]] = ()  # ticks of the y axis
    right: Sequence[tuple[float, str]] = ()  # ticks of a second y axis at the right
    levels: Sequence[Level] = ()
    spans: Sequence[Span] = ()  # shaded ranges of the x axis
    upright: float = math.nan  # a line at this x
    labels: Sequence[tuple[float, float, str]] = ()  # names beside points, where they have room; the first ones first
    marker: Role = "accent"

    @property
    def has_figures(self) -> bool:
        return any(np.isfinite(line.y).any() for line in self.lines)

    @property
    def can_be_log(self) -> bool:
        """Whether all figures are positive, so that a logarithmic axis can show them."""
        finite = [line.y[np.isfinite(line.y)] for line in self.lines]
        plain_lines = self.reads == ACROSS and not any(line.low is not None for line in self.lines)
        return plain_lines and any(y.size for y in finite) and all((y > 0).all() for y in finite)


@dataclass(frozen=True)
class View:
    """How the charts of a grid are shown."""

    axis: str = ""  # what they are over, where there is a choice
    smoothing: float = 0.0  # weight of earlier figures
    logs: frozenset[str] = frozenset()  # ids of the charts with a logarithmic axis
    zoom: Span | None = None  # range of the x axis; None for the whole


Model = TypeVar("Model")
Table = tuple[list[str], list[list[Any]]]  # titles of the columns, rows


@dataclass(frozen=True)
class ChartSpec(Generic[Model]):
    """One chart of a grid: what it draws of the grid's model, and its figures as a table."""

    id: str
    title: Words
    meaning: Words
    draw: Callable[[Model, View], Drawing]
    table: Callable[[Model, View], Table]
    entries: int = 1  # lines it usually has, for which its legend has room
    zooms: bool = True
    optional: Callable[[Model], bool] | None = None  # whether it is shown; None: always
    presses: bool = False  # a click on it chooses something


def tick_text(value: float) -> str:
    """Return a short text for a value at an axis."""
    if abs(value) >= 10_000:
        return (MINUS if value < 0 else "") + short_count(abs(value))
    if value and abs(value) < 0.001:
        return f"{value:.0e}".replace("e-0", "e−").replace("e-", "e−")
    return f"{value:.6g}".replace("-", MINUS)


def abscissae(end: float) -> Span:
    """Return the x range from 0 to ``end`` with a margin; what has hardly begun is shown up to 1."""
    side = SIDE * max(1.0, end)
    return -side, max(1.0, end) + side


def inside(x: Floats, left: float, right: float) -> slice:
    """Return the part of ascending places within a range, and one place more at each side."""
    places = np.flatnonzero((x >= left) & (x <= right))
    if not places.size:  # the range lies between two places, or beside all
        after = int(np.searchsorted(x, left))
        return slice(max(0, after - 1), after + 1)
    return slice(max(0, int(places[0]) - 1), int(places[-1]) + 2)


def thinned(x: Floats, y: Floats, left: float, right: float, pixels: int) -> tuple[Floats, Floats]:
    """Return the part of a curve within a range, with the least and the greatest value of each pixel if it is long."""
    part = inside(x, left, right)
    x, y = x[part], y[part]
    if len(x) <= 4 * pixels or not right > left:
        return x, y
    columns = np.floor((x - left) * (pixels / (right - left)))
    starts = np.concatenate(([0], np.flatnonzero(np.diff(columns)) + 1))
    ends = np.stack((np.fmin.reduceat(y, starts), np.fmax.reduceat(y, starts)), axis=1)
    return np.repeat(x[starts], 2), ends.ravel()


def nearest(at: Sequence[float] | Floats, x: float) -> int:
    """Return the index of the value nearest to ``x`` in an ascending, non-empty sequence."""
    place = bisect_left(at, x)
    if place == 0:
        return 0
    if place == len(at):
        return len(at) - 1
    return place if at[place] - x < x - at[place - 1] else place - 1


def stacked(lines: Sequence[Line]) -> list[Line]:
    """Return the lines, each added to those before it."""
    below, sums = 0.0 * lines[0].y, []
    for line in lines:
        below = below + np.nan_to_num(line.y)
        sums.append(replace(line, y=below))
    return sums
