"""The list of runs: name, game, state in words, progress.  Knows models and states, no files."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from gui.language.language import tr
from gui.rooms.training.launcher import DIED, EMPTY, ENDING, PAUSED, STARTING, WORKING, RunState
from gui.widgets.text_size import px
from gui.widgets.texts import set_texts
from gui.widgets.theme import Theme, current_theme, figure_font

ROW_HEIGHT = 64
RowRole = Qt.ItemDataRole.UserRole + 1


@dataclass(frozen=True)
class RunRow:
    """The contents of one row."""

    path: Path
    name: str
    game: str
    state: RunState
    progress: float  # 0 to 1, NaN for unknown


def state_colour(theme: Theme, kind: str) -> QColor:
    """Return the colour of the dot beside the state's words."""
    tokens = {WORKING: "good", STARTING: "busy", ENDING: "busy", PAUSED: "warn", DIED: "warn", EMPTY: "faint"}
    return theme.color(tokens.get(kind, "dim"))


class RowDelegate(QStyledItemDelegate):
    """Paints three lines: name, game, state; the progress as a thin line below."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(120, px(ROW_HEIGHT))

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
        lines = (
            (row.name, figure_font(font, 1.0, bold=True), theme.color("text")),
            (row.game or tr("game not known"), figure_font(font, 0.92), theme.color("dim")),
            (words, figure_font(font, 0.92), colour if row.state.kind == DIED else theme.color("dim")),
        )
        for place, (text, line_font, ink) in enumerate(lines):
            painter.setFont(line_font)
            painter.setPen(ink)
            shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, int(width))
            line = QRectF(left, box.top() + px(6) + px(17) * place, width, px(18))
            painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, shown)
        if math.isfinite(row.progress) and row.state.alive:
            track = QRectF(left, box.bottom() - 3, width, 2)
            painter.fillRect(track, theme.color("line"))
            painter.fillRect(QRectF(track.left(), track.top(), width * row.progress, 2), theme.color("accent"))
        painter.restore()


class RunList(QListWidget):
    """The list's view; a click or the arrow keys choose a run."""

    chosen = Signal(object)  # Path

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("runs")
        self.setItemDelegate(RowDelegate(self))
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        set_texts(self, accessibleName="Training runs")
        self.currentItemChanged.connect(lambda item, _: self._choose(item))

    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.chosen.emit(item.data(RowRole).path)

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
                item.setToolTip(f"{row.path}\n{row.state.words}")
                item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{row.name}, {row.game}, {row.state.words}")
            if row.path == chosen and self.currentRow() != place:
                self.setCurrentRow(place)
        if chosen is None or all(row.path != chosen for row in rows):
            self.setCurrentRow(-1)
        self.blockSignals(False)
