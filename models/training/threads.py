"""Runs self-play and learning in parallel threads."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from functools import partial
from itertools import chain
from typing import Any, Final, Protocol, TypeVar

from models.play.games import PlayStats
from models.play.samples import Samples

Part = tuple[Samples, PlayStats]
T = TypeVar("T")
E = TypeVar("E", contravariant=True)

SPILL_S: Final = 10.0  # between two calls of ``spill``
_PORTIONS: Final = 32  # calls of ``play`` for a player's share


class Player(Protocol[E]):
    """Plays with an evaluator, or several: see :class:`models.play.selfplay.SelfPlay`."""

    def play(self, evaluator: E, samples: int, should_stop: Callable[[], bool], net_step: int, /) -> Part: ...


def play_and_learn(
    players: Sequence[Player[E]],
    evaluators: Sequence[E],
    net_step: int,
    samples: int,
    parts: list[Part],
    learn: Callable[[Callable[[], bool]], T],
    ending: Callable[[], bool],
    spill: Callable[[list[Part]], None],
    enter_thread: Callable[[], None] = lambda: None,
    carry: bool = False,
) -> T:
    """Let all ``players``, each with its evaluator, play until they have made ``samples`` positions or ``ending``,
    while ``learn(should_stop)`` runs in another thread; the result of ``learn``.

    Every ``SPILL_S``, ``spill`` is called with ``parts`` and the new results if there are any.  At the end, also after
    an error, the results are added to ``parts``, player by player, so that a seeded run is reproducible.
    ``enter_thread`` is called first in every thread.  With ``carry`` learning is stopped when the playing is done.  The
    first error of any thread ends all and is raised.
    """
    played: list[list[Part]] = [[] for _ in players]
    share = -(-samples // len(players))
    over, lock = threading.Event(), threading.Lock()
    playing_now = len(players)

    def should_stop() -> bool:
        return over.is_set() or ending()

    def guarded(task: Callable[[], Any]) -> Any:
        enter_thread()
        try:
            return task()
        except BaseException:
            over.set()
            raise

    def play(player: Player[E], evaluator: E, mine: list[Part]) -> None:
        nonlocal playing_now
        left = share
        while left > 0 and not should_stop():
            part = player.play(evaluator, -(-share // _PORTIONS), should_stop, net_step)
            mine.append(part)
            left -= len(part[0])
        with lock:
            playing_now -= 1
            if carry and not playing_now:
                over.set()

    try:
        with ThreadPoolExecutor(len(players) + 1, "train") as pool:
            try:
                learning: Future[T] = pool.submit(guarded, partial(learn, should_stop))
                playing = [partial(play, *three) for three in zip(players, evaluators, played, strict=True)]
                work: list[Future[Any]] = [learning, *(pool.submit(guarded, one) for one in playing)]
                handed = len(parts)
                while wait(work, SPILL_S, FIRST_EXCEPTION).not_done and not over.is_set():
                    made = [*parts, *chain.from_iterable(played)]
                    if len(made) > handed:
                        handed = len(made)
                        spill(made)
                for one in work:
                    one.result()
            finally:
                over.set()  # also after an interrupt of this thread
    finally:
        parts.extend(chain.from_iterable(played))
    return learning.result()
