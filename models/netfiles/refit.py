"""Replaces the weights in an exported net file, which is faster than an export.  Knows no torch: weights are arrays.

An export is compared with torch, which would delay self-play; its graph depends only on the net's shape, and its
weights have the names they have in the net (with the batch normalisations folded).
"""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import numpy_helper

from models.netfiles.net_file import METADATA_PREFIX

_STEP: Final = METADATA_PREFIX + "step"


def refit(template: bytes, weights: Mapping[str, NDArray[np.float32]], step: int) -> bytes | None:
    """The contents of the net file ``template`` with other weights and another step; None when the names or shapes of
    the weights differ."""
    try:
        model: Any = onnx.load_from_string(template)
    except Exception:  # protobuf's own error, of a class that is not public
        return None
    floats = onnx.TensorProto.FLOAT
    found = {one.name: one for one in model.graph.initializer if one.data_type == floats and one.dims}  # no constants
    if {name: tuple(tensor.dims) for name, tensor in found.items()} != {n: w.shape for n, w in weights.items()}:
        return None
    for name, tensor in found.items():
        tensor.CopyFrom(numpy_helper.from_array(np.ascontiguousarray(weights[name], np.float32), name))
    for entry in model.metadata_props:
        if entry.key == _STEP:
            entry.value = str(step)
    data: bytes = model.SerializeToString()
    return data
