"""Finds sparse tensors in an ONNX file without loading it.

onnxruntime makes sparse tensors dense while it opens a file, however large they become: a few bytes can fill memory.
"""

import mmap
from pathlib import Path
from typing import Final

from core.files.reading import open_plain

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
