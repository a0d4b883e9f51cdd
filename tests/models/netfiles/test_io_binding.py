"""Batches in bound buffers: filled up, cut back, and the same answers as without."""

from pathlib import Path

import numpy as np
import onnxruntime as ort
import pytest

from models.netfiles.batch_sizes import padded, sizes
from models.netfiles.io_binding import BoundSession
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
