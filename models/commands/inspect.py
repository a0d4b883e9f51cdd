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
    inspection = inspect(args.net, args.game, args.recipe, args.device, args.runtime)
    if args.json:
        print(json.dumps(as_json(inspection), ensure_ascii=False))
    else:
        print("\n".join(lines(inspection)))
    if args.planes is not None:
        if not inspection.game:
            raise ValueError("--planes needs a game; name it with --game")
        position = position_of(load_game(inspection.game), args.planes).position
        print("\n".join(["", *plane_lines(position, shown_planes(position, inspection))]))
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


def _best_game(inspection: Inspection, path: Path) -> Guess | None:
    """Note the games for which a known recipe fits; the guess that the net's answers bear out best."""
    guesses: list[Guess] = []
    for game in games_of(inspection.info):
        try:
            guess = guess_recipe(as_onnx(path), inspection.info, game)
        except Unclear:
            if fitting_recipes(inspection.info, game):
                inspection.possible[game.text] = "its shapes fit; several recipes are possible"
            continue
        except BadNet as error:
            inspection.notes.append(str(error))
            return None
        guesses.append(guess)
        inspection.possible[game.text] = f"{guess.recipe.summary}: {guess.check.words}"
    return max(guesses, key=lambda guess: guess.check.rank, default=None)


def games_of(info: NetInfo) -> "Iterator[GameSpec]":
    """Games whose board has the size of an input of the net, and the usual ones."""
    sizes = {pair for tensor in info.inputs for pair in zip(tensor.shape[1:], tensor.shape[2:], strict=False)}
    listed: set[str] = set()
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
            if game.text not in listed:
                listed.add(game.text)
                yield game


def lines(inspection: Inspection) -> list[str]:
    """An inspection as text, line by line."""
    info = inspection.info
    rows = [f"{info.path}: {inspection.size / 1024:,.0f} KiB, {info.precision}"]
    for title, tensors in (("input", info.inputs), ("output", info.outputs)):
        rows += [
            f"{title:<9} {tensor.name} {shape_text(tensor.shape)} {tensor.dtype.removeprefix('tensor')}"
            for tensor in tensors
        ]
    game_text = info.game or "not said" if not inspection.game else inspection.game
    rows.append(f"{'game':<9} {game_text}" + (f", step {info.step}" if info.step > 0 else ""))
    if inspection.recipe is not None:
        how = " (guessed)" if inspection.guessed else ""
        rows.append(f"{'recipe':<9} {inspection.recipe.summary}{how}")
    elif info.encoding:
        rows.append(f"{'encoding':<9} {info.encoding}")
    if inspection.check is not None:
        rows.append(f"{'answers':<9} {inspection.check.words}")
    if inspection.possible:
        rows.append("could be for:")
        rows += [f"  {game:<28} {why}" for game, why in inspection.possible.items()]
    elif not inspection.game:
        rows.append("no recipe that is known fits its inputs and outputs; describe them with --recipe FILE")
    rows += inspection.notes
    if inspection.speeds:
        rows += [f"speed on {inspection.place}:", "  batch        ms  positions/s"]
        rows += [f"{speed.batch:>7} {speed.ms:>9.3f} {speed.positions_per_s:>12,.0f}" for speed in inspection.speeds]
    return rows


def as_json(inspection: Inspection) -> dict[str, Any]:
    """An inspection as data of JSON."""
    info = inspection.info
    return {
        "path": str(info.path),
        "size": inspection.size,
        "precision": info.precision,
        "inputs": [asdict(tensor) for tensor in info.inputs],
        "outputs": [asdict(output) for output in info.outputs],
        "game": inspection.game,
        "step": max(0, info.step),
        "encoding": info.encoding,
        "recipe": json_of(inspection.recipe),
        "guessed": inspection.guessed,
        "check": asdict(inspection.check) if inspection.check else None,
        "possible": inspection.possible,
        "notes": inspection.notes,
        "place": inspection.place,
        "speeds": [
            {"batch": speed.batch, "ms": speed.ms, "positions_per_s": speed.positions_per_s}
            for speed in inspection.speeds
        ],
    }


def shown_planes(position: Position, inspection: Inspection) -> list[tuple[str, np.ndarray]]:
    """Name and numbers of each plane that the net is given for a position, row 0 on top."""
    game = position.game
    if inspection.recipe is not None:
        words = planes_of(inspection.recipe.encoding_name)
        return list(zip(words, planes_shown(words, position), strict=True))
    encoding = next(
        (candidate for candidate in game.encodings if candidate.name == inspection.info.encoding), game.encodings[0]
    )
    names: Sequence[str] = encoding.planes or ("mine", "theirs", "last", "first to move")
    return list(zip(names, inputs_of(position, encoding).planes[0], strict=True))


def plane_lines(position: Position, shown: Sequence[tuple[str, np.ndarray]]) -> list[str]:
    """Planes as text beside each other: a digit, ``.`` for 0, ``-`` for -1 and ``+`` for what lies between."""
    rows = [position.diagram(), ""]
    width = max(position.game.shape[1], 16) + 3
    across = max(1, _WIDTH // width)
    for start in range(0, len(shown), across):
        row = shown[start : start + across]
        rows.append("".join(f"{name[: width - 1]:<{width}}" for name, _ in row).rstrip())
        for r in range(position.game.shape[0]):
            rows.append("".join(f"{''.join(map(_sign, plane[r])):<{width}}" for _, plane in row).rstrip())
        rows.append("")
    return rows[:-1]


def _sign(value: float) -> str:
    whole = {0.0: ".", 1.0: "1", -1.0: "-"}
    return whole.get(float(value), "+")
