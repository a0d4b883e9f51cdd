"""The commands of Plyscope without a window.  Loads torch only in the commands that train or export."""

import argparse
import inspect
import os
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from dataclasses import fields
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final, NoReturn

from core.games import load_game
from core.search import SearchSettings
from models.analyze import INTERRUPTED, add_search_settings, analyze
from models.answers import add_answers
from models.desktop import install_desktop
from models.match import match
from models.printing import game_lines
from models.train_config import TrainConfig

BAD_INPUT: Final = 2

_EXAMPLES: Final = """examples:
  plyscope                                             open the window
  plyscope --game gomoku --moves "h8 i9" --net g.onnx  open it there
  plyscope games                                       list the games and how their moves are written
  plyscope analyze connect4 "d d c"                    search a position, 800 simulations, with the shipped net
  plyscope analyze tictactoe "a3 b2" --net rollouts    the same by random games
  plyscope analyze "gomoku(size=9)" --seconds 5 --json five seconds, as one JSON object
  plyscope train connect4 --out runs/c4 --minutes 60   train a net by self-play; the same command with --resume goes on
  plyscope export runs/c4 --out c4.onnx                write the run's net as a net file
  plyscope match connect4 c4.onnx:200 rollouts:2000    play two engines against each other
  plyscope solve "connectn(rows=4, cols=4, k=4)"       the exact value and distance of every move
  plyscope threats gomoku "h8 a1 i8 o1 j8 a15"         patterns on the board, and a win by fours or threes
  plyscope count tictactoe                             how many boards can be reached
  plyscope perft othello --depth 7                     how many lines of play there are

Values lie in -1 .. +1 and each says for which side.  Exit codes: 0 done, 2 bad input, 130 stopped by Ctrl-C.
`plyscope COMMAND --help` explains one command."""


class _Parser(argparse.ArgumentParser):
    """Tells a wrong command line in one sentence."""

    def error(self, message: str) -> NoReturn:
        raise ValueError(f"{message} ({self.prog} --help explains)")


class _InstallDesktop(argparse.Action):
    """Does its work while the line is parsed, as ``--version`` does, so that no command is needed beside it."""

    def __init__(self, **options: Any) -> None:
        super().__init__(nargs=0, **options)

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        entry, icon = install_desktop()
        print(f"wrote {entry} and {icon}")
        parser.exit()


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the process's exit code.  Errors of the user become one sentence on stderr."""
    try:
        args = _parse(sys.argv[1:] if argv is None else list(argv))
        code = args.run(args)
        sys.stdout.flush()
        return int(code)
    except SystemExit as done:  # --help and --version
        return int(done.code or 0)
    except BrokenPipeError:
        # The reader left (`| head`): nothing more to say, and nothing for the interpreter to flush at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    except (ValueError, OSError) as error:
        print(f"plyscope: {_sentence(error)}", file=sys.stderr)
        return BAD_INPUT


def _parse(argv: list[str]) -> argparse.Namespace:
    parser = make_parser()
    args, rest = parser.parse_known_args(argv)
    if rest and hasattr(args, "moves") and not any(word.startswith("-") for word in rest):
        # argparse gives moves written after an option back as unknown.
        args.moves += rest
    elif rest:
        parser.error(f"unknown arguments: {' '.join(rest)}")
    return args


