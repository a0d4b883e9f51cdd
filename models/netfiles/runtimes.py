"""The runtimes that can evaluate a net file: their names, which of them this machine has, and how one is opened."""

import importlib.metadata
import importlib.util
import platform
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

from core.machine import has_feature
from core.text import Text
from models.netfiles.ort_session import BadNet, open_session

AUTO: Final = "auto"
ORT: Final = "onnxruntime"
OPENVINO: Final = "openvino"
OPENVINO_BF16: Final = "openvino-bf16"
OPENVINO_INT8: Final = "openvino-int8"
DIRECTML: Final = "directml"
CORE_ML: Final = "coreml"
TITLES: Final = {
    ORT: "onnxruntime",
    OPENVINO: "OpenVINO",
    OPENVINO_BF16: "OpenVINO bf16",
    OPENVINO_INT8: "OpenVINO int8",
    DIRECTML: "DirectML",
    CORE_ML: "Core ML",
}
PLACES: Final = {DIRECTML: "GPU"}  # where they run; the others on the processor
RUNTIMES: Final = (AUTO, *TITLES)
PARTS: Final = (8, 4, 2, 1)  # batch sizes that OpenVINO compiles a net for
_PARTS_OF_LARGE: Final = (8, 1)  # which each hold the weights once more, and are as fast on single positions
_LARGE_FILE: Final = 16 << 20  # bytes

_BF16_FEATURES: Final = ("avx512bf16", "amx-bf16")
_PROVIDERS: Final = {DIRECTML: "DmlExecutionProvider", CORE_ML: "CoreMLExecutionProvider"}
_SYSTEMS: Final = {DIRECTML: ("win32", "Windows"), CORE_ML: ("darwin", "macOS")}
_CPU: Final = "CPUExecutionProvider"

Array = NDArray[np.float32]


class Runtime(Protocol):
    """One net file, opened for evaluation."""

    def run(self, inputs: Mapping[str, Array]) -> Sequence[Array]:
        """The outputs of the net, in the order in which they were asked for, for the inputs by name.

        The arrays are not written to by a later call.  ``RuntimeError`` or an error of onnxruntime when it fails.
        """
        ...


class OrtRuntime:
    """A net file in onnxruntime, on the processor or by another ``provider``, with its options or without."""

    def __init__(
        self, path: Path, outputs: Sequence[str], threads: int, provider: str | tuple[str, dict[str, Any]] = _CPU
    ) -> None:
        self._outputs = outputs
        options = run_options(threads)
        if provider == _PROVIDERS[DIRECTML]:  # which allows no other way
            options.enable_mem_pattern = False
        self.session = open_session(path, options, [provider] if provider == _CPU else [provider, _CPU])
        self.provider: str = self.session.get_providers()[0]

    def run(self, inputs: Mapping[str, Array]) -> Sequence[Array]:
        answer: Sequence[Array] = self.session.run(self._outputs, inputs)
        return answer


def run_options(threads: int) -> Any:
    """The options of a session that evaluates beside a search."""
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    # Idle threads must not spin: the search needs the processor.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return options


def missing_runtime(name: str) -> str:
    """The reason why this machine does not have the runtime ``name``, as text; empty when it does."""
    if name == ORT:
        return ""
    if name in _PROVIDERS:
        system, title = _SYSTEMS[name]
        if sys.platform != system:
            return Text("it is a part of {system}", system=title)
        return "" if _PROVIDERS[name] in ort.get_available_providers() else Text("this onnxruntime is built without it")
    if importlib.util.find_spec("openvino") is None:
        return Text("the package openvino is not installed")
    if name == OPENVINO_BF16 and not any(map(has_feature, _BF16_FEATURES)):
        return Text("this processor does not compute with 16 bits (AVX512-BF16 or AMX)")
    return ""


def other_runtimes(device: str) -> tuple[str, ...]:
    """The runtimes beside onnxruntime that can be tried with a float32 file; ``device``: ``auto`` or ``cpu``."""
    names = (OPENVINO, OPENVINO_BF16) if device == "cpu" else (OPENVINO, OPENVINO_BF16, DIRECTML, CORE_ML)
    return tuple(name for name in names if not missing_runtime(name))


def open_runtime(name: str, path: Path, outputs: Sequence[str], threads: int, batch: int | None) -> Runtime:
    """Open the file in a runtime.  batch: the only batch size of the file.

    Raises :class:`BadNet`, the reason without the file's name, when the runtime cannot be used with it.
    """
    if reason := missing_runtime(name):
        raise BadNet(reason)
    if name in _PROVIDERS:
        ort_runtime = OrtRuntime(path, outputs, threads, _PROVIDERS[name])
        if ort_runtime.provider != _PROVIDERS[name]:
            raise BadNet(Text("onnxruntime did not start it"))
        return ort_runtime
    if name == ORT:
        return OrtRuntime(path, outputs, threads)
    from models.netfiles.openvino_runtime import OpenVinoRuntime

    large = path.is_file() and path.stat().st_size > _LARGE_FILE
    parts = _PARTS_OF_LARGE if large else PARTS
    sizes = parts if batch is None else (batch,)
    return OpenVinoRuntime(path, outputs, threads, sizes, "bf16" if name == OPENVINO_BF16 else "f32")


def versions() -> list[str]:
    """What the speed of the runtimes depends on besides the net: packages, system and their versions."""
    words = [f"onnxruntime {ort.__version__}", platform.system(), platform.release()]
    with suppress(importlib.metadata.PackageNotFoundError):
        words.append(f"openvino {importlib.metadata.version('openvino')}")
    return words
