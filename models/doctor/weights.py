"""How far training turned the filters of a net, by two of its files."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import numpy_helper

_LEAST: Final = 4  # numbers of a filter, below which its direction says little


def turned_filters(first: Path, last: Path) -> NDArray[np.float64]:
    """1 - cosine between each filter in two files of one net, 0 where only its length changed; empty where the files
    have other graphs.

    A filter is what one output channel or unit has of a weight tensor.  Normalisation that was folded into a
    convolution changes the length of its filters alone."""
    before = dict(_weights(onnx.load(first, load_external_data=False)))
    turned = []
    for name, weights in _weights(onnx.load(last, load_external_data=False)):
        if (other := before.get(name)) is not None and other.shape == weights.shape:
            turned.append(1.0 - _cosines(other, weights))
    return np.concatenate(turned) if turned else np.zeros(0)


def _weights(model: Any) -> Iterator[tuple[str, NDArray[np.float64]]]:
    """The filters [out, n] of each weight tensor of a graph."""
    inputs = {node.input[1]: node for node in model.graph.node if node.op_type in ("Conv", "Gemm", "MatMul")}
    for tensor in model.graph.initializer:
        node = inputs.get(tensor.name)
        if node is None or len(tensor.dims) < 2 or tensor.external_data:
            continue
        weights = numpy_helper.to_array(tensor).astype(np.float64)
        by_row = node.op_type == "Conv" or any(part.name == "transB" and part.i for part in node.attribute)
        filters = weights.reshape(len(weights), -1) if by_row else weights.reshape(-1, weights.shape[-1]).T
        if filters.shape[1] >= _LEAST:
            yield tensor.name, filters


def _cosines(first: NDArray[np.float64], last: NDArray[np.float64]) -> NDArray[np.float64]:
    lengths = np.linalg.norm(first, axis=1) * np.linalg.norm(last, axis=1)
    cosines: NDArray[np.float64] = np.where(lengths > 0, (first * last).sum(axis=1) / np.maximum(lengths, 1e-300), 1.0)
    return cosines
