"""How a row of figures is painted, in tables and in the tree alike.  Uses looks of cells, no model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QHeaderView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from gui.language.language import tr
from gui.widgets.figures import Column
from gui.widgets.player_choice import SMALL, paint_disc
from gui.widgets.tables.sparks import Spark, paint_spark
from gui.widgets.text_size import px
from gui.widgets.theme import current_theme, figure_font, mix, on_theme, ramp, with_alpha
from gui.widgets.tips import wrap_tip

Index = QModelIndex | QPersistentModelIndex
RowRole: Final = Qt.ItemDataRole.UserRole + 1  # the row itself
MarkRole: Final = Qt.ItemDataRole.UserRole + 2  # bits: IS_BEST, IS_NEXT, IS_HIGHLIGHTED
HEADER_WORDS: Final = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)  # roles with words of the column
IS_BEST: Final = 1
IS_NEXT: Final = 2  # the next simulation enters it
IS_HIGHLIGHTED: Final = 4  # on the path of the simulation looked at
PAD: Final = 7
BAR: Final = 3  # px of the bar that begins a highlighted row
ROW_PAD: Final = 10  # px that a row is higher than its text
SOLID: Final = 40  # steps of how solid a figure is
ELLIPSIS: Final = "…"

_SELECTED: Final = QStyle.StateFlag.State_Selected.value
_POINTED: Final = QStyle.StateFlag.State_MouseOver.value
_LEFT: Final = Qt.AlignmentFlag.AlignVCenter.value
_RIGHT: Final = _LEFT | Qt.AlignmentFlag.AlignRight.value


class Look(NamedTuple):
    """All that a cell's picture comes from."""

    text: str
    colour: str = "text"  # of the theme, or "#rrggbb"
    solid: int = SOLID  # faint figures come from few visits
    bold: bool = False
    marks: int = 0
    bar: float = -1.0  # a share to be drawn below the text; negative: none
    ground: str = ""  # the colour of a box behind the text
    disc: tuple[str, int] | None = None  # the game and the player whose disc stands before the text
    spark: Spark | None = None  # curves instead of a text


class RowDelegate(QStyledItemDelegate):
    """Paints whole cells itself: one Python call per cell instead of one per data role.

    ``look`` gives the look of an index, None for one that is gone.  A view may also paint whole rows with it."""

    def __init__(self, parent: QWidget, columns: Sequence[Column[Any]], look: Callable[[Index], Look | None]) -> None:
        super().__init__(parent)
        self._columns, self._look = columns, look
        self.highlight = QColor()  # of rows that are IS_HIGHLIGHTED; invalid: they are not marked
        on_theme(parent, self._mix_colours)

    def _mix_colours(self) -> None:
        theme = current_theme()
        self._selection, self._hover = theme.color("selection"), theme.color("raised")
        self._pens: dict[tuple[str, int], QColor] = {}
        self._bar = ramp(theme.share_ramp, 0.66)
        self._spark_colours = self._bar, ramp(theme.value_ramp, 0.95), theme.color("line")

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        look = self._look(index) or Look("")
        font = bold_of(option.font) if look.bold else option.font
        metrics = QFontMetrics(font)
        return QSize(metrics.horizontalAdvance(look.text) + 2 * PAD, metrics.height() + px(ROW_PAD))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rect, state, look = option.rect, option.state.value, self._look(index)
        first = index.column() == 0
        self.paint_ground(painter, rect, look, bool(state & _SELECTED), bool(state & _POINTED), first)
        if look is not None:
            self.paint_cell(painter, rect, look, index.column(), option.font)

    def paint_ground(
        self, painter: QPainter, rect: QRect, look: Look | None, selected: bool, pointed: bool, first: bool
    ) -> None:
        """Paint what is behind the figures of a row, or of one of its cells; ``first``: it begins the row."""
        if selected:
            painter.fillRect(rect, self._selection)
        elif pointed:
            painter.fillRect(rect, self._hover)
        if look is not None and look.marks & IS_HIGHLIGHTED and self.highlight.isValid():
            painter.fillRect(rect, with_alpha(self.highlight, 0.16))
            if first:
                painter.fillRect(rect.left(), rect.top(), BAR, rect.height(), self.highlight)

    def paint_cell(self, painter: QPainter, rect: QRect, look: Look, place: int, font: QFont) -> None:
        """Paint a cell of the column at ``place``."""
        column = self._columns[place]
        if look.bar >= 0:
            self._share_bar(painter, QRectF(rect), look.bar)
        if look.spark is not None:
            paint_spark(painter, QRectF(rect).adjusted(PAD, 0, -PAD, 0), look.spark, self._spark_colours)
        if look.ground:
            self._box(painter, QRectF(rect), current_theme().color(look.ground))
        if column.ruled:
            painter.setPen(current_theme().color("line"))
            painter.drawLine(rect.topLeft(), rect.bottomLeft())
        if look.disc is not None:
            paint_disc(painter, QPointF(rect.left() + PAD + SMALL, rect.center().y() + 0.5), *look.disc)
        painter.setPen(self._pens.get((look.colour, look.solid)) or self._pen(look.colour, look.solid))
        painter.setFont(bold_of(font) if look.bold else font)
        inner, text = rect.adjusted(PAD + column.indent, 0, -PAD, 0), look.text
        if look.marks & IS_NEXT and column.indent:
            painter.drawText(rect.adjusted(PAD - 3, 0, -PAD, 0), _LEFT, "▸")
        if column.elided:
            text = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, inner.width())
        elif column.number and painter.fontMetrics().horizontalAdvance(text) > inner.width() + 1:
            text = ELLIPSIS  # a part of a number would be another number
        if text:
            painter.drawText(inner, _RIGHT if column.number else _LEFT, text)

    def _pen(self, colour: str, solid: int) -> QColor:
        full = QColor(colour) if colour.startswith("#") else current_theme().color(colour)
        pen = self._pens[colour, solid] = mix(current_theme().color("panel"), full, solid / SOLID)
        return pen

    def _share_bar(self, painter: QPainter, rect: QRectF, share: float) -> None:
        full = rect.adjusted(PAD, 0, -PAD, -2)
        if full.width() * share >= 2.0:
            painter.fillRect(QRectF(full.left(), full.bottom() - 3, full.width() * share, 3), self._bar)

    def _box(self, painter: QPainter, rect: QRectF, colour: QColor) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawRoundedRect(rect.adjusted(2, 2, -2, -2), 4, 4)
        painter.restore()


