"""The table of actions: name, menu, text, keys and command of each.  Knows the frame's commands and parts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu

from gui.language.language import ENGLISH, SYSTEM, TRANSLATED, chosen, tr
from gui.model.overlay_table import TABLE
from gui.shell import appearance
from gui.shell.docks import ROWS
from gui.shell.runtime import choose_runtime
from gui.widgets.preferences import RUNTIMES
from gui.widgets.text_size import SIZES, USUAL
from gui.widgets.texts import on_language, switch_language

if TYPE_CHECKING:
    from gui.shell.dock import Row
    from gui.shell.frame import Frame


ANALYSIS_MENUS = ("Moves", "Analysis", "Time")

# buttons below the board and their actions
NAVIGATION = (
    ("first", "start"),
    ("previous", "back"),
    ("next", "forward"),
    ("last", "end"),
    ("undo", "undo"),
    ("engine", "engine_move"),
)


@dataclass(frozen=True)
class Entry:
    """One action: its ``menu``, text, keys and command.

    A ``menu`` such as "View/Theme" is a submenu; a leading "-" puts a separator before the entry.
    """

    name: str
    menu: str
    text: str
    keys: tuple[str, ...]
    run: Callable[[Frame], object]
    checkable: bool = False
    group: str = ""


def _move_record(plies: int) -> Callable[[Frame], object]:
    return lambda w: w.step(plies)


def _overlay(name: str) -> Callable[[Frame], object]:
    return lambda w: w.state.set_overlay(name)


def _scope(change: str) -> Callable[[Frame], object]:
    return lambda w: w.scope.change_selected(change)


def _language(choice: str) -> Callable[[Frame], object]:
    return lambda _: switch_language(choice)


def _run_what_if(window: Frame) -> None:
    from gui.rooms.compare.what_if import run_what_if

    run_what_if(window.context)


def _theme(name: str) -> Callable[[Frame], object]:
    return lambda w: w.set_theme(name)


# imported when called: gui/shell/commanding.py imports this module


def _palette(window: Frame) -> None:
    from gui.shell.commanding import show_palette

    show_palette(window)


def _keys(window: Frame) -> None:
    from gui.shell.commanding import show_keys

    show_keys(window)


def _change_keys(window: Frame) -> None:
    from gui.shell.commanding import change_keys

    change_keys(window)


# rooms imported when first needed


def _hint(window: Frame) -> None:
    from gui.rooms.play.play_hint import show_hint

    show_hint(window.context)


def _mistake(step: int) -> Callable[[Frame], object]:
    return lambda w: w.review.step(step)


def _text_size(size: int) -> Entry:
    def run(window: Frame) -> None:
        appearance.set_text_size(window, size)

    return Entry(
        f"text_{size}",
        "-View/Text &size" if size == SIZES[0] else "View/Text &size",
        f"{size} %",
        (),
        run,
        True,
        "text",
    )


def _colours(colours: str, text: str) -> Entry:
    return Entry(
        f"colours_{colours}", "View/Co&lours", text, (), lambda w: appearance.set_colours(w, colours), True, "colours"
    )


def _runtime(runtime: str, text: str) -> Entry:
    return Entry(
        f"runtime_{runtime}",
        "-Analysis/Runti&me of nets" if runtime == RUNTIMES[0] else "Analysis/Runti&me of nets",
        text,
        (),
        lambda w: choose_runtime(w, runtime),
        True,
        "runtime",
    )


def _delete(window: Frame) -> None:
    from gui.rooms.record.record_actions import delete_move

    delete_move(window.context, window.state.node)


def _about_game(window: Frame) -> None:
    from gui.rooms.record.game_info import edit_info

    edit_info(window.context)


def _comment(window: Frame) -> None:
    from gui.rooms.record.record_actions import write_comment

    write_comment(window.context)


def _edit_position(window: Frame) -> None:
    from gui.rooms.record.editor import edit_position

    edit_position(window.context, window.previous_games.mark_as_unsaved)


def _dock(row: Row, menu: str) -> Entry:
    return Entry(row.name, menu, row.title, row.keys, lambda w: w.toggle_dock(row.name), checkable=True)


def _time(simulations: int) -> Callable[[Frame], object]:
    return lambda w: w.time.step(simulations)


TIME_ENTRIES = (
    Entry("time_back", "Time", "One simulation &back", (",",), _time(-1)),
    Entry("time_on", "Time", "One simulation f&orward", (".",), _time(1)),
    Entry("time_back_10", "Time", "Ten simulations back", ("<",), _time(-10)),
    Entry("time_on_10", "Time", "Ten simulations forward", (">",), _time(10)),
    Entry("time_back_100", "Time", "A hundred simulations back", ("(",), _time(-100)),
    Entry("time_on_100", "Time", "A hundred simulations forward", (")",), _time(100)),
    Entry("time_back_1000", "Time", "A thousand simulations back", ("Alt+,",), _time(-1000)),
    Entry("time_on_1000", "Time", "A thousand simulations forward", ("Alt+.", "Ctrl+."), _time(1000)),
    Entry("time_rewind", "-Time", "&Rewind to before the first simulation", ("^",), lambda w: w.time.rewind()),
    Entry("time_play", "Time", "&Play or pause the simulations", ("Ctrl+Space",), lambda w: w.time.toggle_play()),
    Entry("time_now", "Time", "Back to the prese&nt", (), lambda w: w.time.to_now()),
)

ENTRIES = (
    Entry("new_game", "Game", "&New game", ("Ctrl+N",), lambda w: w.opener.new_game()),
    Entry("game_before", "Game", "&Back to the previous game", ("Ctrl+Shift+N",), lambda w: w.previous_games.go_back()),
    Entry("choose_game", "Game", "Other &game or size…", ("Ctrl+G",), lambda w: w.opener.choose_game()),
    Entry("edit_position", "Game", "Set &up a position…", ("Ctrl+E",), _edit_position),
    Entry("about_game", "Game", "&About this game…", ("Alt+Return",), _about_game),
    Entry("open_net", "Game", "&Open a net…", ("Ctrl+O",), lambda w: w.opener.choose_net()),
    Entry("open_file", "-Game", "Open a game or sess&ion…", ("Ctrl+Shift+O",), lambda w: w.filing.choose_file()),
    Entry("clear_recent", "-Game/Open &recent", "&Clear the list", (), lambda w: w.preferences.clear_recent()),
    Entry("save_sgf", "Game", "&Save the game as SGF…", ("Ctrl+S",), lambda w: w.filing.choose_sgf()),
    Entry("save_session", "Game", "Save the s&ession…", ("Ctrl+Shift+S",), lambda w: w.filing.choose_session()),
    Entry("copy", "-Game", "&Copy the moves", ("Ctrl+C",), lambda w: w.opener.copy_moves()),
    Entry("paste", "Game", "&Paste moves, a diagram or SGF", ("Ctrl+V",), lambda w: w.opener.paste_moves()),
    Entry("quit", "-Game", "&Quit", ("Ctrl+Q",), lambda w: w.close()),
    Entry("back", "Moves", "One move &back", ("Left",), _move_record(-1)),
    Entry("forward", "Moves", "One move &forward", ("Right",), _move_record(1)),
    Entry("back_ten", "Moves", "Ten moves back", ("PgUp", "Ctrl+Left"), _move_record(-10)),
    Entry("forward_ten", "Moves", "Ten moves forward", ("PgDown", "Ctrl+Right"), _move_record(10)),
    Entry("start", "Moves", "To the &start", ("Home",), lambda w: w.state.go(0)),
    Entry("end", "Moves", "To the &end", ("End",), lambda w: w.state.go(len(w.state.moves))),
    Entry("variation_above", "-Moves", "Variation &above", ("Up",), lambda w: w.state.go_beside(-1)),
    Entry("variation_below", "Moves", "Variation belo&w", ("Down",), lambda w: w.state.go_beside(1)),
    Entry("promote", "Moves", "Move the &variation up", ("Ctrl+Shift+Up",), lambda w: w.state.promote(w.state.node)),
    Entry("make_main", "Moves", "Make it the main &line", ("Ctrl+Shift+M",), lambda w: w.state.make_main(w.state.node)),
    Entry("delete", "Moves", "&Delete from here on", ("Delete",), _delete),
    Entry("comment", "Moves", "Write a &comment", ("C",), _comment),
    Entry("undo", "-Moves", "&Undo the last change", ("Ctrl+Z",), lambda w: w.undo()),
    Entry("redo", "Moves", "&Redo", ("Ctrl+Shift+Z",), lambda w: w.state.redo()),
    Entry("pass", "Moves", "&Pass", ("Shift+P",), lambda w: w.pass_move()),
    Entry("take_back", "-Moves", "&Take back", ("Backspace",), lambda w: w.take_back()),
    Entry("engine_move", "Moves", "The engine plays its &move", ("Return", "Enter"), lambda w: w.engine_move()),
    Entry("start_play", "Moves", "Start or pause pla&y", ("F9",), lambda w: w.start_play()),
    Entry("hint", "Moves", "Show a &hint", ("H",), _hint),
    Entry("toggle", "Analysis", "Search or &stop", ("Space",), lambda w: w.session.toggle()),
    Entry("escape", "Analysis", "Leave the preview, stop", ("Esc",), lambda w: w.escape()),
    Entry(
        "automatic",
        "-Analysis",
        "Analyse each &new position",
        (),
        lambda w: setattr(w.session, "automatic", w.actions_by_name["automatic"].isChecked()),
        checkable=True,
    ),
    Entry("run_what_if", "-Analysis", "&Run the what-if search", ("Ctrl+Shift+I",), _run_what_if),
    Entry("lock", "Analysis", "&Lock the search here", ("L",), lambda w: w.session.toggle_lock(), True),
    Entry("only_move", "-Analysis", "Search the selected move al&one", (), _scope("only")),
    Entry("also_move", "Analysis", "Search the selected move, &too", (), _scope("also")),
    Entry("without_move", "Analysis", "Leave the selected move o&ut", (), _scope("without")),
    Entry("all_moves", "Analysis", "Search &all moves", (), lambda w: w.state.restrict(())),
    Entry("analyse_game", "-Analysis", "Analyse the &whole game", ("A", "F2"), lambda w: w.analyse_game()),
    Entry("next_mistake", "Analysis", "Next mista&ke", ("N",), _mistake(1)),
    Entry("previous_mistake", "Analysis", "Pre&vious mistake", ("Shift+N",), _mistake(-1)),
    _runtime("auto", "&Fastest"),
    _runtime("onnxruntime", "onn&xruntime"),
    _runtime("openvino", "&OpenVINO"),
    _runtime("openvino-bf16", "OpenVINO in &16 bits"),
    _runtime("openvino-int8", "OpenVINO in &8 bits"),
    _runtime("directml", "&DirectML (Windows)"),
    _runtime("coreml", "&Core ML (macOS)"),
    *TIME_ENTRIES,
    *(
        Entry(f"overlay_{row.name}", "View/&Overlay", row.menu, (row.key,), _overlay(row.name), True, "overlay")
        for row in TABLE
    ),
    Entry(
        "coordinates",
        "-View",
        "&Coordinates",
        ("K",),
        lambda w: w.state.set_coordinates(not w.state.coordinates),
        checkable=True,
    ),
    Entry(
        "numbers",
        "View",
        "&Move numbers on stones",
        ("M",),
        lambda w: w.state.set_numbers(not w.state.numbers),
        checkable=True,
    ),
    Entry("analysis", "-View", "&Analysis", ("Ctrl+1",), lambda w: w.show_page("analysis")),
    Entry("training", "View", "&Training", ("Ctrl+2",), lambda w: w.show_page("training")),
    Entry("theme", "-View", "Light or dark", ("Ctrl+T",), lambda w: w.toggle_theme()),
    Entry("theme_system", "View/&Theme", "Follow the &system", (), _theme("system"), checkable=True, group="theme"),
    Entry("theme_dark", "View/&Theme", "&Dark", (), _theme("dark"), checkable=True, group="theme"),
    Entry("theme_light", "View/&Theme", "&Light", (), _theme("light"), checkable=True, group="theme"),
    Entry("language_system", "View/&Language", "S&ystem", (), _language(SYSTEM), checkable=True, group="language"),
    Entry("language_en", "View/&Language", "&English", (), _language(ENGLISH), checkable=True, group="language"),
    *(
        Entry(f"language_{code}", "View/&Language", name, (), _language(code), checkable=True, group="language")
        for code, name in TRANSLATED.items()
    ),
    Entry("text_larger", "View/Text &size", "&Larger text", ("Ctrl++", "Ctrl+="), appearance.larger_text),
    Entry("text_smaller", "View/Text &size", "&Smaller text", ("Ctrl+-",), appearance.smaller_text),
    Entry(
        "text_usual",
        "View/Text &size",
        "&Usual text size",
        ("Ctrl+0",),
        lambda w: appearance.set_text_size(w, USUAL),
    ),
    *(_text_size(size) for size in SIZES),
    _colours("standard", "&Standard"),
    _colours("colour-blind", "For the &colour-blind"),
    *(_dock(row, "-View" if row is ROWS[0] else "View") for row in ROWS),
    Entry("reset_layout", "View", "&Reset the layout", (), lambda w: w.docks.reset()),
    Entry("palette", "Help", "&Find a command…", ("Ctrl+Shift+P",), _palette),
    Entry("keys", "Help", "&Keys and mouse", ("F1",), _keys),
    Entry("tour", "Help", "Take the &tour", (), appearance.tour),
    Entry("change_keys", "Help", "&Change the keys…", (), _change_keys),
)


def make_actions(window: Frame) -> dict[str, QAction]:
    """Fill the window's menus; returns the actions by name."""
    menus: dict[str, QMenu] = {}
    groups: dict[str, QActionGroup] = {}
    actions = {}
    for entry in ENTRIES:
        menu = _menu(window, menus, entry.menu.lstrip("-"))
        if entry.menu.startswith("-"):
            menu.addSeparator()
        action = QAction(window)
        action.setShortcuts([QKeySequence(key) for key in entry.keys])
        action.setCheckable(entry.checkable)
        if entry.group:
            groups.setdefault(entry.group, QActionGroup(window)).addAction(action)
        action.triggered.connect(lambda _=False, run=entry.run: run(window))
        menu.addAction(action)
        actions[entry.name] = action
    for row in ROWS:
        actions[row.name].setChecked(row.shown)
    actions["automatic"].setChecked(True)
    actions[f"language_{chosen()}"].setChecked(True)
    actions["coordinates"].setChecked(True)

    def write() -> None:
        for entry in ENTRIES:
            actions[entry.name].setText(tr(entry.text))
        for path, menu in menus.items():
            above, _, title = path.rpartition("/")
            menu.setTitle(tr(title if above else f"&{title}"))

    write()
    on_language(window, write)
    return actions


def _menu(window: Frame, menus: dict[str, QMenu], path: str) -> QMenu:
    """Return the menu at a path such as "View/Theme", created when first asked for."""
    if path not in menus:
        above = path.rpartition("/")[0]
        menus[path] = (_menu(window, menus, above) if above else window.menuBar()).addMenu("")
        menus[path].setObjectName(path)
    return menus[path]


def enable_analysis(window: Frame, enabled: bool) -> None:
    """Enable or disable the menus for the analysis board; while disabled their keys do nothing."""
    for menu in window.menuBar().findChildren(QMenu):
        if menu.objectName() in ANALYSIS_MENUS:
            menu.menuAction().setEnabled(enabled)
