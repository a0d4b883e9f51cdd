"""The commands of the open documents: menu entries, the menu of one document, and what the tabs do."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMenu, QWidget

from gui.language.language import tr
from gui.model.document import PLACES
from gui.shell.entry import Entry
from gui.widgets.dialogs import TextDialog
from gui.widgets.figures import count, simulations_words, size
from gui.widgets.texts import on_language

if TYPE_CHECKING:
    from gui.model.document import Document, DocumentFacts
    from gui.shell.commands import Commands
    from gui.shell.open_trees import OpenTrees
    from gui.shell.tree_tabs import TreeTabs

TREE_ENTRIES: Final = (
    Entry(
        "tree_copy",
        "Game/&Trees",
        "&Keep this tree and go on in a copy",
        ("Ctrl+D",),
        lambda c: c.trees.add_copy(),
    ),
    Entry("tree_next", "Game/&Trees", "&Next tree", ("Ctrl+Tab",), lambda c: c.trees.step(1)),
    Entry("tree_previous", "Game/&Trees", "&Previous tree", ("Ctrl+Shift+Tab",), lambda c: c.trees.step(-1)),
    Entry(
        "tree_rename",
        "Game/&Trees",
        "&Rename this tree…",
        (),
        lambda c: rename(c.window, c.trees, c.trees.shown),
    ),
    Entry("tree_close", "-Game/&Trees", "&Close this tree", ("Ctrl+W",), lambda c: c.trees.close(c.trees.shown)),
)


def rename(parent: QWidget, trees: OpenTrees, document: Document) -> None:
    """Ask for a document's name without blocking."""
    words = tr("Name (empty: its game and moves)")
    TextDialog(parent, tr("Rename the tree"), words, document.name, partial(trees.rename, document)).open()


def show_menu(commands: Commands, document: Document, at: QPoint) -> None:
    """Show the menu of an open or closed document at a point of the screen."""
    trees, menu = commands.trees, QMenu(commands.window)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    if document not in trees.documents:
        menu.addAction(tr("Open"), partial(trees.choose, document))
        menu.addAction(tr("Discard"), partial(trees.discard, document))
        menu.popup(at)
        return
    shown = document is trees.shown
    menu.addAction(tr("Show"), partial(trees.show, document)).setEnabled(not shown)
    menu.addAction(tr("Rename…"), partial(rename, commands.window, trees, document))
    menu.addAction(tr("Compare with the tree shown"), partial(trees.compare, document)).setEnabled(not shown)
    menu.addAction(tr("Save or export…"), partial(_save, commands, document))
    menu.addSeparator()
    pin = menu.addAction(tr("Keep in memory"))
    pin.setCheckable(True)
    pin.setChecked(document.pinned)
    pin.toggled.connect(partial(trees.pin, document))
    menu.addSeparator()
    menu.addAction(tr("Close"), partial(trees.close, document)).setEnabled(len(trees.documents) > 1)
    menu.popup(at)


def _save(commands: Commands, document: Document) -> None:
    if document is commands.trees.shown:
        commands.filing.choose_tree_file()
    else:
        commands.trees.with_search(document, commands.filing.choose_tree_file)


class _Tabs:
    """Keeps the tabs and the open documents the same."""

    def __init__(self, tabs: TreeTabs, commands: Commands) -> None:
        self._tabs, self._bar, self._commands, self._trees = tabs, tabs.bar, commands, commands.trees
        self._filling = False
        self._bar.currentChanged.connect(self._choose)
        tabs.closed.connect(lambda place: self._trees.close(self._trees.documents[place]))
        self._bar.tabMoved.connect(self._move)
        self._bar.tabBarDoubleClicked.connect(self._rename)
        self._bar.customContextMenuRequested.connect(self._offer)
        tabs.add.clicked.connect(lambda _=False: self._trees.add_copy())
        self._trees.changed.connect(self.renew)
        commands.context.state.position_changed.connect(self.renew)
        commands.context.state.search_changed.connect(self.renew)
        commands.context.session.snapshot_for_text.connect(lambda _: self._renew_tip())
        on_language(tabs, self.renew)

    def _document(self, place: int) -> Document | None:
        return self._trees.documents[place] if 0 <= place < len(self._trees.documents) else None

    def renew(self) -> None:
        """Show the documents as they are."""
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
                if one.document is self._trees.shown:
                    self._bar.setCurrentIndex(place)
        finally:
            self._filling = False
        self._tabs.setVisible(len(facts) > 1)

    def _renew_tip(self) -> None:
        """Renew the figures of the one shown."""
        if self._tabs.isVisible():
            for place, one in enumerate(self._trees.facts):
                if one.document is self._trees.shown:
                    self._bar.setTabToolTip(place, facts_words(one))

    def _choose(self, place: int) -> None:
        document = self._document(place)
        if self._filling or document is None:
            return
        self._trees.show(document)

    def _move(self, place: int, to: int) -> None:
        if not self._filling:
            self._trees.move(place, to)

    def _rename(self, place: int) -> None:
        document = self._document(place)
        if document is not None:
            rename(self._commands.window, self._trees, document)

    def _offer(self, at: QPoint) -> None:
        document = self._document(self._bar.tabAt(at))
        if document is not None:
            show_menu(self._commands, document, self._bar.mapToGlobal(at))


def facts_words(facts: DocumentFacts) -> str:
    """Return what there is to say of a document in three lines."""
    nodes = tr("{n} nodes", facts.nodes).format(n=count(facts.nodes))
    figures = ", ".join((simulations_words(facts.simulations), nodes, size(facts.memory)))
    return "\n".join((facts.title, facts.net, figures if facts.nodes else tr(PLACES[facts.place])))


def connect_tabs(tabs: TreeTabs, commands: Commands) -> None:
    """Connect the tabs to the open trees of a frame."""
    _Tabs(tabs, commands).renew()
