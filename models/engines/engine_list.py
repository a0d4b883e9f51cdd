"""The user's list of outside engines, kept in one file."""

import json
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from core.checks import short
from core.files.atomic import write_atomically
from core.files.reading import BadFile, Fields, parse_json, read_bytes
from core.games.catalog import GAMES
from core.machine import data_home
from core.ssh import program_over_ssh
from core.text import Text
from models.engines.engine import EngineOptions, read_options
from models.engines.process import split_command


class Protocol(NamedTuple):
    """A protocol that engines speak; its client is in :data:`models.engines.opening.CLIENTS`."""

    title: Text
    test_game: str
    """What the test of an engine plays where no game is named."""


PROTOCOLS: Final = {
    "gtp": Protocol(Text("GTP: Go and other boards of points (KataGo, GNU Go, Leela Zero)"), "go(size=9)"),
    "katago": Protocol(Text("KataGo's analysis engine: Go (katago analysis)"), "go(size=9)"),
    "gomocup": Protocol(Text("Gomocup: five in a row (Rapfi, Yixin, Piskvork's engines)"), "gomoku"),
    "nboard": Protocol(Text("NBoard: Othello (NTest, edax)"), "othello"),
}
MOST_ENGINES: Final = 200
LONGEST: Final = 4096  # characters of a command or folder
_MOST_BYTES: Final = 4 << 20
_NAME: Final = re.compile(r"[\w.+-][\w .+-]{0,59}")


@dataclass(frozen=True)
class EngineEntry:
    """One engine of the list; ValueError for values that cannot be used."""

    name: str
    protocol: str
    """One of PROTOCOLS."""
    command: str
    """The program and its options, as a shell would split them."""
    folder: str = ""
    """Where it is started, on its machine; "": the current folder."""
    games: tuple[str, ...] = ()
    """Names of the games that it may play; (): all that its protocol allows."""
    options: str = ""
    """As ``read_options`` takes them, with commas between."""
    host: str = ""
    """The machine that it runs on, as ``core.ssh.program_over_ssh`` takes it; "": this one."""

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise ValueError(
                Text(
                    "{name} is no name for an engine; it must have 1 to 60 letters, digits, spaces, or . + - _",
                    name=short(self.name),
                )
            )
        if self.protocol not in PROTOCOLS:
            raise ValueError(
                Text(
                    "{protocol} is no protocol; it must be one of {protocols}",
                    protocol=short(self.protocol),
                    protocols=", ".join(PROTOCOLS),
                )
            )
        if max(len(self.command), len(self.folder), len(self.options), len(self.host)) > LONGEST:
            raise ValueError(f"the command, folder and options of an engine have at most {LONGEST} characters each")
        for game in self.games:
            if game not in GAMES:
                names = ", ".join(GAMES)
                raise ValueError(Text("{game} is no name of a game; there are {names}", game=short(game), names=names))
        self.command_line()
        self.read_options()

    def command_line(self) -> str:
        """The command with which it is started here: its own, or that of ssh; ValueError as of the entry."""
        words = split_command(self.command)
        return shlex.join(program_over_ssh(self.host, words, self.folder)) if self.host else self.command

    def read_options(self) -> EngineOptions:
        """The options by name."""
        return read_options([word for word in self.options.split(",") if word.strip()])


def engines_file() -> Path:
    """The file of the list."""
    return data_home() / "plyscope" / "engines.json"


def read_engines() -> tuple[EngineEntry, ...]:
    """The list of engines, empty without a file; BadFile for a file that is none, OSError when it cannot be read."""
    path = engines_file()
    try:
        data = read_bytes(path, _MOST_BYTES)
    except FileNotFoundError:
        return ()
    try:
        entries = Fields(parse_json(data)).list("engines")
        if len(entries) > MOST_ENGINES:
            raise BadFile(f"it has more than {MOST_ENGINES} engines")
        return tuple(map(_read, entries))
    except ValueError as error:
        raise BadFile(Text("{file} is no list of engines: {reason}", file=short(str(path)), reason=error)) from None


def _read(value: Any) -> EngineEntry:
    fields = Fields(value, "an engine")
    games = fields.list("games", [])
    if not all(isinstance(game, str) and len(game) <= LONGEST for game in games):
        raise BadFile(f"games is {short(games)}; it must be a list of names")
    texts = {name: fields.text(name, "") for name in ("folder", "options", "host")}
    needed = {name: fields.text(name) for name in ("name", "protocol", "command")}
    return EngineEntry(**needed, **texts, games=tuple(games))


def write_engines(engines: Sequence[EngineEntry]) -> None:
    """Write the list; ValueError for too many or two of one name, OSError when it cannot be written."""
    if len(engines) > MOST_ENGINES:
        raise ValueError(f"a list of engines has at most {MOST_ENGINES}")
    names = [engine.name for engine in engines]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(Text("there are two engines with the name {name}", name=short(name)))
    value = {"engines": [{**vars(engine), "games": list(engine.games)} for engine in engines]}
    text = json.dumps(value, ensure_ascii=False, indent=1)
    write_atomically(engines_file(), (text + "\n").encode("utf-8"))


def find_engine(name: str) -> EngineEntry:
    """The engine of that name, in any case; ValueError when there is none."""
    engines = read_engines()
    for engine in engines:
        if engine.name.casefold() == name.strip().casefold():
            return engine
    if not engines:
        raise ValueError("the list of engines is empty; add one in the window or with plyscope engines add")
    names = ", ".join(engine.name for engine in engines)
    raise ValueError(f"{short(name)} is no engine of the list; there are {names}")
