"""The ladder of a training run: matches between kept nets and fixed players, and their ratings.

Players by name: ``random``, the anchor at Elo 0; ``rollouts:N``, UCT with N random rollouts a move; ``step-00001234``,
a search with the net ``nets/step-00001234.onnx`` of the run.  A bout is a small match of the ladder.  Every bout is a
line of ``ladder.jsonl``, which is the only state, so that a killed run resumes from it.
"""

import json
import os
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from core.engine.evaluator import Evaluator
from core.files.reading import Fields, open_plain, parse_json
from core.games import GameSpec
from core.text import Text
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.runtimes import ORT
from models.play.openings import draw_openings
from models.strength.match import (
    LEAST_SIMULATIONS,
    NetSide,
    RandomSide,
    Side,
    both_colours,
    play_games,
    rollout_side,
    scores,
)
from models.strength.rating import ANCHOR, Ratings, Record, information, rate

LADDER_FILE: Final = "ladder.jsonl"
NETS_FOLDER: Final = "nets"
GATE_GAMES: Final = 40  # AlphaGo Zero: 400
ROLLOUTS: Final = (10, 50, 200, 800, 3200)
SMALL_ROLLOUTS: Final = (5, 20, 80)  # for short games, which more rollouts play perfectly
_SMALL_PLIES: Final = 16
_NET_FILE: Final = re.compile(r"step-(\d+)\.onnx")
_OLDER_WEIGHT: Final = 0.1  # of the information about players other than the newest net
_KEPT_NETS: Final = 4  # evaluators kept in memory
_MOST_GAMES: Final = 1 << 40  # of a bout, in a valid file


@dataclass(frozen=True, slots=True)
class BoutResult:
    """A finished bout; ``record`` is from its first player's view."""

    record: Record
    step: int  # of the training run when it was played
    seconds: float
    plies: int

    @property
    def report(self) -> dict[str, Any]:
        """The fields of the event ``match``."""
        record = self.record
        return {
            "step": self.step,
            "players": [record.a, record.b],
            "wins": record.wins,
            "draws": record.draws,
            "losses": record.losses,
        }


def net_player(step: int) -> str:
    """The player name of the net kept at ``step``: ``step-00001234``."""
    return f"step-{step:08d}"


def passes_gate(record: Record, needed: float) -> bool:
    """Whether the first player of ``record`` scored at least ``needed`` (AlphaGo Zero: 0.55 of 400 games).

    Always with ``needed`` 0; otherwise never without games.
    """
    return needed <= 0 or (record.games > 0 and record.score >= needed)


