"""Painting of an icicle's rows into the pixels of an image, a line of pixels for each row.  Knows no tree and no Qt.

The time depends on the pixels, not on the nodes.  Letters: W pixels of a line, K pieces of a row.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

SEPARATED: int = 4  # px from which a piece ends in a dark line
HATCH: int = 9  # px between two lines of the hatching, at 1 pixel each
Colours = NDArray[np.uint32]


class Pieces(NamedTuple):
    """What lies in a row, in any order; of two that overlap the one that begins further right is seen."""

    lefts: NDArray[np.float64]  # [K] device px
    widths: NDArray[np.float64]  # [K] device px
    colours: Colours  # [K]


def mixed(colours: Colours, other: int, share: float) -> Colours:
    """Return the colours mixed with another, of which they get ``share``."""
    result = np.full(colours.shape, 0xFF000000, np.uint32)
    for shift in (0, 8, 16):
        own = (colours >> shift) & 0xFF
        part = own + share * (((other >> shift) & 0xFF) - own.astype(np.float64))
        result |= np.rint(part).astype(np.uint32) << np.uint32(shift)
    return result


def cover(pieces: Pieces, width: int) -> NDArray[np.int64]:
    """Return for each pixel of a line the piece at its centre; -1 for none.  int64 [W]"""
    found = np.full(width, -1, np.int64)
    if not pieces.lefts.size:
        return found
    order = np.argsort(pieces.lefts, kind="stable")
    at = np.arange(width) + 0.5
    piece = order[np.maximum(np.searchsorted(pieces.lefts[order], at, "right") - 1, 0)]
    inside = (pieces.lefts[piece] <= at) & (at < pieces.lefts[piece] + pieces.widths[piece])
    found[inside] = piece[inside]
    return found


def paint_line(line: Colours, pieces: Pieces, behind: int, unit: int) -> NDArray[np.int64]:
    """Paint the pieces of a row into ``line``; each wide one ends in a line of the colour ``behind``, ``unit`` px wide.

    Returns the piece at each pixel, as ``cover``."""
    at = cover(pieces, line.size)
    inside = np.flatnonzero(at >= 0)
    line[inside] = pieces.colours[at[inside]]
    ends = np.flatnonzero((at[:-1] != at[1:]) & (at[:-1] >= 0))
    ends = ends[pieces.widths[at[ends]] >= SEPARATED * unit]
    for step in range(unit):
        line[np.maximum(ends - step, 0)] = behind
    return at


def paint_strips(line: Colours, pieces: Pieces, between: Colours, unit: int) -> None:
    """Paint strips into ``line``: their colour in upright lines, for what is too narrow to be drawn by itself.

    ``between`` [K]: the colours between the lines."""
    at = cover(pieces, line.size)
    inside = np.flatnonzero(at >= 0)
    piece = at[inside]
    line[inside] = np.where((inside // unit) % 3 == 2, between[piece], pieces.colours[piece])


def paint_row(
    pixels: Colours, top: int, bottom: int, line: Colours, hatched: NDArray[np.bool_], behind: int, unit: int
) -> None:
    """Fill the pixels of a row from ``top`` to ``bottom`` with ``line``, the last ``unit`` of them with ``behind``.

    ``hatched`` bool [W]: where slanting lines are drawn over it."""
    first, last = max(0, top), min(pixels.shape[0], bottom)
    if first >= last:
        return
    body = pixels[first : max(first, min(last, bottom - unit))]
    body[:] = line
    xs = np.flatnonzero(hatched)
    if xs.size:
        ys = np.arange(first, first + body.shape[0])[:, None] - top
        body[:, xs] = np.where((xs + ys) % (HATCH * unit) < 2 * unit, mixed(line[xs], behind, 0.5), line[xs])
    pixels[max(first, bottom - unit) : last] = np.where(line == behind, line, behind)
