"""Measures the kept nets of a run while it trains: gate, exams and ladder.

One thread measures the kept nets in turn.  When idle it plays further bouts on the ladder, as long as it has used less
than a tenth of the run's time.
"""

import queue
import threading
import time
from collections.abc import Callable
from typing import Any, Final

from core import engine
from core.games import GameSpec
from core.search import SearchSettings
from models.runs.config import TrainConfig
from models.runs.folder import BEST, net_path, publish
from models.strength.exams import has_exams
from models.strength.ladder import net_player, passes_gate
from models.training.judge import Judge

GATE_GAMES: Final = 40  # AlphaGo Zero: 400

_SHARE: Final = 0.1  # of the run's time
_IDLE_S: Final = 0.5


def warm_up(game: GameSpec) -> None:
    """Compile the kernels of rollouts, which may take half a minute."""
    engine.warm_up(game, None, SearchSettings(selection="ucb1"))


class Measurer:
    """Measures nets in a separate thread until :meth:`close`, which closes the judge.

    judge: plays bouts and takes exams.
    event: writes a report, ``event(name, **fields)``.  elapsed_s: time of the run.  should_stop: whether the run is to
    end.  promoted: called with the step of a net that passed the gate.  playing: step of the net in self-play.
    """

    def __init__(
        self,
        judge: Judge,
        config: TrainConfig,
        event: Callable[..., Any],
        elapsed_s: Callable[[], float],
        should_stop: Callable[[], bool],
        promoted: Callable[[int], None] = lambda _: None,
        playing: int | None = None,
    ) -> None:
        self._judge, self._ladder, self._config = judge, judge.ladder, config
        self._event, self._elapsed_s, self._promoted = event, elapsed_s, promoted
        self._run_stops = should_stop
        self._playing = playing
        self._steps: queue.Queue[int | None] = queue.Queue()
        self._closed = threading.Event()
        self._spent_s = 0.0
        self._newest: int | None = None
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._work, name="measure", daemon=True)
        self._thread.start()

    def add(self, step: int) -> None:
        """Queue the kept net of ``step``."""
        self._steps.put(step)

    def check(self) -> None:
        """Raise an error of the thread, if there was one."""
        if self._error is not None:
            raise self._error

    def finish(self) -> None:
        """Wait until all queued nets are measured or the run is to stop, then close."""
        self._steps.put(None)
        self._thread.join()
        self.close()
        self.check()

    def close(self) -> None:
        """Stop measuring; a running bout is abandoned."""
        self._closed.set()
        self._thread.join()
        self._judge.close()

    def _should_stop(self) -> bool:
        return self._closed.is_set() or self._run_stops()

    def _work(self) -> None:
        try:
            while not self._closed.is_set():
                try:
                    step = self._steps.get(timeout=_IDLE_S)
                except queue.Empty:
                    if self._newest is not None and self._spent_s < _SHARE * self._elapsed_s():
                        self._timed(self._bout)
                    continue
                if step is None or self._should_stop():
                    return
                self._newest = step
                self._timed(self._measure)
        except BaseException as error:
            self._error = error

    def _timed(self, work: Callable[[int], None]) -> None:
        began = time.perf_counter()
        if self._newest is not None and not self._should_stop():
            work(self._newest)
        self._spent_s += time.perf_counter() - began

    def _measure(self, step: int) -> None:
        self._pass_gate(step)
        wanted = self._config.strength.exam_positions and has_exams(self._ladder.game)
        if wanted and (found := self._judge.exam(step, self._should_stop)):
            results = {name: {"right": one.right, "of": one.of} for name, one in found.items()}
            self._event("exam", step=step, net=net_path(step), results=results)
        self._bout(step)

    def _pass_gate(self, step: int) -> None:
        """Play a match against the net in self-play and replace that if the score reaches the gate."""
        needed = self._config.strength.gate
        if not needed:
            return
        if self._playing is None:  # the first one
            self._playing = step
            self._promoted(step)
            return
        pair = net_player(step), net_player(self._playing)
        bout = None if step == self._playing else self._judge.bout(pair, GATE_GAMES, step, self._should_stop)
        if bout is None:
            return
        self._event("match", **bout.report)
        passed = passes_gate(bout.record, needed)
        self._event("gate", step=step, net=net_path(step), score=bout.record.score, passed=passed)
        if passed:
            self._playing = step
            self._promoted(step)

    def _bout(self, step: int) -> None:
        """Play one bout on the ladder and report the new ratings."""
        games = (
            self._config.strength.ladder_games + self._config.strength.ladder_games % 2
        )  # each opening with both colours
        if not games:
            return
        bout = self._judge.bout(self._ladder.next_pair(games=games), games, step, self._should_stop)
        if bout is None:
            return
        self._event("match", **bout.report)
        ratings = self._ladder.ratings()
        best = self._ladder.best(ratings)
        self._event("ladder", step=step, ratings=ratings.table(), best=best)
        if best is not None:
            folder = self._ladder.folder
            publish(folder / "nets" / f"{best}.onnx", folder / BEST)
