"""Reading: what is quoted of an input in a sentence, and the garbage collector, which is off meanwhile."""

import gc

import pytest

from core.files.reading import in_short, not_collected


@pytest.mark.parametrize(
    ("sentence", "message"),
    [
        ("an ordinary one", "an ordinary one"),
        ("two\n  lines", "two lines"),
        ("'" + "a b " * 1000 + "' is no game", "'" + ("a b " * 13)[:49] + "…" + ("a b " * 13)[-49:] + "' is no game"),
        ("device is '" + "x" * 4096 + "'; it must be cpu", f"device is '{'x' * 49}…{'x' * 49}'; it must be cpu"),
        ("unknown arguments: " + "y" * 500, f"unknown arguments: {'y' * 50}…{'y' * 50}"),
        ("a 'b' " + "c " * 60 + "'d'", "a 'b' " + "c " * 60 + "'d'"),  # what lies between two quotations is none
    ],
)
def test_error_sentences_quote_at_most_one_line(sentence: str, message: str) -> None:
    assert in_short(sentence) == message
    assert len(in_short("word " * 1000)) <= 801


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
