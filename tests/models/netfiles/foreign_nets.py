"""Tiny nets of other programs' shapes, made for the tests of recipes."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from core.games import load_game
from models.netfiles.recipe import Recipe, RecipeInput

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def recipe(name: str = "", layout: str = "auto", **parts: Any) -> Recipe:
    """A recipe with this program's own planes."""
    return Recipe((RecipeInput(("mine", "theirs", "last", "first to move"), name, layout),), **parts)


def write_net(
    path: Path,
    inputs: Mapping[str, tuple[Sequence[Any], int]],
    nodes: list[Any],
    weights: dict[str, np.ndarray],
    outputs: dict[str, list[Any]],
) -> Path:
    """A net file of these nodes; inputs by name: shape and type."""
    graph = helper.make_graph(
        nodes,
        "net",
        [helper.make_tensor_value_info(name, kind, shape) for name, (shape, kind) in inputs.items()],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in outputs.items()],
        [numpy_helper.from_array(np.ascontiguousarray(array), name) for name, array in weights.items()],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)
    return path


def linear(
    path: Path,
    shape: list[Any],
    policy: int,
    *,
    kind: int = TensorProto.FLOAT,
    names: tuple[str, str, str] = ("board", "pi", "v"),
    ending: str = "Identity",
) -> tuple[Path, np.ndarray, np.ndarray]:
    """A net whose policy is flat input times W, through ``ending``, and its value tanh of flat input times V; W, V."""
    rng = np.random.default_rng(len(shape))
    size = int(np.prod(shape[1:]))
    w = rng.normal(0, 0.5, (size, policy)).astype(np.float32)
    v = rng.normal(0, 0.2, (size, 1)).astype(np.float32)
    nodes = [
        helper.make_node("Cast", [names[0]], ["float"], to=TensorProto.FLOAT),
        helper.make_node("Flatten", ["float"], ["flat"]),
        helper.make_node("MatMul", ["flat", "W"], ["plain"]),
        helper.make_node(ending, ["plain"], [names[1]]),
        helper.make_node("MatMul", ["flat", "V"], ["sum"]),
        helper.make_node("Tanh", ["sum"], [names[2]]),
    ]
    outputs = {names[1]: ["batch", policy], names[2]: ["batch", 1]}
    return write_net(path, {names[0]: (shape, kind)}, nodes, {"W": w, "V": v}, outputs), w, v


def tactician(path: Path, planes: int, mine: int, theirs: int, *, policy_flipped: bool = False) -> Path:
    """A net for tic-tac-toe that finds each win in one move: two stones of plane ``mine`` and an empty cell in a line.

    Its policy, probabilities, has its rows from the bottom if ``policy_flipped``; ``theirs`` is the opponent's plane.
    """
    units = [(line, cell) for line in LINES for cell in line]
    first = np.zeros((planes * 9, len(units)), np.float32)
    second = np.zeros((len(units), 9), np.float32)
    for unit, (line, cell) in enumerate(units):
        for other in line:
            first[9 * mine + other, unit] = -1.0 if other == cell else 1.0
        first[9 * theirs + cell, unit] = -1.0
        second[unit, (2 - cell // 3) * 3 + cell % 3 if policy_flipped else cell] = 20.0
    nodes = [
        helper.make_node("Flatten", ["board"], ["flat"]),
        helper.make_node("Gemm", ["flat", "first", "less"], ["sums"]),
        helper.make_node("Relu", ["sums"], ["threats"]),
        helper.make_node("MatMul", ["threats", "second"], ["plain"]),
        helper.make_node("Softmax", ["plain"], ["probs"], axis=1),
        helper.make_node("ReduceMax", ["threats"], ["v"], axes=[1], keepdims=1),
    ]
    weights = {"first": first, "less": np.full(len(units), -1.0, np.float32), "second": second}
    outputs = {"probs": ["batch", 9], "v": ["batch", 1]}
    return write_net(path, {"board": (["batch", planes, 3, 3], TensorProto.FLOAT)}, nodes, weights, outputs)


def positions(text: str, *moves: str) -> list[Any]:
    """Positions of a game after these moves."""
    return [load_game(text).position(line) for line in moves]
