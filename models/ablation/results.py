"""What each run of an ablation gave, the comparison with the base, and both as a table.  Knows no training.

Letters: a share of right answers and a score are between 0 and 1, Elo differences in Elo.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, Final

from core.files.reading import Fields, parse_json, read_bytes
from models.ablation.plan import BASE, Plan, Variant
from models.runs.config import SETTING
from models.strength.arena import wilson_interval
from models.strength.rating import Rating, Record, rate

RESULT: Final = "ablation.json"  # in the folder of a run
_MOST_BYTES: Final = 1 << 20
_MOST: Final = 1 << 53
_KINDS: Final = ("policy", "value", "search")  # of exams, see models.strength.exams


@dataclass(frozen=True)
class RunResult:
    """What one run gave.

    exams: by exam and test, (right, of).  against: by opponent, (won, drawn, lost).  minutes: of training.
    """

    evaluations: int
    samples: int
    steps: int
    minutes: float
    exams: Mapping[str, tuple[int, int]]
    against: Mapping[str, tuple[int, int, int]]

    def to_dict(self) -> dict[str, Any]:
        """The result as JSON values; the inverse of :func:`read_result`."""
        return asdict(self)


def read_result(path: Path) -> RunResult | None:
    """Read the result of a run from its file; None when there is none.  BadFile when it is damaged."""
    try:
        fields = Fields(parse_json(read_bytes(path, _MOST_BYTES)))
    except FileNotFoundError:
        return None
    exams, against = fields.object("exams"), fields.object("against")
    results = {name: exams.wholes(name, 0, _MOST) for name in exams.values}
    scores = {name: against.wholes(name, 0, _MOST) for name in against.values}
    evaluations, samples, steps = (fields.whole(name, 0, _MOST) for name in ("evaluations", "samples", "steps"))
    return RunResult(
        evaluations,
        samples,
        steps,
        minutes=fields.number("minutes", 0.0, 1e9),
        exams={name: (one[0], one[1]) for name, one in results.items() if len(one) == 2},
        against={name: (one[0], one[1], one[2]) for name, one in scores.items() if len(one) == 3},
    )


def opponent(plan: Plan) -> str:
    """The name of the fixed opponent."""
    return f"rollouts:{plan.rollouts}"


Results = Mapping[tuple[str, int], RunResult]  # by the variant's name and the seed


@dataclass(frozen=True)
class Share:
    """Right answers or points of all seeds together, with its 95 % interval (Wilson), and those of each seed.

    The interval is the luck of the questions or games; how far the seeds lie apart shows the luck of training.
    """

    share: float
    low: float
    high: float
    seeds: tuple[float, ...]

    @classmethod
    def of(cls, parts: Sequence[tuple[float, int]]) -> "Share | None":
        """Of (right, of) per seed; None without questions."""
        total = sum(number for _, number in parts)
        if not total:
            return None
        share = sum(right for right, _ in parts) / total
        each = tuple(right / number for right, number in parts if number)
        return cls(share, *wilson_interval(share, total), each)

    def __str__(self) -> str:
        text = f"{self.share:.1%} ({self.low:.1%} to {self.high:.1%})"
        return text if len(self.seeds) < 2 else f"{text}; " + ", ".join(f"{one:.1%}" for one in self.seeds)


@dataclass(frozen=True)
class Row:
    """A variant's line of the table; None where there is nothing to compare.

    exams: by kind.  elo: above the mean of the base's nets.
    """

    variant: str
    runs: int
    evaluations: float
    samples: float
    steps: float
    minutes: float
    exams: Mapping[str, Share]
    against_base: Share | None
    against_rollouts: Share | None
    elo: Rating | None


def make_rows(plan: Plan, results: Results) -> list[Row]:
    """A row for every variant with a finished run, in the plan's order."""
    elo = _leads(plan, results)
    rows = []
    for variant in plan.variants:
        found = [result for (name, _), result in sorted(results.items()) if name == variant.name]
        if not found:
            continue
        exams = {kind: share for kind in _KINDS if (share := Share.of([_exam(one, kind) for one in found]))}
        base, rollouts = (Share.of([_score(one, name) for one in found]) for name in (BASE, opponent(plan)))
        rows.append(
            Row(
                variant.name,
                len(found),
                fmean(one.evaluations for one in found),
                fmean(one.samples for one in found),
                fmean(one.steps for one in found),
                fmean(one.minutes for one in found),
                exams,
                base,
                rollouts,
                elo.get(variant.name),
            )
        )
    return rows


