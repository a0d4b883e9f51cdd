"""Folders of runs with samples that were played for them."""

from pathlib import Path

from core.games import GameSpec
from models.play.replay import save_shard
from models.play.samples import Samples
from models.play.selfplay import SelfPlay
from models.runs.config import TrainConfig, to_toml
from models.runs.folder import REPLAY, RUN_TOML
from tests.core.search.fakes import HashEvaluator


def play(game: GameSpec, config: TrainConfig, iterations: int, samples: int) -> list[Samples]:
    """So many samples of each iteration, played by a net of hashes."""
    net = HashEvaluator(game.num_actions)
    play = SelfPlay(game, net, config, games=64, seed=4)
    return [play.play(net, samples)[0] for _ in range(iterations)]


def write_run(folder: Path, iterations: list[Samples], config: TrainConfig) -> Path:
    """A run's folder with these samples."""
    (folder / REPLAY).mkdir(parents=True)
    (folder / RUN_TOML).write_text(to_toml(config), encoding="utf-8")
    for number, samples in enumerate(iterations, 1):
        save_shard(folder / REPLAY, number, samples)
    return folder
