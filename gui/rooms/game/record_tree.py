"""The record drawn as a tree: where every move stands, and the view that paints it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QWidget

from gui.widgets.record_paint import SET_UP, node_name, paint_badge, paint_move, sign_of
from gui.widgets.text_size import px
from gui.widgets.texts import set_texts
from gui.widgets.theme import current_theme, figure_font, on_theme
from gui.widgets.tips import show_tip

if TYPE_CHECKING:
    from core.files.record import GameRecord, RecordNode


class Chain(NamedTuple):
    """Nodes in one row, the first one, of ``player``, in column ``col``; its parent is in row ``leaves``."""

    col: int
    row: int
    leaves: int
    nodes: tuple[int, ...]
    player: int

    def keeps(self, col: int) -> bool:
        """Whether the chain occupies that column of its row."""
        return self.col - 1 <= col < self.col + len(self.nodes)


class RecordLayout:
    """The places of all nodes of one record in its present state."""

    def __init__(self, record: GameRecord) -> None:
        self.rows: list[list[Chain]] = []
        self.forks: list[Chain] = []  # every chain but the main line
        self._chains: list[Chain] = []  # in the order of placement
        self._of: dict[int, Chain] = {}  # by node
        free: list[int] = []  # by column, the first free row
        stack = [(next(record.preorder()), 0, 0, 1 - record.start.to_move)]
        while stack:
            first, col, leaves, player = stack.pop()
            nodes, others = _chain(record, first, player)
            begin, end = max(0, col - 1), col + len(nodes)
            free.extend([0] * (end - len(free)))
            row = max(free[begin:end])
            free[begin:end] = [row + 1] * (end - begin)
            self._put(Chain(col, row, leaves, nodes, player))
            # the last fork is placed first because it is on top of the stack
            stack.extend((child, col + i, row, mover) for i, mover, beside in others for child in reversed(beside))
        self.cols = len(free)

    def _put(self, chain: Chain) -> None:
        while len(self.rows) <= chain.row:
            self.rows.append([])
        self.rows[chain.row].append(chain)
        if self._chains:
            self.forks.append(chain)
        self._chains.append(chain)
        self._of.update(dict.fromkeys(chain.nodes, chain))

    def extend(self, node: int, child: int) -> bool:
        """Add ``child``, just played after ``node`` at the end of its line; equal to a new layout.

        False, and nothing is changed, if ``node`` does not end a line or another variation would have to move.
        """
        chain = self._of.get(node)
        if chain is None or chain.nodes[-1] != node:
            return False
        col = chain.col + len(chain.nodes)
        place = self._chains.index(chain)
        if any(other.row >= chain.row and other.keeps(col) for other in self._chains[:place]):
            return False
        if any(other.row <= chain.row and other.keeps(col) for other in self._chains[place + 1 :]):
            return False
        longer = chain._replace(nodes=(*chain.nodes, child))
        self._chains[place] = longer
        row = self.rows[chain.row]
        row[row.index(chain)] = longer
        if place:
            self.forks[place - 1] = longer
        self._of.update(dict.fromkeys(longer.nodes, longer))
        self.cols = max(self.cols, col + 1)
        return True

    def place(self, node: int) -> tuple[int, int] | None:
        """Return column and row of a node; None if it is not in the layout."""
        chain = self._of.get(node)
        return None if chain is None else (chain.col + chain.nodes.index(node), chain.row)

    def node_at(self, col: int, row: int) -> int | None:
        """Return the node in a cell; None if there is none."""
        for chain in self.rows[row] if 0 <= row < len(self.rows) else ():
            if 0 <= col - chain.col < len(chain.nodes):
                return chain.nodes[col - chain.col]
        return None


def next_player(node: RecordNode, player: int) -> int:
    """Return who is to move after a node that ``player`` plays."""
    return 1 - player if node.setup is None else node.setup.to_move


def _chain(
    record: GameRecord, node: int, player: int
) -> tuple[tuple[int, ...], list[tuple[int, int, tuple[int, ...]]]]:
    """Return the nodes from ``node`` on by first children, and at each fork (plies after ``node``, player, other
    children)."""
    nodes, others = [node], []
    while children := (record_node := record.node(node)).children:
        player = next_player(record_node, player)
        node = children[0]
        if len(children) > 1:
            others.append((len(nodes), player, children[1:]))
        nodes.append(node)
    return tuple(nodes), others


MARGIN = 8  # px around the tree
ROW_GAP, COLUMN_GAP = 10, 12  # px between moves
ELIDED = 140  # characters of a comment in a tooltip


class RecordTree(QAbstractScrollArea):
    """The widget of one record; a click on a move emits ``chosen``."""

    chosen = Signal(int)  # node
    menu_requested = Signal(int, QPoint)  # node, where on the screen

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._record: GameRecord | None = None
        self._layout_made: RecordLayout | None = None
        self._shown_as = (0, 0)  # revision and size of the record when last shown
        self._node = 0
        self._line: frozenset[int] = frozenset()
        self._signs: Mapping[int, str] = {}
        self._cell_size = (0, 0)  # px, (0, 0) until computed
        self._stamps: dict[tuple[int, int, bool], QPixmap] = {}  # (action, player, on the line) -> painted move
        self._pressed: QPoint | None = None  # last mouse position while dragging
        self._dragged = False
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFont(figure_font(self.font()))
        self.viewport().setMouseTracking(True)
        on_theme(self, self._stamps.clear)
        set_texts(self, accessibleName="Record")
        self.setMinimumSize(160, 90)

    # contents

    def set_record(self, record: GameRecord) -> None:
        """Show a record, also the same one after a change."""
        if self._record is None or self._record.game != record.game:
            self._forget_sizes()
        if not self._has_grown(record):
            self._layout_made = None
        self._record, self._shown_as = record, (record.revision, len(record))
        self._fit()

    def _has_grown(self, record: GameRecord) -> bool:
        """Whether just one move was played at the cursor since then; if so, add it to the layout."""
        layout, (revision, size) = self._layout_made, self._shown_as
        if layout is None or record is not self._record or (record.revision, len(record)) != (revision + 1, size + 1):
            return False
        children = record.node(self._node).children if self._node in record else ()
        return len(children) == 1 and layout.place(children[0]) is None and layout.extend(self._node, children[0])

    def set_cursor(self, node: int, line: tuple[int, ...]) -> None:
        """Mark the move on the board, scroll to it, and mark the nodes of the current line."""
        self._node, self._line = node, frozenset(line)
        self._scroll_to(node)
        self.viewport().update()

    def set_signs(self, signs: Mapping[int, str]) -> None:
        """Set the signs of judged moves, by node: "?" and the like; they take precedence over those of the file."""
        self._signs = signs
        self.viewport().update()

    @property
    def _layout(self) -> RecordLayout | None:
        """The layout, computed when needed because many changes may come first."""
        if self._layout_made is None and self._record is not None:
            self._layout_made = RecordLayout(self._record)
        return self._layout_made

    def sizeHint(self) -> QSize:
        return QSize(420, 200)

    # geometry

    def _cell(self) -> tuple[int, int]:
        """Return width and height of a cell in px."""
        if self._cell_size == (0, 0):
            metrics = self.fontMetrics()
            names = self._record.game.action_names if self._record is not None else ("a1",)
            width = max(px(26), px(12) + max(map(metrics.horizontalAdvance, names))) + COLUMN_GAP
            self._cell_size = (width, metrics.height() + px(6) + ROW_GAP)
        return self._cell_size

    def _forget_sizes(self) -> None:
        self._cell_size = (0, 0)
        self._stamps.clear()

    def _axis(self) -> int:
        """Return the height of the numbers above the tree."""
        return self.fontMetrics().height() + 4

    def _offset(self) -> QPointF:
        return QPointF(
            MARGIN - self.horizontalScrollBar().value(), self._axis() + MARGIN / 2 - self.verticalScrollBar().value()
        )

    def rect_of(self, node: int) -> QRectF:
        """Return a move's rectangle in the viewport; empty if there is no such node."""
        place = self._layout.place(node) if self._layout is not None else None
        return QRectF() if place is None else self._rect(*place)

    def _rect(self, col: int, row: int) -> QRectF:
        width, height = self._cell()
        corner = self._offset() + QPointF(col * width, row * height)
        return QRectF(corner.x(), corner.y() + ROW_GAP / 2, width - COLUMN_GAP, height - ROW_GAP)

    def node_at(self, point: QPointF) -> int | None:
        """Return the move at a point of the viewport; the gaps around a move belong to it."""
        if self._layout is None or point.y() < self._axis():
            return None
        width, height = self._cell()
        at = point - self._offset()
        return self._layout.node_at(int((at.x() + COLUMN_GAP / 2) // width), int(at.y() // height))

    def _fit(self) -> None:
        """Set the scroll bars for the size of record and viewport; while hidden nothing is laid out."""
        if self.isVisible() and self._layout is not None:
            width, height = self._cell()
            wide = self._layout.cols * width + 2 * MARGIN
            high = len(self._layout.rows) * height + self._axis() + MARGIN
            for bar, size, page, step in (
                (self.horizontalScrollBar(), wide, self.viewport().width(), width),
                (self.verticalScrollBar(), high, self.viewport().height(), height),
            ):
                bar.setRange(0, max(0, size - page))
                bar.setPageStep(page)
                bar.setSingleStep(step)
        self.viewport().update()

    def _scroll_to(self, node: int) -> None:
        """Scroll as little as needed to make a move and its neighbours visible."""
        if not self.isVisible():
            return
        rect, (width, height) = self.rect_of(node), self._cell()
        if rect.isEmpty():
            return
        view = self.viewport().rect().adjusted(0, self._axis(), 0, 0)
        for bar, low, high, first, last, room in (
            (self.horizontalScrollBar(), rect.left(), rect.right(), view.left(), view.right(), width),
            (self.verticalScrollBar(), rect.top(), rect.bottom(), view.top(), view.bottom(), height),
        ):
            around = min(room, max(0.0, (last - first - (high - low)) / 2))
            if low - around < first:
                bar.setValue(round(bar.value() + low - around - first))
            elif high + around > last:
                bar.setValue(round(bar.value() + high + around - last))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()
        self._scroll_to(self._node)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
        self._scroll_to(self._node)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.DevicePixelRatioChange):
            self._forget_sizes()
            self._fit()

    # mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed, self._dragged = event.position().toPoint(), False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Pan while dragging; otherwise set the cursor's shape."""
        at = event.position().toPoint()
        if self._pressed is None:
            over = self.node_at(event.position()) is not None
            self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor)
            return
        moved = at - self._pressed
        if self._dragged or moved.manhattanLength() >= QApplication.startDragDistance():
            self._dragged, self._pressed = True, at
            self.horizontalScrollBar().setValue(self.horizontalScrollBar().value() - moved.x())
            self.verticalScrollBar().setValue(self.verticalScrollBar().value() - moved.y())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        node = self.node_at(event.position())
        if node is not None and self._pressed is not None and not self._dragged:
            self.chosen.emit(node)
        self._pressed = None

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll along the plies if all rows are visible."""
        if self.verticalScrollBar().maximum() == 0 and not event.angleDelta().x():
            bar = self.horizontalScrollBar()
            bar.setValue(bar.value() - round(event.angleDelta().y() / 120 * 3 * bar.singleStep()))
            event.accept()
        else:
            super().wheelEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            node: int | None = self._node
            where = self.viewport().mapToGlobal(self.rect_of(self._node).center().toPoint())
        else:
            node, where = self.node_at(QPointF(event.pos())), event.globalPos()
        if node is not None and self._record is not None:
            self.menu_requested.emit(node, where)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() != QEvent.Type.ToolTip or not isinstance(event, QHelpEvent):
            return super().viewportEvent(event)
        node = self.node_at(QPointF(event.pos()))
        show_tip(event.globalPos(), self.tip(node) if node is not None else "", self)
        return True

    def tip(self, node: int) -> str:
        """Return the tooltip of a move: its name and comment."""
        assert self._record is not None
        comment = self._record.node(node).comment
        text = comment if len(comment) <= ELIDED else comment[:ELIDED] + "…"
        return node_name(self._record, node) + (f"\n{text}" if text else "")

    # painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        record, layout = self._record, self._layout
        if record is None or layout is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        width, height = self._cell()
        offset, size = self._offset(), self.viewport().size()
        cols = (max(0, int(-offset.x() // width) - 1), int((size.width() - offset.x()) // width) + 1)
        rows = (max(0, int(-offset.y() // height)), int((size.height() - offset.y()) // height) + 1)
        painter.save()
        painter.setClipRect(QRect(0, self._axis(), size.width(), size.height()))
        for chain in layout.forks:
            if cols[0] <= chain.col <= cols[1] + 1 and chain.row >= rows[0] and chain.leaves <= rows[1]:
                self._paint_fork(painter, chain)
        for row in layout.rows[rows[0] : rows[1] + 1]:
            for chain in row:
                first, last = max(cols[0], chain.col), min(cols[1], chain.col + len(chain.nodes) - 1)
                if first <= last:
                    self._paint_chain(painter, record, chain, first, last)
        painter.restore()
        self._paint_axis(painter, record, cols)

    def _paint_axis(self, painter: QPainter, record: GameRecord, cols: tuple[int, int]) -> None:
        """Paint the ply numbers, that of the cursor in the text's colour."""
        layout = self._layout
        assert layout is not None
        at, _ = layout.place(self._node) or (-1, 0)
        painter.setFont(figure_font(self.font(), 0.88))
        for col in range(max(1, cols[0]), min(cols[1], layout.cols - 1) + 1):
            box = QRectF(self._rect(col, 0))
            box.setTop(0)
            box.setHeight(self._axis())
            painter.setPen(current_theme().color("text" if col == at else "faint"))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, str(col))

    def _pen(self, on_line: bool) -> QPen:
        return QPen(current_theme().color("dim" if on_line else "line"), 2.0 if on_line else 1.6)

    def _paint_fork(self, painter: QPainter, chain: Chain) -> None:
        """Paint the line from a move down and round the corner to a variation."""
        before, first = self._rect(chain.col - 1, chain.leaves), self._rect(chain.col, chain.row)
        x, y = before.center().x(), first.center().y()
        path = QPainterPath(QPointF(x, before.bottom()))
        path.lineTo(x, y - 6)
        path.quadTo(x, y, x + 6, y)
        path.lineTo(first.left(), y)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(self._pen(chain.nodes[0] in self._line))
        painter.drawPath(path)

    def _paint_chain(self, painter: QPainter, record: GameRecord, chain: Chain, first: int, last: int) -> None:
        box, width = self._rect(first, chain.row), self._cell()[0]
        y = box.center().y()
        player = chain.player
        for node in chain.nodes[: first - chain.col]:
            player = next_player(record.node(node), player)
        for col in range(first, last + 1):
            node = chain.nodes[col - chain.col]
            if col > chain.col:
                painter.setPen(self._pen(node in self._line))
                painter.drawLine(QPointF(box.left() - COLUMN_GAP, y), QPointF(box.left(), y))
            self._paint_node(painter, record, node, player, box)
            box.translate(width, 0)
            player = next_player(record.node(node), player)

    def _paint_node(self, painter: QPainter, record: GameRecord, node: int, player: int, box: QRectF) -> None:
        theme, record_node = current_theme(), record.node(node)
        if node == self._node:
            ring = box.adjusted(-3.5, -3.5, 3.5, 3.5)
            painter.setPen(QPen(theme.color("accent"), 2.4))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(ring, ring.height() / 2, ring.height() / 2)
        action = record_node.action if record_node.setup is None else SET_UP
        stamp = self._stamp(record, action, player, node in self._line)
        painter.drawPixmap(box.topLeft() - QPointF(1, 1), stamp)
        sign = self._signs.get(node) or sign_of(record, node)
        if sign:
            paint_badge(painter, box.topRight(), sign, theme)
        if record_node.comment:
            paint_badge(painter, box.bottomRight(), "", theme)

    def _stamp(self, record: GameRecord, action: int, player: int, on_line: bool) -> QPixmap:
        """Return a move's picture, the same wherever it was played, with a margin of one pixel."""
        key = (action, player, on_line)
        if key not in self._stamps:
            width, height = self._cell()
            box = QRectF(1, 1, width - COLUMN_GAP, height - ROW_GAP)
            stamp = QPixmap((box.size().toSize() + QSize(2, 2)) * self.devicePixelRatioF())
            stamp.setDevicePixelRatio(self.devicePixelRatioF())
            stamp.fill(Qt.GlobalColor.transparent)
            painter = QPainter(stamp)
            painter.setFont(self.font())
            paint_move(painter, box, record, action, player, on_line, current_theme())
            painter.end()
            self._stamps[key] = stamp
        return self._stamps[key]
