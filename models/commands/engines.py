"""The command ``plyscope engines``: the user's list of outside engines."""

import argparse
import math
from collections import deque
from collections.abc import Iterable
from typing import Any

from core.games import load_game
from models.commands.analyze import interruptible
from models.engines.engine import LONGEST_MOVE_S
from models.engines.engine_list import PROTOCOLS, EngineEntry, engines_file, find_engine, read_engines, write_engines
from models.engines.opening import open_listed, try_engine
from models.engines.opinion import Opinion
from models.engines.process import EngineError, Line, line_text


def add_engines(commands: "argparse._SubParsersAction[Any]") -> None:
    """Add the command and its own commands."""
    parser = commands.add_parser(
        "engines",
        help="the list of outside engines",
        description="Outside engines by name, for matches ('engine:NAME' as a player of `plyscope match`) and for the "
        "window.  Without a command the list is printed.",
    )
    parser.set_defaults(run=_list)
    acts = parser.add_subparsers(metavar="COMMAND")
    add = acts.add_parser("add", help="add an engine, or replace the one of that name")
    add.add_argument("name", metavar="NAME")
    add.add_argument("protocol", metavar="PROTOCOL", help=", ".join(PROTOCOLS))
    add.add_argument("command", metavar="COMMAND", help="the program with its options, in quotation marks")
    add.add_argument("--folder", default="", metavar="FOLDER", help="where it is started")
    add.add_argument(
        "--host",
        default="",
        metavar="HOST",
        help="the machine where it runs, reached by ssh: user@host or user@host:port",
    )
    add.add_argument("--options", default="", metavar="LIST", help="seconds per move and others: 1s,depth=6,memory=256")
    add.add_argument("--games", default="", metavar="LIST", help="names of the games that it may play (default: all)")
    add.set_defaults(run=_add)
    remove = acts.add_parser("remove", help="remove an engine from the list")
    remove.add_argument("name", metavar="NAME")
    remove.set_defaults(run=_remove)
    test = acts.add_parser("test", help="start an engine, ask it for a move and print the dialogue")
    test.add_argument("name", metavar="NAME")
    test.add_argument("game", metavar="GAME", nargs="?", help="as `plyscope games` lists it")
    test.set_defaults(run=_test)
    ask = acts.add_parser("ask", help="print what an engine thinks of a position")
    ask.add_argument("name", metavar="NAME")
    ask.add_argument("game", metavar="GAME", help="as `plyscope games` lists it")
    ask.add_argument("moves", metavar="MOVES", nargs="*", help="the moves that led there")
    ask.add_argument("--seconds", type=float, default=2.0, metavar="S", help="at most (default 2)")
    ask.set_defaults(run=_ask)


def _list(args: argparse.Namespace) -> int:
    engines = read_engines()
    if not engines:
        print(f"no engine is listed in {engines_file()}; plyscope engines add NAME PROTOCOL COMMAND adds one")
    for engine in engines:
        print(f"{engine.name}: {engine.protocol}, {engine.command}")
        more = {
            "host": engine.host,
            "folder": engine.folder,
            "games": ", ".join(engine.games),
            "options": engine.options,
        }
        for name, value in more.items():
            if value:
                print(f"  {name}: {value}")
    return 0


def _add(args: argparse.Namespace) -> int:
    games = tuple(word.strip() for word in args.games.split(",") if word.strip())
    entry = EngineEntry(args.name, args.protocol, args.command, args.folder, games, args.options, args.host)
    others = [engine for engine in read_engines() if engine.name.casefold() != entry.name.casefold()]
    write_engines([*others, entry])
    print(f"{entry.name} is in the list; plyscope engines test '{entry.name}' tries it")
    return 0


def _remove(args: argparse.Namespace) -> int:
    entry = find_engine(args.name)
    write_engines([engine for engine in read_engines() if engine != entry])
    print(f"{entry.name} is not in the list any more")
    return 0


def _test(args: argparse.Namespace) -> int:
    entry = find_engine(args.name)
    trial = try_engine(entry, None if args.game is None else load_game(args.game))
    _print_dialogue(trial.dialogue)
    if not trial.passed:
        raise EngineError(trial.sentence)
    print(trial.sentence)
    return 0


def _print_dialogue(lines: Iterable[Line]) -> None:
    for line in lines:
        print(line_text(line))


def _ask(args: argparse.Namespace) -> int:
    entry = find_engine(args.name)
    game = load_game(args.game)
    position = game.position(" ".join(args.moves))
    if position.is_over:
        raise ValueError("the game is over; an engine has nothing to say of it")
    if not 0.0 < args.seconds <= LONGEST_MOVE_S:
        raise ValueError(f"--seconds is {args.seconds:g}; it must be above 0 and at most {LONGEST_MOVE_S:g}")
    engine = open_listed(game, entry)
    try:
        with interruptible() as came:
            last = deque(engine.analysis(position, args.seconds, lambda: bool(came)), maxlen=1)
    finally:
        engine.close()
    if not last:
        raise EngineError(f"the engine {entry.name} named no move")
    print(f"{entry.name} on {game.text}; values are for the side to move, figures are the engine's own")
    print("\n".join(_opinion_lines(last[0])))
    return 0


def _opinion_lines(opinion: Opinion) -> list[str]:
    """A table of the rows, without the columns of which the engine says nothing."""
    game = opinion.position.game
    columns: dict[str, list[str]] = {
        "move": [game.action_name(row.action) for row in opinion.rows],
        "visits": [str(row.visits) if row.visits >= 0 else "" for row in opinion.rows],
        "value": ["" if math.isnan(row.value) else f"{row.value:+.3f}" for row in opinion.rows],
        "lead": ["" if math.isnan(row.lead) else f"{row.lead:+.2f}" for row in opinion.rows],
        "prior": ["" if math.isnan(row.prior) else f"{row.prior:.1%}" for row in opinion.rows],
        "own": [row.evaluation for row in opinion.rows],
        "depth": [row.depth for row in opinion.rows],
        "line": [" ".join(game.action_name(action) for action in row.pv) for row in opinion.rows],
    }
    shown = {title: cells for title, cells in columns.items() if any(cells)}
    widths = {title: max(map(len, (title, *cells))) for title, cells in shown.items()}
    rows = [dict(zip(shown, shown, strict=True))]
    rows += [{title: cells[i] for title, cells in shown.items()} for i in range(len(opinion.rows))]
    left_aligned = ("move", "line")
    return [
        "  ".join(f"{row[title]:{'<' if title in left_aligned else '>'}{widths[title]}}" for title in shown).rstrip()
        for row in rows
    ]
