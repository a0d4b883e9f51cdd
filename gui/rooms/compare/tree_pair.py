"""Two trees of one position side by side, with the same nodes open in both.  Knows snapshots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from core.text import Text
from gui.language.language import tr
from gui.widgets.figures import COLUMN_INDEX
from gui.widgets.labels import ShortLabel
from gui.widgets.tables.tree_view import TreeView
from gui.widgets.texts import set_texts

if TYPE_CHECKING:
    from core.glass import Snapshot
    from gui.model.state import PathOf

MOVE_WIDTH = 112  # px, in the narrow trees
UNSEEN = ("share", "u", "score", "v")  # columns hidden in the narrow trees
Index = QModelIndex | QPersistentModelIndex


class TreePair(QSplitter):
    """Two trees of one position; opening or closing a node in one does the same in the other."""

    wanted = Signal(object)  # paths
    selected = Signal(object, object)  # path, and the Position it starts from

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.trees = (TreeView(), TreeView())
        self.titles = (ShortLabel(self), ShortLabel(self))
        names = Text("First search"), Text("Second search")
        self.set_titles([tr(name) for name in names])
        for title, who, tree, other in zip(names, self.titles, self.trees, reversed(self.trees), strict=True):
            holder = QWidget(self)
            column = QVBoxLayout(holder)
            column.setContentsMargins(0, 0, 0, 0)
            column.setSpacing(0)
            who.setObjectName("heading")
            who.setContentsMargins(10, 3, 0, 3)
            column.addWidget(who)
            column.addWidget(tree, 1)
            self.addWidget(holder)
            set_texts(tree, accessibleName=Text("{text}: its tree", text=title))
            for name in UNSEEN:
                tree.setColumnHidden(COLUMN_INDEX[name], True)
            tree.header().resizeSection(COLUMN_INDEX["move"], MOVE_WIDTH)
            tree.expanded.connect(lambda index, a=tree, b=other: b.expand(self._twin(a, b, index)))
            tree.collapsed.connect(lambda index, a=tree, b=other: b.collapse(self._twin(a, b, index)))
            tree.opened.connect(self.wanted)
            tree.selected.connect(lambda path, tree=tree: self.selected.emit(path, tree.tree.position))
        self.setChildrenCollapsible(False)

    def _twin(self, one: TreeView, other: TreeView, index: Index) -> QModelIndex:
        return other.tree.index_of(one.tree.item(index).path)

    def set_titles(self, titles: Sequence[str]) -> None:
        """Show the names of the two searches."""
        for label, title in zip(self.titles, titles, strict=True):
            label.setText(title)

    def set_line(self, line: PathOf) -> None:
        for tree in self.trees:
            tree.set_line(line)

    def forget(self) -> None:
        for tree in self.trees:
            tree.forget()

    def show_snapshots(self, snapshots: tuple[Snapshot | None, Snapshot | None]) -> None:
        for tree, snapshot in zip(self.trees, snapshots, strict=True):
            tree.show_snapshot(snapshot)
