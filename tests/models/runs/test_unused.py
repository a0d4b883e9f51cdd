"""Settings without effect: by the other settings and by the game."""

from typing import Any

import pytest

from models.runs.config import SETTING, TrainConfig
from models.runs.presets import PRESETS, preset_values
from models.runs.unused import unused


@pytest.mark.parametrize(
    ("given", "idle", "used"),
    [
        ({"search": "gumbel"}, "c_puct noise_alpha noise_epsilon prune_targets fpu_reduction", "gumbel_considered"),
        ({"search": "puct"}, "gumbel_considered", "c_puct noise_alpha prune_targets"),
        ({"noise_epsilon": 0.0}, "noise_alpha", "noise_epsilon"),
        ({"full_share": 1.0}, "fast_simulations", "simulations"),
        ({"optimizer": "sgd"}, "", "momentum"),
        ({"optimizer": "adamw"}, "momentum", "weight_decay"),
        ({"resign_below": 0.9}, "resign_lead", "resign_turns resign_check_share playout_simulations"),
        ({"resign_below": 0.0}, "resign_turns resign_check_share playout_simulations", "resign_below"),
        ({"openings": ""}, "openings_share", "openings"),
        ({"ladder_games": 0}, "ladder_simulations", "ladder_games"),
        ({"ladder_games": 0, "gate": 0.55}, "", "ladder_simulations"),  # the gate's matches
        ({"opening_share": 0.0}, "opening_plies", "opening_share"),
        ({"game": "othello"}, "threat_proofs inputs komi_spread sizes", "heads"),
        ({"game": "connect4"}, "heads inputs score_weight", "threat_proofs exact_empties"),
        ({"game": "gomoku"}, "exact_empties", "threat_proofs"),
        ({"game": "go(size=7, komi=9)"}, "threat_proofs komi_spread sizes resign_lead no_pass_plies", "inputs heads"),
        ({"game": "go(size=7, komi=9)", "inputs": "points"}, "sizes", "komi_spread resign_lead ownership_weight"),
        ({"game": "go(size=7, komi=9)", "inputs": "points", "heads": "pooled"}, "", "sizes"),
        ({"optimizer": "best", "full_share": "x", "game": "chess"}, "momentum", "fast_simulations"),  # bad values
    ],
)
def test_settings_without_effect(given: dict[str, Any], idle: str, used: str) -> None:
    found = unused(given)
    assert set(idle.split()) <= set(found)
    assert not set(used.split()) & set(found)


def test_exams_are_for_some_games() -> None:
    assert "exam_positions" not in unused({"game": "connect4"}, exams=True)
    assert unused({"game": "connect4"}, exams=False)["exam_positions"] == "connect4 has no exams."


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("game", ["tictactoe", "connect4", "go(size=9, komi=7)"])
def test_no_preset_sets_what_has_no_effect(preset: str, game: str) -> None:
    values = preset_values(preset, game)
    changed = {name for name, value in values.items() if name != "game" and value != SETTING[name].default}
    assert not changed & set(unused(TrainConfig.from_dict(values).to_dict()))
