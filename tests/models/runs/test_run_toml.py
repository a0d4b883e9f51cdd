"""A run's TOML file reads back as it was written, and explains itself."""

import dataclasses
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
    values["iterations"] = values["iterations"] or 1
    if values["evaluator"] in ON_PROCESSOR:
        values["device"] = "cpu"
    values |= {"inputs": "board", "sizes": "", "resign_lead": 0.0}  # they have no points
    values["exact_empties"] = 0  # nor a quick solver
    config = TrainConfig.from_dict(values)
    path = tmp_path_factory.getbasetemp() / "round-trip.toml"
    path.write_text(to_toml(config), encoding="utf-8")
    assert TrainConfig.from_dict(read_settings(path)) == config


def test_every_setting_is_explained() -> None:
    text = to_toml(preset("small", "connect4"))
    lines = text.splitlines()
    for setting in SETTINGS:
        place = next(i for i, line in enumerate(lines) if line.startswith(f"{setting.name} = "))
        assert setting.meaning in lines[place - 1]
        assert setting.unit in lines[place - 1]
    assert "# games: played side by side, one search each; their leaves share the net's batches (1 to 65536)" in lines
    assert "# ---- Self-play ----" in lines


def test_a_setting_that_is_gone_is_not_read_where_it_did_nothing(tmp_path: Path) -> None:
    path = tmp_path / "run.toml"
    path.write_text('seed = 3\nfull_search = "total"\nreply_weight = 0.5\n')
    assert read_settings(path) == {"seed": 3, "reply_weight": 0.5}


def test_integers_are_written_as_floats_where_needed(tmp_path: Path) -> None:
    """``minutes = 2`` is as good as 2.0, and is written as that."""
    config = dataclasses.replace(preset("small", "tictactoe"), minutes=2)
    assert "\nminutes = 2.0\n" in to_toml(config)


@pytest.mark.parametrize("content", [b"games = = 3", b"\xff\xfe"])
def test_invalid_toml_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.toml").write_bytes(content)
    with pytest.raises(ValueError, match=r"x\.toml' is not a TOML file of settings"):
        read_settings(tmp_path / "x.toml")


@pytest.mark.parametrize("evaluator", ON_PROCESSOR)
def test_evaluators_of_the_processor_are_refused_on_a_gpu(evaluator: str) -> None:
    with pytest.raises(ValueError, match=f"evaluator is {evaluator!r}, which needs the processor; with device 'cuda'"):
        TrainConfig.from_dict({"evaluator": evaluator, "device": "cuda"})
