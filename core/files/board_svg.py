"""Boards as SVG without colours: the classes are those of ``resources/page/base.css``.  One unit is one cell."""

import math
from html import escape
from typing import Final, NamedTuple

from core.games import GAMES, GameSpec

COLUMNS, MARKS, STONES, FELT, HEAPS, HEXAGONS = "columns", "marks", "stones", "felt", "heaps", "hexagons"
# How stones of the two players look on each kind of board: classes of the style sheet.
_LOOKS: Final = {
    COLUMNS: ("r", "y"),
    MARKS: ("x", "n"),
    STONES: ("k", "o"),
    FELT: ("k", "o"),
    HEAPS: ("c", "c"),
    HEXAGONS: ("r", "u"),
}
HOLES: Final = (
    '<svg class="defs" width="0" height="0" aria-hidden="true"><defs><pattern id="holes" width="1" height="1" '
    'patternUnits="userSpaceOnUse"><circle class="hole" cx=".5" cy=".5" r=".41"/></pattern></defs></svg>'
)  # once in each page that has boards
_CROSSED_UP_TO: Final = 4  # stones in a row: such games are drawn as noughts and crosses
_MANY: Final = 13  # columns
_SLANT: Final = 0.5  # cells by which a row of hexagons lies further to the right than the one above
_DOWN: Final = math.sqrt(3) / 2  # from row to row of hexagons
_RIM: Final = 1 / math.sqrt(3)  # from the top of a hexagon to its middle


class BoardLook(NamedTuple):
    """How a game's board is drawn."""

    kind: str  # as ``core.games.spec.Look`` names them; "" for a board that is drawn as text
    stones: tuple[str, str]  # classes of the players' stones


def look_of(game: GameSpec) -> BoardLook:
    """How the board of ``game`` is drawn."""
    kind = _kind(game)
    return BoardLook(kind, _LOOKS.get(kind, ("k", "o")))


def _kind(game: GameSpec) -> str:
    if game.board.text is not None:
        return ""
    family, _, kind = game.name.rpartition(":")
    if family:
        return kind if kind in _LOOKS else MARKS
    if game.name in GAMES and (look := GAMES[game.name].look) is not None:
        return look.kind
    if game.gravity:
        return COLUMNS
    if game.lines is not None:
        return MARKS if game.lines.k <= _CROSSED_UP_TO else STONES
    if game.captures:
        return STONES
    return FELT if game.moves_are_cells else HEAPS


def board_size(game: GameSpec) -> tuple[float, float]:
    """Width and height of the board, in cells."""
    rows, cols = game.shape
    if _kind(game) != HEXAGONS:
        return float(cols), float(rows)
    return cols + _SLANT * (rows - 1), (rows - 1) * _DOWN + 2 * _RIM


def centre(game: GameSpec, cell: int) -> tuple[float, float]:
    """The middle of a cell."""
    row, col = divmod(cell, game.shape[1])
    if _kind(game) != HEXAGONS:
        return col + 0.5, row + 0.5
    return col + 0.5 + _SLANT * row, _RIM + row * _DOWN


def ground(game: GameSpec) -> str:
    """The empty board."""
    rows, cols = game.shape
    kind = _kind(game)
    if kind == HEXAGONS:
        return "".join(_hexagon(*centre(game, cell)) for cell in range(game.num_cells))
    base = {COLUMNS: "d", FELT: "f"}.get(kind, "g")
    board = f'<rect class="{base}" width="{cols}" height="{rows}" rx=".15"/>'
    if kind == COLUMNS:
        return f'{board}<rect class="w" width="{cols}" height="{rows}"/>'
    if kind == STONES:
        lines = [f"M.5 {r + 0.5}H{cols - 0.5}" for r in range(rows)] + [
            f"M{c + 0.5} .5V{rows - 0.5}" for c in range(cols)
        ]
    elif kind == HEAPS:
        lines = [f"M0 {r}H{cols}" for r in range(1, rows)]
    else:
        lines = [f"M0 {r}H{cols}" for r in range(1, rows)] + [f"M{c} 0V{rows}" for c in range(1, cols)]
    return f'{board}<path class="l" d="{"".join(lines)}"/>'


def _hexagon(x: float, y: float) -> str:
    corners = ((0.0, -_RIM), (0.5, -_RIM / 2), (0.5, _RIM / 2), (0.0, _RIM), (-0.5, _RIM / 2), (-0.5, -_RIM / 2))
    return f'<path class="h" d="M{"L".join(f"{x + dx:.3f} {y + dy:.3f}" for dx, dy in corners)}Z"/>'


def stone(x: float, y: float, look: str) -> str:
    """A stone in the middle of a cell; ``look``: a class of ``BoardLook.stones``."""
    if look == "x":
        return f'<path class="x" d="M{x - 0.27:g} {y - 0.27:g}l.54 .54m0-.54l-.54 .54"/>'
    radius = {"n": ".29", "c": ".3"}.get(look, ".42")
    return f'<circle class="{look}" cx="{x:g}" cy="{y:g}" r="{radius}"/>'


def empty_board(game: GameSpec, name: str) -> str:
    """The empty board with its coordinates as an element with the id ``name``, on which a script puts stones.

    "" for a game whose board is drawn as text."""
    look = look_of(game)
    if not look.kind:
        return ""
    rows, cols = game.shape
    width, height = board_size(game)
    labels = _coordinates(game)
    left, below = 0.1 if game.gravity or not labels else 0.8, 0.75 if labels else 0.1
    many = " data-many" if cols >= _MANY else ""  # texts are larger, in cells
    box = f"{-left:g} -.1 {width + left + 0.1:.3f} {height + below + 0.1:.3f}"
    return (
        f'<svg id="{escape(name)}" class="b" viewBox="{box}" role="img"{many} '
        f'data-rows="{rows}" data-columns="{cols}" data-kind="{look.kind}" '
        f'data-first="{look.stones[0]}" data-second="{look.stones[1]}">{ground(game)}{labels}</svg>'
    )


def _coordinates(game: GameSpec) -> str:
    """The labels below the columns and left of the rows; "" where moves are neither columns nor cells."""
    if not game.gravity and not game.moves_are_cells:
        return ""
    rows, cols = game.shape
    names = game.cell_names
    _, height = board_size(game)
    texts = []
    for col in range(cols):
        x, _ = centre(game, (rows - 1) * cols + col)
        text = escape(names[col].rstrip("0123456789"))
        texts.append(f'<text class="t" x="{x:g}" y="{height + 0.38:.3f}" dy=".12">{text}</text>')
    for row in range(0 if game.gravity else rows):
        x, y = centre(game, row * cols)
        text = escape(names[row * cols].lstrip("abcdefghijklmnopqrstuvwxyz"))
        texts.append(f'<text class="t" x="{x - 0.85:g}" y="{y:.3f}" dy=".12">{text}</text>')
    return "".join(texts)
