"""``plyscope doctor``: prints what is wrong with a run, as lines or JSON, and its exit code."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from core.games import load_game
from models.commands.doctor import SICK
from models.commands.program import main
from models.runs.config import TrainConfig
from tests.models.doctor.runs import play, write_run


def test_a_run_whose_results_are_turned(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = load_game("tictactoe")
    config = TrainConfig.of(game=game.text, simulations=24, fast_simulations=8, full_share=0.5, iterations=1)
    (samples,) = play(game, config, 1, 250)
    write_run(tmp_path / "run", [replace(samples, result=-samples.result)], config)

    assert main(["doctor", str(tmp_path / "run")]) == SICK
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("1. the results have the wrong sign: ")
    assert lines[1] == "   seen from iteration 1 on"
    assert lines[2].startswith("   experiment: the sign of all results turned; share of results that the rules prove ")

    assert main(["doctor", str(tmp_path / "run"), "--json"]) == SICK
    report = json.loads(capsys.readouterr().out)
    first = report["findings"][0]
    assert (first["kind"], first["certainty"], first["since"]) == ("result sign", "proved", 1)
    assert first["experiment"]["after"] == [1.0, 1.0, 1.0]
    assert report["game"] == "tictactoe"


def test_a_folder_that_is_no_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", str(tmp_path)]) == 2
    assert "is not the folder of a training run" in capsys.readouterr().err
