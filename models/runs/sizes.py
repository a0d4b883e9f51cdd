"""The setting ``sizes``: the boards of a game on which one run plays.

Games are imported only when needed, as in models.runs.game_conflicts.
"""

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from core.checks import short
from core.text import Text, text_of

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
    found: dict[tuple[int, int], tuple[str, float]] = {}
    for word in words:
        entry = _ENTRY.fullmatch(" ".join(word.split()))
        if entry is None:
            raise ValueError(Text("it must be a list as in 7, 9 or in 7 komi 9 share 1, 9 share 3"))
        shape = int(entry["rows"]), int(entry["cols"] or entry["rows"])
        if shape in found:
            raise ValueError(Text("it lists {rows}×{cols} twice", rows=shape[0], cols=shape[1]))
        komi, share = float(entry["komi"] or main.scoring.komi), float(entry["share"] or 1.0)
        if shape == main.shape and komi != main.scoring.komi:
            raise ValueError(Text("the komi of {game} is a part of the game", game=main.text))
        if not share:
            raise ValueError(Text("a share is 0, and a board that is not played must be left out"))
        found[shape] = load_game(main.scoring.text(*shape, komi)).text, share
    if main.shape not in found:
        raise ValueError(Text("it must list the board of {game} as well", game=main.text))
    total = sum(share for _, share in found.values())
    order = sorted(found, key=lambda shape: (shape != main.shape, shape))
    return tuple(PlayedSize(found[shape][0], found[shape][1] / total) for shape in order)


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
