"""The user's preferences: text size, colours, whose values, runtime of nets, recent files.

They are saved at once where the window's layout is saved; without such a place they last as long as the window.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from core.files.reading import parse_json
from gui.widgets.text_size import SIZES, USUAL
from gui.widgets.theme import COLOURS, Theme, pick_theme

if TYPE_CHECKING:
    from PySide6.QtCore import QSettings

MOST_RECENT: Final = 10  # files
RUNTIMES: Final = ("auto", "onnxruntime", "openvino", "openvino-bf16", "openvino-int8", "directml", "coreml")
_TEXT_SIZE, _COLOURS, _RECENT, _TOUR, _PLAYERS = "text_size", "colours", "recent_files", "tour_seen", "players"
_GRADING: Final = "report_classes"
_RUNTIME: Final = "runtime"
_VALUES_FOR: Final = "values_for"
VALUES_FOR: Final = ("mover", "first", "second")  # the side to move, or one player
_LESSONS: Final = "lessons"
_RUN_CHARTS: Final = "run_charts"
_PLAY_SHOWN: Final = "analysis_while_playing"
_CLOCK: Final = "clock"
_CLUSTER: Final = "cluster"
_ELSEWHERE: Final = "searches_on_cluster"


class Preferences(QObject):
    """The preferences; damaged or unknown values are read as the defaults."""

    recent_changed = Signal()
    values_for_changed = Signal(str)
    play_shown_changed = Signal(bool)

    def __init__(self, kept: QSettings | None = None) -> None:
        super().__init__()
        self._kept = kept
        size = self._read(_TEXT_SIZE)
        self._text_size = int(size) if size in map(str, SIZES) else USUAL
        colours = self._read(_COLOURS)
        self._colours = colours if colours in COLOURS else "standard"
        runtime = self._read(_RUNTIME)
        self._runtime = runtime if runtime in RUNTIMES else RUNTIMES[0]
        values_for = self._read(_VALUES_FOR)
        self._values_for = values_for if values_for in VALUES_FOR else VALUES_FOR[0]
        self._recent = _paths(self._read(_RECENT))
        self._tour_seen = self._read(_TOUR) == "true"
        self._players = self._read(_PLAYERS)
        self._grading = self._read(_GRADING)
        self._lessons = _counts(self._read(_LESSONS))
        self._run_charts = self._read(_RUN_CHARTS)
        self._play_shown = self._read(_PLAY_SHOWN) == "true"
        self._clock = self._read(_CLOCK)
        self._cluster = self._read(_CLUSTER)
        self._elsewhere = self._read(_ELSEWHERE) == "true"

    @property
    def text_size(self) -> int:
        """The text size in per cent, one of ``gui.widgets.text_size.SIZES``."""
        return self._text_size

    @text_size.setter
    def text_size(self, size: int) -> None:
        self._text_size = size
        self._write(_TEXT_SIZE, str(size))

    @property
    def colours(self) -> str:
        """The colours, one of ``gui.widgets.theme.COLOURS``."""
        return self._colours

    @colours.setter
    def colours(self, colours: str) -> None:
        self._colours = colours
        self._write(_COLOURS, colours)

    @property
    def runtime(self) -> str:
        """What evaluates nets, one of :data:`RUNTIMES`."""
        return self._runtime

    @runtime.setter
    def runtime(self, runtime: str) -> None:
        self._runtime = runtime
        self._write(_RUNTIME, runtime)

    @property
    def values_for(self) -> str:
        """Whose values are shown, one of :data:`VALUES_FOR`."""
        return self._values_for

    @values_for.setter
    def values_for(self, whose: str) -> None:
        if whose != self._values_for:
            self._values_for = whose
            self._write(_VALUES_FOR, whose)
            self.values_for_changed.emit(whose)

    def theme(self, choice: str) -> Theme:
        """Return the theme for "dark", "light" or "system", in the chosen colours."""
        return pick_theme(choice, self._colours)

    @property
    def tour_seen(self) -> bool:
        """Whether the tour has been shown to this user."""
        return self._tour_seen

    @tour_seen.setter
    def tour_seen(self, seen: bool) -> None:
        self._tour_seen = seen
        self._write(_TOUR, "true" if seen else "false")

    @property
    def players(self) -> str:
        """The players of the last game as JSON; "" for none yet."""
        return self._players

    @players.setter
    def players(self, players: str) -> None:
        self._players = players
        self._write(_PLAYERS, players)

    @property
    def grading(self) -> str:
        """What the classes of a game's report go by, as the review writes it; "" for the default."""
        return self._grading

    @grading.setter
    def grading(self, grading: str) -> None:
        self._grading = grading
        self._write(_GRADING, grading)

    @property
    def run_charts(self) -> str:
        """How the charts of training runs are shown, as the Training tab writes it; "" for the default."""
        return self._run_charts

    @run_charts.setter
    def run_charts(self, look: str) -> None:
        self._run_charts = look
        self._write(_RUN_CHARTS, look)

    @property
    def play_shown(self) -> bool:
        """Whether the analysis is shown while a person plays against an engine."""
        return self._play_shown

    @play_shown.setter
    def play_shown(self, shown: bool) -> None:
        if shown != self._play_shown:
            self._play_shown = shown
            self._write(_PLAY_SHOWN, "true" if shown else "false")
            self.play_shown_changed.emit(shown)

    @property
    def clock(self) -> str:
        """The clock of games that are played, as the Play room writes it; "" for the default."""
        return self._clock

    @clock.setter
    def clock(self, clock: str) -> None:
        self._clock = clock
        self._write(_CLOCK, clock)

    @property
    def cluster(self) -> str:
        """The address of the Ray cluster used last; "" for none yet."""
        return self._cluster

    @cluster.setter
    def cluster(self, address: str) -> None:
        self._cluster = address
        self._write(_CLUSTER, address)

    @property
    def elsewhere(self) -> bool:
        """Whether searches run on that cluster."""
        return self._elsewhere

    @elsewhere.setter
    def elsewhere(self, elsewhere: bool) -> None:
        self._elsewhere = elsewhere
        self._write(_ELSEWHERE, "true" if elsewhere else "false")

    def steps_done(self, lesson: str) -> int:
        """How many steps of a lesson are behind the user."""
        return self._lessons.get(lesson, 0)

    def set_steps_done(self, lesson: str, steps: int) -> None:
        self._lessons[lesson] = steps
        self._write(_LESSONS, json.dumps(self._lessons))

    @property
    def recent(self) -> tuple[Path, ...]:
        """Files opened or saved, newest first."""
        return self._recent

    def add_recent(self, path: Path) -> None:
        """Add a file at the front.  Files added by another window meanwhile are kept."""
        path = path.absolute()
        if self._kept is not None:
            self._kept.sync()
            self._recent = _paths(self._read(_RECENT))
        self._set_recent((path, *(other for other in self._recent if other != path)))

    def clear_recent(self) -> None:
        self._set_recent(())

    def _set_recent(self, paths: tuple[Path, ...]) -> None:
        self._recent = paths[:MOST_RECENT]
        self._write(_RECENT, json.dumps([str(path) for path in self._recent]))
        self.recent_changed.emit()

    def _read(self, key: str) -> str:
        return "" if self._kept is None else str(self._kept.value(key, ""))

    def _write(self, key: str, text: str) -> None:
        if self._kept is not None:
            self._kept.setValue(key, text)


def _paths(text: str) -> tuple[Path, ...]:
    try:
        found = parse_json(text or "[]")
    except ValueError:
        return ()
    names = [name for name in found if isinstance(name, str) and name] if isinstance(found, list) else []
    return tuple(dict.fromkeys(map(Path, names)))[:MOST_RECENT]


def _counts(text: str) -> dict[str, int]:
    try:
        found = parse_json(text or "{}")
    except ValueError:
        return {}
    counts = found.items() if isinstance(found, dict) else ()
    return {name: number for name, number in counts if type(number) is int and number >= 0}
