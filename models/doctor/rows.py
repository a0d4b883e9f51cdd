"""The samples of a run as columns, and what the rules say of them: their games are played again.

Letters: n samples, A actions, C planes, H W board, G features.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from core.games import GameSpec, Position, load_game
from core.games.encoding import Encoding
from core.games.net_inputs import inputs_of_all
from core.solve.solver import Solver, empty_cells, instant_empties, refusal
from models.play.replay import load_shard
from models.play.samples import PLAYED, RESIGNED, GameTrace, Samples
from models.runs.folder import REPLAY, shard_name

NO_MOVE: Final = -1
_SOLVE_S: Final = 0.2  # of one ending
_TRIED: Final = 60_000  # moves of all positions, tried for wins at once

Stop = Callable[[], bool]


class RuleFacts(NamedTuple):
    """What the rules say of n samples."""

    planes: NDArray[np.int8]  # [n, C, H, W] what a net is to be shown
    before: NDArray[np.int8]  # [n, C, H, W] the same of the position one move earlier
    result: NDArray[np.float64]  # [n] for the side to move; NaN where the game's end does not prove it
    legal: NDArray[np.bool_]  # [n, A]
    played: NDArray[np.int64]  # [n] the move played there, NO_MOVE at the end
    earlier: NDArray[np.int64]  # [n] the move that led there, NO_MOVE at the beginning
    resigned: NDArray[np.bool_]  # [n] whether a side gave its game up
    winning: NDArray[np.bool_]  # [n, A] moves that win at once
    tried: NDArray[np.bool_]  # [n] where these were looked for


class Replayed(NamedTuple):
    """The games of n samples, played again."""

    truth: RuleFacts
    mover: NDArray[np.int64]
    last: NDArray[np.int64]  # plies of its game


@dataclass(frozen=True, eq=False)
class Rows:
    """n samples; every value is for the side to move."""

    planes: NDArray[Any]  # [n, C, H, W]
    policy: NDArray[np.float32]  # [n, A]
    result: NDArray[np.float64]  # [n] -1 to 1
    root_value: NDArray[np.float64]  # [n] the search's value; NaN where it is not known
    legal: NDArray[np.bool_]  # [n, A]
    game: NDArray[np.int64]  # [n] number of its game
    ply: NDArray[np.int64]  # [n]
    mover: NDArray[np.int64]  # [n] 0 the first player, 1 the second, -1 not known
    last: NDArray[np.int64]  # [n] plies of its game; -1 not known
    iteration: NDArray[np.int64]  # [n]
    features: NDArray[np.float32]  # [n, G]
    truth: RuleFacts | None = None  # None where the games are not known

    def __len__(self) -> int:
        return len(self.result)

    def of(self, chosen: NDArray[Any]) -> Self:
        """The chosen rows, by index or mask."""
        columns = {f.name: getattr(self, f.name)[chosen] for f in fields(self) if f.name != "truth"}
        truth = None if self.truth is None else RuleFacts(*(column[chosen] for column in self.truth))
        return replace(self, **columns, truth=truth)

    def with_games(self, games: Replayed) -> Self:
        """The same with what the rules say of their games."""
        return replace(self, mover=games.mover, last=games.last, truth=games.truth)


class Shards(NamedTuple):
    """The shards of a run that are on disk, oldest first: iteration and path."""

    game: GameSpec
    encoding: Encoding
    paths: tuple[tuple[int, Path], ...]


def shards_of(folder: Path, game: GameSpec, encoding: Encoding) -> Shards:
    """The shards of the run in ``folder`` with the board of its own game."""
    named = ((shard_name(path), path) for path in (folder / REPLAY).glob("*.npz"))
    return Shards(game, encoding, tuple(sorted((name[0], path) for name, path in named if name and not name[1])))


def read_rows(shards: Shards, place: int, most: int, seed: int, stop: Stop = lambda: False) -> Rows:
    """About ``most`` samples, in whole games drawn at random, of the shard at a place.
    :class:`models.play.replay.BadReplay` for one that is damaged."""
    iteration, path = shards.paths[place]
    samples = load_shard(path, shards.game, shards.encoding, legal_alone=False)
    rows = _drawn(samples, most, np.random.default_rng(seed))
    return _rows(samples, rows, shards, iteration, stop)


def joined(parts: Sequence[Rows]) -> Rows:
    """Several tables as one, their games numbered anew; without truth where one has none."""
    firsts = np.cumsum([0, *(int(part.game.max(initial=-1)) + 1 for part in parts)])
    parts = [replace(part, game=part.game + first) for part, first in zip(parts, firsts, strict=False)]
    columns = {f.name: np.concatenate([getattr(part, f.name) for part in parts]) for f in fields(Rows)[:-1]}
    truths = [part.truth for part in parts if part.truth is not None]
    truth = RuleFacts(*map(np.concatenate, zip(*truths, strict=True))) if len(truths) == len(parts) else None
    return Rows(**columns, truth=truth)


def _drawn(samples: Samples, most: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Rows of whole games, about ``most``."""
    if len(samples) <= most:
        return np.arange(len(samples))
    numbers, counts = np.unique(samples.game, return_counts=True)
    order = rng.permutation(len(numbers))
    kept = numbers[order[: max(1, int(np.searchsorted(np.cumsum(counts[order]), most)))]]
    return np.flatnonzero(np.isin(samples.game, kept))


