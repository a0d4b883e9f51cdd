"""The searched value as a bar between the two players, and in words that name the player; the line over the board."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.language.language import tr
from gui.widgets.board.board_paint import NO_GAME, draw_token, kind_of, stone_color
from gui.widgets.figures import THIN
from gui.widgets.texts import set_texts
from gui.widgets.theme import current_theme, figure_font, mix, on_theme
from gui.widgets.tips import set_tip

SHORTEST = 160.0  # px; beside a lower board the bar takes the full height
RADIUS = 8.0  # px, of the stones at its ends
SECOND_LINE = 23  # px, where the label's second line begins


class ValueBar(QWidget):
    """A vertical bar: the first player's part grows from the bottom; stones mark the ends, a line marks 0."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._game = NO_GAME
        self.value = math.nan  # for the first player; NaN while unknown
        self._span = (0.0, 0.0)  # top and bottom of the board beside it; equal: use the full height
        self._edge = math.nan  # y of the boundary between the players' parts
        self._pictures: tuple[QPixmap, ...] = ()  # bar filled for the first player, for the second, empty
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setFixedWidth(26)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        set_texts(self, accessibleName="Value")
        on_theme(self, self._renew)

    def set_value(self, game: str, value: float, to_move: int, text: str) -> None:
        """Show a value; ``value`` is for the side to move, ``text`` is its wording."""
        self.value = -value if to_move else value
        if text != self.toolTip():
            set_tip(self, text)
            self.setAccessibleDescription(text)
        edge, before = self._edge_now(), self._edge
        if game != self._game or math.isnan(edge) != math.isnan(before):
            self._game = game
            self._renew()
        elif edge != before and not math.isnan(edge):
            self._edge = edge
            top, bottom = int(min(edge, before)) - 2, int(max(edge, before)) + 3
            self.update(0, top, self.width(), bottom - top)

    def set_span(self, top: float, bottom: float) -> None:
        """Align the bar with the board, from its upper to its lower edge."""
        span = (top, bottom) if bottom - top >= SHORTEST else (0.0, 0.0)
        if span != self._span:
            self._span = span
            self._renew()

    def sizeHint(self) -> QSize:
        return QSize(26, 300)

    def _renew(self) -> None:
        self._pictures = ()
        self._edge = self._edge_now()
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._renew()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self._renew()
        super().changeEvent(event)

    def _ends(self) -> tuple[float, float]:
        return self._span if self._span[0] < self._span[1] else (0.0, float(self.height()))

    def _bar(self) -> QRectF:
        top, bottom = self._ends()
        return QRectF(self.width() / 2 - 6, top + 2 * RADIUS + 7, 12, bottom - top - 4 * RADIUS - 14)

    def _edge_now(self) -> float:
        """Return y of the boundary between the players' parts, to a quarter pixel; NaN while the value is unknown."""
        if math.isnan(self.value):
            return math.nan
        bar = self._bar()
        return round(4 * (bar.center().y() - self.value * bar.height() / 2)) / 4

    def _picture(self, player: int) -> QPixmap:
        """Draw the bar completely filled for one player; -1: empty."""
        ratio = self.devicePixelRatioF()
        picture = QPixmap(self.size() * ratio)
        picture.setDevicePixelRatio(ratio)
        picture.fill(current_theme().color("panel"))
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        kind, bar, x = kind_of(self._game), self._bar(), self.width() / 2
        top, bottom = self._ends()
        draw_token(painter, kind, QPointF(x, top + RADIUS), RADIUS, 1, current_theme())
        draw_token(painter, kind, QPointF(x, bottom - RADIUS), RADIUS, 0, current_theme())
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(current_theme().color("raised"))
        painter.drawRoundedRect(bar, 4, 4)
        if player >= 0:
            towards = ("faint", 0.4) if kind.look == "stones" else ("panel", 0.18)  # black or white as the panel is
            colour = stone_color(kind, player, current_theme())
            painter.setBrush(mix(colour, current_theme().color(towards[0]), towards[1]))
            painter.drawRoundedRect(bar, 4, 4)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(current_theme().color("faint"), 1))
        painter.drawRoundedRect(bar, 4, 4)
        self._draw_middle(painter)
        painter.end()
        return picture

    def _draw_middle(self, painter: QPainter) -> None:
        bar = self._bar()
        painter.setPen(QPen(current_theme().color("text"), 1.4))
        middle = bar.center().y()
        painter.drawLine(QPointF(bar.left() - 4, middle), QPointF(bar.right() + 4, middle))

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._pictures:
            self._pictures = tuple(self._picture(player) for player in (0, 1, -1))
        first, second, nobody = self._pictures
        painter = QPainter(self)
        if math.isnan(self._edge):
            painter.drawPixmap(0, 0, nobody)
            return
        ratio, width = first.devicePixelRatio(), self.width()
        cut = round(self._edge * ratio)
        upper, lower = QRectF(0, 0, width * ratio, cut), QRectF(0, cut, width * ratio, first.height() - cut)
        painter.drawPixmap(QRectF(0, 0, width, cut / ratio), second, upper)
        painter.drawPixmap(QRectF(0, cut / ratio, width, lower.height() / ratio), first, lower)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(current_theme().color("panel"), 2))
        painter.drawLine(QPointF(width / 2 - 6, self._edge), QPointF(width / 2 + 6, self._edge))
        if abs(self._edge - self._bar().center().y()) < 3:  # elsewhere the pictures already show it
            self._draw_middle(painter)


