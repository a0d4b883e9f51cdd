"""The table of actions, name, menu, text, keys and command of each, and the menus made of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

from core.text import Text, Words
from gui.language.core_words import core_text
from gui.language.language import ENGLISH, SYSTEM, TRANSLATED, chosen, tr
from gui.rooms.timeline.watching import BACK, PAUSE, WATCHES
from gui.shell.commanding import change_keys, show_keys, show_palette, show_preferences
from gui.shell.dock import Part
from gui.shell.docks import ROWS, WORKSPACES
from gui.shell.entry import ANALYSIS_MENUS, NO_MENUS, PARTS, SETTINGS, WORKSPACES_MENU, Entry, MenuPath
from gui.shell.log_view import show_log
from gui.shell.machine import ELSEWHERE, HERE, choose_runtime
from gui.shell.tree_tabs import rename_tree
from gui.shell.workspace_switch import add_workspace, rename_workspace
from gui.widgets.board.overlays.table import TABLE
from gui.widgets.preferences import RUNTIMES
from gui.widgets.tables.folding import FILTERS
from gui.widgets.tables.move_look import CURVE, TOTAL
from gui.widgets.text_size import SIZES, USUAL
from gui.widgets.texts import on_language, switch_language

if TYPE_CHECKING:
    from gui.shell.commands import Commands
    from gui.shell.dock import Row


def _choices(
    name: str,
    menu: MenuPath,
    choose: Callable[[Commands, str], object],
    rows: Iterable[tuple[str, Words]],
    also: str = "",
    keys: Sequence[str] = (),
) -> tuple[Entry, ...]:
    """Entries of which one is checked; ``rows``: each value and its title.  The others as of an ``Entry``."""
    return tuple(
        Entry(
            f"{name}_{value}",
            menu,
            title,
            tuple(filter(None, keys[place : place + 1])),
            partial(_choose, choose, value),
            True,
            name,
            f"{value} {also}",
        )
        for place, (value, title) in enumerate(rows)
    )


def _cause(source: str, commands: Commands) -> None:
    commands.open_dock("why").show_cause(source)


def _overlay(name: str, commands: Commands) -> None:
    commands.context.state.set_overlay(name)


def _choose(choose: Callable[[Commands, str], object], value: str, commands: Commands) -> object:
    return choose(commands, value)


def _move_record(plies: int) -> Callable[[Commands], object]:
    return lambda c: c.step(plies)


def _column(column: int) -> Callable[[Commands], object]:
    return lambda c: c.table.turn_column(column)


def _scope(change: str) -> Callable[[Commands], object]:
    return lambda c: _change_scope(c, change)


def _change_scope(commands: Commands, change: str) -> None:
    from gui.rooms.board.scope import change_selected

    change_selected(commands.context, change)


def _run_what_if(commands: Commands) -> None:
    from gui.rooms.what_if.what_if import run_what_if

    run_what_if(commands.context)


def _guide(commands: Commands) -> None:
    from gui.shell.guide import show_guide

    show_guide(commands)


def _about(commands: Commands) -> None:
    from gui.shell.about import AboutBox

    AboutBox(commands.window).open()


def _lessons(commands: Commands) -> None:
    from gui.shell.lessons import lessons_of

    lessons_of(commands).show()


def _tour(commands: Commands) -> None:
    from gui.shell.lessons import lessons_of

    lessons_of(commands).start_tour()


def _paste(commands: Commands) -> None:
    commands.context.messages.hide()  # what was said of the last paste
    commands.context.opener.paste_moves()


def _open_lesson(commands: Commands) -> None:
    from gui.shell.lessons import lessons_of

    lessons_of(commands).choose_file()


# rooms imported when first needed


def _hint(commands: Commands) -> None:
    from gui.rooms.opponents.play_hint import show_hint

    show_hint(commands.context, commands.views.room.board)


def _rings(commands: Commands) -> None:
    from gui.rooms.inside.rings import switch_rings

    switch_rings(commands.context)


def _show_in_play(commands: Commands) -> None:
    commands.context.preferences.play_shown = commands.context.actions["play_shown"].isChecked()


def _mistake(step: int) -> Callable[[Commands], object]:
    return lambda c: c.games.review.step(step)


def _delete(commands: Commands) -> None:
    from gui.rooms.game.record_actions import delete_move

    delete_move(commands.context, commands.context.state.node)


def _about_game(commands: Commands) -> None:
    from gui.rooms.game.game_info import edit_info

    edit_info(commands.context)


def _comment(commands: Commands) -> None:
    from gui.rooms.game.record_actions import write_comment

    write_comment(commands.context)


def _edit_position(commands: Commands) -> None:
    from gui.rooms.game.editor import edit_position

    edit_position(commands.context)


def _dock(row: Row | Part, menu: MenuPath) -> Entry:
    checkable = not isinstance(row, Part)
    return Entry(row.name, menu, row.title, row.keys, lambda c: c.toggle_dock(row.name), checkable, also=row.also)


def _time(simulations: int) -> Callable[[Commands], object]:
    return lambda c: c.time.step(simulations)


def _back(kind: str) -> Callable[[Commands], object]:
    return lambda c: c.watching.go_back(kind)


def _pause(kind: str) -> Callable[[Commands], object]:
    return lambda c: c.watching.pause_at(kind)


TIME_ENTRIES: Final[tuple[Entry, ...]] = (
    Entry("time_back", "Time", "One simulation &back", (",",), _time(-1)),
    Entry("time_on", "Time", "One simulation f&orward", (".",), _time(1)),
    Entry("time_back_10", "Time", "Ten simulations back", ("<",), _time(-10)),
    Entry("time_on_10", "Time", "Ten simulations forward", (">",), _time(10)),
    Entry("time_back_100", "Time", "A hundred simulations back", ("(",), _time(-100)),
    Entry("time_on_100", "Time", "A hundred simulations forward", (")",), _time(100)),
    Entry("time_back_1000", "Time", "A thousand simulations back", ("Alt+,",), _time(-1000)),
    Entry("time_on_1000", "Time", "A thousand simulations forward", ("Alt+.", "Ctrl+."), _time(1000)),
    Entry("time_rewind", "-Time", "&Rewind to before the first simulation", ("^",), lambda c: c.time.rewind()),
    Entry("time_play", "Time", "&Play or pause the simulations", ("Ctrl+Space",), lambda c: c.time.toggle_play()),
    Entry("play_on_board", "Time", "Play a playout", ("Shift+Space",), lambda c: c.time.play_on_board()),
    Entry("predict", "Time", "Predict each simulation", ("G",), lambda c: c.time.toggle_prediction(), checkable=True),
    *(
        Entry(f"back_{kind}", f"-Time/{BACK}" if kind == "best" else f"Time/{BACK}", title, (), _back(kind))
        for kind, title in WATCHES.items()
    ),
    *(
        Entry(f"pause_{kind}", f"Time/{PAUSE}", title, (), _pause(kind), checkable=True)
        for kind, title in WATCHES.items()
    ),
    Entry("time_now", "-Time", "Back to the prese&nt", (), lambda c: c.time.to_now()),
)

# Other words by which commands are found.
WRONG: Final = "wrong blunder error bad move 失误 错误"
HEAT: Final = "heatmap heat map 热图"
BLAME: Final = "post-mortem postmortem blame missed oversight repair 失误 原因"
CAUSES: Final[tuple[tuple[str, Words], ...]] = (
    ("selected", "What would it take?"),
    ("played", "What would it take: the line as played"),
    ("outside", "What would it take: the line of the second opinion"),
)

ENTRIES: Final[tuple[Entry, ...]] = (
    Entry("new_game", "Game", "&New game", ("Ctrl+N",), lambda c: c.context.opener.new_game()),
    Entry(
        "game_before",
        "Game",
        "Open the c&losed game again",
        ("Ctrl+Shift+N", "Ctrl+Shift+W"),
        lambda c: c.documents.go_back(),
    ),
    Entry("choose_game", "Game", "Other &game or size…", ("Ctrl+G",), lambda c: c.context.opener.choose_game()),
    Entry("edit_position", "Game", "Set &up a position…", ("Ctrl+E",), _edit_position),
    Entry("about_game", "Game", "&About this game…", ("Alt+Return",), _about_game),
    Entry("open_net", "Game", "&Open a net…", ("Ctrl+O",), lambda c: c.context.opener.choose_net()),
    Entry("open_file", "-Game", "Open a game or sess&ion…", ("Ctrl+Shift+O",), lambda c: c.filing.choose_file()),
    Entry("clear_recent", "-Game/Open &recent", "&Clear the list", (), lambda c: c.context.preferences.clear_recent()),
    Entry("save_sgf", "Game", "&Save the game as SGF…", ("Ctrl+S",), lambda c: c.filing.choose_sgf()),
    Entry("save_session", "Game", "Save the s&ession…", ("Ctrl+Shift+S",), lambda c: c.filing.choose_session()),
    Entry("save_tree", "-Game", "Save or e&xport the tree…", (), lambda c: c.filing.choose_tree_file()),
    Entry(
        "share_search",
        "Game",
        "Share this search…",
        (),
        lambda c: c.filing.choose_page(),
        also="page html web browser send export 网页 发送 分享",
    ),
    Entry("second_tree", "Game", "Open a tree as the second searc&h…", (), lambda c: c.filing.choose_second()),
    Entry(
        "tree_copy",
        "Game/&Trees",
        "&Keep this tree and go on in a copy",
        ("Ctrl+D",),
        lambda c: c.documents.add_copy(),
    ),
    Entry("tree_next", "Game/&Trees", "&Next tree", ("Ctrl+Tab",), lambda c: c.documents.step(1)),
    Entry("tree_previous", "Game/&Trees", "&Previous tree", ("Ctrl+Shift+Tab",), lambda c: c.documents.step(-1)),
    Entry(
        "tree_rename",
        "Game/&Trees",
        "&Rename this tree…",
        (),
        lambda c: rename_tree(c.window, c.documents, c.documents.shown),
    ),
    Entry(
        "tree_close", "-Game/&Trees", "&Close this tree", ("Ctrl+W",), lambda c: c.documents.close(c.documents.shown)
    ),
    Entry("copy", "-Game", "&Copy the game as SGF", ("Ctrl+C",), lambda c: c.context.opener.copy_game()),
    Entry("copy_moves", "Game", "Copy the &moves", ("Ctrl+Shift+C",), lambda c: c.context.opener.copy_moves()),
    Entry("paste", "Game", "&Paste moves, a board or SGF", ("Ctrl+V",), _paste),
    Entry("quit", "-Game", "&Quit", ("Ctrl+Q",), lambda c: c.leave()),
    Entry("back", "Moves", "One move &back", ("Left",), _move_record(-1)),
    Entry("forward", "Moves", "One move &forward", ("Right",), _move_record(1)),
    Entry("back_ten", "Moves", "Ten moves back", ("PgUp", "Ctrl+Left"), _move_record(-10)),
    Entry("forward_ten", "Moves", "Ten moves forward", ("PgDown", "Ctrl+Right"), _move_record(10)),
    Entry("start", "Moves", "To the &start", ("Home",), lambda c: c.context.state.go(0)),
    Entry("end", "Moves", "To the &end", ("End",), lambda c: c.context.state.go(len(c.context.state.moves))),
    Entry("variation_above", "-Moves", "Variation &above", ("Up",), lambda c: c.context.state.go_beside(-1)),
    Entry("variation_below", "Moves", "Variation belo&w", ("Down",), lambda c: c.context.state.go_beside(1)),
    Entry(
        "promote",
        "Moves",
        "Move the &variation up",
        ("Ctrl+Shift+Up",),
        lambda c: c.context.state.promote(c.context.state.node),
    ),
    Entry(
        "make_main",
        "Moves",
        "Make it the main &line",
        ("Ctrl+Shift+M",),
        lambda c: c.context.state.make_main(c.context.state.node),
    ),
    Entry("delete", "Moves", "&Delete from here on", ("Delete",), _delete),
    Entry("comment", "Moves", "Write a &comment", ("C",), _comment),
    Entry("undo", "-Moves", "&Undo the last change", ("Ctrl+Z",), lambda c: c.games.undo()),
    Entry("redo", "Moves", "&Redo", ("Ctrl+Shift+Z",), lambda c: c.redo()),
    Entry("pass", "Moves", "&Pass", ("Shift+P",), lambda c: c.pass_move()),
    Entry("resign", "Moves", "Resi&gn for the side to move", (), lambda c: c.games.resign()),
    Entry("take_back", "-Moves", "&Take back", ("Backspace",), lambda c: c.games.take_back()),
    Entry("engine_move", "Moves", "The engine plays its &move", ("Return", "Enter"), lambda c: c.engine_move()),
    Entry("start_play", "Moves", "Start or pause pla&y", ("F9",), lambda c: c.start_play()),
    Entry("hint", "Moves", "Show a &hint", ("H",), _hint),
    Entry("play_shown", "Moves", "Sh&ow the analysis while you play", (), _show_in_play, checkable=True),
    Entry("toggle", "Analysis", "Search or &stop", ("Space",), lambda c: c.context.session.toggle()),
    Entry("escape", "Analysis", "Leave the preview, stop", ("Esc",), lambda c: c.escape()),
    Entry(
        "automatic",
        "-Analysis",
        "Analyse each &new position",
        (),
        lambda c: setattr(c.context.session, "automatic", c.context.actions["automatic"].isChecked()),
        checkable=True,
    ),
    Entry("run_what_if", "-Analysis", "&Run the what-if search", ("Ctrl+Shift+I",), _run_what_if),
    Entry(
        "rings",
        "Analysis",
        "Rin&gs on the stones that matter",
        ("I",),
        _rings,
        checkable=True,
        also="sarfa saliency depends needs inside why stones net",
    ),
    Entry("next_choice", "Analysis", "The ne&xt choice", (), lambda c: c.open_dock("why").show_choice()),
    Entry("against_exact", "Analysis", "Against the exact results", (), lambda c: c.open_dock("why").show_truth()),
    *(Entry(f"cause_{source}", PARTS, text, (), partial(_cause, source), also=BLAME) for source, text in CAUSES),
    Entry(
        "defaults", SETTINGS, "Defaults", (), lambda c: c.open_dock("settings").reset(), also="reset restore standard"
    ),
    Entry("lock", "Analysis", "&Lock the search here", ("L",), lambda c: c.context.session.toggle_lock(), True),
    Entry("only_move", "-Analysis", "Search the selected move al&one", (), _scope("only")),
    Entry("also_move", "Analysis", "Search the selected move, &too", (), _scope("also")),
    Entry("without_move", "Analysis", "Leave the selected move o&ut", (), _scope("without")),
    Entry("all_moves", "Analysis", "Search &all moves", (), lambda c: c.context.state.restrict(())),
    Entry("analyse_game", "-Analysis", "Analyse the &whole game", ("A", "F2"), lambda c: c.analyse_game(), also=WRONG),
    Entry("next_mistake", "Analysis", "Next mista&ke", ("N",), _mistake(1), also=WRONG),
    Entry("previous_mistake", "Analysis", "Pre&vious mistake", ("Shift+N",), _mistake(-1), also=WRONG),
    Entry(HERE, "-Analysis/R&un on", "&This machine", (), lambda c: c.machine.search_here(), True, "machine"),
    Entry(ELSEWHERE, "Analysis/R&un on", "&Another machine…", (), lambda c: c.machine.ask(), True, "machine"),
    *TIME_ENTRIES,
    *(
        Entry(
            f"overlay_{row.name}",
            "Overlay",
            Text("Overlay: {name}", name=Text(row.title)),
            (row.key,) if row.key else (),
            partial(_overlay, row.name),
            True,
            "overlay",
            f"{HEAT} {row.tip}",
        )
        for row in TABLE
    ),
    *_choices(
        "workspace",
        WORKSPACES_MENU,
        lambda c, name: c.workspaces.turn_to(name),
        (row[:2] for row in WORKSPACES),
        keys=[f"Ctrl+{place}" for place, _ in enumerate(WORKSPACES, 1)],
    ),
    Entry(
        "add_workspace", f"-{WORKSPACES_MENU}", "&Add a workspace…", (), lambda c: add_workspace(c.window, c.workspaces)
    ),
    Entry(
        "rename_workspace",
        WORKSPACES_MENU,
        "Re&name this workspace…",
        (),
        lambda c: rename_workspace(c.window, c.workspaces),
    ),
    Entry("reset_workspace", WORKSPACES_MENU, "&Reset this workspace", (), lambda c: c.workspaces.reset()),
    Entry("remove_workspace", WORKSPACES_MENU, "Re&move this workspace", (), lambda c: c.workspaces.remove()),
    *(_dock(row, "View/&Rooms") for row in ROWS if not row.stays),
    *(_dock(part, PARTS) for row in ROWS for part in row.parts),
    Entry("charts", PARTS, "Charts", (), lambda c: c.open_dock("timeline").turn_charts()),
    Entry("preferences", "-View", "&Preferences", ("Ctrl+;",), lambda c: show_preferences(c, ENTRIES)),
    Entry("theme", "Preferences/&Theme", "Light or dark", ("Ctrl+T",), lambda c: c.appearance.toggle_theme()),
    *_choices(
        "theme",
        "Preferences/&Theme",
        lambda c, name: c.appearance.set_theme(name),
        (("system", "Follow the &system"), ("dark", "&Dark"), ("light", "&Light")),
        "mode night day",
    ),
    *_choices(
        "colours",
        "Preferences/Co&lours",
        lambda c, colours: c.appearance.set_colours(colours),
        (("standard", "&Standard"), ("colour-blind", "For the &colour-blind")),
    ),
    Entry(
        "text_larger",
        "Preferences/Text &size",
        "&Larger text",
        ("Ctrl++", "Ctrl+="),
        lambda c: c.appearance.larger_text(),
    ),
    Entry(
        "text_smaller", "Preferences/Text &size", "&Smaller text", ("Ctrl+-",), lambda c: c.appearance.smaller_text()
    ),
    *_choices(
        "text",
        "Preferences/Text &size",
        lambda c, size: c.appearance.set_text_size(int(size)),
        ((str(size), f"{size} %") for size in SIZES),
        "font zoom bigger usual",
        ["Ctrl+0" if size == USUAL else "" for size in SIZES],
    ),
    *_choices(
        "language",
        "Preferences/&Language",
        lambda _, code: switch_language(code),
        ((SYSTEM, "S&ystem"), (ENGLISH, "&English"), *TRANSLATED.items()),
        "language chinese 中文 语言",
    ),
    Entry(
        "coordinates",
        "Preferences/Board",
        "&Coordinates",
        ("K",),
        lambda c: c.context.state.set_coordinates(not c.context.state.coordinates),
        checkable=True,
    ),
    Entry(
        "numbers",
        "Preferences/Board",
        "&Move numbers on stones",
        ("M",),
        lambda c: c.context.state.set_numbers(not c.context.state.numbers),
        checkable=True,
    ),
    *_choices(
        "values",
        "Preferences/Values fo&r",
        lambda c, whose: setattr(c.context.preferences, "values_for", whose),
        (
            ("mover", "The side to &move"),
            ("first", "The &first player"),
            ("second", "The &second player"),
        ),
    ),
    *_choices(
        "rows",
        "Preferences/Moves in the &tables",
        lambda c, name: c.table.set_filter(name),
        ((row.name, row.title) for row in FILTERS),
    ),
    Entry("total", "Preferences/Moves in the &tables", "&W, the total value", (), _column(TOTAL), True),
    Entry("sparklines", "Preferences/Moves in the &tables", "&Curves of share and Q", (), _column(CURVE), True),
    *_choices(
        "runtime", "Preferences/Runti&me of nets", lambda c, name: choose_runtime(c.context, name), RUNTIMES.items()
    ),
    Entry("palette", "Help", "&Find a command…", ("Ctrl+Shift+P",), lambda c: show_palette(c, ENTRIES)),
    Entry("guide", "Help", "&Guide", ("F1",), _guide),
    Entry("keys", "Help", "&Keys and mouse", ("Ctrl+F1",), show_keys),
    Entry("tour", "Help", "Take the &tour", (), _tour),
    Entry("lessons", "-Help", "&Lessons", ("Ctrl+Shift+L",), _lessons),
    Entry("open_lesson", "Help", "&Open a lesson…", (), _open_lesson),
    Entry("change_keys", "-Help", "&Change the keys…", (), lambda c: change_keys(c, ENTRIES)),
    Entry("log", "Help", "&Show the log", (), lambda c: show_log(c.window, c.log)),
    Entry("about", "-Help", "&About Plyscope…", (), _about),
)


def make_actions(window: QMainWindow, run: Callable[[Entry], object]) -> dict[str, QAction]:
    """Fill the window's menus with actions that ``run`` their entries; returns the actions by name."""
    menus: dict[str, QMenu] = {}
    groups: dict[str, QActionGroup] = {}
    actions = {}
    for entry in ENTRIES:
        action = QAction(window)
        action.setShortcuts([QKeySequence(key) for key in entry.keys])
        action.setCheckable(entry.checkable)
        if entry.group:
            groups.setdefault(entry.group, QActionGroup(window)).addAction(action)
        action.triggered.connect(partial(_run, run, entry))
        path = entry.menu.lstrip("-")
        if path.partition("/")[0] in NO_MENUS:
            window.addAction(action)
        else:
            menu = _menu(window, menus, path)
            if entry.menu.startswith("-"):
                menu.addSeparator()
            menu.addAction(action)
        actions[entry.name] = action
    actions["automatic"].setChecked(True)
    actions[f"language_{chosen()}"].setChecked(True)
    actions["coordinates"].setChecked(True)
    actions[f"rows_{FILTERS[0].name}"].setChecked(True)

    def write() -> None:
        for entry in ENTRIES:
            actions[entry.name].setText(core_text(entry.text))
        for path, menu in menus.items():
            above, _, title = path.rpartition("/")
            menu.setTitle(tr(title if above else f"&{title}"))

    write()
    on_language(window, write)
    return actions


def _run(run: Callable[[Entry], object], entry: Entry, _checked: bool = False) -> None:
    run(entry)


def _menu(window: QMainWindow, menus: dict[str, QMenu], path: str) -> QMenu:
    """Return the menu at a path such as "Game/Open recent", created when first asked for."""
    if path not in menus:
        above = path.rpartition("/")[0]
        menus[path] = (_menu(window, menus, above) if above else window.menuBar()).addMenu("")
        menus[path].setObjectName(path)
    return menus[path]


def enable_analysis(window: QMainWindow, enabled: bool) -> None:
    """Enable or disable the menus for the analysis board; while disabled their keys do nothing."""
    for menu in window.menuBar().findChildren(QMenu):
        if menu.objectName() in ANALYSIS_MENUS:
            menu.menuAction().setEnabled(enabled)
