"""A short part of the random dialogues, the same lines each time, and what counts as a fault."""

import json

import pytest

from measure import dialogues


@pytest.mark.parametrize("name", dialogues.PROTOCOLS)
def test_random_lines_are_answered_as_the_protocol_has_it(name: str) -> None:
    lines = dialogues.batch(name, 7, 250)
    assert len(lines.splitlines()) >= 250
    assert dialogues.fault(name, lines) == ""


def test_the_right_lines_are_no_errors() -> None:
    found = dialogues.PROTOCOLS["serve"].answer("".join(f"{line}\n" for line in dialogues.PROTOCOLS["serve"].seeds))
    assert not [line for line in found.splitlines() if "error" in json.loads(line) and "ownership" not in line]


@pytest.mark.parametrize(
    ("name", "answers"),
    [
        ("gtp", "= 3\n\nTraceback\n\n"),
        ("gtp", "= 3\n"),
        ("gomocup", "OK\nhello\n"),
        ("nboard", "=== F5\n1 2\n"),
        ("serve", '{"id":"1","error":"an error of the program, which is printed on standard error: KeyError"}\n'),
        ("serve", '{"id":"1"}\n'),
    ],
)
def test_an_answer_that_the_protocol_does_not_have_is_a_fault(name: str, answers: str) -> None:
    assert dialogues.PROTOCOLS[name].wrong(answers)
