"""The commands of the record: which are enabled, their messages, and which views keep the arrow keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QAbstractSlider, QAbstractSpinBox, QApplication, QComboBox, QWidget

from core.text import Text
from gui.model.keymap import key_of
from gui.rooms.game.record_marks import MarkSheet

if TYPE_CHECKING:
    from gui.context import Context
    from gui.widgets.board.board import BoardView

WITH_ARROWS = (QAbstractItemView, QAbstractSpinBox, QComboBox, QAbstractSlider)
ARROWS = (Qt.Key.Key_Up, Qt.Key.Key_Down)


class KeepArrowKeys(QObject):
    """Keeps up and down for a list, a field or a slider while it has the focus, whatever their shortcuts elsewhere."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._turn)

    def _turn(self, before: QWidget | None, now: QWidget | None) -> None:
        if isinstance(before, WITH_ARROWS):
            before.removeEventFilter(self)
        if isinstance(now, WITH_ARROWS):
            now.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() in ARROWS
            and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        ):
            event.accept()
            return True
        return super().eventFilter(watched, event)


def connect_record_actions(context: Context, board: BoardView) -> None:
    """Connect the record to its actions' enabled state, and show the marks of its node on the board."""
    state, actions = context.state, context.actions
    KeepArrowKeys(context.window)
    MarkSheet(state, board)

    def enable() -> None:
        record = state.record
        aside = record is not None and state.node not in record.main_line()
        for name, enabled in (
            ("variation_above", state.neighbour(-1) is not None),
            ("variation_below", state.neighbour(1) is not None),
            ("promote", aside),
            ("make_main", aside),
            ("start", state.cursor > 0),
            ("back", state.cursor > 0),
            ("forward", state.cursor < len(state.moves)),
            ("end", state.cursor < len(state.moves)),
            ("delete", state.cursor > 0),
            ("take_back", state.cursor > 0),
            ("undo", state.can_undo),
            ("redo", state.can_redo),
            ("comment", record is not None),
            ("edit_position", record is not None),
            ("about_game", record is not None),
        ):
            actions[name].setEnabled(enabled)

    state.comment_changed.connect(enable)
    state.position_changed.connect(enable)
    state.search_changed.connect(enable)
    enable()


def delete_move(context: Context, node: int) -> None:
    """Delete a move and all that follow it; a message appears if that is more than one move."""
    state = context.state
    if state.record is None or node not in state.record or state.record.node(node).parent < 0:
        return
    size = len(state.record)
    state.delete(node)
    count = size - len(state.record)
    if count > 1:
        key = key_of(context.actions["undo"])
        context.messages.show_notice(
            Text("{count} moves were deleted. Undo{key} brings them back.", count=count, key=f" ({key})" if key else "")
        )


def write_comment(context: Context) -> None:
    """Show the record and focus the comment on the move at the cursor."""
    from gui.rooms.game.record_panel import RecordPanel

    if context.docks["game"].isHidden() or context.docks["game"].visibleRegion().isEmpty():
        context.docks.show_dock("game")
    panel = context.docks["game"].fill()
    assert isinstance(panel, RecordPanel)
    panel.comment.setFocus()
