"""When a game looks lost: by value, by lead, by both."""

import math

import pytest

from models.runs.config import TrainConfig, problems
from models.runs.resigning import NEVER, ResignRule


@pytest.mark.parametrize(
    ("rule", "value", "lead", "lost"),
    [
        (NEVER, -1.0, -99.0, False),
        (ResignRule(0.9), -0.95, math.nan, True),
        (ResignRule(0.9), -0.85, -99.0, False),
        (ResignRule(0.9), math.nan, -99.0, False),
        (ResignRule(0.0, 10.0), -0.1, -10.5, True),
        (ResignRule(0.0, 10.0), 0.1, -10.5, False),
        (ResignRule(0.0, 10.0), -0.1, -9.5, False),
        (ResignRule(0.0, 10.0), -0.1, math.nan, False),
        (ResignRule(0.9, 10.0), -0.5, -99.0, False),
        (ResignRule(0.9, 10.0), -0.95, -10.5, True),
    ],
)
def test_a_lost_game(rule: ResignRule, value: float, lead: float, lost: bool) -> None:
    assert rule.is_lost(value, lead) is lost


def test_the_rule_of_a_run() -> None:
    go = {"game": "go(size=5)", "inputs": "points", "iterations": 1, "resign_turns": 4}
    assert TrainConfig.from_dict(go).resign_rule == ResignRule(None, 0.0, 4)
    assert TrainConfig.from_dict({**go, "resign_lead": 8.0}).resign_rule == ResignRule(0.0, 8.0, 4)
    assert TrainConfig.from_dict({**go, "resign_below": 0.9}).resign_rule == ResignRule(0.9, 0.0, 4)


def test_leads_need_points() -> None:
    wrong = problems({"game": "go(size=5)", "resign_lead": 5.5, "iterations": 1})
    assert wrong == {"resign_lead": "resign_lead is 5.5; only nets with inputs 'points' give leads, so it must be 0"}
