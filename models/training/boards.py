"""The boards of a run, one or of several sizes: their games, settings and shares, their players and their shards."""

import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

from core.games import GameSpec, load_game
from core.games.encoding import Encoding
from core.games.net_inputs import encoding_for
from models.play import replay as replays
from models.play.games import Part, PlayStats
from models.play.left_out import LeftOut
from models.play.replay import Replay, Replays
from models.play.samples import Samples
from models.runs.config import TrainConfig
from models.runs.conflicts import played_sizes
from models.training.figures import stats_of

SAVE_S: Final = 10.0  # between two saves of the games of an iteration under way

Shape = tuple[int, int]

_BY_CELLS = ("opening_plies", "temperature_plies")


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
    boards: list[Board] = []
    for text, share in played_sizes(config.game, config.self_play.sizes):
        game = load_game(text)
        first = boards[0].game if boards else game
        plies = {name: round(getattr(config.self_play, name) * game.num_cells / first.num_cells) for name in _BY_CELLS}
        settings = config.changed(game=text, sizes="", **plies)
        label = size_name(game.shape) if boards else ""
        boards.append(Board(game, settings, share, encoding_for(game, config.net.inputs), label))
    return tuple(boards)


def restore(
    folder: Path,
    boards: Sequence[Board],
    capacity: int,
    last_iteration: int,
    total: int,
    left_out: Mapping[str, Sequence[LeftOut]],
) -> Replays:
    """The replay buffers as after ``last_iteration``, when ``total`` samples had been made, without those left out."""
    by_shape = {}
    for board in boards:
        most, board_total = max(1, round(capacity * board.share)), round(total * board.share)
        replay = Replay(board.game, most, 0, board.encoding)
        by_shape[board.game.shape] = replays.restore(folder, replay, last_iteration, board_total, board.label, left_out)
    return Replays(by_shape)


def joined(boards: Sequence[Board], parts: Sequence[Part]) -> dict[Shape, Part]:
    """Join the parts of self-play on each board."""
    by_shape = {}
    for board in boards:
        board_parts = [part for part in parts if part[0].shape == board.game.shape]
        samples = Samples.joined([Samples.empty(board.game, board.encoding), *(played for played, _ in board_parts)])
        by_shape[board.game.shape] = samples, sum((stats for _, stats in board_parts), PlayStats())
    return by_shape


def save_shards(folder: Path, boards: Sequence[Board], iteration: int, parts: Mapping[Shape, Part]) -> None:
    """Write a shard of each board that has samples, and last that of the run's own, which is written always."""
    for board in reversed(boards):
        samples = parts[board.game.shape][0]
        if len(samples) or not board.label:
            replays.save_shard(folder, iteration, samples, board.label)


class Player(Protocol):
    """Plays games with an evaluator, as :class:`models.play.selfplay.SelfPlay`."""

    def play(self, evaluator: Any, samples: int, should_stop: Callable[[], bool], net_step: int, /) -> Part: ...


class Turns:
    """Plays with several players, one for each board, so that each makes its share of the positions."""

    def __init__(self, players: Sequence[Player], shares: Sequence[float]) -> None:
        self._players, self._shares = players, shares
        self._positions = [0] * len(players)  # positions

    def play(
        self,
        evaluators: Sequence[Any],
        samples: int,
        should_stop: Callable[[], bool] = lambda: False,
        net_step: int = 0,
    ) -> Part:
        """As the ``play`` of a player, on the board that is furthest behind its share; one evaluator for each board."""
        positions, shares = self._positions, self._shares
        turn = min(range(len(positions)), key=lambda i: positions[i] / shares[i])
        part = self._players[turn].play(evaluators[turn], samples, should_stop, net_step)
        positions[turn] += len(part[0])
        return part


class Unfinished:
    """The games of the iteration under way, saved a few at a time, so that a kill loses only those still running.

    Each save is a folder of shards.  It counts once the shard of the run's own board is there, which is written last.
    """

    def __init__(self, folder: Path, boards: Sequence[Board], iteration: int) -> None:
        """Load what was saved of ``iteration``; all other files in ``folder`` are removed."""
        self.parts: list[Part] = []
        """All of the iteration."""
        self._folder, self._boards = folder, boards
        places = sorted(path for path in folder.iterdir() if path.is_dir())
        for place in (folder, *places):  # earlier versions saved in the folder itself
            self.parts += self._load(place, iteration)
        self._saved = len(self.parts)
        self._next = 1 + max((int(path.name) for path in places if path.name.isdigit()), default=0)
        self._saved_at = time.monotonic()

    @property
    def samples(self) -> int:
        """How many positions there are."""
        return sum(len(samples) for samples, _ in self.parts)

    def add(self, parts: Sequence[Part], iteration: int) -> None:
        """Take further parts, which are saved together, now or a little later."""
        self.parts += parts
        if time.monotonic() >= self._saved_at + SAVE_S:
            self.save(iteration)

    def save(self, iteration: int) -> None:
        """Save the parts that are not saved yet."""
        self._saved_at = time.monotonic()
        new = self.parts[self._saved :]
        if any(len(samples) for samples, _ in new):
            place = self._folder / f"{self._next:06d}"
            place.mkdir(exist_ok=True)
            save_shards(place, self._boards, iteration, joined(self._boards, new))
            self._next, self._saved = self._next + 1, len(self.parts)

    def clear(self) -> None:
        """Forget and delete all, as the iteration is complete and saved elsewhere."""
        self.parts, self._saved, self._saved_at = [], 0, time.monotonic()
        for path in self._folder.iterdir():
            _remove(path)

    def _load(self, place: Path, iteration: int) -> list[Part]:
        paths = {replays.shard_path(place, iteration, board.label): board for board in self._boards}
        whole = replays.shard_path(place, iteration).exists()
        for path in place.iterdir():
            if not (whole and path in paths) and not (path.is_dir() and place == self._folder):
                _remove(path)
        loaded = [
            replays.load_shard(path, board.game, board.encoding) for path, board in paths.items() if path.exists()
        ]
        return [(samples, stats_of(samples)) for samples in loaded]


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()


def by_size(parts: Mapping[Shape, Part]) -> dict[str, dict[str, Any]]:
    """The figures of each size for a report, where there are several."""
    if len(parts) == 1:
        return {}
    figures = {}
    for shape, (samples, stats) in parts.items():
        games = stats.games
        figures[size_name(shape)] = {
            "games": games,
            "samples": len(samples),
            "mean_plies": stats.plies / games if games else None,
            "first_wins": stats.first_wins / games if games else None,
            "resigned": stats.resigned / games if games else None,
        }
    return {"sizes": figures}
