"""The boards of a run, one or of several sizes: their games, settings and shares, and their shards."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from core.games import GameSpec, load_game
from core.games.encoding import Encoding
from core.games.net_inputs import encoding_for
from models.play import replay as replays
from models.play.games import PlayStats
from models.play.replay import Mark, Replay, Replays
from models.play.samples import Samples
from models.runs.config import TrainConfig
from models.runs.sizes import played_sizes
from models.training.figures import stats_of
from models.training.threads import Part

Shape = tuple[int, int]

_BY_CELLS = ("opening_plies", "temperature_plies", "no_pass_plies")


class Board(NamedTuple):
    """One board of a run."""

    game: GameSpec
    config: TrainConfig
    """The settings of its games; numbers of plies are in proportion to the cells."""
    share: float
    """Of the positions."""
    encoding: Encoding
    label: str
    """In the names of its shards; "" for the run's own board."""

    @property
    def name(self) -> str:
        """As in 7x7."""
        return size_name(self.game.shape)

    def games(self, all_games: int) -> int:
        """How many of so many games side by side are on this board."""
        return max(1, round(all_games * self.share))


def size_name(shape: Shape) -> str:
    return f"{shape[0]}x{shape[1]}"


def boards_of(config: TrainConfig) -> tuple[Board, ...]:
    """The boards of a run, its own first."""
    found: list[Board] = []
    for text, share in played_sizes(config.game, config.sizes):
        game = load_game(text)
        first = found[0].game if found else game
        plies = {name: round(getattr(config, name) * game.num_cells / first.num_cells) for name in _BY_CELLS}
        settings = replace(config, game=text, sizes="", **plies)
        label = size_name(game.shape) if found else ""
        found.append(Board(game, settings, share, encoding_for(game, config.inputs), label))
    return tuple(found)


def restore(folder: Path, boards: Sequence[Board], capacity: int, last_iteration: int, total: int) -> Replays:
    """The replay buffers as after ``last_iteration``, when ``total`` samples had been made."""
    found = {}
    for board in boards:
        most, made = max(1, round(capacity * board.share)), round(total * board.share)
        replay = Replay(board.game, most, 0, board.encoding)
        found[board.game.shape] = replays.restore(folder, replay, last_iteration, made, board.label)
    return Replays(found)


def joined(boards: Sequence[Board], parts: Sequence[Part]) -> dict[Shape, Part]:
    """Join the parts of self-play on each board."""
    found = {}
    for board in boards:
        own = [part for part in parts if part[0].shape == board.game.shape]
        samples = Samples.joined([Samples.empty(board.game, board.encoding), *(one for one, _ in own)])
        found[board.game.shape] = samples, sum((stats for _, stats in own), PlayStats())
    return found


def save_shards(
    folder: Path, boards: Sequence[Board], iteration: int, made: Mapping[Shape, Part], marks: Sequence[Mark] = ()
) -> None:
    """Write a shard of each board that has samples; the run's own, which has the ``marks``, always has one."""
    for board in boards:
        samples = made[board.game.shape][0]
        if len(samples) or not board.label:
            replays.save_shard(folder, iteration, samples, board.label, () if board.label else marks)


def take_pending(folder: Path, boards: Sequence[Board], iteration: int) -> list[Part]:
    """Load the games of an unfinished iteration, and their statistics; other shards are removed."""
    paths = {replays.shard_path(folder, iteration, board.label): board for board in boards}
    for path in folder.glob("*.npz"):
        if path not in paths:
            path.unlink()
    loaded = [replays.load_shard(path, one.game, one.encoding) for path, one in paths.items() if path.exists()]
    return [(samples, stats_of(samples)) for samples in loaded]


def pending_marks(folder: Path, iteration: int) -> list[Mark]:
    """The marks of the games of an unfinished iteration."""
    path = replays.shard_path(folder, iteration)
    return replays.marks_of(path) if path.exists() else []


def drop_pending(folder: Path, boards: Sequence[Board], iteration: int) -> None:
    """Delete the shards of an iteration that is complete now."""
    for board in boards:
        replays.shard_path(folder, iteration, board.label).unlink(missing_ok=True)


def by_size(made: Mapping[Shape, Part]) -> dict[str, dict[str, Any]]:
    """The figures of each size for a report, where there are several."""
    if len(made) == 1:
        return {}
    figures = {}
    for shape, (samples, stats) in made.items():
        games = stats.games
        figures[size_name(shape)] = {
            "games": games,
            "samples": len(samples),
            "mean_plies": stats.plies / games if games else None,
            "first_wins": stats.first_wins / games if games else None,
            "resigned": stats.resigned / games if games else None,
        }
    return {"sizes": figures}
