"""The bench of a GPU: a whole run on the stand-in, what is left out and why, and no GPU."""

import ctypes
import json
import re
import shutil
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from core.games import load_game
from measure import gpu as bench_gpu
from measure import gpu_devices, gpu_measures, gpu_serving
from measure.gpu import Pages
from measure.gpu_devices import FP16, FP32, TORCH, Cuda, Fake
from measure.gpu_measures import size_of
from measure.gpu_messages import message_rows
from models.netfiles.evaluator import OnnxEvaluator, default_net
from models.netfiles.net_file import read_net_info
from models.netfiles.ort_session import BadNet

TTT = load_game("tictactoe")
NET = default_net(TTT)


def tiny(monkeypatch: pytest.MonkeyPatch, folder: Path) -> list[str]:
    """The least that every table has a row; one net comes with the program, and the untrained one is a copy of it."""
    assert NET is not None
    (folder / "nets").mkdir()
    shutil.copy(NET, folder / "nets")
    monkeypatch.setattr(gpu_measures, "nets_dir", lambda: folder / "nets")
    monkeypatch.setattr(bench_gpu, "write_untrained", lambda game, blocks, channels, path: shutil.copy(NET, path))
    for name, value in (
        *(("SEARCH_BATCHES", (8,)), ("COLLECTORS", (1, 2)), ("LEARNER_BATCHES", (4,))),
        *(("_COMPARED", 8), ("_PLAY_TIMES", 60)),
    ):
        monkeypatch.setattr(gpu_measures, name, value)
    monkeypatch.setattr(gpu_serving, "SERVED_GAMES", (4,))
    monkeypatch.setattr(gpu_serving, "RAW_BATCH", 8)
    words = "--game tictactoe --size 1x8 --batch 2 --batch 8 --seconds 0.005 --games 4"
    return [*words.split(), "--out", str(folder / "out")]


