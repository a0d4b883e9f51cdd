"""One iteration of a training run, as the loop of ``models.training.run`` makes it."""

from collections.abc import Callable

from models.runs.reports import Report
from models.training.iteration import Trainer


def iterate(trainer: Trainer, should_stop: Callable[[], bool] = lambda: False) -> Report:
    """Play and learn, add the games, save; the iteration's report."""
    report = trainer.add_games(*trainer.play_and_learn(should_stop))
    trainer.save(report)
    return report
