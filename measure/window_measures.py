"""The measurements of one window: response, cost, large trees, pictures, changes of the look, memory."""

from __future__ import annotations

import gc
import statistics
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication

from core.engine import Search, warm_up
from core.games import GameSpec, Position
from core.glass.icicle import lay_out
from core.search import Limit, SearchSettings
from gui.language.language import CHINESE, chosen
from gui.model.document import BOUNDED, UNBOUNDED
from gui.rooms.tree.icicle_part import IciclePart
from gui.rooms.tree.picture_part import PicturePart
from gui.shell.docks import VIEWS
from gui.widgets.icicle.icicle_canvas import IcicleCanvas
from gui.widgets.texts import switch_language
from gui.window import MainWindow
from measure.window_inside import PARTS, part_costs
from measure.window_probes import Busy, Frames, Paints, memory, processor_time, pump, quantile, wait_until

ROUNDS = 9  # rounds, each with the window and then headless
LEAF_S = 5.0  # how long a node that is opened may take to have rows, unless it is a leaf
TURN_S = 4.0  # longest time of each
INSIDE_TURN_S: Final = 2.0  # likewise, beside the room Inside
ZOOMS: Final = 8
FRAMES: Final = 14  # of one zoom, for their processor time
SETTLE_S = 0.3  # time for a change of the look to complete


@dataclass(frozen=True)
class Row:
    """One figure with its bar."""

    name: str
    measured: str
    bar: str = ""


