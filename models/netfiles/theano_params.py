"""Converts AlphaZero_Gomoku's parameter files to net files, without executing them.  Knows no torch.

Such a file is a pickled list of 16 arrays, weights and biases in Lasagne's order: three 3x3 convolutions (32, 64 and
128 filters in the published nets), the policy's 1x1 convolution and dense layer, the value's 1x1 convolution and its
two dense layers.  Its conventions and their conversion:

- Theano convolves in the mathematical sense, ONNX correlates: the filters are rotated by 180 degrees.
- Dense weights are [inputs, outputs], as ONNX's Gemm takes them.
- The planes are ours (mover, opponent, last move, ones when the first player is to move) with row 0 on top, but moves
  are numbered from the bottom row: the policy's columns are reordered.
- The policy ends in a softmax, which is omitted to give logits; the value ends in tanh.

Letters: B batch, C planes, H W board, A actions.
"""

import json
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from core.files.atomic import write_atomically
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.net_file import ENCODING, FORMAT, METADATA_PREFIX
from models.netfiles.pickled_arrays import BadPickle, read_arrays

if TYPE_CHECKING:
    from core.games import GameSpec

ARCHITECTURE: Final = "AlphaZero_Gomoku"
_LARGEST_FILE: Final = 256 << 20  # bytes
_OPSET: Final = 20
_IR_VERSION: Final = 10

_LAYERS: Final = (
    "convolution 1",
    "convolution 2",
    "convolution 3",
    "the policy's convolution",
    "the policy's dense layer",
    "the value's convolution",
    "the value's first dense layer",
    "the value's second dense layer",
)

Array = NDArray[np.float32]


