"""How many processors there are to work with.  Knows nothing else, so that it can be asked before numba is loaded."""

import os


def processors() -> int:
    """Processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1)
