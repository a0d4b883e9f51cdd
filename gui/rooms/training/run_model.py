"""One training run as read from its folder: settings, figures over time, checkpoints, state.

Each look reads a bounded number of new bytes of ``reports.jsonl``, so that it takes a few milliseconds however long the
run is.  Lines that cannot be read are counted and reported, never raised.
"""

from __future__ import annotations

import math
import os
from array import array
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from core.checks import is_number
from core.files.reading import open_plain
from core.text import Text, text_of
from gui.language.core_words import core_text
from gui.language.language import tr
from gui.widgets.charts.lines import Floats
from models.runs.config import END_SETTINGS, read_settings, usable
from models.runs.folder import ABOUT, NEWEST_NET, REPORTS, RUN_TOML, About, kept_nets, read_about
from models.runs.reports import ClusterFigures, parse_report

if TYPE_CHECKING:
    from core.games import GameSpec

AXES: Final = ("step", "iteration", "samples", "minutes")
FORGOTTEN: Final = 1e-12  # a weight that changes no figure


class Moment(NamedTuple):
    """A place in a run on each of the axes."""

    step: float = 0.0  # of the optimiser
    iteration: float = 0.0
    samples: float = 0.0  # positions to learn from so far
    minutes: float = 0.0  # of the run, including earlier sessions

    def at(self, axis: str) -> float:
        """Return its place on one of :data:`AXES`."""
        return float(self[AXES.index(axis)])


class Series:
    """One figure over the run, in the order of the reports."""

    def __init__(self) -> None:
        self._at = tuple(array("d") for _ in AXES)
        self._values = array("d")

    def add(self, moment: Moment, value: float) -> None:
        """Append a value; NaN if not reported."""
        for places, place in zip(self._at, moment, strict=True):
            places.append(place)
        self._values.append(value)

    def __len__(self) -> int:
        return len(self._values)

    def at(self, axis: str) -> Floats:
        """Return the places on one of :data:`AXES`."""
        return np.array(self._at[AXES.index(axis)])

    @property
    def values(self) -> Floats:
        return np.array(self._values)

    @property
    def last(self) -> float:
        return self._values[-1] if self._values else math.nan


def smoothed(values: Floats, weight: float) -> Floats:
    """Return the exponential moving average with ``weight`` for what was before; gaps stay gaps and are passed over.

    The first values are averages of the few before them, as the weights are divided by their sum.
    """
    finite = np.isfinite(values)
    mean, factor, reach = (1 - weight) * values[finite], weight, 1
    while reach < len(mean) and factor > FORGOTTEN:  # after each round a place holds the sum over twice as many
        mean[reach:] += factor * mean[:-reach].copy()
        factor, reach = factor * factor, 2 * reach
    result = np.full(len(values), np.nan)
    result[finite] = mean / (1 - weight ** np.arange(1.0, len(mean) + 1))
    return result


LOG: Final = "train.log"
LOOK_BYTES: Final = 64 << 10  # bytes of reports read per look
_FARTHEST: Final = 1e15  # largest absolute value of a figure
_LONGEST_NAMES: Final = 100
OLD_NAMES: Final = {"policy_entropy": "entropy"}


@dataclass(frozen=True)
class Checkpoint:
    """A kept net; ``player`` is its name on the ladder."""

    step: int
    moment: Moment
    path: Path

    @property
    def player(self) -> str:
        return self.path.stem

    @property
    def minutes(self) -> float:
        return self.moment.minutes

    def at(self, axis: str) -> float:
        """Return its place on one of ``AXES``."""
        return self.moment.at(axis)


@dataclass(frozen=True)
class Rating:
    """Elo with its interval; random play is 0."""

    elo: float
    low: float
    high: float


