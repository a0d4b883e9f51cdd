"""The command line of Plyscope without the window.  Loads torch only in the commands that train or export."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NoReturn

from core.files.reading import in_short
from core.text import text_of
from models.cluster.versions import program_version
from models.commands.analyze import (
    INTERRUPTED,
    add_device,
    add_recipe,
    add_search_options,
    add_search_settings,
    analyze,
)
from models.commands.answers import add_answers
from models.commands.audit import add_audit
from models.commands.desktop import install_desktop
from models.commands.doctor import add_doctor
from models.commands.engines import add_engines
from models.commands.influence import add_influence
from models.commands.inside import add_inside
from models.commands.insight import add_insight_options
from models.commands.inspect import add_inspect
from models.commands.lint import add_lint
from models.commands.match import match
from models.commands.net_files import add_net_commands
from models.commands.postmortem import add_postmortem
from models.commands.printing import game_lines
from models.commands.report import add_report
from models.commands.serve import add_serve
from models.commands.serving import add_gomocup, add_gtp, add_nboard
from models.commands.to_window import PROGRAM_SIGN, tell_window
from models.commands.trained_nets import add_trained_nets
from models.commands.training import add_train
from models.commands.tree import add_tree
from models.commands.watch import add_watch

BAD_INPUT: Final = 2

_EXAMPLES: Final = """examples:
  plyscope                                             open the window
  plyscope game.sgf                                    open a game, session, tree, net, folder or archive there
  plyscope --game gomoku --moves "h8 i9" --net g.onnx  open it there
  plyscope games                                       list the games and how their moves are written
  plyscope analyze connect4 "d d c"                    search a position, 800 simulations, with the shipped net
  plyscope analyze connect4 --preset katago-like       the same by KataGo's rules of search
  plyscope analyze tictactoe "a3 b2" --net rollouts    the same by random games
  plyscope analyze "gomoku(size=9)" --seconds 5 --json five seconds, as one JSON object
  plyscope analyze gomoku h8 --on me@server            the same on another machine, by ssh
  plyscope postmortem connect4 "d d c" --line "d e e"  why a search misses a line
  plyscope report game.sgf --net kata.bin.gz           the mistakes of a game, and a summary for each player
  plyscope audit connect4 net.onnx --random 2000 --out audit.html
                                                       where a net goes wrong, as a page
  plyscope train connect4 --out runs/c4 --preset small train a net by self-play; add --resume to continue
  plyscope doctor runs/c4                              why a run does not learn
  plyscope influence runs/c4 --position "d d c"        the samples that taught its net a mistake
  plyscope elo runs/c4                                 Elo ratings of the run's nets
  plyscope eval runs/c4/net.onnx                       accuracy of a net on solved positions
  plyscope export runs/c4 --out c4.onnx                write the run's net as a net file
  plyscope import best_policy_8_8_5.model --game "connectn(rows=8, cols=8, k=5)" --out g.onnx
                                                       a net file of AlphaZero_Gomoku's parameters
  plyscope import g170-b6c96.bin.gz --out g170.onnx    a net file of a net of KataGo or Leela Zero
  plyscope import net.onnx --recipe planes.json --out mine.onnx
                                                       one of any other program, with what its planes are
  plyscope inspect net.onnx                            what a net holds, what it could be for, how fast it is
  plyscope inside net.onnx --position "d d c"          what a net wants of a position block by block
  plyscope match connect4 c4.onnx:200 rollouts:2000    play two engines against each other
  plyscope engines add rapfi gomocup ./pbrain-rapfi    list an outside engine
  plyscope match gomoku g.onnx:400 engine:rapfi,1s     play against it
  plyscope gtp "go(size=9)" --net x.onnx               play under a GTP program such as Sabaki
  plyscope tree connect4 "d d" --out tree.html         a page that shows every moment of the search
  plyscope watch gomoku "h8 h9"                        a page that shows the search while it runs
  plyscope lint bot.trace                              the faults in the trace of another program's search
  plyscope solve "connectn(rows=4, cols=4, k=4)"       the exact value and distance of every move
  plyscope threats gomoku "h8 a1 i8 o1 j8 a15"         patterns on the board, and a win by fours or threes
  plyscope count tictactoe                             how many boards can be reached
  plyscope perft othello --depth 7                     how many lines of play there are

