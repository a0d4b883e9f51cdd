"""Guesses the recipe of a net from elsewhere by names and shapes; guesses are compared by the answers of the net.

A recipe that fits can be stored in the net's file."""

import contextlib
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.files.atomic import write_atomically
from core.games import GameSpec, load_game
from core.games.past_boards import MOST_BOARDS
from core.text import Text
from models.netfiles import katago_file as katago
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.net_file import FORMAT, METADATA_PREFIX, RECIPE, NetInfo, NoRecipe
from models.netfiles.opened import as_onnx, net_info
from models.netfiles.ort_session import BadNet, TensorInfo, row_size
from models.netfiles.recipe import MOST_PLANES, ROWS, Recipe, RecipeInput, past_word, read_recipe
from models.netfiles.recipe_check import Check, check, questions
from models.netfiles.recipe_reader import RecipeReader, heads_by, open_for_reading, with_kinds
from models.netfiles.runtimes import ORT
from models.netfiles.tapped import TappedNet

_TOP, _BOTTOM = ROWS
_OURS: Final = ("mine", "theirs", "last", "first to move")
_FEWEST_STACKED: Final = 7  # planes, from which they are taken for those of several boards
_KATAGO: Final = {(4, katago.PLANES), (2, katago.GLOBALS)}  # dimensions and channels of the inputs of KataGo's nets
_MARGIN: Final = 0.1  # of a check's rank, by which the best guess must lead the next
_FAR: Final = 0.4  # the same where it finds only half of the wins

Array = NDArray[np.float32]
Opened = TypeVar("Opened")


@dataclass(frozen=True, slots=True)
class Guess:
    """A recipe, and what the net answers when it is read so."""

    recipe: Recipe
    check: Check


