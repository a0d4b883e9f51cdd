"""The user's preferences: text size, colours, whose values, runtime of nets, recent files.

They are saved at once where the window's layout is saved; without such a place they last as long as the window.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Final, Generic, TypeVar, overload

from PySide6.QtCore import QObject, QSettings, Signal

from core.files.reading import parse_json
from core.text import Words
from gui.widgets.text_size import SIZES, USUAL
from gui.widgets.theme import COLOURS, Theme, pick_theme

MOST_RECENT: Final = 10  # files
MOST_MACHINES: Final = 10
MOST_QUESTIONS, LONGEST = 20, 400  # of the user's own, and characters of each
_OF_SYSTEMS: Final[dict[str, dict[str, Words]]] = {"win32": {"directml": "&DirectML"}, "darwin": {"coreml": "&Core ML"}}
RUNTIMES: Final[dict[str, Words]] = {  # names of models.netfiles.runtimes, with their titles in the menu
    "auto": "&Fastest",
    "onnxruntime": "onn&xruntime",
    "openvino": "&OpenVINO",
    "openvino-bf16": "OpenVINO in &16 bits",
    "openvino-int8": "OpenVINO in &8 bits",
    **_OF_SYSTEMS.get(sys.platform, {}),
}
TREE_PARTS: Final = ("table", "icicle", "picture")
VALUES_FOR: Final = ("mover", "first", "second")  # the side to move, or one player
_RECENT: Final = "recent_files"
_LESSONS: Final = "lessons"
T = TypeVar("T")


class Preference(Generic[T]):
    """A value kept under a key as text; a damaged text is read as the default.  A ``signal`` announces a new value."""

    def __init__(self, key: str, read: Callable[[str], T], write: Callable[[T], str], signal: str = "") -> None:
        self._key, self._parse, self._write, self._signal = key, read, write, signal

    @overload
    def __get__(self, owner: None, kind: type[Preferences]) -> Preference[T]: ...
    @overload
    def __get__(self, owner: Preferences, kind: type[Preferences]) -> T: ...
    def __get__(self, owner: Preferences | None, kind: type[Preferences]) -> Preference[T] | T:
        return self if owner is None else self._parse(owner.kept_text(self._key))

    def __set__(self, owner: Preferences, value: T) -> None:
        changed = value != self.__get__(owner, type(owner))
        owner.keep_text(self._key, self._write(value))
        if changed and self._signal:
            getattr(owner, self._signal).emit(value)


def _one_of(key: str, allowed: Collection[str], default: str, signal: str = "") -> Preference[str]:
    return Preference(key, lambda text: text if text in allowed else default, str, signal)


def _flag(key: str, signal: str = "") -> Preference[bool]:
    return Preference(key, lambda text: text == "true", lambda flag: "true" if flag else "false", signal)


def _text(key: str) -> Preference[str]:
    return Preference(key, str, str)


def _parts(names: Collection[str]) -> tuple[str, ...]:
    return tuple(part for part in TREE_PARTS if part in names)


def _lines(text: str) -> tuple[str, ...]:
    return tuple(filter(None, text.split("\n")))[:MOST_MACHINES]


def _share(text: str) -> float:
    try:
        return min(0.9, max(0.0, float(text or 0)))
    except ValueError:
        return 0.0


def _questions(text: str) -> tuple[str, ...]:
    """The questions kept, of which none is long."""
    try:
        value = parse_json(text or "[]")
    except ValueError:
        return ()
    lines = value if isinstance(value, list) else []
    return tuple(line for line in lines if isinstance(line, str) and 0 < len(line) <= LONGEST)[:MOST_QUESTIONS]


class Preferences(QObject):
    """The preferences; damaged or unknown values are read as the defaults."""

    recent_changed = Signal()
    values_for_changed = Signal(str)
    play_shown_changed = Signal(bool)

    text_size = Preference("text_size", lambda text: int(text) if text in map(str, SIZES) else USUAL, str)  # per cent
    colours = _one_of("colours", COLOURS, "standard")
    runtime = _one_of("runtime", RUNTIMES, "auto")  # what evaluates nets
    values_for = _one_of("values_for", VALUES_FOR, "mover", "values_for_changed")
    tree_parts = Preference("tree_parts", lambda text: _parts(text.split()) or TREE_PARTS[:2], " ".join)
    table_share = Preference("table_share", _share, str)  # of the room's height; 0: as its rows need
    tour_seen = _flag("tour_seen")
    questions = Preference("questions", _questions, json.dumps)  # to the tree, the user's own, the newest first
    players = _text("players")  # of the last game, as JSON
    grading = _text("report_classes")  # what the classes of a game's report go by, as the review writes it
    search_charts = _text("search_charts")  # those that the timeline shows, as it writes them
    run_charts = _text("run_charts")  # how the charts of training runs are shown, as the Training tab writes it
    play_shown = _flag("analysis_while_playing", "play_shown_changed")
    clock = _text("clock")  # of games that are played, as the Play room writes it
    machines = Preference("cluster", _lines, "\n".join)  # addresses of other machines, the one used last first
    elsewhere = _flag("searches_on_cluster")  # searches run there

    def __init__(self, kept: QSettings | None = None) -> None:
        super().__init__()
        self._kept = kept
        self._texts: dict[str, str] = {}
        self.recent = _paths(self.kept_text(_RECENT))  # files opened or saved, newest first
        self._lessons = _counts(self.kept_text(_LESSONS))

    def kept_text(self, key: str) -> str:
        """The text kept under a key; "" for none."""
        if key not in self._texts:
            self._texts[key] = "" if self._kept is None else str(self._kept.value(key, ""))
        return self._texts[key]

    def keep_text(self, key: str, text: str) -> None:
        """Keep a text under a key, in the file at once."""
        self._texts[key] = text
        if self._kept is not None:
            self._kept.setValue(key, text)

    def theme(self, choice: str) -> Theme:
        """Return the theme for "dark", "light" or "system", in the chosen colours."""
        return pick_theme(choice, self.colours)

    def steps_done(self, lesson: str) -> int:
        """How many steps of a lesson are behind the user."""
        return self._lessons.get(lesson, 0)

    def set_steps_done(self, lesson: str, steps: int) -> None:
        self._lessons[lesson] = steps
        self.keep_text(_LESSONS, json.dumps(self._lessons))

    def add_recent(self, path: Path) -> None:
        """Add a file at the front.  Files added by another window meanwhile are kept."""
        path = path.absolute()
        if self._kept is not None:
            self._kept.sync()
            self.recent = _paths(str(self._kept.value(_RECENT, "")))
        self._set_recent((path, *(other for other in self.recent if other != path)))

    def clear_recent(self) -> None:
        self._set_recent(())

    def _set_recent(self, paths: tuple[Path, ...]) -> None:
        self.recent = paths[:MOST_RECENT]
        self.keep_text(_RECENT, json.dumps([str(path) for path in self.recent]))
        self.recent_changed.emit()


def _paths(text: str) -> tuple[Path, ...]:
    try:
        value = parse_json(text or "[]")
    except ValueError:
        return ()
    names = [name for name in value if isinstance(name, str) and name] if isinstance(value, list) else []
    return tuple(dict.fromkeys(map(Path, names)))[:MOST_RECENT]


def _counts(text: str) -> dict[str, int]:
    try:
        value = parse_json(text or "{}")
    except ValueError:
        return {}
    counts = value.items() if isinstance(value, dict) else ()
    return {name: number for name, number in counts if type(number) is int and number >= 0}
