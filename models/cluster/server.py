"""The far end of an analysis on another machine: does what a window asks for, and shows it at a bounded rate.

It is asked by the messages of ``models.cluster.messages``: over the pipes of ``plyscope serve --snapshots``, or as an
actor of a Ray cluster (``models.cluster.on_ray``).
"""

from __future__ import annotations

import hashlib
import os
import platform
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from operator import is_not
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from msgspec.structs import replace as changed

from core.engine import Analysis, Search
from core.engine.look_back import Past
from core.engine.request import Agenda
from core.glass.snapshot import Snapshot
from core.text import Text, text_of
from models.cluster import messages
from models.cluster.versions import own_version
from models.runs.scratch import ScratchFolder

if TYPE_CHECKING:
    from models.cluster.on_ray import RayServer

HOLD_S: Final = 0.5  # without news it says so as often
PER_SECOND: Final = 30.0  # snapshots, at most
BYTES_PER_SECOND: Final = 1e6
MOST_SENT: Final = 1 << 20  # bytes of a snapshot: a larger one goes without pictures and curves
TICK_S: Final = 0.008  # between two looks at a running search
IDLE_TICK_S: Final = 0.05  # and at one that is paused
GONE_S: Final = 60.0  # without a message after which the window is gone
LAST_WORDS_S: Final = 0.5
SENDING: Final = Text("sending the net")
LEFT_OUT: Final = Text("the pictures of the tree and the curves are too large for the connection and are left out")

Tell = Callable[[Search, dict[str, Any]], str]


def serve(make: Callable[[], AnalysisServer | RayServer], source: BinaryIO, sink: BinaryIO) -> None:
    """Pass messages on, from ``source`` to the server made and from that to ``sink``, until one of them ends.

    The server's methods are called from two threads, and raise ``ValueError`` where another try would not help."""
    ended, faults = threading.Event(), list[Exception]()

    def take(server: AnalysisServer | RayServer) -> None:
        try:
            while (message := messages.read_frame(source)) is not None:
                server.take(message)
        except Exception as error:
            faults.append(error)
        ended.set()

    def tell(message: bytes) -> None:
        sink.write(messages.framed(message))
        sink.flush()

    server = None
    try:
        server = make()
        tell(server.greet())
        threading.Thread(target=take, args=(server,), name="from the window", daemon=True).start()
        while not ended.is_set():
            if message := server.show():
                tell(message)
        if faults:
            raise faults[0]
    except BrokenPipeError:  # nobody reads any more
        pass
    except Exception as error:
        words = text_of(error) if isinstance(error, ValueError | OSError) else f"{type(error).__name__}: {error}"
        with suppress(OSError):
            tell(messages.encode(messages.Refusal(words[:1000], isinstance(error, ValueError))))
    finally:
        if server is not None:
            server.close()


def end_process() -> None:
    """End this process, after the messages on their way."""
    time.sleep(LAST_WORDS_S)
    os._exit(0)