class Unclear(BadNet):
    """The recipe of a net cannot be guessed; ``reason`` is a part of a sentence."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(
            Text(
                "{name} is not a Plyscope net, and its planes cannot be guessed: {reason}; write a recipe and give it "
                "by plyscope import {name} --recipe FILE --out x.onnx, or lay it beside the net as {beside}",
                name=path.name,
                reason=reason,
                beside=f"{path.stem}.recipe.json",
            )
        )
        self.reason = reason


def guess_recipe(path: Path, info: NetInfo, game: GameSpec) -> Guess:
    """The recipe for a file without metadata; :class:`Unclear` says why there is none, :class:`BadNet` that the file
    cannot be used."""
    if _KATAGO.issubset((len(tensor.shape), tensor.shape[1]) for tensor in info.inputs if len(tensor.shape) > 1):
        raise BadNet(
            Text(
                "{name} takes the inputs of KataGo's nets, which no recipe can describe; open the net's original file, "
                "which ends in .bin.gz",
                name=path.name,
            )
        )
    recipes = fitting_recipes(info, game)
    if not recipes:
        raise Unclear(path, f"its inputs and outputs fit no recipe known for {game.text}")
    usual_questions = questions(game)
    session = open_for_reading(path, info, game, recipes[0])
    recipes = [with_kinds(RecipeReader(session, info, game, recipe), usual_questions) for recipe in recipes]
    guesses = [Guess(recipe, check(RecipeReader(session, info, game, recipe), usual_questions)) for recipe in recipes]
    guesses.sort(key=lambda guess: -guess.check.rank)
    best = guesses[0]
    if len(guesses) > 1 and not stands_out(best.check, guesses[1].check):
        reason = f"{len(guesses)} recipes fit its shapes, and its answers do not tell them apart"
        raise Unclear(path, reason)
    return best


def stands_out(best: Check, second: Check) -> bool:
    """Whether the answers of the best guess tell it from the second best: by far where they do not convince."""
    lead = best.rank - second.rank
    return (best.convincing and lead > _MARGIN) or (best.partly and lead > _FAR)


def open_evaluator(
    path: Path, game: GameSpec, recipe: Recipe | None = None, device: str = "auto", runtime: str = ORT
) -> tuple[OnnxEvaluator, Guess | None]:
    """The evaluator of a net file, and the guess by which a file is read that nothing was said of.

    :class:`BadNet` when the file is not a net for ``game``."""
    return open_guessed(partial(OnnxEvaluator, path, game, device=device, runtime=runtime), path, game, recipe)


def open_tapped(path: Path, game: GameSpec, recipe: Recipe | None = None) -> tuple[TappedNet, Guess | None]:
    """As :func:`open_evaluator`, a net that can be looked into block by block."""
    return open_guessed(partial(TappedNet, path, game), path, game, recipe)


def open_guessed(
    open_net: Callable[..., Opened], path: Path, game: GameSpec, recipe: Recipe | None
) -> tuple[Opened, Guess | None]:
    """What ``open_net`` makes of a recipe, and the guess by which a file is read that nothing was said of."""
    try:
        return open_net(recipe=recipe), None
    except NoRecipe:
        guess = guess_recipe(as_onnx(path), net_info(path), game)
    return open_net(recipe=guess.recipe), guess


def fitting_recipes(info: NetInfo, game: GameSpec) -> list[Recipe]:
    """Those of ``candidates`` that fit all inputs and outputs."""
    recipes = []
    for recipe in candidates(info, game):
        with contextlib.suppress(BadNet):
            heads_by(info, game, recipe)
            recipes.append(recipe)
    return recipes


def candidates(info: NetInfo, game: GameSpec) -> Iterator[Recipe]:
    """The recipes that programs known to us use for inputs of these names and shapes."""
    boards = [tensor for tensor in info.inputs if planes_in(tensor, game)]
    if not boards:
        return
    board = max(boards, key=lambda tensor: row_size(tensor, False) or 0)
    beside: list[RecipeInput] = []
    for tensor in info.inputs:
        word = "" if tensor is board else number_of(tensor)
        if tensor is not board and not word:
            return
        beside += [RecipeInput((word,), tensor.name, "numbers")] if word else []
    for count in planes_in(board, game):
        joined = len(board.shape) == 3 and count > 1
        for name, words, rows, policy_rows in _orders(count, game, joined, bool(beside)):
            values = "value" if any(row_size(t, False) in (1, None) for t in info.outputs) else "wdl-logits"
            if beside and values != "value":
                values = "wld-logits"
            inputs = (RecipeInput(words, board.name), *beside)
            yield Recipe(inputs, game.text, name, rows=rows, policy_rows=policy_rows, value=values)


def planes_in(tensor: TensorInfo, game: GameSpec) -> list[int]:
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


def number_of(tensor: TensorInfo) -> str:
    """What an input without a board holds, by its name; "" where that is not known."""
    name = tensor.name.lower()
    if "mask" in name or "legal" in name:
        return "ones"  # the search looks at legal moves alone
    if name in ("global_input", "stm_input") and row_size(tensor, False) == 1:
        return "-colour"
    return ""


def _orders(count: int, game: GameSpec, joined: bool, beside: bool) -> list[tuple[str, tuple[str, ...], str, str]]:
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
    if count >= _FEWEST_STACKED and not beside:
        turn = ("first to move", "second to move")[: 2 - count % 2]
        boards = range((count - len(turn)) // 2)
        pairs = tuple(past_word(word, ago) for ago in boards for word in ("mine", "theirs"))
        apart = tuple(past_word(word, ago) for word in ("mine", "theirs") for ago in boards)
        name = "AlphaGo Zero" if count % 2 else "Leela Zero"
        orders = ((*pairs, *turn), (*apart, *turn)) if boards[-1] < MOST_BOARDS else ()
        return [(name, words, _TOP, _TOP) for words in orders]
    if count == 4:  # where a board can be turned over, rows from the bottom in both are no other recipe
        other = ("", _OURS, _BOTTOM, _BOTTOM) if game.gravity else ("AlphaZero_Gomoku", _OURS, _TOP, _BOTTOM)
        return [other, ("", _OURS, _TOP, _TOP)]
    return []


def draft(info: NetInfo, game: GameSpec) -> Recipe:
    """A recipe to begin with: one that is known, else one whose planes fit by their number alone."""
    for recipe in fitting_recipes(info, game):
        return recipe
    inputs = []
    for tensor in info.inputs:
        counts, word = planes_in(tensor, game), number_of(tensor)
        if counts and not word:
            inputs.append(RecipeInput((*_OURS, *["zeros"] * counts[0])[: counts[0]], tensor.name))
        else:
            size = row_size(tensor, False) or 1
            inputs.append(
                RecipeInput((word or "zeros",) * (1 if word else min(size, MOST_PLANES)), tensor.name, "numbers")
            )
    single = any(row_size(output, False) == 1 for output in info.outputs)
    return Recipe(tuple(inputs), game.text, value="value" if single else "wdl-logits")


MOST_BYTES: Final = 1 << 30  # of a net's file


def import_by_recipe(source: Path, out: Path, recipe_path: Path | None, game_text: str | None) -> str:
    """Write the net in ``source`` with a recipe, given or guessed, to ``out``; a sentence about it.

    ValueError when net, recipe and game do not go together, OSError when ``out`` cannot be written.
    """
    info = net_info(source)
    if not info.is_foreign and info.recipe is None:
        raise BadNet(Text("{path!r} is a net of this program already and needs no recipe", path=str(source)))
    game = load_game(game_text) if game_text else None
    if recipe_path is not None:
        recipe = read_recipe(recipe_path, game.text if game else "")
        if not recipe.game:
            raise BadNet(f"{str(recipe_path)!r} names no game; write one into it, or name one with --game")
        game = load_game(recipe.game)
    elif game is not None:
        recipe = guess_recipe(source, info, game).recipe
    else:
        raise BadNet(f"{str(source)!r} is an ONNX file; name its game with --game, or give a --recipe")
    data = with_recipe(source, recipe)
    with tempfile.TemporaryDirectory() as folder:
        trial = Path(folder) / source.name
        trial.write_bytes(data)
        result = check(OnnxEvaluator(trial, game, device="cpu"), questions(game))
    write_atomically(out, data)
    return f"{out}: {game.text}, {recipe.summary}; {result.words}"


def with_recipe(source: Path, recipe: Recipe) -> bytes:
    """The contents of an ONNX file with a recipe in its metadata."""
    import onnx

    if source.stat().st_size > MOST_BYTES:
        raise BadNet(Text("{path!r} is larger than {most} MiB", path=str(source), most=MOST_BYTES >> 20))
    model = onnx.load(str(source))
    about = {"format": FORMAT, "game": recipe.game, "encoding": RECIPE, RECIPE: recipe.to_json(), "step": "0"}
    metadata = {prop.key: prop.value for prop in model.metadata_props}
    onnx.helper.set_model_props(model, {**metadata, **{METADATA_PREFIX + key: text for key, text in about.items()}})
    data: bytes = model.SerializeToString()
    return data
