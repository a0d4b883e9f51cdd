"""Figures for TensorBoard: what is written, and the sentence where the package is missing."""

import importlib.util
from pathlib import Path

import pytest

from models.training.tensorboard_log import MISSING, Scalars, open_scalars


class Writer:
    """Keeps what it is given, as torch's SummaryWriter would."""

    def __init__(self) -> None:
        self.scalars: list[tuple[str, float, int]] = []
        self.closed = False

    def add_scalar(self, name: str, value: float, step: int) -> None:
        self.scalars.append((name, value, step))

    def close(self) -> None:
        self.closed = True


def test_numbers_become_scalars() -> None:
    writer = Writer()
    scalars = Scalars(writer)
    scalars.add({"event": "iteration", "step": 5, "kl": 0.5, "draws": None, "calibration": [[0, 0, 1]], "ok": True})
    scalars.close()
    assert writer.scalars == [("step", 5, 5), ("kl", 0.5, 5)]
    assert writer.closed


def test_without_tensorboard_a_note_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "tensorboard" else find(name))
    assert open_scalars(tmp_path) == (None, MISSING)
    assert not list(tmp_path.iterdir())
