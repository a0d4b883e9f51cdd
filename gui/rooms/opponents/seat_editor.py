"""The fields of one side of a game: a person, or an engine with a level, a net, a limit and search settings.

Knows seats, no play.
"""

from __future__ import annotations

import math
from contextlib import suppress
from functools import partial
from typing import Any, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QVBoxLayout, QWidget

from core.text import Text, Words
from gui.language.language import mark
from gui.model.sources import OutsideSource
from gui.rooms.opponents.play_seats import CUSTOM, LEVELS, OwnSearch, Seat, level_of
from gui.widgets.form import ErrorLine, Form, NumberEdit, choice_box, compact
from gui.widgets.labels import make_label
from gui.widgets.settings.setting_fields import FIELDS
from gui.widgets.text_size import by_font, px
from gui.widgets.texts import set_texts

Sources = list[tuple[str, Any]]  # titles and sources
OUTSIDE_S: Final = 1.0  # a move of an outside engine, at first
UNITS: Final[tuple[tuple[str, Words], ...]] = (("simulations", "simulations a move"), ("seconds", "seconds a move"))


class SeatEditor(QWidget):
    """The fields of one side: a person, or an engine with a net, a limit and search settings."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = make_label(self, "heading")
        self.who = self._box((("person", mark("Person")), ("engine", mark("Engine"))), mark("Who plays"))
        self._settings: Any = None  # the window's search settings
        levels = [(one.name, one.title) for one in LEVELS]
        self.level = choice_box(self, (*levels, (CUSTOM, mark("as set below"))), self._take_level)
        set_texts(
            self.level,
            accessibleName="Level",
            toolTip="Sets the simulations of a move and the temperature: see the guide.",
        )
        self.net = self._box((), mark("What evaluates its positions"))
        self.amount = self._number(mark("Limit of a move"))
        self.unit = self._box(UNITS, mark("Unit of the limit"))
        by_font(self.unit, partial(_make_room_for_all, self.unit))
        self.search = self._box(
            (("window", mark("from Search settings")), ("own", mark("its own"))), mark("Its search settings")
        )
        self.rule = self._box(FIELDS["selection"].choices, mark("Rule of selection"))
        set_texts(self.rule, toolTip=FIELDS["selection"].meaning)
        self.c = self._number(mark("c of the rule"))
        set_texts(self.c, toolTip="Weight of the exploration term of the rule.")
        self.temperature = self._number(mark("Temperature"))
        set_texts(self.temperature, toolTip=FIELDS["temperature"].meaning)
        self.error = ErrorLine(self)
        self.error.setWordWrap(True)
        self._filling = False
        limit = QHBoxLayout()
        limit.setSpacing(6)
        limit.addWidget(self.amount, 2)
        limit.addWidget(self.unit, 3)
        self.form = Form()
        for title, field in (
            (mark("Level"), self.level),
            (mark("Net"), self.net),
            (mark("Limit"), limit),
            (mark("Search"), self.search),
            (mark("Rule"), self.rule),
            ("c", self.c),
            (mark("Temperature τ"), self.temperature),
        ):
            self.form.add(title, field)
        top = QHBoxLayout()
        top.addWidget(self.title, 1)
        top.addWidget(self.who, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addLayout(top)
        column.addLayout(self.form)
        column.addWidget(self.error)

    def _box(self, entries: tuple[tuple[str, str], ...], name: str) -> QComboBox:
        box = set_texts(choice_box(self, entries, self._take), accessibleName=name)
        box.setMinimumContentsLength(8)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        return box

    def _number(self, name: str) -> NumberEdit:
        line = NumberEdit(self)
        set_texts(line, accessibleName=name)
        line.editingFinished.connect(self._take)
        return line

    def _take(self) -> None:
        if not self._filling:
            self._show_rows()
            self.changed.emit()
            with suppress(ValueError):
                self.level.setCurrentIndex(self.level.findData(level_of(self.seat())))

    def show_seat(self, seat: Seat, sources: Sources, settings: Any) -> None:
        """Fill the fields; ``settings`` are the initial values of the engine's own search."""
        self._filling, self._settings = True, settings
        self.who.setCurrentIndex(int(seat.engine))
        self.net.clear()
        for title, source in sources:
            self.net.addItem(title, source)
        place = next((i for i, (_, source) in enumerate(sources) if source == seat.source), 0)
        self.net.setCurrentIndex(place)
        self._show_search(seat)
        self._filling = False
        self._show_rows()
        self.error.say("")

    def _show_search(self, seat: Seat) -> None:
        """Fill the fields of the limit and the search settings."""
        self.level.setCurrentIndex(self.level.findData(level_of(seat)))
        self.unit.setCurrentIndex(int(seat.seconds is not None))
        self._write(self.amount, seat.simulations if seat.seconds is None else seat.seconds)
        self.search.setCurrentIndex(int(seat.own is not None))
        own = seat.own
        if own is None and self._settings is not None:
            own = OwnSearch(self._settings.selection, self._settings.c, self._settings.temperature)
        if own is not None:
            self.rule.setCurrentIndex(self.rule.findData(own.selection))
            self._write(self.c, own.c)
            self._write(self.temperature, own.temperature)

    def _take_level(self) -> None:
        """Fill in what the chosen level means."""
        level = next((one for one in LEVELS if one.name == self.level.currentData()), None)
        if level is not None and self._settings is not None:
            self._show_search(level.of(Seat(True, self.net.currentData()), self._settings))
            self._show_rows()
            self.changed.emit()

    def name_sources(self, sources: Sources) -> None:
        """The nets to choose from, by their titles in another language."""
        for place in range(self.net.count()):
            of = self.net.itemData(place)
            self.net.setItemText(place, next((t for t, source in sources if source == of), self.net.itemText(place)))

    def offer(self, sources: Sources) -> None:
        """Add those sources that are not offered yet."""
        for title, source in sources:
            if all(self.net.itemData(place) != source for place in range(self.net.count())):
                self.net.addItem(title, source)

    def _write(self, line: NumberEdit, number: float) -> None:
        line.setText(f"{number:g}" if isinstance(number, float) else str(number))

    def _show_rows(self) -> None:
        engine = self.who.currentData() == "engine"
        outside = engine and isinstance(self.net.currentData(), OutsideSource)
        if outside and self.unit.currentData() != "seconds":
            self.unit.setCurrentIndex(self.unit.findData("seconds"))
            self._write(self.amount, OUTSIDE_S)
        self.unit.setEnabled(not outside)
        ours = engine and not outside
        own = ours and self.search.currentData() == "own"
        for row in range(self.form.rowCount()):
            self.form.setRowVisible(row, own if row >= 4 else ours if row in (0, 3) else engine)

    def seat(self) -> Seat:
        """Return the seat entered; ``ValueError`` if a value is invalid."""
        if self.who.currentData() != "engine":
            return Seat()
        outside = isinstance(self.net.currentData(), OutsideSource)
        seconds = self.unit.currentData() == "seconds"
        amount = _number(self.amount.text(), Text("the limit"))
        if not seconds and amount != int(amount):
            raise ValueError(Text("simulations is {text!r}; it must be a whole number", text=self.amount.text()))
        own = None
        if not outside and self.search.currentData() == "own":
            own = OwnSearch(
                self.rule.currentData(),
                _number(self.c.text(), "c"),
                _number(self.temperature.text(), Text("temperature")),
            )
        source = self.net.currentData()
        if seconds:
            return Seat(True, source, seconds=float(amount), own=own)
        return Seat(True, source, simulations=int(amount), own=own)


def _make_room_for_all(box: QComboBox) -> None:
    """Make the box wide enough for its longest title."""
    width_of = box.fontMetrics().horizontalAdvance
    box.setMinimumWidth(max(width_of(box.itemText(i)) for i in range(box.count())) + px(34))


def _number(text: str, name: str) -> float:
    try:
        number = float(compact(text))
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(Text("{name} is {text!r}; it must be a number", name=name, text=text))
    return number
