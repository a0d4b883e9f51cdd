"""The order of findings."""

import pytest

from core.text import Text
from models.doctor.findings import EFFECTS, KINDS, LIKELY, PROVED, SHOWN, Finding, ranked


def _order(*findings: tuple[str, str]) -> list[str]:
    return [finding.kind for finding in ranked([Finding(kind, certainty, Text("")) for kind, certainty in findings])]


def test_the_surest_come_first_and_of_equally_sure_ones_causes() -> None:
    assert _order(("ladder", LIKELY), ("value unlearned", SHOWN), ("search sign", SHOWN), ("result sign", PROVED)) == [
        "result sign",
        "search sign",
        "value unlearned",
        "ladder",
    ]


@pytest.mark.parametrize(("cause", "effect"), [(cause, effect) for cause in EFFECTS for effect in EFFECTS[cause]])
def test_a_cause_comes_before_what_comes_of_it_however_sure_that_is(cause: str, effect: str) -> None:
    assert list(KINDS).index(cause) < list(KINDS).index(effect)
    assert _order((effect, SHOWN), (cause, LIKELY), ("net sign", LIKELY)) == [cause, effect, "net sign"]


def test_a_cause_comes_after_what_is_surer_and_does_not_come_of_it() -> None:
    assert _order(("replay young", LIKELY), ("search blind", SHOWN)) == ["search blind", "replay young"]


def test_of_a_kind_the_surest_finding_counts_and_else_the_first() -> None:
    first, second, surest = (
        Finding("resignations", certainty, Text(words))
        for certainty, words in ((LIKELY, "a"), (LIKELY, "b"), (PROVED, "c"))
    )
    assert ranked([first, second]) == (first,)
    assert ranked([first, second, surest]) == (surest,)
