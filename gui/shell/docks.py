"""The table of docks: every room of the analysis is one row.  Imports a room when its dock is first shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gui.shell.dock_area import BOTTOM, RIGHT, Row

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from gui.window import MainWindow


def _log(window: MainWindow) -> QWidget:
    from gui.shell.log_view import LogView

    return LogView(window.log)


def _inspector(window: MainWindow) -> QWidget:
    from gui.rooms.inspector.inspector import Inspector

    return Inspector()


def _connect_inspector(window: MainWindow, widget: QWidget) -> None:
    from gui.rooms.inspector.inspector import connect_inspector

    connect_inspector(window, widget)


def _picture(window: MainWindow) -> QWidget:
    from gui.rooms.picture.picture import PictureView

    return PictureView(window)


def _connect_picture(window: MainWindow, view: QWidget) -> None:
    from gui.rooms.picture.picture import PictureView, connect_picture

    assert isinstance(view, PictureView)
    connect_picture(window, view)


def _play(window: MainWindow) -> QWidget:
    from gui.rooms.play.play_view import PlayView

    return PlayView()


def _connect_play(window: MainWindow, widget: QWidget) -> None:
    from gui.rooms.play.play_view import connect_play

    connect_play(window, widget)


def _report(window: MainWindow) -> QWidget:
    from gui.rooms.review.game_report_view import GameReportView

    return GameReportView()


def _connect_report(window: MainWindow, widget: QWidget) -> None:
    from gui.rooms.review.game_report_view import connect_report

    connect_report(window, widget)


def _time(window: MainWindow) -> QWidget:
    from gui.rooms.past.time_view import TimeView

    return TimeView(window.time)


def _what_if(window: MainWindow) -> QWidget:
    from gui.rooms.compare.what_if import WhatIf

    return WhatIf()


def _connect_what_if(window: MainWindow, view: QWidget) -> None:
    from gui.rooms.compare.what_if import WhatIf, connect_what_if

    assert isinstance(view, WhatIf)
    connect_what_if(window, view)


def _charts(window: MainWindow) -> QWidget:
    from gui.rooms.charts.charts import ChartsView

    return ChartsView()


def _connect_charts(window: MainWindow, widget: QWidget) -> None:
    from gui.rooms.charts.charts import connect_charts

    connect_charts(window, widget)


def _game(window: MainWindow) -> QWidget:
    from gui.rooms.record.record_panel import RecordPanel

    return RecordPanel()


def _connect_game(window: MainWindow, widget: QWidget) -> None:
    from gui.rooms.record.record_panel import connect_record

    connect_record(window, widget)


ROWS = (
    Row("moves", "Moves", RIGHT, True, lambda window: window.views.moves),
    Row(
        "settings",
        "Search settings",
        RIGHT,
        False,
        lambda window: window.views.settings,
        place=("beside", "moves"),
        keys=("Ctrl+,",),
    ),
    Row("tree", "Tree", RIGHT, True, lambda window: window.views.tree, place=("below", "moves")),
    Row("inspector", "Inspector", RIGHT, False, _inspector, _connect_inspector, place=("behind", "tree")),
    Row("picture", "Picture", RIGHT, False, _picture, _connect_picture, place=("behind", "tree"), keys=("Ctrl+P",)),
    Row("play", "Play", RIGHT, False, _play, _connect_play, place=("behind", "tree")),
    Row("time", "Time machine", BOTTOM, False, _time, keys=("Ctrl+M",)),
    Row("what_if", "What if", RIGHT, False, _what_if, _connect_what_if, place=("behind", "tree"), keys=("Ctrl+I",)),
    Row("charts", "Charts", BOTTOM, False, _charts, _connect_charts, place=("below", "time")),
    Row("game", "Game", RIGHT, False, _game, _connect_game, place=("behind", "tree"), keys=("Ctrl+R",)),
    Row("log", "Log", BOTTOM, False, _log, place=("behind", "charts")),
    Row("report", "Game report", BOTTOM, False, _report, _connect_report, place=("behind", "log")),
)
