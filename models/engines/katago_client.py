"""An outside engine that speaks the protocol of KataGo's analysis engine, lines of JSON.

Protocol: KataGo, docs/Analysis_Engine.md.  Win rates are asked for the side to move.
"""

import json
import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, Final, NoReturn

from core.checks import short
from core.files.reading import BadFile, Fields, parse_json
from core.games import GameSpec, Position
from core.text import Text
from models.engines.engine import THINK_S, EngineClient
from models.engines.gtp_client import ANSWER_S, COLOURS, START_S, read_vertex, vertex
from models.engines.opinion import Opinion, read_katago
from models.engines.process import LOOK_S, EngineError, not_spoken, unplayable

INTERVAL_S: Final = 0.2  # between two answers during a search


def check_game(game: GameSpec) -> None:
    """EngineError for a game that the protocol does not know."""
    if game.rule_names is None:
        raise unplayable(game.text, "KataGo's analysis engine", "a game of Go")


def query(position: Position) -> dict[str, Any]:
    """The part of a query that says which position is meant."""
    game, start = position.game, position.start
    assert game.rule_names is not None
    rows, cols = game.shape
    stones = [
        [COLOURS[stone - 1].upper(), vertex(game, cell)]
        for cell, stone in enumerate(start.cells().ravel().tolist())
        if stone
    ]
    moves = [
        [COLOURS[(start.to_move + ply) % 2].upper(), vertex(game, action)] for ply, action in enumerate(position.moves)
    ]
    return {
        "boardXSize": cols,
        "boardYSize": rows,
        "rules": dict(game.rule_names.fields(game.params)),
        "komi": game.params["komi"],
        "initialStones": stones,
        "initialPlayer": COLOURS[start.to_move].upper(),
        "moves": moves,
    }


class KatagoClient(EngineClient):
    """An engine in a process of its own, which is sent each position with the game that led to it."""

    farewell = '{"id":"end","action":"terminate_all"}'
    _number = 0  # of requests

    def _check(self, game: GameSpec) -> None:
        check_game(game)

    def _begin(self) -> None:
        name = self._send({"action": "query_version"})
        self._wait(name, "query_version", START_S)

    def _send(self, values: dict[str, Any]) -> str:
        """Send a request; its id, which its answers repeat."""
        self._number += 1
        name = str(self._number)
        self._process.send(json.dumps({"id": name, **values}, separators=(",", ":")))
        return name

    def _answer(self, line: str, name: str, command: str) -> Fields | None:
        """The answer to the request ``name`` that a line is, None for another one; EngineError for a refusal."""
        try:
            answer = Fields(parse_json(line), "an answer")
            if "error" in answer.values and answer.text("id", name) == name:
                raise EngineError(
                    Text(
                        "the engine {name} refuses {command}: {reason}",
                        name=self.name,
                        command=command,
                        reason=short(str(answer.values["error"])),
                    )
                )
            return answer if answer.text("id", "") == name and "warning" not in answer.values else None
        except BadFile:
            self._no_answer(line, command)

    def _no_answer(self, line: str, command: str) -> NoReturn:
        raise not_spoken(self.name, line, command, "KataGo's analysis protocol") from None

    def _wait(self, name: str, command: str, seconds: float) -> Fields:
        """The last answer to the request ``name``."""
        began = time.monotonic()
        while True:
            line = self._process.read(seconds, began)
            answer = self._answer(line, name, command) if line.strip() else None
            if answer is not None and answer.values.get("isDuringSearch") is not True:
                return answer

    def move(self, position: Position) -> int:
        """The engine's move at ``position``, which is not over; it never resigns.

        EngineError when it names none: then the engine is not used any more.
        """
        seconds = THINK_S if self._options.seconds is None else self._options.seconds
        (last,) = deque(self.analysis(position, seconds), maxlen=1)
        return last.rows[0].action

    def analysis(
        self, position: Position, seconds: float, should_stop: Callable[[], bool] = lambda: False
    ) -> Iterator[Opinion]:
        """Yield the engine's opinions of ``position`` as they grow, until it has reached its own limit of visits.

        EngineError when it fails."""
        limit = {} if self._options.visits is None else {"maxVisits": self._options.visits}
        settings = {"reportAnalysisWinratesAs": "SIDETOMOVE"}
        name = self._send(
            {**query(position), **limit, "overrideSettings": settings, "reportDuringSearchEvery": INTERVAL_S}
        )
        began, ended, named = time.monotonic(), False, False
        try:
            while not ended and not should_stop():
                if time.monotonic() - began >= seconds:
                    ended = True
                    answer: Fields | None = self._end(name)
                else:
                    line = self._process.read_if_any(LOOK_S)
                    answer = self._answer(line, name, "the query") if line and line.strip() else None
                    ended = answer is not None and answer.values.get("isDuringSearch") is not True
                opinion = None if answer is None else read_katago(position, answer, read_vertex)
                if opinion is not None:
                    named = True
                    yield opinion
            if ended and not named:
                raise EngineError(Text("the engine {name} named no move", name=self.name))
        except EngineError:
            ended = True
            raise
        finally:
            if not ended:
                self._end(name)

    def _end(self, name: str) -> Fields:
        """End the search of a request; its last answer."""
        self._send({"action": "terminate", "terminateId": name})
        return self._wait(name, "terminate", ANSWER_S)
