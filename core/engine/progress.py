"""Progress of slow work in words, from where it is done to whoever waits, and how often a search shows its own."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from core.text import Text

PUBLISH_S = 0.03  # between two snapshots while the search runs
SLOW_PUBLISH_S = 0.1  # the same for a large tree, which hardly changes within ``PUBLISH_S``
SLOW_GROWTH = 0.02  # a tree that has grown by a smaller share since its last snapshot is large

_thread = threading.local()


@contextmanager
def telling(tell: Callable[[Text], None]) -> Iterator[None]:
    """Context in which ``report`` in this thread calls ``tell``."""
    before = getattr(_thread, "tell", None)
    _thread.tell = tell
    try:
        yield
    finally:
        _thread.tell = before


def report(words: Text) -> None:
    """Say what is being done now; nothing happens where nobody waits."""
    tell = getattr(_thread, "tell", None)
    if tell is not None:
        tell(words)


def publish_interval_s(simulations: int, published: int) -> float:
    """Seconds between two snapshots of a running search; the last one had ``published`` of its ``simulations``.

    Each costs search and window about a millisecond."""
    return PUBLISH_S if simulations > (1 + SLOW_GROWTH) * published else SLOW_PUBLISH_S
