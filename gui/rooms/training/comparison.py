"""Which runs have curves in the charts, and in which colours.  Knows paths and models, no widget."""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple

from PySide6.QtCore import QSettings

from gui.rooms.training.known_runs import kept_paths
from gui.rooms.training.run_model import RunModel

COMPARED: Final = "runs_compared"  # in the settings
MOST: Final = 6  # runs in one chart: as many as there are colours


class ShownRuns(NamedTuple):
    """A run in the charts."""

    run: RunModel
    colour: int  # place in the theme's series


def colours_of(shown: list[ShownRuns]) -> dict[Path, int]:
    """Return the runs' colours; none for a run alone, whose figures have colours of their own."""
    return {run.path: colour for run, colour in shown} if len(shown) > 1 else {}


class Comparison:
    """The runs kept in the charts; each has its colour as long as it is shown."""

    def __init__(self) -> None:
        self.kept: list[Path] = []
        self._colours: dict[Path, int] = {}
        self._seen: list[tuple[ShownRuns, int]] = []  # with the version of each run

    def toggle(self, path: Path, chosen: Path | None) -> bool:
        """Keep a run, and the chosen one with it, or keep it no longer; return whether there was a colour for it."""
        if path in self.kept:
            self.kept.remove(path)
            return True
        more = [one for one in (chosen, path) if one is not None and one not in self.kept]
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

    def shown(self, chosen: Path | None, known: dict[Path, RunModel]) -> list[ShownRuns]:
        """Return the chosen run and the kept ones that are known, the chosen one first."""
        known = {path: run for path, run in known.items() if path == chosen or not run.about.archived}
        self.kept = [path for path in self.kept if path in known]
        others = [path for path in self.kept if path != chosen]
        paths = [path for path in (chosen, *others) if path is not None and path in known][:MOST]
        self._colours = {path: place for path, place in self._colours.items() if path in paths}
        for path in paths:
            if path not in self._colours:
                taken = self._colours.values()
                self._colours[path] = next(place for place in range(MOST) if place not in taken)
        return [ShownRuns(known[path], self._colours[path]) for path in paths]

    def look(self, shown: list[ShownRuns]) -> bool:
        """Read what is new of the runs shown; return whether the charts are to be drawn anew."""
        for run, _ in shown:
            run.look()
        before, self._seen = self._seen, [(one, one.run.version) for one in shown]
        return self._seen != before
