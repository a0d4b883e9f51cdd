"""Tests of texts with templates: through JSON and back, and what a file cannot do with them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.files.reading import in_short
from core.text import TEXTS, Text, joined, texts_back, with_texts

INNER = Text("the loss is {loss:.2f}", loss=0.125)
SENTENCE = Text("{path!r} is bad: {error} ({count:,}; {share:.1%})", path="a'b", error=INNER, count=12345, share=0.5)


def through_json(fields: dict[str, Any]) -> dict[str, Any]:
    return texts_back(json.loads(json.dumps(with_texts(fields))))


def test_texts_keep_their_templates_through_json() -> None:
    fields = {"sentence": SENTENCE, "notes": [INNER, "plain"], "step": 3, "plain": "words"}
    back = through_json(fields)
    assert back == fields
    assert isinstance(back["sentence"], Text)
    assert (back["sentence"].template, back["sentence"].values["error"].values) == (SENTENCE.template, {"loss": 0.125})
    assert [type(note) for note in back["notes"]] == [Text, str]


def test_the_english_lies_in_its_place() -> None:
    kept = with_texts({"sentence": SENTENCE, "step": 3})
    assert kept["sentence"] == '"a\'b" is bad: the loss is 0.12 (12,345; 50.0%)'
    assert with_texts({"sentence": "plain", "notes": [1]}) == {"sentence": "plain", "notes": [1]}


def test_values_that_json_does_not_have_are_kept_as_shown() -> None:
    back = through_json({"sentence": Text("{path} has {shape}", path=Path("a.npz"), shape=(3, 4))})
    assert (back["sentence"], type(back["sentence"])) == ("a.npz has (3, 4)", Text)


@pytest.mark.parametrize(
    "packed",
    [
        None,
        3,
        [],
        "words",
        {},
        {"template": "said"},
        {"template": 3, "values": {}},
        {"template": "said", "values": []},
        {"template": "{x}", "values": {}},
        {"template": "{}", "values": {"x": "said"}},
        {"template": "{x", "values": {"x": "said"}},
        {"template": "{x:d}", "values": {"x": "said"}},
        {"template": "other", "values": {}},
        {"template": "{x.__class__}", "values": {"x": "said"}},
        {"template": "{x[0]}", "values": {"x": ["said"]}},
        {"template": "{x:999999999}", "values": {"x": "said"}},
        {"template": "{x}" * 1000, "values": {"x": {"template": "{x}" * 1000, "values": {"x": "y" * 1000}}}},
    ],
)
def test_what_does_not_give_the_english_is_left(packed: object) -> None:
    for value in ("said", ["said"], 3):
        back = texts_back({"sentence": value, TEXTS: {"sentence": packed, "missing": packed}})
        assert back == {"sentence": value}
        assert not isinstance(back["sentence"], Text)


@pytest.mark.parametrize("texts", [None, 3, "sentence", ["sentence"]])
def test_texts_of_another_kind_are_left(texts: object) -> None:
    assert texts_back({"sentence": "said", TEXTS: texts}) == {"sentence": "said"}


def test_a_shortened_text_keeps_its_template() -> None:
    long = Text("{path!r} is bad: {error}", path="/a" * 100, error=Text("{word} is unknown", word="x" * 200))
    short = in_short(long)
    assert len(short) < 250 < len(long)
    assert short == in_short(str.__str__(long) + "")
    assert isinstance(short, Text)
    assert short.values["error"].template == "{word} is unknown"
    assert in_short(INNER) is INNER
    assert not isinstance(in_short(joined([INNER] * 100)), Text)  # its end is cut
