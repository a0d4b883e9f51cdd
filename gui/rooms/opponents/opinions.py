"""Opinions of other engines: the table, the ring on the board, and the dialogue with one."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.games.spec import PASS
from gui.language.language import mark
from gui.widgets.board.board_paint import anchor, kind_of
from gui.widgets.board.board_signs import pass_box
from gui.widgets.figures import Column, count, percent, signed
from gui.widgets.log_text import LogText
from gui.widgets.tables.row_delegate import Look
from gui.widgets.tables.table import Table, TableModel
from gui.widgets.text_size import px
from gui.widgets.texts import set_texts
from gui.widgets.theme import Theme, current_theme

if TYPE_CHECKING:
    from core.games import GameSpec
    from gui.widgets.board.board import BoardView
    from models.engines.opinion import Opinion, OpinionRow
    from models.engines.process import Line

KEPT: Final = 2000  # lines


class DialogueView(LogText):
    """Follows the dialogue while it is visible."""

    def __init__(self, read: Callable[[], Sequence[Line]], parent: QWidget | None = None) -> None:
        super().__init__(KEPT, parent)
        self._read = read
        self._last: Line | None = None
        self.wanted.connect(self.look)
        set_texts(self, accessibleName="Dialogue with the engine", placeholderText="Nothing was said yet.")

    def look(self) -> None:
        """Append the lines said since the last call; those of another dialogue replace them."""
        lines = self._read()
        last = lines[-1] if lines else None
        if last is self._last:
            return
        known = next((place for place in range(len(lines) - 1, -1, -1) if lines[place] is self._last), -1)
        if known < 0:
            self.clear()
        self._last = last
        if lines:
            from models.engines.process import line_text

            self.appendPlainText("\n".join(map(line_text, lines[known + 1 :])))


class Said(NamedTuple):
    """A row with what its numbers mean."""

    row: OpinionRow
    game: GameSpec
    place: int

    @property
    def line(self) -> str:
        return " ".join(self.game.action_name(action) for action in self.row.pv)


def _figure(value: float, text: str) -> str:
    return "" if math.isnan(value) else text


COLUMNS: Final[tuple[Column[Said], ...]] = (
    Column(
        "move",
        mark("Move"),
        mark("In the engine's order, its best first."),
        "",
        lambda said: said.game.action_name(said.row.action),
        lambda said: float(said.place),
        number=False,
    ),
    Column(
        "visits",
        mark("Visits"),
        mark("The engine's own visits below the move, or nodes where it counts those."),
        "",
        lambda said: count(said.row.visits) if said.row.visits >= 0 else "",
        lambda said: float(said.row.visits),
    ),
    Column(
        "value",
        mark("Value"),
        mark("The engine's win rate as a value from -1 to 1, for the side to move."),
        "",
        lambda said: _figure(said.row.value, signed(said.row.value)),
        lambda said: said.row.value,
    ),
    Column(
        "lead",
        mark("Lead"),
        mark("Points or discs, for the side to move."),
        "",
        lambda said: _figure(said.row.lead, signed(said.row.lead, 1)),
        lambda said: said.row.lead,
    ),
    Column(
        "prior",
        mark("Prior"),
        mark("What the engine's net thinks of the move before any search."),
        "",
        lambda said: _figure(said.row.prior, percent(said.row.prior)),
        lambda said: said.row.prior,
    ),
    Column(
        "own",
        mark("Evaluation"),
        mark("In the engine's own units, for the side to move."),
        "",
        lambda said: said.row.evaluation,
    ),
    Column("depth", mark("Depth"), mark("Plies that the engine searched."), "", lambda said: said.row.depth),
    Column(
        "line",
        mark("Line of play"),
        mark("What the engine expects; a double click plays the move."),
        "",
        lambda said: said.line,
        number=False,
        elided=True,
    ),
)
LINE: Final = len(COLUMNS) - 1
_LEAST_LINE: Final = 90  # px


class OpinionModel(TableModel[Said]):
    """One row for each move that the engine names."""

    def identity(self, row: Said) -> Hashable:
        return row.row.action

    def look(self, row: Said, column: int) -> Look:
        return Look(self.columns[column].text(row), bold=column == 0 and row.place == 0)

    def tip(self, row: Said) -> str | None:
        return row.line


class OpinionTable(Table[Said]):
    """A click is ``chosen``, a double click ``played``, both with the action."""

    chosen = Signal(int)
    played = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        said = OpinionModel(COLUMNS, column=0)
        super().__init__(said, parent)
        self.said = said
        self._kind: tuple[bool, ...] = ()
        set_texts(self, accessibleName="What the engine says")
        self.setSortingEnabled(True)
        self.sortByColumn(0, Qt.SortOrder.AscendingOrder)
        self.horizontalHeader().setStretchLastSection(True)
        self.clicked.connect(lambda index: self._emit(self.chosen, index))
        self.doubleClicked.connect(lambda index: self._emit(self.played, index))

    def show_opinion(self, opinion: Opinion | None) -> None:
        """Show the moves; columns of which the engine says nothing are hidden."""
        rows = (
            []
            if opinion is None
            else [Said(row, opinion.position.game, place) for place, row in enumerate(opinion.rows)]
        )
        self.said.show(rows)
        kind = tuple(any(column.text(row) for row in rows) for column in COLUMNS)
        if rows and kind != self._kind:
            self._kind = kind
            for place, filled in enumerate(kind):
                self.setColumnHidden(place, not filled)
        if rows:
            for place in range(LINE):
                width = max(self.sizeHintForColumn(place), self.horizontalHeader().sectionSizeHint(place))
                if width > self.columnWidth(place) or width < self.columnWidth(place) - 30:
                    self.setColumnWidth(place, width)

    def _emit(self, signal: object, index: QModelIndex) -> None:
        signal.emit(self.said.rows[index.row()].row.action)  # type: ignore[attr-defined]


def _pens(theme: Theme, width: float) -> tuple[QPen, QPen]:
    """Dashes of a colour that no ring of ours has, on a line that sets them off from any ground."""
    under = QPen(theme.color("window"), width + 2.0)
    over = QPen(QColor("#d68bff" if theme.dark else "#8a1fc4"), width)
    over.setDashPattern([2.2, 1.1])
    over.setCapStyle(Qt.PenCapStyle.FlatCap)
    return under, over


def _draw(painter: QPainter, box: QRectF, corner: float, width: float) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for pen in _pens(current_theme(), width):
        painter.setPen(pen)
        painter.drawRoundedRect(box, corner, corner)


class RingSign(QWidget):
    """The ring as a sign beside a text."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(px(16), px(16))

    def paintEvent(self, event: QPaintEvent) -> None:
        box = QRectF(self.rect()).adjusted(2.5, 2.5, -2.5, -2.5)
        _draw(QPainter(self), box, box.width() / 2, 2.0)


