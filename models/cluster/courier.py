"""The process between a window and a cluster: holds the connection to Ray, so that its end is not the window's.

Started by ``models.cluster.remote_client``, whose wishes it reads from stdin; it writes reports to stdout.
"""

from __future__ import annotations

import json
import os
import pickle
import struct
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, BinaryIO, Final, Protocol

from core.engine import Search
from core.text import Text, with_texts
from models.cluster.connect import CANNOT_FETCH, cannot_fetch
from models.cluster.remote_analysis import GONE_S, Answer, RemoteAnalysis, end_process
from models.cluster.shown import own_versions
from models.cluster.versions import Version, difference
from models.cluster.wish import Wish

HELLO: Final = b"H"  # JSON of ``RemoteAnalysis.hello``, with ``kept``: an analysis of an earlier connection
REPORT: Final = b"R"  # ``HEAD``: latency in s and the request it is of, then the packed report
SAID: Final = b"S"  # JSON: ``number`` of the question, ``text``, and ``refused`` where that is why there is no answer
FAULT: Final = b"F"  # JSON: ``text``, and ``final`` where another try would not help
NAMESPACE: Final = "plyscope"
HOLD_S: Final = 0.5  # an analysis without news waits before it says so
ANSWER_S: Final = 15.0  # the longest that an answer may take
START_S: Final = 60.0  # the same of a new actor, which loads the program
CLOSE_S: Final = 3.0
NET_BYTES_PER_S: Final = 250_000  # the slowest that a net may travel
FRAME: Final = struct.Struct("<I")
HEAD: Final = struct.Struct("<fq")


class Far(Protocol):
    """The analysis at the other end; each method may raise what the connection raises."""

    def hello(self) -> dict[str, Any]: ...

    def take(self, wish: Wish) -> None: ...

    def take_net(self, digest: str, name: str, data: bytes) -> None: ...

    def poll(self, seen: int, hold_s: float) -> Answer: ...

    def ask(self, question: Callable[[Search], str], limit_s: float) -> str: ...

    def close(self) -> None: ...


class Courier:
    """Passes wishes to an analysis and asks it for reports until ``end``."""

    def __init__(self, far: Far, send: Callable[[bytes], object]) -> None:
        self._far, self._send = far, send
        self._ended = threading.Event()

    def run(self, kept: bool) -> None:
        """Ask for reports; raises as the connection does, or ``ValueError`` for another version of the program."""
        theirs = self._far.hello()
        if why := difference(str(theirs["machine"]), _version_in(theirs), _version_in(own_versions())):
            raise ValueError(why)
        self._send(HELLO + json.dumps({**theirs, "kept": kept}).encode())
        seen = 0
        while not self._ended.is_set():
            asked = time.monotonic()
            answer = self._far.poll(seen, HOLD_S)
            latency = max(0.0, time.monotonic() - asked - answer.held_s)
            seen = answer.number
            self._send(REPORT + HEAD.pack(latency, answer.request) + answer.packed)

    def take(self, words: tuple[Any, ...]) -> None:
        """Pass on one message of the window."""
        if words[0] == "wish":
            self._far.take(words[1])
        elif words[0] == "net":
            self._far.take_net(*words[1:])
        elif words[0] == "ask":
            threading.Thread(target=self._ask, args=words[1:], name="question", daemon=True).start()

    def _ask(self, number: int, question: Callable[[Search], str], limit_s: float) -> None:
        try:
            text, refused = self._far.ask(question, limit_s), False
        except Exception as error:
            text, refused = sentence_of(error), True
        with suppress(OSError):
            self._send(SAID + json.dumps({"number": number, **with_texts({"text": text}), "refused": refused}).encode())

    def end(self, close: bool) -> None:
        """Ask for no more; ``close``: the analysis ends, too."""
        self._ended.set()
        if close:
            self._far.close()


def _version_in(said: dict[str, Any]) -> Version:
    return Version(str(said.get("program", "?")), str(said.get("layout", "")))


class RayFar:
    """The methods of an actor as those of an object."""

    def __init__(self, actor: Any) -> None:
        self._actor = actor
        self._limit = START_S  # until it has answered once

    def _ask(self, method: str, *given: Any, more_s: float = 0.0) -> Any:
        import ray

        answer = ray.get(getattr(self._actor, method).remote(*given), timeout=self._limit + more_s)
        self._limit = ANSWER_S
        return answer

    def hello(self) -> dict[str, Any]:
        return dict(self._ask("hello"))

    def take(self, wish: Wish) -> None:
        self._ask("take", wish)

    def take_net(self, digest: str, name: str, data: bytes) -> None:
        self._ask("take_net", digest, name, data, more_s=len(data) / NET_BYTES_PER_S)

    def poll(self, seen: int, hold_s: float) -> Answer:
        answer: Answer = self._ask("poll", seen, hold_s)
        return answer

    def ask(self, question: Callable[[Search], str], limit_s: float) -> str:
        import ray

        return str(ray.get(self._actor.ask.remote(question, limit_s), timeout=limit_s + ANSWER_S))

    def close(self) -> None:
        self._limit = CLOSE_S
        with suppress(Exception):  # it may be gone
            self._ask("close")


