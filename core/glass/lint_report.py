"""The faults found in a trace as sentences, as JSON, and as marks on the simulations of its tree."""

from collections.abc import Sequence
from typing import Any

from core.glass.history import History
from core.glass.lint import Finding
from core.glass.sentence import Sentence
from core.glass.turns import FAULT, Turn
from core.search.params import Params
from core.search.tree import RECORDS, Tree
from core.text import Text, Words


def sentence_of(finding: Finding) -> Text:
    """A finding as one sentence."""
    path = finding.path
    where = Text("after {moves}", moves=" ".join(path)) if path else Text("at the root")
    words: Words = (
        "simulation {simulation}, {where}: {title}: {sentence} ({count} times)"
        if finding.count > 1
        else "simulation {simulation}, {where}: {title}: {sentence}"
    )
    return Text(
        words,
        simulation=finding.simulation,
        where=where,
        title=finding.title,
        sentence=finding.sentence,
        count=finding.count,
    )


def to_json(findings: tuple[Finding, ...]) -> list[dict[str, Any]]:
    """The findings as JSON values."""
    return [
        {
            "kind": finding.kind,
            "title": finding.title,
            "simulation": finding.simulation,
            "node": finding.node,
            "moves": list(finding.path),
            "sentence": finding.sentence,
            "count": finding.count,
        }
        for finding in findings
    ]


def marks(
    findings: tuple[Finding, ...], tree: Tree, root_changes: Sequence[tuple[int, int]], params: Params
) -> tuple[Turn, ...]:
    """The findings in the tree of their trace, at the simulations of its root; the others are left out."""
    first = root_changes[-1][0]  # records before the root was the root
    place_of: dict[int, int] = {}
    earlier = History(tree, root_changes, params).earlier().tolist() if first else []
    for place, record in enumerate(earlier, 1):
        place_of[record + 1] = place
    for finding in findings:
        if first < finding.simulation <= tree.counts[RECORDS]:
            place_of[finding.simulation] = finding.simulation - first + len(earlier)
    return tuple(
        Turn(FAULT, at, at, -1, -1, Sentence(sentence_of(finding), {"simulation": at}))
        for finding in findings
        if (at := place_of.get(max(1, finding.simulation), 0))
    )
