"""The command ``plyscope analyze``: search one position without a window."""

import argparse
import json
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from core.engine import Evaluator, Search, UniformEvaluator, warm_up
from core.engine.ownership import Ownership, OwnershipReader, most_visited
from core.files import GAME_SUFFIXES
from core.files.game_files import position_of, read_game_file
from core.files.tree_export import pick, to_text
from core.games import GAMES, GameSpec, Position, load_game
from core.glass.snapshot import OVER
from core.search import Limit, SearchSettings
from core.search.root import chosen_moves
from core.search.rules.table import usual_rule
from core.search.settings import PRESETS, SETTINGS, preset_values
from models.commands.insight import insight_json, insight_lines, insight_of
from models.commands.printing import ownership_json, ownership_lines, report, report_json
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.katago_metadata import USUAL
from models.netfiles.recipe import Recipe, for_profile, read_recipe
from models.netfiles.recipe_guess import open_evaluator
from models.netfiles.runtimes import AUTO, RUNTIMES
from models.netfiles.shipped import default_net

USUAL_LIMIT: Final = Limit(simulations=800)
ROLLOUTS: Final = "rollouts"
UNIFORM: Final = "uniform"
INTERRUPTED: Final = 130  # exit code 128 + SIGINT, as shells use it
NOTICE_S: Final = 0.7  # compilation longer than this is announced
COMPILING: Final = "compiling the search for this game (once on this machine) ..."

_TYPES: Final[dict[str, Any]] = {"int": int, "float": float, "choice": str}  # of a value on the command line
_METAVARS: Final = {"int": "N", "float": "X", "choice": "NAME"}


def add_search_settings(parser: argparse.ArgumentParser) -> None:
    """Add an option for every search setting; options not given keep their defaults."""
    group = parser.add_argument_group("search settings")
    about = "a set of their values; those given as well take precedence"
    group.add_argument("--preset", metavar="NAME", help=f"{about} [{', '.join(PRESETS)}]")
    for setting in SETTINGS:
        if setting.kind == "bool":
            kind: dict[str, Any] = {"action": argparse.BooleanOptionalAction}
        else:  # ranges and choices are checked by SearchSettings itself
            kind = {"type": _TYPES[setting.kind], "metavar": _METAVARS[setting.kind]}
        flag = "--" + setting.name.replace("_", "-")
        default = (
            f"{usual_rule(True)} with a net, {usual_rule(False)} with rollouts"
            if setting.name == "selection"
            else setting.default
        )
        allowed = "" if setting.kind == "bool" else setting.in_range()
        about = f"{setting.meaning} [{'; '.join(filter(None, (setting.unit, allowed, f'default {default}')))}]"
        group.add_argument(flag, dest=setting.name, default=None, help=about.replace("%", "%%"), **kind)


def given_settings(args: argparse.Namespace) -> dict[str, Any]:
    """The search settings named on the command line, those of its preset among them."""
    preset = {} if args.preset is None else preset_values(args.preset)
    values = {setting.name: getattr(args, setting.name) for setting in SETTINGS}
    return {**preset, **{name: value for name, value in values.items() if value is not None}}


def choose_net(
    game: GameSpec,
    net: str | None,
    recipe: Recipe | None = None,
    device: str = "auto",
    runtime: str = AUTO,
) -> Evaluator | None:
    """The evaluator for the option ``--net``: a file, ``uniform`` or ``rollouts`` (None).

    Without the option the net shipped for ``game``, or rollouts when there is none.
    """
    if net == UNIFORM:
        return UniformEvaluator(game.num_actions)
    path = default_net(game) if net is None else Path(net)
    if path is None or net == ROLLOUTS:
        return None
    return open_net(path, game, recipe, device, runtime)


def open_net(path: Path, game: GameSpec, recipe: Recipe | None, device: str, runtime: str) -> OnnxEvaluator:
    """The evaluator of a net file; a guess by which it is read is printed."""
    evaluator, guess = open_evaluator(path, game, recipe, device, runtime)
    if guess is not None:
        note = f"{path.name} is read by a guess: {guess.recipe.summary}; {guess.check.words}"
        print(note, file=sys.stderr)
    return evaluator


def settings_for(evaluator: Evaluator | None, values: dict[str, Any]) -> SearchSettings:
    """Search settings with the values ``values``; by default with the rule usual for a net, or for rollouts."""
    return SearchSettings(**{"selection": usual_rule(evaluator is not None), **values})


def analyze(args: argparse.Namespace) -> int:
    """Search the position and print the result; after Ctrl-C the result so far."""
    if args.tree is not None and args.tree < 1:
        raise ValueError(f"--tree is {args.tree}; it is the number of nodes to print, at least 1")
    if args.on is None:
        search, interrupted = run_search(args)
        text = printed(args, search)
    else:
        text, interrupted = search_elsewhere(args)
    print(text)
    return report_interrupt() if interrupted else 0


