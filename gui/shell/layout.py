"""The analysis page: toolbar, tabs of trees, board among the rooms, status line."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from gui.rooms.board.board_room import BoardRoom
from gui.shell.desk import Desk
from gui.shell.status_strip import StatusStrip
from gui.shell.toolbar import Toolbar
from gui.shell.tree_tabs import TreeTabs
from gui.widgets.layouts import lay_column
from gui.widgets.tables.tree_view import TreeView


class CentralView(QWidget):
    """Creates the views of the analysis page that are there from the start and lays them out."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("central")
        self.room = BoardRoom(self)
        self.toolbar: Toolbar = Toolbar(self.room.overlays, self)
        self.tabs = TreeTabs(self)
        self.tree: TreeView = TreeView()
        self.tree.hide()  # until its room is first shown
        self.tree.setParent(self)
        self.status = StatusStrip(self)
        self.docks = Desk(self.room, self)
        content = lay_column(self.docks, margins=8)
        lay_column(self.toolbar, self.tabs, (content, 1), self.status, of=self, margins=0, spacing=0)
