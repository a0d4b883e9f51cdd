"""What is quoted of an input in a sentence."""

import pytest

from core.files.reading import in_short


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("an ordinary one", "an ordinary one"),
        ("two\n  lines", "two lines"),
        ("'" + "a b " * 1000 + "' is no game", "'" + ("a b " * 1000)[:99] + "…' is no game"),
        ("device is '" + "x" * 4096 + "'; it must be cpu", "device is '" + "x" * 99 + "…'; it must be cpu"),
        ("unknown arguments: " + "y" * 500, "unknown arguments: " + "y" * 100 + "…y"),
    ],
)
def test_a_sentence_quotes_a_line_at_most(sentence: str, said: str) -> None:
    assert in_short(sentence) == said
    assert len(in_short("word " * 1000)) <= 801
