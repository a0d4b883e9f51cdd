"""Starts outside engines: those of the user's list, and those that a text describes."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

from core.checks import short
from core.games import GameSpec, load_game
from core.text import Text, text_of
from models.engines.engine import Engine, EngineOptions, read_options
from models.engines.engine_list import PROTOCOLS, EngineEntry, find_engine
from models.engines.gomocup_client import GomocupClient
from models.engines.gtp_client import GtpClient
from models.engines.katago_client import KatagoClient
from models.engines.nboard_client import NBoardClient
from models.engines.process import EngineError, Line

CLIENTS: Final[dict[str, Callable[[str, GameSpec, EngineOptions, Path | None, str], Engine]]] = {
    "gtp": GtpClient,
    "katago": KatagoClient,
    "gomocup": GomocupClient,
    "nboard": NBoardClient,
}
LISTED: Final = "engine"


def is_engine(text: str) -> bool:
    """Whether a text describes an outside engine: ``gtp:COMMAND``, ``gomocup,1s:COMMAND`` or ``engine:NAME,1s``."""
    return text.partition(":")[0].split(",")[0].strip() in (*CLIENTS, LISTED) and ":" in text


def open_text(game: GameSpec, text: str, seconds: float | None = None) -> Engine:
    """Start the engine that ``text`` describes for ``game``; ``seconds`` per move unless the text says otherwise.

    EngineError when it cannot be started or cannot play the game, ValueError for options that are none."""
    before, _, after = text.partition(":")
    protocol, *words = (word.strip() for word in before.split(","))
    if protocol == LISTED:
        name, *more = after.split(",")
        entry = find_engine(name)
        options = entry.read_options()
        return open_listed(
            game, entry, read_options([*words, *more], replace(options, seconds=options.seconds or seconds))
        )
    return CLIENTS[protocol](after, game, read_options(words, EngineOptions(seconds)), None, "")


class EngineTrial(NamedTuple):
    """How the test of an engine ended."""

    sentence: str
    """What it played, or what is wrong."""
    dialogue: tuple[Line, ...]
    passed: bool


def try_engine(entry: EngineEntry, game: GameSpec | None = None) -> EngineTrial:
    """Start an engine of the list, ask it for the first move of ``game``, end it; None: a game of its protocol."""
    game = game or load_game(entry.games[0] if entry.games else PROTOCOLS[entry.protocol].test_game)
    options = entry.read_options()
    if options.seconds is None:
        options = replace(options, seconds=1.0)
    try:
        engine = open_listed(game, entry, options)
    except EngineError as error:
        return EngineTrial(text_of(error), error.dialogue, False)
    try:
        move = engine.move(game.initial())
        sentence = (
            Text("{name} plays {game}: it resigns", name=entry.name, game=game.text)
            if move is None
            else Text(
                "{name} plays {game}: its first move is {move}",
                name=entry.name,
                game=game.text,
                move=game.action_name(move),
            )
        )
    except EngineError as error:
        return EngineTrial(text_of(error), tuple(engine.process.dialogue), False)
    finally:
        engine.close()
    return EngineTrial(sentence, tuple(engine.process.dialogue), True)


def open_listed(game: GameSpec, entry: EngineEntry, options: EngineOptions | None = None) -> Engine:
    """Start an engine of the list for ``game``; ``options`` in place of its own."""
    if entry.games and game.name not in entry.games:
        raise EngineError(
            Text(
                "the engine {name} is listed for {games}, not for {game}",
                name=entry.name,
                games=", ".join(entry.games),
                game=short(game.text),
            )
        )
    folder = Path(entry.folder).expanduser() if entry.folder and not entry.host else None
    if folder is not None and not folder.is_dir():
        raise EngineError(
            Text("the folder {folder} of the engine {name} does not exist", folder=short(str(folder)), name=entry.name)
        )
    engine = CLIENTS[entry.protocol](entry.command_line(), game, options or entry.read_options(), folder, entry.name)
    engine.name = entry.name  # whatever it calls itself
    return engine
