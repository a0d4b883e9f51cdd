"""Columns never narrower than their texts: a figure that is cut reads as another one.  Knows no rows."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QHeaderView


def share_room(header: QHeaderView, least: Sequence[int], room: int) -> None:
    """Give each shown column its least width and an equal part of the room that is left over."""
    shown = [place for place in range(header.count()) if not header.isSectionHidden(place)]
    spare = max(0, room - sum(least[place] for place in shown))
    for number, place in enumerate(shown):
        part = spare * (number + 1) // len(shown) - spare * number // len(shown)
        header.resizeSection(place, least[place] + part)
