"""The far end of a remote analysis in this process, behind a small program that a window's end can start."""

from __future__ import annotations

import socket
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, cast

from core.engine import Search
from models.cluster.messages import NetPart, from_window
from models.cluster.server import AnalysisServer, serve

# Passes its input on to a port of this machine, and what comes from there to its output.
BRIDGE = """
import os, socket, sys, threading
link = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
def up():
    while data := os.read(0, 65536):
        link.sendall(data)
    link.shutdown(socket.SHUT_WR)
threading.Thread(target=up, daemon=True).start()
while data := link.recv(65536):
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
"""


def tell(search: Search, options: dict[str, Any]) -> str:
    if options:
        raise ValueError("no such question")
    return str(search.simulations)


def new_server() -> AnalysisServer:
    return AnalysisServer(tell, end=bool)


class Kept:
    """An analysis that outlives its connections, as an actor of a cluster does."""

    def __init__(self) -> None:
        self.server = new_server()
        self.nets = 0  # sent
        self.silent = False

    def greet(self) -> bytes:
        return self.server.greet()

    def take(self, message: bytes) -> None:
        part = from_window(message)
        self.nets += isinstance(part, NetPart) and part.last
        self.server.take(message)

    def show(self) -> bytes:
        return b"" if self.silent else self.server.show()

    def close(self) -> None:
        pass


class FarEnd:
    """Serves whoever starts ``command``; ``down``: each connection ends at once."""

    def __init__(self) -> None:
        self.kept, self.down = Kept(), False
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.command = (sys.executable, "-I", "-S", "-c", BRIDGE, str(self._listener.getsockname()[1]))
        self.links: list[socket.socket] = []
        threading.Thread(target=self._listen, daemon=True).start()

    def drop(self) -> None:
        """Lose the connection; what was on its way is lost, too."""
        with suppress(OSError):
            self.links[-1].shutdown(socket.SHUT_RDWR)

    def lose(self) -> None:
        """End the analysis, as when its machine fails; the next connection finds a new one."""
        before, self.kept = self.kept, Kept()
        before.server.close()
        self.drop()

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)  # ends the wait for the next connection
        self._listener.close()
        for link in self.links:
            with suppress(OSError):
                link.shutdown(socket.SHUT_RDWR)
        self.kept.server.close()

    def _listen(self) -> None:
        with suppress(OSError):
            while True:
                link, _ = self._listener.accept()
                self.links.append(link)
                threading.Thread(target=self._serve, args=(link, lambda: self.kept), daemon=True).start()

    def _serve(self, link: socket.socket, make: Callable[[], Kept]) -> None:
        if not self.down:
            serve(cast(Callable[[], AnalysisServer], make), link.makefile("rb"), link.makefile("wb"))
        with suppress(OSError):
            link.shutdown(socket.SHUT_RDWR)
        link.close()
