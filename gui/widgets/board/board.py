"""The board: shows a position with stones, overlay, last move, winning line and coordinates, and handles clicks.

It depends only on its inputs: a position, its node of the search, its exact results and threats, and the chosen
overlay.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QSize, Qt, Signal
from PySide6.QtGui import (
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QRegion,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.model.timers import make_timer
from gui.widgets.board import board_paint as paint
from gui.widgets.board.board_layers import paint_ghost, paint_line, paint_strokes
from gui.widgets.board.board_line import ShownLine, line_after
from gui.widgets.board.board_signs import PASS_ROOM, draw_cursor, draw_pass, pass_action, pass_box, pass_word
from gui.widgets.board.board_tip import content_tip
from gui.widgets.board.ground import Ground, paint_count
from gui.widgets.board.heatmap import Heatmap
from gui.widgets.board.overlays.overlay import BoardContent, Legend, Mark, Stroke, signs_of
from gui.widgets.board.overlays.table import BY_NAME, TABLE
from gui.widgets.board.places import next_cell
from gui.widgets.board.shapes import Shapes
from gui.widgets.keys import ENTER
from gui.widgets.texts import on_language, set_texts
from gui.widgets.theme import current_theme, on_theme
from gui.widgets.tips import show_tip

if TYPE_CHECKING:
    from core.engine.outcomes import Outcomes
    from core.engine.ownership import Ownership
    from core.games import Position
    from core.games.counting import Count
    from core.glass import NodeView
    from core.solve import Solution
    from core.solve.threats import ThreatMap
    from gui.model.shown import CellsShown
    from gui.widgets.board.playout_paint import Highlight

STILL = 0.01  # growth of the search below which only texts are redrawn
STEPS = {Qt.Key.Key_Left: (0, -1), Qt.Key.Key_Right: (0, 1), Qt.Key.Key_Up: (-1, 0), Qt.Key.Key_Down: (1, 0)}
DWELL_MS = 300  # time the pointer rests on a move before its line is shown


class BoardView(QWidget):
    """Shows one position.  A click emits ``chosen`` for a legal move and ``refused`` for any other cell."""

    chosen = Signal(int)  # action
    refused = Signal(int)  # action that is not legal here
    guessed = Signal(int)  # action, instead of ``chosen`` while a move is guessed
    scrolled = Signal(int)  # moves forward, negative for back
    laid_out = Signal(float, float)  # top and bottom of the board in this widget
    pointed = Signal(int)  # action under the pointer or the keyboard cursor, -1 for none
    line_played = Signal(tuple)  # the moves of a line played by a middle click or Shift+click
    line_changed = Signal(str)  # description of the line shown; "" for none

    def __init__(self, parent: QWidget | None = None, under: str = "") -> None:
        """``under``: the theme's colour to fill the background with; "" for a transparent background."""
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent, bool(under))
        self._name, self._rows, self._cols = paint.NO_GAME, 6, 7  # shown before a game is open
        self._content = BoardContent()
        self._overlay = TABLE[0]
        self._coordinates = True
        self._spare = 0  # px left free below the board
        self._numbers = False
        self._guessing = False
        self.strokes: tuple[Stroke, ...] = ()  # lines of the threats, for that overlay only
        self._pass = -1  # the action of the sign above the board; -1 for none
        self._pass_mark: Mark | None = None
        self._enabled_moves: frozenset[int] = frozenset()
        self._hover = -1  # cell
        self._rested = False  # the pointer has not moved since the position changed
        self._wheel = 0  # wheel rotation not used yet, in eighths of a degree
        self._cursor = -1  # the keyboard's cell, -1 while the mouse is used
        self.highlight: Highlight | None = None  # a simulation's path, drawn on top
        self._line = ShownLine(self)
        self._line.changed.connect(self._line_changed)
        on_language(self, self._line_changed)
        self._ground = Ground(self, under)
        self._heat = Heatmap(self)
        self._marked = 0  # simulations when the marks were last drawn
        self._heat_late = self._all_late = True  # the marks, or everything, must be repainted
        self._dwell = make_timer(self, DWELL_MS, self._show_hovered_line, once=True)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(200, 80)
        set_texts(self, accessibleName="Board")
        on_theme(self, self._renew_all)

    # content

    def _renew_all(self) -> None:
        """Schedule a repaint of everything, the empty board too."""
        self._ground.late = True
        self._renew()

    def set_position(self, position: Position) -> None:
        game = position.game
        if (game.name, *game.shape) != (self._name, self._rows, self._cols):
            self._name, (self._rows, self._cols) = game.name, game.shape
            self._cursor = self._hover = -1  # cells of the previous board
        self._ground.late = True
        self._content = BoardContent.of(position)
        self._enabled_moves = frozenset(position.legal_actions())
        self.strokes = ()
        takes_clicks = not self.testAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._pass = pass_action(position) if takes_clicks else -1
        self._line.show(None, (), at_once=True)
        self._dwell.stop()
        self._rested = True
        set_texts(self, accessibleDescription=position.diagram())
        self._renew()

    def set_figures(self, node: NodeView | None, best: int, with_text: bool) -> None:
        """Set the node of the position shown; ``with_text`` updates the numbers too, not only the colours."""
        content = self._content
        grown = content.node is None or node is None or abs(node.visits - self._marked) > STILL * self._marked
        renew = with_text or grown or best != content.best
        content.node, content.best = node, best
        if with_text or node is None or content.text_node is None:
            content.text_node = node
        if self._line.actions:
            self._line.compare(line_after(node, self._line.actions[0]))
        if renew and self._overlay.searched:
            self._renew_marks()

    def legend(self, note: str) -> Legend:
        """The legend of the overlay and of the signs on its marks; ``note``: why it shows nothing."""
        marks = self.marks() if self._heat_late else self._heat.marks
        return replace(self._overlay.legend(self._content, note), signs=signs_of(marks))

    @property
    def node(self) -> NodeView | None:
        """The node whose numbers are shown; None for none.  The colours may be those of a newer one."""
        return self._content.text_node

    @property
    def shapes(self) -> Shapes | None:
        """What the overlay shows of the stones themselves; None for nothing."""
        return self._content.shapes

    @property
    def position(self) -> Position | None:
        """The position that is drawn; None before a game is open."""
        return self._content.position

    def set_solution(self, solution: Solution | None) -> None:
        """Set the exact results of the position shown; None while unknown."""
        self._content.solution = solution
        self._renew_marks()

    def set_threats(self, threats: ThreatMap | None) -> None:
        """Set the threats of the position shown; None for a game without them."""
        self._content.threats = threats
        self._renew_marks()

    def set_shapes(self, shapes: Shapes | None) -> None:
        """Set what the overlay shows of the stones themselves; None for nothing."""
        self._content.shapes = shapes
        self.update()

    def set_human(self, policy: Mapping[int, float] | None) -> None:
        """Set the policy of the human net at the position shown; None while unknown."""
        if policy is not self._content.human:
            self._content.human = policy
            self._renew_marks()

    def set_answers(self, ownership: Ownership | None, outcomes: Outcomes | None) -> None:
        """Set what the net says of the position shown: ownership or its mean, outcomes; None while unknown."""
        if (ownership, outcomes) != (self._content.ownership, self._content.outcomes):
            self._content.ownership, self._content.outcomes = ownership, outcomes
            self._renew_marks()

    def set_cells(self, cells: CellsShown | None) -> None:
        """Set what the room Inside shows cell by cell; None for nothing."""
        if cells != self._content.cells:
            self._content.cells = cells
            self._renew_marks()

    def set_count(self, count: Count | None) -> None:
        """Set whose points are whose in the position shown, whose game has ended; None for no count."""
        self._content.count = count
        self.update()

    def set_overlay(self, overlay: str) -> None:
        self._overlay = BY_NAME[overlay]
        self._renew_marks()

    def leave_free(self, spare: int) -> None:
        """Leave so many px free below the board."""
        self._spare = spare
        self._renew_all()

    def set_coordinates(self, shown: bool) -> None:
        self._coordinates = shown
        self._renew_all()

    def set_numbers(self, shown: bool) -> None:
        """Show or hide the move numbers on the stones."""
        self._numbers = shown
        self._renew_all()

    def set_guessing(self, guessing: bool) -> None:
        """Let a click guess a move instead of playing it."""
        self._guessing = guessing

    def set_highlight(self, highlight: Highlight | None) -> None:
        """Draw the path of one simulation over the position; None removes it."""
        if highlight != self.highlight:
            self.highlight = highlight
            self._renew()

    def show_line(self, actions: tuple[int, ...], at_once: bool = True) -> None:
        """Show a line of moves as numbered translucent stones, all at once or one by one; () removes it."""
        self._line.show(self.position, actions, at_once)

    @property
    def line(self) -> tuple[int, ...]:
        """The line being shown; it stays as it was when requested."""
        return self._line.actions

    def _line_changed(self) -> None:
        self.line_changed.emit(self._line.words(self.position) if self.position is not None else "")
        self._renew()

    def marks(self) -> list[Mark]:
        """Return the marks of the overlay as currently drawn."""
        return self._overlay.marks(self._content, current_theme())

    def geometry_of_board(self) -> paint.Geometry:
        """Return where the cells are, in this widget's coordinates."""
        room = self.width(), self.height() - self._spare, self._coordinates, PASS_ROOM if self._pass >= 0 else 0.0
        return paint.fit(self._rows, self._cols, *room, slant=paint.kind_of(self._name).slant, at_top=True)

    def sizeHint(self) -> QSize:
        return QSize(640, 620)

    # mouse and keyboard

    def _action(self, cell: int) -> int:
        """Return the move for a click on a cell; -1 for none."""
        if cell < 0 or self.position is None:
            return -1
        return paint.kind_of(self._name).places.action_at(self.position, cell)

    def action_at(self, point: QPointF) -> int:
        """Return the move for a click at a point; -1 for none."""
        return self._action(self._cell_at(point))

    def _cell_at(self, point: QPointF) -> int:
        """Return the cell at a point, -1 outside; the sign for a pass counts as the cell after the last."""
        g = self.geometry_of_board()
        return self._pass if self._pass >= 0 and pass_box(g).contains(point) else g.cell_at(point)

    def _pointed_cell(self) -> int:
        return self._cursor if self._cursor >= 0 else self._hover

    def event(self, event: QEvent) -> bool:
        """Show a tooltip with the results of the move under the pointer; below the board while a line is shown."""
        if event.type() != QEvent.Type.ToolTip or not isinstance(event, QHelpEvent):
            return super().event(event)
        cell = self._cell_at(QPointF(event.pos()))
        place = -1 if cell == self._pass else cell
        tip = content_tip(self._content, self._overlay, place, self._action(cell))
        frame = self.geometry_of_board().frame
        below = self.mapToGlobal(QPoint(int(frame.left()), int(frame.bottom())))
        show_tip(below if self._line.actions else event.globalPos(), tip, self)
        return True

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        before = self._action(self._pointed_cell())
        self._hover = self._cell_at(event.position())
        self._cursor = -1
        rested, self._rested = self._rested, False
        if rested and self._action(self._hover) == before >= 0:
            self._dwell.start()
        self._point(before)

    def leaveEvent(self, event: QEvent) -> None:
        before = self._action(self._pointed_cell())
        self._hover = self._cursor = -1
        self._point(before)

    def _point(self, before: int) -> None:
        now = self._action(self._pointed_cell())
        if now == before:
            return
        if self._line.actions:
            self.show_line(())
        self._dwell.start() if now >= 0 else self._dwell.stop()
        self.setCursor(Qt.CursorShape.PointingHandCursor if now in self._enabled_moves else Qt.CursorShape.ArrowCursor)
        self.pointed.emit(now)
        self.update()

    def _show_hovered_line(self) -> None:
        action = self._action(self._pointed_cell())
        if line := line_after(self.node, action):
            self.show_line(line, at_once=False)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        cell = self._cell_at(event.position())
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.button() == Qt.MouseButton.MiddleButton or (shift and event.button() == Qt.MouseButton.LeftButton):
            self._play_line(self._action(cell))
        elif event.button() == Qt.MouseButton.LeftButton:
            self._choose(cell)

    def _play_line(self, action: int) -> None:
        """Play the line shown, as far as it was stepped; without one the principal variation, else the move alone."""
        if action not in self._enabled_moves or self._guessing:
            return
        shown = self._line.chosen if self._line.actions[:1] == (action,) else ()
        self.line_played.emit(shown or line_after(self.node, action) or (action,))

    def _choose(self, cell: int) -> None:
        action = self._action(cell)
        if action < 0 or self.position is None:
            return
        legal = self.guessed if self._guessing else self.chosen
        (legal if action in self._enabled_moves else self.refused).emit(action)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Step one move per notch, in the line under the pointer or else in the record; touch pad steps add up."""
        self._wheel += event.angleDelta().y()
        notches = int(self._wheel / 120)
        if notches:
            self._wheel -= 120 * notches
            if self._line.actions and self._line.actions[0] == self._action(self._hover):
                self._line.step(-notches)
            else:
                self.scrolled.emit(-notches)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move a cursor over the board with Shift+arrows, play there with Shift+Return."""
        key = Qt.Key(event.key())
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            if key in STEPS:
                before = self._action(self._pointed_cell())
                self._cursor = next_cell(self._cursor, STEPS[key], self._rows, self._cols)
                self._point(before)
                self.update()
                return
            if key in ENTER and self._cursor >= 0:
                self._choose(self._cursor)
                return
        super().keyPressEvent(event)

    # painting

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._renew_all()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.DevicePixelRatioChange, QEvent.Type.FontChange):
            self._renew_all()
        super().changeEvent(event)

    def _renew(self) -> None:
        """Schedule a repaint of everything."""
        self._heat_late = self._all_late = True
        self.update()

    def _renew_marks(self) -> None:
        """Schedule a repaint of the changed marks."""
        self._heat_late = True
        strokes = self._overlay.strokes(self._content)
        if strokes != self.strokes:
            self.strokes = strokes
            self.update()
        if not self._all_late and self.isVisible():
            self.update(self._paint_heat())

    def _paint_heat(self) -> QRegion:
        """Update the heatmap; returns the changed region."""
        self._heat_late = False
        self._marked = self._content.node.visits if self._content.node is not None else 0
        highlight = () if self.highlight is None else (*self.highlight.path, *self.highlight.game)
        covered = {cell for cells, _ in (*self._line.drawn, *highlight) for cell in cells}
        marks = [mark for mark in self.marks() if mark.cell not in covered]
        mark = next((mark for mark in marks if mark.cell < 0 and mark.action == self._pass), None)
        if mark != self._pass_mark:
            self._pass_mark = mark
            self.update(pass_box(self.geometry_of_board()).toAlignedRect())
        kind, faded = paint.kind_of(self._name), bool(self._line.actions)
        return self._heat.show(marks, self.geometry_of_board(), kind, current_theme(), faded)

    def paintEvent(self, event: QPaintEvent) -> None:
        g = self.geometry_of_board()
        kind = paint.kind_of(self._name)
        self._all_late = False
        if self._ground.late:
            self.laid_out.emit(g.frame.top(), g.frame.bottom())
            self._ground.show(self.position, g, kind, current_theme(), self._coordinates, self._numbers)
        if self._heat_late:
            self._paint_heat()
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._ground.picture)
        if self.position is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_strokes(painter, g, kind, self.strokes, current_theme(), bool(self._line.actions))
        if self.shapes is not None:
            self.shapes.draw(painter, g, kind, self.font(), current_theme())
        painter.drawPixmap(0, 0, self._heat.picture)
        if self._content.count is not None:
            paint_count(painter, g, kind, self.position, self._content.count, current_theme())
        pointed = self._action(self._pointed_cell())
        if self._pass in self._enabled_moves:
            word = pass_word(self.position.game)
            draw_pass(painter, g, self._pass_mark, word, self.font(), current_theme(), pointed == self._pass)
        if self._line.actions:
            paint_line(painter, g, kind, self._line, self.font(), current_theme())
        elif pointed in self._enabled_moves:
            paint_ghost(painter, g, kind, self.position, pointed, current_theme(), self._heat.written)
        if self.highlight is not None:
            self.highlight.draw(painter, g, kind, self.font(), current_theme())
        if self._cursor >= 0 and self.hasFocus():
            draw_cursor(painter, g, self._cursor, current_theme())


class BoardSheet(QWidget):
    """A transparent widget over all of a board, which takes no clicks; hidden at first."""

    def __init__(self, board: BoardView) -> None:
        super().__init__(board)
        self._board = board
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setGeometry(board.rect())
        board.installEventFilter(self)
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.setGeometry(self._board.rect())
        return super().eventFilter(watched, event)
