"""KataGo's nets in ONNX files, ours and those that others have converted, by the names and shapes of their tensors."""

from pathlib import Path

import numpy as np
import pytest

from models.netfiles.katago_file import read_katago
from models.netfiles.katago_graph import katago_onnx
from models.netfiles.katago_tensors import KataTensors, find_tensors
from models.netfiles.net_file import NetInfo, TensorInfo, read_net_info
from models.netfiles.ort_session import BadNet
from tests.models.netfiles.katago_nets import RandomNet

Shapes = dict[str, tuple[int | None, ...]]

# As KataGo's own PyTorch nets are exported, and as older converters write version 8.
PYTORCH: tuple[Shapes, Shapes] = (
    {"input_spatial": (None, 22, 19, 19), "input_global": (None, 19)},
    {
        "out_policy": (None, 6, 362),
        "out_value": (None, 3),
        "out_miscvalue": (None, 10),
        "out_moremiscvalue": (None, 8),
        "out_ownership": (None, 1, 19, 19),
    },
)
OLDER: tuple[Shapes, Shapes] = (
    {"input_binary": (None, 22, 19, 19), "input_global": (None, 19)},
    {
        "output_policy": (None, 362),
        "output_value": (None, 3),
        "output_miscvalue": (None, 4),
        "output_ownership": (None, 1, 19, 19),
    },
)


def info_of(inputs: Shapes, outputs: Shapes) -> NetInfo:
    tensors = [tuple(TensorInfo(n, s, "tensor(float)") for n, s in shapes.items()) for shapes in (inputs, outputs)]
    return NetInfo(Path("other.onnx"), "", "", {}, -1, True, tensors[0], tensors[1])


def test_our_own_file(tmp_path: Path) -> None:
    source, path = tmp_path / "net.bin.gz", tmp_path / "net.onnx"
    source.write_bytes(RandomNet(12).file())
    path.write_bytes(katago_onnx(read_katago(source)))
    found = find_tensors(read_net_info(path))
    names = ("spatial", "global", "policy", (0, 1), "value", "miscvalue", None, "ownership", None)
    assert found == KataTensors(*names)
    outputs = {
        "policy": np.zeros((1, 2, 10), np.float32),
        "value": np.zeros((1, 3), np.float32),
        "miscvalue": np.zeros((1, 6), np.float32),
        "ownership": np.zeros((1, 3, 3), np.float32),
    }
    for name, array in found.ours(outputs).items():
        np.testing.assert_array_equal(array, outputs[name])


def test_a_pytorch_net() -> None:
    found = find_tensors(info_of(*PYTORCH))
    assert (found.planes, found.global_inputs, found.board) == ("input_spatial", "input_global", (19, 19))
    assert (found.channels, found.errors) == ((0, 5), "out_moremiscvalue")
    rng = np.random.default_rng(0)
    outputs = {name: rng.normal(size=(2, *shape[1:])).astype(np.float32) for name, shape in PYTORCH[1].items()}  # type: ignore[misc]
    ours = found.ours(outputs)
    np.testing.assert_array_equal(ours["policy"], outputs["out_policy"][:, [0, 5]])
    np.testing.assert_array_equal(ours["miscvalue"][:, :4], outputs["out_miscvalue"][:, :4])
    np.testing.assert_array_equal(ours["miscvalue"][:, 4:], outputs["out_moremiscvalue"][:, :2])
    np.testing.assert_array_equal(ours["ownership"], outputs["out_ownership"][:, 0])


def test_an_older_converter() -> None:
    found = find_tensors(info_of(*OLDER))
    assert (found.planes, found.policy, found.channels, found.errors) == ("input_binary", "output_policy", (0,), None)
    outputs = {name: np.zeros((2, *shape[1:]), np.float32) for name, shape in OLDER[1].items()}  # type: ignore[misc]
    shapes = {name: array.shape for name, array in found.ours(outputs).items()}
    assert shapes == {"policy": (2, 1, 362), "value": (2, 3), "miscvalue": (2, 4), "ownership": (2, 19, 19)}


def test_a_pytorch_net_without_errors_and_ownership() -> None:
    outputs = {n: s for n, s in PYTORCH[1].items() if n not in ("out_moremiscvalue", "out_ownership")}
    found = find_tensors(info_of(PYTORCH[0], outputs))
    assert (found.errors, found.ownership) == (None, None)
    arrays = {name: np.zeros((1, *shape[1:]), np.float32) for name, shape in outputs.items()}  # type: ignore[misc]
    assert found.ours(arrays)["miscvalue"].shape == (1, 4)


@pytest.mark.parametrize(
    ("inputs", "outputs", "sentence"),
    [
        ({"planes": (None, 4, 9, 9)}, {}, "is no net of KataGo: it has 0 inputs of 22 channels and 4 dimensions"),
        ({"input_spatial": (None, 22, 19, 19)}, {}, "it has 0 inputs of 19 channels and 2 dimensions"),
        ({**PYTORCH[0], "again": (None, 22, 9, 9)}, {}, "it has 2 inputs of 22 channels and 4 dimensions"),
        ({**PYTORCH[0], "input_meta": (None, 192)}, {}, "takes the input input_meta, which is not supported"),
        (PYTORCH[0], {"out_policy": (None, 6, 362)}, "it has no output value; its outputs are out_policy"),
        (PYTORCH[0], {}, "it has no output policy; its outputs are -"),
        (PYTORCH[0], {**PYTORCH[1], "out_policy": (None, 6, 361)}, r"has a policy of shape \[None, 6, 361\]; 1, 2, 4"),
        (PYTORCH[0], {**PYTORCH[1], "out_policy": (None, 5, 362)}, r"has a policy of shape \[None, 5, 362\]; 1, 2, 4"),
        (PYTORCH[0], {**PYTORCH[1], "out_policy": (None, 1, 19, 19)}, r"has a policy of shape \[None, 1, 19, 19\]"),
        (PYTORCH[0], {**PYTORCH[1], "out_value": (None, 1)}, r"output out_value of shape \[None, 1\]; .* of 3 is"),
        (PYTORCH[0], {**PYTORCH[1], "out_miscvalue": (None, 5)}, r"out_miscvalue of shape .* of 4, 6, 10 is needed"),
        (PYTORCH[0], {**PYTORCH[1], "out_moremiscvalue": (8,)}, r"out_moremiscvalue of shape \[8\]"),
    ],
)
def test_other_files(inputs: Shapes, outputs: Shapes, sentence: str) -> None:
    with pytest.raises(BadNet, match=f"^other.onnx .*{sentence}"):
        find_tensors(info_of(inputs, outputs))
