"""The command ``plyscope inspect``: what a net file holds, what it could be for, how it answers and how fast."""

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from core.files.game_files import position_of
from core.games import GAMES, Position, load_game
from core.games.encoding import OWN
from core.games.net_inputs import inputs_of
from core.games.spec import BadGame
from models.commands.analyze import add_device
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.net_file import NetInfo
from models.netfiles.opened import as_onnx, net_info, usual_game
from models.netfiles.ort_session import BadNet, shape_text
from models.netfiles.recipe import Recipe, json_of, planes_of, read_recipe
from models.netfiles.recipe_check import Check, check, questions
from models.netfiles.recipe_guess import Guess, Unclear, fitting_recipes, guess_recipe
from models.netfiles.recipe_planes import shown_planes as planes_shown
from models.netfiles.runtimes import ORT

if TYPE_CHECKING:
    from core.games import GameSpec
    from models.netfiles.quantise import Speed

MEASURE_S: Final = 0.1  # at each batch size
_LINE_WORDS: Final = (3, 4, 5)  # in a row, tried for games that do not say
_WIDTH: Final = 100  # characters of a line of planes


@dataclass(slots=True)
class Inspection:
    """What was found out about a net file."""

    info: NetInfo
    size: int  # bytes
    game: str = ""
    recipe: Recipe | None = None
    guessed: bool = False
    check: Check | None = None
    speeds: "list[Speed]" = field(default_factory=list)
    place: str = ""  # where the speeds were measured
    notes: list[str] = field(default_factory=list)  # why it was not evaluated
    possible: dict[str, str] = field(default_factory=dict)  # games that it may be for, and what speaks for each


def add_inspect(commands: "argparse._SubParsersAction[Any]") -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "inspect",
        help="what a net file holds and what it could be for",
        description="Tell a net file's inputs, outputs, size, game, encoding or recipe, how it answers to wins in one "
        "move and under symmetries, and its speed by batch.  For a net that does not say its game: which it could be "
        "for.  A recipe is guessed by names, shapes and answers where that can be.",
    )
    parser.add_argument("net", type=Path, metavar="NET", help="a net file of any kind that can be opened")
    parser.add_argument("--game", metavar="GAME", help="read it as a net for this game")
    parser.add_argument("--recipe", type=Path, metavar="FILE", help="read it by a recipe in a JSON file")
    parser.add_argument("--planes", metavar="MOVES", help='print its input planes after these moves: "d d c"')
    parser.add_argument("--json", action="store_true", help="one JSON object")
    add_device(parser, "where speed is measured: ", ORT)
    parser.set_defaults(run=inspect_command)


def inspect_command(args: argparse.Namespace) -> int:
    """Inspect the net and print what was found."""
    found = inspect(args.net, args.game, args.recipe, args.device, args.runtime)
    if args.json:
        print(json.dumps(as_json(found), ensure_ascii=False))
    else:
        print("\n".join(lines(found)))
    if args.planes is not None:
        if not found.game:
            raise ValueError("--planes needs a game; name it with --game")
        position = position_of(load_game(found.game), args.planes).position
        print("\n".join(["", *plane_lines(position, shown_planes(position, found))]))
    return 0


def inspect(path: Path, game_text: str | None, recipe_path: Path | None, device: str, runtime: str) -> Inspection:
    """What is found out about a net; ``ValueError`` when it cannot be opened."""
    info = net_info(path)
    inspection = Inspection(info, path.stat().st_size, recipe=info.recipe)
    if recipe_path is not None:
        inspection.recipe = read_recipe(recipe_path, load_game(game_text).text if game_text else "")
    text = game_text or (inspection.recipe.game if inspection.recipe else "")
    game = load_game(text) if text else usual_game(info)
    recipe = inspection.recipe
    if game is None:
        best = _best_game(inspection, path)
        if best is None:
            return inspection
        game, recipe = load_game(best.recipe.game), best.recipe
        if best.check.convincing:
            inspection.game, inspection.recipe, inspection.guessed = game.text, best.recipe, True
    else:
        inspection.game = game.text
        if info.is_foreign and recipe is None:
            try:
                recipe = guess_recipe(as_onnx(path), info, game).recipe
            except Unclear as error:
                inspection.notes.append(str(error))
                return inspection
            inspection.recipe, inspection.guessed = recipe, True
    evaluator = OnnxEvaluator(path, game, recipe=recipe, device=device, runtime=runtime)
    if inspection.game and (evaluator.encoding.name == OWN or inspection.recipe):
        inspection.check = check(evaluator, questions(game))
    from models.netfiles.quantise import measure_speeds  # imports onnx

    inspection.place = evaluator.place
    (inspection.speeds,) = measure_speeds([evaluator], game, MEASURE_S)
    return inspection


