"""A search as an animated picture (APNG): its tree as an icicle that grows, from the first simulation to the last.

Each move lies below its position, as wide as its share of the simulations; its colour is its value for the side to move
at the root, blue good and orange bad.  The line of the most visited moves is marked, and below stands the number of
simulations.  Programs that know no animated pictures show the last frame, which is the first one of the file.
"""

import struct
import zlib
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.files.tree_file import SavedSearch
from core.glass.history import History
from core.glass.icicle import Icicle, IcicleView, lay_out
from core.search.tree import RECORDS
from core.text import Text

FILM: Final = ".png"
FRAMES: Final = 72  # at most
WIDTH: Final = 960  # pixels
_PLIES: Final = 18
_ROW: Final = 18
_BELOW: Final = 24  # of the number of simulations
_FRAME_MS: Final = 90
_LAST_MS: Final = 3000
_STEPS: Final = 64  # of the colours of values
_GROUND, _INK, _LINE, _PLAIN = 0, 1, 2, 3  # places in the palette, before the values
_FIRST_VALUE: Final = 4
_BASE: Final = ((255, 255, 255), (26, 32, 38), (211, 34, 47), (196, 204, 212))
_RAMP: Final = ((200, 98, 15), (232, 177, 131), (228, 230, 232), (143, 184, 230), (31, 111, 196))  # -1 to +1
_DIGITS: Final = (  # rows of five bits
    (14, 17, 19, 21, 25, 17, 14),
    (4, 12, 4, 4, 4, 4, 14),
    (14, 17, 1, 2, 4, 8, 31),
    (31, 2, 4, 2, 1, 17, 14),
    (2, 6, 10, 18, 31, 2, 2),
    (31, 16, 30, 1, 1, 17, 14),
    (6, 8, 16, 30, 17, 17, 14),
    (31, 1, 2, 4, 8, 8, 8),
    (14, 17, 17, 14, 17, 17, 14),
    (14, 17, 17, 15, 1, 2, 12),
)
Pixels = NDArray[np.uint8]


def film(search: SavedSearch) -> bytes:
    """The file.  ValueError with one sentence for a search without a recorded simulation of its root."""
    state = search.state
    params = search.settings.params(state.position.game.num_cells)
    history = History(state.tree, state.root_changes, params)
    ends = _ends(history, state.root_changes[-1][0] if state.root_changes else 0, int(state.tree.counts[RECORDS]))
    if not len(ends):
        raise ValueError(Text("this search has no simulation that a picture could show"))
    shown = moments(len(ends))
    view = IcicleView(pixels=WIDTH)
    frames = [_frame(lay_out(history.seek(int(ends[n - 1])), state.root, view), n, n / len(ends)) for n in shown]
    return _apng(frames, palette())


def moments(simulations: int) -> list[int]:
    """The numbers of simulations that are shown, ascending from 1 to all, each further from the one before."""
    steps = np.geomspace(1, simulations, FRAMES)
    return sorted({round(float(step)) for step in steps} | {simulations})


def _ends(history: History, first: int, records: int) -> NDArray[np.int64]:
    """The number of records up to each simulation of the root."""
    if not records:
        return np.zeros(0, np.int64)
    return np.concatenate([history.earlier().astype(np.int64), np.arange(first, records)]) + 1


def palette() -> NDArray[np.uint8]:
    """The colours [P, 3] of a frame."""
    at = np.linspace(0, len(_RAMP) - 1, _STEPS + 1)
    ramp = np.array(_RAMP, np.float64)
    values = np.stack([np.interp(at, np.arange(len(_RAMP)), ramp[:, channel]) for channel in range(3)], axis=1)
    return np.concatenate([np.array(_BASE), np.rint(values)]).astype(np.uint8)


def _frame(icicle: Icicle, simulations: int, share: float) -> Pixels:
    """One picture, places in the palette [H, W]."""
    pixels = np.full((_PLIES * _ROW + _BELOW, WIDTH), _GROUND, np.uint8)
    for_root = np.where(icicle.depths % 2 == 1, icicle.qs, -icicle.qs)
    known = ~np.isnan(for_root)
    steps = np.rint((np.clip(np.nan_to_num(for_root), -1, 1) + 1) * _STEPS / 2)
    colours = np.where(known, _FIRST_VALUE + steps, _PLAIN).astype(np.uint8)
    lefts = np.rint(icicle.lefts * WIDTH).astype(int)
    rights = np.maximum(np.rint((icicle.lefts + icicle.widths) * WIDTH).astype(int), lefts + 1)
    on_line = 0
    for place, (depth, parent) in enumerate(zip(icicle.depths.tolist(), icicle.parents.tolist(), strict=True)):
        if depth >= _PLIES:
            break
        left, right, top = lefts[place], rights[place], depth * _ROW
        gap = 1 if right - left > 3 else 0
        pixels[top : top + _ROW - 1, left : right - gap] = colours[place]
        if place == 0 or (parent == on_line and left == lefts[on_line] and depth > icicle.depths[on_line]):
            pixels[top + _ROW - 4 : top + _ROW - 1, left : right - gap] = _LINE
            on_line = place
    bar = pixels[-_BELOW + 9 : -_BELOW + 15]
    bar[:, : max(1, round(share * (WIDTH - 130)))] = _INK
    _write(pixels[-18:-4], str(simulations))
    return pixels


def _write(pixels: Pixels, digits: str) -> None:
    """Write a number at the right, each point of a digit 2 x 2 pixels; ``pixels`` [14, W]."""
    left = pixels.shape[1] - 12 * len(digits) - 4
    for place, digit in enumerate(digits):
        points = np.array([[row >> bit & 1 for bit in range(4, -1, -1)] for row in _DIGITS[int(digit)]], np.bool_)
        box = pixels[:, left + 12 * place : left + 12 * place + 10]
        box[points.repeat(2, axis=0).repeat(2, axis=1)] = _INK


def _apng(frames: Sequence[Pixels], colours: NDArray[np.uint8]) -> bytes:
    """An animated PNG that is played once; the last frame is also the picture of programs that play none."""
    return b"".join(
        [b"\x89PNG\r\n\x1a\n", *(_chunk(kind, data) for kind, data in _parts(frames, colours)), _chunk(b"IEND", b"")]
    )


def _parts(frames: Sequence[Pixels], colours: NDArray[np.uint8]) -> Iterator[tuple[bytes, bytes]]:
    height, width = frames[0].shape
    yield b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    yield b"PLTE", colours.tobytes()
    yield b"acTL", struct.pack(">II", len(frames), 1)
    yield b"IDAT", _deflated(frames[-1])  # no part of the film, as no frame control stands before it
    number = 0
    for place, frame in enumerate(frames):
        ms = _LAST_MS if place == len(frames) - 1 else _FRAME_MS
        yield b"fcTL", struct.pack(">IIIIIHHBB", number, width, height, 0, 0, ms, 1000, 0, 0)
        yield b"fdAT", struct.pack(">I", number + 1) + _deflated(frame)
        number += 2


def _deflated(frame: Pixels) -> bytes:
    """The lines of a frame, each after the number of its filter, which is none."""
    return zlib.compress(np.pad(frame, ((0, 0), (1, 0))).tobytes(), 9)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
