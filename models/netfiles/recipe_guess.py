"""Guesses the recipe of a net from elsewhere by names and shapes; guesses are compared by the answers of the net."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

from core.games.net_inputs import inputs_of_all, make_inputs
from core.text import Text, text_of
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.net_file import Conventions, NetInfo, NoConventions
from models.netfiles.opened import as_onnx, net_info
from models.netfiles.ort_session import ORT_ERRORS, BadNet, first_line, open_session
from models.netfiles.recipe import ROWS, Recipe, RecipeInput
from models.netfiles.recipe_check import Check, Questions, check, questions
from models.netfiles.recipe_heads import RecipeHeads
from models.netfiles.runtimes import ORT
from models.netfiles.tensors import TensorInfo, row_size
from models.netfiles.trial_run import POSITIONS, check_run

if TYPE_CHECKING:
    from core.games import GameSpec

_TOP, _BOTTOM = ROWS
_OURS: Final = ("mine", "theirs", "last", "first to move")
_MARGIN: Final = 0.1  # of a check's rank, by which the best guess must lead the next

Array = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Guess:
    """A recipe, and what the net answers when it is read so."""

    recipe: Recipe
    check: Check


class Unclear(BadNet):
    """The recipe of a net cannot be guessed."""


def guess_recipe(path: Path, info: NetInfo, game: "GameSpec") -> Guess:
    """The recipe for a file without metadata; :class:`Unclear` says why there is none, :class:`BadNet` that the file
    cannot be used."""
    recipes = fitting_recipes(info, game)
    if not recipes:
        raise Unclear(_sentence(path, Text("its inputs and outputs fit no recipe known for {game}", game=game.text)))
    asked = questions(game)
    session = _session(path, info, game, recipes[0])
    recipes = [_with_kinds(session, info, game, recipe, asked) for recipe in recipes]
    guesses = [Guess(recipe, check(_Reader(session, info, game, recipe), asked)) for recipe in recipes]
    guesses.sort(key=lambda guess: -guess.check.rank)
    best = guesses[0]
    if len(guesses) > 1 and not (best.check.convincing and best.check.rank > guesses[1].check.rank + _MARGIN):
        reason = Text("{count} recipes fit its shapes, and its answers do not tell them apart", count=len(guesses))
        raise Unclear(_sentence(path, reason))
    return best


def open_evaluator(
    path: Path, game: "GameSpec", foreign: Conventions | None = None, device: str = "auto", runtime: str = ORT
) -> tuple[OnnxEvaluator, Guess | None]:
    """The evaluator of a net file, and the guess by which a file is read that nothing was said of.

    :class:`BadNet` when the file is not a net for ``game``."""
    try:
        return OnnxEvaluator(path, game, foreign=foreign, device=device, runtime=runtime), None
    except NoConventions:
        guess = guess_recipe(as_onnx(path), net_info(path), game)
    return OnnxEvaluator(path, game, foreign=guess.recipe, device=device, runtime=runtime), guess


def takes_own_planes(info: NetInfo, game: "GameSpec") -> bool:
    """Whether an input of the net may hold the game's own planes."""
    return any(game.num_planes in _planes_in(one, game) for one in info.inputs)


def _sentence(path: Path, reason: str) -> str:
    return Text(
        "{name} is not a Plyscope net, and its planes cannot be guessed: {reason}; write a recipe and give it by "
        "plyscope import {name} --recipe FILE --out x.onnx, or lay it beside the net as {beside}",
        name=path.name,
        reason=reason,
        beside=f"{path.stem}.recipe.json",
    )


def fitting_recipes(info: NetInfo, game: "GameSpec") -> list[Recipe]:
    """Those of ``candidates`` that fit all inputs and outputs."""
    found = []
    for recipe in candidates(info, game):
        with contextlib.suppress(BadNet):
            _heads(info, game, recipe)
            found.append(recipe)
    return found


def candidates(info: NetInfo, game: "GameSpec") -> Iterator[Recipe]:
    """The recipes that programs known to us use for inputs of these names and shapes."""
    boards = [one for one in info.inputs if _planes_in(one, game)]
    if not boards:
        return
    board = max(boards, key=lambda one: row_size(one, False) or 0)
    beside: list[RecipeInput] = []
    for one in info.inputs:
        word = "" if one is board else _number_of(one)
        if one is not board and not word:
            return
        beside += [RecipeInput((word,), one.name, "numbers")] if word else []
    for count in _planes_in(board, game):
        joined = len(board.shape) == 3 and count > 1
        for name, words, rows, policy_rows in _orders(count, game, joined, bool(beside)):
            values = "value" if any(row_size(t, False) in (1, None) for t in info.outputs) else "wdl-logits"
            if beside and values != "value":
                values = "wld-logits"
            inputs = (RecipeInput(words, board.name), *beside)
            yield Recipe(inputs, game.text, name, rows=rows, policy_rows=policy_rows, value=values)


