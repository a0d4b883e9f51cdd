"""When a net learnt what: the last block of each kept net of a run, asked for the same concepts in the same positions.

Beside it stands how often a search with that net chooses a move of the concept, after one simulation, which is the net
alone, and after more: mostly a search knows a thing before the net does.  What was found of a net is kept in the user's
caches, so that work that was stopped goes on where it was.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from core.files.arrays import Unpacked, pack
from core.files.caches import cache_path, keep
from core.files.reading import BadFile, read_bytes
from core.games import GameSpec
from core.games.spec import Concept
from core.text import Text
from models.inside.concepts import Stopped
from models.inside.examined import concepts_key, net_key
from models.inside.knowledge import ConceptReport, Examiner, Progress, positions_at_most
from models.inside.measured_file import measured_parts, read_measured
from models.inside.probes import Score
from models.inside.sample import Stop, play_sample
from models.inside.uses import SIMULATIONS, searched
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.tapped import TappedNet
from models.runs.folder import REPORTS, kept_nets
from models.runs.reports import read_reports

MOST_NETS: Final = 20
LEAST_NETS: Final = 2
KNOWN: Final = 0.5  # a concept is known where more than this share of positions have a move of it chosen, for certain
SEED: Final = 0
_SEARCHED: Final = 100  # positions of a concept
_FIT_SHARE: Final = 0.3  # of the work on a net
_VERSION: Final = 1
_MOST_BYTES: Final = 1 << 20
_MOST_FILES: Final = 400


class KeptNet(NamedTuple):
    """A net that a run kept."""

    path: Path
    step: int
    iteration: int | None
    """None where the run's reports do not say it."""


class Column(NamedTuple):
    """What was found of one net."""

    concepts: tuple[ConceptReport, ...]
    """Of the last block alone; without lines."""
    searched: Mapping[str, tuple[Score, ...]]
    """Of each concept that names moves: the share of positions where one is chosen after ``SIMULATIONS``."""
    judged: int
    """Positions to which no line was fitted."""
    positions: int


class History(NamedTuple):
    """What was found of the nets of a run so far, oldest first."""

    nets: tuple[KeptNet, ...]
    columns: tuple[Column, ...]

    @property
    def blocks(self) -> tuple[str, ...]:
        """A name for each column."""
        return tuple(
            Text("step {step}", step=net.step)
            if net.iteration is None
            else Text("iteration {number}", number=net.iteration)
            for net in self.nets
        )

    @property
    def concepts(self) -> tuple[ConceptReport, ...]:
        """The concepts, whose blocks are the columns; none where one of the nets could not be judged."""
        rows = zip(*(column.concepts for column in self.columns), strict=True)
        return tuple(
            replace(row[-1], blocks=tuple(block for one in row for block in one.blocks) if _all_known(row) else ())
            for row in rows
        )

    def first_known(self, name: str, simulations: int) -> int | None:
        """The first column whose search of so many simulations chooses a move of the concept where there is one, in
        more than half of the positions for certain; None where there is none, or the concept names no moves."""
        place = SIMULATIONS.index(simulations)
        known = (i for i, column in enumerate(self.columns) if _low(column.searched.get(name), place) > KNOWN)
        return next(known, None)


def _all_known(row: Sequence[ConceptReport]) -> bool:
    return all(one.blocks for one in row)


def _low(scores: tuple[Score, ...] | None, place: int) -> float:
    return float("nan") if scores is None else scores[place].low


def nets_of_run(folder: Path, most: int = MOST_NETS) -> tuple[KeptNet, ...]:
    """The kept nets of a run, at most ``most`` of them, spread evenly from the first to the last.

    ValueError, one sentence, for a folder that has fewer than two."""
    kept = kept_nets(folder)
    if len(kept) < LEAST_NETS:
        raise ValueError(
            Text(
                "{folder} has {count} kept nets of a run; to compare them there must be at least {least}",
                folder=folder.name,
                count=len(kept),
                least=LEAST_NETS,
            )
        )
    places = np.unique(np.linspace(0, len(kept) - 1, min(most, len(kept))).round().astype(int)).tolist()
    iterations = _iterations(folder)
    return tuple(KeptNet(path, step, _iteration_at(iterations, step)) for step, path in (kept[i] for i in places))


