"""Opens and saves games, sessions and trees.  Knows the state and the window's dialogs, no view.

Files are read and written in the background; a game is saved with all its variations and comments.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, runtime_checkable

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog

from core.files import GAME_SUFFIXES
from core.text import Text, joined, text_of
from gui.jobs.task import run_task
from gui.language.language import mark, tr
from gui.model import sources
from gui.model.record import ROOT
from gui.model.shown import Shown
from gui.model.state import Searched
from gui.shell.session_dialog import SessionDialog
from gui.shell.session_games import PLAYERS, GameToOpen, GameToSave, dump_games, read_session, saved_game
from gui.widgets.saving import ask_save_name, write_file

if TYPE_CHECKING:
    from core.files.record import GameRecord
    from core.files.session import TreeRoom
    from core.files.sgf import SgfFile
    from core.files.tree_file import SavedSearch
    from gui.context import Context
    from gui.rooms.play.play import Play

SGF, SESSION, TREE = ".sgf", ".plyscope", ".npz"
_CLIPBOARD = Text("The game in the clipboard")
NETS = (".onnx", ".bin.gz", ".txt.gz")  # ends of names


_Revision = tuple["GameRecord", int]


class Others(Protocol):
    """The open trees that are not shown (gui.shell.open_trees)."""

    def to_save(self) -> tuple[list[GameToSave], int]:
        """Return their games, with their trees, and the place of the game shown among them."""

    @property
    def name(self) -> str:
        """The name given to the tree shown; "" for none."""

    @property
    def room(self) -> TreeRoom:
        """Where trees that are read are kept."""

    def revisions(self) -> list[_Revision]:
        """Return their records, each with its present revision."""

    def add(self, found: GameToOpen) -> None:
        """Take the other trees of a session whose game is shown now."""


@runtime_checkable
class TreeKeeper(Protocol):
    """An analysis that can copy its tree and resume from a copy (gui.jobs.kept_trees)."""

    def keep(self, done: Callable[[SavedSearch], object], failed: Callable[[str], object]) -> None:
        """Copy the search; ``done`` is called with the copy in the analysis thread."""

    def take(self, done: Callable[[SavedSearch | None], object], failed: Callable[[str], object]) -> None:
        """As ``keep``, but without a search ``done`` is called with None."""

    def offer(self, search: SavedSearch | None, label: str | None, refused: Callable[[str], object]) -> None:
        """Let the next search of its position resume from a saved one."""


class Filing(QObject):
    """Opens and saves files for one window."""

    failed = Signal(object)
    notified = Signal(object)
    used = Signal(object)  # Path of a file that was opened or saved
    pasted = Signal()  # a game from the clipboard was opened
    written = Signal(object, int)  # (GameRecord, revision) now saved in a file
    _kept = Signal(object)  # from the analysis thread: (SavedSearch | None, the other arguments of ``_write``)
    _refused = Signal(object)  # from the analysis thread

    def __init__(self, context: Context, play: Callable[[], Play]) -> None:
        """``play`` returns the players, which are saved in a session file."""
        super().__init__(context.window)
        self._context, self._state, self._play = context, context.state, play
        self.others: Others | None = None
        self._kept.connect(self._write_with)
        self._refused.connect(
            lambda why: self.failed.emit(Text("The tree of the session is left out: {why}.", why=why))
        )

    # opening

    def choose_file(self) -> None:
        """Show the dialog to open a game, a session or a tree."""
        patterns = " ".join(f"*{suffix}" for suffix in READERS)
        kinds = tr("Games, sessions and trees ({patterns});;All files (*)").format(patterns=patterns)
        name, _ = QFileDialog.getOpenFileName(self._context.window, tr("Open a game, a session or a tree"), "", kinds)
        if name:
            self.open_file(Path(name))

    def open_files(self, paths: Sequence[Path]) -> None:
        """Open the first game, searched with the first net; the one or the other alone if there are not both."""
        net = next((path for path in paths if _is_net(path)), None)
        game = next((path for path in paths if not _is_net(path)), None)
        if game is not None:
            self.open_file(game, net)
        elif net is not None:
            self.open_file(net)

    def open_file(self, path: Path, net: Path | None = None) -> None:
        """Open a net, a session or, with any other suffix, a game; a game is searched with ``net`` if given."""
        suffix = path.suffix.lower()
        if _is_net(path):
            self._context.opener.open_net(path)
        elif self._context.session.loading:
            self.notified.emit(Text("The engine is still being loaded: open {name} in a moment.", name=path.name))
        else:
            read = partial(READERS.get(suffix, _read_game), path, self._state.game)
            if suffix == SESSION and self.others is not None:
                read = partial(read_session, path, self.others.room)
            reading = partial(_read_or_error, path, read, self._state.source)
            if net is not None:
                reading = partial(_with_net, reading, net)
            run_task(self, reading, partial(self._show, path, net), self.failed.emit)

    def open_text(self, sgf: str) -> None:
        """Open a game from the clipboard."""
        read = partial(_pasted_game, sgf, self._state.game)
        run_task(self, partial(_with_source, read, self._state.source), self._show_pasted, self.failed.emit)

    def _show_pasted(self, found: GameToOpen) -> None:
        self.take(found)
        self.pasted.emit()

    def _show(self, path: Path, net: Path | None, found: GameToOpen) -> None:
        self.take(found)
        if net is not None and getattr(found.source, "path", None) == net:
            self._context.opener.used.emit(net)
        self.written.emit(found.record, found.record.revision)
        self.used.emit(path)

    def take(self, found: GameToOpen) -> None:
        """Show a game with its source, settings and tree."""
        state, session = self._state, self._context.session
        if isinstance(session.analysis, TreeKeeper):
            label = None if found.source is None else found.source.label
            session.analysis.offer(found.search, label, self._refused.emit)
        if found.seed is not None:
            session.seed = found.seed
        same_game = state.game == found.record.game
        # A game file names no net: keep the current one while it fits.
        source = ... if same_game and not found.has_source else found.source
        only = () if found.search is None else found.search.state.restriction.only
        state.open_game(found.record, found.node, source, found.settings, found.limit, only, found.selected)
        if self.others is not None:
            self.others.add(found)
        notes = list(found.notes)
        if found.players is not None:
            notes += self._play().restore(found.players)
        if notes:
            self.notified.emit(joined(notes, " · "))

    # saving

    def record(self) -> GameRecord:
        """Return a copy of the open game with all its variations; any thread may read it."""
        record = self._state.record
        assert record is not None
        return record.copy()

    def choose_sgf(self) -> None:
        """Show the dialog to save the game."""
        self._choose(tr("Save the game"), SGF, self.save_sgf)

    def choose_session(self) -> None:
        """Show the dialogs to save the session: what to include, when there is a tree, and the file name."""
        snapshot = self._context.session.snapshot
        kept = [] if self.others is None else [tree for one in self.others.to_save()[0] for tree in one.game.searches]
        if (snapshot is None and not kept) or not isinstance(self._context.session.analysis, TreeKeeper):
            self._choose(tr("Save the session"), SESSION, self.save_session)
            return
        shown = 0 if snapshot is None else snapshot.counters.bytes_used
        trees = 1 if self.others is None else len(self.others.to_save()[0]) + 1
        dialog = SessionDialog(shown + sum(tree.memory for tree in kept), self._context.window, trees)
        dialog.accepted.connect(
            lambda: self._choose(
                tr("Save the session"), SESSION, partial(self.save_session, with_tree=dialog.tree.isChecked())
            )
        )
        dialog.open()

    def _choose(self, title: str, suffix: str, save: Callable[[Path], object]) -> None:
        if self._state.start is None:
            return
        path = ask_save_name(self._context.window, title, f"game{suffix}")
        if path is not None:
            save(path)

    def save_sgf(self, path: Path) -> None:
        """Save the game with its variations."""
        self._write(path, partial(_sgf_bytes, self.record()), [self._revision()])

    def save_session(self, path: Path, with_tree: bool = False) -> None:
        """Save the open games, the move shown and the search's settings; ``with_tree``: with the search trees."""
        write, revisions, here = self.session_bytes(with_tree), self._revisions(), self._state.position
        analysis = self._context.session.analysis
        if not with_tree or not isinstance(analysis, TreeKeeper):
            self._write(path, write, revisions)
            return

        def take(kept: SavedSearch | None) -> None:
            tree = kept if kept is not None and kept.position == here else None
            self._kept.emit((tree, path, write, revisions))

        analysis.take(take, self.failed.emit)

    def _write_with(self, kept: tuple[SavedSearch | None, Path, Callable[..., bytes], list[_Revision]]) -> None:
        tree, path, write, revisions = kept
        if tree is None:
            self.failed.emit(mark("The tree is left out of the session: this position has not been searched yet."))
        self._write(path, partial(write, tree), revisions)

    def session_bytes(self, with_trees: bool = False) -> Callable[..., bytes]:
        """Return a function that makes the bytes of the session with all open games, in any thread.

        It may be given the SavedSearch of the game shown; ``with_trees``: the others come with theirs, too."""
        others, place = ([], 0) if self.others is None else self.others.to_save()
        if not with_trees:
            others = [replace(one, game=replace(one.game, searches=())) for one in others]
        games = [*others[:place], self._to_save(), *others[place:]]
        return partial(dump_games, games, place, {PLAYERS: self._play().as_json()})

    def game_bytes(self, found: GameToOpen) -> Callable[[], bytes]:
        """Return a function that makes the bytes of a session with one game alone, in any thread."""
        state = self._state
        shown = Shown(found.record, found.node, selected=found.selected)
        searched = Searched(shown, found.source, found.settings or state.settings, found.limit or state.limit)
        game = saved_game(searched, found.name, found.seed or 0)
        return partial(dump_games, [GameToSave(game, found.source)], 0, {PLAYERS: self._play().as_json()})

    def _to_save(self) -> GameToSave:
        state, name = self._state, "" if self.others is None else self.others.name
        return GameToSave(saved_game(state.searched, name, self._context.session.seed), state.source)

    def _revision(self) -> _Revision:
        record = self._state.record
        assert record is not None
        return record, record.revision

    def _revisions(self) -> list[_Revision]:
        """The records of a session and the states in which it holds them."""
        return [self._revision(), *(self.others.revisions() if self.others is not None else ())]

    def _write(self, path: Path, data: Callable[[], bytes], revisions: Sequence[_Revision]) -> None:
        """Write the bytes that ``data`` returns, in the background; they hold the records at those revisions."""

        def done(_: None) -> None:
            for record, revision in revisions:
                self.written.emit(record, revision)
            self.used.emit(path)
            self.notified.emit(Text("{name} is saved.", name=path.name))

        run_task(self, lambda: write_file(path, data()), done, self.failed.emit, writes=True)


