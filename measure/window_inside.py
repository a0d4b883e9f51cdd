"""What the room Inside costs a search beside it: its work when it is opened, and while a position stays."""

from __future__ import annotations

import statistics
import threading
import time
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from gui.rooms.inside.room import InsideRoom
from measure.window_probes import median_interval, processor_time, pump, wait_until

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from core.games import GameSpec, Position
    from gui.jobs.inside import InsideReader
    from gui.jobs.newest import Report, Stale
    from measure.window_measures import Bench

PARTS: Final = ("inside_blocks", "inside_stones", "inside_reply")  # those that work at each position
PAIRS: Final = 12  # of a turn with the part in sight and one without, in either order by turns
PLIES: Final = 8  # at random, to the position looked into: there are stones
REST_S: Final = 0.2  # until the room knows the position, and has been painted
LONGEST_S: Final = 600.0  # of the work when the room is opened


class Work:
    """Counts the questions of the room's parts, and the processor time of their thread."""

    def __init__(self, reader: InsideReader) -> None:
        self.asked = 0
        self.spent = 0.0  # s
        self._reader, self._ask = reader, reader.ask
        reader.ask = self._counted  # type: ignore[method-assign, assignment]

    def _counted(self, asker: object, work: Any, *rest: Any) -> None:
        self.asked += 1

        def measured(net: object, position: Position, stale: Stale, report: Report) -> Any:
            began = time.thread_time()
            try:
                return work(net, position, stale, report)
            finally:
                self.spent += time.thread_time() - began

        self._ask(asker, measured, *rest)

    @property
    def rests(self) -> bool:
        """Whether something was asked and the thread has come to an end of it."""
        return self.asked > 0 and not self._reader._newest.working

    def stop(self) -> None:
        """Let the reader be asked as before."""
        del self._reader.ask


class Turn(NamedTuple):
    """Processor time within a turn, as a share of its length."""

    search: float
    """Of the search's thread."""
    room: float
    """Of the window's thread and the room's."""


def part_costs(bench: Bench, game: GameSpec, source: Any, part: str, turn_s: float) -> tuple[tuple[str, str, str], ...]:
    """Measure a part of the room beside a search: (name, figures, bar) of its opening, and of a position that stays.

    The desk is the same in both kinds of turn, with the room's dock open: in one kind the part is in sight, in the
    other its place is empty.  No simulations are counted, as a growing tree is searched more slowly.  What the room can
    take from the search is the processor time of the window's thread and its own, which holds on a busy machine, too;
    beside it stands that of the search's thread, which is always at work and lacks what it has to wait for: on a busy
    machine mostly for other programs."""
    docks = bench.window.docks
    room = docks["inside"].fill()
    assert isinstance(room, InsideRoom)
    widget = room.show_part(part)
    docks.hide_dock("inside")
    bench.open(game, source, position=_after(game, PLIES))
    pump(REST_S)
    search = next(thread for thread in threading.enumerate() if thread.name == "analysis")
    work, own = Work(room.reader), time.thread_time()
    docks.show_dock("inside")
    opened_s = wait_until(lambda: work.rests, LONGEST_S)
    opening = (
        f"{1000 * work.spent:,.0f} ms of processor time of its thread and {1000 * (time.thread_time() - own):,.0f} ms "
        f"of the window's, within {opened_s:.1f} s"
    )
    pump(turn_s)
    before = work.asked
    pairs = []
    for number in range(PAIRS):
        turns = {seen: _turn(widget, seen, search, work, turn_s) for seen in (number % 2 == 0, number % 2 == 1)}
        pairs.append((turns[True], turns[False]))
    widget.show()
    work.stop()
    bench.session.stop()
    took = "{:+.1f} ms more a second ({:+.1f} to {:+.1f})".format(
        *median_interval([1000 * (shown.room - hidden.room) for shown, hidden in pairs])
    )
    ratio = "{:.3f} ({:.3f} to {:.3f})".format(
        *median_interval([shown.search / (hidden.search or float("nan")) for shown, hidden in pairs])
    )
    share = statistics.median(shown.search for shown, _ in pairs)
    snapshot = bench.session.snapshot
    ended = f"; the search ended: {snapshot.reason}" if snapshot is not None and snapshot.reason else ""
    again = f"asked again {work.asked - before} times in {PAIRS} turns{ended}"
    return (
        (f"{game.title}: {part} opened", opening, ""),
        (f"{game.title}: {part} in sight, window's thread and its own", f"{took}; {again}", "≤ 30 ms"),
        (
            f"{game.title}: a search with {part} in sight and not",
            f"ratio {ratio} of its thread's processor time, {share:.2f} of a core",
            "≥ 0.97 on a quiet machine",
        ),
    )


def _turn(widget: QWidget, seen: bool, search: threading.Thread, work: Work, seconds: float) -> Turn:
    """One turn with the part in sight or not, once it has been shown or hidden."""
    widget.setVisible(seen)
    pump(REST_S)
    began, searched, own, room = time.perf_counter(), processor_time(search), time.thread_time(), work.spent
    pump(seconds)
    took = time.perf_counter() - began
    spent = time.thread_time() - own + work.spent - room
    return Turn((processor_time(search) - searched) / took, spent / took)


def _after(game: GameSpec, plies: int) -> Position:
    """The position after random moves, fewer where the game ends."""
    rng, position = np.random.default_rng(0), game.initial()
    for _ in range(plies):
        after = position.play(int(rng.choice(position.legal_actions())))
        if after.is_over:
            break
        position = after
    return position
