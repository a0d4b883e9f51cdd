"""Builds the graph of an ONNX net file node by node."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from models.netfiles.net_file import FORMAT, METADATA_PREFIX

OPSET: Final = 17

Array = NDArray[np.float32]
Shape = Sequence[int | str]


class GraphBuilder:
    """The nodes and weights so far; tensors go by their names."""

    def __init__(self) -> None:
        self._nodes: list[Any] = []
        self._weights: list[Any] = []
        self._constants: dict[tuple[str, tuple[int, ...], bytes], str] = {}

    def op(self, kind: str, *inputs: str, name: str | None = None, **attributes: Any) -> str:
        """Add a node with one output; the output's name, ``name`` or a new one."""
        output = name or f"{kind.lower()}_{len(self._nodes)}"
        self._nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def split(self, x: str, sizes: Sequence[int]) -> list[str]:
        """Parts of ``x`` of these sizes along its last axis."""
        outputs = [f"part_{len(self._nodes)}_{i}" for i in range(len(sizes))]
        self._nodes.append(helper.make_node("Split", [x, self.constant(*sizes)], outputs, axis=-1))
        return outputs

    def weights(self, array: NDArray[Any], name: str | None = None) -> str:
        """Add an array; its name, ``name`` or a new one."""
        name = name or f"weights_{len(self._weights)}"
        self._weights.append(numpy_helper.from_array(np.asarray(array, order="C"), name))
        return name

    def constant(self, *numbers: int | float, scalar: bool = False) -> str:
        """The name of a list of numbers, int64 or float32, or of a single one without a dimension."""
        kind = np.float32 if any(isinstance(number, float) for number in numbers) else np.int64
        array = np.array(numbers[0] if scalar else numbers, kind)
        key = (str(array.dtype), array.shape, array.tobytes())
        if key not in self._constants:
            self._constants[key] = self.weights(array)
        return self._constants[key]

    def conv(
        self,
        x: str,
        weights: NDArray[np.float32],
        bias: NDArray[np.float32] | None = None,
        dilation: tuple[int, int] = (1, 1),
    ) -> str:
        """A convolution of the same size; weights [out, in, height, width], odd sizes."""
        pads = [size // 2 * step for size, step in zip(weights.shape[2:], dilation, strict=True)]
        inputs = [x, self.weights(weights), *([] if bias is None else [self.weights(bias)])]
        return self.op("Conv", *inputs, kernel_shape=weights.shape[2:], pads=pads * 2, dilations=dilation)

    def dense(
        self, x: str, weights: NDArray[np.float32], bias: NDArray[np.float32] | None = None, name: str | None = None
    ) -> str:
        """``x`` [batch, in] times ``weights`` [in, out], plus ``bias``."""
        return self.op("Gemm", x, self.weights(weights), *([] if bias is None else [self.weights(bias)]), name=name)

    def file(
        self, inputs: Mapping[str, Shape], outputs: Mapping[str, Shape], about: Mapping[str, str], opset: int = OPSET
    ) -> bytes:
        """The contents of the net file with these inputs and outputs, float32, and metadata ``about`` the net.

        Its game is left empty where ``about`` names none: its encoding says for which boards it is.
        """
        graph = helper.make_graph(self._nodes, "net", _tensors(inputs), _tensors(outputs), self._weights)
        opsets = [helper.make_opsetid("", opset)]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=helper.find_min_ir_version_for(opsets))
        metadata = {"format": FORMAT, "game": "", "step": "0", "precision": "fp32", **about}
        helper.set_model_props(model, {METADATA_PREFIX + key: text for key, text in metadata.items()})
        onnx.checker.check_model(model)
        data: bytes = model.SerializeToString()
        return data


def _tensors(named: Mapping[str, Shape]) -> list[Any]:
    """Descriptions of float32 inputs or outputs by their names."""
    return [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in named.items()]
