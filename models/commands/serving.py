"""What the commands have in common under which another program uses our search by a dialogue of lines."""

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
from models.commands.analyze import (
    ROLLOUTS,
    UNIFORM,
    choose_net,
    given_recipe,
    given_settings,
    prepare,
    settings_for,
)
from models.commands.own_version import own_version
from models.engines.gtp_board import GtpBoard
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
    given = {"exact_empties": 0 if game is None else instant_empties(game), **given_settings(args)}
    SearchSettings(**given)  # raises for a bad setting before a net is loaded
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
        prepare(game, evaluator, settings_for(evaluator, given))
        if evaluator is None and args.net is None:
            print(f"there is no net for {game.text}: it is played by random games", file=sys.stderr)
        return evaluator

    # Libraries that print must not break the dialogue: they get standard error.
    output = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8", newline="\n")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    evaluator = None if game is None else choose(game)
    settings = settings_for(evaluator, given)
    options = Options(Limit(simulations, args.seconds), settings, resign, args.seed, own_version())
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
