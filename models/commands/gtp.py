"""The command ``plyscope gtp``: play and analyse under a program that speaks the Go Text Protocol.  Knows no window."""

import argparse
import contextlib
import io
import os
import sys
from typing import Any, Final

from core.engine.evaluator import Evaluator
from core.games import GameSpec, load_game
from core.search import Limit, SearchSettings
from models.commands.analyze import (
    ROLLOUTS,
    UNIFORM,
    add_search_options,
    choose_net,
    foreign_conventions,
    given_settings,
    prepare,
    settings_for,
)
from models.engines.gtp_server import GtpServer, Options
from models.netfiles.opened import net_info, usual_game

DEFAULT_SIMULATIONS: Final = 800


def add_gtp(commands: "argparse._SubParsersAction[Any]") -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "gtp",
        help="play under a program that speaks GTP",
        description="Answer the commands of the Go Text Protocol on standard input: play, genmove, lz-analyze, "
        "kata-analyze and others.  In Sabaki or GoGui enter this command line as an engine.  Win rates and scores are "
        "for the side to move.",
    )
    parser.add_argument("game", metavar="GAME", nargs="?", help="as `plyscope games` lists it (default: the net's)")
    parser.add_argument(
        "--resign", type=float, default=0.0, metavar="P", help="resign below this win rate, 0 to 0.5 (default 0: never)"
    )
    add_search_options(parser)
    parser.set_defaults(run=gtp_command)


def gtp_command(args: argparse.Namespace) -> int:
    """Answer commands until ``quit`` or the end of the input."""
    if not 0.0 <= args.resign <= 0.5:
        raise ValueError(f"--resign is {args.resign:g}; it must be from 0 to 0.5")
    if args.only:
        raise ValueError("--only does not go with gtp; lz-analyze and kata-analyze take the word allow")
    given = given_settings(args)
    SearchSettings(**given)  # raises for a bad setting before a net is loaded
    foreign = foreign_conventions(args)
    simulations = args.simulations
    if simulations is None and args.seconds is None:
        simulations = DEFAULT_SIMULATIONS
    # Libraries that print must not break the dialogue: they get standard error.
    output = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8", newline="\n")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())

    def load(game: GameSpec) -> Evaluator | None:
        evaluator = choose_net(game, args.net, foreign, args.device, args.runtime)
        prepare(game, evaluator, settings_for(evaluator, given))
        return evaluator

    game = _game(args)
    evaluator = choose_net(game, args.net, foreign, args.device, args.runtime)
    options = Options(
        Limit(simulations, args.seconds), settings_for(evaluator, given), args.resign, args.seed, _version()
    )
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    GtpServer(game, load, options, output).run(sys.stdin)
    with contextlib.suppress(OSError):  # the other program is gone
        output.close()
    return 0


def _game(args: argparse.Namespace) -> GameSpec:
    """The game named, or that of the net; ValueError without one."""
    if args.game is not None:
        return load_game(args.game)
    game = usual_game(net_info(args.net)) if args.net not in (None, ROLLOUTS, UNIFORM) else None
    if game is None:
        raise ValueError("name the game, or a net that says its game with --net")
    return game


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("plyscope")
    except PackageNotFoundError:
        return "0"
