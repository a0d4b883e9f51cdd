"""Which runs there are, which one is chosen, and which have curves in the charts and in which colours."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final, NamedTuple

from PySide6.QtCore import QElapsedTimer, QSettings

from core.files.reading import in_short
from core.text import Text
from gui.language.language import tr
from gui.rooms.training.launcher import PAUSED, STARTING, WORKING, Launcher, RunState
from gui.rooms.training.run_model import RunModel
from gui.widgets.saving import data_folder
from models.runs.folder import REPORTS, RUN_TOML, RUNNING_FILE
from models.runs.removal import ASIDE

BAD_NAME: Final = re.compile(r'[<>:"/\\|?*\x00-\x1f]|[. ]$')
LONGEST_NAME: Final = 200  # bytes; file systems allow 255
LOOK_MS: Final = 8  # time per refresh for runs that are not shown
MOST_REMEMBERED: Final = 24  # folders outside the runs folder


def runs_home() -> Path:
    """Return the folder of new runs."""
    return data_folder("runs")


def is_run(path: Path) -> bool:
    """Whether a folder is a training run's."""
    try:
        return any((path / name).is_file() for name in (RUN_TOML, REPORTS, RUNNING_FILE))
    except (OSError, ValueError):  # no path: a name that is too long, as spoilt settings may have
        return False


def kept_paths(kept: QSettings, name: str) -> list[Path]:
    """Return the folders of runs that are saved under a name, those that are still there."""
    names = kept.value(name) or []
    texts = [names] if isinstance(names, str) else list(names) if isinstance(names, list) else []
    return [path for text in texts if is_run(path := Path(str(text)))]


def name_problem(home: Path, name: str) -> str:
    """Return what is wrong with the name of a new run in a folder, translated; "" when nothing is."""
    if not name:
        return tr("the run needs a name")
    if BAD_NAME.search(name) or len(name.encode()) > LONGEST_NAME:
        return tr("“{name}” cannot be the name of a folder").format(name=in_short(name))
    if (home / name).exists():
        return tr("there is a run “{name}” already").format(name=name)
    return ""


class KnownRuns:
    """The runs; ``chosen`` is the one that is shown."""

    def __init__(self, home: Path, launcher: Launcher) -> None:
        self.home = home
        self.launcher = launcher
        self.models: dict[Path, RunModel] = {}
        self.chosen: Path | None = None
        self._elsewhere: list[Path] = []
        self._looked_at: set[Path] = set()  # looked at in this round

    @property
    def unfinished(self) -> bool:
        """Whether some run has not been looked at in this round."""
        return bool(self._looked_at)

    @property
    def model(self) -> RunModel | None:
        """The model of the chosen run."""
        return self.models.get(self.chosen) if self.chosen is not None else None

    def state(self, model: RunModel) -> RunState:
        return self.launcher.state(model)

    def refresh(self) -> None:
        """Find the runs, update the models of those not shown, and choose one if none is chosen.

        A chosen run stays chosen when its folder is gone, and reports it, rather than being replaced by another.
        """
        try:
            inside = (path for path in self.home.iterdir() if not path.name.startswith(ASIDE))
            folders = sorted(path for path in inside if path.is_dir() and is_run(path))
        except OSError:  # no training so far
            folders = []
        paths = [*folders, *(path for path in self._elsewhere if path not in folders)]
        if self.chosen in self.models and self.chosen not in paths:
            paths.append(self.chosen)
        self.models = {path: self.models.get(path) or RunModel(path) for path in paths}
        self._look_at_others()
        if self.chosen not in self.models:
            self.chosen = self._newest()

    def _look_at_others(self) -> None:
        """Look at other runs for a part of a frame; the next call continues."""
        clock = QElapsedTimer()
        clock.start()
        for path in [path for path in self.models if path != self.chosen and path not in self._looked_at]:
            self.models[path].look()
            self._looked_at.add(path)
            if clock.elapsed() > LOOK_MS:
                return
        self._looked_at.clear()

    def _newest(self) -> Path | None:
        """Return the run that is training, else the one last written, archived ones last."""

        def key(path: Path) -> tuple[bool, bool, float]:
            try:
                written = (path / REPORTS).stat().st_mtime
            except OSError:
                written = 0.0
            model = self.models[path]
            return self.state(model).alive, not model.about.archived, written

        return max(self.models, key=key, default=None)

    def add(self, path: Path) -> None:
        """Choose a run, also outside the runs folder; ``ValueError`` if the folder is not a run's."""
        if not is_run(path):
            raise ValueError(
                Text(
                    "{path!r} is not the folder of a training run; it would hold {run_toml} or {reports}",
                    path=str(path),
                    run_toml=RUN_TOML,
                    reports=REPORTS,
                )
            )
        if path not in self._elsewhere and path.parent != self.home:
            self._elsewhere.insert(0, path)
        self.chosen = path
        self.refresh()

    def forget(self, path: Path, renamed: Path | None = None) -> None:
        """Drop a run whose folder was removed or renamed; a renamed one is taken up under its new path."""
        self.models.pop(path, None)
        self._looked_at.discard(path)
        if path in self._elsewhere:
            place = self._elsewhere.index(path)
            self._elsewhere[place : place + 1] = [renamed] if renamed is not None else []
        if self.chosen == path:
            self.chosen = renamed
        self.refresh()

    def leave_archived(self) -> None:
        """Choose another run than the archived one that is shown, if there is one that is not archived."""
        newest = self._newest()
        if newest is not None and not self.models[newest].about.archived:
            self.chosen = newest

    def at_home(self) -> list[RunModel]:
        """Return the runs in the runs folder: those opened from elsewhere may be of another machine."""
        return [model for path, model in self.models.items() if path.parent == self.home]

    def training(self) -> list[RunModel]:
        """Return the runs that a process goes on with, paused ones among them."""
        return [model for model in self.models.values() if self.state(model).kind in (STARTING, WORKING, PAUSED)]

    # settings kept between windows

    def remember(self, kept: QSettings) -> None:
        """Save which runs are elsewhere and which is chosen."""
        kept.setValue("runs", [str(path) for path in self._elsewhere[:MOST_REMEMBERED]])
        kept.setValue("run", str(self.chosen or ""))

    def recall(self, kept: QSettings) -> None:
        """Restore what :meth:`remember` saved."""
        self._elsewhere = kept_paths(kept, "runs")
        chosen = str(kept.value("run") or "")
        if chosen and is_run(Path(chosen)):
            self.chosen = Path(chosen)


