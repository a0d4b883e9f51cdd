"""What a net on a GPU needs: batches in bound buffers, and the GPU's memory as the driver reads it."""

import ctypes
import uuid
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime as ort
import pytest

from models.netfiles import gpu_memory
from models.netfiles.batch_sizes import padded, sizes
from models.netfiles.gpu_memory import GpuMemory, MemoryReader
from models.netfiles.gpu_runtime import BoundSession
from models.netfiles.shipped import nets_dir


def test_batches_are_padded_by_at_most_a_third() -> None:
    assert sizes(1, 100) == (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128)
    assert (sizes(8, 8), sizes(8, 9), sizes(1, 1)) == ((8,), (8, 12), (1,))
    for batch in range(1, 300):
        assert padded(batch) == next(size for size in sizes(1, 300) if size >= batch)
        assert batch <= padded(batch) <= 1.5 * batch


@pytest.fixture(scope="module")
def session() -> ort.InferenceSession:
    (path,) = Path(nets_dir()).glob("tictactoe-*.onnx")
    return ort.InferenceSession(str(path), providers=["CPUExecutionProvider"])


def test_answers_are_those_of_the_session_alone(session: ort.InferenceSession) -> None:
    bound = BoundSession(session, ["policy", "value"], "cpu")
    rng = np.random.default_rng(0)
    for batch in (5, 8, 1, 3, 5, 16, 7):
        planes = rng.integers(0, 2, (batch, 4, 3, 3)).astype(np.float32)
        policy, value = bound.run({"planes": planes})
        expected_policy, expected_value = session.run(["policy", "value"], {"planes": planes})
        assert (policy.shape, value.shape) == ((batch, 9), (batch,))
        np.testing.assert_allclose(policy, expected_policy, atol=1e-5)
        np.testing.assert_allclose(value, expected_value, atol=1e-5)


def test_an_answer_is_not_overwritten_by_the_next(session: ort.InferenceSession) -> None:
    bound = BoundSession(session, ["policy", "value"], "cpu")
    first, _ = bound.run({"planes": np.zeros((2, 4, 3, 3), np.float32)})
    kept = first.copy()
    bound.run({"planes": np.ones((2, 4, 3, 3), np.float32)})
    assert (first == kept).all()


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
