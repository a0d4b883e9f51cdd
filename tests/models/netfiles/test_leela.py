"""Leela Zero's weight files as ONNX, against a slow forward pass by the formulas."""

import re
from pathlib import Path

import numpy as np
import pytest

from models.netfiles.leela_file import ENCODING, leela_onnx, read_leela
from models.netfiles.net_file import read_net_info
from models.netfiles.ort_session import BadNet
from tests.models.netfiles.katago_nets import RandomLeela
from tests.models.netfiles.test_katago import session


def written(tmp_path: Path, data: bytes) -> Path:
    path = tmp_path / "weights.txt.gz"
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(("size", "blocks", "channels"), [(5, 2, 6), (9, 1, 8), (2, 0, 3)])
@pytest.mark.parametrize("version", [1, 2])
def test_answers_are_those_of_the_formulas(tmp_path: Path, version: int, size: int, blocks: int, channels: int) -> None:
    net = RandomLeela(size, blocks, channels, version, seed=size)
    data = leela_onnx(read_leela(written(tmp_path, net.file(zipped=version == 1))), "weights")
    planes = np.random.default_rng(0).integers(0, 2, (4, 18, size, size)).astype(np.float32)
    for i in range(4):
        planes[i, 16], planes[i, 17] = i % 2, 1 - i % 2
    policy, value = session(data).run(["policy", "value"], {"planes": planes})
    assert (policy.shape, value.shape) == ((4, size * size + 1), (4,))
    for i in range(4):
        want_policy, want_value = net.forward(planes[i])
        np.testing.assert_allclose(policy[i], want_policy, atol=5e-5)
        assert value[i] == pytest.approx(want_value, abs=1e-5)


def test_the_file_says_what_it_is(tmp_path: Path) -> None:
    path = tmp_path / "net.onnx"
    path.write_bytes(leela_onnx(read_leela(written(tmp_path, RandomLeela().file())), "weights.txt.gz"))
    info = read_net_info(path)
    assert (info.encoding, info.is_foreign) == (ENCODING, False)
    assert [(t.name, t.shape) for t in info.inputs] == [("planes", (None, 18, 5, 5))]
    assert info.config == {
        "architecture": "Leela Zero",
        "source": "weights.txt.gz",
        "version": 1,
        "blocks": 2,
        "channels": 6,
        "size": 5,
    }


def changed(line: int, old: str, new: str) -> bytes:
    lines = RandomLeela(3, 1, 3).file(zipped=False).decode().split("\n")
    lines[line - 1] = re.sub(old, new, lines[line - 1], count=1)
    return "\n".join(lines).encode()


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (changed(1, "1", "3"), "its version is '3'; it must be a whole number from 1 to 2"),
        (changed(4, r"\S+", ""), "line 4 has 2 numbers; 3 are needed"),
        (changed(6, r"\S+", ""), "line 6 has 80 numbers; 81 are needed"),
        (changed(7, r"\S+", "inf"), "line 7 has weights that are not numbers"),
        (changed(7, r"\S+", "x"), "line 7 has a word among its weights that is no number"),
        (changed(9, r"\S+", "-1"), "line 9 has a variance that is not above 0"),
        (changed(7, "$", "\n1"), "it has 28 lines; 19 and 8 for each block are needed"),
        (changed(19, r"$", " 1"), "its policy has 11 moves, which fits no board"),
        (changed(24, r"$", " 1"), "line 24 has 82 numbers; 81 are needed"),
        (changed(27, r"$", " 1"), "line 26 has 9 numbers; 18 are needed"),
        (b"1\n", "it has 1 lines; 19 and 8 for each block are needed"),
        (b"", "it ends too early"),
    ],
)
def test_other_files(tmp_path: Path, data: bytes, sentence: str) -> None:
    with pytest.raises(BadNet, match=f"weights.txt.gz' is damaged or not a net: (?:{sentence})$"):
        read_leela(written(tmp_path, data))
