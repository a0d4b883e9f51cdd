"""The list of runs: name, game, state in words, progress.  Uses models and states, no files."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
    QWidget,
)

from gui.language.language import tr
from gui.rooms.training.launcher import DIED, EMPTY, ENDING, PAUSED, STARTING, WORKING, RunState
from gui.widgets.labels import make_label
from gui.widgets.layouts import lay_column
from gui.widgets.text_size import px
from gui.widgets.texts import set_texts
from gui.widgets.theme import Theme, current_theme, figure_font
from gui.widgets.tips import set_tip

ROW_HEIGHT = 64
RING = 26  # px of the corner with the ring that keeps a run in the charts
NOTE_HEIGHT = 17  # px
RowRole = Qt.ItemDataRole.UserRole + 1


@dataclass(frozen=True)
class RunRow:
    """The contents of one row."""

    path: Path
    name: str
    game: str
    state: RunState
    progress: float  # 0 to 1, NaN for unknown
    note: str = ""
    archived: bool = False
    colour: int = -1  # of its curves beside those of other runs, in the theme's series; -1 for none
    kept: bool = False  # in the charts while other runs are chosen


def ring_of(box: QRect) -> QRect:
    """Return the corner of a row that keeps its run in the charts."""
    return QRect(box.right() - px(RING) - 4, box.top() + 4, px(RING), px(RING))


def state_colour(theme: Theme, kind: str) -> QColor:
    """Return the colour of the dot beside the state's words."""
    tokens = {WORKING: "good", STARTING: "busy", ENDING: "busy", PAUSED: "warn", DIED: "warn", EMPTY: "faint"}
    return theme.color(tokens.get(kind, "dim"))


class RunDelegate(QStyledItemDelegate):
    """Paints lines: name, game if known, state, and another for a note; the progress as a thin line below."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        row: RunRow | None = index.data(RowRole)
        return QSize(120, px(ROW_HEIGHT + (NOTE_HEIGHT if row is not None and row.note else 0)))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row: RunRow = index.data(RowRole)
        theme = current_theme()
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(option.rect).adjusted(4, 2, -4, -2)
        state = option.state
        chosen, hovered = bool(state & QStyle.StateFlag.State_Selected), bool(state & QStyle.StateFlag.State_MouseOver)
        if chosen or hovered:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("selection" if chosen else "raised"))
            painter.drawRoundedRect(box, 6, 6)
        font = option.font
        left, width = box.left() + px(26), box.width() - px(36)
        dot = QPointF(box.left() + px(14), box.top() + px(16))
        colour = state_colour(theme, row.state.kind)
        painter.setPen(Qt.PenStyle.NoPen)
        if row.state.kind in (WORKING, STARTING, ENDING):
            painter.setBrush(colour)
            painter.drawEllipse(dot, 4.5, 4.5)
        elif row.state.kind == PAUSED:
            painter.setBrush(colour)
            painter.drawRect(QRectF(dot.x() - 4, dot.y() - 4, 3, 8))
            painter.drawRect(QRectF(dot.x() + 1, dot.y() - 4, 3, 8))
        else:
            painter.setPen(colour)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(dot, 4, 4)
        words = (
            row.state.words
            if not row.state.command
            else tr("{words} · {command} requested").format(words=row.state.words, command=tr(row.state.command))
        )
        if row.archived:
            words = tr("archived · {words}").format(words=words)
        lines = [
            (row.name, figure_font(font, 1.0, bold=True), theme.color("dim" if row.archived else "text")),
            *([(row.game, figure_font(font, 0.92), theme.color("dim"))] if row.game else []),
            (words, figure_font(font, 0.92), colour if row.state.kind == DIED else theme.color("dim")),
        ]
        if row.note:
            lines.append((" ".join(row.note.split()), figure_font(font, 0.92), theme.color("text")))
        for place, (text, line_font, ink) in enumerate(lines):
            painter.setFont(line_font)
            painter.setPen(ink)
            room = int(width) - (px(RING) - px(10) if place == 0 else 0)
            elide = Qt.TextElideMode.ElideMiddle if place == 0 else Qt.TextElideMode.ElideRight
            shown = painter.fontMetrics().elidedText(text, elide, room)
            line = QRectF(left, box.top() + px(6) + px(17) * place, width, px(18))
            painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, shown)
        ring = QRectF(ring_of(option.rect)).center()
        ink = QColor(theme.series[row.colour]) if row.colour >= 0 else theme.color("disabled")
        painter.setPen(QPen(ink, px(2)))
        painter.setBrush(ink if row.kept else Qt.BrushStyle.NoBrush)
        painter.drawEllipse(ring, px(4.5), px(4.5))
        if math.isfinite(row.progress) and row.state.alive:
            track = QRectF(left, box.bottom() - 3, width, 2)
            painter.fillRect(track, theme.color("line"))
            painter.fillRect(QRectF(track.left(), track.top(), width * row.progress, 2), theme.color("accent"))
        painter.restore()


class RunList(QListWidget):
    """The list's view; a click or the arrow keys choose a run, its ring or the space bar keeps it in the charts."""

    chosen = Signal(object)  # Path
    toggled = Signal(object)  # Path to keep in the charts, or not any more

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("runs")
        self.setItemDelegate(RunDelegate(self))
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        set_texts(self, accessibleName="Training runs")
        self.currentItemChanged.connect(lambda item, _: self._choose(item))

    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.chosen.emit(item.data(RowRole).path)

    def _toggle_at(self, event: QMouseEvent) -> bool:
        """Emit ``toggled`` if the event is on a ring."""
        at = event.position().toPoint()
        index = self.indexAt(at)
        if not index.isValid() or not ring_of(self.visualRect(index)).contains(at):
            return False
        self.toggled.emit(index.data(RowRole).path)
        return True

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton or not self._toggle_at(event):
            super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton or not self._toggle_at(event):
            super().mouseDoubleClickEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        item = self.currentItem()
        if event.key() == Qt.Key.Key_Space and item is not None:
            self.toggled.emit(item.data(RowRole).path)
        else:
            super().keyPressEvent(event)

    def rows(self) -> list[RunRow]:
        return [self.item(i).data(RowRole) for i in range(self.count())]

    def show_rows(self, rows: list[RunRow], chosen: Path | None) -> None:
        """Show the runs in this order; the chosen one stays chosen, and ``chosen`` is not emitted."""
        self.blockSignals(True)
        while self.count() > len(rows):
            self.takeItem(self.count() - 1)
        while self.count() < len(rows):
            self.addItem(QListWidgetItem())
        for place, row in enumerate(rows):
            item = self.item(place)
            if item.data(RowRole) != row:
                item.setData(RowRole, row)
                set_tip(item, "\n".join(filter(None, (str(row.path), row.state.words, row.note))))
                kept = tr("kept in the charts") if row.kept else ""
                words = ", ".join(filter(None, (row.name, row.game, row.state.words, row.note, kept)))
                item.setData(Qt.ItemDataRole.AccessibleTextRole, words)
            if row.path == chosen and self.currentRow() != place:
                self.setCurrentRow(place)
        if chosen is None or all(row.path != chosen for row in rows):
            self.setCurrentRow(-1)
        self.blockSignals(False)


