"""The command ``plyscope tree``: a search's tree printed, or written to a file in one of many forms.  Knows no Qt."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from core.files.arrays import BadFile
from core.files.atomic import write_atomically
from core.files.reading import read_bytes
from core.files.tree_drawing import to_html, to_svg
from core.files.tree_export import to_csv, to_dot, to_json, to_text
from core.files.tree_file import MAX_FILE_BYTES, SavedSearch, dump_tree, load_tree, saved
from core.files.tree_pick import MAX_DEPTH, TreeNode, pick
from core.games import Position
from models.commands.analyze import add_search_options, search_as_told, told_of_interrupt
from models.commands.printing import position_lines

SAVED: Final = ".npz"
DRAWN: Final = 200  # nodes, unless told, where each has a place on paper
LISTED: Final = 10_000
PRINTED: Final = 40

Writer = Callable[[tuple[TreeNode, ...], Position], str]

# Suffix -> (what writes it, nodes unless told).
FORMS: Final[dict[str, tuple[Writer, int]]] = {
    ".json": (to_json, LISTED),
    ".csv": (lambda nodes, _: to_csv(nodes), LISTED),
    ".dot": (to_dot, DRAWN),
    ".svg": (to_svg, DRAWN),
    ".html": (to_html, 2000),
}


def add_tree(commands: "argparse._SubParsersAction[Any]") -> None:
    """The command and its options."""
    parser = commands.add_parser(
        "tree",
        help="print the tree of a search, or write it to a file",
        description="Search one position, or take a search that was saved, and print the most visited nodes as a tree "
        f"or write them to a file: {', '.join(FORMS)}, or {SAVED}, which keeps the whole search exactly.",
    )
    parser.add_argument("game", metavar="GAME", help=f"as `plyscope games` lists it, or a file {SAVED} saved before")
    parser.add_argument("moves", metavar="MOVES", nargs="*", help='the moves that led there ("d d c"), or a diagram')
    parser.add_argument("--out", metavar="FILE", type=Path, help="write it there; the suffix says in which form")
    parser.add_argument(
        "--nodes",
        type=int,
        metavar="N",
        help=f"the N most visited (default {PRINTED} printed, {DRAWN} drawn, {LISTED} listed)",
    )
    parser.add_argument("--depth", type=int, default=MAX_DEPTH, metavar="N", help=f"plies (default {MAX_DEPTH})")
    parser.add_argument("--min-visits", type=int, default=1, metavar="N", help="leave out what has fewer (default 1)")
    add_search_options(parser)
    parser.set_defaults(run=tree)


def tree(args: argparse.Namespace) -> int:
    """Search or load, then write or print."""
    suffix = "" if args.out is None else args.out.suffix.lower()
    if args.out is not None and suffix != SAVED and suffix not in FORMS:
        raise ValueError(f"--out is {str(args.out)!r}; its suffix says the form: {', '.join([*FORMS, SAVED])}")
    for name in ("nodes", "depth", "min_visits"):
        value, low = getattr(args, name), int(name == "nodes")
        if value is not None and value < low:
            raise ValueError(f"--{name.replace('_', '-')} is {value}; it must be at least {low}")
    search, interrupted = _load(Path(args.game), args.moves), False
    if search is None:
        done, interrupted = search_as_told(args)
        search = saved(done, args.net or "", args.seed)
    if suffix == SAVED:
        write_atomically(args.out, dump_tree(search))
        print(f"wrote the search with {search.state.tree.parent.size} nodes to {args.out}")
    else:
        writer, usual = FORMS.get(suffix, (None, PRINTED))
        nodes = pick(search.state, search.settings, args.nodes or usual, args.depth, args.min_visits)
        if writer is None:
            print(*position_lines(search.position), "", *to_text(nodes), sep="\n")
        else:
            write_atomically(args.out, writer(nodes, search.position).encode("utf-8"))
            print(f"wrote {len(nodes)} of {search.state.tree.parent.size} nodes to {args.out}")
    return told_of_interrupt() if interrupted else 0


def _load(path: Path, moves: list[str]) -> SavedSearch | None:
    """The search of a saved file; None when ``path`` names a game."""
    if path.suffix.lower() != SAVED:
        return None
    if moves:
        raise ValueError(f"{path} is a search of its own position; leave the moves {' '.join(moves)!r} out")
    try:
        return load_tree(read_bytes(path, MAX_FILE_BYTES))
    except BadFile as error:
        raise BadFile(f"{path} cannot be opened: {error}") from None
