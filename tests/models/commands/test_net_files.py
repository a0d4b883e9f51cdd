"""``plyscope export`` and ``plyscope import`` as a user types them."""

import json
import pickle
import re
from pathlib import Path

import numpy as np
import pytest

from models.commands import net_files
from models.commands.net_files import Exported, export_lines
from models.netfiles.agreement import Agreement
from models.netfiles.net_file import read_net_info
from models.netfiles.quantise import Speed
from models.netfiles.shipped import nets_dir
from tests.models.commands.running import run
from tests.models.netfiles.foreign_nets import linear
from tests.models.netfiles.katago_nets import RandomLeela, RandomNet
from tests.models.netfiles.test_quantise import GAME, small_net


@pytest.fixture(autouse=True)
def _no_long_measurement(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(net_files, "MEASURE_S", 0.0)


@pytest.fixture
def net(tmp_path: Path) -> Path:
    path = tmp_path / "small.onnx"
    path.write_bytes(small_net())
    return path


@pytest.mark.parametrize("precision", ["int8", "fp16"])
def test_a_net_file_is_converted(capsys: pytest.CaptureFixture[str], net: Path, tmp_path: Path, precision: str) -> None:
    out = tmp_path / "new" / "lower.onnx"
    words = ("export", str(net), "--out", str(out), "--device", "cpu", "--precision", precision)
    code, text, err = run(capsys, *words)
    assert (code, err) == (0, "")
    lines = text.splitlines()
    assert lines[0].startswith(f"{out}: {GAME.text}, step 0, {precision}, ")
    assert lines[1].startswith(f"{precision} against fp32 over 1024 positions: the same best move in ")
    assert [line.split()[0] for line in lines[4:8]] == ["1", "8", "32", "128"]
    assert read_net_info(out).precision == precision
    assert [path.name for path in out.parent.iterdir()] == ["lower.onnx"]
    code, text, _ = run(capsys, *words, "--json")
    data = json.loads(text)
    assert (data["precision"], data["game"], data["size"]) == (precision, GAME.text, out.stat().st_size)
    assert data["parity"] is None
    assert data["agreement"]["positions"] == 1024
    assert [speed["batch"] for speed in data["fp32_speeds"]] == [1, 8, 32, 128]


def test_a_net_that_loses_accuracy_in_8_bits_is_not_written(
    capsys: pytest.CaptureFixture[str], net: Path, tmp_path: Path
) -> None:
    net.write_bytes(small_net(spoiled=5000.0))
    out = tmp_path / "lower.onnx"
    out.write_bytes(b"the net of yesterday")
    code, text, err = run(capsys, "export", str(net), "--out", str(out), "--precision", "int8")
    assert (code, text) == (2, "")
    assert "in int8 the best move stays as good in" in err
    assert out.read_bytes() == b"the net of yesterday"


def test_a_net_of_several_boards_is_converted_on_one(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    source, out = tmp_path / "kata.bin.gz", tmp_path / "lower.onnx"
    source.write_bytes(RandomNet(11).file())
    words = ("export", str(source), "--out", str(out), "--device", "cpu", "--precision", "fp16")
    code, text, err = run(capsys, *words)
    assert (code, text) == (2, "")
    assert f"{str(source)!r} is a net for several boards; name one with --game" in err
    code, text, err = run(capsys, *words, "--game", "go(size=2)")
    assert (code, err) == (0, "")
    assert read_net_info(out).precision == "fp16"


def test_a_lower_precision_that_gains_nothing_is_said() -> None:
    agreement = Agreement(0.9, 0.98, 0.0123, 0.004, 0.05, 1024, 0.001)
    slow, fast = [Speed(8, 2.0), Speed(128, 20.0)], [Speed(8, 1.0), Speed(128, 10.0)]
    for first, second, said in ((fast, slow, False), (slow, fast, True), (slow, slow, True)):
        done = Exported(Path("a.onnx"), "connect4", 70, "fp16", 2048, "CPU", 1, None, agreement, first, second)
        assert export_lines(done)[-1].startswith("fp16 is not faster") is said


def test_a_net_of_katago_is_imported(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    source, out = tmp_path / "b2c6.txt.gz", tmp_path / "new" / "net.onnx"
    source.write_bytes(RandomNet(15).file(binary=False, name="b2c6-s1"))
    code, text, err = run(capsys, "import", str(source), "--out", str(out))
    assert (code, err) == (0, "")
    assert text.startswith(f"{out}: KataGo's net b2c6-s1, version 15, 2 blocks of 6 channels, any board, ")
    assert re.search(r" KiB; on an empty 9 x 9 board without komi black leads by -?\d+\.\d points\n$", text)
    assert [path.name for path in out.parent.iterdir()] == ["net.onnx"]
    assert read_net_info(out).encoding == "katago-v7"
    code, text, err = run(capsys, "analyze", GAME.text, "--net", str(out))
    assert (code, text) == (2, "")
    assert "net.onnx takes planes encoded as 'katago-v7'; this program encodes them as" in err


def test_a_net_of_leela_zero_is_imported(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    source, out = tmp_path / "weights.txt", tmp_path / "net.onnx"
    source.write_bytes(RandomLeela(5, 2, 6, version=2).file(zipped=False))
    code, text, err = run(capsys, "import", str(source), "--out", str(out))
    assert (code, err) == (0, "")
    size = out.stat().st_size / 1024
    assert text == f"{out}: Leela Zero's net weights.txt, version 2, 2 blocks of 6 channels, 5 x 5, {size:.0f} KiB\n"
    assert read_net_info(out).encoding == "leela-zero"


def test_a_net_whose_answers_are_no_numbers_is_not_written(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    net = RandomNet(9)
    net.policy["p1"]["w"][:] = 3e38
    source, out = tmp_path / "net.bin.gz", tmp_path / "net.onnx"
    source.write_bytes(net.file())
    out.write_bytes(b"the net of yesterday")
    code, text, err = run(capsys, "import", str(source), "--out", str(out))
    assert (code, text) == (2, "")
    assert err.endswith("net.bin.gz' is damaged or not a net: its answers are not numbers\n")
    assert out.read_bytes() == b"the net of yesterday"


@pytest.mark.parametrize(
    ("words", "quoted"),
    [
        (
            ["export", "NET", "--out", "OUT", "--precision", "int4"],
            "--precision is 'int4'; it must be one of fp32, int8",
        ),
        (
            ["export", "NET", "--out", "NET/x.onnx", "--precision", "fp16", "--device", "cpu"],
            "NET/x.onnx' cannot be wri",
        ),
        (["export", "NET", "--out", "NET.txt"], ".onnx.txt'; the name of a net file ends in .onnx"),
        (["export", "JUNK", "--out", "OUT", "--precision", "int8"], "is not an ONNX file, or is damaged"),
        (
            ["import", "JUNK", "--game", "tictactoe", "--out", "OUT"],
            "is not an ONNX file, or is damaged",
        ),
        (["import", "NET", "--out", "OUT"], "is a net of this program already and needs no recipe"),
        (["import", "OTHER", "--out", "OUT"], "is an ONNX file; name its game with --game, or give a --recipe"),
        (["import", "CUT", "--out", "OUT"], "CUT' is damaged or not a net: it ends too early"),
        (["import", "NONE", "--out", "OUT"], "does not exist; give the path of a net file"),
        (["import", "PICKLE", "--game", GAME.text, "--out", "OUT"], "is not an ONNX file, or is damaged"),
    ],
)
def test_a_mistake_is_one_sentence(
    capsys: pytest.CaptureFixture[str], net: Path, tmp_path: Path, words: list[str], quoted: str
) -> None:
    (tmp_path / "junk.onnx").write_bytes(b"junk")
    (tmp_path / "best_policy.model2").write_bytes(pickle.dumps([np.ones(3, np.float32)], 2))
    katago = RandomNet(9).file()
    (tmp_path / "katago").write_bytes(katago)
    (tmp_path / "cut").write_bytes(katago[: len(katago) // 2])
    places = {
        "KATAGO": tmp_path / "katago",
        "CUT": tmp_path / "cut",
        "NET": net,
        "JUNK": tmp_path / "junk.onnx",
        "OTHER": linear(tmp_path / "other.onnx", ["batch", 4, 4], 16)[0],
        "PICKLE": tmp_path / "best_policy.model2",
    }
    places |= {"OUT": tmp_path / "out.onnx", "NONE": tmp_path / "none"}

    def placed(text: str) -> str:
        for name, place in places.items():
            text = text.replace(name, str(place))
        return text

    code, out, err = run(capsys, *map(placed, words))
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert placed(quoted) in err
    assert not (tmp_path / "out.onnx").exists()


def test_a_net_in_8_bits_is_not_converted_again(capsys: pytest.CaptureFixture[str], net: Path, tmp_path: Path) -> None:
    lower = tmp_path / "lower.onnx"
    assert run(capsys, "export", str(net), "--out", str(lower), "--precision", "fp16", "--device", "cpu")[0] == 0
    code, _, err = run(capsys, "export", str(lower), "--out", str(tmp_path / "b.onnx"), "--precision", "int8")
    assert code == 2
    assert "is in fp16 already; only a net in fp32 can be converted" in err


def test_a_net_file_is_copied_and_measured(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (net,) = nets_dir().glob("tictactoe-*.onnx")
    out = tmp_path / "copy.onnx"
    code, text, err = run(capsys, "export", str(net), "--out", str(out), "--device", "cpu")
    assert code == 0, err
    assert out.read_bytes() == net.read_bytes()
    assert "positions/s" in text
