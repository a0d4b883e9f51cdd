"""The command ``plyscope inside``: what lies inside a net, for one position or over the positions of an audit.

Each part of the answer is a function of ``PARTS``, which gives it for JSON and as lines of text."""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from core.checks import short
from core.engine.evaluator import report, telling
from core.files.game_files import position_of
from core.games import GameSpec, Position
from core.text import Text
from models.audit.results import read_audit
from models.commands.analyze import add_recipe, given_recipe, interruptible, report_interrupt
from models.commands.inside_audit import print_mistakes
from models.commands.inside_map import map_data, map_lines
from models.commands.inside_parts import (
    attention_data,
    attention_lines,
    blocks_data,
    blocks_lines,
    channels_data,
    channels_lines,
    concepts_data,
    concepts_lines,
    reply_data,
    reply_lines,
    stones_data,
    stones_lines,
)
from models.commands.inside_run import print_history
from models.commands.printing import SIDES, position_lines
from models.commands.trained_nets import game_of
from models.inside.atlas import make_atlas
from models.inside.attention import AttentionReader
from models.inside.blocks import strip_of
from models.inside.concepts import concepts_of
from models.inside.counterfactuals import refusal
from models.inside.examined import examined_for
from models.inside.knowledge import positions_at_most
from models.inside.lens import lens_for, positions_for
from models.inside.plane import agreements, locate, make_plane, points_at_most
from models.inside.reply import policy_line, read_line
from models.inside.sample import Sample
from models.inside.selections import read_selection
from models.inside.sources import sample_of
from models.inside.stones import answers_of, stones_of, with_truth
from models.inside.truth import TruthFinder
from models.netfiles.recipe_guess import open_tapped
from models.netfiles.tapped import TappedNet


class Asked(NamedTuple):
    """What a part is asked about."""

    net: TappedNet
    position: Position
    should_stop: Callable[[], bool]
    source: Path | None  # of the positions of SAMPLED parts; None: they are played
    block: int  # of the map
    selections: Sequence[Path] = ()  # of positions, as concepts
    cell: int | None = None  # of the attention; None: that of the net's move

    def sample(self, number: int) -> Sample | None:
        """At most ``number`` positions of the source; None when stopped."""
        report(
            Text("playing positions")
            if self.source is None
            else Text("reading positions of {place}", place=str(self.source))
        )
        sample = sample_of(self.net, self.source, number, 0, self.should_stop)
        for note in () if sample is None else sample.notes:
            print(note, file=sys.stderr)
        return sample


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
    parser.add_argument(
        "net",
        type=Path,
        metavar="NET",
        help="a net file of any kind that can be opened; for --part concepts also the folder of a training run, "
        "whose kept nets are compared",
    )
    parser.add_argument("--game", metavar="GAME", help="for a net that does not say its game")
    parser.add_argument("--position", metavar="MOVES", default="", help='the moves that led there: "d d c"; a diagram')
    parser.add_argument(
        "--part",
        choices=PARTS,
        action="append",
        help="only this part; may be repeated (concepts: a minute or more; attention: of a transformer)",
    )
    parser.add_argument(
        "--source",
        type=Path,
        metavar="PLACE",
        help="for the parts map, channels and concepts: the positions of an audit (its file ending in .audit), a "
        "training run (its folder) or games (a file or folder), instead of those of games that are played for it",
    )
    parser.add_argument(
        "--concept",
        type=Path,
        action="append",
        metavar="FILE",
        help="for the part concepts: a selection of positions as a concept; may be repeated: an audit (its mistakes), "
        "games or a folder of them (the ends of their main lines), a text file (.txt) with moves on each line",
    )
    parser.add_argument("--block", type=int, metavar="N", help="of the map: the block, 0 the stem (default: the last)")
    parser.add_argument(
        "--cell",
        metavar="CELL",
        help="of the part attention: the cell from which is looked (default: that of the net's first move)",
    )
    parser.add_argument(
        "--audit",
        type=Path,
        metavar="FILE",
        help="instead of one position those of an audit, its file ending in .audit: in which block the net's mistakes "
        "are made or overruled",
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="of --audit: an HTML page too")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    add_recipe(parser)
    parser.set_defaults(run=inside)


def inside(args: argparse.Namespace) -> int:
    """Look into the net and print the parts asked for."""
    if args.audit is not None:
        return _over_audit(args)
    if args.net.is_dir():
        with interruptible() as came:
            print_history(args, lambda: bool(came))
        return report_interrupt() if came else 0
    if args.out is not None:
        raise ValueError("--out is for the page of --audit; give the file of an audit too")
    game = game_of(args.net, args.game)
    position = position_of(game, args.position).position
    if position.is_over:
        raise ValueError(f"the game is over after {args.position!r}; name a position in which a move is to be made")
    wanted = args.part or [name for name in PARTS if name not in _WHEN_NAMED]
    if args.concept and "concepts" not in wanted:
        raise ValueError("--concept is for the part concepts; name it by --part concepts")
    if args.source is not None and not _SAMPLED.intersection(wanted):
        raise ValueError("--source is for the parts map, channels and concepts; name one of them by --part")
    if args.source is not None and not args.source.exists():
        raise ValueError(f"--source is {str(args.source)!r}; there is no such file or folder")
    net = _open(args, game)
    block, cell = _block(args, net, wanted), _cell(args, game, wanted)
    with interruptible() as came, telling(lambda words: print(words, file=sys.stderr)):
        asked = Asked(net, position, lambda: bool(came), args.source, block, args.concept or (), cell)
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


