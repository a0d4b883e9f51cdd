"""Limits what Python's garbage collector has to scan.  Knows nothing of the program."""

import gc
from typing import Final

MANY: Final = 20_000  # objects: scanning this many takes 10 ms


def freeze_loaded(again: bool = True) -> None:
    """Exclude all loaded objects from later garbage collections, each of which would block the window for 0.1 s.

    Frozen objects that become garbage stay until the next call, so this waits until there are many objects and runs a
    full collection first.  ``again``: it scans the frozen objects too, which takes 0.1 s.
    """
    if len(gc.get_objects()) >= MANY:
        if again:
            gc.unfreeze()
        gc.collect()
        gc.freeze()
