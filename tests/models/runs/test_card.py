"""The card of a net: what its run's reports say of it, and what people measured of it stays."""

import json
from pathlib import Path
from typing import Any

import pytest

from models.commands.program import main
from models.runs.card import card_path, make_card, write_card
from models.runs.config import TrainConfig
from models.runs.folder import REPORTS
from models.runs.reports import read_reports
from models.training.run import train

CONFIG = TrainConfig.of(
    game="tictactoe", blocks=1, channels=8, games=8, samples_per_iteration=32, simulations=8, fast_simulations=4,
    batch_size=16, ladder_games=2, ladder_simulations=4, exam_positions=5, iterations=2, threads=1,
    evaluator="onnxruntime",
)  # fmt: skip


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("card") / "run"
    train(CONFIG, folder)
    return folder


@pytest.mark.slow
def test_export_writes_the_card(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    net = tmp_path / "net.onnx"
    assert main(["export", str(run), "--out", str(net), "--card"]) == 0
    card = json.loads(card_path(net).read_text())
    reports = read_reports(run / REPORTS)
    last = [one for one in reports if one["event"] == "iteration"][-1]
    assert (card["game"], card["step"]) == ("tictactoe", last["step"])
    assert card["run"]["games"] == last["games_total"]
    assert card["run"]["iterations"] == 2
    assert card["settings"] == CONFIG.to_dict()
    assert card["exams"] == [one for one in reports if one["event"] == "exam"][-1]["results"] != {}
    assert card["ladder"]["ratings"]["random"] == [0.0, 0.0, 0.0]
    assert card["strength"] == []


def test_the_card_hides_the_path_of_the_initial_weights() -> None:
    events: list[dict[str, Any]] = [
        {"event": "start", "config": {"init": "/home/someone/nets/a.onnx"}},
        {"event": "iteration", "step": 5, "elapsed_s": 60.0},
    ]
    assert make_card(events, "tictactoe", 5)["settings"]["init"] == "a.onnx"


def test_rewriting_a_card_keeps_measurements_of_the_same_step(run: Path, tmp_path: Path) -> None:
    net = tmp_path / "net.onnx"
    step = [one for one in read_reports(run / REPORTS) if one["event"] == "iteration"][-1]["step"]
    path = write_card(run, net, "tictactoe", step)
    card = json.loads(path.read_text())
    path.write_text(json.dumps({**card, "strength": ["perfect"]}))
    assert json.loads(write_card(run, net, "tictactoe", step).read_text())["strength"] == ["perfect"]
    path.write_text(json.dumps({**card, "step": step + 1, "strength": ["of another net"]}))
    assert json.loads(write_card(run, net, "tictactoe", step).read_text())["strength"] == []
    with pytest.raises(ValueError, match="have no iteration that ended at step 99999"):
        write_card(run, net, "tictactoe", 99999)


def test_a_card_needs_a_run(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    net = tmp_path / "net.onnx"
    assert main(["export", str(run / "net.onnx"), "--out", str(net), "--card"]) == 2
    assert "--card describes a run" in capsys.readouterr().err
    assert not net.exists()
