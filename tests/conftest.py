"""Settings of every test run: Qt needs no screen unless one is asked for."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")  # before Qt is imported; without a display it would abort
