"""An analysis on another machine, by a program there or a cluster."""

from __future__ import annotations

import json
import os
import shlex
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.engine import Search
from core.engine.request import Agenda, Request
from core.games import load_game
from core.glass.watch import ENTERED, Watch
from core.search import Limit, SearchSettings
from models.cluster import remote, server
from models.cluster.connect import connect
from models.cluster.messages import Assignment, NetPart, encode
from models.cluster.on_ray import RayServer
from models.cluster.pipe import command_for
from models.cluster.remote import RemoteAnalysis
from models.cluster.server import AnalysisServer
from models.cluster.versions import Version
from models.commands import elsewhere
from models.commands.elsewhere import run_elsewhere, sent_source
from models.commands.program import main
from tests.models.cluster.far_end import FarEnd, new_server, tell

GAME = load_game("tictactoe")
UCB = SearchSettings(selection="ucb1")
LIMIT = Limit(simulations=200)


def until(analysis: RemoteAnalysis, reached: Callable[[], object]) -> None:
    """Wait for what comes to make ``reached`` true."""
    for _ in range(600):
        if reached():
            return
        analysis.wait()
    pytest.fail(f"not reached: {analysis.error}, {analysis.notice}, {analysis.phase}")


@pytest.fixture
def analysis(far_end: FarEnd) -> Iterator[RemoteAnalysis]:
    with RemoteAnalysis("me@server", far_end.command) as analysis:
        yield analysis
        analysis.close(10.0)
        assert not analysis.alive


def searched(analysis: RemoteAnalysis, limit: Limit = LIMIT) -> None:
    analysis.start(GAME.initial(), None, UCB, limit, seed=3)
    until(analysis, lambda: not analysis.searching)


def local_rows(limit: Limit = LIMIT) -> str:
    search = Search(GAME.initial(), None, UCB, 3)
    search.run(limit)
    return repr(search.snapshot().moves)


def test_the_same_figures_as_here(analysis: RemoteAnalysis) -> None:
    searched(analysis)
    snapshot = analysis.latest()
    assert (snapshot.request, snapshot.simulations, snapshot.reason) == (1, 200, "limit reached")
    assert repr(snapshot.moves) == local_rows()
    assert (analysis.error, analysis.notice) == (None, None)
    analysis.resume(Limit(simulations=300))
    until(analysis, lambda: not analysis.searching)
    assert repr(analysis.latest().moves) == local_rows(Limit(simulations=300))


def test_nodes_pictures_curves_and_the_past_come_when_asked_for(analysis: RemoteAnalysis) -> None:
    searched(analysis)
    analysis.request_nodes([(4,), (4, 0)])
    analysis.request_picture(20)
    analysis.request_curves(True)
    analysis.request_answer("move == b2")
    until(analysis, lambda: set(analysis.latest().opened) == {(4,), (4, 0)} and analysis.latest().curves is not None)
    assert analysis.latest().opened[4, 0].position == GAME.initial().play(4).play(0)
    assert len(analysis.latest().picture) == 20
    assert {path[-1] for path in analysis.latest().answer.paths} == {4}
    analysis.look_back(7)
    until(analysis, analysis.past)
    past = analysis.past()
    assert (past.simulation, past.request, past.snapshot.simulations, past.snapshot.now) == (7, 1, 7, 200)
    assert past.playout.simulation == 7
    analysis.look_back(None)
    assert analysis.past() is None


def test_a_watch_pauses_the_search_there(analysis: RemoteAnalysis) -> None:
    analysis.pause_when(Watch(ENTERED, (4, 0)))
    analysis.start(GAME.initial(), None, UCB, seed=3)
    until(analysis, lambda: not analysis.searching and analysis.latest() is not None)
    assert analysis.error is None
    simulations = analysis.latest().simulations
    assert simulations > 0
    analysis.pause_when(None)
    analysis.resume(Limit(simulations=simulations + 100))
    until(analysis, lambda: not analysis.searching and analysis.latest().simulations == simulations + 100)


def test_a_position_further_on_keeps_its_part_of_the_tree(analysis: RemoteAnalysis) -> None:
    searched(analysis)
    visits = analysis.latest().moves[0].backups
    best = analysis.latest().best
    analysis.start(GAME.initial().play(best), None, UCB, Limit(simulations=1), seed=3)
    until(analysis, lambda: not analysis.searching)
    assert analysis.latest().position == GAME.initial().play(best)
    assert analysis.latest().simulations >= visits


