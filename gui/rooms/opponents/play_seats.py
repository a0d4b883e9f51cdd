"""The seats of a game: who plays, how strong, and how they are kept for the next start."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from core.checks import short
from core.files.reading import BadFile, Fields
from core.search.rules.table import RULES
from core.text import Text, Words, text_of
from gui.model.sources import (
    NetSource,
    OutsideSource,
    RankSource,
    fitting,
    human_source,
    source_from,
    source_text,
)

if TYPE_CHECKING:
    from core.games import Position
    from core.search import Limit, SearchSettings


@dataclass(frozen=True)
class PlayLevel:
    """A strength: the fewer simulations and the higher the temperature, the weaker."""

    name: str
    title: Words
    simulations: int
    temperature: float

    def of(self, seat: Seat, settings: SearchSettings) -> Seat:
        """Return the seat at this level; what else it searches with is the window's."""
        fit = settings if seat.source == AS_WINDOW else fitting(settings, seat.source)
        search = OwnSearch(fit.selection, fit.c, self.temperature)
        return replace(seat, engine=True, simulations=self.simulations, seconds=None, search=search)


LEVELS: Final = (
    PlayLevel("beginner", "Beginner", 8, 1.0),
    PlayLevel("casual", "Casual", 40, 0.7),
    PlayLevel("club", "Club player", 200, 0.4),
    PlayLevel("strong", "Strong", 1000, 0.2),
    PlayLevel("full", "Full strength", 5000, 0.0),
)
CUSTOM: Final = "custom"


def level_of(seat: Seat) -> str:
    """Return the name of the level of a seat; CUSTOM if it has none."""
    if not seat.engine or seat.seconds is not None or seat.search is None:
        return CUSTOM
    entered = seat.simulations, seat.search.temperature
    return next((level.name for level in LEVELS if (level.simulations, level.temperature) == entered), CUSTOM)


AS_WINDOW: Final = "as in the window"  # a source: whatever the window searches with
PLAY_SIMULATIONS: Final = 1000
LEAST_S: Final = 0.05


@dataclass(frozen=True)
class OwnSearch:
    """Search settings an engine has of its own; all others are the window's."""

    selection: str
    c: float  # constant of the rule: c_puct, c_ucb or c_visit
    temperature: float

    def apply(self, settings: SearchSettings) -> SearchSettings:
        """Return ``settings`` with these values; ``ValueError`` if one is invalid."""
        values: dict[str, Any] = {RULES[self.selection].constant: self.c}
        return replace(settings, selection=self.selection, temperature=self.temperature, **values)


def playing_exactly(settings: SearchSettings, position: Position | None) -> SearchSettings:
    """Return ``settings`` with exact endings where these are solved at once, for an engine that plays its best move."""
    from core.solve.solver import empty_cells, instant_empties

    if position is None or settings.temperature > 0:
        return settings
    most = instant_empties(position.game)
    ending = settings.exact_empties < most and empty_cells(position) <= most
    return replace(settings, exact_empties=most) if ending else settings


@dataclass(frozen=True)
class Seat:
    """The player of one side, a person or an engine.  ``ValueError`` if its limit is invalid."""

    engine: bool = False
    source: Any = AS_WINDOW  # an EvaluatorSource, OutsideSource or RankSource; None: random rollouts
    simulations: int = PLAY_SIMULATIONS  # a move, unless there are seconds
    seconds: float | None = None
    search: OwnSearch | None = None  # None: the window's search settings

    def __post_init__(self) -> None:
        if self.seconds is not None and self.seconds < LEAST_S:
            raise ValueError(
                Text("seconds is {seconds!r}; it must be at least {least}", seconds=self.seconds, least=LEAST_S)
            )
        if isinstance(self.outside, OutsideSource) and self.seconds is None:
            raise ValueError(Text("an outside engine has seconds for a move, no simulations"))
        if self.engine:
            self.limit  # noqa: B018 - it checks itself

    @property
    def outside(self) -> OutsideSource | RankSource | None:
        """What plays without our search, an outside engine or imitated players; None for a person and our search."""
        return self.source if self.engine and isinstance(self.source, OutsideSource | RankSource) else None

    @property
    def limit(self) -> Limit:
        from core.search import Limit

        return Limit(simulations=self.simulations) if self.seconds is None else Limit(seconds=self.seconds)


