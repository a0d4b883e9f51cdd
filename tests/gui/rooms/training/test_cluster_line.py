"""The line of a run on a cluster, from its reports."""

import json
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gui.rooms.training.run_model import RunModel
from gui.rooms.training.run_view import BAR, DOWN, GAP, MACHINE_GAP, MOST_ROWS, UP, ClusterLine, cluster_table
from models.runs.reports import ClusterFigures, parse_report

ACTOR = {"actor": 0, "host": "alpha", "threads": 3, "samples_per_s": 58.5, "behind": 7, "evaluator": "torch"}
CLUSTER = {
    "address": "10.0.0.1:6379", "nodes": 2, "behind": 6.25, "dropped": 0, "repeated": 0, "restarts": 1,
    "actors": [ACTOR, {**ACTOR, "actor": 1000, "host": "<b>", "behind": None}],
}  # fmt: skip


def test_a_run_on_a_cluster_says_who_plays(tmp_path: Path, qtbot: QtBot) -> None:
    report = {"event": "iteration", "iteration": 1, "step": 4, "cluster": CLUSTER}
    (tmp_path / "reports.jsonl").write_text(json.dumps(report) + "\n")
    run = RunModel(tmp_path)
    run.look()
    line = ClusterLine()
    qtbot.addWidget(line)
    assert line.isHidden()
    line.show_cluster(run.cluster)
    assert not line.isHidden()
    assert (
        line.words.text()
        == "Cluster 10.0.0.1:6379 · machines: 2 · actors: 2 · 117.0 positions/s · nets 6.2 steps old · restarts: 1"
    )
    assert "<td>alpha&nbsp;&nbsp;</td><td>3&nbsp;&nbsp;</td><td>58.5&nbsp;&nbsp;</td><td>7&nbsp;" in line.toolTip()
    assert "&lt;b&gt;" in line.toolTip()
    assert line.bars.heights() == [(UP, DOWN), (UP, 0.0)]  # the second has no net yet
    assert line.bars.lefts() == [0.0, BAR + GAP + MACHINE_GAP]
    assert line.bars.sizeHint().width() >= line.bars.lefts()[-1] + BAR
    line.show_cluster(None)
    assert line.isHidden()


def test_a_tip_lists_so_many_actors() -> None:
    figures = ClusterFigures.of({**CLUSTER, "dropped": 12, "actors": [ACTOR] * (MOST_ROWS + 5)})
    assert cluster_table(figures).count("<tr>") == MOST_ROWS + 1
    assert cluster_table(figures).endswith("… and 5 more actors")


@pytest.mark.parametrize("wrong", [{"nodes": -1}, {"actors": [1]}, {"behind": "x"}, {"actors": [{**ACTOR, "host": 3}]}])
def test_a_damaged_report_is_no_report(wrong: dict[str, object]) -> None:
    report = {"event": "iteration", "iteration": 1, "step": 4, "cluster": {**CLUSTER, **wrong}}
    assert parse_report(json.dumps(report)) is None
