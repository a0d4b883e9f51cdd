"""A page that grows, for browsers on this machine alone: the server, and who may ask it.

It listens on the loopback address only, and answers no one who does not know the token in the address, which is drawn
anew for each server.  The name by which it is asked must be of this machine too: another site's script can have its own
name point here, but not change what the browser then sends as the host.
"""

import os
import re
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final, Protocol
from urllib.parse import urlsplit

LOOPBACK: Final = "127.0.0.1"
MOST_CONNECTIONS: Final = 32  # at once; others are closed unanswered
WAIT_S: Final = 10.0  # for news, before it is said that there are none yet
_SILENT_S: Final = 15.0  # after which a connection that says nothing is closed
_HOST: Final = re.compile(r"(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?", re.ASCII | re.IGNORECASE)
_AFTER: Final = re.compile(r"after=(\d{1,15})", re.ASCII)
_HTML: Final = "text/html; charset=utf-8"
_HEADERS: Final = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "frame-ancestors 'none'",  # the page itself names the rest
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class Feed(Protocol):
    """What a page that grows is made of; asked from several threads."""

    def page(self) -> bytes:
        """The page as it is now."""
        ...

    def newer(self, version: int, wait_s: float) -> bytes | None:
        """What leads from a version to a later one; None where there is none within the time, b"" where none comes."""
        ...


class PageServer(ThreadingHTTPServer):
    """Serves one feed; a thread for each connection."""

    daemon_threads = True
    allow_reuse_address = os.name == "posix"  # on Windows another program could take the port over

    def __init__(self, feed: Feed, port: int = 0) -> None:
        """``port`` 0: any that is free.  ValueError for one that cannot be had."""
        self.feed = feed
        self.token = secrets.token_urlsafe(24)
        self._room = threading.BoundedSemaphore(MOST_CONNECTIONS)
        if not 0 <= port <= 65535:
            raise ValueError(f"--port is {port}; it must be from 1 to 65535, or 0 for any that is free")
        try:
            super().__init__((LOOPBACK, port), _Handler)
        except OSError as error:
            raise ValueError(f"port {port} of this machine cannot be used: {error.strerror}") from None

    @property
    def address(self) -> str:
        """The address of the page."""
        return f"http://{LOOPBACK}:{self.server_address[1]}/{self.token}/"

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer in a thread of its own, where there is room for one more."""
        if self._room.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Answer, then make room."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._room.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: the browser has gone away."""


class _Handler(BaseHTTPRequestHandler):
    server: PageServer
    timeout = _SILENT_S

    def do_GET(self) -> None:
        """Answer the page, or what is new of it."""
        asked = urlsplit(self.path)
        token, _, name = asked.path.removeprefix("/").partition("/")
        if not _HOST.fullmatch(self.headers.get("Host", "")):
            self._answer(403, b"This server is for programs on its own machine.\n")
        elif not secrets.compare_digest(token.encode(), self.server.token.encode()):
            self._answer(403, b"The address is not the one that plyscope printed.\n")
        elif name == "" and asked.path.endswith("/"):
            self._answer(200, self.server.feed.page(), _HTML)
        elif name == "newer" and (after := _AFTER.fullmatch(asked.query)):
            news = self.server.feed.newer(int(after[1]), WAIT_S)
            self._answer(204 if news is None else 200, news or b"", "application/octet-stream")
        else:
            self._answer(404, b"There is no such page.\n")

    def _answer(self, status: int, data: bytes, kind: str = "text/plain; charset=utf-8") -> None:
        self.send_response(status)
        for header, value in _HEADERS.items():
            self.send_header(header, value)
        if status != 204:
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def version_string(self) -> str:
        """What the server says of itself."""
        return "plyscope"

    def log_message(self, *_: object) -> None:
        """Keep the terminal quiet."""


@contextmanager
def serving(feed: Feed, port: int = 0) -> Iterator[PageServer]:
    """A context in which a server answers; it ends with the context."""
    server = PageServer(feed, port)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
