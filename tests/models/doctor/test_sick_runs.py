"""The doctor on training runs with a known fault and on sound ones, from training to its sentence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from measure import sick_runs
from measure.sick_runs import SOUND, SickRun

SETTINGS = {
    **sick_runs.SETTINGS,
    "net.blocks": 1,
    "net.channels": 8,
    "self_play.games": 32,
    "self_play.samples_per_iteration": 400,
    "self_play.simulations": 40,
    "self_play.fast_simulations": 10,
    "self_play.evaluator": "torch",
    "self_play.full_share": 0.5,
    "learning.replay_positions": 8000,
    "learning.train_ratio": 8.0,
    "learning.rate": 4e-3,
    "learning.weight_decay": 0.02,
    "learning.ema_samples": 1024,
    "run.iterations": 6,
}
SICK = (
    "z: the first player's for both",
    "planes: the opponent's is empty",
    "learning: the first net plays and is kept",
)


@pytest.mark.slow
def test_the_fault_of_three_runs_is_named_first_and_two_sound_ones_have_no_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = {"GAMES": ("tictactoe",), "SETTINGS": SETTINGS, "VARIANTS": ({}, {"self_play.c_puct": 2.0}), "ALONE": {}}
    for name, value in small.items():
        monkeypatch.setattr(sick_runs, name, value)
    faults = [(fault, 0) for fault in SICK] + [(SOUND, 0), (SOUND, 1)]
    runs = [SickRun(i + 1, fault, "tictactoe", 0, variant) for i, (fault, variant) in enumerate(faults)]
    (tmp_path / "key.json").write_text(json.dumps(runs))  # the numbers are seeds
    for run in runs:
        assert sick_runs.main(["--out", str(tmp_path), "--seeds", "1", "--train", str(run.number)]) == 0
    said = sick_runs.judged(tmp_path, runs, 1)
    assert {run.fault: verdict.rank for run, verdict in said.items() if run.fault != SOUND} == dict.fromkeys(SICK, 0)
    assert [verdict.kinds for run, verdict in said.items() if run.fault == SOUND] == [(), ()]
