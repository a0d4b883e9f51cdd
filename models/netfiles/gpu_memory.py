"""The memory in use on the GPU that CUDA gives this process, read from NVIDIA's management library."""

import ctypes
import sys
import uuid
from typing import Any, Final, NamedTuple

_NVML: Final = "nvml.dll" if sys.platform == "win32" else "libnvidia-ml.so.1"
_CUDA: Final = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"
_PREFIXES: Final = ("GPU-", "MIG-")  # of a device's name, and of one of its parts


class GpuMemory(NamedTuple):
    """Bytes on one GPU, by all programs together."""

    used: int
    total: int


class _Memory(ctypes.Structure):
    """nvmlMemory_t."""

    _fields_ = (("total", ctypes.c_ulonglong), ("free", ctypes.c_ulonglong), ("used", ctypes.c_ulonglong))


class MemoryReader:
    """Reads the memory of CUDA's first device; on a machine without one ``read`` gives None."""

    def __init__(self) -> None:
        self._nvml, self._handle = _load(_NVML), ctypes.c_void_p()
        self._has_device = self._nvml is not None and self._nvml.nvmlInit_v2() == 0 and self._find(self._nvml)

    def _find(self, nvml: Any) -> bool:
        """Find the device by its identity: NVML counts devices otherwise than CUDA."""
        identity = _first_device(_load(_CUDA))
        if identity is None:
            return False
        names = (prefix + str(identity) for prefix in _PREFIXES)
        return any(nvml.nvmlDeviceGetHandleByUUID(name.encode(), ctypes.byref(self._handle)) == 0 for name in names)

    def read(self) -> GpuMemory | None:
        """The memory in use now; None where it cannot be read."""
        memory = _Memory()
        if not self._has_device or self._nvml is None:
            return None
        if self._nvml.nvmlDeviceGetMemoryInfo(self._handle, ctypes.byref(memory)) != 0 or not memory.total:
            return None
        return GpuMemory(memory.used, memory.total)


def _load(name: str) -> Any:
    """The driver's library of this name; None where there is none."""
    try:
        return ctypes.CDLL(name)
    except OSError:
        return None


def _first_device(cuda: Any) -> uuid.UUID | None:
    """The identity of CUDA's device 0, on which nets run."""
    device, identity = ctypes.c_int(), (ctypes.c_ubyte * 16)()
    if cuda is None or cuda.cuInit(0) != 0 or cuda.cuDeviceGet(ctypes.byref(device), 0) != 0:
        return None
    get = getattr(cuda, "cuDeviceGetUuid_v2", None) or cuda.cuDeviceGetUuid
    return uuid.UUID(bytes=bytes(identity)) if get(ctypes.byref(identity), device) == 0 else None