def make_parser() -> argparse.ArgumentParser:
    """The command line."""
    parser = _Parser(
        prog="plyscope",
        description="A glass box for Monte Carlo tree search.  Without a command the window opens.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"plyscope {_version()}")
    parser.add_argument("--install-desktop", action=_InstallDesktop, help="add Plyscope to the desktop's menu (Linux)")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    _add_analyze(commands)
    _add_train(commands)
    _add_export(commands)
    _add_match(commands)
    add_answers(commands)
    games = commands.add_parser("games", help="list the games")
    games.set_defaults(run=_games)
    return parser


def _add_analyze(commands: "argparse._SubParsersAction[_Parser]") -> None:
    parser = commands.add_parser(
        "analyze",
        help="search one position and print the figures of every move",
        description="Search one position and print what the search found, as the window shows it.",
        epilog=_described(SearchSettings),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("game", metavar="GAME", help="as `plyscope games` lists it, with parameters in brackets")
    parser.add_argument("moves", metavar="MOVES", nargs="*", help='the moves that led there ("d d c"), or a diagram')
    parser.add_argument("--simulations", type=int, metavar="N", help="stop after N (default 800 without --seconds)")
    parser.add_argument("--seconds", type=float, metavar="S", help="stop after S seconds")
    parser.add_argument("--json", action="store_true", help="one JSON object; null where a figure does not exist")
    parser.add_argument("--every-move", action="store_true", help="print the unvisited moves too")
    _add_net(parser)
    _add_foreign(parser)
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of every random choice (default 0)")
    add_search_settings(parser)
    parser.set_defaults(run=analyze)


def _add_train(commands: "argparse._SubParsersAction[_Parser]") -> None:
    parser = commands.add_parser(
        "train",
        help="train a net by self-play",
        description="Train a net by self-play into the folder RUN: checkpoint.pt, replay/, reports.jsonl, net.onnx.  "
        "Ctrl-C saves and exports; a run killed at any moment goes on with --resume.",
        epilog=_described(TrainConfig),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("game", metavar="GAME", help="as `plyscope games` lists it")
    parser.add_argument("--out", required=True, type=Path, metavar="RUN", help="the run's folder")
    parser.add_argument("--resume", action="store_true", help="go on with the run in RUN, with its settings")
    parser.add_argument("--minutes", type=float, metavar="M", help="the run ends after M minutes in all")
    parser.add_argument("--config", type=Path, metavar="FILE", help="a TOML file of settings; --set overrides it")
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="a setting explained below; may be repeated"
    )
    parser.set_defaults(run=_train)


def _train(args: argparse.Namespace) -> int:
    game = load_game(args.game).text
    given = read_settings(args.config) if args.config else {}
    given.update(parse_setting(text) for text in args.set)
    if args.minutes is not None:
        given["minutes"] = args.minutes
    if given.setdefault("game", game) != game:
        raise ValueError(f"the settings say game {given['game']!r} and the command {game!r}")
    # A mistake is told before torch is loaded; a resumed run may find its end in its checkpoint.
    TrainConfig.from_dict({"minutes": 1.0, **given} if args.resume else given)
    from models.checkpoint import load_checkpoint
    from models.train import CHECKPOINT, report_line, train

    checkpoint = args.out / CHECKPOINT
    if args.resume and checkpoint.is_file():
        given = {**load_checkpoint(checkpoint).meta.get("config", {}), **given}
    config = TrainConfig.from_dict(given)
    _check_folder(args.out)
    if args.resume or not checkpoint.exists():
        print(f"training {config.game} into {args.out}; Ctrl-C saves and ends", file=sys.stderr)
    result = train(config, args.out, args.resume, lambda report: print(report_line(report), flush=True))
    print(f"{result.reason}: {result.iterations} iterations, {result.steps} steps, the net is {result.net}")
    return INTERRUPTED if result.reason == "stopped" else 0


def _check_folder(out: Path) -> None:
    """ValueError now rather than after an hour when nothing can be written into ``out``."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=out):
            pass
    except OSError as error:
        raise ValueError(f"nothing can be written into {str(out)!r}: {error.strerror or error}") from None


def read_settings(path: Path) -> dict[str, Any]:
    """The settings in a TOML file; ValueError when it is none."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{str(path)!r} is not a TOML file of settings: {error}") from None


def parse_setting(text: str) -> tuple[str, Any]:
    """``"simulations=400"`` -> ("simulations", 400), by the type the setting has."""
    name, equals, value = text.partition("=")
    kinds = {field.name: field.type for field in fields(TrainConfig)}
    if not equals or name not in kinds:
        raise ValueError(f"{text!r} is no setting; write KEY=VALUE, where KEY is one of {', '.join(kinds)}")
    if kinds[name] is str:
        return name, value
    try:
        return name, int(value) if kinds[name] is int else float(value)
    except ValueError:
        raise ValueError(f"{name} is {value!r}; it must be a {'whole ' if kinds[name] is int else ''}number") from None


def _add_export(commands: "argparse._SubParsersAction[_Parser]") -> None:
    parser = commands.add_parser(
        "export",
        help="write a run's net as a net file",
        description="Write the averaged weights of a run as one ONNX net file, checked against torch.",
    )
    parser.add_argument("source", type=Path, metavar="RUN", help="a run's folder, or its checkpoint file")
    parser.add_argument("--out", required=True, type=Path, metavar="NET.onnx", help="the file to write")
    parser.set_defaults(run=_export)


def _export(args: argparse.Namespace) -> int:
    from models.checkpoint import BadCheckpoint, load_checkpoint, load_weights
    from models.export import export_onnx
    from models.net import PolicyValueNet
    from models.train import CHECKPOINT

    path = args.source / CHECKPOINT if args.source.is_dir() else args.source
    checkpoint = load_checkpoint(path)
    try:
        config, step = TrainConfig.from_dict(checkpoint.meta["config"]), int(checkpoint.meta["progress"]["step"])
    except (KeyError, TypeError):
        raise BadCheckpoint(f"{str(path)!r} is not the checkpoint of a training run") from None
    game = load_game(config.game)
    net = PolicyValueNet.for_game(game, config.net_config())
    load_weights(net, checkpoint.averaged, path)
    try:
        parity = export_onnx(net, game, args.out, step)
    except OSError as error:
        raise ValueError(f"{str(args.out)!r} cannot be written: {error.strerror or error}") from None
    print(
        f"{args.out}: {game.text}, step {step}; onnxruntime differs from torch by at most {parity.max_dp:.1e} in the "
        f"policy and {parity.max_dv:.1e} in the value over {parity.positions} positions"
    )
    return 0


def _add_match(commands: "argparse._SubParsersAction[_Parser]") -> None:
    parser = commands.add_parser(
        "match",
        help="play two engines against each other",
        description="Play two engines against each other from random openings, each opening with both colours, and "
        "print the score and the Elo difference of A over B with their 95 % intervals.",
        epilog=_described(SearchSettings),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("game", metavar="GAME", help="as `plyscope games` lists it")
    for name in ("a", "b"):
        parser.add_argument(
            name,
            metavar=name.upper(),
            help="a net file, 'rollouts' or 'uniform'; after a colon its simulations per move; after commas settings "
            "of its own: c4.onnx:400,selection=gumbel,c_scale=0.5",
        )
    parser.add_argument("--games", type=int, default=20, metavar="N", help="an even number (default 20)")
    parser.add_argument("--seconds", type=float, metavar="S", help="per move; without a colon the only limit")
    parser.add_argument("--opening-plies", type=int, default=2, metavar="N", help="random moves first (default 2)")
    parser.add_argument("--json", action="store_true", help="one JSON object; the games as they end go to stderr")
    parser.add_argument("--device", default="auto", metavar="NAME", help="auto (default), cpu or cuda")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of every random choice (default 0)")
    _add_foreign(parser)
    add_search_settings(parser)
    parser.set_defaults(run=match)


def _add_net(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--net",
        metavar="NET",
        help="an ONNX net file, 'rollouts' (random games) or 'uniform' (equal priors, value 0); "
        "default: the net shipped for the game, else rollouts",
    )
    parser.add_argument("--device", default="auto", metavar="NAME", help="auto (default), cpu or cuda")


def _add_foreign(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--foreign-policy",
        metavar="KIND",
        help="for a net made elsewhere: its policy is logits, log-probabilities or probabilities",
    )
    parser.add_argument(
        "--rows-flipped", action="store_true", help="for a net made elsewhere: its row 0 is the bottom row"
    )


def _games(args: argparse.Namespace) -> int:
    print("\n".join(game_lines()))
    return 0


def _described(settings: type) -> str:
    """What a class of settings says of each of them: its description without the first line."""
    return inspect.cleandoc(settings.__doc__ or "").partition("\n\n")[2].replace("``", "")


def _sentence(error: ValueError | OSError) -> str:
    """What went wrong, on one line."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return " ".join(str(error).split())


def _version() -> str:
    try:
        return version("plyscope")
    except PackageNotFoundError:
        return "not installed"