class PlayerLabel(QWidget):
    """The side to move or the result beside a stone of that player; at the right, the value in words."""

    exact_clicked = Signal()  # the line with the exact result

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._game, self._player = NO_GAME, 0
        self.title, self.value, self.note = "", "", ""
        self.badge = self._badge_tip = self._taken = ""
        self.preview = False
        self.past = self._past_short = self._short_value = ""
        self.captured: tuple[int, int] | None = None  # stones of each player; None where none are taken
        self.fixed_value = ""  # the value as the first player sees it, in the second line
        self.exact: tuple[str, ...] = ()  # wordings of the exact result instead of that, the longest first
        self._wrong = False  # the search plays a wrong move
        self.setFixedHeight(40)
        set_texts(self, accessibleName="Position")

    def set_position(
        self,
        game: str,
        player: int,
        title: str,
        note: str,
        preview: bool = False,
        captured: tuple[int, int] | None = None,
    ) -> None:
        """Show the side to move; ``player``: whose stone is drawn, -1 for none; ``note``: text in the second line.

        ``captured``: the captured stones of each player, before the note.
        """
        self._game, self._player, self.title, self.note, self.preview = game, player, title, note, preview
        self.captured = captured
        self._describe()

    def _describe(self) -> None:
        taken = ""
        if self.captured is not None:
            first, second = kind_of(self._game).players
            taken = tr("captured stones: {first} {blacks}, {second} {whites}").format(
                first=first, second=second, blacks=self.captured[0], whites=self.captured[1]
            )
        self._taken = taken
        parts = (self.title, self.past or self.note, taken, self.value, self.fixed_value, *self.exact[:1])
        self.setAccessibleDescription(" ".join(part for part in parts if part))
        self._tip()
        self.update()

    def _tip(self) -> None:
        set_tip(self, "\n".join(part for part in (self._badge_tip, self._taken, *self.exact[:1]) if part))

    def set_past(self, text: str, short: str = "") -> None:
        """Show the name of an earlier moment instead of the note, ``short`` in a narrow window; "" for the present."""
        self.past, self._past_short = text, short
        self._describe()

    def set_value(self, text: str, short: str = "", fixed: str = "") -> None:
        """Show the value in words; ``short`` if they do not fit beside the title; ``fixed``: for the first player."""
        if (text, short, fixed) != (self.value, self._short_value, self.fixed_value):
            self.value, self._short_value, self.fixed_value = text, short, fixed
            self._describe()

    def set_exact(self, wordings: tuple[str, ...], wrong: bool) -> None:
        """Show the first of the wordings of the exact result that fits; ``wrong``: the search would go wrong."""
        if (wordings, wrong) != (self.exact, self._wrong):
            self.exact, self._wrong = wordings, wrong
            self.setCursor(Qt.CursorShape.PointingHandCursor if wordings else Qt.CursorShape.ArrowCursor)
            self._describe()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self.exact and event.button() == Qt.MouseButton.LeftButton:
            self.exact_clicked.emit()

    def set_badge(self, text: str, tip: str) -> None:
        """Show a short label before the value."""
        self._badge_tip = tip
        self._tip()
        if text != self.badge:
            self.badge = text
            self.update()

    def _badge_width(self) -> int:
        """Return the badge's width with margins; 0 without a badge."""
        metrics = QFontMetrics(figure_font(self.font(), 0.88))
        return metrics.horizontalAdvance(self.badge) + 26 if self.badge else 0

    def _past_width(self) -> int:
        """Return the width of the short words for an earlier moment, with margins; 0 in the present."""
        return self.fontMetrics().horizontalAdvance(self._past_short) + 40 if self.past else 0

    def _large(self) -> QFont:
        """Return the font for title and value, smaller if both do not fit side by side."""
        badge = max(self._badge_width(), self._past_width())
        for size in (1.25, 1.1, 1.0, 0.9):
            font = figure_font(self.font(), size, bold=True)
            metrics = QFontMetrics(font)
            width = metrics.horizontalAdvance(self.title) + metrics.horizontalAdvance(self.value)
            if width + badge + 70 <= self.width():
                break
        return font

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        left, tall = 4.0, SECOND_LINE
        if self._player >= 0:
            place = QPointF(left + 11, self.height() / 2)
            draw_token(painter, kind_of(self._game), place, 10.0, self._player, current_theme())
            left += 31
        centre = Qt.AlignmentFlag.AlignVCenter
        painter.setPen(current_theme().color("text"))
        painter.setFont(self._large())
        width_of, value = painter.fontMetrics().horizontalAdvance, self.value
        beside = max(self._past_width(), self._badge_width())
        if left + width_of(self.title) + 14 + width_of(value) + 6 + beside > self.width():
            value = self._short_value or value
        room = self.width() - left - 20 - width_of(value)
        title = painter.fontMetrics().elidedText(self.title, Qt.TextElideMode.ElideRight, int(max(40, room)))
        width = width_of(title)
        painter.drawText(QRectF(left, 0, width + 4, tall), centre, title)
        left += width + 14
        value_width = width_of(value)
        value_box = QRectF(left, 0, self.width() - 6 - left, tall)
        value = painter.fontMetrics().elidedText(value, Qt.TextElideMode.ElideRight, int(value_box.width()))
        painter.drawText(value_box, centre | Qt.AlignmentFlag.AlignRight, value)
        if self.value and self.badge and left + value_width + self._badge_width() <= self.width():
            value_width += self._paint_badge(painter, self.width() - 6 - value_width - 10, tall)
        self._paint_second_line(painter, 35.0 if self._player >= 0 else 4.0)
        if self.past or self.preview:
            self._paint_pill(painter, left, int(max(0, self.width() - left - value_width - 36)))

    def _paint_pill(self, painter: QPainter, left: float, room: int) -> None:
        """Paint that an earlier moment or a preview is shown."""
        theme = current_theme()
        painter.setFont(figure_font(self.font()))
        width_of = painter.fontMetrics().horizontalAdvance
        words = self.past or self.note
        if self.past and width_of(words) > room:
            words = self._past_short
            if width_of(words) > room:  # show only the number rather than cut a word
                words = "".join(sign for sign in words if sign.isdecimal() or sign == THIN) or words
        if room < 70 and width_of(words) > room and not self.past:
            return
        words = painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, room)
        box = QRectF(left, 1, width_of(words) + 20, SECOND_LINE - 2)
        painter.setPen(QPen(theme.color("warn"), 1) if self.past else Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("warn_panel" if self.past else "selection"))
        painter.drawRoundedRect(box, 10, 10)
        painter.setPen(theme.color("warn" if self.past else "accent"))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)

    def _paint_second_line(self, painter: QPainter, left: float) -> None:
        """Paint the captured stones, the note, and the exact result or the value as the first player sees it."""
        theme, middle = current_theme(), Qt.AlignmentFlag.AlignVCenter
        painter.setFont(figure_font(self.font(), 0.92))
        width_of, y = painter.fontMetrics().horizontalAdvance, SECOND_LINE + (self.height() - SECOND_LINE) / 2 - 1
        top, tall = SECOND_LINE - 1, self.height() - SECOND_LINE
        for player, count in enumerate(self.captured or ()):
            draw_token(painter, kind_of(self._game), QPointF(left + 5, y), 5.0, player, theme)
            painter.setPen(theme.color("text"))
            painter.drawText(QRectF(left + 14, top, width_of(str(count)) + 4, tall), middle, str(count))
            left += 14 + width_of(str(count)) + 10
        box = QRectF(left, top, self.width() - 6 - left, tall)
        whole = next((words for words in self.exact or (self.fixed_value,) if width_of(words) <= box.width()), "")
        painter.setPen(theme.color("warn" if self._wrong else "text" if self.exact else "dim"))
        painter.drawText(box, Qt.AlignmentFlag.AlignRight | middle, whole)
        note = "" if self.preview else self.note
        if width_of(note) + width_of(whole) + 16 <= box.width():
            painter.setPen(theme.color("dim"))
            painter.drawText(box, middle, note)

    def _paint_badge(self, painter: QPainter, right: float, tall: float) -> int:
        """Paint the badge as a pill that ends at ``right``; return the width used."""
        painter.setFont(figure_font(self.font(), 0.88))
        width = painter.fontMetrics().horizontalAdvance(self.badge) + 16
        high = painter.fontMetrics().height() + 1
        box = QRectF(right - width, (tall - high) / 2, width, high)
        painter.setPen(QPen(current_theme().color("line"), 1))
        painter.setBrush(current_theme().color("raised"))
        painter.drawRoundedRect(box, 9, 9)
        painter.setPen(current_theme().color("dim"))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self.badge)
        return width + 10
