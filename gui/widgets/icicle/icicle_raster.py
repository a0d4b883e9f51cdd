"""Painting of an icicle's rows into the pixels of an image, a line of pixels for each row.

Letters: R rows in view, W pixels of a line, K pieces.
"""

from __future__ import annotations

from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

SEPARATED: int = 4  # px from which a piece ends in a dark line
STRIPE: int = 3  # px from one upright line to the next
HATCH: int = 9  # px between two lines of the hatching, at 1 pixel each
Colours = NDArray[np.uint32]
Value = TypeVar("Value", bound=np.generic)


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
        channel = (colours >> shift) & 0xFF
        part = channel + share * (((other >> shift) & 0xFF) - channel.astype(np.float64))
        result |= np.rint(part).astype(np.uint32) << np.uint32(shift)
    return result


class Cover(NamedTuple):
    """Which piece lies at the centre of each pixel of the rows, in runs of pixels from left to right, row by row."""

    shape: tuple[int, int]  # R, W
    pieces: NDArray[np.int64]  # [2 K + 1] of each run; -1 for none
    ends: NDArray[np.int64]  # [2 K + 1] the pixel after each run, counted through all rows

    def spread(self, values: NDArray[Value], none: int) -> NDArray[Value]:
        """Return the value at each pixel of one for each piece, [R, W]; ``none`` where there is no piece."""
        of_runs = np.append(values, values.dtype.type(none))[self.pieces]
        return np.repeat(of_runs, np.diff(self.ends, prepend=0)).reshape(self.shape)


def cover(pieces: Pieces, rows: int, width: int) -> Cover:
    """Return which piece lies at each pixel: of those that begin before it the last, as far as it goes."""
    order = np.lexsort((pieces.lefts, pieces.rows))
    lefts, starts = pieces.lefts[order] - 0.5, pieces.rows[order] * width
    begins = starts + np.ceil(np.clip(lefts, 0, width)).astype(np.int64)
    stops = starts + np.ceil(np.clip(lefts + pieces.widths[order], 0, width)).astype(np.int64)
    ends = np.empty(2 * order.size + 1, np.int64)
    ends[0:-1:2] = begins
    ends[-1] = rows * width
    ends[1::2] = np.minimum(stops, ends[2::2])
    runs = np.full(ends.size, -1, np.int64)
    runs[1::2] = order
    return Cover((rows, width), runs, ends)


def paint_lines(pieces: Pieces, at: Cover, behind: int, unit: int) -> Colours:
    """Return the lines of the rows, uint32 [R, W].

    Each wide piece that is not striped ends in a line of the colour ``behind``, ``unit`` px wide."""
    width = at.shape[1]
    lines = at.spread(pieces.colours, behind)
    whole = pieces.colours == pieces.between
    if not whole.all():
        third = np.arange(width) // unit % STRIPE == STRIPE - 1
        lines[:, third] = at.spread(pieces.between, behind)[:, third]
    parted = (whole & (pieces.widths >= SEPARATED * unit))[at.pieces[1::2]]
    ends = at.ends[1::2][parted & (at.ends[0:-1:2] < at.ends[1::2])]
    ends = ends[ends % width != 0]
    for step in range(unit):
        lines.ravel()[ends - 1 - np.minimum(step, (ends - 1) % width)] = behind
    return lines


def fill_rows(
    pixels: Colours, lines: Colours, edges: NDArray[np.int64], hatched: NDArray[np.bool_] | None, behind: int, unit: int
) -> None:
    """Fill each row of pixels from ``edges[i]`` to ``edges[i + 1]`` with its line, the last ``unit`` with ``behind``.

    So does what is below the last row.  ``hatched`` bool [R, W]: where slanting lines lie over it, if anywhere."""
    height, width = pixels.shape
    lines = np.concatenate([lines, np.full((1, width), behind, np.uint32)])
    np.take(lines, np.searchsorted(edges[1:], np.arange(height), side="right"), axis=0, out=pixels, mode="clip")
    slanting = np.zeros((0, width), np.bool_) if hatched is None else hatched
    for row in np.flatnonzero(slanting.any(axis=1)).tolist():
        xs, ys = np.flatnonzero(slanting[row]), np.arange(max(0, edges[row]), min(height, edges[row + 1]))[:, None]
        drawn = (xs + ys - edges[row]) % (HATCH * unit) < 2 * unit
        pixels[ys, xs] = np.where(drawn, mixed(lines[row, xs], behind, 0.5), lines[row, xs])
    for step in range(unit):
        ends = edges[1:] - 1 - step
        pixels[ends[(ends >= 0) & (ends < height)]] = behind
