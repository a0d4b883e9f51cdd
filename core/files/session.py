"""Session files: games with their records, search settings and searches with their trees.

A zip with ``session.json``, and under ``searches/`` each tree in the format of ``core.files.tree_file``.  Damaged parts
are reported and left out; the rest is opened.
"""

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from core.checks import short
from core.files.arrays import BadFile, Unpacked, as_json, pack
from core.files.atomic import write_atomically
from core.files.reading import Fields, read_bytes, whole_numbers
from core.files.record import ROOT, GameRecord, Mark, Setup
from core.files.texts import settings_from, start_from, start_json
from core.files.tree_file import StoredTree, load_tree
from core.search import SearchSettings
from core.text import Text, text_of

FORMAT: Final = "plyscope session"
VERSION: Final = 1
SUFFIX: Final = ".plyscope"
MAX_FILE_BYTES: Final = 8 << 30
MAX_POSITIONS: Final = 200_000  # of all games together
MAX_GAMES: Final = 1000
MAX_TREES: Final = 1000
MAX_NAME: Final = 100  # letters of a game's name
MAX_SELECTED: Final = 1000  # moves of the selected path
MAX_IN_MEMORY: Final = 2 << 30  # bytes of trees
MAX_ERRORS: Final = 100

_INDEX: Final = "session.json"
_MOST_LIMIT: Final = 1 << 31
_MOST_SEED: Final = (1 << 63) - 1


@dataclass(frozen=True)
class SavedGame:
    """One game of a session: its record, the node shown, and the settings of its search."""

    record: GameRecord
    cursor: int = ROOT  # a node of the record
    settings: SearchSettings | None = None
    source: str = ""  # a net's file, "uniform", or "" for rollouts
    limit: int = 0  # simulations for each new position; 0: not given
    searches: tuple[StoredTree, ...] = ()
    name: str = ""  # given by the user, on one line
    seed: int = 0  # of its search
    selected: tuple[int, ...] = ()  # path below the node shown
    profile: str = ""  # the players that the net of ``source`` imitates, where it is a human net
    human: str = ""  # the file of the human net beside it; "" for none
    human_profile: str = ""  # the players that this one imitates


@dataclass(frozen=True)
class Session:
    """The open games of a window."""

    games: tuple[SavedGame, ...]
    current: int = 0
    extra: dict[str, Any] = field(default_factory=dict)  # JSON values for the window


@dataclass(frozen=True)
class TreeRoom:
    """Where the trees of a file go: so many bytes stay in memory, those beyond go to temporary files in ``folder``."""

    memory: int = MAX_IN_MEMORY
    folder: Path | None = None  # None: the trees beyond are left out


@dataclass(frozen=True)
class LoadedSession:
    """A session that was read, and a sentence for every part that was left out."""

    session: Session
    errors: tuple[str, ...]


def save_session(path: Path, session: Session) -> None:
    """Write a session file atomically.  Raises OSError."""
    write_atomically(path, dump_session(session))


def open_session(path: Path, room: TreeRoom = TreeRoom()) -> LoadedSession:
    """Read a session file.  Raises OSError, and BadFile (a ValueError) when nothing of it can be opened."""
    try:
        return load_session(read_bytes(path, MAX_FILE_BYTES), room)
    except BadFile as error:
        raise BadFile(Text("{file} cannot be opened: {error}", file=path.name, error=text_of(error))) from None


def dump_session(session: Session) -> bytes:
    """The bytes of a session file."""
    members: dict[str, Any] = {}
    games = []
    for game in session.games:
        names = []
        for search in game.searches:
            names.append(f"searches/{len(members)}.npz")
            members[names[-1]] = search.packed()
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
        "name": game.name,
        "seed": game.seed,
        "selected": list(game.selected),
        "profile": game.profile,
        "human": game.human,
        "human_profile": game.human_profile,
    }


def _node_json(record: GameRecord, node: int, order: dict[int, int]) -> dict[str, Any]:
    n = record.node(node)
    out: dict[str, Any] = {}
    if node != ROOT:
        out = {"after": order[n.parent]}
        if n.setup is None:
            out["move"] = record.game.action_name(n.action)
        else:
            out["setup"] = {"stones": [*map(list, n.setup.stones.items())], "to_move": n.setup.to_move}
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


