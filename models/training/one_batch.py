"""Trials of the doctor that train: one batch of a run's samples, learned by heart from new and from trained weights.

A net that learns can learn one batch by heart (Karpathy, A Recipe for Training Neural Networks, 2019); the rates at
which it does so are those that a run can use (Smith 2017, Cyclical Learning Rates, section 3.3).
"""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np
import torch

from core.games import GameSpec
from core.games.net_inputs import encoding_for
from core.text import Text
from models.doctor.findings import SHOWN, Experiment, Finding
from models.inside.probes import Score
from models.nets.checkpoint import load_checkpoint, load_weights
from models.play.replay import Batch, Replay
from models.play.samples import Samples
from models.runs.config import TrainConfig
from models.runs.folder import CHECKPOINT
from models.training.learning import Diverged, Learner

BATCH: Final = 64
STEPS: Final = 60  # at each rate
LONG_STEPS: Final = 240
RATES: Final = (1e-5, 1e-4, 1e-3, 1e-2, 1e-1)
_USABLE: Final = 0.1  # of the best rate's gain, below which a rate is not one to learn with
_LEARNED: Final = 0.5  # of the loss above its floor that a batch must lose to be learned
_SEEDS: Final = 2
_FIGURE: Final = Text("loss above its floor, nats")

Stop = Callable[[], bool]


def batch_trials(
    run: Path, game: GameSpec, config: TrainConfig, samples: Samples, stop: Stop = lambda: False
) -> list[Finding]:
    """What learning one batch shows of a run's rate and weights.  ``samples``: one shard of it.

    :class:`models.nets.checkpoint.BadCheckpoint` for a damaged checkpoint; a missing one is left out."""
    torch.set_num_threads(1)  # two on a busy machine take many times as long
    config = config.changed(root_value_share=0.0)  # so that the value's loss can fall to 0
    replay = Replay(game, len(samples), encoding=encoding_for(game, config.net.inputs))
    replay.add(samples)
    batch = replay.draw(BATCH, np.random.default_rng(0))
    reached = {rate: _mean_excess(game, config, batch, rate, STEPS, stop) for rate in (*RATES, config.learning.rate)}
    if stop():
        return []
    best = min(RATES, key=lambda rate: reached[rate].value)
    begun, new = (_mean_excess(game, config, batch, best, steps, stop) for steps in (0, LONG_STEPS))
    findings = [_of_rate(reached, best, begun, config.learning.rate), _of_batch(begun, new)]
    if (run / CHECKPOINT).is_file() and findings[-1] is None and not stop():
        findings.append(_of_weights(begun, new, _trained_excess(run, game, config, batch, best, stop)))
    return [] if stop() else [finding for finding in findings if finding is not None]


def _of_rate(reached: dict[float, Score], best: float, begun: Score, rate: float) -> Finding | None:
    """Whether new weights learn at the run's rate, beside the best one."""
    gains = [begun.value - reached[at].value for at in (rate, best)]
    if gains[0] > _USABLE * gains[1] or gains[1] <= 0.0:
        return None
    sentence = Text(
        "new weights, {steps} steps on one batch: at rate {rate:g} its loss falls by {gain:.2f} nats, at {best:g} by "
        "{most:.2f}",
        steps=STEPS,
        rate=rate,
        gain=gains[0],
        best=best,
        most=gains[1],
    )
    change = Text("the learning rate {best:g}", best=best)
    kind = "rate low" if rate < best else "rate high"
    return Finding(kind, SHOWN, sentence, Experiment(change, _FIGURE, reached[rate], reached[best]))


def _of_batch(begun: Score, new: Score) -> Finding | None:
    """Whether new weights can learn one batch by heart."""
    if new.value < _LEARNED * begun.value:
        return None
    sentence = Text(
        "after {steps} steps on one batch of {count} samples the loss is still {after:.2f} nats above its floor, from "
        "{before:.2f} at first",
        steps=LONG_STEPS,
        count=BATCH,
        after=new.value,
        before=begun.value,
    )
    return Finding("one batch", SHOWN, sentence)


def _of_weights(begun: Score, new: Score, trained: Score) -> Finding | None:
    """Whether the trained weights still learn what new ones do."""
    if trained.value < begun.value - _LEARNED * (begun.value - new.value):
        return None
    sentence = Text(
        "{steps} steps on one batch bring new weights to {new:.2f} nats above the floor of the loss, the trained ones "
        "only to {trained:.2f}",
        steps=LONG_STEPS,
        new=new.value,
        trained=trained.value,
    )
    return Finding("net stuck", SHOWN, sentence, Experiment(Text("new weights"), _FIGURE, trained, new))


def _mean_excess(game: GameSpec, config: TrainConfig, batch: Batch, rate: float, steps: int, stop: Stop) -> Score:
    """The loss above its floor after so many steps from new weights: the mean and the range over seeds."""
    values = []
    for seed in range(_SEEDS):
        learner = Learner(game, config.changed(seed=seed), torch.device("cpu"))
        values.append(_excess(learner, batch, rate, steps, stop))
    return Score(float(np.mean(values)), min(values), max(values))


def _trained_excess(run: Path, game: GameSpec, config: TrainConfig, batch: Batch, rate: float, stop: Stop) -> Score:
    """The same from the weights of the run's checkpoint."""
    learner = Learner(game, config, torch.device("cpu"))
    load_weights(learner.net, load_checkpoint(run / CHECKPOINT).net, run / CHECKPOINT)
    return Score(_excess(learner, batch, rate, LONG_STEPS, stop), math.nan, math.nan)


def _excess(learner: Learner, batch: Batch, rate: float, steps: int, stop: Stop) -> float:
    """Policy and value loss above the entropy of their targets after so many steps at one rate, nats; that of equal
    chances where it diverges."""
    loss = math.inf
    learner.net.train()
    try:
        for _ in range(steps + 1):
            if stop():
                break
            policy, value, _, floor, *_ = learner.take_step([batch], rate).tolist()
            loss = policy - floor + value
    except Diverged:
        pass
    most = math.log(batch.policy.shape[1]) + math.log(3.0)
    return min(loss, most) if math.isfinite(loss) else most
