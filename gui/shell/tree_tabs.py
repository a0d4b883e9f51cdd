"""The open documents as a row of tabs above the board, hidden while there is only one, and the menu of a document."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QMenu, QTabBar, QToolButton, QWidget

from gui.language.language import tr
from gui.model.document import PLACES
from gui.widgets.dialogs import TextDialog
from gui.widgets.figures import count, simulations_words, size
from gui.widgets.labels import icon_button
from gui.widgets.layouts import lay_row
from gui.widgets.texts import on_language, set_texts

if TYPE_CHECKING:
    from gui.model.document import Document, DocumentFacts
    from gui.shell.commands import Commands
    from gui.shell.documents import Documents


class _Bar(QTabBar):
    """Tabs that are closed with the middle button, too."""

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.MiddleButton and self.tabAt(event.position().toPoint()) >= 0:
            self.tabCloseRequested.emit(self.tabAt(event.position().toPoint()))
        else:
            super().mouseReleaseEvent(event)


class TreeTabs(QWidget):
    """The tabs, and a button that keeps the tree shown and goes on in a copy."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bar = set_texts(_Bar(self), accessibleName="Open trees")
        self.bar.setObjectName("trees")
        self.bar.setMovable(True)
        self.bar.setExpanding(False)
        self.bar.setDrawBase(False)
        self.bar.setElideMode(Qt.TextElideMode.ElideMiddle)
        self.bar.setUsesScrollButtons(True)
        self.bar.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.bar.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.add = icon_button(self, "add", "Keep this tree and go on in a copy", "small", 14, "faint")
        lay_row(self.bar, self.add, 1, of=self, margins=(10, 4, 10, 0), spacing=2)
        self._filling = False
        self.hide()

    def follow(self, commands: Commands) -> None:
        """Show the open documents of a window, and do what the tabs are asked for."""
        self._commands, self._documents = commands, commands.documents
        context = commands.context
        self.bar.currentChanged.connect(self._choose)
        self.bar.tabCloseRequested.connect(lambda place: self._documents.close(self._documents.in_order[place]))
        self.bar.tabMoved.connect(self._move)
        self.bar.tabBarDoubleClicked.connect(self._rename)
        self.bar.customContextMenuRequested.connect(self._offer)
        self.add.clicked.connect(lambda _=False: self._documents.add_copy())
        self._documents.changed.connect(self.renew)
        context.state.position_changed.connect(self.renew)
        context.state.search_changed.connect(self.renew)
        context.session.snapshot_for_text.connect(lambda _: self._renew_tip())
        on_language(self, self.renew)

    def _set_count(self, tabs: int) -> None:
        """Add or remove tabs at the end."""
        while self.bar.count() > tabs:
            self.bar.removeTab(self.bar.count() - 1)
        while self.bar.count() < tabs:
            self.bar.addTab("")
            self.bar.setTabButton(self.bar.count() - 1, QTabBar.ButtonPosition.RightSide, self._close_button())

    def _close_button(self) -> QToolButton:
        button = icon_button(self.bar, "close", "Close this tree", "small", 10, "faint")
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.clicked.connect(lambda _=False: self._close_at(button.geometry().center()))
        return button

    def _close_at(self, point: QPoint) -> None:
        """Close the tab at a point of the bar."""
        if self.bar.tabAt(point) >= 0:
            self.bar.tabCloseRequested.emit(self.bar.tabAt(point))

    def _document(self, place: int) -> Document | None:
        return self._documents.in_order[place] if 0 <= place < len(self._documents.in_order) else None

    def renew(self) -> None:
        """Show the documents as they are."""
        facts = self._documents.facts
        if len(facts) < 2 and self.isHidden():
            return
        self._filling = True
        try:
            self._set_count(len(facts))
            for place, row in enumerate(facts):
                text = row.title.replace("&", "&&")
                if self.bar.tabText(place) != text:
                    self.bar.setTabText(place, text)
                self.bar.setTabToolTip(place, facts_words(row))
                if row.document is self._documents.shown:
                    self.bar.setCurrentIndex(place)
        finally:
            self._filling = False
        self.setVisible(len(facts) > 1)

    def _renew_tip(self) -> None:
        """Renew the figures of the one shown."""
        if self.isVisible():
            for place, row in enumerate(self._documents.facts):
                if row.document is self._documents.shown:
                    self.bar.setTabToolTip(place, facts_words(row))

    def _choose(self, place: int) -> None:
        document = self._document(place)
        if self._filling or document is None:
            return
        self._documents.show(document)

    def _move(self, place: int, to: int) -> None:
        if not self._filling:
            self._documents.move(place, to)

    def _rename(self, place: int) -> None:
        document = self._document(place)
        if document is not None:
            rename_tree(self._commands.window, self._documents, document)

    def _offer(self, at: QPoint) -> None:
        document = self._document(self.bar.tabAt(at))
        if document is not None:
            show_menu(self._commands, document, self.bar.mapToGlobal(at))


def rename_tree(parent: QWidget, documents: Documents, document: Document) -> None:
    """Ask for a document's name without blocking."""
    words = tr("Name (empty: its game and moves)")
    TextDialog(parent, tr("Rename the tree"), words, document.name, partial(documents.rename, document)).open()


def show_menu(commands: Commands, document: Document, at: QPoint) -> None:
    """Show the menu of an open or closed document at a point of the screen."""
    documents, menu = commands.documents, QMenu(commands.window)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    if document not in documents.in_order:
        menu.addAction(tr("Open"), partial(documents.choose, document))
        menu.addAction(tr("Discard"), partial(documents.discard, document))
        menu.popup(at)
        return
    shown = document is documents.shown
    menu.addAction(tr("Show"), partial(documents.show, document)).setEnabled(not shown)
    menu.addAction(tr("Rename…"), partial(rename_tree, commands.window, documents, document))
    menu.addAction(tr("Compare with the tree shown"), partial(documents.compare, document)).setEnabled(not shown)
    menu.addAction(tr("Save or export…"), partial(commands.filing.choose_tree_file, document))
    menu.addSeparator()
    pin = menu.addAction(tr("Keep in memory"))
    pin.setCheckable(True)
    pin.setChecked(document.pinned)
    pin.toggled.connect(partial(documents.pin, document))
    menu.addSeparator()
    menu.addAction(tr("Close"), partial(documents.close, document)).setEnabled(len(documents.in_order) > 1)
    menu.popup(at)


def facts_words(facts: DocumentFacts) -> str:
    """Return what there is to say of a document in three lines."""
    nodes = tr("{n} nodes", facts.nodes).format(n=count(facts.nodes))
    figures = ", ".join((simulations_words(facts.simulations), nodes, size(facts.memory)))
    return "\n".join((facts.title, facts.net, figures if facts.nodes else tr(PLACES[facts.place])))
