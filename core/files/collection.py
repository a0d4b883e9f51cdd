"""Lists the games of a folder, an archive or a file of many games, and opens one of them.

A list shows of each game the players, the result and the main line as cells, read without the rules, as there may be
thousands.  A game that is opened is read again with the rules.
"""

import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

import numpy as np

from core.checks import short
from core.files import GAME_SUFFIXES, go_servers, psq, sgf_text, wthor
from core.files.game_files import MAX_BYTES, Beside, kind_of, names_beside, nothing_beside, read_games
from core.files.reading import BadFile, open_plain, read_bytes
from core.files.record import ROOT, GameRecord
from core.files.sgf import INFO
from core.files.sgf_meaning import (
    COLOURS,
    SETUP,
    BadPoint,
    Unreadable,
    find_game,
    play_openings,
    point,
    read_point,
    read_stones,
)
from core.files.sgf_text import SgfTree, unescape
from core.games import GameSpec, load_game
from core.games.spec import PASS
from core.text import Text, text_of

UNKNOWN: Final = -1  # a player that the file does not name
PASSED: Final = -1  # in place of a cell
_SHOWN: Final = ("black", "white", "date", "result", "event")
_MOST_TEXT: Final = 100  # characters of a name
_ERRORS: Final = lambda _: None  # noqa: E731  faults are told when the game is opened
ARCHIVE: Final = ".zip"
MOST_FILES: Final = 100_000
MOST_GAMES: Final = 300_000
MOST_MEMBERS_BYTES: Final = 1 << 30  # of all files of an archive, unpacked

Progress = Callable[[int, int], object]
"""Called with the files that were read and their number."""


class Outline(NamedTuple):
    """One game of a file: what a list shows of it, and its moves."""

    number: int
    """Of the game in its file, from 1."""
    game: GameSpec | None
    info: Mapping[str, str]
    moves: tuple[tuple[int, int], ...] = ()
    """(player or UNKNOWN, cell or PASSED)"""
    is_plain: bool = True
    """Whether the game begins at its first position and no stones are set up on the way."""
    fault: str = ""
    """Why it cannot be opened."""


def outlines(data: bytes, name: str, hint: GameSpec | None = None, beside: Beside = nothing_beside) -> list[Outline]:
    """The games of a file; one with a fault where it cannot be read."""
    try:
        kind = kind_of(data, name)
        if kind == ".psq":
            game, info, points, _ = psq.parse(data)
            return [Outline(1, game, info, tuple((i % 2, cell) for i, cell in enumerate(points)))]
        if kind == ".wtb":
            return _of_wthor(wthor.read_wtb(data, *names_beside(beside)))
        if kind in go_servers.READERS:
            return [_of_tree(1, go_servers.read_tree(data, kind, _ERRORS), hint)]
        if kind != ".sgf":
            file = read_games(data, name, hint)
            return [_of_record(number, record) for number, record in zip(file.numbers, file.records, strict=True)]
        text = sgf_text.decode(data, _ERRORS)
        trees = sgf_text.parse(text, _ERRORS)
        return [_of_tree(number, tree, hint) for number, tree in enumerate(trees, 1)] or [_fault("no game")]
    except ValueError as error:
        return [_fault(text_of(error))]


def _fault(sentence: str) -> Outline:
    return Outline(1, None, {}, fault=sentence)


def _of_wthor(games: list[wthor.WthorGame]) -> list[Outline]:
    spec = load_game(wthor.GAME)
    return [
        Outline(
            number,
            spec,
            {"black": g.black, "white": g.white, "event": g.tournament, "date": str(g.year), "result": g.result},
            tuple((UNKNOWN, cell) for cell in g.cells),
        )
        for number, g in enumerate(games, 1)
    ]


def _of_record(number: int, record: GameRecord) -> Outline:
    game, walk = record.game, record.start.to_move
    moves = []
    for node in record.main_line()[1:]:
        action = record.node(node).action
        moves.append((walk, action if action < game.num_cells else PASSED))
        walk = 1 - walk
    plain = record.start == game.initial() and all(record.node(node).setup is None for node in record.main_line())
    return Outline(number, game, {**record.info, "result": record.outcome()}, tuple(moves), plain)


