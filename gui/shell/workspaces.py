"""The workspaces of a window: arrangements of its rooms with a name, of which one is on the desk."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from core.files.reading import parse_json
from core.text import Words
from gui.shell.arrangement import Arrangement
from gui.shell.dock import MIDDLE

if TYPE_CHECKING:
    from gui.shell.desk import Desk

LONGEST: Final = 24  # letters of a title


@dataclass
class Workspace:
    """``first``: how reset gives it back.  ``now``: how it was left.  ``given_title``: what the person calls it."""

    name: str
    title: Words
    first: Arrangement
    now: Arrangement
    given_title: str = ""

    @property
    def shown_title(self) -> str:
        """What the window calls it, to be translated."""
        return self.given_title or self.title


class Workspaces(QObject):
    """Those of one desk: the ones that every window has, and behind them those that the person adds."""

    changed = Signal()  # another one is on the desk, or there are others, or one has another title

    def __init__(self, desk: Desk, table: Sequence[tuple[str, Words, Arrangement]], begin: str) -> None:
        """``table``: name, title, first arrangement of those that every window has; ``begin``: one with the board."""
        super().__init__(desk)
        self._desk, self._table, self._begin = desk, table, begin
        self.all: dict[str, Workspace] = {}
        self._fill()
        self.shown = self.all[begin]
        self._with_board = begin  # the one where the board was seen last
        desk.arrange(self.shown.now)

    def _fill(self) -> None:
        self.all = {name: Workspace(name, title, first, first) for name, title, first in self._table}

    def is_own(self, name: str) -> bool:
        """Whether the person has added it."""
        return name not in {row[0] for row in self._table}

    # turning

    def turn_to(self, name: str) -> None:
        """Arrange the desk as a workspace was left."""
        if name != self.shown.name and name in self.all:
            self._leave()
            self._show(name)

    def _leave(self) -> None:
        self.shown.now = self._desk.arrangement()
        if self._desk.has_board:
            self._with_board = self.shown.name

    def _show(self, name: str) -> None:
        self.shown = self.all[name]
        self._desk.arrange(self.shown.now)
        self.changed.emit()

    def show_board(self) -> None:
        """Turn to the workspace where the board was seen last, if it is out of sight."""
        if not self._desk.has_board:
            self.turn_to(self._with_board)
            for dock in (*self._desk.areas[MIDDLE].docks,):
                self._desk.hide_dock(dock.row.name)

    def make_way(self, room: str) -> None:
        """Turn to a workspace where a room can be shown, if it cannot be beside what is in the middle here."""
        desk = self._desk
        dock = desk.docks[room]
        if dock.open or dock.row.stays or (desk.place_of(room) == MIDDLE) != desk.has_board:
            return
        if not desk.has_board:
            self.show_board()
            return
        every = [*self.all.values()]
        matches = [
            workspace
            for workspace in every
            if room in (*workspace.now.rooms.get(MIDDLE, ()), *workspace.first.rooms.get(MIDDLE, ()))
        ]
        if matches:
            self.turn_to(matches[0].name)

    def give_back(self, name: str, before: Arrangement) -> None:
        """Arrange a workspace as it was before, at once if it is on the desk."""
        if name in self.all:
            self.all[name].now = before
        if name == self.shown.name:
            self._desk.arrange(before)

    # what the person makes of them

    def add(self, title: str) -> None:
        """Add one with the rooms as they are now, and show it; without a title it is not added."""
        if not title:
            return
        self._leave()
        number = next(n for n in range(1, len(self.all) + 2) if f"own{n}" not in self.all)
        now = self.shown.now
        self.all[f"own{number}"] = Workspace(f"own{number}", "", now, now, title[:LONGEST])
        self._show(f"own{number}")

    def rename(self, title: str) -> None:
        """Give the one shown another title; "" is the usual one, if it has one."""
        if title or self.shown.title:
            self.shown.given_title = title[:LONGEST]
            self.changed.emit()

    def reset(self) -> None:
        """Arrange the one shown as at first."""
        self._desk.arrange(self.shown.first)

    def remove(self) -> None:
        """Remove the one shown, which the person added."""
        del self.all[self.shown.name]
        self._with_board = self._begin
        self._show(self._begin)

    # keeping them

    def to_text(self) -> str:
        """Return them as JSON, which ``restore`` reads."""
        self._leave()
        rows = [
            {
                "name": workspace.name,
                "title": workspace.given_title,
                "now": workspace.now.to_json(),
                "first": workspace.first.to_json(),
            }
            for workspace in self.all.values()
        ]
        return json.dumps({"shown": self.shown.name, "workspaces": rows})

    def restore(self, text: str) -> bool:
        """Show those that were kept; False, and nothing is changed, if the text is none that ``to_text`` wrote."""
        try:
            values = parse_json(text)
        except ValueError:
            return False
        rows = values.get("workspaces") if isinstance(values, dict) else None
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            return False
        self._fill()
        for row in rows:
            name, title = str(row.get("name", "")), str(row.get("title", ""))[:LONGEST]
            first, now = (Arrangement.from_json(row.get(key), self._desk.docks) for key in ("first", "now"))
            if name in self.all:
                self.all[name].now, self.all[name].given_title = now, title
            elif title and name:
                self.all[name] = Workspace(name, "", first, now, title)
        shown = str(values.get("shown"))
        self._show(shown if shown in self.all else self._begin)
        return True
