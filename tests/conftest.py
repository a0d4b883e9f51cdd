"""Settings of every test run: Qt needs no screen, property tests use the same cases on every machine, no OpenVINO.

Which tests a run has: tests/tiers.py.
"""

import gc
import os
import sys

from hypothesis import HealthCheck, settings

from core.machine import share_kernels

sys.modules["openvino"] = None  # as if it were not installed: figures stay those of onnxruntime
share_kernels()  # with the program, and between machines
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")  # before Qt is imported; it would abort without a display
os.environ.setdefault("OMP_NUM_THREADS", "1")  # before torch is imported; tests run beside each other

# `pytest --hypothesis-profile=default` looks for new cases.  Beside other work making a case may take long.
settings.register_profile(
    "repeatable",
    derandomize=True,
    deadline=None,
    max_examples=100,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("fuzz", settings.get_profile("repeatable"), derandomize=False, max_examples=6000)
settings.load_profile("repeatable")


def pytest_collection_finish() -> None:
    """Spare later garbage collections the tests themselves and all modules, which stay to the end."""
    gc.freeze()
