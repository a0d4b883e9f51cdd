"""The status line: state, evaluator, speed and memory use."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QWidget

from core.text import Words
from gui.language.core_words import core_text
from gui.language.language import tr
from gui.shell.gauges import GPU, FrameMeter, GaugeLabel, GpuMeter, ProviderLight
from gui.widgets.figures import NONE, count, percent, short_count, size
from gui.widgets.labels import FigureLabel, make_label
from gui.widgets.layouts import lay_row
from gui.widgets.text_size import by_font, px
from gui.widgets.texts import on_language, set_texts
from gui.widgets.theme import current_theme, figure_font
from gui.widgets.tips import set_tip
from gui.widgets.words import state_text, trace_words

if TYPE_CHECKING:
    from core.glass import Counters, Snapshot
    from gui.context import Context
    from gui.rooms.timeline.time_machine import TimeMachine
    from models.netfiles.gpu_memory import GpuMemory

WINDOW_S = 1.0  # rates are measured over this time
LEAST_S = 1e-3  # of search time for a rate


@dataclass(frozen=True)
class RateText:
    """Rates per second and per batch, over the last second of searching; None when not measured."""

    simulations: float | None = None
    evaluations: float | None = None
    batch: float | None = None
    cache: float | None = None  # share of leaves answered from the cache


class RateMeter:
    """Measures rates from the counters of the last second of search time."""

    def __init__(self) -> None:
        self._counters: deque[Counters] = deque()

    def clear(self) -> None:
        self._counters.clear()

    def take(self, counters: Counters) -> RateText:
        """Add the newest counters and return the current rates, none of a search that another program made.

        A new search resets the meter."""
        recent = self._counters
        if recent and (
            counters.elapsed_s < recent[-1].elapsed_s
            or counters.simulations < recent[-1].simulations
            or counters.evaluations < recent[-1].evaluations
            or (counters.simulations == recent[-1].simulations and counters.elapsed_s > recent[-1].elapsed_s)
        ):
            recent.clear()
        if not recent or counters.elapsed_s > recent[-1].elapsed_s:
            recent.append(counters)
        while len(recent) > 2 and recent[1].elapsed_s <= counters.elapsed_s - WINDOW_S:
            recent.popleft()
        first, last = recent[0], recent[-1]
        span = last.elapsed_s - first.elapsed_s
        simulations, evaluations = last.simulations - first.simulations, last.evaluations - first.evaluations
        batches, hits = last.batches - first.batches, last.cache_hits - first.cache_hits
        if span <= 0:  # a finished search seen once: use its average
            span, simulations, evaluations = last.elapsed_s, last.simulations, last.evaluations
            batches, hits = last.batches, last.cache_hits
        if span < LEAST_S:
            return RateText()
        return RateText(
            simulations / span,
            evaluations / span if evaluations or batches else None,
            evaluations / batches if batches else None,
            hits / (hits + evaluations) if hits + evaluations else None,
        )


class Light(QWidget):
    """A small disc: filled while searching, a ring when idle."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._on = False
        self.setFixedSize(14, 14)

    def set_on(self, on: bool) -> None:
        if on != self._on:
            self._on = on
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._on:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(current_theme().color("good"))
            painter.drawEllipse(QRectF(self.rect()).center(), 0.36 * self.width(), 0.36 * self.width())
        else:
            painter.setPen(current_theme().color("faint"))
            painter.drawEllipse(QRectF(self.rect()).center(), 0.29 * self.width(), 0.29 * self.width())


GAUGES = ("memory", "gpu")
# the text that the left side has room for
ALLOT_STATE = "limit reached: 888 888 simulations — Space continues without limit"
HIDE_FIRST = (
    "cache",
    "batch",
    "depth",
    "nodes",
    "memory",
    "gpu",
    "evals",
    "sims",
)  # hidden first in a narrow window

# name, widest text, tooltip
_PARTS: tuple[tuple[str, str, Words], ...] = (
    ("machine", "gpu-server-1 · 88 ms · 30/s · 888 kB/s", ""),  # its tip is ``set_machine``'s
    ("sims", "888k sims/s", ""),  # ``set_frame``
    ("evals", "888k evals/s", "Positions the net evaluated per second."),
    ("batch", "1024.0 pos/batch", "Mean number of positions per batch of the net."),
    ("cache", "cache 100 %", "Share of leaves answered from the cache instead of the net."),
    ("nodes", "88 888 888 nodes", "Nodes in the tree."),
    (
        "memory",
        "888 MB of 888 MB",
        "Memory the tree and the cache hold, of their budget; the bar shows the share.",
    ),
    (
        "gpu",
        "GPU 88.8 GB of 88.8 GB",
        "Memory in use on the GPU, by all programs together; the bar shows the share.",
    ),
    ("depth", "depth 888.8 / 888 plies", "Mean and maximum depth of the leaves below this position."),
)


