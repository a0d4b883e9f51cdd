"""Limits what Python's garbage collector has to scan."""

import gc
import sys
from typing import Final

MANY: Final = 60_000  # blocks of memory: some 20 000 objects, which take 10 ms to scan

_kept = [0]  # blocks in use after the last freeze


def freeze_loaded(again: bool = True) -> None:
    """Exclude all loaded objects from later garbage collections, each of which would block the window for 0.1 s.

    Frozen objects that become garbage stay until the next call, so this waits until there are many new ones and runs a
    full collection first.  They are not counted by ``gc.get_objects``: that takes a reference to the tuples that other
    threads are just making, which fail then with a SystemError.  ``again``: the frozen ones are scanned, too; that
    takes 0.1 s.
    """
    if sys.getallocatedblocks() - _kept[0] >= MANY:
        if again:
            gc.unfreeze()
        gc.collect()
        freeze_all()


def freeze_all() -> None:
    """Exclude all objects from later garbage collections as they are, garbage among them, too."""
    gc.freeze()
    _kept[0] = sys.getallocatedblocks()
