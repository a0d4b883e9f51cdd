"""Sessions of onnxruntime on files: their tensors, a trial run with limits, and in a sentence why one cannot be opened.

A few bytes of ONNX can need any amount of memory: ConstantOfShape, Expand, Tile, a sum of a row and a column, a loop;
and sparse tensors are made dense while a file is opened.  So a file with sparse tensors is refused, and one that was
not shipped is first run once, unoptimised (optimisation would already evaluate such constants), with a limited
allocator and a timeout.  One run is enough, as the constants are the same for every position.
"""

import mmap
import threading
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnxruntime as ort
from onnxruntime.capi import onnxruntime_pybind11_state as ort_errors

from core.files.reading import open_plain
from core.text import Text

# Field numbers of ONNX's protobuf by message: those that hold messages to search, and those that hold sparse tensors.
_BELOW: Final = {
    "model": {7: "graph", 25: "function"},
    "graph": {1: "node"},
    "function": {7: "node"},
    "node": {5: "attribute"},
    "attribute": {6: "graph", 11: "graph"},
}
_SPARSE: Final = {"graph": (15,), "attribute": (22, 23)}
_DEEPEST: Final = 32
INPUT: Final = "input"
OUTPUT: Final = "output"
ORT_ERRORS: Final = (
    ort_errors.EPFail,
    ort_errors.Fail,
    ort_errors.InvalidArgument,
    ort_errors.InvalidGraph,
    ort_errors.InvalidProtobuf,
    ort_errors.NoSuchFile,
    ort_errors.NotImplemented,
    ort_errors.RuntimeException,
    RuntimeError,  # a failed call of CUDA's
)
_LONGEST: Final = 160  # characters quoted of an onnxruntime error
MOST_BYTES: Final = 2 << 30  # of a net's weights and its activations for eight positions
LONGEST_S: Final = 60.0
POSITIONS: Final = 8
_CPU: Final = "CPUExecutionProvider"
_lock = threading.Lock()  # the allocator is shared by all trial runs
Shapes = tuple[tuple[str, tuple[int, ...], str], ...]  # name, shape and dtype of each input


def has_sparse(path: Path) -> bool:
    """Whether the file holds a sparse tensor; other data than ONNX is left for onnxruntime to refuse.

    ValueError for an empty file or one that is not a regular file; OSError when it cannot be read.
    """
    with open_plain(path) as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        return _has_sparse(data)


def _has_sparse(data: mmap.mmap) -> bool:
    todo = [(0, len(data), "model", 0)]
    while todo:
        at, end, kind, depth = todo.pop()
        while at < end:
            key, at = _number(data, at)
            field, wire = key >> 3, key & 7
            if wire == 2:
                length, at = _number(data, at)
                if field in _SPARSE.get(kind, ()):
                    return True
                if field in _BELOW[kind] and depth < _DEEPEST:
                    todo.append((at, min(end, at + length), _BELOW[kind][field], depth + 1))
                at += length
            elif wire == 0:
                _, at = _number(data, at)
            elif wire in (1, 5):
                at += 8 if wire == 1 else 4
            else:
                break
    return False


def _number(data: mmap.mmap, at: int) -> tuple[int, int]:
    """Read the protobuf varint at ``at``: (number, offset after it); (0, end) beyond the data."""
    number = 0
    for shift in range(0, 70, 7):
        if at >= len(data):
            return 0, len(data)
        byte = data[at]
        at += 1
        number |= (byte & 0x7F) << shift
        if byte < 0x80:
            break
    return number, at


@dataclass(frozen=True, slots=True)
class TensorInfo:
    """A named input or output; a free dimension is None."""

    name: str
    shape: tuple[int | None, ...]
    dtype: str  # as onnxruntime writes it: "tensor(float)"


def tensor_info(node: Any) -> TensorInfo:
    shape = tuple(size if isinstance(size, int) else None for size in node.shape)
    return TensorInfo(str(node.name), shape, str(node.type))


