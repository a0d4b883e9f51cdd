"""The commands under which another program uses our search by a dialogue of lines: gtp, gomocup, nboard."""

import argparse
import contextlib
import io
import os
import sys
from collections.abc import Callable
from typing import Any, Final, Protocol, TextIO

from core.engine.evaluator import Evaluator
from core.games import GameSpec, load_game
from core.search import Limit, SearchSettings
from core.solve.solver import instant_empties
from models.cluster.versions import program_version
from models.commands.analyze import (
    ROLLOUTS,
    UNIFORM,
    add_search_options,
    choose_net,
    given_recipe,
    given_settings,
    prepare,
    settings_for,
)
from models.engines.engine_list import PROTOCOLS
from models.engines.gomocup_server import GomocupServer
from models.engines.gtp_board import GtpBoard
from models.engines.gtp_server import GtpServer
from models.engines.nboard_server import NBoardServer
from models.engines.our_engine import NEVER, Options, ResignRule
from models.netfiles.net_file import listed_net_info
from models.netfiles.opened import is_for, net_info, usual_game
from models.netfiles.shipped import default_net

DEFAULT_SIMULATIONS: Final = 800
Load = Callable[[GameSpec], Evaluator | None]


class Server(Protocol):
    """Answers the lines of one dialogue."""

    def run(self, source: TextIO) -> None: ...


def serve(
    args: argparse.Namespace,
    game: GameSpec | None,
    make: Callable[[Any, Load, Options, TextIO], Server],
    resign: ResignRule = NEVER,
) -> int:
    """Answer standard input on standard output until its end, by the net and settings of ``args``; the exit code.

    Endings that are solved at once are played exactly unless ``args`` say otherwise."""
    values = {"exact_empties": 0 if game is None else instant_empties(game), **given_settings(args)}
    SearchSettings(**values)  # raises for a bad setting before a net is loaded
    recipe = given_recipe(args)
    simulations = args.simulations
    if simulations is None and args.seconds is None:
        simulations = DEFAULT_SIMULATIONS

    def choose(game: GameSpec) -> Evaluator | None:
        net = args.net
        if net is None and recipe is None and default_net(game) is None:
            net = _net_of_other_rules(game)
        return choose_net(game, net, recipe, args.device, args.runtime)

    def load(game: GameSpec) -> Evaluator | None:
        evaluator = choose(game)
        prepare(game, evaluator, settings_for(evaluator, values))
        if evaluator is None and args.net is None:
            print(f"there is no net for {game.text}: it is played by random games", file=sys.stderr)
        return evaluator

    # Libraries that print must not break the dialogue: they get standard error.
    output = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8", newline="\n")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    evaluator = None if game is None else choose(game)
    settings = settings_for(evaluator, values)
    options = Options(Limit(simulations, args.seconds), settings, resign, args.seed, program_version())
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    make(game, load, options, output).run(sys.stdin)
    with contextlib.suppress(OSError):  # the other program is gone
        output.close()
    return 0


def _net_of_other_rules(game: GameSpec) -> str | None:
    """The shipped net of the same board under the game's usual rules, where it can be shown ``game``, too."""
    rows, cols = game.shape
    try:
        usual = GtpBoard(load_game(game.name)).changed(rows=rows, cols=cols)
    except ValueError:
        return None
    path = default_net(usual)
    if path is None or not is_for(listed_net_info(path), game):
        return None
    print(f"there is no net for {game.text}: that of {usual.text} plays it", file=sys.stderr)
    return str(path)


def game_of(args: argparse.Namespace, default: str | None = None) -> GameSpec:
    """The game named, or that of the net, or ``default``; ValueError without one."""
    if args.game is not None:
        return load_game(args.game)
    game = usual_game(net_info(args.net)) if args.net not in (None, ROLLOUTS, UNIFORM) else None
    if game is not None:
        return game
    if default is None:
        raise ValueError("name the game, or a net that says its game with --net")
    return load_game(default)


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
    parser.set_defaults(run=_gtp)


def _gtp(args: argparse.Namespace) -> int:
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
    parser.set_defaults(run=lambda args: _play_under(args, "gomocup", GomocupServer))


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
    parser.set_defaults(run=lambda args: _play_under(args, "nboard", NBoardServer))


def _play_under(args: argparse.Namespace, protocol: str, server: Callable[..., Server]) -> int:
    """Answer commands until the last one or the end of the input."""
    if args.only:
        raise ValueError(f"--only does not go with {protocol}; its moves are the other program's")
    return serve(args, game_of(args, PROTOCOLS[protocol].test_game), server)