def run_of(net: Path) -> Path | None:
    """The folder of the run that a net file belongs to, if this keeps enough nets; else None."""
    for folder in (net.parent, net.parent.parent):
        with suppress(OSError):
            if (folder / REPORTS).is_file() and len(kept_nets(folder)) >= LEAST_NETS:
                return folder
    return None


def _iterations(folder: Path) -> list[tuple[int, int]]:
    """(Step, iteration) of the run's iterations; none where its reports cannot be read."""
    with suppress(OSError):
        reports = read_reports(folder / REPORTS)
        return sorted((int(row["step"]), int(row["iteration"])) for row in reports if row["event"] == "iteration")
    return []


def _iteration_at(iterations: Sequence[tuple[int, int]], step: int) -> int | None:
    if not iterations:
        return None
    return max((iteration for at, iteration in iterations if at <= step), default=0)


def history_of(
    nets: Sequence[KeptNet],
    game: GameSpec,
    concepts: Sequence[Concept],
    stop: Stop = lambda: False,
    progress: Progress = lambda part: None,
    found: Callable[[History], object] = lambda history: None,
) -> History | None:
    """Ask all ``nets``, oldest first, in positions of which the last one played half; None when stopped.

    ``found`` is given what is known after each net, ``progress`` a part of 1.  BadNet for a net that cannot be used,
    ValueError where a concept's labels cannot be used."""
    last = TappedNet(nets[-1].path, game)
    about = (str(_VERSION), str(SEED), str(positions_at_most(last)), *net_key(last), *concepts_key(game, concepts))
    examiner: Examiner | None = None
    columns: list[Column] = []
    for number, kept in enumerate(nets):
        net = TappedNet(kept.path, game)
        path = cache_path("history", "concepts", *net_key(net), *about)
        column = _kept_column(path, concepts)
        if column is None:
            if examiner is None:
                sample = play_sample(last, positions_at_most(last), SEED, stop)
                if stop():
                    return None
                try:
                    examiner = Examiner(sample, concepts, SEED, stop)
                except Stopped:
                    return None
            column = _column(net, examiner, stop, partial(_pass_on, progress, number, len(nets)))
            if column is None:
                return None
            keep(path, column_file(column), _MOST_FILES)
        columns.append(column)
        progress((number + 1) / len(nets))
        found(History(tuple(nets[: number + 1]), tuple(columns)))
        if stop():
            return None
    return History(tuple(nets), tuple(columns))


def _pass_on(progress: Progress, done: int, of: int, part: float) -> None:
    progress((done + part) / of)


def _column(net: TappedNet, examiner: Examiner, stop: Stop, progress: Progress) -> Column | None:
    report = examiner.examine(net, stop, lambda part: progress(_FIT_SHARE * part), last_alone=True)
    if report is None:
        return None
    moves, rest = [concept for concept in examiner.concepts if concept.is_move], 1.0 - _FIT_SHARE
    evaluator = OnnxEvaluator(net.path, net.game, recipe=net.recipe, device="cpu", threads=1)
    shares = searched(evaluator, moves, report.sample, _SEARCHED, stop, lambda part: progress(_FIT_SHARE + rest * part))
    if stop():
        return None
    chosen = {concept.name: scores for concept, scores in zip(moves, shares, strict=True)}
    rows = tuple(replace(row, lines=()) for row in report.concepts)
    return Column(rows, chosen, len(report.judged), len(report.sample.positions))


# The file of a column.


def column_file(column: Column) -> bytes:
    """What was found of a net, as a file."""
    counts = np.array([column.judged, column.positions], np.int64)
    return pack({"counts": counts, **measured_parts(column.concepts, column.searched, 1)})


def read_column(data: bytes, concepts: Sequence[Concept]) -> Column:
    """What is in a file of these concepts; :class:`BadFile` when it is damaged."""
    parts = Unpacked(data)
    judged, positions = parts.array("counts", np.int64, (2,)).tolist()
    if min(judged, positions) < 0:
        raise BadFile("a count is wrong")
    reports, searched = read_measured(parts, concepts, 1)
    return Column(tuple(reports), searched, judged, positions)


def _kept_column(path: Path, concepts: Sequence[Concept]) -> Column | None:
    with suppress(OSError, BadFile):
        return read_column(read_bytes(path, _MOST_BYTES), concepts)
    return None
