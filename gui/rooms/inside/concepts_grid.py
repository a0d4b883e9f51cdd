"""Draws which concepts are read from which blocks: a bar in each cell, with the baselines as ticks."""

from __future__ import annotations

import math
from bisect import bisect_right
from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.text import Words
from gui.language.core_words import core_text
from gui.language.language import begun, tr
from gui.widgets.figures import plain, signed
from gui.widgets.text_size import by_font, px
from gui.widgets.texts import on_language, set_texts
from gui.widgets.theme import current_theme, figure_font, ramp, with_alpha
from gui.widgets.tips import show_tip

if TYPE_CHECKING:
    from models.inside.history import History
    from models.inside.knowledge import BlockReport, ConceptReport, NetReport
    from models.inside.probes import Score

ROW: Final = 30  # px, also below
HEAD: Final = 24
LEAST_CELL: Final = 58
NARROW: Final = 44  # cells less wide have a colour alone
COLOURED: Final = 24  # width of such a cell where the names need the room
BESIDE_NAME: Final = 18  # px before and after a name
NAME_SHARE: Final = 0.36  # of the width
MOST_NAME_SHARE: Final = 0.6  # of the width, where the cells have a colour alone
WRAP: Final = int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
FULL: Final = 0.15  # above the baselines has the strongest colour
BASELINES: Final[tuple[tuple[str, Words], ...]] = (
    ("text", "bare board"),
    ("warn", "random weights"),
    ("faint", "shuffled labels"),
)
NOT_ABOVE: Final[Words] = "not above its baselines for certain"


class Place(NamedTuple):
    """A row and a column."""

    concept: int
    block: int


