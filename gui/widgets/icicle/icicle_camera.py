"""What is in view of an icicle: a part of the root's width and a height in rows, and smooth ways between."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

ZOOM_S: Final = 0.22  # the time of a zoom to a node
NARROWEST: Final = 1e-9  # of the root's width


@dataclass(frozen=True)
class Window:
    """The part of the root's width from ``low`` to ``high``; ``top``: px scrolled down."""

    low: float = 0.0
    high: float = 1.0
    top: float = 0.0

    @property
    def width(self) -> float:
        return self.high - self.low

    @property
    def whole(self) -> bool:
        return self.low <= 0.0 and self.high >= 1.0 and self.top <= 0.0


WHOLE: Final = Window()


class IcicleCamera:
    """The window now, and the one it is moving to."""

    def __init__(self) -> None:
        self.now = self.goal = WHOLE
        self.pixels = 1.0  # px of width
        self.most_top = 0.0  # px
        self._begin = WHOLE
        self._share = 1.0  # of the way that is done

    @property
    def moving(self) -> bool:
        return self._share < 1.0

    def x_of(self, at: float) -> float:
        """Return the pixel of a place in the root's width."""
        return (at - self.now.low) / self.now.width * self.pixels

    def at(self, x: float) -> float:
        """Return the place in the root's width at a pixel."""
        return self.now.low + x / self.pixels * self.now.width

    def go(self, goal: Window) -> None:
        """Move smoothly to a window."""
        self.goal, self._begin, self._share = _inside(goal), self.now, 0.0

    def set(self, window: Window) -> None:
        """Be at a window at once."""
        self.now = self.goal = _inside(window)
        self._share = 1.0

    def zoom(self, x: float, factor: float) -> None:
        """Zoom about a pixel, at once."""
        width = max(NARROWEST, min(1.0, self.now.width / factor))
        low = self.at(x) - x / self.pixels * width
        self.set(Window(low, low + width, self.now.top))

    def pan(self, dx: float, dy: float) -> None:
        """Move what is in view by so many pixels, at once."""
        step = dx / self.pixels * self.now.width
        top = max(0.0, min(self.most_top, self.now.top - dy))
        self.set(Window(self.now.low - step, self.now.high - step, top))

    def carry(self, before: tuple[float, float], after: tuple[float, float]) -> None:
        """Stay on a node that moved; its (left, width) in the root's width before and after."""
        if before == after or not before[1] or not after[1]:
            return
        now, goal, begin = (_carried(window, before, after) for window in (self.now, self.goal, self._begin))
        self.now, self.goal, self._begin = now, goal, begin

    def advance(self, seconds: float) -> None:
        """Advance a smooth move: the zoom is even in its logarithm and keeps one place where it is."""
        self._share = min(1.0, self._share + seconds / ZOOM_S)
        if not self.moving:
            self.now = self.goal
            return
        begin, goal = self._begin, self.goal
        share = self._share * self._share * (3 - 2 * self._share)
        top = begin.top + (goal.top - begin.top) * share
        width = begin.width ** (1 - share) * goal.width**share
        if abs(goal.width - begin.width) > 1e-9 * begin.width:
            share = (width - begin.width) / (goal.width - begin.width)
        low = begin.low + (goal.low - begin.low) * share
        self.now = Window(low, low + width, top)


def _carried(window: Window, before: tuple[float, float], after: tuple[float, float]) -> Window:
    if window.width >= 1.0:
        return window
    factor = after[1] / before[1]
    low = after[0] + (window.low - before[0]) * factor
    return _inside(Window(low, low + min(1.0, window.width * factor), window.top))


def _inside(window: Window) -> Window:
    """Return the window moved to where the root is."""
    low = min(max(0.0, window.low), 1.0 - window.width)
    if window.width >= 1.0:
        return Window(0.0, 1.0, max(0.0, window.top))
    return Window(low, low + window.width, max(0.0, window.top))
