"""The command ``plyscope watch``: a search, or a training run, as a page in a browser on this machine."""

import argparse
import sys
import time
from pathlib import Path
from typing import Any, Final

from core.engine import Search
from core.files.page_data import MOST_NODES
from core.files.tree_file import SavedSearch, saved
from core.search import Limit
from models.commands.analyze import INTERRUPTED, add_search_options, given_settings, interruptible, open_search
from models.commands.page_server import serving
from models.commands.run_feed import RunFeed
from models.commands.search_feed import SearchFeed
from models.commands.tree import notes_of_options, source_of

_LIMIT: Final = Limit(simulations=MOST_NODES)
_LOOK_S: Final = 0.1  # between two looks whether Ctrl-C came


def add_watch(commands: "argparse._SubParsersAction[Any]") -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "watch",
        help="a running search or training as a page in a browser",
        description="Search one position, and serve a page that shows the search while it runs and every earlier "
        "moment of it; or, of the folder of a training run, a page of its running games and curves.  The page is for "
        "browsers on this machine that are given its address, which is printed.  It stays until Ctrl-C.",
    )
    parser.add_argument("game", metavar="GAME", help="as `plyscope games` lists it, or the folder of a run")
    parser.add_argument("moves", metavar="MOVES", nargs="*", help='the moves that led there ("d d c"), or a diagram')
    parser.add_argument("--port", type=int, default=0, metavar="N", help="of the page (default: any that is free)")
    add_search_options(parser, _LIMIT)
    parser.set_defaults(run=_watch)


def _watch(args: argparse.Namespace) -> int:
    """Serve the page until Ctrl-C."""
    if Path(args.game).is_dir():
        return _watch_run(args)
    with interruptible() as came:
        search, limit = open_search(args, _LIMIT)
        feed = SearchFeed(_copy(search, args), search.numbering, notes_of_options(args))
        with serving(feed, args.port) as server:
            _tell(server.address)
            search.run(limit, lambda: bool(came or feed.error), lambda: _feed(search, args, feed))
            feed.put(_copy(search, args), search.numbering, ended=True)
            if not came:
                print(f"the search has {search.simulations} simulations; Ctrl-C ends the page", file=sys.stderr)
            _stay(came)
        if feed.error:
            print(feed.error, file=sys.stderr)
    return INTERRUPTED


def _watch_run(args: argparse.Namespace) -> int:
    """Serve the page of a run until Ctrl-C."""
    options = ("simulations", "seconds", "net", "recipe", "profile", "sgf", "move", "only", "seed")
    given = [name for name in options if getattr(args, name)]
    if args.moves or given or given_settings(args):
        raise ValueError(
            f"{args.game} is the folder of a run, which has its own searches; it takes no option but --port"
        )
    with interruptible() as came, serving(RunFeed(Path(args.game)), args.port) as server:
        _tell(server.address)
        _stay(came)
    return INTERRUPTED


def _tell(address: str) -> None:
    print(f"the page is at {address}", flush=True)


def _stay(came: list[int]) -> None:
    while not came:
        time.sleep(_LOOK_S)


def _feed(search: Search, args: argparse.Namespace, feed: SearchFeed) -> None:
    if feed.due():
        feed.put(_copy(search, args), search.numbering)


def _copy(search: Search, args: argparse.Namespace) -> SavedSearch:
    return saved(search, source_of(search.evaluator), args.seed)