def actor_for(name: str, gone_s: float = GONE_S) -> tuple[Any, bool]:
    """The actor of a name, and whether it was there: an analysis outlives a connection for a while."""
    import ray

    with suppress(ValueError):
        return ray.get_actor(name, NAMESPACE), True
    has: dict[str, float] = ray.available_resources()  # type: ignore[no-untyped-call]
    wanted: dict[str, Any] = {"num_cpus": 1 if has.get("CPU", 0) >= 1 else 0}
    if has.get("GPU", 0) > 0:
        wanted["num_gpus"] = min(1.0, has["GPU"])
    actor = ray.remote(RemoteAnalysis).options(
        name=name, namespace=NAMESPACE, lifetime="detached", max_concurrency=4, max_restarts=0, **wanted
    )
    return actor.remote(gone_s, end_process), False


def sentence_of(error: BaseException) -> Text:
    """Why something failed at the other end."""
    if "ModuleNotFoundError" in str(error):
        return Text("Plyscope is not installed on the machines of the cluster")
    if type(error).__name__ in ("ActorDiedError", "ActorUnavailableError"):
        return Text("the process that searched there has ended")
    if cannot_fetch(error):
        return CANNOT_FETCH
    if type(error).__name__ == "GetTimeoutError":
        return Text("the cluster did not answer in time; all its machines may be busy")
    cause = getattr(error, "cause", None)  # what an actor raised, inside Ray's error
    first = cause.args[0] if isinstance(cause, ValueError) and cause.args else error.args[0] if error.args else None
    if isinstance(first, Text):
        return first
    if isinstance(cause or error, ValueError):
        return Text("{words}", words=str(first)[:200])
    words = (str(error).strip().splitlines() or [""])[0][:200]
    return Text("{kind}: {words}", kind=type(error).__name__, words=words)


def fault(error: BaseException, connecting: bool = False) -> bytes:
    """A message that says why the connection has ended, or with ``connecting`` why there is none."""
    final = not connecting and (isinstance(error, ValueError) or cannot_fetch(error))
    return FAULT + json.dumps({**with_texts({"text": sentence_of(error)}), "final": final}).encode()


def read_frame(stream: BinaryIO, most: int) -> bytes | None:
    """The next message; None at the end, or for one that is too large."""
    head = stream.read(FRAME.size)
    if len(head) < FRAME.size:
        return None
    (length,) = FRAME.unpack(head)
    if length > most:
        return None
    data = stream.read(length)
    return data if len(data) == length else None


def write_frame(stream: BinaryIO, data: bytes) -> None:
    """Write a message; ``OSError`` when nobody reads any more."""
    stream.write(FRAME.pack(len(data)) + data)
    stream.flush()


def main() -> None:
    """Connect as the first message says, then pass messages on until stdin ends."""
    given, told = sys.stdin.buffer, os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what libraries print
    first = read_frame(given, 1 << 16)
    if first is None:
        return
    address, name = pickle.loads(first)
    writing = threading.Lock()

    def send(data: bytes) -> None:
        with writing:
            write_frame(told, data)

    from models.cluster.connect import connect

    try:
        connection = connect(address)
    except ValueError as error:
        send(fault(error, connecting=True))
        return
    try:
        actor, kept = actor_for(name)
        courier = Courier(RayFar(actor), send)
        threading.Thread(target=_read, args=(given, courier, send), name="wishes", daemon=True).start()
        courier.run(kept)
    except Exception as error:
        with suppress(OSError):
            send(fault(error))
    connection.close()


def _read(given: BinaryIO, courier: Courier, send: Callable[[bytes], object]) -> None:
    """Pass on the window's messages; when it is gone, so are the analysis and this process."""
    while (data := read_frame(given, 1 << 31)) is not None:
        try:
            courier.take(pickle.loads(data))
        except Exception as error:
            with suppress(OSError):
                send(fault(error))
            os._exit(1)
    with suppress(Exception):
        courier.end(close=True)
    os._exit(0)


if __name__ == "__main__":
    main()
