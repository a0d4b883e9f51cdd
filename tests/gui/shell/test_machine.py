"""The choice of the machine that searches, in the window."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.engine import Analysis
from gui.shell.machine import ELSEWHERE, HERE, MachineDialog
from gui.widgets.preferences import MOST_MACHINES
from gui.window import MainWindow
from models.cluster import remote, server
from models.cluster.remote import RemoteAnalysis
from models.cluster.versions import Version
from tests.models.cluster.far_end import FarEnd

NOWHERE = (sys.executable, "-c", "import sys; sys.exit(print('no such host', file=sys.stderr) or 255)")  # as ssh ends


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
    assert (window.context.preferences.machines, window.context.preferences.elsewhere) == (("me@server",), True)
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


def test_machines_used_before_are_offered_the_last_one_first(real_window: MainWindow, qtbot: QtBot) -> None:
    machine, preferences = real_window.commands.machine, real_window.context.preferences
    asked: list[str] = []
    machine.open = lambda address: asked.append(address) or RemoteAnalysis(address, NOWHERE)
    for address in ("me@one", "ssh://two:2222", "me@one", *(f"me@m{i}" for i in range(MOST_MACHINES - 2))):
        machine.search_on(address)
    machine.search_here()
    assert preferences.machines == (
        *(f"me@m{i}" for i in reversed(range(MOST_MACHINES - 2))),
        "me@one",
        "ssh://two:2222",
    )
    machine.ask()
    dialog = real_window.findChild(MachineDialog)
    assert tuple(map(dialog.address.itemText, range(dialog.address.count()))) == preferences.machines
    dialog.address.setCurrentText(" ssh://two:2222 ")
    assert dialog.main.isEnabled()
    dialog.main.click()
    assert asked[-1] == preferences.machines[0] == "ssh://two:2222"
    machine.search_here()


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("-oProxyCommand=x@host", "'-oProxyCommand=x@host' is no address of a machine; allowed are"),
        ("ssh://host; rm", "'ssh://host; rm' is no address of a machine; allowed are"),
        ("server", "'server' is no address of a cluster; allowed are"),
        ("ssh://", ""),
        ("", ""),
    ],
)
def test_what_is_no_address_is_said_while_it_is_typed(
    real_window: MainWindow, qtbot: QtBot, address: str, sentence: str
) -> None:
    real_window.commands.machine.ask()
    dialog = real_window.findChild(MachineDialog)
    assert dialog.address.currentText() == "ssh://"
    dialog.address.setCurrentText(address)
    assert dialog.error.text().startswith(sentence)
    assert bool(dialog.error.text()) == bool(sentence)
    assert not dialog.main.isEnabled()
    dialog.address.setCurrentText("me@server")
    assert dialog.main.isEnabled()
    assert not dialog.error.text()
    dialog.reject()


def test_a_machine_that_ssh_does_not_reach_is_said_in_one_sentence(real_window: MainWindow, qtbot: QtBot) -> None:
    machine = real_window.commands.machine
    machine.open = lambda address: RemoteAnalysis(address, NOWHERE)
    machine.search_on("me@nowhere")
    qtbot.waitUntil(lambda: "me@nowhere" in real_window.banner.text)
    assert real_window.banner.text == (
        "The search runs on this machine: me@nowhere cannot be reached (no such host); the command ssh me@nowhere must "
        "get there without asking for anything."
    )
    assert not machine.away
