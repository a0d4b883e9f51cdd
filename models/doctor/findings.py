"""What is wrong with a training run, how sure that is, and the experiment that shows it."""

import math
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from core.text import Text, Words
from models.inside.probes import Score

PROVED: Final = "proved"
SHOWN: Final = "shown"
LIKELY: Final = "likely"
CERTAINTIES: Final[dict[str, Words]] = {
    PROVED: "the rules contradict it",
    SHOWN: "an experiment shows it",
    LIKELY: "unusual for a sound run",
}

# Kind -> what is wrong, in a few words; causes before what comes of them.
KINDS: Final[dict[str, Words]] = {
    "planes": "the net is shown another board",
    "constant planes": "the net is shown no board",
    "result sign": "the results have the wrong sign",
    "result owner": "the results are those of another side",
    "result wrong": "the results are those of other games",
    "policy illegal": "the policy target has moves that are not legal",
    "policy board": "the policy target is that of a mirrored board",
    "policy other": "the policy target is not that of the moves played",
    "rate low": "the learning rate is too low",
    "rate high": "the learning rate is too high",
    "search budget": "fewer simulations than moves",
    "search flat": "the search prefers nothing",
    "search certain": "the search gives all to one move",
    "search sign": "the search's values have the wrong sign",
    "search owner": "the search's values are those of another side",
    "search worse": "the search's values are worse than the net's",
    "search blind": "the search overlooks wins in one move",
    "noise off": "no noise at the root",
    "noise drowns": "noise decides the search",
    "resignations": "games are given up that are not lost",
    "never sampled": "moves are never drawn at random",
    "always sampled": "moves are drawn at random to the end",
    "games alike": "the same games again and again",
    "one result": "every game ends alike",
    "replay old": "most samples are of old nets",
    "replay young": "too few samples for the steps taken",
    "net sign": "the net learned values of the wrong sign",
    "net owner": "the net learned values of another side",
    "net symmetry": "the net learned policies of turned boards",
    "weights": "the weights do not move",
    "one batch": "the net cannot learn one batch by heart",
    "net stuck": "the net no longer learns",
    "value constant": "the value is the same everywhere",
    "value saturated": "the value is certain, and often wrong",
    "policy constant": "the policy does not depend on the position",
    "value unlearned": "the value knows less than a straight line",
    "policy unlearned": "the policy knows less than counting",
    "nothing to learn": "the search is no better than the net",
    "overfitted": "the net learns its samples by heart",
    "unstable": "the loss jumps",
    "gate": "the gate rejects nets by chance",
    "exam": "the exam does not tell the newest nets from the first",
    "ladder": "the ladder does not tell the nets from the first",
}
_NOT_LEARNED: Final = ("value constant", "value saturated", "policy constant", "value unlearned", "policy unlearned")
# Cause -> what may come of it and be surer than its cause is; each stands after its cause in ``KINDS``.
EFFECTS: Final[dict[str, tuple[str, ...]]] = {
    "rate low": ("search flat", "weights", *_NOT_LEARNED),
    "search budget": ("search flat", "search certain", "search worse", "search blind", "games alike", *_NOT_LEARNED),
    "search certain": ("games alike", "overfitted"),
    "noise off": ("games alike", "overfitted"),
    "resignations": ("games alike", "overfitted", *_NOT_LEARNED),
    "never sampled": ("overfitted",),
    "games alike": ("overfitted",),
    "replay old": _NOT_LEARNED,
    "replay young": ("overfitted", *_NOT_LEARNED),
}
_ORDER: Final = {kind: place for place, kind in enumerate(KINDS)}


class Experiment(NamedTuple):
    """What was changed, and a figure before and after; both with their 95 % intervals over games."""

    change: Text
    figure: Text  # what is measured
    before: Score
    after: Score


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong.

    kind: one of ``KINDS``.  certainty: one of ``CERTAINTIES``.  share: of the samples or games that show it, 0 to 1.
    since: the first iteration from which on it is seen; None where that is not known.
    """

    kind: str
    certainty: str
    sentence: Text
    experiment: Experiment | None = None
    share: float = 1.0
    since: int | None = None

    @property
    def title(self) -> Text:
        """What is wrong, in a few words."""
        return Text(KINDS[self.kind])

    def seen_from(self, iteration: int | None) -> "Finding":
        """The same with the first iteration that shows it."""
        return replace(self, since=iteration)


def ranked(findings: list[Finding]) -> tuple[Finding, ...]:
    """The surest finding of each kind, the surest first; a cause counts as sure as what comes of it, and of equally
    sure ones causes come first."""
    surest: dict[str, Finding] = {}
    for finding in sorted(findings, key=_sureness):
        surest.setdefault(finding.kind, finding)

    def place(finding: Finding) -> tuple[int, int]:
        effects = (surest[kind] for kind in EFFECTS.get(finding.kind, ()) if kind in surest)
        return min(map(_sureness, (finding, *effects))), _ORDER[finding.kind]

    return tuple(sorted(surest.values(), key=place))


def _sureness(finding: Finding) -> int:
    return list(CERTAINTIES).index(finding.certainty)


def score_text(score: Score) -> str:
    """A figure with its interval: ``0.41 (0.38 to 0.44)``."""
    value, low, high = score
    if math.isnan(low) or math.isnan(high):
        return f"{value:.2f}"
    return f"{value:.2f} ({low:.2f} to {high:.2f})"


def sentences_of(finding: Finding) -> list[Text]:
    """A finding in words: what is wrong, since when, and its experiment."""
    lines = [Text("{title}: {sentence}", title=finding.title, sentence=finding.sentence)]
    if finding.since is not None:
        lines.append(Text("seen from iteration {iteration} on", iteration=finding.since))
    if finding.experiment is not None:
        change, figure, before, after = finding.experiment
        lines.append(
            Text(
                "experiment: {change}; {figure} {before} → {after}",
                change=change,
                figure=figure,
                before=score_text(before),
                after=score_text(after),
            )
        )
    return lines


def to_json(finding: Finding) -> dict[str, Any]:
    """A finding as JSON values."""
    experiment = None
    if finding.experiment is not None:
        change, figure, before, after = finding.experiment
        experiment = {"change": change, "figure": figure, "before": _plain(before), "after": _plain(after)}
    return {
        "kind": finding.kind,
        "title": finding.title,
        "certainty": finding.certainty,
        "sentence": finding.sentence,
        "share": round(finding.share, 4),
        "since": finding.since,
        "experiment": experiment,
    }


def _plain(score: Score) -> list[float | None]:
    return [None if math.isnan(value) else round(value, 4) for value in score]
