"""Leaves and their answers in memory shared by two processes, and the evaluator that a search asks through it.

A client has several lanes, each with room for one batch: it fills one, posts its number, and may fill
the next while it waits.  What goes through the pipe is a number; leaves and answers stay in shared memory.
Letters: B batch, C planes, H W board, G features, A actions.
"""

import ctypes
import threading
from collections.abc import Callable
from functools import partial
from multiprocessing import get_context
from queue import Empty, SimpleQueue
from typing import Any, Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from core.engine.evaluator import Evaluator
from core.games import GameSpec
from core.games.encoding import OWN_ENCODING, Encoding
from core.games.net_inputs import make_inputs
from core.text import Text

CONTEXT: Final = get_context("spawn")  # a fork of a process with threads, or with CUDA, may hang

Array = NDArray[np.float32]


class LostServer(ValueError):
    """The process or thread that evaluates has ended, or could not evaluate; the message is one sentence."""


class LaneShape(NamedTuple):
    """The sizes of one lane."""

    planes: tuple[int, ...]  # C, H, W
    features: int
    actions: int
    leads: bool
    batch: int

    @classmethod
    def of(cls, game: GameSpec, encoding: Encoding, batch: int) -> Self:
        """For ``batch`` positions of ``game`` in an encoding."""
        sample = make_inputs(game, encoding, 1)
        return cls(sample.planes.shape[1:], sample.features.shape[1], game.num_actions, encoding.leads, batch)

    def rows(self) -> tuple[tuple[int, ...], ...]:
        """The shape of one row of each array of :class:`Lane`."""
        return self.planes, (self.features,), (self.actions,), (), (2 if self.leads else 0,)


class Lane(NamedTuple):
    """Room for one batch."""

    planes: Array  # [B, C, H, W]
    features: Array  # [B, G]
    logits: Array  # [B, A]
    values: Array  # [B]
    leads: Array  # [B, 2], [B, 0] without leads

    @property
    def answer(self) -> tuple[Array, ...]:
        """The arrays of the answer."""
        return (self.logits, self.values, self.leads) if self.leads.shape[1] else (self.logits, self.values)


class LaneEnd(NamedTuple):
    """One end of a client's lanes, which can be handed to a new process."""

    pipe: Any  # a Connection
    memory: Any  # ctypes array of float32
    shape: LaneShape
    number: int  # lanes

    def lanes(self) -> list[Lane]:
        """The lanes, views of the shared memory."""
        every = np.frombuffer(self.memory, np.float32).reshape(self.number, -1)
        lanes = []
        for memory in every:
            parts, start = [], 0
            for row in self.shape.rows():
                size = self.shape.batch * int(np.prod(row))
                parts.append(memory[start : start + size].reshape(self.shape.batch, *row))
                start += size
            lanes.append(Lane(*parts))
        return lanes


def make_lanes(shape: LaneShape, count: int) -> tuple[LaneEnd, LaneEnd]:
    """New lanes: (the client's end, the server's end)."""
    floats = shape.batch * sum(int(np.prod(row)) for row in shape.rows())
    memory = CONTEXT.RawArray(ctypes.c_float, count * floats)
    ours, theirs = CONTEXT.Pipe()
    return LaneEnd(ours, memory, shape, count), LaneEnd(theirs, memory, shape, count)


class LaneEvaluator(Evaluator):
    """Evaluates positions by posting them to a server in another thread or process.

    Several threads may use it.  ``LostServer`` when the server has ended or could not evaluate.
    """

    works_elsewhere = True

    def __init__(self, end: LaneEnd, description: str, encoding: Encoding = OWN_ENCODING) -> None:
        self._description, self.encoding = description, encoding
        self._all = end.shape.batch, end.number
        self._pipe, self._batch, self._lanes = end.pipe, end.shape.batch, end.lanes()
        self._free: SimpleQueue[int] = SimpleQueue()
        for lane in range(end.number):
            self._free.put(lane)
        self._arrived: dict[int, str | None] = {}
        self._sending, self._receiving = threading.Lock(), threading.Lock()

    @property
    def description(self) -> str:
        return self._description

    @property
    def preferred_batches(self) -> tuple[int, int]:
        return self._all

    def renewed(self) -> "LaneEvaluator":
        """Another evaluator through the same lanes, none of which may be in use: for the server's next net."""
        end = LaneEvaluator.__new__(LaneEvaluator)
        end.__dict__.update(self.__dict__)
        return end

    def evaluate(self, planes: Array, features: Array | None = None) -> tuple[Array, ...]:
        """As :class:`core.engine.evaluator.Evaluator`."""
        if len(planes) > self._batch:
            return self._in_parts(planes, features)
        return self._wait(*self._post(self._free.get(), planes, features))

    def start(self, planes: Array, features: Array | None = None) -> Callable[[], tuple[Array, ...]]:
        """Post a batch and return the function that waits for its answer.  Where no lane is free that function posts
        it, so that the batch must stay as it is until then."""
        if len(planes) <= self._batch:
            try:
                lane = self._free.get_nowait()
            except Empty:
                pass
            else:
                return _Once(partial(self._wait, *self._post(lane, planes, features)))
        return _Once(partial(self.evaluate, planes, features))

    def _in_parts(self, planes: Array, features: Array | None) -> tuple[Array, ...]:
        cuts = range(0, len(planes), self._batch)
        parts = [
            self.evaluate(planes[i : i + self._batch], None if features is None else features[i : i + self._batch])
            for i in cuts
        ]
        return tuple(np.concatenate(part) for part in zip(*parts, strict=True))

    def _post(self, lane: int, planes: Array, features: Array | None) -> tuple[int, int]:
        room = self._lanes[lane]
        room.planes[: len(planes)] = planes
        if features is not None:
            room.features[: len(planes)] = features
        try:
            with self._sending:
                self._pipe.send((lane, len(planes)))
        except OSError:
            raise self._lost() from None
        return lane, len(planes)

    def _wait(self, lane: int, batch: int) -> tuple[Array, ...]:
        with self._receiving:
            try:
                while lane not in self._arrived:
                    answered, error = self._pipe.recv()
                    self._arrived[answered] = error
            except (EOFError, OSError):
                raise self._lost() from None
            error = self._arrived.pop(lane)
        try:
            if error is not None:
                raise LostServer(error)
            return tuple(part[:batch].copy() for part in self._lanes[lane].answer)
        finally:
            self._free.put(lane)

    def _lost(self) -> LostServer:
        return LostServer(Text("{net} does not answer any more: its process has ended", net=self.description))

    def close(self) -> None:
        """Tell the server that no more batches come."""
        self._pipe.close()


class _Once:
    """A function that is run once; later calls give its result, or raise its error, again."""

    def __init__(self, run: Callable[[], tuple[Array, ...]]) -> None:
        self._run = run
        self._result: tuple[Array, ...] | None = None
        self._error: Exception | None = None

    def __call__(self) -> tuple[Array, ...]:
        if self._result is None and self._error is None:
            try:
                self._result = self._run()
            except Exception as error:
                self._error = error
        if self._error is not None:
            raise self._error
        assert self._result is not None
        return self._result
