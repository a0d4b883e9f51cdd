"""An analysis at the other end of a wire gives what one in this process gives, also after the wire was lost."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from core.engine import Analysis, Search
from core.games import load_game
from core.search import Limit, SearchSettings
from models.cluster import courier, remote_analysis
from models.cluster.remote_analysis import RemoteAnalysis
from models.cluster.remote_client import RemoteClient
from models.cluster.wish import Order, Wish
from models.commands import elsewhere
from models.commands.elsewhere import sent_source
from tests.models.cluster.wire import Cluster

GAME = load_game("tictactoe")
UCB = SearchSettings(selection="ucb1")
LIMIT = Limit(simulations=200)


def until(client: RemoteClient, reached: Callable[[], object]) -> None:
    """Wait for what comes to make ``reached`` true."""
    for _ in range(600):
        if reached():
            return
        client.wait()
    pytest.fail(f"not reached: {client.error}, {client.phase}, {client.latest()}")


@pytest.fixture
def client(cluster: Cluster) -> Iterator[RemoteClient]:
    with RemoteClient("here", cluster.open) as client:
        yield client


def searched(client: RemoteClient, limit: Limit = LIMIT) -> None:
    client.start(GAME.initial(), None, UCB, limit, seed=3)
    until(client, lambda: not client.searching)


def local_rows(limit: Limit = LIMIT) -> str:
    search = Search(GAME.initial(), None, UCB, 3)
    search.run(limit)
    return repr(search.snapshot().moves)


def test_the_same_figures_as_here(client: RemoteClient) -> None:
    searched(client)
    snapshot = client.latest()
    assert (snapshot.request, snapshot.simulations, snapshot.reason) == (1, 200, "limit reached")
    assert repr(snapshot.moves) == local_rows()
    assert (client.error, client.notice) == (None, None)
    client.resume(Limit(simulations=300))
    until(client, lambda: not client.searching)
    assert repr(client.latest().moves) == local_rows(Limit(simulations=300))


def test_nodes_pictures_curves_and_the_past_come_when_asked_for(client: RemoteClient) -> None:
    searched(client)
    client.request_nodes([(4,), (4, 0)])
    client.request_picture(20)
    client.request_curves(True)
    until(client, lambda: set(client.latest().opened) == {(4,), (4, 0)} and client.latest().curves is not None)
    assert client.latest().opened[4, 0].position == GAME.initial().play(4).play(0)
    assert len(client.latest().picture) == 20
    client.look_back(7)
    until(client, lambda: client.past() is not None)
    past = client.past()
    assert (past.simulation, past.request, past.snapshot.simulations, past.snapshot.now) == (7, 1, 7, 200)
    assert past.playout.simulation == 7
    client.look_back(None)
    assert client.past() is None


def test_a_position_further_on_keeps_its_part_of_the_tree(client: RemoteClient) -> None:
    searched(client)
    visits = client.latest().moves[0].seen
    best = client.latest().best
    client.start(GAME.initial().play(best), None, UCB, Limit(simulations=1), seed=3)
    until(client, lambda: not client.searching)
    assert client.latest().position == GAME.initial().play(best)
    assert client.latest().simulations >= visits


def test_a_lost_connection_is_made_again_and_finds_the_search(client: RemoteClient, cluster: Cluster) -> None:
    searched(client)
    before = client.latest()
    client.resume(None)
    cluster.wires[-1].drop()
    until(client, lambda: client.notice is not None and "went on meanwhile" in client.notice)
    assert len(cluster.wires) == 2
    until(client, lambda: client.latest().simulations > before.simulations)
    client.stop()
    until(client, lambda: client.latest().reason)
    assert client.latest().request == 1
    assert not client.searching


def test_a_lost_machine_searches_the_same_position_anew(client: RemoteClient, cluster: Cluster) -> None:
    searched(client)
    client.request_nodes([(4,)])
    cluster.lose()
    until(client, lambda: client.notice is not None and "began anew" in client.notice)
    assert client.latest().simulations == 200  # still shown
    client.resume(Limit(simulations=260))
    until(client, lambda: not client.searching and client.latest().simulations == 260)
    assert repr(client.latest().moves) == local_rows(Limit(simulations=260))
    assert set(client.latest().opened) == {(4,)}


def test_a_net_is_sent_once_and_checked(client: RemoteClient, cluster: Cluster) -> None:
    game = load_game("connect4")
    source = sent_source(game, None, None, "auto")
    for seed in (0, 1):
        client.start(game.initial(), source, SearchSettings(), Limit(simulations=20), seed=seed)
        until(client, lambda: not client.searching)
    assert client.error is None
    assert client.latest().evaluator.startswith("connect4-")
    assert cluster.wires[0].sent.count("net") == 1
    with pytest.raises(ValueError, match="is damaged"):
        cluster.far.take_net("0" * 64, "net.onnx", b"no net")


def test_files_that_are_no_nets_are_named_as_here(client: RemoteClient, tmp_path: Path) -> None:
    file = tmp_path / "words.onnx"
    for content, sentence in ((None, "cannot be read: No such file"), ("words", "is not an ONNX file")):
        if content is not None:
            file.write_text(content)
        client.start(GAME.initial(), sent_source(GAME, str(file), None, "auto"), UCB, LIMIT)
        until(client, lambda: not client.searching)
        assert client.error.startswith(f"{str(file)!r} {sentence}")


@pytest.mark.slow
def test_the_command_ends_when_no_connection_is_made_again(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(elsewhere, "RemoteClient", partial(RemoteClient, open_link=cluster.open))
    monkeypatch.setattr(elsewhere, "LOST_S", 1.0)

    def start(client: RemoteClient) -> None:
        client.start(GAME.initial(), None, replace(UCB, prove=False))
        until(client, client.latest)
        cluster.down = True
        cluster.wires[-1].drop()

    with pytest.raises(ValueError, match=r"no connection to .* any more, after 1 s"):
        elsewhere.run_elsewhere("here", start, _simulations, [])
    assert "was lost" in capsys.readouterr().err


def test_questions_are_answered_by_the_search_there(client: RemoteClient) -> None:
    searched(client)
    assert client.ask(_simulations, 10.0) == "200"
    with pytest.raises(ValueError, match="no such question"):
        client.ask(_refuse, 10.0)


def _simulations(search: Search) -> str:
    return str(search.simulations)


def _refuse(search: Search) -> str:
    raise ValueError("no such question")


def test_another_version_is_refused(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(courier, "own_versions", lambda: {"program": "9.9", "layout": "other"})
    with RemoteClient("here", cluster.open) as client:
        until(client, lambda: not client.alive)
        client.start(GAME.initial(), None, UCB, LIMIT)  # also when it was refused before
        assert "has Plyscope 0" in client.error
        assert "and this machine 9.9; install the same on both" in client.error
        assert not client.searching
        assert client.latest() is None


def test_a_net_that_the_cluster_cannot_fetch_ends_the_connection(
    client: RemoteClient, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Trying again would not help.  The class is one that Ray makes of two."""
    refusal = type("RayTaskError(OwnerDiedError)", (Exception,), {})

    def fail(digest: str, name: str, data: bytes) -> None:
        raise refusal("Failed to retrieve object")

    monkeypatch.setattr(cluster.far, "take_net", fail)
    client.start(GAME.initial(), sent_source(GAME, None, None, "auto"), SearchSettings(), LIMIT)
    until(client, lambda: not client.alive)
    assert "cannot fetch the net from this one: they must reach it" in str(client.error)
    assert len(cluster.wires) == 1
    assert not client.searching


