"""Nets of KataGo as ONNX, against a slow forward pass by the formulas, for every version and kind of block."""

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime as ort
import pytest

from models.netfiles.katago_file import KataNet, read_katago
from models.netfiles.katago_graph import ENCODING, katago_onnx
from models.netfiles.net_file import read_net_info
from tests.models.netfiles.katago_nets import Array, RandomNet

KINDS: dict[str, Any] = {
    "ordinary": ("o", "o"),
    "pooling": ("g", "o"),
    "nested": (("o", "o"), ("o", "g")),
    "nested twice": (("o", ("g",)),),
}


def session(data: bytes) -> Any:
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    return ort.InferenceSession(data, options, providers=["CPUExecutionProvider"])


def answered(data: bytes, planes: Array, globals_: Array) -> dict[str, Array]:
    names = ["policy", "value", "miscvalue", "ownership"]
    found = session(data).run(names, {"spatial": planes, "global": globals_})
    return dict(zip(names, found, strict=True))


def inputs(rng: np.random.Generator, height: int, width: int, board: tuple[int, int]) -> tuple[Array, Array]:
    planes = rng.integers(0, 2, (22, height, width)).astype(np.float32)
    planes[0] = 0
    planes[0, : board[0], : board[1]] = 1
    return planes * planes[0], rng.normal(0, 0.5, 19).astype(np.float32)


def written(tmp_path: Path, data: bytes, name: str = "net.bin.gz") -> Path:
    path = tmp_path / name
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("version", range(8, 18))
def test_answers_are_those_of_the_formulas(tmp_path: Path, version: int, kind: str) -> None:
    net = RandomNet(version, KINDS[kind], seed=len(kind))
    binary, zipped = version % 2 == 0, kind != "ordinary"
    agrees(net, read_katago(written(tmp_path, net.file(binary=binary, zipped=zipped))))


@pytest.mark.parametrize("tip", ["batch", "point", "board"])
@pytest.mark.parametrize("blocks", [("a", "f"), ("t", "f", "o", "t"), ("l", "g", "f"), ("f", ("o", "l", ("t", "f")))])
def test_transformers_answer_by_the_formulas(tmp_path: Path, blocks: Any, tip: str) -> None:
    """Angles of no, usual and learned frequencies, keys that heads share, any nesting, and each norm at the end."""
    net = RandomNet(17 if tip == "board" else 15, blocks, seed=len(blocks), tip=tip)
    agrees(net, read_katago(written(tmp_path, net.file(binary=tip != "point"))))


def agrees(net: RandomNet, read: KataNet) -> None:
    """On boards that fill the tensor and on smaller ones."""
    data = katago_onnx(read)
    rng = np.random.default_rng(net.version)
    for height, width, board in ((5, 5, (5, 5)), (6, 9, (4, 7))):
        positions = [inputs(rng, height, width, board) for _ in range(2)]
        found = answered(data, *(np.stack(part) for part in zip(*positions, strict=True)))
        on_board = np.append(positions[0][0][0].ravel(), 1) > 0
        for i, position in enumerate(positions):
            want = net.forward(*position)
            channels = min(2, len(want["policy"]))
            assert found["policy"][i].shape == (channels, height * width + 1)
            np.testing.assert_allclose(
                found["policy"][i][:, on_board], want["policy"][:channels, on_board], atol=5e-5, rtol=1e-4
            )
            for name in ("value", "miscvalue"):
                np.testing.assert_allclose(found[name][i], want[name], atol=5e-5, rtol=1e-4)
            inside = found["ownership"][i].ravel()[on_board[:-1]]
            np.testing.assert_allclose(inside, want["ownership"].ravel()[on_board[:-1]], atol=5e-5, rtol=1e-4)


def test_text_and_bytes_give_the_same_net(tmp_path: Path) -> None:
    net = RandomNet(14, KINDS["nested"])
    files = {
        katago_onnx(read_katago(written(tmp_path, net.file(binary=binary, zipped=zipped))))
        for binary in (True, False)
        for zipped in (True, False)
    }
    assert len(files) == 1


@pytest.mark.parametrize(("version", "blocks"), [(11, ("g", ("o", "g"))), (17, ("l", "f", ("t", "f")))])
def test_boards_of_different_sizes_in_one_batch(tmp_path: Path, version: int, blocks: Any) -> None:
    """A board in a larger tensor is answered as alone."""
    data = katago_onnx(read_katago(written(tmp_path, RandomNet(version, blocks).file())))
    rng = np.random.default_rng(0)
    small, globals_ = inputs(rng, 4, 5, (4, 5))
    alone = answered(data, small[None], globals_[None])
    large = np.zeros((2, 22, 7, 8), np.float32)
    large[0, :, :4, :5] = small
    large[1] = 1
    found = answered(data, large, np.stack((globals_, globals_)))
    np.testing.assert_allclose(found["value"][0], alone["value"][0], atol=1e-5)
    points = found["policy"][0, 0, :-1].reshape(7, 8)[:4, :5]
    np.testing.assert_allclose(points.ravel(), alone["policy"][0, 0, :-1], atol=1e-5)
    assert found["policy"][0, 0, -1] == pytest.approx(alone["policy"][0, 0, -1], abs=1e-5)


def test_the_file_says_what_it_is(tmp_path: Path) -> None:
    path = tmp_path / "net.onnx"
    path.write_bytes(katago_onnx(read_katago(written(tmp_path, RandomNet(15).file(name="b2c6-s1")))))
    info = read_net_info(path)
    assert (info.encoding, info.is_foreign, info.step) == (ENCODING, False, 0)
    assert {t.name: t.shape for t in info.inputs} == {"spatial": (None, 22, None, None), "global": (None, 19)}
    assert {t.name: t.shape[1:] for t in info.outputs} == {
        "policy": (2, None),
        "value": (3,),
        "miscvalue": (6,),
        "ownership": (None, None),
    }
    assert info.config == {
        "architecture": "KataGo",
        "source": "b2c6-s1",
        "blocks": 2,
        "channels": 6,
        "suicide_regions": False,
        "scaling": {
            "version": 15,
            "score_mean": 19.5,
            "score_stdev": 22,
            "lead": 18,
            "var_time": 41,
            "short_value": 0.3,
            "short_score": 28,
        },
    }
    assert onnx.load(path).opset_import[0].version == 17
