"""Opens files of any kind, several at once, and the games of a listed collection.  Knows the commands, no view."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtGui import QDropEvent

from core.files import GAME_SUFFIXES
from core.text import Text
from gui.jobs.task import run_task
from gui.model import sources
from gui.model.record import ROOT
from gui.shell.filing import NETS, READERS
from gui.shell.session_games import GameToOpen

if TYPE_CHECKING:
    from core.files.collection import Listed
    from core.files.record import GameRecord
    from core.games import Position
    from gui.shell.commands import Commands


ARCHIVES: Final = (".zip",)
_OF_MANY: Final = (".wtb",)  # files of whole years


def open_paths(commands: Commands, paths: Sequence[Path]) -> None:
    """Open a game with a net, a session or a tree; several games, folders and archives are listed."""
    games = [path for path in paths if path.name.lower().endswith(GAME_SUFFIXES)]
    listed = [path for path in paths if path.is_dir() or path.name.lower().endswith((*ARCHIVES, *_OF_MANY))]
    if listed or len(games) > 1:
        view: Any = commands.open_dock("games")
        view.places_asked.emit(tuple(dict.fromkeys((*listed, *games))))
    others = [path for path in paths if path not in listed and (len(games) == 1 or path not in games)]
    if others:
        commands.filing.open_files(others)


def dropped_paths(event: QDropEvent) -> list[Path]:
    """What a drop has that can be opened: games, sessions, trees, nets, archives, folders."""
    names = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
    ends = (*NETS, *READERS, *ARCHIVES)
    return [Path(name) for name in names if name.lower().endswith(ends) or Path(name).is_dir()]


def open_listed(commands: Commands, listed: Listed, position: Position | None) -> None:
    """Open a listed game, at the place where ``position`` or an image of it occurs, else at its start."""
    state, filing = commands.context.state, commands.filing
    hint, present = state.game, state.source

    def read() -> GameToOpen:
        from core.files.collection import open_listed as read_listed
        from core.files.position_search import node_of

        record, errors = read_listed(listed, hint)
        node = node_of(record, position) if position is not None else -1
        notes = [Text("{file}: {error}", file=listed.name, error=errors[0])] if errors else []
        return GameToOpen(record, max(node, ROOT), notes, source=sources.source_for(record.game, present))

    run_task(filing, read, partial(_show, commands, listed), filing.failed.emit)


def open_played(commands: Commands, record: GameRecord) -> None:
    """Open a game that was played in the background, at its end."""
    present = commands.context.state.source

    def find() -> GameToOpen:
        return GameToOpen(record, record.main_line()[-1], source=sources.source_for(record.game, present), unsaved=True)

    run_task(commands.filing, find, commands.filing.take, commands.filing.failed.emit)


def _show(commands: Commands, listed: Listed, found: GameToOpen) -> None:
    commands.filing.take(found)
    commands.filing.written.emit(found.record, found.record.revision)
    if not listed.member:
        commands.filing.used.emit(listed.path)
