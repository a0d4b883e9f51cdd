"""Documents as files have them: games, sessions and trees are read, sessions are written, in any thread.

A tree is saved with a digest of its net, so that it is used again only with the same net.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from core.files import GAME_SUFFIXES
from core.files.reading import open_plain
from core.text import Text, Words, text_of
from gui.language.core_words import game_title
from gui.language.language import tr
from gui.model import sources
from gui.model.document import Document, TraceFaults
from gui.model.shown import ROOT, Shown

if TYPE_CHECKING:
    from core.files.record import GameRecord
    from core.files.session import SavedGame, TreeRoom
    from core.files.sgf import SgfFile
    from core.files.tree_file import SavedSearch

SGF, SESSION, TREE, TRACE = ".sgf", ".plyscope", ".npz", ".trace"
_CLIPBOARD: Final = Text("The game in the clipboard")
_LINTED: Final = 10_000  # simulations of a trace: some seconds
_NOTED: Final = 3  # of its faults in the message
_LARGEST_NET: Final = 4 << 30  # bytes; an ONNX file has at most 2 GiB
_PLAYERS: Final = "players"  # key of a session's extra values
# And of the digests of the net of the game shown, and of the nets of all games.
_NET_DIGEST, _NET_DIGESTS = "net_sha256", "nets_sha256"


@dataclass(eq=False)
class Bundle:
    """Documents that are opened together: those of a file, or those that were closed at once."""

    documents: tuple[Document, ...]
    current: int = 0  # place of the one that is shown
    notes: Sequence[str] = ()  # remarks about the file, shown to the user
    players: Any = None  # the players as JSON values; None: unchanged
    place: int | None = None  # among the open ones, where it was closed beside others
    is_plain: bool = False  # whether the file has nothing of a search: the present net is kept while it fits

    @property
    def document(self) -> Document:
        """The one that is shown."""
        return self.documents[self.current]

    @property
    def unsaved(self) -> bool:
        """Whether one of them has changes that are in no file."""
        return any(document.unsaved for document in self.documents)

    @property
    def moves(self) -> int:
        """Moves of the game that is shown, with its variations."""
        assert self.document.record is not None
        return len(self.document.record) - 1

    @property
    def title(self) -> str:
        """The title of the game that is shown."""
        assert self.document.record is not None
        return game_title(self.document.record.game)

    @property
    def words(self) -> str:
        """The message such as "Connect Four, 12 moves: that game is kept."."""
        others = len(self.documents) - 1
        moves = tr("{moves} moves", self.moves).format(moves=self.moves)
        words = tr("{game}, {moves}: that game is kept.")
        if others:
            words = tr("{game}, {moves}, and the games of {others} more trees: they are kept.", others)
        return words.format(game=self.title, moves=moves, others=others)


def digest_of(source: str) -> str | None:
    """Return the digest of a net's file, given as in files; "" without a net, None for a device or a huge file."""
    if source in ("", sources.UNIFORM):
        return ""
    try:
        with open_plain(Path(source)) as file:
            if os.fstat(file.fileno()).st_size > _LARGEST_NET:
                return None
            return hashlib.file_digest(file, "sha256").hexdigest()
    except (OSError, ValueError):
        return None


# sessions


def dump_games(games: Sequence[SavedGame], place: int, players: Any) -> bytes:
    """Return a session's bytes.  Digests of the nets are saved with the trees."""
    from core.files.session import Session, dump_session

    extra = {_PLAYERS: players}
    if any(game.searches for game in games):
        digests = [digest_of(game.source) if game.searches else None for game in games]
        extra |= {_NET_DIGEST: digests[place], _NET_DIGESTS: digests}
    return dump_session(Session(tuple(games), place, extra))


def read_session(path: Path, room: TreeRoom | None = None) -> Bundle:
    """Read a session file; ``room``: for its trees.  ValueError or OSError when it cannot be read."""
    from core.files.session import TreeRoom, open_session
    from core.files.tree_file import StoredTree

    loaded = open_session(path, TreeRoom() if room is None else room)
    session, notes = loaded.session, list(loaded.errors)
    if not session.games:
        raise ValueError(Text("{name} contains no game", name=path.name))
    digests = session.extra.get(_NET_DIGESTS)
    if not isinstance(digests, list) or len(digests) != len(session.games):  # an older file, or a part is left out
        digests = [None] * len(session.games)
        digests[session.current] = session.extra.get(_NET_DIGEST)
    documents = [_document_of(game, digest, notes) for game, digest in zip(session.games, digests, strict=True)]
    bundle = Bundle(tuple(documents), session.current, notes, session.extra.get(_PLAYERS))
    if bundle.document.tree is not None:
        bundle.document.tree = StoredTree(bundle.document.tree.search())  # in memory, as it is shown at once
    return bundle


def _document_of(game: SavedGame, digest: object, notes: list[str]) -> Document:
    """Return a game of a session as a document; what is left out is noted."""
    try:
        source = sources.source_from(game.source, game.profile)
    except ValueError as error:
        source = sources.default_source(game.record.game)
        instead = sources.source_title(source)
        notes.append(Text("{error}; {source} takes its place", error=text_of(error), source=instead))
    shown = Shown.of(game.record, game.cursor, game.selected)
    tree = next((tree for tree in game.searches if tree.position == shown.position), None)
    if tree is not None and (digest is None or digest_of(sources.source_text(source)) != digest):
        tree = None
        notes.append(Text("the session's tree is left out: the net that valued it is not there or has changed since"))
    only = () if tree is None else tree.only
    human = None
    try:
        human = sources.human_source(Path(game.human), game.human_profile) if game.human else None
    except ValueError as error:
        notes.append(Text("the human net is left out: {error}", error=text_of(error)))
    return Document(shown, source, game.settings, game.limit, only, game.seed, game.name, tree=tree, human=human)


