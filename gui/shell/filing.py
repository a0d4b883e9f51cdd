"""Opens and saves games and sessions.  Knows the state and the window's dialogs, no view.

Files are read and written in the background; a game is saved with all its variations and comments.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, runtime_checkable

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QFileDialog

from core.files.reading import open_plain
from core.text import Text, joined, text_of
from gui.jobs.task import run_task
from gui.language.language import mark, tr
from gui.model import sources
from gui.model.record import ROOT
from gui.shell.session_dialog import SessionDialog
from gui.widgets.saving import ask_save_name, write_file

if TYPE_CHECKING:
    from core.engine import EvaluatorSource
    from core.files.record import GameRecord
    from core.files.session import SavedGame
    from core.files.tree_file import SavedSearch
    from core.search import SearchSettings
    from gui.context import Context
    from gui.rooms.play.play import Play

SGF, SESSION = ".sgf", ".plyscope"
_CLIPBOARD = Text("The game in the clipboard")
NETS = (".onnx", ".bin.gz", ".txt.gz")  # ends of names
_LARGEST_NET = 4 << 30  # bytes; an ONNX file has at most 2 GiB
_NET_DIGEST, _PLAYERS = "net_sha256", "players"  # keys of a session's extra values


@dataclass
class GameToOpen:
    """A game to open, from a file or from before: its record, and what it was searched with."""

    record: GameRecord
    node: int  # node of the record to show
    notes: Sequence[str] = ()  # remarks about the file, shown to the user
    source: EvaluatorSource | None = None  # None: random rollouts
    has_source: bool = False  # True: it replaces the current one, which otherwise stays if it fits the game
    settings: SearchSettings | None = None  # None: keep the current ones
    limit: int = 0  # simulations; 0: keep the current limit
    search: SavedSearch | None = None  # the tree at ``node``
    players: Any = None  # the players as JSON values; None: unchanged


@runtime_checkable
class TreeKeeper(Protocol):
    """An analysis that can copy its tree and resume from a copy (gui.jobs.kept_trees)."""

    def keep(self, done: Callable[[SavedSearch], object], failed: Callable[[str], object]) -> None:
        """Copy the search; ``done`` is called with the copy in the analysis thread."""

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
        self._kept.connect(self._write_with)
        self._refused.connect(
            lambda why: self.failed.emit(Text("The tree of the session is left out: {why}.", why=why))
        )

    # opening

    def choose_file(self) -> None:
        """Show the dialog to open a game or a session."""
        patterns = " ".join(f"*{suffix}" for suffix in READERS)
        kinds = tr("Games and sessions ({patterns});;All files (*)").format(patterns=patterns)
        name, _ = QFileDialog.getOpenFileName(self._context.window, tr("Open a game or a session"), "", kinds)
        if name:
            self.open_file(Path(name))

    def open_file(self, path: Path) -> None:
        """Open a net, a session or, with any other suffix, a game in SGF."""
        suffix = path.suffix.lower()
        if path.name.lower().endswith(NETS):
            self._context.opener.open_net(path)
        elif self._context.session.loading:
            self.notified.emit(Text("The engine is still being loaded: open {name} in a moment.", name=path.name))
        else:
            read = partial(READERS.get(suffix, _read_sgf), path, self._state.game)
            run_task(self, partial(_read_or_error, path, read), partial(self._show, path), self.failed.emit)

    def open_text(self, sgf: str) -> None:
        """Open a game from the clipboard."""
        game = self._state.game
        run_task(
            self, lambda: _sgf_game(sgf.encode("utf-8-sig"), _CLIPBOARD, game), self._show_pasted, self.failed.emit
        )

    def _show_pasted(self, found: GameToOpen) -> None:
        self.take(found)
        self.pasted.emit()

    def _show(self, path: Path, found: GameToOpen) -> None:
        self.take(found)
        self.written.emit(found.record, found.record.revision)
        self.used.emit(path)

    def take(self, found: GameToOpen) -> None:
        """Show a game with its source, settings and tree."""
        state = self._state
        if found.settings is not None:
            state.set_settings(found.settings)
        if found.limit:
            state.set_limit(found.limit)
        analysis = self._context.session.analysis
        if isinstance(analysis, TreeKeeper):
            label = None if found.source is None else found.source.label
            analysis.offer(found.search, label, self._refused.emit)
        same_game = state.game == found.record.game
        # A game file names no net: keep the current one while it fits.
        state.open_game(found.record, found.node, ... if same_game and not found.has_source else found.source)
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
        if snapshot is None or not isinstance(self._context.session.analysis, TreeKeeper):
            self._choose(tr("Save the session"), SESSION, self.save_session)
            return
        dialog = SessionDialog(snapshot.counters.bytes_used, self._context.window)
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
        self._write(path, partial(_sgf_bytes, self.record()), self._revision())

    def save_session(self, path: Path, with_tree: bool = False) -> None:
        """Save the game, the move shown and the search's settings; ``with_tree``: with the search tree."""
        write, revision, here = self.session_bytes(), self._revision(), self._state.position
        analysis = self._context.session.analysis
        if not with_tree or not isinstance(analysis, TreeKeeper):
            self._write(path, write, revision)
            return

        def take(kept: SavedSearch) -> None:
            tree = kept if kept.position == here else None
            self._kept.emit((tree, path, write, revision))

        analysis.keep(take, self.failed.emit)

    def _write_with(self, kept: tuple[SavedSearch | None, Path, Callable[..., bytes], tuple[GameRecord, int]]) -> None:
        tree, path, write, revision = kept
        if tree is None:
            self.failed.emit(mark("The tree is left out of the session: this position has not been searched yet."))
        self._write(path, partial(write, tree), revision)

    def session_bytes(self) -> Callable[..., bytes]:
        """Return a function that makes the current session's bytes, in any thread, optionally with a SavedSearch."""
        from core.files.session import SavedGame

        state = self._state
        game = SavedGame(self.record(), state.node, state.settings, sources.source_text(state.source), state.limit)
        return partial(_dump, game, state.source, {_PLAYERS: self._play().as_json()})

    def _revision(self) -> tuple[GameRecord, int]:
        record = self._state.record
        assert record is not None
        return record, record.revision

    def _write(self, path: Path, data: Callable[[], bytes], revision: tuple[GameRecord, int]) -> None:
        """Write the bytes that ``data`` returns, in the background; they hold the record at that revision."""

        def done(_: None) -> None:
            self.written.emit(*revision)
            self.used.emit(path)
            self.notified.emit(Text("{name} is saved.", name=path.name))

        run_task(self, lambda: write_file(path, data()), done, self.failed.emit, writes=True)


