"""An analysis on another machine with the methods of one in this process (``core.engine.Analysis``).

Every request is kept as one wish, which is sent whole: after a lost connection the next one goes on from it.  No method
waits for the network.  Knows no window, and Ray only through a process of its own (``models.cluster.courier``).
"""

from __future__ import annotations

import json
import logging
import struct
import threading
import time
import uuid
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from core.engine import Search
from core.engine.look_back import Past
from core.engine.request import EvaluatorSource
from core.games import Position
from core.glass.icicle import Icicle, IcicleView
from core.glass.snapshot import Path, Snapshot
from core.search.settings import Limit, SearchSettings
from core.text import Text, text_of, texts_back
from models.cluster.courier import FAULT, HEAD, HELLO, REPORT, SAID, sentence_of
from models.cluster.link import Link, ProcessLink
from models.cluster.packed import Unpacker
from models.cluster.remote_analysis import NO_REQUEST, WHOLE
from models.cluster.shown import Places, Report, check_report, nowhere, report_kind
from models.cluster.traffic import Meter, Traffic
from models.cluster.wish import NetBytes, Order, Wish

RETRIES_S: Final = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0)  # waits before one more try; the last one again and again
ASK_TICK_S: Final = 0.1  # between two looks at whether a question is given up
log = logging.getLogger(__name__)


