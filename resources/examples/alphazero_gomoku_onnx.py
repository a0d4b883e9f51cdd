"""Makes an ONNX file of a net of AlphaZero_Gomoku (github.com/junxiaosong/AlphaZero_Gomoku), with its recipe inside.

python alphazero_gomoku_onnx.py best_policy_8_8_5.model2 "connectn(rows=8, cols=8, k=5)" gomoku.onnx

The net's file is a pickle, and reading a pickle runs whatever program is in it: use this only on files that you trust.

Such a pickle is a list of 16 float32 arrays, weights and biases in Lasagne's order: three 3x3 convolutions, a 1x1
convolution and a dense layer for the policy, a 1x1 convolution and two dense layers for the value.  Theano convolves in
the mathematical sense and ONNX correlates, so the filters are rotated by 180 degrees.  The board is a square.
"""

import json
import math
import pickle
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


def recipe(game: str) -> str:
    """What the net's inputs and outputs mean: its moves are counted from the bottom row."""
    planes = ["mine", "theirs", "last", "first to move"]
    policy = {"kind": "logits", "rows": "bottom"}
    return json.dumps({"game": game, "name": "AlphaZero_Gomoku", "planes": planes, "policy": policy})


def to_onnx(arrays: list[Any], game: str) -> bytes:
    """The contents of an ONNX file for these 16 arrays; its policy is left as logits, without the softmax."""
    side = math.isqrt(len(arrays[9]))
    nodes, weights = [], []

    def node(kind: str, inputs: list[str], output: str, **attributes: Any) -> str:
        nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def layer(kind: str, number: int, x: str, output: str, **attributes: Any) -> str:
        """The layer with the arrays ``number`` and the one after it."""
        for i in (number, number + 1):
            array = np.asarray(arrays[i], np.float32)
            array = array[:, :, ::-1, ::-1] if array.ndim == 4 else array
            weights.append(numpy_helper.from_array(np.ascontiguousarray(array), f"w{i}"))
        return node(kind, [x, f"w{number}", f"w{number + 1}"], output, **attributes)

    def conv(number: int, x: str) -> str:
        return node("Relu", [layer("Conv", number, x, f"conv{number}", auto_pad="SAME_UPPER")], f"relu{number}")

    tower = conv(4, conv(2, conv(0, "planes")))
    layer("Gemm", 8, node("Flatten", [conv(6, tower)], "policy_planes"), "policy")
    hidden = layer("Gemm", 12, node("Flatten", [conv(10, tower)], "value_planes"), "hidden")
    node("Tanh", [layer("Gemm", 14, node("Relu", [hidden], "hidden_relu"), "value_sum")], "value")
    tensors = (("planes", [4, side, side]), ("policy", [side * side]), ("value", [1]))
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch", *shape]) for name, shape in tensors]
    graph = helper.make_graph(nodes, "net", ends[:1], ends[1:], weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    helper.set_model_props(model, {"plyscope.recipe": recipe(game)})
    onnx.checker.check_model(model, full_check=True)  # whether the shapes of the arrays fit each other
    data: bytes = model.SerializeToString()
    return data


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    with open(sys.argv[1], "rb") as file:
        read = pickle.load(file, encoding="latin1")  # runs what is in it: see above
    Path(sys.argv[3]).write_bytes(to_onnx(read, sys.argv[2]))
