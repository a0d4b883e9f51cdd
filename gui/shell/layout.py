"""The layout of the views: toolbar, board among the docks, status line.  Connects nothing."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from gui.rooms.board.count_strip import CountStrip
from gui.rooms.board.legend import OverlayLegend
from gui.rooms.board.value_bar import PlayerLabel, ValueBar
from gui.shell.dock_area import DockArea
from gui.shell.status_strip import StatusStrip
from gui.shell.strips import RecordStrip
from gui.shell.toolbar import Toolbar
from gui.shell.tree_tabs import TreeTabs
from gui.widgets.board.board import BoardView
from gui.widgets.tables.folding import FILTER
from gui.widgets.tables.moves_table import MovesTable
from gui.widgets.tables.tree_view import TreeView
from gui.widgets.theme import set_icon


class CentralView(QWidget):
    """Creates all views of the analysis page and lays them out."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("central")
        self.toolbar: Toolbar = Toolbar(self)
        self.tabs = TreeTabs(self)
        self.board: BoardView = BoardView(self, under="panel")
        self.legend = OverlayLegend(self)
        self.value_bar = ValueBar(self)
        self.player = PlayerLabel(self)
        self.count = CountStrip(self)
        self.record = RecordStrip(self)
        self.moves: MovesTable = MovesTable()
        self.tree: TreeView = TreeView()
        for view in (self.moves, self.tree):  # until their docks are first shown
            view.hide()
            view.setParent(self)
        self.status = StatusStrip(self)
        self.navigation: dict[str, QToolButton] = {}

        self.docks = DockArea(self._board_card(), self)
        content = QVBoxLayout()
        content.setContentsMargins(8, 8, 8, 8)
        content.addWidget(self.docks)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.toolbar)
        column.addWidget(self.tabs)
        column.addLayout(content, 1)
        column.addWidget(self.status)

    def set_filter(self, name: str) -> None:
        """Set which moves the tables show, by the name of a filter."""
        self.moves.set_filter(FILTER[name])
        self.tree.set_filter(FILTER[name])

    def _card(self) -> QFrame:
        card = QFrame(self)
        card.setObjectName("card")
        return card

    def _board_card(self) -> QFrame:
        card = self._card()
        column = QVBoxLayout(card)
        column.setContentsMargins(12, 6, 12, 8)
        column.setSpacing(4)
        column.addWidget(self.player)
        row = QHBoxLayout()
        row.setSpacing(2)
        row.addWidget(self.value_bar)
        row.addWidget(self.board, 1)
        column.addLayout(row, 1)
        column.addWidget(self.legend)
        column.addWidget(self.count)
        column.addLayout(self._navigation_row())
        return card

    def _navigation_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(2)
        for name in ("first", "previous", "next", "last", "undo", "engine"):
            button = QToolButton(self)
            button.setObjectName("nav")
            button.setIconSize(QSize(18, 18))
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
            set_icon(button, name)
            self.navigation[name] = button
            row.addWidget(button)
            if name == "last":
                row.addSpacing(6)
                row.addWidget(self.record, 1)
                row.addSpacing(6)
        return row
