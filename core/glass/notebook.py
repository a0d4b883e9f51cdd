"""What a notebook shows of a search: the board as text and the moves as a table with bars, as HTML.

Colours are given with an opacity, so that they are seen on a light and on a dark page.
"""

import math
from collections.abc import Sequence
from html import escape
from typing import Final, Protocol

from core.games import Position
from core.games.diagram import SYMBOLS

ROWS: Final = 12  # moves shown; the others are counted
BAR: Final = 90  # px of a share of 1
_SHARE, _PRIOR = "rgba(47,158,104,.45)", "rgba(143,104,207,.45)"
_CELL: Final = 'style="text-align:right;padding:1px 8px"'
_TITLES: Final = ("move", "N", "", "P", "", "Q", "U", "proof")


class Move(Protocol):
    """The figures of one move that are shown; ``core.glass.snapshot.MoveRow`` has them."""

    @property
    def title(self) -> str: ...
    @property
    def visits(self) -> int: ...
    @property
    def share(self) -> float: ...
    @property
    def net_prior(self) -> float: ...
    @property
    def q(self) -> float: ...
    @property
    def u(self) -> float: ...
    @property
    def proof(self) -> str: ...
    @property
    def distance(self) -> int: ...


def moves_html(position: Position, moves: Sequence[Move], note: str = "") -> str:
    """The board of a position beside its ``moves``, those with the most visits first, and a ``note`` below."""
    head = "".join(f"<th {_CELL}>{title}</th>" for title in _TITLES)
    rows = "".join(_row(move) for move in moves[:ROWS])
    rest = len(moves) - ROWS
    more = f'<tr><td colspan="{len(_TITLES)}">and {rest} more</td></tr>' if rest > 0 else ""
    return (
        f'<div style="display:flex;gap:24px;align-items:flex-start"><pre>{escape(position.diagram())}</pre>'
        f"<div><p>{SYMBOLS[1:][position.to_move]} to move; values are for the side to move</p>"
        f"<table><thead><tr>{head}</tr></thead><tbody>{rows}{more}</tbody></table>"
        f"<p>{escape(note)}</p></div></div>"
    )


def _row(move: Move) -> str:
    cells = (
        f"<b>{escape(move.title)}</b>",
        str(move.visits),
        _bar(move.share, _SHARE),
        _number(move.net_prior, "{:.3f}"),
        _bar(move.net_prior, _PRIOR),
        _number(move.q if move.visits else math.nan, "{:+.3f}"),
        _number(move.u, "{:.3f}"),
        f"{move.proof} in {move.distance}" if move.distance else move.proof,
    )
    return "<tr>" + "".join(f"<td {_CELL}>{cell}</td>" for cell in cells) + "</tr>"


def _number(value: float, form: str) -> str:
    return form.format(value) if math.isfinite(value) else "–"


def _bar(share: float, colour: str) -> str:
    width = round(BAR * share) if share > 0 else 0
    return f'<div style="width:{BAR}px"><div style="width:{width}px;height:.9em;background:{colour}"></div></div>'
