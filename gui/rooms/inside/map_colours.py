"""What the colours of the points of a map stand for."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtGui import QColor

from core.text import Words
from gui.language.language import tr
from gui.widgets.figures import signed
from gui.widgets.theme import current_theme, ramp

if TYPE_CHECKING:
    from collections.abc import Sequence

    from models.inside.plane import NetMap
    from models.inside.sample import Origin

VALUE, KNOWN, MISTAKE, GAME, PLY = "value", "known", "mistake", "game", "ply"
COLOURINGS: Final[tuple[tuple[str, Words], ...]] = (
    (VALUE, "Coloured by V"),
    (KNOWN, "Coloured by exact value or result"),
    (MISTAKE, "Coloured by mistakes of the net"),
    (GAME, "Coloured by game"),
    (PLY, "Coloured by ply"),
)
_ENDS: Final = (-1.0, 0.0, 1.0)


def colours_of(plane: NetMap, colouring: str) -> tuple[list[QColor], Sequence[int]]:
    """The colour of each point, and the order in which they are drawn: what is not known lies below."""
    theme, number = current_theme(), len(plane.points)
    unknown, order = theme.color("line"), range(number)
    if colouring == VALUE:
        return [_of_value(value) for value in plane.values.tolist()], order
    if colouring == PLY:
        last = max(1, _last_ply(plane))
        return [ramp(theme.share_ramp, position.ply / last) for position in plane.sample.positions], order
    if colouring == GAME:
        series = [QColor(colour) for colour in theme.series]
        _, games = np.unique(plane.sample.games, return_inverse=True)
        return [series[game % len(series)] for game in games.tolist()], order
    origins = _origins(plane)
    if colouring == KNOWN:
        values = [origin.value for origin in origins]
        colours = [unknown if math.isnan(value) else _of_value(value) for value in values]
        return colours, sorted(order, key=lambda place: not math.isnan(values[place]))
    kinds = [2 if origin.mistake else 0 if origin.mistake is None else 1 for origin in origins]
    looks = (unknown, theme.color("disabled"), theme.color("warn"))
    return [looks[kind] for kind in kinds], sorted(order, key=lambda place: kinds[place])


def legend_of(plane: NetMap, colouring: str) -> str:
    """What the colours stand for, as rich text."""
    theme = current_theme()
    unknown = (theme.line, tr("not known"))
    if colouring == VALUE:
        parts = [(_of_value(value).name(), signed(value, 0)) for value in _ENDS]
        return _legend(parts, tr("V of the net for the side to move"))
    if colouring == PLY:
        last = _last_ply(plane)
        ends = [(ramp(theme.share_ramp, share).name(), str(round(share * last))) for share in (0.0, 0.5, 1.0)]
        return _legend(ends, tr("plies played before"))
    if colouring == GAME:
        return _legend([], tr("Points of one game have one colour; several games may share it."))
    if colouring == KNOWN:
        parts = [(_of_value(value).name(), signed(value, 0)) for value in _ENDS]
        return _legend([*parts, unknown], tr("for the side to move: exact, else the result of its game"))
    wrong, right = (theme.warn, tr("a mistake of the net")), (theme.disabled, tr("no mistake of the net"))
    return _legend([wrong, right, unknown], tr("known from an audit"))


def _origins(plane: NetMap) -> Sequence[Origin]:
    from models.inside.sample import Origin

    return plane.sample.origins or (Origin(),) * len(plane.points)


def _last_ply(plane: NetMap) -> int:
    return max(position.ply for position in plane.sample.positions)


def _of_value(value: float) -> QColor:
    return ramp(current_theme().value_ramp, (value + 1.0) / 2.0)


def _legend(parts: Sequence[tuple[str, str]], words: str) -> str:
    dots = "&nbsp; ".join(f'<span style="color:{colour}">●</span> {title}' for colour, title in parts)
    return f"{dots} &nbsp; {words}" if dots else words