class _Reading:
    """The file being read: what was left out of it, and what is left of its limits."""

    def __init__(self, data: bytes, room: TreeRoom) -> None:
        self.archive = Unpacked(data)
        self.errors: list[str] = []
        self.positions, self.trees = MAX_POSITIONS, MAX_TREES
        self._memory, self._folder = room.memory, room.folder

    def tree(self, name: str) -> StoredTree:
        """Read a tree; BadFile when it is not valid or has no room."""
        packed = self.archive.raw(name)
        tree = StoredTree(load_tree(packed, self.archive))
        if tree.memory <= self._memory:
            self._memory -= tree.memory
            return tree
        full = Text("it takes {size} MB of memory, more than there is room for", size=tree.memory >> 20)
        if self._folder is None:
            raise BadFile(full)
        try:
            tree.put_away(self._folder, packed)
        except OSError as error:
            raise BadFile(Text("{full}, and {error}", full=full, error=text_of(error))) from None
        return tree


def load_session(data: bytes, room: TreeRoom = TreeRoom()) -> LoadedSession:
    """Read a session from the bytes of a file.  BadFile when nothing of it can be opened."""
    reading = _Reading(data, room)
    archive, errors = reading.archive, reading.errors
    if _INDEX not in archive.names():
        raise BadFile(f"it is no session: it has no {_INDEX}")
    index = archive.json(_INDEX)
    if not isinstance(index, dict) or index.get("format") != FORMAT or not isinstance(index.get("games"), list):
        raise BadFile(f"it is no session: its {_INDEX} does not say {FORMAT!r}")
    if index.get("version") != VERSION:
        raise BadFile(
            Text(
                "it is of format {version}, and this program reads format {readable}",
                version=short(index.get("version")),
                readable=VERSION,
            )
        )
    games: list[SavedGame] = []
    place: dict[int, int] = {}
    if len(index["games"]) > MAX_GAMES:
        errors.append(
            Text(
                "it has {games} games, of which the first {most} are read",
                games=len(index["games"]),
                most=MAX_GAMES,
            )
        )
    for i, value in enumerate(index["games"][:MAX_GAMES]):
        try:
            games.append(_game(reading, Fields(value, "it"), Text("game {number}", number=i + 1)))
            place[i] = len(games) - 1
        except ValueError as error:
            errors.append(Text("game {number} is left out: {error}", number=i + 1, error=text_of(error)))
    if index["games"] and not games:
        raise BadFile(errors[-1])
    current, extra = index.get("current"), index.get("extra")
    chosen = place.get(current, 0) if isinstance(current, int) else 0
    if len(errors) > MAX_ERRORS:
        errors[MAX_ERRORS:] = [Text("and {more} more of the kind", more=len(errors) - MAX_ERRORS)]
    session = Session(tuple(games), chosen, extra if isinstance(extra, dict) else {})
    return LoadedSession(session, tuple(errors))


def _game(reading: _Reading, value: Fields, where: str) -> SavedGame:
    errors = reading.errors
    record, ids = _record(value, where, reading)
    settings = None
    try:
        if value.values.get("settings") is not None:
            settings = settings_from(value.values["settings"])
    except ValueError as error:
        errors.append(Text("{where}: its search settings are left out: {error}", where=where, error=text_of(error)))
    searches = []
    names = list(dict.fromkeys(map(str, value.list("searches", []))))  # each once, however often it is listed
    for name in names[: reading.trees]:
        try:
            search = reading.tree(name)
            if search.position.game != record.game:
                raise BadFile(Text("it is of {game}", game=search.position.game.text))
            searches.append(search)
        except (BadFile, MemoryError) as error:
            why = text_of(error) if isinstance(error, BadFile) else Text("there is not enough memory for it")
            errors.append(Text("{where}: its search {name} is left out: {why}", where=where, name=short(name), why=why))
    if len(names) > reading.trees:
        errors.append(
            Text("{where}: of all trees the first {most} are read, and it has more", where=where, most=MAX_TREES)
        )
    reading.trees = max(0, reading.trees - len(names))
    try:
        cursor = ids[value.whole("cursor", 0, len(ids) - 1, 0)]
    except ValueError as error:
        errors.append(Text("{where}: the move that was shown is not in it: {error}", where=where, error=text_of(error)))
        cursor = ROOT
    return SavedGame(
        record,
        cursor,
        settings,
        value.text("source", ""),
        value.whole("limit", 0, _MOST_LIMIT, 0),
        tuple(searches),
        one_line(value.text("name", "")),
        value.whole("seed", 0, _MOST_SEED, 0),
        _selected(record, cursor, value, where, errors),
        value.text("profile", ""),
        value.text("human", ""),
        value.text("human_profile", ""),
    )


