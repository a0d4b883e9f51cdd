"""A net file in OpenVINO on the processor.

A net compiled for one batch size is faster than one for any (measured: 2 times on batches of 1 to 8), and batches of 8
are about as fast as larger ones, so a batch is evaluated in parts of a few sizes, each compiled when first needed.
"""

import importlib
import sys
import threading
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.text import Text
from models.netfiles.ort_session import BadNet, first_line

_TOOLS: Final = "openvino.tools.ovc"
_lock = threading.Lock()

Array = NDArray[np.float32]


class _OpenVino(NamedTuple):
    """What is used of the package, one for all nets."""

    package: Any
    core: Any
    reader: Any  # of ONNX files


@cache
def _openvino() -> _OpenVino:
    """Import OpenVINO without its tools for converting models, which are not needed: they report each import to
    OpenVINO's makers (openvino_telemetry)."""
    before = sys.modules.get(_TOOLS)
    sys.modules[_TOOLS] = None  # type: ignore[assignment]
    try:
        package = importlib.import_module("openvino")
        frontends = importlib.import_module("openvino.frontend").FrontEndManager()
    finally:
        if before is None:
            del sys.modules[_TOOLS]
        else:
            sys.modules[_TOOLS] = before
    # The core itself would try the readers of every format on a file that is no ONNX.
    return _OpenVino(package, package.Core(), frontends.load_by_framework("onnx"))


class _Part(NamedTuple):
    """The net compiled for one batch size, with its buffers, which belong to ``request``."""

    request: Any
    inputs: dict[str, Array]
    outputs: list[Array]


class OpenVinoRuntime:
    """A net in OpenVINO with ``precision`` ``f32`` or ``bf16``."""

    def __init__(
        self, path: Path, outputs: Sequence[str], threads: int, sizes: Sequence[int], precision: str = "f32"
    ) -> None:
        """Read the file; :class:`BadNet`, the reason without the file's name, when OpenVINO cannot.

        sizes: of the parts in which a batch is evaluated, the largest first.
        """
        self._outputs, self._sizes = outputs, sizes
        self._properties = {
            "PERFORMANCE_HINT": "LATENCY",
            "NUM_STREAMS": 1,
            "INFERENCE_NUM_THREADS": threads,
            "ENABLE_CPU_PINNING": False,
            "INFERENCE_PRECISION_HINT": precision,
        }
        self._parts: dict[int, _Part] = {}
        self._lock = threading.Lock()
        try:
            with _lock:
                openvino = _openvino()
            net = openvino.reader.convert(openvino.reader.load(str(path)))
            self._model = openvino.package.Model([net.output(name) for name in outputs], net.get_parameters())
        except ImportError as error:
            raise BadNet(Text("the package openvino cannot be loaded: {error}", error=first_line(error))) from None
        except Exception as error:  # of classes of its own that are not public
            raise BadNet(Text("OpenVINO cannot read the net: {error}", error=_reason(error))) from None

    def run(self, inputs: Mapping[str, Array]) -> Sequence[Array]:
        try:
            return self._run(inputs)
        except Exception as error:  # of classes of its own that are not public
            raise RuntimeError(_reason(error)) from error

    def _run(self, inputs: Mapping[str, Array]) -> Sequence[Array]:
        batch, done = len(next(iter(inputs.values()))), 0
        answers: list[Array] = []
        with self._lock:
            while done < batch:
                size = next(size for size in self._sizes if size <= batch - done)
                part = self._parts.get(size) or self._compile(size, inputs)
                rows = slice(done, done + size)
                for name, array in inputs.items():
                    part.inputs[name][:] = array[rows]
                part.request.infer()
                answers = answers or [np.empty((batch, *output.shape[1:]), np.float32) for output in part.outputs]
                for answer, output in zip(answers, part.outputs, strict=True):
                    answer[rows] = output
                done += size
        return answers

    def _compile(self, size: int, like: Mapping[str, Array]) -> _Part:
        """Compile the net for a batch of ``size`` inputs, otherwise shaped ``like`` these."""
        model = self._model.clone()
        model.reshape({name: (size, *array.shape[1:]) for name, array in like.items()})
        if any(output.partial_shape.is_dynamic for output in model.outputs):
            raise RuntimeError("its outputs have no fixed shape")
        request = _openvino().core.compile_model(model, "CPU", self._properties).create_infer_request()
        inputs = {name: request.get_tensor(name).data for name in like}
        outputs = [request.get_output_tensor(i).data for i in range(len(self._outputs))]
        self._parts[size] = _Part(request, inputs, outputs)
        return self._parts[size]


def _reason(error: Exception) -> str:
    """The line of an OpenVINO error that says what is wrong; the others name its own source files."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    others = [line for line in lines if not line.startswith(("Exception from", "Check '", "FrontEnd API failed"))]
    return first_line(RuntimeError((others or lines or [type(error).__name__])[0]))
