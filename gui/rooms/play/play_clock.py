"""The clock of the game that is played, who has lost on time or resigned, and the moves taken back."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from core.files.reading import parse_json
from gui.language.language import tr
from gui.model.timers import make_timer
from gui.rooms.play.clock import NONE, Clock, ClockSettings, clock_from
from gui.widgets.board.board_paint import kind_of

if TYPE_CHECKING:
    from core.games import Position
    from gui.context import Context
    from gui.model.state import AppState
    from gui.rooms.play.play import Play

TICK_MS: Final = 100
TIMES_UP: Final = ("W+T", "B+T")  # results by the loser
RESIGNED: Final = ("W+R", "B+R")


class PlayClock(QObject):
    """Runs the clock of the side to move while the game is played; a fallen flag ends the game."""

    changed = Signal()  # a clock runs on, or the number of take-backs changed

    def __init__(self, context: Context, play: Play) -> None:
        super().__init__(play)
        self._state, self._play, self._preferences = context.state, play, context.preferences
        try:
            self.clock = Clock(clock_from(parse_json(self._preferences.clock or "null")))
        except ValueError:  # none kept yet, or damaged
            self.clock = Clock(ClockSettings())
        self.taken_back = 0
        self._start = self._state.start
        self._seen: Position | None = None  # the last position at the end of the record
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
        self._seen = None
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
            before, self._seen = self._seen, position
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
        if ended_early(self._state) is not None:
            self._state.write_info({"result": ""})
        if any(self.clock.side(player).fallen for player in range(2)):
            self.clock = Clock(self.settings)

    def _tick(self) -> None:
        player = self.clock.running
        if player is not None and self.clock.side(player).fallen:
            self._play.pause()
            self._state.write_info({"result": TIMES_UP[player]})
            self._play.notified.emit(lambda: early_words(self._state))
        self.changed.emit()


def ended_early(state: AppState) -> tuple[str, int] | None:
    """Return how the game ended before its end on the board, and the loser; None if it did not."""
    result = state.record.info.get("result", "") if state.record is not None else ""
    for way in (TIMES_UP, RESIGNED):
        if result in way:
            return result[-1], way.index(result)
    return None


def early_words(state: AppState) -> str:
    """Say who resigned or has lost on time; "" if nobody has."""
    ended, game = ended_early(state), state.game
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
