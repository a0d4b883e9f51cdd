"""The settings of training: all problems at once, values from text, presets, their file, and what has no effect."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.runs.config import (
    GONE,
    ON_PROCESSOR,
    SETTING,
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
from models.runs.conflicts import played_sizes
from models.runs.presets import PRESETS, preset, preset_values
from models.runs.unused import unused


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
    assert not wrong or "no quick exact solver" in found["self_play.exact_empties"]


def test_exact_endings_begin_where_the_game_is_solved_quickly() -> None:
    assert problems({"game": "othello", "self_play.exact_empties": 16, "run.iterations": 1}) == {}
    found = problems({"game": "othello", "self_play.exact_empties": 17, "run.iterations": 1})
    assert found == {"self_play.exact_empties": "exact_empties is 17; it must be a whole number from 0 to 16"}


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


def test_presets_of_games_with_points_show_them_to_the_net() -> None:
    values = preset_values("small", "go(size=7, komi=9)")
    assert (values["net.inputs"], values["net.heads"]) == ("points", "pooled")
    assert values["self_play.komi_spread"] > 0
    assert TrainConfig.from_dict(values).net_config().inputs == "points"
    assert preset("small", "othello").net.inputs == "board"


def test_points_are_for_games_that_have_them() -> None:
    wrong = problems({"game": "connect4", "net.inputs": "points", "run.iterations": 1})
    assert wrong == {"net.inputs": "inputs is 'points'; connect4 is not decided by points"}
    assert problems({"game": "go", "net.inputs": "points", "run.iterations": 1}) == {}


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


@pytest.mark.parametrize("content", [b"games = = 3", b"\xff\xfe"])
def test_invalid_toml_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.toml").write_bytes(content)
    with pytest.raises(ValueError, match=r"x\.toml' is not a TOML file of settings"):
        read_settings(tmp_path / "x.toml")


@pytest.mark.parametrize("evaluator", ON_PROCESSOR)
def test_evaluators_of_the_processor_are_refused_on_a_gpu(evaluator: str) -> None:
    with pytest.raises(ValueError, match=f"evaluator is {evaluator!r}, which needs the processor; with device 'cuda'"):
        TrainConfig.of(evaluator=evaluator, device="cuda")


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
    assert unused({"game": "connect4"}, exams=False)["strength.exam_positions"] == "connect4 has no exams"


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("game", ["tictactoe", "connect4", "go(size=9, komi=7)"])
def test_no_preset_sets_what_has_no_effect(preset: str, game: str) -> None:
    values = preset_values(preset, game)
    assert values.keys() <= SETTING.keys()
    changed = {name for name, value in values.items() if name != "game" and value != SETTING[name].default}
    assert not changed & set(unused(TrainConfig.from_dict(values).to_dict()))


GO = "go(size=9, komi=7)"
POOLED = {"game": GO, "inputs": "points", "heads": "pooled", "iterations": 1}


@pytest.mark.parametrize(
    ("sizes", "games", "shares"),
    [
        ("", [GO], [1.0]),
        ("9", [GO], [1.0]),
        ("7, 9", [GO, "go(size=7, komi=7)"], [0.5, 0.5]),
        ("9,7 komi 9", [GO, "go(size=7, komi=9)"], [0.5, 0.5]),
        ("7x9 share 1,9 Komi 7 share 3", [GO, "go(rows=7, cols=9, komi=7)"], [0.75, 0.25]),
        ("5 komi 24.5, 9 share 2, 7", [GO, "go(size=5, komi=24.5)", "go(size=7, komi=7)"], [0.5, 0.25, 0.25]),
    ],
)
def test_the_boards_of_a_run(sizes: str, games: list[str], shares: list[float]) -> None:
    found = played_sizes(GO, sizes)
    assert [one.game for one in found] == games
    assert [one.share for one in found] == pytest.approx(shares)
    assert problems(named({**POOLED, "sizes": sizes})) == {}


def test_the_rules_of_the_game_are_kept() -> None:
    game = "go(size=5, rules=chinese, komi=9, suicide=yes)"
    assert [one.game for one in played_sizes(game, "4,5")] == [game, game.replace("size=5", "size=4")]


@pytest.mark.parametrize(
    ("sizes", "why"),
    [
        ("7", "it must list the board of go(size=9, komi=7) as well"),
        ("9, 7, 7", "it lists 7×7 twice"),
        ("9, 25", "cannot load the game 'go(size=25, komi=7)': size is '25'; it must be a whole number from 2 to 19"),
        ("9 komi 8, 7", "the komi of go(size=9, komi=7) is a part of the game"),
        ("9, 7 share 0", "a share is 0, and a board that is not played must be left out"),
        ("9 and 7", "it must be a list as in 7, 9 or in 7 komi 9 share 1, 9 share 3"),
        (",".join(map(str, range(2, 40))), "it lists 38 boards, and at most 32 are allowed"),
    ],
)
def test_what_is_no_list_of_boards(sizes: str, why: str) -> None:
    (message,) = problems(named({**POOLED, "sizes": sizes})).values()
    assert message.startswith("sizes is '")
    assert message.endswith(f"; {why}")


@pytest.mark.parametrize("other", [{"heads": "dense"}, {"inputs": "board"}, {"game": "gomoku", "inputs": "board"}])
def test_nets_for_one_size_alone(other: dict[str, str]) -> None:
    wrong = problems(named({**POOLED, **other, "sizes": "7, 9"}))
    sentence = "sizes is '7, 9'; only nets with inputs 'points' and heads 'pooled' take boards of several sizes"
    assert wrong == {"self_play.sizes": sentence}


def test_a_game_without_points() -> None:
    wrong = problems(named({**POOLED, "game": "gomoku", "sizes": "9, 15"}))
    assert wrong["self_play.sizes"] == "sizes is '9, 15'; gomoku has no points, so its nets are for one size alone"


@pytest.mark.parametrize(
    "game", ["tictactoe", "connect4", "othello(size=6)", "gomoku", "nim", "connectn(rows=8, cols=8, k=5)"]
)
def test_presets_grow(game: str) -> None:
    small, medium, large = (preset(name, game) for name in PRESETS)
    assert small.game == game
    assert small.net.blocks < medium.net.blocks < large.net.blocks
    assert small.run.minutes < medium.run.minutes < large.run.minutes
    assert small.self_play.temperature_plies >= small.self_play.opening_plies