class Bench:
    """One window and its measurements."""

    def __init__(self, window: MainWindow, seconds: float, minutes: float, nodes: int) -> None:
        self.window, self.state, self.session = window, window.state, window.session
        self.seconds, self.minutes, self.nodes = seconds, minutes, nodes
        self._fresh = 0

    @property
    def analysis(self) -> Any:
        return self.session._analysis

    # starting a search

    def open(self, game: GameSpec, source: Any, memory_mb: int = 1024, position: Position | None = None) -> None:
        """Start a new search of the first position, or another one, without limit, in a tree of its own."""
        self._fresh += 1
        self.session.stop()
        rule = "ucb1" if source is None else "puct"
        # Other settings make another tree.
        self.state.document.settings = SearchSettings(selection=rule, memory_mb=memory_mb + self._fresh)
        self.session.limit.mode = UNBOUNDED
        self.state.open_position(game.initial() if position is None else position, source)
        self._wait_for_figures()

    def _wait_for_figures(self, simulations: int = 1) -> float:

        def has_figures() -> bool:
            snapshot = self.session.snapshot
            return snapshot is not None and (snapshot.simulations >= simulations or bool(snapshot.reason))

        return wait_until(has_figures, 600.0)

    def simulations(self) -> int:
        """Return the number of simulations by now, those since the latest snapshot included."""
        search = self.analysis._search
        return int(search.simulations) if search is not None else 0

    # measurements

    def answers(self, game: GameSpec, source: Any) -> list[Row]:
        """Measure keys and clicks during a search: time until the board is painted, and the longest block."""
        self.open(game, source)
        line = [row.action for row in self.session.snapshot.moves[:1]] if self.session.snapshot else []
        for action in line:
            self.state.play(action)
        self._wait_for_figures()
        window = self.window
        pump(min(1.0, self.seconds))
        paints = Paints(window.room.board)
        busy = Busy()
        waits: list[float] = []
        end = time.perf_counter() + 2 * self.seconds
        keys = (Qt.Key.Key_Left, Qt.Key.Key_Right)
        turn = 0
        while time.perf_counter() < end or not waits:
            arrived: list[float] = []
            paints.on_paint = lambda arrived=arrived: arrived.append(time.perf_counter())  # type: ignore[misc]
            moves = self.session.snapshot.moves if self.session.snapshot is not None else ()
            sent = time.perf_counter()
            if turn % 4 < 2 or not moves:
                for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
                    key = QKeyEvent(kind, keys[turn % 2], Qt.KeyboardModifier.NoModifier)
                    QApplication.postEvent(window.room.board, key)
            else:
                self.state.select(() if self.state.selected else (moves[0].action,))
            try:
                wait_until(lambda arrived=arrived: bool(arrived), 5.0)  # type: ignore[misc]
            except TimeoutError:
                break
            waits.append(1000 * (arrived[0] - sent))
            turn += 1
            pump(0.02)
        busy.stop()
        window.room.board.removeEventFilter(paints)
        spans = [1000 * span for span in busy.spans]
        p95, worst = quantile(waits, 0.95), max(spans, default=float("nan"))
        worked = 1000 * max(busy.worked, default=float("nan"))
        return [
            Row(
                f"{game.title}: input to paint, p95",
                f"{p95:.1f} ms of {len(waits)} inputs",
                "≤ 50 ms",
            ),
            Row(
                f"{game.title}: longest block",
                f"{worst:.1f} ms (p99 {quantile(spans, 0.99):.1f} ms); {worked:.1f} ms of processor time",
                "≤ 30 ms",
            ),
        ]

    def cost(self, game: GameSpec, source: Any) -> list[Row]:
        """Measure simulations per second with the window open against a headless search, in short turns.

        Because other load on the machine varies, each turn is compared with the next one and the median of the ratios
        is reported.  On busy processors both get too little time, and the ratio by processor time is more informative.
        """
        turn = min(TURN_S, self.seconds)
        rates_of: dict[str, list[float]] = {
            "ratio": [],
            "ratio_by_processor": [],
            "window_per_s": [],
            "headless_per_s": [],
        }
        rates_of |= {"headless_cores": [], "window_thread_ms_per_s": []}
        evaluator = None if source is None else source.load(game)

        def rates(simulations: Callable[[], int], thread: threading.Thread, run: Callable[[], object]) -> list[float]:
            """Return simulations per second, the same per second of processor time, and the GUI thread's load."""
            first, began, spent, own_s = simulations(), time.perf_counter(), processor_time(thread), time.thread_time()
            run()
            searched, took, own_s = simulations() - first, time.perf_counter() - began, time.thread_time() - own_s
            return [searched / took, searched / (processor_time(thread) - spent or float("nan")), own_s / took]

        for _ in range(ROUNDS):
            self.open(game, source)
            thread = next(thread for thread in threading.enumerate() if thread.name == "analysis")
            shown, shown_cpu, own_s = rates(self.simulations, thread, lambda: pump(turn))
            self.session.stop()
            pump(0.05)
            assert self.state.settings is not None
            warm_up(game, evaluator, self.state.settings)
            search = Search(game.initial(), evaluator, self.state.settings)
            run = partial(search.run, Limit(seconds=turn))
            bare, bare_cpu, _ = rates(lambda search=search: search.simulations, threading.current_thread(), run)  # type: ignore[misc]
            for name, figure in zip(
                rates_of, (shown / bare, shown_cpu / bare_cpu, shown, bare, bare / bare_cpu, 1000 * own_s), strict=True
            ):
                rates_of[name].append(figure)
        figures = {name: statistics.median(values) for name, values in rates_of.items()}
        rate_words = f"{figures['window_per_s']:,.0f} and {figures['headless_per_s']:,.0f} a second"
        return [
            Row(
                f"{game.title}: simulations, open window and headless",
                f"{rate_words}, ratio {figures['ratio']:.3f}; {figures['ratio_by_processor']:.3f} by the search's "
                f"processor time, of which headless had {figures['headless_cores']:.2f} cores",
                "≥ 0.97",
            ),
            Row(
                f"{game.title}: the window's thread beside it",
                f"{figures['window_thread_ms_per_s']:.0f} ms of processor time a second",
            ),
        ]

    def inside(self, game: GameSpec, source: Any) -> list[Row]:
        """Measure what each part of the room Inside that works at every position costs a search beside it."""
        turn = min(INSIDE_TURN_S, self.seconds)
        return [Row(*row) for part in PARTS for row in part_costs(self, game, source, part, turn)]

    def large_tree(self, game: GameSpec) -> list[Row]:
        """Measure a tree of ``nodes``: opening and scrolling rows, earlier plies, earlier simulations."""
        self.open(game, None)
        self.session.stop()
        pump(0.05)
        self._time_machine()  # compiles its kernels, once on a machine
        self.open(game, None)

        def grown() -> bool:
            snapshot = self.session.snapshot
            return snapshot is not None and (snapshot.counters.nodes >= self.nodes or bool(snapshot.reason))

        wait_until(grown, 1800.0)
        self.session.stop()
        pump(0.3)
        assert self.session.snapshot is not None
        nodes = self.session.snapshot.counters.nodes
        return [*self._table(nodes), *self._time_machine(), *self._plies()]

    def _table(self, nodes: int) -> list[Row]:
        self.window.docks.show_dock("tree")
        tree, snapshot = self.window.views.tree, self.session.snapshot
        assert snapshot is not None
        opened, worked = [], []
        for depth in range(1, 1 + min(12, len(snapshot.pv))):
            path = snapshot.pv[:depth]
            began, had = time.perf_counter(), time.thread_time()
            tree.open_path(path)
            try:
                wait_until(lambda path=path: tree.nodes.rowCount(tree.nodes.index_of(path)) > 0, LEAF_S)  # type: ignore[misc]
            except TimeoutError:  # a leaf
                break
            opened.append(1000 * (time.perf_counter() - began))
            worked.append(1000 * (time.thread_time() - had))
        bar, scrolled = tree.verticalScrollBar(), []
        for step in range(60):
            began = time.perf_counter()
            bar.setValue(round(bar.maximum() * (step % 30) / 30))
            tree.viewport().repaint()
            scrolled.append(1000 * (time.perf_counter() - began))
        worst, painted = max(opened, default=float("nan")), quantile(scrolled, 0.95)
        return [
            Row(
                f"table-tree over {nodes:,} nodes: open a node, slowest of {len(opened)}",
                f"{worst:.1f} ms; {max(worked, default=float('nan')):.1f} ms of processor time",
                "a tree of ≥ 1 M nodes",
            ),
            Row("table-tree: scroll and paint, p95", f"{painted:.1f} ms", "≤ 30 ms"),
        ]

    def _time_machine(self) -> list[Row]:
        name, analysis = "time machine: one step", self.analysis
        last = self.session.snapshot.simulations if self.session.snapshot is not None else 0

        def step(to: int) -> float:
            analysis.look_back(to)

            def has_arrived() -> bool:
                past = analysis.past()
                return past is not None and past.simulation == to

            return 1000 * wait_until(has_arrived, 300.0)

        first = step(last)  # copies the tree's structure
        steps = [step(max(0, last - i)) for i in range(1, 11)] + [step(max(0, last - 10 + i)) for i in range(1, 11)]
        jumps = [step(max(0, last - 1000 * i)) for i in range(1, 4)]
        analysis.look_back(None)
        p95, far = quantile(steps, 0.95), max(jumps)
        return [
            Row(
                f"{name} at {last:,} simulations, p95",
                f"{p95:.1f} ms (1000 back {far:.1f} ms, the first look {first:.0f} ms)",
                "≤ 30 ms at 1 M",
            )
        ]

    def _plies(self) -> list[Row]:
        state, session, waits = self.state, self.session, []
        assert session.snapshot is not None
        line = session.snapshot.pv[:4]
        session.automatic = False
        for action in line:
            state.play(action)
        session.automatic = True
        for cursor in range(len(line) - 1, -1, -1):
            began = time.perf_counter()
            state.go(cursor)
            target = state.position

            def has_arrived(target: Any = target) -> bool:
                snapshot = session.snapshot
                return snapshot is not None and snapshot.position == target and snapshot.simulations > 0

            wait_until(has_arrived, 60.0)
            waits.append(1000 * (time.perf_counter() - began))
        simulations = session.snapshot.simulations if session.snapshot is not None else 0
        session.stop()
        worst = max(waits, default=float("nan"))
        return [
            Row(
                "to an earlier ply with its tree, slowest",
                f"{worst:.1f} ms, {simulations:,} simulations found",
                "≤ 50 ms",
            )
        ]

    def picture(self, game: GameSpec) -> list[Row]:
        """Measure the frame rate of the tree's picture while the tree grows."""
        nodes = max(25, min(10_000, self.nodes))
        self.open(game, None)
        view = self.window.commands.open_dock("picture")
        assert isinstance(view, PicturePart)
        view.set_nodes(nodes)
        wait_until(lambda: view.ready and view.canvas.scene is not None and len(view.canvas.scene) >= nodes, 600.0)
        frames = Frames(view.canvas)
        pump(self.seconds)
        view.canvas.removeEventFilter(frames)
        drawn = len(view.canvas.scene) if view.canvas.scene is not None else 0
        self.window.commands.toggle_dock("picture")
        fps = len(frames.gaps) / sum(frames.gaps) if frames.gaps else float("nan")
        text = f"{fps:.0f} frames a second" if frames.gaps else "it stood still: nothing grew within --seconds"
        return [Row(f"picture of {drawn:,} nodes while growing", text, "≥ 30 at 10 000")]

    def navigation(self, game: GameSpec, source: Any) -> list[Row]:
        """Measure memory while plies are stepped through and moves selected, with a search at each."""
        self.open(game, source, memory_mb=64)
        self.session.stop()
        self.session.limit.mode = BOUNDED
        for _ in range(8):
            legal = self.state.position.legal_actions() if self.state.position is not None else ()
            if legal:
                self.state.play(legal[len(legal) // 2])
        actions, levels = 0, []
        began = time.perf_counter()
        while time.perf_counter() - began < 60 * self.minutes or actions < 40:
            snapshot = self.session.snapshot
            if actions % 3 == 2 and snapshot is not None and snapshot.moves:
                self.state.select((snapshot.moves[actions % len(snapshot.moves)].action,))
            else:
                self.state.go((7 * actions) % (len(self.state.moves) + 1))
            actions += 1
            pump(0.005)
            if actions % 20 == 0:
                gc.collect()
                levels.append(memory())
        self.session.stop()
        early = statistics.median(levels[len(levels) // 4 : len(levels) // 2 or 1] or levels)
        late = statistics.median(levels[-max(1, len(levels) // 4) :])
        return [
            Row(
                f"memory over {actions:,} navigation actions",
                f"{late:.0f} MB, {late - early:+.1f} MB since the first half",
                "flat",
            )
        ]

    def icicle(self, game: GameSpec) -> list[Row]:
        """Measure the icicle of a tree of ``nodes``."""
        self.open(game, None)
        view = self.window.commands.open_dock("icicle")
        assert isinstance(view, IciclePart)
        canvas = view.canvas
        wait_until(lambda: canvas.scene.icicle is not None, 600.0)
        self.open(game, None)
        frames = Frames(canvas)

        def grown() -> bool:
            snapshot = self.session.snapshot
            return snapshot is not None and (snapshot.counters.nodes >= self.nodes or bool(snapshot.reason))

        wait_until(grown, 1800.0)
        canvas.removeEventFilter(frames)
        self.session.stop()
        pump(0.05)
        assert self.session.snapshot is not None
        nodes = self.session.snapshot.counters.nodes
        fps = len(frames.gaps) / sum(frames.gaps) if frames.gaps else float("nan")
        text = f"{fps:.0f} a second while it moved" if frames.gaps else "nothing moved"
        growing = Row(f"icicle while growing to {self.nodes:,} nodes: frames painted", text, "≥ 30 a second")
        return [growing, self._first_icicle(canvas, nodes), self._icicle_frame(canvas, nodes)]

    def _first_icicle(self, canvas: IcicleCanvas, nodes: int) -> Row:
        """Measure the layout and the painting of the whole tree."""
        laid_out: list[float] = []
        done = threading.Event()

        def visit(search: Search | None) -> None:
            assert search is not None
            view, pv = canvas.view(), search.snapshot().pv
            began = time.thread_time()
            lay_out(search.tree, search.root, view, pv, search.numbering)
            laid_out.append(1000 * (time.thread_time() - began))
            done.set()

        self.analysis.visit(visit)
        done.wait(60.0)
        icicle, root, line = canvas.scene.icicle, canvas.root, canvas.scene.line
        canvas.show_icicle(None, None, line)
        began = time.thread_time()
        canvas.show_icicle(icicle, root, line)
        canvas.repaint()
        painted = 1000 * (time.thread_time() - began)
        drawn = 0 if icicle is None else len(icicle)
        text = f"{laid_out[0]:.1f} ms laying out {drawn:,} of them and {painted:.1f} ms painting, of processor time"
        return Row(f"icicle of {nodes:,} nodes: first picture", text, "≤ 100 ms")

    def _icicle_frame(self, canvas: IcicleCanvas, nodes: int) -> Row:
        """Measure the processor time of the frames of zooming into the principal variation and back."""
        worked: list[float] = []
        icicle = canvas.scene.icicle
        assert icicle is not None
        for step in range(ZOOMS):
            if step % 2:
                canvas.fit()
            else:
                canvas.zoom_to(icicle.path_of(int(icicle.pv[min(2 + step // 2, icicle.pv.size - 1)])))
            for _ in range(FRAMES):
                began = time.thread_time()
                canvas.advance(0.016)
                canvas.repaint()
                worked.append(1000 * (time.thread_time() - began))
            pump(0.05)
        mean, worst = statistics.mean(worked), max(worked)
        text = f"{mean:.1f} ms of processor time, at most {worst:.1f} ms"
        return Row(f"icicle of {nodes:,} nodes: one frame", text, "≤ 33 ms")

    def restyle(self) -> list[Row]:
        """Measure each change and its reversal, with the docks of the initial layout and with all docks."""
        window, docks = self.window, self.window.docks
        first = docks.shown
        theme, size, language = window.commands.appearance.choice, window.context.preferences.text_size, chosen()
        changes: tuple[tuple[str, Callable[[], object], Callable[[], object]], ...] = (
            ("theme", window.commands.appearance.toggle_theme, lambda: window.commands.appearance.set_theme(theme)),
            (
                "text size",
                lambda: window.commands.appearance.set_text_size(130),
                lambda: window.commands.appearance.set_text_size(size),
            ),
            ("language", lambda: switch_language(CHINESE), lambda: switch_language(language)),
        )
        rows = []
        for every in (False, True):
            if every:
                for name in VIEWS:
                    window.commands.open_dock(name)
                    pump(SETTLE_S)
            for name, forth, back in changes:
                blocks = [measure_blocks(forth), measure_blocks(back)]
                longest, worked = max(block for block, _ in blocks), max(spent for _, spent in blocks)
                rows.append(
                    Row(
                        f"{name} changed, {len(docks.shown)} docks open: longest block",
                        f"{longest:.0f} ms; {worked:.0f} ms of processor time in all",
                        "≤ 100 ms of processor time",
                    )
                )
        for name in docks.shown:
            if name not in first:
                docks.toggle(name)
        return rows


def measure_blocks(change: Callable[[], object]) -> tuple[float, float]:
    """Run ``change``; return its longest block of the GUI thread and its total processor time, ms."""
    pump(SETTLE_S)
    busy = Busy()
    QTimer.singleShot(0, change)
    pump(SETTLE_S)
    busy.stop()
    return 1000 * max(busy.spans, default=0.0), 1000 * sum(busy.worked)
