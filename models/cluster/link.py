"""The window's end of the process that holds a connection to Ray."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, Protocol

from core.text import Text
from models.cluster.courier import read_frame, write_frame
from models.cluster.packed import MOST_BYTES

MISSING: Final = Text('work on other machines needs Ray, which is not installed here: pip install "ray>=2.50,<3"')
END_S: Final = 5.0  # it ends the analysis before it ends itself


class Link(Protocol):
    """A connection; ``receive`` blocks, the others do not wait for the other side."""

    def send(self, *words: Any) -> None:
        """``OSError`` when it has ended."""

    def receive(self) -> bytes | None:
        """The next message; None when the connection has ended."""

    def close(self) -> None: ...


class ProcessLink:
    """A connection to the analysis ``name`` on the cluster at ``address``, in a process of its own."""

    def __init__(self, address: str, name: str) -> None:
        if getattr(sys, "frozen", False) or find_spec("ray") is None:
            raise ValueError(MISSING)
        root = str(Path(__file__).resolve().parents[2])
        paths = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH", ""))))
        # The group of its own keeps Ctrl-C of a terminal, which is the window's or the command's, from it.
        options: dict[str, Any] = {} if os.name == "nt" else {"start_new_session": True}
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "models.cluster.courier"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": paths},
            **options,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._given: Any = self._process.stdin
        self._told: Any = self._process.stdout
        self._lock = threading.Lock()
        self._write((address, name))

    def send(self, *words: Any) -> None:
        """Pass on a message; ``OSError`` when the process has ended."""
        self._write(words)

    def _write(self, words: tuple[Any, ...]) -> None:
        with self._lock:
            if self._given.closed:
                raise BrokenPipeError
            write_frame(self._given, pickle.dumps(words))

    def receive(self) -> bytes | None:
        """The next message; None when the process has ended."""
        try:
            return read_frame(self._told, MOST_BYTES)
        except (OSError, ValueError):
            return None

    def close(self) -> None:
        """End the process, and with it the analysis; does not wait."""
        threading.Thread(target=self._reap, name="end of a connection", daemon=True).start()

    def _reap(self) -> None:
        with suppress(OSError), self._lock:
            self._given.close()
        try:
            self._process.wait(END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._told.close()
