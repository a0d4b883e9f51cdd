"""The table of actions: name, menu, text, keys and command of each.  Knows the frame's commands and parts.

``gui/shell/menus.py`` makes menus of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from gui.language.language import ENGLISH, SYSTEM, TRANSLATED
from gui.model.overlay_table import TABLE
from gui.shell import appearance
from gui.shell.docks import ROWS
from gui.shell.entry import Entry
from gui.shell.machine import CLUSTER, HERE
from gui.shell.runtime import choose_runtime
from gui.shell.tree_commands import TREE_ENTRIES
from gui.widgets.preferences import RUNTIMES, VALUES_FOR
from gui.widgets.tables.folding import FILTERS
from gui.widgets.tables.moves_table import CURVE, TOTAL
from gui.widgets.text_size import SIZES, USUAL
from gui.widgets.texts import switch_language

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


def _move_record(plies: int) -> Callable[[Frame], object]:
    return lambda w: w.step(plies)


def _overlay(name: str) -> Callable[[Frame], object]:
    return lambda w: w.state.set_overlay(name)


def _rows(name: str) -> Callable[[Frame], object]:
    return lambda w: w.views.set_filter(name)


def _column(column: int) -> Callable[[Frame], object]:
    return lambda w: appearance.turn_column(w, column)


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


def _guide(window: Frame) -> None:
    from gui.shell.guide import show_guide

    show_guide(window)


def _about(window: Frame) -> None:
    from gui.shell.about import AboutBox

    AboutBox(window).open()


def _change_keys(window: Frame) -> None:
    from gui.shell.commanding import change_keys

    change_keys(window)


def _lessons(window: Frame) -> None:
    from gui.shell.lessons import lessons_of

    lessons_of(window).show()


def _paste(window: Frame) -> None:
    window.banner.hide()  # what was said of the last paste
    window.opener.paste_moves()


def _open_lesson(window: Frame) -> None:
    from gui.shell.lessons import lessons_of

    lessons_of(window).choose_file()


# rooms imported when first needed


def _hint(window: Frame) -> None:
    from gui.rooms.play.play_hint import show_hint

    show_hint(window.context)


def _show_in_play(window: Frame) -> None:
    window.preferences.play_shown = window.actions_by_name["play_shown"].isChecked()


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


def _values_for(whose: str, text: str) -> Entry:
    return Entry(
        f"values_{whose}",
        "-View/Values fo&r" if whose == VALUES_FOR[0] else "View/Values fo&r",
        text,
        (),
        lambda w: setattr(w.preferences, "values_for", whose),
        True,
        "values_for",
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
    Entry("save_tree", "-Game", "Save or e&xport the tree…", (), lambda w: w.trees.choose_file()),
    Entry("second_tree", "Game", "Open a tree as the second searc&h…", (), lambda w: w.trees.choose_second()),
    *TREE_ENTRIES,
    Entry("copy", "-Game", "&Copy the game as SGF", ("Ctrl+C",), lambda w: w.opener.copy_game()),
    Entry("copy_moves", "Game", "Copy the &moves", ("Ctrl+Shift+C",), lambda w: w.opener.copy_moves()),
    Entry("paste", "Game", "&Paste moves, a board or SGF", ("Ctrl+V",), _paste),
    Entry("quit", "-Game", "&Quit", ("Ctrl+Q",), lambda w: w.leave()),
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
    Entry("redo", "Moves", "&Redo", ("Ctrl+Shift+Z",), lambda w: w.redo()),
    Entry("pass", "Moves", "&Pass", ("Shift+P",), lambda w: w.pass_move()),
    Entry("resign", "Moves", "Resi&gn for the side to move", (), lambda w: w.resign()),
    Entry("take_back", "-Moves", "&Take back", ("Backspace",), lambda w: w.take_back()),
    Entry("engine_move", "Moves", "The engine plays its &move", ("Return", "Enter"), lambda w: w.engine_move()),
    Entry("start_play", "Moves", "Start or pause pla&y", ("F9",), lambda w: w.start_play()),
    Entry("new_match", "Moves", "Match betwee&n two players…", (), lambda w: w.docks.show_dock("match")),
    Entry("hint", "Moves", "Show a &hint", ("H",), _hint),
    Entry("play_shown", "Moves", "Sh&ow the analysis while you play", (), _show_in_play, checkable=True),
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
    Entry(HERE, "Analysis/R&un on", "&This machine", (), lambda w: w.machine.search_here(), True, "machine"),
    Entry(CLUSTER, "Analysis/R&un on", "A &cluster…", (), lambda w: w.machine.ask(), True, "machine"),
    *TIME_ENTRIES,
    *(
        Entry(f"overlay_{row.name}", "View/&Overlay", row.menu, (row.key,), _overlay(row.name), True, "overlay")
        for row in TABLE
    ),
    *(
        Entry(f"rows_{one.name}", "View/Moves in the &tables", one.title, (), _rows(one.name), True, "rows")
        for one in FILTERS
    ),
    Entry("total", "-View/Moves in the &tables", "&W, the total value", (), _column(TOTAL), True),
    Entry("sparklines", "View/Moves in the &tables", "&Curves of share and Q", (), _column(CURVE), True),
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
    _values_for("mover", "The side to &move"),
    _values_for("first", "The &first player"),
    _values_for("second", "The &second player"),
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
    Entry("guide", "Help", "&Guide", ("F1",), _guide),
    Entry("keys", "Help", "&Keys and mouse", ("Ctrl+F1",), _keys),
    Entry("tour", "Help", "Take the &tour", (), appearance.tour),
    Entry("lessons", "-Help", "&Lessons", ("Ctrl+Shift+L",), _lessons),
    Entry("open_lesson", "Help", "&Open a lesson…", (), _open_lesson),
    Entry("change_keys", "-Help", "&Change the keys…", (), _change_keys),
    Entry("about", "-Help", "&About Plyscope…", (), _about),
)
