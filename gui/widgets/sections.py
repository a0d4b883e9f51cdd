"""Parts of a narrow card: a folding section, names with texts, a grid of aligned numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QEnterEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QToolButton, QWidget

from core.text import Words
from gui.language.core_words import core_text
from gui.language.language import tr
from gui.widgets.layouts import lay_column
from gui.widgets.player_choice import paint_disc
from gui.widgets.text_size import px
from gui.widgets.texts import set_texts
from gui.widgets.theme import current_theme, figure_font, round_pen
from gui.widgets.tips import set_tip


class Fold(QToolButton):
    """A section's title line: a chevron, the title, and a summary on the right."""

    def __init__(self, title: Words, parent: QWidget) -> None:
        super().__init__(parent)
        self.title, self.summary = title, ""
        self.disc: tuple[str, int] | None = None  # a game, and the player whose disc follows the title
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setFont(figure_font(self.font()))
        set_texts(self, accessibleName=title)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(160, self.fontMetrics().height() + 10)

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self.sizeHint().height())

    def set_summary(self, text: str) -> None:
        if text != self.summary:
            self.summary = text
            self.setAccessibleDescription(text)
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.hasFocus() or self.underMouse():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(current_theme().color("hover", 0.6))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(2, 1, -2, -1), 5, 5)
        middle = self.height() / 2
        painter.setPen(round_pen(current_theme().color("dim"), 1.6))
        points = [(-3.5, -2), (0, 2), (3.5, -2)] if self.isChecked() else [(-2, -3.5), (2, 0), (-2, 3.5)]
        painter.drawPolyline([QPointF(px(12) + x, middle + y) for x, y in points])
        font = figure_font(self.font(), bold=True)
        painter.setFont(font)
        painter.setPen(current_theme().color("text" if self.isChecked() else "dim"))
        left = float(px(23))
        title = core_text(self.title)
        painter.drawText(QRectF(left, 0, self.width(), self.height()), Qt.AlignmentFlag.AlignVCenter, title)
        left += painter.fontMetrics().horizontalAdvance(title) + 12
        if self.disc is not None:
            paint_disc(painter, QPointF(left, middle + 0.5), *self.disc)
            left += 12
        painter.setFont(figure_font(self.font(), 0.94))
        painter.setPen(current_theme().color("dim"))
        room = self.width() - left - 10
        text = painter.fontMetrics().elidedText(self.summary, Qt.TextElideMode.ElideRight, int(room))
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(QRectF(left, 0, room, self.height()), flags, text)


class Section(QWidget):
    """A title with a body below it that folds.  ``toggled`` reports whether it is open."""

    toggled = Signal(bool)

    def __init__(self, title: Words, parent: QWidget, opened: bool = True) -> None:
        super().__init__(parent)
        self.fold = Fold(title, self)
        self.body = QWidget(self)
        self.column = lay_column(of=self.body, margins=(12, 1, 10, 9), spacing=6)
        lay_column(self.fold, self.body, of=self, margins=0, spacing=0)
        self.fold.setChecked(opened)
        self.body.setVisible(opened)
        self.fold.toggled.connect(self._turn)

    @property
    def opened(self) -> bool:
        return self.fold.isChecked()

    def _turn(self, opened: bool) -> None:
        self.body.setVisible(opened)
        self.toggled.emit(opened)

    def add(self, widget: QWidget) -> None:
        self.column.addWidget(widget)

    def set_title(self, title: Words) -> None:
        """Set another title."""
        if title != self.fold.title:
            self.fold.title = title
            set_texts(self.fold, accessibleName=title)
            self.fold.update()

    def set_summary(self, text: str) -> None:
        """Set the summary on the right of the title."""
        self.fold.set_summary(text)

    def set_disc(self, disc: tuple[str, int]) -> None:
        """Show the disc of the player whose values the section has; ``disc``: a game and a player."""
        if disc != self.fold.disc:
            self.fold.disc = disc
            self.fold.update()


