"""A game's clock: main time, then an increment for each move, or byo-yomi periods."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from core.files.reading import Fields
from core.text import Text

NONE, INCREMENT, BYO_YOMI = "none", "increment", "byo-yomi"
KINDS: Final = (NONE, INCREMENT, BYO_YOMI)
LONGEST_S: Final = 24 * 3600.0
MOST_PERIODS: Final = 100
SHARE: Final = 1 / 30  # of the time left that an engine may use for a move, beside the increment
CAREFUL: Final = 0.8  # share of a period or increment that it may use
LEAST_S: Final = 0.05  # that it gets in any case


@dataclass(frozen=True)
class ClockSettings:
    """The time each player has.  ``ValueError`` if a value is out of range."""

    kind: str = NONE
    main_s: float = 300.0
    increment_s: float = 5.0  # added after each move; of the kind INCREMENT
    period_s: float = 30.0  # a move may last so long once the main time is used up; of the kind BYO_YOMI
    periods: int = 3  # how many of these may run out, the last of which ends the game

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(Text("the clock is {kind!r}; it must be {kinds}", kind=self.kind, kinds=", ".join(KINDS)))
        for least, seconds in ((0.0, self.main_s), (0.0, self.increment_s), (1.0, self.period_s)):
            if not least <= seconds <= LONGEST_S:
                raise ValueError(
                    Text("a time is {seconds:g} s; it must be {least:g} s to 24 hours", seconds=seconds, least=least)
                )
        if self.kind == INCREMENT and self.main_s < 1.0:
            raise ValueError(Text("the main time is {seconds:g} s; it must be at least 1 s", seconds=self.main_s))
        if not 1 <= self.periods <= MOST_PERIODS:
            raise ValueError(
                Text("there are {periods} periods; it must be 1 to {most}", periods=self.periods, most=MOST_PERIODS)
            )

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def clock_from(value: Any) -> ClockSettings:
    """Read what ``as_json`` returned; ``ValueError`` if it is malformed."""
    kept = Fields(value)
    return ClockSettings(
        kind=kept.text("kind"),
        main_s=kept.number("main_s", 0.0, LONGEST_S),
        increment_s=kept.number("increment_s", 0.0, LONGEST_S),
        period_s=kept.number("period_s", 1.0, LONGEST_S),
        periods=kept.whole("periods", 1, MOST_PERIODS),
    )


@dataclass(frozen=True)
class Side:
    """The time of one player: ``left`` of the main time or, when ``counting``, of the present period."""

    left: float
    periods: int  # that are left, the present one included
    counting: bool = False

    @property
    def fallen(self) -> bool:
        """Whether the time is used up."""
        return self.left <= 0.0

    def after(self, seconds: float, period_s: float) -> Side:
        """Return what is left when ``seconds`` more have been used."""
        left, periods, counting = self.left - seconds, self.periods, self.counting
        if left <= 0.0 and periods and not counting:
            left, counting = left + period_s, True
        if counting and left <= 0.0:
            gone = min(periods - 1, math.floor(-left / period_s) + 1)
            left, periods = left + gone * period_s, periods - gone
        return Side(max(0.0, left), periods, counting)


class Clock:
    """The clocks of both players, of which at most one runs; ``now`` returns the time in seconds."""

    def __init__(self, settings: ClockSettings, now: Callable[[], float] = time.monotonic) -> None:
        self.settings = settings
        self._now = now
        side = Side(settings.main_s, settings.periods if settings.kind == BYO_YOMI else 0)
        self._sides = [side.after(0.0, settings.period_s)] * 2
        self.running: int | None = None
        self._since = 0.0

    def side(self, player: int) -> Side:
        """The time of a player by now."""
        side = self._sides[player]
        used = self._now() - self._since if player == self.running else 0.0
        return side.after(used, self.settings.period_s)

    def run(self, player: int | None) -> None:
        """Let the clock of ``player`` run, None: no clock."""
        if player == self.running:
            return
        if self.running is not None:
            self._sides[self.running] = self.side(self.running)
        self.running, self._since = player, self._now()

    def press(self, player: int) -> None:
        """End the move of a player whose clock runs: the increment is added, a begun period starts anew."""
        self.run(None)
        side = self._sides[player]
        if side.fallen:
            return
        if self.settings.kind == INCREMENT:
            self._sides[player] = replace(side, left=side.left + self.settings.increment_s)
        elif side.counting:
            self._sides[player] = replace(side, left=self.settings.period_s)

    def budget(self, player: int) -> float:
        """The seconds that an engine should use at most for its move."""
        if self.settings.kind == NONE:
            return math.inf
        side = self.side(player)
        if side.counting:
            return max(LEAST_S, CAREFUL * side.left)
        more = self.settings.increment_s if self.settings.kind == INCREMENT else 0.0
        return max(LEAST_S, min(CAREFUL * side.left, SHARE * side.left + CAREFUL * more))


def time_text(seconds: float) -> str:
    """A time that is left: "1:02:05", "4:32", below ten seconds "9.3"."""
    if seconds < 10.0:
        return f"{math.floor(10 * seconds) / 10:.1f}"
    whole = math.ceil(seconds)
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
