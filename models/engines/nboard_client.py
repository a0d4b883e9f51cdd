"""An outside engine that speaks the NBoard protocol, as a player of Othello.

Protocol: C. Welty, *NBoard Protocol*, version 2 (2014).  The game goes to the engine as GGF before every move.
"""

import re
import time
from collections.abc import Callable, Iterator
from typing import Final

from core.checks import short
from core.games import GameSpec, Position
from core.games.spec import PASS
from core.text import Text
from models.engines.engine import EngineClient, legal_move
from models.engines.opinion import HintReader, Opinion
from models.engines.process import LOOK_S, EngineError, unplayable

VERSION: Final = 2
START_S: Final = 60.0  # for tables to be loaded
DEPTH: Final = 26  # of a search that time limits
PLAIN_DEPTH: Final = 8  # where nothing else limits it
FIRST_DEPTHS: Final = (8, 14, 20)  # of an analysis, before the depth that is set
GM: Final = 2  # Othello's number in SGF
ROWS: Final = 10  # of an analysis
_DISCS: Final = "-*O"  # empty, black, white
_MOVE: Final = re.compile(r"===\s*([A-Za-z]+[0-9]{0,2})", re.ASCII)


def check_game(game: GameSpec) -> None:
    """EngineError for a game that the protocol does not know."""
    if game.sgf is None or game.sgf.number != GM or PASS not in game.action_names:
        raise unplayable(game.text, "the NBoard protocol", "Othello")


def ggf_move(game: GameSpec, action: int) -> str:
    """A move as GGF writes it: ``F5``, or ``PA`` for a pass."""
    name = game.action_name(action)
    return "PA" if name == PASS else name.upper()


def read_ggf_move(game: GameSpec, word: str) -> int | None:
    """The action of a move of GGF; None for a word that is none."""
    name = PASS if word[:2].upper() == "PA" else word.lower()
    return game.action_names.index(name) if name in game.action_names else None


def write_ggf(position: Position, seconds: float = 0.0) -> str:
    """The game that led to ``position`` as one line of GGF, with ``seconds`` on each clock (0: no clock)."""
    game, start = position.game, position.start
    size = game.shape[0]
    board = "".join(_DISCS[stone] for stone in start.cells().ravel().tolist())
    minutes, seconds_left = divmod(round(seconds), 60)
    clock = f"TI[{minutes}:{seconds_left:02d}]" if seconds else ""
    moves = "".join(
        f"{'BW'[(start.to_move + ply) % 2]}[{ggf_move(game, action)}]" for ply, action in enumerate(position.moves)
    )
    return (
        f"(;GM[Othello]PC[Plyscope]PB[Black]PW[White]RE[?]{clock}TY[{size}]"
        f"BO[{size} {board} {_DISCS[1 + start.to_move]}]{moves};)"
    )


class NBoardClient(EngineClient):
    """An engine in a process of its own, which is shown each position with the game that led to it."""

    _pings = 0
    _depth_set = 0

    def _check(self, game: GameSpec) -> None:
        check_game(game)

    def _begin(self) -> None:
        self._process.send(f"nboard {VERSION}")
        self._set_depth(self._depth)
        self._show(self._game.initial(), START_S)

    @property
    def _depth(self) -> int:
        """The depth of its moves."""
        return self._options.depth or (PLAIN_DEPTH if self._options.seconds is None else DEPTH)

    def _set_depth(self, depth: int) -> None:
        if depth != self._depth_set:
            self._process.send(f"set depth {depth}")
            self._depth_set = depth

    def _show(self, position: Position, seconds: float = 20.0) -> None:
        """Give the engine a position, and wait until it has taken it."""
        per_move, empty = self._options.seconds, int((position.cells() == 0).sum())
        clock = 0.0 if per_move is None else max(1.0, per_move * (1 + empty // 2))
        self._process.send(f"set game {write_ggf(position, clock)}")
        self._ping()
        self._wait_for_pong(seconds)

    def _ping(self) -> None:
        """Tell the engine to stop thinking."""
        self._pings += 1
        self._process.send(f"ping {self._pings}")

    def _wait_for_pong(self, seconds: float) -> None:
        self._wait(re.compile(rf"pong\s+{self._pings}\b.*"), "ping", seconds)

    def _wait(
        self, pattern: re.Pattern[str], command: str, seconds: float, hurry: float | None = None
    ) -> re.Match[str]:
        """The first line that fits; others are remarks, but for an error.  After ``hurry`` seconds comes a ping."""
        began = time.monotonic()
        while True:
            passed = time.monotonic() - began
            if hurry is not None and passed >= hurry:
                hurry = None
                self._ping()
            if hurry is None:
                answer: str | None = self._process.read(seconds, began)
            else:
                answer = self._process.read_if_any(hurry - passed)
            if answer is None:
                continue
            line = answer.strip()
            if match := pattern.match(line):
                return match
            word, _, rest = line.partition(" ")
            if word == "set" and rest.startswith("myname ") and rest[7:].strip():
                self.name = rest[7:].strip()[:80]
            elif word in ("error", "warning"):
                raise EngineError(
                    Text(
                        "the engine {name} refuses {command}: {reason}",
                        name=self.name,
                        command=command,
                        reason=short(line),
                    )
                )

    def move(self, position: Position) -> int:
        """The engine's move at ``position``, which is not over.

        EngineError for a move that is none or not legal: then the engine is not used any more.
        """
        self._set_depth(self._depth)
        self._show(position)
        self._process.send("go")
        # Edax does not look at the clock, but a ping ends its search.
        word = self._wait(_MOVE, "go", self._options.patience, self._options.seconds)[1]
        return legal_move(self.name, position, read_ggf_move(self._game, word), word)

    def analysis(
        self, position: Position, seconds: float, should_stop: Callable[[], bool] = lambda: False
    ) -> Iterator[Opinion]:
        """Yield the engine's opinions of ``position`` as they grow; EngineError when it fails."""
        self._show(position)
        # Edax says nothing before a depth is done, so the first are small.
        depths = [*(depth for depth in FIRST_DEPTHS if depth < self._depth), self._depth]
        reader, began = HintReader(position, read_ggf_move), time.monotonic()
        done, has_opinion = True, False  # the last hint; a move after it
        while not should_stop() and time.monotonic() - began < seconds:
            if done and depths:
                self._set_depth(depths.pop(0))
                self._process.send(f"hint {ROWS}")
                done = has_opinion = False
            line = self._process.read_if_any(LOOK_S)
            if line is None:
                continue
            if opinion := reader.take(line):
                has_opinion = True
                yield opinion
            elif has_opinion and line.startswith("status"):  # NTest has others after a change of depth
                done = True
                if not depths and line.strip() == "status":
                    break
        self._ping()
        self._wait_for_pong(self._options.patience)
