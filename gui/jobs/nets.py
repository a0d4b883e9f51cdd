"""Asks nets of a run about a position, beside the window: policy and value, one net after the other.  Knows no view.

Only the newest question counts; answers to an older one are never told.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from PySide6.QtCore import QObject, Signal

from core.text import text_of
from gui.jobs.task import Task, run_task
from gui.language.core_words import core_text

if TYPE_CHECKING:
    from core.games import GameSpec, Position

MOST_LOADED: Final = 32  # nets kept in memory


@dataclass(frozen=True)
class NetAnswer:
    """What one net says of one position: ``value`` for the side to move, ``policy`` over its legal moves."""

    path: Path
    position: Position
    policy: dict[int, float]
    value: float


class NetReader(QObject):
    """Answers come one by one in the window's thread."""

    answered = Signal(object)  # NetAnswer
    failed = Signal(str)  # one sentence about a net that cannot be asked

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._question = 0
        self._wanted: tuple[Position, tuple[Path, ...]] | None = None
        self._task: Task | None = None
        self._loaded: OrderedDict[tuple[Path, int], Any] = OrderedDict()
        self._closing = threading.Event()

    def ask(self, position: Position, nets: Sequence[Path]) -> None:
        """What do these nets say of the position?  An earlier question is dropped."""
        self._question += 1
        self._wanted = (position, tuple(nets))
        self._next()

    def forget(self) -> None:
        """Nothing is asked any more."""
        self._question += 1
        self._wanted = None

    def close(self) -> None:
        """End the work in hand after the net it is at."""
        self._closing.set()
        self.forget()

    def _next(self) -> None:
        if self._task is not None or self._wanted is None or self._closing.is_set():
            return
        position, nets = self._wanted
        self._wanted = None
        question = self._question
        work = partial(self._work, question, position, nets)
        self._task = run_task(self, work, self._done, self._broke, self._take)

    def _done(self, _: object) -> None:
        self._task = None
        self._next()

    def _broke(self, sentence: str) -> None:
        self._task = None
        self.failed.emit(core_text(sentence))
        self._next()

    def _take(self, told: tuple[int, NetAnswer | None, str]) -> None:
        question, answer, sentence = told
        if question != self._question:
            return
        if answer is not None:
            self.answered.emit(answer)
        else:
            self.failed.emit(core_text(sentence))

    # in the thread

    def _work(self, question: int, position: Position, nets: tuple[Path, ...], tell: Callable[[object], None]) -> None:
        planes = position.planes()[None]
        legal = list(position.legal_actions())
        for path in nets:
            if question != self._question or self._closing.is_set():
                return
            answer, sentence = None, ""
            try:
                logits, value = self._net(path, position.game).evaluate(planes)
            except (ValueError, OSError) as error:
                sentence = text_of(error)
            else:
                scores = logits[0, legal].astype(np.float64)
                weights = np.exp(scores - scores.max(initial=0.0)) if legal else scores
                shares = (weights / weights.sum()).tolist() if legal else []
                policy = dict(zip(legal, shares, strict=True))
                answer = NetAnswer(path, position, policy, float(value[0]))
            tell((question, answer, sentence))

    def _net(self, path: Path, game: GameSpec) -> Any:
        from models.netfiles.evaluator import OnnxEvaluator

        key = (path, path.stat().st_mtime_ns)
        if key not in self._loaded:
            self._loaded[key] = OnnxEvaluator(path, game, device="cpu", threads=1)
            while len(self._loaded) > MOST_LOADED:
                self._loaded.popitem(last=False)
        self._loaded.move_to_end(key)
        return self._loaded[key]


def net_game(path: Path) -> str:
    """The game a net file is for; "" when it does not say.  ``ValueError`` when it is no net."""
    from models.netfiles.evaluator import read_net_info

    return read_net_info(path).game
