"""A seat: a person, or an engine with a source, a limit and search settings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from core.search.settings import CONSTANTS, UCB_CONSTANT
from core.text import Text
from gui.model.sources import OutsideSource

if TYPE_CHECKING:
    from core.games import Position
    from core.search import Limit, SearchSettings

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
        given: dict[str, Any] = {CONSTANTS.get(self.selection, UCB_CONSTANT): self.c}
        return replace(settings, selection=self.selection, temperature=self.temperature, **given)


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
    source: Any = AS_WINDOW  # an EvaluatorSource or OutsideSource; None: random rollouts
    simulations: int = PLAY_SIMULATIONS  # a move, unless there are seconds
    seconds: float | None = None
    own: OwnSearch | None = None  # None: the window's search settings

    def __post_init__(self) -> None:
        if self.seconds is not None and self.seconds < LEAST_S:
            raise ValueError(
                Text("seconds is {seconds!r}; it must be at least {least}", seconds=self.seconds, least=LEAST_S)
            )
        if self.outside is not None and self.seconds is None:
            raise ValueError(Text("an outside engine has seconds for a move, no simulations"))
        if self.engine:
            self.limit  # noqa: B018 - it checks itself

    @property
    def outside(self) -> OutsideSource | None:
        """The outside engine that plays; None for a person and for our search."""
        return self.source if self.engine and isinstance(self.source, OutsideSource) else None

    @property
    def limit(self) -> Limit:
        from core.search import Limit

        return Limit(simulations=self.simulations) if self.seconds is None else Limit(seconds=self.seconds)


PERSON: Final = Seat()
