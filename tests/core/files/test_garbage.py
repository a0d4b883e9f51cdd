"""The garbage collector while files are read: off until the last reading ends."""

import gc

import pytest

from core.files.reading import not_collected


def test_the_collector_is_on_again_after_the_last_reading() -> None:
    first, second = not_collected(), not_collected()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert not gc.isenabled()
    second.__exit__(None, None, None)
    assert gc.isenabled()


def test_the_collector_is_on_again_after_a_fault() -> None:
    with pytest.raises(ValueError, match="no"), not_collected():
        raise ValueError("no")
    assert gc.isenabled()


def test_a_collector_that_was_off_stays_off() -> None:
    gc.disable()
    try:
        with not_collected():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