Values are from -1 to +1, each named with its side.  Exit codes: 0 done, 1 faults found by
`plyscope lint` or `plyscope doctor`, 2 bad input, 130 stopped by Ctrl-C.
`plyscope COMMAND --help` explains one command."""


class _Parser(argparse.ArgumentParser):
    """A parser that raises a ValueError of one sentence for a wrong command line."""

    def error(self, message: str) -> NoReturn:
        raise ValueError(f"{message} ({self.prog} --help explains)")


class _InstallDesktop(argparse.Action):
    """The option --install-desktop, which acts during parsing as ``--version`` does, so that it needs no command."""

    def __init__(self, **options: Any) -> None:
        super().__init__(nargs=0, **options)

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        entry, icon = install_desktop()
        print(f"wrote {entry} and {icon}")
        parser.exit()


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit code.  User errors are printed to stderr as one sentence."""
    try:
        args = parsed(sys.argv[1:] if argv is None else list(argv))
        code = args.run(args)
        sys.stdout.flush()
        return int(code)
    except SystemExit as done:  # --help and --version
        return int(done.code or 0)
    except BrokenPipeError:
        # The reader closed the pipe (`| head`); without a stdout the interpreter's flush at exit cannot fail.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    except (ValueError, OSError) as error:
        sentence = _sentence(error)
        tell_window(sentence)
        print(f"{PROGRAM_SIGN}{sentence}", file=sys.stderr)
        return BAD_INPUT


def parsed(argv: list[str]) -> argparse.Namespace:
    """The arguments of a command line; ValueError of one sentence for a wrong one."""
    parser = make_parser()
    args, rest = parser.parse_known_args(argv)
    # argparse returns moves written after an option as unknown arguments, and the -- before them.
    at = rest.index("--") if "--" in rest else len(rest)
    unknown, moves = rest[:at], rest[:at] + rest[at + 1 :]
    if moves and (not hasattr(args, "moves") or any(word.startswith("-") for word in unknown)):
        parser.error(f"unknown arguments: {' '.join(rest)}")
    if moves:
        args.moves += moves
    return args


