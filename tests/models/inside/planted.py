"""Nets of which it is known how far they read, or what can be read from them."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper

from core.games import Position, load_game
from core.games.spec import Label
from models.netfiles.shipped import nets_dir
from models.runs.folder import NETS, REPORTS, net_path
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


def is_one_of_two(position: Position) -> Label:
    """Whether one of the cells on the left and right is the mover's and the other not, which no line says exactly."""
    own = np.pad(position.cells() == position.to_move + 1, ((0, 0), (1, 1)))
    return (own[:, :-2] != own[:, 2:]).astype(np.float32)


def comparing(path: Path, compares: bool) -> Path:
    """A net for ``ROW`` of one block, whose channels 1 and 2 say ``is_one_of_two`` where it ``compares``, and nothing
    where not; the others are sums of the stones around.  Without a wish."""
    rng = np.random.default_rng(0)
    stem, sides = rng.random((24, 4, 3, 3)).astype(np.float32), np.zeros((24, 24, 3, 3), np.float32)
    stem[:3], stem[:, 2:] = 0.0, 0.0
    stem[0, 0, 1, 1] = 1.0
    same = np.zeros_like(sides)
    same[range(24), range(24), 1, 1] = 1.0
    if compares:
        sides[1, 0, 1] = (1.0, 0.0, -1.0)
        sides[2, 0, 1] = (-1.0, 0.0, 1.0)
    conv: dict[str, Any] = {"pads": [1, 1, 1, 1]}
    nodes = [
        helper.make_node("Conv", ["planes", "weights"], ["stem"], **conv),
        helper.make_node("Conv", ["stem", "sides"], ["first"], **conv),
        helper.make_node("Relu", ["first"], ["plus"]),
        helper.make_node("Conv", ["plus", "same"], ["second"], **conv),
        helper.make_node("Add", ["stem", "second"], ["sum"]),
        helper.make_node("Relu", ["sum"], ["block"]),
        helper.make_node("Flatten", ["block"], ["flat"]),
        helper.make_node("MatMul", ["flat", "wish"], ["policy"]),
        helper.make_node("ReduceMean", ["block"], ["mean"], axes=[1, 2, 3], keepdims=0),
        helper.make_node("Sub", ["mean", "mean"], ["value"]),
    ]
    outputs: dict[str, list[Any]] = {"policy": ["batch", 81], "value": ["batch"]}
    weights = {"weights": stem, "sides": sides, "same": same, "wish": np.zeros((24 * 81, 81), np.float32)}
    write_net(path, {"planes": (["batch", 4, 9, 9], TensorProto.FLOAT)}, nodes, weights, outputs)
    model = onnx.load(path)
    about = onnx.load(nets_dir() / "gomoku9-4x48.onnx").metadata_props
    model.metadata_props.extend(entry for entry in about if entry.key != "plyscope.config")
    onnx.save(model, path)
    return path


def run_that_learns(folder: Path) -> Path:
    """The folder of a run of ``ROW`` with three kept nets, of which the last alone ``compares``."""
    (folder / NETS).mkdir(parents=True)
    reports = []
    for iteration, step in enumerate((0, 30, 70)):
        comparing(folder / net_path(step), iteration == 2)
        reports.append({"event": "iteration", "iteration": iteration, "step": step, "elapsed_s": 1.0, "time": 1.0})
    (folder / REPORTS).write_text("".join(f"{json.dumps(row)}\n" for row in reports[1:]))
    return folder
