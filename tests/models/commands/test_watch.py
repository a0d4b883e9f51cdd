"""A page that grows: who may ask its server, what it is fed, the command, and in a real browser what it shows."""

import contextlib
import http.client
import random
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.engine import Search, UniformEvaluator
from core.files import page_data
from core.files.page_data import piece
from core.files.tree_file import saved
from core.games import load_game
from core.search import Limit
from models.commands import page_server, search_feed
from models.commands.page_server import PageServer, serving
from models.commands.search_feed import SearchFeed
from tests.core.files.browser import open_browser
from tests.core.files.test_page import SHOWN, rows
from tests.core.files.test_page_data import header_of
from tests.core.search.fakes import run_search


class Scripted:
    """A feed that says the same always."""

    def __init__(self) -> None:
        self.held = threading.Event()
        self.held.set()
        self.asked = threading.Semaphore(0)

    def page(self) -> bytes:
        return b"<p>page</p>"

    def newer(self, version: int, wait_s: float) -> bytes | None:
        self.asked.release()
        assert self.held.wait(60)
        return {1: b"two", 2: None}.get(version, b"")


@pytest.fixture
def feed() -> Scripted:
    return Scripted()


@pytest.fixture
def server(feed: Scripted) -> Iterator[PageServer]:
    with serving(feed) as server:
        yield server


def ask(server: PageServer, place: str = "", host: str = "", method: str = "GET") -> tuple[int, bytes]:
    """Status and body of an answer; ``place``: behind the token, or the whole path where it begins with /."""
    connection = http.client.HTTPConnection(*server.server_address, timeout=60)
    path = place if place.startswith("/") else f"/{server.token}/{place}"
    connection.request(method, path, headers={"Host": host} if host else {})
    answer = connection.getresponse()
    body = answer.read()
    assert answer.getheader("Access-Control-Allow-Origin") is None
    connection.close()
    return answer.status, body


def test_the_server_is_of_this_machine_and_knows_its_page(server: PageServer) -> None:
    assert server.server_address[0] == "127.0.0.1"
    assert server.address == f"http://127.0.0.1:{server.server_address[1]}/{server.token}/"
    assert len(server.token) >= 32
    assert ask(server) == (200, b"<p>page</p>")
    assert ask(server, "newer?after=1") == (200, b"two")
    assert ask(server, "newer?after=2") == (204, b"")
    assert ask(server, "newer?after=3") == (200, b"")


@pytest.mark.parametrize("place", ["/", "/newer?after=1", "//", "/x/", "/../", "/%00/"])
def test_who_does_not_know_the_token_is_refused(server: PageServer, place: str) -> None:
    assert ask(server, place) == (403, b"The address is not the one that plyscope printed.\n")


def test_another_token_is_refused(server: PageServer) -> None:
    for token in (server.token[:-1], server.token + "x", server.token.swapcase()):
        assert ask(server, f"/{token}/")[0] == 403


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "evil.example:80", "10.0.0.1", "me@localhost"]
)
def test_a_name_that_is_not_of_this_machine_is_refused(server: PageServer, host: str) -> None:
    assert ask(server, host=host) == (403, b"This server is for programs on its own machine.\n")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost:9000", "LOCALHOST", "[::1]:8123"])
def test_names_of_this_machine_are_answered_at_any_port(server: PageServer, host: str) -> None:
    """By ssh the port of the browser is another one."""
    assert ask(server, host=host)[0] == 200


def test_a_request_without_a_host_is_refused(server: PageServer) -> None:
    with socket.create_connection(("127.0.0.1", server.server_address[1]), timeout=60) as connection:
        connection.sendall(f"GET /{server.token}/ HTTP/1.0\r\n\r\n".encode())
        assert b" 403 " in connection.makefile("rb").readline()


@pytest.mark.parametrize("place", ["newer", "newer?after=-1", "newer?after=1&x=2", "newer?after=" + 16 * "9", "other"])
def test_anything_else_is_not_found(server: PageServer, place: str) -> None:
    assert ask(server, place)[0] == 404


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS"])
def test_nothing_can_be_changed(server: PageServer, method: str) -> None:
    assert ask(server, method=method)[0] == 501


