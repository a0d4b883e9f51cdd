"""The GPU memory is read by the driver, of the device that CUDA uses; without a GPU it is not known."""

import ctypes
import uuid
from typing import Any

import pytest

from models.netfiles import gpu_memory
from models.netfiles.gpu_memory import GpuMemory, MemoryReader

DEVICE = uuid.UUID("8f3c9a52-0d1e-4b67-9c3d-5a1f00c2b7e4")
OTHER = uuid.UUID("11111111-2222-3333-4444-555555555555")


class FakeCuda:
    def __init__(self, device: uuid.UUID, broken: str = "") -> None:
        self._device, self._broken = device, broken

    def cuInit(self, flags: int) -> int:
        return 100 if self._broken == "init" else 0

    def cuDeviceGet(self, into: Any, ordinal: int) -> int:
        assert ordinal == 0
        into._obj.value = 7
        return 0

    def cuDeviceGetUuid_v2(self, into: Any, device: Any) -> int:
        assert device.value == 7
        into._obj[:] = self._device.bytes
        return 0


class FakeNvml:
    """Two devices, the second of which has 3 of 80 GB in use."""

    def __init__(self, prefix: str = "GPU-", broken: str = "") -> None:
        self._names = {f"{prefix}{OTHER}": 1, f"{prefix}{DEVICE}": 2}
        self._broken = broken

    def nvmlInit_v2(self) -> int:
        return 9 if self._broken == "init" else 0

    def nvmlDeviceGetHandleByUUID(self, name: bytes, into: Any) -> int:
        if name.decode() not in self._names:
            return 6
        into._obj.value = self._names[name.decode()]
        return 0

    def nvmlDeviceGetMemoryInfo(self, handle: ctypes.c_void_p, into: Any) -> int:
        memory = into._obj
        memory.total, memory.used = 80 << 30, (3 << 30) * (handle.value == 2)
        memory.free = memory.total - memory.used
        return 15 if self._broken == "lost" else 0


def reader(monkeypatch: pytest.MonkeyPatch, nvml: object, cuda: object) -> MemoryReader:
    found = {gpu_memory._NVML: nvml, gpu_memory._CUDA: cuda}
    monkeypatch.setattr(gpu_memory, "_load", found.__getitem__)
    return MemoryReader()


@pytest.mark.parametrize("prefix", ["GPU-", "MIG-"])
def test_the_device_of_cuda_is_read(monkeypatch: pytest.MonkeyPatch, prefix: str) -> None:
    assert reader(monkeypatch, FakeNvml(prefix), FakeCuda(DEVICE)).read() == GpuMemory(3 << 30, 80 << 30)
    assert reader(monkeypatch, FakeNvml(prefix), FakeCuda(OTHER)).read() == GpuMemory(0, 80 << 30)


@pytest.mark.parametrize(
    ("nvml", "cuda"),
    [
        (None, None),
        (None, FakeCuda(DEVICE)),
        (FakeNvml(), None),
        (FakeNvml(broken="init"), FakeCuda(DEVICE)),
        (FakeNvml(broken="lost"), FakeCuda(DEVICE)),
        (FakeNvml(), FakeCuda(DEVICE, broken="init")),
        (FakeNvml(), FakeCuda(uuid.uuid4())),
    ],
)
def test_what_cannot_be_read_is_not_known(monkeypatch: pytest.MonkeyPatch, nvml: object, cuda: object) -> None:
    assert reader(monkeypatch, nvml, cuda).read() is None


def test_this_machine_answers_either_way() -> None:
    found = MemoryReader().read()
    assert found is None or 0 <= found.used <= found.total
