"""The icicle of a large tree: its first picture, its frames, and what it costs the search beside the same one headless.

Frames are those really painted by the event loop while a search grows its tree and while the user zooms; the search
runs all the time.  Each round is followed by a search without a window that makes the same simulations.  On busy
processors figures by processor time are more informative than those by the clock.
"""

from __future__ import annotations

import statistics
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple

from measure.window_measures import Row

if TYPE_CHECKING:
    from core.engine import Search
    from core.games import GameSpec
    from gui.widgets.icicle.icicle_canvas import IcicleCanvas
    from measure.window_measures import Bench

ROUNDS = 9
ZOOMS: Final = 8
FRAMES: Final = 14  # of one zoom, for their processor time
LOOK_S: Final = 0.05  # between two looks whether the tree is large enough


class Phase(NamedTuple):
    """A while of a search with the icicle in view."""

    first: int  # simulations at its begin
    last: int
    seconds: float
    processor_s: float  # of the search's thread
    window_s: float  # of processor time of the window's thread
    gaps: list[float]  # seconds from a frame to the next one, while something moved


class Rate(NamedTuple):
    """Simulations a second, by the clock and by processor time."""

    by_clock: float
    by_processor: float


def icicle_rows(bench: Bench, game: GameSpec) -> list[Row]:
    """Measure the icicle of a tree of ``bench.nodes``."""
    from gui.rooms.icicle.icicle import IcicleRoom
    from measure.window_probes import wait_until

    bench.open(game, None)
    bench.window.docks.show_dock("icicle")
    view = bench.window.docks["icicle"].fill()
    assert isinstance(view, IcicleRoom)
    canvas = view.canvas
    wait_until(lambda: canvas.scene.icicle is not None, 600.0)
    growing: list[tuple[Phase, Rate]] = []
    zooming: list[tuple[Phase, Rate]] = []
    for _ in range(ROUNDS):
        phases = _grow_and_zoom(bench, game, canvas)
        rates = _headless(bench, game, phases)
        for found, phase, rate in zip((growing, zooming), phases, rates, strict=True):
            found.append((phase, rate))
    assert bench.session.snapshot is not None
    nodes = bench.session.snapshot.counters.nodes
    rows = [_first(bench, canvas, nodes), _frame(canvas, nodes)]
    for what, found in ((f"growing to {bench.nodes:,} nodes", growing), ("zooming", zooming)):
        rows += [_frames(what, [phase for phase, _ in found]), _cost(what, found)]
    return rows