def bold_of(font: QFont) -> QFont:
    """The font of what is marked."""
    bold = QFont(font)
    bold.setWeight(QFont.Weight.DemiBold)
    return bold


def row_height(font: QFont) -> int:
    """The height of every row of a table, at the usual text size."""
    return QFontMetrics(font).height() + ROW_PAD


def widest_text(font: QFont, column: Column[Any]) -> int:
    """What the widest text of a column and its title take."""
    bold, usual = QFontMetrics(figure_font(font, bold=True)), QFontMetrics(font)
    return max(bold.horizontalAdvance(column.widest), usual.horizontalAdvance(f"▾ {tr(column.title)}")) + 2 * PAD


def set_up_header(header: QHeaderView, font: QFont, columns: Sequence[Column[Any]], first_extra: int = 0) -> None:
    """Fixed widths taken from the widest texts, so that nothing jitters; the last column takes the rest."""
    header.setHighlightSections(False)
    header.setTextElideMode(Qt.TextElideMode.ElideRight)
    header.setSortIndicatorShown(True)
    header.setSectionsClickable(True)
    header.setSectionsMovable(True)
    header.setMinimumSectionSize(24)
    for i, column in enumerate(columns):
        header.resizeSection(i, widest_text(font, column) + (first_extra + 13 if i == 0 else 0))
    header.resizeSection(len(columns) - 1, 60)
    header.setStretchLastSection(True)


def header_data(column: Column[Any], words: tuple[str, str], role: int, sorted_by: bool, descending: bool) -> object:
    """Title, with an arrow where it sorts, tool tip and alignment of a column, for a model's headerData."""
    title, meaning = words
    if role == Qt.ItemDataRole.DisplayRole:
        arrow = "" if not sorted_by else "▾" if descending else "▴"
        return f"{arrow} {title}".strip() if column.number else f"{title} {arrow}".strip()
    if role == Qt.ItemDataRole.ToolTipRole:
        return wrap_tip(meaning)
    return _side(column) if role == Qt.ItemDataRole.TextAlignmentRole else None


def cell_data(row: object, column: Column[Any], look: Look, role: int) -> object:
    """What a cell answers: the text shown, its alignment, the row itself and its marks."""
    if role == RowRole:
        return row
    if role == MarkRole:
        return look.marks
    if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
        return look.text
    return _side(column) if role == Qt.ItemDataRole.TextAlignmentRole else None


def _side(column: Column[Any]) -> int:
    return _RIGHT if column.number else _LEFT | Qt.AlignmentFlag.AlignLeft.value


def pointer_inside(widget: QWidget, point: QPoint) -> bool:
    """Whether the pointer rests on a view, whose rows then stay where they are."""
    return widget.isVisible() and widget.rect().contains(widget.mapFromGlobal(point))


def repaint_row(viewport: QWidget, cell: QRect) -> None:
    """Paint the row of a cell anew; an empty one is not in sight."""
    if not cell.isEmpty():
        viewport.update(0, cell.top(), viewport.width(), cell.height())
