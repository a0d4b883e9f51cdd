"""Games and sessions opened from files and saved to them.  Knows the state and the window's dialogs, no view.

Files are read and written beside the window: a game with all its variations and comments.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QFileDialog

from gui import sources
from gui.record_state import ROOT
from gui.session import run_task

if TYPE_CHECKING:
    from core.files.record import GameRecord
    from gui.window import MainWindow

NET, SGF, SESSION = ".onnx", ".sgf", ".plyscope"
_GAMES = f"Games and sessions (*{SGF} *{SESSION});;All files (*)"
_UNIFORM = "uniform"


class Filing(QObject):
    """Opens and saves for one window."""

    complained = Signal(str)
    noted = Signal(str)

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window, self._state = window, window.state

    # opening

    def choose_file(self) -> None:
        """Ask for a game or a session."""
        name, _ = QFileDialog.getOpenFileName(self._window, "Open a game or a session", "", _GAMES)
        if name:
            self.open_file(Path(name))

    def open_file(self, path: Path) -> None:
        """Open a net, a session or, whatever else it is called, a game in SGF."""
        suffix = path.suffix.lower()
        if suffix == NET:
            self._window.opening.open_net(path)
        elif not self._window.session.loading:
            read = partial(_read_session, path) if suffix == SESSION else partial(_read_sgf, path, self._state.game)
            run_task(self, read, self._show, self.complained.emit)

    def _show(self, found: _Found) -> None:
        state = self._state
        if found.settings is not None:
            state.set_settings(found.settings)
        if found.limit:
            state.set_limit(found.limit)
        same_game = state.game == found.record.game
        # A game alone says nothing of a net: the one in use stays while it fits.
        state.open_game(found.record, found.node, ... if same_game and not found.has_source else found.source)
        if found.notes:
            self.noted.emit(" · ".join(found.notes))

    # saving

    def record(self) -> GameRecord:
        """The game that is open, with all its variations."""
        record = self._state.record
        assert record is not None
        return record

    def choose_sgf(self) -> None:
        """Ask where to save the game."""
        self._choose("Save the game", SGF, self.save_sgf)

    def choose_session(self) -> None:
        """Ask where to save the session."""
        self._choose("Save the session", SESSION, self.save_session)

    def _choose(self, title: str, suffix: str, save: Any) -> None:
        if self._state.start is None:
            return
        name, _ = QFileDialog.getSaveFileName(self._window, title, f"game{suffix}", f"*{suffix}")
        if name:
            path = Path(name)
            save(path if path.suffix else path.with_suffix(suffix))

    def save_sgf(self, path: Path) -> None:
        """Write the game with its variations."""
        from core.files.sgf import write_sgf

        try:
            data = write_sgf([self.record()])
        except ValueError as error:
            self.complained.emit(str(error))
            return
        self._write(path, data)

    def save_session(self, path: Path) -> None:
        """Write the game, the move shown, and what it is searched with."""
        from core.files.session import SavedGame, Session, dump_session

        state = self._state
        game = SavedGame(
            record=self.record(),
            cursor=state.node,
            settings=state.settings,
            source=_source_text(state.source),
            limit=state.limit,
        )
        self._write(path, dump_session(Session((game,))))

    def _write(self, path: Path, data: bytes) -> None:
        from core.files.atomic import write_atomically

        def done(_: None) -> None:
            self.noted.emit(f"{path.name} is saved.")

        run_task(self, lambda: write_atomically(path, data), done, self.complained.emit)


class _Found:
    """What was read of a file."""

    def __init__(self, record: GameRecord, node: int, notes: list[str]) -> None:
        self.record = record
        self.node = node  # of the record, to be shown
        self.notes = notes
        self.has_source = False
        self.source: Any = sources.default_source(record.game)
        self.settings: Any = None
        self.limit = 0


def _read_sgf(path: Path, game: Any) -> _Found:
    from core.files.sgf import read_sgf
    from core.files.sgf_text import MAX_BYTES

    with path.open("rb") as stream:
        file = read_sgf(stream.read(MAX_BYTES + 1), game)
    if not file.records:
        raise ValueError(f"{path.name} cannot be opened: {file.errors[0]}")
    record = file.records[0]
    notes = [f"{path.name}: the first of {len(file.records)} games"] if len(file.records) > 1 else []
    if file.errors:
        more = f" (and {len(file.errors) - 1} more)" if len(file.errors) > 1 else ""
        notes.append(f"{path.name}: {file.errors[0]}{more}")
    return _Found(record, ROOT, notes)


def _read_session(path: Path) -> _Found:
    from core.files.session import open_session

    loaded = open_session(path)
    session, notes = loaded.session, list(loaded.errors)
    if not session.games:
        raise ValueError(f"{path.name} holds no game")
    game = session.games[session.current]
    found = _Found(game.record, game.cursor, notes)
    found.settings, found.limit, found.has_source = game.settings, game.limit, True
    if game.source == _UNIFORM:
        found.source = sources.UniformSource()
    elif not game.source:
        found.source = None
    else:
        try:
            found.source = sources.net_source(Path(game.source))
        except ValueError as error:
            notes.append(f"{error}; {sources.source_title(found.source)} takes its place")
    return found


def _source_text(source: Any) -> str:
    if source is None:
        return ""
    return str(source.path) if isinstance(source, sources.NetSource) else _UNIFORM


def dropped_file(event: QDropEvent) -> Path | None:
    """The first net, game or session of a drop."""
    for url in event.mimeData().urls():
        if url.isLocalFile() and Path(url.toLocalFile()).suffix.lower() in (NET, SGF, SESSION):
            return Path(url.toLocalFile())
    return None
