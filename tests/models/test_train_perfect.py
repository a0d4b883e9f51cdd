"""The whole pipeline learns: tic-tac-toe, from nothing to perfect play in at most two minutes of training."""

from pathlib import Path
from typing import Any

import pytest

from core.games import load_game
from models.netfiles.evaluator import OnnxEvaluator
from models.runs.presets import preset
from models.strength.exams import ExamResult, run_exams
from models.training.run import train


@pytest.mark.slow
def test_tictactoe_is_learned_in_two_minutes(tmp_path: Path) -> None:
    """All 627 unfinished positions: the move that 100 simulations with the net choose keeps the value of each.

    Proofs are found by search alone; so the net's own first choice must keep nearly all of them too.
    """
    game = load_game("tictactoe")
    config = preset("small", "tictactoe").changed(
        minutes=2.0,
        checkpoint_minutes=0.1,
        ladder_games=0,
        exam_positions=0,
        device="cpu",
    )
    found: list[dict[str, ExamResult]] = []

    def perfect() -> bool:
        return bool(found) and found[-1]["all search"].share == 1.0 and found[-1]["all policy"].share > 0.98

    def report(event: dict[str, Any]) -> None:
        if event["event"] == "checkpoint" and not perfect():
            evaluator = OnnxEvaluator(tmp_path / event["net"], game, device="cpu", threads=1)
            found.append(run_exams(game, evaluator, 1000, simulations=100))

    train(config, tmp_path, report=report, should_stop=perfect)
    assert found[0]["all policy"].of == 627
    assert found[0]["all policy"].share < 0.9  # there was something to learn
    assert perfect(), found[-1]
