"""Dialogs about a run: its name, its note, its removal, and its going on when the window closes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialogButtonBox, QLineEdit, QMessageBox, QPlainTextEdit, QPushButton, QWidget

from gui.language.language import tr
from gui.widgets.dialogs import OK_CANCEL, Dialog
from gui.widgets.form import ErrorLine
from gui.widgets.labels import make_label
from models.runs.about import LONGEST_NOTE

FINISH, STOP, GO_ON = "finish", "stop", ""  # what becomes of the runs when the window closes


class NameDialog(Dialog):
    """Asks for another name of a run; what is wrong with one is shown while it is typed."""

    def __init__(self, name: str, problem: Callable[[str], str], taken: Callable[[str], object], page: QWidget) -> None:
        super().__init__(tr("Rename the run"), page, OK_CANCEL, main=tr("Rename"))
        self._before, self._problem, self._taken = name, problem, taken
        self.field = QLineEdit(name, self)
        self.field.setAccessibleName(tr("Name"))
        self.field.selectAll()
        self.error = ErrorLine(self)
        words = make_label(self, "dim", "The folder of the run gets this name.", wrap=True)
        self.lay_out(self.field, words, self.error)
        self.setMinimumWidth(420)
        self.field.textChanged.connect(lambda _: self._check())
        self.accepted.connect(self._take)
        self._check()

    def _check(self) -> None:
        name = self.field.text().strip()
        problem = "" if name == self._before else self._problem(name)
        self.error.say(problem)
        self.main.setEnabled(not problem and name != self._before)

    def _take(self) -> None:
        self._taken(self.field.text().strip())


class NoteDialog(Dialog):
    """A note on a run, in plain text."""

    def __init__(self, name: str, note: str, taken: Callable[[str], object], page: QWidget) -> None:
        super().__init__(tr("Note on “{name}”").format(name=name), page, OK_CANCEL)
        self._taken = taken
        self.field = QPlainTextEdit(note, self)
        self.field.setAccessibleName(tr("Note"))
        self.field.setTabChangesFocus(True)
        self.error = ErrorLine(self)
        words = make_label(self, "dim", "Kept in the run's folder and shown with it; empty is none.", wrap=True)
        self.lay_out(self.field, words, self.error)
        self.resize_in_screen(480, 260)
        self.field.textChanged.connect(self._check)
        self.accepted.connect(lambda: self._taken(self.text))

    @property
    def text(self) -> str:
        return self.field.toPlainText().strip()

    def _check(self) -> None:
        count = len(self.text)
        words = tr("the note has {count} characters; it may have {most}").format(count=count, most=LONGEST_NOTE)
        self.error.say(words if count > LONGEST_NOTE else "")
        self.main.setEnabled(count <= LONGEST_NOTE)


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
        super().__init__(QMessageBox.Icon.Question, title, words, QMessageBox.StandardButton.Cancel, page)
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


def ask_before_leaving(page: QWidget, states: Sequence[str], answer: Callable[[str], object]) -> Question:
    """Show that runs go on training without the window; ``answer`` is called with FINISH, STOP or GO_ON.

    ``states``: a line for each run."""
    one = len(states) == 1
    words = tr("A run goes on training when this window is closed.")
    if not one:
        words = tr("{count} runs go on training when this window is closed.").format(count=len(states))
    details = tr(
        "Training is a process of its own. The window finds it again when you open it. A run that is stopped keeps "
        "what it has learned and can be resumed."
    )
    choices = (
        (tr("Let it go on") if one else tr("Let them go on"), lambda: answer(GO_ON)),
        (tr("Stop after this iteration"), lambda: answer(FINISH)),
        (tr("Stop now"), lambda: answer(STOP)),
    )
    box = Question(page, tr("Training goes on"), words, "\n".join((*states, "", details)), choices, default=0)
    box.open()
    return box
