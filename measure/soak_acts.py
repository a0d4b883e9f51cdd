"""The acts of the soak's random user: each has a name for the journal and a function."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QDesktopServices, QGuiApplication, QKeyEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QFileDialog,
    QLineEdit,
    QMenu,
    QMessageBox,
    QPlainTextEdit,
    QWidget,
)
from shiboken6 import isValid

from gui.model.sources import UniformSource, default_source, net_source
from gui.shell.document_files import SESSION, SGF
from gui.widgets.page_switch import ANALYSIS, TRAINING
from measure.soak import NETS
from measure.soak_checks import cancel_close, drop, turn_wheel
from measure.soak_choices import BUTTONS, GAMES, KEYS, LIMITS, MODIFIERS, NO_TRAINING, SETTINGS, SIZES, TEXTS
from measure.soak_events import mouse, name_of, nearest, press, target_of

if TYPE_CHECKING:
    from gui.rooms.training.tab import TrainingTab
    from gui.window import MainWindow

HOME_SIMULATIONS = 10  # of the search while memory is measured
KEPT_TREES = 32 << 20  # bytes; more trees go to files, which is part of what is tried

Act = tuple[str, Callable[[], object]]


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
        self._nets = sorted((home / NETS).glob("*"))
        self._specs: dict[str, Any] = {}
        window.context.actions["quit"].setEnabled(False)
        window.commands.workspace.most_memory = KEPT_TREES
        window.pages.made.connect(_train_nothing)
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
        shown = [one for one in QApplication.topLevelWidgets() if isinstance(one, QDialog) and one.isVisible()]
        modal = QApplication.activeModalWidget()
        return modal if isinstance(modal, QDialog) else shown[-1] if shown else None

    def _answer_dialogs(self) -> None:
        """Replace the platform's dialogs, which no act could close, by immediate answers."""

        def name_of_file(*_: Any, **__: Any) -> tuple[str, str]:
            return (str(self._any_file()), "") if self._random.random() < 0.6 else ("", "")

        def folder(*_: Any, **__: Any) -> str:
            return str(self._files.parent / "runs") if self._random.random() < 0.5 else ""

        def yes_or_no(*_: Any, **__: Any) -> QMessageBox.StandardButton:
            return self._random.choice((QMessageBox.StandardButton.Yes, QMessageBox.StandardButton.No))

        for owner, name, answer in (
            (QFileDialog, "getOpenFileName", name_of_file),
            (QFileDialog, "getSaveFileName", name_of_file),
            (QFileDialog, "getExistingDirectory", folder),
            (QMessageBox, "question", yes_or_no),
            (QDesktopServices, "openUrl", lambda _: True),
        ):
            setattr(owner, name, staticmethod(answer))

    def _any_file(self) -> Path:
        here = sorted(self._files.iterdir())
        if here and self._random.random() < 0.5:
            return self._random.choice(here)
        return self._files / f"saved-{self._random.randrange(8)}{self._random.choice((SGF, SESSION, '.csv', '.png'))}"

    # mouse and keyboard

    def _front(self) -> QWidget:
        return QApplication.activePopupWidget() or self._dialog() or self._window

    def _spot(self) -> tuple[QWidget, QPoint]:
        """Return a visible widget and a point in it: chosen by area, or any widget however small."""
        top = self._front()
        found = None
        if self._random.random() < 0.5:
            found = top.childAt(
                self._random.randrange(max(1, top.width())), self._random.randrange(max(1, top.height()))
            )
        else:
            seen = [one for one in top.findChildren(QWidget) if one.isVisible() and not one.visibleRegion().isEmpty()]
            found = self._random.choice(seen) if seen else None
        widget = found or top
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
            training = self._window.pages.training
            if room != "a new run":
                self._window.pages.turn_to(ANALYSIS)
                self._window.docks.show_dock(room)
            elif training is not None:
                self._window.pages.turn_to(TRAINING)
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
        edits = [one for kind in (QLineEdit, QPlainTextEdit) for one in top.findChildren(kind) if one.isVisible()]
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
        entries = [one for one in menu.actions() if one.isEnabled() and one.isVisible() and not one.isSeparator()]
        if not entries:
            return f"close {name_of(menu)}", self.close_one
        entry = self._random.choice(entries)
        place, left = menu.actionGeometry(entry).center(), Qt.MouseButton.LeftButton
        plain = Qt.KeyboardModifier.NoModifier
        return f"choose {entry.text()!r} in a menu", lambda: mouse(menu, left, plain, [place])

    # commands

    def _command(self) -> Act:
        name, action = self._random.choice(
            [(name, one) for name, one in self._window.context.actions.items() if one.isEnabled()]
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
        here = sorted(self._files.iterdir())
        path = self._random.choice(here) if here else self._any_file()
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
        page = self._random.choice((ANALYSIS, TRAINING))

        def turn_and_drop() -> None:
            self._window.pages.turn_to(page)
            self._check(drop(self._window, paths))

        return f"drop {', '.join(path.name for path in paths)} on the {page} page", turn_and_drop


def _train_nothing(tab: TrainingTab) -> None:
    import sys

    tab.known_runs.launcher.program = (sys.executable, "-c", NO_TRAINING)
