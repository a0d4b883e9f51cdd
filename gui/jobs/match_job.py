"""Matches in a thread beside the window: between any two players, every game kept, and between two nets."""

from __future__ import annotations

import re
import secrets
import threading
import time
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject

from core.text import Text, text_of
from gui.jobs.job import Job
from gui.jobs.newest import Report, Stale
from gui.jobs.task import TASK
from gui.model.sources import OutsideSource, fitting

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from core.files.record import GameRecord
    from core.games import GameSpec, Position
    from core.search import SearchSettings
    from models.engines.engine import Engine
    from models.strength.match import MatchResult, PlayedGame, Side

EVERY_S: Final = 0.2  # between two reports of how far a game is


@dataclass(frozen=True)
class MatchPlayer:
    """One side of a match."""

    title: str
    source: Any  # an EvaluatorSource or OutsideSource; None: random rollouts
    simulations: int | None = None  # a move; an outside engine has seconds
    seconds: float | None = None

    @property
    def name(self) -> str:
        """The title with the limit."""
        limit = f"{self.simulations}" if self.seconds is None else f"{self.seconds:g} s"
        return f"{self.title}, {limit}"


@dataclass(frozen=True)
class MatchPlan:
    """What is to be played."""

    game: GameSpec
    players: tuple[MatchPlayer, MatchPlayer]
    games: int  # an even number
    opening_plies: int  # random moves, twice from each opening with both colours
    settings: SearchSettings  # of searches


@dataclass(frozen=True)
class KeptGame:
    """A game of a match; ``score`` is that of the match's first player, None where the game was not finished."""

    record: GameRecord
    score: float | None
    plies: int


class _Table:
    """What both threads know of a match that is played."""

    def __init__(self) -> None:
        self.engines: list[Engine] = []
        self.position: Position | None = None  # of the game that is played
        self.finished = 0  # games
        self._reported = 0.0

    def watch(self, report: Report, position: Position) -> None:
        """Note a position before each move."""
        self.position = position
        if time.monotonic() - self._reported > EVERY_S:
            self._reported = time.monotonic()
            report(None)

    def end_engines(self, *_: object) -> None:
        """End the engines without waiting for them."""
        for engine in tuple(self.engines):
            threading.Thread(target=engine.close, name=TASK, daemon=True).start()


class MatchJob(Job):
    """One match at a time; ``games`` are those of the present one, or of the last.

    When it is stopped, the move being searched is still waited for, and the game is kept as it is.
    """

    waits = True

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.plan: MatchPlan | None = None
        self.games: list[KeptGame] = []
        self.score = (0, 0, 0)  # won, drawn, lost by the first player
        self.one_sided = (0, 0)  # openings from which the same side of the board won both games; those played twice
        self.file: Path | None = None  # where the games are kept
        self._table = _Table()
        self.destroyed.connect(self._table.end_engines)

    @property
    def ply(self) -> int:
        """Moves of the game that is played."""
        return 0 if self._table.position is None else self._table.position.ply

    def start(self, plan: MatchPlan) -> None:
        """Play a match; the games of the one before are dropped here, their file stays."""
        self.plan, self.games, self.score, self.one_sided = plan, [], (0, 0, 0), (0, 0)
        self.file = _file_for(plan)
        self._table.position, self._table.finished = None, 0
        self.run(partial(_play, plan, self._table, self.file))

    def stop(self) -> None:
        super().stop()
        self._table.end_engines()

    def take(self, value: tuple[KeptGame, tuple[int, int, int], tuple[int, int]] | str | None) -> None:
        """Take a game with the score and the one-sided openings after it, or why games are not kept; None: a move was
        made."""
        if isinstance(value, str):
            self.file = None
            self.failed.emit(value)
        elif value is not None:
            game, self.score, self.one_sided = value
            self.games.append(game)
        self.changed.emit()


# In the thread.


def _play(plan: MatchPlan, table: _Table, file: Path, stopped: Stale, report: Report) -> None:
    """Play the match; the game that was played when it was stopped, or when an engine failed, is kept, too."""
    from models.engines.process import EngineError
    from models.strength.match import play_match

    keep = _Keeper(file, report)

    def finished(result: MatchResult) -> None:
        table.position, table.finished = None, len(result.games)
        keep.score, keep.one_sided = (result.wins, result.draws, result.losses), result.one_sided
        keep.game(_kept(plan, result.games[-1]))

    with ExitStack() as running:
        running.callback(table.engines.clear)
        try:
            a, b = (_side(plan, player, table, report, running) for player in plan.players)
            seed = secrets.randbelow(1 << 31)
            play_match(plan.game, a, b, plan.games, plan.opening_plies, seed, finished, stopped)
        except EngineError:
            if not stopped():
                raise
        finally:
            if (rest := _unfinished(plan, table)) is not None:
                keep.game(rest)


