"""Opens and saves games, sessions and trees: asks for files, which are read and written in the background.

A game is saved with all its variations and comments.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QCheckBox, QLabel, QWidget

from core.files import GAME_SUFFIXES
from core.text import Text, Words, text_of
from gui.jobs.task import run_task
from gui.language.language import tr
from gui.model import sources
from gui.model.sources import NETS
from gui.shell.document_files import (
    READERS,
    SESSION,
    SGF,
    TRACE,
    TREE,
    Bundle,
    pasted_game,
    plain,
    read_file,
    unopened,
)
from gui.shell.documents import TreeKeeper
from gui.widgets.dialogs import OK_CANCEL, Dialog
from gui.widgets.figures import size
from gui.widgets.saving import ask_open_name, ask_save_name, write_file

if TYPE_CHECKING:
    from core.engine import EvaluatorSource
    from core.files.collection import Listed
    from core.files.record import GameRecord
    from core.files.tree_file import SavedSearch, StoredTree
    from core.games import Position
    from gui.context import Context
    from gui.model.document import Document
    from gui.shell.documents import Documents

ARCHIVES: Final = (".zip",)
_OF_MANY: Final = (".wtb",)  # files of whole years
PAGE: Final = ".html"
# Suffix of a file -> what it holds of a tree.
TREE_FORMS: Final[dict[str, Words]] = {
    TREE: "The whole tree, to be opened again",
    PAGE: "A page that shows every moment of the search",
    ".png": "An animated picture of the tree that grows",
    ".svg": "A drawing",
    ".json": "Nodes as JSON",
    ".csv": "Nodes as a table",
    ".dot": "A graph for Graphviz",
}


class Filing(QObject):
    """Opens and saves files for one window."""

    used = Signal(object)  # Path of a file that was opened or saved
    listed = Signal(object)  # Paths whose games are to be listed

    def __init__(self, context: Context, documents: Documents) -> None:
        super().__init__(context.window)
        self._context, self._state, self._documents = context, context.state, documents
        self._messages = context.messages

    # opening

    def choose_file(self) -> None:
        """Show the dialog to open a game, a session or a tree."""
        patterns = " ".join(f"*{suffix}" for suffix in READERS)
        filters = tr("Games, sessions and trees ({patterns});;All files (*)").format(patterns=patterns)
        path = ask_open_name(self._context.window, tr("Open a game, a session or a tree"), "games", filters)
        if path is not None:
            self.open_file(path)

    def open_paths(self, paths: Sequence[Path]) -> None:
        """Open a game with a net, a session or a tree; several games, folders and archives are listed."""
        games = [path for path in paths if _ends(path, GAME_SUFFIXES)]
        listed = [path for path in paths if path.is_dir() or _ends(path, (*ARCHIVES, *_OF_MANY))]
        if listed or len(games) > 1:
            self.listed.emit(tuple(dict.fromkeys((*listed, *games))))
        others = [path for path in paths if path not in listed and (len(games) == 1 or path not in games)]
        net = next((path for path in others if _ends(path, NETS)), None)
        opened = next((path for path in others if not _ends(path, NETS)), None)
        if opened is not None:
            self.open_file(opened, net)
        elif net is not None:
            self.open_file(net)

    def open_file(self, path: Path, net: Path | None = None) -> None:
        """Open a net, a session or, with any other suffix, a game; a game is searched with ``net`` if given."""
        if _ends(path, NETS):
            self._context.opener.open_net(path)
        elif self._context.session.loading:
            self._messages.show_notice(
                Text("The engine is still being loaded: open {name} in a moment.", name=path.name)
            )
        else:
            read = partial(read_file, path, self._documents.shown, self._documents.room, net)
            run_task(self, read, partial(self._show, path, net), self._messages.show_error)

    def _show(self, path: Path, net: Path | None, bundle: Bundle) -> None:
        self._documents.open(bundle)
        if net is not None and getattr(bundle.document.source, "path", None) == net:
            self._context.opener.used.emit(net)
        self.used.emit(path)

    def open_text(self, sgf: str) -> None:
        """Open a game from the clipboard."""
        run_task(self, partial(pasted_game, sgf, self._documents.shown), self._show_new, self._messages.show_error)

    def open_played(self, record: GameRecord) -> None:
        """Open a game that was played in the background, at its end."""
        read = partial(plain, record, record.main_line()[-1], self._documents.shown)
        run_task(self, read, self._show_new, self._messages.show_error)

    def _show_new(self, bundle: Bundle) -> None:
        """Show a game that no file has."""
        bundle.document.mark_unsaved()
        self._documents.open(bundle)

    def open_listed(self, listed: Listed, position: Position | None) -> None:
        """Open a listed game, at the place where ``position`` or an image of it occurs, else at its start."""
        present = self._documents.shown

        def read() -> Bundle:
            from core.files.collection import open_listed
            from core.files.position_search import node_of
            from core.files.record import ROOT

            record, errors = open_listed(listed, None if present.position is None else present.position.game)
            node = node_of(record, position) if position is not None else -1
            notes = [Text("{file}: {error}", file=listed.name, error=errors[0])] if errors else []
            return plain(record, max(node, ROOT), present, notes)

        def show(bundle: Bundle) -> None:
            self._documents.open(bundle)
            if not listed.member:
                self.used.emit(listed.path)

        run_task(self, read, show, self._messages.show_error)

    # saving games and sessions

    def choose_sgf(self) -> None:
        """Show the dialog to save the game."""
        self._choose(tr("Save the game"), SGF, self.save_sgf)

    def choose_session(self) -> None:
        """Show the dialogs to save the session: what to include, when there is a tree, and the file name."""
        choose = partial(self._choose, tr("Save the s&ession…"), SESSION)
        facts = self._documents.facts
        if not any(tree.nodes for tree in facts) or not isinstance(self._context.session.analysis, TreeKeeper):
            choose(self.save_session)
            return
        dialog = SessionDialog(sum(tree.memory for tree in facts), self._context.window, len(facts))
        dialog.accepted.connect(lambda: choose(partial(self.save_session, with_trees=dialog.tree.isChecked())))
        dialog.open()

    def _choose(self, title: str, suffix: str, save: Callable[[Path], object]) -> None:
        if self._state.start is None:
            return
        path = ask_save_name(self._context.window, title, "games", f"game{suffix}")
        if path is not None:
            save(path)

    def save_sgf(self, path: Path) -> None:
        """Save the game with its variations."""
        record = self._state.record
        assert record is not None
        self._write(path, partial(_sgf_bytes, record.copy()), [(record, record.revision)])

    def save_session(self, path: Path, with_trees: bool = False) -> None:
        """Save the open games, the moves shown and the searches' settings; ``with_trees``: with the search trees."""
        if with_trees:
            self._documents.with_copy(partial(self._save_with_trees, path))
        else:
            self._write(path, self._documents.session_bytes(self._documents.opened), self._documents.revisions)

    def _save_with_trees(self, path: Path, copy: StoredTree | None) -> None:
        shown = self._documents.shown
        trees = {document: document.tree for document in self._documents.in_order if document.tree is not None}
        trees.pop(shown, None)
        if copy is not None and copy.position == shown.position:
            trees[shown] = copy
        else:
            self._messages.show_error("The tree is left out of the session: this position has not been searched yet.")
        self._write(path, self._documents.session_bytes(self._documents.opened, trees), self._documents.revisions)

    def _write(self, path: Path, data: Callable[[], bytes], revisions: Sequence[tuple[GameRecord, int]] = ()) -> None:
        """Write the bytes that ``data`` returns, in the background; they hold the records at those revisions."""

        def done(_: None) -> None:
            if revisions:
                self._documents.mark_saved(revisions)
                self.used.emit(path)
            self._messages.show_notice(Text("{name} is saved.", name=path.name))

        run_task(self, lambda: write_file(path, data()), done, self._messages.show_error, writes=True)

    # trees

    def choose_tree_file(self, document: Document | None = None) -> None:
        """Show the dialog to save the tree of a document; None: of the one shown."""
        filters = ";;".join(f"{tr(kind)} (*{suffix})" for suffix, kind in TREE_FORMS.items())
        title = tr("Save the tree")
        path = ask_save_name(self._context.window, title, "trees", f"tree{TREE}", filters, tuple(TREE_FORMS))
        if path is not None:
            self.save_tree(path, document)

    def save_tree(self, path: Path, document: Document | None = None) -> None:
        """Write the tree of a document, None: of the one shown; the suffix says in which form."""
        document = document or self._documents.shown
        record = None if document.record is None else document.record.copy()
        node = document.shown.node if document.lock is None else document.lock.node
        self._documents.with_search(document, partial(self._write_tree, path, record, node))

    def choose_page(self) -> None:
        """Show the dialog to write the search shown as a page that can be sent."""
        title = tr("Share this search")
        filters = f"{tr(TREE_FORMS[PAGE])} (*{PAGE})"
        path = ask_save_name(self._context.window, title, "trees", f"search{PAGE}", filters, (PAGE,))
        if path is not None:
            self.save_tree(path)

    def _write_tree(self, path: Path, record: GameRecord | None, node: int, search: SavedSearch) -> None:
        """Write a search in the background; with what ``record`` says of the positions that led to ``node``."""

        def data() -> bytes:
            from core.files.page import notes_of
            from core.files.tree_export import tree_bytes

            notes = [] if record is None else notes_of(record, node)
            try:
                return tree_bytes(search, path.suffix.lower(), notes)
            except ValueError as error:
                raise ValueError(Text("{name} is not written: {error}", name=path.name, error=text_of(error))) from None

        self._write(path, data)

    def choose_second(self) -> None:
        """Show the dialog to open a tree as the second search."""
        path = ask_open_name(
            self._context.window, tr("Open a tree as the second searc&h…"), "trees", f"*{TREE} *{TRACE}"
        )
        if path is not None:
            self.open_second(path)

    def open_second(self, path: Path) -> None:
        """Read a tree in the background and show it as the second search if it is of the position shown."""

        def show(read: tuple[SavedSearch, EvaluatorSource | None]) -> None:
            from gui.rooms.what_if.what_if import show_second

            search, source = read
            if search.position != self._state.position:
                words: Words = "{name} is the tree of another position: open it as the first search, then compare."
                self._messages.show_error(Text(words, name=path.name))
            else:
                show_second(self._context, search, source)

        run_task(self, partial(_read_second, path), show, self._messages.show_error)


