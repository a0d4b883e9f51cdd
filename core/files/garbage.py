"""Holds Python's garbage collector back while a file becomes many objects, all of which stay.

It would scan them over and over, which takes half of the time of reading, and each time every thread waits.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

_lock = Lock()
_held: list[bool] = []  # for each reading that goes on, whether the collector was on when the first began


@contextmanager
def not_collected() -> Iterator[None]:
    """Keep the collector off until the last of those who ask for this at once is done."""
    with _lock:
        _held.append(_held[0] if _held else gc.isenabled())
        gc.disable()
    try:
        yield
    finally:
        with _lock:
            if _held.pop() and not _held:
                gc.enable()
