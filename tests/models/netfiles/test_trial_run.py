"""Net files that ask for endless memory or time are refused in a sentence, and no sound one with them."""

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from core.games import load_game
from models.netfiles import ort_session
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.ort_session import BadNet, has_sparse
from models.netfiles.shipped import nets_dir
from tests.models.netfiles.foreign_nets import recipe

GAME = load_game("tictactoe")
MANY = 800_000_000


def ints(name: str, *values: int) -> Any:
    return numpy_helper.from_array(np.array(values, np.int64), name)


def zeros(name: str, *shape: int) -> Any:
    return numpy_helper.from_array(np.zeros(shape, np.float32), name)


def endless_loop() -> Any:
    def value(name: str, kind: int, shape: list[int]) -> Any:
        return helper.make_tensor_value_info(name, kind, shape)

    given = [value("i", TensorProto.INT64, []), value("go", TensorProto.BOOL, []), value("x", TensorProto.FLOAT, [1])]
    made = [value("on", TensorProto.BOOL, []), value("y", TensorProto.FLOAT, [1])]
    same = [helper.make_node("Identity", ["go"], ["on"]), helper.make_node("Identity", ["x"], ["y"])]
    return helper.make_node("Loop", ["times", "", "a"], ["big"], body=helper.make_graph(same, "body", given, made))


def write(path: Path, nodes: list[Any], weights: list[Any], sparse: list[Any] | None = None) -> Path:
    """A net for tic-tac-toe whose value also adds the maximum of the tensor ``big``."""
    planes = helper.make_tensor_value_info("planes", TensorProto.FLOAT, ["batch", 4, 3, 3])
    policy = helper.make_tensor_value_info("policy", TensorProto.FLOAT, ["batch", 9])
    value = helper.make_tensor_value_info("value", TensorProto.FLOAT, ["batch"])
    nodes = [
        *nodes,
        helper.make_node("ReduceMax", ["big"], ["most"], keepdims=0),
        helper.make_node("ReduceMean", ["planes"], ["mean"], axes=[1, 2, 3], keepdims=0),
        helper.make_node("Mul", ["mean", "most"], ["value"]),
        helper.make_node("ReduceMean", ["planes"], ["cells"], axes=[1], keepdims=0),
        helper.make_node("Flatten", ["cells"], ["policy"]),
    ]
    graph = helper.make_graph(nodes, "net", [planes], [policy, value], weights, sparse_initializer=sparse or [])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    path.write_bytes(model.SerializeToString())
    return path


@pytest.mark.parametrize(
    ("node", "weights"),
    [
        (helper.make_node("ConstantOfShape", ["size"], ["big"]), [ints("size", MANY)]),
        (helper.make_node("Expand", ["a", "size"], ["big"]), [ints("size", MANY), zeros("a", 1)]),
        (helper.make_node("Tile", ["a", "size"], ["big"]), [ints("size", MANY), zeros("a", 1)]),
        (helper.make_node("Pad", ["a", "size"], ["big"]), [ints("size", 0, MANY), zeros("a", 1)]),
        (helper.make_node("Add", ["a", "b"], ["big"]), [zeros("a", 28_000, 1), zeros("b", 1, 28_000)]),
    ],
)
def test_nets_that_need_too_much_memory_are_refused(tmp_path: Path, node: Any, weights: list[Any]) -> None:
    path = write(tmp_path / "bomb.onnx", [node], weights)
    with pytest.raises(BadNet, match=r"^bomb\.onnx cannot be used: it needs more than 2 GiB of memory"):
        OnnxEvaluator(path, GAME, recipe=recipe())


def test_nets_that_take_too_long_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ort_session, "LONGEST_S", 0.2)
    path = write(tmp_path / "loop.onnx", [endless_loop()], [zeros("a", 1), ints("many", 1)])
    model = onnx.load(path)
    model.graph.initializer.append(numpy_helper.from_array(np.array(10**15, np.int64), "times"))
    onnx.save(model, path)
    with pytest.raises(BadNet, match=r"loop\.onnx cannot be used: it takes longer than"):
        OnnxEvaluator(path, GAME, recipe=recipe())


def test_sparse_tensors_are_refused_before_they_are_made_dense(tmp_path: Path) -> None:
    values, places = helper.make_tensor("big", TensorProto.FLOAT, [1], [1.0]), helper.make_tensor("", 7, [1], [0])
    sparse = helper.make_sparse_tensor(values, places, [MANY])
    path = write(tmp_path / "sparse.onnx", [], [], [sparse])
    assert has_sparse(path)
    with pytest.raises(BadNet, match="has sparse tensors; save the net with dense ones"):
        OnnxEvaluator(path, GAME, recipe=recipe())
    constant = helper.make_node("Constant", [], ["big"], sparse_value=sparse)
    assert has_sparse(write(tmp_path / "constant.onnx", [constant], []))
    assert not any(map(has_sparse, nets_dir().glob("*.onnx")))


def test_a_similar_valid_net_is_opened(tmp_path: Path) -> None:
    path = write(tmp_path / "sound.onnx", [helper.make_node("ConstantOfShape", ["size"], ["big"])], [ints("size", 100)])
    OnnxEvaluator(path, GAME, recipe=recipe())


@pytest.mark.parametrize("location", ["../../etc/passwd", "/etc/passwd"])
def test_weights_outside_the_folder_are_not_looked_for(tmp_path: Path, location: str) -> None:
    path = write(tmp_path / "net.onnx", [helper.make_node("Identity", ["w"], ["big"])], [])
    model = onnx.load(path)
    weights = model.graph.initializer.add(name="w", data_type=TensorProto.FLOAT, dims=[4])
    weights.data_location = TensorProto.EXTERNAL
    for key, value in (("location", location), ("offset", "0"), ("length", "16")):
        weights.external_data.add(key=key, value=value)
    path.write_bytes(model.SerializeToString())
    with pytest.raises(BadNet, match="keeps its weights outside its own folder"):
        OnnxEvaluator(path, GAME, recipe=recipe())
