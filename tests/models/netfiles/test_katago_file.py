"""Damaged and unsupported net files of KataGo are refused in a sentence; sizes are limited before memory is taken."""

import gzip
import re
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from models.netfiles import weight_stream
from models.netfiles.katago_file import NestedBlock, PoolingBlock, read_katago
from models.netfiles.ort_session import BadNet
from tests.models.netfiles.katago_nets import RandomNet


def refused(tmp_path: Path, data: bytes, sentence: str) -> None:
    path = tmp_path / "net.bin.gz"
    path.write_bytes(data)
    with pytest.raises(BadNet, match=f"net\\.bin\\.gz' is damaged or not a net: {sentence}$") as error:
        read_katago(path)
    assert "\n" not in str(error.value)


def text(version: int = 15, **given: object) -> bytes:
    return RandomNet(version, ("o", "g", ("o",)), channels=3).file(binary=False, zipped=False, **given)  # type: ignore[arg-type]


def test_what_a_file_holds(tmp_path: Path) -> None:
    path = tmp_path / "net.txt"
    net = RandomNet(14, ("g", ("o", "o")))
    path.write_bytes(net.file(name="b2c6\x07é"))
    found = read_katago(path)
    assert (found.name, found.channels, found.suicide_regions) == ("b2c6?é", 6, False)
    assert (found.scaling.version, found.scaling.lead, found.scaling.short_score) == (14, 18, 28)
    pooling, nested = found.blocks
    assert isinstance(pooling, PoolingBlock)
    assert isinstance(nested, NestedBlock)
    assert len(nested.blocks) == 2
    np.testing.assert_array_equal(pooling.conv1.weights, net.blocks[0]["conv1"]["w"].transpose(3, 2, 0, 1))
    np.testing.assert_array_equal(pooling.pool_dense, net.blocks[0]["dense"])
    norm = net.blocks[1]["norm1"]
    ones = np.ones(6, np.float32) if norm["scale"] is None else norm["scale"]
    np.testing.assert_allclose(nested.norm1.factor, ones / np.sqrt(norm["var"] + 0.001), rtol=1e-6)
    assert nested.norm1.activation == norm["act"].lower()


def test_q_of_moves_is_left_out_of_the_policy(tmp_path: Path) -> None:
    """Version 16 has four channels of the policy, or two."""
    path = tmp_path / "net.bin"
    for count in (4, 2):
        net = RandomNet(16)
        net.policy["p2"]["w"], net.policy["pass2"] = net.policy["p2"]["w"][..., :count], net.policy["pass2"][:, :count]
        path.write_bytes(net.file())
        assert read_katago(path).policy.out_conv.outputs == count
    net.policy["p2"]["w"] = net.policy["p2"]["w"][..., :1]
    refused(tmp_path, net.file(), "its policy has 1 channels, which its model version does not have")


