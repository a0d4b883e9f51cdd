"""Settings of every test run: Qt needs no screen, property tests use the same cases on every machine."""

import os

from hypothesis import settings

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")  # before Qt is imported; it would abort without a display

settings.register_profile("repeatable", derandomize=True)  # `pytest --hypothesis-profile=default` looks for new cases
settings.load_profile("repeatable")
