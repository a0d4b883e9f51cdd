"""Reports of a training run: a JSON line per event, their checks, and events as text.

Every line has ``event``, ``elapsed_s`` (time of the run, resumes included, pauses excluded) and ``time`` (Unix);
``texts`` has the templates and values of its sentences (``core.text.with_texts``), which are English.
"""

import json
import math
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from core.files.atomic import write_atomically
from core.files.reading import BadFile, Fields, open_plain, parse_json
from core.text import texts_back, with_texts

Report = dict[str, Any]

CALIBRATION_BINS: Final = 10
OF_MACHINE: Final = 1000  # actors of the first machine are numbered from 0, of the second from here, and so on
_MOST: Final = 1 << 53  # of a count
_MOST_ACTORS: Final = 10_000
_FARTHEST: Final = 1e15  # absolute value of a figure
_LONGEST_S: Final = 1e11
_SHOWN: Final = (
    "policy_loss",
    "kl",
    "value_loss",
    "mean_plies",
    "first_wins",
    "draws",
    "games_per_s",
    "positions_per_s",
    "evaluations_per_s",
)  # figures of an iteration in its line of text


class ActorFigures(NamedTuple):
    """One actor.  behind: training steps between the newest net and that of its last portion, None before the first."""

    number: int
    host: str
    threads: int
    samples_per_s: float
    behind: int | None


class ClusterFigures(NamedTuple):
    """The cluster.  behind: mean of the portions of the iteration.  dropped: positions whose net was too old.
    restarts: of actors.  Both since the learner began."""

    address: str
    nodes: int
    behind: float | None
    dropped: int
    restarts: int
    actors: tuple[ActorFigures, ...]

    @classmethod
    def of(cls, value: Any) -> Self:
        """As a report holds it; ValueError when it is not that."""
        fields = Fields(value)
        actors = [Fields(actor) for actor in fields.list("actors")[:_MOST_ACTORS]]
        return cls(
            fields.text("address"),
            fields.whole("nodes", 0, _MOST),
            fields.number("behind", 0.0, _MOST, None),
            fields.whole("dropped", 0, _MOST),
            fields.whole("restarts", 0, _MOST),
            tuple(
                ActorFigures(
                    actor.whole("actor", 0, _MOST),
                    actor.text("host"),
                    actor.whole("threads", 0, _MOST),
                    actor.number("samples_per_s", 0.0, 1e12),
                    actor.whole("behind", 0, _MOST, None),
                )
                for actor in actors
            ),
        )


class Reports:
    """Writer of a run's report file; thread-safe.  ``listener`` is called with each written report."""

    def __init__(self, path: Path, listener: Callable[[Report], None] | None = None) -> None:
        self.path = path
        self._listener = listener
        self._lock = threading.Lock()

    def append(self, event: str, elapsed_s: float, **fields: Any) -> Report:
        """Append an event and return its report.  ``OSError`` when it cannot be written; the file is then unchanged."""
        report: Report = {"event": event, "elapsed_s": round(elapsed_s, 1), "time": round(time.time(), 1), **fields}
        self.add(report)
        return report

    def add(self, report: Report) -> None:
        """Append a report as it is."""
        line = _line(report).encode()
        with self._lock:
            # One write, truncated again when the disk is full: no partial line stays in the file.
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
    """All events in the file, oldest first, without damaged lines; none when the file is missing."""
    try:
        with open_plain(path) as file:
            return [report for line in file if (report := parse_report(line)) is not None]
    except FileNotFoundError:
        return []


def parse_report(line: bytes | str) -> Report | None:
    """Parse a line of the file and check all fields that the program uses; None for a partial or damaged line."""
    try:
        return check_report(parse_json(line))
    except BadFile:
        return None


def check_report(value: Any) -> Report | None:
    """Check a decoded event; None when it is not valid."""
    try:
        fields = Fields(value)
        event = fields.text("event", "iteration")  # files of older versions have no other events
        for name in ("elapsed_s", "time"):
            fields.number(name, 0.0, _LONGEST_S, None)
        _CHECKS.get(event, _check_other)(fields)
    except ValueError:
        return None
    # In an iteration null means that there was nothing to measure.
    figures = {name: figure for name, figure in fields.values.items() if figure is not None or event == "iteration"}
    return {**texts_back(figures), "event": event}