def test_requests_that_are_none_get_no_page_and_the_server_goes_on(server: PageServer) -> None:
    drawn = random.Random(3)
    whole = f"GET /{server.token}/ HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    requests = [b"", b"\r\n", b"GET", b"GET / HTTP/9.9\r\n\r\n", b"GET " + b"/" * 70_000, b"x: y\r\n" * 300]
    requests += [b"GET / HTTP/1.1\r\n" + b"x: y\r\n" * 300 + b"\r\n", whole.replace(b"Host", b"Host\x00")]
    for _ in range(60):
        changed = bytearray(whole)
        for place in drawn.sample(range(5 + len(server.token)), 3):
            changed[place] = drawn.randrange(256)
        requests.append(bytes(changed))
    for request in requests:
        if request == whole:
            continue
        connection = socket.create_connection(("127.0.0.1", server.server_address[1]), timeout=60)
        with connection, contextlib.suppress(ConnectionError):
            connection.sendall(request)
            connection.shutdown(socket.SHUT_WR)
            assert b"<p>page</p>" not in connection.makefile("rb").read(), request
    assert ask(server) == (200, b"<p>page</p>")


def test_too_many_connections_are_closed(server: PageServer, feed: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    feed.held.clear()
    held = [threading.Thread(target=ask, args=(server, "newer?after=2")) for _ in range(page_server.MOST_CONNECTIONS)]
    for one in held:
        one.start()
    for _ in held:
        assert feed.asked.acquire(timeout=60)
    with pytest.raises((ConnectionError, http.client.BadStatusLine)):
        ask(server)
    feed.held.set()
    for one in held:
        one.join()
    assert ask(server)[0] == 200


def test_a_port_that_is_taken_is_said(server: PageServer, feed: Scripted) -> None:
    port = server.server_address[1]
    with pytest.raises(ValueError, match=f"^port {port} of this machine cannot be used: Address already in use$"):
        PageServer(feed, port)
    with pytest.raises(ValueError, match=r"^--port is 70000; it must be from 1 to 65535"):
        PageServer(feed, 70000)


def a_search(simulations: int = 20) -> Search:
    game = load_game("tictactoe")
    return run_search(game.position("b2"), UniformEvaluator(game.num_actions), simulations)


def test_a_feed_makes_a_piece_of_each_copy_that_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_feed, "LEAST_S", 0.0)
    monkeypatch.setattr(search_feed, "RESTS", 0)
    search = a_search()
    feed = SearchFeed(saved(search), search.numbering)
    assert not feed.due()
    assert feed.newer(1, 0.0) is None
    assert feed.due()
    first = saved(search)
    search.run(Limit(simulations=60))
    feed.put(saved(search), search.numbering)
    assert not feed.due()
    told = feed.newer(1, 0.0)
    assert told is not None
    header = header_of(told)
    assert (header["version"], header["records"]) == (2, 60)
    before = page_data.page_record(first)
    assert len(told) == pytest.approx(len(piece(page_data.page_record(saved(search)), before)), abs=40)
    assert all(kept == 0 for _, kept in header_of(feed.newer(7, 0.0) or b"")["kept"])  # a version that is not known
    search.run(Limit(simulations=90))
    feed.put(saved(search), search.numbering, ended=True)
    assert header_of(feed.newer(2, 0.0) or b"")["records"] == 90
    assert feed.newer(3, 60.0) == b""
    assert not feed.error


def test_a_tree_that_begins_anew_is_sent_whole() -> None:
    search, other = a_search(), a_search(5)
    feed = SearchFeed(saved(search), search.numbering)
    feed.put(saved(other), other.numbering)
    header = header_of(feed.newer(1, 0.0) or b"")
    assert (header["records"], header["tree"]) == (5, other.numbering)
    assert all(kept == 0 for _, kept in header["kept"])


def test_a_search_that_a_page_cannot_hold_ends_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    search = a_search()
    feed = SearchFeed(saved(search), search.numbering)
    monkeypatch.setattr(page_data, "MOST_SIMULATIONS", 30)
    search.run(Limit(simulations=40))
    feed.put(saved(search), search.numbering)
    assert feed.newer(1, 0.0) == b""
    assert feed.error == "a page holds at most 30 simulations, and this search has 40"
    assert b'id="board"' in feed.page()


