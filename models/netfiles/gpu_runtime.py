"""A net file in onnxruntime on an NVIDIA GPU: opened, warmed, and kept going with less memory.

cuDNN is asked for its algorithms by its heuristic: its exhaustive search lasts seconds for each batch size, and each
session makes it anew.  Every batch size of a search runs once when the net is loaded, so that no search waits for it.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

from core.engine.evaluator import report
from core.text import Text
from models.netfiles.batch_sizes import padded, sizes
from models.netfiles.cuda import CUDA, MEMORY_FULL, failure, load_libraries, missing_gpu
from models.netfiles.ort_session import ORT_ERRORS, BadNet
from models.netfiles.runtimes import OrtRuntime, Runtime

GPU_BATCHES: Final = 256, 2  # leaves at once, batches in flight: what a search takes by itself on a GPU

_LEAST: Final = 8  # positions at once, below which the processor is as fast

Array = NDArray[np.float32]


def cuda_options(gpu: int) -> dict[str, Any]:
    """The options of onnxruntime's CUDA part for GPU number ``gpu``."""
    return {"device_id": gpu, "cudnn_conv_algo_search": "HEURISTIC"}


class GpuRuntime:
    """A net file on a GPU.  Out of memory, it evaluates in smaller parts from then on and says so."""

    def __init__(self, path: Path, outputs: Sequence[str], threads: int, gpu: int, any_batch: bool) -> None:
        """``any_batch``: the file takes batches of any size.  :class:`BadNet`, without the file's name, when the GPU
        cannot be used, and what onnxruntime raises."""
        if reason := missing_gpu():
            raise BadNet(reason)
        absent = load_libraries()
        self.whole = OrtRuntime(path, outputs, threads, (CUDA, cuda_options(gpu)))
        if self.whole.provider != CUDA:
            unknown = Text("its libraries are missing or of another version")
            raise BadNet(Text("onnxruntime did not start its CUDA part; {missing}", missing=absent or unknown))
        self._any_batch = any_batch
        self._runtime: Runtime = BoundSession(self.whole.session, outputs, "cuda", gpu) if any_batch else self.whole
        self.most = GPU_BATCHES[0] * 4  # positions at once
        self.note: str = ""  # what it says of its memory
        self.on_note: Callable[[str], None] = lambda _: None

    def run(self, inputs: Mapping[str, Array]) -> Sequence[Array]:
        """As :class:`models.netfiles.runtimes.Runtime`."""
        batch = len(next(iter(inputs.values())))
        if not self._any_batch:
            return self._runtime.run(inputs)
        parts: list[Sequence[Array]] = []
        start = 0
        while start < batch or not parts:
            size = min(self.most, batch - start)
            part = {name: array[start : start + size] for name, array in inputs.items()}
            try:
                parts.append(self._runtime.run(part))
            except ORT_ERRORS as error:
                if failure(error) != MEMORY_FULL or size <= _LEAST:
                    raise
                self._take_less(size)
            else:
                start += size
        return parts[0] if len(parts) == 1 else [np.concatenate(every) for every in zip(*parts, strict=True)]

    def warm(self, inputs_of: Callable[[int], Mapping[str, Array]], name: str) -> None:
        """Run every batch size of a search once, and report it; ``inputs_of`` gives an input of a size."""
        if not self._any_batch:
            return
        for batch in sizes(1, min(GPU_BATCHES[0], self.most)):
            if batch > self.most:  # the memory was full just now
                return
            report(Text("preparing {net} for the GPU: batches of {batch}", net=name, batch=batch))
            self.run(inputs_of(batch))

    def _take_less(self, size: int) -> None:
        self.most = max(_LEAST, sizes(1, size)[-2])
        self.note = Text(
            "{problem}: it evaluates at most {batch} positions at once", problem=MEMORY_FULL, batch=self.most
        )
        self.on_note(self.note)


class _Size(NamedTuple):
    """The buffers of one batch size."""

    arrays: dict[str, NDArray[np.float32]]  # input by name, [bucket, ...] in the processor's memory
    inputs: dict[str, Any]  # OrtValue on the device by name
    binding: Any


class BoundSession:
    """An onnxruntime session with input and output buffers bound once per batch size.

    CUDA selects its algorithms anew for every batch size it has not seen, and unbound calls copy from and to new
    memory.  So batches are padded to one of few sizes, and each of those keeps its input on the device and its outputs
    in the processor's memory (onnxruntime's IOBinding).
    """

    def __init__(self, session: Any, outputs: Sequence[str], device: str, number: int = 0) -> None:
        """``session`` gets its inputs on ``device`` ``cuda`` (GPU ``number``) or ``cpu``; not thread-safe."""
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
        for name, array in inputs.items():
            size.arrays[name][:batch] = array
            size.inputs[name].update_inplace(size.arrays[name])
        self._session.run_with_iobinding(size.binding)
        return [np.array(output[:batch]) for output in size.binding.copy_outputs_to_cpu()]

    def _bind(self, batch: int, like: Mapping[str, NDArray[np.float32]]) -> _Size:
        arrays = {name: np.zeros((batch, *array.shape[1:]), array.dtype) for name, array in like.items()}
        on_device = {name: ort.OrtValue.ortvalue_from_numpy(array, *self._place) for name, array in arrays.items()}
        binding = self._session.io_binding()
        for name, value in on_device.items():
            binding.bind_ortvalue_input(name, value)
        for name in self._outputs:
            binding.bind_output(name, "cpu")
        return _Size(arrays, on_device, binding)