class RemoteClient:
    """The analysis on the cluster at ``address``; usable as a context manager."""

    elsewhere: Final = True  # its tree is not in this process

    def __init__(self, address: str, open_link: Callable[[str, str], Link] = ProcessLink) -> None:
        self.address = address
        self._open_link = open_link
        self._name = f"analysis-{uuid.uuid4().hex}"  # of the actor: a later connection finds it
        self._condition = threading.Condition()
        self._wish = Wish()
        self._source: EvaluatorSource | None = None  # of the wish
        self._sent = 0  # the number of the wish sent last
        self._last_id = 0
        self._latest: Snapshot | None = None
        self._past: Past | None = None
        self._places: dict[int, Places] = {}  # by request: of the newest
        self._nets = NetBytes()
        self._phase = ""
        self._error: str | None = None
        self._refused: Text | None = None  # why there is no connection, and will be none
        self._notice: Text | None = None
        self._questions = 0
        self._answers: dict[int, tuple[str, bool] | None] = {}  # by question: text and whether it is a refusal
        self._missing = ""  # the digest of a net that the other side asks for
        self._link: Link | None = None
        self._linked = False  # it has answered
        self._closing = False
        self._tried = 0  # connections since the last one that answered
        self._meter = Meter(address)
        self._unpacker = Unpacker(report_kind())
        self._threads = [
            threading.Thread(target=self._work, name="remote reports", daemon=True),
            threading.Thread(target=self._pass_on, name="remote wishes", daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> RemoteClient:
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
            order = Order(self._last_id, position, None, settings or SearchSettings(), seed, tuple(only))
            self._source = source
            self._places = {self._last_id: Places(position)}
            self._past, self._error = None, self._refused
            self._want(order=order, opened=frozenset(), look=None, **self._running(limit))
            return self._last_id

    def stop(self) -> None:
        """Pause; the tree is kept."""
        with self._condition:
            self._want(wanted=False)

    def resume(self, limit: Limit | None = None) -> None:
        """Continue with the present tree, to ``limit`` (None: no limit)."""
        with self._condition:
            if self._wish.order is not None:
                self._error = self._refused
                self._want(**self._running(limit))

    def request_nodes(self, paths: Iterable[Path]) -> None:
        """Set the nodes, as actions from the root, that snapshots include."""
        with self._condition:
            self._want(opened=frozenset(paths))

    def request_picture(self, nodes: int) -> None:
        """Set how many of the most visited nodes snapshots include as a picture."""
        with self._condition:
            self._want(picture=nodes)

    def request_icicles(self, icicles: dict[str, IcicleView], twins: dict[str, Icicle]) -> None:
        """Set the icicles that snapshots include; they never have ``twins``, whose other tree is not there."""
        with self._condition:
            self._want(icicles=tuple(icicles.items()))

    def request_curves(self, wanted: bool) -> None:
        """Set whether snapshots include the root's curves."""
        with self._condition:
            self._want(curves=wanted)

    def look_back(self, simulation: int | None) -> None:
        """Show the search as it was after ``simulation`` in ``past``; None ends looking back."""
        if simulation is not None and simulation < 0:
            raise ValueError(
                Text(
                    "simulation {simulation!r} is not there to look at; the first one is 0, before any",
                    simulation=simulation,
                )
            )
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
            self._condition.wait(ASK_TICK_S)

    def ask(self, question: Callable[[Search], str], limit_s: float, came: Callable[[], object] = bool) -> str:
        """What a function of a module says of the search there; waits until it does, or ``came`` is true.

        ``ValueError`` where it refuses, and when the connection is lost meanwhile."""
        with self._condition:
            self._questions += 1
            number, link = self._questions, self._link
            self._answers[number] = None
        with suppress(OSError):
            if link is not None:
                link.send("ask", number, question, limit_s)
        with self._condition:
            while self._link is link and link is not None and self._answers[number] is None and not came():
                self._condition.wait(ASK_TICK_S)
            answer = self._answers.pop(number)
        if answer is None:
            raise ValueError(self._error or Text("the connection to {machine} was lost", machine=self.address))
        text, refused = answer
        if refused:
            raise ValueError(text)
        return text

    def _take_answer(self, said: dict[str, Any]) -> None:
        with self._condition:
            if said["number"] in self._answers and isinstance(said["text"], str):
                self._answers[said["number"]] = said["text"], said["refused"] is True
                self._condition.notify_all()

    def close(self, timeout_s: float = 1.0) -> None:
        """End the search, the connection and the threads; safe to call twice."""
        with self._condition:
            self._closing = True
            self._condition.notify_all()
            link = self._link
        if link is not None:
            link.close()
        until = time.monotonic() + timeout_s
        for thread in self._threads:
            thread.join(max(0.0, until - time.monotonic()))

    def _running(self, limit: Limit | None) -> dict[str, Any]:
        return {"runs": self._wish.runs + 1, "limit": limit or Limit(), "wanted": self._refused is None}

    def _want(self, **changes: Any) -> None:
        wish = replace(self._wish, **changes)
        if wish != self._wish:
            self._wish = replace(wish, number=self._wish.number + 1)
            self._condition.notify_all()

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
            return self._phase
        return Text("connecting to {address}", address=self.address)

    @property
    def searching(self) -> bool:
        """Whether a search is running or about to."""
        return self._wish.wanted

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
        """Whether the threads still run."""
        return self._threads[0].is_alive()

    @property
    def traffic(self) -> Traffic:
        """The connection's figures."""
        with self._condition:
            return self._meter.traffic(self._linked)

    # The threads.

    def _work(self) -> None:
        """Connect, take what comes, and connect again, until closed or refused."""
        while not self._closing:
            try:
                link = self._open_link(self.address, self._name)
            except (OSError, ValueError) as error:
                fault: Text | None = sentence_of(error)
                final = True
            else:
                with self._condition:
                    self._link, self._sent = link, -1
                    self._condition.notify_all()
                    if self._closing:
                        link.close()
                self._unpacker.fresh()
                fault, final = self._receive(link)
                link.close()
            if not self._lost(fault, final):
                return

    def _receive(self, link: Link) -> tuple[Text | None, bool]:
        """Take what comes until the connection ends: why, and whether another try would not help."""
        while (data := link.receive()) is not None:
            kind, body = data[:1], data[1:]
            try:
                if kind == REPORT:
                    self._take_report(body)
                elif kind == HELLO:
                    self._take_hello(json.loads(body))
                elif kind == SAID:
                    self._take_answer(texts_back(json.loads(body)))
                elif kind == FAULT:
                    said = texts_back(json.loads(body))
                    text = said["text"]
                    return text if isinstance(text, Text) else Text("{words}", words=str(text)), bool(said["final"])
            except (ValueError, TypeError, KeyError, RecursionError, struct.error) as error:
                log.info("a message that cannot be used: %s", error)
                text = text_of(error) if isinstance(error, ValueError) else type(error).__name__
                return text if isinstance(text, Text) else Text("{words}", words=str(text)), True
        return None, False

    def _take_hello(self, said: dict[str, Any]) -> None:
        machine = str(said["machine"])[:100]
        with self._condition:
            if self._linked or self._meter.machine:
                went_on = Text("connected to {machine} again: the search went on meanwhile", machine=machine)
                anew = Text("connected to {machine} again: the search began anew at the position", machine=machine)
                self._notice = went_on if said["kept"] else anew
            self._linked, self._tried = True, 0
            self._meter.machine = machine
            self._condition.notify_all()

    def _take_report(self, body: bytes) -> None:
        latency, request = HEAD.unpack(body[: HEAD.size])
        packed = body[HEAD.size :]
        if packed[:1] == WHOLE:
            self._unpacker.fresh()
        with self._condition:
            places = self._places.get(request)
        walk = places.at if places is not None else nowhere if request == NO_REQUEST else None
        report: Report | None = self._unpacker.unpack(packed[1:], walk)
        if report is not None and places is not None:
            check_report(report)
        with self._condition:
            self._meter.take(len(body), report is not None and report.snapshot is not None, latency)
            if report is not None and (request in self._places or request == NO_REQUEST):
                self._keep(report)
            self._condition.notify_all()

    def _keep(self, report: Report) -> None:
        """Make the report what is shown."""
        if report.snapshot is not None:
            self._latest = report.snapshot
            self._meter.left_out = report.left_out
        if report.past is not None and self._wish.look is not None:
            self._past = report.past
        if report.wish == self._wish.number:
            self._phase, self._error = report.phase, report.error or None
            if report.notice:
                self._notice = report.notice if isinstance(report.notice, Text) else self._notice
            if not report.searching and self._wish.wanted:
                self._wish = replace(self._wish, wanted=False)  # it has ended by itself: no news for the other side
            if report.missing and report.missing != self._missing:
                self._missing = report.missing
                self._condition.notify_all()

    def _lost(self, fault: Text | None, final: bool) -> bool:
        """Say that the connection was lost and wait before the next try; False when there is none."""
        with self._condition:
            link_was, self._link, self._linked, self._missing = self._linked, None, False, ""
            self._condition.notify_all()
            if self._closing:
                return False
            reason = fault or Text("its process has ended")
            if final or not self._meter.machine:
                self._error = self._refused = reason
                self._wish, self._phase = replace(self._wish, wanted=False), ""
                return False
            if link_was:
                self._notice = Text(
                    "the connection to {machine} was lost ({reason}) and is tried again",
                    machine=self._meter.machine,
                    reason=reason,
                )
            wait = RETRIES_S[min(self._tried, len(RETRIES_S) - 1)]
            self._tried += 1
            self._condition.wait_for(lambda: self._closing, wait)
            return not self._closing

    def _pass_on(self) -> None:
        """Send each new wish, and the nets that the other side lacks."""
        while True:
            with self._condition:
                self._condition.wait_for(
                    lambda: self._closing or (self._linked and (self._sent != self._wish.number or bool(self._missing)))
                )
                if self._closing:
                    return
                link, wish, missing, source = self._link, self._wish, self._missing, self._source
                self._sent, self._missing = wish.number, ""
            try:
                wish = self._with_source(wish, source)
                if link is not None:
                    link.send("wish", wish)
                    if missing:
                        self._send_net(link, missing)
            except OSError as error:
                log.info("the connection has ended: %s", error)  # the thread that reads says so
            except ValueError as error:
                with self._condition:
                    self._error, self._wish = text_of(error), replace(self._wish, wanted=False)

    def _with_source(self, wish: Wish, source: EvaluatorSource | None) -> Wish:
        """The wish with its evaluator described for the other machine."""
        if wish.order is None or source is None:
            return wish
        return replace(wish, order=replace(wish.order, source=self._nets.sent(source)))

    def _send_net(self, link: Link, digest: str) -> None:
        if (found := self._nets.data(digest)) is not None:
            link.send("net", digest, *found)
