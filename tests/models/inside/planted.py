"""A net of which it is known how far it reads."""

from pathlib import Path
from typing import Any

import numpy as np
from onnx import TensorProto, helper

from core.games import load_game
from tests.models.netfiles.foreign_nets import write_net

ROW = load_game("gomoku(size=9)")
STONES = "b2 h8 h2 b8 e1 e9 a9 i1"  # far from row 5, where the wish of the net is


def planted(path: Path, blocks: int) -> Path:
    """A net whose only wish is a5, as strong as the stones that are seen there from the right along the row: two cells
    further with each block, which has two convolutions."""
    along = np.zeros((1, 1, 3, 3), np.float32)
    along[0, 0, 1, 1:] = 1.0
    both = np.zeros((1, 4, 3, 3), np.float32)
    both[0, :2, 1, 1] = 1.0
    wish = np.zeros((81, 81), np.float32)
    wish[ROW.parse_action("a5"), ROW.parse_action("a5")] = 1.0
    conv: dict[str, Any] = {"pads": [1, 1, 1, 1]}
    nodes, last = [helper.make_node("Conv", ["board", "both"], ["stem"], **conv)], "stem"
    for i in range(blocks):
        nodes += [
            helper.make_node("Conv", [last, "along"], [f"first{i}"], **conv),
            helper.make_node("Relu", [f"first{i}"], [f"plus{i}"]),
            helper.make_node("Conv", [f"plus{i}", "along"], [f"second{i}"], **conv),
            helper.make_node("Add", [last, f"second{i}"], [f"sum{i}"]),
            helper.make_node("Relu", [f"sum{i}"], [f"block{i}"]),
        ]
        last = f"block{i}"
    nodes += [
        helper.make_node("Flatten", [last], ["flat"]),
        helper.make_node("MatMul", ["flat", "wish"], ["pi"]),
        helper.make_node("ReduceMean", [last], ["mean"], axes=[1, 2, 3], keepdims=0),
        helper.make_node("Tanh", ["mean"], ["v"]),
    ]
    outputs: dict[str, list[Any]] = {"pi": ["batch", 81], "v": ["batch"]}
    weights = {"both": both, "along": along, "wish": wish}
    return write_net(path, {"board": (["batch", 4, 9, 9], TensorProto.FLOAT)}, nodes, weights, outputs)
