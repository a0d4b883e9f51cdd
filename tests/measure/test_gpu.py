"""The bench of a GPU: a whole run on the processor, what is left out and why, and no GPU."""

import ctypes
import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.games import load_game
from measure import gpu
from models.netfiles.evaluator import default_net

NET = default_net(load_game("tictactoe"))


def tiny(monkeypatch: pytest.MonkeyPatch, folder: Path) -> list[str]:
    """The least that every table has a row; one net comes with the program, and the untrained one is a copy of it."""
    assert NET is not None
    (folder / "nets").mkdir()
    shutil.copy(NET, folder / "nets")
    monkeypatch.setattr(gpu, "nets_dir", lambda: folder / "nets")
    monkeypatch.setattr(gpu, "write_untrained", lambda game, blocks, channels, path: shutil.copy(NET, path))
    small = {"SEARCHES": ((8, 1, 1), (8, 2, 2)), "LEARNER_BATCHES": (4,), "SERVED_GAMES": (4,), "COMPARED": 8}
    for name, value in {**small, "PLAY_TIMES": 60}.items():
        monkeypatch.setattr(gpu, name, value)
    words = "--device cpu --game tictactoe --size 1x8 --batch 2 --batch 8 --seconds 0.005 --games 4"
    return [*words.split(), "--out", str(folder / "out")]


@pytest.mark.slow
def test_a_whole_benchmark_on_the_processor(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert gpu.main(tiny(monkeypatch, tmp_path)) == 0
    tables = json.loads((tmp_path / "out" / "bench-gpu.json").read_text())
    assert tables.pop("machine")
    assert all(table["rows"] and not table["left_out"] for table in tables.values())
    for title, figure in (("answers beside the processor's", "same"), ("the nets alone", "8")):
        assert all(row[figure] > 0 for row in tables[title]["rows"])
    for title in ("search of one tree", "self-play by the inference server"):
        assert all(row["evaluations"] > 0 for row in tables[title]["rows"])
    said = {row["size"]: row["answer"] for row in tables["what the program says"]["rows"]}
    assert said["`--device cpu`"].endswith(" on CPU")
    page = (tmp_path / "out" / "bench-gpu.md").read_text()
    assert all(f"## {title[0].upper()}{title[1:]}" in page for title in tables)


def test_without_time_every_part_is_skipped_with_the_reason(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert gpu.main([*tiny(monkeypatch, tmp_path), "--minutes", "0"]) == 0
    tables = json.loads((tmp_path / "out" / "bench-gpu.json").read_text())
    del tables["machine"]
    assert all(table == {"rows": [], "left_out": ["the time was over"]} for table in tables.values())


def test_failed_measurements_are_reported_once_and_the_rest_continues(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = gpu.Pages(tmp_path, time.perf_counter() + 60.0, ["a machine"])

    def rows() -> Iterator[gpu.Row | str]:
        yield "fp16: it is not finite"
        yield {"a": 0.25, "b": float("nan")}
        yield "fp16: it is not finite"
        raise RuntimeError("the device fell off\nthe bus")

    pages.add("one table", {"a": ("a", ".2f"), "b": ("b", ".1f")}, rows(), "a note")
    text = capsys.readouterr().out
    assert text.count("Left out: fp16: it is not finite") == 1
    assert "Left out: RuntimeError: the device fell off the bus" in text
    assert json.loads((tmp_path / "bench-gpu.json").read_text())["one table"]["rows"] == [{"a": 0.25, "b": None}]
    assert "| 0.25 | - |" in (tmp_path / "bench-gpu.md").read_text()


def test_without_a_gpu_the_benchmark_ends_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def load(name: str, *_: object) -> None:
        raise OSError(f"{name}: cannot open shared object file")

    monkeypatch.setattr(ctypes, "CDLL", load)
    assert gpu.main(["--out", str(tmp_path / "out")]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("bench-gpu: no NVIDIA driver found")
    assert err.count("\n") == 1
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--size large", "--size is 'large'; it must be blocks x channels, such as 10x128"),
        ("--batch 0", "--batch is 0; it must be at least 1"),
        ("--game chess", "'chess'"),
    ],
)
def test_bad_options(words: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert gpu.main([*words.split(), "--device", "cpu"]) == 2
    assert message in capsys.readouterr().err
