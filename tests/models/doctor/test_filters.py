"""How far filters turned: by nets whose weights are known."""

from pathlib import Path

import numpy as np
import onnx
import pytest
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from models.doctor.nets import turned_filters


def _net(path: Path, filters: NDArray[np.float32], units: NDArray[np.float32]) -> Path:
    """A file of one convolution [out, in, 3, 3] and one dense layer whose weights [in, out] follow it."""
    nodes = [
        helper.make_node("Conv", ["x", "filters"], ["y"], pads=[1, 1, 1, 1]),
        helper.make_node("Flatten", ["y"], ["flat"]),
        helper.make_node("MatMul", ["flat", "units"], ["out"]),
    ]
    graph = helper.make_graph(
        nodes,
        "net",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["B", filters.shape[1], 3, 3])],
        [helper.make_tensor_value_info("out", TensorProto.FLOAT, ["B", units.shape[1]])],
        [numpy_helper.from_array(filters, "filters"), numpy_helper.from_array(units, "units")],
    )
    onnx.save(helper.make_model(graph), path)
    return path


def test_a_filter_turns_by_its_angle_and_not_by_its_length(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    filters = rng.normal(size=(5, 2, 3, 3)).astype(np.float32)
    units = rng.normal(size=(45, 4)).astype(np.float32)
    longer = filters * np.linspace(0.5, 4.0, 5, dtype=np.float32)[:, None, None, None]
    other = units.copy()
    other[:, 1] *= -1.0  # turned by 180 degrees
    first, last = _net(tmp_path / "a.onnx", filters, units), _net(tmp_path / "b.onnx", longer, other)
    assert turned_filters(first, last) == pytest.approx([0, 0, 0, 0, 0, 0, 2, 0, 0], abs=1e-6)


def test_nets_of_other_graphs_have_no_filter_in_common(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    one, two = (rng.normal(size=(size, 2, 3, 3)).astype(np.float32) for size in (4, 5))
    units = rng.normal(size=(36, 4)).astype(np.float32)
    others = rng.normal(size=(45, 4)).astype(np.float32)
    assert len(turned_filters(_net(tmp_path / "a.onnx", one, units), _net(tmp_path / "b.onnx", two, others))) == 0
