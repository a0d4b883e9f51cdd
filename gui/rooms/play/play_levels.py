"""Levels of an engine, from beginner to full: simulations a move and a temperature."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from gui.language.language import mark
from gui.model.sources import fitting
from gui.rooms.play.play_seats import AS_WINDOW, OwnSearch, Seat

if TYPE_CHECKING:
    from core.search import SearchSettings


@dataclass(frozen=True)
class Level:
    """A strength: the fewer simulations and the higher the temperature, the weaker."""

    name: str
    title: str
    simulations: int
    temperature: float

    def of(self, seat: Seat, settings: SearchSettings) -> Seat:
        """Return the seat at this level; what else it searches with is the window's."""
        fit = settings if seat.source == AS_WINDOW else fitting(settings, seat.source)
        own = OwnSearch(fit.selection, fit.c, self.temperature)
        return replace(seat, engine=True, simulations=self.simulations, seconds=None, own=own)


LEVELS: Final = (
    Level("beginner", mark("Beginner"), 8, 1.0),
    Level("casual", mark("Casual"), 40, 0.7),
    Level("club", mark("Club player"), 200, 0.4),
    Level("strong", mark("Strong"), 1000, 0.2),
    Level("full", mark("Full strength"), 5000, 0.0),
)
CUSTOM: Final = "custom"


def level_of(seat: Seat) -> str:
    """Return the name of the level of a seat; CUSTOM if it has none."""
    if not seat.engine or seat.seconds is not None or seat.own is None:
        return CUSTOM
    entered = seat.simulations, seat.own.temperature
    return next((one.name for one in LEVELS if (one.simulations, one.temperature) == entered), CUSTOM)
