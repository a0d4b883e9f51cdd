"""Checks of the NVIDIA driver and CUDA libraries that onnxruntime needs, and its GPU errors as text."""

import contextlib
import ctypes
import io
import os
import re
import sys
import threading
from collections.abc import Iterator
from typing import Final

import onnxruntime as ort

from core.text import Text

CUDA: Final = "CUDAExecutionProvider"
MEMORY_FULL: Final = Text("the GPU's memory is full")

_MOST_NAMED: Final = 3  # libraries
_MOST_WORDS: Final = 160  # of an error, characters
_lock = threading.Lock()


def missing_gpu() -> str:
    """The reason why CUDA cannot be used, as text; empty when it can.

    onnxruntime lists CUDA on machines without a GPU and then silently falls back, so the driver is checked first.
    """
    library = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"
    try:
        ctypes.CDLL(library)
    except OSError:
        return Text("no NVIDIA driver found ({library} does not load)", library=library)
    if CUDA not in ort.get_available_providers():
        return Text("this onnxruntime is built without CUDA")
    return ""


def load_libraries() -> str:
    """Load CUDA's libraries, including those installed with torch; the missing ones as text, or empty.

    onnxruntime prints those it does not find; the output is parsed here.
    """
    preload = getattr(ort, "preload_dlls", None)
    if preload is None:
        return ""
    with _lock, _stdout_aside() as printed:
        preload()
    missing = re.findall(r"Failed to load ([^\s/\\:]+):", printed.getvalue())
    if not missing:
        return ""
    named = ", ".join(missing[:_MOST_NAMED]) + (", …" if len(missing) > _MOST_NAMED else "")
    return Text("CUDA's libraries are not all there: {named}", named=named)


def failure(error: BaseException) -> str:
    """A short text for an error on the GPU."""
    text = " ".join(str(error).split()) or type(error).__name__
    if re.search(r"out of memory|Failed to allocate memory|_ALLOC_FAILED", text):
        return MEMORY_FULL
    match = re.search(r"(?:CUDA|CUDNN|CUBLAS|cuDNN|cuBLAS) failure \d+: [^;]+", text)
    words = match.group(0).strip() if match else text
    return words if len(words) <= _MOST_WORDS else f"{words[:_MOST_WORDS].rstrip()}…"


@contextlib.contextmanager
def _stdout_aside() -> Iterator[io.StringIO]:
    """Context that keeps the standard output, which may be JSON, free of other output: what Python prints goes to the
    yielded buffer, what libraries print to the standard error."""
    printed = io.StringIO()
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError, AttributeError, ValueError):  # a window without a terminal has neither
            sys.stdout.flush()
            descriptor = os.dup(1)
            stack.callback(os.close, descriptor)
            os.dup2(2, 1)
            stack.callback(os.dup2, descriptor, 1)
        stack.enter_context(contextlib.redirect_stdout(printed))
        yield printed