PERSON: Final = Seat()


DELAY_S: Final = 0.5
LONGEST_DELAY_S: Final = 3600.0
OUTSIDE: Final = "engine:"  # before the name of an outside engine
_MOST: Final = 1 << 31  # simulations or seconds


@dataclass(frozen=True)
class Players:
    """The players of both sides, and the delay between the moves of two engines."""

    seats: tuple[Seat, Seat] = (PERSON, Seat(engine=True))
    delay_s: float = DELAY_S


def players_json(players: Players, game: str) -> dict[str, Any]:
    """Return players as JSON values; ``game`` is the text of the game that the nets are for."""
    return {"game": game, "delay": players.delay_s, "seats": [_seat_json(seat) for seat in players.seats]}


def _seat_json(seat: Seat) -> dict[str, Any]:
    return {
        "engine": seat.engine,
        "source": _text(seat.source),
        "profile": seat.source.profile if isinstance(seat.source, NetSource) else "",
        "imitated": seat.source.net.profile if isinstance(seat.source, RankSource) else "",
        "simulations": seat.simulations,
        "seconds": seat.seconds,
        "own": None if seat.search is None else asdict(seat.search),
    }


def _text(source: Any) -> str:
    if isinstance(source, OutsideSource):
        return OUTSIDE + source.name
    if isinstance(source, RankSource):
        return source_text(source.net)
    return AS_WINDOW if source == AS_WINDOW else source_text(source)


def players_from(value: Any, game: str) -> tuple[Players, list[str]]:
    """Read what :func:`players_json` returned; return it with a sentence for each net that is not available.

    ``ValueError`` if the values are malformed.  An engine with a net for another game uses the window's source.
    """
    notes: list[str] = []
    try:
        fields = Fields(value)
        delay = fields.number("delay", 0.0, LONGEST_DELAY_S)
        fits = fields.text("game") == game
        seats = fields.list("seats")
        if len(seats) != 2:
            raise BadFile(Text("seats is {seats}; there are two", seats=short(seats)))
        first, second = (_seat(Fields(seat), fits, notes) for seat in seats)
    except ValueError as error:
        raise ValueError(Text("the players are left out: {error}", error=text_of(error))) from error
    return Players((first, second), delay), notes


def _seat(fields: Fields, nets_fit: bool, notes: list[str]) -> Seat:
    from core.search import SearchSettings

    source: Any = AS_WINDOW
    if fields.text("source").startswith(OUTSIDE):
        source = OutsideSource(fields.text("source").removeprefix(OUTSIDE))
    elif fields.text("source") != AS_WINDOW:
        try:
            imitated = fields.text("imitated", "")
            source = source_from(fields.text("source"), fields.text("profile", ""))
            if imitated:
                source = RankSource(human_source(Path(fields.text("source")), imitated))
        except ValueError as error:
            notes.append(Text("{error}; that engine plays as the window does", error=text_of(error)))
    search = None
    if fields.values.get("own") is not None:
        values = fields.object("own")
        search = OwnSearch(
            values.text("selection"), values.number("c", 0.0, _MOST), values.number("temperature", 0.0, _MOST)
        )
        search.apply(SearchSettings())  # raises ValueError if invalid
    return Seat(
        engine=fields.flag("engine"),
        source=source if nets_fit or not isinstance(source, NetSource | RankSource) else AS_WINDOW,
        simulations=fields.whole("simulations", 1, _MOST),
        seconds=fields.number("seconds", 0.0, _MOST, None),
        search=search,
    )
