"""The session file: games with their records, what each was searched with, and the searches with their trees.

One zip: ``session.json``, and under ``searches/`` each tree as ``core.files.tree_file`` writes it.  A part that is
damaged is told and left out, the rest is opened.  Knows no window.
"""

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from core.files.arrays import BadFile, Unpacked, as_json, pack
from core.files.atomic import write_atomically
from core.files.record import ROOT, GameRecord, Mark
from core.files.texts import settings_from, start_from, start_json
from core.files.tree_file import SavedSearch, dump_tree, load_tree
from core.search import SearchSettings

FORMAT: Final = "plyscope session"
VERSION: Final = 1
SUFFIX: Final = ".plyscope"
MAX_FILE_BYTES: Final = 8 << 30

_INDEX: Final = "session.json"
_WRONG: Final = (KeyError, TypeError, AttributeError, ValueError, IndexError, OverflowError)


@dataclass(frozen=True)
class SavedGame:
    """One game of a session, the node that is shown, and what it is searched with."""

    record: GameRecord
    cursor: int = ROOT  # a node of the record
    settings: SearchSettings | None = None
    source: str = ""  # a net's file, "uniform", or "" for rollouts
    limit: int = 0  # simulations a new position gets by itself; 0: not said
    searches: tuple[SavedSearch, ...] = ()


@dataclass(frozen=True)
class Session:
    """All that is open."""

    games: tuple[SavedGame, ...]
    current: int = 0
    extra: dict[str, Any] = field(default_factory=dict)  # JSON values that the window keeps for itself


@dataclass(frozen=True)
class LoadedSession:
    """A session, and a sentence for every part of it that could not be taken."""

    session: Session
    errors: tuple[str, ...]


def save_session(path: Path, session: Session) -> None:
    """Write the file whole or not at all.  Raises OSError."""
    write_atomically(path, dump_session(session))


def open_session(path: Path) -> LoadedSession:
    """Read a file.  Raises OSError, and BadFile (a ValueError) when nothing of it can be opened."""
    size = path.stat().st_size
    if size > MAX_FILE_BYTES:
        raise BadFile(
            f"{path.name} cannot be opened: it has {size >> 30} GiB, and a session at most {MAX_FILE_BYTES >> 30}"
        )
    try:
        return load_session(path.read_bytes())
    except BadFile as error:
        raise BadFile(f"{path.name} cannot be opened: {error}") from None


def dump_session(session: Session) -> bytes:
    """The file's bytes."""
    members: dict[str, Any] = {}
    games = []
    for game in session.games:
        names = []
        for search in game.searches:
            names.append(f"searches/{len(members)}.npz")
            members[names[-1]] = dump_tree(search)
        games.append(_game_json(game, names))
    index = {
        "format": FORMAT,
        "version": VERSION,
        "current": session.current,
        "games": games,
        "extra": session.extra,
    }
    return pack({_INDEX: as_json(index), **members})


def _game_json(game: SavedGame, searches: list[str]) -> dict[str, Any]:
    order = {node: i for i, node in enumerate(game.record.preorder())}
    return {
        **start_json(game.record.start),
        "info": dict(game.record.info),
        "nodes": [_node_json(game.record, node, order) for node in order],
        "cursor": order[game.cursor],
        "settings": None if game.settings is None else asdict(game.settings),
        "source": game.source,
        "limit": game.limit,
        "searches": searches,
    }


def _node_json(record: GameRecord, node: int, order: dict[int, int]) -> dict[str, Any]:
    n = record.node(node)
    out: dict[str, Any] = {}
    if node != ROOT:
        out = {"after": order[n.parent], "move": record.game.action_name(n.action)}
    if n.name:
        out["name"] = n.name
    if n.comment:
        out["comment"] = n.comment
    if n.marks:
        out["marks"] = [[mark.cell, mark.kind, mark.text] for mark in n.marks]
    if n.extra:
        out["extra"] = [[ident, list(values)] for ident, values in n.extra]
    if n.unread:
        out["unread"] = list(n.unread)
    return out