class Ladder:
    """The ladder of the run in ``folder``.

    simulations: of a net's search, at least 2.  seed: fixes the openings of a bout, with the number of bouts so far.
    load: makes the evaluator of a net file; by default ``runtime`` on ``device`` with ``threads``.
    Raises ValueError for too few ``simulations``.
    """

    def __init__(
        self,
        folder: Path,
        game: GameSpec,
        simulations: int,
        seed: int = 0,
        *,
        device: str = "cpu",
        runtime: str = ORT,
        threads: int | None = None,
        load: Callable[[Path], Evaluator] | None = None,
    ) -> None:
        if simulations < LEAST_SIMULATIONS:
            raise ValueError(f"simulations is {simulations!r}; it must be a whole number from {LEAST_SIMULATIONS}")
        self.folder, self.game, self.simulations, self._seed = folder, game, simulations, seed
        self._evaluator = lru_cache(maxsize=_KEPT_NETS)(
            load or (lambda path: OnnxEvaluator(path, game, device=device, threads=threads, runtime=runtime))
        )

    @property
    def path(self) -> Path:
        """The path of the file of bouts."""
        return self.folder / LADDER_FILE

    def nets(self) -> tuple[str, ...]:
        """The kept nets, oldest first."""
        files = (self.folder / NETS_FOLDER).glob("step-*.onnx")
        steps = {int(match[1]): path.stem for path in files if (match := _NET_FILE.fullmatch(path.name))}
        return tuple(steps[step] for step in sorted(steps))

    def fixed(self) -> tuple[str, ...]:
        """The players other than nets, weakest first."""
        sizes = SMALL_ROLLOUTS if self.game.max_plies <= _SMALL_PLIES else ROLLOUTS
        return (ANCHOR, *(f"rollouts:{size}" for size in sizes))

    def players(self) -> tuple[str, ...]:
        """All players that are available."""
        return (*self.fixed(), *self.nets())

    def records(self) -> list[Record]:
        """The bouts so far, in order.  Skips damaged lines (such as the last one of a killed run), and bouts of nets
        with another number of simulations than now, as those were different players."""
        try:
            with open_plain(self.path) as file:
                return [record for record in map(self._read, file) if record is not None]
        except FileNotFoundError:
            return []

    def ratings(self) -> Ratings:
        """Ratings of all players from all bouts; players without games have a wide interval."""
        return rate(self.records(), players=self.players())

    def best(self, ratings: Ratings | None = None) -> str | None:
        """The best net: the highest lower confidence bound of the lead over the mean of the nets that have played.

        Not by the rating itself, as a net that won two games may lead by luck.  Not by the lower bound of the rating,
        as all nets share the uncertainty of the distance to ``random``, which would hide the differences between them.
        The newest when no net has played; None without nets.
        """
        ratings = ratings or self.ratings()
        nets = self.nets()
        played = [net for net in nets if net in ratings and ratings.games[ratings.players.index(net)] > 0]
        if not played:
            return nets[-1] if nets else None
        return max(played, key=lambda net: ratings.lead(net, played).low)

    def next_pair(self, newest: str | None = None, games: int = 8) -> tuple[str, str]:
        """The pair whose next ``games`` games are expected to reduce the uncertainty of the ratings most.

        Greedy optimal design: a bout of i and j adds ``games`` times a game's information I to the precision of
        r_i - r_j, which reduces the covariance S of the ratings by ``I v v' / (1 + I u' S u)``, with u = e_i - e_j and
        v = S u (Sherman-Morrison).  The pair with the largest reduction of the variances is chosen; that of ``newest``
        (default: the newest net) counts fully, those of others a tenth.  So the newest net mostly plays those near it,
        and the distance to ``random``, on which all ratings depend, is measured too.
        """
        ratings = self.ratings()
        nets = self.nets()
        newest = newest or (nets[-1] if nets else None)
        names = ratings.players
        n = len(names)
        elo = ratings.elo.copy()
        rated = [net for net in nets if ratings.games[names.index(net)] > 0]
        for net in set(nets) - set(rated):
            # Before its first game a net is assumed to have the rating of the nearest rated one in training.
            if rated:
                elo[names.index(net)] = ratings[min(rated, key=lambda other: abs(_step(other) - _step(net)))].elo
        weight = np.array([1.0 if name == newest else _OLDER_WEIGHT for name in names])
        first, second = np.triu_indices(n, 1)
        players = self.players()  # a net may have been removed since it played
        playable = np.array([name in players for name in names])
        s = ratings.covariance
        u_s_u = s[first, first] + s[second, second] - 2.0 * s[first, second]
        v = s[first] - s[second]  # [pairs, n]
        added = games * information(elo[first] - elo[second], ratings.nu)
        gain = added * ((v * v) @ weight) / (1.0 + added * u_s_u)
        gain[~(playable[first] & playable[second])] = -1.0
        chosen = int(gain.argmax())
        a, b = names[first[chosen]], names[second[chosen]]
        return (b, a) if b == newest else (a, b)

    def bout(
        self, pair: tuple[str, str], games: int, step: int = 0, should_stop: Callable[[], bool] = lambda: False
    ) -> BoutResult | None:
        """Play ``games`` games of a pair from random openings, each with both colours, and record the result.

        None, and nothing written, when ``should_stop`` (called between batches) ended it.  Raises ValueError for an odd
        or too small number of games, an unknown player or one against itself, or a net that cannot be used; OSError
        when the file cannot be written.
        """
        result = self.play(pair, games, step, len(self.records()), should_stop)
        if result is not None:
            self.record(result)
        return result

    def play(
        self,
        pair: tuple[str, str],
        games: int,
        step: int,
        number: int,
        should_stop: Callable[[], bool] = lambda: False,
    ) -> BoutResult | None:
        """As ``bout``, without recording; ``number`` bouts were played before, which decides the openings."""
        if games < 2 or games % 2:
            raise ValueError(
                f"games is {games!r}; it must be an even number from 2, since each opening is played twice"
            )
        a, b = pair
        if a == b:
            raise ValueError(f"{a!r} cannot play against itself")
        rng = np.random.default_rng([self._seed, number])
        began = time.perf_counter()
        openings = draw_openings(self.game, games // 2, rng)
        sides = [self._side(name, games) for name in pair]
        lasts = play_games(sides[0], sides[1], both_colours(openings), int(rng.integers(1 << 40)), should_stop)
        if lasts is None:
            return None
        return BoutResult(
            Record(a, b, *scores(lasts)), step, time.perf_counter() - began, sum(last.ply for last in lasts)
        )

    def record(self, result: BoutResult) -> None:
        """Write a bout into the file.  ``OSError`` when that cannot be written."""
        line = {**result.report, "simulations": self.simulations, "time": round(time.time(), 3)}
        _append_line(self.path, json.dumps(line))

    def _side(self, name: str, games: int) -> Side:
        if name == ANCHOR:
            return RandomSide()
        if rollouts := re.fullmatch(r"rollouts:(\d{1,7})", name):
            if int(rollouts[1]) < LEAST_SIMULATIONS:
                raise ValueError(f"player {name!r} has too few rollouts; it must have at least {LEAST_SIMULATIONS}")
            return rollout_side(self.game, int(rollouts[1]))
        path = self.folder / NETS_FOLDER / f"{name}.onnx"
        if not _NET_FILE.fullmatch(path.name) or not path.exists():
            raise ValueError(f"no player {name!r} on this ladder; its players are {', '.join(self.players())}")
        return NetSide(self.game, self._evaluator(path), games, self.simulations)

    def _read(self, line: bytes) -> Record | None:
        try:
            entry = Fields(parse_json(line))
            a, b = map(str, entry.list("players"))
            record = Record(a, b, *(entry.whole(name, 0, _MOST_GAMES) for name in ("wins", "draws", "losses")))
            other = entry.whole("simulations", 1, _MOST_GAMES) != self.simulations
        except ValueError:
            return None
        if a == b or (other and any(map(_is_net, (record.a, record.b)))):
            return None
        return record


def _is_net(name: str) -> bool:
    return _NET_FILE.fullmatch(f"{name}.onnx") is not None


def _step(net: str) -> int:
    return int(net.removeprefix("step-"))


def _append_line(path: Path, line: str) -> None:
    """Append a line with one write and fsync; a partial line of a killed writer is ended first."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o666)
    with os.fdopen(descriptor, "r+b", buffering=0) as file:
        size = file.seek(0, os.SEEK_END)
        torn = False
        if size:
            file.seek(size - 1)
            torn = file.read(1) != b"\n"
        data = (b"\n" if torn else b"") + line.encode() + b"\n"
        if file.write(data) != len(data):
            raise OSError(Text("{path} was written in part: the disk is full", path=str(path)))
        os.fsync(file.fileno())
