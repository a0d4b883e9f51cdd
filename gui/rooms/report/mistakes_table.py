"""The table of a game's mistakes, one row each.  Knows a GameReport."""

from __future__ import annotations

from typing import Final, NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from gui.language.language import mark, tr
from gui.rooms.report.report_parts import MARKS, GameReport, JudgedMove, class_colour
from gui.widgets.figures import Column, plain
from gui.widgets.labels import make_label
from gui.widgets.tables.row_delegate import Look
from gui.widgets.tables.table import ListTable, TableModel
from gui.widgets.theme import current_theme


class Mistake(NamedTuple):
    """A move with who made it."""

    move: JudgedMove
    player: str


COLUMNS: Final[tuple[Column[Mistake], ...]] = (
    Column("ply", mark("Ply"), mark("Which move of the game it is."), "", lambda m: str(m.move.ply + 1)),
    Column("player", mark("Player"), mark("Who made it."), "", lambda m: m.player, number=False),
    Column("played", mark("Played"), mark("The move that was made."), "", lambda m: m.move.name, number=False),
    Column(
        "best", mark("Best"), mark("The move the search would play there."), "", lambda m: m.move.best, number=False
    ),
    Column(
        "loss",
        mark("Loss"),
        mark("Expected score given away: 0 a loss, 0.5 a draw, 1 a win. From the searched values for the mover."),
        "",
        lambda m: plain(m.move.loss, 2),
    ),
    Column(
        "points",
        mark("Points"),
        mark("Points given away: the lead after the best move less the lead after the move made, for the mover."),
        "",
        lambda m: plain(m.move.points, 1),
    ),
    Column(
        "class",
        mark("Class"),
        mark(
            "Inaccuracy from 0.05, mistake from 0.10, blunder from 0.20 of the expected score; "
            "or by points, with the limits entered above."
        ),
        "",
        lambda m: f"{MARKS[m.move.kind]} {tr(m.move.kind)}",
        number=False,
    ),
    Column(
        "proved",
        mark("Proved"),
        mark("Whether the values of both moves are proved: then the loss is exact."),
        "",
        lambda m: tr("proved") if m.move.exact else "",
        number=False,
    ),
)


POINTS, PROVED = ([column.id for column in COLUMNS].index(name) for name in ("points", "proved"))


class MistakesModel(TableModel[Mistake]):
    """One row for each mistake of a report."""

    def look(self, row: Mistake, column: int) -> Look:
        colour = class_colour(row.move.kind, current_theme().dark) if self.columns[column].id == "class" else "text"
        return Look(self.columns[column].text(row), colour)


class MistakesTable(ListTable[Mistake]):
    """The mistakes; without rows it says why."""

    def __init__(self, parent: QWidget | None = None) -> None:
        mistakes = MistakesModel(COLUMNS)
        super().__init__(mistakes, mark("Mistakes of the game"), parent, once=True)
        self.mistakes = mistakes
        self.setColumnHidden(POINTS, True)
        self.horizontalHeader().setMinimumSectionSize(30)
        self.nothing = make_label(self, "faint", wrap=True)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)

    def show_report(self, report: GameReport | None) -> None:
        """Show all mistakes known so far."""
        rows = [] if report is None else [Mistake(m, report.players[m.mover]) for m in report.mistakes]
        self.mistakes.show(rows)
        has_leads = report is not None and report.has_leads
        self.setColumnHidden(POINTS, not has_leads)
        self.setColumnHidden(PROVED, has_leads and not any(row.move.exact for row in rows))
        self.nothing.setVisible(not rows)
        self.fit_columns()

    def least_widths(self) -> list[int]:
        """As of any table; nothing for the columns that are not shown."""
        hidden = self.horizontalHeader().isSectionHidden
        return [0 if hidden(place) else width for place, width in enumerate(super().least_widths())]

    def show_cursor(self, ply: int) -> None:
        """Select the mistake made at a ply, if one was."""
        row = next((i for i, mistake in enumerate(self.mistakes.rows) if mistake.move.ply == ply), -1)
        if row >= 0:
            self.selectRow(row)
        else:
            self.clearSelection()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.nothing.setGeometry(self.viewport().geometry().adjusted(16, 0, -16, 0))