def fits(shape: tuple[int | None, ...], other: tuple[int | None, ...]) -> bool:
    """Whether two shapes have the same rank and equal sizes wherever both are known."""
    pairs = zip(shape, other, strict=False)
    return len(shape) == len(other) and all(a == b or a is None or b is None for a, b in pairs)


def row_size(tensor: TensorInfo, single: bool) -> int | None:
    """Numbers per position in an output whose first axis is the batch; None when a size is free.

    single: the batch size is fixed at 1, so that outputs may lack the batch axis.
    """
    size = 1
    for length in tensor.shape if single else tensor.shape[1:]:
        if length is None:
            return None
        size *= length
    return size


def names(tensors: tuple[TensorInfo, ...]) -> str:
    return ", ".join(f"{t.name} {shape_text(t.shape)}" for t in tensors) or "none"


def shape_text(shape: tuple[int | None, ...]) -> str:
    return "[" + ", ".join("batch" if size is None else str(size) for size in shape) + "]"


ort.set_default_logger_severity(4)  # errors are raised; warnings are not for the user


class BadNet(ValueError):
    """A net file cannot be used; the message is one sentence."""


def unusable(net: str, detail: str) -> BadNet:
    """The error for a net that is damaged or does not fit; ``detail`` has "it" for the net and stays English."""
    return BadNet(Text("{net} cannot be used: {error}", net=net, error=detail))


_ONE_FILE: Final = "save the net as one file"


def open_session(path: Path, options: Any, providers: list[Any], changed: bytes | None = None) -> Any:
    """Open an onnxruntime session on ``path``, or on contents that were made of it by a change; :class:`BadNet` when
    that fails."""
    if not path.exists():
        raise BadNet(Text("{path!r} does not exist; give the path of a net file", path=str(path)))
    if not path.is_file():
        raise BadNet(Text("{path!r} is not a file; give the path of a net file", path=str(path)))
    try:
        if not path.stat().st_size:
            raise _not_loaded(path, "it is empty")
        if has_sparse(path):
            raise _not_loaded(path, "it has sparse tensors; save the net with dense ones")
    except OSError as error:
        raise BadNet(Text("{path!r} cannot be read: {strerror}", path=str(path), strerror=error.strerror)) from None
    try:
        # Its fallback prints to stdout and hides the reason.
        return ort.InferenceSession(changed or str(path), options, providers=providers, enable_fallback=0)
    except ort_errors.InvalidProtobuf:
        raise BadNet(Text("{path!r} is not an ONNX file, or is damaged", path=str(path))) from None
    except ORT_ERRORS as error:
        if "escapes" in str(error) or "Absolute path" in str(error):
            raise _not_loaded(path, f"it keeps its weights outside its own folder; {_ONE_FILE}") from None
        if "external" in str(error).lower():
            raise _not_loaded(path, f"it keeps its weights in another file that is missing; {_ONE_FILE}") from None
        if "No graph was found" in str(error):
            raise BadNet(Text("{path!r} is not an ONNX file, or is damaged", path=str(path))) from None
        raise _not_loaded(path, first_line(error)) from None


def _not_loaded(path: Path, detail: str) -> BadNet:
    """The error for a file that onnxruntime or another program left unusable; ``detail`` stays English."""
    return BadNet(Text("{path!r} cannot be loaded: {error}", path=str(path), error=detail))


def first_line(error: BaseException) -> str:
    """The first line of an error's message, shortened if long."""
    lines = str(error).strip().splitlines()
    line = lines[0] if lines else type(error).__name__
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"


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
        options = ort.RunOptions()
        options.log_severity_level = 4
        options.add_run_config_entry("memory.enable_memory_arena_shrinkage", "cpu:0")  # else the arena keeps it all
        clock = threading.Timer(LONGEST_S, setattr, (options, "terminate", True))
        clock.daemon = True
        clock.start()
        try:
            session.run(outputs, zeros, options)
        except ORT_ERRORS as error:
            raise unusable(path.name, _reason(error)) from None
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
