"""The table of what an outside engine says of the moves.  Knows an Opinion."""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import QWidget

from gui.language.language import mark
from gui.widgets.figures import Column, count, percent, signed
from gui.widgets.tables.row_delegate import Look
from gui.widgets.tables.table import Table, TableModel
from gui.widgets.texts import set_texts

if TYPE_CHECKING:
    from core.games import GameSpec
    from models.engines.opinion import Opinion, OpinionRow


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