def _check_iteration(report: Fields) -> None:
    for name in ("iteration", "step"):
        report.whole(name, 0, _MOST)
    report.whole("games_total", 0, _MOST, None)
    for name in _SHOWN:
        report.number(name, -_FARTHEST, _FARTHEST, None)
    if "cluster" in report.values:
        ClusterFigures.of(report.values["cluster"])
    sizes = report.object("sizes", {})
    for name in sizes.values:
        sizes.object(name)
    for row in report.list("calibration", []):
        if not isinstance(row, list) or len(row) != 3:
            raise ValueError("a bin of the calibration has three numbers")
        bin_ = Fields(dict(zip(("predicted", "outcome", "count"), row, strict=True)))
        for name in ("predicted", "outcome"):
            bin_.number(name, -2.0, 2.0, None)
        bin_.whole("count", 0, _MOST)


def _check_start(report: Fields) -> None:
    report.object("config", {})
    report.text("evaluator", None)
    report.text("device", None)
    if not all(isinstance(note, str) for note in report.list("notes", [])):
        raise ValueError("a note is a text")


def _check_checkpoint(report: Fields) -> None:
    report.whole("step", 0, _MOST)
    report.text("net")


def _check_exam(report: Fields) -> None:
    report.whole("step", 0, _MOST)
    results = report.object("results")
    for name in results.values:
        of = results.object(name).whole("of", 0, _MOST)
        results.object(name).whole("right", 0, of)


def _check_match(report: Fields) -> None:
    players = report.list("players")
    if len(players) != 2 or not all(isinstance(player, str) for player in players):
        raise ValueError("a match has two players")
    for name in ("wins", "draws", "losses"):
        report.whole(name, 0, _MOST)


def _check_ladder(report: Fields) -> None:
    report.text("best", None)
    ratings = report.object("ratings")
    for name in ratings.values:
        rating = ratings.list(name)
        if len(rating) != 3:
            raise ValueError("a rating is three numbers")
        for place, value in enumerate(rating):
            Fields({str(place): value}).number(str(place), -_FARTHEST, _FARTHEST)


def _check_other(report: Fields) -> None:
    for name in ("sentence", "reason", "error", "net"):
        report.text(name, None)


_CHECKS: Final[dict[str, Callable[[Fields], None]]] = {
    "iteration": _check_iteration,
    "start": _check_start,
    "checkpoint": _check_checkpoint,
    "exam": _check_exam,
    "match": _check_match,
    "ladder": _check_ladder,
}


def repair_reports(path: Path, last: Report) -> None:
    """Repair the file after a kill: one line per iteration up to ``last``, the checkpoint's, and no partial line.

    Later iterations are removed, since they will be played again; other events are kept.
    """
    reports = [report for report in read_reports(path) if _iteration_of(report) <= last["iteration"]]
    if not any(_iteration_of(report) == last["iteration"] for report in reports):
        reports.append(last)
    write_atomically(path, "".join(map(_line, reports)).encode())


def report_line(report: Report, next_checkpoint_s: float | None = None) -> str:
    """An iteration as a line of text."""

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
    """Any other event as a line of text; empty for those that the command prints itself."""
    when = _clock(report["elapsed_s"])
    match report["event"]:
        case "start":
            threads = "1 self-play thread" if report["threads"] == 1 else f"{report['threads']} self-play threads"
            return "; ".join([f"{when}  {report['evaluator']}", threads, *report.get("notes", ())])
        case "checkpoint":
            return f"{when}  kept {report['net']}"
        case "exam":
            shares = (f"{name} {result['right']}/{result['of']}" for name, result in report["results"].items())
            return f"{when}  exams of step {report['step']}: {', '.join(shares)}"
        case "match":
            a, b = report["players"]
            return f"{when}  {a} against {b}: +{report['wins']} ={report['draws']} -{report['losses']}"
        case "ladder":
            ranked = sorted(report["ratings"].items(), key=lambda item: -item[1][0])
            return f"{when}  Elo: " + ", ".join(f"{name} {elo:+.0f}" for name, (elo, _, _) in ranked[:4])
        case "gate":
            return f"{when}  {report['net']} {'passed the gate' if report['passed'] else 'did not pass the gate'}"
        case "note":
            return f"{when}  {report.get('sentence', '')}"
        case "paused" | "resumed":
            return f"{when}  {report['event']}"
    return ""


def calibration(predicted: NDArray[np.float32], outcome: NDArray[Any]) -> tuple[list[list[float]], float | None]:
    """Calibration of values: predicted [n] against outcome [n], both in [-1, 1] for the side to move.

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


def _line(report: Report) -> str:
    """A report as a line of the file."""
    return json.dumps(_plain(with_texts(report))) + "\n"


def _plain(value: Any) -> Any:
    """``value`` with NaN and infinities replaced by None, as JSON has no such numbers."""
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value


def _iteration_of(report: Report) -> int:
    """The iteration number of a report; 0 for other events."""
    return int(report["iteration"]) if report["event"] == "iteration" else 0