def _sgf_bytes(record: GameRecord) -> bytes:
    from core.files.sgf import write_sgf

    return write_sgf([record])


def _with_source(read: Callable[[], GameToOpen], present: Any) -> GameToOpen:
    """Return the result of ``read``; a game that names no source keeps the present one if it can."""
    found = read()
    if not found.has_source:
        found.source = sources.source_for(found.record.game, present)
    return found


def _with_net(read: Callable[[], GameToOpen], net: Path) -> GameToOpen:
    """Return the result of ``read`` with a net for it; why it cannot be used becomes a note."""
    from models.netfiles.opened import is_for, net_info

    found = read()
    try:
        info = net_info(net)
        if is_for(info, found.record.game):
            found.source, found.has_source = sources.net_source(net), True
            return found
        why: str = Text("{net} is no net for {game}", net=net.name, game=found.record.game.title)
        if info.is_foreign:
            why = Text("{net} does not say its game.", net=net.name)
    except ValueError as error:
        why = text_of(error)
    found.notes = [*found.notes, why]
    return found


def _read_or_error(path: Path, read: Callable[[], GameToOpen], present: Any) -> GameToOpen:
    """Return the result of ``_with_source``; an OSError becomes a ValueError with one sentence."""
    try:
        return _with_source(read, present)
    except OSError as error:
        raise ValueError(
            Text("{path!r} cannot be opened: {strerror}", path=str(path), strerror=error.strerror or error)
        ) from error


