"""Progress of slow work in words, from where it is done to whoever waits for it.  Knows no work."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from core.text import Text

_here = threading.local()


@contextmanager
def telling(tell: Callable[[Text], None]) -> Iterator[None]:
    """Context in which ``report`` in this thread calls ``tell``."""
    before = getattr(_here, "tell", None)
    _here.tell = tell
    try:
        yield
    finally:
        _here.tell = before


def report(words: Text) -> None:
    """Say what is being done now; nothing happens where nobody waits."""
    tell = getattr(_here, "tell", None)
    if tell is not None:
        tell(words)