class SessionDialog(Dialog):
    """Asks whether to include the search tree; the game and its search settings are always saved."""

    def __init__(self, tree_bytes: int, parent: QWidget | None = None, trees: int = 1) -> None:
        """``tree_bytes``: the size in memory of the ``trees`` that are open."""
        super().__init__(tr("Save the s&ession…"), parent, OK_CANCEL, main=tr("Choose the file…"))
        contents = tr("The game with its variations and comments, the current move, the search settings and the net.")
        include = tr("Include the search tree, at most {tree_bytes}")
        if trees > 1:
            contents = tr(
                "The games of the {trees} open trees with their variations and comments, the current moves, the search "
                "settings and the nets."
            ).format(trees=trees)
            include = tr("Include the search trees, at most {tree_bytes}")
        intro = QLabel(contents, self)
        intro.setWordWrap(True)
        self.tree = QCheckBox(include.format(tree_bytes=size(tree_bytes)), self)
        note = QLabel(tr("When you open the file, its figures are shown at once and the search can continue."), self)
        note.setObjectName("dim")
        note.setWordWrap(True)
        self.lay_out(intro, self.tree, note)
        self.setMinimumWidth(440)


def openable(paths: Sequence[Path]) -> list[Path]:
    """Return those of dropped paths that can be opened: games, sessions, trees, nets, archives, folders."""
    return [path for path in paths if _ends(path, (*NETS, *READERS, *ARCHIVES)) or path.is_dir()]


def _ends(path: Path, ends: tuple[str, ...]) -> bool:
    return path.name.lower().endswith(ends)


def _sgf_bytes(record: GameRecord) -> bytes:
    from core.files.sgf import write_sgf

    return write_sgf([record])


def _read_second(path: Path) -> tuple[SavedSearch, EvaluatorSource | None]:
    from core.files.trace_tree import open_search

    try:
        search, _ = open_search(path)
    except OSError as error:
        raise unopened(path, error) from error
    return search, sources.source_from(search.source)
