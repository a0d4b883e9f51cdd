"""The running games of self-play, for people to watch: written to ``live.json`` now and then, and read back.

Knows no search and no window.
"""

import json
import os
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from core.files.reading import BadFile, Fields, read_json, short

_MOST_BYTES: Final = 4 << 20
_MOST_GAMES: Final = 64
_MOST_ACTION: Final = 1 << 15
_MOST: Final = 1 << 53
_LEAST_INTERVAL_S: Final = 0.5
_MOST_SHARE: Final = 0.004  # of the time that writing may take


@dataclass(frozen=True)
class LiveGame:
    """One running game.  Values are for the side to move."""

    id: int  # number of the game among all begun by its player
    start: tuple[int, ...]  # random moves it began with
    moves: tuple[int, ...]  # the others
    ply: int
    full: bool  # whether the search in hand is a full one
    temperature: float  # at which its move will be drawn
    value: float | None  # searched so far
    moves_figures: tuple[tuple[int, int, float, float], ...]  # action, visits, Q, prior; most visits first
    resign: str | None  # how near a side is to resigning, in words


class LiveWriter:
    """Writes running games to a file, at most twice a second and rarer where that would cost more than 0.4 %.

    A file that cannot be written is left alone: nobody's training ends for want of an audience.
    """

    def __init__(self, path: Path, most: int = 16) -> None:
        """``most`` games are shown."""
        self.most = most
        self._path = path
        self._temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
        self._due_s = 0.0
        self._asked_s = 0.0

    def due(self) -> bool:
        """Whether it is time to write; ``write`` should follow at once."""
        self._asked_s = time.perf_counter()
        return self._asked_s >= self._due_s

    def write(self, games: Sequence[LiveGame]) -> None:
        """Show ``games``.  Not flushed to the disk: after a crash nobody is watching."""
        text = json.dumps({"games": [asdict(game) for game in games[: self.most]]}, allow_nan=False)
        try:
            self._temporary.write_text(text, encoding="utf-8")
            os.replace(self._temporary, self._path)
        except OSError:
            with suppress(OSError):
                self._temporary.unlink(missing_ok=True)
        now = time.perf_counter()
        self._due_s = now + max(_LEAST_INTERVAL_S, (now - self._asked_s) / _MOST_SHARE)

    def close(self) -> None:
        """No game is running any more."""
        with suppress(OSError):
            self._path.unlink(missing_ok=True)


def read_live(path: Path) -> tuple[LiveGame, ...]:
    """The games last shown; none when the file is missing or torn, and without those that cannot be read."""
    try:
        entries = Fields(read_json(path, _MOST_BYTES)).list("games")
    except (OSError, ValueError):
        return ()
    games = []
    for entry in entries[:_MOST_GAMES]:
        with suppress(BadFile):
            games.append(_game(Fields(entry)))
    return tuple(games)


def _game(entry: Fields) -> LiveGame:
    return LiveGame(
        id=entry.whole("id", 0, _MOST),
        start=entry.wholes("start", 0, _MOST_ACTION),
        moves=entry.wholes("moves", 0, _MOST_ACTION),
        ply=entry.whole("ply", 0, _MOST),
        full=entry.flag("full"),
        temperature=entry.number("temperature", 0.0, 1e6),
        value=entry.number("value", -1.001, 1.001, None),
        moves_figures=tuple(map(_figures, entry.list("moves_figures"))),
        resign=entry.text("resign", None),
    )


def _figures(row: Any) -> tuple[int, int, float, float]:
    if not isinstance(row, list) or len(row) != 4:
        raise BadFile(f"the figures of a move are {short(row)}, and should be four numbers")
    one = Fields(dict(zip(("action", "visits", "q", "prior"), row, strict=True)))
    return (
        one.whole("action", 0, _MOST_ACTION),
        one.whole("visits", 0, _MOST),
        one.number("q", -2.0, 2.0),
        one.number("prior", 0.0, 1.001),
    )
