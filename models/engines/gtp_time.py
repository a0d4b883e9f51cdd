"""How long a GTP engine thinks about a move under the time settings of the protocol."""

from dataclasses import dataclass, field
from typing import Final

SLACK_S: Final = 0.3  # for the way to the other program
LEAST_S: Final = 0.05
MOVES_LEFT: Final = 40  # of a side that main time must suffice for, at least
SHARE: Final = 0.9  # of the time of a byo-yomi move that is used


@dataclass
class Clock:
    """Time settings, and what each colour has left."""

    main: float = 0.0
    byoyomi: float = 0.0
    stones: int = 0
    """Moves to be made within ``byoyomi`` seconds; 0: there is none."""
    unlimited: bool = True
    left: dict[int, tuple[float, int]] = field(default_factory=dict)
    """Colour -> (seconds, stones of byo-yomi, 0 in main time), as last stated."""

    def settings(self, main: float, byoyomi: float, stones: int) -> None:
        """Take the figures of ``time_settings``: byo-yomi without stones means no limit at all."""
        self.main, self.byoyomi, self.stones = main, byoyomi, stones
        self.unlimited = stones == 0 and byoyomi > 0
        self.left = {}

    def seconds(self, colour: int, moves_left: int) -> float | None:
        """Seconds for the next move of ``colour``, who has about ``moves_left`` to make; None without a limit."""
        if self.unlimited:
            return None
        seconds, stones = self.left.get(colour, (self.main, 0))
        if stones > 0:
            return max(LEAST_S, SHARE * (seconds - SLACK_S) / stones)
        spare = SHARE * self.byoyomi / self.stones if self.stones else 0.0
        share = (seconds - SLACK_S) / max(MOVES_LEFT, moves_left)
        return max(LEAST_S, share + spare, 0.0) if seconds > 0 or spare else LEAST_S