@pytest.mark.slow
def test_a_complete_benchmark_on_the_fake_device(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bench_gpu.main([*tiny(monkeypatch, tmp_path), "--fake"]) == 0
    found = json.loads((tmp_path / "out" / "bench-gpu.json").read_text())
    assert list(found) == [
        *("machine", "answers", "rates", "search", "collectors", "selfplay", "learner"),
        *("plans", "served", "run", "says"),
    ]
    assert all(
        found[name]["left_out"] == [] for name in ("answers", "rates", "search", "collectors", "selfplay", "says")
    )
    for name in ("learner", "plans", "served", "run"):
        assert all(": not here: " in reason for reason in found[name]["left_out"])
        assert found[name]["left_out"]
    assert [(row["by"], row["games"]) for row in found["served"]["rows"]] == [("torch, no graphs", 4)]
    assert found["served"]["rows"][0]["evaluations"] > 0
    assert [row["by"] for row in found["plans"]["rows"]] == ["torch, no graphs"]
    assert [(row["kind"], row["same"]) for row in found["answers"]["rows"]] == [(FP32, 1.0), (FP16, 1.0), (TORCH, 1.0)]
    # 0.3 ms a batch at least
    assert all(0 < row["2"] <= 2 / 0.0003 and 0 < row["8"] <= 8 / 0.0003 for row in found["rates"]["rows"])
    assert [(row["kind"], row["batch"], row["flight"]) for row in found["search"]["rows"]] == [
        (kind, 8, flight) for kind in (FP32, TORCH) for flight in (1, 2)
    ]
    assert [(row["kind"], row["collectors"]) for row in found["collectors"]["rows"]] == [
        (kind, count) for kind in (FP32, TORCH) for count in (1, 2)
    ]
    searched = [*found["search"]["rows"], *found["collectors"]["rows"]]
    assert all(row["evaluations"] > 0 and row["share"] > 0 for row in searched)
    assert {row["threads"] for row in found["selfplay"]["rows"]} >= {1}
    assert found["learner"]["rows"][0]["steps"] > 0
    answers = {row["asked"]: row["answer"] for row in found["says"]["rows"]}
    assert answers["`--device cuda`"] == "fake on CUDA"
    assert answers["the light in the window"] == "gpu"
    assert (
        answers["out of memory while a net works"] == "untrained-1x8.onnx failed on the GPU: the GPU's memory is full"
    )
    page = (tmp_path / "out" / "bench-gpu.md").read_text()
    tables = [part.splitlines() for part in re.findall(r"(?:^\|.*\n)+", page, re.M)]
    assert len(tables) == 10
    for table in tables:
        assert len({line.count("|") for line in table}) == 1
    assert "what the program says" in capsys.readouterr().out


def test_without_time_every_part_is_skipped_with_the_reason(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert bench_gpu.main([*tiny(monkeypatch, tmp_path), "--fake", "--minutes", "0"]) == 0
    found = json.loads((tmp_path / "out" / "bench-gpu.json").read_text())
    assert all(found[name] == {"rows": [], "left_out": ["the time was over"]} for name in found if name != "machine")


def test_failed_measurements_are_reported_once_and_the_rest_continues(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = Pages(tmp_path, time.perf_counter() + 60.0, ["a machine"])

    def rows():
        yield "fp16: it is not finite"
        yield {"a": 0.25, "b": float("nan")}
        yield "fp16: it is not finite"
        raise RuntimeError("the device fell off\nthe bus")

    pages.add("one", "one table", {"a": ("a", ".2f"), "b": ("b", ".1f")}, rows(), "a note")
    text = capsys.readouterr().out
    assert text.count("Left out: fp16: it is not finite") == 1
    assert "Left out: RuntimeError: the device fell off the bus" in text
    assert json.loads((tmp_path / "bench-gpu.json").read_text())["one"]["rows"] == [{"a": 0.25, "b": None}]
    assert "| 0.25 | - |" in (tmp_path / "bench-gpu.md").read_text()


def test_without_a_gpu_the_benchmark_ends_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def load(name: str, *_: object) -> None:
        raise OSError(f"{name}: cannot open shared object file")

    monkeypatch.setattr(ctypes, "CDLL", load)
    assert bench_gpu.main(["--out", str(tmp_path / "out")]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("bench-gpu: no NVIDIA driver found")
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
    assert bench_gpu.main([*words.split(), "--fake"]) == 2
    assert message in capsys.readouterr().err
    assert size_of("20x256") == (20, 256)


class Scripted(Fake):
    """A device whose program gives scripted answers."""

    def __init__(self, code: int, out: str, err: str) -> None:
        super().__init__()
        self._done = code, out, err

    def run(self, words: Sequence[str]) -> "subprocess.CompletedProcess[str]":
        return subprocess.CompletedProcess(list(words), *self._done)


def test_failing_commands_are_reported_with_their_message() -> None:
    assert NET is not None
    message = {row["asked"]: row["answer"] for row in message_rows(Scripted(2, "", "a\nplyscope: no\n"), TTT, NET, NET)}
    assert message["`--device cuda`"] == "exit code 2: plyscope: no"
    assert message["the light in the window"].startswith("JSONDecodeError: ")


def test_the_real_device_but_for_the_device(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Its facts, its nets in half the bits and in torch, and its commands, all on the processor."""
    assert NET is not None
    monkeypatch.setattr(gpu_devices, "missing_gpu", lambda: "")
    monkeypatch.setattr(gpu_devices, "nvidia_smi", lambda fields: ["A GPU", "80 GiB", "580.1"])
    device = Cuda()
    facts = device.facts()
    assert facts[0] == "A GPU, 80 GiB, driver 580.1"
    assert re.search(r"torch \d.*numba \d", facts[1])
    monkeypatch.setattr(
        gpu_devices, "OnnxEvaluator", lambda path, game, device: OnnxEvaluator(path, game, device="cpu")
    )
    net = tmp_path / "net.onnx"
    shutil.copy(NET, net)
    planes = TTT.initial().planes()[None]
    wanted = device.evaluator(FP32, net, TTT).evaluate(planes)
    half = device.evaluator(FP16, net, TTT)
    assert read_net_info(tmp_path / "net.fp16.onnx").precision == "fp16"
    np.testing.assert_allclose(half.evaluate(planes)[0], wanted[0], atol=0.05)
    torch_net = gpu_devices._net_of(net, TTT)
    from models.nets.net import TorchEvaluator

    np.testing.assert_allclose(
        TorchEvaluator(torch_net, device="cpu", bf16=False).evaluate(planes)[0], wanted[0], atol=1e-3
    )
    assert device.run(["-c", "print('hello')"]).stdout == "hello\n"
    with pytest.raises((ValueError, BadNet)):
        device.evaluator(FP32, tmp_path / "gone.onnx", TTT)
