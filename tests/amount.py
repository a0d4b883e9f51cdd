"""How much of the tests a run does: a part, as in ``make test``, or all of it, as in ``make test-all``.

A part has every quick test, with fewer random cases; of the long ones, 0.4 seconds and more, which are listed in
``long_tests.txt``, a quarter, and of those marked ``slow`` a sixteenth.  Which ones, the commit decides, so that in the
course of the commits each of them is run.
"""

from __future__ import annotations

import os
import subprocess
import zlib
from collections.abc import Container, Iterable
from pathlib import Path
from typing import Any, Final, TypeVar

import pytest

T = TypeVar("T")

ALL: Final = os.environ.get("PLYSCOPE_TESTS") == "all"
PARTS: Final = 16  # of the slow tests
LONG_PARTS: Final = 4  # of the long ones; divides PARTS
LONG_TESTS: Final = Path(__file__).with_name("long_tests.txt")  # a test function a line; tests/list_long.py writes it


def few(part: T, everything: T) -> T:
    """``everything`` in a run of all tests, else ``part``: a number of cases, or a list of parameters."""
    return everything if ALL else part


def slow_but(quick: Container[Any], values: Iterable[Any]) -> list[Any]:
    """``values`` as parameters of a test: those not in ``quick`` are slow."""
    return [value if value in quick else pytest.param(value, marks=pytest.mark.slow) for value in values]


def part_of_this_commit() -> int:
    """The part of the slow tests to run, 0 to ``PARTS`` - 1: from the commit's name; 0 where there is no repository."""
    command = ["git", "rev-parse", "HEAD"]
    try:
        commit = subprocess.run(command, cwd=Path(__file__).parent, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return 0
    return int(commit, 16) % PARTS


def left_out(config: pytest.Config, items: Iterable[pytest.Item]) -> list[pytest.Item]:
    """The tests of other parts; none where all are run, or some were asked for by name, file or folder."""
    if ALL or config.option.keyword or any(Path(arg) != Path(__file__).parent for arg in _absolute(config)):
        return []
    long, part = frozenset(LONG_TESTS.read_text().split("\n")), part_of_this_commit()

    def elsewhere(item: pytest.Item) -> bool:
        parts = PARTS if item.get_closest_marker("slow") else LONG_PARTS if item.nodeid.split("[")[0] in long else 1
        return zlib.crc32(item.nodeid.encode()) % parts != part % parts

    return [item for item in items if elsewhere(item)]


def _absolute(config: pytest.Config) -> list[Path]:
    return [config.invocation_params.dir / arg for arg in config.args]
