"""Trial run of a net file that limits its memory and time.

A few bytes of ONNX can need any amount of memory: ConstantOfShape, Expand, Tile, a sum of a row and a column, a loop.
So a file that was not shipped is first run once, unoptimised (optimisation would already evaluate such constants), with
a limited allocator and a timeout.  One run is enough, as the constants are the same for every position.
"""

import threading
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnxruntime as ort

from core.text import Text
from models.netfiles.ort_session import ORT_ERRORS, BadNet, first_line, open_session

MOST_BYTES: Final = 2 << 30  # of a net's weights and its activations for eight positions
LONGEST_S: Final = 60.0
POSITIONS: Final = 8
_CPU: Final = "CPUExecutionProvider"
_lock = threading.Lock()  # the allocator is shared by all trial runs


Shapes = tuple[tuple[str, tuple[int, ...], str], ...]  # name, shape and dtype of each input


def check_run(path: Path, inputs: Shapes, outputs: tuple[str, ...]) -> None:
    """Run the net at ``path`` once on zeros; BadNet when it fails or exceeds the limits.  Cached until the file
    changes."""
    status = path.stat()
    _check_run(path, inputs, outputs, (status.st_ino, status.st_size, status.st_mtime_ns))


@lru_cache(maxsize=64)
def _check_run(path: Path, inputs: Shapes, outputs: tuple[str, ...], stamp: tuple[int, ...]) -> None:
    zeros = {name: np.zeros(shape, kind) for name, shape, kind in inputs}
    with _lock:
        _limited_allocator()
        session = open_session(path, _options(), [_CPU])
        given = ort.RunOptions()
        given.log_severity_level = 4
        clock = threading.Timer(LONGEST_S, setattr, (given, "terminate", True))
        clock.daemon = True
        clock.start()
        try:
            session.run(outputs, zeros, given)
        except ORT_ERRORS as error:
            raise BadNet(Text("{file} cannot be used: {reason}", file=path.name, reason=_reason(error))) from None
        finally:
            clock.cancel()


def _reason(error: Exception) -> str:
    text = str(error)
    if "Available memory" in text or "bad_alloc" in text:
        return f"it needs more than {MOST_BYTES >> 30} GiB of memory for {POSITIONS} positions"
    if "terminate" in text:
        return f"it takes longer than {LONGEST_S:.0f} s for {POSITIONS} positions"
    return first_line(error)


def _options() -> Any:
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.enable_mem_pattern = False  # a pattern would keep the memory of a run allocated
    options.log_severity_level = 4
    options.add_session_config_entry("session.use_env_allocators", "1")
    return options


@lru_cache(maxsize=1)
def _limited_allocator() -> None:
    """Register an allocator with a memory limit in onnxruntime; only sessions with ``use_env_allocators`` use it."""
    kind = ort.OrtMemoryInfo("Cpu", ort.OrtAllocatorType.ORT_ARENA_ALLOCATOR, 0, ort.OrtMemType.DEFAULT)
    as_asked, usual = 1, -1
    arena = {
        "max_mem": MOST_BYTES,
        "arena_extend_strategy": as_asked,
        "initial_chunk_size_bytes": usual,
        "max_dead_bytes_per_chunk": usual,
    }
    ort.create_and_register_allocator(kind, ort.OrtArenaCfg(arena))
