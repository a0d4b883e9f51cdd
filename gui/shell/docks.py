"""The table of docks: one row per room of the analysis page.  Imports a room when its dock is first shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gui.shell.dock import BOTTOM, RIGHT, Row

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

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


class WindowRooms:
    """Creates and connects the rooms of a window; ``moves``, ``tree`` and ``settings`` exist from the start."""

    def __init__(self, frame: Frame) -> None:
        self._frame = frame

    def make(self, name: str) -> QWidget:
        """Return the widget of a row."""
        make = getattr(self, f"_make_{name}", None)
        return make() if make is not None else getattr(self._frame.views, name)  # type: ignore[no-any-return]

    def connect(self, name: str, widget: QWidget) -> None:
        """Connect a new widget to the model and show the current state."""
        connect = getattr(self, f"_connect_{name}", None)
        if connect is not None:
            connect(widget)

    def _make_log(self) -> QWidget:
        from gui.shell.log_view import LogView

        return LogView(self._frame.log)

    def _make_inspector(self) -> QWidget:
        from gui.rooms.inspector.inspector import Inspector

        return Inspector()

    def _connect_inspector(self, view: QWidget) -> None:
        from gui.rooms.inspector.inspector import connect_inspector

        connect_inspector(self._frame.context, view)

    def _make_picture(self) -> QWidget:
        from gui.rooms.picture.picture import PictureView

        return PictureView(self._frame)

    def _connect_picture(self, view: Any) -> None:
        from gui.rooms.picture.picture import connect_picture

        connect_picture(self._frame.context, view)

    def _make_play(self) -> QWidget:
        from gui.rooms.play.play_view import PlayView

        return PlayView()

    def _connect_play(self, view: QWidget) -> None:
        from gui.rooms.play.play_view import connect_play

        connect_play(self._frame.context, self._frame.play, view)

    def _make_report(self) -> QWidget:
        from gui.rooms.review.game_report_view import GameReportView

        return GameReportView()

    def _connect_report(self, view: QWidget) -> None:
        from gui.rooms.review.game_report_view import connect_report

        connect_report(self._frame.context, self._frame.review, view)

    def _make_time(self) -> QWidget:
        from gui.rooms.past.time_view import TimeView

        return TimeView(self._frame.time)

    def _make_what_if(self) -> QWidget:
        from gui.rooms.compare.what_if import WhatIf

        return WhatIf()

    def _connect_what_if(self, view: Any) -> None:
        from gui.rooms.compare.what_if import connect_what_if

        connect_what_if(self._frame.context, view)

    def _make_charts(self) -> QWidget:
        from gui.rooms.charts.charts import ChartsView

        return ChartsView()

    def _connect_charts(self, view: QWidget) -> None:
        from gui.rooms.charts.charts import connect_charts

        connect_charts(self._frame.context, view, self._frame.time.count_changed, self._frame.time.go)

    def _make_game(self) -> QWidget:
        from gui.rooms.record.record_panel import RecordPanel

        return RecordPanel()

    def _connect_game(self, view: QWidget) -> None:
        from gui.rooms.record.record_panel import connect_record

        connect_record(self._frame.context, view)
