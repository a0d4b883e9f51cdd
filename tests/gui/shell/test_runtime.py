"""The choice of what evaluates nets, in the window."""

import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from pytestqt.qtbot import QtBot

from core.games import load_game
from gui.model import sources
from gui.model.sources import NetSource, UniformSource, net_source
from gui.widgets.preferences import RUNTIMES, Preferences
from gui.window import MainWindow
from models.netfiles import runtimes
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.ort_session import BadNet
from models.netfiles.shipped import default_net

GAME = load_game("tictactoe")
NET = default_net(GAME)
assert NET is not None


@pytest.fixture(autouse=True)
def _usual_runtime(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "_runtime", "auto")


def kept_in(folder: Path) -> QSettings:
    return QSettings(str(folder / "kept.ini"), QSettings.Format.IniFormat)


def chosen(window: MainWindow) -> list[str]:
    return [name for name in RUNTIMES if window.context.actions[f"runtime_{name}"].isChecked()]


def test_every_runtime_of_a_system_can_be_chosen_there() -> None:
    others = {"win32": "coreml", "darwin": "directml"}.get(sys.platform, "directml coreml").split()
    assert set(RUNTIMES) == set(runtimes.RUNTIMES) - set(others)


def test_a_choice_takes_the_open_net_along_and_is_remembered(qtbot: QtBot, tmp_path: Path) -> None:
    window = MainWindow(theme="dark", preferences=Preferences(kept_in(tmp_path)))
    qtbot.addWidget(window)
    window.state.open_position(GAME.initial(), net_source(NET))
    assert chosen(window) == ["auto"]
    before = window.state.source
    with qtbot.waitSignal(window.state.search_changed):
        window.context.actions["runtime_onnxruntime"].trigger()
    source = window.state.source
    assert isinstance(source, NetSource)
    assert (source.path, source.runtime) == (NET, "onnxruntime")
    assert source.label != before.label  # a tree holds the answers of one runtime
    assert net_source(NET) == source
    evaluator = source.load(GAME)
    assert isinstance(evaluator, OnnxEvaluator)
    assert evaluator.runtime == "onnxruntime"
    assert chosen(window) == ["onnxruntime"]
    window.state.set_source(UniformSource())
    window.context.actions["runtime_openvino"].trigger()
    assert window.state.source == UniformSource()
    window.close()
    again = MainWindow(theme="dark", preferences=Preferences(kept_in(tmp_path)))
    qtbot.addWidget(again)
    assert chosen(again) == ["openvino"]
    with pytest.raises(BadNet, match="cannot run in OpenVINO: the package openvino is not installed"):
        net_source(NET).load(GAME)


@pytest.mark.parametrize("spoilt", ["", "tpu", "[]"])
def test_an_unknown_choice_is_the_fastest(tmp_path: Path, spoilt: str) -> None:
    kept = kept_in(tmp_path)
    kept.setValue("runtime", spoilt)
    assert Preferences(kept).runtime == "auto"