def printed(args: argparse.Namespace, search: Search) -> str:
    """What is printed of a finished search."""
    snapshot = search.snapshot()
    insight = insight_of(search, args)
    ownership = find_ownership(search, args.ownership) if args.ownership else None
    if args.json:
        data = report_json(snapshot, search.settings, args.seed)
        if ownership is not None:
            data["ownership"] = ownership_json(ownership, args.ownership)
        data |= insight_json(insight)
        return json.dumps(data, ensure_ascii=False)
    lines = [report(snapshot, search.settings, args.seed, every_move=args.every_move)]
    if ownership is not None:
        lines += ["", *ownership_lines(ownership)]
    lines += insight_lines(insight)
    if args.tree is not None and snapshot.reason != OVER:
        lines += ["", *to_text(pick(search.state(), search.settings, args.tree))]
    return "\n".join(lines)


def search_elsewhere(args: argparse.Namespace) -> tuple[str, bool]:
    """As ``run_search`` on the machine of ``--on``: (what is printed, whether it was interrupted)."""
    from models.cluster.remote import RemoteAnalysis
    from models.commands.elsewhere import run_elsewhere, sent_source

    if args.device != "auto":
        raise ValueError("--device is of this machine; leave it out with --on, the other one takes what it has")
    position, only, limit = asked_search(args)
    source = sent_source(position.game, args.net, given_recipe(args), args.runtime)
    settings = SearchSettings(**{"selection": usual_rule(source is not None), **given_settings(args)})
    with interruptible() as came:
        return run_elsewhere(
            RemoteAnalysis(args.on),
            lambda analysis: analysis.start(position, source, settings, limit, args.seed, only),
            {name: value for name, value in vars(args).items() if isinstance(value, str | int | float | None)},
            came,
        ), bool(came)


def find_ownership(search: Search, of: str) -> Ownership:
    """The ownership of the root's position, or if ``of`` is ``mean`` over the tree; ValueError when there is none."""
    if search.position.is_over:
        raise ValueError("the game is over; ownership is asked of positions with moves left")
    reader = OwnershipReader(search.evaluator)
    mean = reader.mean(search.position, most_visited(search)) if of == "mean" else None
    return mean or reader.at(search.position)


def run_search(args: argparse.Namespace) -> tuple[Search, bool]:
    """Run the search that the command line describes: (the finished search, whether it was interrupted)."""
    with interruptible() as came:
        # Covers loading too: a KeyboardInterrupt raised while numba compiles may be lost in one of its callbacks.
        search, limit = open_search(args)
        search.run(limit, should_stop=lambda: bool(came))
    return search, bool(came)


def open_search(args: argparse.Namespace, usual: Limit = USUAL_LIMIT) -> tuple[Search, Limit]:
    """The search that the command line describes, before its first simulation, and when it stops, as asked or usual."""
    position, only, limit = asked_search(args, usual)
    game, values = position.game, given_settings(args)
    SearchSettings(**values)  # raises for a bad setting before a net is loaded
    evaluator = choose_net(game, args.net, given_recipe(args), args.device, args.runtime)
    settings = settings_for(evaluator, values)
    if getattr(args, "ownership", None):
        OwnershipReader(evaluator)  # raises where there is none
    if evaluator is None and args.net is None:
        print(f"no net is shipped for {game.text}: random rollouts, {settings.selection}", file=sys.stderr)
    search = Search(position, evaluator, settings, seed=args.seed, only=only)
    prepare(game, evaluator, settings)
    return search, limit


def asked_search(args: argparse.Namespace, usual: Limit = USUAL_LIMIT) -> tuple[Position, tuple[int, ...], Limit]:
    """The position of the command line, the moves to be searched there (() for all), and when to stop."""
    position = start_position(args)
    named = [position.game.parse_action(name) for name in args.only.split(",") if name.strip()]
    only = chosen_moves(position, named)
    asked = args.simulations is not None or args.seconds is not None
    return position, only, Limit(args.simulations, args.seconds) if asked else usual


def start_position(args: argparse.Namespace) -> Position:
    """The position of the command line: moves, a diagram, or one of a game record's main line."""
    sgf = getattr(args, "sgf", None)
    if sgf is None:
        if getattr(args, "move", None) is not None:
            raise ValueError("--move is a place in a game record; name the file with --sgf")
        return typed_position(load_game(args.game), args.moves)
    if args.moves:
        raise ValueError("the moves are given twice: on the command line and by --sgf")
    return position_in_sgf(args.game, sgf, args.move)


def typed_position(game: GameSpec, words: Sequence[str]) -> Position:
    """The position of moves, a board or a game in SGF on the command line; says where it could be read otherwise."""
    written = position_of(game, " ".join(words))
    if written.note:
        print(written.note, file=sys.stderr)
    return written.position


