"""What a training run reports: one JSON line per iteration, and the same in words.  Knows no torch and no window."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np

from models.atomic import write_atomically
from models.selfplay import Samples

Report = dict[str, Any]


def append_report(path: Path, report: Report) -> None:
    """Add one line to the file of reports."""
    with path.open("a", encoding="utf-8", newline="\n") as file:
        file.write(json.dumps(report) + "\n")


def mend_reports(path: Path, last: Report) -> None:
    """Leave one line for every iteration up to ``last``, the checkpoint's, wherever the run was killed."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    kept = [line for line in lines if _iteration_of(line) < last["iteration"]]
    text = "".join(line + "\n" for line in [*kept, json.dumps(last)])
    write_atomically(path, text.encode())


def report_line(report: Report) -> str:
    """A report in one line for people."""

    def number(name: str, form: str) -> str:
        value = report.get(name)
        return "-" if value is None else format(value, form)

    minutes, seconds = divmod(int(report["elapsed_s"]), 60)
    return (
        f"{minutes:4d}:{seconds:02d}  iteration {report['iteration']}  games {report['games_total']}  "
        f"step {report['step']}  policy loss {number('policy_loss', '.3f')} "
        f"(target entropy {number('target_entropy', '.3f')})  value loss {number('value_loss', '.3f')}  "
        f"plies {number('mean_plies', '.1f')}  first wins {number('first_wins', '.0%')}  "
        f"draws {number('draws', '.0%')}  {number('evaluations_per_s', '.0f')} evaluations/s"
    )


def mean_losses(rows: list[tuple[float, float, float]]) -> dict[str, float | None]:
    """Means of policy loss, value loss and policy entropy over the steps, by name; None without steps."""
    names = ("policy_loss", "value_loss", "policy_entropy")
    if not rows:
        return dict.fromkeys(names)
    return dict(zip(names, np.mean(rows, axis=0).tolist(), strict=True))


def mean_entropy(samples: Samples) -> float | None:
    """Mean entropy of the search's policies, nats: the least the policy loss can come to."""
    if not len(samples):
        return None
    p = samples.policy
    return float(-(p * np.log(np.maximum(p, 1e-12))).sum(axis=1).mean())


def _iteration_of(line: str) -> float:
    """The iteration a line of reports is of; infinity when it cannot be read."""
    try:
        return float(json.loads(line)["iteration"])
    except (ValueError, KeyError, TypeError):
        return math.inf