class StatusStrip(QFrame):
    """State and evaluator on the left, numbers of fixed width on the right."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("status")
        self._rates = RateMeter()
        self._counters: Counters | None = None
        self._connected = True  # what searches
        self.light = Light(self)
        self.state = make_label(self, "strong")
        self.evaluator = QLabel(self)
        set_texts(self.evaluator, toolTip="What evaluates the leaves, and the device it runs on.")
        self.provider = ProviderLight(self)
        self.provider.hide()
        self.gpu = GpuMeter(self)
        self.gpu.measured.connect(self._show_gpu)
        row = lay_row(self.light, self.state, of=self, margins=(12, 5, 12, 5), spacing=7)
        row.addSpacing(4)
        row.addWidget(self.provider)
        row.addWidget(self.evaluator)
        row.addStretch(1)
        font = figure_font(self.font())
        self.setFont(font)
        self._parts: dict[str, FigureLabel] = {}
        for name, widest, meaning in _PARTS:
            label = GaugeLabel(self) if name in GAUGES else FigureLabel(self)
            label.setFont(font)
            if meaning:
                set_texts(label, toolTip=meaning)
            by_font(label, partial(_hold, label, widest))
            label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            row.addSpacing(0)
            row.addWidget(label)
            self._parts[name] = label
        self.state.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)

    @property
    def gauge(self) -> GaugeLabel:
        """The gauge of memory use."""
        return self._gauge("memory")

    def _gauge(self, name: str) -> GaugeLabel:
        label = self._parts[name]
        assert isinstance(label, GaugeLabel)
        return label

    def set_state(self, text: str, running: bool) -> None:
        self.light.set_on(running)
        self.light.setVisible(bool(text))
        if text != self.state.text():
            self.state.setText(text)

    def set_evaluator(self, text: str, note: str = "") -> None:
        """Show what evaluates the leaves; ``note``: why it does not use a faster device."""
        meaning = tr("What evaluates the leaves, and the device it runs on.")
        fallen = tr("{meaning}\nNot on a GPU: {note}.").format(meaning=meaning, note=core_text(note))
        set_tip(self.evaluator, fallen if note else meaning)
        self.provider.set_evaluator(text, note)
        self.gpu.watch(self.provider.kind == GPU and text.endswith("CUDA"))
        text = core_text(text)
        if text != self.evaluator.text():
            self.evaluator.setText(text)
            self._fit()

    def minimumSizeHint(self) -> QSize:
        """Allow a narrow window: parts are hidden instead."""
        return QSize(px(300), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Hide empty parts, then the least important ones until the rest fits."""
        metrics = self.fontMetrics()
        shown = {name for name, label in self._parts.items() if label.text()}
        used = metrics.horizontalAdvance(ALLOT_STATE) + metrics.horizontalAdvance(self.evaluator.text())
        used += self.provider.sizeHint().width() + px(85)
        for name in HIDE_FIRST:
            if used + sum(self._parts[part].minimumWidth() + px(14) for part in shown) <= self.width():
                break
            shown.discard(name)
        for name, label in self._parts.items():
            if label.isHidden() == (name in shown):
                label.setVisible(name in shown)

    def text(self, name: str) -> str:
        """Return the text of a part."""
        return self._parts[name].text()

    def set_counters(self, counters: Counters | None) -> None:
        """Update all numbers; None: clear them, as there is no search of the position yet."""
        self._counters = counters
        if counters is None:
            self._rates.clear()
            for name in self._parts.keys() - {"gpu", "machine"}:
                self._set_text(name, "")
            self.gauge.set_share(0.0)
            return
        rates = self._rates.take(counters) if self._connected else RateText()
        net = counters.evaluations > 0 or counters.batches > 0
        batch = NONE if rates.batch is None else f"{rates.batch:.1f}"
        cache = NONE if rates.cache is None else percent(rates.cache, 0)
        used, budget = size(counters.bytes_used), size(counters.bytes_budget)
        depth = tr("depth {mean:.1f} / {most} plies").format(mean=counters.mean_depth, most=counters.depth)
        if not counters.depth:  # no leaf has been reached below a new root yet
            depth = tr("depth {none}").format(none=NONE)
        for name, text in (
            ("sims", _rate(rates.simulations, tr("sims/s"))),
            ("evals", _rate(rates.evaluations, tr("evals/s")) if net else ""),
            ("batch", tr("{batch} pos/batch").format(batch=batch) if net else ""),
            ("cache", tr("cache {share}").format(share=cache) if net else ""),
            ("nodes", tr("{nodes} nodes").format(nodes=count(counters.nodes))),
            ("memory", tr("{used} of {budget}").format(used=used, budget=budget)),
            ("depth", depth),
        ):
            self._set_text(name, text)
        self.gauge.set_share(counters.bytes_used / counters.bytes_budget if counters.bytes_budget else 0.0)

    def _show_gpu(self, memory: GpuMemory | None) -> None:
        """Show the memory in use on the GPU; None: it is not known, or no net runs there."""
        text = ""
        if memory is not None:
            used, whole = size(memory.used), size(memory.total)
            text = tr("GPU {used} of {budget}").format(used=used, budget=whole)
            self._gauge("gpu").set_share(memory.used / memory.total)
        self._set_text("gpu", text)
        words = tr("That is the memory in use by all programs together.")
        self.provider.set_memory(f"{text}. {words}" if text else "")

    def set_machine(self, text: str, tip: str, connected: bool) -> None:
        """Show the machine that searches and its connection; "" where that is this one.

        Without a connection no speed is shown: the last one says nothing about now."""
        set_tip(self._parts["machine"], tip)
        self._set_text("machine", text)
        if connected != self._connected:
            self._connected = connected
            self._rates.clear()
            self.set_counters(self._counters)

    def set_frame(self, longest_ms: float | None) -> None:
        """Say in the tip of the speed how long the window takes to draw; None: not measured yet."""
        lines = [tr("Simulations per second, over the last second of searching.")]
        if longest_ms is not None:
            words = tr("To draw the window once takes up to {value} ms.")
            lines.append(words.format(value=max(1, round(longest_ms))))
        set_tip(self._parts["sims"], "\n".join(lines))

    def _set_text(self, name: str, text: str) -> None:
        label = self._parts[name]
        if label.text() != text:
            appears = bool(text) != bool(label.text())
            label.setText(text)
            if appears:
                self._fit()