def _read_game(path: Path, game: Any) -> GameToOpen:
    from core.files.game_files import read_game_file

    return _first_game(partial(read_game_file, path, game, 1), path.name)


def _pasted_game(text: str, game: Any) -> GameToOpen:
    from core.files.game_files import read_games

    return _first_game(partial(read_games, text.strip(), "", game, 1), _CLIPBOARD)


def _first_game(read: Callable[[], SgfFile], name: str) -> GameToOpen:
    try:
        file = read()
    except ValueError as error:
        raise ValueError(Text("{file} cannot be opened: {error}", file=name, error=text_of(error))) from error
    if not file.records:
        raise ValueError(
            Text("{file} cannot be opened: {error}", file=name, error=file.errors[-1])
        )  # errors before the last did not stop the reading
    record = file.records[0]
    notes, more = [], len(file.errors) - 1
    if file.games > 1:
        notes.append(Text("{file}: the first of {count} games", file=name, count=file.games))
    if file.errors:
        words = mark("{file}: {error} (and {more} more)") if more else "{file}: {error}"
        notes.append(Text(words, file=name, error=file.errors[0], more=more))
    return GameToOpen(record, ROOT, notes)


def _read_tree(path: Path) -> GameToOpen:
    """Read the file of a search with its tree, in any thread.  ValueError or OSError when it cannot be opened."""
    from core.files.record import GameRecord
    from core.files.tree_file import open_tree

    search = open_tree(path)
    record = GameRecord.of(search.position)
    found = GameToOpen(record, record.main_line()[-1], has_source=True, settings=search.settings, search=search)
    found.source = sources.source_from(search.source)
    return found


# By suffix: what reads a game, given the file and the game that is open.
READERS: Final[dict[str, Callable[[Path, Any], GameToOpen]]] = {
    **dict.fromkeys(GAME_SUFFIXES, _read_game),
    SESSION: lambda path, _: read_session(path),
    TREE: lambda path, _: _read_tree(path),
}


def _is_net(path: Path) -> bool:
    return path.name.lower().endswith(NETS)
