"""Reads one net of another program by one recipe after the other, without a runtime of its own for each.

Letters: B batch, A actions.
"""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

from core.engine.evaluator import Evaluator, ask
from core.games import GameSpec, Position
from core.games.net_inputs import inputs_of, inputs_of_all, make_inputs
from core.text import text_of
from models.netfiles.agreement import chances
from models.netfiles.heads import RecipeHeads
from models.netfiles.net_file import NetInfo
from models.netfiles.ort_session import ORT_ERRORS, POSITIONS, BadNet, check_run, first_line, open_session
from models.netfiles.recipe import Recipe
from models.netfiles.recipe_check import Check, Questions, check, questions

Array = NDArray[np.float32]


def heads_by(info: NetInfo, game: "GameSpec", recipe: Recipe) -> RecipeHeads:
    """The inputs and outputs of a net file as a recipe says; :class:`BadNet` when they do not fit it."""
    return RecipeHeads(info.path.name, info.inputs, info.outputs, game, recipe)


def open_for_reading(path: Path, info: NetInfo, game: "GameSpec", recipe: Recipe) -> Any:
    """A session on the file, after a run with limits."""
    heads = heads_by(info, game, recipe)
    inputs = heads.inputs(*make_inputs(game, heads.encoding, heads.batch or POSITIONS))
    check_run(path, tuple((name, array.shape, array.dtype.name) for name, array in inputs.items()), heads.outputs)
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    return open_session(path, options, ["CPUExecutionProvider"])


class RecipeReader(Evaluator):
    """Evaluates positions with a net read by a recipe."""

    def __init__(self, session: Any, info: NetInfo, game: "GameSpec", recipe: Recipe) -> None:
        self.recipe = recipe
        self._session, self._heads = session, heads_by(info, game, recipe)
        self._name, self.encoding = info.path.name, self._heads.encoding

    @property
    def description(self) -> str:
        return self._name

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
                outputs = self._session.run(list(self._heads.outputs), inputs)
            except ORT_ERRORS as error:
                raise BadNet(f"the net cannot be evaluated: {first_line(error)}") from None
            parts.append([np.asarray(output, np.float32).reshape(size, -1) for output in outputs])
        return [np.concatenate(part)[: len(planes)] for part in zip(*parts, strict=True)]


def with_kinds(reader: RecipeReader, questions: Questions) -> Recipe:
    """The reader's recipe with the kinds of policy and value that the net's numbers show."""
    recipe = reader.recipe
    policy, value = reader.raw(inputs_of_all(questions.others, reader.encoding).planes)
    if value.shape[1] == 3 and value.min() >= 0 and np.allclose(value.sum(axis=1), 1, atol=1e-3):
        recipe = replace(recipe, value=recipe.value.replace("logits", "probabilities"))
    kind = "logits"
    if policy.min() >= 0 and np.allclose(policy.sum(axis=1), 1, atol=1e-3):
        kind = "probabilities"
    elif policy.max() <= 0 and np.allclose(np.exp(policy.astype(np.float64)).sum(axis=1), 1, atol=1e-3):
        kind = "log-probabilities"
    return replace(recipe, policy=kind)


@dataclass(frozen=True, slots=True)
class Answered:
    """What a net says when it is read by a recipe."""

    check: Check
    shares: dict[int, float]  # of the legal moves of one position
    value: float  # of it, for the side to move


class RecipeTrial:
    """One net file for one game, asked again for each recipe that is tried; ``ask`` from one thread at a time."""

    def __init__(self, path: Path, info: NetInfo, game: "GameSpec") -> None:
        self.path, self.info, self.game = path, info, game
        self.questions = questions(game)
        self._session: Any = None

    def _reader(self, recipe: Recipe) -> RecipeReader:
        heads_by(self.info, self.game, recipe)  # says what does not fit before anything is run
        if self._session is None:
            self._session = open_for_reading(self.path, self.info, self.game, recipe)
        return RecipeReader(self._session, self.info, self.game, recipe)

    def kinds(self, recipe: Recipe) -> Recipe:
        """The recipe with the kinds that the net's numbers show; as it is where it does not fit."""
        try:
            return with_kinds(self._reader(recipe), self.questions)
        except BadNet:
            return recipe

    def ask(self, recipe: Recipe, position: "Position") -> Answered:
        """The answers of the net to the usual questions and to ``position``; :class:`BadNet` when it has none."""
        reader = self._reader(recipe)
        result = check(reader, self.questions)
        logits, values, _ = ask(reader, inputs_of(position, reader.encoding), self.game.num_actions)
        legal = np.zeros((1, self.game.num_actions), np.bool_)
        legal[0, list(position.legal_actions())] = True
        shares = chances(logits, legal)[0]
        return Answered(
            result, {action: float(shares[action]) for action in position.legal_actions()}, float(values[0])
        )