COMPARED: Final = "runs_compared"  # in the settings
MOST: Final = 6  # runs in one chart: as many as there are colours


class ShownRun(NamedTuple):
    """A run in the charts."""

    run: RunModel
    colour: int  # place in the theme's series


def colours_of(shown: list[ShownRun]) -> dict[Path, int]:
    """Return the runs' colours; none for a run alone, whose figures have colours of their own."""
    return {run.path: colour for run, colour in shown} if len(shown) > 1 else {}


class Comparison:
    """The runs kept in the charts; each has its colour as long as it is shown."""

    def __init__(self) -> None:
        self.kept: list[Path] = []
        self._colours: dict[Path, int] = {}
        self._versions: list[tuple[ShownRun, int]] = []  # with the version of each run

    def toggle(self, path: Path, chosen: Path | None) -> bool:
        """Keep a run, and the chosen one with it, or keep it no longer; return whether there was a colour for it."""
        if path in self.kept:
            self.kept.remove(path)
            return True
        more = [run for run in (chosen, path) if run is not None and run not in self.kept]
        if len({*self.kept, path, *more}) > MOST:
            return False
        self.kept += dict.fromkeys(more)
        return True

    def remember(self, kept: QSettings) -> None:
        """Save which runs are kept in the charts."""
        kept.setValue(COMPARED, [str(path) for path in self.kept])

    def recall(self, kept: QSettings) -> None:
        """Restore what :meth:`remember` saved."""
        self.kept = kept_paths(kept, COMPARED)[:MOST]

    def shown(self, chosen: Path | None, models: dict[Path, RunModel]) -> list[ShownRun]:
        """Return the chosen run and the kept ones that are there, the chosen one first."""
        models = {path: run for path, run in models.items() if path == chosen or not run.about.archived}
        self.kept = [path for path in self.kept if path in models]
        others = [path for path in self.kept if path != chosen]
        paths = [path for path in (chosen, *others) if path is not None and path in models][:MOST]
        self._colours = {path: place for path, place in self._colours.items() if path in paths}
        for path in paths:
            if path not in self._colours:
                taken = self._colours.values()
                self._colours[path] = next(place for place in range(MOST) if place not in taken)
        return [ShownRun(models[path], self._colours[path]) for path in paths]

    def look(self, shown: list[ShownRun]) -> bool:
        """Read what is new of the runs shown; return whether the charts are to be drawn anew."""
        for run, _ in shown:
            run.look()
        before, self._versions = self._versions, [(entry, entry.run.version) for entry in shown]
        return self._versions != before
