"""The tables of rooms and of workspaces.  Imports a room when its dock is first shown."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from core.text import Text, Words
from gui.language.core_words import core_text
from gui.language.language import tr
from gui.shell.arrangement import Arrangement
from gui.shell.dock import BOTTOM, DRAWER, LEFT, MIDDLE, RIGHT, Part, Row
from gui.widgets.parts import Made, Parts

if TYPE_CHECKING:
    from pathlib import Path

    from core.games import Position
    from core.search import SearchSettings
    from gui.context import Context
    from gui.shell.commands import Commands
    from gui.widgets.settings.settings_panel import SettingsPanel

ROWS = (
    Row(
        "tree",
        "Tree",
        RIGHT,
        parts=(
            Part("table", "Moves", also="candidates variations"),
            Part("icicle", "Icicle", ("Ctrl+J",), "flame graph sunburst"),
            Part("picture", "Picture", ("Ctrl+P",), "graph nodes"),
        ),
    ),
    Row("settings", "Search settings", DRAWER, keys=("Ctrl+,",), also="options parameters hyperparameters 参数"),
    Row("why", "Why", RIGHT, keys=("W",), also="explain reason arithmetic formula uct puct inspector"),
    Row(
        "opponents",
        "Opponents",
        RIGHT,
        parts=(
            Part("players", "Players", also="play human opponent level strength clock"),
            Part("second_opinion", "Second opinion", ("Ctrl+Shift+E",), "gtp engine katago external uci"),
            Part("match", "Match", ("Ctrl+F9",), "elo tournament"),
        ),
    ),
    Row("timeline", "Timeline", BOTTOM, keys=("Ctrl+M",), also="time machine history playout step simulations past"),
    Row("what_if", "What if", RIGHT, keys=("Ctrl+I",), also="compare second search a/b"),
    Row("game", "Game", RIGHT, keys=("Ctrl+R",), also="record notation comments"),
    Row("report", "Game report", BOTTOM, also="review blunders mistakes accuracy"),
    Row(
        "library",
        "Library",
        BOTTOM,
        parts=(
            Part("open_games", "Open games", ("Ctrl+K",), "trees recent"),
            Part("folder_games", "Games of a folder", ("Ctrl+Shift+G",), "collection archive sgf"),
        ),
    ),
    Row("blind_spots", "Blind spots", BOTTOM, keys=("Ctrl+B",), also="audit net errors weaknesses"),
    Row(
        "inside",
        "Inside the net",
        RIGHT,
        parts=(
            Part("inside_blocks", "Block by block", also="blocks lens activations layers residual stream"),
            Part("inside_stones", "Stones", also="saliency sarfa counterfactual right reason"),
            Part("inside_reply", "Reply", also="look-ahead patching horizon plies"),
            Part("inside_concepts", "Concepts", also="probes probing knowledge threats baselines"),
            Part("inside_history", "Learnt", also="when concepts training run checkpoints iterations history"),
            Part("inside_channels", "Channel atlas", also="channels neurons activations convolution features"),
            Part("inside_attention", "Attention", also="transformer heads looks where softmax"),
            Part("inside_map", "Map", also="similar neighbours nearest pca principal components plane umap"),
            Part("inside_graph", "Graph", also="netron layers shapes parameters multiplications operations onnx"),
        ),
        also="interpretability activation lens probe saliency blocks channels layers",
    ),
    Row("training", "Training", MIDDLE, also="self-play learn runs"),
    Row("lessons", "Lessons", LEFT, stays=True, width=350),
)


VIEWS: Final = tuple(  # what is seen beside the board: rooms, and the parts of those with some
    view.name for row in ROWS if row.area != MIDDLE and not row.stays for view in row.parts or (row,)
)
PAST_DOCKS = ("tree", "why")  # docks that show an earlier moment


SHARES: Final = {RIGHT: 0.55}  # the same wherever the board is, so that it stays in its place
WORKSPACES: Final[tuple[tuple[str, Words, Arrangement], ...]] = (
    (
        "play",
        "Play",
        Arrangement({RIGHT: ("opponents", "game", "report")}, shares=SHARES, parts={"opponents": "players"}),
    ),
    ("search", "Search", Arrangement({RIGHT: ("tree", "why"), BOTTOM: ("timeline",)}, shares=SHARES)),
    (
        "compare",
        "Compare",
        Arrangement({RIGHT: ("what_if", "opponents")}, shares=SHARES, parts={"opponents": "second_opinion"}),
    ),
    (
        "nets",
        "Nets",
        Arrangement({MIDDLE: ("training", "blind_spots", "inside")}, places={"blind_spots": MIDDLE, "inside": MIDDLE}),
    ),
)
BEGIN: Final = "search"  # the workspace shown first
AHEAD: Final = (  # modules of the other workspaces and of the tour, imported in these pieces while the search is idle
    "models.runs.config",
    "models.runs.reports",
    "gui.rooms.training.run_model",
    "gui.rooms.training.new_run",
    "gui.rooms.training.chart_page",
    "gui.rooms.training.checkpoints",
    "gui.rooms.training.run_view",
    "gui.rooms.training.tab",
    "gui.widgets.icicle.icicle_canvas",
    "gui.rooms.what_if.what_if",
    "gui.rooms.opponents.play_view",
    "models.engines.engine_list",
    "gui.rooms.opponents.second_opinion",
    "core.files.lesson",
    "gui.rooms.lessons.panel",
    "gui.shell.lessons",
    "gui.rooms.why.net_sections",
    "gui.rooms.why.why",
)


def make_room(commands: Commands, name: str) -> Made:
    """Make the room of a row, or a part of one, for one window."""
    if name in ROOMS:
        return ROOMS[name](commands)
    parts = next(row.parts for row in ROWS if row.name == name)
    return Parts({part.name: part.title for part in parts}, partial(make_room, commands)), None


def _make_settings(commands: Commands) -> Made:
    from gui.widgets.settings.settings_panel import SettingsPanel

    return SettingsPanel(), partial(_connect_settings, commands)


def _connect_settings(commands: Commands, panel: SettingsPanel) -> None:
    """Show the settings and the limit of the search in its panel, and take what is entered there."""
    from gui.widgets.figures import simulations_words
    from gui.widgets.settings.setting_fields import change_words

    context, state = commands.context, commands.context.state

    def show() -> None:
        if state.settings is not None:
            panel.show_settings(state.settings, state.limit, state.game, state.source)

    def preview(settings: SearchSettings, change: Text) -> None:
        docks = commands.views.docks
        if docks.area_of(docks["tree"]) is not docks.area_of(docks["settings"]):  # else it would cover the slider
            commands.bring_in_sight("icicle")
        context.preview.show(settings, change)

    def change(settings: SearchSettings) -> None:
        before, source, ended = state.settings, state.source, context.session.newest
        state.change_settings(settings)
        if before is None or ended is None or not ended.simulations:
            return
        changed, simulations = change_words(before, settings), ended.simulations
        words: Words = (
            "The search begins again with {change}; it had {simulations}."
            if state.source == source
            else "Flat Monte Carlo plays random games and asks no net; the search before had {simulations}."
        )

        def sentence() -> str:
            return tr(words).format(change=core_text(changed), simulations=simulations_words(simulations))

        context.messages.show_offer(sentence, "Undo", context.actions["undo"].trigger)

    state.position_changed.connect(show)
    state.search_changed.connect(show)
    menu = panel.net.menu()
    menu.aboutToShow.connect(
        lambda: context.opener.fill_net_menu(menu, context.actions["open_net"], context.preferences.recent)
    )
    panel.changed.connect(change)
    panel.tried.connect(preview)
    panel.dropped.connect(context.preview.end)
    panel.dropped.connect(show)
    context.preview.changed.connect(lambda icicle: show() if icicle is None else None)
    panel.limit_changed.connect(context.session.limit.choose)
    show()


def _make_why(commands: Commands) -> Made:
    from gui.rooms.why.why import WhyRoom, connect_why

    go, open_path = commands.time.go, commands.views.tree.open_path
    return WhyRoom(), lambda room: connect_why(commands.context, room, go, open_path)


def _make_tree(commands: Commands) -> Made:
    from gui.rooms.tree.tree_room import TreeRoom, connect_tree

    def connect(room: TreeRoom) -> None:
        connect_tree(commands.context, room)
        commands.time.highlighted.connect(room.mark_simulation)
        commands.time.highlight()

    return TreeRoom(commands.context, commands.views.tree), connect


def _make_players(commands: Commands) -> Made:
    from gui.rooms.opponents.play_view import PlayView, connect_play

    return PlayView(), partial(connect_play, commands.context, commands.games.play)


def _make_report(commands: Commands) -> Made:
    from gui.rooms.report.game_report_view import GameReportView, connect_report

    return GameReportView(), partial(connect_report, commands.context, commands.games.review)


def _make_inside(commands: Commands) -> Made:
    from gui.rooms.inside.room import InsideRoom

    parts = next(row.parts for row in ROWS if row.name == "inside")
    return InsideRoom(commands.context, {part.name: part.title for part in parts}), None


def _make_blind_spots(commands: Commands) -> Made:
    from gui.rooms.blind_spots.audit_view import AuditView, connect_audit

    return AuditView(), partial(connect_audit, commands.context)


def _make_training(commands: Commands) -> Made:
    from gui.rooms.training.tab import connect_training

    context = commands.context
    tab = commands.make_training(context.state)
    return tab, partial(connect_training, context, commands.workspaces.show_board, partial(_compare_nets, context))


def _compare_nets(context: Context, position: Position, nets: tuple[Path, Path]) -> None:
    """Search ``position`` with both nets, side by side; ``ValueError`` when one cannot be read."""
    from gui.model.sources import net_source
    from gui.rooms.what_if.what_if import shown_searches

    state = context.state
    if state.settings is None:
        raise ValueError(Text("The engine is being loaded."))
    first, second = map(net_source, nets)
    if state.position == position:
        state.set_source(first)
    else:
        state.open_position(position, first)
    searches = shown_searches(context)
    searches.second.search_with(second)
    searches.view.turn_to("moves")
    searches.renew()


def _make_lessons(commands: Commands) -> Made:
    from gui.shell.lessons import lessons_of

    lessons = lessons_of(commands)
    return lessons.panel, lambda _: lessons.show()


def _make_second_opinion(commands: Commands) -> Made:
    from gui.rooms.opponents.second_opinion import EnginesView, connect_engines

    return EnginesView(), partial(connect_engines, commands.context, commands.views.room.board)


def _make_match(commands: Commands) -> Made:
    from gui.rooms.opponents.match_view import MatchView, connect_match

    return MatchView(), partial(connect_match, commands.context, commands.filing.open_played)


def _make_open_games(commands: Commands) -> Made:
    from gui.rooms.library.open_games import OpenGames, connect_open_games
    from gui.shell.tree_tabs import show_menu

    return OpenGames(), partial(connect_open_games, commands.context, commands.documents, partial(show_menu, commands))


def _make_folder_games(commands: Commands) -> Made:
    from gui.rooms.library.folder_games import FolderGames, connect_folder_games

    return FolderGames(commands.context.state), partial(
        connect_folder_games, commands.context, commands.filing.open_listed
    )


def _make_timeline(commands: Commands) -> Made:
    from gui.rooms.timeline.timeline import Timeline, connect_timeline

    return Timeline(commands.time), partial(connect_timeline, commands.context, commands.time)


def _make_what_if(commands: Commands) -> Made:
    from gui.rooms.what_if.what_if import WhatIf, connect_what_if

    return WhatIf(), partial(connect_what_if, commands.context)


def _make_game(commands: Commands) -> Made:
    from gui.rooms.game.record_panel import RecordPanel, connect_record

    return RecordPanel(), partial(connect_record, commands.context, commands.views.room.board.setFocus)


ROOMS: Final[dict[str, Callable[[Commands], Made]]] = {
    "tree": _make_tree,
    "settings": _make_settings,
    "why": _make_why,
    "players": _make_players,
    "second_opinion": _make_second_opinion,
    "match": _make_match,
    "timeline": _make_timeline,
    "what_if": _make_what_if,
    "game": _make_game,
    "report": _make_report,
    "open_games": _make_open_games,
    "folder_games": _make_folder_games,
    "blind_spots": _make_blind_spots,
    "training": _make_training,
    "inside": _make_inside,
    "lessons": _make_lessons,
}
