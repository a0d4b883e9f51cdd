"""The figures in an iteration's report, the counters of a run, and the log of figures for TensorBoard."""

import importlib.util
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from core.files.reading import BadFile, Fields
from core.text import Text
from models.play.games import PlayStats
from models.play.samples import Samples
from models.runs.reports import Report

FOLDER: Final = "tensorboard"
MISSING: Final = Text(
    "TensorBoard is not installed, so nothing is logged for it; “pip install tensorboard” installs it"
)


@dataclass
class Progress:
    """The counters of a run, saved with its weights."""

    iteration: int = 0
    step: int = 0
    games: int = 0
    samples: int = 0
    elapsed_s: float = 0.0
    evaluations: int = 0  # of the net in self-play
    forgone: int = 0  # steps that were due and never taken


def progress_from(value: Any) -> Progress | None:
    """Read the counters from a checkpoint; None when they are not valid."""
    try:
        fields = Fields(value)
        counts = {name: fields.whole(name, 0, 1 << 53) for name in ("iteration", "step", "games", "samples")}
        later = {name: fields.whole(name, 0, 1 << 53, 0) for name in ("evaluations", "forgone")}  # not in older runs
        return Progress(**counts, elapsed_s=fields.number("elapsed_s", 0.0, 1e11), **later)
    except BadFile:
        return None


def iteration_report(progress: Progress, samples: int, stats: PlayStats, lasted_s: float, **others: Any) -> Report:
    """Make the report of the iteration that ``progress`` has just counted.

    samples: positions made in it.  lasted_s: duration of playing and learning.  others: further figures, added as they
    are.
    """
    games = stats.games
    return {
        "event": "iteration",
        "elapsed_s": round(progress.elapsed_s, 1),
        "time": round(time.time(), 1),
        "iteration": progress.iteration,
        "games": games,
        "games_total": progress.games,
        "samples": samples,
        "samples_total": progress.samples,
        "evaluations_total": progress.evaluations,
        "step": progress.step,
        **others,
        "mean_plies": stats.plies / games if games else None,
        "first_wins": stats.first_wins / games if games else None,
        "draws": stats.draws / games if games else None,
        "resigned": stats.resigned / games if games else None,
        "proved": stats.proved / games if games else None,
        "counted": stats.counted / games if games else None,
        "wrong_resignations": stats.wrongly / stats.checked if stats.checked else None,
        "iteration_s": round(lasted_s, 2),
        "games_per_s": round(games / lasted_s, 2),
        "positions_per_s": round(samples / lasted_s, 1),  # samples
        "moves_per_s": round(stats.moves / lasted_s, 1),
        "evaluations_per_s": round(stats.evaluations / lasted_s, 1),
        "of_alone": stats.net_s / stats.play_s if stats.play_s else None,  # share of the playing time in the evaluator
        "mean_batch": stats.evaluations / stats.batches if stats.batches else None,
        "cache_hits": stats.cache_hits,
        "memory_mb": memory_mb(),
    }


def stats_of(samples: Samples) -> PlayStats:
    """Statistics that can be computed from finished games."""
    traces = samples.traces
    return PlayStats(
        games=len(traces),
        plies=sum(len(trace.opening) + len(trace.moves) for trace in traces),
        first_wins=sum(trace.outcome > 0 for trace in traces),
        draws=sum(trace.outcome == 0 for trace in traces),
    )


def newest(entries: Sequence[tuple[int, int]], positions: int) -> list[tuple[int, int]]:
    """The last of ``entries`` ((iteration, positions), oldest first), with the newest ``positions`` positions."""
    first = len(entries)
    while first > 0 and positions > 0:
        first -= 1
        positions -= entries[first][1]
    return list(entries[first:])


def window_age(entries: Sequence[tuple[int, int]], positions: int) -> int:
    """Age in iterations of the oldest of the newest ``positions`` positions; ``entries`` as for :func:`newest`."""
    window = newest(entries, positions)
    return window[-1][0] - window[0][0] if window else 0


def memory_mb() -> float | None:
    """Memory of this process in MiB: current on Linux, peak on other systems, None on Windows."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return round(pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20), 1)
    except (OSError, IndexError, ValueError):
        pass
    if sys.platform == "win32":
        return None
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / (1 << 20), 1)


class Scalars:
    """Writes every number of an iteration's report as a scalar over the steps."""

    def __init__(self, writer: Any) -> None:
        """``writer``: torch's SummaryWriter, or anything with its ``add_scalar`` and ``close``."""
        self._writer = writer

    def add(self, report: Report) -> None:
        for name, value in report.items():
            if isinstance(value, int | float) and not isinstance(value, bool):
                self._writer.add_scalar(name, value, report["step"])

    def close(self) -> None:
        self._writer.close()


def open_scalars(run: Path) -> tuple[Scalars | None, str]:
    """Open the log in the run's folder: (Scalars, ""), or (None, reason) without TensorBoard."""
    if importlib.util.find_spec("tensorboard") is None:
        return None, MISSING
    from torch.utils.tensorboard import SummaryWriter

    return Scalars(SummaryWriter(str(run / FOLDER))), ""
