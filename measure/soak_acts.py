"""The acts of the soak's random user: each has a name for the journal and a function.

Some check at once what they did and return what went wrong, in sentences.
"""

from __future__ import annotations

import base64
import json
import random
import zlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QMimeData, QPoint, QPointF, QRect, Qt, QUrl
from PySide6.QtGui import (
    QCloseEvent,
    QDesktopServices,
    QDragEnterEvent,
    QDropEvent,
    QGuiApplication,
    QKeyEvent,
    QWheelEvent,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QFileDialog,
    QLineEdit,
    QMainWindow,
    QMenu,
    QMessageBox,
    QPlainTextEdit,
    QWidget,
)
from shiboken6 import isValid

from core.files.page import PAGE
from core.search.rules.table import RULES
from gui.model.sources import UniformSource, default_source, net_source
from gui.rooms.board.overlay_link import OverlayLink
from gui.rooms.opponents.match_view import MatchView
from gui.shell.docks import WORKSPACES
from gui.shell.document_files import SESSION, SGF
from gui.shell.lessons import Lessons
from gui.shell.recovery import recovery_home
from measure.soak import NETS
from measure.soak_rooms import Act, RoomActs

if TYPE_CHECKING:
    from gui.rooms.training.tab import TrainingTab
    from gui.window import MainWindow

GAMES: Final = {  # games -> how often they are opened
    "tictactoe": 4,
    "connect4": 4,
    "connectn(rows=5, cols=5, k=4)": 1,
    "gomoku(size=9)": 1,
    "othello(size=6)": 1,
    "nim": 1,
    "go(size=9)": 2,
    "go": 2,
    "go(rows=5, cols=9)": 1,
    "go(size=9, rules=japanese, komi=0)": 1,
    "go(size=7, rules=chinese, button=yes, suicide=yes)": 1,
}
LIMITS: Final = (1, 10, 100, 1000, 20_000, 200_000)
SIZES: Final = ((1480, 860), (1024, 700), (960, 540), (1920, 1080), (700, 500))
KEYS: Final = (
    *(Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown),
    *(Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_Return, Qt.Key.Key_Space, Qt.Key.Key_Escape, Qt.Key.Key_Tab),
    *(Qt.Key.Key_Backspace, Qt.Key.Key_Delete, Qt.Key.Key_F2, Qt.Key.Key_F6, Qt.Key.Key_Plus, Qt.Key.Key_Minus),
    *(Qt.Key.Key_A, Qt.Key.Key_C, Qt.Key.Key_D, Qt.Key.Key_L, Qt.Key.Key_N, Qt.Key.Key_P, Qt.Key.Key_T, Qt.Key.Key_Z),
    *(Qt.Key.Key_0, Qt.Key.Key_1, Qt.Key.Key_5, Qt.Key.Key_Comma, Qt.Key.Key_Period, Qt.Key.Key_Menu),
)
MODIFIERS: Final = (
    *(Qt.KeyboardModifier.NoModifier,) * 6,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.AltModifier,
)
BUTTONS: Final = (*(Qt.MouseButton.LeftButton,) * 6, Qt.MouseButton.RightButton, Qt.MouseButton.MiddleButton)
TEXTS: Final = (
    "d d c",
    "b2 a1",
    "(;FF[4]GM[40]SZ[9];B[ee];W[de])",
    "(;FF[4]GM[1]SZ[9]KM[6.5]RU[Chinese];B[ee];W[gc](;B[cg];W[])(;B[];W[]))",
    "(;GM[1]SZ[19]HA[2]AB[dp][pd];W[dd];B[pp]C[\u4e2d])",
    "(;GM[1]SZ[9:5]AB[aa][ab]AW[ba]PL[W];W[bb])",
    "(;GM[1]SZ[9];B[ee];AE[ee]AB[cc]AW[dd]PL[W](;W[gg])(;AB[aa];B[bb]))",
    "d4 pass c3 pass pass",
    "",
    "x o .\n. x .\n. . o",
    "1e400",
    "-3",
    "ü中文",
    "7",
)
SETTINGS: Final[dict[str, tuple[Any, ...]]] = {
    "selection": tuple(RULES),
    "c_puct": (0.5, 1.5, 4.0),
    "prove": (True, False),
    "max_batch": (1, 8, 64),
    "batches_in_flight": (1, 2),
    "threads": (1, 2),
    "collectors": (1, 2),
    "temperature": (0.0, 1.0),
    "final": ("visits", "mean", "lcb"),
    "merge_symmetric": (True, False),
    "root_symmetries": (True, False),
    "root_temperature": (1.0, 1.3),
    "root_fpu": ("same", "reduction", "loss"),
    "score_utility": (0.0, 0.1),
    "c_spread": (0.0, 0.85),
    "expansion_threshold": (1, 4),
}
NO_TRAINING: Final = "import sys; sys.exit('the soak trains nothing')"
HOME_SIMULATIONS = 10  # of the search while memory is measured
KEPT_TREES = 32 << 20  # bytes; more trees go to files, which is part of what is tried


