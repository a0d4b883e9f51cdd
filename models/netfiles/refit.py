"""New weights in an exported net file, without exporting again.  Knows no torch: weights are arrays by name.

An export takes seconds of pure Python, which would hold self-play up; its graph depends on the net's shape alone and
its weights carry the names of the net's own (with the normalisations folded away).
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
    """The net file ``template`` with other weights and another step; None when it does not hold just these weights,
    so that it is of another net."""
    try:
        model: Any = onnx.load_from_string(template)
    except Exception:  # protobuf's own error, of a class that is not public
        return None
    found = {tensor.name: tensor for tensor in model.graph.initializer if tensor.data_type == onnx.TensorProto.FLOAT}
    if {name: tuple(tensor.dims) for name, tensor in found.items()} != {n: w.shape for n, w in weights.items()}:
        return None
    for name, tensor in found.items():
        tensor.CopyFrom(numpy_helper.from_array(np.ascontiguousarray(weights[name], np.float32), name))
    for entry in model.metadata_props:
        if entry.key == _STEP:
            entry.value = str(step)
    data: bytes = model.SerializeToString()
    return data
