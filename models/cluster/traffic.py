"""What comes over a connection, counted."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass
from typing import Final

RATE_S: Final = 2.0  # over which rates are measured


@dataclass(frozen=True)
class Traffic:
    """The connection as a status line shows it."""

    address: str
    machine: str = ""  # "" before the first connection
    connected: bool = False
    latency_s: float = 0.0
    snapshots: float = 0.0  # per second
    bytes: float = 0.0  # per second
    left_out: str = ""  # what was too large to be sent


class Meter:
    """Counts what comes from one address."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._arrivals: deque[tuple[float, int, bool]] = deque()  # when, bytes, whether with a snapshot
        self._latency_s = 0.0
        self.machine = ""
        self.left_out = ""

    def take(self, size: int, shown: bool, latency_s: float) -> None:
        """Count one answer of ``size`` bytes; ``shown``: it has a snapshot."""
        now = time.monotonic()
        self._latency_s = latency_s
        self._arrivals.append((now, size, shown))
        while self._arrivals[0][0] < now - RATE_S:
            self._arrivals.popleft()

    def traffic(self, connected: bool) -> Traffic:
        """The figures of the last seconds."""
        since = time.monotonic() - RATE_S
        recent = [(size, shown) for at, size, shown in self._arrivals if at >= since]
        return Traffic(
            self._address,
            self.machine,
            connected,
            self._latency_s,
            sum(shown for _, shown in recent) / RATE_S,
            sum(size for size, _ in recent) / RATE_S,
            self.left_out,
        )
