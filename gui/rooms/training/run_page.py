"""What the pages of a run share: what they ask of the window, and a small table of a position's moves."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QWidget

from gui.language.core_words import core_text
from gui.widgets.figures import Column
from gui.widgets.tables.row_delegate import Look
from gui.widgets.tables.table import SharedTable, TableModel


class RunPage(QWidget):
    """A part of the Training tab; what it asks of the window is passed on by the parts that it is in."""

    position_opened = Signal(object, int)  # Position, ply to show of it
    net_used = Signal(object)  # Path: search with this net on the board
    nets_compared = Signal(object, object)  # Position, two Paths: search it with both nets
    learning_asked = Signal(object)  # Path: when the nets of this net's run learnt what
    net_exported = Signal(object, str)  # Path, precision: write this net elsewhere
    failed = Signal(object)
    notified = Signal(object)

    def pass_on(self, part: RunPage) -> None:
        """Ask of the window what a part asks."""
        part.position_opened.connect(self.position_opened)
        part.net_used.connect(self.net_used)
        part.nets_compared.connect(self.nets_compared)
        part.learning_asked.connect(self.learning_asked)
        part.net_exported.connect(self.net_exported)
        part.failed.connect(self.failed)
        part.notified.connect(self.notified)


Texts = tuple[str, ...]  # a move and its figures
Titles = Sequence[tuple[str, str]]  # title and meaning of each column, in English


class FigureModel(TableModel[Texts]):
    """Rows of texts; the first row is marked."""

    def __init__(self, titles: Titles) -> None:
        places = range(len(titles))
        super().__init__([Column(str(i), "", "", "", itemgetter(i), number=i > 0) for i in places])
        self.titles = titles

    def look(self, row: Texts, column: int) -> Look:
        return Look(row[column], "accent" if row is self.rows[0] else "text")

    def identity(self, row: Texts) -> str:
        return row[0]

    def words(self, column: int) -> tuple[str, str]:
        title, meaning = self.titles[column]
        return core_text(title), core_text(meaning)


class FigureTable(SharedTable[Texts]):
    """The table; it is never narrower than its texts."""

    def __init__(self, titles: Titles, parent: QWidget | None = None) -> None:
        figures = FigureModel(titles)
        super().__init__(figures, parent)
        self.figures = figures
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().setMinimumSectionSize(30)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMouseTracking(False)

    def set_titles(self, titles: Titles) -> None:
        """Change the titles and meanings of the columns, in English."""
        self.figures.titles = titles
        self.figures.renew_titles()

    def show_rows(self, rows: Sequence[Texts]) -> None:
        self.figures.show(rows)
        self.fit_columns()

    def fit_columns(self) -> None:
        super().fit_columns()
        shown = sum(width for place, width in enumerate(self.least_widths()) if not self.isColumnHidden(place))
        self.setMinimumWidth(self.width() - self.viewport().width() + shown)
