"""The one decorator for compiled code, and where its cache lives.  Knows no game and no search.

Numba's own cache does not notice an edit in another file, so the cache directory is named by a hash
of all of ``core``: any edit gives a fresh directory.  It is set before the first kernel is made.
"""

import hashlib
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
from numba.extending import overload as _overload
from numba.extending import register_jitable as _register_jitable

F = TypeVar("F", bound=Callable[..., Any])

KEEP_DAYS = 14  # directories of other versions are removed after this long without use


def source_hash() -> str:
    """Hash of every source file of ``core``, 16 hex digits."""
    root = Path(__file__).parent
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__}".encode())
    for path in sorted(root.rglob("*.py")):
        digest.update(str(path.relative_to(root)).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def user_cache_dir() -> Path:
    """The folder for this user's caches, by the platform's convention."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = str(Path.home() / "Library" / "Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "plyscope"


def _prepare_cache() -> Path:
    kernels = user_cache_dir() / "kernels"
    own = kernels / source_hash()
    try:
        own.mkdir(parents=True, exist_ok=True)
        os.utime(own)
        probe = own / f".probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError:
        # An unwritable home must not stop the program: compile into a folder of this process.
        return Path(tempfile.mkdtemp(prefix="plyscope-kernels-"))
    for other in kernels.iterdir():
        if other != own and other.is_dir() and time.time() - other.stat().st_mtime > KEEP_DAYS * 86400:
            shutil.rmtree(other, ignore_errors=True)
    return own


CACHE_DIR = _prepare_cache()
numba.config.CACHE_DIR = str(CACHE_DIR)

if numba.config.DISABLE_JIT:
    # Interpreted, the hashes and the random generator wrap around as they do compiled.
    np.seterr(over="ignore")


# Kernels allocate nothing, so nothing needs counting: without this every call that passes a tree would touch the
# reference count of each of its arrays, which was measured to make a simulation 14 times slower.
_UNCOUNTED: dict[str, Any] = {"_nrt": False}


def jit(function: F) -> F:
    """Compile without the GIL and cache on disk; interpreted when ``NUMBA_DISABLE_JIT=1``.  It makes no arrays."""
    return numba.njit(nogil=True, cache=True, error_model="numpy", **_UNCOUNTED)(function)  # type: ignore[no-any-return]


def jitable(function: F) -> F:
    """Leave ``function`` plain Python, and let compiled code call it compiled, in line."""
    return _register_jitable(forceinline=True, **_UNCOUNTED)(function)  # type: ignore[no-any-return]


def overload(function: Callable[..., Any]) -> Callable[[F], F]:
    """Typed form of :func:`numba.extending.overload` for annotated functions, in line."""
    options = {"forceinline": True, **_UNCOUNTED}
    return _overload(function, strict=False, jit_options=options)  # type: ignore[no-any-return]
