"""This machine: its processors, its memory, the folders of its user.  Imports nothing else, so that it can be asked
before numba is loaded."""

import ctypes
import os
import platform
import sys
from functools import cache
from pathlib import Path
from typing import Any, Final

_SHARED: Final = "PLYSCOPE_SHARED_KERNELS"  # the variable of processes whose kernels are shared
_UNKNOWN_MB: Final = 1 << 20  # where the system does not say


def processors() -> int:
    """Processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1)


def share_kernels() -> None:
    """Have this process, and those it starts, compile kernels for a common type of processor, as those that come with
    the program are.

    For programs of ours: numba has one setting for the whole process.  To be called before kernels are imported."""
    os.environ[_SHARED] = "1"


def kernels_are_shared() -> bool:
    """Whether ``share_kernels`` was called here or in a process above."""
    return _SHARED in os.environ


@cache
def processor_name() -> str:
    """The model of the processor, as the system calls it."""
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or "unknown processor"


def has_feature(name: str) -> bool:
    """Whether the processor has a feature, by LLVM's name: ``avx512bf16``."""
    import llvmlite.binding

    return bool(llvmlite.binding.get_host_cpu_features().get(name))


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
    is_known = windows.kernel32.GetPhysicallyInstalledSystemMemory(ctypes.byref(kib))
    return kib.value >> 10 if is_known else _UNKNOWN_MB


def user_cache_dir() -> Path:
    """The folder for this user's caches, by the platform's convention."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = str(Path.home() / "Library" / "Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "plyscope"


def data_home() -> Path:
    """The folder for programs' data: XDG_DATA_HOME on Linux, LOCALAPPDATA on Windows, Application Support on macOS."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
