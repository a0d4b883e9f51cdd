"""Two searches side by side: their icicles and their trees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QSplitter, QWidget

from core.text import Text
from gui.language.language import tr
from gui.widgets.figures import COLUMN_INDEX
from gui.widgets.folding_row import FoldingRow
from gui.widgets.icicle.icicle_canvas import IcicleCanvas
from gui.widgets.labels import ShortLabel, make_label
from gui.widgets.layouts import lay_column
from gui.widgets.segments import Segments
from gui.widgets.tables.tree_view import TreeView
from gui.widgets.texts import on_language, set_texts
from gui.widgets.tree_legend import RAMP, LegendEntry, TreeLegend, draw_line, draw_nothing, draw_ramp

if TYPE_CHECKING:
    from core.glass import Snapshot
    from core.glass.icicle import Icicle, IcicleView
    from gui.model.state import PathOf

REQUESTER = "what if"
SIDES = ("first_search", "second_search")


def _entries() -> tuple[LegendEntry, ...]:
    return (
        LegendEntry(tr("Share of all simulations"), 0, draw_nothing, ""),
        LegendEntry(tr("less in the second"), RAMP, draw_ramp, tr("more in the second")),
        LegendEntry("", 18, draw_line, tr("principal variation")),
    )


class IciclePair(QWidget):
    """The icicle of one search, coloured by the difference to the other."""

    selected = Signal(object, object)  # path, and the Position it starts from
    view_requested = Signal(int, object)  # the search whose widths are shown, and its IcicleView; None: nothing
    twin_requested = Signal(int, object)  # the other search, and the Icicle whose nodes are to be found there

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._line: PathOf = ()
        self._snapshots: tuple[Snapshot | None, Snapshot | None] = (None, None)
        self._elsewhere = (False, False)  # whether their trees are on another machine
        self._asked: Icicle | None = None
        self.canvas = IcicleCanvas(self)
        self.sides = Segments(SIDES, parent=self)
        self.legend = TreeLegend(
            _entries,
            lambda: tr(
                "Colour: the share of the visits that went through the node, in the second search less that in "
                "the first; drawn by its square root, so that small differences can be seen. Figures: the same in "
                "percent."
            ),
            self,
        )
        row = FoldingRow(self)
        row.setContentsMargins(10, 2, 8, 4)
        row.left.addWidget(make_label(self, "dim", "widths by"))
        row.left.addWidget(self.sides)
        row.left.addStretch(1)
        lay_column(row, (self.canvas, 1), self.legend, of=self, margins=0, spacing=0)
        self.sides.chosen.connect(self._choose_side)
        self.canvas.view_asked.connect(self._want)
        self.canvas.selected.connect(lambda path: self.selected.emit(path, self.canvas.root))
        self.canvas.set_mode("share")
        on_language(self, self.legend.renew)

    @property
    def side(self) -> int:
        """The search whose visits the widths show: 0 or 1."""
        return SIDES.index(self.sides.choice)

    def set_line(self, line: PathOf) -> None:
        """Set the moves from the record's start to the position."""
        self._line = line

    def show_snapshots(
        self, snapshots: tuple[Snapshot | None, Snapshot | None], elsewhere: tuple[bool, bool] = (False, False)
    ) -> None:
        """Show both searches; nothing while only one has the position, or the other one's tree is ``elsewhere``."""
        self._snapshots, self._elsewhere = snapshots, elsewhere
        base, other = snapshots[self.side], snapshots[1 - self.side]
        if base is None or other is None or base.position != other.position:
            self.canvas.show_icicle(None, None, self._line)
            self.canvas.set_message(tr("Both searches are needed for the difference: run the second one."))
            return
        if elsewhere[1 - self.side]:
            self.canvas.show_icicle(None, None, self._line)
            self.canvas.set_message(tr("The difference is not available while the other search is on another machine."))
            return
        icicle, twin = base.icicles.get(REQUESTER), other.twins.get(REQUESTER)
        if icicle is not None and icicle is not self._asked:
            self._asked = icicle
            self.twin_requested.emit(1 - self.side, icicle)
        if twin is not None and (twin.of is icicle or twin.of.tree == getattr(icicle, "tree", -1)):
            self.canvas.show_icicle(twin.of, base.position, self._line, twin)

    def _choose_side(self, _: str) -> None:
        self.canvas.show_icicle(None, None, self._line)
        self.canvas.set_mode("share", flipped=self.side == 1)
        self._stop_asking()
        self.canvas.ask()
        self.show_snapshots(self._snapshots, self._elsewhere)

    def _want(self, view: IcicleView) -> None:
        if self.isVisible():
            self.view_requested.emit(self.side, view)

    def _stop_asking(self) -> None:
        self._asked = None
        for side in (0, 1):
            self.view_requested.emit(side, None)
            self.twin_requested.emit(side, None)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.canvas.ask()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._stop_asking()


MOVE_WIDTH = 112  # px, in the narrow trees
UNSEEN = ("share", "u", "score", "v")  # columns hidden in the narrow trees
Index = QModelIndex | QPersistentModelIndex


class TreePair(QSplitter):
    """Two trees of one position; opening or closing a node in one does the same in the other."""

    opened = Signal(object)  # paths
    selected = Signal(object, object)  # path, and the Position it starts from

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.trees = (TreeView(), TreeView())
        self.titles = (ShortLabel(self), ShortLabel(self))
        names = Text("First search"), Text("Second search")
        self.set_titles([tr(name) for name in names])
        for title, who, tree, other in zip(names, self.titles, self.trees, reversed(self.trees), strict=True):
            holder = QWidget(self)
            column = lay_column(of=holder, margins=0, spacing=0)
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
            tree.opened.connect(self.opened)
            tree.selected.connect(lambda path, tree=tree: self.selected.emit(path, tree.nodes.position))
        self.setChildrenCollapsible(False)

    def _twin(self, tree: TreeView, other_tree: TreeView, index: Index) -> QModelIndex:
        return other_tree.nodes.index_of(tree.nodes.item(index).path)

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
