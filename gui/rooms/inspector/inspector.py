"""The inspector of one node: the arithmetic of its next choice, values, policies, planes, symmetries.

A function of (Position, Snapshot) and of the present settings and source; knows no other view.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from gui.language.language import tr
from gui.rooms.inspector.choice_section import ChoiceSection
from gui.rooms.inspector.input_section import InputSection
from gui.rooms.inspector.policy_section import PolicySection
from gui.rooms.inspector.symmetry_section import SymmetrySection
from gui.rooms.inspector.value_section import ValueSection
from gui.widgets.board.board_paint import kind_of
from gui.widgets.room import scroll_down
from gui.widgets.text_size import by_font
from gui.widgets.texts import set_texts
from gui.widgets.theme import figure_font
from gui.widgets.words import outcome_text

if TYPE_CHECKING:
    from core.engine import EvaluatorSource
    from core.games import Position
    from core.games.encoding import Encoding
    from core.glass import MoveRow, Snapshot
    from core.search import SearchSettings
    from gui.context import Context
    from gui.model.state import PathOf


class Inspector(QWidget):
    """The inspector's widget, which shows one node.  ``shown`` asks for its contents when it becomes visible."""

    shown = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title, self.note = QLabel(self), QLabel(self)
        self.title.setObjectName("strong")
        self.note.setObjectName("dim")
        by_font(self.title, lambda: self.title.setFont(figure_font(self.font(), 1.05, bold=True)))
        for label in (self.title, self.note):
            label.setWordWrap(True)
            label.setContentsMargins(12, 0, 10, 0)
        page = QWidget(self)
        page.setObjectName("inspector")
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 4, 0, 8)
        column.setSpacing(2)
        column.addWidget(self.title)
        column.addWidget(self.note)
        self.choice = ChoiceSection(page)
        self.value = ValueSection(page)
        self.policies = PolicySection(page)
        self.input = InputSection(page)
        self.symmetries = SymmetrySection(page)
        self.sections = (self.choice, self.value, self.policies, self.input, self.symmetries)
        for section in self.sections:
            column.addWidget(section)
        column.addStretch(1)
        scroll = scroll_down(page, self, "Inspector")
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scroll)
        set_texts(self, accessibleName="Inspector")
        self.show_node(None, (), None, None, None)

    def sizeHint(self) -> QSize:
        return QSize(320, 520)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.shown.emit()

    def show_node(
        self,
        position: Position | None,
        path: PathOf,
        snapshot: Snapshot | None,
        settings: SearchSettings | None,
        source: EvaluatorSource | None,
    ) -> None:
        """Show a node; ``position`` is that of the node at ``path`` below the snapshot's."""
        view = None if snapshot is None else snapshot.root if not path else snapshot.opened.get(path)
        self.input.show_input(position, _other_encoding(position, snapshot))
        self.symmetries.show_position(source, position)
        if position is None:
            set_texts(self.title, text="No position")
            self._show_note(tr("Open a game to inspect its search."))
            return
        players = kind_of(position.game.name).players
        mover, other = players[position.to_move], players[1 - position.to_move]
        where = tr("After {moves}").format(moves=" ".join(_names(position, path))) if path else tr("Root")
        self.title.setText(f"{where} · {outcome_text(position, players)[0]}")
        if view is None or view.choice is None or position.is_over:
            self._show_note(self._why_empty(position, path, snapshot))
            self.value.show_leaf(_row_above(snapshot, path), mover, other)
            return
        self._show_note("")
        self.choice.setVisible(True)
        self.policies.setVisible(True)
        self.choice.show_view(view, settings)
        self.policies.show_view(view)
        self.value.show_view(view, mover, other)

    def _why_empty(self, position: Position, path: PathOf, snapshot: Snapshot | None) -> str:
        if position.is_over:
            return tr("The game is over here: there is nothing to choose.")
        if snapshot is None:
            return tr("Not analysed yet: Space starts the search.")
        if not path:
            return tr("The search has not reached this position yet.")
        nodes = [snapshot.root, *(snapshot.opened.get(path[:i]) for i in range(1, len(path)))]
        if any(
            node is not None and not any(row.visits for row in node.rows if row.action == action)
            for node, action in zip(nodes, path, strict=True)
        ):
            return tr("Not in the tree: no simulation has come here.")
        return tr("A leaf of the tree: its moves are not opened yet, so there is nothing to choose.")

    def _show_note(self, sentence: str) -> None:
        """Show why there are no figures; "" when there are."""
        self.note.setText(sentence)
        self.note.setVisible(bool(sentence))
        if sentence:
            for section in (self.choice, self.value, self.policies):
                section.setVisible(False)


def _other_encoding(position: Position | None, snapshot: Snapshot | None) -> Encoding | None:
    """Return how the net is shown positions; None: by the game's own planes."""
    if position is None or snapshot is None:
        return None
    return next((one for one in position.game.encodings[1:] if one.name == snapshot.encoding), None)


def _row_above(snapshot: Snapshot | None, path: PathOf) -> MoveRow | None:
    """Return the parent's row for the move that leads to ``path``."""
    if snapshot is None or not path:
        return None
    above = snapshot.root if len(path) == 1 else snapshot.opened.get(path[:-1])
    return None if above is None else next((row for row in above.rows if row.action == path[-1]), None)


def _names(position: Position, path: PathOf) -> list[str]:
    names = [position.game.action_name(a) for a in path]
    return names if len(names) <= 6 else ["…", *names[-5:]]


def connect_inspector(context: Context, widget: QWidget) -> None:
    """Update the inspector with the selected node while it is visible."""
    assert isinstance(widget, Inspector)
    state, session = context.state, context.session

    def renew(*_: object) -> None:
        if not widget.isVisible():
            return
        widget.show_node(state.shown.preview, state.selected, session.snapshot, session.settings, session.source)

    for signal in (
        session.snapshot_for_text,
        state.position_changed,
        state.selection_changed,
        state.search_changed,
        widget.shown,
    ):
        signal.connect(renew)
    renew()
