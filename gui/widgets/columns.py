"""Column widths that never cut a text, since a cut number reads as another one."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QHeaderView


def share_room(header: QHeaderView, least: Sequence[int], room: int) -> None:
    """Give each visible column its minimum width and an equal part of the remaining room."""
    shown = [place for place in range(header.count()) if not header.isSectionHidden(place)]
    spare = max(0, room - sum(least[place] for place in shown))
    for number, place in enumerate(shown):
        part = spare * (number + 1) // len(shown) - spare * number // len(shown)
        header.resizeSection(place, least[place] + part)
