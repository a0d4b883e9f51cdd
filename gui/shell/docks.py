"""The table of docks: one row per room of the analysis page.  Imports a room when its dock is first shown."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from gui.shell.dock import BOTTOM, RIGHT, Made, Row

if TYPE_CHECKING:
    from gui.shell.frame import Frame

ROWS = (
    Row("moves", "Moves", RIGHT, True),
    Row("settings", "Search settings", RIGHT, False, place=("beside", "moves"), keys=("Ctrl+,",)),
    Row("tree", "Tree", RIGHT, True, place=("below", "moves")),
    Row("inspector", "Inspector", RIGHT, False, place=("behind", "tree")),
    Row("picture", "Picture", RIGHT, False, place=("behind", "tree"), keys=("Ctrl+P",)),
    Row("play", "Play", RIGHT, False, place=("behind", "tree")),
    Row("time", "Time machine", BOTTOM, False, keys=("Ctrl+M",)),
    Row("what_if", "What if", RIGHT, False, place=("behind", "tree"), keys=("Ctrl+I",)),
    Row("charts", "Charts", BOTTOM, False, place=("below", "time")),
    Row("game", "Game", RIGHT, False, place=("behind", "tree"), keys=("Ctrl+R",)),
    Row("log", "Log", BOTTOM, False, place=("behind", "charts")),
    Row("report", "Game report", BOTTOM, False, place=("behind", "log")),
)


def make_room(frame: Frame, name: str) -> Made:
    """Make the room of a row for one window."""
    return ROOMS[name](frame)


def _make_log(frame: Frame) -> Made:
    from gui.shell.log_view import LogView

    return LogView(frame.log), None


def _make_inspector(frame: Frame) -> Made:
    from gui.rooms.inspector.inspector import Inspector, connect_inspector

    return Inspector(), partial(connect_inspector, frame.context)


def _make_picture(frame: Frame) -> Made:
    from gui.rooms.picture.picture import PictureView, connect_picture

    return PictureView(frame), partial(connect_picture, frame.context)


def _make_play(frame: Frame) -> Made:
    from gui.rooms.play.play_view import PlayView, connect_play

    return PlayView(), partial(connect_play, frame.context, frame.play)


def _make_report(frame: Frame) -> Made:
    from gui.rooms.review.game_report_view import GameReportView, connect_report

    return GameReportView(), partial(connect_report, frame.context, frame.review)


def _make_time(frame: Frame) -> Made:
    from gui.rooms.past.time_view import TimeView

    return TimeView(frame.time), None


def _make_what_if(frame: Frame) -> Made:
    from gui.rooms.compare.what_if import WhatIf, connect_what_if

    return WhatIf(), partial(connect_what_if, frame.context)


def _make_charts(frame: Frame) -> Made:
    from gui.rooms.charts.charts import ChartsView, connect_charts

    time = frame.time
    return ChartsView(), lambda view: connect_charts(frame.context, view, time.count_changed, time.go)


def _make_game(frame: Frame) -> Made:
    from gui.rooms.record.record_panel import RecordPanel, connect_record

    return RecordPanel(), partial(connect_record, frame.context)


ROOMS: Final[dict[str, Callable[[Frame], Made]]] = {
    "moves": lambda frame: (frame.views.moves, None),  # these three exist from the start
    "settings": lambda frame: (frame.views.settings, None),
    "tree": lambda frame: (frame.views.tree, None),
    "inspector": _make_inspector,
    "picture": _make_picture,
    "play": _make_play,
    "time": _make_time,
    "what_if": _make_what_if,
    "charts": _make_charts,
    "game": _make_game,
    "log": _make_log,
    "report": _make_report,
}
