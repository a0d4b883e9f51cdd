"""The choice of a runtime by a trial: speed, answers, memory, refusals; with scripted runtimes and a scripted clock."""

import importlib.util
import json
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import onnxruntime as ort
import pytest

from core.games import load_game
from core.text import Text
from models.netfiles import checked, opened, runtime_choice, runtimes
from models.netfiles import evaluator as evaluators
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.ort_session import BadNet
from models.netfiles.runtime_choice import Tried
from models.netfiles.runtimes import ORT, OrtRuntime, missing_runtime
from models.netfiles.shipped import nets_dir
from tests.models.netfiles.foreign_nets import recipe
from tests.models.netfiles.test_evaluator import Write as Write
from tests.models.netfiles.test_evaluator import write as write

GAME = load_game("tictactoe")
NET = nets_dir() / "tictactoe-2x32.onnx"
ORT_SECONDS = 0.010  # of a batch, by the scripted clock


class Clock:
    """Time that passes only when a runtime evaluates a batch."""

    def __init__(self) -> None:
        self.now = 0.0

    def perf_counter(self) -> float:
        return self.now


class Scripted:
    """A runtime that takes ``seconds`` for a batch, and whose policy and value are ``off`` by so much."""

    def __init__(self, clock: Clock, path: Path, seconds: float, off: float = 0.0, fails: bool = False) -> None:
        self._clock, self._seconds, self._off, self.fails = clock, seconds, off, fails
        self._net = SESSION(path, ("policy", "value"), 1)
        self.batches: list[int] = []

    def run(self, inputs: Mapping[str, np.ndarray]) -> list[np.ndarray]:
        if self.fails:
            raise RuntimeError("no such layer\nin file x.cpp")
        policy, value = ORT_RUN(self._net, inputs)
        self.batches.append(len(value))
        self._clock.now += self._seconds
        shift = np.arange(1, policy.shape[1] + 1, dtype=np.float32) * self._off
        return [policy + shift, np.clip(value + self._off, -1, 1)]


SESSION, ORT_RUN = OrtRuntime, OrtRuntime.run


