"""The dialog in which a user writes or corrects the recipe of a net, and sees at once what comes of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from PySide6.QtWidgets import (
    QDialogButtonBox,
    QFrame,
    QPushButton,
    QScrollArea,
    QWidget,
)

from core.text import Words, text_of
from gui.language.core_words import core_text
from gui.language.language import tr
from gui.widgets.board.plane_titles import plane_titles
from gui.widgets.dialogs import OPEN_CANCEL, Dialog
from gui.widgets.form import ComboBox, ErrorLine, Form, choice_box, show_value
from gui.widgets.labels import make_label
from gui.widgets.layouts import lay_column, lay_row
from gui.widgets.recipe.findings import Findings
from gui.widgets.recipe.plane_table import PlaneTable
from gui.widgets.recipe.reading_form import ReadingForm
from gui.widgets.saving import ask_save_name
from gui.widgets.text_size import give_room
from gui.widgets.tips import set_tip
from models.netfiles.recipe import Recipe, RecipeInput

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtCore import QObject

    from core.games import Position
    from models.netfiles.recipe_reader import RecipeTrial

LAYOUT_CHOICES: tuple[tuple[str, Words], ...] = (
    ("auto", "by its shape"),
    ("nchw", "plane by plane (NCHW)"),
    ("nhwc", "cell by cell (NHWC)"),
    ("numbers", "one number for each plane"),
)


class RecipeAsker(Protocol):
    """What asks the net and saves recipes (gui.jobs.recipe_job); the first four are signals."""

    answered: Any
    failed: Any
    saved: Any
    unsaved: Any
    trial: RecipeTrial

    def setParent(self, parent: QObject, /) -> None: ...
    def ask(self, recipe: Recipe, position: Position) -> None: ...
    def save_beside(self, recipe: Recipe) -> None: ...
    def save_copy(self, recipe: Recipe, to: Path) -> None: ...


class RecipeDialog(Dialog):
    """The recipe on the left, on the right what the net is shown and answers; accepted when it is to be used."""

    def __init__(
        self,
        job: RecipeAsker,
        recipe: Recipe,
        choices: Sequence[Recipe],
        positions: Sequence[tuple[str, Position]],
        reason: str = "",
        parent: QWidget | None = None,
    ) -> None:
        """``recipe`` to begin with; ``known``: those that may be chosen; ``positions`` with titles; ``reason``: why it
        could not be guessed."""
        trial = job.trial
        super().__init__(tr("How to read {net}…").format(net=trial.path.name), parent, OPEN_CANCEL, main=tr("Use"))
        job.setParent(self)
        self._job, self._recipe, self._choices = job, recipe, list(choices)
        self._inputs = list(recipe.inputs)
        self._place = 0  # of the input shown
        self.recipes = ComboBox(self, 8)
        self.recipes.addItem(tr("a recipe of your own"))
        for other in self._choices:
            planes = plane_titles(other.planes)
            self.recipes.addItem(
                tr("{name}: {planes}").format(name=other.name, planes=planes) if other.name else planes
            )
        self.input = ComboBox(self, 8)
        for entry in self._inputs:
            self.input.addItem(entry.name)
        self.layout_of = choice_box(self, LAYOUT_CHOICES, self._take, letters=8)
        self.planes = PlaneTable(self)
        self.reading = ReadingForm([tensor.name for tensor in trial.info.outputs], self)
        self.findings = Findings(positions, self)
        self.error = ErrorLine(self)
        role = QDialogButtonBox.ButtonRole.ActionRole
        self.save = self.buttons.addButton(tr("Save beside the net"), role)
        self.save_copy = self.buttons.addButton(tr("Save a copy…"), role)
        for button in (self.save, self.save_copy):
            give_room(button)
        for each in self.buttons.findChildren(QPushButton):
            each.setAutoDefault(False)
        set_tip(self.save, tr("Writes {file}").format(file=f"{trial.path.stem}.recipe.json"))
        self._lay_out_parts(reason)
        self._connect()
        self._show()
        self.resize_in_screen(1080, 680)

    def _lay_out_parts(self, reason: str) -> None:
        top = Form()
        if self._choices:
            top.add("Read as", self.recipes)
        self.recipes.setVisible(bool(self._choices))
        self.input.setVisible(len(self._inputs) > 1)
        if len(self._inputs) > 1:
            top.add("Input", self.input)
        top.add("Its numbers come", self.layout_of)
        page = QWidget(self)
        page.setObjectName("central")
        lay_column(top, (self.planes, 1), self.reading, of=page, margins=(0, 0, 10, 0))
        area = QScrollArea(self)
        area.setWidget(page)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setMinimumWidth(230)
        area.setAccessibleName(tr("Recipe"))
        both = lay_row((area, 5), (self.findings, 6), spacing=14)
        intro = make_label(self, "dim", wrap=True)
        game = core_text(self._job.trial.game.title)
        words = tr("“{name}” is read as a net for {game}.").format(name=self._job.trial.path.name, game=game)
        why = tr("It does not say how, and that cannot be guessed: {reason}.").format(reason=core_text(reason))
        intro.setText(f"{words} {why}" if reason else words)
        self.lay_out(intro, both, self.error)

    def _connect(self) -> None:
        self.recipes.activated.connect(self._take_recipe)
        self.input.activated.connect(self._show_input)
        self.planes.changed.connect(self._take)
        self.reading.changed.connect(self._take)
        self.findings.position_chosen.connect(self._try)
        self._job.answered.connect(self._show_answer)
        self._job.failed.connect(self._refuse)
        self._job.saved.connect(lambda *_: self.accept())
        self._job.unsaved.connect(self._say_unsaved)
        self.save.clicked.connect(lambda: self._job.save_beside(self.recipe))
        self.save_copy.clicked.connect(self._choose_copy)

    @property
    def recipe(self) -> Recipe:
        """The recipe as it is now."""
        return replace(self._recipe, game=self._job.trial.game.text)

    def _show(self) -> None:
        self.reading.show_recipe(self._recipe)
        self._show_input(self._place)

    def _show_input(self, place: int) -> None:
        self._place = place
        self.input.setCurrentIndex(place)
        entry = self._inputs[place]
        show_value(self.layout_of, entry.layout)
        self.planes.show_words(entry.planes)
        self._try()

    def _take_recipe(self, place: int) -> None:
        if place > 0:
            self._recipe = self._choices[place - 1]
            self._inputs = list(self._recipe.inputs)
            self._place = min(self._place, len(self._inputs) - 1)
            self._show()

    def _take(self) -> None:
        """Take what was changed."""
        shown = self._inputs[self._place]
        self._inputs[self._place] = RecipeInput(self.planes.words, shown.name, self.layout_of.currentData())
        self._recipe = replace(self.reading.applied(self._recipe), inputs=tuple(self._inputs), name="")
        self.recipes.setCurrentIndex(0)
        self._try()

    def _try(self) -> None:
        """Show the planes and ask the net."""
        from models.netfiles.recipe_planes import check_planes, shown_planes

        words, position = self._inputs[self._place].planes, self.findings.position
        self._allow(False)
        try:
            check_planes(self._recipe.planes, position.game)
            self.findings.show_planes(words, shown_planes(words, position).tolist())
        except ValueError as error:
            self._refuse(text_of(error))
            return
        self._job.ask(self.recipe, position)

    def _allow(self, good: bool) -> None:
        for button in (self.main, self.save, self.save_copy):
            button.setEnabled(good)
        self.main.setDefault(True)  # type: ignore[attr-defined]  # a push button

    def _show_answer(self, answered: object) -> None:
        self.error.say("")
        self._allow(True)
        self.findings.show_answer(answered)  # type: ignore[arg-type]  # a signal carries objects

    def _refuse(self, sentence: str) -> None:
        self.error.say(sentence)
        self.findings.show_nothing()

    def _say_unsaved(self, sentence: str) -> None:
        self.error.say(sentence)

    def _choose_copy(self) -> None:
        path = self._job.trial.path
        name = str(path.with_name(f"{path.stem}-plyscope.onnx"))
        chosen = ask_save_name(self, tr("Save a copy of the net with its recipe"), "nets", name, tr("Nets (*.onnx)"))
        if chosen is not None:
            self._job.save_copy(self.recipe, chosen)
