"""The strip of a simulation's stages."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QFontMetrics,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPolygonF,
    QTextLayout,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.language.language import tr
from gui.widgets.board.playout_paint import BACKUP, STAGES, stage_color
from gui.widgets.text_size import px
from gui.widgets.texts import set_texts
from gui.widgets.theme import current_theme, figure_font, with_alpha
from gui.widgets.tips import show_tip

WIDTHS = (3, 3, 5, 6)  # relative widths of the stages
LINES = 3  # a title and two lines of text


def two_lines(words: str, font: QFont, width: float) -> tuple[str, str]:
    """Return words in two lines, broken between words; the second ends in "…" where they do not fit."""
    layout = QTextLayout(words, font)
    layout.beginLayout()
    line = layout.createLine()
    line.setLineWidth(width)
    taken = line.textLength()
    layout.endLayout()
    rest = QFontMetrics(font).elidedText(words[taken:].lstrip(), Qt.TextElideMode.ElideRight, int(width))
    return words[:taken].rstrip(), rest


class StageStrip(QWidget):
    """A strip of selection, expansion, evaluation and backup, each with its text; stages not reached yet are faint."""

    chosen = Signal(int)  # a stage

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words: tuple[str, ...] = ()
        self._tips: tuple[str, ...] = ()
        self._message = ""
        self.stage = BACKUP
        self.setFont(figure_font(self.font()))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        set_texts(self, accessibleName="The simulation's stages")

    def sizeHint(self) -> QSize:
        return QSize(600, LINES * self.fontMetrics().height() + 8)

    minimumSizeHint = lambda self: QSize(200, self.sizeHint().height())  # noqa: E731

    @property
    def words(self) -> tuple[str, ...]:
        """The stages' texts; () without a simulation."""
        return self._words

    def show_words(self, words: tuple[str, ...], tips: tuple[str, ...], stage: int) -> None:
        self._words, self._tips, self.stage, self._message = words, tips, stage, ""
        named_stages = zip(map(tr, STAGES), words, strict=True)
        self.setAccessibleDescription("; ".join(f"{name}: {text}" for name, text in named_stages))
        self.update()

    def show_message(self, message: str) -> None:
        """Show a message instead of the stages."""
        self._words, self._tips, self._message = (), (), message
        self.setAccessibleDescription(message)
        self.update()

    def boxes(self) -> list[QRectF]:
        """Return the rectangle of each stage."""
        gap, total = 8.0, sum(WIDTHS)
        titles = QFontMetrics(figure_font(self.font(), bold=True))
        least = [titles.horizontalAdvance(f"{i} {tr(name)}") + px(36) for i, name in enumerate(STAGES, 1)]
        room = self.width() - gap * (len(WIDTHS) - 1)
        widths = [share * room / total for share in WIDTHS]
        if any(width < title for width, title in zip(widths, least, strict=True)):  # titles first, then texts
            widths = [
                title + max(0.0, room - sum(least)) * share / total for title, share in zip(least, WIDTHS, strict=True)
            ]
        boxes, left = [], 0.0
        for width in widths:
            boxes.append(QRectF(left, 0, width, self.height()).adjusted(0, 0.5, 0, -0.5))
            left += width + gap
        return boxes

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme = current_theme()
        if not self._words:
            painter.setPen(theme.color("dim"))
            message = painter.fontMetrics().elidedText(self._message, Qt.TextElideMode.ElideRight, self.width())
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, message)
            return
        bold = figure_font(self.font(), bold=True)
        for stage, (box, words) in enumerate(zip(self.boxes(), self._words, strict=True)):
            colour, come = stage_color(stage, theme), stage <= self.stage
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(with_alpha(colour, 0.16) if stage == self.stage else theme.color("raised"))
            painter.drawRoundedRect(box, 5, 5)
            painter.setBrush(colour if come else theme.color("line"))
            painter.drawRoundedRect(QRectF(box.left(), box.top(), 4, box.height()), 2, 2)
            inner = box.adjusted(11, 3, -6, -3)
            row = inner.height() / LINES
            painter.setFont(bold)
            painter.setPen(colour if come else theme.color("faint"))
            title = f"{stage + 1} {tr(STAGES[stage])}"
            painter.drawText(
                QRectF(inner.left(), inner.top(), inner.width(), row), Qt.AlignmentFlag.AlignVCenter, title
            )
            if stage == self.stage:  # mark the stage by a shape too, not by colour alone
                x = inner.left() + painter.fontMetrics().horizontalAdvance(title) + 9
                y = inner.top() + row / 2
                painter.setBrush(colour)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.drawPolygon(QPolygonF([QPointF(x + 7, y - 4), QPointF(x + 7, y + 4), QPointF(x, y)]))
            painter.setFont(self.font())
            painter.setPen(theme.color("text") if come else theme.color("faint"))
            for line, text in enumerate(two_lines(words, self.font(), inner.width()), 1):
                lower = QRectF(inner.left(), inner.top() + line * row, inner.width(), row)
                painter.drawText(lower, Qt.AlignmentFlag.AlignVCenter, text)

    def _stage_at(self, point: QPointF) -> int:
        return next((stage for stage, box in enumerate(self.boxes()) if box.contains(point)), -1)

    def event(self, event: QEvent) -> bool:
        if event.type() != QEvent.Type.ToolTip or not isinstance(event, QHelpEvent):
            return super().event(event)
        stage = self._stage_at(QPointF(event.pos()))
        show_tip(event.globalPos(), self._tips[stage] if self._tips and stage >= 0 else self._message, self)
        return True

    def mousePressEvent(self, event: QMouseEvent) -> None:
        stage = self._stage_at(event.position())
        if stage >= 0 and self._words:
            self.chosen.emit(stage)
