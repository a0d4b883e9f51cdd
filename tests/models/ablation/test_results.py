"""The figures and the table of an ablation."""

import json
from pathlib import Path

import pytest

from core.files.reading import BadFile
from models.ablation.plan import BASE, Plan, make_variants
from models.ablation.results import RunResult, Share, as_json, make_rows, read_result, to_markdown

PLAN = Plan({"game": "connect4", "blocks": 2}, make_variants(["ema=0.9", "ema=0.8"]), 2, 1000, games=20, rollouts=50)


def _result(right: int, base: tuple[int, int, int] | None, rollouts: tuple[int, int, int]) -> RunResult:
    against = {"rollouts:50": rollouts} | ({} if base is None else {BASE: base})
    exams = {"A policy": (right, 50), "B policy": (right, 50), "A value": (20, 25), "A search": (45, 50)}
    return RunResult(1100, 400, 30, 2.5, exams, against)


RESULTS = {
    (BASE, 1): _result(25, None, (10, 0, 10)),
    (BASE, 2): _result(27, None, (11, 2, 7)),
    ("ema=0.9", 1): _result(30, (14, 2, 4), (15, 0, 5)),
    ("ema=0.9", 2): _result(34, (13, 0, 7), (16, 0, 4)),
}


def test_answers_of_all_exams_and_seeds_are_added() -> None:
    base, better = make_rows(PLAN, RESULTS)
    assert base.exams["policy"].share == pytest.approx(104 / 200)
    assert better.exams["policy"].share == pytest.approx(128 / 200)
    assert better.exams["policy"].seeds == pytest.approx((0.6, 0.68))
    assert base.exams["value"].share == pytest.approx(0.8)
    assert base.against_base is None
    assert better.against_base is not None
    assert better.against_base.share == pytest.approx((15 + 13) / 40)
    assert better.against_base.low < 0.7 < better.against_base.high


def test_elo_is_above_the_mean_of_the_bases_nets() -> None:
    base, better = make_rows(PLAN, RESULTS)
    assert base.elo is None
    assert better.elo is not None
    assert 0.0 < better.elo.low < better.elo.elo < better.elo.high
    # A score of 70 % in direct games is 147 Elo; the virtual games of the prior bring it a little nearer to 0.
    assert 100 < better.elo.elo < 180
    worse = {key: RESULTS[key] for key in RESULTS if key[0] == BASE} | {
        ("ema=0.9", seed): _result(20, (4, 2, 14), (5, 0, 15)) for seed in (1, 2)
    }
    lead = make_rows(PLAN, worse)[1].elo
    assert lead is not None
    assert lead.high < 0.0


def test_the_table_has_a_row_for_each_finished_variant() -> None:
    page = to_markdown(PLAN, RESULTS)
    rows = [line for line in page.splitlines() if line.startswith("| ")]
    assert [row.split(" | ")[0] for row in rows] == ["| variant", "| base", "| ema=0.9"]
    assert "64.0% (57.1% to 70.3%); 60.0%, 68.0%" in rows[2]
    assert "blocks = 2." in page
    assert len({row.count("|") for row in rows}) == 1


def test_columns_without_figures_are_left_out() -> None:
    bare = {(BASE, 1): RunResult(1, 1, 1, 0.1, {}, {})}
    heads = next(line for line in to_markdown(PLAN, bare).splitlines() if line.startswith("| "))
    assert heads == "| variant | runs | evaluations | samples | steps | minutes |"


def test_no_share_without_questions() -> None:
    assert Share.of([(0, 0)]) is None


def test_a_result_is_read_back_and_a_damaged_one_refused(tmp_path: Path) -> None:
    path = tmp_path / "ablation.json"
    assert read_result(path) is None
    path.write_text(json.dumps(RESULTS["ema=0.9", 1].to_dict()))
    assert read_result(path) == RESULTS["ema=0.9", 1]
    for text in ("{", "[]", '{"exams": {}, "against": {}}', path.read_text().replace("1100", "-1")):
        path.write_text(text)
        with pytest.raises(BadFile):
            read_result(path)


def test_rows_as_json_are_valid_json() -> None:
    text = json.dumps(as_json(make_rows(PLAN, RESULTS)), allow_nan=False)
    assert json.loads(text)[1]["variant"] == "ema=0.9"
