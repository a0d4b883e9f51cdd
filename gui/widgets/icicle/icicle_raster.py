"""Painting of an icicle's rows into the pixels of an image, a line of pixels for each row.

Letters: R rows in view, W pixels of a line, K pieces.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

SEPARATED: int = 4  # px from which a piece ends in a dark line
HATCH: int = 9  # px between two lines of the hatching, at 1 pixel each
Colours = NDArray[np.uint32]


class Pieces(NamedTuple):
    """What lies in the rows, in any order; of two that overlap the one that begins further right is seen."""

    rows: NDArray[np.int64]  # [K] 0 <= row < R
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


def cover(pieces: Pieces, rows: int, width: int) -> NDArray[np.int64]:
    """Return for each pixel of the rows' lines the piece at its centre; -1 for none.  int64 [R, W]"""
    order = np.lexsort((pieces.lefts, pieces.rows))
    begins = np.ceil(np.clip(pieces.lefts[order] - 0.5, 0, width)).astype(np.int64)  # the first pixel of each
    found = np.full((rows, width + 1), -1, np.int64)
    found[pieces.rows[order], begins] = np.arange(order.size)  # of several that begin at a pixel the last is kept
    found = np.maximum.accumulate(found[:, :width], axis=1)
    known = found >= 0
    piece = order[found[known]]
    ends = (pieces.lefts + pieces.widths)[piece]
    found[known] = np.where(np.nonzero(known)[1] + 0.5 < ends, piece, -1)
    return found


def paint_lines(lines: Colours, pieces: Pieces, behind: int, unit: int) -> NDArray[np.int64]:
    """Paint the pieces into ``lines`` [R, W]; each wide one ends in a line of the colour ``behind``, ``unit`` px wide.

    Returns the piece at each pixel, as ``cover``."""
    at = cover(pieces, *lines.shape)
    inside = at >= 0
    lines[inside] = pieces.colours[at[inside]]
    row, end = np.nonzero((at[:, :-1] != at[:, 1:]) & inside[:, :-1])
    wide = pieces.widths[at[row, end]] >= SEPARATED * unit
    row, end = row[wide], end[wide]
    for step in range(unit):
        lines[row, np.maximum(end - step, 0)] = behind
    return at


def paint_strips(lines: Colours, pieces: Pieces, between: Colours, unit: int) -> None:
    """Paint strips into ``lines`` [R, W]: their colour in upright lines, for what is too narrow to be drawn by itself.

    ``between`` [K]: the colours between the lines."""
    at = cover(pieces, *lines.shape)
    row, x = np.nonzero(at >= 0)
    piece = at[row, x]
    lines[row, x] = np.where((x // unit) % 3 == 2, between[piece], pieces.colours[piece])


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