class SecondRing(QWidget):
    """Lies over a board and takes no clicks; rings the best move of an opinion of the position that the board shows."""

    def __init__(self, board: BoardView) -> None:
        super().__init__(board)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._board = board
        self._opinion: Opinion | None = None
        self.setGeometry(board.rect())
        board.installEventFilter(self)
        self.hide()

    def show_opinion(self, opinion: Opinion | None) -> None:
        """Ring its first move; None: nothing."""
        before, self._opinion = self.box(), opinion
        self.setVisible(opinion is not None)
        if self.box() != before:
            self.update()

    def box(self) -> QRectF | None:
        """Where the ring is; None when nothing is ringed."""
        opinion, board = self._opinion, self._board
        if opinion is None or board.position != opinion.position:
            return None
        position, action = opinion.position, opinion.rows[0].action
        g, cell = board.geometry_of_board(), anchor(position, action)
        if cell < 0:
            return pass_box(g) if position.game.action_name(action) == PASS else None
        if kind_of(position.game.name).square:
            return g.rect(cell).adjusted(3, 3, -3, -3)
        radius, center = 0.47 * g.step, g.center(cell)
        return QRectF(center - QPointF(radius, radius), center + QPointF(radius, radius))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.setGeometry(self._board.rect())
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        box = self.box()
        if box is not None and self._opinion is not None:
            cornered = box.width() != box.height() or kind_of(self._opinion.position.game.name).square
            width = max(2.0, min(4.0, 0.05 * self._board.geometry_of_board().step))
            _draw(QPainter(self), box, 8.0 if cornered else box.width() / 2, width)