@lru_cache(maxsize=16)
def _cells(shape: tuple[int, int]) -> dict[str, int]:
    """Point -> cell of a board [H, W]."""
    return {point(cell, shape[1]): cell for cell in range(shape[0] * shape[1])}


def _of_tree(number: int, tree: SgfTree, hint: GameSpec | None) -> Outline:
    play_openings(tree)
    root = tree[ROOT].properties
    info = {key: unescape(root[INFO[key]][0][:_MOST_TEXT], one_line=True) for key in _SHOWN if INFO[key] in root}
    try:
        game = find_game(tree, hint, _ERRORS)
    except Unreadable as error:
        return Outline(number, None, info, fault=text_of(error))
    moves: list[tuple[int, int]] = []
    plain = True
    cells, fallen = _cells(game.shape), [0] * game.shape[1]
    at = 0
    while True:
        properties = tree[at].properties
        if at == 0 and not properties.keys().isdisjoint(SETUP):
            plain = _is_start(properties, game)
        for ident in properties:
            if ident in COLOURS:
                raw = properties[ident][0]
                cell = cells.get(raw)
                if cell is None:
                    cell = _cell(raw, game)
                if game.gravity and cell is not None and cell != PASSED:
                    column = cell % game.shape[1]
                    fallen[column] += 1
                    cell = (game.shape[0] - fallen[column]) * game.shape[1] + column
                if cell is None or cell < PASSED:
                    return Outline(number, game, info, tuple(moves), plain)
                moves.append((COLOURS.index(ident), cell))
            elif at and ident in SETUP:
                plain = False
        if not tree[at].children:
            return Outline(number, game, info, tuple(moves), plain and "HA" not in root)
        at = tree[at].children[0]


def _is_start(properties: Mapping[str, list[str]], game: GameSpec) -> bool:
    """Whether a root sets up what the game begins with anyway, as edax does."""
    cells = np.zeros(game.num_cells, np.int8)
    for cell, stone in read_stones(properties, game, _ERRORS).items():
        cells[cell] = stone
    first = game.initial()
    mover = properties.get("PL", ["B"])[0].strip()[:1].upper()
    return mover == COLOURS[first.to_move] and bool((cells == first.cells().ravel()).all())


def _cell(raw: str, game: GameSpec) -> int | None:
    """The cell of a move's value, PASSED; None for what is neither."""
    word = raw.strip()
    if not word:
        return PASSED
    try:
        return read_point(word, game.shape)
    except BadPoint:
        pass
    try:
        action = game.parse_action(word)
    except ValueError:
        return PASSED if word == "tt" and PASS in game.action_names else None
    return action if action < game.num_cells else PASSED


class Listed(NamedTuple):
    """One game of a collection: where it is, and its outline."""

    path: Path
    member: str
    """The file in an archive; "" for a file on the disk."""
    outline: Outline

    @property
    def name(self) -> str:
        """The file's name."""
        return self.member or self.path.name


class Collection(NamedTuple):
    """The games of a place, and sentences on what was left out."""

    places: tuple[Path, ...]
    games: tuple[Listed, ...]
    notes: tuple[str, ...] = ()


def list_games(
    places: Sequence[Path],
    hint: GameSpec | None = None,
    progress: Progress = lambda done, of: None,
    stop: Callable[[], bool] = lambda: False,
) -> Collection:
    """The games of folders with their folders, archives and files; what was read when ``stop`` is true.

    ValueError or OSError when a place itself cannot be read.
    """
    notes: list[str] = []
    games: list[Listed] = []
    for path, member, data in (file for place in places for file in _files(place, notes, progress, stop)):
        beside = _beside(path, member)
        games += [Listed(path, member, outline) for outline in outlines(data, member or path.name, hint, beside)]
        if len(games) > MOST_GAMES:
            notes.append(Text("only the first {most} games are listed", most=MOST_GAMES))
            break
    return Collection(tuple(places), tuple(games[:MOST_GAMES]), tuple(notes))


