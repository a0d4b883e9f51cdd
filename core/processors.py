"""The processors and the memory of this machine.  Knows nothing else, so that it can be asked before numba
is loaded."""

import ctypes
import os
from functools import cache
from typing import Any, Final

_UNKNOWN_MB: Final = 1 << 20  # where the system does not say


def processors() -> int:
    """Processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1)


@cache
def machine_memory_mb() -> int:
    """Memory of this machine in MiB."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20
    except (AttributeError, ValueError, OSError):
        windows = getattr(ctypes, "windll", None)
        return _UNKNOWN_MB if windows is None else _windows_memory_mb(windows)


def _windows_memory_mb(windows: Any) -> int:
    kib = ctypes.c_ulonglong(0)
    known = windows.kernel32.GetPhysicallyInstalledSystemMemory(ctypes.byref(kib))
    return kib.value >> 10 if known else _UNKNOWN_MB
