"""Tests of freezing loaded objects: no garbage is kept."""

import gc
import weakref
from collections.abc import Iterator

import pytest

from gui.model import garbage
from gui.model.garbage import freeze_loaded


class Cycle:
    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def _thawed() -> Iterator[None]:
    yield
    gc.unfreeze()


def test_what_is_loaded_is_looked_through_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "MANY", 0)
    loaded = Cycle()
    freeze_loaded()
    assert all(one is not loaded for one in gc.get_objects())


def test_garbage_is_freed_not_frozen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "MANY", 0)
    dead = weakref.ref(Cycle())
    freeze_loaded()
    assert dead() is None


def test_what_was_frozen_and_used_is_freed_the_next_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "MANY", 0)
    used = Cycle()
    freeze_loaded()
    dead = weakref.ref(used)
    del used
    gc.collect()
    assert dead() is not None
    freeze_loaded()
    assert dead() is None


def test_few_objects_are_not_frozen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "MANY", len(gc.get_objects()) + 10_000)
    used = Cycle()
    freeze_loaded()
    dead = weakref.ref(used)
    del used
    gc.collect()
    assert dead() is None


def test_what_was_frozen_is_not_looked_through_again_unless_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "MANY", 0)
    used = Cycle()
    freeze_loaded()
    dead = weakref.ref(used)
    del used
    freeze_loaded(again=False)
    assert dead() is not None
    freeze_loaded()
    assert dead() is None
