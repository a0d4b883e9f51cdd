"""One window of the guide's pictures that is led to something first: a step of a lesson, an audit, other trees.

``python -m measure.picture_window STAGE … [the window's options]`` saves what ``--screenshot`` names.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QTimer

from gui.app import RESTED_TICKS, boot, make_parser, open_window, part_named
from gui.widgets.preferences import TREE_PARTS

if TYPE_CHECKING:
    from gui.window import MainWindow

TICK_MS: Final = 300


def lesson(window: MainWindow, name: str, last: str) -> Iterator[None]:
    """Do the steps of a lesson up to ``last``, from 0, and show that one before it is done."""
    from gui.shell.lessons import lessons_home, lessons_of

    lessons = lessons_of(window.commands)
    lessons.open_file(lessons_home() / f"{name}.txt")
    yield
    while lessons.number < int(last):
        if not lessons.done:
            lessons.do_it()
        yield
        lessons.turn_on()
    yield


def audit(window: MainWindow, path: str) -> Iterator[None]:
    """Show the mistakes of the audit that a file keeps, and the first of them on the board."""
    from gui.rooms.blind_spots.audit_view import MISTAKES, AuditView

    view = window.docks["blind_spots"].fill()
    assert isinstance(view, AuditView)
    view.opened.emit(Path(path))
    while not view.table.shown.rows:
        yield
    view.filter.setCurrentIndex(view.filter.findData(MISTAKES))
    view.filter.activated.emit(view.filter.currentIndex())
    yield
    view.chosen.emit(view.table.shown.rows[0])
    view.table.selectRow(0)
    yield


def second(window: MainWindow, c_puct: str) -> Iterator[None]:
    """Run a second search with another ``c_puct``."""
    from dataclasses import replace

    from gui.rooms.what_if.what_if import WhatIf

    view = window.docks["what_if"].fill()
    assert isinstance(view, WhatIf)
    assert view.searches is not None
    state, session = view.searches.second.state, view.searches.second.session
    settings = window.state.settings
    assert settings is not None
    state.set_settings(replace(settings, c_puct=float(c_puct)))
    yield
    while session.searching:
        yield


def trees(window: MainWindow, moves: str) -> Iterator[None]:
    """Keep the tree, one after ``moves`` and one of that position without a net; show the second."""
    from gui.model.sources import UniformSource

    opened, game = window.commands.documents, window.state.game
    assert game is not None
    opened.add_copy()
    while len(opened.facts) < 2:
        yield
    window.state.play_line(tuple(map(game.parse_action, moves.split())))
    yield
    opened.add_copy()
    while len(opened.facts) < 3:
        yield
    window.state.set_source(UniformSource())
    yield
    opened.step(-1)
    yield


def unfold(window: MainWindow) -> Iterator[None]:
    """Open two moves of the principal variation in the table."""
    snapshot = window.session.snapshot
    assert snapshot is not None
    window.views.tree.open_path(snapshot.pv[:2])
    while (shown := window.session.snapshot) is None or snapshot.pv[:2] not in shown.opened:
        yield


def alone(window: MainWindow, name: str) -> Iterator[None]:
    """Show one part of the tree's room without the others."""
    window.commands.open_dock(name)
    for part in TREE_PARTS:
        if part != name:
            window.commands.toggle_dock(part)
    yield


def report(window: MainWindow) -> Iterator[None]:
    """Analyse the whole game."""
    window.commands.analyse_game()
    yield
    while window.commands.games.review.analysis.running:
        yield


def inside(window: MainWindow, name: str) -> Iterator[None]:
    """Show a part of the room Inside with its answer about the position; the concepts of the net, or of the nets of its
    run, are examined first."""
    from gui.rooms.inside.concepts_part import ConceptsPart
    from gui.rooms.inside.history_part import HistoryPart
    from gui.rooms.inside.part import InsidePart
    from gui.rooms.inside.room import InsideRoom

    window.commands.open_dock(name)
    room = window.docks["inside"].fill()
    assert isinstance(room, InsideRoom)
    part = room.made[name]
    assert isinstance(part, InsidePart)
    while part.answered[0] is None:
        yield
    if isinstance(part, ConceptsPart):
        if part.examined is None:
            part.button.click()
        while part.job.running or part.examined is None or part.shown is None or part.shown.place is None:
            yield
    if isinstance(part, HistoryPart):
        if part.history is None:
            part.button.click()
        while part.job.running or part.history is None:
            yield


def cause(window: MainWindow, line: str) -> Iterator[None]:
    """Find out why a search that proves nothing misses a line."""
    from dataclasses import replace

    from gui.rooms.why.why import WhyRoom

    settings = window.state.settings
    assert settings is not None
    window.state.set_settings(replace(settings, prove=False, max_batch=1))
    yield
    while window.session.searching:
        yield
    room = window.docks["why"].fill()
    assert isinstance(room, WhyRoom)
    room.show_cause()
    yield
    room.cause.examine(line)
    yield
    while room.cause.report is None:
        yield
    room.show_cause()
    yield


STAGES: Final[dict[str, tuple[int, Callable[..., Iterator[None]]]]] = {  # number of words after the name; what it does
    "lesson": (2, lesson),
    "audit": (1, audit),
    "second": (1, second),
    "trees": (1, trees),
    "unfold": (0, unfold),
    "alone": (1, alone),
    "report": (0, report),
    "inside": (1, inside),
    "cause": (1, cause),
}


def main() -> int:
    """Open the window, run the stage, save the picture; returns the window's exit code."""
    words, run = STAGES[sys.argv[1]]
    arguments, rest = sys.argv[2 : 2 + words], sys.argv[2 + words :]
    return open_window(make_parser().parse_args(rest), lambda window, options: _begin(window, options, run, arguments))


def _begin(
    window: MainWindow, options: argparse.Namespace, run: Callable[..., Iterator[None]], arguments: list[str]
) -> None:
    boot(window, argparse.Namespace(**vars(options) | {"screenshot": None}))
    timer = QTimer(window)
    stage = run(window, *arguments)
    begun, rested = False, 0

    def look() -> None:
        nonlocal begun, rested
        session = window.session
        begun = begun or session.present is not None
        if not begun or session.loading or session.searching or next(stage, True) is None:
            return
        rested += 1
        if rested > RESTED_TICKS:
            timer.stop()
            part_named(window, options.part).grab().save(str(options.screenshot))
            window.close()

    timer.timeout.connect(look)
    timer.start(TICK_MS)


if __name__ == "__main__":
    sys.exit(main())
