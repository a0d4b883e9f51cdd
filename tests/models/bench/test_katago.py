"""The benchmark beside KataGo, whose program is a script here that prints what KataGo's own benchmark does."""

import stat
import sys
from pathlib import Path

import pytest

from models.bench import katago
from tests.models.netfiles.katago_nets import RandomNet


@pytest.fixture
def net(tmp_path: Path) -> Path:
    path = tmp_path / "net.bin.gz"
    path.write_bytes(RandomNet(8).file())
    return path


def program(tmp_path: Path, printed: str) -> Path:
    """A program that keeps its arguments and its configuration, and prints."""
    path = tmp_path / "katago"
    path.write_text(
        f"#!{sys.executable}\nimport pathlib, sys\n"
        f"here = pathlib.Path({str(tmp_path)!r})\n"
        "(here / 'arguments').write_text(' '.join(sys.argv[1:]))\n"
        "(here / 'config').write_text(pathlib.Path(sys.argv[sys.argv.index('-config') + 1]).read_text())\n"
        f"print({printed!r})\n"
    )
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def test_both_sides_are_printed(net: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = "numSearchThreads =  1: 10 / 10 positions, visits/s = 85.1 nnEvals/s = 0.50 nnBatches/s = 0.5"
    made = program(tmp_path, line)
    assert katago.main([str(made), str(net), "--sizes", "5", "--visits", "8", "--rounds", "1"]) == 0
    row = capsys.readouterr().out.splitlines()[-1].split()
    assert row[:3] == ["5×5", "1", "onnxruntime"]
    assert row[4] == "0"  # half an evaluation a second
    ours, ratio = (float(cell.replace(",", "")) for cell in (row[3], row[5]))
    assert ratio == pytest.approx(2 * ours, rel=0.2)
    arguments = (tmp_path / "arguments").read_text()
    assert arguments.startswith(f"benchmark -model {net} ")
    assert arguments.endswith("-boardsize 5 -t 1 -v 8 -n 10")
    assert "maxVisits = 8\nnumSearchThreads = 1" in (tmp_path / "config").read_text()


@pytest.mark.parametrize("printed", ["", "Could not find key"])
def test_a_program_that_prints_no_rate(
    net: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], printed: str
) -> None:
    assert katago.main([str(program(tmp_path, printed)), str(net), "--sizes", "5", "--visits", "8"]) == 1
    assert f"KataGo's benchmark printed no rate: {printed or 'nothing'}" in capsys.readouterr().err


def test_a_program_that_is_not_there(net: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert katago.main([str(tmp_path / "no"), str(net), "--sizes", "5", "--visits", "8"]) == 1
    assert "KataGo could not be measured" in capsys.readouterr().err
