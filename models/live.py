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

LIVE: Final = "live.json"

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
    """The games last shown; none when the file is missing, torn or of another form."""
    try:
        return tuple(_game(entry) for entry in json.loads(path.read_text(encoding="utf-8"))["games"])
    except (OSError, ValueError, KeyError, TypeError):
        return ()


def _game(entry: dict[str, Any]) -> LiveGame:
    value, resign = entry["value"], entry["resign"]
    return LiveGame(
        id=int(entry["id"]),
        start=tuple(int(action) for action in entry["start"]),
        moves=tuple(int(action) for action in entry["moves"]),
        ply=int(entry["ply"]),
        full=bool(entry["full"]),
        temperature=float(entry["temperature"]),
        value=None if value is None else float(value),
        moves_figures=tuple((int(a), int(n), float(q), float(p)) for a, n, q, p in entry["moves_figures"]),
        resign=None if resign is None else str(resign),
    )
