"""Which settings of a run do not go with its game, with one another or with the net that it starts from.

Games and nets are imported only when needed: the window lists the settings before the kernels are loaded.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from core.checks import a_number, short, wrong
from core.text import Text, text_of

if TYPE_CHECKING:
    from core.games import GameSpec
    from models.netfiles.net_file import NetInfo

_ENTRY: Final = re.compile(
    r"(?P<rows>[0-9]{1,3})(x(?P<cols>[0-9]{1,3}))?"
    r"( komi (?P<komi>-?[0-9]{1,3}(\.[05])?))?( share (?P<share>[0-9]{1,6}(\.[0-9]{1,6})?))?"
)
_MOST: Final = 32  # boards
# What settings must be in games without a use for them.
_USELESS: Final = {
    "net.inputs": "board",
    "net.heads": "dense",
    "self_play.exact_empties": 0,
    "self_play.threat_proofs": False,
}


class PlayedSize(NamedTuple):
    """One board on which a run plays."""

    game: str
    """As load_game takes it."""
    share: float
    """Of the positions made in self-play; those of all boards add up to 1."""


def played_sizes(game: str, sizes: str) -> tuple[PlayedSize, ...]:
    """The boards of a run of ``game``, its own first; ``sizes`` lists them with shares, "" for its own alone.

    ValueError says what is wrong with ``sizes``."""
    from core.games import load_game

    main = load_game(game)
    if not sizes.strip():
        return (PlayedSize(main.text, 1.0),)
    if main.scoring is None:
        raise ValueError(Text("{game} has no points, so its nets are for one size alone", game=main.text))
    words = sizes.lower().split(",")
    if len(words) > _MOST:
        raise ValueError(Text("it lists {count} boards, and at most {most} are allowed", count=len(words), most=_MOST))
    boards: dict[tuple[int, int], tuple[str, float]] = {}
    for word in words:
        entry = _ENTRY.fullmatch(" ".join(word.split()))
        if entry is None:
            raise ValueError(Text("it must be a list as in 7, 9 or in 7 komi 9 share 1, 9 share 3"))
        shape = int(entry["rows"]), int(entry["cols"] or entry["rows"])
        if shape in boards:
            raise ValueError(Text("it lists {rows}×{cols} twice", rows=shape[0], cols=shape[1]))
        komi, share = float(entry["komi"] or main.scoring.komi), float(entry["share"] or 1.0)
        if shape == main.shape and komi != main.scoring.komi:
            raise ValueError(Text("the komi of {game} is a part of the game", game=main.text))
        if not share:
            raise ValueError(Text("a share is 0, and a board that is not played must be left out"))
        boards[shape] = load_game(main.scoring.text(*shape, komi)).text, share
    if main.shape not in boards:
        raise ValueError(Text("it must list the board of {game} as well", game=main.text))
    total = sum(share for _, share in boards.values())
    order = sorted(boards, key=lambda shape: (shape != main.shape, shape))
    return tuple(PlayedSize(boards[shape][0], boards[shape][1] / total) for shape in order)


def sizes_problem(values: Mapping[str, Any]) -> str:
    """Why the setting ``sizes`` does not go with the others; empty when it does."""
    sizes = values["self_play.sizes"]
    if not sizes:
        return ""
    if values["net.inputs"] != "points" or values["net.heads"] != "pooled":
        return Text("only nets with inputs 'points' and heads 'pooled' take boards of several sizes")
    try:
        played_sizes(values["game"], sizes)
    except ValueError as error:
        return text_of(error)
    return ""


def game_problem(text: object) -> str:
    """What is wrong with the game of a run; empty when nothing is."""
    if not isinstance(text, str) or not text:
        return wrong("game", text, Text("a game as load_game takes it, such as connect4"))
    from core.games import load_game

    try:
        load_game(text)
    except ValueError as error:
        return _conflict("game", text, text_of(error))
    return ""


def _conflict(name: str, value: object, why: str) -> Text:
    return Text("{name} is {value}; {why}", name=name, value=short(value), why=why)


def useless_in(game: "GameSpec") -> dict[str, str]:
    """The settings without a use in a game, each with the reason."""
    reasons: dict[str, str] = {}
    if game.scoring is None:
        points = ("net.inputs", "self_play.sizes", "self_play.komi_spread")
        reasons = dict.fromkeys(points, Text("{game} is not decided by points", game=game.text))
    if not game.moves_are_cells:
        reasons["net.heads"] = Text("the moves of {game} are not its cells, so its heads are dense", game=game.text)
    if not most_exact_empties(game):
        reasons["self_play.exact_empties"] = Text("{game} has no quick exact solver of endings", game=game.text)
    if not has_lines(game):
        reasons["self_play.threat_proofs"] = Text("{game} has no lines to make threats with", game=game.text)
    return reasons


def game_conflicts(values: Mapping[str, Any]) -> dict[str, str]:
    """Problems of valid settings with a valid game and with one another, a sentence for each name."""
    from core.games import load_game

    game = load_game(values["game"])
    reasons = useless_in(game)
    conflicts: dict[str, str] = {
        name: _conflict(name.partition(".")[2], values[name], reasons[name])
        for name, neutral in _USELESS.items()
        if name in reasons and values[name] != neutral
    }
    most, empties = most_exact_empties(game), values["self_play.exact_empties"]
    if most and empties > most:
        conflicts["self_play.exact_empties"] = wrong("exact_empties", empties, a_number(0, most, whole=True))
    if message := sizes_problem(values):
        conflicts["self_play.sizes"] = _conflict("sizes", values["self_play.sizes"], message)
    return conflicts


def has_lines(game: "GameSpec") -> bool:
    from core.solve.threats import has_threat_proofs

    return has_threat_proofs(game)


def most_exact_empties(game: "GameSpec") -> int:
    """The most empty cells from which an exact solver can end the games of a run; 0: it has none for them."""
    from core.solve.solver import quick_empties

    return quick_empties(game)


def init_problem(values: Mapping[str, Any]) -> str:
    """The problem with the setting ``init`` together with the others, quoting it; empty when it is valid or not set."""
    text = str(values.get("net.init", ""))
    if not text:
        return ""
    path = Path(text)
    try:
        info = _info(path, path.stat().st_mtime_ns if path.is_file() else 0)
    except (OSError, ValueError) as error:
        return Text("init: {error}", error=text_of(error))
    if info.is_foreign or not info.game:  # imported ones are for any board
        return Text("init is {text!r}; that is not a Plyscope net", text=text)
    shape = values.get("net.blocks"), values.get("net.channels")
    net_shape = info.config.get("blocks"), info.config.get("channels")
    if net_shape != shape:
        return Text(
            "init is {text!r}, a net of {blocks} blocks of {channels} channels; blocks and channels are "
            "{blocks_set} and {channels_set} and must be the same",
            text=text,
            blocks=net_shape[0],
            channels=net_shape[1],
            blocks_set=shape[0],
            channels_set=shape[1],
        )
    return ""


@lru_cache(maxsize=8)
def _info(path: Path, stamp: int) -> "NetInfo":
    """Metadata of a net file; ``stamp``, its modification time, makes the cache read a changed file again."""
    from models.netfiles.net_file import read_net_info

    return read_net_info(path)
