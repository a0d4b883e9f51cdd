"""What a run with given settings will need: memory, and time by an earlier run's reports.

Memory is added up from sizes that the settings fix.  Time is only ever scaled from what a run was measured to take.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from core.games import GameSpec, load_game
from core.games.net_inputs import encoding_for, make_inputs
from core.machine import processors
from models.runs.config import TrainConfig
from models.runs.conflicts import played_sizes
from models.runs.net_config import NetSize, net_size

PROGRAM_MB: Final = 570  # Python, torch, onnxruntime and the kernels, as measured on Linux
_COPIES: Final = 5  # weights, average, gradient and the two that the optimizer keeps of each
_NODE_BYTES: Final = (80, 12)  # of a node of a search: itself, and each of its moves
_CACHE_ENTRIES: Final = 1 << 17  # of a thread's cache of evaluations
_OTHER_GAME: Final = 10.0  # in the distance of two runs


class Memory(NamedTuple):
    """Memory of a run in MiB, at most.  learning: weights, optimizer and one batch.  playing: trees and caches."""

    replay: float
    learning: float
    playing: float
    program: float = PROGRAM_MB

    @property
    def total(self) -> float:
        return sum(self)


@dataclass(frozen=True, slots=True)
class Measured:
    """What a run was measured to take; rates are medians of its last iterations.

    positions_per_s: samples made.  net_share: of the playing time spent in the net.
    learning_s, steps: of an iteration, beside the games.  between_s: between iterations, such as for saving.
    """

    name: str
    config: Mapping[str, Any]
    device: str
    positions_per_s: float
    net_share: float
    learning_s: float
    steps: float
    between_s: float


class Duration(NamedTuple):
    """Seconds of an iteration, the run they are scaled from, and in what that one differs: of "game", "net", "search",
    "evaluator", "threads"."""

    iteration_s: float
    of: str
    differs: tuple[str, ...]


def memory(config: TrainConfig) -> Memory:
    """Memory that a run needs when its replay buffer is full."""
    game, size = load_game(config.game), net_size(load_game(config.game), config.net_config())
    replay = 0.0
    for text, share in played_sizes(config.game, config.self_play.sizes):
        replay += round(config.learning.replay_positions * share) * position_bytes(load_game(text), config.net.inputs)
    learning = 4.0 * size.parameters * _COPIES + 4.0 * size.outputs * config.learning.batch_size
    most = max(config.self_play.simulations, config.self_play.fast_simulations)
    trees = config.self_play.games * most * (_NODE_BYTES[0] + _NODE_BYTES[1] * game.num_actions)
    caches = self_play_threads(config) * _CACHE_ENTRIES * (12 + 2 * game.num_actions)
    return Memory(*(part / (1 << 20) for part in (replay, learning, trees + caches)))


def position_bytes(game: "GameSpec", inputs: str) -> int:
    """Bytes of one position in the replay buffer (models.play.replay)."""
    encoding = encoding_for(game, inputs)
    cells = game.shape[0] * game.shape[1]
    shown = make_inputs(game, encoding, 0)
    points = 4 * shown.features.shape[1] + 4 + cells if encoding.leads else 0
    return int(shown.planes.shape[1]) * cells + 5 * game.num_actions + 1 + 4 + 4 + points


def self_play_threads(config: TrainConfig) -> int:
    """The number of its threads of self-play on this machine."""
    return min(config.run.threads or processors(), config.self_play.games)


def simulations_per_position(config: TrainConfig) -> float:
    """Simulations that self-play makes for each position that it learns from."""
    return (
        config.self_play.simulations
        + config.self_play.fast_simulations * (1 - config.self_play.full_share) / config.self_play.full_share
    )


def iterations_of(config: TrainConfig) -> int:
    """Iterations in which self-play makes the run's ``evaluations``, at least, if every simulation needs one."""
    per_iteration = config.self_play.samples_per_iteration * simulations_per_position(config)
    return max(1, math.ceil(config.run.evaluations / per_iteration))


def duration(config: TrainConfig, device: str, runs: Sequence[Measured]) -> Duration | None:
    """How long an iteration takes, by the most similar of ``runs`` on the same kind of device; None without one.

    Evaluations per position are taken to grow with the simulations, the net's time with its multiplications, and the
    rest of the search to take as long.  Games and learning run side by side.
    """
    pairs = [
        (measured, old) for measured in runs if measured.device == device and (old := _config(measured)) is not None
    ]
    if not pairs:
        return None
    new = net_size(load_game(config.game), config.net_config())
    run, old = min(pairs, key=lambda pair: _distance(config, new, pair[1]))
    had = net_size(load_game(old.game), old.net_config())
    net = new.multiplications / had.multiplications
    searches = simulations_per_position(config) / simulations_per_position(old)
    threads = self_play_threads(old) / self_play_threads(config)
    share = min(1.0, max(0.0, run.net_share))
    per_position = searches * (share * net + 1 - share) * threads / run.positions_per_s
    trained = max(1.0, run.steps * old.learning.batch_size)
    per_trained = net * run.learning_s / trained
    play_s = config.self_play.samples_per_iteration * per_position
    learn_s = config.self_play.samples_per_iteration * config.learning.train_ratio * per_trained
    differs = (
        ("game", config.game != old.game),
        ("net", config.net_config() != old.net_config()),
        ("search", _search(config) != _search(old)),
        ("evaluator", config.self_play.evaluator != old.self_play.evaluator),
        ("threads", threads != 1),
    )
    return Duration(max(play_s, learn_s) + run.between_s, run.name, tuple(name for name, other in differs if other))


def _config(run: Measured) -> TrainConfig | None:
    """The settings of a run; None when they are not all known or valid."""
    try:
        return TrainConfig.from_dict(run.config)
    except ValueError:
        return None


def _search(config: TrainConfig) -> tuple[object, ...]:
    return (
        config.self_play.search,
        config.self_play.simulations,
        config.self_play.fast_simulations,
        config.self_play.full_share,
    )


def _distance(config: TrainConfig, new: NetSize, old: TrainConfig) -> float:
    """How different two runs are: by game, evaluator, and the factors of their nets and searches."""
    had = net_size(load_game(old.game), old.net_config())
    factors = (
        new.multiplications / had.multiplications,
        simulations_per_position(config) / simulations_per_position(old),
    )
    apart = sum(abs(math.log(factor)) for factor in factors)
    apart += _OTHER_GAME * (load_game(config.game).name != load_game(old.game).name)
    others = (config.game != old.game) + (config.self_play.evaluator != old.self_play.evaluator)
    return apart + others + 0.5 * (_search(config) != _search(old))
