"""The legend below the board: what colours and figures mean, and for which player."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QLinearGradient, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.language.language import tr
from gui.widgets.board.board_layers import paint_chip, paint_sign
from gui.widgets.board.board_paint import NO_GAME, kind_of
from gui.widgets.board.overlays.overlay import SIGNS, Legend
from gui.widgets.labels import icon_button
from gui.widgets.text_size import px
from gui.widgets.texts import set_texts
from gui.widgets.theme import current_theme, figure_font, ramp
from gui.widgets.tips import set_tip

SEPARATOR = " · "  # of the parts of the words
BAR, SHORTEST = 92, 34  # px, of the colours; shorter where the words need the room
SIGN = 34  # px from one sign's words to the next's


class OverlayLegend(QWidget):
    """A widget with the overlay's title, point of view and colour scale."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._game = NO_GAME
        self.legend = Legend()
        self.hint = ""  # shown instead of the legend while a line is shown
        self.stop = icon_button(self, "stop", look="small", size=14)  # what is worked out for the overlay
        self.stop.hide()
        self.setFixedHeight(24)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        set_texts(self, accessibleName="Overlay")

    def sizeHint(self) -> QSize:
        return QSize(400, 24)

    def show_legend(self, legend: Legend, game: str) -> None:
        if (legend, game) != (self.legend, self._game):
            self.legend, self._game = legend, game
            self._update_description()

    def show_hint(self, hint: str) -> None:
        if hint != self.hint:
            self.hint = hint
            self._update_description()

    def show_stop(self, tip: str) -> None:
        """Offer to stop what is worked out for the overlay; "": there is nothing to stop."""
        if tip != self.stop.toolTip():
            set_tip(self.stop, tip)
            self.stop.setAccessibleName(tip)
        self.stop.setVisible(bool(tip))
        self._place_stop()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_stop()

    def _place_stop(self) -> None:
        wide = self.stop.sizeHint().width()
        self.stop.setGeometry(self.width() - wide - 2, 0, wide, self.height())

    @property
    def _end(self) -> float:
        """The right end of what is painted."""
        return self.width() - 6.0 if self.stop.isHidden() else self.stop.x() - 4.0

    @property
    def text(self) -> str:
        """The text shown."""
        if self.hint:
            return self.hint
        return SEPARATOR.join(part for part in (self.legend.title, self.legend.text) if part)

    def _update_description(self) -> None:
        signs = "\n".join(tr(SIGNS[sign][1]) for sign in self.legend.signs)
        set_tip(self, "\n".join(part for part in (self.text, self.legend.tip, signs) if part))
        self.setAccessibleDescription(self.text)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = figure_font(self.font(), 0.92)
        painter.setFont(font)
        left, middle = 8.0, Qt.AlignmentFlag.AlignVCenter
        right = self._end if self.hint else self._paint_scale(painter, self._end, self._bar())
        if self.legend.title and not self.hint:
            painter.setFont(figure_font(self.font(), 0.92, bold=True))
            painter.setPen(current_theme().color("text"))
            width = painter.fontMetrics().horizontalAdvance(self.legend.title)
            painter.drawText(QRectF(left, 0, width + 2, self.height()), middle, self.legend.title)
            left += width + 9
            painter.setFont(font)
            right = self._paint_signs(painter, left, right)
        painter.setPen(current_theme().color("dim"))
        painter.drawText(QRectF(left, 0, right - left, self.height()), middle, self.words_in(int(right - left - 10)))

    def words_in(self, room: int) -> str:
        """Return what is painted of the words in so many px; the tip has them all.

        Whole parts, or nothing where the colours and signs beside them explain the board too.  A line, and the reason
        why there is nothing on the board, end with an ellipsis.
        """
        legend, metrics = self.legend, QFontMetrics(figure_font(self.font(), 0.92))
        text = self.hint or legend.text
        while not self.hint and SEPARATOR in text and metrics.horizontalAdvance(text) > room:
            text = text.rpartition(SEPARATOR)[0]
        if metrics.horizontalAdvance(text) <= room:
            return text
        explained = bool(legend.ramp or legend.chips or legend.signs) and not self.hint
        return "" if explained else metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)

    def _sign_width(self, sign: str) -> int:
        """The px of a sign with its words and the gap before it."""
        return px(SIGN) + QFontMetrics(figure_font(self.font(), 0.92)).horizontalAdvance(tr(SIGNS[sign][0]))

    def _paint_signs(self, painter: QPainter, left: float, right: float) -> float:
        """Paint the signs of the marks, from the right as far as there is room; return their left edge."""
        theme, square, height = current_theme(), kind_of(self._game).square, self.height()
        for sign in self.legend.signs:
            wide = self._sign_width(sign)
            if right - wide < left:
                break
            right -= wide
            paint_sign(painter, QPointF(right + px(SIGN) - px(13), height / 2), px(6), sign, square, theme)
            painter.setPen(theme.color("dim"))
            words = QRectF(right + px(SIGN), 0, wide, height)
            painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, tr(SIGNS[sign][0]))
        return right

    def _words_width(self) -> int:
        """The px that the title, the text and the signs need, with the gaps between them."""
        plain = QFontMetrics(figure_font(self.font(), 0.92)).horizontalAdvance(self.legend.text)
        title = QFontMetrics(figure_font(self.font(), 0.92, bold=True)).horizontalAdvance(self.legend.title)
        return 8 + title + 9 + plain + 10 + sum(map(self._sign_width, self.legend.signs))

    def _bar(self) -> float:
        """The width of the bar of colours, which leaves its room to the words."""
        width_of = QFontMetrics(figure_font(self.font(), 0.92)).horizontalAdvance
        spare = self._end - self._words_width() - width_of(self.legend.low) - width_of(self.legend.high) - 22
        return max(px(SHORTEST), min(px(BAR), spare))

    def _paint_scale(self, painter: QPainter, right: float, wide: float) -> float:
        """Paint the scale at the right end; return its left edge."""
        legend, theme, height = self.legend, current_theme(), self.height()
        middle = Qt.AlignmentFlag.AlignVCenter
        width_of = painter.fontMetrics().horizontalAdvance
        painter.setPen(theme.color("dim"))
        for chip, name in reversed(legend.chips):
            if right < width_of(name) + px(34) + width_of(legend.title) * 1.1 + 17:
                break  # no room for the others; the tip has them all
            right -= width_of(name) + 2
            painter.setPen(theme.color("dim"))
            painter.drawText(QRectF(right, 0, width_of(name) + 2, height), middle, name)
            right -= px(14)
            paint_chip(
                painter, QPointF(right, height / 2), px(9), chip, kind_of(self._game), self.font(), theme, plain=True
            )
            right -= px(20)
        if not legend.ramp:
            return right
        stops = getattr(theme, legend.ramp)
        if legend.steps:
            for t, name in reversed(legend.steps):
                right -= width_of(name) + 2
                painter.setPen(theme.color("dim"))
                painter.drawText(QRectF(right, 0, width_of(name) + 2, height), middle, name)
                right -= px(17)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(ramp(stops, t))
                painter.drawRoundedRect(QRectF(right, height / 2 - px(6), px(12), px(12)), 3, 3)
                right -= px(12)
            return right
        right -= width_of(legend.high)
        painter.drawText(QRectF(right, 0, width_of(legend.high) + 2, height), middle, legend.high)
        right -= wide + 7
        bar = QRectF(right, height / 2 - px(5), wide, px(10))
        gradient = QLinearGradient(bar.topLeft(), bar.topRight())
        for i, colour in enumerate(stops):
            gradient.setColorAt(i / (len(stops) - 1), colour)
        painter.setPen(QPen(theme.color("line"), 1))
        painter.setBrush(gradient)
        painter.drawRoundedRect(bar, 3, 3)
        if legend.centred:
            painter.setPen(QPen(theme.color("text"), 1.4))
            painter.drawLine(QPointF(bar.center().x(), bar.top() - 3), QPointF(bar.center().x(), bar.bottom() + 3))
        right -= width_of(legend.low) + 7
        painter.setPen(theme.color("dim"))
        painter.drawText(QRectF(right, 0, width_of(legend.low) + 2, height), middle, legend.low)
        return right - 8
