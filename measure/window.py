"""Costs and response times of the window, each figure beside its bar.  ``make bench-gui`` runs it.

A bar is the value that the figure should reach; the program does not judge.  Everything runs in one process on this
machine.  Without a display the window is drawn off screen.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from measure.window_measures import Bench, Row

GAMES: Final = ("connect4", "gomoku")
START_ROUNDS = 2


def start_rows() -> list[Row]:
    """Measure from process start to the window and to its first figures; the first round warms the caches.

    Where this process may not keep compiled modules they are kept in a folder of its own: a user has them.
    """
    found: list[list[float]] = []
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    may_not = env.pop("PYTHONDONTWRITEBYTECODE", "")
    with tempfile.TemporaryDirectory(prefix="plyscope-start-") as home:
        if may_not:
            env["PYTHONPYCACHEPREFIX"] = home
        for _ in range(START_ROUNDS):
            began = time.time()
            done = subprocess.run(
                [sys.executable, "-m", "measure.window_start"],
                capture_output=True,
                text=True,
                stdin=subprocess.DEVNULL,
                env=env,
                check=False,
                timeout=600,
            )
            times = [float(line) - began for line in done.stdout.split()[:2]]
            if len(times) < 2:
                said = (done.stderr.strip().splitlines() or ["no word"])[-1]
                return [Row("start, warm", f"failed: {said}", "≤ 2 s")]
            found.append(times)
    window, figures = found[-1]
    return [
        Row("start, warm: window", f"{window:.2f} s", "≤ 2 s", {"seconds": window}),
        Row("start, warm: first figures", f"{figures:.2f} s", "", {"seconds": figures}),
    ]


@contextmanager
def open_bench(seconds: float, minutes: float, nodes: int) -> Iterator[Bench]:
    """Open a visible window with the engine; it is closed at the end."""
    from PySide6.QtWidgets import QApplication

    app = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(app, QApplication)
    from core.engine import Analysis
    from core.search import SearchSettings
    from gui.window import MainWindow

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
    from core.games import load_game
    from gui.model.sources import default_source, net_source
    from measure.window_first import first_rows
    from measure.window_icicle import icicle_rows
    from measure.window_restyle import restyle_rows

    games = [(game, default_source(game)) for game in map(load_game, GAMES)]
    if icicle:
        yield lambda: icicle_rows(bench, games[0][0])
        return
    if nets:
        games = [(load_game(text), net_source(Path(file))) for file, text in nets]
    for game, source in games:
        yield lambda game=game, source=source: bench.answers(game, source)  # type: ignore[misc]
        yield lambda game=game, source=source: bench.cost(game, source)  # type: ignore[misc]
    if nets:
        return
    yield lambda: bench.picture(games[0][0])
    yield lambda: icicle_rows(bench, games[0][0])
    yield lambda: bench.large_tree(games[0][0])
    yield start_rows
    yield first_rows
    yield lambda: restyle_rows(bench.window)
    yield lambda: bench.navigation(*games[0])


def main(argv: Sequence[str] | None = None) -> int:
    """Run the measurements and print each figure as soon as it is known."""
    parser = argparse.ArgumentParser(prog="make bench-gui ARGS=...", description=__doc__)
    parser.add_argument("--seconds", type=float, default=4.0, help="of each measurement (default 4)")
    parser.add_argument("--minutes", type=float, default=0.5, help="of navigation, for its memory (default 0.5)")
    parser.add_argument("--nodes", type=int, default=1_000_000, help="of the large tree (default 1000000)")
    parser.add_argument(
        "--net", nargs=2, action="append", default=[], metavar=("FILE", "GAME"), help="only a search with this net"
    )
    parser.add_argument("--icicle", action="store_true", help="only the icicle of the large tree")
    parser.add_argument("--json", action="store_true", help="print one JSON object a figure instead of text")
    args = parser.parse_args(argv)
    for name, least in (("seconds", 0.01), ("minutes", 0.0), ("nodes", 100)):
        if not getattr(args, name) >= least:
            parser.error(f"--{name} is {getattr(args, name):g}; it must be at least {least:g}")
    if sys.platform == "linux" and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from gui.app import share_interpreter
    from measure.bench_table import machine_lines

    interval = sys.getswitchinterval()
    share_interpreter()
    if not args.json:
        print("\n".join(machine_lines()), flush=True)
    try:
        with open_bench(args.seconds, args.minutes, args.nodes) as bench:
            for measure in measures(bench, args.net, args.icicle):
                for row in measure():
                    show(row, args.json)
    finally:
        sys.setswitchinterval(interval)
    return 0


def show(row: Row, as_json: bool) -> None:
    """Print one figure with its bar."""
    if as_json:
        entry = {"name": row.name, "measured": row.measured, "bar": row.bar, **(row.figures or {})}
        print(json.dumps(replace_nan(entry), ensure_ascii=False), flush=True)
    else:
        bar = f"   [bar: {row.bar}]" if row.bar else ""
        print(f"  {row.name:<58} {row.measured}{bar}", flush=True)


def replace_nan(figures: dict[str, Any]) -> dict[str, Any]:
    """Replace NaN by None, because JSON has no NaN."""
    return {name: None if isinstance(x, float) and x != x else x for name, x in figures.items()}


if __name__ == "__main__":
    sys.exit(main())
