"""What Python's search for garbage looks through.  Knows nothing of the program."""

import gc
from typing import Final

MANY: Final = 20_000  # objects; to look these through takes 10 ms


def freeze_loaded() -> None:
    """Leave out of later searches what has been loaded and stays, or each would hold the window up for 0.1 s.

    What becomes garbage after it was frozen stays until the next time, so this waits until there are many objects, and
    looks everything through first.
    """
    if len(gc.get_objects()) >= MANY:
        gc.unfreeze()
        gc.collect()
        gc.freeze()
