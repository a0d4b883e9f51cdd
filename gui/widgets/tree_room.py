"""A drawn tree with its controls: whose values, the whole tree, legend, one node in words.

Knows a snapshot and the selected path; ``follow`` connects it to a search.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSizePolicy, QToolButton, QVBoxLayout, QWidget

from gui.language.core_words import core_text
from gui.language.language import tr
from gui.widgets.folding_row import FoldingRow
from gui.widgets.in_sight import SeenWidget
from gui.widgets.labels import ShortLabel
from gui.widgets.player_choice import PLAYERS, PlayerChoice
from gui.widgets.texts import on_language, set_texts
from gui.widgets.theme import figure_font
from gui.widgets.tree_legend import LegendEntry, TreeLegend
from gui.widgets.words import waiting_text

if TYPE_CHECKING:
    from core.games import Position
    from core.glass import Snapshot
    from core.glass.nodes import TreeNodes
    from gui.model.session import Session
    from gui.model.state import AppState, PathOf
    from gui.widgets.preferences import Preferences
    from gui.widgets.tree_canvas import TreeCanvas


class TreeRoom(SeenWidget):
    """A canvas with its controls; nothing is drawn or asked for while it is hidden."""

    selected = Signal(object)  # path

    def __init__(self, canvas: Callable[[QWidget], TreeCanvas], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._snapshot: Snapshot | None = None
        self._line: PathOf = ()
        self._waiting = ""
        self.canvas = canvas(self)
        self.players = PlayerChoice(self)
        self.whole = QToolButton(self)
        self.whole.setObjectName("plain")
        set_texts(self.whole, text="Fit", toolTip="Show the whole tree (P); I and O, or the wheel, zoom")
        self.reading = ShortLabel(self, Qt.TextElideMode.ElideMiddle)
        self.reading.setObjectName("dim")
        set_texts(self.reading, accessibleName="Node under the pointer or selected")
        self.reading.setFont(figure_font(self.font()))
        self.reading.setContentsMargins(10, 2, 10, 5)
        self.reading.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.whole.clicked.connect(self.canvas.fit)
        self.canvas.selected.connect(self.selected)
        self.canvas.described.connect(self.reading.setText)
        on_language(self, self._show_again)

    def _lay_out(self, *groups: Sequence[QWidget]) -> FoldingRow:
        """Put a row of three groups of controls above the canvas, legend and reading below; return the row.

        Called once.
        """
        self.legend = TreeLegend(self._entries, self._meaning, self)
        row = FoldingRow(self)
        row.setContentsMargins(10, 6, 8, 4)
        inner = row.fold_right()
        for part, widgets in zip((row.left, inner.left, inner.right), groups, strict=True):
            part.setSpacing(8)
            for widget in widgets:
                part.addWidget(widget)
        inner.left.addStretch(1)
        inner.right.addStretch(1)
        row.set_stretch(1, 0)
        inner.set_stretch(1, 0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(row)
        column.addWidget(self.canvas, 1)
        column.addWidget(self.legend)
        column.addWidget(self.reading)
        return row

    # what a subclass provides

    def _entries(self) -> tuple[LegendEntry, ...]:
        raise NotImplementedError

    def _meaning(self) -> str:
        """Return the legend in words."""
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
        if root is not None:
            self.players.set_game(root.game.name)
        self.legend.renew()

    def _show_again(self) -> None:
        self.show_snapshot(self._snapshot, self._line)

    def set_waiting(self, text: str) -> None:
        """Set the message shown while there is no tree, in English."""
        self._waiting = text
        if self.ready and self._snapshot is None:
            self.canvas.set_message(core_text(text))

    def show_player(self, whose: str) -> None:
        """Show the values for one of ``VALUES_FOR``."""
        self.players.show_choice(whose)
        self.canvas.set_player(PLAYERS[whose])
        self.legend.renew()

    # requests

    def set_in_sight(self, in_sight: bool) -> None:
        super().set_in_sight(in_sight)
        self._request()
        if in_sight:
            self.show_snapshot(self._snapshot, self._line)

    def follow(self, state: AppState, session: Session, preferences: Preferences) -> None:
        """Show the search and the selection from now on, while it is visible; clicks select."""

        def show(*_: object) -> None:
            self.show_snapshot(session.snapshot, state.line)

        def select(*_: object) -> None:
            self.canvas.select_path(state.selected, state.position)

        def wait() -> None:
            self.set_waiting(waiting_text(session.phase))

        session.state_changed.connect(wait)
        wait()
        self.selected.connect(lambda path: state.select(path, self.canvas.root))
        self.players.chosen.connect(lambda whose: setattr(preferences, "values_for", whose))
        preferences.values_for_changed.connect(self.show_player)
        self.show_player(preferences.values_for)
        state.selection_changed.connect(select)
        session.snapshot_for_text.connect(show)
        select()
        show()
        self.set_in_sight(self.isVisible())