def load_session(data: bytes) -> LoadedSession:
    """The session of a file's bytes.  BadFile when nothing of it can be opened."""
    archive = Unpacked(data)
    if _INDEX not in archive.names():
        raise BadFile(f"it is no session: it has no {_INDEX}")
    index = archive.json(_INDEX)
    if not isinstance(index, dict) or index.get("format") != FORMAT or not isinstance(index.get("games"), list):
        raise BadFile(f"it is no session: its {_INDEX} does not say {FORMAT!r}")
    if index.get("version") != VERSION:
        raise BadFile(f"it is a session of format {index.get('version')!r}, and this program reads format {VERSION}")
    errors: list[str] = []
    games: list[SavedGame] = []
    place: dict[int, int] = {}
    for i, value in enumerate(index["games"]):
        try:
            games.append(_game(archive, value, f"game {i + 1}", errors))
            place[i] = len(games) - 1
        except _WRONG as error:
            errors.append(f"game {i + 1} is left out: {_words(error)}")
    if index["games"] and not games:
        raise BadFile("; ".join(errors))
    current, extra = index.get("current"), index.get("extra")
    chosen = place.get(current, 0) if isinstance(current, int) else 0
    session = Session(tuple(games), chosen, extra if isinstance(extra, dict) else {})
    return LoadedSession(session, tuple(errors))


def _game(archive: Unpacked, value: Any, where: str, errors: list[str]) -> SavedGame:
    record, ids = _record(value)
    source, limit = value.get("source", ""), value.get("limit", 0)
    if not isinstance(source, str) or not isinstance(limit, int):
        raise ValueError("its source is no text or its limit no number")
    settings = None
    try:
        if value.get("settings") is not None:
            settings = settings_from(value["settings"])
    except ValueError as error:
        errors.append(f"{where}: its search settings are left out: {error}")
    searches = []
    for name in value.get("searches", ()):
        try:
            search = load_tree(archive.raw(str(name)))
            if search.position.game != record.game:
                raise BadFile(f"it is of {search.position.game.text}")
            searches.append(search)
        except (BadFile, MemoryError) as error:
            errors.append(f"{where}: its search {name} is left out: {error or 'there is not enough memory for it'}")
    cursor = value.get("cursor", 0)
    if not isinstance(cursor, int) or not 0 <= cursor < len(ids):
        errors.append(f"{where}: it was shown at node {cursor!r:.20}, which it does not have")
        cursor = 0
    return SavedGame(record, ids[cursor], settings, source, limit, tuple(searches))


def _record(value: Any) -> tuple[GameRecord, list[int]]:
    """The record, and the id of each node in the file's order."""
    record = GameRecord(start_from(value), {str(k): str(v) for k, v in value.get("info", {}).items()})
    ids: list[int] = []
    for i, node in enumerate(value["nodes"]):
        if i == 0:
            ids.append(ROOT)
        else:
            above = node["after"]
            if not isinstance(above, int) or not 0 <= above < i:
                raise ValueError(f"node {i} comes after node {above!r:.20}")
            ids.append(record.play(ids[above], record.game.parse_action(node["move"])))
        record.set_name(ids[-1], str(node.get("name", "")))
        record.set_comment(ids[-1], str(node.get("comment", "")))
        record.set_marks(ids[-1], [Mark(int(cell), str(kind), str(text)) for cell, kind, text in node.get("marks", ())])
        extra = [(str(ident), tuple(map(str, values))) for ident, values in node.get("extra", ())]
        record.keep_of_file(ids[-1], extra, map(str, node.get("unread", ())))
    if not ids:
        raise ValueError("it has no first node")
    record.forget_undo()
    return record, ids


def _words(error: BaseException) -> str:
    return f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)