# games and trees


def read_file(path: Path, present: Document, room: TreeRoom, net: Path | None = None) -> Bundle:
    """Read the file of a game, a session or a tree; ``net`` searches it, if it fits.

    ``present`` is the document shown; the trees of a session are kept in ``room``.  ValueError says in one sentence why
    the file cannot be opened.
    """
    try:
        bundle = READERS.get(path.suffix.lower(), _read_game)(path, present, room)
    except OSError as error:
        raise unopened(path, error) from error
    return bundle if net is None else _with_net(bundle, net)


def unopened(path: Path, error: OSError) -> ValueError:
    """Return the sentence for a file that the system does not open."""
    why = error.strerror or error
    return ValueError(Text("{path!r} cannot be opened: {strerror}", path=str(path), strerror=why))


def plain(record: GameRecord, node: int, present: Document, notes: Sequence[str] = ()) -> Bundle:
    """Return a game that says nothing of its search, at a node; it is searched as ``present`` if it can."""
    source = sources.source_for(record.game, present.source)
    return Bundle((Document(Shown.of(record, node), source, limit=0),), notes=notes, is_plain=True)


def pasted_game(text: str, present: Document) -> Bundle:
    """Read a game of the clipboard."""
    from core.files.game_files import read_games

    return _first_game(partial(read_games, text.strip(), "", _game(present), 1), _CLIPBOARD, present)


def _read_game(path: Path, present: Document, room: TreeRoom) -> Bundle:
    from core.files.game_files import read_game_file

    return _first_game(partial(read_game_file, path, _game(present), 1), path.name, present)


def _game(document: Document) -> Any:
    return None if document.position is None else document.position.game


def _first_game(read: Callable[[], SgfFile], name: str, present: Document) -> Bundle:
    try:
        file = read()
    except ValueError as error:
        raise ValueError(Text("{file} cannot be opened: {error}", file=name, error=text_of(error))) from error
    if not file.records:
        raise ValueError(
            Text("{file} cannot be opened: {error}", file=name, error=file.errors[-1])
        )  # errors before the last did not stop the reading
    notes, more = [], len(file.errors) - 1
    if file.games > 1:
        notes.append(Text("{file}: the first of {count} games", file=name, count=file.games))
    if file.errors:
        words: Words = "{file}: {error} (and {more} more)" if more else "{file}: {error}"
        notes.append(Text(words, file=name, error=file.errors[0], more=more))
    return plain(file.records[0], ROOT, present, notes)


def _read_tree(path: Path) -> Bundle:
    """Read the file of a search with its tree."""
    from core.files.tree_file import open_tree

    return Bundle((_searched(open_tree(path)),))


def read_trace(path: Path, linted: bool = True, seed: int = 0) -> Bundle:
    """Read the trace of another program's search as its tree, which goes on with a seed.

    ``linted``: with the faults that its first simulations show."""
    from core.files.trace_file import open_trace
    from core.files.trace_tree import tree_of
    from core.glass.lint import lint
    from core.glass.lint_report import marks, sentence_of
    from core.glass.trace import Simulation

    trace = open_trace(path)
    search, notes = tree_of(trace)
    search = replace(search, seed=seed)
    findings, document = lint(trace, _LINTED) if linted else (), _searched(search)
    params = search.settings.params(search.position.game.num_cells)
    turns = marks(findings, search.state.tree, search.state.root_changes, params)
    document.limit = document.simulations  # what is shown is that search, until it is told to go on
    document.faults = TraceFaults(
        turns, search.position, search.settings, search.seed, document.simulations, trace.program, path.name
    )
    notes = (*notes, *map(sentence_of, findings[:_NOTED]))
    simulations = sum(isinstance(event, Simulation) for event in trace.events)
    if linted and simulations > _LINTED:
        words: Words = "the first {count} of {all} simulations are checked for faults; “plyscope lint” checks all"
        notes = (*notes, Text(words, count=_LINTED, all=simulations))
    return Bundle((document,), notes=notes)


def _searched(search: SavedSearch) -> Document:
    from core.files.record import GameRecord
    from core.files.tree_file import StoredTree

    record, tree = GameRecord.of(search.position), StoredTree(search)
    shown = Shown.of(record, record.main_line()[-1])
    source = sources.source_from(search.source)
    return Document(shown, source, search.settings, 0, tree.only, search.seed, tree=tree)


# Suffix of a file -> what reads it, given the document shown and the room for trees; games have the others, too.
READERS: Final[dict[str, Callable[[Path, Document, TreeRoom], Bundle]]] = {
    **dict.fromkeys(GAME_SUFFIXES, _read_game),
    SESSION: lambda path, _, room: read_session(path, room),
    TREE: lambda path, *_: _read_tree(path),
    TRACE: lambda path, *_: read_trace(path),
}


def _with_net(bundle: Bundle, net: Path) -> Bundle:
    """Return a bundle with a net for the game shown; why it cannot be used becomes a note."""
    from models.netfiles.opened import is_for, net_info

    document = bundle.document
    assert document.record is not None
    game = document.record.game
    try:
        info = net_info(net)
        if is_for(info, game):
            document.source, document.tree, bundle.is_plain = sources.net_source(net), None, False
            return bundle
        why: str = Text("{net} is no net for {game}", net=net.name, game=game.title)
        if info.is_foreign:
            why = Text("{net} does not say its game.", net=net.name)
    except ValueError as error:
        why = text_of(error)
    bundle.notes = [*bundle.notes, why]
    return bundle
