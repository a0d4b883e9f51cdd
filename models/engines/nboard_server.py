"""Plays and analyses Othello under NBoard: what ``plyscope nboard`` answers.

Protocol: see :mod:`models.engines.nboard_client`.  Evaluations are 100 times the value for the side to move, not discs:
+100 is a won game.  The depth that NBoard sets is not used, as the limit of a search here is simulations or time.
"""

import contextlib
import re
import time
from collections.abc import Callable
from typing import Final, TextIO

from core.checks import short
from core.engine.evaluator import Evaluator
from core.engine.search import Search
from core.files.ggf import read_ggf
from core.files.reading import BadFile, in_short
from core.games import GameSpec, Position
from core.glass.snapshot import MoveRow
from core.search.settings import Limit
from models.engines.nboard_client import check_game, ggf_move, read_ggf_move
from models.engines.our_engine import Dialogue, Options, Thinker, in_slices

REPORT_S: Final = 0.5  # between reports of a hint
SLACK_S: Final = 0.1  # of the clock, for the way to NBoard
LEAST_S: Final = 0.02
LONGEST_PV: Final = 12
_URGENT: Final = ("ping", "quit")
_CLOCK: Final = re.compile(r"(?:(\d{1,2}):)?(\d{1,3}):(\d{2}(?:\.\d{1,3})?)")
_USED: Final = re.compile(r"[;\]]\s*([BW])\[[^\]/]*/[^\]/]*/(\d{1,6}(?:\.\d{1,6})?)", re.ASCII)


class NBoardServer:
    """Reads commands and writes answers until ``quit`` or the end of the input.

    ``load`` gives the evaluator for a game, None for random games; it raises ValueError when a board cannot be had.
    """

    def __init__(
        self, game: GameSpec, load: Callable[[GameSpec], Evaluator | None], options: Options, output: TextIO
    ) -> None:
        """``game``: Othello of the first board; EngineError for another game."""
        check_game(game)
        self._load, self._options = load, options
        self._position = game.initial()
        self._thinker = Thinker(load(game), options)
        self._clock_s: float | None = None  # seconds on the clock of the side to move
        self._dialogue = Dialogue(output, lambda line: line.partition(" ")[0] in _URGENT)
        self._commands: dict[str, Callable[[str], None]] = {
            "nboard": lambda _: self._write("set myname Plyscope"),
            "set": self._set,
            "move": self._move,
            "hint": self._hint,
            "go": lambda _: self._go(),
            "ping": lambda rest: self._write(f"pong {rest}"),
            "learn": lambda _: self._write("learned"),
        }

    def run(self, source: TextIO) -> None:
        """Carry out the commands of ``source``; those not known are passed over, as the protocol says."""
        with contextlib.suppress(OSError):  # of the output: NBoard is gone
            for line in self._dialogue.lines(source):
                word, _, rest = line.partition(" ")
                if word == "quit":
                    return
                carry = self._commands.get(word)
                if carry is not None:
                    try:
                        carry(rest.strip())
                    except ValueError as error:
                        self._write(f"status {in_short(str(error))}")

    def _write(self, text: str) -> None:
        self._dialogue.write(f"{text}\n")

    # The game.

    def _set(self, rest: str) -> None:
        name, _, value = rest.partition(" ")
        if name != "game":
            return
        file = read_ggf(value.encode(), most=1)
        if not file.records or file.errors:
            raise BadFile(f"the game cannot be used: {'; '.join(file.errors[:1])}")
        record = file.records[0]
        position = record.position(record.main_line()[-1])
        check_game(position.game)
        if position.game != self._position.game:
            self._thinker = Thinker(self._load(position.game), self._options)
        self._position = position
        self._clock_s = _time_left(value, position.to_move)

    def _move(self, rest: str) -> None:
        word = rest.partition("/")[0].strip()
        action = read_ggf_move(self._position.game, word)
        if action is None:
            raise BadFile(f"{short(word)} is no move of {self._position.game.text}")
        self._position = self._position.play(action)
        self._clock_s = None  # whose clock it was is not known any more

    # Searching.

    def _go(self) -> None:
        if self._position.is_over:
            raise BadFile("the game is over")
        self._write("status thinking")
        began = time.monotonic()
        search = self._thinker.at(self._position)
        action = self._thinker.think(search, self._limit(), lambda: self._dialogue.ended)
        seconds = time.monotonic() - began
        snapshot = search.snapshot()
        self._write("status")
        score = _score(snapshot.value, snapshot.root.most_discs)
        self._write(f"=== {ggf_move(self._position.game, action)}/{score}/{seconds:.2f}")

    def _limit(self) -> Limit:
        limit = self._options.limit
        if self._clock_s is None:
            return limit
        turns = 1 + int((self._position.cells() == 0).sum()) // 2
        seconds = max(LEAST_S, (self._clock_s - SLACK_S) / turns)
        return Limit(limit.simulations, min(seconds, limit.seconds or seconds))

    def _hint(self, rest: str) -> None:
        if self._position.is_over:
            raise BadFile("the game is over")
        most = int(rest) if re.fullmatch("[0-9]{1,3}", rest, re.ASCII) else 1
        self._write("status analysing")
        search, limit = self._thinker.at(self._position), self._options.limit
        reported = time.monotonic()
        for _ in in_slices(search, limit, lambda: self._dialogue.ended):
            if time.monotonic() - reported >= REPORT_S:
                reported = time.monotonic()
                self._report(search, most)
        self._report(search, most)
        self._write("status")

    def _report(self, search: Search, most: int) -> None:
        """A line for each of the ``most`` best moves with a visit."""
        snapshot = search.snapshot()
        best = sorted(snapshot.moves, key=lambda row: row.action != snapshot.best)
        for row in [row for row in best if row.visits][: max(1, most)]:
            self._write(_hint_line(self._position, row))
        self._write(f"nodestats {snapshot.simulations} {snapshot.counters.elapsed_s:.2f}")


def _hint_line(position: Position, row: MoveRow) -> str:
    moves = "".join(ggf_move(position.game, action) for action in row.pv[:LONGEST_PV])
    solved = "100%" if row.discs is not None else "100%W"
    depth = solved if row.proof else str(len(row.pv))
    return f"search {moves} {_score(row.q, row.discs)} 0 {depth}"


def _score(value: float, discs: int | None) -> str:
    """Discs ahead at the end where they are known exactly, else hundredths of a win."""
    return f"{100 * value if discs is None else discs:.2f}"


def _time_left(text: str, player: int) -> float | None:
    """Seconds on the clock of a player after the moves of a game of GGF; None when it has no clock."""
    stated = re.search(rf"T{'BW'[player]}\[([^\]]*)\]", text) or re.search(r"TI\[([^\]]*)\]", text)
    clock = _CLOCK.match(stated[1].strip()) if stated is not None else None
    if clock is None:
        return None
    whole = 3600.0 * int(clock[1] or 0) + 60.0 * int(clock[2]) + float(clock[3])
    return whole - sum(float(seconds) for side, seconds in _USED.findall(text) if side == "BW"[player])
