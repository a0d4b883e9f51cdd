"""Draws the graph of a net: a box for each group of operations, which opens, with arcs round the blocks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.text import Words
from gui.language.core_words import core_text
from gui.language.language import begun, tr
from gui.rooms.inside.graph_layout import ARC, INPUT, Arc, Box, Layout, lay_out
from gui.widgets.figures import NONE, count, percent, short_count, signed
from gui.widgets.keys import ENTER, KEYPAD, keeps_key
from gui.widgets.text_size import scale
from gui.widgets.texts import on_language, set_texts
from gui.widgets.theme import current_theme, fainter_ink, figure_font, ink, ramp
from gui.widgets.tips import set_tip

if TYPE_CHECKING:
    from models.inside.graph import NetGraph, Shape, Values

CORNER: Final = 6
HEAD: Final = 4  # px, of an arrow
HINT: Final[Words] = "A click shows its operations"
_STEPS: Final = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}


class GraphCanvas(QWidget):
    """The picture; ``opened_changed`` when a group was opened or closed, ``reached`` with the place of the box that the
    keys have come to."""

    opened_changed = Signal()
    reached = Signal(QRect)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.graph: NetGraph | None = None
        self.values: Mapping[str, Values] = {}
        self.opened: frozenset[int] = frozenset()
        self.layout_shown = Layout((), (), 0.0)
        self._pointed: Box | None = None
        self._current = 0  # place of the box that the keys are at
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.MinimumExpanding)
        set_texts(self, accessibleName="The graph of the net")
        on_language(self, self._describe)

    # contents

    def show_graph(self, graph: NetGraph | None) -> None:
        """Show another graph, its groups closed; None: nothing."""
        if graph is not self.graph:
            self.graph, self.values, self._current = graph, {}, 0
            self.set_opened(frozenset())

    def show_values(self, values: Mapping[str, Values]) -> None:
        """Show the values of a position in the tensors of the graph; {}: none."""
        self.values = values
        self._describe()
        self.update()

    def set_opened(self, opened: frozenset[int]) -> None:
        """Show the operations of these groups alone."""
        self.opened = opened
        self._lay_out()
        self.opened_changed.emit()

    def toggle(self, group: int) -> None:
        """Open or close a group."""
        self.set_opened(self.opened ^ {group})

    def _lay_out(self) -> None:
        shown, boxes = self.layout_shown, self.layout_shown.boxes
        key = boxes[self._current].key if self._current < len(boxes) else None
        shown = Layout((), (), 0.0)
        if self.graph is not None:
            shown = lay_out(self.graph, self.opened, max(self.width(), self.minimumWidth()), scale())
        self.layout_shown = shown
        self._current = next((i for i, box in enumerate(shown.boxes) if box.key == key), 0)
        self._pointed = None
        self.setMinimumHeight(round(shown.height))
        self._describe()
        self.update()

    # figures

    def _places(self, box: Box) -> tuple[int, ...]:
        """The operations in a box."""
        if self.graph is None or box.group == INPUT:
            return ()
        return (box.operation,) if box.operation >= 0 else self.graph.groups[box.group].operations

    def _tensor(self, box: Box) -> str:
        """The tensor that a box gives."""
        if self.graph is None or box.group == INPUT:
            return box.name
        return self.graph.operations[self._places(box)[-1]].outputs[0]

    def share(self, box: Box) -> float:
        """The share of the net's multiplications that a box makes."""
        if self.graph is None:
            return 0.0
        everything = self.graph.multiplications(range(len(self.graph.operations)))
        return self.graph.multiplications(self._places(box)) / max(1, everything)

    @property
    def most(self) -> float:
        """The largest share of a group, which has the strongest colour."""
        groups = [box for box in self.layout_shown.boxes if box.operation < 0]
        return max(map(self.share, groups), default=0.0)

    def words_of(self, box: Box) -> tuple[str, ...]:
        """What a box says, in lines: its title, what it gives, the values in that, its figures, what it is given."""
        graph = self.graph
        if graph is None:
            return ()
        tensor = self._tensor(box)
        lines = [self._title(box), tr("gives {tensor} {shape}").format(tensor=tensor, shape=shape_words(graph, tensor))]
        if box.group == INPUT:
            return lines[0], tr("an input of the file, {shape}").format(shape=shape_words(graph, tensor))
        values = self.values.get(tensor)
        if values is not None:
            words = tr("values from {least} to {most}, mean {mean}, {zeros} of them 0")
            least, most, mean = signed(values.least), signed(values.most), signed(values.mean)
            lines.append(words.format(least=least, most=most, mean=mean, zeros=percent(values.zeros)))
        places = self._places(box)
        if any(graph.operations[i].multiplications is None for i in places):
            lines.append(tr("multiplications that are not counted"))
        lines.append(
            tr("{parameters} parameters, {multiplications} multiplications, {share} of all").format(
                parameters=count(graph.parameters(places)),
                multiplications=count(graph.multiplications(places)),
                share=percent(self.share(box)),
            )
        )
        inner = {name for i in places for name in graph.operations[i].outputs}
        given = dict.fromkeys(name for i in places for name in graph.operations[i].inputs if name not in inner)
        lines.append(tr("is given {tensors}").format(tensors=", ".join(given)))
        return tuple(lines)

    def _title(self, box: Box) -> str:
        graph = self.graph
        if graph is None:
            return ""
        if box.group == INPUT:
            return box.name
        if box.operation >= 0:
            operation = graph.operations[box.operation]
            return f"{operation.operator}  {operation.sizes}".strip()
        return begun(core_text(graph.groups[box.group].name))

    def _describe(self) -> None:
        boxes = self.layout_shown.boxes
        self.setAccessibleDescription("; ".join(self.words_of(boxes[self._current])) if boxes else "")

    # painting

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.graph is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for arc in self.layout_shown.arcs:
            self._paint_arc(painter, arc)
        most = self.most
        clip = QRectF(event.rect())
        for place, box in enumerate(self.layout_shown.boxes):
            if clip.intersects(QRectF(box.left, box.top, box.width, box.height)):
                self._paint_box(painter, box, most, place == self._current and self.hasFocus())
        painter.end()

    def _paint_box(self, painter: QPainter, box: Box, most: float, current: bool) -> None:
        theme = current_theme()
        place = QRectF(box.left, box.top, box.width, box.height)
        title = box.group != INPUT and box.operation < 0 and box.group in self.opened
        fill = QColor(theme.color("raised"))
        share = self.share(box)
        if box.group != INPUT and not title and share > 0:
            fill = ramp(theme.share_ramp, share / max(most, 1e-9))
        text = theme.color("text") if fill == theme.color("raised") else ink(fill)
        pointed = self._pointed is not None and self._pointed.key == box.key
        edge = theme.color("accent") if current or pointed else theme.color("line")
        painter.setPen(
            QPen(edge, 1.6 if current or pointed else 1.0, Qt.PenStyle.DashLine if title else Qt.PenStyle.SolidLine)
        )
        painter.setBrush(Qt.BrushStyle.NoBrush if title else fill)
        painter.drawRoundedRect(place, CORNER, CORNER)
        inner = place.adjusted(10, 3, -10, -3)
        upper, lower = QRectF(inner), QRectF(inner)
        upper.setHeight(inner.height() / 2)
        lower.setTop(upper.bottom())
        left, right = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight
        bold, plain = figure_font(self.font(), bold=box.operation < 0), figure_font(self.font(), 0.92)
        self._write(painter, upper, text, bold, self._title(box), left, self._figure(box), right)
        faint = fainter_ink(fill, 0.78)
        shape = shape_words(self.graph, self._tensor(box)) if self.graph is not None else ""
        self._write(painter, lower, faint, plain, shape, left, self._live(box), right)

    def _write(
        self,
        painter: QPainter,
        place: QRectF,
        colour: QColor,
        font: QFont,
        first: str,
        left: Qt.AlignmentFlag,
        second: str,
        right: Qt.AlignmentFlag,
    ) -> None:
        """Two texts at the ends of a line; the first is shortened where both have no room."""
        painter.setFont(font)
        painter.setPen(colour)
        middle = Qt.AlignmentFlag.AlignVCenter
        metrics = painter.fontMetrics()
        second = metrics.elidedText(second, Qt.TextElideMode.ElideRight, int(place.width() * 0.7))
        room = place.width() - metrics.horizontalAdvance(second) - (10 if second else 0)
        painter.drawText(place, left | middle, metrics.elidedText(first, Qt.TextElideMode.ElideRight, int(room)))
        painter.drawText(place, right | middle, second)

    def _figure(self, box: Box) -> str:
        """The multiplications of a box and their share."""
        if self.graph is None or box.group == INPUT:
            return tr("input") if box.group == INPUT else ""
        multiplications = self.graph.multiplications(self._places(box))
        if box.operation >= 0 and self.graph.operations[box.operation].multiplications is None:
            return NONE
        return f"{short_count(multiplications)} · {percent(self.share(box))}" if multiplications else ""

    def _live(self, box: Box) -> str:
        """The mean of a box's values and how many of them are 0."""
        values = self.values.get(self._tensor(box))
        if values is None:
            return ""
        words = tr("mean {mean} · {zeros} zeros") if values.zeros else tr("mean {mean}")
        return words.format(mean=signed(values.mean, 2), zeros=percent(values.zeros, 0))

    def _paint_arc(self, painter: QPainter, arc: Arc) -> None:
        theme, boxes = current_theme(), self.layout_shown.boxes
        start, end = boxes[arc.start], boxes[arc.end]
        colour = theme.color("faint" if arc.lane < 0 else "accent")
        painter.setPen(QPen(colour, 1.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        path = QPainterPath()
        if arc.lane < 0:
            begin = QPointF(start.left + start.width / 2, start.top + start.height)
            tip = QPointF(end.left + end.width / 2, end.top - 1)
            path.moveTo(begin)
            half = (tip.y() - begin.y()) / 2
            path.cubicTo(begin + QPointF(0, half), tip - QPointF(0, half), tip)
            painter.drawPath(path)
            self._arrow(painter, tip, QPointF(0, 1), colour)
            return
        side = start.left + start.width
        inset = max(start.left + start.width, end.left + end.width)
        out = inset + scale() * ARC * (arc.lane + 1)
        inside = arc.start == arc.end
        top = start.top + start.height * (0.15 if inside else 0.85)
        bottom = end.top + end.height * (0.55 if inside else 0.35)
        path.moveTo(side, top)
        tip = QPointF(end.left + end.width + 1, bottom)
        reach = min(scale() * ARC, (bottom - top) / 2)
        path.lineTo(out - reach, top)
        path.quadTo(out, top, out, top + reach)
        path.lineTo(out, bottom - reach)
        path.quadTo(out, bottom, out - reach, bottom)
        path.lineTo(tip)
        painter.drawPath(path)
        self._arrow(painter, tip, QPointF(-1, 0), colour)

    def _arrow(self, painter: QPainter, tip: QPointF, way: QPointF, colour: QColor) -> None:
        across = QPointF(-way.y(), way.x())
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        back = tip - way * (1.6 * HEAD)
        painter.drawPolygon([tip, back + across * HEAD, back - across * HEAD])

    # mouse and keys

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._lay_out()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._lay_out()

    def minimumSizeHint(self) -> QSize:
        return QSize(round(scale() * 260), self.minimumHeight())

    def box_at(self, point: QPointF) -> Box | None:
        """The box at a point."""
        return next((box for box in self.layout_shown.boxes if box.holds(point.x(), point.y())), None)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._point(self.box_at(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        self._point(None)

    def _point(self, box: Box | None) -> None:
        if box == self._pointed:
            return
        self._pointed = box
        opens = box is not None and _opens(box)
        lines = () if box is None else self.words_of(box)
        closed = box is not None and opens and box.group not in self.opened
        set_tip(self, "\n".join((*lines, tr(HINT)) if closed else lines))
        self.setCursor(Qt.CursorShape.PointingHandCursor if opens else Qt.CursorShape.ArrowCursor)
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        box = self.box_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and box is not None:
            self._current = self.layout_shown.boxes.index(box)
            self._activate(box)

    def _activate(self, box: Box) -> None:
        if _opens(box):
            self.toggle(box.group)
        self._describe()

    def event(self, event: QEvent) -> bool:
        return keeps_key(event, (*_STEPS, *ENTER), KEYPAD) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        boxes = self.layout_shown.boxes
        key = Qt.Key(event.key())
        if boxes and key in _STEPS:
            self._current = max(0, min(len(boxes) - 1, self._current + _STEPS[key]))
            self._describe()
            self.update()
            box = boxes[self._current]
            self.reached.emit(QRectF(box.left, box.top, box.width, box.height).toAlignedRect())
        elif boxes and key in ENTER:
            self._activate(boxes[self._current])
        else:
            super().keyPressEvent(event)


def _opens(box: Box) -> bool:
    """Whether a click on a box shows the operations in it."""
    return box.group != INPUT and box.operation < 0


def shape_words(graph: NetGraph | None, tensor: str) -> str:
    """The shape of a tensor for one position: "48 × 6 × 7"; the whole shape where its first size is not the batch."""
    shape: Shape | None = None if graph is None else graph.shapes.get(tensor)
    if graph is None or shape is None:
        return ""
    if shape and shape[0] == graph.batch:
        shape = shape[1:]
    return " × ".join(map(str, shape)) or tr("one number")
