"""The two tiers of the tests: ``make test`` runs all but those marked ``slow``, ``make test-all`` runs every test.

A test is slow from about 1.5 seconds on, where quicker ones touch its subject too.  It does the same in both tiers.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Any

import pytest


def slow_but(quick: Container[Any], values: Iterable[Any]) -> list[Any]:
    """``values`` as parameters of a test: those not in ``quick`` are slow."""
    return [value if value in quick else pytest.param(value, marks=pytest.mark.slow) for value in values]
