"""The command ``plyscope watch``: a search, or a training run, as a page in a browser on this machine."""

import argparse
import sys
import time
from typing import Any, Final

from core.engine import Search
from core.files.page_data import MOST_NODES
from core.files.tree_file import SavedSearch, saved
from core.search import Limit
from models.commands.analyze import INTERRUPTED, add_search_options, interruptible, open_search
from models.commands.page_server import serving
from models.commands.search_feed import SearchFeed
from models.commands.tree import notes_of_options, source_of

_LIMIT: Final = Limit(simulations=MOST_NODES)
_LOOK_S: Final = 0.1  # between two looks whether Ctrl-C came


def add_watch(commands: "argparse._SubParsersAction[Any]") -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "watch",
        help="a running search as a page in a browser",
        description="Search one position, and serve a page that shows the search while it runs and every earlier "
        "moment of it.  The page is for browsers on this machine that are given its address, which is printed.  It "
        "stays until Ctrl-C.",
    )
    parser.add_argument("game", metavar="GAME", help="as `plyscope games` lists it")
    parser.add_argument("moves", metavar="MOVES", nargs="*", help='the moves that led there ("d d c"), or a diagram')
    parser.add_argument("--port", type=int, default=0, metavar="N", help="of the page (default: any that is free)")
    add_search_options(parser, _LIMIT)
    parser.set_defaults(run=_watch)


def _watch(args: argparse.Namespace) -> int:
    """Serve the page until Ctrl-C."""
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
