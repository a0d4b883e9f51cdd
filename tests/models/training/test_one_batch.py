"""Trials that learn one batch: what they say of rates, of samples that contradict each other, and of dead weights."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from core.games import load_game
from models.doctor.diagnosis import diagnose
from models.nets.checkpoint import Checkpoint, save_checkpoint
from models.play.samples import Samples
from models.runs.config import TrainConfig
from models.runs.folder import CHECKPOINT
from models.training.learning import Learner
from models.training.one_batch import batch_trials
from tests.models.doctor.runs import play, write_run

GAME = load_game("tictactoe")
CONFIG = TrainConfig.of(
    game=GAME.text, blocks=1, channels=8, simulations=24, fast_simulations=8, rate=3e-3, iterations=1
)


@pytest.fixture(scope="module")
def samples() -> Samples:
    return play(GAME, CONFIG, 1, 300)[0]


def kinds(run: Path, samples: Samples, config: TrainConfig = CONFIG) -> list[str]:
    return [finding.kind for finding in batch_trials(run, GAME, config, samples)]


def checkpoint(run: Path, dead: bool) -> None:
    """The checkpoint of new weights, or of weights through which no gradient comes."""
    learner = Learner(GAME, CONFIG, torch.device("cpu"))
    if dead:
        with torch.no_grad():
            for parameter in learner.net.parameters():
                parameter.zero_()
    state = learner.net.state_dict()
    save_checkpoint(run / CHECKPOINT, Checkpoint(state, state, learner.optimizer.state_dict(), {}))


@pytest.mark.parametrize(("rate", "kind"), [(3e-3, []), (1e-7, ["rate low"]), (5.0, ["rate high"])])
def test_rates_by_what_one_batch_learns_with_them(
    rate: float, kind: list[str], tmp_path: Path, samples: Samples
) -> None:
    assert kinds(tmp_path, samples, replace(CONFIG, learning=replace(CONFIG.learning, rate=rate))) == kind


def test_samples_that_contradict_each_other_cannot_be_learned(tmp_path: Path, samples: Samples) -> None:
    """One position, and a target and result of its own for each sample of it."""
    rng = np.random.default_rng(3)
    count = len(samples)
    policy = np.eye(9, dtype=np.float32)[rng.integers(9, size=count)]
    planes = np.zeros_like(samples.planes)
    result = rng.choice(np.array([-1, 0, 1], np.int8), count)
    torn = replace(samples, planes=planes, policy=policy, result=result, legal=np.ones_like(samples.legal))
    assert kinds(tmp_path, torn) == ["one batch"]


def test_weights_that_no_longer_learn(tmp_path: Path, samples: Samples) -> None:
    run = write_run(tmp_path / "run", [samples], CONFIG)
    checkpoint(run, dead=False)
    assert kinds(run, samples) == []
    checkpoint(run, dead=True)
    finding = batch_trials(run, GAME, CONFIG, samples)[0]
    assert finding.kind == "net stuck"
    assert finding.experiment.after.value < finding.experiment.before.value


def test_the_diagnosis_has_them_and_goes_on_without_a_checkpoint_that_is_damaged(
    tmp_path: Path, samples: Samples
) -> None:
    run = write_run(tmp_path / "run", [samples], CONFIG)
    (run / CHECKPOINT).write_bytes(b"no checkpoint")
    diagnosis = diagnose(run, trial=batch_trials)
    assert any("is not a Plyscope checkpoint" in note for note in diagnosis.notes)
    assert batch_trials(run, GAME, CONFIG, samples, stop=lambda: True) == []
