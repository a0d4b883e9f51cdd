"""Stores a recipe in the file of a net of another program."""

import tempfile
from pathlib import Path
from typing import Final

from core.files.atomic import write_atomically
from core.games import load_game
from core.text import Text
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.net_file import FORMAT, METADATA_PREFIX, RECIPE
from models.netfiles.opened import net_info
from models.netfiles.ort_session import BadNet
from models.netfiles.recipe import Recipe, read_recipe
from models.netfiles.recipe_check import check, questions
from models.netfiles.recipe_guess import guess_recipe

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
        found = check(OnnxEvaluator(trial, game, device="cpu"), questions(game))
    write_atomically(out, data)
    return f"{out}: {game.text}, {recipe.summary}; {found.words}"


def with_recipe(source: Path, recipe: Recipe) -> bytes:
    """The contents of an ONNX file with a recipe in its metadata."""
    import onnx

    if source.stat().st_size > MOST_BYTES:
        raise BadNet(Text("{path!r} is larger than {most} MiB", path=str(source), most=MOST_BYTES >> 20))
    model = onnx.load(str(source))
    about = {"format": FORMAT, "game": recipe.game, "encoding": RECIPE, RECIPE: recipe.to_json(), "step": "0"}
    kept = {prop.key: prop.value for prop in model.metadata_props}
    onnx.helper.set_model_props(model, {**kept, **{METADATA_PREFIX + key: text for key, text in about.items()}})
    data: bytes = model.SerializeToString()
    return data