def _exam(result: RunResult, kind: str) -> tuple[int, int]:
    """The answers of all exams with one test."""
    answers = [one for name, one in result.exams.items() if name.endswith(f" {kind}")]
    return sum(right for right, _ in answers), sum(number for _, number in answers)


def _score(result: RunResult, name: str) -> tuple[float, int]:
    won, drawn, lost = result.against.get(name, (0, 0, 0))
    return won + 0.5 * drawn, won + drawn + lost


def _leads(plan: Plan, results: Results) -> dict[str, Rating]:
    """The Elo of each variant above the base: the mean of its nets less that of the base's, from all games."""
    records, nets = [], defaultdict(list)
    for (name, seed), result in results.items():
        player = _player(name, seed)
        nets[name].append(player)
        for other, score in result.against.items():
            records.append(Record(player, _player(BASE, seed) if other == BASE else other, *score))
    if not nets[BASE] or not records:
        return {}
    ratings = rate(records, opponent(plan))
    own = [net for net in nets[BASE] if net in ratings]
    found = {name: [net for net in nets[name] if net in ratings] for name in nets if name != BASE}
    return {name: ratings.difference(players, own) for name, players in found.items() if players and own}


def _player(name: str, seed: int) -> str:
    return f"{name} / seed {seed}"


_HEADS: Final = (
    "variant",
    "runs",
    "evaluations",
    "samples",
    "steps",
    "minutes",
    *(f"exams: {kind}" for kind in _KINDS),
    "score against base",
    "score against {opponent}",
    "Elo above base",
)


def to_markdown(plan: Plan, results: Results) -> str:
    """The comparison as a page of Markdown: what was done, the table, how to read it."""
    rows = [_cells(row) for row in make_rows(plan, results)]
    heads = [head.format(opponent=opponent(plan)) for head in _HEADS]
    kept = [i for i, _ in enumerate(heads) if i == 0 or any(row[i] for row in rows)]
    lines = [
        f"# Ablation: {plan.base['game']}, {plan.evaluations:,} evaluations a run, {_seeds(plan)}",
        "",
        f"Exams of at most {plan.positions} positions; matches of {plan.games} games, {plan.simulations} simulations "
        "a move, the same openings for every variant, each with both colours.",
        "",
        *_table([heads, *rows], kept),
        "",
        "Intervals are 95 %, of the luck of positions or games with these nets; after them, the figure of each seed. "
        "A difference that is not the same sign for all seeds, or smaller than the seeds lie apart, shows nothing.",
        "",
        "The base's settings that are not the usual ones: " + (_settings(plan) or "none") + ".",
    ]
    return "\n".join(lines) + "\n"


def _table(rows: Sequence[Sequence[str]], kept: Iterable[int]) -> list[str]:
    columns = list(kept)
    lines = ["| " + " | ".join(row[i].replace("|", "\\|") for i in columns) + " |" for row in rows]
    return [lines[0], "|" + "---|" * len(columns), *lines[1:]]


def _cells(row: Row) -> list[str]:
    elo = "" if row.elo is None else f"{row.elo.elo:+.0f} ({row.elo.low:+.0f} to {row.elo.high:+.0f})"
    shares = [*(row.exams.get(kind) for kind in _KINDS), row.against_base, row.against_rollouts]
    numbers = (row.evaluations, row.samples, row.steps)
    return [
        row.variant,
        str(row.runs),
        *(f"{number:,.0f}" for number in numbers),
        f"{row.minutes:.1f}",
        *("" if share is None else str(share) for share in shares),
        elo,
    ]


def _seeds(plan: Plan) -> str:
    return "1 seed" if plan.seeds == 1 else f"{plan.seeds} seeds"


def _settings(plan: Plan) -> str:
    trained = plan.config(Variant(BASE, {}), 0).to_dict()
    given = {name: value for name, value in plan.base.items() if name != "game" and trained[name] == value}
    return ", ".join(f"{name} = {value}" for name, value in given.items() if value != SETTING[name].default)


def as_json(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """The rows as JSON values; infinite and missing figures are null."""
    return [_finite(asdict(row)) for row in rows]


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _finite(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
