"""The command ``plyscope analyze``: one position searched without a window.  Knows no torch and no Qt."""

import argparse
import json
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

from core.engine import Evaluator, Search, UniformEvaluator
from core.games import GameSpec, Position, load_game
from core.search import Limit, SearchSettings, Snapshot
from models.onnx_eval import ForeignConventions, OnnxEvaluator, default_net
from models.printing import report, report_json

DEFAULT_SIMULATIONS: Final = 800
ROLLOUTS: Final = "rollouts"
UNIFORM: Final = "uniform"
INTERRUPTED: Final = 130  # 128 + SIGINT, as a shell counts
NOTICE_S: Final = 0.7  # a preparation longer than this is told
COMPILING: Final = "compiling the search for this game (once on this machine) ..."

_METAVARS: Final[dict[Any, str]] = {int: "N", float: "X"}


def add_search_settings(parser: argparse.ArgumentParser) -> None:
    """An option for every field of SearchSettings; what is not given keeps its default."""
    group = parser.add_argument_group("search settings (each is explained below)")
    for field in fields(SearchSettings):
        # Texts become numbers here; their ranges are checked by SearchSettings itself.
        kind: dict[str, Any] = {"type": field.type, "metavar": _METAVARS.get(field.type, "NAME")}
        if field.type is bool:
            kind = {"action": argparse.BooleanOptionalAction}
        flag = "--" + field.name.replace("_", "-")
        default = "puct with a net, ucb1 with rollouts" if field.name == "selection" else field.default
        group.add_argument(flag, dest=field.name, default=None, help=f"default {default}", **kind)


def given_settings(args: argparse.Namespace) -> dict[str, Any]:
    """The search settings named on the command line."""
    values = {field.name: getattr(args, field.name) for field in fields(SearchSettings)}
    return {name: value for name, value in values.items() if value is not None}


def choose_net(
    game: GameSpec, net: str | None, foreign: ForeignConventions | None = None, device: str = "auto"
) -> Evaluator | None:
    """The evaluator ``net`` names: a file, ``uniform`` or ``rollouts`` (None).  Without a name the net that comes with
    the program for ``game``, or rollouts when there is none."""
    if net is None and foreign is not None:
        raise ValueError("--foreign-policy describes a net file; name the file with --net")
    if net == UNIFORM:
        return UniformEvaluator(game.num_actions)
    path = default_net(game) if net is None else Path(net)
    if path is None or net == ROLLOUTS:
        return None
    return OnnxEvaluator(path, game, foreign=foreign, device=device)


def settings_for(evaluator: Evaluator | None, given: dict[str, Any]) -> SearchSettings:
    """Settings with what was given; rollouts select by ucb1 and nets by puct unless told otherwise."""
    return SearchSettings(**{"selection": "ucb1" if evaluator is None else "puct", **given})


def analyze(args: argparse.Namespace) -> int:
    """Search the position and print what was found; after Ctrl-C what was found so far."""
    game = load_game(args.game)
    position = game.position(" ".join(args.moves))
    given = given_settings(args)
    SearchSettings(**given)  # a bad setting is told before a net is loaded
    simulations = args.simulations
    if simulations is None and args.seconds is None:
        simulations = DEFAULT_SIMULATIONS
    limit = Limit(simulations=simulations, seconds=args.seconds)
    evaluator = choose_net(game, args.net, foreign_conventions(args), args.device)
    settings = settings_for(evaluator, given)
    if evaluator is None and args.net is None:
        print(f"no net is shipped for {game.text}: random rollouts, {settings.selection}", file=sys.stderr)
    search = Search(position, evaluator, settings, seed=args.seed)
    with interruptible() as came:
        # Inside as well: an interrupt raised while numba loads or compiles may be lost in one of its callbacks.
        prepare(position, evaluator, settings)
        search.run(limit, should_stop=lambda: bool(came))
    _print(search.snapshot(), settings, args)
    if came:
        print("interrupted: the figures are those reached so far", file=sys.stderr)
        return INTERRUPTED
    return 0


def foreign_conventions(args: argparse.Namespace) -> ForeignConventions | None:
    """What the command line says about a net that carries no Plyscope metadata; None when it says nothing."""
    if args.foreign_policy is None:
        if args.rows_flipped:
            raise ValueError("--rows-flipped describes a foreign net; say --foreign-policy too")
        return None
    return ForeignConventions(policy=args.foreign_policy, rows_flipped=args.rows_flipped)


def _print(snapshot: Snapshot, settings: SearchSettings, args: argparse.Namespace) -> None:
    if args.json:
        print(json.dumps(report_json(snapshot, settings, args.seed), ensure_ascii=False))
    else:
        print(report(snapshot, settings, args.seed, every_move=args.every_move))


def prepare(position: Position, evaluator: Evaluator | None, settings: SearchSettings) -> None:
    """Have the kernels ready, so that neither the clock nor the rates of the search count their compilation."""
    told = threading.Timer(NOTICE_S, print, (COMPILING,), {"file": sys.stderr})
    told.daemon = True
    told.start()
    try:
        Search(position, evaluator, settings).run(Limit(simulations=2))
    finally:
        told.cancel()


@contextmanager
def interruptible() -> Iterator[list[int]]:
    """Let Ctrl-C end the search after its slice, where the tree is whole; yields the signals that came.  A second
    Ctrl-C interrupts as usual."""
    came: list[int] = []

    def handler(number: int, _frame: object) -> None:
        came.append(number)
        signal.signal(number, before)

    before = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, handler)
    try:
        yield came
    finally:
        signal.signal(signal.SIGINT, before)