def put(old: str, new: str) -> Callable[[bytes], bytes]:
    """Replace the first line that is ``old``."""
    return lambda data: re.sub(rb"(?m)^" + old.encode() + rb"$", new.encode(), data, count=1)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (put("15", "7"), "its model version is 7: it takes other inputs; 8 to 17 are supported"),
        (put("15", "18"), "its model version is 18: it may have other layers; 8 to 17 are supported"),
        (put("15", "x"), "its model version is 'x'; it must be a whole number from 0 to 999"),
        (put("22", "13"), "it takes 13 planes; 22 are supported"),
        (put("19", "14"), "it takes 14 global inputs; 19 are supported"),
        (put("28\n0", "28\n2"), "the kind of its metadata encoder is '2'; it must be a whole number from 0 to 1"),
        (
            put("28\n0", "28\n1"),
            r"the number of inputs that tell of the players is '.*'; it must be a whole number from 1 .*",
        ),
        (put("28\n0\n0\n0", "28\n0\n0\n5"), "it uses a feature that is not known here: a reserved number is not 0"),
        (put("3\n0\n0", "3\n2\n0"), "the kind of the last norm is '2'; it must be a whole number from 0 to 1"),
        (put("3\n0\n0", "3\n0\n2"), "it uses a feature that is not known here: a reserved number is not 0"),
        (put("41", "nan"), "a multiplier of its outputs is 'nan'; it must be a number from 1e-06 to 1e.06"),
        (put("0.3", "-1"), "a multiplier of its outputs is '-1'; it must be .*"),
        (put("gpool_block", "pool_block"), "it has 'pool_block' where a block should begin"),
        (put("3\n5\n22", "3\n4\n22"), "'conv' has a kernel of 3 x 4; odd sizes are needed"),
        (put("3\n5\n22", "3\n500\n22"), "the kernel of 'conv' is '500'; it must be a whole number from 1 to 19"),
        (put("dense\n19", "dense\n18"), "the number of inputs of 'dense' is 18; 19 is needed"),
        (put("norm\n3", "norm\n4"), "the number of channels of 'norm' is 4; 3 is needed"),
        (put("ACTIVATION_[A-Z]*", "ACTIVATION_GELU"), "'act' is of the kind 'ACTIVATION_GELU'; relu, mish, .*"),
        (put("trunk\n3", "trunk\n2000"), "the number of blocks is '2000'; it must be a whole number from 1 to 1024"),
        (put("trunk\n3\n3", "trunk\n3\n99999"), "the number of channels is '99999'; it must be .* from 1 to 4096"),
        (put("name\n1", "name\n1024"), "it has more than 1024 blocks, or more than 4 inside each other"),
        (put("random-net", "x" * 201), "it has a word of more than 200 characters: 'xxx.*"),
        (lambda data: data[: len(data) // 2], "it ends too early|.* has a word among its weights that is no number"),
        (lambda data: data + b"more\n", "it goes on after its last layer with 'more'"),
        (lambda data: b"", "it ends too early"),
    ],
)
def test_text_that_is_no_net(tmp_path: Path, change: Callable[[bytes], bytes], sentence: str) -> None:
    sound = text()
    data = change(sound)
    assert data != sound
    refused(tmp_path, data, sentence)
    refused(tmp_path, gzip.compress(data), sentence)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (put("looks\n4\n2", "looks\n4\n3"), "'looks' has 4 heads for 3 of keys and values, which do not divide them"),
        (put("looks\n4\n2", "looks\n400\n2"), "the number of heads of 'looks' is '400'; it must be .* from 1 to 256"),
        (put("2\n6\n3", "2\n6000\n3"), "the size of the heads of 'looks' is '6000'; it must be .* from 1 to 1024"),
        (put("2\n6\n3", "2\n5\n3"), "'looks' turns queries of 5 numbers by pairs; an even number is needed"),
        (put("2\n6\n3\n1\n1", "2\n6\n3\n1\n2"), "a mark of 'looks' is '2'; it must be a whole number from 0 to 1"),
        (put("2\n6\n3", "2\n8\n3"), "the number of outputs of 'dense' is 24; 32 is needed"),
        (put("freqs\n2\n3\n2", "freqs\n2\n3\n3"), "a number of angles of 'freqs' is 3; 2 is needed"),
        (put("theta\n50.0", "theta\n-1"), "the base of the angles of 'theta' is '-1'; it must be a number from .*"),
        (put("norm\n3\n0.0001", "norm\n3\n0"), "the epsilon of 'norm' is '0'; it must be a number from 1e-30 to 1"),
        (put("ffn\n3", "ffn\n4"), "the number of channels of 'ffn' is 4; 3 is needed"),
        (put("ffn\n3\n7\n1", "ffn\n3\n7\n0"), r"'ffn' has no gate \(SwiGLU\), and its activation .* not supported"),
        (put("tip\n3", "tip\n4"), "the number of channels of 'tip' is 4; 3 is needed"),
        (put("tip\n3\n0.001\n1\n0", "tip\n3\n0.001\n1\n4"), "'tip' normalises groups of channels, which is not .*"),
        (put("policy\n4", "policy\n3"), "the number of outputs of 'conv' is 4; 3 is needed"),
        (put("policy\n4\n0", "policy\n4\n1"), "it uses a feature that is not known here: a reserved number is not 0"),
        (put("value\n0\n0\n0", "value\n0\n0\n7"), "it uses a feature that is not known here: a reserved .*"),
    ],
)
def test_damaged_transformers(tmp_path: Path, change: Callable[[bytes], bytes], sentence: str) -> None:
    sound = RandomNet(17, ("l", "t", "f"), channels=3, tip="board").file(binary=False, zipped=False)
    data = change(sound)
    assert data != sound
    refused(tmp_path, data, sentence)


