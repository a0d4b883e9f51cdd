"""The command ``plyscope analyze``: one position searched without a window.  Knows no torch and no Qt."""

import argparse
import json
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from core.engine import Evaluator, Search, UniformEvaluator, warm_up
from core.files.tree_export import to_text
from core.files.tree_pick import pick
from core.games import GameSpec, load_game
from core.glass.snapshot import OVER
from core.search import Limit, SearchSettings
from core.search.root import chosen_moves
from core.search.settings import SETTINGS
from models.commands.printing import report, report_json
from models.netfiles.evaluator import LAYOUTS, POLICY_KINDS, VALUE_KINDS, ForeignConventions, OnnxEvaluator, default_net

DEFAULT_SIMULATIONS: Final = 800
ROLLOUTS: Final = "rollouts"
UNIFORM: Final = "uniform"
INTERRUPTED: Final = 130  # 128 + SIGINT, as a shell counts
NOTICE_S: Final = 0.7  # a preparation longer than this is told
COMPILING: Final = "compiling the search for this game (once on this machine) ..."

_FLIPS: Final = ("rows_flipped", "policy_flipped")
_TYPES: Final[dict[str, Any]] = {"int": int, "float": float, "choice": str}  # of a value on the command line
_METAVARS: Final = {"int": "N", "float": "X", "choice": "NAME"}


def add_search_settings(parser: argparse.ArgumentParser) -> None:
    """An option for every search setting; what is not given keeps its default."""
    group = parser.add_argument_group("search settings")
    for setting in SETTINGS:
        if setting.kind == "bool":
            kind: dict[str, Any] = {"action": argparse.BooleanOptionalAction}
        else:  # ranges and choices are checked by SearchSettings itself
            kind = {"type": _TYPES[setting.kind], "metavar": _METAVARS[setting.kind]}
        flag = "--" + setting.name.replace("_", "-")
        default = "puct with a net, ucb1 with rollouts" if setting.name == "selection" else setting.default
        allowed = "" if setting.kind == "bool" else setting.in_range()
        about = f"{setting.meaning} [{'; '.join(filter(None, (setting.unit, allowed, f'default {default}')))}]"
        group.add_argument(flag, dest=setting.name, default=None, help=about.replace("%", "%%"), **kind)


def given_settings(args: argparse.Namespace) -> dict[str, Any]:
    """The search settings named on the command line."""
    values = {setting.name: getattr(args, setting.name) for setting in SETTINGS}
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
    if args.tree is not None and args.tree < 1:
        raise ValueError(f"--tree is {args.tree}; it is the number of nodes to print, at least 1")
    search, interrupted = search_as_told(args)
    snapshot = search.snapshot()
    if args.json:
        print(json.dumps(report_json(snapshot, search.settings, args.seed), ensure_ascii=False))
    else:
        print(report(snapshot, search.settings, args.seed, every_move=args.every_move))
        if args.tree is not None and snapshot.reason != OVER:
            print("", *to_text(pick(search.state(), search.settings, args.tree)), sep="\n")
    return told_of_interrupt() if interrupted else 0


def search_as_told(args: argparse.Namespace) -> tuple[Search, bool]:
    """The search that the command line asks for, done; and whether it was interrupted."""
    game = load_game(args.game)
    position = game.position(" ".join(args.moves))
    only = chosen_moves(position, [game.parse_action(name) for name in args.only.split(",") if name.strip()])
    given = given_settings(args)
    SearchSettings(**given)  # a bad setting is told before a net is loaded
    simulations = args.simulations
    if simulations is None and args.seconds is None:
        simulations = DEFAULT_SIMULATIONS
    limit = Limit(simulations=simulations, seconds=args.seconds)
    with interruptible() as came:
        # From here on: an interrupt raised while numba loads or compiles may be lost in one of its callbacks.
        evaluator = choose_net(game, args.net, foreign_conventions(args), args.device)
        settings = settings_for(evaluator, given)
        if evaluator is None and args.net is None:
            print(f"no net is shipped for {game.text}: random rollouts, {settings.selection}", file=sys.stderr)
        search = Search(position, evaluator, settings, seed=args.seed, only=only)
        prepare(game, evaluator, settings)
        search.run(limit, should_stop=lambda: bool(came))
    return search, bool(came)


