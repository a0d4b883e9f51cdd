"""Saves the tree of the search shown, and opens a saved one as the second search.  Knows the analyses, no view.

A saved tree opened as the first search is a file as any other (``gui.shell.filing``).
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog

from core.text import Text
from gui.jobs.task import run_task
from gui.language.language import mark, tr
from gui.model import sources
from gui.shell.filing import TREE, TreeKeeper
from gui.widgets.saving import ask_save_name, write_file

if TYPE_CHECKING:
    from core.engine import EvaluatorSource
    from core.files.tree_file import SavedSearch
    from gui.context import Context

# Suffix of a file -> what it holds.
KINDS: Final = {
    TREE: mark("The whole tree, to be opened again"),
    ".html": mark("A page with branches that fold"),
    ".svg": mark("A drawing"),
    ".json": mark("Nodes as JSON"),
    ".csv": mark("Nodes as a table"),
    ".dot": mark("A graph for Graphviz"),
}


class TreeFiles(QObject):
    """Saves and opens trees for one window."""

    _kept = Signal(object, object)  # from the analysis thread: SavedSearch, Path
    _failed = Signal(object)  # from there, too

    def __init__(self, context: Context) -> None:
        super().__init__(context.window)
        self._context, self._state = context, context.state
        self._messages = context.messages
        self._kept.connect(self._write)
        self._failed.connect(self._messages.show_error)

    def choose_file(self) -> None:
        """Show the dialog to save the tree."""
        path = self._ask_name()
        if path is not None:
            self.save(path)

    def choose_file_for(self, kept: SavedSearch) -> None:
        """Show the dialog to save a tree that is not shown."""
        path = self._ask_name()
        if path is not None:
            self._write(kept, path)

    def _ask_name(self) -> Path | None:
        kinds = ";;".join(f"{tr(kind)} (*{suffix})" for suffix, kind in KINDS.items())
        return ask_save_name(self._context.window, tr("Save the tree"), f"tree{TREE}", kinds, tuple(KINDS))

    def save(self, path: Path) -> None:
        """Write the tree of the position shown; the suffix says in which form."""
        analysis, here = self._context.session.analysis, self._state.position
        if not isinstance(analysis, TreeKeeper):
            self._messages.show_error(
                mark("There is no tree yet.")
                if analysis is None
                else mark("The tree is on another machine; only one of this machine can be saved.")
            )
            return

        source = sources.source_text(self._state.source)

        def take(kept: SavedSearch) -> None:
            if kept.position == here:
                self._kept.emit(replace(kept, source=source), path)
            else:
                self._failed.emit(mark("There is no tree yet."))

        analysis.keep(take, self._failed.emit)

    def _write(self, kept: SavedSearch, path: Path) -> None:
        def write() -> None:
            from core.files.tree_export import tree_bytes

            write_file(path, tree_bytes(kept, path.suffix.lower()))

        def done(_: None) -> None:
            self._messages.show_notice(Text("{name} is saved.", name=path.name))

        run_task(self, write, done, self._messages.show_error, writes=True)

    def choose_second(self) -> None:
        """Show the dialog to open a tree as the second search."""
        title = tr("Open a tree as the second search")
        name, _ = QFileDialog.getOpenFileName(self._context.window, title, "", f"*{TREE}")
        if name:
            self.open_second(Path(name))

    def open_second(self, path: Path) -> None:
        """Read a tree in the background and show it as the second search if it is of the position shown."""
        run_task(self, partial(_read, path), partial(self._show_second, path), self._messages.show_error)

    def _show_second(self, path: Path, found: tuple[SavedSearch, EvaluatorSource | None]) -> None:
        from gui.rooms.compare.what_if import show_second

        search, source = found
        if search.position != self._state.position:
            words = mark("{name} is the tree of another position: open it as the first search, then compare.")
            self._messages.show_error(Text(words, name=path.name))
        else:
            show_second(self._context, search, source)


def _read(path: Path) -> tuple[SavedSearch, EvaluatorSource | None]:
    from core.files.tree_file import open_tree

    try:
        search = open_tree(path)
    except OSError as error:
        raise ValueError(
            Text("{path!r} cannot be opened: {strerror}", path=str(path), strerror=error.strerror or error)
        ) from error
    return search, sources.source_from(search.source)
