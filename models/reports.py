"""What a training run reports: one JSON line per event, and an iteration in words.  Knows no torch and no window.

Every line has ``event``, ``elapsed_s`` (seconds of the run, over resumes, without pauses) and ``time`` (Unix).
"""

import json
import math
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from core.files.atomic import write_atomically

Report = dict[str, Any]

CALIBRATION_BINS: Final = 10


class Reports:
    """The file of a run's events, to add to; safe from several threads.  ``listener`` gets what was written."""

    def __init__(self, path: Path, listener: Callable[[Report], None] | None = None) -> None:
        self.path = path
        self._listener = listener
        self._lock = threading.Lock()

    def append(self, event: str, elapsed_s: float, **fields: Any) -> Report:
        """Add one line and return what it says.  ``OSError`` when it cannot be written; then nothing of it stays."""
        report: Report = {"event": event, "elapsed_s": round(elapsed_s, 1), "time": round(time.time(), 1), **fields}
        self.add(report)
        return report

    def add(self, report: Report) -> None:
        """Add a line as it is."""
        line = (json.dumps(_plain(report)) + "\n").encode()
        with self._lock:
            # In one write, and cut off again when the disk is full: a reader never keeps half a line.
            file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o666)
            try:
                size = os.fstat(file).st_size
                try:
                    written = os.write(file, line)
                    if written < len(line):
                        raise OSError(28, "No space left on device", str(self.path))
                except OSError:
                    os.ftruncate(file, size)
                    raise
            finally:
                os.close(file)
        if self._listener is not None:
            self._listener(report)


def read_reports(path: Path) -> list[Report]:
    """All events in the file, oldest first; lines that are torn or no events are left out, as is a missing file."""
    try:
        lines = path.read_bytes().splitlines()
    except FileNotFoundError:
        return []
    return [report for line in lines if (report := parse_report(line)) is not None]


def parse_report(line: bytes | str) -> Report | None:
    """One line of the file; None for half a line and anything else that is no event."""
    try:
        report = json.loads(line)
    except ValueError:
        return None
    if not isinstance(report, dict) or not isinstance(report.get("event", "iteration"), str):
        return None
    return {"event": "iteration", **report}  # files of before there were other events


def mend_reports(path: Path, last: Report) -> None:
    """Put the file right after a kill: one line for every iteration up to ``last``, the checkpoint's, and none torn.

    Iterations after it are dropped, since they will be played again; other events happened and stay.
    """
    kept = [report for report in read_reports(path) if _iteration_of(report) <= last["iteration"]]
    if not any(_iteration_of(report) == last["iteration"] for report in kept):
        kept.append(last)
    text = "".join(json.dumps(_plain(report)) + "\n" for report in kept)
    write_atomically(path, text.encode())


def report_line(report: Report, next_checkpoint_s: float | None = None) -> str:
    """An iteration in one line for people."""

    def number(name: str, form: str) -> str:
        value = report.get(name)
        return "-" if value is None else format(value, form)

    line = (
        f"{_clock(report['elapsed_s'])}  iteration {report['iteration']}  games {report['games_total']}  "
        f"step {report['step']}  policy loss {number('policy_loss', '.3f')} (KL {number('kl', '.3f')})  "
        f"value loss {number('value_loss', '.3f')}  plies {number('mean_plies', '.1f')}  "
        f"first wins {number('first_wins', '.0%')}  draws {number('draws', '.0%')}  "
        f"{number('games_per_s', '.1f')} games/s  {number('positions_per_s', '.0f')} positions/s  "
        f"{number('evaluations_per_s', '.0f')} evaluations/s"
    )
    return line if next_checkpoint_s is None else f"{line}  next checkpoint in {_clock(next_checkpoint_s).strip()}"


def event_line(report: Report) -> str:
    """Any other event in one line for people; empty for those that the command itself tells."""
    when = _clock(report["elapsed_s"])
    match report["event"]:
        case "start":
            threads = "one thread plays" if report["threads"] == 1 else f"{report['threads']} threads play"
            return "; ".join([f"{when}  {report['evaluator']}", threads, *report.get("notes", ())])
        case "checkpoint":
            return f"{when}  kept {report['net']}"
        case "exam":
            shares = (f"{name} {one['right']}/{one['of']}" for name, one in report["results"].items())
            return f"{when}  exams of step {report['step']}: {', '.join(shares)}"
        case "match":
            a, b = report["players"]
            return f"{when}  {a} against {b}: +{report['wins']} ={report['draws']} -{report['losses']}"
        case "ladder":
            ranked = sorted(report["ratings"].items(), key=lambda item: -item[1][0])
            return f"{when}  Elo: " + ", ".join(f"{name} {elo:+.0f}" for name, (elo, _, _) in ranked[:4])
        case "gate":
            return f"{when}  {report['net']} {'plays from now on' if report['passed'] else 'did not pass the gate'}"
        case "paused" | "resumed":
            return f"{when}  {report['event']}"
    return ""


def mean_entropy(policy: NDArray[np.float32]) -> float | None:
    """Mean entropy of policies [n, A], nats: the least the policy loss can come to.  None without any."""
    if not len(policy):
        return None
    return float(-(policy * np.log(np.maximum(policy, 1e-12))).sum(axis=1).mean())


def calibration(predicted: NDArray[np.float32], outcome: NDArray[Any]) -> tuple[list[list[float]], float | None]:
    """How far values can be taken at their word: predicted [n] and outcome [n], both in [-1, 1] for the side to move.

    The bins over predicted values that are not empty, each [mean predicted, mean outcome, count], and the mean
    distance of the two weighted by the counts (expected calibration error, Naeini et al. 2015; None without any).
    """
    bins: list[list[float]] = []
    which = np.clip(((predicted + 1.0) * CALIBRATION_BINS / 2).astype(np.int64), 0, CALIBRATION_BINS - 1)
    for b in range(CALIBRATION_BINS):
        inside = which == b
        if count := int(inside.sum()):
            bins.append([float(predicted[inside].mean()), float(outcome[inside].mean()), count])
    total = sum(count for _, _, count in bins)
    error = sum(abs(mean - result) * count for mean, result, count in bins) / total if total else None
    return bins, error


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes:4d}:{rest:02d}"


def _plain(value: Any) -> Any:
    """``value`` as JSON can hold it: numbers that are none become null, shortened floats elsewhere."""
    if isinstance(value, dict):
        return {name: _plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value


def _iteration_of(report: Report) -> float:
    """The iteration a report is of; 0 for other events, infinity when it cannot be read."""
    if report["event"] != "iteration":
        return 0.0
    try:
        return float(report["iteration"])
    except (ValueError, KeyError, TypeError):
        return math.inf
