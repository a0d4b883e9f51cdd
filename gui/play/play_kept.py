"""The seats as JSON values, for the next start and for a session's file, and back.  Knows no widget."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final

from gui.files.sources import NetSource, source_from, source_text
from gui.language.language import tr
from gui.play.play_seats import AS_WINDOW, PERSON, OwnSearch, Seat

DELAY_S: Final = 0.5
LONGEST_DELAY_S: Final = 3600.0


@dataclass(frozen=True)
class Players:
    """Who plays either side, and how long two engines wait between their moves."""

    seats: tuple[Seat, Seat] = (PERSON, Seat(engine=True))
    delay_s: float = DELAY_S


def players_json(players: Players, game: str) -> dict[str, Any]:
    """``game``: its text, which the nets are made for."""
    return {"game": game, "delay": players.delay_s, "seats": [_seat_json(seat) for seat in players.seats]}


def _seat_json(seat: Seat) -> dict[str, Any]:
    return {
        "engine": seat.engine,
        "source": AS_WINDOW if seat.source == AS_WINDOW else source_text(seat.source),
        "simulations": seat.simulations,
        "seconds": seat.seconds,
        "own": None if seat.own is None else asdict(seat.own),
    }


def players_from(value: Any, game: str) -> tuple[Players, list[str]]:
    """What :func:`players_json` made, and a sentence for each net that cannot be had.

    ``ValueError`` when it is nothing of the kind.  An engine with a net for another game plays as the window does."""
    notes: list[str] = []
    try:
        delay = float(value["delay"])
        if not 0 <= delay <= LONGEST_DELAY_S:
            raise ValueError(
                tr("the delay is {delay!r}; it must be from 0 to {longest} s").format(
                    delay=delay, longest=LONGEST_DELAY_S
                )
            )
        first, second = (_seat(seat, value["game"] == game, notes) for seat in value["seats"])
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ValueError(tr("the players are left out: {error}").format(error=error)) from error
    return Players((first, second), delay), notes


def _seat(value: Any, nets_fit: bool, notes: list[str]) -> Seat:
    own, seconds = value["own"], value["seconds"]
    source: Any = AS_WINDOW
    if value["source"] != AS_WINDOW:
        try:
            source = source_from(str(value["source"]))
        except ValueError as error:
            notes.append(tr("{error}; that engine plays as the window does").format(error=error))
    return Seat(
        engine=bool(value["engine"]),
        source=source if nets_fit or not isinstance(source, NetSource) else AS_WINDOW,
        simulations=int(value["simulations"]),
        seconds=None if seconds is None else float(seconds),
        own=None if own is None else OwnSearch(str(own["selection"]), float(own["c"]), float(own["temperature"])),
    )
