"""The command ``plyscope serve``: analyse many positions for another program, by lines of JSON."""

import argparse
import contextlib
import json
import os
import sys
from collections.abc import Mapping
from typing import Any, TextIO

from core.engine.evaluator import Evaluator
from core.engine.search import Search
from core.files.tree_export import pick, to_json
from core.games import GameSpec, load_game
from core.machine import processors
from core.search import SearchSettings
from models.commands.analyze import add_search_options, find_ownership, given_settings, printed, settings_for
from models.commands.printing import ownership_json, report_json
from models.commands.serving import Load, serve
from models.engines.json_server import JsonServer, Request
from models.engines.our_engine import Options

MOST_PARALLEL = 64


def add_serve(commands: "argparse._SubParsersAction[Any]") -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "serve",
        help="analyse positions for another program, by lines of JSON",
        description="Read a JSON object per line from standard input and answer each with the figures of "
        "`plyscope analyze --json`, many positions at once, in the manner of KataGo's analysis engine.  The guide "
        "lists what a request may say.",
    )
    parser.add_argument("game", metavar="GAME", nargs="?", help="of requests that name none")
    parser.add_argument("--json", action="store_true", help="the protocol, which is the only one")
    parser.add_argument(
        "--snapshots", action="store_true", help="for a window or `plyscope analyze --on` on another machine instead"
    )
    parser.add_argument("--on", metavar="ADDRESS", help="with --snapshots: search on the Ray cluster there")
    parser.add_argument("--name", default="analysis", help=argparse.SUPPRESS)  # of the analysis on the cluster
    parser.add_argument(
        "--parallel", type=int, metavar="N", help="searches at once (default: one for each processor, at most 8)"
    )
    add_search_options(parser)
    parser.set_defaults(run=_serve)


def _serve(args: argparse.Namespace) -> int:
    """Answer requests until the end of the input."""
    if args.snapshots:
        return _serve_snapshots(args.on, args.name)
    for name in ("only", "sgf", "move"):
        if getattr(args, name):
            raise ValueError(f"--{name} does not go with serve; each request says its position and moves")
    parallel = min(8, processors()) if args.parallel is None else args.parallel
    if not 1 <= parallel <= MOST_PARALLEL:
        raise ValueError(f"--parallel is {parallel}; it must be a whole number from 1 to {MOST_PARALLEL}")
    game = None if args.game is None else load_game(args.game)
    values = given_settings(args)
    memory = SearchSettings(**values).memory_mb // parallel

    def settings(evaluator: Evaluator | None, of_request: Mapping[str, Any]) -> SearchSettings:
        return settings_for(evaluator, {"memory_mb": max(16, memory), **values, **of_request})

    def describe(search: Search, request: Request) -> dict[str, Any]:
        return _figures(search, request, args.seed)

    def make(_: GameSpec | None, load: Load, options: Options, output: TextIO) -> JsonServer:
        return JsonServer(game, load, settings, describe, options, output, parallel)

    return serve(args, game, make)


def _serve_snapshots(address: str | None, name: str) -> int:
    """Pass the messages of ``models.cluster.messages`` on between a window and an analysis."""
    from models.cluster.on_ray import RayServer
    from models.cluster.server import AnalysisServer
    from models.cluster.server import serve as serve_window

    sink = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what libraries print
    serve_window(
        lambda: AnalysisServer(tell) if address is None else RayServer(address, name, tell), sys.stdin.buffer, sink
    )
    return 0


def tell(search: Search, options: dict[str, Any]) -> str:
    """What ``plyscope analyze`` prints of a search by its options."""
    return printed(argparse.Namespace(**options), search)


def _figures(search: Search, request: Request, seed: int) -> dict[str, Any]:
    """The figures of ``plyscope analyze --json``, and what else the request asks for."""
    snapshot = search.snapshot()
    figures = report_json(snapshot, search.settings, seed)
    moves = figures["moves"]
    if request.policy:
        figures["policy"] = {row["name"]: row["prior"] for row in moves}
    if request.ownership:
        # Programs made for KataGo always ask for it, whatever the net gives.
        with contextlib.suppress(*([ValueError] if request.katago else [])):
            figures["ownership"] = ownership_json(find_ownership(search, "mean"), "mean")
    if request.tree_nodes and not search.position.is_over:
        nodes = pick(search.state(), search.settings, request.tree_nodes, request.tree_depth)
        figures["tree"] = json.loads(to_json(nodes, search.position))["tree"]
    return figures
