"""What ``plyscope inside --part concepts`` prints: how well concepts are read from blocks, and the baselines."""

import math
from collections.abc import Mapping
from typing import Any

from models.commands.printing import aligned
from models.inside.knowledge import ConceptReport, NetReport
from models.inside.probes import Score
from models.inside.searched import SIMULATIONS
from models.inside.uses import Use


def concepts_data(report: NetReport, uses: Mapping[str, Use]) -> dict[str, Any]:
    """What was measured as a JSON object; what is not known is null."""
    about = {"positions": len(report.sample.positions), "judged": len(report.judged), "blocks": list(report.blocks)}
    return {**about, "concepts": [_concept(concept, uses) for concept in report.concepts]}


def _concept(concept: ConceptReport, uses: Mapping[str, Use]) -> dict[str, Any]:
    blocks = [
        {
            "score": _score(block.score),
            "random_net": _score(block.random),
            "shuffled_labels": _score(block.shuffled),
            "above_baselines": _score(block.above),
            "beats_baselines": block.beats_baselines,
        }
        for block in concept.blocks
    ]
    about = {"name": concept.name, "title": concept.title, "measure": _measure(concept), "rows": concept.rows}
    data = {**about, "mean": _number(concept.mean), "board": _score(concept.board), "blocks": blocks}
    if concept.name in uses:
        use = uses[concept.name]
        data["searched"] = {str(n): _score(score) for n, score in zip(SIMULATIONS, use.searched, strict=True)}
        data["pushed"] = [
            None if pushed is None else {**pushed._asdict(), "along": _score(pushed.along), "is_used": pushed.is_used}
            for pushed in use.pushed
        ]
    return data


def _measure(concept: ConceptReport) -> str:
    return "AUC" if concept.yes_no else "R2"


def _score(score: Score) -> dict[str, float | None]:
    return {name: _number(value) for name, value in score._asdict().items()}


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None


def concepts_lines(report: NetReport, uses: Mapping[str, Use]) -> list[str]:
    """A table: a row for each concept, a star where a block is above all baselines for certain."""
    rows = [("concept", "measure", "bare board", "random net", *report.blocks)]
    for concept in report.concepts:
        if concept.blocks:
            random = max(block.random.value for block in concept.blocks)
            blocks = [f"{block.score.value:.3f}{'*' if block.beats_baselines else ''}" for block in concept.blocks]
            rows.append((concept.name, _measure(concept), f"{concept.board.value:.3f}", f"{random:.3f}", *blocks))
        else:
            rows.append((concept.name, _measure(concept), "too few", *[""] * (len(report.blocks) + 1)))
    lines = aligned(rows)
    about = f"judged by {len(report.judged)} of {len(report.sample.positions)} positions, in games of their own"
    lines.append("*: above the bare board, the net with random weights and shuffled labels, for certain")
    for name, use in uses.items():
        shares = ", ".join(f"{score.value:.0%} of {n}" for n, score in zip(SIMULATIONS, use.searched, strict=True))
        lines += ["", f"{name}: a search chooses it in {shares} simulations, where there is such a move"]
        for block, pushed in zip(report.blocks, use.pushed, strict=True):
            if pushed is not None:
                lines.append(
                    f"  pushed in {block}: P rises in {pushed.along.value:.0%}, more than by {pushed.outdone:.0%} "
                    f"of shuffled labels (mean {pushed.at_random:.0%})"
                )
    return [about, *lines]
