"""A short part of ``make fuzz``, the same damage each time, and its watchdog with workers that hang or die."""

import sys
from pathlib import Path

import pytest

from measure import damage as runner
from measure import fuzz
from measure.damage import FAILED, damaged, tried

SEED = 4
CASES = {
    "sgf": 40,
    "gtp": 40,
    "gomocup": 40,
    "nboard": 40,
    "serve": 40,
    "archive": 20,
    "session": 25,
    "tree": 40,
    "net": 60,
    "katago": 80,
    "leela": 60,
    "settings": 80,
    "shard": 60,
    "run": 30,
    "run shown": 30,
    "checkpoint": 4,
    "players": 60,
    "clipboard": 60,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in fuzz.ALL if name != "preferences"])
def test_a_damaged_file_is_taken_or_refused_in_a_sentence(tmp_path: Path, name: str) -> None:
    loader = fuzz.ALL[name]
    seeds = loader.seeds(tmp_path)
    for data in seeds:
        assert tried(loader, data, tmp_path) == ("accepted", "")
    for case in range(CASES.get(name, 10)):
        result, words = tried(loader, damaged(loader, seeds, SEED, case), tmp_path)
        assert result != FAILED, f"make fuzz ARGS='{name} --seed {SEED} --repeat {case}': {words}"


@pytest.mark.slow
def test_the_window_takes_any_settings(tmp_path: Path) -> None:
    outcome = runner.run([sys.executable, "-m", "measure.fuzz", "--work"], "preferences", SEED, 40, tmp_path)
    assert not outcome.failures
    assert outcome.counts.total() == 40


WORKER = """
import os, sys, time
first, last = int(sys.argv[3]), int(sys.argv[4])
for case in range(first, last):
    print("begun", case, "''", flush=True)
    if case == 1:
        time.sleep(600)
    if case == 3:
        os.abort()
    print("accepted", case, "''", flush=True)
"""


def test_hangs_and_crashes_count_as_failures_and_the_rest_continues(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "MOST_SECONDS", 0.5)
    outcome = runner.run([sys.executable, "-c", WORKER], "x", 1, 6, tmp_path)
    assert [case for case, _ in outcome.failures] == [1, 3]
    assert dict(outcome.counts) == {"accepted": 4, FAILED: 2}