@pytest.fixture
def started(tmp_path: Path) -> Iterator["subprocess.Popen[str]"]:
    command = [sys.executable, "-P", "-m", "gui.app", "watch", "tictactoe", "b2", "--net", "uniform", "--seed", "1"]
    child = subprocess.Popen(
        [*command, "--no-prove", "--simulations", "300"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    yield child
    child.kill()
    child.communicate()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for one process")
def test_the_command_serves_its_search_until_ctrl_c(started: "subprocess.Popen[str]") -> None:
    said = re.fullmatch(r"the page is at http://127\.0\.0\.1:(\d+)/([\w-]+)/\n", started.stdout.readline())
    assert said
    connection = http.client.HTTPConnection("127.0.0.1", int(said[1]), timeout=60)
    version, simulations = 0, 0
    while True:
        connection.request("GET", f"/{said[2]}/newer?after={version}")
        answer = connection.getresponse()
        news = answer.read()
        if answer.status == 200 and not news:
            break
        if news:
            version, simulations = header_of(news)["version"], header_of(news)["records"]
    assert simulations == 300
    started.send_signal(signal.SIGINT)
    out, err = started.communicate(timeout=60)
    assert (started.returncode, out) == (130, "")
    assert err.splitlines()[-1] == "the search has 300 simulations; Ctrl-C ends the page"


def test_in_a_browser_the_page_grows_and_shows_the_programs_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_feed, "LEAST_S", 0.0)
    search = a_search()
    feed = SearchFeed(saved(search), search.numbering)
    with open_browser(tmp_path) as tab, serving(feed) as server:
        tab.open(server.address, "language=en", SHOWN)
        assert tab.value("document.getElementById('number').value") == "20"
        tab.value("document.querySelector('#moves button:enabled').click()")
        chosen = tab.value("document.querySelector('#path [aria-current]').textContent")
        for simulations in (100, 250):
            search.run(Limit(simulations=simulations))
            feed.put(saved(search), search.numbering, ended=simulations == 250)
            tab.until(f"document.getElementById('number').value === '{simulations}'")
            assert tab.value("document.getElementById('slider').max") == str(simulations)
            assert tab.value("document.querySelector('#path [aria-current]').textContent") == chosen
        tab.until("document.getElementById('live').textContent.startsWith('The search has ended')")
        tab.value("document.querySelector('#path button').click()")
        moves = search.snapshot().moves
        shown = rows(tab)
        assert [row[0].split(" ")[0].removesuffix("best") for row in shown] == [move.name for move in moves]
        assert [int(row[1]) for row in shown] == [move.visits for move in moves]
        for row, move in zip(shown, moves, strict=True):
            for text, figure in zip(row[3:], (move.q, 100 * move.prior, move.u, move.score), strict=True):
                assert float(text.replace("−", "-").replace(" %", "")) == pytest.approx(figure, abs=0.051)
        tab.value("document.activeElement.blur()")
        tab.key("Home")
        assert tab.value("document.getElementById('number').value") == "0"
        assert tab.problems == []


def test_in_a_browser_an_earlier_moment_stays_and_the_end_of_the_program_is_said(tmp_path: Path) -> None:
    search = a_search()
    feed = SearchFeed(saved(search), search.numbering)
    with open_browser(tmp_path) as tab:
        with serving(feed) as server:
            tab.open(server.address, "language=zh&simulation=7", SHOWN)
            search.run(Limit(simulations=70))
            feed.put(saved(search), search.numbering)
            tab.until("document.getElementById('slider').max === '70'")
            assert tab.value("document.getElementById('number').value") == "7"
        tab.until("document.getElementById('live').textContent === 'Plyscope 不再回应。'")


def test_a_copy_is_no_window_into_the_running_search() -> None:
    search = a_search()
    kept = saved(search)
    record = page_data.page_record(kept)
    data = page_data.packed(record)
    search.run(Limit(simulations=80))
    assert page_data.packed(record) == data