def _rows(samples: Samples, rows: NDArray[np.int64], shards: Shards, iteration: int, stop: Stop) -> Rows:
    game = samples.game[rows].astype(np.int64)
    ply = samples.ply[rows].astype(np.int64)
    count = len(rows)
    features = np.zeros((count, 0), np.float32) if samples.points is None else samples.points.features[rows]
    table = Rows(
        planes=samples.planes[rows],
        policy=samples.policy[rows],
        result=samples.result[rows].astype(np.float64),
        root_value=samples.root_value[rows].astype(np.float64),
        legal=samples.legal[rows],
        game=game,
        ply=ply,
        mover=np.full(count, -1),
        last=np.full(count, -1),
        iteration=np.full(count, iteration),
        features=features,
    )
    games = replay_games(samples.traces, game, ply, shards, stop) if samples.traces else None
    return table if games is None else table.with_games(games)


def replay_games(
    traces: tuple[GameTrace, ...], game: NDArray[np.int64], ply: NDArray[np.int64], shards: Shards, stop: Stop
) -> Replayed | None:
    """Play the games of some samples again; None where a game is not legal."""
    spec, count = shards.game, len(game)
    solver = Solver(spec)
    lines: dict[int, tuple[list[Position], float]] = {}
    try:
        for number in np.unique(game).tolist():
            trace = traces[number]
            start = (spec if trace.game == spec.text else load_game(trace.game)).initial()
            line = [start]
            for move in (*trace.opening, *trace.moves):
                line.append(line[-1].play(move))
            lines[number] = line, _outcome(trace, line[-1], solver, stop)
    except (ValueError, IndexError):
        return None
    at = [lines[number][0][min(place, len(lines[number][0]) - 1)] for number, place in zip(game, ply, strict=True)]
    earlier = [lines[number][0][max(0, place - 1)] for number, place in zip(game, ply, strict=True)]
    mover = np.array([position.to_move for position in at], np.int64).reshape(count)
    outcome = np.array([lines[number][1] for number in game.tolist()]).reshape(count)
    legal = np.zeros((count, spec.num_actions), np.bool_)
    played, earlier_move = np.full(count, NO_MOVE), np.full(count, NO_MOVE)
    for row, position in enumerate(at):
        legal[row, list(position.legal_actions())] = True
        moves = lines[int(game[row])][0][-1].moves
        if position.ply < len(moves):
            played[row] = moves[position.ply]
        if position.ply:
            earlier_move[row] = position.moves[-1]
    winning, tried = _wins(at, legal)
    planes, before = (inputs_of_all(positions, shards.encoding).planes.astype(np.int8) for positions in (at, earlier))
    resigned = np.array([traces[number].ending == RESIGNED for number in game.tolist()], np.bool_).reshape(count)
    result = np.where(mover == 0, outcome, -outcome)
    truth = RuleFacts(planes, before, result, legal, played, earlier_move, resigned, winning, tried)
    last = np.array([len(lines[number][0]) - 1 for number in game.tolist()], np.int64).reshape(count)
    return Replayed(truth, mover, last)


def _outcome(trace: GameTrace, end: Position, solver: Solver, stop: Stop) -> float:
    """The result for the first player that the end of a game proves; NaN where it proves none."""
    if end.is_over:
        return float(end.returns[0]) if trace.ending == PLAYED or end.returns[0] else np.nan
    winner = _winner_at_once(end)
    if winner is not None:
        return winner
    if stop() or not 0 < empty_cells(end) <= instant_empties(end.game) or refusal(end) is not None:
        return np.nan
    solution = solver.solve(end, seconds=_SOLVE_S) if end.game == solver.game else None
    if solution is None:
        return np.nan
    return float(np.sign(solution.value) * (1 if end.to_move == 0 else -1))


def _winner_at_once(position: Position) -> float | None:
    """The result for the first player where the side to move wins with its next move; None where it does not."""
    for move in position.legal_actions():
        after = position.play(move)
        if after.is_over and after.returns[position.to_move] > 0:
            return float(after.returns[0])
    return None


def _wins(positions: Sequence[Position], legal: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Moves [n, A] that win at once, and where they were looked for [n]: evenly over the samples, as far as the number
    of moves tried allows."""
    winning, tried = np.zeros_like(legal), np.zeros(len(legal), np.bool_)
    total = int(legal.sum())
    step = max(1, -(-total // _TRIED))
    for row in range(0, len(positions), step):
        position, tried[row] = positions[row], True
        for move in position.legal_actions():
            after = position.play(move)
            winning[row, move] = after.is_over and after.returns[position.to_move] > 0
    return winning, tried