def _best_game(found: Inspection, path: Path) -> Guess | None:
    """Note the games for which a known recipe fits; the guess that the net's answers bear out best."""
    guesses: list[Guess] = []
    for game in games_of(found.info):
        try:
            guess = guess_recipe(as_onnx(path), found.info, game)
        except Unclear:
            if fitting_recipes(found.info, game):
                found.possible[game.text] = "its shapes fit; several recipes are possible"
            continue
        except BadNet as error:
            found.notes.append(str(error))
            return None
        guesses.append(guess)
        found.possible[game.text] = f"{guess.recipe.summary}: {guess.check.words}"
    return max(guesses, key=lambda guess: guess.check.rank, default=None)


def games_of(info: NetInfo) -> "Iterator[GameSpec]":
    """Games whose board has the size of an input of the net, and the usual ones."""
    sizes = {pair for one in info.inputs for pair in zip(one.shape[1:], one.shape[2:], strict=False)}
    seen: set[str] = set()
    for family in GAMES.values():
        texts = [family.name]
        named = [parameter.name for parameter in family.parameters]
        for rows, cols in sorted((a, b) for a, b in sizes if a and b):
            if "size" in named and rows == cols:
                texts.append(f"{family.name}(size={rows})")
            elif {"rows", "cols"} <= set(named):
                counts = [f", k={k}" for k in _LINE_WORDS if k <= max(rows, cols)] if "k" in named else [""]
                texts += [f"{family.name}(rows={rows}, cols={cols}{count})" for count in counts]
        for text in texts:
            try:
                game = load_game(text)
            except BadGame:
                continue
            if game.text not in seen:
                seen.add(game.text)
                yield game


def lines(found: Inspection) -> list[str]:
    """What was found, a line each."""
    info = found.info
    said = [f"{info.path}: {found.size / 1024:,.0f} KiB, {info.precision}"]
    for title, tensors in (("input", info.inputs), ("output", info.outputs)):
        said += [f"{title:<9} {one.name} {shape_text(one.shape)} {one.dtype.removeprefix('tensor')}" for one in tensors]
    known = info.game or "not said" if not found.game else found.game
    said.append(f"{'game':<9} {known}" + (f", step {info.step}" if info.step > 0 else ""))
    if found.recipe is not None:
        how = " (guessed)" if found.guessed else ""
        said.append(f"{'recipe':<9} {found.recipe.summary}{how}")
    elif info.encoding:
        said.append(f"{'encoding':<9} {info.encoding}")
    if found.check is not None:
        said.append(f"{'answers':<9} {found.check.words}")
    if found.possible:
        said.append("could be for:")
        said += [f"  {game:<28} {why}" for game, why in found.possible.items()]
    elif not found.game:
        said.append("no recipe that is known fits its inputs and outputs; describe them with --recipe FILE")
    said += found.notes
    if found.speeds:
        said += [f"speed on {found.place}:", "  batch        ms  positions/s"]
        said += [f"{one.batch:>7} {one.ms:>9.3f} {one.positions_per_s:>12,.0f}" for one in found.speeds]
    return said


def as_json(found: Inspection) -> dict[str, Any]:
    """What was found as data of JSON."""
    info = found.info
    return {
        "path": str(info.path),
        "size": found.size,
        "precision": info.precision,
        "inputs": [asdict(one) for one in info.inputs],
        "outputs": [asdict(output) for output in info.outputs],
        "game": found.game,
        "step": max(0, info.step),
        "encoding": info.encoding,
        "recipe": json_of(found.recipe),
        "guessed": found.guessed,
        "check": asdict(found.check) if found.check else None,
        "possible": found.possible,
        "notes": found.notes,
        "place": found.place,
        "speeds": [
            {"batch": speed.batch, "ms": speed.ms, "positions_per_s": speed.positions_per_s} for speed in found.speeds
        ],
    }


def shown_planes(position: Position, found: Inspection) -> list[tuple[str, np.ndarray]]:
    """Name and numbers of each plane that the net is given for a position, row 0 on top."""
    game = position.game
    if found.recipe is not None:
        words = planes_of(found.recipe.encoding_name)
        return list(zip(words, planes_shown(words, position), strict=True))
    encoding = next((one for one in game.encodings if one.name == found.info.encoding), game.encodings[0])
    names: Sequence[str] = encoding.planes or ("mine", "theirs", "last", "first to move")
    return list(zip(names, inputs_of(position, encoding).planes[0], strict=True))


def plane_lines(position: Position, shown: Sequence[tuple[str, np.ndarray]]) -> list[str]:
    """Planes as text beside each other: a digit, ``.`` for 0, ``-`` for -1 and ``+`` for what lies between."""
    said = [position.diagram(), ""]
    width = max(position.game.shape[1], 16) + 3
    across = max(1, _WIDTH // width)
    for start in range(0, len(shown), across):
        row = shown[start : start + across]
        said.append("".join(f"{name[: width - 1]:<{width}}" for name, _ in row).rstrip())
        for r in range(position.game.shape[0]):
            said.append("".join(f"{''.join(map(_sign, plane[r])):<{width}}" for _, plane in row).rstrip())
        said.append("")
    return said[:-1]


def _sign(value: float) -> str:
    whole = {0.0: ".", 1.0: "1", -1.0: "-"}
    return whole.get(float(value), "+")