@pytest.mark.parametrize("word", [b"nan", b"inf", b"1e39", b"-1e400"])
def test_weights_that_are_not_finite(tmp_path: Path, word: bytes) -> None:
    refused(tmp_path, re.sub(rb"(?m)^-?0\.\d{5,}", word, text(), count=1), "'conv' has weights that are not numbers")


@pytest.mark.parametrize("word", [b"1_0", b"0x1", b"1,5", b"@BIN@"])
def test_weights_that_are_no_numbers(tmp_path: Path, word: bytes) -> None:
    data = re.sub(rb"(?m)^(-?0\.\d{5,}) \S+", rb"\1 " + word, text(), count=1)
    refused(tmp_path, data, "'conv' has a word among its weights that is no number")


def test_binary_weights_that_are_not_finite(tmp_path: Path) -> None:
    net = RandomNet(9)
    net.start["w"][0, 0, 0, 0] = np.inf
    refused(tmp_path, net.file(), "'conv' has weights that are not numbers")


def test_a_variance_below_zero(tmp_path: Path) -> None:
    net = RandomNet(9)
    net.tip["var"][1] = -1
    refused(tmp_path, net.file(), "'norm' divides by a variance that is not above 0, or leads to infinity")


def test_blocks_inside_each_other(tmp_path: Path) -> None:
    net = RandomNet(11, ((((("o",),),),),))
    refused(tmp_path, net.file(), "it has more than 1024 blocks, or more than 4 inside .*")


def test_damaged_gzip(tmp_path: Path) -> None:
    data = bytearray(RandomNet(9).file())
    refused(tmp_path, bytes(data[:-300]), "it ends too early")
    data[-5] ^= 1  # of the checksum
    refused(tmp_path, bytes(data), "its gzip data are damaged")


def test_a_bomb_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weight_stream, "MOST_BYTES", 4 << 20)
    bomb = gzip.compress(text()[:-1] + b"\n" * (64 << 20), 9)
    assert len(bomb) < 1 << 20
    tracemalloc.start()
    refused(tmp_path, bomb, "it has more than 4 MiB of data")
    assert tracemalloc.get_traced_memory()[1] < 4 << 20
    tracemalloc.stop()


def test_weights_in_text_are_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weight_stream, "MOST_IN_TEXT", 1000)
    refused(tmp_path, text(), "it has more than 1000 weights as text")


def test_memory_is_taken_only_for_weights_that_are_there(tmp_path: Path) -> None:
    """The first layer claims 32 million weights, a later one 71 million."""
    tracemalloc.start()
    refused(tmp_path, b"x 8 22 19 trunk 1 4096 1 1 1 1 conv 19 19 22 4096 1 1 @BIN@" + bytes(1000), "it ends too early")
    net = RandomNet(8, channels=16).file(binary=False, zipped=False)
    start = net[: net.index(b"conv\n3\n3\n16\n")]
    refused(tmp_path, start + b"conv 19 19 16 12288 1 1 1.0", "'conv' has 70975488 weights; at most 33554432 are read")
    assert tracemalloc.get_traced_memory()[1] < 2 << 20
    tracemalloc.stop()


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(BadNet, match=r"'.*none' does not exist; give the path of a net file"):
        read_katago(tmp_path / "none")
    with pytest.raises(BadNet, match="is not a file"):
        read_katago(tmp_path)
