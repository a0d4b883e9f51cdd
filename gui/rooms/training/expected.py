"""What a run will need, shown while its settings are entered: its net, time and memory.  Uses settings and figures.

Time comes from reports of earlier runs on this machine, which are named; without one it is not known.
"""

from __future__ import annotations

import math
import statistics
import subprocess
from collections.abc import Callable, Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from core.machine import machine_memory_mb
from core.text import Words
from gui.jobs.task import run_task
from gui.language.language import tr
from gui.rooms.training.run_model import RunModel, Series, minutes_text
from gui.widgets.figures import count, size
from gui.widgets.labels import make_label, rename
from gui.widgets.texts import on_language, set_texts
from gui.widgets.theme import figure_font

if TYPE_CHECKING:
    from models.runs.config import TrainConfig
    from models.runs.estimate import Duration, Measured

LAST = 20  # iterations whose median counts
DIFFERS: dict[str, Words] = {
    "game": "game",
    "net": "net",
    "search": "search",
    "evaluator": "evaluator",
    "threads": "number of threads",
}
NET: Words = "Net"
TIME: Words = "Time"
MEMORY: Words = "Memory"
GPU: Words = "GPU"
NO_RUN: Words = "not known: no earlier run on this machine to measure by; the first iterations show it"
MEMORY_TIP: Words = (
    "Added up from the settings, when the replay buffer is full: positions to learn from; weights, optimizer and one "
    "batch; trees and caches of self-play; the program itself, as it was measured on Linux."
)
TIME_TIP: Words = (
    "Scaled from the reports of an earlier run: by the simulations for each position, by the net's multiplications "
    "and by the positions of an iteration. It changes as the games become longer or shorter."
)


class Gpu(NamedTuple):
    """The first NVIDIA GPU."""

    name: str
    memory_mb: float


def measured(run: RunModel) -> Measured | None:
    """Return what a run was measured to take; None without a finished iteration or its settings."""
    from models.runs.estimate import Measured

    figures = {name: _median(run.series.get(name)) for name in ("positions_per_s", "of_alone")}
    if not run.config or not figures["positions_per_s"] > 0:
        return None
    return Measured(
        run.name,
        run.config,
        run.device or "cpu",
        figures["positions_per_s"],
        figures["of_alone"] if math.isfinite(figures["of_alone"]) else 1.0,
        _or_zero(_median(run.series.get("learning_s"))),
        _or_zero(_median(run.series.get("steps"))),
        _between(run),
    )


def _median(series: Series | None) -> float:
    """Return the median of the last values, the first iteration's left out where there are others; NaN without one."""
    values: list[float] = [] if series is None else series.values.tolist()
    last = [value for value in (values[1:] or values)[-LAST:] if math.isfinite(value)]
    return statistics.median(last) if last else math.nan


def _or_zero(value: float) -> float:
    return value if math.isfinite(value) else 0.0


def _between(run: RunModel) -> float:
    """Return the seconds between two iterations, as for saving."""
    series = run.series.get("iteration_s")
    if series is None or len(series.values) < 2:
        return 0.0
    ends, lasted = series.at("minutes")[-LAST:].tolist(), series.values[-LAST:].tolist()
    apart = [60 * (b - a) - s for a, b, s in zip(ends, ends[1:], lasted[1:], strict=False)]
    return max(0.0, _or_zero(statistics.median(apart)))


