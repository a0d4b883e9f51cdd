"""Reports of a run, and the card of its net."""

import errno
import json
import os
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from models.commands.program import main
from models.runs.card import card_path, make_card, write_card
from models.runs.config import TrainConfig
from models.runs.folder import REPORTS
from models.runs.reports import (
    Reports,
    calibration,
    event_line,
    parse_report,
    read_reports,
    repair_reports,
    report_line,
)
from models.training.run import train


def iteration(number: int) -> dict[str, Any]:
    return {"event": "iteration", "iteration": number, "elapsed_s": 65.0 * number, "games_total": 9, "step": 4}


def test_events_are_lines(tmp_path: Path) -> None:
    seen: list[dict[str, Any]] = []
    reports = Reports(tmp_path / "r.jsonl", seen.append)
    reports.append("match", 1.26, players=["a", "b"], wins=1, draws=0, losses=1)
    reports.append("error", 2.0, sentence="é\n" * 2, loss=float("nan"))
    first, second = read_reports(tmp_path / "r.jsonl")
    assert (first["event"], first["elapsed_s"], first["players"], first["wins"]) == ("match", 1.3, ["a", "b"], 1)
    assert first["time"] > 1e9
    assert second["sentence"] == "é\né\n"
    assert second.get("loss") is None
    assert [one["event"] for one in seen] == ["match", "error"]


def test_threads_do_not_mix_lines(tmp_path: Path) -> None:
    reports = Reports(tmp_path / "r.jsonl")
    writers = [
        threading.Thread(target=lambda: [reports.append("x", 0.0, text="y" * 5000) for _ in range(20)])
        for _ in range(4)
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert len(read_reports(tmp_path / "r.jsonl")) == 80


def test_a_full_disk_leaves_no_half_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "r.jsonl"
    reports = Reports(path)
    reports.append("start", 0.0)
    before = path.read_bytes()
    write = os.write
    monkeypatch.setattr(os, "write", lambda file, data: write(file, data[: len(data) // 2]))
    with pytest.raises(OSError, match="No space left") as caught:
        reports.append("stopped", 1.0)
    assert caught.value.errno == errno.ENOSPC
    assert path.read_bytes() == before


def test_reading_skips_lines_that_are_no_events(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_bytes(b'{"event": "start"}\n\xff\xfe\n[1]\n{"iteration": 4, "step": 2}\n{"event": 3}\n{"event": "iter')
    assert read_reports(path) == [{"event": "start"}, {"event": "iteration", "iteration": 4, "step": 2}]
    assert read_reports(tmp_path / "none.jsonl") == []
    assert parse_report(b"") is None


@pytest.mark.parametrize(
    "line",
    [
        b"[" * 100_000,
        b'{"iteration": 1e400, "step": 1}',
        b'{"iteration": true, "step": 1}',
        b'{"iteration": 99999999999999999999, "step": 1}',
        b'{"iteration": 1, "step": 1, "elapsed_s": NaN}',
        b'{"iteration": 1, "step": 1, "elapsed_s": "long"}',
        b'{"iteration": 1, "step": 1, "calibration": [[0.1, 0.2]]}',
        b'{"event": "start", "config": 3}',
        b'{"event": "checkpoint", "step": 1, "net": null}',
        b'{"event": "exam", "step": 1, "results": {"L1": {"right": 3, "of": 2}}}',
        b'{"event": "ladder", "ratings": {"a": [1, 2, 1e400]}}',
        b'{"event": "note", "sentence": "\\ud800"}',
        b'{"event": ' + b"9" * 5000 + b"}",
    ],
)
def test_an_event_with_invalid_fields_is_skipped(line: bytes) -> None:
    assert parse_report(line) is None


def test_repair_removes_events_after_the_checkpoint(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    match = {"event": "match", "elapsed_s": 70.0, "players": ["a", "b"], "wins": 1, "draws": 0, "losses": 1}
    path.write_text("\n".join(json.dumps(one) for one in (iteration(1), iteration(2), match, iteration(3))) + '\n{"ev')
    repair_reports(path, iteration(2))
    assert read_reports(path) == [iteration(1), iteration(2), match]
    assert path.read_bytes().endswith(b"\n")
    path.write_text(json.dumps(iteration(1)) + "\n" + json.dumps(match) + "\n")
    repair_reports(path, iteration(2))
    assert read_reports(path) == [iteration(1), match, iteration(2)]
    path.unlink()
    repair_reports(path, iteration(2))
    assert read_reports(path) == [iteration(2)]


def test_calibration_by_hand() -> None:
    predicted = np.array([-1.0, -0.9, 0.1, 1.0], np.float32)
    outcome = np.array([-1, 0, 1, 1], np.int8)
    bins, error = calibration(predicted, outcome)
    assert [count for _, _, count in bins] == [2, 1, 1]
    np.testing.assert_allclose([pair[:2] for pair in bins], [[-0.95, -0.5], [0.1, 1.0], [1.0, 1.0]], atol=1e-6)
    assert error == pytest.approx((0.45 * 2 + 0.9 + 0.0) / 4, abs=1e-6)
    assert calibration(predicted[:0], outcome[:0]) == ([], None)


@pytest.mark.parametrize(
    ("report", "words"),
    [
        (
            {"event": "start", "evaluator": "torch on CPU", "threads": 1, "notes": ["x"]},
            "torch on CPU; 1 self-play thread; x",
        ),
        ({"event": "checkpoint", "net": "nets/step-00000004.onnx"}, "kept nets/step-00000004.onnx"),
        ({"event": "exam", "step": 4, "results": {"L1": {"right": 3, "of": 5}}}, "exams of step 4: L1 3/5"),
        ({"event": "match", "players": ["a", "b"], "wins": 1, "draws": 2, "losses": 3}, "a against b: +1 =2 -3"),
        ({"event": "ladder", "ratings": {"a": [1, 0, 2], "b": [30, 0, 60]}}, "Elo: b +30, a +1"),
        ({"event": "gate", "net": "n", "passed": True}, "n passed the gate"),
        ({"event": "gate", "net": "n", "passed": False}, "n did not pass the gate"),
        ({"event": "paused"}, "paused"),
    ],
)
def test_events_in_words(report: dict[str, Any], words: str) -> None:
    assert event_line({"elapsed_s": 61.0, **report}) == f"   1:01  {words}"


def test_an_iteration_in_words() -> None:
    line = report_line({**iteration(2), "kl": 0.25, "evaluations_per_s": 99.6}, 125.0)
    assert line.startswith("   2:10  iteration 2  games 9  step 4  policy loss - (KL 0.250)")
    assert line.endswith("100 evaluations/s  next checkpoint in 2:05")


def test_the_stopped_event_prints_nothing() -> None:
    assert event_line({"event": "stopped", "elapsed_s": 1.0}) == ""


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
