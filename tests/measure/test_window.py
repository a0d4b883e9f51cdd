"""The measurement of the window runs and prints every figure beside its bar; how large they are is not tested."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from gui.shell.docks import ROWS
from measure.window import main
from measure.window_first import rows_of
from measure.window_probes import Busy, memory, pump, quantile, release_memory
from tests.gui.rooms.training.runs import write_run

NAMES = (
    "Connect Four: input to paint",
    "Connect Four: longest block",
    "Connect Four: simulations, open window and headless",
    "Connect Four: the window's thread beside it",
    "Gomoku 15×15: input to paint",
    "Gomoku 15×15: longest block",
    "Gomoku 15×15: simulations, open window and headless",
    "Gomoku 15×15: the window's thread beside it",
    "picture of",
    "icicle while growing to 600 nodes: frames painted",
    "icicle of",
    "icicle of",
    "table-tree over",
    "table-tree: scroll",
    "time machine: one step",
    "to an earlier ply",
    "start, warm: window",
    "start, warm: first figures",
    "first click, slowest of",
    "theme changed, 2 docks open",
    "text size changed, 2 docks open",
    "language changed, 2 docks open",
    f"theme changed, {len(ROWS)} docks open",
    f"text size changed, {len(ROWS)} docks open",
    f"language changed, {len(ROWS)} docks open",
    "memory over",
)


def written_run(home: Path) -> Path:
    write_run(home / "runs" / "first")
    return home / "runs"


@pytest.mark.slow
def test_every_figure_is_printed(
    qtbot: QtBot, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)  # else each process compiles all modules
    monkeypatch.setattr("measure.window.START_ROUNDS", 1)
    monkeypatch.setattr("measure.window_measures.ROUNDS", 1)
    monkeypatch.setattr("measure.window_measures.LEAF_S", 0.5)
    monkeypatch.setattr("measure.window_restyle.SETTLE_S", 0.01)
    monkeypatch.setattr("measure.window_first.SETTLE_S", 0.01)
    monkeypatch.setattr("measure.window_first.make_run", written_run)  # training one is left to the soak
    assert main(["--seconds", "0.05", "--minutes", "0", "--nodes", "600", "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    rows = [row for row in rows if not row["name"].startswith("first click: ")]  # those above the bar
    assert len(rows) == len(NAMES)
    for row, name in zip(rows, NAMES, strict=True):
        assert row["name"].startswith(name)
        assert row["measured"]
    by_name = dict(zip(NAMES, rows, strict=True))
    assert by_name["table-tree over"]["nodes"] >= 1500
    cost = by_name["Gomoku 15×15: simulations, open window and headless"]
    assert min(cost["ratio"], cost["window_per_s"], cost["window_thread_ms_per_s"]) > 0
    assert by_name["icicle of"]["mean_ms"] > 0
    assert by_name[f"theme changed, {len(ROWS)} docks open"]["longest_ms"] > 0
    assert by_name["first click, slowest of"]["painted_ms"] > 0
    assert by_name["memory over"]["actions"] >= 40
    assert by_name["start, warm: first figures"]["seconds"] > by_name["start, warm: window"]["seconds"] > 0


@pytest.mark.parametrize("bad", [["--seconds", "0"], ["--nodes", "1"], ["--minutes", "-1"]])
def test_a_bad_option_is_reported_in_a_sentence(bad: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(bad)
    assert "it must be at least" in capsys.readouterr().err


def test_the_slowest_first_click_and_each_above_the_bar() -> None:
    clicks = [
        {"name": name, "painted_ms": painted, "longest_ms": longest, "worked_ms": 500.0}
        for name, painted, longest in (("quick", 40.0, 30.0), ("late", 60.0, 120.0), ("slow", 130.0, 90.0))
    ]
    rows = rows_of(clicks)
    assert [row.name for row in rows] == ["first click, slowest of 3: slow", "first click: late"]
    assert [row.name for row in rows_of(clicks[:1])] == ["first click, slowest of 1: quick"]


def test_work_of_a_timer_is_a_block(qtbot: QtBot) -> None:
    busy = Busy()
    QTimer.singleShot(1, lambda: time.sleep(0.03))
    pump(0.1)
    busy.stop()
    assert max(busy.spans) >= 0.025  # less a beat


def test_quantiles_are_values_of_the_sample() -> None:
    assert (quantile([3, 1, 2], 0.5), quantile([5], 0.95)) == (2, 5)
    assert quantile([], 0.5) != quantile([], 0.5)


@pytest.mark.skipif(sys.platform != "linux", reason="malloc_trim is one of glibc")
def test_free_blocks_are_given_back() -> None:
    blocks = [np.ones(1 << 13) for _ in range(2000)]  # 125 MiB in blocks that malloc keeps
    del blocks[:-1]  # the last one stays above them
    before = memory()
    release_memory()
    assert memory() < before - 100