def test_a_lost_connection_is_made_again_and_finds_the_search(analysis: RemoteAnalysis, far_end: FarEnd) -> None:
    searched(analysis)
    before = analysis.latest()
    analysis.resume(None)
    far_end.drop()
    until(analysis, lambda: analysis.notice is not None and "went on meanwhile" in analysis.notice)
    assert len(far_end.links) == 2
    until(analysis, lambda: analysis.latest().simulations > before.simulations)
    analysis.stop()
    until(analysis, lambda: analysis.latest().reason)
    assert analysis.latest().request == 1
    assert not analysis.searching


def test_a_lost_machine_searches_the_same_position_anew(analysis: RemoteAnalysis, far_end: FarEnd) -> None:
    searched(analysis)
    analysis.request_nodes([(4,)])
    far_end.lose()
    until(analysis, lambda: analysis.notice is not None and "began anew" in analysis.notice)
    assert analysis.latest().simulations == 200  # still shown
    analysis.resume(Limit(simulations=260))
    until(analysis, lambda: not analysis.searching and analysis.latest().simulations == 260)
    assert repr(analysis.latest().moves) == local_rows(Limit(simulations=260))
    assert set(analysis.latest().opened) == {(4,)}


def test_a_machine_that_falls_silent_is_given_up_and_connected_again(
    monkeypatch: pytest.MonkeyPatch, far_end: FarEnd, request: pytest.FixtureRequest
) -> None:
    monkeypatch.setattr(remote, "SILENT_S", 1.0)
    analysis = request.getfixturevalue("analysis")
    searched(analysis)
    far_end.kept.silent = True
    until(analysis, lambda: analysis.notice is not None and "no answer for" in analysis.notice)
    far_end.kept.silent = False
    until(analysis, lambda: analysis.traffic.connected)
    analysis.resume(Limit(simulations=220))
    until(analysis, lambda: not analysis.searching and analysis.latest().simulations == 220)


def test_a_net_is_sent_once(analysis: RemoteAnalysis, far_end: FarEnd) -> None:
    game = load_game("connect4")
    source = sent_source(game, None, None, "auto")
    for seed in (0, 1):
        analysis.start(game.initial(), source, SearchSettings(), Limit(simulations=20), seed=seed)
        until(analysis, lambda: not analysis.searching)
    assert analysis.error is None
    assert analysis.latest().evaluator.startswith("connect4-")
    assert far_end.kept.nets == 1


def test_a_damaged_net_is_refused() -> None:
    far = new_server()
    with pytest.raises(ValueError, match="is damaged"):
        far.take(encode(NetPart("0" * 64, "net.onnx", b"no net", first=True, last=True)))
    far.close()


def test_files_that_are_no_nets_are_named_as_here(analysis: RemoteAnalysis, tmp_path: Path) -> None:
    file = tmp_path / "words.onnx"
    for content, sentence in ((None, "cannot be read: No such file"), ("words", "is not an ONNX file")):
        if content is not None:
            file.write_text(content)
        analysis.start(GAME.initial(), sent_source(GAME, str(file), None, "auto"), UCB, LIMIT)
        until(analysis, lambda: not analysis.searching)
        assert analysis.error.startswith(f"{str(file)!r} {sentence}")


def test_questions_are_answered_by_the_search_there(analysis: RemoteAnalysis) -> None:
    searched(analysis)
    assert analysis.ask({}) == "200"
    with pytest.raises(ValueError, match="no such question"):
        analysis.ask({"why": "b2"})


