"""Boards and the calibration of values as small SVG pictures, coloured by the page that holds them.

One unit of a board is one cell.
"""

import math
from collections.abc import Iterable, Sequence
from html import escape
from typing import Final, NamedTuple

from core.files.board_svg import board_size, centre, ground, look_of, stone
from core.games import Position
from models.audit.shapes import MINE, OUTSIDE, THEIRS, Window, cell_of
from models.audit.summary import Calibration

WIDTH: Final = 132  # pixels
_SIDE: Final = 200
_LEFT: Final = 30
_TOP: Final = 40


class Mark(NamedTuple):
    """A mark on a cell: ``net`` a dashed ring, ``search`` a ring, ``right`` a dot."""

    action: int
    kind: str


_RADII: Final = {"net": 0.45, "search": 0.33, "right": 0.14}


def board_svg(position: Position, marks: Sequence[Mark] = (), width: int = WIDTH) -> str:
    """A board with its stones, a dot on the last one, and marks on moves that have a cell."""
    game = position.game
    wide, high = board_size(game)
    box = f'viewBox="0 0 {wide:g} {high:g}" width="{width}" height="{round(width * high / wide)}"'
    parts = [f'<svg class="b" {box} role="img">', ground(game)]
    cells = position.cells().reshape(-1).tolist()
    first, second = look_of(game).stones
    for cell, owner in enumerate(cells):
        if owner:
            parts.append(stone(*centre(game, cell), first if owner == 1 else second))
    if position.last_action >= 0 and (last := _last_cell(position)) is not None:
        x, y = centre(game, last)
        parts.append(f'<circle class="last" cx="{x}" cy="{y}" r=".12"/>')
    for action, kind in marks:
        if (at := cell_of(position, action)) is not None:
            x, y = centre(game, at)
            parts.append(f'<circle class="{kind}" cx="{x}" cy="{y}" r="{_RADII[kind]}"/>')
    return "".join([*parts, "</svg>"])


def window_svg(window: Window) -> str:
    """The 3 x 3 cells around an overlooked move, which is ringed; the side to move is black."""
    parts = ['<svg class="b" viewBox="0 0 3 3" width="60" height="60" role="img">']
    parts.append(
        '<rect class="g" width="3" height="3"/><path class="l" d="M0 .5H3M0 1.5H3M0 2.5H3M.5 0V3M1.5 0V3M2.5 0V3"/>'
    )
    for cell, content in enumerate(window):
        row, col = divmod(cell, 3)
        if content == OUTSIDE:
            parts.append(f'<rect class="out" x="{col}" y="{row}" width="1" height="1"/>')
        elif content in (MINE, THEIRS):
            parts.append(stone(col + 0.5, row + 0.5, "k" if content == MINE else "o"))
    return "".join([*parts, '<circle class="search" cx="1.5" cy="1.5" r=".33"/></svg>'])


def _last_cell(position: Position) -> int | None:
    """The cell of the last move's stone."""
    game, action = position.game, position.last_action
    if game.gravity:
        rows: Iterable[int] = position.cells()[:, action].nonzero()[0].tolist()
        top = next(iter(rows), None)
        return None if top is None else top * game.shape[1] + action
    return action if game.moves_are_cells and action < game.num_cells else None


def calibration_svg(net: Calibration, search: Calibration, title: str) -> str:
    """The values of a net (orange) and of the search (blue) against results, with 95 % intervals; "" without any."""
    if not net.bins:
        return ""
    parts = [
        f'<svg class="c" width="{_SIDE + _LEFT + 10}" height="{_SIDE + _TOP + 24}" role="img">',
        f'<text class="t" x="{_LEFT}" y="12">{escape(title)}, {net.positions}</text>',
        f'<circle class="v" cx="{_LEFT + 4}" cy="26" r="3.5"/>'
        f'<text x="{_LEFT + 12}" y="30">net, error {net.error:.3f}</text>',
        f'<circle class="q" cx="{_LEFT + 112}" cy="26" r="3.5"/>'
        f'<text x="{_LEFT + 120}" y="30">search, {search.error:.3f}</text>',
        f'<rect class="f" x="{_LEFT}" y="{_TOP}" width="{_SIDE}" height="{_SIDE}"/>',
        f'<path class="d" d="M{_x(-1):.1f} {_y(-1):.1f}L{_x(1):.1f} {_y(1):.1f}"/>',
    ]
    for tick, words in ((-1, "-1"), (0, "0"), (1, "+1")):
        parts.append(f'<text x="{_x(tick):.1f}" y="{_TOP + _SIDE + 15}" text-anchor="middle">{words}</text>')
        parts.append(f'<text x="{_LEFT - 6}" y="{_y(tick) + 4:.1f}" text-anchor="end">{words}</text>')
    for kind, curve in (("q", search), ("v", net)):
        most = max((bin.positions for bin in curve.bins), default=1)
        for bin in curve.bins:
            x, radius = _x(bin.predicted), 2 + 3 * math.sqrt(bin.positions / most)
            parts.append(
                f'<g class="{kind}"><path d="M{x:.1f} {_y(bin.low):.1f}V{_y(bin.high):.1f}"/>'
                f'<circle cx="{x:.1f}" cy="{_y(bin.result):.1f}" r="{radius:.1f}"/>'
                f"<title>predicted {bin.predicted:+.2f}, result {bin.result:+.2f}, positions: {bin.positions}</title>"
                "</g>"
            )
    return "".join([*parts, "</svg>"])


def _x(value: float) -> float:
    return _LEFT + (value + 1.0) / 2.0 * _SIDE


def _y(value: float) -> float:
    return _TOP + (1.0 - value) / 2.0 * _SIDE


def shares_svg(shares: Sequence[tuple[str, str, float]], title: str) -> str:
    """A bar of parts, each a kind, which the page colours, its words and its share of the whole; ``title`` is read out
    in its place."""
    head = '<svg class="shares" viewBox="0 0 100 6" preserveAspectRatio="none" role="img"'
    parts, left = [f'{head} aria-label="{escape(title)}"><title>{escape(title)}</title>'], 0.0
    for kind, words, share in shares:
        width = 100.0 * share
        parts.append(
            f'<rect class="{kind}" x="{left:.2f}" width="{width:.2f}" height="6"><title>{escape(words)}</title></rect>'
        )
        left += width
    return "".join([*parts, "</svg>"])
