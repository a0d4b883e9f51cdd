"""Asks a net of another program by recipes that are tried, and saves one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from gui.jobs.newest import Newest
from gui.jobs.task import run_task
from gui.widgets.saving import write_file

if TYPE_CHECKING:
    from core.games import GameSpec, Position
    from models.netfiles.net_file import NetInfo
    from models.netfiles.recipe import Recipe
    from models.netfiles.recipe_reader import RecipeTrial


@dataclass(frozen=True)
class Beginning:
    """What the dialog of a net's recipe begins with."""

    trial: RecipeTrial
    recipe: Recipe
    recipes: list[Recipe]  # that fit its inputs and outputs
    reason: str = ""  # why it could not be guessed


def begin_recipe(path: Path, info: NetInfo, game: GameSpec, recipe: Recipe | None, reason: str = "") -> Beginning:
    """Prepare the dialog of a net with this recipe, None for one to begin with; takes a while, for a thread.

    ``ValueError`` when the net cannot be evaluated."""
    from models.netfiles.recipe_guess import draft, fitting_recipes
    from models.netfiles.recipe_reader import RecipeTrial

    trial = RecipeTrial(path, info, game)
    recipes = [trial.kinds(fitting) for fitting in fitting_recipes(info, game)]
    return Beginning(trial, recipe or trial.kinds(draft(info, game)), recipes, reason)


class RecipeJob(Newest):
    """The net that a user writes a recipe for; asks it by the newest recipe."""

    saved = Signal(object, object)  # Path of the net that has the recipe now, and the recipe
    unsaved = Signal(object)  # a sentence

    def __init__(self, trial: RecipeTrial, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.trial = trial

    def ask(self, recipe: Recipe, position: Position) -> None:
        """Ask the net, read by ``recipe``, about ``position`` and what its recipe is checked by."""
        self.put(lambda _stale, _report: self.trial.ask(recipe, position))

    def save_beside(self, recipe: Recipe) -> None:
        """Write the recipe beside the net."""
        path = self.trial.path

        def write() -> Path:
            from models.netfiles.recipe import beside

            write_file(beside(path), recipe.to_json().encode())
            return path

        self._save(write, recipe)

    def save_copy(self, recipe: Recipe, to: Path) -> None:
        """Write a copy of the net with the recipe in its metadata."""
        path = self.trial.path

        def write() -> Path:
            from models.netfiles.recipe_guess import with_recipe

            write_file(to, with_recipe(path, recipe))
            return to

        self._save(write, recipe)

    def _save(self, write: Callable[[], Path], recipe: Recipe) -> None:
        run_task(self, write, lambda path: self.saved.emit(path, recipe), self.unsaved.emit, writes=True)
