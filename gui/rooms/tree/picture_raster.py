"""Fast antialiased painting of many discs and curves into the pixels of an image.

A vector painter needs some microseconds for each disc; here ten thousand with their edges take a few milliseconds.
Pixels and colours are uint32 as 0xFFRRGGBB: [H, W] as in ``QImage.Format.Format_RGB32``, and [C].

Letters: V nodes, with device coordinates.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._jit import jit, jitable

Pixels = NDArray[np.uint32]
Floats = NDArray[np.float32]
STRAIGHT_BELOW = 14.0  # px of height below which a curve looks like a straight line


class Edges(NamedTuple):
    """The curves from the nodes up to their parents, those of node v at place v."""

    parents: NDArray[np.int32]  # [V] -1 for the root, which has none
    xs: Floats  # [V] px, of the node
    ys: Floats  # [V] px
    widths: Floats  # [V] px
    alphas: Floats  # [V] 0 to 1
    tints: NDArray[np.uint8]  # [V] places in the colours


class Nodes(NamedTuple):
    """Discs, or squares with round corners."""

    xs: Floats  # [V] px, of the centre
    ys: Floats  # [V] px
    radii: Floats  # [V] px, border included
    rims: Floats  # [V] px, width of the border
    fills: NDArray[np.uint8]  # [V] places in the colours
    borders: NDArray[np.uint8]  # [V] places in the colours
    square: NDArray[np.bool_]  # [V]


@jitable
def _blend(pixels: Pixels, y: int, x: int, colour: np.int64, alpha: float) -> None:
    """Blend ``colour`` over a pixel: red and blue at once, then green, in 256 steps."""
    over = np.int64(alpha * 256)
    under = np.int64(pixels[y, x])
    red_blue = ((colour & 0xFF00FF) * over + (under & 0xFF00FF) * (256 - over)) >> 8
    green = ((colour & 0x00FF00) * over + (under & 0x00FF00) * (256 - over)) >> 8
    pixels[y, x] = 0xFF000000 | (red_blue & 0xFF00FF) | (green & 0x00FF00)


@jit
def paint_edges(
    pixels: Pixels, order: NDArray[np.int32], edges: Edges, colours: NDArray[np.uint32], latest: Floats
) -> None:
    """Paint a curve from each node of ``order`` up to its parent; modifies ``pixels``.

    A curve leaves and arrives upright.  A thin edge that would cover its sibling's is left out; ``latest`` float32 [V]
    is scratch for that.
    """
    parents, xs, ys, widths, alphas, tints = edges
    height, width = pixels.shape[0], pixels.shape[1]
    for v in range(parents.size):
        latest[v] = np.float32(-1e9)
    for i in range(order.size):
        v = order[i]
        p = parents[v]
        if p < 0 or (widths[v] < 1.5 and abs(xs[v] - latest[p]) < 0.8):
            continue
        latest[p] = xs[v]
        x0, y0, x1, y1 = xs[p], ys[p], xs[v], ys[v]
        if y1 < y0:
            x0, y0, x1, y1 = x1, y1, x0, y0
        if y1 < 0 or y0 > height or max(x0, x1) < -2 or min(x0, x1) > width + 2 or y1 - y0 < 0.5:
            continue
        line = max(widths[v], np.float32(1.0))
        alpha = alphas[v] * min(widths[v], np.float32(1.0))
        colour = np.int64(colours[tints[v]])
        straight = y1 - y0 < STRAIGHT_BELOW
        for y in range(max(0, int(y0)), min(height, int(y1) + 1)):
            u = min(np.float32(1.0), max(np.float32(0.0), (np.float32(y) + np.float32(0.5) - y0) / (y1 - y0)))
            if straight:
                x = x0 + (x1 - x0) * u
                slope = (x1 - x0) / (y1 - y0)
            else:
                x = x0 + (x1 - x0) * u * u * (3 - 2 * u)
                slope = 6 * u * (1 - u) * (x1 - x0) / (y1 - y0)
            stretch = np.sqrt(1 + slope * slope)
            reach = (line / 2 + np.float32(0.5)) * stretch
            low = max(0, int(max(x - reach, min(x0, x1) - line)))
            high = min(width - 1, int(min(x + reach, max(x0, x1) + line)))
            for at in range(low, high + 1):
                cover = line / 2 + np.float32(0.5) - abs(np.float32(at) + np.float32(0.5) - x) / stretch
                if cover > 0:
                    _blend(pixels, y, at, colour, alpha * min(cover, np.float32(1.0)))


@jit
def paint_nodes(pixels: Pixels, order: NDArray[np.int32], nodes: Nodes, colours: NDArray[np.uint32]) -> None:
    """Paint the nodes of ``order``; modifies ``pixels``."""
    xs, ys, radii, rims, fills, borders, square = nodes
    height, width = pixels.shape[0], pixels.shape[1]
    half = np.float32(0.5)
    for i in range(order.size):
        v = order[i]
        x, y, r, rim = xs[v], ys[v], radii[v], rims[v]
        if x + r < 0 or y + r < 0 or x - r > width or y - r > height:
            continue
        fill, border = np.int64(colours[fills[v]]), np.int64(colours[borders[v]])
        corner = np.float32(0.4) * r
        side = np.float32(0.9) * r - corner
        for py in range(max(0, int(y - r - 1)), min(height, int(y + r + 2))):
            dy = abs(np.float32(py) + half - y)
            for px in range(max(0, int(x - r - 1)), min(width, int(x + r + 2))):
                dx = abs(np.float32(px) + half - x)
                if square[v]:
                    ex, ey = max(dx - side, np.float32(0.0)), max(dy - side, np.float32(0.0))
                    inside = corner - np.sqrt(ex * ex + ey * ey)
                    inside = inside if ex > 0 or ey > 0 else corner
                else:
                    inside = r - np.sqrt(dx * dx + dy * dy)
                cover = min(np.float32(1.0), inside + half)
                if cover <= 0:
                    continue
                _blend(pixels, py, px, border, cover)
                core = min(np.float32(1.0), inside - rim + half)
                if core > 0:
                    _blend(pixels, py, px, fill, core)


def warm_up() -> None:
    """Compile both kernels and the layout on a tree of two nodes; takes seconds on a new machine."""
    from gui.rooms.tree.picture_layout import tidy

    ones = np.ones(2, np.float32)
    pixels = np.zeros((4, 4), np.uint32)
    order, parents = np.arange(2, dtype=np.int32), np.array([-1, 0], np.int32)
    tints, colours = np.zeros(2, np.uint8), np.zeros(1, np.uint32)
    edges = Edges(parents, ones, np.array([0, 3], np.float32), ones, ones, tints)
    paint_edges(pixels, order, edges, colours, ones.copy())
    paint_nodes(pixels, order, Nodes(ones, ones, ones, ones, tints, tints, np.zeros(2, np.bool_)), colours)
    tidy(parents, np.ones(2), 1.0)