class _Keeper:
    """Adds games to the file, and reports them."""

    def __init__(self, file: Path, report: Report) -> None:
        self.score, self.one_sided = (0, 0, 0), (0, 0)
        self._file: Path | None = file
        self._report = report

    def game(self, game: KeptGame) -> None:
        try:
            if self._file is not None and game.record.game.sgf is not None:
                _append(self._file, game.record)
        except (OSError, ValueError) as error:
            self._file = None
            self._report(Text("The games of the match are not kept in a file: {reason}.", reason=text_of(error)))
        self._report((game, self.score, self.one_sided))


def _side(plan: MatchPlan, player: MatchPlayer, table: _Table, report: Report, running: ExitStack) -> Side:
    """A side that notes each position at the table before its move."""
    from core.search import Limit
    from models.engines.engine_list import find_engine
    from models.engines.opening import open_listed
    from models.strength.match import EngineSide, SearchSide

    class Search(SearchSide):
        def think(self, positions: Mapping[int, Position]) -> dict[int, int | None]:
            table.watch(report, positions[0])
            return super().think(positions)

    class Outside(EngineSide):
        def think(self, positions: Mapping[int, Position]) -> dict[int, int | None]:
            table.watch(report, positions[0])
            return super().think(positions)

    if isinstance(player.source, OutsideSource):
        entry = find_engine(player.source.name)
        engine = open_listed(plan.game, entry, replace(entry.read_options(), seconds=player.seconds))
        running.callback(engine.close)
        table.engines.append(engine)
        return Outside(player.name, engine)
    evaluator = None if player.source is None else player.source.load(plan.game)
    limit = Limit(simulations=player.simulations, seconds=player.seconds)
    return Search(player.name, evaluator, limit, fitting(plan.settings, player.source))


def _kept(plan: MatchPlan, played: PlayedGame) -> KeptGame:
    first = played.score if played.a_moves_first else 1.0 - played.score
    colour = "B" if first > 0.5 else "W"
    by = "R" if played.resigned else "" if played.margin is None else f"{abs(played.margin):g}"
    result = "0" if first == 0.5 else f"{colour}+{by}"
    names = [player.name for player in plan.players]
    record = _record(plan.game, played.moves, names if played.a_moves_first else names[::-1], result)
    return KeptGame(record, played.score, len(played.moves))


def _record(game: GameSpec, moves: tuple[int, ...], names: list[str], result: str) -> GameRecord:
    from core.files.record import ROOT, GameRecord

    info = {"black": names[0], "white": names[1], "result": result, "date": f"{datetime.now():%Y-%m-%d}"}
    record = GameRecord(game.initial(), {key: value for key, value in info.items() if value})
    record.play_line(ROOT, moves)
    record.forget_undo()
    return record


def _unfinished(plan: MatchPlan, table: _Table) -> KeptGame | None:
    """The game that was being played."""
    position = table.position
    if position is None or not position.moves:
        return None
    names = [player.name for player in plan.players]
    record = _record(plan.game, position.moves, names[::-1] if table.finished % 2 else names, "")
    return KeptGame(record, None, position.ply)


def _append(path: Path, record: GameRecord) -> None:
    from core.files.sgf import write_sgf

    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        file.write(write_sgf([record]))


def _file_for(plan: MatchPlan) -> Path:
    """The file of a match: its time and players."""
    from core.machine import data_home

    players = " - ".join(player.title for player in plan.players)
    name = f"{datetime.now():%Y-%m-%d %H%M%S} {players}"
    return data_home() / "plyscope" / "matches" / (re.sub(r"[^\w .,()+-]", "_", name)[:120] + ".sgf")


class NetMatch(Job):
    """One match at a time; ``score`` has the wins, draws and losses of the first net in the rounds finished so far."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.score = (0, 0, 0)
        self._matches = 0  # begun so far; each has other openings

    def start(self, game: GameSpec, nets: tuple[Path, Path], games: int, simulations: int) -> None:
        """Play ``games`` games, an even number, with so many simulations a move."""
        self.score = (0, 0, 0)
        self._matches += 1
        self.run(partial(_play_nets, game, nets, games, simulations, self._matches))

    def take(self, score: tuple[int, int, int]) -> None:
        self.score = score
        self.changed.emit()


def _play_nets(
    game: GameSpec, nets: tuple[Path, Path], games: int, simulations: int, seed: int, stale: Stale, report: Report
) -> None:
    """Play the match in the thread."""
    import numpy as np

    from models.netfiles.evaluator import OnnxEvaluator
    from models.play.openings import new_opening, opening_plies
    from models.strength.match import ROUND, NetSide, play_in_rounds

    rng = np.random.default_rng(seed)
    plies, used = opening_plies(game), set[tuple[int, ...]]()
    openings = (new_opening(game, plies, rng, used) for _ in range(games // 2))
    a, b = (NetSide(game, OnnxEvaluator(net, game, threads=1), 2 * ROUND, simulations) for net in nets)
    for score in play_in_rounds(a, b, openings, stale):
        report(score)
