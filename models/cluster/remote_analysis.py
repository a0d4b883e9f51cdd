"""The far end of an analysis on another machine: takes wishes, gives reports at a bounded rate, ends when nobody asks.

An object of this class is an actor of a Ray cluster (``models.cluster.courier``); it knows no Ray itself.
"""

from __future__ import annotations

import hashlib
import os
import platform
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple

from core.engine import Analysis, Search
from core.engine.look_back import Past
from core.glass.curves import NO_LOG
from core.glass.snapshot import Snapshot
from core.processors import processors
from core.text import Text
from models.cluster.packed import Packer
from models.cluster.shown import Report, own_versions, report_kind
from models.cluster.wish import MOST_NET, ReceivedSource, Wish
from models.runs.scratch import ScratchFolder

PER_SECOND: Final = 30.0  # reports, at most
BYTES_PER_SECOND: Final = 1e6
MOST_SENT: Final = 1 << 20  # bytes of one report: what is larger goes without pictures and curves
MOST_UNPACKED: Final = 6 << 20  # the same before it is packed
TICK_S: Final = 0.008  # between two looks at a running search
IDLE_TICK_S: Final = 0.05  # and at one that is paused
GONE_S: Final = 60.0  # without a question after which the client is gone
SENDING: Final = Text("sending the net")
NO_SINGLE: Final = Text("the curves' single simulations are too many for the connection and are left out")
LEFT_OUT: Final = Text("the pictures of the tree and the curves are too large for the connection and are left out")
LAST_ANSWER_S: Final = 0.5
NO_REQUEST: Final = 0  # its reports have no snapshot
WHOLE: Final = b"\1"
DIFFERENCE: Final = b"\0"


class Answer(NamedTuple):
    """A report, packed."""

    number: int
    held_s: float  # between question and answer
    request: int  # that snapshot and past are of, as the wish names it
    packed: bytes


def end_process() -> None:
    """End this process, after the answers on their way."""
    time.sleep(LAST_ANSWER_S)
    os._exit(0)


class _News(NamedTuple):
    """What there is to be told."""

    state: tuple[Any, ...] = ()  # plain values, in the order of ``_answer``
    snapshot: Snapshot | None = None
    past: Past | None = None

    @property
    def searching(self) -> bool:
        return bool(self.state[2])

    def same_as(self, other: _News) -> bool:
        """Whether nothing has changed."""
        return self.state == other.state and self.snapshot is other.snapshot and self.past is other.past


