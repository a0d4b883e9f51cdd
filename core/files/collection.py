"""Lists the games of a folder, an archive or a file of many games, and opens one of them."""

import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

from core.checks import short
from core.files.game_files import MAX_BYTES, SUFFIXES, read_games
from core.files.outline import Outline, outlines
from core.files.reading import BadFile, open_plain, read_bytes
from core.files.record import GameRecord
from core.games import GameSpec
from core.text import Text

ARCHIVE: Final = ".zip"
MOST_FILES: Final = 100_000
MOST_GAMES: Final = 300_000
MOST_MEMBERS_BYTES: Final = 1 << 30  # of all files of an archive, unpacked

Progress = Callable[[int, int], object]
"""Called with the files that were read and their number."""


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
    found: list[Listed] = []
    for path, member, data in (one for place in places for one in _files(place, notes, progress, stop)):
        beside = _beside(path, member)
        found += [Listed(path, member, one) for one in outlines(data, member or path.name, hint, beside)]
        if len(found) > MOST_GAMES:
            notes.append(Text("only the first {most} games are listed", most=MOST_GAMES))
            break
    return Collection(tuple(places), tuple(found[:MOST_GAMES]), tuple(notes))


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
        every = (one for one in root.rglob("*") if one.suffix.lower() in SUFFIXES and one.is_file())
        paths = [one for one, _ in zip(every, range(MOST_FILES + 1), strict=False)]
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
        members = [one for one in archive.infolist() if PurePosixPath(one.filename).suffix.lower() in SUFFIXES]
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
                found = next((one for one in path.parent.iterdir() if one.name.lower() == name), None)
                return None if found is None else read_bytes(found, MAX_BYTES)
            with open_plain(path) as file, _archive(file, path) as archive:
                folder = PurePosixPath(member).parent
                for other in archive.namelist():
                    if PurePosixPath(other).parent == folder and PurePosixPath(other).name.lower() == name:
                        return _unpack(archive, other)
        except (OSError, ValueError):
            pass
        return None

    return beside