def _planes_in(tensor: TensorInfo, game: "GameSpec") -> list[int]:
    """How many planes of the board an input may have."""
    shape, (height, width), cells = tensor.shape[1:], game.shape, game.num_cells
    if len(shape) == 3:
        counts = [shape[0]] if shape[1:] in ((height, width), (None, None)) else []
        counts += [shape[2]] if shape[:2] == (height, width) else []
        return [n for n in dict.fromkeys(counts) if n]
    if len(shape) == 2:
        return [1] if shape == (height, width) else [n for n in shape[:1] if n and shape[1] == cells]
    if len(shape) == 1 and shape[0] and shape[0] % cells == 0:
        return [shape[0] // cells]
    return []


def _number_of(tensor: TensorInfo) -> str:
    """What an input without a board holds, by its name; "" where that is not known."""
    name = tensor.name.lower()
    if "mask" in name or "legal" in name:
        return "ones"  # the search looks at legal moves alone
    if name in ("global_input", "stm_input") and row_size(tensor, False) == 1:
        return "-colour"
    return ""


def _orders(count: int, game: "GameSpec", joined: bool, beside: bool) -> list[tuple[str, tuple[str, ...], str, str]]:
    """Name, planes, rows of planes and of the policy of the recipes with so many planes."""
    if count == 1:
        return [("alpha-zero-general", ("mine-theirs",), _TOP, _TOP)]
    if count == 2:
        return [("Rapfi" if beside else "", ("mine", "theirs"), _TOP, _TOP)]
    if count == 3 and joined:
        return [("OpenSpiel", ("first", "second", "first to move"), _TOP, _TOP)]
    if count == 3 and game.gravity:
        return [
            ("OpenSpiel", ("theirs", "mine", "empty"), _BOTTOM, _BOTTOM),
            ("", ("mine", "theirs", "first to move"), _TOP, _TOP),
        ]
    if count == 3:
        absolute = [("OpenSpiel", ("empty", "second", "first"), _TOP, _TOP)] if game.lines else []
        return [
            *absolute,
            ("OpenSpiel", ("empty", "mine", "theirs"), _TOP, _TOP),
            ("", ("mine", "theirs", "first to move"), _TOP, _TOP),
            ("", ("mine", "theirs", "empty"), _TOP, _TOP),
        ]
    if count == 4:  # where a board can be turned over, rows from the bottom in both are no other recipe
        other = ("", _OURS, _BOTTOM, _BOTTOM) if game.gravity else ("AlphaZero_Gomoku", _OURS, _TOP, _BOTTOM)
        return [other, ("", _OURS, _TOP, _TOP)]
    return []


def _heads(info: NetInfo, game: "GameSpec", recipe: Recipe) -> RecipeHeads:
    return RecipeHeads(info.path.name, info.inputs, info.outputs, game, recipe)


def _session(path: Path, info: NetInfo, game: "GameSpec", recipe: Recipe) -> Any:
    """A session on the file, after a run with limits."""
    heads = _heads(info, game, recipe)
    inputs = heads.inputs(*make_inputs(game, heads.encoding, heads.batch or POSITIONS))
    check_run(path, tuple((name, one.shape, one.dtype.name) for name, one in inputs.items()), heads.outputs)
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    return open_session(path, options, ["CPUExecutionProvider"])


def _with_kinds(session: Any, info: NetInfo, game: "GameSpec", recipe: Recipe, asked: Questions) -> Recipe:
    """The recipe with the kinds of policy and value that the net's numbers show."""
    reader = _Reader(session, info, game, recipe)
    policy, value = reader.raw(inputs_of_all(asked.others, reader.encoding).planes)
    if value.shape[1] == 3 and value.min() >= 0 and np.allclose(value.sum(axis=1), 1, atol=1e-3):
        recipe = replace(recipe, value=recipe.value.replace("logits", "probabilities"))
    kind = "logits"
    if policy.min() >= 0 and np.allclose(policy.sum(axis=1), 1, atol=1e-3):
        kind = "probabilities"
    elif policy.max() <= 0 and np.allclose(np.exp(policy.astype(np.float64)).sum(axis=1), 1, atol=1e-3):
        kind = "log-probabilities"
    return replace(recipe, policy=kind)


class _Reader:
    """Evaluates positions with a net read by a recipe."""

    def __init__(self, session: Any, info: NetInfo, game: "GameSpec", recipe: Recipe) -> None:
        self._session, self._heads = session, _heads(info, game, recipe)
        self.description, self.encoding = info.path.name, self._heads.encoding

    def evaluate(self, planes: Array, features: Array | None = None) -> tuple[Array, ...]:
        try:
            return self._heads.answer(self.raw(planes), planes)
        except BadNet:
            raise
        except ValueError as error:
            raise BadNet(text_of(error)) from None

    def raw(self, planes: Array) -> list[Array]:
        """The outputs of the file for policy and value, [B, …] each, in runs of its batch size."""
        size = self._heads.batch or len(planes)
        parts: list[list[Array]] = []
        for start in range(0, len(planes), size):
            rows = [start + i if start + i < len(planes) else start for i in range(size)]
            inputs = self._heads.inputs(planes[rows], planes[rows, 0, 0, :0])
            try:
                found = self._session.run(list(self._heads.outputs), inputs)
            except ORT_ERRORS as error:
                raise BadNet(Text("the net cannot be evaluated: {error}", error=first_line(error))) from None
            parts.append([np.asarray(one, np.float32).reshape(size, -1) for one in found])
        return [np.concatenate(part)[: len(planes)] for part in zip(*parts, strict=True)]
