"""The commands of Plyscope without a window: analyze, train, export, match, games.  Loads torch only where it is needed."""

import argparse
import inspect
import os
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final, NoReturn

BAD_INPUT: Final = 2
INTERRUPTED: Final = 130  # 128 + SIGINT, as a shell counts

_EXAMPLES: Final = """examples:
  plyscope                                             open the window
  plyscope games                                       list the games and how their moves are written
  plyscope analyze connect4 "d d c"                    search a position, 800 simulations, with the shipped net
  plyscope analyze tictactoe "a3 b2" --net rollouts    the same by random games
  plyscope analyze "gomoku(size=9)" --seconds 5 --json five seconds, as one JSON object
  plyscope train connect4 --out runs/c4 --minutes 60   train a net by self-play; the same command with --resume goes on
  plyscope export runs/c4 --out c4.onnx                write the run's net as a net file
  plyscope match connect4 c4.onnx rollouts             play two engines against each other

Values lie in -1 .. +1 and each says for which side.  Exit codes: 0 done, 2 bad input, 130 stopped by Ctrl-C.
`plyscope COMMAND --help` explains one command."""


class _Parser(argparse.ArgumentParser):
    """Tells a wrong command line in one sentence."""

    def error(self, message: str) -> NoReturn:
        raise ValueError(f"{message} ({self.prog} --help explains)")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the process's exit code.  Errors of the user become one sentence on stderr."""
    try:
        args = _parse(sys.argv[1:] if argv is None else list(argv))
        code = args.run(args)
        sys.stdout.flush()
        return int(code)
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
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    _add_analyze(commands)
    # _add_train(commands)
    # _add_export(commands)
    # _add_match(commands)
    games = commands.add_parser("games", help="list the games")
    games.set_defaults(run=_games)
    return parser


def _add_analyze(commands: "argparse._SubParsersAction[_Parser]") -> None:
    from core.search.settings import SearchSettings

    parser = commands.add_parser(
        "analyze",
        help="search one position and print the figures of every move",
        description="Search one position and print what the search found, as the window shows it.",
        epilog=inspect.cleandoc(SearchSettings.__doc__ or ""),
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
    _search_options(parser)
    parser.set_defaults(run=_analyze)


def _search_options(parser: argparse.ArgumentParser) -> None:
    from models.analyze import add_search_settings

    add_search_settings(parser)


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


def _analyze(args: argparse.Namespace) -> int:
    from models.analyze import analyze

    return analyze(args)


def _games(args: argparse.Namespace) -> int:
    from models.printing import game_lines

    print("\n".join(game_lines()))
    return 0


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
