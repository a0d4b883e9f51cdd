"""How long a change of theme, text size or language blocks the GUI thread.  Judges nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QTimer

from gui.language.language import CHINESE, chosen
from gui.shell.docks import VIEWS
from gui.widgets.texts import switch_language
from measure.window_measures import Row
from measure.window_probes import Busy, pump

if TYPE_CHECKING:
    from gui.window import MainWindow

SETTLE_S: Final = 0.3  # time for a change to complete
BAR: Final = "≤ 100 ms of processor time"


def measure_blocks(change: Callable[[], object]) -> tuple[float, float]:
    """Run ``change``; return its longest block of the GUI thread and its total processor time, ms."""
    pump(SETTLE_S)
    busy = Busy()
    QTimer.singleShot(0, change)
    pump(SETTLE_S)
    busy.stop()
    return 1000 * max(busy.spans, default=0.0), 1000 * sum(busy.worked)


def restyle_rows(window: MainWindow) -> list[Row]:
    """Measure each change and its reversal, with the docks of the initial layout and with all docks."""
    docks, first = window.docks, window.docks.shown
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
        for name, there, back in changes:
            found = [measure_blocks(there), measure_blocks(back)]
            longest, worked = max(block for block, _ in found), max(spent for _, spent in found)
            rows.append(
                Row(
                    f"{name} changed, {len(docks.shown)} docks open: longest block",
                    f"{longest:.0f} ms; {worked:.0f} ms of processor time in all",
                    BAR,
                    {"longest_ms": longest, "worked_ms": worked},
                )
            )
    for name in docks.shown:
        if name not in first:
            docks.toggle(name)
    return rows