class Bench:
    """The runtimes of a scripted machine: name -> arguments of :class:`Scripted`, or the error that opening gives."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.has: dict[str, dict[str, Any] | Exception] = {}
        self.opened: list[tuple[str, Path]] = []
        self.made: dict[str, Scripted] = {}

    def open(self, name: str, path: Path, *_: Any) -> Scripted:
        self.opened.append((name, path))
        made = self.has[name]
        if isinstance(made, Exception):
            raise made
        self.made[name] = Scripted(self.clock, path, **made)
        return self.made[name]


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Bench:
    found = Bench()

    def timed(self: OrtRuntime, inputs: Mapping[str, np.ndarray]) -> Any:
        found.clock.now += ORT_SECONDS
        return ORT_RUN(self, inputs)

    monkeypatch.setattr(OrtRuntime, "run", timed)
    monkeypatch.setattr(runtime_choice, "open_runtime", found.open)
    monkeypatch.setattr(evaluators, "other_runtimes", lambda _: tuple(found.has))
    monkeypatch.setattr(evaluators, "missing_runtime", lambda name: "" if name in found.has else missing_runtime(name))
    monkeypatch.setattr(runtime_choice, "time", found.clock)
    for module in (runtime_choice, opened):
        monkeypatch.setattr(module, "user_cache_dir", lambda: tmp_path / "caches")
    return found


def load(runtime: str = "auto", path: Path = NET, **options: Any) -> OnnxEvaluator:
    return OnnxEvaluator(path, GAME, device="cpu", runtime=runtime, **options)


def test_the_fastest_with_the_same_answers_is_taken(bench: Bench) -> None:
    bench.has = {
        "openvino": {"seconds": ORT_SECONDS / 2},
        "openvino-bf16": {"seconds": ORT_SECONDS / 3, "off": 1e-4},
        "directml": {"seconds": ORT_SECONDS / 9, "off": 0.1},
    }
    found = load()
    assert (found.runtime, found.provider) == ("openvino-bf16", "CPU")
    assert found.description == "tictactoe-2x32.onnx, OpenVINO bf16 on CPU"
    assert found.provider_note.startswith("DirectML is not used: its answers differ: the best move stays as good in ")
    assert "and the value moves by 0.0" in found.provider_note
    tried = set(bench.made["openvino"].batches)
    assert tried == {8}  # that of a search
    policy, value = found.evaluate(GAME.initial().planes()[None])
    want = OnnxEvaluator(NET, GAME, device="cpu").evaluate(GAME.initial().planes()[None])
    np.testing.assert_allclose(policy - want[0], np.arange(1, 10)[None] * 1e-4, atol=1e-5)
    assert bench.made["openvino-bf16"].batches[-1] == len(value) == 1


def test_one_that_is_hardly_faster_is_not_taken(bench: Bench) -> None:
    bench.has = {"openvino": {"seconds": ORT_SECONDS / 1.04}}
    found = load()
    assert (found.runtime, found.description) == (ORT, "tictactoe-2x32.onnx on CPU")
    assert found.provider_note == "OpenVINO is not used: 1.04 times as fast here"
    bench.has = {"openvino-bf16": {"seconds": ORT_SECONDS / 1.06}}
    assert load().runtime == "openvino-bf16"


def test_answers_that_are_no_numbers_are_refused(bench: Bench) -> None:
    bench.has = {"openvino": {"seconds": 0.001, "off": float("inf")}}
    assert load().provider_note == "OpenVINO is not used: its answers are not numbers"
    bench.has = {"openvino-bf16": {"seconds": 0.001, "off": float("nan")}}
    assert "gave the value nan; values must lie from -1 to 1" in load().provider_note


def test_one_that_fails_is_not_taken(bench: Bench) -> None:
    bench.has = {"openvino": {"seconds": 0.001, "fails": True}, "directml": {"seconds": 0.001}}
    found = load()
    assert found.runtime == "directml"
    assert found.description == "tictactoe-2x32.onnx, DirectML on GPU"
    assert found.provider_note == "OpenVINO is not used: no such layer"
    bench.has = {"openvino": {"seconds": 0.001}}
    found = load()
    bench.made["openvino"].fails = True
    with pytest.raises(BadNet, match=r"^tictactoe-2x32\.onnx failed in OpenVINO: no such layer$"):
        found.evaluate(GAME.initial().planes()[None])


def test_a_net_that_openvino_cannot_read_stays_with_onnxruntime(bench: Bench) -> None:
    bench.has = {"openvino": BadNet("OpenVINO cannot read the net: unknown operation Foo")}
    for _ in range(2):  # not remembered, as a newer package may be repaired
        found = load()
        assert found.runtime == ORT
        assert found.provider_note == "OpenVINO is not used: OpenVINO cannot read the net: unknown operation Foo"
    assert len(bench.opened) == 2
    with pytest.raises(BadNet, match=r"^tictactoe-2x32\.onnx cannot run in OpenVINO: OpenVINO cannot read the net"):
        load("openvino")


def test_the_choice_is_remembered_by_net_machine_and_versions(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    bench.has = {"openvino": {"seconds": 0.001}, "openvino-bf16": {"seconds": 0.0005, "off": 0.3}}
    tries: list[int] = []
    trial = runtime_choice.try_runtimes
    monkeypatch.setattr(runtime_choice, "try_runtimes", lambda *given: tries.append(1) or trial(*given))
    keys: list[tuple[Any, ...]] = []
    recall = runtime_choice.recall
    monkeypatch.setattr(runtime_choice, "recall", lambda *given: keys.append(given) or recall(*given))
    first, second = load(), load()
    assert len(tries) == 1
    assert first.description == second.description
    assert "OpenVINO bf16 is not used: its answers differ" in second.provider_note
    assert second.provider_note == first.provider_note
    kept = runtime_choice.recall(*keys[0])
    assert isinstance(kept["openvino-bf16"].refused, Text)  # so that the window can translate it
    other = tmp_path / "other.onnx"
    other.write_bytes(NET.read_bytes())
    assert load(path=other).runtime == "openvino"
    assert len(tries) == 1  # the same contents
    for name, value in (("versions", lambda: ["onnxruntime 9"]), ("processor_name", lambda: "another")):
        monkeypatch.setattr(runtime_choice, name, value)
        load()
    assert len(tries) == 3
    load(threads=2)
    assert len(tries) == 4
    bench.has.pop("openvino-bf16")
    load()
    assert len(tries) == 5


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: "",
        lambda text: "{",
        lambda text: "[1, 2]",
        lambda text: text.replace('"ratio": 1', '"ratio": -1'),
        lambda text: text.replace('"ratio": 1', '"ratio": Infinity, "x": 1'),
        lambda text: text.replace('"refused": ""', '"refused": 3'),
        lambda text: text.replace('"openvino"', '"torch"'),
        lambda text: "[" * 100_000,
        lambda text: text + " " * (2 << 20),
    ],
)
def test_a_damaged_memory_is_tried_and_written_again(bench: Bench, spoil: Any) -> None:
    bench.has = {"openvino": {"seconds": 0.001}}
    load()
    path = runtime_choice._path()
    good = path.read_text()
    assert json.loads(good)
    path.write_text(spoil(good))
    assert len(bench.opened) == 1
    assert load().runtime == "openvino"
    assert len(bench.opened) == 2
    assert set(json.loads(good)) <= set(json.loads(path.read_text()))
    load()
    assert [name for name, _ in bench.opened] == ["openvino"] * 3  # remembered: opened once more to be used, not tried


def test_a_place_that_cannot_be_written_is_no_error(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.has = {"openvino": {"seconds": 0.001}}
    monkeypatch.setattr(runtime_choice, "user_cache_dir", lambda: NET / "below a file")
    assert load().runtime == "openvino"


def test_a_wanted_runtime_is_used_though_it_is_slower(bench: Bench) -> None:
    bench.has = {"openvino": {"seconds": 1.0}}
    found = load("openvino")
    assert (found.runtime, found.provider_note) == ("openvino", "")


def test_a_wanted_runtime_that_cannot_be_used_is_an_error(bench: Bench) -> None:
    for name, reason in {
        "openvino": "OpenVINO: the package openvino is not installed",
        "openvino-bf16": "OpenVINO bf16: the package openvino is not installed",
        "openvino-int8": "OpenVINO int8: the package openvino is not installed",
    }.items():
        with pytest.raises(BadNet, match=rf"^tictactoe-2x32\.onnx cannot run in {reason}$"):
            load(name)
    bench.has = {"openvino-bf16": {"seconds": 0.001, "off": 0.3}}
    with pytest.raises(BadNet, match=r"cannot run in OpenVINO bf16: its answers differ: the best move"):
        load("openvino-bf16")
    with pytest.raises(BadNet, match="runtime is 'tpu'; it must be one of auto, onnxruntime, openvino"):
        load("tpu")
    with pytest.raises(BadNet, match="runtime is 'openvino'; on CUDA it must be auto or onnxruntime"):
        OnnxEvaluator(NET, GAME, device="cuda", runtime="openvino")
    with pytest.raises(BadNet, match="runtime is 'directml', which does not run on the processor"):
        load("directml")


def test_8_bits_are_a_file_of_their_own_with_their_own_gate(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    bench.has = {"openvino-int8": {"seconds": 0.001}}
    made: list[Path] = []
    monkeypatch.setattr(runtime_choice, "as_int8", lambda path, game: made.append(path) or path)
    bench.has["openvino-int8"] = {"seconds": 0.001, "off": 0.01}  # twice what is accepted of the others
    assert load("openvino-int8").runtime == "openvino-int8"
    assert made
    bench.has = {"openvino": {"seconds": 0.001, "off": 0.01}}
    assert "its answers differ" in load().provider_note


def test_8_bits_are_made_once_and_refused_for_nets_of_others(bench: Bench, write: Write, tmp_path: Path) -> None:
    first = opened.as_int8(NET, GAME)
    stamp = first.stat().st_mtime_ns
    assert opened.as_int8(NET, GAME) == first
    assert first.stat().st_mtime_ns == stamp
    assert opened.net_info(first).precision == "int8"
    for path in (first, write(None, name="foreign.onnx")):
        with pytest.raises(BadNet, match=r"^only nets of Plyscope in float32 can be converted to 8 bits$"):
            opened.as_int8(path, GAME)


def test_no_other_runtime_reads_a_file_before_it_passed_the_guarded_run(
    bench: Bench, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.has = {"openvino": {"seconds": 0.001}}
    path = write(None, name="foreign.onnx")
    passed: list[Path] = []

    def check(path: Path, *_: Any) -> None:
        assert not bench.opened
        passed.append(path)
        raise BadNet("it takes longer than 60 s")

    monkeypatch.setattr(checked, "check_run", check)
    for runtime in ("auto", "openvino"):
        with pytest.raises(BadNet, match="takes longer"):
            load(runtime, path, recipe=recipe())
    assert passed == [path, path]
    assert not bench.opened


def test_without_a_second_runtime_nothing_is_tried_or_written(bench: Bench) -> None:
    found = load()
    assert (found.runtime, found.provider_note) == (ORT, "")
    assert not runtime_choice._path().exists()


def test_onnxruntime_is_the_default_and_tries_nothing(bench: Bench) -> None:
    bench.has = {"openvino": {"seconds": 0.001}}
    assert OnnxEvaluator(NET, GAME, device="cpu").runtime == ORT
    assert not bench.opened


def test_the_reasons_of_a_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    assert missing_runtime(ORT) == ""
    assert runtimes.other_runtimes("cpu") == ()
    monkeypatch.setattr(runtimes, "sys", SimpleNamespace(platform="linux"))
    assert missing_runtime("directml") == "it is a part of Windows"
    assert missing_runtime("coreml") == "it is a part of macOS"
    monkeypatch.setattr(runtimes, "sys", SimpleNamespace(platform="win32"))
    monkeypatch.setattr(ort, "get_available_providers", lambda: ["CPUExecutionProvider"])
    assert missing_runtime("directml") == "this onnxruntime is built without it"
    monkeypatch.setattr(ort, "get_available_providers", lambda: ["DmlExecutionProvider"])
    assert missing_runtime("directml") == ""
    assert runtimes.other_runtimes("auto") == ("directml",)
    assert runtimes.other_runtimes("cpu") == ()
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: object())
    monkeypatch.setattr(runtimes, "has_feature", lambda name: name == "avx512f")
    assert missing_runtime("openvino") == ""
    assert missing_runtime("openvino-bf16").startswith("this processor does not compute with 16 bits")
    assert runtimes.other_runtimes("cpu") == ("openvino",)
    monkeypatch.setattr(runtimes, "has_feature", lambda name: name == "amx-bf16")
    assert runtimes.other_runtimes("cpu") == ("openvino", "openvino-bf16")


def test_an_execution_provider_that_does_not_start_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """onnxruntime falls back to the processor without a word."""
    monkeypatch.setattr(runtimes, "missing_runtime", lambda _: "")
    silent = pytest.raises(BadNet, match="onnxruntime did not start it")
    with pytest.warns(UserWarning, match="DmlExecutionProvider"), silent:
        runtimes.open_runtime("directml", NET, ("policy", "value"), 1, None)


def test_only_the_latest_trials_are_remembered(bench: Bench) -> None:
    for number in range(runtime_choice._MOST_REMEMBERED + 3):
        runtime_choice.remember(str(number), {"openvino": Tried(1.5, "")})
    assert runtime_choice.recall("2", ["openvino"]) is None
    assert runtime_choice.recall("3", ["openvino"]) == {"openvino": Tried(1.5, "")}
    assert runtime_choice.recall("3", ["openvino", "directml"]) is None