def _grow_and_zoom(bench: Bench, game: GameSpec, canvas: IcicleCanvas) -> tuple[Phase, Phase]:
    """Return two phases of one search: until the tree has its nodes, and while it is zoomed."""
    from measure.window_probes import pump, wait_until

    bench.open(game, None)
    wait_until(lambda: canvas.scene.icicle is not None, 60.0)

    def grow() -> None:
        while True:
            snapshot = bench.session.snapshot
            if snapshot is not None and (snapshot.counters.nodes >= bench.nodes or snapshot.reason):
                return
            pump(LOOK_S)

    def zoom() -> None:
        for step in range(ZOOMS):
            icicle = canvas.scene.icicle
            if icicle is None:
                return
            if step % 2:
                canvas.fit()
            else:
                canvas.zoom_to(icicle.path_of(int(icicle.pv[min(2 + step // 2, icicle.pv.size - 1)])))
            pump(min(0.5, bench.seconds))

    growing = _phase(bench, canvas, grow)
    zooming = _phase(bench, canvas, zoom)
    bench.session.stop()
    pump(0.05)
    return growing, zooming


def _phase(bench: Bench, canvas: IcicleCanvas, run: Callable[[], None]) -> Phase:
    from measure.window_probes import Frames, processor_time

    thread = next(thread for thread in threading.enumerate() if thread.name == "analysis")
    frames = Frames(canvas)
    first, began, spent, own = bench.simulations(), time.perf_counter(), processor_time(thread), time.thread_time()
    run()
    seconds, own = time.perf_counter() - began, time.thread_time() - own
    phase = Phase(first, bench.simulations(), seconds, processor_time(thread) - spent, own, frames.gaps)
    canvas.removeEventFilter(frames)
    return phase


def _headless(bench: Bench, game: GameSpec, phases: tuple[Phase, ...]) -> list[Rate]:
    """Return the rates of a search without a window that makes the simulations of each phase."""
    from core.engine import Search
    from core.search import Limit

    assert bench.state.settings is not None
    search, rates = Search(game.initial(), None, bench.state.settings), []
    for phase in phases:
        search.run(Limit(simulations=phase.first))
        first, began, spent = search.simulations, time.perf_counter(), time.thread_time()
        search.run(Limit(simulations=phase.last))
        made = search.simulations - first
        rates.append(Rate(made / (time.perf_counter() - began), made / (time.thread_time() - spent)))
    return rates


def _first(bench: Bench, canvas: IcicleCanvas, nodes: int) -> Row:
    """Measure the layout and the painting of the whole tree."""
    from core.glass.icicle import lay_out

    laid_out: list[float] = []
    done = threading.Event()

    def visit(search: Search | None) -> None:
        assert search is not None
        view, pv = canvas.view(), search.snapshot().pv
        began = time.thread_time()
        lay_out(search.tree, search.root, view, pv, search.numbering)
        laid_out.append(1000 * (time.thread_time() - began))
        done.set()

    bench.analysis.visit(visit)
    done.wait(60.0)
    icicle, root, line = canvas.scene.icicle, canvas.root, canvas.scene.line
    canvas.show_icicle(None, None, line)
    began = time.thread_time()
    canvas.show_icicle(icicle, root, line)
    canvas.repaint()
    painted = 1000 * (time.thread_time() - began)
    drawn = 0 if icicle is None else len(icicle)
    text = f"{laid_out[0]:.1f} ms laying out {drawn:,} of them and {painted:.1f} ms painting, of processor time"
    figures = {"layout_ms": laid_out[0], "paint_ms": painted, "nodes": nodes, "drawn": drawn}
    return Row(f"icicle of {nodes:,} nodes: first picture", text, "≤ 100 ms", figures)


def _frame(canvas: IcicleCanvas, nodes: int) -> Row:
    """Measure the processor time of the frames of zooming into the principal variation and back."""
    from measure.window_probes import pump

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
    return Row(f"icicle of {nodes:,} nodes: one frame", text, "≤ 33 ms", {"mean_ms": mean, "worst_ms": worst})


def _frames(what: str, phases: list[Phase]) -> Row:
    """Return the frames painted each second while something moved."""
    from measure.window_probes import quantile

    gaps = [gap for phase in phases for gap in phase.gaps]
    seconds = sum(phase.seconds for phase in phases)
    fps = len(gaps) / sum(gaps) if gaps else float("nan")
    figures = {
        "fps": fps,
        "p95_gap_ms": 1000 * quantile(gaps, 0.95),
        "moving_share": sum(gaps) / seconds,
        "window_thread_ms_per_s": 1000 * sum(phase.window_s for phase in phases) / seconds,
    }
    text = "nothing moved"
    if gaps:
        text = (
            f"{fps:.0f} a second while it moved, {100 * figures['moving_share']:.0f} % of the time, 95 % within "
            f"{figures['p95_gap_ms']:.0f} ms; {figures['window_thread_ms_per_s']:.0f} ms of processor time a second"
        )
    return Row(f"icicle while {what}: frames painted", text, "≥ 30 a second", figures)


def _cost(what: str, found: list[tuple[Phase, Rate]]) -> Row:
    """Return the search's rate with the icicle in view beside that of the same search headless."""
    pairs = []
    for phase, bare in found:
        made = phase.last - phase.first
        if made and bare.by_clock:  # in a moment there may be none
            pairs.append((Rate(made / phase.seconds, made / (phase.processor_s or float("nan"))), bare))
    if not pairs:
        return Row(f"icicle while {what}: simulations, with it and headless", "no simulation was made", "≥ 0.97", {})
    figures = {
        "ratio": statistics.median(own.by_clock / bare.by_clock for own, bare in pairs),
        "ratio_by_processor": statistics.median(own.by_processor / bare.by_processor for own, bare in pairs),
        "window_per_s": statistics.median(own.by_clock for own, _ in pairs),
        "headless_per_s": statistics.median(bare.by_clock for _, bare in pairs),
        "headless_cores": statistics.median(bare.by_clock / bare.by_processor for _, bare in pairs),
    }
    text = (
        f"{figures['window_per_s']:,.0f} and {figures['headless_per_s']:,.0f} a second, ratio {figures['ratio']:.3f}; "
        f"{figures['ratio_by_processor']:.3f} by the search's processor time, of which headless had "
        f"{figures['headless_cores']:.2f} cores"
    )
    return Row(f"icicle while {what}: simulations, with it and headless", text, "≥ 0.97", figures)
