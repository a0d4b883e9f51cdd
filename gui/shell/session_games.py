"""Games of session files: as they are opened, as they are saved, and the files of both.

A tree is saved with a digest of its net, so that it is used again only with the same net.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from core.files.reading import open_plain
from core.text import Text, text_of
from gui.language.language import mark
from gui.model import sources

if TYPE_CHECKING:
    from core.engine import EvaluatorSource
    from core.files.record import GameRecord
    from core.files.session import SavedGame, TreeRoom
    from core.files.tree_file import SavedSearch, StoredTree
    from core.search import SearchSettings
    from gui.model.record import PathOf
    from gui.model.state import Searched

_LARGEST_NET: Final = 4 << 30  # bytes; an ONNX file has at most 2 GiB
PLAYERS: Final = "players"  # key of a session's extra values
# And of the digests of the net of the game shown, and of the nets of all games.
_NET_DIGEST, _NET_DIGESTS = "net_sha256", "nets_sha256"


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
    selected: PathOf = ()  # below ``node``
    seed: int | None = None  # of the search; None: unchanged
    name: str = ""  # of its tree in the list of open trees
    tree: StoredTree | None = None  # the tree, unless it is the game to be shown
    others: tuple[GameToOpen, ...] = ()  # the other open trees of the session
    place: int = 0  # of this one among them
    unsaved: bool = False  # whether no file of the user's has it


@dataclass(frozen=True)
class GameToSave:
    """A game of the session, with what valued its tree."""

    game: SavedGame
    source: EvaluatorSource | None


def saved_game(searched: Searched, name: str, seed: int, searches: tuple[StoredTree, ...] = ()) -> SavedGame:
    """Return a game as it is saved, with a copy of its record."""
    from core.files.session import SavedGame

    shown, source = searched.shown, sources.source_text(searched.source)
    assert shown.record is not None
    record, rest = shown.record.copy(), (name, seed, shown.selected)
    return SavedGame(record, shown.node, searched.settings, source, searched.limit, searches, *rest)


def dump_games(games: list[GameToSave], place: int, extra: dict[str, Any], tree: SavedSearch | None = None) -> bytes:
    """Return a session's bytes; trees are saved with digests of their nets, to check later that they are the same."""
    from core.files.session import Session, dump_session
    from core.files.tree_file import StoredTree

    if tree is not None:
        shown = games[place]
        games[place] = replace(shown, game=replace(shown.game, searches=(StoredTree(tree),)))
    digests = [digest_of(one.source) if one.game.searches else None for one in games]
    if any(one.game.searches for one in games):
        extra = {**extra, _NET_DIGEST: digests[place], _NET_DIGESTS: digests}
    return dump_session(Session(tuple(one.game for one in games), place, extra))


def digest_of(source: EvaluatorSource | None) -> str | None:
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


def read_session(path: Path, room: TreeRoom | None = None) -> GameToOpen:
    """Read a session file, in any thread; ``room``: for its trees.  ValueError or OSError when it cannot be read."""
    from core.files.session import TreeRoom, open_session

    loaded = open_session(path, TreeRoom() if room is None else room)
    session, notes = loaded.session, list(loaded.errors)
    if not session.games:
        raise ValueError(Text("{name} contains no game", name=path.name))
    digests = session.extra.get(_NET_DIGESTS)
    if not isinstance(digests, list) or len(digests) != len(session.games):  # an older file, or a part is left out
        digests = [None] * len(session.games)
        digests[session.current] = session.extra.get(_NET_DIGEST)
    games = [_game_of(game, digest, notes) for game, digest in zip(session.games, digests, strict=True)]
    found = games.pop(session.current)
    found.notes, found.others, found.place = notes, tuple(games), session.current
    found.players = session.extra.get(PLAYERS)
    if found.tree is not None:
        found.search, found.tree = found.tree.search(), None
    return found


def _game_of(game: SavedGame, digest: object, notes: list[str]) -> GameToOpen:
    """Return a game of a session as it is opened; what is left out is noted."""
    found = GameToOpen(game.record, game.cursor, has_source=True, settings=game.settings, limit=game.limit)
    found.name, found.seed, found.selected = game.name, game.seed, game.selected
    try:
        found.source = sources.source_from(game.source)
    except ValueError as error:
        found.source = sources.default_source(game.record.game)
        instead = sources.source_title(found.source)
        notes.append(Text("{error}; {source} takes its place", error=text_of(error), source=instead))
    here = game.record.position(game.cursor)
    found.tree = next((tree for tree in game.searches if tree.position == here), None)
    if found.tree is not None and (digest is None or digest_of(found.source) != digest):
        found.tree = None
        notes.append(mark("the session's tree is left out: the net that valued it is not there or has changed since"))
    return found
