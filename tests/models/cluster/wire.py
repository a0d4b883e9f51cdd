"""A connection to an analysis in this process, which can be dropped."""

from __future__ import annotations

import pickle
import queue
import threading
from typing import Any

from models.cluster import courier
from models.cluster.courier import Courier
from models.cluster.remote_analysis import RemoteAnalysis


class Cluster:
    """Opens wires to one analysis until it is lost; ``kept`` as a courier finds it.  ``down``: no wire holds."""

    def __init__(self) -> None:
        self.far = RemoteAnalysis()
        self.wires: list[Wire] = []
        self.kept = self.down = False

    def open(self, address: str, name: str) -> Wire:
        wire = Wire(self.far, self.kept)
        self.kept = True
        self.wires.append(wire)
        if self.down:
            wire.drop()
        return wire

    def lose(self) -> None:
        """End the analysis, as when its machine fails; the next wire finds a new one."""
        self.far.close()
        self.far, self.kept = RemoteAnalysis(), False
        self.wires[-1].drop()

    def close(self) -> None:
        for wire in self.wires:
            wire.drop()
            wire.thread.join()
        self.far.close()


class Wire:
    """A link whose other end is a courier in a thread."""

    def __init__(self, far: RemoteAnalysis, kept: bool) -> None:
        self.sent: list[str] = []
        self._received: queue.Queue[bytes | None] = queue.Queue()
        self._courier = Courier(far, self._received.put)
        self._gone = False
        self.thread = threading.Thread(target=self._run, args=(kept,))
        self.thread.start()

    def _run(self, kept: bool) -> None:
        try:
            self._courier.run(kept)
        except ValueError as error:
            self._received.put(courier.fault(error))
        self._received.put(None)

    def send(self, *words: Any) -> None:
        if self._gone:
            raise BrokenPipeError
        self.sent.append(words[0])
        try:
            self._courier.take(pickle.loads(pickle.dumps(words)))
        except Exception as error:  # the process would end, too
            self._received.put(courier.fault(error))
            self._received.put(None)

    def receive(self) -> bytes | None:
        return self._received.get()

    def drop(self) -> None:
        """Lose the connection; what was on its way is lost, too."""
        self._gone = True
        self._courier.end(close=False)
        self._received.put(None)

    close = drop
