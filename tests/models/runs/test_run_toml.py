"""A run's TOML file reads back as it was written, and explains itself."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.runs.config import ON_PROCESSOR, SETTINGS, TrainConfig, TrainSetting
from models.runs.presets import preset
from models.runs.run_toml import read_settings, to_toml


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
