"""The fields of a player: of a side of a game, a person or an engine, and of a match."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QWidget

from core.text import Text, Words
from gui.jobs.match_job import MatchPlayer
from gui.model.sources import OutsideSource, RankSource, UniformSource, net_source, outside_sources, source_title
from gui.rooms.opponents.play_seats import CUSTOM, LEVELS, PLAY_SIMULATIONS, OwnSearch, Seat, level_of
from gui.widgets.form import ComboBox, ErrorLine, Form, NumberEdit, choice_box, number_text
from gui.widgets.labels import make_label
from gui.widgets.layouts import lay_column, lay_row
from gui.widgets.settings.setting_fields import FIELDS
from gui.widgets.text_size import by_font, px
from gui.widgets.texts import set_texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gui.context import Context

Sources = list[tuple[str, Any]]  # titles and sources
SECONDS: Final = 1.0  # a move, at first
LEAST_S, MOST_S, MOST_SIMULATIONS = 0.05, 3600.0, 10_000_000
MOST_VALUE: Final = 1e6  # of c and the temperature
LIMIT_ROW: Final = 2  # of the fields of a side
UNITS: Final[tuple[tuple[str, Words], ...]] = (("simulations", "simulations a move"), ("seconds", "seconds a move"))


def offered_sources(context: Context, first: Iterable[Any]) -> Sources:
    """Return what can play: ``first``, the nets of the game, random rollouts, a uniform prior and outside engines."""
    sources = [*first]
    for path in context.opener.nets:
        with suppress(ValueError):
            sources.append(net_source(path))
    sources += [None, UniformSource(), *outside_sources(context.state.game)]
    return [(source_title(source), source) for source in dict.fromkeys(sources)]


class LimitFields(QWidget):
    """What an engine may use for a move, simulations or seconds; an outside engine has seconds."""

    changed = Signal()

    def __init__(self, parent: QWidget, simulations: int, least: int) -> None:
        """``simulations`` at first; ``least``: the fewest."""
        super().__init__(parent)
        self._usual, self._least = simulations, least
        self.amount = NumberEdit(self, "Limit of a move")
        self.amount.setMaximumWidth(90)
        self.amount.editingFinished.connect(self.changed)
        self.unit = choice_box(self, UNITS, self._take_unit, "Unit of the limit")
        by_font(self.unit, partial(_make_room_for_all, self.unit))
        lay_row((self.amount, 2), (self.unit, 3), of=self, margins=0, spacing=6)
        self.show_limit(simulations, None)

    def show_limit(self, simulations: int, seconds: float | None) -> None:
        """Fill in seconds; without these, simulations."""
        self.unit.setCurrentIndex(int(seconds is not None))
        self.amount.setText(number_text(simulations if seconds is None else float(seconds)))

    def set_source(self, source: Any) -> None:
        """Allow what a player with this source can have."""
        outside = isinstance(source, OutsideSource)
        if outside and self.unit.currentData() != "seconds":
            self.show_limit(0, SECONDS)
        self.unit.setEnabled(not outside)

    def _take_unit(self) -> None:
        self.show_limit(self._usual, SECONDS if self.unit.currentData() == "seconds" else None)
        self.changed.emit()

    def limit(self) -> tuple[int, float | None]:
        """Return simulations, beside seconds those at first, and the seconds or None; ``ValueError`` for bad ones."""
        if self.unit.currentData() == "seconds":
            return self._usual, self.amount.number(LEAST_S, MOST_S)
        return self.amount.whole(self._least, MOST_SIMULATIONS), None


class MatchPlayerFields(QWidget):
    """A choice of players and a limit."""

    def __init__(self, name: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.who = set_texts(ComboBox(self, 10), accessibleName=name)
        self.limit = LimitFields(self, 100, 2)
        self.amount, self.unit = self.limit.amount, self.limit.unit
        lay_row((self.who, 1), self.limit, of=self, margins=0, spacing=6)
        self._picked = False  # the user chose the player shown
        self.who.activated.connect(self._pick)

    def _pick(self, _: int) -> None:
        self._picked = True
        self.limit.set_source(self.who.currentData())

    def offer(self, sources: Sources, chosen: int = 0) -> None:
        """Offer these players; the one that the user chose stays as far as it is among them, else ``chosen`` is."""
        before = self.who.currentData() if self._picked else ...
        self.who.clear()
        for title, source in sources:
            self.who.addItem(title, source)
        place = next((i for i, (_, source) in enumerate(sources) if source == before), -1)
        self._picked = place >= 0
        self.who.setCurrentIndex(place if self._picked else min(chosen, len(sources) - 1))
        self.limit.set_source(self.who.currentData())

    def player(self) -> MatchPlayer:
        """Return the player entered; ``ValueError`` for a bad limit."""
        source = self.who.currentData()
        title = source.name if isinstance(source, OutsideSource) else self.who.currentText()
        simulations, seconds = self.limit.limit()
        return MatchPlayer(title, source, simulations if seconds is None else None, seconds)


class SeatEditor(QWidget):
    """The fields of one side: a person, or an engine with a net, a limit and search settings."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = make_label(self, "heading")
        self.who = self._box((("person", "Person"), ("engine", "Engine")), "Who plays")
        self._settings: Any = None  # the window's search settings
        levels = [(level.name, level.title) for level in LEVELS]
        self.level = choice_box(self, (*levels, (CUSTOM, Text("as set below"))), self._take_level)
        set_texts(
            self.level,
            accessibleName="Level",
            toolTip="Sets the simulations of a move and the temperature: see the guide.",
        )
        self.net = self._box((), "What evaluates its positions")
        self.limit = LimitFields(self, PLAY_SIMULATIONS, 1)
        self.limit.changed.connect(self._take)
        self.amount, self.unit = self.limit.amount, self.limit.unit
        self.search = self._box((("window", "from Search settings"), ("own", "its own")), "Its search settings")
        self.rule = self._box(FIELDS["selection"].choices, "Rule of selection")
        set_texts(self.rule, toolTip=FIELDS["selection"].meaning)
        self.c = NumberEdit(self, "c of the rule", self._take)
        set_texts(self.c, toolTip="Weight of the exploration term of the rule.")
        self.temperature = NumberEdit(self, "Temperature", self._take)
        set_texts(self.temperature, toolTip=FIELDS["temperature"].meaning)
        self.error = ErrorLine(self)
        self._filling = False
        self.form = Form()
        self.form.add("Level", self.level)
        self.form.add("Net", self.net)
        self.form.add("Limit", self.limit)
        self.form.add("Search", self.search)
        self.form.add("Rule", self.rule)
        self.form.add("c", self.c)
        self.form.add("Temperature τ", self.temperature)
        top = lay_row((self.title, 1), (self.who, 1))
        lay_column(top, self.form, self.error, of=self, margins=0, spacing=6)

    def _box(self, entries: Sequence[tuple[str, Words]], name: Words) -> QComboBox:
        return choice_box(self, entries, self._take, name, 8)

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
        self.limit.show_limit(seat.simulations, seat.seconds)
        self.search.setCurrentIndex(int(seat.search is not None))
        search = seat.search
        if search is None and self._settings is not None:
            search = OwnSearch(self._settings.selection, self._settings.c, self._settings.temperature)
        if search is not None:
            self.rule.setCurrentIndex(self.rule.findData(search.selection))
            self.c.setText(number_text(search.c))
            self.temperature.setText(number_text(search.temperature))

    def _take_level(self) -> None:
        """Fill in what the chosen level means."""
        level = next((level for level in LEVELS if level.name == self.level.currentData()), None)
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

    def _show_rows(self) -> None:
        engine = self.who.currentData() == "engine"
        ranked = engine and isinstance(self.net.currentData(), RankSource)  # it has no search to be limited
        outside = ranked or (engine and isinstance(self.net.currentData(), OutsideSource))
        self.limit.set_source(self.net.currentData() if engine else None)
        ours = engine and not outside
        fields = ours and self.search.currentData() == "own"
        for row in range(self.form.rowCount()):
            shown = fields if row >= 4 else ours if row in (0, 3) else engine
            self.form.setRowVisible(row, shown and not (ranked and row == LIMIT_ROW))

    def seat(self) -> Seat:
        """Return the seat entered; ``ValueError`` if a value is invalid."""
        if self.who.currentData() != "engine":
            return Seat()
        source, search = self.net.currentData(), None
        if isinstance(source, RankSource):
            return Seat(True, source)
        if not isinstance(source, OutsideSource) and self.search.currentData() == "own":
            c, temperature = self.c.number(0, MOST_VALUE), self.temperature.number(0, MOST_VALUE)
            search = OwnSearch(self.rule.currentData(), c, temperature)
        return Seat(True, source, *self.limit.limit(), search)


def _make_room_for_all(box: QComboBox) -> None:
    """Make the box wide enough for its longest title."""
    width_of = box.fontMetrics().horizontalAdvance
    box.setMinimumWidth(max(width_of(box.itemText(i)) for i in range(box.count())) + px(58))
