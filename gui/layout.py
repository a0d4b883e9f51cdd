"""Where the views stand: toolbar, board left, moves and tree right, settings, status.  Connects nothing."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSplitter, QToolButton, QVBoxLayout, QWidget

from gui.board import BoardView
from gui.moves_table import MovesTable
from gui.settings_panel import SettingsPanel
from gui.status_strip import StatusStrip
from gui.strips import Banner, RecordStrip
from gui.toolbar import Toolbar
from gui.tree_view import TreeView
from gui.value_bar import PlayerLabel, ValueBar


class CentralView(QWidget):
    """Makes every view and gives each its place."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("central")
        self.toolbar = Toolbar(self)
        self.board = BoardView(self)
        self.value_bar = ValueBar(self)
        self.player = PlayerLabel(self)
        self.record = RecordStrip(self)
        self.moves = MovesTable(self)
        self.tree = TreeView(self)
        self.settings = SettingsPanel(self)
        self.settings.hide()
        self.status = StatusStrip(self)
        self.moves_title = QLabel("Moves", self)
        self.tree_title = QLabel("Tree · each row for the side that plays it", self)
        self.navigation: dict[str, QToolButton] = {}

        self.splitter = self._splitter(Qt.Orientation.Horizontal)
        self.splitter.addWidget(self._board_card())
        self.splitter.addWidget(self._figures())
        self.splitter.addWidget(self.settings)
        for place, stretch in enumerate((5, 6, 0)):
            self.splitter.setStretchFactor(place, stretch)
        self.splitter.setSizes([660, 804, 0])
        content = QVBoxLayout()
        content.setContentsMargins(8, 8, 8, 8)
        content.addWidget(self.splitter)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.toolbar)
        column.addLayout(content, 1)
        column.addWidget(self.status)
        self.banner = Banner(self)  # last: it floats above the others

    def _splitter(self, orientation: Qt.Orientation) -> QSplitter:
        splitter = QSplitter(orientation, self)
        splitter.setChildrenCollapsible(False)
        splitter.setHandleWidth(8)
        return splitter

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
        column.addLayout(self._navigation_row())
        return card

    def _figures(self) -> QSplitter:
        splitter = self._splitter(Qt.Orientation.Vertical)
        splitter.addWidget(self._titled_card(self.moves_title, self.moves))
        splitter.addWidget(self._titled_card(self.tree_title, self.tree))
        splitter.setSizes([300, 380])
        return splitter

    def _titled_card(self, title: QLabel, view: QWidget) -> QFrame:
        card = self._card()
        column = QVBoxLayout(card)
        column.setContentsMargins(2, 0, 2, 2)
        column.setSpacing(0)
        title.setObjectName("heading")
        title.setContentsMargins(10, 7, 10, 3)
        column.addWidget(title)
        column.addWidget(view, 1)
        return card

    def _navigation_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(2)
        for name in ("first", "previous", "next", "last", "undo", "engine"):
            button = QToolButton(self)
            button.setIconSize(QSize(18, 18))
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
            self.navigation[name] = button
            row.addWidget(button)
            if name == "last":
                row.addSpacing(6)
                row.addWidget(self.record, 1)
                row.addSpacing(6)
        return row
