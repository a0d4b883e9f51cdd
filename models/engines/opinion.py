"""What an outside engine says of a position, and how the lines of each protocol are read.

The figures are the engine's own, not those of a search of ours; values and leads are for the side to move.
"""

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from core.checks import is_number
from core.files.reading import Fields
from core.games import GameSpec, IllegalMove, Position

MOST_ROWS: Final = 400
LONGEST_PV: Final = 60
_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,15}(?:\.[0-9]{0,15})?(?:e[+-]?[0-9]{1,3})?", re.ASCII | re.IGNORECASE)

Read = Callable[[GameSpec, str], int | None]
"""The action that a word means, None when it is no move."""


@dataclass(frozen=True)
class OpinionRow:
    """One move as the engine sees it; NaN, -1 and "" where it says nothing."""

    action: int
    pv: tuple[int, ...]
    """Legal moves from the position on, ``action`` first."""
    visits: int = -1
    """Or nodes below the move, where the engine counts those."""
    value: float = math.nan
    """From -1 to 1."""
    lead: float = math.nan
    """Points, or discs."""
    prior: float = math.nan
    evaluation: str = ""
    """In units of its own."""
    depth: str = ""


@dataclass(frozen=True)
class Opinion:
    """The moves that an engine names at a position, its best first."""

    position: Position
    rows: tuple[OpinionRow, ...]


def number(word: str) -> float:
    """The number that a word is, else NaN."""
    return float(word) if _NUMBER.fullmatch(word) else math.nan


def legal_line(position: Position, words: list[str], read: Read) -> tuple[int, ...]:
    """The moves of ``words``, up to the first that is none or not legal."""
    line: list[int] = []
    for word in words[:LONGEST_PV]:
        action = read(position.game, word)
        if action is None or position.is_over:
            break
        try:
            position = position.play(action)
        except IllegalMove:
            break
        line.append(action)
    return tuple(line)


# GTP: lz-analyze and kata-analyze.

_KEYS: Final = ("move", "visits", "winrate", "scoreLead", "prior", "order", "pv")
_SEVERAL: Final = ("pv", "pvVisits", "pvEdgeVisits", "ownership", "ownershipStdev", "movesOwnership")


def read_gtp_line(position: Position, line: str, read: Read, scale: float, flip: bool = False) -> Opinion | None:
    """The opinion that a line of ``info move … info move …`` gives, None for another line.

    ``scale``: the win rate of a won game, 1 for KataGo, 10 000 for Leela Zero; ``flip``: win rates and leads are
    those of the other side."""
    if not line.startswith("info "):
        return None
    rows: list[tuple[float, OpinionRow]] = []
    sign = -1.0 if flip else 1.0
    for part in re.split(r"(?:^|\s)info\s+", line.partition(" rootInfo ")[0])[: MOST_ROWS + 1]:
        fields = _fields(part)
        move, pv = fields.get("move", []), legal_line(position, fields.get("pv", []), read)
        if not move or not pv or read(position.game, move[0]) != pv[0]:
            pv = legal_line(position, move, read)
        if not pv:
            continue
        first = {key: number(values[0]) for key, values in fields.items() if values}
        win = first.get("winrate", math.nan) / scale
        prior = first.get("prior", math.nan)
        visits = first.get("visits", -1.0)
        row = OpinionRow(
            pv[0],
            pv,
            int(visits) if 0 <= visits < 1e15 else -1,
            sign * (2.0 * win - 1.0) if 0.0 <= win <= 1.0 else math.nan,
            sign * first.get("scoreLead", math.nan),
            prior / (scale if scale > 1 else 1.0),
        )
        rows.append((first.get("order", float(len(rows))), row))
    rows.sort(key=lambda pair: pair[0] if pair[0] == pair[0] else math.inf)
    return Opinion(position, tuple(row for _, row in rows)) if rows else None


def _fields(part: str) -> dict[str, list[str]]:
    """Key -> its values; a key that has several takes all words up to the next key."""
    fields: dict[str, list[str]] = {}
    words: Iterator[str] = iter(part.split())
    key = ""
    for word in words:
        if word in _KEYS or word in _SEVERAL or (key not in _SEVERAL and word[:1].isalpha()):
            key = word
            fields.setdefault(key, [])
            if key not in _SEVERAL:
                fields[key] = [value] if (value := next(words, "")) else []
        elif key in _SEVERAL:
            fields[key].append(word)
    return fields


# KataGo's analysis engine: an object of JSON.


