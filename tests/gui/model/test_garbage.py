"""Tests of freezing loaded objects: no garbage is kept."""

import gc
import sys
import threading
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
    gc.freeze()  # as the other tests have it


@pytest.mark.slow
def test_frozen_objects_are_not_scanned_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "MANY", -(1 << 60))
    loaded = Cycle()
    freeze_loaded()
    assert all(one is not loaded for one in gc.get_objects())


@pytest.mark.slow
def test_garbage_is_freed_not_frozen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "MANY", -(1 << 60))
    dead = weakref.ref(Cycle())
    freeze_loaded()
    assert dead() is None


@pytest.mark.slow
def test_frozen_garbage_is_freed_by_the_next_freeze(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "MANY", -(1 << 60))
    used = Cycle()
    freeze_loaded()
    dead = weakref.ref(used)
    del used
    gc.collect()
    assert dead() is not None
    freeze_loaded()
    assert dead() is None


def test_few_objects_are_not_frozen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "MANY", sys.getallocatedblocks() + 1_000_000)
    used = Cycle()
    freeze_loaded()
    dead = weakref.ref(used)
    del used
    gc.collect()
    assert dead() is None


@pytest.mark.slow
def test_tuples_that_other_threads_are_making_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "MANY", -(1 << 60))
    failures: list[BaseException] = []
    done = threading.Event()

    def make() -> None:
        try:
            while not done.is_set():
                tuple(i for i in range(3000))
        except BaseException as error:
            failures.append(error)

    maker = threading.Thread(target=make)
    maker.start()
    for _ in range(8):
        freeze_loaded()
    done.set()
    maker.join()
    assert not failures


@pytest.mark.slow
def test_what_was_frozen_is_not_looked_through_again_unless_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "MANY", -(1 << 60))
    used = Cycle()
    freeze_loaded()
    dead = weakref.ref(used)
    del used
    freeze_loaded(again=False)
    assert dead() is not None
    freeze_loaded()
    assert dead() is None
