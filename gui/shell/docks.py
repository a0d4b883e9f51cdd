"""The table of docks: one row per room of the analysis page.  Imports a room when its dock is first shown."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from gui.language.core_words import core_text
from gui.language.language import mark, tr
from gui.shell.dock import BOTTOM, RIGHT, Made, Row

if TYPE_CHECKING:
    from core.search import SearchSettings
    from gui.context import Context
    from gui.shell.frame import Frame
    from gui.widgets.settings.settings_panel import SettingsPanel

ROWS = (
    Row("moves", "Moves", RIGHT, True),
    Row("settings", "Search settings", RIGHT, False, place=("beside", "moves"), keys=("Ctrl+,",)),
    Row("icicle", "Icicle", RIGHT, True, place=("below", "moves"), keys=("Ctrl+J",), late=True),
    Row("tree", "Tree", RIGHT, False, place=("behind", "icicle")),
    Row("inspector", "Inspector", RIGHT, False, place=("behind", "icicle")),
    Row("why", "Why not?", RIGHT, False, place=("behind", "icicle"), keys=("W",)),
    Row("picture", "Picture", RIGHT, False, place=("behind", "icicle"), keys=("Ctrl+P",)),
    Row("play", "Play", RIGHT, False, place=("behind", "icicle")),
    Row("time", "Time machine", BOTTOM, False, keys=("Ctrl+M",)),
    Row("what_if", "What if", RIGHT, False, place=("behind", "icicle"), keys=("Ctrl+I",)),
    Row("charts", "Charts", BOTTOM, False, place=("below", "time")),
    Row("game", "Game", RIGHT, False, place=("behind", "icicle"), keys=("Ctrl+R",)),
    Row("log", "Log", BOTTOM, False, place=("behind", "charts")),
    Row("report", "Game report", BOTTOM, False, place=("behind", "log")),
    Row("trees", "Open trees", BOTTOM, False, place=("behind", "report"), keys=("Ctrl+K",)),
    Row("engines", "Second opinion", BOTTOM, False, place=("behind", "report"), keys=("Ctrl+Shift+E",)),
    Row("match", "Match", BOTTOM, False, place=("behind", "report"), keys=("Ctrl+F9",)),
    Row("games", "Games of a folder", BOTTOM, False, place=("behind", "report"), keys=("Ctrl+Shift+G",)),
    Row("audit", "Blind spots", BOTTOM, False, place=("behind", "report"), keys=("Ctrl+B",)),
)


def make_room(frame: Frame, name: str) -> Made:
    """Make the room of a row for one window."""
    return ROOMS[name](frame)


def _make_log(frame: Frame) -> Made:
    from gui.shell.log_view import LogView

    return LogView(frame.log), None


def _make_settings(frame: Frame) -> Made:
    from gui.widgets.settings.settings_panel import SettingsPanel

    return SettingsPanel(), partial(_connect_settings, frame.context)


def _connect_settings(context: Context, panel: SettingsPanel) -> None:
    """Show the settings and the limit of the search in its panel, and take what is entered there."""
    from gui.widgets.figures import simulations_words
    from gui.widgets.settings.setting_fields import change_words

    state = context.state

    def show() -> None:
        if state.settings is not None:
            panel.show_settings(state.settings, state.limit)

    def change(settings: SearchSettings) -> None:
        before, source, left = state.settings, state.source, context.session.newest
        state.change_settings(settings)
        if before is None or left is None or not left.simulations:
            return
        changed, simulations = change_words(before, settings), left.simulations
        words = mark("The search begins again with {change}; it had {simulations}.")
        if state.source != source:
            words = mark("Flat Monte Carlo plays random games and asks no net; the search before had {simulations}.")

        def sentence() -> str:
            return tr(words).format(change=core_text(changed), simulations=simulations_words(simulations))

        context.messages.show_offer(sentence, mark("Undo"), context.actions["undo"].trigger)

    state.position_changed.connect(show)
    state.search_changed.connect(show)
    panel.changed.connect(change)
    panel.limit_changed.connect(context.session.limit.choose)
    show()


def _make_inspector(frame: Frame) -> Made:
    from gui.rooms.inspector.inspector import Inspector, connect_inspector

    return Inspector(), partial(connect_inspector, frame.context)


def _make_why(frame: Frame) -> Made:
    from gui.rooms.why.why import WhyView, connect_why

    return WhyView(), lambda view: connect_why(frame.context, view, frame.time.go)


def _connect_drawn(frame: Frame, connect: Callable[[Context, Any], None], view: Any) -> None:
    """Connect a picture of the tree, and let the time machine mark its simulation there."""
    connect(frame.context, view)
    frame.time.highlighted.connect(view.canvas.mark_simulation)
    frame.time.highlight()


def _make_picture(frame: Frame) -> Made:
    from gui.rooms.picture.picture import PictureView, connect_picture

    return PictureView(frame), partial(_connect_drawn, frame, connect_picture)


def _make_icicle(frame: Frame) -> Made:
    from gui.rooms.icicle.icicle import IcicleRoom, connect_icicle

    return IcicleRoom(frame), partial(_connect_drawn, frame, connect_icicle)


def _make_play(frame: Frame) -> Made:
    from gui.rooms.play.play_view import PlayView, connect_play

    return PlayView(), partial(connect_play, frame.context, frame.play)


def _make_report(frame: Frame) -> Made:
    from gui.rooms.review.game_report_view import GameReportView, connect_report

    return GameReportView(), partial(connect_report, frame.context, frame.review)


def _make_audit(frame: Frame) -> Made:
    from gui.rooms.audit.audit_link import connect_audit
    from gui.rooms.audit.audit_view import AuditView

    return AuditView(), partial(connect_audit, frame.context)


def _make_engines(frame: Frame) -> Made:
    from gui.rooms.engines.engines_view import EnginesView, connect_engines

    return EnginesView(), partial(connect_engines, frame.context)


def _make_match(frame: Frame) -> Made:
    from gui.rooms.match.match_link import connect_match
    from gui.rooms.match.match_view import MatchView
    from gui.shell.collection_link import open_played

    return MatchView(), partial(connect_match, frame.context, partial(open_played, frame))


def _make_games(frame: Frame) -> Made:
    from gui.rooms.games.games_link import connect_games
    from gui.rooms.games.games_view import GamesView
    from gui.shell.collection_link import open_listed

    return GamesView(), partial(connect_games, frame.context, partial(open_listed, frame))


def _make_trees(frame: Frame) -> Made:
    from gui.shell.trees_view import TreesView, connect_trees

    return TreesView(), partial(connect_trees, frame)


def _make_time(frame: Frame) -> Made:
    from gui.rooms.past.time_view import TimeView, connect_time

    return TimeView(frame.time), partial(connect_time, frame.context, frame.time)


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
    "moves": lambda frame: (frame.views.moves, None),  # these two exist from the start
    "tree": lambda frame: (frame.views.tree, None),
    "settings": _make_settings,
    "inspector": _make_inspector,
    "why": _make_why,
    "picture": _make_picture,
    "icicle": _make_icicle,
    "play": _make_play,
    "time": _make_time,
    "what_if": _make_what_if,
    "charts": _make_charts,
    "game": _make_game,
    "log": _make_log,
    "report": _make_report,
    "trees": _make_trees,
    "engines": _make_engines,
    "match": _make_match,
    "games": _make_games,
    "audit": _make_audit,
}
