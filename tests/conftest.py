"""Settings of every test run: Qt needs no screen, property tests use the same cases on every machine, no OpenVINO.

Long tests are run in parts: tests/amount.py.
"""

import gc
import os
import sys

import pytest
from hypothesis import HealthCheck, settings

from tests.amount import few, left_out

sys.modules["openvino"] = None  # as if it were not installed: figures stay those of onnxruntime
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")  # before Qt is imported; it would abort without a display
os.environ.setdefault("OMP_NUM_THREADS", "1")  # before torch is imported; tests run beside each other

# `pytest --hypothesis-profile=default` looks for new cases.  Beside other work making a case may take long.
settings.register_profile(
    "repeatable",
    derandomize=True,
    deadline=None,
    max_examples=few(25, 100),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("repeatable")


def pytest_collection_finish() -> None:
    """Spare later garbage collections the tests themselves and all modules, which stay to the end."""
    gc.freeze()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what other parts of the tests run."""
    gone = left_out(config, items)
    config.hook.pytest_deselected(items=gone)
    kept = set(items).difference(gone)
    items[:] = [item for item in items if item in kept]
