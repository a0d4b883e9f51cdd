"""Nets of KataGo in ONNX files of other converters: any names, one board size, more channels; opened as they are."""

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper

from core.games import load_game
from core.games.net_inputs import inputs_of
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.go_import import CONVERTED, import_go_net, kind_of
from models.netfiles.katago_converted import converted_onnx
from models.netfiles.katago_file import read_katago
from models.netfiles.katago_graph import katago_onnx
from models.netfiles.net_file import read_net_info
from models.netfiles.opened import as_onnx
from models.netfiles.ort_session import BadNet
from tests.models.netfiles.katago_nets import RandomNet

SIDE = 9  # of the only board of the converted file


@pytest.fixture
def ours(tmp_path: Path) -> Path:
    """A net as we write it."""
    source, path = tmp_path / "net.bin.gz", tmp_path / "ours.onnx"
    source.write_bytes(RandomNet(12).file())
    path.write_bytes(katago_onnx(read_katago(source)))
    return path


def converted(ours: Path, *, side: int | None = SIDE, opset: int | None = None) -> Path:
    """The same net as a converter would write it: other names, one board, a policy of six channels, ten scores."""
    model = onnx.compose.add_prefix(onnx.load(str(ours)), "a/")
    del model.metadata_props[:]
    graph = model.graph
    for node in graph.node:
        for names in (node.input, node.output):
            for i, name in enumerate(names):
                names[i] = {"a/spatial": "input_spatial", "a/global": "input_global"}.get(name, name)
    weights = {"six": np.array([0, 0, 0, 0, 0, 1]), "ten": np.array([0, 1, 2, 3, 0, 0, 0, 0, 0, 0])}
    weights |= {"eight": np.array([4, 5, 4, 4, 4, 4, 4, 4]), "axis": np.array([1])}
    graph.initializer.extend(numpy_helper.from_array(array.astype(np.int64), name) for name, array in weights.items())
    graph.node.extend(
        [
            helper.make_node("Gather", ["a/policy", "six"], ["out_policy"], axis=1),
            helper.make_node("Identity", ["a/value"], ["out_value"]),
            helper.make_node("Gather", ["a/miscvalue", "ten"], ["out_miscvalue"], axis=1),
            helper.make_node("Gather", ["a/miscvalue", "eight"], ["out_moremiscvalue"], axis=1),
            helper.make_node("Unsqueeze", ["a/ownership", "axis"], ["out_ownership"]),
        ]
    )
    h, w = (side, side) if side else ("h", "w")
    moves = side * side + 1 if side else "moves"
    kind = onnx.TensorProto.FLOAT
    shapes: tuple[dict[str, list[Any]], ...] = (
        {"input_spatial": ["n", 22, h, w], "input_global": ["n", 19]},
        {
            "out_policy": ["n", 6, moves],
            "out_value": ["n", 3],
            "out_miscvalue": ["n", 10],
            "out_moremiscvalue": ["n", 8],
            "out_ownership": ["n", 1, h, w],
        },
    )
    for field, named in zip((graph.input, graph.output), shapes, strict=True):
        del field[:]
        field.extend(helper.make_tensor_value_info(name, kind, shape) for name, shape in named.items())
    if opset is not None:
        model.opset_import[0].version = opset
    path = ours.with_name("theirs.onnx")
    path.write_bytes(model.SerializeToString())
    return path


@pytest.mark.parametrize("side", [SIDE, None])
@pytest.mark.parametrize("game", ["go(size=9, komi=6.5)", "go(size=7)", "go(rows=4, cols=9)"])
def test_it_answers_as_the_net_that_was_converted(ours: Path, game: str, side: int | None) -> None:
    spec = load_game(game)
    position = spec.initial().play(0).play(5).play(9)
    inputs = inputs_of(position, spec.encodings[1])
    theirs = converted(ours, side=side)
    assert kind_of(theirs) == CONVERTED
    wanted = OnnxEvaluator(ours, spec).evaluate(*inputs)
    for found, right in zip(OnnxEvaluator(theirs, spec).evaluate(*inputs), wanted, strict=True):
        np.testing.assert_allclose(found, right, rtol=1e-4, atol=1e-4)


def test_a_larger_board_than_the_file_takes(ours: Path) -> None:
    with pytest.raises(BadNet, match=r"theirs.onnx takes boards of up to 9×9; the game here is go\(size=13\)"):
        OnnxEvaluator(converted(ours), load_game("go(size=13)"))


def test_ownership_is_cut_to_the_board(ours: Path) -> None:
    import onnxruntime as ort

    game = load_game("go(rows=4, cols=9)")
    inputs = inputs_of(game.initial(), game.encodings[1])
    given = {"spatial": inputs.planes, "global": inputs.features}
    found = [ort.InferenceSession(str(path)).run(["ownership"], given)[0] for path in (ours, as_onnx(converted(ours)))]
    assert found[0].shape == (1, 4, 9)
    np.testing.assert_allclose(found[1], found[0], atol=1e-4)


def test_import_writes_a_net_file(ours: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.onnx"
    net = import_go_net(converted(ours), out)
    assert (net.kind, net.name, net.version, net.blocks) == ("KataGo", "theirs.onnx", None, None)
    assert net.lead is not None
    assert as_onnx(out) == out


def test_an_old_opset(ours: Path) -> None:
    info = read_net_info(converted(ours))
    with pytest.raises(BadNet, match=r"theirs.onnx is of ONNX's opset 9; 11 or a later one is needed"):
        converted_onnx(converted(ours, opset=9), info)
