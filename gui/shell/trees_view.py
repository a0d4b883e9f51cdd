"""The list of the open documents: board, name, net and size of each one's tree, and the memory of all."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPixmap
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QStyleOptionViewItem, QVBoxLayout, QWidget

from gui.language.language import mark, tr
from gui.model.document import moves_text
from gui.rooms.blind_spots.board_picture import board_picture
from gui.shell.tree_commands import show_menu
from gui.shell.workspace import DISK, PLACES, SHOWN, DocumentFacts
from gui.widgets.figures import Column, count, size
from gui.widgets.labels import ShortLabel
from gui.widgets.tables.row_delegate import Index, Look, RowDelegate
from gui.widgets.tables.table import SharedTable, TableModel
from gui.widgets.text_size import px
from gui.widgets.texts import on_language, set_texts
from gui.widgets.theme import on_theme

if TYPE_CHECKING:
    from gui.model.document import Document
    from gui.shell.commands import Commands
    from gui.shell.workspace import Workspace

BOARD: Final = 64  # px of a small board at the usual text size
MOST_PICTURES: Final = 100
HEIGHT: Final = 260


def _figure(number: int) -> str:
    return count(number) if number else ""


def _title(row: DocumentFacts) -> str:
    return f"{row.title}  ●" if row.document.pinned else row.title


COLUMNS: Final[tuple[Column[DocumentFacts], ...]] = (
    Column("board", mark("Position"), mark("The position of the tree."), "", lambda row: "", number=False),
    Column(
        "name",
        mark("Name"),
        mark("Bold: the tree shown. A dot: it is kept in memory before the others."),
        "",
        _title,
        number=False,
    ),
    Column(
        "moves",
        mark("Moves"),
        mark("The last moves that led to the position."),
        "",
        lambda row: moves_text(row.position),
        number=False,
    ),
    Column(
        "net", mark("Net"), mark("What evaluates the positions of the tree."), "", lambda row: row.net, number=False
    ),
    Column(
        "simulations",
        mark("Simulations"),
        mark("Simulations of its root."),
        "",
        lambda row: _figure(row.simulations),
    ),
    Column("nodes", mark("Nodes"), mark("Positions in the tree."), "", lambda row: _figure(row.nodes)),
    Column(
        "memory",
        mark("Memory"),
        mark("The memory that the tree takes, on disk what it takes when it is shown again."),
        "",
        lambda row: size(row.memory) if row.memory else "",
    ),
    Column("place", mark("Where"), mark("Where the tree is."), "", lambda row: tr(PLACES[row.place]), number=False),
)


class _Model(TableModel[DocumentFacts]):
    """One row for each open document, in their order."""

    def look(self, row: DocumentFacts, column: int) -> Look:
        return Look(self.columns[column].text(row), bold=row.place == SHOWN)

    def identity(self, row: DocumentFacts) -> Hashable:
        return id(row.document)


class _Delegate(RowDelegate):
    """Draws the small board of a row in its first column."""

    def __init__(self, parent: QWidget, model: _Model) -> None:
        super().__init__(parent, model.columns, model.look_at)
        self._model = model
        self._pictures: OrderedDict[tuple[Hashable, ...], QPixmap] = OrderedDict()
        on_theme(parent, self._pictures.clear)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        hint = super().sizeHint(option, index)
        return QSize(px(BOARD) + 12, hint.height()) if index.column() == 0 else hint

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        if index.column() == 0 and index.row() < len(self._model.rows):
            rect, side = option.rect, px(BOARD)
            picture = self._picture(self._model.rows[index.row()], side, painter.device().devicePixelRatioF())
            painter.drawPixmap(rect.left() + 6, rect.top() + (rect.height() - side) // 2, picture)

    def _picture(self, row: DocumentFacts, side: int, ratio: float) -> QPixmap:
        key = row.position, row.position.moves, side, ratio
        if key not in self._pictures:
            self._pictures[key] = board_picture(row.position, -1, -1, (), side, ratio)
            while len(self._pictures) > MOST_PICTURES:
                self._pictures.popitem(last=False)
        return self._pictures[key]


class TreesView(QWidget):
    """The list; a double click or Enter shows a document, the right button opens its menu."""

    chosen = Signal(object)  # Document
    offered = Signal(object, object)  # Document, QPoint on the screen

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: Document | None = None
        self.model = _Model(COLUMNS)
        self.table = _Table(self.model, self)
        self.table.setMinimumHeight(BOARD + 56)  # the header, one row and a scroll bar
        self.memory = ShortLabel(self)
        self.memory.setObjectName("dim")
        self.add = set_texts(QPushButton(self), text="Keep this tree, go on in a copy")
        self.add.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        row = QHBoxLayout()
        row.setContentsMargins(12, 0, 8, 6)
        row.addWidget(self.memory, 1)
        row.addWidget(self.add)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 2, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.table, 1)
        column.addLayout(row)
        self.table.doubleClicked.connect(lambda index: self.chosen.emit(self.model.rows[index.row()].document))
        self.table.entered_row.connect(lambda number: self.chosen.emit(self.model.rows[number].document))
        self.table.customContextMenuRequested.connect(self._offer)

    def sizeHint(self) -> QSize:
        return QSize(700, HEIGHT)

    def _offer(self, at: QPoint) -> None:
        index = self.table.indexAt(at)
        if index.isValid():
            document = self.model.rows[index.row()].document
            self.offered.emit(document, self.table.viewport().mapToGlobal(at))

    def show_documents(self, workspace: Workspace) -> None:
        """Show the open documents, the memory of the trees that are kept, and how much that may be."""
        facts, shown = workspace.facts, workspace.shown
        documents = [one.document for one in facts]
        same = documents == [one.document for one in self.model.rows]
        self.model.show(facts)
        if not same:
            self.table.fit_columns()
        if not same or shown is not self._shown:
            self._shown = shown
            self.table.selectRow(documents.index(shown) if shown in documents else 0)
        on_disk = sum(one.place == DISK for one in facts)
        words = tr("Kept trees: {memory} of {most} in memory, {on_disk} on disk")
        memory, most = size(workspace.memory), size(workspace.most_memory)
        self.memory.setText(words.format(memory=memory, most=most, on_disk=on_disk))


class _Table(SharedTable[DocumentFacts]):
    entered_row = Signal(int)

    def __init__(self, model: _Model, parent: QWidget) -> None:
        super().__init__(model, parent)
        self.setItemDelegate(_Delegate(self, model))
        set_texts(self, accessibleName="Open trees")
        self.verticalHeader().setDefaultSectionSize(px(BOARD) + 6)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.entered_row.emit(self.currentIndex().row())
        else:
            super().keyPressEvent(event)


def connect_trees(commands: Commands, view: QWidget) -> None:
    """Connect the list to the open documents of a window."""
    assert isinstance(view, TreesView)
    workspace = commands.workspace

    def renew() -> None:
        if view.isVisible():
            view.show_documents(workspace)

    workspace.changed.connect(renew)
    commands.context.state.position_changed.connect(renew)
    commands.context.state.search_changed.connect(renew)
    commands.context.session.snapshot_for_text.connect(lambda _: renew())
    commands.views.docks.dock_toggled.connect(lambda name, _: renew() if name == "trees" else None)
    view.chosen.connect(workspace.show)
    view.add.clicked.connect(lambda _=False: workspace.add_copy())
    view.offered.connect(lambda document, at: show_menu(commands, document, at))
    on_language(view, renew)
    renew()