class RemoteAnalysis:
    """An analysis that is asked from another machine.  Methods are called from several threads."""

    def __init__(self, gone_s: float = GONE_S, end: Callable[[], object] = bool) -> None:
        """``end`` is called once it is closed, or nobody has asked for ``gone_s``."""
        self._analysis = Analysis()
        self._lock = threading.Lock()
        self._polling = threading.Lock()
        self._woken = threading.Event()
        self._closed = threading.Event()
        self._wish = Wish()
        self._of: tuple[int, int] = (NO_REQUEST, NO_REQUEST)  # the analysis' request, and as the wish names it
        self._missing = ""  # the digest of the net that the wish waits for
        self._folder = ScratchFolder("plyscope-nets-")
        self._packer = Packer(report_kind())
        self._number = 0  # of reports made
        self._told_number = 0
        self._told = _News()  # what the last one said
        self._next_at = 0.0
        self._heard = time.monotonic()
        self._gone_s, self._end = gone_s, end
        threading.Thread(target=self._watch, name="remote analysis", daemon=True).start()

    def hello(self) -> dict[str, Any]:
        """Who answers: the machine's name and processors, and the versions of what it runs."""
        self._heard = time.monotonic()
        return {"machine": platform.node(), "processors": processors(), **own_versions()}

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

    # What is wanted.

    def take(self, wish: Wish) -> None:
        """Do as ``wish`` says from now on; an older one is ignored."""
        self._heard = time.monotonic()
        with self._lock:
            if wish.number > self._wish.number:
                before, self._wish = self._wish, wish
                self._apply(Wish() if self._missing else before, wish)
        self._woken.set()

    def take_net(self, digest: str, name: str, data: bytes) -> None:
        """Keep a net file for as long as this lives; what does not have its digest is refused."""
        self._heard = time.monotonic()
        if len(data) > MOST_NET or hashlib.sha256(data).hexdigest() != digest:
            raise ValueError(Text("the net that was sent is damaged"))
        folder = self._folder.path / digest
        folder.mkdir(exist_ok=True)
        (folder / (Path(name).name or "net.onnx")).write_bytes(data)
        with self._lock:
            if self._missing == digest:
                self._apply(Wish(), self._wish)
        self._woken.set()

    def ask(self, question: Callable[[Search], str], limit_s: float) -> str:
        """What a function says of the search, which is called between two slices; ``ValueError`` where it refuses."""
        said: queue.Queue[str | ValueError] = queue.Queue()

        def visit(search: Search | None) -> None:
            if search is None:
                said.put(ValueError(Text("there is no tree yet")))
                return
            try:
                said.put(question(search))
            except ValueError as error:
                said.put(error)
            except Exception as error:  # as the thread of the search may not end by it
                said.put(ValueError(f"{type(error).__name__}: {error}"))

        self._heard = time.monotonic()
        self._analysis.visit(visit)
        found = said.get(timeout=limit_s)
        if isinstance(found, ValueError):
            raise found
        return found

    def _apply(self, before: Wish, wish: Wish) -> None:
        analysis, order = self._analysis, wish.order
        new = order is not None and (before.order is None or before.order.request != order.request)
        self._missing = ""
        if order is not None and new:
            source, sent = None, order.source
            if sent is not None:
                file = self._net(sent.digest) if sent.digest else None
                if sent.digest and file is None:
                    self._missing = sent.digest
                    return
                source = ReceivedSource(sent, file)
            local = analysis.start(order.position, source, order.settings, wish.limit, order.seed, order.only)
            self._of = local, order.request
        elif wish.wanted and wish.runs != before.runs:
            analysis.resume(wish.limit)
        if not wish.wanted and (new or before.wanted):
            analysis.stop()
        if new or wish.opened != before.opened:
            analysis.request_nodes(wish.opened)
        if wish.picture != before.picture:
            analysis.request_picture(wish.picture)
        if wish.icicles != before.icicles:
            analysis.request_icicles(dict(wish.icicles), {})
        if wish.curves != before.curves:
            analysis.request_curves(wish.curves)
        if wish.look != (None if new else before.look):
            analysis.look_back(wish.look)

    def _net(self, digest: str) -> Path | None:
        return next(iter((self._folder.path / digest).glob("*")), None)

    # What is told.

    def poll(self, seen: int, hold_s: float) -> Answer:
        """The next report, once there is something new and the rate allows it, at the latest after ``hold_s``.

        ``seen`` is the number of the last one received; after another than the last made, the next is whole."""
        began = self._heard = time.monotonic()
        with self._polling:
            news = self._news()
            while not self._closed.is_set() and time.monotonic() < max(began + hold_s, self._next_at):
                due = seen != self._told_number or not news.same_as(self._told)
                if due and time.monotonic() >= self._next_at:
                    break
                self._woken.wait(TICK_S if due or news.searching else IDLE_TICK_S)
                self._woken.clear()
                news = self._news()
            return self._answer(news, seen, began)

    def _news(self) -> _News:
        with self._lock:
            wish, missing, (local, request) = self._wish, self._missing, self._of
            searching = self._analysis.searching  # read before the snapshot, which is then the last when it is not
            snapshot, past = self._analysis.latest(), self._analysis.past()
        if missing:
            local = request = NO_REQUEST
        snapshot = snapshot.whole or snapshot if snapshot is not None and snapshot.request == local else None
        past = past if past is not None and past.request == local else None
        phase: str = SENDING if missing else self._analysis.phase
        error, notice = self._analysis.error or "", self._analysis.notice or ""
        state = (wish.number, request, searching or bool(missing), phase, error, notice, missing)
        return _News(state, snapshot, past)

    def _answer(self, news: _News, seen: int, began: float) -> Answer:
        if seen != self._told_number or not seen:
            self._packer.fresh()
            self._told = _News()
        whole = self._told.snapshot is None and not self._told.state
        number = self._number + 1
        wish, request, searching, phase, error, notice, missing = news.state
        snapshot = None if news.snapshot is self._told.snapshot else news.snapshot
        if snapshot is not None:
            snapshot = replace(snapshot, request=request)
        past = None if news.past is self._told.past or news.past is None else news.past
        if past is not None:
            past = replace(past.changed(lambda shown: replace(shown, request=request)), request=request)
        report = Report(
            number=number,
            wish=wish,
            searching=searching,
            phase=phase,
            error=error,
            notice=notice,
            missing=missing,
            left_out="",
            snapshot=snapshot,
            past=past,
        )
        packed = self._packer.pack(report)
        for smaller in (_without_log, _without_pictures):
            if len(packed) > MOST_SENT or self._packer.size > MOST_UNPACKED:
                self._packer.fresh()
                report, whole = smaller(report), True
                packed = self._packer.pack(report)
        now = time.monotonic()
        self._next_at = now + max(1 / PER_SECOND, len(packed) / BYTES_PER_SECOND)
        self._told, self._number, self._told_number, self._heard = news, number, number, now
        return Answer(number, now - began, request, (WHOLE if whole else DIFFERENCE) + packed)


def _without_log(report: Report) -> Report:
    """The report without the curves' list of single simulations."""

    def shorter(snapshot: Snapshot) -> Snapshot:
        curves = snapshot.curves
        return snapshot if curves is None else replace(snapshot, curves=replace(curves, log=NO_LOG))

    return _changed(report, NO_SINGLE, shorter)


def _without_pictures(report: Report) -> Report:
    """The report without what grows with the tree: its pictures and curves."""
    return _changed(report, LEFT_OUT, lambda snapshot: replace(snapshot, picture=None, icicles={}, curves=None))


def _changed(report: Report, left_out: Text, change: Callable[[Snapshot], Snapshot]) -> Report:
    snapshot, past = report.snapshot, report.past
    return replace(
        report,
        left_out=left_out,
        snapshot=None if snapshot is None else change(snapshot),
        past=None if past is None else past.changed(change),
    )
