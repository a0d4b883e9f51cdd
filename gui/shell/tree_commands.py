"""The commands of the open trees, and the menu of one of them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QInputDialog, QMenu, QWidget

from gui.language.language import tr
from gui.shell.entry import Entry

if TYPE_CHECKING:
    from gui.shell.open_tree import OpenTree
    from gui.shell.open_trees import OpenTrees
    from gui.shell.tree_files import TreeFiles

TREE_ENTRIES: Final = (
    Entry(
        "tree_copy",
        "Game/&Trees",
        "&Keep this tree and go on in a copy",
        ("Ctrl+D",),
        lambda c: c.open_trees.add_copy(),
    ),
    Entry("tree_next", "Game/&Trees", "&Next tree", ("Ctrl+Tab",), lambda c: c.open_trees.step(1)),
    Entry("tree_previous", "Game/&Trees", "&Previous tree", ("Ctrl+Shift+Tab",), lambda c: c.open_trees.step(-1)),
    Entry(
        "tree_rename",
        "Game/&Trees",
        "&Rename this tree…",
        (),
        lambda c: rename(c.window, c.open_trees, c.open_trees.shown),
    ),
    Entry(
        "tree_close", "-Game/&Trees", "&Close this tree", ("Ctrl+W",), lambda c: c.open_trees.close(c.open_trees.shown)
    ),
    Entry(
        "tree_reopen", "Game/&Trees", "&Open the closed tree again", ("Ctrl+Shift+W",), lambda c: c.open_trees.reopen()
    ),
)


def rename(parent: QWidget, trees: OpenTrees, tree: OpenTree) -> None:
    """Ask for a tree's name without blocking."""
    dialog = QInputDialog(parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(tr("Rename the tree"))
    dialog.setLabelText(tr("Name (empty: its game and moves)"))
    dialog.setTextValue(tree.name)
    dialog.textValueSelected.connect(partial(trees.rename, tree))
    dialog.open()


def show_menu(parent: QWidget, trees: OpenTrees, files: TreeFiles, tree: OpenTree, at: QPoint) -> None:
    """Show the menu of one tree at a point of the screen."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    shown = tree is trees.shown
    menu.addAction(tr("Show"), partial(trees.show, tree)).setEnabled(not shown)
    menu.addAction(tr("Rename…"), partial(rename, parent, trees, tree))
    menu.addAction(tr("Compare with the tree shown"), partial(trees.compare, tree)).setEnabled(not shown)
    menu.addAction(tr("Save or export…"), partial(_save, trees, files, tree))
    menu.addSeparator()
    pin = menu.addAction(tr("Keep in memory"))
    pin.setCheckable(True)
    pin.setChecked(tree.pinned)
    pin.toggled.connect(partial(trees.pin, tree))
    menu.addSeparator()
    menu.addAction(tr("Close"), partial(trees.close, tree)).setEnabled(len(trees.trees) > 1)
    menu.popup(at)


def _save(trees: OpenTrees, files: TreeFiles, tree: OpenTree) -> None:
    if tree is trees.shown:
        files.choose_file()
    else:
        trees.with_search(tree, files.choose_file_for)
