"""How a net's board, policy and value are laid out: the choices of a recipe beside its planes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QWidget

from core.text import Text, Words
from gui.widgets.form import Form, choice_box, show_value
from gui.widgets.layouts import lay_column
from gui.widgets.texts import set_texts
from models.netfiles.recipe import Recipe

Choices = Sequence[tuple[str, str]]

ROW_CHOICES: Final[tuple[tuple[str, Words], ...]] = (("top", "the top row"), ("bottom", "the bottom row"))
POLICY_CHOICES: Final[tuple[tuple[str, Words], ...]] = (
    ("logits", "logits"),
    ("log-probabilities", "logarithms of probabilities"),
    ("probabilities", "probabilities"),
)
MOVE_CHOICES: Final[tuple[tuple[str, Words], ...]] = (
    ("auto", "by its size"),
    ("actions", "for each move"),
    ("cells", "for each cell"),
)
PASS_CHOICES: Final[tuple[tuple[str, Words], ...]] = (("last", "after the moves"), ("first", "before the moves"))
VALUE_CHOICES: Final[tuple[tuple[str, Words], ...]] = (
    ("value", "one number from −1 to 1"),
    ("win-probability", "probability of a win"),
    ("wdl-logits", "win, draw, loss: logits"),
    ("wdl-probabilities", "win, draw, loss: probabilities"),
    ("wld-logits", "win, loss, draw: logits"),
    ("wld-probabilities", "win, loss, draw: probabilities"),
)
SIDE_CHOICES: Final[tuple[tuple[str, Words], ...]] = (("mover", "the side to move"), ("first", "the first player"))
_BY_SIZE: Final[tuple[tuple[str, Words], ...]] = (("", "found by size and name"),)
# By the field of Recipe.
CHOICES: Final[dict[str, Choices]] = {
    "rows": ROW_CHOICES,
    "policy": POLICY_CHOICES,
    "moves": MOVE_CHOICES,
    "pass_at": PASS_CHOICES,
    "policy_rows": ROW_CHOICES,
    "value": VALUE_CHOICES,
    "value_for": SIDE_CHOICES,
}


class ReadingForm(QWidget):
    """The choices, the outputs by their names among them."""

    changed = Signal()

    def __init__(self, outputs: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.boxes: dict[str, QComboBox] = {
            name: choice_box(self, choices, self.changed.emit, letters=10) for name, choices in CHOICES.items()
        }
        self.transposed = set_texts(QCheckBox(self), text="columns come before rows")
        self.transposed.clicked.connect(self.changed)
        form = Form()
        form.add("First in its planes is", self.boxes["rows"])
        form.add("", self.transposed)
        form.add("Its policy is", self.boxes["policy"])
        form.add("It has an entry", self.boxes["moves"])
        form.add("First in its policy is", self.boxes["policy_rows"])
        form.add("A pass stands", self.boxes["pass_at"])
        form.add("Its value is", self.boxes["value"])
        form.add("It is the value of", self.boxes["value_for"])
        for name, title in (
            ("policy_output", Text("Output of the policy")),
            ("value_output", Text("Output of the value")),
        ):
            box = choice_box(self, _BY_SIZE, self.changed.emit, letters=10)
            for output in outputs:
                box.addItem(output, output)
            self.boxes[name] = box
            form.add(title, box)
        lay_column(form, of=self, margins=0)

    def show_recipe(self, recipe: Recipe) -> None:
        """Show the choices of a recipe; ``changed`` is not emitted."""
        for name, box in self.boxes.items():
            show_value(box, getattr(recipe, name))
        self.transposed.setChecked(recipe.transposed)

    def applied(self, recipe: Recipe) -> Recipe:
        """The recipe with what is chosen here."""
        chosen = {name: box.currentData() for name, box in self.boxes.items()}
        return replace(recipe, transposed=self.transposed.isChecked(), **chosen)
