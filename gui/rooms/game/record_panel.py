"""The dock "Game": the record as a tree, commands for its moves, and the comment on the one at the cursor.

Shows a record and emits the user's commands; ``connect_record`` connects it to the model.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QMenu, QPlainTextEdit, QSplitter, QToolButton, QWidget

from gui.language.language import tr
from gui.model.keymap import shown_keys, title_of
from gui.rooms.game.game_info import info_words
from gui.rooms.game.record_tree import RecordTree
from gui.widgets.keys import keeps_key
from gui.widgets.labels import ShortLabel, icon_button, rename
from gui.widgets.layouts import lay_column, lay_row
from gui.widgets.record_paint import node_name
from gui.widgets.texts import on_language, set_texts
from gui.widgets.tips import set_tip

if TYPE_CHECKING:
    from core.files.record import GameRecord
    from gui.context import Context

# actions with a button here, "" for a gap; the icon has the action's name unless it is in ICONS
BUTTONS: Final = (
    "variation_above",
    "variation_below",
    "",
    "promote",
    "make_main",
    "delete",
    "",
    "undo",
    "redo",
)
ICONS: Final = {"variation_above": "above", "variation_below": "below", "make_main": "main_line"}
TREE_SHARE = 70  # per cent of the space, until the splitter is moved
WIDE = 3.0  # smallest ratio of width to height with the comment beside the tree


class CommentEdit(QPlainTextEdit):
    """A text field that emits ``written`` after each edit; Escape leaves it."""

    written = Signal(str)
    editing_ended = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("written")
        set_texts(self, placeholderText="Write a comment here.")
        self.setTabChangesFocus(True)
        set_texts(self, accessibleName="Comment")
        self.textChanged.connect(self._emit_written)
        self._last_text = ""  # the last text shown or written
        self._showing = False

    @property
    def text(self) -> str:
        """The exact text; no-break spaces are kept."""
        return self.document().toRawText().replace("\u2029", "\n").replace("\u2028", "\n")

    def show_text(self, text: str) -> None:
        """Show a text without emitting ``written``; a text being edited keeps its undo history."""
        if text != self._last_text:
            self._last_text, self._showing = text, True
            self.setPlainText(text)
            self._showing = False

    def _emit_written(self) -> None:
        text = self.text
        if not self._showing and text != self._last_text:
            self._last_text = text
            self.written.emit(text)

    def event(self, event: QEvent) -> bool:
        return keeps_key(event, (Qt.Key.Key_Escape,)) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.editing_ended.emit()
        else:
            super().keyPressEvent(event)


class RecordPanel(QWidget):
    """The panel with tree, buttons and comment."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tree = RecordTree(self)
        self.comment = CommentEdit(self)
        self.title = ShortLabel(self, "heading")
        self.count = ShortLabel(self, "faint")
        self.count.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.about = ShortLabel(self)
        self.edit_about = QToolButton(self)
        self.edit_about.setObjectName("small")
        set_texts(self.edit_about, text="About this game…")
        self.edit_about.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.buttons: dict[str, QToolButton] = {}
        top = lay_row(margins=(6, 0, 10, 2), spacing=2)
        for name in BUTTONS:
            if not name:
                top.addSpacing(10)
                continue
            self.buttons[name] = icon_button(self, ICONS.get(name, name), look="small")
            top.addWidget(self.buttons[name])
        top.addWidget(self.count, 1)
        about_row = lay_row((self.about, 1), self.edit_about, margins=(10, 0, 8, 2))
        below = QWidget(self)
        lay_column(self.title, (self.comment, 1), of=below, margins=(8, 2, 8, 6), spacing=2)
        self.split = QSplitter(Qt.Orientation.Vertical, self)
        self.split.setChildrenCollapsible(False)
        self.split.addWidget(self.tree)
        self.split.addWidget(below)
        self.split.setSizes([TREE_SHARE, 100 - TREE_SHARE])
        lay_column(top, about_row, (self.split, 1), of=self, margins=0, spacing=0)

    def sizeHint(self) -> QSize:
        return QSize(520, 260)

    def show_cursor(self, record: GameRecord, node: int, line: tuple[int, ...]) -> None:
        """Show the move on the board, its place among the variations, and its comment."""
        self.tree.set_cursor(node, line)
        record_node = record.node(node)
        beside = record.node(record_node.parent).children if record_node.parent >= 0 else (node,)
        name = node_name(record, node)
        begins = record_node.parent < 0
        self.title.setText(tr("Comment on the start") if begins else tr("Comment on {name}").format(name=name))
        moves = len(record) - 1
        words = tr("{moves} moves", moves) if moves else tr("no move yet")
        words, place = words.format(moves=moves), ""
        if len(beside) > 1:
            place = tr("variation {number} of {all}").format(number=beside.index(node) + 1, all=len(beside)) + " · "
        self.count.setText(place + words)
        self.comment.show_text(record_node.comment)
        self.tree.setAccessibleDescription(f"{name}, {place}{words}. {record_node.comment}")

    def show_about(self, words: str) -> None:
        """Show the line about players, event and date; "" if there is none."""
        self.about.setText(words or tr("No players, event or date recorded."))
        rename(self.about, "" if words else "faint")

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the comment beside the tree in a low wide dock."""
        super().resizeEvent(event)
        along = Qt.Orientation.Horizontal if self.width() > WIDE * self.height() else Qt.Orientation.Vertical
        if along != self.split.orientation():
            self.split.setOrientation(along)
            self.split.setSizes([TREE_SHARE, 100 - TREE_SHARE])


def connect_record(context: Context, leave: Callable[[], object], widget: QWidget) -> None:
    """Connect the panel to the record and the actions; ``leave`` is called when the comment has been written."""
    assert isinstance(widget, RecordPanel)
    panel, state = widget, context.state

    def show_record() -> None:
        if state.record is not None:
            panel.tree.set_record(state.record)
            panel.tree.set_signs(state.signs)

    def show_about() -> None:
        if state.record is not None:
            panel.show_about(info_words(state.record))

    def show_cursor() -> None:
        if state.record is not None:
            panel.show_cursor(state.record, state.node, state.line_nodes)

    def show_buttons() -> None:
        for name, button in panel.buttons.items():
            action = context.actions[name]
            keys = shown_keys(key.toString() for key in action.shortcuts())
            set_tip(button, f"{title_of(action)} ({keys})" if keys else title_of(action))
            button.setAccessibleName(title_of(action))
            button.setEnabled(action.isEnabled())

    def show_menu(node: int, where: QPoint) -> None:
        menu = node_menu(context, node, panel)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(where)

    state.signs_changed.connect(lambda: panel.tree.set_signs(state.signs))
    state.record_changed.connect(show_record)
    state.record_changed.connect(show_about)
    state.position_changed.connect(show_cursor)
    state.comment_changed.connect(show_cursor)
    panel.tree.chosen.connect(state.go_to)
    panel.tree.menu_requested.connect(show_menu)
    panel.edit_about.clicked.connect(context.actions["about_game"].trigger)
    panel.comment.written.connect(state.set_comment)
    panel.comment.editing_ended.connect(leave)
    for name, button in panel.buttons.items():
        button.clicked.connect(context.actions[name].trigger)
        context.actions[name].changed.connect(show_buttons)
    on_language(panel, show_about)
    on_language(panel, show_cursor)
    show_record()
    show_about()
    show_cursor()
    show_buttons()


def node_menu(context: Context, node: int, parent: QWidget) -> QMenu:
    """Return the menu of commands for one move of the record, wherever the cursor is."""
    from gui.rooms.game.record_actions import delete_move

    state = context.state
    assert state.record is not None
    menu = QMenu(parent)
    menu.addSection(node_name(state.record, node))

    def add(text: str, run: object, enabled: bool) -> None:
        action = QAction(text, menu)
        action.setEnabled(enabled)
        action.triggered.connect(run)
        menu.addAction(action)

    aside = node not in state.record.main_line()
    add(tr("Show this position"), lambda: state.go_to(node), node != state.node)
    add(tr("Move the &variation up"), lambda: state.promote(node), aside)
    add(tr("Make it the main &line"), lambda: state.make_main(node), aside)
    add(tr("&Delete from here on"), lambda: delete_move(context, node), state.record.node(node).parent >= 0)
    return menu