class AnalysisServer:
    """An analysis that is asked by messages."""

    def __init__(self, tell: Tell, gone_s: float = GONE_S, end: Callable[[], object] = end_process) -> None:
        """``tell`` answers questions about the search; ``end`` is called once it is closed, or no message has come for
        ``gone_s``."""
        self._analysis = Analysis()
        self._lock, self._showing = threading.Lock(), threading.Lock()
        self._woken, self._closed = threading.Event(), threading.Event()
        self._assignment = messages.Assignment()
        self._missing = ""  # the digest of the net that the request waits for
        self._folder = ScratchFolder("plyscope-nets-")
        self._nets: dict[str, str] = {}  # files by digest
        self._tell = tell
        self._answer: messages.Answer | None = None
        self._sent: tuple[messages.Status, Snapshot | None, Past | None] = (messages.Status(), None, None)  # last
        self._number = self._received = 0  # of the last status, and of the last that has arrived
        self._next_at = 0.0  # the earliest time of the next
        self._heard = self._received_at = time.monotonic()
        self._gone_s, self._end = gone_s, end
        threading.Thread(target=self._watch, name="end of the analysis", daemon=True).start()

    def greet(self) -> bytes:
        """The first message for a window."""
        with self._showing, self._lock:  # what was sent to an earlier window is over
            self._sent, self._received = (messages.Status(), None, None), self._number
            self._heard = self._received_at = time.monotonic()
            resumed = self._assignment.number > 0
        return messages.encode(messages.Greeting(platform.node(), *own_version(__name__), resumed))

    def close(self) -> None:
        """End the analysis."""
        self._closed.set()
        self._woken.set()
        self._analysis.close()
        self._folder.close()

    def _watch(self) -> None:
        while not self._closed.wait(max(0.05, self._heard + self._gone_s - time.monotonic())):
            if time.monotonic() - self._heard >= self._gone_s:
                break
        self._folder.close()
        self._end()

    # What is asked for.

    def take(self, message: bytes) -> None:
        """Do as a message of the window says."""
        self._heard = time.monotonic()
        decoded = messages.from_window(message)
        with self._lock:
            if isinstance(decoded, messages.Receipt):
                self._received, self._received_at = decoded.number, self._heard
            elif isinstance(decoded, messages.NetPart):
                self._keep(decoded)
                if decoded.last and self._missing == decoded.digest:
                    self._follow(self._assignment.agenda)
            elif decoded.number > self._assignment.number:
                question, self._assignment = self._assignment.question, decoded
                self._follow(decoded.agenda)
                if decoded.question is not None and decoded.question != question:
                    self._ask(decoded.question)
        self._woken.set()

    def _keep(self, part: messages.NetPart) -> None:
        """Keep a net file for as long as this lives; what does not have its digest is refused."""
        folder = self._folder.path / Path(part.digest).name
        folder.mkdir(exist_ok=True)
        file = folder / (Path(part.name).name or "net.onnx")
        with file.open("wb" if part.first else "ab") as net:
            net.write(part.data)
            size = net.tell()
        if part.last:
            with file.open("rb") as net:
                whole = hashlib.file_digest(net, "sha256").hexdigest() == part.digest
            if not whole or size > messages.MOST_NET:
                raise ValueError(Text("the net that was sent is damaged"))
            self._nets[part.digest] = str(file)

    def _follow(self, agenda: Agenda) -> None:
        """Do as the agenda says, once its net is here."""
        self._missing = ""
        if agenda.request is not None and isinstance(source := agenda.request.source, messages.SentSource):
            if source.digest and source.digest not in self._nets:
                self._missing = source.digest
                return
            source = changed(source, path=self._nets.get(source.digest, ""))
            agenda = replace(agenda, request=replace(agenda.request, source=source))
        self._analysis.follow(agenda)

    def _ask(self, question: messages.Question) -> None:
        """Answer a question between two slices of the search."""

        def visit(search: Search | None) -> None:
            try:
                words = self._tell(search, question.options) if search is not None else Text("there is no tree yet")
                self._answer = messages.Answer(question.number, words, search is None)
            except Exception as error:  # the thread of the search may not end by it
                words = text_of(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
                self._answer = messages.Answer(question.number, words, True)
            self._woken.set()

        self._analysis.visit(visit)

    # What is shown.

    def show(self) -> bytes:
        """The next message, once the last one has arrived, there is something new and the rate allows it; without news
        ``HOLD_S`` after the last one has arrived."""
        until = time.monotonic() + HOLD_S
        with self._showing:
            while not self._closed.is_set() and (now := time.monotonic()) < until:
                news = self._news()
                due = self._received == self._number and now >= self._next_at
                new = news[0] != self._sent[0] or any(map(is_not, news[1:], self._sent[1:]))
                if due and (new or now >= self._received_at + HOLD_S):
                    return self._message(*news)
                self._woken.wait(TICK_S if news[0].searching else IDLE_TICK_S)
                self._woken.clear()
        return b""

    def _news(self) -> tuple[messages.Status, Snapshot | None, Past | None]:
        """What there is to show, before it is packed."""
        with self._lock:
            analysis, assignment, missing = self._analysis, self._assignment, self._missing
            searching = analysis.searching  # read before the snapshot, which is then the last when it is not
            snapshot, past = analysis.latest(), analysis.past()
        request = 0 if missing or assignment.agenda.request is None else assignment.agenda.request.id
        status = messages.Status(
            assignment=assignment.number,
            request=request,
            searching=searching or bool(missing),
            phase=SENDING if missing else analysis.phase,
            error=analysis.error or "",
            notice=analysis.notice or "",
            missing=missing,
            answer=self._answer,
        )
        return (
            status,
            (snapshot.whole or snapshot) if snapshot is not None and snapshot.request == request else None,
            past if past is not None and past.request == request else None,
        )

    def _message(self, status: messages.Status, snapshot: Snapshot | None, past: Past | None) -> bytes:
        """What there is to show, without the records that were sent before."""
        before, self._sent = self._sent, (status, snapshot, past)
        records: list[Any] = [snapshot if snapshot is not before[1] else None, past if past is not before[2] else None]
        packed = [record and messages.pack(record) for record in records]
        if sum(map(len, filter(None, packed))) > MOST_SENT:
            packed = [record and messages.pack(_without_pictures(record)) for record in records]
            status = changed(status, left_out=LEFT_OUT)
        self._number, now = self._number + 1, time.monotonic()
        waited_s = now - self._received_at
        status = changed(status, number=self._number, waited_s=waited_s, snapshot=packed[0], past=packed[1])
        message = messages.encode(status)
        self._next_at = now + max(1 / PER_SECOND, len(message) / BYTES_PER_SECOND)
        return message


def _without_pictures(record: Snapshot | Past) -> Snapshot | Past:
    """The record without what grows with the tree: its pictures and curves."""
    if isinstance(record, Past):
        return record.changed(lambda snapshot: replace(snapshot, picture=None, icicles={}, answer=None, curves=None))
    return replace(record, picture=None, icicles={}, answer=None, curves=None)