@pytest.mark.slow
def test_the_command_ends_when_no_connection_is_made_again(
    far_end: FarEnd, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(elsewhere, "LOST_S", 1.0)

    def start(analysis: RemoteAnalysis) -> None:
        analysis.start(GAME.initial(), None, replace(UCB, prove=False))
        until(analysis, analysis.latest)
        far_end.down = True
        far_end.drop()

    with pytest.raises(ValueError, match=r"no connection to .* any more, after 1 s"):
        run_elsewhere(RemoteAnalysis("me@server", far_end.command), start, {}, [])
    assert "was lost" in capsys.readouterr().err


def test_another_version_is_refused(far_end: FarEnd, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "own_version", lambda module: Version("9.9", "other"))
    with RemoteAnalysis("me@server", far_end.command) as analysis:
        until(analysis, lambda: not analysis.alive)
        analysis.start(GAME.initial(), None, UCB, LIMIT)  # also when it was refused before
        assert "and this machine 9.9; install the same on both" in analysis.error
        assert not analysis.searching
        assert analysis.latest() is None


@pytest.mark.parametrize(
    ("program", "sentence"),
    [
        ("echo 'Welcome to this server'; cat", r"cannot be read \(a message that begins with b'Welc'\)"),
        ("echo 'ssh: unknown host' >&2; exit 255", r"server cannot be reached \(ssh: unknown host\); the command ssh"),
        ("echo 'sh: plyscope: not found' >&2; exit 127", "does not find Plyscope .* say where it is, as in ssh://"),
        ("echo 'plyscope: unknown arguments' >&2; exit 2", r"\(plyscope: unknown arguments\); install the same"),
    ],
)
def test_what_is_no_far_end_is_said_in_a_sentence(program: str, sentence: str) -> None:
    with RemoteAnalysis("me@server", ("sh", "-c", program)) as analysis:
        analysis.start(GAME.initial(), None, UCB, LIMIT)
        until(analysis, lambda: not analysis.alive)
        with pytest.raises(ValueError, match=sentence):
            raise ValueError(analysis.error)
        assert not analysis.searching


def test_rubbish_in_the_middle_ends_the_connection(analysis: RemoteAnalysis, far_end: FarEnd) -> None:
    searched(analysis)
    far_end.links[-1].sendall(b"\xff" * 64)
    until(analysis, lambda: not analysis.alive)
    assert "cannot be read" in analysis.error
    assert analysis.latest().simulations == 200


@pytest.mark.parametrize("silent", [60.0, 0.2])
def test_a_program_that_hangs_is_ended(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, silent: float) -> None:
    """By closing, or because it does not greet."""
    monkeypatch.setattr(remote, "START_S", silent)
    monkeypatch.setattr(remote, "END_S", 0.1)
    pid = tmp_path / "pid"
    hangs = f"echo $$ > {shlex.quote(str(pid))}; exec {shlex.quote(sys.executable)} -S -c 'import time; time.sleep(99)'"
    analysis = RemoteAnalysis("me@server", ("sh", "-c", hangs))
    until(analysis, lambda: pid.exists() and pid.read_text().strip())
    if silent > 1:
        analysis.close(20.0)
    else:
        until(analysis, lambda: not analysis.alive)
        assert "no answer for" in analysis.error
    assert not analysis.alive
    assert not Path("/proc", pid.read_text().strip()).exists()


@pytest.mark.parametrize(
    ("address", "end"),
    [
        ("me@server", ["--", "me@server", "plyscope serve --snapshots"]),
        ("ssh://server", ["--", "server", "plyscope serve --snapshots"]),
        ("ssh://me@server:2222", ["-p", "2222", "--", "me@server", "plyscope serve --snapshots"]),
        ("ssh://server/~/env/bin/plyscope", ["--", "server", "~/env/bin/plyscope serve --snapshots"]),
        ("ssh://[fe80::1]/opt/plyscope", ["--", "fe80::1", "/opt/plyscope serve --snapshots"]),
        ("auto", ["serve", "--snapshots", "--on", "auto", "--name", "x"]),
        ("ray://server:10001", ["serve", "--snapshots", "--on", "ray://server:10001", "--name", "x"]),
    ],
)
def test_an_address_is_of_a_machine_or_of_a_cluster(address: str, end: list[str]) -> None:
    assert list(command_for(address, "x"))[-len(end) :] == end


@pytest.mark.parametrize("address", ["ssh://", "ssh://-oProxyCommand=x", "me@server;ls", "ssh://a/b c", "server", ""])
def test_what_is_no_address(address: str) -> None:
    with pytest.raises(ValueError, match="is no address of a"):
        command_for(address, "x")
    with RemoteAnalysis(address) as analysis:
        until(analysis, lambda: not analysis.alive)
        assert "is no address of a" in analysis.error


def test_what_is_too_large_is_left_out_and_said(analysis: RemoteAnalysis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "MOST_SENT", 8000)
    analysis.request_picture(4000)
    analysis.request_curves(True)
    analysis.start(GAME.initial(), None, UCB, Limit(simulations=4000))
    until(analysis, lambda: not analysis.searching)
    assert "are left out" in analysis.traffic.left_out
    assert (analysis.latest().picture, analysis.latest().simulations) == (None, 4000)


def test_an_analysis_that_nobody_asks_ends() -> None:
    ended = threading.Event()
    far = AnalysisServer(tell, gone_s=0.0, end=ended.set)
    assert ended.wait(60)
    far.close()


def test_a_message_that_was_overtaken_is_ignored() -> None:
    far = new_server()
    request = Request(1, GAME.initial(), None, UCB, 0, ())
    far.take(encode(Assignment(5, Agenda(request, runs=1, limit=LIMIT))))
    far.take(encode(Assignment(4, Agenda(request, runs=2, limit=LIMIT, running=True))))
    assert not far._analysis.searching
    far.close()


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
    for one in (first, again):
        one.close()


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