class BadParameters(ValueError):
    """A parameter file cannot be used; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class TheanoNet:
    """The arrays of a parameter file in its conventions; each layer is (weights, bias).

    tower: weights [out, in, 3, 3].  policy_conv, value_conv: [out, in, 1, 1].  policy_dense [planes * cells, cells],
    value_hidden [planes * cells, hidden], value_out [hidden, 1].
    """

    tower: tuple[tuple[Array, Array], ...]
    policy_conv: tuple[Array, Array]
    policy_dense: tuple[Array, Array]
    value_conv: tuple[Array, Array]
    value_hidden: tuple[Array, Array]
    value_out: tuple[Array, Array]

    @property
    def cells(self) -> int:
        """Number of cells of the board."""
        return len(self.policy_dense[1])

    @property
    def count(self) -> int:
        """Number of parameters."""
        layers = (*self.tower, self.policy_conv, self.policy_dense, self.value_conv, self.value_hidden, self.value_out)
        return sum(weights.size + bias.size for weights, bias in layers)


def read_parameters(path: str | Path) -> TheanoNet:
    """Read a parameter file; :class:`BadParameters` when it is something else, ``OSError`` when it cannot be read."""
    path = Path(path)
    if not path.is_file():
        raise BadParameters(f"{str(path)!r} is no parameter file: there is no such file")
    if path.stat().st_size > _LARGEST_FILE:
        raise BadParameters(f"{str(path)!r} is no parameter file: it is larger than {_LARGEST_FILE >> 20} MiB")
    try:
        return _checked(read_arrays(path.read_bytes()))
    except (BadPickle, BadParameters) as error:
        raise BadParameters(f"{str(path)!r} cannot be read as AlphaZero_Gomoku's parameters: {error}") from None


def _checked(arrays: list[NDArray[np.generic]]) -> TheanoNet:
    """Check that the shapes of the 16 arrays fit each other; the net of them."""
    if len(arrays) != 2 * len(_LAYERS):
        raise BadParameters(f"it has {len(arrays)} arrays; {2 * len(_LAYERS)} are needed")
    cells = arrays[9].shape[0] if arrays[9].ndim == 1 else -1
    inputs = 4  # planes, then filters of the layer before
    layers = []
    for i, name in enumerate(_LAYERS):
        weights, bias = arrays[2 * i], arrays[2 * i + 1]
        if name.endswith("convolution"):
            wanted: tuple[int | None, ...] = (None, len(arrays[5]), 1, 1)
        elif name.startswith("convolution"):
            wanted = (None, inputs, 3, 3)
        elif name == _LAYERS[4]:
            wanted = (cells * inputs, cells)
        elif name == _LAYERS[6]:
            wanted = (cells * inputs, None)
        else:
            wanted = (inputs, 1)
        _need_shape(name, weights, wanted)
        inputs = weights.shape[0] if weights.ndim == 4 else weights.shape[1]
        _need_shape(f"the bias of {name}", bias, (inputs,))
        if not (np.isfinite(weights).all() and np.isfinite(bias).all()):
            raise BadParameters(f"{name} has weights that are not numbers")
        layers.append((np.ascontiguousarray(weights, np.float32), np.ascontiguousarray(bias, np.float32)))
    return TheanoNet(tuple(layers[:3]), *layers[3:])


def _need_shape(name: str, array: NDArray[np.generic], wanted: tuple[int | None, ...]) -> None:
    fits = array.ndim == len(wanted) and all(w in (None, s) for w, s in zip(wanted, array.shape, strict=True))
    if not fits or 0 in array.shape:
        text = ", ".join("any" if size is None else str(size) for size in wanted)
        raise BadParameters(f"{name} has the shape {array.shape}; ({text}) is needed")


def import_parameters(source: str | Path, game: "GameSpec", path: str | Path) -> TheanoNet:
    """Convert the parameter file ``source`` to a net file for ``game`` at ``path``, written atomically.

    The file does not hold the number in a row that wins; ``game`` does.  Raises :class:`BadParameters` when the file is
    not a parameter file or its board has another size, ``OSError`` when ``path`` cannot be written.
    """
    net = read_parameters(source)
    height, width = game.shape
    if game.num_planes != 4 or game.num_actions != height * width:
        raise BadParameters(
            f"AlphaZero_Gomoku's nets place a stone on any free cell; {game.text} is no such game: "
            "use connectn, gomoku or tictactoe"
        )
    if net.cells != game.num_actions:
        raise BadParameters(
            f"{str(source)!r} is a net for a board of {net.cells} cells; {game.text} has {height} x {width}"
        )
    data = to_onnx(net, game)
    with tempfile.TemporaryDirectory() as folder:
        trial = Path(folder) / Path(path).name
        trial.write_bytes(data)
        OnnxEvaluator(trial, game, device="cpu")  # raises if it could not be opened later
    write_atomically(Path(path), data)
    return net


def to_onnx(net: TheanoNet, game: "GameSpec") -> bytes:
    """The contents of the net file for a game on a board of the net's size."""
    height, width = game.shape
    weights: dict[str, NDArray[np.generic]] = {"flat": np.array([-1], np.int64)}
    nodes = []
    x = "planes"

    def conv(name: str, x: str, layer: tuple[Array, Array]) -> str:
        weights[f"{name}_w"], weights[f"{name}_b"] = layer[0][:, :, ::-1, ::-1], layer[1]
        pad = layer[0].shape[2] // 2
        nodes.append(helper.make_node("Conv", [x, f"{name}_w", f"{name}_b"], [f"{name}_sum"], pads=[pad] * 4))
        nodes.append(helper.make_node("Relu", [f"{name}_sum"], [name]))
        return name

    def dense(name: str, x: str, layer: tuple[Array, Array]) -> str:
        weights[f"{name}_w"], weights[f"{name}_b"] = layer
        nodes.append(helper.make_node("Gemm", [x, f"{name}_w", f"{name}_b"], [name]))
        return name

    for i, layer in enumerate(net.tower):
        x = conv(f"conv{i + 1}", x, layer)
    nodes.append(helper.make_node("Flatten", [conv("policy_conv", x, net.policy_conv)], ["policy_flat"]))
    policy_w, policy_b = (
        np.flip(part.reshape(-1, height, width), 1).reshape(part.shape) for part in net.policy_dense
    )  # moves are numbered from the bottom row, cells from the top row
    dense("policy", "policy_flat", (policy_w, policy_b))
    nodes.append(helper.make_node("Flatten", [conv("value_conv", x, net.value_conv)], ["value_flat"]))
    nodes.append(helper.make_node("Relu", [dense("value_hidden", "value_flat", net.value_hidden)], ["value_relu"]))
    nodes.append(helper.make_node("Tanh", [dense("value_out", "value_relu", net.value_out)], ["value_column"]))
    nodes.append(helper.make_node("Reshape", ["value_column", "flat"], ["value"]))
    graph = helper.make_graph(
        nodes,
        "net",
        [helper.make_tensor_value_info("planes", TensorProto.FLOAT, ["batch", game.num_planes, height, width])],
        [
            helper.make_tensor_value_info("policy", TensorProto.FLOAT, ["batch", game.num_actions]),
            helper.make_tensor_value_info("value", TensorProto.FLOAT, ["batch"]),
        ],
        [numpy_helper.from_array(np.ascontiguousarray(array), name) for name, array in weights.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=_IR_VERSION)
    helper.set_model_props(model, {METADATA_PREFIX + name: text for name, text in _about(net, game).items()})
    onnx.checker.check_model(model)
    data: bytes = model.SerializeToString()
    return data


def _about(net: TheanoNet, game: "GameSpec") -> dict[str, str]:
    config = {
        "architecture": ARCHITECTURE,
        "tower": [len(bias) for _, bias in net.tower],
        "policy_planes": len(net.policy_conv[1]),
        "value_planes": len(net.value_conv[1]),
        "value_hidden": len(net.value_hidden[1]),
    }
    return {
        "format": FORMAT,
        "game": game.text,
        "encoding": ENCODING,
        "config": json.dumps(config),
        "step": "0",
        "precision": "fp32",
    }
