"""The start of the program, and the processor time of the first click on each dock, page and dialog.

In a process of its own.  The clicks begin when the first search has ended and the libraries are loaded.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication

from gui import app
from gui.app import make_parser
from gui.shell.docks import AHEAD, VIEWS, WORKSPACES
from measure.soak import make_run
from measure.window_measures import Row
from measure.window_probes import pump

if TYPE_CHECKING:
    from gui.window import MainWindow

BAR_MS: Final = 100
BAR: Final = f"≤ {BAR_MS} ms"
DIALOGS: Final = (
    "palette",
    "choose_game",
    "edit_position",
    "about_game",
    "save_session",
    "keys",
    "change_keys",
)
LOOK_MS: Final = 5
SETTLE_S = 0.3  # before each click
LEAST_TURNS: Final = 4  # passes of the event loop after a click
MOST_TURNS: Final = 200
QUIET_S: Final = 0.0003  # an idle pass takes less
LATEST_S: Final = 120.0  # longest wait for the end of the first search


class Painted(QObject):
    """Records whether a window was painted since the click."""

    def __init__(self, window: QObject) -> None:
        super().__init__(window)
        self.done = False
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.done |= event.type() in (QEvent.Type.UpdateRequest, QEvent.Type.Paint)
        return False


class FirstClicks(QObject):
    """Waits until the program is idle, clicks everything once and closes the window.

    Prints a line of JSON for each click, and one with the clock at which the window and its first figures were there.
    """

    def __init__(self, window: MainWindow, settle_s: float) -> None:
        super().__init__(window)
        self._window, self._settle_s = window, settle_s
        self._began = time.monotonic()
        self._start: dict[str, float] = {}
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._look)
        self._timer.start(LOOK_MS)

    def _look(self) -> None:
        snapshot = self._window.session.snapshot
        self._start.setdefault("window", time.time())
        if snapshot is not None and snapshot.simulations:
            self._start.setdefault("figures", time.time())
        rests = snapshot is not None and bool(snapshot.reason) and AHEAD[-1] in sys.modules
        if rests or time.monotonic() - self._began > LATEST_S:
            self._timer.stop()
            print(json.dumps(self._start), flush=True)
            pump(3 * self._settle_s)
            for name, click in self._clicks():
                self._measure(name, click)
            self._window.close()

    def _measure(self, name: str, run: Callable[[], object]) -> None:
        pump(self._settle_s)
        began = at = time.thread_time()
        run()
        painted = Painted(QApplication.activePopupWidget() or QApplication.activeModalWidget() or self._window)
        turns: list[float] = []
        until_paint = 0.0
        while len(turns) < LEAST_TURNS or (turns[-1] > QUIET_S and len(turns) < MOST_TURNS):
            was, at = at, time.thread_time()
            turns.append(at - was)
            if painted.done and not until_paint:
                until_paint = at - began
            QCoreApplication.processEvents()
        click = {
            "name": name,
            "painted_ms": 1000 * (until_paint or at - began),
            "longest_ms": 1000 * max(turns),
            "worked_ms": 1000 * sum(turns),
        }
        print(json.dumps(click), flush=True)

    def _clicks(self) -> Iterator[tuple[str, Callable[[], object]]]:
        window, actions, bar = self._window, self._window.context.actions, self._window.views.toolbar
        for name in VIEWS:
            room = window.docks.room_of(name)
            if room not in window.docks.shown:
                yield f"dock {name}", actions[name].trigger
                window.docks.toggle(room)
        for name in DIALOGS:
            yield f"dialog {name}", actions[name].trigger
            self._close_dialogs()
        for name, menu in (("game", bar.game.menu()), ("net", bar.net.menu())):
            yield f"menu {name}", lambda menu=menu: menu.popup(window.mapToGlobal(window.rect().center()))  # type: ignore[misc]
            menu.close()
        for name, *_ in WORKSPACES:
            yield f"workspace {name}", actions[f"workspace_{name}"].trigger
        tab = window.commands.training
        assert tab is not None
        for name, button in tab.view.switch.buttons.items():
            yield f"training, {name}", button.click
        yield "training, new run", tab.new.click
        yield "tour", actions["tour"].trigger

    def _close_dialogs(self) -> None:
        for widget in QApplication.topLevelWidgets():
            if widget is not self._window and widget.isVisible() and widget.parentWidget() is not None:
                widget.close()


def first_rows() -> list[Row]:
    """Return the times of a start with the caches warm, the slowest first click, and each other above the bar."""
    with tempfile.TemporaryDirectory(prefix="plyscope-first-") as home:
        runs = make_run(Path(home))
        if runs is None:
            return [Row("first click", "failed: no training run could be made", BAR)]
        began = time.time()
        done = subprocess.run(
            [sys.executable, "-m", "measure.window_first", str(runs), str(SETTLE_S)],
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            check=False,
            timeout=600,
        )
    start, *clicks = [json.loads(line) for line in done.stdout.splitlines()] or [{}]
    if done.returncode or not clicks:
        return [Row("first click", f"failed: {(done.stderr.strip().splitlines() or ['no word'])[-1]}", BAR)]
    return [
        Row("start, warm: window", f"{start['window'] - began:.2f} s", "≤ 2 s"),
        Row("start, warm: first figures", f"{start['figures'] - began:.2f} s"),
        *rows_of(clicks),
    ]


def rows_of(clicks: list[dict[str, Any]]) -> list[Row]:
    """Return a row for the slowest click, and one for each other above the bar."""
    ordered = sorted(clicks, key=lambda click: -slowness(click))
    rows = []
    for place, click in enumerate(ordered):
        if place == 0 or slowness(click) > BAR_MS:
            title = (
                f"first click, slowest of {len(clicks)}: {click['name']}"
                if place == 0
                else f"first click: {click['name']}"
            )
            words = (
                f"painted after {click['painted_ms']:.0f} ms of processor time; "
                f"{click['worked_ms']:.0f} ms in all, {click['longest_ms']:.0f} ms in one piece"
            )
            rows.append(Row(title, words, BAR))
    return rows


def slowness(click: dict[str, Any]) -> float:
    """Return the figure compared with the bar: the time until the window is painted, or a longer block."""
    return float(max(click["painted_ms"], click["longest_ms"]))


def main() -> int:
    """Run the clicks; arguments: the folder of the training runs, and the seconds before each click."""
    options = make_parser().parse_args(["--theme", "dark", "--runs", sys.argv[1]])
    options.screenshot = Path("never.png")  # so that no settings are saved
    boot = app.boot
    clicks: list[Any] = []

    def begin(window: MainWindow, options: argparse.Namespace) -> None:
        options.screenshot = None
        boot(window, options)
        clicks.append(FirstClicks(window, float(sys.argv[2])))

    return app.open_window(options, begin)


if __name__ == "__main__":
    sys.exit(main())