def told_of_interrupt() -> int:
    """Say that the figures are not those of the whole search; the exit code."""
    print("interrupted: the figures are those reached so far", file=sys.stderr)
    return INTERRUPTED


def add_search_options(parser: argparse.ArgumentParser) -> None:
    """How long to search, by what, and with which settings."""
    parser.add_argument("--simulations", type=int, metavar="N", help="stop after N (default 800 without --seconds)")
    parser.add_argument("--seconds", type=float, metavar="S", help="stop after S seconds")
    parser.add_argument(
        "--net",
        metavar="NET",
        help="an ONNX net file, 'rollouts' (random games) or 'uniform' (equal priors, value 0); "
        "default: the net shipped for the game, else rollouts",
    )
    parser.add_argument("--device", default="auto", metavar="NAME", help="auto (default), cpu or cuda")
    add_foreign(parser)
    parser.add_argument("--only", default="", metavar="MOVES", help='search these moves alone, as in "d4,e5"')
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of every random choice (default 0)")
    add_search_settings(parser)


def add_foreign(parser: argparse.ArgumentParser) -> None:
    """Options that say how a net made elsewhere is to be read."""
    group = parser.add_argument_group("a net made elsewhere", "an ONNX file that does not say how it is to be read")
    group.add_argument("--foreign-policy", metavar="KIND", help=f"its policy is {_either(POLICY_KINDS)}")
    group.add_argument(
        "--foreign-value",
        metavar="KIND",
        help=f"its value is {_either(VALUE_KINDS)} (win, draw and loss of the side to move); default {VALUE_KINDS[0]}",
    )
    group.add_argument(
        "--foreign-layout", metavar="KIND", help=f"of its planes: {_either(LAYOUTS)} (default: by shape)"
    )
    group.add_argument("--foreign-input", metavar="NAME", help="its input of planes (default: the one that fits)")
    group.add_argument(
        "--foreign-outputs", metavar="POLICY,VALUE", help="its outputs, either may be empty (default: those that fit)"
    )
    group.add_argument("--rows-flipped", action="store_true", help="its row 0 is the bottom row")
    group.add_argument(
        "--policy-flipped", action="store_true", help="the rows of its policy run the other way than its planes'"
    )


def _either(names: tuple[str, ...]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"


def foreign_conventions(args: argparse.Namespace) -> ForeignConventions | None:
    """What the command line says about a net that carries no Plyscope metadata; None when it says nothing."""
    if args.foreign_policy is None:
        for name in ("foreign_value", "foreign_layout", "foreign_input", "foreign_outputs", *_FLIPS):
            if getattr(args, name):
                raise ValueError(f"--{name.replace('_', '-')} describes a foreign net; say --foreign-policy too")
        return None
    policy, comma, value = (args.foreign_outputs or ",").partition(",")
    if not comma:
        raise ValueError(f"--foreign-outputs is {args.foreign_outputs!r}; write two names with a comma between them")
    return ForeignConventions(
        policy=args.foreign_policy,
        value=args.foreign_value or VALUE_KINDS[0],
        layout=args.foreign_layout or LAYOUTS[0],
        planes_input=args.foreign_input,
        policy_output=policy.strip() or None,
        value_output=value.strip() or None,
        **{name: getattr(args, name) for name in _FLIPS},
    )


def prepare(game: GameSpec, evaluator: Evaluator | None, settings: SearchSettings) -> None:
    """Have the kernels ready, so that neither the clock nor the rates of the search count their compilation."""
    with told_when_slow(COMPILING):
        warm_up(game, evaluator, settings)


@contextmanager
def told_when_slow(text: str) -> Iterator[None]:
    """Print ``text`` to stderr when what is done inside takes longer than ``NOTICE_S``."""
    told = threading.Timer(NOTICE_S, print, (text,), {"file": sys.stderr})
    told.daemon = True
    told.start()
    try:
        yield
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
