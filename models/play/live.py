"""Live display of running self-play games: written to ``live.json`` at intervals, and read back."""

import json
import os
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from core.checks import short
from core.files.reading import BadFile, Fields, read_json
from core.text import texts_back, with_texts

_MOST_BYTES: Final = 4 << 20
_MOST_GAMES: Final = 64
_MOST_ACTION: Final = 1 << 15
_MOST: Final = 1 << 53
_LEAST_INTERVAL_S: Final = 0.5
_MOST_SHARE: Final = 0.004  # of the time, for writing


@dataclass(frozen=True)
class LiveGame:
    """One running game.  Values are for the side to move."""

    id: int  # number of the game among all begun by its player
    start: tuple[int, ...]  # moves of the random opening
    moves: tuple[int, ...]  # searched moves
    ply: int
    full: bool  # whether the running search is a full one
    temperature: float  # for sampling the next move
    value: float | None  # of the running search
    moves_figures: tuple[tuple[int, int, float, float], ...]  # action, visits, Q, prior; most visits first
    resign: str | None  # how close a side is to resigning, as text


class LiveWriter:
    """Writes running games to a file, at most twice a second and less often where that would cost more than 0.4 %.

    Write errors are ignored: the live display is optional.
    """

    def __init__(self, path: Path, most: int = 16) -> None:
        """``most``: number of games written."""
        self.most = most
        self._path = path
        self._temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
        self._due_s = 0.0
        self._asked_s = 0.0

    def due(self) -> bool:
        """Whether it is time to write; if so, call ``write`` at once."""
        self._asked_s = time.perf_counter()
        return self._asked_s >= self._due_s

    def write(self, games: Sequence[LiveGame]) -> None:
        """Write ``games``, without fsync: the file is not needed after a crash."""
        entries = [with_texts(asdict(game)) for game in games[: self.most]]
        text = json.dumps({"games": entries}, allow_nan=False)
        try:
            self._temporary.write_text(text, encoding="utf-8")
            os.replace(self._temporary, self._path)
        except OSError:
            with suppress(OSError):
                self._temporary.unlink(missing_ok=True)
        now = time.perf_counter()
        self._due_s = now + max(_LEAST_INTERVAL_S, (now - self._asked_s) / _MOST_SHARE)

    def close(self) -> None:
        """Remove the file."""
        with suppress(OSError):
            self._path.unlink(missing_ok=True)


def read_live(path: Path) -> tuple[LiveGame, ...]:
    """Read the games last written; none when the file is missing or damaged; damaged entries are skipped."""
    try:
        entries = Fields(read_json(path, _MOST_BYTES)).list("games")
    except (OSError, ValueError):
        return ()
    games = []
    for entry in entries[:_MOST_GAMES]:
        with suppress(BadFile):
            games.append(_game(Fields(texts_back(Fields(entry).values))))
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
    fields = Fields(dict(zip(("action", "visits", "q", "prior"), row, strict=True)))
    return (
        fields.whole("action", 0, _MOST_ACTION),
        fields.whole("visits", 0, _MOST),
        fields.number("q", -2.0, 2.0),
        fields.number("prior", 0.0, 1.001),
    )