def make_parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    parser = _Parser(
        prog="plyscope",
        description="A glass box for Monte Carlo tree search.  Without a command the window opens.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"plyscope {program_version()}")
    parser.add_argument("--install-desktop", action=_InstallDesktop, help="add Plyscope to the desktop's menu (Linux)")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    _add_analyze(commands)
    add_train(commands)
    add_doctor(commands)
    add_influence(commands)
    add_trained_nets(commands)
    add_net_commands(commands)
    add_inspect(commands)
    _add_match(commands)
    add_gtp(commands)
    add_gomocup(commands)
    add_nboard(commands)
    add_serve(commands)
    add_engines(commands)
    add_answers(commands)
    add_tree(commands)
    add_watch(commands)
    add_lint(commands)
    add_postmortem(commands)
    add_report(commands)
    add_audit(commands)
    add_inside(commands)
    _add_kernels(commands)
    games = commands.add_parser("games", help="list the games")
    games.set_defaults(run=_games)
    return parser


def _add_analyze(commands: "argparse._SubParsersAction[_Parser]") -> None:
    parser = commands.add_parser(
        "analyze",
        help="search one position and print the figures of every move",
        description="Search one position and print what the search found, as the window shows it.",
    )
    parser.add_argument("game", metavar="GAME", help="as `plyscope games` lists it, with parameters in brackets")
    parser.add_argument("moves", metavar="MOVES", nargs="*", help='the moves that led there ("d d c"), or a diagram')
    parser.add_argument("--json", action="store_true", help="one JSON object; null where a figure does not exist")
    parser.add_argument("--every-move", action="store_true", help="print the unvisited moves too")
    parser.add_argument(
        "--ownership",
        choices=("root", "mean"),
        help="whose each point will be, where the net says it: its answer to the position, or the mean over the most "
        "visited positions of the tree, weighted by visits",
    )
    parser.add_argument("--tree", type=int, metavar="N", help="print the N most visited nodes as a tree below")
    parser.add_argument(
        "--on",
        metavar="ADDRESS",
        help="search on another machine: USER@HOST or ssh://HOST, or of a Ray cluster HOST:PORT, ray://HOST:PORT or "
        "auto; it needs no net file, but the same version of Plyscope",
    )
    add_insight_options(parser)
    add_search_options(parser)
    parser.set_defaults(run=analyze)


def _add_match(commands: "argparse._SubParsersAction[_Parser]") -> None:
    parser = commands.add_parser(
        "match",
        help="play two engines against each other",
        description="Play two engines against each other from random openings or those of a file, each with both "
        "colours, and print the score and the Elo difference of A over B with their 95 % intervals, and in how many "
        "openings the same side of the board won both games: these say nothing of who is stronger.",
    )
    parser.add_argument("game", metavar="GAME", help="as `plyscope games` lists it")
    for name in ("a", "b"):
        parser.add_argument(
            name,
            metavar=name.upper(),
            help="a net file, 'rollouts' or 'uniform'; after a colon its simulations per move; after commas settings "
            "of its own: c4.onnx:400,selection=gumbel,c_scale=0.5 or c4.onnx:400,preset=katago-like, "
            "of a human net of KataGo profile=rank_5k; or an outside engine by its protocol, options and command, "
            "'gtp:gnugo --mode gtp', 'gomocup,1s:pbrain-rapfi', 'nboard,depth=4:ntest x', "
            "or by its name in the list of `plyscope engines`: 'engine:rapfi,1s'",
        )
    parser.add_argument("--games", type=int, default=20, metavar="N", help="an even number (default 20)")
    parser.add_argument("--seconds", type=float, metavar="S", help="per move; without a colon the only limit")
    parser.add_argument("--opening-plies", type=int, metavar="N", help="random moves first (default 2)")
    parser.add_argument(
        "--openings", type=Path, metavar="FILE", help="instead: openings drawn from a file, a line of moves each"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object; the games as they end go to stderr")
    add_device(parser)
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of every random choice (default 0)")
    add_recipe(parser)
    add_search_settings(parser)
    parser.set_defaults(run=match)


def _add_kernels(commands: "argparse._SubParsersAction[_Parser]") -> None:
    parser = commands.add_parser(
        "kernels",
        help="compile every game's search beforehand",
        description="Compile what each game's search, pictures and solvers run, so that no first start waits for it.  "
        "What is compiled already is kept.",
    )
    parser.add_argument("--processes", type=int, metavar="N", help="at once (default: one for each processor)")
    parser.add_argument("--into", type=Path, metavar="FOLDER", help="write them to a folder that a package can include")
    parser.add_argument(
        "--without",
        action="append",
        default=[],
        metavar="PART",
        help="leave this part out, as 'go: *'; may be repeated; it is compiled when it is first needed",
    )
    parser.set_defaults(run=_kernels)


def _kernels(args: argparse.Namespace) -> int:
    from models.kernels import kernels_command  # imports every module with kernels

    return kernels_command(args)


def _games(args: argparse.Namespace) -> int:
    print("\n".join(game_lines()))
    return 0


def _sentence(error: ValueError | OSError) -> str:
    """An error as one line of text."""
    if isinstance(error, OSError) and error.strerror:
        return in_short(f"{error.filename}: {error.strerror}" if error.filename else error.strerror)
    sentence = in_short(text_of(error))
    return sentence.removeprefix(PROGRAM_SIGN) if sentence.startswith(PROGRAM_SIGN) else sentence
