"""The position editor: a board set up by hand or from a text, with a report of its problems.

Knows the initial position; the caller uses the result.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from core.text import Text, text_of
from gui.language.core_words import core_text, game_title
from gui.language.language import begun, mark, stopped, tr
from gui.rooms.record.editor_board import EditBoard
from gui.rooms.record.editor_setup import Setup
from gui.widgets.board.board_paint import kind_of
from gui.widgets.board.places import COLUMNS, HEAPS
from gui.widgets.dialogs import OK_CANCEL, Dialog
from gui.widgets.form import ComboBox, Form, SpinBox
from gui.widgets.labels import rename
from gui.widgets.text_size import by_font, fixed_font, give_room

if TYPE_CHECKING:
    from core.games import Position
    from gui.context import Context

HOW: Final = {
    "cells": "Left click: {first}. Right click: {second}. Click again to remove.",
    "columns": "Left click: {first}. Right click: {second}. Click again to remove. Discs fall.",
    "heaps": "Click the chip that should be the last of its heap.",
}


class PositionEditor(Dialog):
    """The editor's dialog; ``position`` is that of the board, None while no game can reach it.

    ``inserted`` is emitted, and the dialog closed, when the game should go on from there and no new one begin.
    """

    inserted = Signal()

    def __init__(self, position: Position, parent: QWidget | None = None) -> None:
        title = tr("Set up a position — {title}").format(title=game_title(position.game))
        super().__init__(title, parent, OK_CANCEL, main=tr("Open as a new game"))
        self._before = position
        self.insert = self.buttons.addButton(tr("Add to this game"), QDialogButtonBox.ButtonRole.ActionRole)
        self.insert.setToolTip(tr("Set it up after the move on the board, as a variation from which the game goes on"))
        give_room(self.insert)
        self.insert.clicked.connect(self._insert)
        self.setup = Setup(position)
        self.position: Position | None = position
        self._showing = False
        kind = kind_of(position.game.name)
        first, second = kind.players
        self.board = EditBoard(position.game, self)
        self.board.clicked.connect(self._click)
        way = "heaps" if kind.places is HEAPS else "columns" if kind.places is COLUMNS else "cells"
        how = QLabel(tr(HOW[way]).format(first=first, second=second), self)
        how.setObjectName("faint")
        self.turn = ComboBox(self)
        if self.setup.turn_from_stones:
            self.turn.addItem(tr("From the stones"), None)
        for player, name in enumerate(kind.players):
            self.turn.addItem(name, player)
        self.turn.setAccessibleName(tr("Whose turn it is"))
        self.turn.activated.connect(self._set_turn)
        self.heaps: list[QSpinBox] = []
        form = Form()
        form.add(mark("To move"), self.turn)
        if kind.places is HEAPS:
            self._add_heaps(form)
        self.clear = QPushButton(tr("Clear"), self)
        self.clear.clicked.connect(self._clear)
        self.again = QPushButton(tr("Reset"), self)
        self.again.clicked.connect(self._again)
        self.paste = QPushButton(tr("Paste"), self)
        self.paste.setToolTip(tr("Take a diagram or moves from the clipboard"))
        self.paste.clicked.connect(self._paste)
        self.copy = QPushButton(tr("Copy"), self)
        self.copy.clicked.connect(self._copy)
        self.text = QPlainTextEdit(self)
        self.text.setObjectName("written")
        self.text.setFont(fixed_font())
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setTabChangesFocus(True)
        self.text.setAccessibleName(tr("Diagram or moves"))
        self.text.textChanged.connect(self._read)
        legend = QLabel(tr("Diagram or moves · X {first}, O {second}").format(first=first, second=second), self)
        legend.setObjectName("heading")
        self.verdict = QLabel(self)
        self.report = QLabel(self)
        self.report.setWordWrap(True)
        self.report.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.report.setAlignment(Qt.AlignmentFlag.AlignTop)
        by_font(self.report, lambda: self.report.setMinimumHeight(5 * self.report.fontMetrics().lineSpacing()))
        self.report.setAccessibleName(tr("Report"))
        self._lay_out(how, form, legend)
        for button in self.findChildren(QPushButton):
            button.setAutoDefault(button is self.main)
        self.board.setFocus()
        self._show()

    def _add_heaps(self, form: Form) -> None:
        rows, cols = self.setup.game.shape
        for row in range(rows):
            spin = SpinBox(self)
            spin.setRange(0, cols)
            spin.valueChanged.connect(lambda chips, row=row: self._set_heap(row, chips))
            self.heaps.append(spin)
            form.add(Text("Heap {row}", row=row + 1), spin)

    def _lay_out(self, how: QLabel, form: Form, legend: QLabel) -> None:
        left = QVBoxLayout()
        left.addWidget(self.board, 1)
        how.setWordWrap(True)
        how.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        left.addWidget(how)
        line = QHBoxLayout()
        line.setSpacing(6)
        for button in (self.clear, self.again, self.paste, self.copy):
            line.addWidget(button)
        right = QVBoxLayout()
        right.setSpacing(8)
        right.addLayout(form)
        right.addLayout(line)
        right.addSpacing(4)
        right.addWidget(legend)
        right.addWidget(self.text, 1)
        right.addSpacing(4)
        right.addWidget(self.verdict)
        right.addWidget(self.report)
        row = QHBoxLayout()
        row.setSpacing(18)
        row.addLayout(left, 3)
        row.addLayout(right, 2)
        self.lay_out(row)
        self.resize_in_screen(900, 600)

    # changes

    def _click(self, cell: int, player: int) -> None:
        self.setup.click(cell, player)
        self._show()

    def _set_heap(self, row: int, chips: int) -> None:
        if not self._showing:
            self.setup.set_heap(row, chips)
            self._show()

    def _set_turn(self) -> None:
        self.setup.to_move = self.turn.currentData()
        self._show()

    def _clear(self) -> None:
        self.setup.clear()
        self._show()

    def _again(self) -> None:
        self.setup.load(self._before)
        self._show()

    def _paste(self) -> None:
        self.text.setPlainText(QGuiApplication.clipboard().text())

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text.toPlainText())

    def _insert(self) -> None:
        self.inserted.emit()
        self.reject()

    def _read(self) -> None:
        """Read the changed text into the board, as far as it is valid."""
        if self._showing:
            return
        try:
            note = self.setup.read(self.text.toPlainText())
        except ValueError as error:
            self.position = None
            self._report((text_of(error),))
        else:
            self._show(with_text=False, note=note)

    # showing

    def _show(self, with_text: bool = True, note: str = "") -> None:
        """Show board, turn, heaps and text, and report problems."""
        self._showing = True
        setup = self.setup
        verdict = setup.verdict()
        self.position = verdict.position
        self.board.show_cells(setup.cells, verdict.position, setup.diagram())
        self.turn.setCurrentIndex(self.turn.findData(setup.to_move))
        for row, spin in enumerate(self.heaps):
            spin.setValue(setup.heap(row))
        if with_text:
            self.text.setPlainText(setup.diagram())
        self._report(verdict.faults, note)
        self._showing = False

    def _report(self, faults: tuple[str, ...], note: str = "") -> None:
        count = len(faults)
        words = tr("No problem was found.") if not count else tr("1 problem") if count == 1 else tr("{count} problems")
        self.verdict.setText(words.format(count=count))
        rename(self.verdict, "error" if count else "good")
        lines = [begun(stopped(core_text(line))) for line in (*faults, *filter(None, (note,)))]
        if not faults:
            lines.insert(0, position_words(self.position))
        self.report.setText("\n".join(f"• {line}" for line in lines))
        self.main.setEnabled(self.position is not None)
        self.insert.setEnabled(self.position is not None and not _looks_like(self.position, self._before))


def _looks_like(position: Position, other: Position) -> bool:
    return position.to_move == other.to_move and bool((position.cells() == other.cells()).all())


def position_words(position: Position | None) -> str:
    """Return the side to move and the number of legal moves, or the result."""
    if position is None:
        return ""
    players = kind_of(position.game.name).players
    if position.is_over:
        first = position.returns[0]
        if first == 0:
            return tr("The game is over: a draw.")
        return tr("The game is over: {player} has won.").format(player=players[0 if first > 0 else 1])
    moves, forbidden = len(position.legal_actions()), len(position.forbidden())
    if forbidden:
        words = tr("{player} to move; legal moves: {moves}, forbidden: {forbidden}.")
    else:
        words = tr("{player} to move; legal moves: {moves}.")
    return words.format(player=players[position.to_move], moves=moves, forbidden=forbidden)


def edit_position(context: Context, opened: Callable[[], object]) -> PositionEditor | None:
    """Edit a position, starting from the one on the board.

    It becomes a new game, and ``opened`` is called, or a variation of the one that is open.
    """
    state = context.state
    shown = state.shown.preview
    if shown is None:
        return None
    dialog = PositionEditor(shown, context.window)

    def accepted() -> None:
        if dialog.position is not None:
            state.open_position(dialog.position.start)
            opened()

    def inserted() -> None:
        if dialog.position is not None:
            state.set_up(dialog.position)

    dialog.accepted.connect(accepted)
    dialog.inserted.connect(inserted)
    dialog.open()
    return dialog
