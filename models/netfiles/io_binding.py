"""An onnxruntime session with input and output buffers bound once per batch size, for GPUs.  Knows no game.

CUDA selects its algorithms anew for every batch size it has not seen, and unbound calls copy from and to new memory.
So batches are padded to the next power of two, and each of those few sizes keeps its input on the device and its
outputs in the processor's memory (onnxruntime's IOBinding).
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray


def bucket(batch: int) -> int:
    """The power of two to which a batch is padded."""
    return 1 << max(0, batch - 1).bit_length()


class _Size(NamedTuple):
    """The buffers of one batch size."""

    planes: NDArray[np.float32]  # [bucket, ...] in the processor's memory
    input: Any  # OrtValue on the device
    binding: Any


class BoundSession:
    """``session`` with its input on ``device`` ``cuda`` (GPU ``number``) or ``cpu``; not thread-safe."""

    def __init__(self, session: Any, input_name: str, outputs: Sequence[str], device: str, number: int = 0) -> None:
        self._session, self._input, self._outputs = session, input_name, outputs
        self._place = device, number
        self._sizes: dict[tuple[int, ...], _Size] = {}

    def run(self, planes: NDArray[np.float32]) -> list[NDArray[Any]]:
        """The outputs for ``planes`` float32 [B, ...], each a new array with B rows."""
        batch = len(planes)
        shape = (bucket(batch), *planes.shape[1:])
        size = self._sizes.get(shape)
        if size is None:
            size = self._sizes[shape] = self._bind(shape)
        size.planes[:batch] = planes
        size.input.update_inplace(size.planes)
        self._session.run_with_iobinding(size.binding)
        return [np.array(output[:batch]) for output in size.binding.copy_outputs_to_cpu()]

    def _bind(self, shape: tuple[int, ...]) -> _Size:
        planes = np.zeros(shape, np.float32)
        on_device = ort.OrtValue.ortvalue_from_numpy(planes, *self._place)
        binding = self._session.io_binding()
        binding.bind_ortvalue_input(self._input, on_device)
        for name in self._outputs:
            binding.bind_output(name, "cpu")
        return _Size(planes, on_device, binding)
