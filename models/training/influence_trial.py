"""Whether some samples taught a net a mistake: a new net learns from a run's samples without them.

Another net leaves out as many at random.  Nets of other seeds differ too, so that each pair has one seed.
"""

from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from core.games import GameSpec
from core.games.net_inputs import encoding_for
from core.text import Text
from models.inside.concepts import Stopped
from models.nets.net import folded
from models.play.replay import Replay
from models.play.samples import Samples
from models.runs.config import TrainConfig
from models.training.influence import Mistake, Moment, NetOdds, Progress, Stop, odds_of
from models.training.learning import Learner, learning_rate

SEEDS: Final = 3
_WHOLE: Final = 100  # as if so many times the samples had been made: then the window is all of them


class Relearned(NamedTuple):
    """What nets of one seed think of a mistake after they learned from a run's samples."""

    whole: NetOdds
    """From all."""
    without: NetOdds
    """Without those that are tried."""
    without_others: NetOdds
    """Without as many others, drawn at random."""


def try_without(
    samples: Samples,
    chosen: NDArray[np.int64],
    mistake: Mistake,
    config: TrainConfig,
    seeds: int = SEEDS,
    stop: Stop = lambda: False,
    progress: Progress = lambda _: None,
) -> list[Relearned]:
    """Learn from ``samples`` anew, three times for each seed; :class:`Stopped`."""
    game = mistake.position.game
    trials = []
    for seed in range(seeds):
        progress(Text("learning anew, {number} of {every}", number=seed + 1, every=seeds))
        others = np.setdiff1d(np.arange(len(samples)), chosen)
        drawn = np.random.default_rng(seed).choice(others, min(len(chosen), len(others) - 1), replace=False)
        nets = [relearn(samples, game, config, rows, seed, 1, stop)[-1].net for rows in (None, chosen, drawn)]
        trials.append(Relearned(*(odds_of(net, mistake) for net in nets)))
    return trials


def relearn(
    samples: Samples,
    game: GameSpec,
    config: TrainConfig,
    left_out: NDArray[np.int64] | None,
    seed: int,
    moments: int,
    stop: Stop = lambda: False,
) -> list[Moment]:
    """The nets of a new run that learns from these samples alone, as often as the settings say: evenly over its steps,
    and at the end, where nothing more is learned.  ``left_out``: samples that are never drawn.  :class:`Stopped`."""
    torch.set_num_threads(1)  # two on a busy machine take many times as long
    config = config.changed(seed=seed, device="cpu")
    weight = samples.weight.copy()
    weight[[] if left_out is None else left_out] = 0.0
    replay = Replay(game, len(samples), 0, encoding_for(game, config.net.inputs))
    replay.add(replace(samples, weight=weight))
    replay.begin(_WHOLE * len(samples))
    learner = Learner(game, config, torch.device("cpu"))
    steps = max(2 * moments, int(len(samples) * config.learning.train_ratio / config.learning.batch_size))
    share = weight.astype(np.float64) / max(float(weight.sum()), 1e-9)
    halves = np.linspace(0, steps, 2 * moments + 1).astype(int).tolist()
    found, before = [], 0
    for number in range(moments):
        _learn(learner, replay, halves[2 * number + 1], steps, stop)
        net = folded(learner.average)
        _learn(learner, replay, halves[2 * number + 2], steps, stop)
        rates = [learning_rate(config.learning.rate, step, step / steps) for step in range(before, learner.step)]
        found.append(Moment(net, sum(rates) * share))
        before = learner.step
    return [*found, Moment(folded(learner.average), np.zeros(len(samples)))]


def _learn(learner: Learner, replay: Replay, until: int, steps: int, stop: Stop) -> None:
    learner.learn(
        until - learner.step,
        lambda count, rng: (replay.draw(count, rng),),
        lambda: learner.step / steps,
        stop,
    )
    if learner.step < until:
        raise Stopped
