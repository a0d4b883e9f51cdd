"""Evaluates the leaves of many players in common batches, one server for a device.

Players post batches through ``leaf_lanes``; the server copies what waits into one buffer of the net and starts it, and
while the device works on it the next buffer fills.  One thread collects and starts, another waits for answers and
hands them out, so that the device always has work.  Batches are padded to fixed sizes (``buckets``), for each of which
a device keeps its plan.
"""

import threading
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing.connection import wait
from queue import SimpleQueue
from typing import Any, Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from core.games.encoding import Inputs
from core.text import text_of
from models.netfiles.batch_sizes import sizes
from models.play.leaf_lanes import CONTEXT, Array, Lane, LaneEnd

BUFFERS: Final = 2  # one evaluated, one filled
LEAST_BUCKET: Final = 8

# Indices of the figures of a server.
BATCHES: Final = 0
ROWS: Final = 1  # positions
PADDED: Final = 2  # rows evaluated, padding included
BUSY_S: Final = 3  # from the start of a batch, or the end of the one before, to its end
PROCESSOR_S: Final = 4  # of the server's threads
FIGURES: Final = 5


class ServedNet(Protocol):
    """A net, or what stands for one, with ``BUFFERS`` buffers of the largest batch."""

    buckets: tuple[int, ...]  # ascending

    def room(self, buffer: int) -> Inputs:
        """Where the leaves of a batch are written."""
        ...

    def begin(self, buffer: int, bucket: int) -> None:
        """Start the evaluation of the first ``bucket`` rows of a buffer."""
        ...

    def finish(self, buffer: int) -> tuple[Array, ...]:
        """Wait for the answer: views that stay as they are until the buffer is begun again."""
        ...


def buckets_up_to(most: int) -> tuple[int, ...]:
    """The sizes of batches from ``LEAST_BUCKET``, the last of which holds ``most``."""
    return sizes(LEAST_BUCKET, most)


class _Request(NamedTuple):
    """A batch that a player has posted."""

    client: int
    number: int  # of the lane
    rows: int
    lane: Lane


class _Running(NamedTuple):
    """A batch at the net."""

    buffer: int
    requests: list[_Request]
    rows: int
    bucket: int
    began: float
    error: str | None  # why it could not be begun


class InferenceServer:
    """Serves the players at the other ends of ``ends`` until each has closed its own or ``stop`` is called."""

    def __init__(self, net: ServedNet, ends: Sequence[LaneEnd]) -> None:
        self.figures: NDArray[np.float64] = np.zeros(FIGURES)
        self._net = net
        self._lanes = [end.lanes() for end in ends]
        self._pipes = {end.pipe: client for client, end in enumerate(ends)}
        self._all = [end.pipe for end in ends]
        self._wake, self._woken = CONTEXT.Pipe(duplex=False)
        self._waiting: deque[_Request] = deque()
        self._running: SimpleQueue[_Running | None] = SimpleQueue()
        self._at_net: deque[_Running] = deque()
        self._free = list(range(BUFFERS))
        self._turn = threading.Lock()  # of what the two threads share: _at_net, _free
        self._stopped = False
        self._ended_s = 0.0

    def serve(self) -> None:
        """Serve in this thread, and in one more that hands out the answers."""
        finisher = threading.Thread(target=self._hand_out, name="answers")
        finisher.start()
        before = time.thread_time()
        try:
            while self._pipes and not self._stopped:
                self._receive()
                while (batch := self._next()) is not None:
                    self._begin(batch)
                now = time.thread_time()
                self.figures[PROCESSOR_S] += now - before
                before = now
        finally:
            self._running.put(None)
            finisher.join()
            for pipe in self._all:
                pipe.close()

    def stop(self) -> None:
        """End ``serve``; players that wait get :class:`models.play.leaf_lanes.LostServer`."""
        self._stopped = True
        self._woken.send_bytes(b"")

    def _receive(self) -> None:
        """Wait for news: batches posted, a batch finished, a player gone."""
        for ready in wait([self._wake, *self._pipes]):
            if ready is self._wake:
                self._wake.recv_bytes()
                continue
            pipe: Any = ready
            client = self._pipes[pipe]
            try:
                while pipe.poll():
                    number, rows = pipe.recv()
                    self._waiting.append(_Request(client, number, rows, self._lanes[client][number]))
            except (EOFError, OSError):
                del self._pipes[pipe]

    def _next(self) -> list[_Request] | None:
        """The batches to evaluate together now, or None.

        Beside a batch that is being evaluated the next one is begun when it is as large, or nobody is left to wait for:
        so both grow to half of what the players have.
        """
        with self._turn:
            ahead = sum(batch.rows for batch in self._at_net)
            posted = len(self._waiting) + sum(len(batch.requests) for batch in self._at_net)
            free = bool(self._free)
        if not self._waiting or not free:
            return None
        rows = sum(request.rows for request in self._waiting)
        lanes = sum(len(self._lanes[client]) for client in self._pipes.values())
        if ahead and rows < ahead and posted < lanes:
            return None
        taken, room = [], self._net.buckets[-1]
        while self._waiting and self._waiting[0].rows <= room:
            room -= self._waiting[0].rows
            taken.append(self._waiting.popleft())
        return taken

    def _begin(self, requests: list[_Request]) -> None:
        with self._turn:
            buffer = self._free.pop()
        room, rows = self._net.room(buffer), 0
        for request in requests:
            to = slice(rows, rows + request.rows)
            room.planes[to] = request.lane.planes[: request.rows]
            room.features[to] = request.lane.features[: request.rows]
            rows += request.rows
        bucket = next(size for size in self._net.buckets if size >= rows)
        began, error = time.perf_counter(), None
        try:
            self._net.begin(buffer, bucket)
        except Exception as raised:  # any net's; every player that waits is told
            error = _words(raised)
        running = _Running(buffer, requests, rows, bucket, began, error)
        with self._turn:
            self._at_net.append(running)
        self._running.put(running)

    def _hand_out(self) -> None:
        """Wait for each batch in turn and write its answers into the lanes."""
        before = time.thread_time()
        while (running := self._running.get()) is not None:
            answer, error = self._finished(running)
            self._count(running)
            at = 0
            for request in running.requests:
                if error is None:
                    for rows, taken in zip(answer, request.lane.answer, strict=True):
                        taken[: request.rows] = rows[at : at + request.rows]
                at += request.rows
                self._tell(request, error)
            with self._turn:
                self._at_net.popleft()
                self._free.append(running.buffer)
            self._woken.send_bytes(b"")
            used = time.thread_time()
            self.figures[PROCESSOR_S] += used - before
            before = used

    def _count(self, running: _Running) -> None:
        now = time.perf_counter()
        self.figures[BATCHES] += 1
        self.figures[ROWS] += running.rows
        self.figures[PADDED] += running.bucket
        self.figures[BUSY_S] += now - max(running.began, self._ended_s)
        self._ended_s = now

    def _finished(self, running: _Running) -> tuple[tuple[Array, ...], str | None]:
        """(The answer, why there is none)."""
        if running.error is not None:
            return (), running.error
        try:
            return self._net.finish(running.buffer), None
        except Exception as raised:  # as in ``_begin``
            return (), _words(raised)

    def _tell(self, request: _Request, error: str | None) -> None:
        with suppress(OSError):  # the player has ended
            self._all[request.client].send((request.number, error))


def _words(error: Exception) -> str:
    return text_of(error) if isinstance(error, ValueError) else str(error) or type(error).__name__
