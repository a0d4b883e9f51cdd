"""The stones that matter on the board, without the room: a command that shows them wherever the person looks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from gui.jobs.inside import InsideReader
from gui.language.language import tr
from gui.model.shown import CellsShown
from gui.model.state import INSIDE_OVERLAY
from gui.rooms.inside.stones_part import BY_MOVE, find_stones, stone_cells
from gui.widgets.texts import on_language

if TYPE_CHECKING:
    from core.text import Words
    from gui.context import Context
    from models.inside.stones import Stones

OFFER = "rings"  # under which the cells are offered to the board


class Rings(QObject):
    """Rings on the stones of the position selected, as long as they are switched on and the board shows them."""

    def __init__(self, context: Context) -> None:
        super().__init__(context.window)
        self._context, self._state = context, context.state
        self._reader = InsideReader(context.session, self)
        self._found: Stones | None = None
        self._of: object = None  # the net of what was found
        self.on = False
        self._reader.changed.connect(self._ask)
        self._state.overlay_changed.connect(self._overlay_changed)
        context.events.closing.connect(self._reader.stop)
        context.events.escaped.connect(lambda: self.switch(False))
        on_language(self, self._offer)

    def switch(self, on: bool) -> None:
        """Show the rings, or the overlay before them."""
        if on == self.on:
            return
        self.on = on
        self._found = None
        if on:
            self._ask()
        else:
            self._reader.stop()
            self._state.show_cells(False)
            self._state.offer_cells(OFFER, None)
        self._context.actions["rings"].setChecked(self.on)

    def _ask(self) -> None:
        if not self.on:
            return
        if self._reader.refusal:
            self._fail(self._reader.refusal)
            return
        self._found = None
        self._offer()
        self._state.show_cells(True)
        self._reader.ask(self, find_stones, self._take, self._fail, self._take)

    def _take(self, found: Any) -> None:
        if found is not None and self.on:
            self._found, self._of = found, self._reader.source
            self._offer()

    def _fail(self, sentence: Words) -> None:
        self.switch(False)
        self._context.messages.show_notice(sentence)

    def _offer(self) -> None:
        """Offer what is known now."""
        position = self._reader.position
        if not self.on or position is None:
            return
        if self._found is not None:
            cells = stone_cells(self._found, self._of, BY_MOVE)
        else:
            cells = CellsShown(position, self._reader.source, tr("Stones that matter"), tr("being tested…"))
        self._state.offer_cells(OFFER, cells, first=True)

    def _overlay_changed(self, overlay: str) -> None:
        if overlay != INSIDE_OVERLAY:
            self.switch(False)


def switch_rings(context: Context) -> None:
    """Switch the rings of a window on or off."""
    rings = context.window.findChild(Rings) or Rings(context)
    rings.switch(not rings.on)