def _sgf_bytes(record: GameRecord) -> bytes:
    from core.files.sgf_writing import write_sgf

    return write_sgf([record])


def _dump(
    game: SavedGame, source: EvaluatorSource | None, extra: dict[str, Any], tree: SavedSearch | None = None
) -> bytes:
    """Return a session's bytes; a tree is saved with a digest of its net, to check later that it is the same."""
    from core.files.session import Session, dump_session

    if tree is not None:
        game, extra = replace(game, searches=(tree,)), {**extra, _NET_DIGEST: _digest(source)}
    return dump_session(Session((game,), extra=extra))


def _digest(source: EvaluatorSource | None) -> str | None:
    """Return the digest of a net's file; "" without a net, None for a device or a file far too large."""
    if not isinstance(source, sources.NetSource):
        return ""
    try:
        with open_plain(source.path) as file:
            if os.fstat(file.fileno()).st_size > _LARGEST_NET:
                return None
            return hashlib.file_digest(file, "sha256").hexdigest()
    except (OSError, ValueError):
        return None


def _read_or_error(path: Path, read: Callable[[], GameToOpen]) -> GameToOpen:
    """Return the result of ``read``; an OSError becomes a ValueError with one sentence."""
    try:
        return read()
    except OSError as error:
        raise ValueError(
            tr("{path!r} cannot be opened: {strerror}").format(path=str(path), strerror=error.strerror or error)
        ) from error


def _read_sgf(path: Path, game: Any) -> GameToOpen:
    from core.files.reading import read_bytes
    from core.files.sgf_text import MAX_BYTES

    return _sgf_game(read_bytes(path, MAX_BYTES), path.name, game)


def _sgf_game(data: bytes, name: str, game: Any) -> GameToOpen:
    from core.files.sgf import read_sgf

    file = read_sgf(data, game, most=1)
    if not file.records:
        raise ValueError(
            Text("{name} cannot be opened: {errors}", name=name, errors=file.errors[-1])
        )  # errors before the last did not stop the reading
    record = file.records[0]
    notes, more = [], len(file.errors) - 1
    if file.games > 1:
        notes.append(Text("{file}: the first of {count} games", file=name, count=file.games))
    if file.errors:
        words = mark("{file}: {error} (and {more} more)") if more else "{file}: {error}"
        notes.append(Text(words, file=name, error=file.errors[0], more=more))
    return GameToOpen(record, ROOT, notes, source=sources.default_source(record.game))


def read_session(path: Path) -> GameToOpen:
    """Read a session file, in any thread.  ValueError or OSError when it cannot be read."""
    from core.files.session import open_session

    loaded = open_session(path)
    session, notes = loaded.session, list(loaded.errors)
    if not session.games:
        raise ValueError(Text("{name} contains no game", name=path.name))
    game = session.games[session.current]
    found = GameToOpen(game.record, game.cursor, notes, has_source=True, settings=game.settings, limit=game.limit)
    found.players = session.extra.get(_PLAYERS)
    try:
        found.source = sources.source_from(game.source)
    except ValueError as error:
        found.source = sources.default_source(game.record.game)
        instead = sources.source_title(found.source)
        notes.append(Text("{error}; {source} takes its place", error=text_of(error), source=instead))
    here = game.record.position(game.cursor)
    found.search = next((search for search in game.searches if search.position == here), None)
    kept = session.extra.get(_NET_DIGEST)
    if found.search is not None and (kept is None or _digest(found.source) != kept):
        found.search = None
        notes.append(mark("the session's tree is left out: the net that valued it is not there or has changed since"))
    return found


# By suffix: what reads a game, given the file and the game that is open.
READERS: Final[dict[str, Callable[[Path, Any], GameToOpen]]] = {
    SGF: _read_sgf,
    SESSION: lambda path, _: read_session(path),
}


def dropped_file(event: QDropEvent) -> Path | None:
    """Return the first net, game or session file of a drop."""
    for url in event.mimeData().urls():
        if url.isLocalFile() and url.toLocalFile().lower().endswith((*NETS, *READERS)):
            return Path(url.toLocalFile())
    return None
