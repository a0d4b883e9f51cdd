"""The settings of training: the table, all problems at once, values from text, presets, and their TOML file."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.runs.config import (
    GONE,
    GROUPS,
    ON_PROCESSOR,
    SETTINGS,
    TrainConfig,
    TrainSetting,
    named,
    parse_value,
    problems,
    read_settings,
    to_toml,
    usable,
)
from models.runs.presets import PRESETS, preset, preset_values


def test_the_table_is_the_settings_in_the_groups_order() -> None:
    assert [s.name for s in SETTINGS] == list(TrainConfig.of(iterations=1).to_dict())
    assert list(dict.fromkeys(s.group for s in SETTINGS)) == list(GROUPS)
    for setting in SETTINGS:
        assert setting.meaning
        assert (setting.low is not None) == (setting.kind in ("int", "float"))
        assert bool(setting.choices) == (setting.kind == "choice")


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda s: s.name)
def test_values_up_to_every_bound_are_allowed(setting: Any) -> None:
    good = {"run.iterations": 1, "run.minutes": 1.0, "game": "go(size=5)", "net.inputs": "points"}
    if setting.name == "self_play.exact_empties":
        good |= {"game": "connect4", "net.inputs": "board"}
    if setting.kind in ("int", "float"):
        for value in (setting.low, setting.high):
            assert problems({**good, setting.name: value}) == {}
        for value in (setting.low - 1, setting.high + 1, float("nan"), True, "1"):
            wrong = problems({**good, setting.name: value})
            assert list(wrong) == [setting.name]
            assert wrong[setting.name].startswith(f"{setting.name} is {value!r}; it must be a ")
    else:
        wrong = problems({**good, setting.name: 3})
        assert list(wrong) == [setting.name]
        assert wrong[setting.name].startswith(f"{setting.name} is 3; it must be ")


def test_all_problems_are_reported_at_once() -> None:
    values = {"minuets": 3, "self_play.games": 0, "self_play.search": "deep", "game": "ludo", "self_play.full_share": 2}
    wrong = problems(values)
    assert list(wrong) == [*values, "run.minutes"]
    problems_found = list(wrong.values())
    assert "'minuets' is no training setting; did you mean run.minutes?" in problems_found
    assert "self_play.search is 'deep'; it must be one of puct, gumbel" in problems_found
    assert any(message.startswith("game is 'ludo'; ") for message in problems_found)
    assert any("a run needs one of them as its end" in message for message in problems_found)
    with pytest.raises(ValueError, match=r"minutes\?.*games is 0.*and 2 more"):
        TrainConfig.from_dict(values)


def test_an_unknown_setting_refers_to_the_help() -> None:
    message = problems({"zzz": 1, "run.iterations": 1})["zzz"]
    assert message == "'zzz' is no training setting; `plyscope train --help` lists the settings"


def test_settings_of_earlier_versions_are_read() -> None:
    """They had no tables; those that are gone may stand there with the value that all runs have now."""
    old = {
        "iterations": 1,
        "learning_rate": 0.01,
        "gate": 0.5,
        "temperature": 1.0,
        "horizon_turns": 3.0,
        "ema_samples": 0,
    }
    now = {"run.iterations": 1, "learning.rate": 0.01, "strength.gate": 0.5}
    assert named(old) == now
    assert TrainConfig.from_dict(old) == TrainConfig.from_dict(now)
    assert usable({**old, "temperature": 0.5}) == now
    with pytest.raises(ValueError, match=r"^temperature is no training setting any more"):
        TrainConfig.from_dict({**old, "temperature": 0.5})
    names = [setting.name.rpartition(".")[2] for setting in SETTINGS]
    assert len(set(names)) == len(names) <= 45
    assert not (set(GONE) - {"ema_samples"}) & set(names)


@pytest.mark.parametrize(
    ("game", "wrong"), [("gomoku", 0), ("tictactoe", 0), ("othello", 1), ("gomoku(rule=renju)", 1)]
)
def test_threat_proofs_need_lines(game: str, wrong: int) -> None:
    assert len(problems({"game": game, "self_play.threat_proofs": True, "run.iterations": 1})) == wrong


@pytest.mark.parametrize(
    ("game", "wrong"), [("connect4", 0), ("othello", 0), ("connect4(k=3)", 1), ("othello(size=10)", 1), ("gomoku", 1)]
)
def test_exact_endings_need_a_quick_solver(game: str, wrong: int) -> None:
    found = problems({"game": game, "self_play.exact_empties": 8, "run.iterations": 1})
    assert len(found) == wrong
    assert not wrong or "must be 0" in found["self_play.exact_empties"]


def test_exact_endings_begin_where_the_game_is_solved_quickly() -> None:
    assert problems({"game": "othello", "self_play.exact_empties": 16, "run.iterations": 1}) == {}
    found = problems({"game": "othello", "self_play.exact_empties": 17, "run.iterations": 1})
    assert found == {
        "self_play.exact_empties": "exact_empties is 17; it must be a whole number from 0 to 16 in othello"
    }


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("self_play.simulations", "30", 30),
        ("learning.rate", "1e-3", 1e-3),
        ("self_play.search", " gumbel ", "gumbel"),
        ("learning.carry_steps", "False", False),
        ("run.tensorboard", "true", True),
        ("game", "gomoku(size=9)", "gomoku(size=9)"),
    ],
)
def test_values_from_text(name: str, text: str, value: Any) -> None:
    assert parse_value(name, text) == value


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("self_play.games", "many", "self_play.games is 'many'; it must be a whole number from 1 to 65536"),
        ("self_play.games", "2.5", "games is '2.5'; it must be a whole number"),
        ("strength.gate", "", "gate is ''; it must be a number from 0 to"),
        ("run.tensorboard", "perhaps", "it must be true or false"),
        ("sed", "1", "'sed' is no training setting; did you mean run.seed"),
        ("seed", "1", "'seed' is no training setting; did you mean run.seed"),
    ],
)
def test_text_that_is_no_value(name: str, text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_value(name, text)


@pytest.mark.parametrize(
    "game", ["tictactoe", "connect4", "othello(size=6)", "gomoku", "nim", "connectn(rows=8, cols=8, k=5)"]
)
def test_presets_grow(game: str) -> None:
    small, medium, large = (preset(name, game) for name in PRESETS)
    assert small.game == game
    assert small.net.blocks < medium.net.blocks < large.net.blocks
    assert small.run.minutes < medium.run.minutes < large.run.minutes
    assert small.self_play.temperature_plies >= small.self_play.opening_plies


def test_presets_of_games_with_points_show_them_to_the_net() -> None:
    values = preset_values("small", "go(size=7, komi=9)")
    assert (values["net.inputs"], values["net.heads"]) == ("points", "pooled")
    assert values["self_play.komi_spread"] > 0
    assert TrainConfig.from_dict(values).net_config().inputs == "points"
    assert preset("small", "othello").net.inputs == "board"


def test_points_are_for_games_that_have_them() -> None:
    wrong = problems({"game": "connect4", "net.inputs": "points", "run.iterations": 1})
    assert wrong == {"net.inputs": "inputs is 'points'; connect4 has no points, so it must be board"}
    assert problems({"game": "go", "net.inputs": "points", "run.iterations": 1}) == {}


def test_no_such_preset() -> None:
    with pytest.raises(ValueError, match="preset is 'huge'; it must be one of small, medium, large"):
        preset("huge", "tictactoe")
    with pytest.raises(ValueError, match="ludo"):
        preset_values("small", "ludo")


def test_settings_round_trip() -> None:
    config = preset("small", "othello").changed(seed=1 << 62, gate=0.55)
    assert TrainConfig.from_dict(json.loads(json.dumps(config.to_dict()))) == config


def values_of(setting: TrainSetting) -> st.SearchStrategy[object]:
    if setting.kind == "int":
        return st.integers(int(setting.low or 0), int(setting.high or 0))
    if setting.kind == "float":
        return st.floats(setting.low, setting.high)
    if setting.kind == "bool":
        return st.booleans()
    games = ("tictactoe", "gomoku(size=9)", "connectn(rows=4, cols=4, k=3)")  # all with lines, as threat_proofs needs
    return st.sampled_from(setting.choices or games)


@settings(deadline=None)  # the first example loads the games
@given(st.fixed_dictionaries({setting.name: values_of(setting) for setting in SETTINGS}))
def test_round_trip(tmp_path_factory: pytest.TempPathFactory, values: dict[str, object]) -> None:
    values["run.iterations"] = values["run.iterations"] or 1
    if values["self_play.evaluator"] in ON_PROCESSOR:
        values["run.device"] = "cpu"
    values |= {"net.inputs": "board", "self_play.sizes": ""}  # they have no points
    values["self_play.exact_empties"] = 0  # nor a quick solver
    config = TrainConfig.from_dict(values)
    path = tmp_path_factory.getbasetemp() / "round-trip.toml"
    path.write_text(to_toml(config), encoding="utf-8")
    assert TrainConfig.from_dict(read_settings(path)) == config


def test_every_setting_is_explained() -> None:
    text = to_toml(preset("small", "connect4"))
    lines = text.splitlines()
    for setting in SETTINGS:
        name = setting.name.rpartition(".")[2]
        place = next(i for i, line in enumerate(lines) if line.startswith(f"{name} = "))
        assert setting.meaning in lines[place - 1]
        assert setting.unit in lines[place - 1]
    assert "# games: played side by side, one search each; their leaves share the net's batches (1 to 65536)" in lines
    assert "[self_play]  # Self-play" in lines


def test_a_file_of_an_earlier_version_has_no_tables(tmp_path: Path) -> None:
    path = tmp_path / "run.toml"
    path.write_text(
        'seed = 3\nfull_search = "total"\nreply_weight = 0.5\nlearning_rate = 0.1\n[self_play]\ngames = 4\n'
    )
    wanted = {"run.seed": 3, "reply_weight": 0.5, "learning.rate": 0.1, "self_play.games": 4}
    assert read_settings(path) == wanted


def test_integers_are_written_as_floats_where_needed() -> None:
    """``minutes = 2`` is as good as 2.0, and is written as that."""
    assert "\nminutes = 2.0\n" in to_toml(preset("small", "tictactoe").changed(minutes=2))


@pytest.mark.parametrize("content", [b"games = = 3", b"\xff\xfe"])
def test_invalid_toml_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.toml").write_bytes(content)
    with pytest.raises(ValueError, match=r"x\.toml' is not a TOML file of settings"):
        read_settings(tmp_path / "x.toml")


@pytest.mark.parametrize("evaluator", ON_PROCESSOR)
def test_evaluators_of_the_processor_are_refused_on_a_gpu(evaluator: str) -> None:
    with pytest.raises(ValueError, match=f"evaluator is {evaluator!r}, which needs the processor; with device 'cuda'"):
        TrainConfig.of(evaluator=evaluator, device="cuda")