class RunModel:
    """The present knowledge of the run in ``path``; ``look`` updates it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.config: dict[str, Any] = {}
        self.version = 0  # grows with every change
        self.fault = ""  # error in the settings file
        self.net_game = ""  # from its net, for a run without settings
        self._spec: GameSpec | None = None
        self._spec_of = ""
        self._settings_stamp = -1
        self.about = About()
        self._about_stamp = -1
        self._look_at_about()
        self._forget()

    def _forget(self) -> None:
        self._file: tuple[int, int] | None = None  # (inode, bytes read)
        self._tail = b""
        self.series: dict[str, Series] = {}
        self.exams: dict[str, Series] = {}  # share of correct answers, 0 to 1
        self.exam_sizes: dict[str, int] = {}
        self.sizes: dict[str, dict[str, Series]] = {}  # figure -> size of the board, as in 7x7 -> its values
        self.calibration: list[tuple[float, float, int]] = []  # mean predicted, mean outcome, count
        self.ratings: dict[str, Rating] = {}
        self.best = ""  # best player on the ladder, a checkpoint
        self.bouts = 0
        self._played: set[str] = set()  # players of the ladder with a bout
        self.checkpoints: list[Checkpoint] = []
        self.evaluator = ""
        self.device = ""
        self.notes: tuple[str, ...] = ()  # the newest notes
        self.event = ""  # the newest event
        self.reason = ""  # of the last stop or error
        self.cluster: ClusterFigures | None = None  # of the last iteration
        self.step = 0
        self.minutes = 0.0
        self.iterations = 0
        self.evaluations = 0  # of the net in self-play
        self.samples = 0.0
        self.games_total = 0
        self._moments: list[Moment] = []  # of the iterations
        self.unreadable = 0  # number of lines that cannot be read
        self.behind = False  # more reports can be read at once

    # reading

    def look(self) -> bool:
        """Read what is new; return whether anything was."""
        before = self.version
        self._look_at_about()
        self._look_at_settings()
        self._look_at_reports()
        return self.version != before

    def _look_at_about(self) -> None:
        try:
            stamp = (self.path / ABOUT).stat().st_mtime_ns
        except OSError:
            stamp = -1
        if stamp != self._about_stamp:
            self._about_stamp, self.about = stamp, read_about(self.path)
            self.version += 1

    def _look_at_settings(self) -> None:
        path = self.path / RUN_TOML
        try:
            stamp = path.stat().st_mtime_ns
            if stamp == self._settings_stamp:
                return
            self._settings_stamp = stamp
            read = read_settings(path)
        except OSError:  # without it the start event has the settings
            return
        except ValueError as error:
            self.fault = text_of(error)
        else:
            self.config = usable(read)
            wrong = [name for name in read if name not in self.config]
            names = ", ".join(wrong[:3])[:_LONGEST_NAMES]
            fault = Text("{file} has settings that cannot be used: {names}.", file=RUN_TOML, names=names)
            self.fault = fault if wrong else ""
        self.version += 1

    def _look_at_reports(self) -> None:
        try:
            with open_plain(self.path / REPORTS) as file:
                status = os.fstat(file.fileno())
                if self._file is not None and (status.st_ino != self._file[0] or status.st_size < self._file[1]):
                    self._forget()  # the file was rewritten, as by a resumed run
                    self.version += 1
                start = self._file[1] if self._file is not None else 0
                file.seek(start)
                data = file.read(LOOK_BYTES)
        except (OSError, ValueError):
            if self._file is not None:
                self._forget()
                self.version += 1
            return
        self._file = (status.st_ino, start + len(data))
        self.behind = start + len(data) < status.st_size
        if not data:
            return
        *lines, self._tail = (self._tail + data).split(b"\n")
        if len(self._tail) > (4 << 20):  # not a report: a foreign file
            self._tail = b""
            self.unreadable += 1
        for line in lines:
            if line.strip():
                self._take_line(line)
        self.version += bool(lines)

    def _take_line(self, line: bytes) -> None:
        report = parse_report(line)
        if report is None:
            self.unreadable += 1
        else:
            self._take(report)

    def _take(self, report: dict[str, Any]) -> None:
        event: str = report["event"]
        elapsed = _number(report.get("elapsed_s"))
        if math.isfinite(elapsed):
            self.minutes = elapsed / 60
        if event == "start":
            config = usable(report.get("config") or {})
            self.config = {**config, **self.config} if self._settings_stamp >= 0 else config
            self.evaluator, self.device = report.get("evaluator", ""), report.get("device", "")
            self.notes = tuple(report.get("notes", ()))
        elif event == "iteration":
            self._take_iteration(report)
        elif event == "checkpoint":
            kept = Checkpoint(report["step"], self._moment_of(report["step"]), self.path / report["net"])
            self.checkpoints = [c for c in self.checkpoints if c.step != kept.step] + [kept]
        elif event == "note":
            self.notes = tuple(filter(None, [report.get("sentence")]))
        elif event == "exam":
            self._take_exam(report)
        elif event == "match":
            self.bouts += 1
            self._played.update(map(str, report.get("players", ())))
        elif event == "ladder":
            self.best = report.get("best") or ""
            ratings = {name: Rating(*map(float, rating)) for name, rating in report["ratings"].items()}
            self.ratings = {name: rating for name, rating in ratings.items() if self._is_known(name)}
        elif event in ("stopped", "error"):
            reasons = [report.get(key) for key in ("reason", "sentence", "error")]
            self.reason = next((text for text in reasons if text), "")
        self.event = event

    def _is_known(self, player: str) -> bool:
        """Whether a rating is meaningful: a net without a bout has 0 with an interval of thousands."""
        return player in self._played or not player.startswith("step-")

    def _take_iteration(self, report: dict[str, Any]) -> None:
        self.step, self.iterations = report["step"], report["iteration"]
        self.games_total = report.get("games_total") or self.games_total
        self.samples = report.get("samples_total") or self.samples + (report.get("samples") or 0)
        self.evaluations = report.get("evaluations_total") or self.evaluations
        moment = self.moment
        self._moments.append(moment)
        for name, value in report.items():
            number = _number(value)
            if math.isfinite(number) or value is None:
                new_name = OLD_NAMES.get(name, name)
                if new_name != name and new_name in report:
                    continue
                self.series.setdefault(new_name, Series()).add(moment, number)
        for size, figures in report.get("sizes", {}).items():
            for name, value in figures.items():
                series = self.sizes.setdefault(name, {}).setdefault(size, Series())
                series.add(moment, _number(value))
        self.cluster = ClusterFigures.of(report["cluster"]) if "cluster" in report else None
        bins = report.get("calibration")
        if bins is not None:
            self.calibration = [(float(p), float(o), n) for p, o, n in bins if p is not None and o is not None]

    def _moment_of(self, step: int) -> Moment:
        """Return the place of a net that is reported now and was made at an earlier step."""
        made = next((moment for moment in reversed(self._moments) if moment.step <= step), Moment())
        return made._replace(step=step, minutes=self.minutes)

    def _take_exam(self, report: dict[str, Any]) -> None:
        moment = self._moment_of(report["step"])
        for name, result in report["results"].items():
            of = result["of"]
            if of > 0:
                self.exam_sizes[name] = of
                self.exams.setdefault(name, Series()).add(moment, result["right"] / of)

    # results

    @property
    def has_figures(self) -> bool:
        """Whether anything of it can be drawn over time."""
        return bool(self.series or self.exams or self.ratings)

    @property
    def name(self) -> str:
        return self.path.name

    @property
    def game(self) -> str:
        """The game as ``load_game`` takes it; "" while unknown."""
        return str(self.config.get("game", "")) or self.net_game

    @property
    def spec(self) -> GameSpec | None:
        """The game; None while it is unknown or does not exist."""
        if self._spec_of != self.game:
            from core.games import load_game

            self._spec_of = self.game
            try:
                self._spec = load_game(self.game) if self.game else None
            except ValueError:
                self._spec = None
        return self._spec

    @property
    def problem(self) -> str:
        """The problem with the folder's reports, in one sentence; "" for none."""
        if not self.path.is_dir():
            return tr("The folder {path!r} is not there any more.").format(path=str(self.path))
        if self.unreadable and not self.series and not self.event:
            return tr("{reports} in this folder holds no reports of a training run.").format(reports=REPORTS)
        if self.unreadable:
            words = tr("{lines} lines of {file} cannot be read and are left out.", self.unreadable)
            return words.format(lines=self.unreadable, file=REPORTS)
        return core_text(self.fault)

    @property
    def progress(self) -> float:
        """The share of the run that is done, 0 to 1; NaN if its end is unknown."""
        shares = []
        for end in END_SETTINGS:
            done: float = getattr(self, end.removeprefix("run."))
            limit = _number(self.config.get(end))
            if limit > 0:
                shares.append(done / limit)
        return min(1.0, max(shares)) if shares else math.nan

    @property
    def moment(self) -> Moment:
        """The present end of the run."""
        return Moment(self.step, self.iterations, self.samples, self.minutes)

    def nets(self) -> list[Checkpoint]:
        """Return the kept nets that exist, by step; for a run that keeps none, its newest net."""
        moments = {c.step: c.moment for c in self.checkpoints}
        kept = [
            Checkpoint(step, moments.get(step, self.moment._replace(step=step)), path)
            for step, path in kept_nets(self.path)
        ]
        newest = self.path / NEWEST_NET
        return kept or ([Checkpoint(self.step, self.moment, newest)] if newest.is_file() else [])


def minutes_text(minutes: float) -> str:
    """Return "12 min" or "3 h 05 min"."""
    if minutes < 99.5:
        return tr("{minutes} min").format(minutes=f"{minutes:.{0 if minutes >= 10 or minutes == 0 else 1}f}")
    hours, rest = divmod(round(minutes), 60)
    return tr("{minutes:.0f} h {minutes_2:02.0f} min").format(minutes=hours, minutes_2=rest)


def _number(value: object) -> float:
    """Return the value as a number; NaN for anything else and for values out of range."""
    return float(value) if is_number(value, -_FARTHEST, _FARTHEST) else math.nan  # type: ignore[arg-type]


def last_lines(path: Path) -> list[str]:
    """Return the non-empty lines at the end of a log."""
    try:
        with open_plain(path) as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - 8192))
            lines = file.read(8192).decode("utf-8", "replace").splitlines()
    except (OSError, ValueError):
        return []
    return [line.strip() for line in lines if line.strip()]
