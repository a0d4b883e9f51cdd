"""An onnxruntime session with input and output buffers bound once per batch size, for GPUs.

CUDA selects its algorithms anew for every batch size it has not seen, and unbound calls copy from and to new memory.
So batches are padded to one of few sizes (batch_sizes), and each of those keeps its input on the device and its outputs
in the processor's memory (onnxruntime's IOBinding).
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

from models.netfiles.batch_sizes import padded


class _Size(NamedTuple):
    """The buffers of one batch size."""

    arrays: dict[str, NDArray[np.float32]]  # input by name, [bucket, ...] in the processor's memory
    inputs: dict[str, Any]  # OrtValue on the device by name
    binding: Any


class BoundSession:
    """``session`` with its inputs on ``device`` ``cuda`` (GPU ``number``) or ``cpu``; not thread-safe."""

    def __init__(self, session: Any, outputs: Sequence[str], device: str, number: int = 0) -> None:
        self._session, self._outputs = session, outputs
        self._place = device, number
        self._sizes: dict[int, _Size] = {}

    def run(self, inputs: Mapping[str, NDArray[np.float32]]) -> list[NDArray[Any]]:
        """The outputs for ``inputs`` by name, float32 [B, ...], each a new array with B rows."""
        batch = len(next(iter(inputs.values())))
        rows = padded(batch)
        size = self._sizes.get(rows)
        if size is None:
            size = self._sizes[rows] = self._bind(rows, inputs)
        for name, given in inputs.items():
            size.arrays[name][:batch] = given
            size.inputs[name].update_inplace(size.arrays[name])
        self._session.run_with_iobinding(size.binding)
        return [np.array(output[:batch]) for output in size.binding.copy_outputs_to_cpu()]

    def _bind(self, batch: int, like: Mapping[str, NDArray[np.float32]]) -> _Size:
        arrays = {name: np.zeros((batch, *given.shape[1:]), given.dtype) for name, given in like.items()}
        on_device = {name: ort.OrtValue.ortvalue_from_numpy(array, *self._place) for name, array in arrays.items()}
        binding = self._session.io_binding()
        for name, value in on_device.items():
            binding.bind_ortvalue_input(name, value)
        for name in self._outputs:
            binding.bind_output(name, "cpu")
        return _Size(arrays, on_device, binding)
