"""Players and a learner at work in threads of their own, until all are done.  Knows no torch and no net."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from functools import partial
from typing import Any, Final, TypeVar

from core.engine.evaluator import Evaluator
from models.play_record import PlayStats
from models.selfplay import SelfPlay
from models.traces import Samples

Part = tuple[Samples, PlayStats]
T = TypeVar("T")

SPILL_S: Final = 10.0  # between two handings over of what has been played
_PORTIONS: Final = 32  # in which a player plays its share


def play_and_learn(
    players: Sequence[SelfPlay],
    evaluators: Sequence[Evaluator],
    net_step: int,
    samples: int,
    parts: list[Part],
    learn: Callable[[Callable[[], bool]], T],
    ending: Callable[[], bool],
    spill: Callable[[list[Part]], None],
    enter_thread: Callable[[], None] = lambda: None,
) -> T:
    """Let all ``players``, each with its own of ``evaluators``, play until they made ``samples`` positions or
    ``ending``, and ``learn(should_stop)`` beside them; what it returned.

    ``parts`` grows by what was played, and is given to ``spill`` every ``SPILL_S`` if it grew.  ``enter_thread`` is
    called first in every thread.  The first error of any thread ends them all and is raised.
    """
    share = -(-samples // len(players))
    over = threading.Event()

    def should_stop() -> bool:
        return over.is_set() or ending()

    def guarded(task: Callable[[], Any]) -> Any:
        enter_thread()
        try:
            return task()
        except BaseException:
            over.set()
            raise

    def play(player: SelfPlay, evaluator: Evaluator) -> None:
        left = share
        while left > 0 and not should_stop():
            part = player.play(evaluator, -(-share // _PORTIONS), should_stop, net_step)
            parts.append(part)
            left -= len(part[0])

    with ThreadPoolExecutor(len(players) + 1, "train") as pool:
        try:
            learning: Future[T] = pool.submit(guarded, partial(learn, should_stop))
            playing = [partial(play, *pair) for pair in zip(players, evaluators, strict=True)]
            work: list[Future[Any]] = [learning, *(pool.submit(guarded, one) for one in playing)]
            handed = len(parts)
            while wait(work, SPILL_S, FIRST_EXCEPTION).not_done and not over.is_set():
                if len(parts) > handed:
                    handed = len(parts)
                    spill(parts[:handed])
            for one in work:
                one.result()
        finally:
            over.set()  # an interrupt of this thread must end the others too
    return learning.result()
