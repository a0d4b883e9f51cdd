"""Whether a process is still the one that was seen, and one process at a time in a folder."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

_CLOCKS_APART_S: Final = 10.0  # tolerance between a process's own start time and the system's


def is_alive(pid: int, seen_at: float | None = None, mark: str = "") -> bool:
    """Whether the process with this number is running.

    seen: Unix time at which it was running; a process started later is another one.  mark: its :func:`process_mark`.
    """
    if pid <= 0:
        return False
    if sys.platform == "win32":
        return _is_alive_on_windows(pid)
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass  # a process of another user
    begun = _begun(pid)
    if mark and begun is not None and begun >= 0.0 and (present_mark := process_mark(pid)):
        return present_mark == mark
    return begun is None or (begun >= 0.0 and (seen_at is None or begun <= seen_at + _CLOCKS_APART_S))


def process_mark(pid: int) -> str:
    """An identifier that distinguishes a process from others with the same number: boot id and start tick (Linux); ""
    on other systems."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        return f"{boot}:{Path(f'/proc/{pid}/stat').read_text().rpartition(')')[2].split()[19]}"
    except (OSError, IndexError, ValueError):
        return ""


def _begun(pid: int) -> float | None:
    """Unix time at which a process started (Linux; None on other systems); -1 for a zombie."""
    try:
        words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        boot = next(line for line in Path("/proc/stat").read_text().splitlines() if line.startswith("btime"))
        if words[0] in ("Z", "X"):
            return -1.0
        return float(boot.split()[1]) + int(words[19]) / os.sysconf("SC_CLK_TCK")
    except (OSError, StopIteration, IndexError, ValueError):
        return None


def _is_alive_on_windows(pid: int) -> bool:
    """:func:`is_alive` on Windows, where ``os.kill`` would end the process."""
    if sys.platform != "win32":
        return False
    import ctypes

    limited_information, still_active = 0x1000, 259
    kernel = ctypes.windll.kernel32
    handle = kernel.OpenProcess(limited_information, False, pid)
    if not handle:
        return False
    code = ctypes.c_ulong()
    succeeded = kernel.GetExitCodeProcess(handle, ctypes.byref(code))
    kernel.CloseHandle(handle)
    return bool(succeeded) and code.value == still_active


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Context that only one process of this machine is in at a time, for each ``folder``; others wait.

    Without effect on Windows and on file systems without locks.  ``OSError`` when the folder cannot be opened.
    """
    if sys.platform == "win32":
        yield
        return
    import fcntl

    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
