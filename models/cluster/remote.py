"""An analysis on another machine with the methods of one in this process (``core.engine.Analysis``).

Every request changes one message, which is sent whole: after a lost connection the next one goes on from it.  No method
waits for the other machine.  A thread holds the connection and makes it again.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol, runtime_checkable

from msgspec.structs import replace as changed

from core.engine.look_back import Past
from core.engine.request import EvaluatorSource
from core.files.texts import position_json
from core.games import Position
from core.glass.icicle import Icicle, IcicleView
from core.glass.snapshot import Path as TreePath
from core.glass.snapshot import Snapshot
from core.search.settings import Limit, SearchSettings
from core.text import Text, text_of
from models.cluster import messages
from models.cluster.pipe import Pipe, command_for, why_ended
from models.cluster.server import AnalysisServer
from models.cluster.versions import Version, difference, own_version

START_S: Final = 60.0  # the longest until the other machine greets: it loads the program
SILENT_S: Final = 30.0  # and without any message later; it sends one twice a second
END_S: Final = 3.0  # for the program at the other end of the pipe to end by itself
RETRIES_S: Final = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0)  # waits before one more try; the last one again and again
RATE_S: Final = 2.0  # over which rates are measured
WAIT_S: Final = 0.1
WENT_ON: Final = Text("connected to {machine} again: the search went on meanwhile", machine="")
ANEW: Final = Text("connected to {machine} again: the search began anew at the position", machine="")
_PART: Final = 1 << 16  # bytes of a net sent at once; Ray itself passes on what is so small
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Traffic:
    """The connection as a status line shows it."""

    address: str
    machine: str = ""  # "" before the first connection
    connected: bool = False
    latency_s: float = 0.0
    snapshots: float = 0.0  # per second
    bytes: float = 0.0  # per second
    left_out: str = ""  # what was too large to be sent


@runtime_checkable
class NetOnDisk(Protocol):
    """An evaluator source that is a net file of this machine."""

    path: Path
    recipe: Any
    runtime: str


class RemoteAnalysis:
    """The analysis on the machine or cluster at ``address``; usable as a context manager."""

    elsewhere: Final = True  # its tree is not in this process

    def __init__(self, address: str, command: tuple[str, ...] = ()) -> None:
        """``command``: the program to which the analysis is asked; (): that for the address."""
        self.address = address
        self._command = command
        self._name = f"analysis-{uuid.uuid4().hex}"
        self._condition = threading.Condition()
        self._wanted = messages.Wanted()
        self._source: EvaluatorSource | None = None  # of what is wanted
        self._last_id = 0
        self._readers: dict[int, messages.SnapshotReader] = {}  # by request: of the newest
        self._nets: dict[str, messages.SentSource] = {}  # by label: each file is read once
        self._latest: Snapshot | None = None
        self._past: Past | None = None
        self._shown = messages.Shown()  # the newest
        self._error: str | None = None
        self._refused: str | None = None  # why there is no connection, and will be none
        self._notice: Text | None = None
        self._machine = ""  # its name, once it was connected
        self._linked = False
        self._closing = False
        self._tried = 0  # connections since the last one that answered
        self._asked_at = self._latency_s = 0.0
        self._arrivals: deque[tuple[float, int, bool]] = deque()  # when, bytes, whether with a snapshot
        self._left_out = ""
        self._loop = asyncio.new_event_loop()
        self._woken, self._ending = asyncio.Event(), asyncio.Event()  # what is wanted is new; this is closed
        self._thread = threading.Thread(target=self._work, name="remote analysis", daemon=True)
        self._thread.start()

    def __enter__(self) -> RemoteAnalysis:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    # Requests, as those of Analysis.

    def start(
        self,
        position: Position,
        source: EvaluatorSource | None = None,
        settings: SearchSettings | None = None,
        limit: Limit | None = None,
        seed: int = 0,
        only: Iterable[int] = (),
    ) -> int:
        """Analyse ``position``; returns the request's id, which its snapshots carry."""
        with self._condition:
            self._last_id += 1
            order = messages.Order(
                self._last_id, position_json(position), None, settings or SearchSettings(), seed, tuple(only)
            )
            self._source = source
            self._readers = {self._last_id: messages.SnapshotReader(position)}
            self._past, self._error = None, self._refused
            self._want(order=order, opened=(), look=None, **self._running(limit))
            return self._last_id

    def stop(self) -> None:
        """Pause; the tree is kept."""
        self._want(running=False)

    def resume(self, limit: Limit | None = None) -> None:
        """Continue with the present tree, to ``limit`` (None: no limit)."""
        with self._condition:
            if self._wanted.order is not None:
                self._error = self._refused
                self._want(**self._running(limit))

    def request_nodes(self, paths: Iterable[TreePath]) -> None:
        """Set the nodes, as actions from the root, that snapshots include."""
        self._want(opened=tuple(sorted(set(paths))))

    def request_picture(self, nodes: int) -> None:
        """Set how many of the most visited nodes snapshots include as a picture."""
        self._want(picture=nodes)

    def request_icicles(self, icicles: dict[str, IcicleView], twins: dict[str, Icicle]) -> None:
        """Set the icicles that snapshots include; they never have ``twins``, whose other tree is not there."""
        self._want(icicles=dict(icicles))

    def request_curves(self, wanted: bool) -> None:
        """Set whether snapshots include the root's curves."""
        self._want(curves=wanted)

    def look_back(self, simulation: int | None) -> None:
        """Show the search as it was after ``simulation`` in ``past``; None ends looking back."""
        with self._condition:
            if simulation is None:
                self._past = None
            self._want(look=simulation)

    def visit(self, visitor: Callable[[Any], object]) -> None:
        """Call ``visitor`` with None: the tree is on the other machine."""
        visitor(None)

    def wait(self) -> None:
        """Wait until something has come, for a moment."""
        with self._condition:
            self._condition.wait(WAIT_S)

    def ask(self, options: dict[str, Any], gave_up: Callable[[], object] = bool) -> str:
        """What the search there has to say to the ``options`` of ``plyscope analyze``; waits until it does.

        ``ValueError`` where it refuses, when the connection is lost meanwhile, and once ``gave_up`` is true."""
        with self._condition:
            before = self._wanted.question
            question = messages.Question(1 if before is None else before.number + 1, options)
            self._want(question=question)
            while (answer := self._shown.answer) is None or answer.number != question.number:
                if not self._linked or gave_up():
                    raise ValueError(self._error or Text("the connection to {machine} was lost", machine=self.address))
                self._condition.wait(WAIT_S)
        if answer.refused:
            raise ValueError(messages.text_in(answer.words))
        return answer.words

    def close(self, timeout_s: float = 1.0) -> None:
        """End the search, the connection and the thread; safe to call twice."""
        with self._condition:
            self._closing = True
            self._notify(self._ending)
        self._thread.join(timeout_s)

    def _running(self, limit: Limit | None) -> dict[str, Any]:
        return {"runs": self._wanted.runs + 1, "limit": limit or Limit(), "running": self._refused is None}

    def _want(self, **changes: Any) -> None:
        with self._condition:
            wanted = changed(self._wanted, **changes)
            if wanted != self._wanted:
                self._wanted = changed(wanted, number=self._wanted.number + 1)
                self._notify(self._woken)

    def _notify(self, event: asyncio.Event) -> None:
        self._condition.notify_all()
        with suppress(RuntimeError):  # the thread has ended
            self._loop.call_soon_threadsafe(event.set)

    # Results, as those of Analysis.

    def latest(self) -> Snapshot | None:
        """The newest snapshot; None before the first."""
        return self._latest

    def past(self) -> Past | None:
        """The earlier moment asked for; None while it is being computed, and in the present."""
        return self._past

    @property
    def phase(self) -> str:
        """The present activity, in words; "" when idle."""
        if self._linked or self._error is not None:
            return messages.text_in(self._shown.phase)
        return Text("connecting to {address}", address=self.address)

    @property
    def searching(self) -> bool:
        """Whether a search is running or about to."""
        return self._wanted.running

    @property
    def error(self) -> str | None:
        """Why the last request failed, or why there is no connection, in one sentence."""
        return self._error

    @property
    def notice(self) -> Text | None:
        """What happened to the connection or to the tree, in a sentence; None for nothing."""
        return self._notice

    @property
    def alive(self) -> bool:
        """Whether the thread still runs."""
        return self._thread.is_alive()

    @property
    def traffic(self) -> Traffic:
        """The connection's figures."""
        with self._condition:
            since = time.monotonic() - RATE_S
            recent = [(size, shown) for at, size, shown in self._arrivals if at >= since]
            return Traffic(
                self.address,
                self._machine,
                self._linked,
                self._latency_s,
                sum(shown for _, shown in recent) / RATE_S,
                sum(size for size, _ in recent) / RATE_S,
                self._left_out,
            )

    # The thread.

    def _work(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._keep_connected())
        finally:
            self._loop.close()

    async def _keep_connected(self) -> None:
        """Connect, and again when the connection is lost, until closed or refused."""
        while not self._closing:
            try:
                pipe = await Pipe.open(self._command or command_for(self.address, self._name))
            except ValueError as error:
                refusal = messages.Refusal(text_of(error), True)
            else:
                refusal = await self._connection(pipe)
            if not self._lost(refusal):
                return
            with suppress(TimeoutError):
                await asyncio.wait_for(self._ending.wait(), RETRIES_S[min(self._tried, len(RETRIES_S)) - 1])

    async def _connection(self, pipe: Pipe) -> messages.Refusal:
        """Talk to the other machine until the connection ends: why it did."""
        sending = asyncio.ensure_future(self._send(pipe))
        try:
            refusal = await self._receive(pipe)
        except ValueError as error:
            log.info("a message that cannot be used: %s", error)
            refusal = messages.Refusal(text_of(error), True)
        sending.cancel()
        await asyncio.wait({sending})
        code, complaint = await pipe.end(END_S)
        if not refusal.words and not self._linked:
            return messages.Refusal(why_ended(self.address, code, complaint), False)
        return refusal

    async def _receive(self, pipe: Pipe) -> messages.Refusal:
        """Take what comes: why no more does."""
        ending = asyncio.ensure_future(self._ending.wait())
        try:
            while True:
                reading = asyncio.ensure_future(pipe.read())
                limit = SILENT_S if self._linked else START_S
                await asyncio.wait({reading, ending}, timeout=limit, return_when=asyncio.FIRST_COMPLETED)
                if not reading.done():
                    reading.cancel()
                    return messages.Refusal(Text("no answer for {seconds:.0f} s", seconds=limit), False)
                if (data := reading.result()) is None:
                    return messages.Refusal("", False)
                message = messages.for_window(data)
                if isinstance(message, messages.Refusal):
                    return message
                if isinstance(message, messages.Greeting):
                    self._greeted(message)
                elif self._linked:
                    self._take(message, len(data))
                    pipe.write(messages.encode(messages.Seen(message.number)))
                    self._asked_at = time.monotonic()
                with self._condition:
                    self._condition.notify_all()
        finally:
            ending.cancel()

    def _greeted(self, greeting: messages.Greeting) -> None:
        theirs, ours = Version(greeting.program, greeting.build), own_version(AnalysisServer.__module__)
        if not theirs.build or not ours.build:  # one has no sources
            theirs, ours = theirs._replace(build=""), ours._replace(build="")
        if (why := difference(greeting.machine[:100], theirs, ours)) is not None:
            raise ValueError(why)
        with self._condition:
            if self._machine:
                self._notice = (WENT_ON if greeting.kept else ANEW).having(machine=self._machine)
            self._machine, self._linked, self._tried = greeting.machine[:100], True, 0
            self._asked_at = time.monotonic()
            self._woken.set()

    def _take(self, shown: messages.Shown, size: int) -> None:
        """Keep what is shown, unless it is of a request before the newest."""
        reader = self._readers.get(shown.request)
        snapshot = shown.snapshot and reader and reader.snapshot(shown.snapshot, shown.request)
        past = shown.past and reader and reader.past(shown.past, shown.request)
        now = time.monotonic()
        with self._condition:
            self._latency_s = max(0.0, now - self._asked_at - shown.held_s)
            self._arrivals.append((now, size, bool(snapshot)))
            while self._arrivals[0][0] < now - RATE_S:
                self._arrivals.popleft()
            if shown.request and shown.request not in self._readers:
                return
            self._shown = shown
            if snapshot:
                self._latest, self._left_out = snapshot, messages.text_in(shown.left_out)
            if past and self._wanted.look is not None:
                self._past = past
            if shown.wanted == self._wanted.number:
                self._error = messages.text_in(shown.error) or None
                notice = messages.text_in(shown.notice)
                self._notice = notice if isinstance(notice, Text) else self._notice
                if not shown.searching and self._wanted.running:
                    self._wanted = changed(self._wanted, running=False)  # it has ended by itself, as is known there
            if shown.missing:
                self._woken.set()

    def _lost(self, refusal: messages.Refusal) -> bool:
        """Say that the connection was lost; False when it is not tried again."""
        with self._condition:
            was_linked, self._linked, self._shown = self._linked, False, changed(self._shown, missing="")
            self._condition.notify_all()
            if self._closing:
                return False
            reason = messages.text_in(refusal.words) or Text("its process has ended")
            if refusal.final or not self._machine:
                self._error = self._refused = reason
                self._wanted, self._shown = changed(self._wanted, running=False), messages.Shown()
                return False
            if was_linked:
                self._notice = Text(
                    "the connection to {machine} was lost ({reason}) and is tried again",
                    machine=self._machine,
                    reason=reason,
                )
            self._tried += 1
            return True

    async def _send(self, pipe: Pipe) -> None:
        """Send what is wanted whenever it is new, and the nets that are missing."""
        sent, sending = None, ""
        with suppress(OSError):  # who reads sees that the connection has ended
            while True:
                await self._woken.wait()
                self._woken.clear()
                with self._condition:
                    wanted, source, missing = self._wanted, self._source, self._shown.missing
                if not self._linked:
                    continue
                try:
                    if wanted.number != sent:
                        pipe.write(messages.encode(self._with_source(wanted, source)))
                        sent = wanted.number
                    if missing and missing != sending:
                        sending = missing
                        await self._send_net(pipe, missing)
                    await pipe.drain()
                except ValueError as error:  # of the net's file
                    with self._condition:
                        self._error, self._wanted = text_of(error), changed(self._wanted, running=False)

    def _with_source(self, wanted: messages.Wanted, source: EvaluatorSource | None) -> messages.Wanted:
        """What is wanted, with its evaluator described for the other machine."""
        if wanted.order is None or source is None:
            return wanted
        sent = self._nets.get(source.label)
        if sent is None:
            if isinstance(source, messages.SentSource):
                sent = source
            elif isinstance(source, NetOnDisk):
                recipe = source.recipe.to_json() if source.recipe is not None else ""
                sent = messages.SentSource(source.label, str(source.path), "", recipe, source.runtime)
            else:
                sent = messages.SentSource(source.label)
            if sent.path:
                sent = changed(sent, digest=hashlib.sha256(_bytes_of(Path(sent.path))).hexdigest())
            self._nets[source.label] = sent
        return changed(wanted, order=changed(wanted.order, source=sent))

    async def _send_net(self, pipe: Pipe, digest: str) -> None:
        """Send a net in parts; ``ValueError`` when it has changed."""
        path = next((Path(net.path) for net in self._nets.values() if net.digest == digest), None)
        if path is None:
            return
        data = _bytes_of(path)
        if hashlib.sha256(data).hexdigest() != digest:
            raise ValueError(Text("{net} has changed since it was opened; open it again", net=path.name))
        for at in range(0, max(1, len(data)), _PART):
            last = at + _PART >= len(data)
            pipe.write(
                messages.encode(messages.NetPart(digest, path.name, data[at : at + _PART], first=not at, last=last))
            )
            await pipe.drain()


def _bytes_of(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(messages.MOST_NET + 1)
    except OSError as error:
        raise ValueError(
            Text("{path!r} cannot be read: {strerror}", path=str(path), strerror=error.strerror or str(error))
        ) from None
    if len(data) > messages.MOST_NET:
        raise ValueError(
            Text("{net} is too large to be sent; a net may have {most} MB", net=path.name, most=messages.MOST_NET >> 20)
        )
    return data
