"""The dialog of a net's recipe: what is changed is shown and asked at once, and saved whole."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto, helper
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QSpinBox
from pytestqt.qtbot import QtBot

from core.games import load_game
from gui.jobs.opener import recipe_positions
from gui.jobs.recipe_job import RecipeJob, begin_recipe
from gui.widgets.recipe import recipe_dialog
from gui.widgets.recipe.plane_table import AGO, KIND
from gui.widgets.recipe.recipe_dialog import RecipeDialog
from models.netfiles.net_file import read_net_info
from models.netfiles.recipe import Recipe, RecipeInput, beside, parse_recipe
from tests.models.netfiles.foreign_nets import linear, tactician, write_net

RIGHT = "Its answers bear this reading out."


def opened(
    qtbot: QtBot, path: Path, recipe: Recipe | None = None, game: str = "tictactoe", moves: str = "a1 b2"
) -> tuple[RecipeDialog, RecipeJob]:
    spec = load_game(game)
    begun = begin_recipe(path, read_net_info(path), spec, recipe, "its planes could be anything")
    job = RecipeJob(begun.trial)
    positions = recipe_positions(begun.trial, spec.position(moves))
    dialog = RecipeDialog(job, begun.recipe, begun.recipes, positions, begun.reason)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog, job


def until_answered(qtbot: QtBot, dialog: RecipeDialog) -> None:
    qtbot.waitUntil(dialog.main.isEnabled)


def choose(dialog: RecipeDialog, row: int, name: str, ago: int = 0) -> None:
    """Choose what a plane holds, as a user does."""
    kind, moves = dialog.planes.table.cellWidget(row, KIND), dialog.planes.table.cellWidget(row, AGO)
    assert isinstance(kind, QComboBox)
    assert isinstance(moves, QSpinBox)
    kind.setCurrentIndex(kind.findData(name))
    kind.activated.emit(kind.currentIndex())
    moves.setValue(ago)


def test_a_recipe_is_written_checked_and_saved_beside_the_net(qtbot: QtBot, tmp_path: Path) -> None:
    """From planes that fit by their number alone to those that the net was made for."""
    path = tactician(tmp_path / "net.onnx", 5, 2, 4)
    dialog, job = opened(qtbot, path)
    until_answered(qtbot, dialog)
    assert dialog.planes.words == ("mine", "theirs", "last", "first to move", "zeros")
    assert dialog.reading.boxes["policy"].currentData() == "probabilities"  # its numbers say so
    assert RIGHT not in dialog.findings.verdict.text()
    choose(dialog, 2, "mine")
    choose(dialog, 4, "theirs")
    choose(dialog, 0, "last", 2)
    until_answered(qtbot, dialog)
    assert dialog.findings.verdict.text() == RIGHT
    assert "it finds 12 of 12 wins in one move" in dialog.findings.answers.text()
    assert dialog.findings.planes.names[0] == "last move, 2 moves earlier"
    assert max(dialog.findings.board.shares.values(), default=0) > 0
    with qtbot.waitSignal(job.saved):
        dialog.save.click()
    written = parse_recipe(beside(path).read_bytes())
    assert written.planes == ("last 3", "theirs", "mine", "first to move", "theirs")
    assert (written.game, written.policy) == ("tictactoe", "probabilities")
    assert dialog.result() == RecipeDialog.DialogCode.Accepted
    assert [one.name for one in tmp_path.iterdir() if "recipe" in one.name] == ["net.recipe.json"]


def test_rows_are_added_moved_and_removed_and_what_does_not_fit_is_a_sentence(qtbot: QtBot, tmp_path: Path) -> None:
    path, _, _ = linear(tmp_path / "net.onnx", ["batch", 3, 3, 3], 9)
    dialog, _ = opened(qtbot, path, Recipe((RecipeInput(("mine", "theirs", "ones")),)))
    until_answered(qtbot, dialog)
    table = dialog.planes
    table.table.setCurrentCell(2, KIND)
    table.up.click()
    assert table.words == ("mine", "ones", "theirs")
    table.add.click()
    assert table.words == ("mine", "ones", "zeros", "theirs")
    qtbot.waitUntil(lambda: "the recipe gives it 4 planes" in dialog.error.text())
    assert not dialog.main.isEnabled()
    assert not dialog.save.isEnabled()
    table.remove.click()
    until_answered(qtbot, dialog)
    assert table.words == ("mine", "ones", "theirs")
    assert dialog.error.text() == ""
    dialog.recipes.setCurrentIndex(2)
    dialog.recipes.activated.emit(2)
    assert dialog.recipe.planes == dialog.planes.words != ("mine", "ones", "theirs")
    until_answered(qtbot, dialog)


def test_a_copy_gets_the_recipe(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, _, _ = linear(tmp_path / "net.onnx", ["batch", 3, 3, 3], 9)
    recipe = Recipe((RecipeInput(("mine", "theirs", "-last")),))
    dialog, job = opened(qtbot, path, recipe)
    until_answered(qtbot, dialog)
    dialog.reading.boxes["value_for"].setCurrentIndex(1)
    dialog.reading.changed.emit()
    until_answered(qtbot, dialog)
    monkeypatch.setattr(recipe_dialog, "ask_save_name", lambda *_: tmp_path / "copy.onnx")
    with qtbot.waitSignal(job.saved):
        dialog.save_copy.click()
    stored = read_net_info(tmp_path / "copy.onnx").recipe
    assert (stored.planes, stored.value_for, stored.game) == (recipe.planes, "first", "tictactoe")


def test_a_folder_that_cannot_be_written_is_a_sentence(qtbot: QtBot, tmp_path: Path) -> None:
    path, _, _ = linear(tmp_path / "net.onnx", ["batch", 3, 3, 3], 9)
    dialog, job = opened(qtbot, path, Recipe((RecipeInput(("mine", "theirs", "ones")),)))
    until_answered(qtbot, dialog)
    beside(path).mkdir()
    with qtbot.waitSignal(job.unsaved):
        dialog.save.click()
    assert "net.recipe.json' cannot be written" in dialog.error.text()
    assert dialog.isVisible()


def test_outputs_of_one_size_are_chosen_by_name(qtbot: QtBot, tmp_path: Path) -> None:
    """In a game of three actions win, draw and loss look like a policy."""
    nodes = [
        helper.make_node("Flatten", ["x"], ["flat"]),
        helper.make_node("Slice", ["flat", "from", "to", "axis"], ["a"]),
        helper.make_node("Neg", ["a"], ["b"]),
    ]
    weights = {name: np.array([i]) for name, i in (("from", 0), ("to", 3), ("axis", 1))}
    inputs = {"x": (["batch", 4, 1, 5], TensorProto.FLOAT)}
    path = write_net(tmp_path / "net.onnx", inputs, nodes, weights, {"a": ["batch", 3], "b": ["batch", 3]})
    recipe = Recipe((RecipeInput(("mine", "theirs", "last", "ones")),), value="wdl-logits")
    dialog, _ = opened(qtbot, path, recipe, "nim(heaps=5, max_take=3)", "")
    qtbot.waitUntil(lambda: "name the one to use" in dialog.error.text())
    for name, output in (("policy_output", "a"), ("value_output", "b")):
        box = dialog.reading.boxes[name]
        box.setCurrentIndex(box.findData(output))
    dialog.reading.changed.emit()
    until_answered(qtbot, dialog)
    assert (dialog.recipe.policy_output, dialog.recipe.value_output) == ("a", "b")
