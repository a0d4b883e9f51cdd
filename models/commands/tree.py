"""The command ``plyscope tree``: print the tree of a search, or write it to a file."""

import argparse
import sys
from pathlib import Path
from typing import Any, Final

from core.engine import Evaluator
from core.files.atomic import write_atomically
from core.files.game_files import read_game_file
from core.files.page import PAGE, notes_of
from core.files.page_data import PageNote
from core.files.trace_file import SUFFIX
from core.files.trace_tree import open_search
from core.files.tree_export import DRAWN, FORMS, LISTED, MAX_DEPTH, SAVED, SUFFIXES, pick, to_text, tree_bytes
from core.files.tree_file import SavedSearch, saved
from core.files.tree_film import FILM
from models.commands.analyze import UNIFORM, add_search_options, report_interrupt, run_search
from models.commands.printing import position_lines
from models.netfiles.evaluator import OnnxEvaluator

PRINTED: Final = 40  # nodes on the terminal


def add_tree(commands: "argparse._SubParsersAction[Any]") -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "tree",
        help="print the tree of a search, or write it to a file",
        description="Search one position, or load a saved search, and print the most visited nodes as a tree "
        f"or write them to a file: {', '.join(FORMS)}.  {SAVED} keeps the whole search exactly; {PAGE} is a page that "
        f"shows every moment of it in any browser, {FILM} an animated picture of the tree that grows.",
    )
    parser.add_argument(
        "game",
        metavar="GAME",
        help=f"as `plyscope games` lists it, a file {SAVED} saved before, or another program's trace, {SUFFIX}",
    )
    parser.add_argument("moves", metavar="MOVES", nargs="*", help='the moves that led there ("d d c"), or a diagram')
    parser.add_argument("--out", metavar="FILE", type=Path, help="write it to FILE; the suffix sets the format")
    parser.add_argument(
        "--nodes",
        type=int,
        metavar="N",
        help=f"the N most visited (default {PRINTED} printed, {DRAWN} drawn, {LISTED} listed)",
    )
    parser.add_argument("--depth", type=int, default=MAX_DEPTH, metavar="N", help=f"plies (default {MAX_DEPTH})")
    parser.add_argument("--min-visits", type=int, default=1, metavar="N", help="omit nodes with fewer (default 1)")
    add_search_options(parser)
    parser.set_defaults(run=tree)


def tree(args: argparse.Namespace) -> int:
    """Run or load a search, then write or print its tree."""
    suffix = "" if args.out is None else args.out.suffix.lower()
    if args.out is not None and suffix not in SUFFIXES:
        raise ValueError(f"--out is {str(args.out)!r}; its suffix says the form: {', '.join(SUFFIXES)}")
    for name in ("nodes", "depth", "min_visits"):
        value, low = getattr(args, name), int(name == "nodes")
        if value is not None and value < low:
            raise ValueError(f"--{name.replace('_', '-')} is {value}; it must be at least {low}")
    search, interrupted = _load(Path(args.game), args.moves), False
    if search is None:
        done, interrupted = run_search(args)
        search = saved(done, source_of(done.evaluator), args.seed)
    if suffix in (SAVED, PAGE, FILM):
        write_atomically(args.out, tree_bytes(search, suffix, notes_of_options(args) if suffix == PAGE else ()))
        print(f"wrote the search with {search.state.tree.parent.size} nodes to {args.out}")
    else:
        writer, usual = FORMS.get(suffix, (None, PRINTED))
        nodes = pick(search.state, search.settings, args.nodes or usual, args.depth, args.min_visits)
        if writer is None:
            print(*position_lines(search.position), "", *to_text(nodes), sep="\n")
        else:
            write_atomically(args.out, writer(nodes, search.position).encode("utf-8"))
            print(f"wrote {len(nodes)} of {search.state.tree.parent.size} nodes to {args.out}")
    return report_interrupt() if interrupted else 0


def notes_of_options(args: argparse.Namespace) -> list[PageNote]:
    """What the game record of ``--sgf`` says of the positions that led to the one searched."""
    if getattr(args, "sgf", None) is None:
        return []
    record = read_game_file(args.sgf, None, most=1).records[0]
    line = record.main_line()
    return notes_of(record, line[-1 if args.move is None else args.move])


def source_of(evaluator: Evaluator | None) -> str:
    """What evaluates, as tree files name it: a net's file, ``uniform``, or "" for rollouts."""
    if evaluator is None:
        return ""
    return str(evaluator.path.resolve()) if isinstance(evaluator, OnnxEvaluator) else UNIFORM


def _load(path: Path, moves: list[str]) -> SavedSearch | None:
    """The saved search in the file ``path``; None when the argument names a game."""
    if path.suffix.lower() not in (SAVED, SUFFIX):
        return None
    if moves:
        raise ValueError(f"{path} is a search of its own position; omit the moves {' '.join(moves)!r}")
    search, notes = open_search(path)
    for note in notes:
        print(note, file=sys.stderr)
    return search
