"""Keeps the tabs and the open trees of a window the same.  Knows both, no search."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint

from gui.language.language import tr
from gui.shell.open_tree import PLACES
from gui.shell.tree_commands import rename, show_menu
from gui.widgets.figures import count, simulations_words, size
from gui.widgets.texts import on_language

if TYPE_CHECKING:
    from gui.shell.commands import Commands
    from gui.shell.open_tree import OpenTree, TreeFacts
    from gui.shell.tree_tabs import TreeTabs


class _Link:
    """Keeps the tabs and the open trees the same."""

    def __init__(self, tabs: TreeTabs, commands: Commands) -> None:
        self._tabs, self._bar, self._commands, self._trees = tabs, tabs.bar, commands, commands.open_trees
        self._filling = False
        self._bar.currentChanged.connect(self._choose)
        tabs.closed.connect(lambda place: self._trees.close(self._trees.trees[place]))
        self._bar.tabMoved.connect(self._move)
        self._bar.tabBarDoubleClicked.connect(self._rename)
        self._bar.customContextMenuRequested.connect(self._offer)
        tabs.add.clicked.connect(lambda _=False: self._trees.add_copy())
        self._trees.changed.connect(self.renew)
        commands.context.state.position_changed.connect(self.renew)
        commands.context.state.search_changed.connect(self.renew)
        commands.context.session.snapshot_for_text.connect(lambda _: self._renew_tip())
        on_language(tabs, self.renew)

    def _tree(self, place: int) -> OpenTree | None:
        return self._trees.trees[place] if 0 <= place < len(self._trees.trees) else None

    def renew(self) -> None:
        """Show the trees as they are."""
        facts = self._trees.facts
        if len(facts) < 2 and self._tabs.isHidden():
            return
        self._filling = True
        try:
            self._tabs.set_count(len(facts))
            for place, one in enumerate(facts):
                text = one.title.replace("&", "&&")
                if self._bar.tabText(place) != text:
                    self._bar.setTabText(place, text)
                self._bar.setTabToolTip(place, facts_words(one))
                if one.tree is self._trees.shown:
                    self._bar.setCurrentIndex(place)
        finally:
            self._filling = False
        self._tabs.setVisible(len(facts) > 1)

    def _renew_tip(self) -> None:
        """Renew the figures of the tree shown."""
        if self._tabs.isVisible():
            for place, one in enumerate(self._trees.facts):
                if one.tree is self._trees.shown:
                    self._bar.setTabToolTip(place, facts_words(one))

    def _choose(self, place: int) -> None:
        tree = self._tree(place)
        if self._filling or tree is None:
            return
        self._trees.show(tree)

    def _move(self, place: int, to: int) -> None:
        if not self._filling:
            self._trees.move(place, to)

    def _rename(self, place: int) -> None:
        tree = self._tree(place)
        if tree is not None:
            rename(self._commands.window, self._trees, tree)

    def _offer(self, at: QPoint) -> None:
        tree = self._tree(self._bar.tabAt(at))
        if tree is not None:
            show_menu(self._commands.window, self._trees, self._commands.trees, tree, self._bar.mapToGlobal(at))


def facts_words(facts: TreeFacts) -> str:
    """Return what there is to say of a tree in three lines."""
    nodes = tr("1 node") if facts.nodes == 1 else tr("{nodes} nodes").format(nodes=count(facts.nodes))
    figures = ", ".join((simulations_words(facts.simulations), nodes, size(facts.memory)))
    return "\n".join((facts.title, facts.net, figures if facts.nodes else tr(PLACES[facts.place])))


def connect_tabs(tabs: TreeTabs, commands: Commands) -> None:
    """Connect the tabs to the open trees of a window."""
    _Link(tabs, commands).renew()
