"""Which settings of a run do not go with its game, with one another or with the net that it starts from.

Games and nets are imported only when needed: the window lists the settings before the kernels are loaded.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from core.checks import short
from core.text import Text, text_of

if TYPE_CHECKING:
    from core.games import GameSpec
    from models.netfiles.net_file import NetInfo

_ENTRY: Final = re.compile(
    r"(?P<rows>[0-9]{1,3})(x(?P<cols>[0-9]{1,3}))?"
    r"( komi (?P<komi>-?[0-9]{1,3}(\.[05])?))?( share (?P<share>[0-9]{1,6}(\.[0-9]{1,6})?))?"
)
_MOST: Final = 32  # boards


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
    """The problem with the setting ``sizes`` together with the others, quoting it; empty when it is valid."""
    sizes = values["self_play.sizes"]
    if not sizes:
        return ""
    if values["net.inputs"] != "points" or values["net.heads"] != "pooled":
        why: str = Text("only nets with inputs 'points' and heads 'pooled' take boards of several sizes")
    else:
        try:
            played_sizes(values["game"], sizes)
            return ""
        except ValueError as error:
            why = text_of(error)
    return Text("sizes is {sizes}; {why}", sizes=short(sizes), why=why)


def game_problem(text: object) -> str:
    """What is wrong with the game of a run; empty when nothing is."""
    if not isinstance(text, str) or not text:
        return Text("game is {text}; it must be a game as load_game takes it, such as connect4", text=short(text))
    from core.games import load_game

    try:
        load_game(text)
    except ValueError as error:
        return Text("game is {text}; {error}", text=short(text), error=text_of(error))
    return ""


def game_conflicts(values: Mapping[str, Any]) -> dict[str, str]:
    """Problems of valid settings with a valid game and with one another, a sentence for each name."""
    from core.games import load_game

    text, game = values["game"], load_game(values["game"])
    wrong: dict[str, str] = {}
    if values["self_play.threat_proofs"] and not has_lines(game):
        wrong["self_play.threat_proofs"] = Text(
            "threat_proofs is True; {game} has no lines to make threats with, so it must be False", game=text
        )
    most = most_exact_empties(game)
    if values["self_play.exact_empties"] and not most:
        wrong["self_play.exact_empties"] = Text(
            "exact_empties is {value}; {game} has no quick exact solver of endings, so it must be 0",
            value=values["self_play.exact_empties"],
            game=text,
        )
    elif values["self_play.exact_empties"] > most:
        wrong["self_play.exact_empties"] = Text(
            "exact_empties is {value}; it must be a whole number from 0 to {most} in {game}",
            value=values["self_play.exact_empties"],
            game=text,
            most=most,
        )
    if message := sizes_problem(values):
        wrong["self_play.sizes"] = message
    if values["net.inputs"] == "points" and game.scoring is None:
        wrong["net.inputs"] = Text("inputs is 'points'; {game} has no points, so it must be board", game=text)
    if values["net.heads"] == "pooled" and not game.moves_are_cells:
        wrong["net.heads"] = Text(
            "heads is 'pooled'; the moves of {game} are not its cells, so it must be dense", game=text
        )
    return wrong


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