class RunColumn(QFrame):
    """The list below the buttons that add to it; archived runs that are not training are in it on demand."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumWidth(172)
        self.list = RunList(self)
        self.new = set_texts(QPushButton(self), text="New run…")
        self.open = set_texts(QPushButton(self), text="Open a run folder…")
        head = lay_column(self.new, self.open, margins=(8, 4, 8, 8), spacing=6)
        self._hint = make_label(self, "faint", "To compare runs, click their rings in the list.", wrap=True)
        self._hint.setContentsMargins(12, 4, 12, 4)
        self._no_runs = make_label(self, "dim", "no runs yet")
        self._no_runs.setContentsMargins(12, 0, 12, 0)
        self.archived = QToolButton(self)
        self.archived.setObjectName("plain")
        self.archived.setCheckable(True)
        self.archived.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.archived.hide()
        inner = lay_column(head, self._no_runs, (self.list, 1), self._hint, of=self, margins=(2, 0, 2, 4), spacing=0)
        inner.addWidget(self.archived, 0, Qt.AlignmentFlag.AlignLeft)

    def show_rows(self, rows: list[RunRow], chosen: Path | None) -> None:
        """Show the runs in this order, archived ones last."""
        archived = [row for row in rows if row.archived]
        self.archived.setVisible(bool(archived))
        self.archived.setText(tr("Archived: {count}").format(count=len(archived)))
        listed = [row for row in rows if not row.archived or row.state.alive]
        if self.archived.isChecked():
            listed += [row for row in archived if not row.state.alive]
        self._no_runs.setVisible(not rows)
        self._hint.setVisible(len(listed) > 1 and not any(row.kept for row in rows))
        self.list.show_rows(listed, chosen)
