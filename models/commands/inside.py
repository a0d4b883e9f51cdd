"""The command ``plyscope inside``: what lies inside a net, for one position or over the positions of an audit.

Each part of the answer is a function of ``PARTS``, which gives it for JSON and as lines of text."""

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

from core.engine.evaluator import report, telling
from core.files.game_files import position_of
from core.games import Position
from core.text import Text
from models.commands.analyze import add_recipe, given_recipe, interruptible, report_interrupt
from models.commands.inside_concepts import concepts_data, concepts_lines
from models.commands.printing import SIDES, position_lines, signed
from models.commands.trained_nets import game_of
from models.inside.blocks import Strip, strip_of
from models.inside.concepts import concepts_of
from models.inside.knowledge import examine, positions_at_most
from models.inside.lens import Lens, Reading, lens_for
from models.inside.sample import play_sample
from models.inside.views import Views
from models.netfiles.recipe_guess import open_tapped
from models.netfiles.tapped import TappedNet

_SHOWN: Final = 3  # moves of a block


class Asked(NamedTuple):
    """What a part is asked about."""

    net: TappedNet
    position: Position
    should_stop: Callable[[], bool]


class Part(NamedTuple):
    """One part of the answer."""

    data: dict[str, Any]  # for JSON; values are for the side to move
    lines: list[str]


def add_inside(commands: "argparse._SubParsersAction[Any]") -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "inside",
        help="what lies inside a net, block by block",
        description="Look into a net: what it wants and expects of a position after each of its residual blocks, by "
        "its own heads and by a lens, a map of the block's channels that is fitted to play once (some seconds) and "
        "kept.  Values are for the side to move.",
    )
    parser.add_argument("net", type=Path, metavar="NET", help="a net file of any kind that can be opened")
    parser.add_argument("--game", metavar="GAME", help="for a net that does not say its game")
    parser.add_argument("--position", metavar="MOVES", default="", help='the moves that led there: "d d c"; a diagram')
    parser.add_argument(
        "--part",
        choices=PARTS,
        action="append",
        help="only this part; may be repeated (concepts: a minute or more)",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object")
    add_recipe(parser)
    parser.set_defaults(run=inside)


def inside(args: argparse.Namespace) -> int:
    """Look into the net and print the parts asked for."""
    game = game_of(args.net, args.game)
    position = position_of(game, args.position).position
    if position.is_over:
        raise ValueError(f"the game is over after {args.position!r}; name a position in which a move is to be made")
    net, guess = open_tapped(args.net, game, given_recipe(args))
    if guess is not None:
        print(f"{args.net.name} is read by a guess: {guess.recipe.summary}; {guess.check.words}", file=sys.stderr)
    wanted = args.part or [name for name in PARTS if name not in _WHEN_NAMED]
    with interruptible() as came, telling(lambda words: print(words, file=sys.stderr)):
        asked = Asked(net, position, lambda: bool(came))
        parts = {name: PARTS[name](asked) for name in wanted if not came}
    if args.json:
        about = {"net": args.net.name, "game": game.text, "to_move": SIDES[position.to_move]}
        moves = [game.action_name(action) for action in position.moves]
        print(json.dumps({**about, "moves": moves, **{name: part.data for name, part in parts.items()}}))
    else:
        lines = [f"net       {args.net.name}: {len(net.blocks) - 1} blocks of {net.channels} channels"]
        lines += position_lines(position)
        print("\n".join([*lines, *(line for part in parts.values() for line in ["", *part.lines])]))
    return report_interrupt() if came else 0


def _blocks(asked: Asked) -> Part:
    """What each block wants."""
    lens = lens_for(asked.net, asked.should_stop)
    strip = strip_of(asked.net, asked.position, lens)
    return Part(_blocks_data(strip, lens), _blocks_lines(strip, lens))


def _concepts(asked: Asked) -> Part:
    """Which concepts can be read from the blocks."""
    report(Text("playing and examining positions, which takes a minute or more"))
    sample = play_sample(asked.net, positions_at_most(asked.net), 0, asked.should_stop)
    found = examine(asked.net, sample, concepts_of(asked.net.game), stop=asked.should_stop)
    return Part({}, []) if found is None else Part(concepts_data(found), concepts_lines(found))


PARTS: Final[dict[str, Callable[[Asked], Part]]] = {"blocks": _blocks, "concepts": _concepts}
_WHEN_NAMED: Final = ("concepts",)  # parts that take long


def _blocks_data(strip: Strip, lens: Lens | None) -> dict[str, Any]:
    rows = [
        {
            "name": name,
            "own": _view(strip, strip.own, i),
            "lens": None if strip.fitted is None else _view(strip, strip.fitted, i),
        }
        for i, name in enumerate(strip.blocks)
    ]
    data: dict[str, Any] = {"sentence": strip.sentence, "blocks": rows, "lens": None}
    if lens is not None:
        data["lens"] = {
            "positions": lens.positions,
            "held_out": lens.held_out,
            "own": [_reading(reading) for reading in lens.own],
            "lens": [_reading(reading) for reading in lens.fitted],
        }
    return data


def _view(strip: Strip, views: Views, block: int) -> dict[str, Any]:
    """One block's view of the position: probabilities by move, the most probable first."""
    name, shares = strip.position.game.action_name, views.policies[block, 0]
    moves = sorted(strip.position.legal_actions(), key=lambda action: -shares[action])
    return {
        "value": float(views.values[block, 0]),
        "kl": float(views.divergences[block, 0]),
        "agrees": bool(views.agreements[block, 0]),
        "policy": {name(action): float(shares[action]) for action in moves},
    }


def _reading(reading: Reading) -> dict[str, Any]:
    return {"kl": reading.divergence._asdict(), "agreement": reading.agreement._asdict()}


def _blocks_lines(strip: Strip, lens: Lens | None) -> list[str]:
    """The blocks as a table, and the sentence."""
    rows = [("after", "V", "KL", "moves", *(("V of lens", "KL", "moves") if strip.fitted is not None else ()))]
    for i, name in enumerate(strip.blocks):
        parts = [strip.own] if strip.fitted is None else [strip.own, strip.fitted]
        rows.append((name, *(cell for views in parts for cell in _cells(strip, views, i))))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    if lens is not None:
        lines += ["", f"on {lens.held_out} positions of other games than the lens is fitted to"]
        for name, own, fitted in zip(strip.blocks, lens.own, lens.fitted, strict=True):
            lines.append(f"  {name}: {_measured('own heads', own)}; {_measured('lens', fitted)}")
    return [*lines, "", str(strip.sentence)]


def _cells(strip: Strip, views: Views, block: int) -> tuple[str, str, str]:
    view = _view(strip, views, block)
    first = list(view["policy"].items())[:_SHOWN]
    return signed(view["value"]), f"{view['kl']:.2f}", " ".join(f"{move} {share:.0%}" for move, share in first)


def _measured(what: str, reading: Reading) -> str:
    kl, same = reading
    return (
        f"{what} KL {kl.mean:.2f} ({kl.low:.2f} to {kl.high:.2f}), "
        f"same first move {same.mean:.0%} ({same.low:.0%} to {same.high:.0%})"
    )