def connect_status(context: Context, strip: StatusStrip, time: TimeMachine) -> None:
    """Show whether the search runs, and its counters: they are always the present's."""
    session, frames = context.session, FrameMeter(context.window)
    has_board = True  # no key continues the search while rooms cover the board

    def show_state() -> None:
        words = state_text(session.phase, session.searching, session.present, session.limit.mode, context.state.limit)
        strip.set_state(words if has_board or session.searching or session.phase else "", session.searching)

    def show_board(shown: bool) -> None:
        nonlocal has_board
        has_board = shown
        show_state()

    def show_figures(snapshot: Snapshot | None) -> None:
        if snapshot is None or not snapshot.now:
            strip.set_counters(snapshot.counters if snapshot is not None else None)
        trace = context.state.document.trace
        if trace is not None and snapshot is not None and snapshot.simulations <= trace.simulations:
            strip.set_evaluator(trace_words(trace))
        else:
            strip.set_evaluator(*(("", "") if snapshot is None else (snapshot.evaluator, snapshot.evaluator_note)))
        strip.set_frame(frames.longest_ms)
        show_state()

    def show_present() -> None:
        if time.words and session.present is not None:
            strip.set_counters(session.present.counters)

    session.snapshot_for_text.connect(show_figures)
    session.state_changed.connect(show_state)
    time.count_changed.connect(show_present)
    context.events.board_shown.connect(show_board)
    context.state.position_changed.connect(show_state)
    context.state.search_changed.connect(show_state)
    on_language(strip, lambda: show_figures(session.snapshot))
    show_state()


def _hold(label: QLabel, widest: str) -> None:
    label.setMinimumWidth(label.fontMetrics().horizontalAdvance(widest))


def _rate(rate: float | None, unit: str) -> str:
    return f"{NONE if rate is None else short_count(rate)} {unit}"