class ConceptsGrid(QWidget):
    """Rows are concepts, as high as their titles need, columns blocks; ``chosen`` when a cell was."""

    chosen = Signal()

    def __init__(self, name: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.report: NetReport | History | None = None
        self._heads: tuple[str, ...] = ()
        self._known: dict[int, tuple[int | None, int | None]] = {}  # row -> the first column of a search, of the net
        self.place = Place(0, 0)
        self._tops: list[int] = [0]  # px of each row below the heads, then of the end
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        set_texts(self, accessibleName=name)
        on_language(self, self._renew)
        by_font(self, self._measure)

    def show_report(self, report: NetReport | None) -> None:
        """Show another report; the last block is chosen, and the concept most above its baselines there."""
        self._take(report, () if report is None else tuple(map(core_text, report.blocks)), {})

    def show_history(self, history: History | None) -> None:
        """Show the nets of a run instead of the blocks of a net."""
        if history is None:
            self._take(None, (), {})
            return
        from models.inside.uses import SIMULATIONS

        heads = tuple(str(net.step if net.iteration is None else net.iteration) for net in history.nets)
        known = {
            row: (history.first_known(concept.name, SIMULATIONS[-1]), history.first_known(concept.name, SIMULATIONS[0]))
            for row, concept in enumerate(history.concepts)
        }
        self._take(history, heads, known)

    def _take(
        self,
        report: NetReport | History | None,
        heads: tuple[str, ...],
        known: dict[int, tuple[int | None, int | None]],
    ) -> None:
        self.report, self._heads, self._known = report, heads, known
        if report is not None and report.concepts:
            last = len(report.blocks) - 1
            rank = [concept.blocks[last].above.value if concept.blocks else -math.inf for concept in report.concepts]
            self.place = Place(rank.index(max(rank)), last)
        self._renew()

    def _renew(self) -> None:
        self._measure()
        self._describe()
        self.update()

    def choose(self, place: Place) -> None:
        """Choose a cell."""
        if self.report is not None and place != self.place:
            self.place = place
            self._describe()
            self.update()
            self.chosen.emit()

    @property
    def concept(self) -> ConceptReport | None:
        """The one chosen."""
        return self.report.concepts[self.place.concept] if self.report is not None and self.report.concepts else None

    def words_of(self, place: Place) -> str:
        """What a cell says: its score and those of the baselines, with their intervals."""
        assert self.report is not None
        concept, name = self.report.concepts[place.concept], core_text(self.report.blocks[place.block])
        lines = [begun(tr(concept.title)), begun(name)]
        if not concept.blocks:
            return "\n".join([*lines, tr("too few positions have it, or have it not")])
        block = concept.blocks[place.block]
        measure = "AUC" if concept.yes_no else "R²"
        lines.append(f"{measure} {score_words(block.score)}")
        for (_, title), score in zip(BASELINES, _baselines(concept, block), strict=True):
            lines.append(f"{tr(title)}: {score_words(score)}")
        lines.append(tr("above the best of them by {difference}").format(difference=score_words(block.above, True)))
        if not block.beats_baselines:
            lines.append(tr(NOT_ABOVE))
        return "\n".join(lines)

    # geometry

    def sizeHint(self) -> QSize:
        columns = 0 if self.report is None else len(self.report.blocks)
        return QSize(px(180 + columns * LEAST_CELL), px(HEAD) + self._tops[-1] + px(2))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._measure()

    def _measure(self) -> None:
        """Give each row the lines that its title needs."""
        metrics, width = self.fontMetrics(), int(self._name_width()) - BESIDE_NAME
        self._tops = [0]
        for concept in () if self.report is None else self.report.concepts:
            lines = metrics.boundingRect(QRect(0, 0, width, 9999), WRAP, begun(tr(concept.title)))
            self._tops.append(self._tops[-1] + max(px(ROW), lines.height() + px(6)))
        self.setFixedHeight(self.sizeHint().height())

    def _name_width(self) -> float:
        columns, width = 1 if self.report is None else len(self.report.blocks), self.width()
        name = max(width * NAME_SHARE, width - columns * px(160))
        if width - name < columns * px(NARROW):
            name = max(name, min(width * MOST_NAME_SHARE, width - columns * px(COLOURED)))
        return name

    def cell(self, place: Place) -> QRectF:
        """Where a cell is drawn."""
        columns = 1 if self.report is None else len(self.report.blocks)
        left = self._name_width()
        width = (self.width() - left) / columns
        top, end = self._tops[place.concept : place.concept + 2]
        return QRectF(left + place.block * width, px(HEAD) + top, width, end - top)

    def _strip(self, place: Place) -> QRectF:
        """Where the figures of a cell are drawn: the middle of it, as high as a row of one line."""
        cell = self.cell(place)
        return QRectF(cell.left(), cell.center().y() - px(ROW) / 2.0, cell.width(), px(ROW))

    def _place_at(self, point: QPointF) -> Place | None:
        if self.report is None:
            return None
        columns, left = len(self.report.blocks), self._name_width()
        row = bisect_right(self._tops, point.y() - px(HEAD)) - 1
        column = math.floor((point.x() - left) / max(1.0, (self.width() - left) / columns))
        if not 0 <= row < len(self.report.concepts):
            return None
        return Place(row, min(columns - 1, column) if column >= 0 else self.place.block)

    # painting

    def paintEvent(self, event: QPaintEvent) -> None:
        report, theme = self.report, current_theme()
        if report is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        metrics = painter.fontMetrics()
        painter.setPen(theme.color("dim"))
        wide = self.cell(Place(0, 0)).width() >= px(NARROW)
        longest = 0 if wide else max(map(metrics.horizontalAdvance, self._heads), default=0) + 6
        every = max(1, math.ceil(longest / self.cell(Place(0, 0)).width()))
        for number, name in enumerate(self._heads):
            if (len(self._heads) - 1 - number) % every:
                continue
            first = self.cell(Place(0, number))
            head = QRectF(first.left(), 0, first.width(), px(HEAD))
            if wide:
                head = head.adjusted(6, 0, -4, 0)
                text = metrics.elidedText(name, Qt.TextElideMode.ElideRight, int(head.width()))
                painter.drawText(head, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
            else:
                more = (longest - head.width()) / 2.0
                painter.drawText(head.adjusted(-more, 0, more, 0), Qt.AlignmentFlag.AlignCenter, name)
        for row, concept in enumerate(report.concepts):
            first = self.cell(Place(row, 0))
            if row == self.place.concept:
                painter.fillRect(QRectF(0, first.top(), self.width(), first.height()), theme.color("hover"))
            room = QRectF(10, first.top(), int(first.left()) - BESIDE_NAME, first.height())
            painter.setPen(theme.color("text" if concept.blocks else "faint"))
            painter.drawText(room, WRAP, begun(tr(concept.title)))
            for number, block in enumerate(concept.blocks):
                rect = self._strip(Place(row, number))
                if wide:
                    self._paint_cell(painter, rect, concept, block)
                else:
                    painter.fillRect(rect.adjusted(1, 3, -1, -3), _colour(block))
            self._paint_known(painter, row)
            if not concept.blocks:
                painter.drawText(first.adjusted(6, 0, 200, 0), Qt.AlignmentFlag.AlignVCenter, tr("too few"))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme.color("accent"), 2.0 if self.hasFocus() else 1.4))
        painter.drawRoundedRect(self.cell(self.place).adjusted(1.5, 1.5, -1.5, -1.5), 4, 4)

    def _paint_cell(self, painter: QPainter, rect: QRectF, concept: ConceptReport, block: BlockReport) -> None:
        theme = current_theme()
        lane = rect.adjusted(5, px(ROW) * 0.55, -6, -px(5))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("raised"))
        painter.drawRect(lane)
        above = block.beats_baselines
        painter.setBrush(_colour(block))
        painter.drawRect(QRectF(lane.left(), lane.top(), lane.width() * _along(concept, block.score), lane.height()))
        for (token, _), score in zip(BASELINES, _baselines(concept, block), strict=True):
            x = lane.left() + lane.width() * _along(concept, score)
            painter.setPen(QPen(theme.color(token), 1.6))
            painter.drawLine(QPointF(x, lane.top() - 2), QPointF(x, lane.bottom() + 2))
        painter.setPen(theme.color("text" if above else "faint"))
        painter.save()
        painter.setFont(figure_font(self.font(), 0.9, above))
        top = QRectF(rect.left() + 5, rect.top() + 1, rect.width() - 10, px(ROW) * 0.5)
        painter.drawText(top, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, plain(block.score.value, 2))
        painter.restore()

    def _paint_known(self, painter: QPainter, row: int) -> None:
        """A ring at the first column of which a search knows the concept, a dot where the net alone does."""
        search, alone = self._known.get(row, (None, None))
        wide = self.cell(Place(0, 0)).width() >= px(NARROW)
        painter.setPen(QPen(current_theme().color("text"), 1.6))
        for column, radius, is_filled in ((search, px(6), False), (alone, px(3), True)):
            if column is not None:
                rect = self._strip(Place(row, column))
                centre = QPointF(rect.right() - px(12), rect.top() + px(9)) if wide else rect.center()
                painter.setBrush(current_theme().color("text") if is_filled else Qt.BrushStyle.NoBrush)
                painter.drawEllipse(centre, radius, radius)

    # mouse and keys

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            place = self._place_at(QPointF(event.pos()))
            show_tip(event.globalPos(), self.words_of(place) if place is not None else "", self)
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = self._place_at(event.position())
        if place is not None and event.button() == Qt.MouseButton.LeftButton:
            self.choose(place)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Up: (-1, 0), Qt.Key.Key_Down: (1, 0), Qt.Key.Key_Left: (0, -1), Qt.Key.Key_Right: (0, 1)}
        step = steps.get(Qt.Key(event.key()))
        if step is None or self.report is None:
            super().keyPressEvent(event)
            return
        row, column = self.place.concept + step[0], self.place.block + step[1]
        self.choose(
            Place(max(0, min(len(self.report.concepts) - 1, row)), max(0, min(len(self.report.blocks) - 1, column)))
        )

    def _describe(self) -> None:
        words = "" if self.report is None or not self.report.concepts else self.words_of(self.place)
        self.setAccessibleDescription(words.replace("\n", "; "))


def _colour(block: BlockReport) -> QColor:
    """The stronger, the farther above the baselines; grey where it is not."""
    theme = current_theme()
    if not block.beats_baselines:
        return with_alpha(theme.color("faint"), 0.55)
    return ramp(theme.share_ramp, 0.35 + 0.65 * min(1.0, max(0.0, block.above.value / FULL)))


def _baselines(concept: ConceptReport, block: BlockReport) -> tuple[Score, Score, Score]:
    return concept.board, block.random, block.shuffled


def _along(concept: ConceptReport, score: Score) -> float:
    """Where a score lies: an area from 0.5 to 1, a share of the variance from 0 to 1."""
    value = 0.0 if math.isnan(score.value) else score.value
    return max(0.0, min(1.0, 2.0 * value - 1.0 if concept.yes_no else value))


def score_words(score: Score, with_sign: bool = False) -> str:
    """A score with its interval: "0.83 (0.79 to 0.86)"."""
    value, low, high = (signed(x, 2) if with_sign else plain(x, 2) for x in (score.value, score.low, score.high))
    return tr("{value} ({low} to {high})").format(value=value, low=low, high=high)
