"""The choice of the machine that searches, in the window."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.engine import Analysis
from gui.shell.machine import CLUSTER, HERE
from gui.window import MainWindow
from models.cluster import courier, link, remote_client
from models.cluster.remote_client import RemoteClient
from models.cluster.shown import own_versions
from tests.models.cluster.wire import Cluster


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Cluster]:
    monkeypatch.setattr(courier, "HOLD_S", 0.02)
    monkeypatch.setattr(remote_client, "RETRIES_S", (0.0,))
    found = Cluster()
    yield found
    found.close()


def go_to(window: MainWindow, cluster: Cluster, qtbot: QtBot) -> None:
    window.commands.machine.open_client = lambda address: RemoteClient(address, cluster.open)
    window.commands.machine.search_on("server:6379")
    qtbot.waitUntil(lambda: window.commands.machine.away)
    window.state.set_limit(1200)


def searched(window: MainWindow) -> bool:
    present = window.session.present
    return present is not None and bool(present.reason) and not window.session.searching


def test_the_tree_of_another_machine_is_shown_and_the_own_one_comes_back(
    real_window: MainWindow, cluster: Cluster, qtbot: QtBot
) -> None:
    window, session = real_window, real_window.session
    qtbot.waitUntil(lambda: searched(window))
    own, simulations = session.analysis, session.present.simulations
    go_to(window, cluster, qtbot)
    qtbot.waitUntil(lambda: searched(window) and session.present.simulations == 1200)
    assert session.analysis is not own
    assert isinstance(own, Analysis)
    assert own.latest().simulations == simulations  # it rests
    assert window.views.moves.moves.position == session.present.position
    qtbot.waitUntil(lambda: " ms · " in window.views.status.text("machine"))
    assert window.context.actions[CLUSTER].isChecked()
    assert (window.context.preferences.cluster, window.context.preferences.elsewhere) == ("server:6379", True)
    window.commands.filing.save_tree(Path("tree.npz"))
    assert "on another machine" in window.banner.text
    window.context.actions[HERE].trigger()
    assert session.analysis is own
    assert window.views.status.text("machine") == ""
    assert not window.context.preferences.elsewhere
    qtbot.waitUntil(lambda: searched(window) and session.present.simulations == 1200)


def test_a_lost_connection_is_said_and_the_search_goes_on(
    real_window: MainWindow, cluster: Cluster, qtbot: QtBot
) -> None:
    go_to(real_window, cluster, qtbot)
    qtbot.waitUntil(lambda: searched(real_window) and real_window.session.present.simulations == 1200)
    with qtbot.waitSignal(real_window.session.lost, check_params_cb=lambda text: "began anew" in text):
        cluster.lose()
    assert real_window.session.present.simulations == 1200
    real_window.state.set_limit(1300)
    qtbot.waitUntil(lambda: searched(real_window) and real_window.session.present.simulations == 1300)
    assert real_window.commands.machine.away


def test_a_machine_that_does_not_fit_is_refused_in_a_sentence(
    real_window: MainWindow, cluster: Cluster, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(courier, "own_versions", lambda: {**own_versions(), "layout": "older"})
    real_window.commands.machine.open_client = lambda address: RemoteClient(address, cluster.open)
    own = real_window.session.analysis
    real_window.commands.machine.search_on("server:6379")
    assert real_window.views.status.text("machine").startswith("connecting to server:6379")
    qtbot.waitUntil(lambda: "build older; install the same on both" in real_window.banner.text)
    assert real_window.session.analysis is own
    assert real_window.context.actions[HERE].isChecked()


def test_without_ray_the_window_says_what_is_missing(
    real_window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link, "find_spec", lambda name: None)
    real_window.commands.machine.search_on("server:6379")
    qtbot.waitUntil(lambda: "needs Ray, which is not installed here" in real_window.banner.text)
    assert not real_window.commands.machine.away
