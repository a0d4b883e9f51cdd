"""Settings without effect: by the other settings and by the game."""

from typing import Any

import pytest

from models.runs.config import SETTING, TrainConfig, named
from models.runs.presets import PRESETS, preset_values
from models.runs.unused import unused


@pytest.mark.parametrize(
    ("given", "idle", "used"),
    [
        ({"search": "gumbel"}, "c_puct noise_epsilon", "simulations"),
        ({"search": "puct"}, "", "c_puct noise_epsilon"),
        ({"full_share": 1.0}, "fast_simulations", "simulations"),
        ({"resign_below": 0.9}, "komi_spread", "resign_check_share"),
        ({"resign_below": 0.0}, "resign_check_share", "resign_below"),
        ({"ladder_games": 0}, "ladder_simulations", "ladder_games"),
        ({"ladder_games": 0, "gate": 0.55}, "", "ladder_simulations"),  # the gate's matches
        ({"game": "othello"}, "threat_proofs inputs komi_spread sizes", "heads"),
        ({"game": "connect4"}, "heads inputs", "threat_proofs exact_empties"),
        ({"game": "gomoku"}, "exact_empties", "threat_proofs"),
        ({"game": "go(size=7, komi=9)"}, "threat_proofs komi_spread sizes", "inputs heads"),
        ({"game": "go(size=7, komi=9)", "inputs": "points"}, "sizes", "komi_spread"),
        ({"game": "go(size=7, komi=9)", "inputs": "points", "heads": "pooled"}, "", "sizes"),
        ({"search": "best", "full_share": "x", "game": "chess"}, "", "c_puct fast_simulations"),  # bad values
    ],
)
def test_settings_without_effect(given: dict[str, Any], idle: str, used: str) -> None:
    found = unused(named(given))
    assert named(dict.fromkeys(idle.split())).keys() <= found.keys()
    assert not named(dict.fromkeys(used.split())).keys() & found.keys()
    assert found.keys() <= SETTING.keys()


def test_exams_are_for_some_games() -> None:
    assert "strength.exam_positions" not in unused({"game": "connect4"}, exams=True)
    assert unused({"game": "connect4"}, exams=False)["strength.exam_positions"] == "connect4 has no exams."


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("game", ["tictactoe", "connect4", "go(size=9, komi=7)"])
def test_no_preset_sets_what_has_no_effect(preset: str, game: str) -> None:
    values = preset_values(preset, game)
    assert values.keys() <= SETTING.keys()
    changed = {name for name, value in values.items() if name != "game" and value != SETTING[name].default}
    assert not changed & set(unused(TrainConfig.from_dict(values).to_dict()))
