"""A part of the room that draws the tree: it asks for what it draws and shows it, while it is seen."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from gui.language.core_words import core_text
from gui.language.language import tr
from gui.widgets.in_sight import SeenWidget
from gui.widgets.layouts import lay_column
from gui.widgets.texts import on_language

if TYPE_CHECKING:
    from core.games import Position
    from core.glass import Snapshot
    from core.glass.nodes import TreeNodes
    from gui.model.state import PathOf
    from gui.widgets.tree_canvas import TreeCanvas
    from gui.widgets.tree_legend import LegendEntry


class DrawnTree(SeenWidget):
    """A canvas; nothing is drawn or asked for while it is hidden."""

    def __init__(self, canvas: Callable[[QWidget], TreeCanvas], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._snapshot: Snapshot | None = None
        self._line: PathOf = ()
        self._waiting = ""
        self.canvas = canvas(self)
        lay_column(self.canvas, of=self, margins=0, spacing=0)
        on_language(self, self._show_again)

    # what a subclass provides

    def entries(self, mode: str) -> tuple[LegendEntry, ...]:
        """Return what the legend says of this drawing alone, for a meaning of the colours."""
        raise NotImplementedError

    def meaning(self) -> str:
        """Return the same in words."""
        raise NotImplementedError

    def _nodes_of(self, snapshot: Snapshot) -> TreeNodes | None:
        """Return what a snapshot carries for this view; None if one of the next will."""
        raise NotImplementedError

    def _draw(self, nodes: TreeNodes | None, root: Position | None) -> None:
        """Let the canvas show the nodes of the search from ``root``."""
        raise NotImplementedError

    def _request(self) -> None:
        """Ask for what is drawn, or for nothing while out of sight."""
        raise NotImplementedError

    @property
    def ready(self) -> bool:
        """Whether it can draw."""
        return True

    # contents

    def show_snapshot(self, snapshot: Snapshot | None, line: PathOf) -> None:
        """Show the tree that a snapshot carries; kept for later while the view is hidden.

        ``line``: the moves from the record's start to its position."""
        self._snapshot, self._line = snapshot, line
        if not self._in_sight or not self.ready:
            return
        root = snapshot.position if snapshot is not None else None
        nodes = self._nodes_of(snapshot) if snapshot is not None else None
        if root is not None and root.is_over:
            self._draw(None, None)
            self.canvas.set_message(tr("the game is over here: there is no tree to draw"))
        elif root is not None and nodes is None:
            return  # one of the next snapshots has it
        else:
            self.canvas.set_message(core_text(self._waiting))
            self._draw(nodes, root)

    def _show_again(self) -> None:
        self.show_snapshot(self._snapshot, self._line)

    def set_waiting(self, text: str) -> None:
        """Set the message shown while there is no tree, in English."""
        self._waiting = text
        if self.ready and self._snapshot is None:
            self.canvas.set_message(core_text(text))

    # requests

    def set_in_sight(self, in_sight: bool) -> None:
        super().set_in_sight(in_sight)
        self._request()
        if in_sight:
            self.show_snapshot(self._snapshot, self._line)
