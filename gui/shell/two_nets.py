"""Opens a position with two nets: the first search with one, the second search with the other."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from core.text import Text
from gui.model.sources import net_source

if TYPE_CHECKING:
    from core.games import Position
    from gui.context import Context


def compare_nets(context: Context, position: Position, nets: tuple[Path, Path]) -> None:
    """Search ``position`` with both nets, side by side; ``ValueError`` when one cannot be read."""
    from gui.rooms.what_if.what_if import shown_searches

    state = context.state
    if state.settings is None:
        raise ValueError(Text("The engine is being loaded."))
    first, second = map(net_source, nets)
    if state.position == position:
        state.set_source(first)
    else:
        state.open_position(position, first)
    searches = shown_searches(context)
    searches.second.search_with(second)
    searches.view.turn_to("moves")
    searches.renew()
