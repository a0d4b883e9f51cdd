"""Self-play in a process of its own, whose leaves another process or thread evaluates.

The trees, the moves and the samples are the player's; what it sends back are finished games.  A process that is killed
loses its running games.
"""

import signal
import time
from collections.abc import Callable
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Final, NamedTuple

from core.games import load_game
from core.games.net_inputs import encoding_for
from core.text import Text
from models.play.games import PlayStats
from models.play.leaf_lanes import CONTEXT, LaneEnd, LaneEvaluator, LostServer
from models.play.live import LiveWriter
from models.play.samples import Samples
from models.play.selfplay import SelfPlay
from models.runs.config import TrainConfig

_ASK_S: Final = 0.05  # between two looks at whether to stop
_LOOK_S: Final = 0.02  # between two looks of the player's process at its orders
_END_S: Final = 10.0


class PlayerJob(NamedTuple):
    """What one player's process plays."""

    config: TrainConfig
    games: int  # side by side
    seed: int
    lanes: int  # batches at the server at once
    live: Path | None = None  # where running games are displayed
    openings: tuple[tuple[int, ...], ...] = ()


class NetTurn(NamedTuple):
    """What a player is told of the net that the server has now, in place of an evaluator."""

    number: int  # which changes with the net
    description: str
    precision: str


class _Order(NamedTuple):
    """One call of ``play``."""

    turn: NetTurn
    samples: int
    net_step: int


class _Stop(NamedTuple):
    """End the call of ``play`` that is under way."""


class ProcessPlayer:
    """A player whose games run in another process; used like :class:`models.play.selfplay.SelfPlay`, from one thread at
    a time."""

    def __init__(self, job: PlayerJob, end: LaneEnd) -> None:
        """``end``: its lanes to the server, whose batch holds ``games / lanes`` leaves; closed here."""
        self._pipe, theirs = CONTEXT.Pipe()
        self._process: BaseProcess = CONTEXT.Process(target=_play, args=(job, end, theirs), daemon=True)
        self._process.start()
        theirs.close()
        end.pipe.close()

    def play(
        self,
        evaluator: NetTurn,
        samples: int,
        should_stop: Callable[[], bool] = lambda: False,
        net_step: int = 0,
    ) -> tuple[Samples, PlayStats]:
        """As :meth:`SelfPlay.play`.  ``LostServer`` when the process has ended."""
        try:
            self._pipe.send(_Order(evaluator, samples, net_step))
            stopped = False
            while not self._pipe.poll(_ASK_S):
                if not stopped and should_stop():
                    stopped = True
                    self._pipe.send(_Stop())
            result: tuple[Samples, PlayStats] | Exception = self._pipe.recv()
        except (EOFError, OSError):
            self._process.join(_END_S)
            raise LostServer(
                Text("a player's process has ended (exit code {code})", code=self._process.exitcode)
            ) from None
        if isinstance(result, Exception):
            raise result
        return result

    @property
    def pid(self) -> int | None:
        """The number of its process."""
        return self._process.pid

    def close(self) -> None:
        """End the process."""
        self._pipe.close()
        self._process.join(_END_S)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()


def _play(job: PlayerJob, end: LaneEnd, pipe: Any) -> None:
    """The process of a player: obey orders until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the run's own process decides when it ends
    player: SelfPlay | None = None
    evaluator: LaneEvaluator | None = None
    turn = -1
    while (order := _received(pipe)) is not None:
        if isinstance(order, _Stop):  # it came too late
            continue
        try:
            if player is None or evaluator is None:
                evaluator = _evaluator(job, end, order.turn)
                player = _player(job, evaluator)
            elif order.turn.number != turn:
                evaluator = evaluator.renewed()
            turn = order.turn.number
            answer: Any = player.play(evaluator, order.samples, _stop_asked(pipe), order.net_step)
        except Exception as error:  # raised again in the run's process
            answer = error
        try:
            pipe.send(answer)
        except OSError:
            return


def _received(pipe: Any) -> Any:
    try:
        return pipe.recv()
    except (EOFError, OSError):
        return None


def _stop_asked(pipe: Any) -> Callable[[], bool]:
    """A function that returns whether something has come through the pipe, and looks only now and then."""
    due = 0.0

    def has_come() -> bool:
        nonlocal due
        now = time.perf_counter()
        if now < due:
            return False
        due = now + _LOOK_S
        return bool(pipe.poll())

    return has_come


def _evaluator(job: PlayerJob, end: LaneEnd, turn: NetTurn) -> LaneEvaluator:
    return LaneEvaluator(end, turn.description, encoding_for(load_game(job.config.game), job.config.net.inputs))


def _player(job: PlayerJob, evaluator: LaneEvaluator) -> SelfPlay:
    live = None if job.live is None else LiveWriter(job.live)
    game = load_game(job.config.game)
    return SelfPlay(game, evaluator, job.config, job.games, job.seed, job.lanes, live, job.openings)
