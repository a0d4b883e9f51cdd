"""The list of the open games and of the closed ones: board, name, net and size of each one's tree, memory of all."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Final, Protocol

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from gui.context import Context
from gui.language.language import tr
from gui.model.document import CLOSED, DISK, PLACES, SHOWN, Document, DocumentFacts, moves_text
from gui.widgets.figures import Column, count, size
from gui.widgets.in_sight import SeenWidget
from gui.widgets.labels import ShortLabel
from gui.widgets.layouts import lay_column, lay_row
from gui.widgets.tables.board_table import BoardCell, BoardTable
from gui.widgets.tables.row_delegate import Look
from gui.widgets.tables.table import TableModel
from gui.widgets.text_size import px
from gui.widgets.texts import on_language, set_texts

BOARD: Final = 64  # px of a small board at the usual text size
HEIGHT: Final = 260


class DocumentList(Protocol):
    """The open documents of a window and those that were closed (gui.shell.documents)."""

    changed: Any  # Signal: the documents, their order, or what is to be said of them
    most_memory: int  # bytes that trees may take

    @property
    def facts(self) -> list[DocumentFacts]:
        """What there is to say of every open document."""

    @property
    def closed_facts(self) -> list[DocumentFacts]:
        """The same of those that were closed."""

    @property
    def memory(self) -> int:
        """Bytes that trees take."""

    def choose(self, document: Document) -> None:
        """Show an open document, or open a closed one."""

    def add_copy(self) -> None:
        """Keep the document shown as it is, and go on in a copy."""


def _figure(number: int) -> str:
    return count(number) if number else ""


def _title(row: DocumentFacts) -> str:
    return f"{row.title}  ●" if row.document.pinned else row.title


COLUMNS: Final[tuple[Column[DocumentFacts], ...]] = (
    Column("board", "Position", "", "", lambda row: "", number=False),
    Column(
        "name", "Name", "Bold: the tree shown. A dot: it is kept in memory before the others.", "", _title, number=False
    ),
    Column(
        "moves",
        "Moves",
        "",
        "",
        lambda row: moves_text(row.position),
        number=False,
    ),
    Column("net", "Net", "", "", lambda row: row.net, number=False),
    Column("simulations", "Simulations", "", "", lambda row: _figure(row.simulations)),
    Column("nodes", "Nodes", "", "", lambda row: _figure(row.nodes)),
    Column(
        "memory",
        "Memory",
        "The memory that the tree takes, on disk what it takes when it is shown again.",
        "",
        lambda row: size(row.memory) if row.memory else "",
    ),
    Column("place", "Where", "Where the tree is.", "", lambda row: tr(PLACES[row.place]), number=False),
)


class _Model(TableModel[DocumentFacts]):
    """One row for each document, the open ones in their order."""

    def look(self, row: DocumentFacts, column: int) -> Look:
        colour = "dim" if row.place == CLOSED else "text"
        return Look(self.columns[column].text(row), colour, bold=row.place == SHOWN)

    def identity(self, row: DocumentFacts) -> Hashable:
        return id(row.document)


class OpenGames(SeenWidget):
    """The list; a double click or Enter shows a document, the right button offers what can be done with it."""

    offered = Signal(object, object)  # Document, QPoint on the screen

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = _Model(COLUMNS)
        board: Callable[[DocumentFacts], BoardCell] = lambda row: BoardCell(row.position)  # noqa: E731
        self.table = BoardTable(self.model, "Open games", board, BOARD, self)
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.table.setMinimumHeight(px(BOARD) + 56)  # the header, one row and a scroll bar
        self.memory = ShortLabel(self, "dim")
        self.add = set_texts(QPushButton(self), text="Keep this tree, go on in a copy")
        self.add.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        row = lay_row((self.memory, 1), self.add, margins=(12, 0, 8, 6))
        lay_column((self.table, 1), row, of=self, margins=(0, 2, 0, 0), spacing=4)
        self.table.customContextMenuRequested.connect(self._offer)

    def sizeHint(self) -> QSize:
        return QSize(700, HEIGHT)

    def _offer(self, at: QPoint) -> None:
        index = self.table.indexAt(at)
        if index.isValid():
            self.offered.emit(self.model.rows[index.row()].document, self.table.viewport().mapToGlobal(at))

    def show_documents(self, documents: DocumentList) -> None:
        """Show the documents, the memory of the trees that are kept, and how much that may be."""
        facts = documents.facts
        rows = [*facts, *documents.closed_facts]
        before = [(row.document, row.place == SHOWN) for row in self.model.rows]
        self.model.show(rows)
        if before != [(row.document, row.place == SHOWN) for row in rows]:
            self.table.fit_columns()
            self.table.selectRow(next((place for place, row in enumerate(rows) if row.place == SHOWN), 0))
        words = tr("Kept trees: {memory} of {most} in memory, {on_disk} on disk")
        memory, most = size(documents.memory), size(documents.most_memory)
        on_disk = sum(row.place == DISK for row in facts)
        self.memory.setText(words.format(memory=memory, most=most, on_disk=on_disk))


def connect_open_games(
    context: Context, documents: DocumentList, offer: Callable[[Document, QPoint], object], view: OpenGames
) -> None:
    """Connect the list to the documents of a window; ``offer`` shows the menu of one at a point of the screen."""

    def renew() -> None:
        if view.isVisible():
            view.show_documents(documents)

    documents.changed.connect(renew)
    context.state.position_changed.connect(renew)
    context.state.search_changed.connect(renew)
    context.session.snapshot_for_text.connect(lambda _: renew())
    view.in_sight.connect(lambda _: renew())
    view.table.chosen.connect(lambda row: documents.choose(row.document))
    view.add.clicked.connect(lambda _=False: documents.add_copy())
    view.offered.connect(offer)
    on_language(view, renew)
    renew()