@cache
def find_gpu() -> Gpu | None:
    """Return the GPU that training would use, as far as it is known without torch; None without one."""
    try:
        if version("torch").endswith("+cpu"):
            return None
        done = subprocess.run(
            ["nvidia-smi", "--query-gpu=name,memory.total", "--format=csv,noheader,nounits"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=10,
            check=True,
        )
        name, _, memory = done.stdout.splitlines()[0].rpartition(",")
        return Gpu(name.strip(), float(memory))
    except (PackageNotFoundError, OSError, subprocess.SubprocessError, ValueError, IndexError):
        return None


class Expected(QWidget):
    """Rows of a name and a sentence; ``runs`` gives the earlier runs."""

    def __init__(self, runs: Callable[[], Sequence[RunModel]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._runs = runs
        self._config: TrainConfig | None = None
        self.gpu: Gpu | None = None
        self.rows: dict[str, QLabel] = {}
        self._names: dict[str, QLabel] = {}
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(14)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(1, 1)
        for place, name in enumerate((NET, TIME, MEMORY, GPU)):
            title, words = make_label(self, "dim", name), make_label(self, "", wrap=True)
            words.setFont(figure_font(self.font()))
            set_texts(words, accessibleName=name)
            self._names[name], self.rows[name] = title, words
            grid.addWidget(title, place, 0)
            grid.addWidget(words, place, 1)
        set_texts(self.rows[TIME], toolTip=TIME_TIP)
        set_texts(self.rows[MEMORY], toolTip=MEMORY_TIP)
        on_language(self, lambda: self.show_settings(self._config))
        run_task(self, find_gpu, self._take_gpu, lambda _: None)

    def _take_gpu(self, gpu: Gpu | None) -> None:
        self.gpu = gpu
        self.show_settings(self._config)

    def show_settings(self, config: TrainConfig | None) -> None:
        """Show what a run with these settings needs; None while they are not valid."""
        self._config = config
        for label in (*self._names.values(), *self.rows.values()):
            label.setVisible(config is not None)
        if config is None:
            return
        on_gpu = config.run.device != "cpu" and self.gpu is not None
        self._show_net(config)
        self._show_time(config, "cuda" if on_gpu else "cpu")
        self._show_memory(config, on_gpu)

    def _show_net(self, config: TrainConfig) -> None:
        from core.games import load_game
        from models.runs.net_config import net_size

        shape = net_size(load_game(config.game), config.net_config())
        words = tr("{parameters} parameters ({size}), {multiplications} million multiplications for each position")
        self.rows[NET].setText(
            words.format(
                parameters=count(shape.parameters),
                size=size(4 * shape.parameters),
                multiplications=f"{shape.multiplications / 1e6:.3g}",
            )
        )

    def _show_time(self, config: TrainConfig, device: str) -> None:
        from models.runs.estimate import duration

        expected = duration(config, device, [time for run in self._runs() if (time := measured(run)) is not None])
        self.rows[TIME].setText(tr(NO_RUN) if expected is None else time_words(config, expected))
        if expected is None and config.run.minutes:
            words = tr("{time} in all, as set; an iteration: {unknown}")
            self.rows[TIME].setText(words.format(time=minutes_text(config.run.minutes), unknown=tr(NO_RUN)))

    def _show_memory(self, config: TrainConfig, on_gpu: bool) -> None:
        from models.runs.estimate import memory

        need = memory(config)
        learning = 0.0 if on_gpu else need.learning
        total, machine = need.total - need.learning + learning, machine_memory_mb()
        words = tr(
            "about {total} of {machine}: replay {replay}, learning {learning}, games {playing}, program {program}"
        )
        if on_gpu:
            words = tr("about {total} of {machine}: replay {replay}, games {playing}, program {program}")
        if total > machine:
            words += " · " + tr("more than this machine has")
        parts = {"total": total, "machine": machine, "learning": learning, **need._asdict()}
        self.rows[MEMORY].setText(words.format(**_sizes({**parts, "total": total, "learning": learning})))
        rename(self.rows[MEMORY], "error" if total > machine else "")
        for label in (self._names[GPU], self.rows[GPU]):
            label.setVisible(on_gpu)
        if on_gpu:
            assert self.gpu is not None
            words = tr("about {learning} of {memory} for learning, and what CUDA itself takes ({name})")
            parts = _sizes({"learning": need.learning, "memory": self.gpu.memory_mb})
            self.rows[GPU].setText(words.format(name=self.gpu.name, **parts))
            rename(self.rows[GPU], "error" if need.learning > self.gpu.memory_mb else "")


def _sizes(parts: dict[str, Any]) -> dict[str, str]:
    """Return numbers of MiB as texts."""
    return {name: size(int(mib * (1 << 20))) for name, mib in parts.items()}


def time_words(config: TrainConfig, expected: Duration) -> str:
    """Return how long an iteration and the run take, and by which run."""
    from models.runs.estimate import iterations_of

    words = [tr("about {time} an iteration").format(time=short_time(expected.iteration_s))]
    ends = [60 * config.run.minutes] if config.run.minutes else []
    if config.run.iterations:
        ends.append(config.run.iterations * expected.iteration_s)
    if config.run.evaluations:
        ends.append(iterations_of(config) * expected.iteration_s)
    end = min(ends)
    if config.run.minutes and end == 60 * config.run.minutes:
        number = max(1, round(end / expected.iteration_s))
        words.append(
            tr("{time} in all, as set: about {count} iterations").format(
                time=minutes_text(end / 60), count=count(number)
            )
        )
    else:
        words.append(
            tr("about {time} in all: {count} iterations").format(
                time=minutes_text(end / 60), count=count(round(end / expected.iteration_s))
            )
        )
    source = tr("as measured in “{name}”").format(name=expected.of)
    if expected.differs:
        others = ", ".join(tr(DIFFERS[name]) for name in expected.differs)
        source = tr("scaled from “{name}” (another {others})").format(name=expected.of, others=others)
    return " · ".join([*words, source])


def short_time(seconds: float) -> str:
    """Return "12 s", or minutes."""
    return tr("{seconds} s").format(seconds=f"{seconds:.2g}") if seconds < 99.5 else minutes_text(seconds / 60)
