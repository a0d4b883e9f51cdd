"""The command ``plyscope gtp``: play and analyse under a program that speaks the Go Text Protocol."""

import argparse
from typing import Any

from models.commands.analyze import add_search_options
from models.commands.serving import game_of, serve
from models.engines.gtp_server import GtpServer
from models.engines.our_engine import ResignRule


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
    parser.add_argument(
        "--resign-lead",
        type=float,
        default=0.0,
        metavar="X",
        help="resign only when behind by more than X points as well; without --resign, then below a win rate of 0.5",
    )
    parser.add_argument(
        "--resign-turns", type=int, default=1, metavar="N", help="of its own in a row, before it resigns (default 1)"
    )
    add_search_options(parser)
    parser.set_defaults(run=gtp_command)


def gtp_command(args: argparse.Namespace) -> int:
    """Answer commands until ``quit`` or the end of the input."""
    if not 0.0 <= args.resign <= 0.5:
        raise ValueError(f"--resign is {args.resign:g}; it must be from 0 to 0.5")
    if not 0.0 <= args.resign_lead <= 400.0:
        raise ValueError(f"--resign-lead is {args.resign_lead:g}; it must be from 0 to 400")
    if args.resign_turns < 1:
        raise ValueError(f"--resign-turns is {args.resign_turns}; it must be a whole number from 1")
    if args.only:
        raise ValueError("--only does not go with gtp; lz-analyze and kata-analyze take the word allow")
    below = 1.0 - 2.0 * (args.resign or 0.5) if args.resign or args.resign_lead else None
    resign = ResignRule(below, args.resign_lead, args.resign_turns)
    return serve(args, game_of(args), GtpServer, resign)