class Facts(QWidget):
    """Names in one column, texts in the other; a name with the text "" is hidden."""

    def __init__(self, names: Sequence[tuple[Words, Words]], parent: QWidget) -> None:
        """``names``: (name, tooltip)."""
        super().__init__(parent)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(3)
        grid.setColumnStretch(1, 1)
        self._rows: dict[str, tuple[QLabel, QLabel]] = {}
        for row, (name, meaning) in enumerate(names):
            label, text = set_texts(QLabel(self), text=name), QLabel(self)
            label.setObjectName("dim")
            text.setWordWrap(True)
            text.setFont(figure_font(text.font()))
            text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            set_texts(text, accessibleName=name)
            for part in (label, text):
                set_texts(part, toolTip=meaning)
            grid.addWidget(label, row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(text, row, 1, Qt.AlignmentFlag.AlignTop)
            self._rows[name] = (label, text)

    def set_text(self, name: str, text: str) -> None:
        label, value = self._rows[name]
        if value.text() != text:
            value.setText(text)
        for part in (label, value):
            part.setVisible(bool(text))

    def text(self, name: str) -> str:
        return self._rows[name][1].text()


@dataclass(frozen=True)
class GridRow:
    """One row of numbers."""

    key: int
    texts: tuple[str, ...]
    mark: str = ""  # shown before the first text
    faint: bool = False


class KeyedRows(QWidget):
    """A widget of painted rows, each with a key.

    ``pointed`` emits the key under the pointer, -1 when it leaves; ``chosen`` a clicked key.
    """

    pointed = Signal(int)
    chosen = Signal(int)

    def __init__(self, parent: QWidget, name: Words) -> None:
        """``name``: for screen readers."""
        super().__init__(parent)
        self._under = -1  # the key under the pointer
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        set_texts(self, accessibleName=name)

    def _key_at(self, y: float) -> int:
        """Return the key of the row at an ordinate; -1 for none."""
        raise NotImplementedError

    def _point(self, key: int) -> None:
        if key != self._under:
            self._under = key
            self.pointed.emit(key)
            self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._point(self._key_at(event.position().y()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        key = self._key_at(event.position().y())
        if key >= 0 and event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit(key)

    def enterEvent(self, event: QEnterEvent) -> None:
        self._point(self._key_at(event.position().y()))

    def leaveEvent(self, event: QEvent) -> None:
        self._point(-1)


class FigureGrid(KeyedRows):
    """A few rows of right-aligned numbers."""

    def __init__(self, parent: QWidget, name: Words) -> None:
        super().__init__(parent, name)
        self._heads: tuple[str, ...] = ()
        self._tips: tuple[str, ...] = ()
        self.rows: tuple[GridRow, ...] = ()
        self._marked = -1
        self.setFont(figure_font(self.font()))

    def _line(self) -> int:
        return self.fontMetrics().height() + px(5)

    def sizeHint(self) -> QSize:
        return QSize(240, self._line() * (len(self.rows) + 1) + 2)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.sizeHint().height())

    def set_heads(self, heads: Sequence[Words], tips: Sequence[Words]) -> None:
        self._heads, self._tips = tuple(heads), tuple(tips)
        self.update()

    def show_rows(self, rows: Sequence[GridRow], marked: int = -1) -> None:
        """Show rows; ``marked``: key of the highlighted row, such as the one whose sum is shown below."""
        taller = len(rows) != len(self.rows)
        self.rows, self._marked = tuple(rows), marked
        self.setAccessibleDescription("; ".join(" ".join((row.mark, *row.texts)).strip() for row in rows))
        if taller:
            self.updateGeometry()
        self.update()

    def _column(self, place: int) -> QRectF:
        """Return a column's place: the first is about 1.6 columns wide, the rest share the remaining room."""
        first = max(px(48), self.width() / (len(self._heads) + 0.6))
        if place == 0:
            return QRectF(0, 0, first, self._line())
        step = (self.width() - first) / max(1, len(self._heads) - 1)
        return QRectF(first + (place - 1) * step, 0, step, self._line())

    def _key_at(self, y: float) -> int:
        place = int(y // self._line()) - 1
        return self.rows[place].key if 0 <= place < len(self.rows) else -1

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        x = event.position().x()
        place = next((i for i in range(len(self._heads)) if self._column(i).right() >= x), len(self._heads) - 1)
        set_tip(self, tr(self._tips[place]) if 0 <= place < len(self._tips) else "")

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        line, theme = self._line(), current_theme()
        painter.setFont(figure_font(self.font(), 0.92))
        painter.setPen(theme.color("dim"))
        for place, head in enumerate(self._heads):
            self._write(painter, place, 0, tr(head))
        painter.setPen(theme.color("line"))
        painter.drawLine(QPointF(0, line - 0.5), QPointF(self.width(), line - 0.5))
        painter.setFont(self.font())
        for number, row in enumerate(self.rows, 1):
            top = number * line
            if row.key in (self._marked, self._under):
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(theme.color("selection" if row.key == self._marked else "hover"))
                painter.drawRoundedRect(QRectF(0, top + 0.5, self.width(), line - 1), 4, 4)
            if row.mark:
                painter.setPen(theme.color("accent"))
                painter.drawText(QRectF(px(4), top, px(14), line), Qt.AlignmentFlag.AlignVCenter, row.mark)
            colour: QColor = theme.color("faint" if row.faint else "text")
            painter.setPen(colour)
            for place, text in enumerate(row.texts):
                self._write(painter, place, top, text)

    def _write(self, painter: QPainter, place: int, top: float, text: str) -> None:
        box = self._column(place).translated(0, top)
        side = Qt.AlignmentFlag.AlignLeft if place == 0 else Qt.AlignmentFlag.AlignRight
        box = box.adjusted(px(18), 0, 0, 0) if place == 0 else box.adjusted(0, 0, -px(6), 0)
        painter.drawText(box, side | Qt.AlignmentFlag.AlignVCenter, text)
