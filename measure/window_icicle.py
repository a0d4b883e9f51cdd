"""The icicle of a large tree: its frames while the tree grows, its first picture and the processor time of a frame."""

from __future__ import annotations

import statistics
import threading
import time
from typing import TYPE_CHECKING, Final

from measure.window_measures import Row

if TYPE_CHECKING:
    from core.engine import Search
    from core.games import GameSpec
    from gui.widgets.icicle.icicle_canvas import IcicleCanvas
    from measure.window_measures import Bench

ZOOMS: Final = 8
FRAMES: Final = 14  # of one zoom, for their processor time


def icicle_rows(bench: Bench, game: GameSpec) -> list[Row]:
    """Measure the icicle of a tree of ``bench.nodes``."""
    from gui.rooms.icicle.icicle import IcicleRoom
    from measure.window_probes import Frames, pump, wait_until

    bench.open(game, None)
    bench.window.docks.show_dock("icicle")
    view = bench.window.docks["icicle"].fill()
    assert isinstance(view, IcicleRoom)
    canvas = view.canvas
    wait_until(lambda: canvas.scene.icicle is not None, 600.0)
    bench.open(game, None)
    frames = Frames(canvas)

    def grown() -> bool:
        snapshot = bench.session.snapshot
        return snapshot is not None and (snapshot.counters.nodes >= bench.nodes or bool(snapshot.reason))

    wait_until(grown, 1800.0)
    canvas.removeEventFilter(frames)
    bench.session.stop()
    pump(0.05)
    assert bench.session.snapshot is not None
    nodes = bench.session.snapshot.counters.nodes
    fps = len(frames.gaps) / sum(frames.gaps) if frames.gaps else float("nan")
    text = f"{fps:.0f} a second while it moved" if frames.gaps else "nothing moved"
    growing = Row(f"icicle while growing to {bench.nodes:,} nodes: frames painted", text, "≥ 30 a second", {"fps": fps})
    return [growing, _first(bench, canvas, nodes), _frame(canvas, nodes)]


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
