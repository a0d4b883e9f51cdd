"""The board's room: the board with its player, value bar, legend and count, and the record's line below it."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from gui.language.language import tr
from gui.rooms.board.legend import OverlayLegend
from gui.rooms.board.record_strip import CountStrip, RecordStrip
from gui.rooms.board.scope import ScopeStrip
from gui.rooms.board.value_bar import PlayerLabel, ValueBar
from gui.widgets.board.board import BoardView
from gui.widgets.board.overlay_choice import OverlayChoice
from gui.widgets.figures import count
from gui.widgets.labels import icon_button
from gui.widgets.layouts import lay_column, lay_row
from gui.widgets.text_size import px
from gui.widgets.texts import set_texts

# buttons below the board: their icons and their actions; the record's line stands after the first four
NAVIGATION: Final = (
    ("first", "start"),
    ("previous", "back"),
    ("next", "forward"),
    ("last", "end"),
    ("undo", "undo"),
    ("engine", "engine_move"),
    ("target", "predict"),
    ("playout", "play_on_board"),
)
WIDE: Final = 430  # px, from which there is room for the ends of the record and the whole name of the playout's button


class BoardRoom(QFrame):
    """The board's card.  ``overlays``, the choice of the overlay, is laid out by who has a place for it."""

    menu_requested = Signal(int, QPoint)  # the menu of a move at a point of the screen, also from a table

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self.overlays = OverlayChoice(self)
        self.player = PlayerLabel(self)
        self.scope = ScopeStrip(self)
        self.value_bar = ValueBar(self)
        self.board = BoardView(self, under="panel")
        self.legend = OverlayLegend(self)
        self.count = CountStrip(self)
        self.record = RecordStrip(self)
        self.navigation: dict[str, QToolButton] = {}  # by action
        self._playout: QWidget | None = None
        self._wide: bool | None = None
        column = lay_column(self.player, self.scope, of=self, margins=(12, 6, 12, 8), spacing=4)
        row = lay_row(self.value_bar, (self.board, 1), spacing=2)
        column.addLayout(row, 1)
        column.addWidget(self.legend)
        column.addWidget(self.count)
        column.addLayout(self._navigation_row())

    def place_playout(self, strip: QWidget) -> None:
        """Give the controls of a playout the place of the legend while they are there."""
        layout = self.layout()
        assert isinstance(layout, QVBoxLayout)
        strip.setFixedHeight(self.legend.height())
        layout.insertWidget(layout.indexOf(self.legend), strip)
        self._playout = strip

    def show_legend(self, shown: bool) -> None:
        """Show the overlay's legend, unless its place is taken."""
        self.legend.setVisible(shown and (self._playout is None or self._playout.isHidden()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = self.width() >= px(WIDE)
        if wide == self._wide:
            return
        self._wide = wide
        for action in ("start", "end"):
            self.navigation[action].setVisible(wide)
        set_texts(self.navigation["play_on_board"], text="Play a playout" if wide else "Playout")

    def show_moment(self, words: str, place: int) -> None:
        """Show which earlier moment all figures are of, in words and as a number of simulations; "": the present."""
        if words:
            self.player.set_past(
                tr("{words} · Esc returns to the present").format(words=words),
                tr("at {place} · Esc returns").format(place=count(place)),
            )
        else:
            self.player.set_past("")

    def _navigation_row(self) -> QHBoxLayout:
        row = lay_row(spacing=2)
        for icon, action in NAVIGATION:
            colour = "accent" if icon == "playout" else "text"
            button = self.navigation[action] = icon_button(self, icon, look="nav", colour=colour)
            named = action == "play_on_board"
            style = Qt.ToolButtonStyle.ToolButtonTextBesideIcon if named else Qt.ToolButtonStyle.ToolButtonIconOnly
            button.setToolButtonStyle(style)
            row.addWidget(button)
            if icon == "last":
                row.addSpacing(6)
                row.addWidget(self.record, 1)
                row.addSpacing(6)
        return row
