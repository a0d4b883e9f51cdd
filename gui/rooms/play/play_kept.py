"""The seats as JSON values, for the next start and for session files, and back."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final

from core.checks import short
from core.files.reading import BadFile, Fields
from core.text import Text, text_of
from gui.model.sources import NetSource, OutsideSource, source_from, source_text
from gui.rooms.play.play_seats import AS_WINDOW, PERSON, OwnSearch, Seat

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
        "simulations": seat.simulations,
        "seconds": seat.seconds,
        "own": None if seat.own is None else asdict(seat.own),
    }


def _text(source: Any) -> str:
    if isinstance(source, OutsideSource):
        return OUTSIDE + source.name
    return AS_WINDOW if source == AS_WINDOW else source_text(source)


def players_from(value: Any, game: str) -> tuple[Players, list[str]]:
    """Read what :func:`players_json` returned; return it with a sentence for each net that is not available.

    ``ValueError`` if the values are malformed.  An engine with a net for another game uses the window's source.
    """
    notes: list[str] = []
    try:
        kept = Fields(value)
        delay = kept.number("delay", 0.0, LONGEST_DELAY_S)
        fits = kept.text("game") == game
        seats = kept.list("seats")
        if len(seats) != 2:
            raise BadFile(Text("seats is {seats}; there are two", seats=short(seats)))
        first, second = (_seat(Fields(seat), fits, notes) for seat in seats)
    except ValueError as error:
        raise ValueError(Text("the players are left out: {error}", error=text_of(error))) from error
    return Players((first, second), delay), notes


def _seat(kept: Fields, nets_fit: bool, notes: list[str]) -> Seat:
    from core.search import SearchSettings

    source: Any = AS_WINDOW
    if kept.text("source").startswith(OUTSIDE):
        source = OutsideSource(kept.text("source").removeprefix(OUTSIDE))
    elif kept.text("source") != AS_WINDOW:
        try:
            source = source_from(kept.text("source"))
        except ValueError as error:
            notes.append(Text("{error}; that engine plays as the window does", error=text_of(error)))
    own = None
    if kept.values.get("own") is not None:
        given = kept.object("own")
        own = OwnSearch(given.text("selection"), given.number("c", 0.0, _MOST), given.number("temperature", 0.0, _MOST))
        own.apply(SearchSettings())  # raises ValueError if invalid
    return Seat(
        engine=kept.flag("engine"),
        source=source if nets_fit or not isinstance(source, NetSource) else AS_WINDOW,
        simulations=kept.whole("simulations", 1, _MOST),
        seconds=kept.number("seconds", 0.0, _MOST, None),
        own=own,
    )