def open_listed(listed: Listed, hint: GameSpec | None = None) -> tuple[GameRecord, tuple[str, ...]]:
    """The record of a listed game, and what is wrong with it; ValueError or OSError when it cannot be read."""
    data = _member(listed.path, listed.member) if listed.member else read_bytes(listed.path, MAX_BYTES)
    number = listed.outline.number
    file = read_games(data, listed.name, hint, None, _beside(listed.path, listed.member), number)
    if not file.records:
        raise BadFile(file.errors[-1] if file.errors else f"it has no game {number}")
    return file.records[0], file.errors


def _files(
    root: Path, notes: list[str], progress: Progress, stop: Callable[[], bool]
) -> Iterator[tuple[Path, str, bytes]]:
    """(path, name in an archive or "", content) of every game file."""
    if root.is_dir():
        every = (path for path in root.rglob("*") if path.suffix.lower() in GAME_SUFFIXES and path.is_file())
        paths = [path for path, _ in zip(every, range(MOST_FILES + 1), strict=False)]
        if len(paths) > MOST_FILES:
            notes.append(Text("only the first {most} files are read", most=MOST_FILES))
        paths = sorted(paths[:MOST_FILES])
        for done, path in enumerate(paths):
            if stop():
                return
            progress(done, len(paths))
            try:
                yield path, "", read_bytes(path, MAX_BYTES)
            except (ValueError, OSError) as error:
                notes.append(Text("{file}: {error}", file=path.name, error=str(error)))
    elif root.suffix.lower() == ARCHIVE:
        yield from _unpacked(root, notes, progress, stop)
    else:
        yield root, "", read_bytes(root, MAX_BYTES)


def _unpacked(
    root: Path, notes: list[str], progress: Progress, stop: Callable[[], bool]
) -> Iterator[tuple[Path, str, bytes]]:
    room = MOST_MEMBERS_BYTES
    with open_plain(root) as file, _archive(file, root) as archive:
        members = [
            entry for entry in archive.infolist() if PurePosixPath(entry.filename).suffix.lower() in GAME_SUFFIXES
        ]
        if len(members) > MOST_FILES:
            notes.append(Text("only the first {most} files are read", most=MOST_FILES))
        for done, member in enumerate(members[:MOST_FILES]):
            if stop():
                return
            progress(done, min(len(members), MOST_FILES))
            try:
                data = _unpack(archive, member.filename)
            except ValueError as error:
                notes.append(Text("{file}: {error}", file=member.filename[-80:], error=str(error)))
                continue
            room -= len(data)
            if room < 0:
                notes.append(f"the archive is larger than {MOST_MEMBERS_BYTES} bytes when unpacked")
                return
            yield root, member.filename, data


def _archive(file: object, path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(file)  # type: ignore[call-overload, no-any-return]
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, RuntimeError, OverflowError):
        raise BadFile(Text("{file} is no archive", file=short(path.name))) from None


def _unpack(archive: zipfile.ZipFile, name: str) -> bytes:
    """The content of a file in an archive; BadFile when it cannot be read or is too large."""
    try:
        with archive.open(name) as file:
            data = file.read(MAX_BYTES + 1)
    except Exception as error:  # zipfile raises a dozen kinds for damaged archives
        raise BadFile(f"it cannot be unpacked: {short(str(error))}") from None
    if len(data) > MAX_BYTES:
        raise BadFile(f"it has more than {MAX_BYTES} bytes")
    return data


def _member(path: Path, name: str) -> bytes:
    with open_plain(path) as file, _archive(file, path) as archive:
        return _unpack(archive, name)


def _beside(path: Path, member: str) -> Callable[[str], bytes | None]:
    """What reads another file of the same folder or archive by its name."""

    def beside(name: str) -> bytes | None:
        try:
            if not member:
                named = next((file for file in path.parent.iterdir() if file.name.lower() == name), None)
                return None if named is None else read_bytes(named, MAX_BYTES)
            with open_plain(path) as file, _archive(file, path) as archive:
                folder = PurePosixPath(member).parent
                for other in archive.namelist():
                    if PurePosixPath(other).parent == folder and PurePosixPath(other).name.lower() == name:
                        return _unpack(archive, other)
        except (OSError, ValueError):
            pass
        return None

    return beside