def test_reports_come_no_faster_than_their_bytes_allow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote_analysis, "BYTES_PER_SECOND", 0.01)
    far = RemoteAnalysis()
    begun = far._heard
    answer = far.poll(0, 0.0)
    assert far._next_at > begun + 100 * len(answer.packed) / 2
    far.close()


def test_what_is_too_large_is_left_out_and_said(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote_analysis, "MOST_SENT", 8000)
    with RemoteClient("here", cluster.open) as client:
        client.request_picture(4000)
        client.request_curves(True)
        client.start(GAME.initial(), None, UCB, Limit(simulations=4000))
        until(client, lambda: not client.searching)
        assert "are left out" in client.traffic.left_out
        assert (client.latest().picture, client.latest().simulations) == (None, 4000)


def test_an_analysis_that_nobody_asks_ends() -> None:
    ended = threading.Event()
    far = RemoteAnalysis(gone_s=0.0, end=ended.set)
    assert ended.wait(60)
    far.close()
    assert not far._analysis.alive


def test_older_wishes_are_ignored() -> None:
    far = RemoteAnalysis()
    order = Order(1, GAME.initial(), None, UCB, 0, ())
    far.take(Wish(number=5, order=order, runs=1, limit=LIMIT, wanted=False))
    far.take(Wish(number=4, order=order, runs=2, limit=LIMIT, wanted=True))
    assert not far._analysis.searching
    far.close()


def test_the_interface_is_that_of_an_analysis() -> None:
    own = {"prepared", "alive"}  # a hook, and what both have
    public = {name for name in vars(Analysis) if not name.startswith("_")} - own
    assert public <= set(vars(RemoteClient))
