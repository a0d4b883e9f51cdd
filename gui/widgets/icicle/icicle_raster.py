"""Painting of an icicle's rows into the pixels of an image, a line of pixels for each row.

Letters: R rows in view, W pixels of a line, K pieces.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

SEPARATED: int = 4  # px from which a piece ends in a dark line
STRIPE: int = 3  # px from one upright line to the next
HATCH: int = 9  # px between two lines of the hatching, at 1 pixel each
Colours = NDArray[np.uint32]


class Pieces(NamedTuple):
    """What lies in the rows, in any order; of two that overlap the one that begins further right is seen."""

    rows: NDArray[np.int64]  # [K] 0 <= row < R
    lefts: NDArray[np.float64]  # [K] device px
    widths: NDArray[np.float64]  # [K] device px
    colours: Colours  # [K]
    between: Colours  # [K] of every third pixel, so that a piece is striped where it differs


def mixed(colours: Colours, other: int, share: float) -> Colours:
    """Return the colours mixed with another, of which they get ``share``."""
    result = np.full(colours.shape, 0xFF000000, np.uint32)
    for shift in (0, 8, 16):
        own = (colours >> shift) & 0xFF
        part = own + share * (((other >> shift) & 0xFF) - own.astype(np.float64))
        result |= np.rint(part).astype(np.uint32) << np.uint32(shift)
    return result


def cover(pieces: Pieces, rows: int, width: int) -> NDArray[np.int32]:
    """Return for each pixel of the rows' lines the piece at its centre; -1 for none.  int32 [R, W]"""
    order = np.lexsort((pieces.lefts, pieces.rows))
    # The first pixel of each and the first one after it; in sorted order, with an end before all pixels for "none".
    begins = np.ceil(np.clip(pieces.lefts[order] - 0.5, 0, width)).astype(np.int32)
    ends = np.append(np.ceil(np.clip((pieces.lefts + pieces.widths)[order] - 0.5, 0, width)), 0).astype(np.int32)
    found = np.full((rows, width + 1), -1, np.int32)
    found[pieces.rows[order], begins] = np.arange(order.size)  # of several that begin at a pixel the last is kept
    found = np.maximum.accumulate(found[:, :width], axis=1)
    return np.where(np.arange(width) < ends[found], np.append(order, -1).astype(np.int32)[found], np.int32(-1))


def paint_lines(pieces: Pieces, rows: int, width: int, behind: int, unit: int) -> tuple[Colours, NDArray[np.int32]]:
    """Return the lines of the rows, uint32 [R, W], and the piece at each pixel, as ``cover``.

    Each wide piece that is not striped ends in a line of the colour ``behind``, ``unit`` px wide."""
    at = cover(pieces, rows, width)
    lines = np.append(pieces.colours, np.uint32(behind))[at]
    third = np.arange(width) // unit % STRIPE == STRIPE - 1
    lines[:, third] = np.append(pieces.between, np.uint32(behind))[at[:, third]]
    ends = np.append((pieces.widths >= SEPARATED * unit) & (pieces.colours == pieces.between), False)
    row, end = np.nonzero((at[:, :-1] != at[:, 1:]) & ends[at[:, :-1]])
    for step in range(unit):
        lines[row, np.maximum(end - step, 0)] = behind
    return lines, at


def fill_rows(
    pixels: Colours, lines: Colours, edges: NDArray[np.int64], hatched: NDArray[np.bool_], behind: int, unit: int
) -> None:
    """Fill each row of pixels from ``edges[i]`` to ``edges[i + 1]`` with its line, the last ``unit`` with ``behind``.

    So does what is below the last row.  ``hatched`` bool [R, W]: where slanting lines are drawn over it."""
    height, width = pixels.shape
    lines = np.concatenate([lines, np.full((1, width), behind, np.uint32)])
    np.take(lines, np.searchsorted(edges[1:], np.arange(height), side="right"), axis=0, out=pixels, mode="clip")
    for row in np.flatnonzero(hatched.any(axis=1)).tolist():
        xs, ys = np.flatnonzero(hatched[row]), np.arange(max(0, edges[row]), min(height, edges[row + 1]))[:, None]
        drawn = (xs + ys - edges[row]) % (HATCH * unit) < 2 * unit
        pixels[ys, xs] = np.where(drawn, mixed(lines[row, xs], behind, 0.5), lines[row, xs])
    for step in range(unit):
        ends = edges[1:] - 1 - step
        pixels[ends[(ends >= 0) & (ends < height)]] = behind