def _open(args: argparse.Namespace, game: GameSpec) -> TappedNet:
    """The net; a guess by which it is read is printed."""
    net, guess = open_tapped(args.net, game, given_recipe(args))
    if guess is not None:
        print(f"{args.net.name} is read by a guess: {guess.recipe.summary}; {guess.check.words}", file=sys.stderr)
    return net


def _block(args: argparse.Namespace, net: TappedNet, wanted: list[str]) -> int:
    """The block of the map."""
    last = len(net.blocks) - 1
    if args.block is None:
        return last
    if "map" not in wanted:
        raise ValueError("--block is for the part map; name it by --part")
    if not 0 <= args.block <= last:
        raise ValueError(f"--block is {args.block}; it must be from 0, the stem, to {last}")
    return int(args.block)


def _cell(args: argparse.Namespace, game: GameSpec, wanted: list[str]) -> int | None:
    """The cell of the attention."""
    if args.cell is None:
        return None
    if "attention" not in wanted:
        raise ValueError("--cell is for the part attention; name it by --part")
    if args.cell.lower() not in game.cell_names:
        raise ValueError(
            f"--cell is {short(args.cell)}; it must be one from {game.cell_names[0]} to {game.cell_names[-1]}"
        )
    return game.cell_names.index(args.cell.lower())


def _over_audit(args: argparse.Namespace) -> int:
    """Print in which block mistakes are made, over the positions of an audit."""
    if args.position or args.part or args.source or args.block is not None or args.cell is not None:
        raise ValueError(
            "--audit is over the positions of the audit; leave out --position, --part, --source, --block and --cell"
        )
    audit = read_audit(args.audit)
    net = _open(args, audit.game)
    with interruptible() as came, telling(lambda words: print(words, file=sys.stderr)):
        print_mistakes(args, net, audit, lambda: bool(came))
    return report_interrupt() if came else 0


def _blocks(asked: Asked) -> Part:
    """What each block wants."""
    lens = lens_for(asked.net, asked.should_stop)
    strip = strip_of(asked.net, asked.position, lens)
    return Part(blocks_data(strip, lens), blocks_lines(strip, lens))


def _concepts(asked: Asked) -> Part:
    """Which concepts can be read from the blocks."""
    report(Text("examining the net, which takes a minute or more the first time"))
    sample = None if asked.source is None else asked.sample(positions_at_most(asked.net))
    if asked.source is not None and sample is None:
        return Part({}, [])
    chosen = [read_selection(place, asked.net) for place in asked.selections]
    found = examined_for(asked.net, concepts_of(asked.net.game), sample, chosen, asked.should_stop)
    if found is None:
        return Part({}, [])
    return Part(concepts_data(found.report, found.uses), concepts_lines(found.report, found.uses))


def _channels(asked: Asked) -> Part:
    """Where each channel is strongest."""
    sample = asked.sample(positions_for(asked.net))
    atlas = None if sample is None else make_atlas(asked.net, sample.positions, asked.should_stop)
    if atlas is None:
        return Part({}, [])
    data = channels_data(atlas, asked.net, asked.position)
    return Part(data, channels_lines(data))


def _map(asked: Asked) -> Part:
    """Where positions are in the plane of a block, and which are similar to this one."""
    sample = asked.sample(points_at_most(asked.net))
    plane = None if sample is None else make_plane(asked.net, sample, asked.block, asked.should_stop)
    if plane is None:
        return Part({}, [])
    data = map_data(asked.net, plane, locate(asked.net, plane, asked.position), agreements(plane))
    return Part(data, map_lines(data))


def _reply(asked: Asked) -> Part:
    """How far the net reads in the line that it plays alone."""
    if reason := refusal(asked.position.game):
        return Part({"sentence": str(reason)}, [str(reason)])
    line = policy_line(asked.net, asked.position)
    seen = read_line(asked.net, asked.position, line, asked.should_stop, maps=False, heard=report)
    return Part(reply_data(seen), reply_lines(seen))


def _stones(asked: Asked) -> Part:
    """On which stones its move depends."""
    if reason := refusal(asked.net.game):
        return Part({"sentence": reason}, [reason])
    found = stones_of(asked.position, answers_of(asked.net), should_stop=asked.should_stop)
    if found is None:
        return Part({}, [])
    found = with_truth(found, TruthFinder(asked.net.game), should_stop=asked.should_stop)
    return Part(stones_data(found), stones_lines(found))


def _attention(asked: Asked) -> Part:
    """Where the heads of its attention look."""
    looks = AttentionReader(asked.net).looks(asked.position)
    cell = looks.move_cell if asked.cell is None else asked.cell
    return Part(attention_data(looks, cell), attention_lines(looks, cell))


PARTS: Final[dict[str, Callable[[Asked], Part]]] = {
    "blocks": _blocks,
    "stones": _stones,
    "reply": _reply,
    "concepts": _concepts,
    "channels": _channels,
    "attention": _attention,
    "map": _map,
}
_SAMPLED: Final = frozenset(("concepts", "channels", "map"))  # over many positions
_WHEN_NAMED: Final = (*_SAMPLED, "reply", "attention")  # parts that take long, and that of few nets