class Acts:
    """Chooses among the acts possible now.  Files are read and written only below ``home``."""

    def __init__(self, window: MainWindow, chance: random.Random, home: Path, report: Callable[[str], object]) -> None:
        """``report`` is called with each sentence of what an act found wrong."""
        self._window, self._random, self._files, self._report = window, chance, home / "files", report
        self._files.mkdir(exist_ok=True)
        self._games = home / "games"
        self._games.mkdir(exist_ok=True)
        for place, text in enumerate(text for text in TEXTS if text.startswith("(;")):
            (self._games / f"{place}{SGF}").write_text(text, encoding="utf-8")
        self._pages = home / "pages"
        self._pages.mkdir(exist_ok=True)
        self._nets = sorted((home / NETS).glob("*"))
        self._specs: dict[str, Any] = {}
        window.context.actions["quit"].setEnabled(False)
        window.commands.documents.most_memory = KEPT_TREES
        make = window.commands.make_training
        window.commands.make_training = lambda state: _train_nothing(make(state))
        self._answer_dialogs()
        self._weighted: tuple[tuple[int, Callable[[], Act]], ...] = (
            (22, self._command),
            (16, self._click),
            (5, self._drag),
            (5, self._wheel),
            (8, self._hover),
            (12, self._key),
            (4, self._type),
            (12, self._move),
            (1, self._pass),
            (6, self._walk),
            (6, self._select),
            (2, self._game),
            (2, self._source),
            (1, self._net),
            (1, self._paste),
            (4, self._limit),
            (3, self._setting),
            (2, self._resize),
            (1, self._clip),
            (1, self._file),
            (2, self._cancelled_close),
            (2, self._wheel_over_form),
            (2, self._drop),
            (1, self._share),
            *RoomActs(window, chance, home).weighted,
        )

    # choice

    def choose(self, closing: bool = False) -> Act:
        """Return an act and its name; an open menu or dialog mostly gets one of its own.  ``closing``: only close."""
        popup, dialog = QApplication.activePopupWidget(), self._dialog()
        if (popup or dialog) and (closing or self._random.random() < 0.25):
            return f"close {name_of(popup or dialog)}", self.close_one
        if isinstance(popup, QMenu) and popup.isEnabled() and self._random.random() < 0.6:
            return self._menu_entry(popup)
        if popup is not None or dialog is not None:
            small = (self._click, self._click, self._key, self._hover, self._type, self._wheel_over_fields)
            return self._random.choice(small)()
        acts = [act for _, act in self._weighted]
        return self._random.choices(acts, [weight for weight, _ in self._weighted])[0]()

    def is_waiting(self) -> bool:
        """Whether a menu or a dialog is open, in whose event loop an earlier act may be waiting."""
        return QApplication.activePopupWidget() is not None or self._dialog() is not None

    def close_one(self) -> bool:
        """Close the menu or dialog in front; return False if there is none."""
        front = QApplication.activePopupWidget() or self._dialog()
        if isinstance(front, QDialog):
            front.reject()
        elif front is not None:
            front.close()
        return front is not None

    def go_home(self, memory_mb: int) -> None:
        """Search the first position of a small game for a moment: what was searched before is let go."""
        from core.search import Limit  # not while the window loads it in a thread

        state, position = self._window.state, self._game_of("tictactoe").initial()
        assert state.settings is not None
        state.open_position(position, None)
        state.set_settings(replace(state.settings, selection="ucb1", memory_mb=memory_mb))
        self._window.session.search_to(Limit(simulations=HOME_SIMULATIONS))

    def _dialog(self) -> QDialog | None:
        shown = [
            widget for widget in QApplication.topLevelWidgets() if isinstance(widget, QDialog) and widget.isVisible()
        ]
        modal = QApplication.activeModalWidget()
        return modal if isinstance(modal, QDialog) else shown[-1] if shown else None

    def _answer_dialogs(self) -> None:
        """Replace the platform's dialogs, which no act could close, by immediate answers."""

        def name_of_file(*_: Any, **__: Any) -> tuple[str, str]:
            return (str(self._any_file()), "") if self._random.random() < 0.6 else ("", "")

        def folder(*_: Any, **__: Any) -> str:
            return str(self._files.parent / "runs") if self._random.random() < 0.5 else ""

        def answer_box(box: QMessageBox) -> None:
            self._random.choice(box.buttons()).click()

        for owner, name, answer in (
            (QFileDialog, "getOpenFileName", name_of_file),
            (QFileDialog, "getSaveFileName", name_of_file),
            (QFileDialog, "getExistingDirectory", folder),
            (QDesktopServices, "openUrl", lambda _: True),
        ):
            setattr(owner, name, staticmethod(answer))
        QMessageBox.exec = answer_box  # type: ignore[assignment,method-assign]

    def _any_file(self) -> Path:
        files = sorted(self._files.iterdir())
        if files and self._random.random() < 0.5:
            return self._random.choice(files)
        return self._files / f"saved-{self._random.randrange(8)}{self._random.choice((SGF, SESSION, '.csv', '.png'))}"

    # mouse and keyboard

    def _front(self) -> QWidget:
        return QApplication.activePopupWidget() or self._dialog() or self._window

    def _spot(self) -> tuple[QWidget, QPoint]:
        """Return a visible widget and a point in it: chosen by area, or any widget however small."""
        top = self._front()
        child = None
        if self._random.random() < 0.5:
            child = top.childAt(
                self._random.randrange(max(1, top.width())), self._random.randrange(max(1, top.height()))
            )
        else:
            visible = [
                below
                for below in top.findChildren(QWidget)
                if below.isVisible() and not below.visibleRegion().isEmpty()
            ]
            child = self._random.choice(visible) if visible else None
        widget = child or top
        box = widget.visibleRegion().boundingRect()
        x = box.x() + self._random.randrange(max(1, box.width()))
        return widget, QPoint(x, box.y() + self._random.randrange(max(1, box.height())))

    def _click(self) -> Act:
        widget, point = self._spot()
        button, modifier = self._random.choice(BUTTONS), self._random.choice(MODIFIERS)
        times = 2 if self._random.random() < 0.1 else 1
        target, place = target_of(widget, point)
        how = f"{'double ' * (times - 1)}{button.name} {modifier.name}"
        name = f"click {how} on {name_of(widget)} at {point.x()}, {point.y()}"
        return name, lambda: mouse(target, button, modifier, [place], times)

    def _drag(self) -> Act:
        widget, point = self._spot()
        target, place = target_of(widget, point)
        steps = [
            QPoint(*(self._random.randrange(-160, 161) for _ in "xy")) for _ in range(self._random.randrange(1, 6))
        ]

        def drag() -> None:
            box = QRect(QPoint(), target.size())
            points = [place, *(nearest(place + step, box) for step in steps)]
            mouse(target, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, points)

        return f"drag {name_of(widget)} by {steps[-1].x()}, {steps[-1].y()} in {len(steps)} steps", drag

    def _hover(self) -> Act:
        widget, point = self._spot()
        target, place = target_of(widget, point)
        return f"point at {name_of(widget)} at {point.x()}, {point.y()}", lambda: QTest.mouseMove(target, place)

    def _wheel(self) -> Act:
        widget, point = self._spot()
        turn = self._random.choice((-480, -120, -15, 15, 120, 480))
        modifier = self._random.choice(MODIFIERS)
        event = QWheelEvent(
            QPointF(point),
            QPointF(widget.mapToGlobal(point)),
            QPoint(),
            QPoint(0, turn),
            Qt.MouseButton.NoButton,
            modifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        return f"wheel {turn} {modifier.name} on {name_of(widget)}", lambda: QApplication.sendEvent(widget, event)

    def _wheel_over_fields(self) -> Act:
        turn = self._random.choice((-120, 120))
        return f"wheel {turn} over all fields of {name_of(self._front())}", lambda: self._check(
            turn_wheel(self._front(), turn)
        )

    def _wheel_over_form(self) -> Act:
        room = self._random.choice(("settings", "opponents", "blind_spots", "a new run"))
        name, turn = self._wheel_over_fields()

        def show_and_turn() -> None:
            training = self._window.commands.training
            if room != "a new run":
                self._window.commands.open_dock(room)
            elif training is not None:
                self._window.commands.open_dock("training")
                training.show_new()
            turn()

        return f"{name} with {room}", show_and_turn

    def _key(self) -> Act:
        top = self._front()
        if self._random.random() < 0.2 and top is self._window:
            self._window.room.board.setFocus()
        key, modifier = self._random.choice(KEYS), self._random.choice(MODIFIERS)
        target, _ = target_of(top, QPoint())
        name = f"press {modifier.name} {key.name} in {name_of(top.focusWidget() or top)}"
        return name, lambda: press(target, key, modifier)

    def _type(self) -> Act:
        top = self._front()
        focus = top.focusWidget()
        edits = [field for kind in (QLineEdit, QPlainTextEdit) for field in top.findChildren(kind) if field.isVisible()]
        if not edits:
            return self._hover()
        target = focus if isinstance(focus, QLineEdit | QPlainTextEdit) else self._random.choice(edits)
        text = self._random.choice(TEXTS)

        def write() -> None:
            target.setFocus()
            for letter in text:  # QTest accepts only ASCII
                for kind in (QKeyEvent.Type.KeyPress, QKeyEvent.Type.KeyRelease):
                    if isValid(target):
                        QApplication.sendEvent(target, QKeyEvent(kind, 0, Qt.KeyboardModifier.NoModifier, letter))
            if isValid(top) and self._random.random() < 0.5:
                press(target_of(top, QPoint())[0], Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier)

        return f"type {text!r} in {name_of(target)}", write

    def _menu_entry(self, menu: QMenu) -> Act:
        entries = [
            action
            for action in menu.actions()
            if action.isEnabled() and action.isVisible() and not action.isSeparator()
        ]
        if not entries:
            return f"close {name_of(menu)}", self.close_one
        entry = self._random.choice(entries)
        place, button = menu.actionGeometry(entry).center(), Qt.MouseButton.LeftButton
        plain = Qt.KeyboardModifier.NoModifier
        return f"choose {entry.text()!r} in a menu", lambda: mouse(menu, button, plain, [place])

    # commands

    def _command(self) -> Act:
        name, action = self._random.choice(
            [(name, action) for name, action in self._window.context.actions.items() if action.isEnabled()]
        )
        return f"command {name}", action.trigger

    def _move(self) -> Act:
        state = self._window.state
        legal = state.position.legal_actions() if state.position is not None else ()
        if not len(legal):
            return "a new game", self._window.context.opener.new_game
        action = int(self._random.choice(list(legal)))
        return f"play {action}", lambda: state.play_line((action,))

    def _pass(self) -> Act:
        from core.games.spec import PASS  # not while the window loads it in a thread

        position = self._window.state.position
        if position is None or PASS not in position.game.action_names:
            return self._move()
        action = position.game.action_names.index(PASS)
        if action not in position.legal_actions():
            return self._move()
        return "pass", lambda: self._window.state.play_line((action,))

    def _walk(self) -> Act:
        ply = self._random.randrange(len(self._window.state.moves) + 1)
        return f"go to ply {ply}", lambda: self._window.state.go(ply)

    def _select(self) -> Act:
        position, path = self._window.state.position, []
        while position is not None and len(legal := position.legal_actions()) and self._random.random() < 0.6:
            path.append(int(self._random.choice(list(legal))))
            position = position.play(path[-1])
        chosen = tuple(path)
        if self._random.random() < 0.4:
            return f"open {chosen} in the tree", lambda: self._window.views.tree.open_path(chosen)
        return f"select {chosen}", lambda: self._window.state.select(chosen)

    def _game_of(self, text: str) -> Any:
        from core.games import load_game

        if text not in self._specs:
            self._specs[text] = load_game(text)
        return self._specs[text]

    def _game(self) -> Act:
        text = self._random.choices(list(GAMES), list(GAMES.values()))[0]

        def change() -> None:
            game = self._game_of(text)
            self._window.state.open_position(game.initial(), default_source(game))

        return f"open {text}", change

    def _source(self) -> Act:
        state = self._window.state
        assert state.position is not None
        nets = [net_source(path) for path in self._nets] if state.position.game.name == "go" else []
        source = self._random.choice((None, UniformSource(), default_source(state.position.game), *nets))
        return f"search with {source and source.title}", lambda: state.set_source(source)

    def _net(self) -> Act:
        if not self._nets:
            return self._source()
        path = self._random.choice(self._nets)
        return f"open the net {path.name}", lambda: self._window.context.opener.open_net(path)

    def _limit(self) -> Act:
        limit = self._random.choice(LIMITS)
        return f"limit {limit}", lambda: self._window.state.set_limit(limit)

    def _setting(self) -> Act:
        name = self._random.choice(list(SETTINGS))
        value = self._random.choice(SETTINGS[name])
        state = self._window.state
        assert state.settings is not None
        changed = replace(state.settings, **{name: value})
        return f"setting {name} = {value}", lambda: state.set_settings(changed)

    def _resize(self) -> Act:
        size = self._random.choice(SIZES)
        return f"resize to {size[0]} x {size[1]}", lambda: self._window.resize(*size)

    def _clip(self) -> Act:
        text = self._random.choice(TEXTS)
        return f"{text!r} into the clipboard", lambda: QGuiApplication.clipboard().setText(text)

    def _paste(self) -> Act:
        text = self._random.choice(TEXTS)

        def paste() -> None:
            QGuiApplication.clipboard().setText(text)
            self._window.context.opener.paste_moves()

        return f"paste {text!r}", paste

    def _file(self) -> Act:
        files = sorted(self._files.iterdir())
        path = self._random.choice(files) if files else self._any_file()
        return f"open the file {path.name}", lambda: self._window.commands.filing.open_file(path)

    # acts with a check

    def _check(self, wrong: list[str]) -> None:
        for sentence in wrong:
            self._report(sentence)

    def _cancelled_close(self) -> Act:
        return "close the window and cancel that", lambda: self._check(cancel_close(self._window))

    def _drop(self) -> Act:
        games = sorted(self._games.iterdir())
        paths = self._random.choice((games[:1], games[:2], games, [self._games], self._nets[:1], [self._any_file()]))
        workspace = self._random.choice(WORKSPACES)[0]

        def turn_and_drop() -> None:
            self._window.workspaces.turn_to(workspace)
            self._check(drop(self._window, paths))

        return f"drop {', '.join(path.name for path in paths)} on the workspace {workspace}", turn_and_drop

    def _share(self) -> Act:
        path = self._pages / f"search-{self._random.randrange(3)}{PAGE}"

        def share() -> None:
            self._check(check_page(path))  # the one shared before under this name
            self._window.commands.filing.save_tree(path)

        return f"share the search as {path.name}", share


def _train_nothing(tab: TrainingTab) -> TrainingTab:
    import sys

    tab.known_runs.launcher.program = (sys.executable, "-c", NO_TRAINING)
    return tab


# checks


def cancel_close(window: MainWindow) -> list[str]:
    """Close the window by its title bar and cancel that, as a person does in the dialog about a run that trains."""
    closing = False

    def note() -> None:
        nonlocal closing
        closing = True

    window.context.events.closing.connect(note)
    before = _going_on(window)
    window.commands.may_leave = lambda: False  # type: ignore[method-assign]
    try:
        QApplication.sendEvent(window.windowHandle(), QCloseEvent())
    finally:
        del window.commands.may_leave
        window.context.events.closing.disconnect(note)
    stopped = sorted(before - _going_on(window))
    return [
        *(["a close that was cancelled closed the window"] if closing or not window.isVisible() else []),
        *(f"a close that was cancelled ended {what}" for what in stopped),
    ]


def _going_on(window: MainWindow) -> set[str]:
    """What a close would end, of what begins and ends in this thread."""
    match, lessons, link = (window.findChild(kind) for kind in (MatchView, Lessons, OverlayLink))
    play, review = window.commands.games._play, window.commands.games._review
    works = {
        "play": play is not None and play.running,
        "the analysis of the game": review is not None and review.analysis.running,
        "a match": isinstance(match, MatchView) and match.job.running and not match.job.stopping,
        "a lesson": isinstance(lessons, Lessons) and lessons._clock.isActive(),
        "exact results": isinstance(link, OverlayLink) and link.truth.solution is not None,
    }
    return {what for what, goes_on in works.items() if goes_on}


def turn_wheel(top: QWidget, turn: int) -> list[str]:
    """Turn the wheel over each choice and number that is seen and has not the focus: none may change."""
    fields: list[QComboBox | QAbstractSpinBox] = [*top.findChildren(QComboBox), *top.findChildren(QAbstractSpinBox)]
    wrong = []
    for field in fields:
        if not isValid(field) or not field.isEnabled() or field.visibleRegion().isEmpty() or _has_focus(field):
            continue
        before, point = _value(field), QPointF(field.rect().center())
        where, steps = QPointF(field.mapToGlobal(point)), QPoint(0, turn)
        plain, phase = Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase
        event = QWheelEvent(point, where, QPoint(), steps, Qt.MouseButton.NoButton, plain, phase, False)
        QApplication.sendEvent(field, event)
        if isValid(field) and _value(field) != before:
            wrong.append(f"the wheel changed {name_of(field)} without the focus")
    return wrong


def _has_focus(field: QWidget) -> bool:
    """Whether a field has the focus of its window, also while another window is the active one."""
    focus = field.window().focusWidget()
    return focus is not None and (focus is field or field.isAncestorOf(focus))


def _value(field: QComboBox | QAbstractSpinBox) -> str:
    return field.currentText() if isinstance(field, QComboBox) else field.text()


def drop(window: MainWindow, paths: Sequence[Path]) -> list[str]:
    """Drop files and folders on the page shown; a folder or several games have to be listed where they are seen."""
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    button, plain = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    place, copy = window.rect().center(), Qt.DropAction.CopyAction
    enter = QDragEnterEvent(place, copy, mime, button, plain)
    QApplication.sendEvent(window, enter)
    if enter.isAccepted():
        QApplication.sendEvent(window, QDropEvent(QPointF(place), copy, mime, button, plain))
    many = any(path.is_dir() for path in paths) or len(paths) > 1
    if many and not window.docks["library"].isVisible():
        return ["a folder or several files were dropped, and nothing is seen of them"]
    return []


def check_page(path: Path) -> list[str]:
    """Whether a page that was shared, where there is one, has all of the record that its header lists."""
    if not path.exists():
        return []
    encoded = path.read_text("utf-8").partition(';base64">')[2].partition("<")[0]
    try:
        data = zlib.decompress(base64.b64decode(encoded))
        length = int.from_bytes(data[:4], "little")
        header = json.loads(data[4 : 4 + length])
        sizes = {name: count for name, _, count in header["columns"]}
        bytes_wanted = sum(count * int(kind[1:]) // 8 for _, kind, count in header["columns"])
    except (ValueError, KeyError, TypeError, zlib.error) as error:
        return [f"the page {path.name} cannot be read: {error}"]
    whole = (sizes.get("parent"), sizes.get("leaf")) == (header["nodes"], header["records"])
    return (
        [] if whole and bytes_wanted == len(data) - 4 - length else [f"the page {path.name} lacks parts of its record"]
    )


def games_to_offer(window: MainWindow) -> int:
    """How many games the next start has to offer when the window closes now."""
    documents = window.commands.documents  # the last one closed may be saved, and is then not kept
    return sum(bundle.unsaved for bundle in documents.closed) + documents.unsaved


def check_kept(expected: int) -> list[str]:
    """After the end: whether so many games are kept for the next start."""
    count = len(list(recovery_home().glob(f"*{SESSION}")))
    return [] if count == expected else [f"{count} games are kept for the next start instead of {expected}"]


# input events as the platform sends them


def target_of(widget: QWidget, point: QPoint) -> tuple[Any, QPoint]:
    """Return the receiver of an event at a point of a widget, as from the platform, and the point in its coordinates.

    For the main window it is the native window.  Menus and dialogs receive events themselves: their windows come and
    go, and PySide may return one that is already deleted.
    """
    top = widget.window()
    window = top.windowHandle() if isinstance(top, QMainWindow) else None
    if window is None:
        return widget, point
    return window, widget.mapTo(top, point) if top is not widget else point


# A press may close its target, and QTest's own clicks do not check that before they send the release.


def mouse(
    target: Any, button: Qt.MouseButton, modifier: Qt.KeyboardModifier, points: Sequence[QPoint], times: int = 1
) -> None:
    """Press at the first point, move along the others and release at the last."""
    kinds = QTest.MouseAction
    events = [
        (kinds.MousePress, points[0]),
        *((kinds.MouseMove, point) for point in points[1:]),
        (kinds.MouseRelease, points[-1]),
    ]
    for kind, point in events * times:
        if isValid(target):
            QTest.mouseEvent(kind, target, button, modifier, point)


def press(target: Any, key: Qt.Key, modifier: Qt.KeyboardModifier) -> None:
    for kind in (QTest.KeyAction.Press, QTest.KeyAction.Release):
        if isValid(target):
            QTest.keyEvent(kind, target, key, modifier)


def nearest(point: QPoint, box: QRect) -> QPoint:
    return QPoint(max(0, min(box.right(), point.x())), max(0, min(box.bottom(), point.y())))


def name_of(widget: QWidget | None) -> str:
    if widget is None:
        return "nothing"
    words = widget.objectName() or widget.accessibleName()
    return f"{type(widget).__name__} {words!r}" if words else type(widget).__name__
