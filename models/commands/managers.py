"""The commands ``plyscope gomocup`` and ``plyscope nboard``: play under programs of those protocols.  No window."""

import argparse
from typing import Any

from models.commands.analyze import add_search_options
from models.commands.serving import game_of, serve
from models.engines.gomocup_server import GomocupServer
from models.engines.known import PROTOCOLS
from models.engines.nboard_server import NBoardServer


def add_gomocup(commands: "argparse._SubParsersAction[Any]") -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "gomocup",
        help="play under a Gomocup manager such as Piskvork",
        description="Answer the commands of the Gomocup protocol on standard input: START, BEGIN, TURN, BOARD, INFO "
        "and others.  The manager chooses the size, the rule (any five, exactly five, Renju) and the time; where it "
        "gives no time, the limits given here count.",
    )
    parser.add_argument("game", metavar="GAME", nargs="?", help="until the manager says otherwise (default gomoku)")
    add_search_options(parser)
    parser.set_defaults(run=_gomocup)


def _gomocup(args: argparse.Namespace) -> int:
    """Answer commands until END or the end of the input."""
    if args.only:
        raise ValueError("--only does not go with gomocup; its moves are the manager's")
    return serve(args, game_of(args, PROTOCOLS["gomocup"].test_game), GomocupServer)


def add_nboard(commands: "argparse._SubParsersAction[Any]") -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "nboard",
        help="play and analyse Othello under NBoard",
        description="Answer the commands of the NBoard protocol on standard input: set game, go, hint and others.  "
        "Evaluations are 100 times the value for the side to move; NBoard's depth is not used, its clock is.",
    )
    parser.add_argument("game", metavar="GAME", nargs="?", help="until NBoard says otherwise (default othello)")
    add_search_options(parser)
    parser.set_defaults(run=_nboard)


def _nboard(args: argparse.Namespace) -> int:
    """Answer commands until quit or the end of the input."""
    if args.only:
        raise ValueError("--only does not go with nboard; its moves are those of NBoard's game")
    return serve(args, game_of(args, PROTOCOLS["nboard"].test_game), NBoardServer)
