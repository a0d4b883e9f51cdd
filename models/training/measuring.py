"""Measures the kept nets of a run while it trains: gate, exams and ladder.

One thread measures the kept nets in turn.  When idle it plays further bouts on the ladder, as long as it has used less
than a tenth of the run's time.
"""

import queue
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Protocol

from torch import Tensor

from core import engine
from core.games import GameSpec
from core.search import SearchSettings
from models.netfiles.evaluator import OnnxEvaluator
from models.nets.net import PolicyValueNet
from models.runs.config import TrainConfig
from models.runs.folder import BEST, net_path, publish
from models.strength.exams import ExamResult, has_exams, run_exams
from models.strength.ladder import GATE_GAMES, BoutResult, Ladder, net_player, passes_gate

_SHARE: Final = 0.1  # of the run's time
_IDLE_S: Final = 0.5

Weights = dict[str, Tensor]


class Judge(Protocol):
    """Examines nets and plays their bouts, here or elsewhere with the same results; one call at a time."""

    ladder: Ladder
    """That of the run, whose file the bouts are written to."""

    def bout(self, pair: tuple[str, str], games: int, step: int, should_stop: Callable[[], bool]) -> BoutResult | None:
        """Play and record a bout; None when stopped."""
        ...

    def exam(self, step: int, should_stop: Callable[[], bool]) -> dict[str, ExamResult]:
        """The results of the net kept at ``step``, those that were finished when stopped."""
        ...


class LocalJudge:
    """Exams and bouts of the run in ``folder``, with one thread."""

    def __init__(self, folder: Path, game: GameSpec, config: TrainConfig) -> None:
        self.ladder = Ladder(
            folder, game, config.strength.ladder_simulations, config.run.seed, device=config.run.device, threads=1
        )
        self._config = config

    def bout(self, pair: tuple[str, str], games: int, step: int, should_stop: Callable[[], bool]) -> BoutResult | None:
        return self.ladder.bout(pair, games, step, should_stop)

    def exam(self, step: int, should_stop: Callable[[], bool]) -> dict[str, ExamResult]:
        path, game = self.ladder.folder / net_path(step), self.ladder.game
        evaluator = OnnxEvaluator(path, game, device=self._config.run.device, threads=1)
        return run_exams(game, evaluator, self._config.strength.exam_positions, should_stop=should_stop)


class Gate:
    """The weights of the net in self-play, and those of newer ones until it is decided whether they pass."""

    def __init__(self) -> None:
        self.passed: tuple[int, Weights] | None = None  # step and weights; None: always the newest plays
        self._promoted: int | None = None
        self._candidates: dict[int, Weights] = {}  # by step

    @property
    def step(self) -> int | None:
        """The step of the net in self-play; None while that is always the newest."""
        return None if self.passed is None else self.passed[0]

    def add(self, step: int, net: PolicyValueNet) -> None:
        """Keep the weights of a net whose match is to come."""
        self._candidates[step] = {name: tensor.detach().cpu().clone() for name, tensor in net.state_dict().items()}

    def promote(self, step: int) -> None:
        """Let the net of ``step`` play after the next ``apply``.  Thread-safe."""
        self._promoted = step

    def apply(self) -> None:
        """Let the net play that was promoted last; older candidates are forgotten."""
        step = self._promoted
        if step is not None and step in self._candidates:
            self.passed = step, self._candidates[step]
            self._candidates = {other: weights for other, weights in self._candidates.items() if other > step}


def warm_up(game: GameSpec) -> None:
    """Compile the kernels of rollouts, which may take half a minute."""
    engine.warm_up(game, None, SearchSettings(selection="ucb1"))


class Measurer:
    """Measures nets in a separate thread until :meth:`close`.

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
        has_exam = self._config.strength.exam_positions and has_exams(self._ladder.game)
        if has_exam and (exam_results := self._judge.exam(step, self._should_stop)):
            results = {name: {"right": result.right, "of": result.of} for name, result in exam_results.items()}
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
