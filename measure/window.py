"""Costs and response times of the window, each figure beside its bar.  ``make bench-gui`` runs it.

A bar is the value that the figure should reach; the program does not judge.  All but the start and the first clicks
runs in one process.  Without a display the window is drawn off screen.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from PySide6.QtWidgets import QApplication

from core.engine import Analysis
from core.games import load_game
from core.search import SearchSettings
from gui.app import limit_heaps, share_interpreter
from gui.model.sources import default_source, net_source
from gui.window import MainWindow
from measure.bench_table import machine_lines
from measure.window_first import first_rows
from measure.window_measures import Bench, Row

GAMES: Final = ("connect4", "gomoku")


@contextmanager
def open_bench(seconds: float, minutes: float, nodes: int) -> Iterator[Bench]:
    """Open a visible window with the engine; it is closed at the end."""
    app = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(app, QApplication)
    window = MainWindow(theme="dark")
    window.resize(window.sizeHint())
    window.show()
    window.state.document.settings = SearchSettings()
    window.session.attach(Analysis())
    try:
        yield Bench(window, seconds, minutes, nodes)
    finally:
        window.session.close(30.0)
        window.close()


def measures(bench: Bench, nets: Sequence[Sequence[str]], icicle: bool = False) -> Iterator[Callable[[], list[Row]]]:
    """Yield every measurement in order; with ``nets`` (file, game) those of a search with each of them alone, with
    ``icicle`` those of the icicle alone."""
    games = [(game, default_source(game)) for game in map(load_game, GAMES)]
    if icicle:
        yield lambda: bench.icicle(games[0][0])
        return
    if nets:
        games = [(load_game(text), net_source(Path(file))) for file, text in nets]
    for game, source in games:
        yield lambda game=game, source=source: bench.answers(game, source)  # type: ignore[misc]
        yield lambda game=game, source=source: bench.cost(game, source)  # type: ignore[misc]
        yield lambda game=game, source=source: bench.inside(game, source)  # type: ignore[misc]
    if nets:
        return
    yield lambda: bench.picture(games[0][0])
    yield lambda: bench.icicle(games[0][0])
    yield lambda: bench.large_tree(games[0][0])
    yield first_rows
    yield bench.restyle
    yield lambda: bench.navigation(*games[0])


def main(argv: Sequence[str] | None = None) -> int:
    """Run the measurements and print each figure with its bar as soon as it is known."""
    parser = argparse.ArgumentParser(prog="make bench-gui ARGS=...", description=__doc__)
    parser.add_argument("--seconds", type=float, default=4.0, help="of each measurement (default 4)")
    parser.add_argument("--minutes", type=float, default=0.5, help="of navigation, for its memory (default 0.5)")
    parser.add_argument("--nodes", type=int, default=1_000_000, help="of the large tree (default 1000000)")
    parser.add_argument(
        "--net", nargs=2, action="append", default=[], metavar=("FILE", "GAME"), help="only a search with this net"
    )
    parser.add_argument("--icicle", action="store_true", help="only the icicle of the large tree")
    args = parser.parse_args(argv)
    if sys.platform == "linux" and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    interval = sys.getswitchinterval()
    share_interpreter()
    limit_heaps()
    print("\n".join(machine_lines()), flush=True)
    try:
        with open_bench(args.seconds, args.minutes, args.nodes) as bench:
            for measure in measures(bench, args.net, args.icicle):
                for row in measure():
                    bar = f"   [bar: {row.bar}]" if row.bar else ""
                    print(f"  {row.name:<58} {row.measured}{bar}", flush=True)
    finally:
        sys.setswitchinterval(interval)
    return 0


if __name__ == "__main__":
    sys.exit(main())
