"""The benchmark of runtimes: its tables, what cannot be used, the check of answers."""

import numpy as np
import pytest

from core.games import load_game
from models.bench import runtimes
from models.netfiles.evaluator import OnnxEvaluator, default_net

GAME = load_game("tictactoe")
NET = default_net(GAME)
WORDS = ["--net", str(NET), GAME.text]


class Off(OnnxEvaluator):
    """Under every runtime but onnxruntime answers with a value that is off, and with ``policy`` added to the policy."""

    policy = 0.0

    def __init__(self, *given: object, runtime: str, **options: object) -> None:
        super().__init__(*given, **options)
        self.runtime = runtime

    def evaluate(self, planes: np.ndarray, features: np.ndarray | None = None) -> tuple[np.ndarray, ...]:
        policy, value = super().evaluate(planes, features)
        if self.runtime == "onnxruntime":
            return policy, value
        return policy + self.policy * np.arange(policy.shape[1], dtype=np.float32), 0.5 * value


@pytest.fixture
def openvino(monkeypatch: pytest.MonkeyPatch) -> None:
    """OpenVINO seems installed, but not the rest."""
    monkeypatch.setattr(runtimes, "OnnxEvaluator", Off)
    monkeypatch.setattr(
        runtimes, "missing_runtime", lambda name: "" if name in ("onnxruntime", "openvino") else "it is not there"
    )


@pytest.mark.usefixtures("openvino")
def test_both_sides_are_printed_in_one_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert runtimes.main([*WORDS, "--rounds", "2", "--seconds", "0.01"]) == 0
    printed = capsys.readouterr().out
    evaluations, search = printed.split("tictactoe-2x32, tictactoe: search")
    assert "DirectML: it is not there" in evaluations
    rows = [line.split()[:2] for part in (evaluations, search) for line in part.splitlines()]
    assert [row for row in rows if row and row[0] in ("onnxruntime", "OpenVINO")] == [
        [name, batch] for batch in ("8", "64", "to") for name in ("onnxruntime", "OpenVINO")
    ]
    assert evaluations.count(" 1.00 ") >= 2  # onnxruntime beside itself


@pytest.mark.usefixtures("openvino")
def test_the_check_fails_when_best_moves_differ(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert runtimes.main([*WORDS, "--check", "30"]) == 0
    (row,) = [line.split() for line in capsys.readouterr().out.splitlines() if line.startswith("  OpenVINO")]
    assert row[1:4] == ["30", "100.0%", "100.0%"]
    assert float(row[5]) > 0  # the value
    monkeypatch.setattr(Off, "policy", 3.0)
    assert runtimes.main([*WORDS, "--check", "30"]) == 1


def test_without_another_runtime_onnxruntime_stands_alone(capsys: pytest.CaptureFixture[str]) -> None:
    found = runtimes.subjects([], 1)
    assert [one.game.text for one in found] == ["connect4", "gomoku"]
    assert [list(one.evaluators) for one in found] == [["onnxruntime"]] * 2
    assert found[0].refused["openvino"] == "the package openvino is not installed"


@pytest.mark.parametrize("words", [["--rounds", "0"], ["--seconds", "0"], ["--check", "-1"]])
def test_bad_options(words: list[str]) -> None:
    with pytest.raises(SystemExit):
        runtimes.main(words)
    assert runtimes.main(["--net", "gone.onnx", "tictactoe"]) == 1
