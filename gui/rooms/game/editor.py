"""Sets up a position by hand: the board to click, its setup and the dialog."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QSpinBox,
    QWidget,
)

from core.text import Text, Words, text_of
from gui.language.core_words import core_text, game_title
from gui.language.language import begun, stopped, tr
from gui.widgets.board import board_paint as paint
from gui.widgets.board.board_layers import paint_position
from gui.widgets.board.board_paint import kind_of
from gui.widgets.board.places import COLUMNS, HEAPS
from gui.widgets.dialogs import OK_CANCEL, Dialog
from gui.widgets.form import ComboBox, Form, SpinBox
from gui.widgets.labels import rename
from gui.widgets.layouts import lay_column, lay_row
from gui.widgets.text_size import by_font, fixed_font, give_room
from gui.widgets.theme import current_theme, figure_font
from gui.widgets.tips import set_tip

if TYPE_CHECKING:
    from core.files.edit import Verdict
    from core.games import GameSpec, Position
    from gui.context import Context

STEPS = {Qt.Key.Key_Left: (0, -1), Qt.Key.Key_Right: (0, 1), Qt.Key.Key_Up: (-1, 0), Qt.Key.Key_Down: (1, 0)}
PLAYERS = {Qt.Key.Key_X: 0, Qt.Key.Key_1: 0, Qt.Key.Key_O: 1, Qt.Key.Key_2: 1}


class EditBoard(QWidget):
    """The editor's board.  Left clicks are for the first player, right clicks for the second.

    With the keyboard, arrows move a cursor; X or 1 acts as a left click there, O or 2 as a right click.
    """

    clicked = Signal(int, int)  # cell, player

    def __init__(self, game: GameSpec, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._game = game
        self._cells: Any = game.initial().cells()  # int8 [H, W]
        self._position: Position | None = None
        self._hover = self._cursor = -1  # cells
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(240, 220)
        self.setAccessibleName(tr("Board to be set up"))

    def show_cells(self, cells: Any, position: Position | None, description: str) -> None:
        """Show stones, int8 [H, W], and their position if it is a valid one."""
        self._cells, self._position = cells.copy(), position
        self.setAccessibleDescription(description)
        self.update()

    def geometry_of_board(self) -> paint.Geometry:
        rows, cols = self._game.shape
        slant = paint.kind_of(self._game.name).slant
        return paint.fit(rows, cols, self.width(), self.height(), coordinates=True, slant=slant)

    def sizeHint(self) -> QSize:
        return QSize(480, 460)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        buttons = {Qt.MouseButton.LeftButton: 0, Qt.MouseButton.RightButton: 1}
        cell = self.geometry_of_board().cell_at(event.position())
        if cell >= 0 and event.button() in buttons:
            self._cursor = -1
            self.clicked.emit(cell, buttons[event.button()])

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        hover = self.geometry_of_board().cell_at(event.position())
        if hover != self._hover:
            self._hover, self._cursor = hover, -1
            self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self._hover = -1
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        rows, cols = self._game.shape
        if key in STEPS:
            if self._cursor < 0:
                self._cursor = (rows // 2) * cols + cols // 2
            else:
                row, col = divmod(self._cursor, cols)
                row = max(0, min(rows - 1, row + STEPS[key][0]))
                self._cursor = row * cols + max(0, min(cols - 1, col + STEPS[key][1]))
            self.update()
        elif key in PLAYERS and self._cursor >= 0:
            self.clicked.emit(self._cursor, PLAYERS[key])
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        g, kind, theme = self.geometry_of_board(), paint.kind_of(self._game.name), current_theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        kind.ground(painter, g, theme)
        painter.setFont(figure_font(self.font(), 0.92))
        columns, rows = kind.places.labels(self._game)
        paint.draw_coordinates(painter, g, tuple(columns), rows, theme)
        if self._position is not None:
            paint_position(painter, g, kind, self._position, theme)
        else:
            radius = kind.stone_radius * g.step
            for cell, owner in enumerate(self._cells.ravel().tolist()):
                if owner and kind.takes:
                    paint.draw_chip(painter, g.center(cell), 0.85 * radius, theme)
                elif owner:
                    kind.stone(painter, g.center(cell), radius, owner - 1, theme)
        at = self._cursor if self._cursor >= 0 else self._hover
        if at >= 0:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            style = Qt.PenStyle.DashLine if self._cursor >= 0 else Qt.PenStyle.SolidLine
            painter.setPen(QPen(theme.color("accent"), 2, style))
            painter.drawRoundedRect(g.rect(at).adjusted(2, 2, -2, -2), 6, 6)


class Setup:
    """A board to edit.  ``cells`` int8 [H, W]: 0 empty, 1 player 0, 2 player 1; ``to_move`` None: from the stones."""

    def __init__(self, position: Position) -> None:
        self.game: GameSpec = position.game
        self.places = kind_of(self.game.name).places
        self.turn_from_stones = self._turn_follows_from_stones()
        self.to_move: int | None = None
        self.load(position)

    def _turn_follows_from_stones(self) -> bool:
        """Whether the side to move follows from the stones."""
        from core.files.edit import judge

        return judge(self.game, self.game.initial().cells()).position is not None

    def load(self, position: Position) -> None:
        """Load a position of the game."""
        self.cells = position.cells()
        self.last = position.last_action
        self.to_move = None if self.turn_from_stones else position.to_move

    # changes

    def clear(self) -> None:
        """Remove all chips; of stones only those that the game begins with remain."""
        self.cells[:] = 0 if self.places is HEAPS else self.game.initial().cells()
        self.last = -1

    def click(self, cell: int, player: int) -> None:
        """Put a player's stone on a cell, or remove it if it is already there.

        Discs fall to the lowest free cell of their column; removing one lets those above it fall.  In a heap the
        clicked chip becomes the last one, or is removed if it already is.
        """
        rows, cols = self.cells.shape
        row, col = divmod(cell, cols)
        self.last = -1
        if self.places is HEAPS:
            chips = self.heap(row)
            self.set_heap(row, col if col + 1 == chips else col + 1)
        elif self.cells[row, col] == player + 1:
            self.cells[row, col] = 0
            if self.places is COLUMNS:
                self.cells[1 : row + 1, col] = self.cells[:row, col].copy()
                self.cells[0, col] = 0
        else:
            if self.places is COLUMNS and not self.cells[row, col]:
                row = max(r for r in range(rows) if not self.cells[r, col])
            self.cells[row, col] = player + 1

    def heap(self, row: int) -> int:
        """Return the number of chips in a row."""
        return int((self.cells[row] != 0).sum())

    def set_heap(self, row: int, chips: int) -> None:
        self.cells[row] = 0
        self.cells[row, :chips] = 1
        self.last = -1

    # texts

    def read(self, text: str) -> str:
        """Read a diagram, legal or not, or moves from the game's start, or a game in SGF; ValueError if it is none.

        Return how moves were read where that was a choice, else "".
        """
        from core.files.game_files import is_game_file, position_of
        from core.games import diagram, written

        if is_game_file(text) or not written.is_board(self.game, text):
            pasted = position_of(self.game, text)
            self.load(pasted.position)
            return pasted.note
        board = diagram.read(text, self.game.shape, self.game.rows_from_top)
        last = -1 if board.last is None else self.game.parse_action(board.last)
        self.cells, self.last = board.cells, last
        if not self.turn_from_stones:
            self.to_move = self.to_move if board.to_move is None else board.to_move
        else:  # a stated turn is used only where the stones give another or none
            self.to_move = None
            position = self.verdict().position
            if position is None or position.to_move != board.to_move:
                self.to_move = board.to_move
        return ""

    def diagram(self) -> str:
        """Return the board as text, with the side to move if it is known."""
        from core.games import diagram

        last = None if self.last < 0 else self.game.action_name(self.last)
        position = self.verdict().position
        mover = self.to_move if position is None else position.to_move
        text = diagram.write(self.cells, mover or 0, last)
        return text if mover is not None else text.rpartition("\n")[0]

    # result

    def verdict(self) -> Verdict:
        """Return the position, or every reason why it is not valid."""
        from core.files.edit import judge

        return judge(self.game, self.cells, self.to_move, self.last)


HOW: Final[dict[str, Words]] = {
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
        set_tip(self.insert, tr("Set it up after the move on the board, as a variation from which the game goes on"))
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
        form.add("To move", self.turn)
        if kind.places is HEAPS:
            self._add_heaps(form)
        self.clear = QPushButton(tr("Clear"), self)
        self.clear.clicked.connect(self._clear)
        self.again = QPushButton(tr("Reset"), self)
        self.again.clicked.connect(self._again)
        self.paste = QPushButton(tr("Paste"), self)
        set_tip(self.paste, tr("Take a diagram or moves from the clipboard"))
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
        left = lay_column((self.board, 1))
        how.setWordWrap(True)
        how.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        left.addWidget(how)
        line = lay_row(self.clear, self.again, self.paste, self.copy, spacing=6)
        right = lay_column(form, line, spacing=8)
        right.addSpacing(4)
        right.addWidget(legend)
        right.addWidget(self.text, 1)
        right.addSpacing(4)
        right.addWidget(self.verdict)
        right.addWidget(self.report)
        row = lay_row((left, 3), (right, 2), spacing=18)
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
        words = tr("{count} problems", count) if count else tr("No problem was found.")
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


def edit_position(context: Context) -> PositionEditor | None:
    """Edit a position, starting from the one on the board; it becomes a new game or a variation of the one open."""
    state = context.state
    shown = state.shown.preview
    if shown is None:
        return None
    dialog = PositionEditor(shown, context.window)

    def accepted() -> None:
        if dialog.position is not None:
            state.open_position(dialog.position.start)
            state.document.mark_unsaved()

    def inserted() -> None:
        if dialog.position is not None:
            state.set_up(dialog.position)

    dialog.accepted.connect(accepted)
    dialog.inserted.connect(inserted)
    dialog.open()
    return dialog