def position_in_sgf(name: str, path: Path, move: int | None) -> Position:
    """The position after ``move`` moves (None: all) of the main line of a file's first game.

    ``name``: a game with parameters, by whose rules it is searched, or without any, which are the file's then.
    ValueError when they do not fit."""
    family = GAMES.get(name.strip())
    complete = family is None or all(parameter.default is not None for parameter in family.parameters)
    game = load_game(name) if complete else None
    file = read_game_file(path, game, most=1)
    if not file.records:
        raise ValueError(f"{path} cannot be used: {file.errors[0]}")
    record = file.records[0]
    steps = [record.node(node) for node in record.main_line()[1:]]
    if move is not None and not 0 <= move <= len(steps):
        raise ValueError(f"--move is {move}; the main line of {path} has {len(steps)} moves")
    if family is not None and record.game.name == family.name:
        game = record.game
    if game is None or record.game.name != game.name:
        raise ValueError(f"{path} is a game of {record.game.text}, not of {name}")
    if record.game.shape != game.shape:
        raise ValueError(
            f"{path} is a game of {record.game.text}, not of {game.text}; {game.name} without parameters takes them "
            "from the file"
        )
    if record.game.text != game.text:
        print(f"{path} is a game of {record.game.text}; it is searched as {game.text}", file=sys.stderr)
    start, position = record.start, game.initial()
    if start != record.game.initial():
        position = game.set_up(start.cells(), start.to_move, start.last_action)
    for step in steps[:move]:
        position = position.play(step.action) if step.setup is None else step.setup.position(position)
    return position


def report_interrupt() -> int:
    """Print that the search was interrupted; the exit code."""
    print("interrupted: the figures are those reached so far", file=sys.stderr)
    return INTERRUPTED


def add_device(parser: argparse.ArgumentParser, about: str = "", runtime: str = AUTO) -> None:
    """Add the options that say where and by what a net is evaluated; ``about``: what for."""
    parser.add_argument("--device", default="auto", metavar="NAME", help=f"{about}auto (default), cpu or cuda")
    others = ", ".join(name for name in RUNTIMES if name != runtime)
    parser.add_argument(
        "--runtime",
        default=runtime,
        metavar="NAME",
        help=f"what evaluates the net: {runtime} (default), {others}; auto takes the fastest that gives the same "
        "answers, OpenVINO only where its package is installed",
    )


def add_search_options(parser: argparse.ArgumentParser, usual: Limit = USUAL_LIMIT) -> None:
    """Add the options of a search: its limits, its net, its settings; ``usual``: its limit where none is given."""
    about = f"stop after N (default {usual.simulations} without --seconds)"
    parser.add_argument("--simulations", type=int, metavar="N", help=about)
    parser.add_argument("--seconds", type=float, metavar="S", help="stop after S seconds")
    parser.add_argument(
        "--net",
        metavar="NET",
        help="an ONNX net file, 'rollouts' (random games) or 'uniform' (equal priors, value 0); "
        "default: the net shipped for the game, else rollouts",
    )
    add_device(parser)
    add_recipe(parser)
    parser.add_argument(
        "--sgf",
        type=Path,
        metavar="FILE",
        help="take the position from the main line of a game record ("
        + " ".join(GAME_SUFFIXES)
        + "), and of a GAME without parameters its board and rules",
    )
    parser.add_argument("--move", type=int, metavar="N", help="after N moves of it (default: all)")
    parser.add_argument("--only", default="", metavar="MOVES", help='search these moves alone, as in "d4,e5"')
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of every random choice (default 0)")
    add_search_settings(parser)


def add_recipe(parser: argparse.ArgumentParser) -> None:
    """Add the option that describes a net made by another program."""
    parser.add_argument(
        "--recipe",
        type=Path,
        metavar="FILE",
        help="what the inputs and outputs of another program's net are, as JSON (default: the recipe in the net or "
        "beside it, else a guess)",
    )
    parser.add_argument(
        "--profile",
        metavar="NAME",
        help="the players that a human net of KataGo imitates: rank_5k, preaz_3d, with black's and white's rank "
        f"rank_5k_1d, proyear_1990 (default {USUAL})",
    )


def given_recipe(args: argparse.Namespace) -> Recipe | None:
    """The recipe in the file of ``--recipe``, or that of ``--profile``; None without them."""
    if args.recipe is None and args.profile is None:
        return None
    if getattr(args, "net", "") is None:  # some commands name their nets otherwise
        option = "--profile" if args.recipe is None else "--recipe"
        raise ValueError(f"{option} describes a net file; name the file with --net")
    if args.recipe is None:
        return for_profile(args.profile)
    if args.profile is not None:
        raise ValueError("--profile and --recipe are for different kinds of nets; give one of them")
    return read_recipe(args.recipe)


def prepare(game: GameSpec, evaluator: Evaluator | None, settings: SearchSettings) -> None:
    """Compile the kernels before the search, so that its time and rates do not include their compilation."""
    with notice_when_slow(COMPILING):
        warm_up(game, evaluator, settings)


@contextmanager
def notice_when_slow(text: str) -> Iterator[None]:
    """Context that prints ``text`` to stderr when its body takes longer than ``NOTICE_S``."""
    timer = threading.Timer(NOTICE_S, print, (text,), {"file": sys.stderr})
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@contextmanager
def interruptible() -> Iterator[list[int]]:
    """Context in which the first Ctrl-C only adds to the yielded list, so that a search stops after its slice, with a
    consistent tree.  A second Ctrl-C raises KeyboardInterrupt."""
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
