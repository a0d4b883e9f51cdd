"""Dialogs: the base of all, choosing a game, listing the keys."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QIcon
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFrame,
    QGridLayout,
    QLabel,
    QLayout,
    QLineEdit,
    QListWidget,
    QMessageBox,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QStackedWidget,
    QWidget,
)

from core.text import Words
from gui.language.core_words import core_text, error_text
from gui.language.language import begun, tr
from gui.model.keymap import plain_title, shown_keys, title_of
from gui.widgets.board.board import BoardView
from gui.widgets.form import ComboBox, ErrorLine, Form, SpinBox
from gui.widgets.labels import make_label
from gui.widgets.layouts import lay_column, lay_row
from gui.widgets.screen import room_on_screen
from gui.widgets.text_size import by_font, give_room, px
from gui.widgets.tips import set_tip

if TYPE_CHECKING:
    from core.games import GameSpec

PARAMETER_TITLES: Final[dict[str, Words]] = {
    "game": "Game",
    "rows": "Rows",
    "cols": "Columns",
    "k": "In a row to win",
    "size": "Size",
    "rule": "Rule",
    "passes": "Passes",
    "heaps": "Heaps",
    "max_take": "Most chips at once",
    "rules": "Rules",
    "komi": "Komi",
    "ko": "Ko",
    "suicide": "Suicide",
    "tax": "Tax on groups",
    "button": "Button",
    "misere": "Last chip loses",
    "swap": "Swap",
}
TALLEST = 700  # px, largest height of the list of keys; a longer one scrolls
FIRST_VALUES = {"rows": 4, "cols": 4, "k": 3}  # for parameters without a default
CLOSE = QDialogButtonBox.StandardButton.Close
OK_CANCEL = QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
OPEN_CANCEL = QDialogButtonBox.StandardButton.Open | QDialogButtonBox.StandardButton.Cancel


class Dialog(QDialog):
    """A dialog with its contents above a row of buttons; deleted when it is closed."""

    def __init__(
        self,
        title: str,
        parent: QWidget | None,
        buttons: QDialogButtonBox.StandardButton = CLOSE,
        main: str = "",
    ) -> None:
        """``title``, which may be a command's text with mnemonic and ellipsis; ``main``, the text of the first button
        where it is not the usual one."""
        super().__init__(parent)
        self.setWindowTitle(plain_title(title))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.buttons = QDialogButtonBox(buttons, self)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        _drop_icons(self.buttons)
        self.main = self.buttons.buttons()[0]
        if main:
            self.main.setText(main)
        give_room(self.main)

    def lay_out(self, *parts: QWidget | QLayout) -> None:
        """Put the contents below each other, and the buttons below them."""
        lay_column(*parts, self.buttons, of=self, margins=(18, 12, 18, 12), spacing=10)

    def resize_in_screen(self, width: int, height: int) -> None:
        """Resize to these px at the usual text size, at most to the screen."""
        self.resize(QSize(px(width), px(height)).boundedTo(room_on_screen(self)))


def _drop_icons(box: QDialogButtonBox) -> None:
    """Take the desktop's icons off the buttons, which are as wide as their texts.

    Those were made before the style sheet reached the box, which would have said that they have none.
    """
    for button in box.buttons():
        button.setIcon(QIcon())


def ask_number(
    parent: QWidget, title: str, text: str, low: int, high: int, number: int, taken: Callable[[int], object]
) -> None:
    """Ask for a whole number without blocking; ``taken`` is called with it."""
    dialog = Dialog(title, parent, OK_CANCEL)
    box = SpinBox(dialog)
    box.setAccessibleName(text)
    box.setRange(low, high)
    box.setValue(number)
    box.selectAll()
    dialog.lay_out(QLabel(text, dialog), box)
    dialog.accepted.connect(lambda: taken(box.value()))
    box.setFocus()
    dialog.open()


class TextDialog(Dialog):
    """Asks for a line of text and calls ``taken`` with it.

    With ``problem``, what that says of a text is shown while it is typed, and the text has to be another than before.
    """

    def __init__(
        self,
        parent: QWidget,
        title: str,
        words: str,
        text: str,
        taken: Callable[[str], object],
        problem: Callable[[str], str] | None = None,
        main: str = "",
    ) -> None:
        super().__init__(title, parent, OK_CANCEL, main)
        self._before, self._problem = text, problem
        self.field, self.error = QLineEdit(text, self), ErrorLine(self)
        self.field.setAccessibleName(self.windowTitle())
        self.field.selectAll()
        label = make_label(self, "dim", wrap=True)
        label.setText(words)
        self.lay_out(self.field, label, self.error)
        self.setMinimumWidth(px(420))
        self.field.textChanged.connect(lambda _: self._check())
        self.accepted.connect(lambda: taken(self.field.text().strip()))
        self._check()

    def _check(self) -> None:
        if self._problem is not None:
            text = self.field.text().strip()
            problem = "" if text == self._before else self._problem(text)
            self.error.say(problem)
            self.main.setEnabled(not problem and text != self._before)


class Question(QMessageBox):
    """A question with one button for each choice and one to cancel, which does not block; deleted when answered."""

    def __init__(
        self,
        page: QWidget,
        title: str,
        words: str,
        details: str,
        choices: Sequence[tuple[str, Callable[[], object]]],
        default: int | None = None,
    ) -> None:
        """The texts as they are shown.  ``default``: the choice for Return; None: to cancel."""
        super().__init__(QMessageBox.Icon.NoIcon, title, words, QMessageBox.StandardButton.Cancel, page)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setInformativeText(details)
        self.choices: list[QPushButton] = []
        for place, (text, run) in enumerate(choices):
            role = QMessageBox.ButtonRole.AcceptRole if place == default else QMessageBox.ButtonRole.ActionRole
            button = self.addButton(text, role)
            button.clicked.connect(lambda _=False, chosen=run: chosen())
            self.choices.append(button)
        if default is None:
            self.setDefaultButton(QMessageBox.StandardButton.Cancel)
        else:
            self.setDefaultButton(self.choices[default])
        self.setEscapeButton(QMessageBox.StandardButton.Cancel)
        box = self.findChild(QDialogButtonBox)
        if box is not None:
            box.setCenterButtons(False)
            _drop_icons(box)


class GameDialog(Dialog):
    """Choose a game and its parameters, with a preview of the board; shows why an invalid choice is refused."""

    def __init__(self, game: GameSpec | None, parent: QWidget | None = None, title: str = "", main: str = "") -> None:
        """``title`` and ``main`` as of a ``Dialog``."""
        super().__init__(title, parent, OK_CANCEL, main)
        from core.games import GAMES

        self.game: GameSpec | None = None
        self._families = list(GAMES.values())
        self._inputs: list[dict[str, Any]] = []
        self.list = QListWidget(self)
        self.list.setFixedWidth(150)
        self.list.setAccessibleName(tr("Games"))
        self._pages = QStackedWidget(self)
        for family in self._families:
            self.list.addItem(tr(family.title))
            self._pages.addWidget(self._page(family, game))
        self._board = BoardView(self)
        self._board.setMinimumSize(170, 160)
        self._board.setMaximumSize(300, 280)
        self._board.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._board.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.error = make_label(self, "error", wrap=True)
        self.error.setMinimumHeight(38)
        row = lay_row(self.list, spacing=16)
        middle = lay_column(self._pages, 1, self.error)
        row.addLayout(middle, 1)
        row.addWidget(self._board)
        self.lay_out(row)
        self.resize_in_screen(760, 380)
        self.list.currentRowChanged.connect(self._pages.setCurrentIndex)
        self.list.currentRowChanged.connect(lambda _: self._check())
        names = [family.name for family in self._families]
        self.list.setCurrentRow(names.index(game.name.partition(":")[0]) if game is not None else 0)

    def _page(self, family: Any, game: GameSpec | None) -> QWidget:
        page = QWidget(self)
        form = Form(page)
        form.setContentsMargins(0, 4, 0, 0)
        inputs: dict[str, Any] = {}
        same_game = game is not None and game.name.partition(":")[0] == family.name
        # What the text leaves out follows from the other choices.
        stated = dict(re.findall(r"(\w+)=([^,)]+)", game.text)) if game is not None and same_game else {}
        for parameter in family.parameters:
            now = game.params.get(parameter.name) if game is not None and same_game else None
            if hasattr(parameter, "choices"):
                box = ComboBox(page)
                box.addItems(parameter.choices)
                box.setEditable(hasattr(parameter, "pattern"))
                box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
                usual = parameter.default or parameter.choices[0]
                box.setCurrentText(now if now and family.whole else stated.get(parameter.name, usual))
                box.currentTextChanged.connect(lambda _: self._check())
                if hasattr(parameter, "allowed"):
                    set_tip(box, core_text(parameter.allowed))
                box.setMinimumWidth(110)
                widget: QWidget = box
            else:
                spin = SpinBox(page)
                spin.setRange(parameter.low, parameter.high)
                spin.setValue(int(now or parameter.default or FIRST_VALUES.get(parameter.name, parameter.low)))
                spin.valueChanged.connect(lambda _: self._check())
                spin.setFixedWidth(90)
                widget = spin
            inputs[parameter.name] = widget
            form.add(PARAMETER_TITLES.get(parameter.name, parameter.name), widget)
        if not form.rowCount():
            form.addRow(QLabel(tr("Nothing to set."), page))
        self._inputs.append(inputs)
        return page

    def text(self) -> str:
        """Return the chosen game, as text for ``load_game``."""
        number = self.list.currentRow()
        values = {
            name: widget.value() if isinstance(widget, QSpinBox) else widget.currentText()
            for name, widget in self._inputs[number].items()
        }
        inside = ", ".join(f"{name}={value}" for name, value in values.items())
        name = self._families[number].name
        return f"{name}({inside})" if inside else str(name)

    def _check(self) -> None:
        from core.games import load_game

        try:
            self.game = load_game(self.text())
        except ValueError as error:
            self.game = None
            self.error.setText(error_text(error))
        else:
            self.error.setText("")
            self._board.set_position(self.game.initial())
        self.main.setEnabled(self.game is not None)


class KeysDialog(Dialog):
    """Shows every action that has a key, and the uses of the mouse."""

    MOUSE: Sequence[tuple[Words, Words]] = (
        ("click the board", "play the move"),
        ("hover over a move", "its principal variation, ply by ply"),
        ("wheel over that line", "more or fewer of its plies"),
        ("wheel elsewhere on the board", "step through the game"),
        ("Shift+click or middle click a move", "play its principal variation"),
        ("click a row", "look at the position after it"),
        ("double-click a row", "play the line to it"),
        ("click a column's title", "sort by that figure"),
        ("drag over a training chart", "zoom to that range of all charts"),
        ("Ctrl+wheel over a training chart", "zoom; without Ctrl when it is enlarged"),
        ("double-click a training chart", "show the whole run"),
        ("drop a net", "search with it"),
        ("drop a game or session", "open that game or session, with a net dropped beside it"),
    )
    BOARD: Sequence[tuple[Words, Words]] = (
        ("Shift+arrows", "move a cursor over the board"),
        ("Shift+Return", "play at the cursor"),
    )
    CHART: Sequence[tuple[Words, Words]] = (
        ("Return in a training chart", "enlarge it, and back"),
        ("Left, Right, + and − there", "move the crosshair, zoom"),
        ("0 and L there", "the whole run, a logarithmic axis"),
    )

    def __init__(self, actions: list[QAction], parent: QWidget | None = None) -> None:
        super().__init__(tr("&Keys and mouse"), parent)
        page = QWidget(self)
        page.setObjectName("central")
        grid = QGridLayout(page)
        grid.setContentsMargins(0, 0, 12, 0)
        grid.setHorizontalSpacing(18)
        grid.setVerticalSpacing(5)
        pairs = [
            (shown_keys(key.toString() for key in action.shortcuts()), title_of(action))
            for action in actions
            if action.shortcuts()
        ]
        rows = [*pairs, *((begun(tr(key)), begun(tr(what))) for key, what in (*self.BOARD, *self.CHART, *self.MOUSE))]
        half = (len(rows) + 1) // 2
        for i, (key, what) in enumerate(rows):
            key_label = QLabel(key, self)
            key_label.setObjectName("heading")
            key_label.setAlignment(Qt.AlignmentFlag.AlignRight)
            column = 0 if i < half else 3
            grid.addWidget(key_label, i % half, column)
            grid.addWidget(QLabel(what, self), i % half, column + 1)
        grid.setColumnMinimumWidth(2, 24)
        scroll = QScrollArea(self)
        scroll.setAccessibleName(self.windowTitle())
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setWidget(page)

        def measure() -> None:
            hint = page.sizeHint()
            room = room_on_screen(self) - QSize(px(60), px(110))  # the dialog's margins and buttons
            scroll.setMinimumSize(QSize(hint.width() + px(14), min(hint.height(), TALLEST)).boundedTo(room))

        by_font(scroll, measure)
        self.lay_out(scroll)
