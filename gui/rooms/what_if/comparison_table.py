"""The table of two searches' moves, a row for each move, with differences marked.  Knows snapshots, no search."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QHeaderView, QVBoxLayout, QWidget

from gui.language.language import mark, tr
from gui.rooms.what_if.comparison import Pair, paired
from gui.widgets.figures import NONE, THIN, Column, count, opacity_of, percent, player_of, signed
from gui.widgets.tables.row_delegate import PAD, SOLID, Look
from gui.widgets.tables.table import SharedTable, TableModel
from gui.widgets.text_size import by_font
from gui.widgets.texts import set_texts
from gui.widgets.theme import current_theme, figure_font

if TYPE_CHECKING:
    from core.glass import MoveRow, Snapshot

BEST: Final = "●"
MEANINGS: Final = {
    0: (
        mark("Rank of the move by visits in the first search; ● marks the move it would play."),
        mark("Share of the visits of the first search."),
        mark("Mean value in the first search, for the player whose disc stands before the move."),
        mark("Prior as the first search uses it."),
    ),
    1: (
        mark("Rank of the move by visits in the second search; ● marks the move it would play."),
        mark("Share of the visits of the second search."),
        mark("Mean value in the second search, for the player whose disc stands before the move."),
        mark("Prior as the second search uses it."),
    ),
}


def _end(row: MoveRow) -> str:
    """Return the text for a move that is not searched or whose result is proved."""
    return tr("left out") if row.left_out else tr(row.proof)


@dataclass(frozen=True)
class PairColumn(Column["Pair"]):
    """A column: ``side`` 0 or 1 of one search, -1 of neither; ``id`` is the figure of Pair it shows."""

    side: int = -1


def _of(side: int) -> tuple[PairColumn, ...]:
    rank, share, q, prior = MEANINGS[side]

    def rank_text(pair: Pair) -> str:
        text = str(pair.ranks[side]) if pair.ranks[side] else pair.notes[side] or NONE
        return f"{BEST} {text}" if pair.best[side] else text

    def figure(name: str, title: str, meaning: str, widest: str) -> PairColumn:
        def key(pair: Pair) -> float:
            return pair.figure(side, name)

        write = signed if name == "q" else percent
        return PairColumn(name, title, meaning, widest, lambda pair: write(key(pair)), key, side=side)

    def rank_key(pair: Pair) -> float:
        return float(pair.ranks[side]) or math.nan

    return (
        PairColumn("rank", "#", rank, f"{BEST} 88", rank_text, rank_key, ruled=True, side=side),
        figure("share", mark("Share"), share, "100.0 %"),
        figure("q", "Q", q, "+0.000"),
        figure("prior", "P", prior, "100.0 %"),
    )


def points(change: float) -> str:
    """A difference of shares: +12.3 %."""
    return NONE if math.isnan(change) else signed(100 * change, 1) + f"{THIN}%"


HEADS: Final = (
    PairColumn(
        "name",
        mark("Move"),
        mark("The move, as players of the game write it."),
        "m00 = m00",
        lambda pair: pair.name,
        lambda pair: float(pair.action),
        number=False,
        indent=13,
    ),
    *_of(0),
    *_of(1),
    PairColumn(
        "change",
        mark("Δ share"),
        mark("Share of the visits in the second search minus that in the first."),
        "+100.0 %",
        lambda pair: points(pair.change("share")),
        lambda pair: pair.change("share"),
    ),
)


class ComparisonModel(TableModel["Pair"]):
    """Rows are moves; where the second search differs markedly, its cell is filled and its text bold."""

    def __init__(self) -> None:
        super().__init__(HEADS, column=1)
        self.disc: tuple[str, int] | None = None  # a game, and the player whose values the rows have

    def identity(self, row: Pair) -> int:
        return row.action

    def look(self, row: Pair, column: int) -> Look:
        head = HEADS[column]
        text = head.text(row)
        if (head.side == 1 and row.stands_out(head.id)) or (head.id == "change" and row.stands_out("share")):
            return Look(text, "warn", bold=True, ground="warn_panel")
        if text.startswith(BEST):
            return Look(text, "accent", bold=True)
        solid = 1.0
        if head.side >= 0 and head.id != "prior":
            move = row.rows[head.side]
            solid = opacity_of(move.visits if move is not None else 0)
        return Look(
            text, solid=round(solid * SOLID), bold=head.id == "name", disc=self.disc if head.id == "name" else None
        )

    def tip(self, row: Pair) -> str:
        return "\n".join(
            f"{who}: N {count(move.visits)}" + f", {_end(move)}" * bool(_end(move))
            for who, move in zip((tr("First search"), tr("Second search")), row.rows, strict=True)
            if move is not None
        )


class Groups(QWidget):
    """The names of the two searches above their columns."""

    def __init__(self, header: QHeaderView, parent: QWidget) -> None:
        super().__init__(parent)
        self.titles = (tr("First search"), tr("Second search"))
        self._header = header
        by_font(self, lambda: self.setFixedHeight(self.fontMetrics().height() + 8))
        for signal in (header.sectionResized, header.geometriesChanged):
            signal.connect(self.update)

    def set_titles(self, first: str, second: str) -> None:
        if (first, second) != self.titles:
            self.titles = (first, second)
            self.setAccessibleName(f"{first}; {second}")
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(figure_font(self.font(), bold=True))
        for side, title in enumerate(self.titles):
            own = [i for i, head in enumerate(HEADS) if head.side == side]
            left = self._header.sectionViewportPosition(own[0])
            right = self._header.sectionViewportPosition(own[-1]) + self._header.sectionSize(own[-1])
            colour = QColor(current_theme().series[side])
            painter.fillRect(QRectF(left + 4, self.height() - 2, right - left - 8, 2), colour)
            room = right - left - 2 * PAD
            text = painter.fontMetrics().elidedText(title, Qt.TextElideMode.ElideRight, int(room))
            painter.setPen(current_theme().color("text"))
            box = QRectF(left + PAD, 0, room, self.height() - 2)
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)


class ComparisonTable(QWidget):
    """The table below the names of the searches; a click on a row emits ``selected``."""

    selected = Signal(int)  # action

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = ComparisonModel()
        self.view = view = SharedTable(self.model, self)
        header = view.horizontalHeader()
        set_texts(view, accessibleName="Moves of both searches")
        header.setSectionsClickable(True)
        header.setMinimumSectionSize(24)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setSortIndicator(1, Qt.SortOrder.AscendingOrder)
        by_font(view, view.fit_columns)
        view.setSortingEnabled(True)
        self.groups = Groups(header, self)
        view.horizontalScrollBar().valueChanged.connect(self.groups.update)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.groups)
        column.addWidget(view, 1)
        view.clicked.connect(lambda index: self.selected.emit(self.model.rows[index.row()].action))

    def show_both(self, first: Snapshot, second: Snapshot, player: int) -> None:
        """Show the moves of two searches of one position, with the values of ``player``; -1: of the side to move."""
        self.model.disc = first.position.game.name, player_of(first.root, player)
        self.model.show(paired(first, second, player))
