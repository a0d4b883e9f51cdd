"""Small boards as SVG, coloured by the styles of the page that holds them.

One unit is one cell.  ``STYLE`` has the colours, by light and dark, and ``DEFINITIONS`` what all boards share.
"""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from core.games import GameSpec, Position
from models.audit.shapes import MINE, OUTSIDE, THEIRS, Window, cell_of

WIDTH: Final = 132  # pixels
_CROSSED_UP_TO: Final = 4  # stones in a row: such games are drawn as noughts and crosses

STYLE: Final = """
.b{display:block}.b .g{fill:var(--board)}.b .d{fill:var(--body)}.b .w{fill:url(#holes)}
.b .l{stroke:var(--grid);stroke-width:.05;fill:none}
.b .r{fill:#c9452f;stroke:#8d2b1b;stroke-width:.06}.b .y{fill:#e9b93a;stroke:#a37c16;stroke-width:.06}
.b .k{fill:#1f2327;stroke:#5b6268;stroke-width:.04}.b .o{fill:#f7f5ef;stroke:#5b6268;stroke-width:.04}
.b .x,.b .n{fill:none;stroke-width:.13;stroke-linecap:round}.b .x{stroke:var(--ink)}.b .n{stroke:var(--main)}
.b .last{fill:#4a90d9}.b .net{fill:none;stroke:#e8730c;stroke-width:.12;stroke-dasharray:.22 .14}
.b .search{fill:none;stroke:#1d7fe0;stroke-width:.12}.b .right{fill:#2aa05a;stroke:var(--ground);stroke-width:.04}
.b .out{fill:var(--line)}
"""
DEFINITIONS: Final = (
    '<svg width="0" height="0" style="position:absolute" aria-hidden="true"><defs>'
    '<pattern id="holes" width="1" height="1" patternUnits="userSpaceOnUse">'
    '<circle cx=".5" cy=".5" r=".41" style="fill:var(--hole)"/></pattern></defs></svg>'
)


class Mark(NamedTuple):
    """A mark on a cell: ``net`` a dashed ring, ``search`` a ring, ``right`` a dot."""

    action: int
    kind: str


_RADII: Final = {"net": 0.45, "search": 0.33, "right": 0.14}


def board_svg(position: Position, marks: Sequence[Mark] = (), width: int = WIDTH) -> str:
    """A board with its stones, a dot on the last one, and marks on moves that have a cell."""
    game = position.game
    rows, cols = game.shape
    height = round(width * rows / cols)
    parts = [f'<svg class="b" viewBox="0 0 {cols} {rows}" width="{width}" height="{height}" role="img">', _ground(game)]
    cells = position.cells().reshape(-1).tolist()
    first, second = _looks(game)
    for cell, stone in enumerate(cells):
        if stone:
            parts.append(_stone(*_centre(cell, cols), first if stone == 1 else second))
    if position.last_action >= 0 and (last := _last_cell(position)) is not None:
        x, y = _centre(last, cols)
        parts.append(f'<circle class="last" cx="{x}" cy="{y}" r=".12"/>')
    for action, kind in marks:
        if (at := cell_of(position, action)) is not None:
            x, y = _centre(at, cols)
            parts.append(f'<circle class="{kind}" cx="{x}" cy="{y}" r="{_RADII[kind]}"/>')
    return "".join([*parts, "</svg>"])


def window_svg(window: Window, width: int = 60) -> str:
    """The 3 x 3 cells around an overlooked move, which is ringed; the side to move is black."""
    parts = [f'<svg class="b" viewBox="0 0 3 3" width="{width}" height="{width}" role="img">']
    parts.append(
        '<rect class="g" width="3" height="3"/><path class="l" d="M0 .5H3M0 1.5H3M0 2.5H3M.5 0V3M1.5 0V3M2.5 0V3"/>'
    )
    for cell, content in enumerate(window):
        row, col = divmod(cell, 3)
        if content == OUTSIDE:
            parts.append(f'<rect class="out" x="{col}" y="{row}" width="1" height="1"/>')
        elif content in (MINE, THEIRS):
            parts.append(_stone(col + 0.5, row + 0.5, "k" if content == MINE else "o"))
    return "".join([*parts, '<circle class="search" cx="1.5" cy="1.5" r=".33"/></svg>'])


def _looks(game: GameSpec) -> tuple[str, str]:
    if game.gravity:
        return "r", "y"
    if game.lines is not None and game.lines.k <= _CROSSED_UP_TO:
        return "x", "n"
    return "k", "o"


def _ground(game: GameSpec) -> str:
    rows, cols = game.shape
    ground = f'<rect class="{"d" if game.gravity else "g"}" width="{cols}" height="{rows}" rx=".15"/>'
    if game.gravity:
        return f'{ground}<rect class="w" width="{cols}" height="{rows}"/>'
    if game.captures or (game.lines is not None and game.lines.k > _CROSSED_UP_TO):
        lines = [f"M.5 {r + 0.5}H{cols - 0.5}" for r in range(rows)] + [
            f"M{c + 0.5} .5V{rows - 0.5}" for c in range(cols)
        ]
    else:
        lines = [f"M0 {r}H{cols}" for r in range(1, rows)] + [f"M{c} 0V{rows}" for c in range(1, cols)]
    return f'{ground}<path class="l" d="{"".join(lines)}"/>'


def _stone(x: float, y: float, look: str) -> str:
    if look == "x":
        return f'<path class="x" d="M{x - 0.27:g} {y - 0.27:g}l.54 .54m0-.54l-.54 .54"/>'
    radius = ".29" if look == "n" else ".42"
    return f'<circle class="{look}" cx="{x:g}" cy="{y:g}" r="{radius}"/>'


def _centre(cell: int, cols: int) -> tuple[float, float]:
    row, col = divmod(cell, cols)
    return col + 0.5, row + 0.5


def _last_cell(position: Position) -> int | None:
    """The cell of the last move's stone."""
    game, action = position.game, position.last_action
    if game.gravity:
        rows: Iterable[int] = position.cells()[:, action].nonzero()[0].tolist()
        top = next(iter(rows), None)
        return None if top is None else top * game.shape[1] + action
    return action if game.moves_are_cells and action < game.num_cells else None