def one_line(name: str) -> str:
    """A name without line breaks and characters that cannot be seen, of at most ``MAX_NAME`` letters."""
    letters = (letter for letter in " ".join(name[: 10 * MAX_NAME].split()) if letter.isprintable())
    return "".join(letters)[:MAX_NAME].strip()


def _selected(record: GameRecord, cursor: int, value: Fields, where: str, errors: list[str]) -> tuple[int, ...]:
    try:
        path = value.wholes("selected", 0, record.game.num_actions - 1, ())[:MAX_SELECTED]
        position = record.position(cursor)
        for action in path:
            position = position.play(action)
    except ValueError as error:
        errors.append(Text("{where}: the selected moves are left out: {error}", where=where, error=text_of(error)))
        return ()
    return path


def _record(value: Fields, where: str, reading: _Reading) -> tuple[GameRecord, list[int]]:
    """Read a record: (record, id of each node in the file's order)."""
    info = value.object("info", {})
    record = GameRecord(start_from(value), {key: info.text(key) for key in info.values})
    ids: list[int] = []
    nodes = value.list("nodes")
    if not nodes:
        raise ValueError("it has no first node")
    most = max(1, reading.positions)
    reading.positions -= len(nodes)
    if len(nodes) > most:
        reading.errors.append(
            Text(
                "{where} has {moves} moves, of which the first {most} are read",
                where=where,
                moves=len(nodes),
                most=most,
            )
        )
    for i, entry in enumerate(nodes[:most]):
        node = Fields(entry, f"node {i}")
        if i == 0:
            ids.append(ROOT)
        else:
            try:
                above = ids[node.whole("after", 0, i - 1)]
            except BadFile as error:
                raise BadFile(f"node {i}: {text_of(error)}") from None
            ids.append(_read_step(record, above, node))
        if node.values.keys() - {"after", "move", "setup"}:
            _read_notes(record, ids[-1], node)
    record.forget_undo()
    return record, ids


def _read_step(record: GameRecord, above: int, value: Fields) -> int:
    """Play the move of a node, or set up its stones, after ``above``."""
    if "setup" not in value.values:
        return record.play(above, record.game.parse_action(value.text("move")))
    setup = value.object("setup")
    stones: dict[int, int] = {}
    for pair in setup.list("stones"):
        if not isinstance(pair, list) or len(pair) != 2:
            raise ValueError(f"the stone {short(pair)} is no cell with a colour")
        (cell,) = whole_numbers(pair[:1], 0, record.game.num_cells - 1, "a stone's cell")
        (stones[cell],) = whole_numbers(pair[1:], 0, 2, "a stone's colour")
    return record.set_up(above, Setup.of(stones, record.game.num_cells, setup.whole("to_move", 0, 1)))


def _read_notes(record: GameRecord, node: int, value: Fields) -> None:
    """Read name, comment, marks and kept properties of a node."""
    record.set_name(node, value.text("name", ""))
    record.set_comment(node, value.text("comment", ""))
    marks = []
    for mark in value.list("marks", []):
        if not isinstance(mark, list) or len(mark) != 3 or not all(isinstance(word, str) for word in mark[1:]):
            raise ValueError(f"the mark {short(mark)} is no cell with a kind and a text")
        (cell,) = whole_numbers(mark[:1], 0, 1 << 15, "a mark")
        marks.append(Mark(cell, mark[1], mark[2]))
    record.set_marks(node, marks)
    extra = []
    for entry in value.list("extra", []):
        if not isinstance(entry, list) or len(entry) != 2 or not isinstance(entry[1], list):
            raise ValueError(f"the property {short(entry)} is no name with values")
        extra.append((str(entry[0]), tuple(map(str, entry[1]))))
    record.keep_of_file(node, extra, map(str, value.list("unread", [])))
