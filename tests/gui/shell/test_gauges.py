"""Tests of the gauges: the net's device and warnings about it, the memory bar, the frame time."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from gui.shell.gauges import CPU, FALLEN, FULL_SHARE, GPU, NO_DRIVER, NOTHING, FrameMeter, ProviderLight, provider_kind
from gui.widgets.theme import DARK, current_theme
from gui.window import MainWindow
from models.netfiles import gpu_memory
from models.netfiles.cuda import missing_gpu
from models.netfiles.gpu_memory import GpuMemory
from tests.gui.fakes import FakeAnalysis, counters


@pytest.mark.parametrize(
    ("evaluator", "note", "kind"),
    [
        ("net.onnx on CUDA", "", GPU),
        ("net.onnx on CPU", "", CPU),
        ("net.onnx on CPU", "no NVIDIA driver found (libcuda.so.1 does not load)", CPU),
        ("net.onnx on CPU", "this onnxruntime is built without CUDA", FALLEN),
        ("net on CUDA.onnx on CPU", "the net does not run on the GPU: out of memory", FALLEN),
        ("net.onnx, OpenVINO bf16 on CPU", "no NVIDIA driver found; OpenVINO is not used: slow", CPU),
        ("net.onnx, DirectML on GPU", "", GPU),
        ("random rollouts on CPU, 2 threads", "", CPU),
        ("uniform prior, value 0", "", NOTHING),
    ],
)
def test_provider_kind_follows_evaluator_and_note(evaluator: str, note: str, kind: str) -> None:
    assert provider_kind(evaluator, note) == kind


def test_a_machine_without_a_gpu_is_recognised_by_the_evaluators_note() -> None:
    found = missing_gpu()
    assert found == "" or found.startswith(NO_DRIVER) or "without CUDA" in found


def test_an_amber_provider_light_names_the_reason(qtbot: QtBot) -> None:
    light = ProviderLight()
    qtbot.addWidget(light)
    light.set_evaluator("net.onnx on CPU", "")
    plain = light.sizeHint().width()
    light.set_evaluator("net.onnx on CPU", "this onnxruntime is built without CUDA")
    assert "The GPU was asked for" in light.toolTip()
    assert "This onnxruntime is built without CUDA." in light.toolTip().replace("\n", " ")
    assert light.sizeHint().width() > plain  # with its text
    light.resize(light.sizeHint())
    image = light.grab().toImage()
    colours = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
    assert DARK.warn in colours


def test_the_provider_light_names_the_runtime(qtbot: QtBot) -> None:
    light = ProviderLight()
    qtbot.addWidget(light)
    light.set_evaluator("a, b.onnx, OpenVINO bf16 on CPU", "no NVIDIA driver found")
    assert light.toolTip() == "The net runs on the processor. OpenVINO bf16 evaluates it. No NVIDIA driver found."
    light.set_evaluator("net.onnx on CPU", "")
    assert light.toolTip() == "The net runs on the processor."


def test_the_strip_shows_the_light_and_the_gauge(qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis) -> None:
    analysis.publish(1000)
    qtbot.waitUntil(lambda: bool(window.views.status.text("memory")))
    assert window.views.status.provider.kind == CPU
    assert "processor" in window.views.status.provider.toolTip()
    assert window.views.status.gauge.share == pytest.approx(3 / 512)
    assert "the bar" in window.views.status.gauge.toolTip()


def test_the_memory_gauge_warns_when_nearly_full(qtbot: QtBot, window: MainWindow) -> None:
    full = replace(counters(1000), bytes_used=500 << 20, bytes_budget=512 << 20)
    window.views.status.set_counters(full)
    gauge = window.views.status.gauge
    assert gauge.share > FULL_SHARE
    image = gauge.grab().toImage()
    assert image.pixelColor(1, image.height() - 1).name() == current_theme().warn
    window.views.status.set_counters(counters(1000))
    image = gauge.grab().toImage()
    assert image.pixelColor(image.width() - 2, image.height() - 1).name() == current_theme().line


def test_the_gpus_memory_is_shown_while_a_net_runs_there(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = [GpuMemory(3 << 30, 80 << 30)]
    monkeypatch.setattr(gpu_memory.MemoryReader, "read", lambda _: found[0])
    status = window.views.status
    status.set_evaluator("net.onnx on CUDA")
    qtbot.waitUntil(lambda: status.text("gpu") == "GPU 3.0 GB of 80.0 GB")
    assert status._gauge("gpu").share == pytest.approx(3 / 80)
    assert status.provider.toolTip() == (
        "The net runs on the GPU.\nGPU 3.0 GB of 80.0 GB. That is the memory in use by all programs together."
    )
    status.set_counters(None)
    assert status.text("gpu")
    status.set_evaluator("net.onnx on CPU")
    assert status.text("gpu") == ""
    assert status.provider.toolTip() == "The net runs on the processor."
    found[0] = None
    status.set_evaluator("net.onnx on CUDA")
    qtbot.waitUntil(lambda: not status.gpu._working)
    assert status.text("gpu") == ""
    assert not status.gpu._reads.isActive(), "where it cannot be read nobody asks again"
    status.set_evaluator("net.onnx, DirectML on GPU")
    assert not status.gpu._watching


def test_an_unmeasured_depth_is_a_dash(qtbot: QtBot, window: MainWindow) -> None:
    window.views.status.set_counters(counters(1000))
    assert window.views.status.text("depth") == "depth 9.0 / 31 plies"
    window.views.status.set_counters(replace(counters(1000), depth=0, mean_depth=0.0))
    assert window.views.status.text("depth") == "depth –"


def test_every_number_has_its_unit(qtbot: QtBot, window: MainWindow) -> None:
    window.views.status.set_frame(6.4)
    window.views.status.set_counters(counters(1000))
    window.views.status._show_gpu(GpuMemory(3 << 30, 80 << 30))
    window.views.status.set_machine("server · 88 ms · 30/s · 888 kB/s", "What searches.", connected=True)
    for name, label in window.views.status._parts.items():
        assert re.search(r"(/s|%|nodes|MB|GB|plies|ms|/batch)$", label.text()), name
        assert label.toolTip().endswith((".", "share.")), name


def test_a_lost_connection_shows_no_speed(window: MainWindow) -> None:
    status = window.views.status
    status.set_counters(counters(1000))
    shown = status.text("sims")
    assert shown != "– sims/s"
    status.set_machine("server: no connection", "", connected=False)
    assert [status.text(name) for name in ("sims", "evals", "batch", "cache")] == [
        "– sims/s", "– evals/s", "– pos/batch", "cache –",
    ]  # fmt: skip
    status.set_counters(counters(1000))
    assert status.text("sims") == "– sims/s"
    status.set_machine("server · 88 ms · 30/s · 888 kB/s", "", connected=True)
    status.set_counters(counters(1000))
    assert status.text("sims") == shown


def test_the_time_of_a_frame_is_the_longest_of_the_last_second(window: MainWindow) -> None:
    meter = window.findChild(FrameMeter)
    assert isinstance(meter, FrameMeter)
    meter._frames.clear()
    assert meter.longest_ms is None
    meter.add(10.0, 0.040)
    meter.add(10.9, 0.005)
    assert meter.longest_ms == pytest.approx(40.0)
    meter.add(11.1, 0.007)
    assert meter.longest_ms == pytest.approx(7.0)


def test_real_frames_are_measured_and_shown(qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis) -> None:
    meter = window.findChild(FrameMeter)
    assert isinstance(meter, FrameMeter)
    meter._frames.clear()
    window.room.board.update()
    qtbot.waitUntil(lambda: meter.longest_ms is not None)
    analysis.publish(1000)
    analysis.finish()
    qtbot.waitUntil(lambda: bool(re.search(r"up to \d+ ms", window.views.status._parts["sims"].toolTip())))
