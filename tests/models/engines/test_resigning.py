"""When a game looks lost: by value, by lead, by both."""

import math

import pytest

from models.engines.our_engine import NEVER, ResignRule


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
