"""How a row of figures is painted, in the table and in the tree alike.  Knows rows, no model.

Faint figures come from few visits; a bar under the share repeats it; the best move is cyan-blue and bold;
▸ stands before the move the next simulation enters.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QHeaderView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from gui.language.language import tr
from gui.widgets.figures import COLUMN_INDEX, COLUMNS, LEAST_SOLID, column_words, firmness
from gui.widgets.theme import DARK, Theme, figure_font, mix, ramp, with_alpha

if TYPE_CHECKING:
    from core.glass import MoveRow

RowRole: Final = Qt.ItemDataRole.UserRole + 1  # the MoveRow
MarkRole: Final = Qt.ItemDataRole.UserRole + 2  # bits: IS_BEST, IS_NEXT
IS_BEST: Final = 1
IS_NEXT: Final = 2
IS_LIT: Final = 4  # on the path of the simulation looked at
PAD: Final = 7
SOLID: Final = 40  # steps of how solid a figure is

_MOVE, _SHARE, _Q, _V, _PROOF, _PV = (COLUMN_INDEX[c] for c in ("move", "share", "q", "v", "proof", "pv"))
_ACCENTED: Final = {_MOVE, _SHARE, COLUMN_INDEX["n"]}  # of the best move
_ALWAYS_SOLID: Final = {COLUMN_INDEX["move"], COLUMN_INDEX["n"], COLUMN_INDEX["p"], COLUMN_INDEX["proof"]}
_IDLE_WHEN_PROVED: Final = {COLUMN_INDEX["u"], COLUMN_INDEX["score"]}  # a proved child is not entered again
_PROOF_TOKEN: Final = {"win": "good", "draw": "dim", "loss": "warn"}
_SELECTED: Final = QStyle.StateFlag.State_Selected.value
_POINTED: Final = QStyle.StateFlag.State_MouseOver.value
_LEFT: Final = Qt.AlignmentFlag.AlignVCenter.value
_RIGHT: Final = _LEFT | Qt.AlignmentFlag.AlignRight.value


Rows = Callable[[QModelIndex | QPersistentModelIndex], "tuple[MoveRow | None, int]"]


def cell_look(row: MoveRow, column: int, mark: int) -> tuple[str, str, int, int]:
    """All that a cell's picture comes from: text, the theme's colour, how solid (of ``SOLID``), marks."""
    token = "text"
    if mark & IS_BEST and column in _ACCENTED:
        token = "accent"
    if column == _PV:
        token = "dim"
    elif column == _PROOF and row.proof:
        token = _PROOF_TOKEN[row.proof]
    solid = 1.0 if column in _ALWAYS_SOLID else firmness(row.visits)
    if row.proof and column in _IDLE_WHEN_PROVED:
        solid = LEAST_SOLID
    if row.left_out:
        solid = LEAST_SOLID
    return COLUMNS[column].text(row), token, round(solid * SOLID), mark


class RowDelegate(QStyledItemDelegate):
    """Paints whole cells itself: one Python call per cell instead of one per data role.

    ``rows`` gives the row of an index and its marks."""

    def __init__(self, parent: QWidget, rows: Rows) -> None:
        super().__init__(parent)
        self._rows = rows
        self.set_theme(DARK)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._selection, self._hover = theme.color("selection"), theme.color("raised")
        self._pens: dict[tuple[str, int], QColor] = {}
        self.lit = theme.color("accent")  # of rows that are IS_LIT
        self._bar = ramp(theme.share_ramp, 0.66)

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(40, row_height(option.font))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        rect, state = option.rect, option.state.value
        if state & _SELECTED:
            painter.fillRect(rect, self._selection)
        elif state & _POINTED:
            painter.fillRect(rect, self._hover)
        row, mark = self._rows(index)
        if row is None:
            return
        column = index.column()
        text, token, solid, _ = cell_look(row, column, mark)
        if mark & IS_LIT:
            painter.fillRect(rect, with_alpha(self.lit, 0.16))
            if column == _MOVE:
                painter.fillRect(rect.left(), rect.top(), 3, rect.height(), self.lit)
        if column == _SHARE:
            self._share_bar(painter, QRectF(rect), row.share)
        painter.setPen(self._pens.get((token, solid)) or self._pen(token, solid))
        painter.setFont(self._bold(option.font) if mark & IS_BEST else option.font)
        inner = rect.adjusted(PAD, 0, -PAD, 0)
        if column == _MOVE:
            if mark & IS_NEXT:
                painter.drawText(inner.adjusted(-3, 0, 0, 0), _LEFT, "▸")
            painter.drawText(inner.adjusted(11, 0, 0, 0), _LEFT, text)
        elif column == _PV:
            text = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, inner.width())
            painter.drawText(inner, _LEFT, text)
        elif text:
            painter.drawText(inner, _RIGHT if COLUMNS[column].number else _LEFT, text)

    def _pen(self, token: str, solid: int) -> QColor:
        pen = self._pens[token, solid] = mix(self._theme.color("panel"), self._theme.color(token), solid / SOLID)
        return pen

    def _bold(self, font: QFont) -> QFont:
        bold = QFont(font)
        bold.setWeight(QFont.Weight.DemiBold)
        return bold

    def _share_bar(self, painter: QPainter, rect: QRectF, share: float) -> None:
        full = rect.adjusted(PAD, 0, -PAD, -2)
        if full.width() * share >= 2.0:
            painter.fillRect(QRectF(full.left(), full.bottom() - 3, full.width() * share, 3), self._bar)


def row_height(font: QFont) -> int:
    """The height of every row."""
    return QFontMetrics(font).height() + 10


def set_up_header(header: QHeaderView, font: QFont, first_extra: int = 0) -> None:
    """Fixed widths taken from the widest texts, so that nothing jitters; the last column takes the rest."""
    metrics = QFontMetrics(figure_font(font, bold=True))
    title_metrics = QFontMetrics(font)
    header.setHighlightSections(False)
    header.setTextElideMode(Qt.TextElideMode.ElideRight)
    header.setSortIndicatorShown(True)
    header.setSectionsClickable(True)
    header.setSectionsMovable(True)
    header.setMinimumSectionSize(24)
    for i, column in enumerate(COLUMNS):
        width = max(metrics.horizontalAdvance(column.widest), title_metrics.horizontalAdvance(f"▾ {tr(column.title)}"))
        header.resizeSection(i, width + 2 * PAD + (first_extra + 13 if i == 0 else 0))
    header.resizeSection(_PV, 60)
    header.setStretchLastSection(True)


def header_data(section: int, role: int, sorted_by: int, descending: bool, rule: str) -> object:
    """Title, with an arrow where it sorts, tool tip and alignment of a column, for a model's headerData."""
    column = COLUMNS[section]
    title, meaning = column_words(section, rule)
    if role == Qt.ItemDataRole.DisplayRole:
        arrow = "" if section != sorted_by else "▾" if descending else "▴"
        return f"{arrow} {title}".strip() if column.number else f"{title} {arrow}".strip()
    if role == Qt.ItemDataRole.ToolTipRole:
        return meaning
    if role == Qt.ItemDataRole.TextAlignmentRole:
        side = Qt.AlignmentFlag.AlignRight if column.number else Qt.AlignmentFlag.AlignLeft
        return int(side | Qt.AlignmentFlag.AlignVCenter)
    return None


def cell_data(row: MoveRow, column: int, mark: int, role: int) -> object:
    """What a cell answers: the text shown, its alignment, the row itself."""
    if role == RowRole:
        return row
    if role == MarkRole:
        return mark
    if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
        return COLUMNS[column].text(row)
    if role == Qt.ItemDataRole.TextAlignmentRole:
        side = Qt.AlignmentFlag.AlignRight if COLUMNS[column].number else Qt.AlignmentFlag.AlignLeft
        return int(side | Qt.AlignmentFlag.AlignVCenter)
    return None


def pointer_inside(widget: QWidget, point: QPoint) -> bool:
    """Whether the pointer rests on a view, whose rows then stay where they are."""
    return widget.isVisible() and widget.rect().contains(widget.mapFromGlobal(point))


def repaint_row(viewport: QWidget, cell: QRect) -> None:
    """Paint the row of a cell anew; an empty one is not in sight."""
    if not cell.isEmpty():
        viewport.update(0, cell.top(), viewport.width(), cell.height())
