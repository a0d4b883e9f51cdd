"""The clocks of a game: their rules, and the game's own clock beside the board."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, Signal

from core.files.reading import Fields, parse_json
from core.text import Text
from gui.language.language import tr
from gui.model.record import TIMES_UP
from gui.model.timers import make_timer
from gui.widgets.board.board_paint import kind_of

if TYPE_CHECKING:
    from core.games import Position
    from gui.context import Context
    from gui.model.state import AppState
    from gui.rooms.opponents.play import Play

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
    fields = Fields(value)
    return ClockSettings(
        kind=fields.text("kind"),
        main_s=fields.number("main_s", 0.0, LONGEST_S),
        increment_s=fields.number("increment_s", 0.0, LONGEST_S),
        period_s=fields.number("period_s", 1.0, LONGEST_S),
        periods=fields.whole("periods", 1, MOST_PERIODS),
    )


@dataclass(frozen=True)
class PlayerTime:
    """The time of one player: ``seconds`` of the main time or, when ``counting``, of the present period."""

    seconds: float
    periods: int  # that are left, the present one included
    counting: bool = False

    @property
    def fallen(self) -> bool:
        """Whether the time is used up."""
        return self.seconds <= 0.0

    def after(self, seconds: float, period_s: float) -> PlayerTime:
        """Return what is left when ``seconds`` more have been used."""
        rest, periods, counting = self.seconds - seconds, self.periods, self.counting
        if rest <= 0.0 and periods and not counting:
            rest, counting = rest + period_s, True
        if counting and rest <= 0.0:
            gone = min(periods - 1, math.floor(-rest / period_s) + 1)
            rest, periods = rest + gone * period_s, periods - gone
        return PlayerTime(max(0.0, rest), periods, counting)


class Clock:
    """The clocks of both players, of which at most one runs; ``now`` returns the time in seconds."""

    def __init__(self, settings: ClockSettings, now: Callable[[], float] = time.monotonic) -> None:
        self.settings = settings
        self._now = now
        side = PlayerTime(settings.main_s, settings.periods if settings.kind == BYO_YOMI else 0)
        self._sides = [side.after(0.0, settings.period_s)] * 2
        self.running: int | None = None
        self._since = 0.0

    def side(self, player: int) -> PlayerTime:
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
            self._sides[player] = replace(side, seconds=side.seconds + self.settings.increment_s)
        elif side.counting:
            self._sides[player] = replace(side, seconds=self.settings.period_s)

    def budget(self, player: int) -> float:
        """The seconds that an engine should use at most for its move."""
        if self.settings.kind == NONE:
            return math.inf
        side = self.side(player)
        if side.counting:
            return max(LEAST_S, CAREFUL * side.seconds)
        more = self.settings.increment_s if self.settings.kind == INCREMENT else 0.0
        return max(LEAST_S, min(CAREFUL * side.seconds, SHARE * side.seconds + CAREFUL * more))


def time_text(seconds: float) -> str:
    """A time that is left: "1:02:05", "4:32", below ten seconds "9.3"."""
    if seconds < 10.0:
        return f"{math.floor(10 * seconds) / 10:.1f}"
    whole = math.ceil(seconds)
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


TICK_MS: Final = 100


class PlayClock(QObject):
    """Runs the clock of the side to move while the game is played; a fallen flag ends the game."""

    changed = Signal()  # a clock runs on, or the number of take-backs changed

    def __init__(self, context: Context, play: Play) -> None:
        super().__init__(play)
        self._state, self._play, self._preferences = context.state, play, context.preferences
        self._messages = context.messages
        try:
            self.clock = Clock(clock_from(parse_json(self._preferences.clock or "null")))
        except ValueError:  # none kept yet, or damaged
            self.clock = Clock(ClockSettings())
        self.taken_back = 0
        self._start = self._state.start
        self._last: Position | None = None  # the last position at the end of the record
        self._ticks = make_timer(self, TICK_MS, self._tick)
        play.changed.connect(self._follow)
        context.state.position_changed.connect(self._follow)

    @property
    def settings(self) -> ClockSettings:
        return self.clock.settings

    def set_settings(self, settings: ClockSettings) -> None:
        """Use another clock from now on; both players have its whole time again."""
        if settings != self.settings:
            self._preferences.clock = json.dumps(settings.as_json())
            self._reset(settings)

    def count_take_back(self) -> None:
        """Count one take-back of this game."""
        self.taken_back += 1
        self.changed.emit()

    def budget(self, player: int) -> float:
        """The seconds that an engine should use at most for its move."""
        return self.clock.budget(player)

    def _reset(self, settings: ClockSettings) -> None:
        self.clock = Clock(settings)
        self._last = None
        self._follow()

    def _follow(self) -> None:
        """Let the clock run that has to, after a move, a take-back, a pause or another game."""
        state, play, position = self._state, self._play, self._state.position
        if state.start is not self._start:
            self._start, self.taken_back = state.start, 0
            self._reset(self.settings)
            return
        if not play.running or position is None or position.is_over:
            self.clock.run(None)
        elif play.at_the_end:
            self._begin_again()
            before, self._last = self._last, position
            if before is not None and position.moves[:-1] == before.moves and position.ply == before.ply + 1:
                self.clock.press(before.to_move)
            if self.settings.kind != NONE:
                self.clock.run(position.to_move)
        if self.clock.running is None:
            self._ticks.stop()
        elif not self._ticks.isActive():
            self._ticks.start()
        self.changed.emit()

    def _begin_again(self) -> None:
        """Forget a resignation or a fallen flag when the game is played on."""
        if self._state.ended_early is not None:
            self._state.write_info({"result": ""})
        if any(self.clock.side(player).fallen for player in range(2)):
            self.clock = Clock(self.settings)

    def _tick(self) -> None:
        player = self.clock.running
        if player is not None and self.clock.side(player).fallen:
            self._play.pause()
            self._state.write_info({"result": TIMES_UP[player]})
            self._messages.show_notice(lambda: early_words(self._state))
        self.changed.emit()


def early_words(state: AppState) -> str:
    """Say who resigned or has lost on time; "" if nobody has."""
    ended, game = state.ended_early, state.game
    if ended is None or game is None:
        return ""
    players = kind_of(game.name).players
    words = (
        tr("{loser} has lost on time: {winner} wins.") if ended[0] == "T" else tr("{loser} resigned: {winner} wins.")
    )
    return words.format(loser=players[ended[1]], winner=players[1 - ended[1]])


def seconds_within(seconds: float | None, budget: float) -> float | None:
    """Return the shorter of a limit and what the clock allows; None for no limit."""
    least = min(math.inf if seconds is None else seconds, budget)
    return None if math.isinf(least) else least
