"""Tooltips in lines of a length that can be read: Qt writes a plain one in a single line, however long it is."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, Protocol
from unicodedata import east_asian_width

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QToolTip, QWidget

LINE: Final = 88  # letters of a line; a Chinese character counts as two
# Where a line may end: behind a space, and behind a Chinese character with the signs that close it.
_PIECE: Final = re.compile(
    "[“‘（《「]*[\u2e80-\u9fff\uff00-\uffef][”’，。、；：！？）》」]* ?|[^ \u2e80-\u9fff\uff00-\uffef]+ ?| "
)
_RICH: Final = re.compile("<[a-z]+")  # a tag, by which Qt knows it


class HasTip(Protocol):
    """A widget, an action or an item of a list."""

    def setToolTip(self, tip: str, /) -> object: ...


@lru_cache(maxsize=1024)  # a change of language asks for some hundred, many of them several times
def wrap_tip(tip: str) -> str:
    """Return a tooltip with its long lines broken; rich text, which Qt breaks, as it is."""
    if len(tip) <= LINE // 2 or _RICH.search(tip):
        return tip
    return "\n".join(part for line in tip.split("\n") for part in _lines(line))


def set_tip(thing: HasTip, tip: str) -> None:
    """Give a thing a tooltip, its long lines broken."""
    thing.setToolTip(wrap_tip(tip))


def show_tip(at: QPoint, tip: str, owner: QWidget) -> None:
    """Show a tooltip at a point of the screen, its long lines broken; "" hides it."""
    QToolTip.showText(at, wrap_tip(tip), owner)


def _lines(line: str) -> list[str]:
    lines, used = [""], 0
    for piece in _PIECE.findall(line):
        width = len(piece) if piece.isascii() else sum(1 + (east_asian_width(letter) in "WF") for letter in piece)
        if used + width > LINE and lines[-1]:
            lines.append("")
            used = 0
        lines[-1] += piece
        used += width
    return [part.rstrip(" ") for part in lines]
