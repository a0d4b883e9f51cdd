"""An analysis on another machine, used as one in this process is (``core.engine.Analyst``).

The agenda is sent whole: after a lost connection the next one goes on from it.  No request waits for the other machine.
A thread holds the connection and makes it again.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import time
import uuid
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Final, Protocol, runtime_checkable

from msgspec.structs import replace as changed

from core.engine.request import Agenda, Analyst
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


class RemoteAnalysis(Analyst):
    """The analysis on the machine or cluster at ``address``."""

    elsewhere: ClassVar[bool] = True

    def __init__(self, address: str, command: tuple[str, ...] = ()) -> None:
        """``command``: the program that does the analysis; (): that for the address."""
        super().__init__("remote analysis")
        self.address = address
        self._command = command
        self._name = f"analysis-{uuid.uuid4().hex}"
        self._number = 0  # of the agenda with the question, as they are sent
        self._question: messages.Question | None = None
        self._reader: tuple[int, messages.SnapshotReader] | None = None  # of the newest request
        self._nets: dict[str, messages.SentSource] = {}  # by label: each file is read once
        self._status = messages.Status()  # the newest
        self._notice: Text | None = None
        self._machine = ""  # its name, once it was connected
        self._linked = False
        self._tried = 0  # connections since the last one that answered
        self._asked_at = self._latency_s = 0.0
        self._arrivals: deque[tuple[float, int, bool]] = deque()  # when, bytes, whether with a snapshot
        self._left_out = ""
        self._loop = asyncio.new_event_loop()
        self._woken, self._ending = asyncio.Event(), asyncio.Event()  # there is something to send; this is closed
        self._thread.start()

    def visit(self, visitor: Callable[[Any], object]) -> None:
        visitor(None)  # the tree is on the other machine

    def wait(self) -> None:
        """Wait until something has come, for a moment."""
        with self._condition:
            self._condition.wait(WAIT_S)

    def ask(self, options: dict[str, Any], gave_up: Callable[[], object] = bool) -> str:
        """What the search there has to say to the ``options`` of ``plyscope analyze``; waits until it does.

        ``ValueError`` where it refuses, when the connection is lost meanwhile, and once ``gave_up`` is true."""
        with self._condition:
            number = 1 if self._question is None else self._question.number + 1
            self._question = messages.Question(number, options)
            self._announce(self._agenda)
            while (answer := self._status.answer) is None or answer.number != number:
                if not self._linked or gave_up():
                    raise ValueError(self._error or Text("the connection to {machine} was lost", machine=self.address))
                self._condition.wait(WAIT_S)
        if answer.refused:
            raise ValueError(messages.text_in(answer.words))
        return answer.words

    def _announce(self, before: Agenda) -> None:
        self._number += 1
        self._condition.notify_all()
        with suppress(RuntimeError):  # the thread has ended
            self._loop.call_soon_threadsafe((self._ending if self._closing else self._woken).set)

    @property
    def phase(self) -> str:
        if self._linked or self._error is not None:
            return messages.text_in(self._status.phase)
        return Text("connecting to {address}", address=self.address)

    @property
    def notice(self) -> Text | None:
        """What happened to the connection or to the tree."""
        return self._notice

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
                    pipe.write(messages.encode(messages.Receipt(message.number)))
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
                self._notice = (WENT_ON if greeting.resumed else ANEW).having(machine=self._machine)
            self._machine, self._linked, self._tried = greeting.machine[:100], True, 0
            self._asked_at = time.monotonic()
            self._woken.set()

    def _take(self, status: messages.Status, size: int) -> None:
        """Keep what is shown, unless it is of a request before the newest."""
        request = self._agenda.request
        snapshot, past = None, None
        if request is not None and status.request == request.id:
            if self._reader is None or self._reader[0] != request.id:
                self._reader = request.id, messages.SnapshotReader(request.position)
            reader = self._reader[1]
            snapshot = status.snapshot and reader.snapshot(status.snapshot, request.id)
            past = status.past and reader.past(status.past, request.id)
        now = time.monotonic()
        with self._condition:
            self._latency_s = max(0.0, now - self._asked_at - status.waited_s)
            self._arrivals.append((now, size, bool(snapshot)))
            while self._arrivals[0][0] < now - RATE_S:
                self._arrivals.popleft()
            agenda = self._agenda
            if status.request and (agenda.request is None or status.request != agenda.request.id):
                return
            self._status = status
            if snapshot:
                self._latest, self._left_out = snapshot, messages.text_in(status.left_out)
            if past and agenda.look is not None:
                self._past = past
            if status.assignment == self._number:
                self._error = messages.text_in(status.error) or None
                notice = messages.text_in(status.notice)
                self._notice = notice if isinstance(notice, Text) else self._notice
                if not status.searching:  # it has ended by itself, as is known there
                    self._agenda = replace(agenda, running=False)
            if status.missing:
                self._woken.set()

    def _lost(self, refusal: messages.Refusal) -> bool:
        """Say that the connection was lost; False when it is not tried again."""
        with self._condition:
            was_linked, self._linked, self._status = self._linked, False, changed(self._status, missing="")
            self._condition.notify_all()
            if self._closing:
                return False
            reason = messages.text_in(refusal.words) or Text("its process has ended")
            if refusal.final or not self._machine:
                self._error = self._refused = reason
                self._agenda, self._status = replace(self._agenda, running=False), messages.Status()
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
        """Send the agenda and the question whenever one is new, and the nets that are missing."""
        sent, sending = None, ""
        with suppress(OSError):  # who reads sees that the connection has ended
            while True:
                await self._woken.wait()
                self._woken.clear()
                with self._condition:
                    number, missing = self._number, self._status.missing
                    assignment = messages.Assignment(number, self._agenda, self._question)
                if not self._linked:
                    continue
                try:
                    if number != sent:
                        pipe.write(messages.encode(changed(assignment, agenda=self._sendable(assignment.agenda))))
                        sent = number
                    if missing and missing != sending:
                        sending = missing
                        await self._send_net(pipe, missing)
                    await pipe.drain()
                except ValueError as error:  # of the net's file
                    with self._condition:
                        self._error, self._agenda = text_of(error), replace(self._agenda, running=False)

    def _sendable(self, agenda: Agenda) -> Agenda:
        """The agenda with its evaluator described for the other machine; no twins, which are of a tree here."""
        request, agenda = agenda.request, replace(agenda, drawn=replace(agenda.drawn, twins=()))
        if request is None or request.source is None:
            return agenda
        source, net = request.source, self._nets.get(request.source.label)
        if net is None:
            if isinstance(source, messages.SentSource):
                net = source
            elif isinstance(source, NetOnDisk):
                recipe = source.recipe.to_json() if source.recipe is not None else ""
                net = messages.SentSource(source.label, str(source.path), "", recipe, source.runtime)
            else:
                net = messages.SentSource(source.label)
            if net.path:
                net = changed(net, digest=hashlib.sha256(_bytes_of(Path(net.path))).hexdigest())
            self._nets[source.label] = net
        return replace(agenda, request=replace(request, source=net))

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
