"""How much of the tests a run does: a part, as in ``make test``, or all of it, as in ``make test-all``.

A part has every test but the slow ones, with fewer random cases, and of those marked ``slow`` one in ``PARTS``: which
ones, the commit decides, so that in the course of the commits each of them is run.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Container, Iterable
from pathlib import Path
from typing import Any, Final, TypeVar

import pytest

T = TypeVar("T")

ALL: Final = os.environ.get("PLYSCOPE_TESTS") == "all"
PARTS: Final = 16


def few(part: T, everything: T) -> T:
    """``everything`` in a run of all tests, else ``part``: a number of cases, or a list of parameters."""
    return everything if ALL else part


def slow_but(quick: Container[Any], values: Iterable[Any]) -> list[Any]:
    """``values`` as parameters of a test: those not in ``quick`` are slow."""
    return [value if value in quick else pytest.param(value, marks=pytest.mark.slow) for value in values]


def part_of_this_commit() -> int:
    """The part of the slow tests to run, 0 to ``PARTS`` - 1: from the commit's name; 0 where there is no repository."""
    done = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=Path(__file__).parent, capture_output=True, text=True, check=False
    )
    return int(done.stdout, 16) % PARTS if done.returncode == 0 else 0