def read_katago(position: Position, answer: Fields, read: Read) -> Opinion | None:
    """The opinion that an answer gives, with win rates for the side to move; None when it names no move."""
    infos = answer.values.get("moveInfos")
    rows: list[tuple[float, OpinionRow]] = []
    for info in infos[:MOST_ROWS] if isinstance(infos, list) else []:
        values = info if isinstance(info, dict) else {}
        words = values.get("pv")
        line = [word for word in words[:LONGEST_PV] if isinstance(word, str)] if isinstance(words, list) else []
        pv = legal_line(position, line, read)
        move = values.get("move")
        if isinstance(move, str) and (not pv or read(position.game, move) != pv[0]):
            pv = legal_line(position, [move], read)
        if not pv:
            continue
        win, visits = _figure(values, "winrate"), _figure(values, "visits")
        row = OpinionRow(
            pv[0],
            pv,
            int(visits) if visits >= 0.0 else -1,
            2.0 * win - 1.0 if 0.0 <= win <= 1.0 else math.nan,
            _figure(values, "scoreLead"),
            _figure(values, "prior"),
        )
        rows.append((_figure(values, "order"), row))
    rows.sort(key=lambda pair: math.inf if math.isnan(pair[0]) else pair[0])
    return Opinion(position, tuple(row for _, row in rows)) if rows else None


def _figure(values: dict[str, Any], name: str) -> float:
    value: Any = values.get(name, math.nan)
    return float(value) if is_number(value, -1e15, 1e15) else math.nan


# Gomocup: the lines INFO of Rapfi and Yixin.


class InfoReader:
    """Collects the lines ``INFO KEY VALUE`` of one search, a block for each line of play."""

    def __init__(self, position: Position, read: Read) -> None:
        self._position, self._read = position, read
        self._fields: dict[str, str] = {}
        self._rows: dict[int, OpinionRow] = {}

    def take(self, line: str) -> Opinion | None:
        """The opinion after ``line`` when that ends a block, else None."""
        word, _, rest = line.partition(" ")
        key, _, value = rest.partition(" ")
        if word.upper() != "INFO":
            return None
        key, value = key.upper(), value.strip()
        if key != "PV":
            if len(self._fields) < MOST_ROWS:
                self._fields[key] = value
            return None
        if value.upper() != "DONE":
            self._fields = {"PV": value}
            return None
        return self._end_block()

    def _end_block(self) -> Opinion | None:
        fields, self._fields = self._fields, {}
        place = number(fields.get("PV", ""))
        pv = legal_line(self._position, fields.get("BESTLINE", "").split(), self._read)
        if not pv or not 0 <= place < MOST_ROWS:
            return None
        win, nodes = number(fields.get("WINRATE", "")), number(fields.get("NODES", ""))
        depth = fields.get("DEPTH", fields.get("SELDEPTH", ""))[:20]
        # A move may have changed its place since the last depth.
        self._rows = {other: row for other, row in self._rows.items() if row.action != pv[0]}
        self._rows[int(place)] = OpinionRow(
            pv[0],
            pv,
            int(nodes) if nodes >= 0 else -1,
            2.0 * win - 1.0 if 0.0 <= win <= 1.0 else math.nan,
            evaluation=fields.get("EVAL", "")[:20],
            depth=depth,
        )
        return Opinion(self._position, tuple(self._rows[place] for place in sorted(self._rows)))


# NBoard: the lines of hint.


class HintReader:
    """Collects the lines ``search PV EVAL 0 DEPTH`` and ``book …`` of one hint."""

    def __init__(self, position: Position, read: Read) -> None:
        self._position, self._read = position, read
        self._rows: dict[int, OpinionRow] = {}  # by action

    def take(self, line: str) -> Opinion | None:
        """The opinion after ``line`` when it is one of a move, else None."""
        words = line.split()
        if len(words) < 3 or words[0] not in ("search", "book"):
            return None
        moves = re.findall(r"[A-Za-z][0-9]|[Pp][Aa](?:[Ss][Ss])?", words[1])
        pv = legal_line(self._position, moves, self._read)
        if not pv:
            return None
        lead = number(words[2].partition(",")[0])
        depth = words[4][:20] if len(words) > 4 else ""
        self._rows[pv[0]] = OpinionRow(
            pv[0], pv, lead=lead, evaluation=words[2][:20], depth="book" if words[0] == "book" else depth
        )
        rows = sorted(self._rows.values(), key=lambda row: -row.lead if row.lead == row.lead else math.inf)
        return Opinion(self._position, tuple(rows[:MOST_ROWS]))
