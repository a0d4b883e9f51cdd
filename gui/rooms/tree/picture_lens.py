"""The map from world coordinates of a tree's picture to pixels: fit, pan, zoom about a point.

World units: x in pixels at scale and spread 1, y in plies.  A tree is far wider than deep, so x is scaled linearly
while the distance of plies shrinks more slowly: with the whole tree in view they fill the height, close up they are
``ROW`` apart.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

ROW: Final = 92.0
MOST_SCALE: Final = 2.5
MARGIN: Final = 26.0
UPRIGHT: Final = 46.0  # px of two large nodes, one above the other, and the gap between them
MOST_SPREAD: Final = 2.5
LEAST_SCALE: Final = 1e-4


@dataclass(frozen=True)
class Lens:
    """The pixel of world (0, 0), and the scale; ``fitted`` is the (scale, row) at which the whole tree is visible.

    A tree that is narrow for its window is stretched ``spread`` times in x, its nodes no larger.
    """

    scale: float = 1.0
    x: float = 0.0
    y: float = MARGIN
    fitted: tuple[float, float] = (1.0, ROW)
    spread: float = 1.0

    @property
    def column(self) -> float:
        """Pixels per unit of x."""
        return self.scale * self.spread

    @property
    def row(self) -> float:
        """Pixels between plies."""
        scale, row = self.fitted
        if self.scale <= scale:
            return row * self.scale / scale
        far = max(1.0, 2 * scale)
        if self.scale >= far:
            return max(row, ROW) * math.sqrt(self.scale / far)
        return row * float((self.scale / scale) ** (math.log(max(row, ROW) / row) / math.log(far / scale)))

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return the pixel of a world position."""
        return self.x + self.column * x, self.y + self.row * y

    def zoomed(self, px: float, py: float, factor: float) -> Lens:
        """Return the lens zoomed by ``factor`` about a pixel, which keeps its world position."""
        least = max(LEAST_SCALE, 0.25 * self.fitted[0])
        after = replace(self, scale=max(least, min(MOST_SCALE, self.scale * factor)))
        x, y = (px - self.x) / self.column, (py - self.y) / self.row
        return replace(after, x=px - after.column * x, y=py - after.row * y)

    def moved(self, dx: float, dy: float) -> Lens:
        return replace(self, x=self.x + dx, y=self.y + dy)

    def towards(self, goal: Lens, share: float) -> Lens:
        """Return the lens this share of the way to ``goal``, or ``goal`` itself once it is near."""

        def between(a: float, b: float, near: float) -> float:
            return b if abs(b - a) < near else a + (b - a) * share

        return Lens(
            scale=between(self.scale, goal.scale, 2e-4 * goal.scale),
            x=between(self.x, goal.x, 0.1),
            y=between(self.y, goal.y, 0.1),
            fitted=(
                between(self.fitted[0], goal.fitted[0], 2e-4 * goal.fitted[0]),
                between(self.fitted[1], goal.fitted[1], 0.02),
            ),
            spread=between(self.spread, goal.spread, 2e-3),
        )


def fit(extent: tuple[float, float, float], width: float, height: float) -> Lens:
    """Return the lens that shows the whole tree; ``extent`` is its (left, right, plies)."""
    left, right, plies = extent
    row = max(4.0, min(ROW, (height - 2 * MARGIN - 14) / max(1.0, plies)))
    scale = max(LEAST_SCALE, min(1.0, row / UPRIGHT, (width - 2 * MARGIN) / max(1.0, right - left)))
    row = min(row, ROW * max(scale, 0.5))
    spread = max(1.0, min(MOST_SPREAD, (width - 2 * MARGIN) / max(1.0, (right - left) * scale)))
    x = width / 2 - scale * spread * (left + right) / 2
    return Lens(scale, x, MARGIN + max(4.0, 10 * scale), (scale, row), spread)
