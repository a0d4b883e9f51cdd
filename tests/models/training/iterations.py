"""A tiny training run, and one iteration as the loop of ``models.training.run`` makes it."""

from collections.abc import Callable

from models.runs.config import TrainConfig
from models.runs.reports import Report
from models.training.iteration import Trainer

TINY = TrainConfig.of(
    game="tictactoe",
    blocks=1,
    channels=8,
    games=8,
    samples_per_iteration=32,
    simulations=8,
    fast_simulations=4,
    evaluator="torch",
    batch_size=16,
    ladder_games=2,
    ladder_simulations=4,
    iterations=1,
    threads=1,
    device="cpu",
)


def iterate(trainer: Trainer, should_stop: Callable[[], bool] = lambda: False) -> Report:
    """Play and learn, add the games, save; the iteration's report."""
    report = trainer.add_games(*trainer.play_and_learn(should_stop))
    trainer.save(report)
    return report
