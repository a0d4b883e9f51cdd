"""The program at the other end of the pipe, as it is started on another machine, and an actor of Ray."""

from __future__ import annotations

import json
import os
import shlex
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.games import load_game
from core.search import Limit, SearchSettings
from models.cluster import remote
from models.cluster.connect import connect
from models.cluster.on_ray import RayServer
from models.cluster.remote import RemoteAnalysis
from models.commands.program import main
from tests.models.cluster.test_remote import GAME, UCB, local_rows, until

SERVE = (sys.executable, "-P", "-m", "gui.app", "serve", "--snapshots")


@pytest.mark.slow
def test_a_program_that_is_killed_or_stopped_is_started_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(remote, "RETRIES_S", (0.0,))
    monkeypatch.setattr(remote, "SILENT_S", 4.0)
    monkeypatch.setattr(remote, "END_S", 0.5)
    pids = tmp_path / "pids"
    command = ("sh", "-c", f"echo $$ >> {shlex.quote(str(pids))}; exec {shlex.join(SERVE)}")
    before_all = set(threading.enumerate())
    analysis = RemoteAnalysis("me@server", command)
    analysis.start(GAME.initial(), None, UCB, Limit(simulations=200), seed=3)
    until(analysis, lambda: not analysis.searching)
    assert repr(analysis.latest().moves) == local_rows()
    for number, limit in ((signal.SIGKILL, 250), (signal.SIGSTOP, 300)):
        before = analysis.notice
        os.kill(int(pids.read_text().split()[-1]), number)
        until(analysis, lambda before=before: analysis.notice != before and "was lost" in analysis.notice)
        until(analysis, lambda: analysis.traffic.connected)
        assert "began anew" in analysis.notice
        assert analysis.latest().simulations > 0  # still shown
        analysis.resume(Limit(simulations=limit))
        until(analysis, lambda limit=limit: analysis.latest().simulations == limit)
    analysis.close(20.0)
    assert not analysis.alive
    for thread in set(threading.enumerate()) - before_all:  # asyncio's wait for a process ends a moment later
        thread.join(10.0)
        assert not thread.is_alive()
    assert not [pid for pid in pids.read_text().split() if Path("/proc", pid).exists()]


def figures(capfd: pytest.CaptureFixture[str], *more: str) -> dict[str, object]:
    words = ["analyze", "tictactoe", "b2", "--net", "uniform", "--simulations", "150", "--seed", "4", "--json", *more]
    assert main(words) == 0
    printed = json.loads(capfd.readouterr().out)
    return {name: value for name, value in printed.items() if not name.endswith("_per_s") and name != "counters"}


@pytest.mark.slow
def test_the_command_gives_the_same_figures_elsewhere(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(remote, "command_for", lambda address, name: SERVE)
    assert figures(capfd, "--on", "me@server") == figures(capfd)


@pytest.fixture(scope="module")
def ray_address() -> Iterator[str]:
    """A cluster of this machine, for the tests of this file."""
    ray = pytest.importorskip("ray")
    with connect("local", cores=2):
        yield ray.get_runtime_context().gcs_address


@pytest.mark.slow
def test_the_command_gives_the_same_figures_on_a_cluster(ray_address: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert figures(capfd, "--on", ray_address) == figures(capfd)


def show_for_ever(server: RayServer) -> None:
    while True:
        server.show()


@pytest.mark.slow
def test_an_actor_is_found_again_and_ends_when_its_window_is_gone(ray_address: str) -> None:
    from models.commands.serve import tell

    first = RayServer("local", "left alone", tell, gone_s=1.0)
    first.greet()
    again = RayServer("local", "left alone", tell)
    assert again._actor == first._actor
    with pytest.raises(ConnectionError, match="has ended"):
        show_for_ever(again)  # without a message of the window
    for server in (first, again):
        server.close()


@pytest.mark.slow
def test_a_net_and_a_search_on_a_cluster(ray_address: str) -> None:
    from models.commands.elsewhere import sent_source

    game = load_game("connect4")
    with RemoteAnalysis(ray_address) as analysis:
        analysis.start(game.initial(), sent_source(game, None, None, "auto"), SearchSettings(), Limit(simulations=50))
        until(analysis, lambda: not analysis.searching)
        assert analysis.error is None
        assert analysis.latest().evaluator.startswith("connect4-")
        analysis.close(20.0)
        assert not analysis.alive
