"""A stand-in for a GPU in a process of its own, of set speed: for measuring what feeds it.  Knows no net.

It evaluates nothing.  A batch takes its time by the clock of an imagined device, which runs on while the process
sleeps or is kept from the processor, so that only the search decides how much of the device is used.  The answers are
numbers drawn for each position, the same whenever it comes: policies sharp enough for a tree of a usual shape.
"""

import time
from collections.abc import Sequence
from multiprocessing.process import BaseProcess
from types import TracebackType
from typing import Any, Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from core.engine.evaluator import encoding_of
from core.games import GameSpec
from core.games.encoding import Inputs
from core.text import Text
from models.play.inference_server import BUFFERS, InferenceServer, buckets_up_to, make_figures
from models.play.leaf_lanes import CONTEXT, Array, LaneEnd, LaneEvaluator, LaneShape, close_all, make_lanes

_DRAWN: Final = 4096  # different answers
_SHARPNESS: Final = 1.5  # standard deviation of the logits


class DeviceSpeed(NamedTuple):
    """The speed of a device.  A batch occupies it for ``least_s``, or for its positions at ``rate`` if that is longer;
    its answer comes ``latency_s`` later, while the device works on the next."""

    rate: float  # evaluations/s in large batches
    least_s: float = 0.0003
    latency_s: float = 0.0001

    def seconds(self, batch: int) -> float:
        """How long a batch occupies the device."""
        return max(self.least_s, batch / self.rate)


class _FakeNet:
    """A served net that answers after the time of a device."""

    def __init__(self, speed: DeviceSpeed, shape: LaneShape, most: int) -> None:
        self.buckets = buckets_up_to(most)
        self._speed, rows = speed, self.buckets[-1]
        self._rooms = [
            Inputs(np.zeros((rows, *shape.planes), np.float32), np.zeros((rows, shape.features), np.float32))
            for _ in range(BUFFERS)
        ]
        rng = np.random.default_rng(0)
        self._weights = rng.random(int(np.prod(shape.planes)), np.float32)
        self._logits = (_SHARPNESS * rng.standard_normal((_DRAWN, shape.actions))).astype(np.float32)
        self._values = np.tanh(0.5 * rng.standard_normal(_DRAWN)).astype(np.float32)
        self._leads = np.zeros((rows, 2), np.float32) if shape.leads else None
        self._begun = [(0, 0.0)] * BUFFERS
        self._free_at = 0.0

    def room(self, buffer: int) -> Inputs:
        return self._rooms[buffer]

    def begin(self, buffer: int, bucket: int) -> None:
        self._free_at = max(time.perf_counter(), self._free_at) + self._speed.seconds(bucket)
        self._begun[buffer] = bucket, self._free_at

    def finish(self, buffer: int) -> tuple[Array, ...]:
        bucket, done_at = self._begun[buffer]
        drawn = self._drawn(self._rooms[buffer].planes[:bucket])
        answer = self._logits[drawn], self._values[drawn]
        time.sleep(max(0.0, done_at + self._speed.latency_s - time.perf_counter()))
        return answer if self._leads is None else (*answer, self._leads[:bucket])

    def _drawn(self, planes: Array) -> NDArray[np.int64]:
        """The number of the answer to each position."""
        sums = planes.reshape(len(planes), -1) @ self._weights
        found: NDArray[np.int64] = (sums * 1e4).astype(np.int64) % _DRAWN
        return found


def _serve(speed: DeviceSpeed, ends: Sequence[LaneEnd], most: int, figures: Any) -> None:
    """The device's process."""
    InferenceServer(_FakeNet(speed, ends[0].shape, most), ends, figures).serve()


class FakeDevice:
    """A device that serves so many clients, as a context: its process begins with it and ends when all clients are
    closed."""

    def __init__(
        self,
        game: GameSpec,
        speed: DeviceSpeed,
        clients: int = 1,
        batch: int = 256,
        in_flight: int = 2,
    ) -> None:
        """``batch``: positions that a client posts at once, at most; ``in_flight``: such batches of each client."""
        encoding = encoding_of(None, game)
        shape = LaneShape.of(game, encoding, batch)
        pairs = [make_lanes(shape, in_flight) for _ in range(clients)]
        self.ends = [ours for ours, _ in pairs]
        served = [theirs for _, theirs in pairs]
        self._encoding, self._speed = encoding, speed
        self._memory = make_figures()
        self.figures: NDArray[np.float64] = np.frombuffer(self._memory, np.float64)
        most = clients * batch * max(1, in_flight // BUFFERS)
        self._process: BaseProcess = CONTEXT.Process(
            target=_serve, args=(speed, served, most, self._memory), daemon=True
        )
        self._process.start()
        close_all(served)

    def evaluator(self, client: int = 0) -> LaneEvaluator:
        """The evaluator of one client, for one process."""
        return LaneEvaluator(self.ends[client], self.description, self._encoding)

    @property
    def description(self) -> str:
        return Text("fake device of {rate} evaluations/s", rate=f"{self._speed.rate:,.0f}")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        close_all(self.ends)
        self._process.join(_END_S)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()


_END_S: Final = 10.0
