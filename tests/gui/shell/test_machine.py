"""The choice of the machine that searches, in the window."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.engine import Analysis
from gui.shell.machine import ELSEWHERE, HERE
from gui.window import MainWindow
from models.cluster import remote, server
from models.cluster.remote import RemoteAnalysis
from models.cluster.versions import Version
from tests.models.cluster.far_end import FarEnd


@pytest.fixture
def far_end(monkeypatch: pytest.MonkeyPatch) -> Iterator[FarEnd]:
    monkeypatch.setattr(server, "HOLD_S", 0.05)
    monkeypatch.setattr(remote, "RETRIES_S", (0.0,))
    far_end = FarEnd()
    yield far_end
    far_end.close()


def go_to(window: MainWindow, far_end: FarEnd, qtbot: QtBot) -> None:
    window.commands.machine.open = lambda address: RemoteAnalysis(address, far_end.command)
    window.commands.machine.search_on("me@server")
    qtbot.waitUntil(lambda: window.commands.machine.away)
    window.state.set_limit(1200)


def searched(window: MainWindow) -> bool:
    present = window.session.present
    return present is not None and bool(present.reason) and not window.session.searching


def test_the_tree_of_another_machine_is_shown_and_the_own_one_comes_back(
    real_window: MainWindow, far_end: FarEnd, qtbot: QtBot
) -> None:
    window, session = real_window, real_window.session
    qtbot.waitUntil(lambda: searched(window))
    own, simulations = session.analysis, session.present.simulations
    go_to(window, far_end, qtbot)
    qtbot.waitUntil(lambda: searched(window) and session.present.simulations == 1200)
    assert session.analysis is not own
    assert isinstance(own, Analysis)
    assert own.latest().simulations == simulations  # it rests
    assert window.views.tree.nodes.position == session.present.position
    qtbot.waitUntil(lambda: " ms · " in window.views.status.text("machine"))
    assert window.context.actions[ELSEWHERE].isChecked()
    assert (window.context.preferences.cluster, window.context.preferences.elsewhere) == ("me@server", True)
    window.commands.filing.save_tree(Path("tree.npz"))
    assert "on another machine" in window.banner.text
    window.context.actions[HERE].trigger()
    assert session.analysis is own
    assert window.views.status.text("machine") == ""
    assert not window.context.preferences.elsewhere
    qtbot.waitUntil(lambda: searched(window) and session.present.simulations == 1200)


def test_a_lost_connection_is_said_and_the_search_goes_on(
    real_window: MainWindow, far_end: FarEnd, qtbot: QtBot
) -> None:
    go_to(real_window, far_end, qtbot)
    qtbot.waitUntil(lambda: searched(real_window) and real_window.session.present.simulations == 1200)
    with qtbot.waitSignal(real_window.session.lost, check_params_cb=lambda text: "began anew" in text):
        far_end.lose()
    assert real_window.session.present.simulations == 1200
    real_window.state.set_limit(1300)
    qtbot.waitUntil(lambda: searched(real_window) and real_window.session.present.simulations == 1300)
    assert real_window.commands.machine.away


def test_rubbish_is_said_and_this_machine_searches_on(real_window: MainWindow, far_end: FarEnd, qtbot: QtBot) -> None:
    own = real_window.session.analysis
    go_to(real_window, far_end, qtbot)
    far_end.links[-1].sendall(b"\xff" * 64)
    qtbot.waitUntil(lambda: real_window.session.analysis is own)
    assert "sent something that cannot be read" in real_window.banner.text
    assert real_window.context.actions[HERE].isChecked()


def test_a_machine_that_does_not_fit_is_refused_in_a_sentence(
    real_window: MainWindow, far_end: FarEnd, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "own_version", lambda module: Version("9.9", "other"))
    real_window.commands.machine.open = lambda address: RemoteAnalysis(address, far_end.command)
    own = real_window.session.analysis
    real_window.commands.machine.search_on("me@server")
    assert real_window.views.status.text("machine").startswith("connecting to me@server")
    qtbot.waitUntil(lambda: "install the same on both" in real_window.banner.text)
    assert real_window.session.analysis is own
    assert real_window.context.actions[HERE].isChecked()


def test_a_program_that_is_not_there_is_said(real_window: MainWindow, qtbot: QtBot) -> None:
    real_window.commands.machine.open = lambda address: RemoteAnalysis(address, ("sh", "-c", "exit 127"))
    real_window.commands.machine.search_on("me@server")
    qtbot.waitUntil(lambda: "say where it is, as in ssh://me@server/opt/plyscope" in real_window.banner.text)
    assert not real_window.commands.machine.away
