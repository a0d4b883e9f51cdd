"""The command ``plyscope report``: analyse a whole game of a file without a window."""

import argparse
import json
import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from core.engine.policy import view_of
from core.engine.review import evaluate
from core.files import GAME_SUFFIXES
from core.files.game_files import read_game_file
from core.files.record import GameRecord
from core.games import GameSpec, Position, load_game
from core.glass.review import (
    INACCURACY,
    MARKS,
    NAMES,
    POINT_STEPS,
    Figures,
    GameReport,
    Grading,
    JudgedMove,
    make_report,
    read_steps,
    report_csv,
    report_json,
)
from core.search import Limit, SearchSettings
from core.text import aligned
from models.commands.analyze import (
    add_device,
    add_recipe,
    add_search_settings,
    choose_net,
    given_recipe,
    given_settings,
    interruptible,
    prepare,
    report_interrupt,
    settings_for,
)
from models.engines.engine import LONGEST_MOVE_S, SECONDS, judged
from models.engines.engine_list import find_engine
from models.engines.opening import open_listed
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.katago_metadata import USUAL
from models.netfiles.recipe import for_profile

SIMULATIONS: Final = 400
_SIDES: Final = ("first", "second")  # players in files, whatever the game calls them
_TITLES: Final = {name: f"{name}s" if name != INACCURACY else "inaccuracies" for name in NAMES}


def report(args: argparse.Namespace) -> int:
    """Search every position of the main line and print the moves with what they lose; after Ctrl-C those so far."""
    record = _record(args.file, args.game, args.number)
    positions = [record.position(node) for node in record.main_line()]
    if len(positions) < 2:
        raise ValueError(f"{args.file}: the game has no move to judge")
    grading = Grading(args.by == "points", read_steps(args.classes))
    if args.engine is None and args.seconds is not None:
        raise ValueError("--seconds goes with --engine; a search of ours has --simulations")
    with interruptible() as came:
        search = _search if args.engine is None else _ask
        about, figures = search(args, record.game, list(dict.fromkeys(positions)), lambda: bool(came))
        human = _human(
            args, record.game, [position for position in positions if position in figures], lambda: bool(came)
        )
    game_report = make_report(positions, figures.get, _SIDES, _SIDES, grading, human.get)
    if args.csv:
        print(report_csv(game_report), end="")
    elif args.json:
        about = {"game": record.game.text, "info": dict(record.info), **about}
        print(json.dumps({**about, **report_json(game_report)}, ensure_ascii=False))
    else:
        print("\n".join(_lines(game_report, record, args.all)))
    return report_interrupt() if came else 0


Found = dict[Position, Figures]


def _search(
    args: argparse.Namespace, game: GameSpec, positions: list[Position], should_stop: Callable[[], bool]
) -> tuple[dict[str, Any], Found]:
    """What our search says of the positions, and what it was."""
    values = given_settings(args)
    SearchSettings(**values)
    Limit(simulations=args.simulations)
    evaluator = choose_net(game, args.net, given_recipe(args), args.device, args.runtime)
    settings = settings_for(evaluator, values)
    prepare(game, evaluator, settings)
    figures_at: Found = {}
    for position in positions:
        figures = evaluate(position, evaluator, settings, args.simulations, should_stop)
        if figures is None:
            break
        figures_at[position] = figures
        _print_progress(len(figures_at), len(positions))
    net = "rollouts" if evaluator is None else evaluator.description
    return {"net": net, "simulations": args.simulations}, figures_at


def _ask(
    args: argparse.Namespace, game: GameSpec, positions: list[Position], should_stop: Callable[[], bool]
) -> tuple[dict[str, Any], Found]:
    """What an engine of the list says of the positions, and which it was."""
    if args.net is not None:
        raise ValueError("--net does not go with --engine, which judges by itself")
    seconds = SECONDS if args.seconds is None else args.seconds
    if not 0.0 < seconds <= LONGEST_MOVE_S:
        raise ValueError(f"--seconds is {seconds:g}; it must be above 0 and at most {LONGEST_MOVE_S:g}")
    entry = find_engine(args.engine)
    engine = open_listed(game, entry)
    figures_at: Found = {}
    try:
        for position, figures in judged(engine, positions, seconds, should_stop):
            figures_at[position] = figures
            _print_progress(len(figures_at), len(positions))
    finally:
        engine.close()
    return {"engine": entry.name, "seconds": seconds}, figures_at


def _human(
    args: argparse.Namespace, game: GameSpec, positions: list[Position], should_stop: Callable[[], bool]
) -> dict[Position, dict[int, float]]:
    """How likely the players of ``--human-profile`` play each move of the positions; {} without ``--human-net``."""
    if args.human_net is None:
        if args.human_profile is not None:
            raise ValueError("--human-profile goes with --human-net, the file of a human net of KataGo")
        return {}
    net = OnnxEvaluator(args.human_net, game, recipe=for_profile(args.human_profile or USUAL), device="cpu")
    found: dict[Position, dict[int, float]] = {}
    for position in positions:
        if should_stop():
            break
        if not position.is_over:
            found[position] = view_of(net, position).policy
    return found


def _print_progress(done: int, of: int) -> None:
    if sys.stderr.isatty():
        print(f"\r{done} of {of} positions", end="\n" if done == of else "", file=sys.stderr, flush=True)


def _record(path: Path, game: str | None, number: int) -> GameRecord:
    """One game of a file, from 1."""
    file = read_game_file(path, load_game(game) if game else None, only=number)
    if not file.records:
        raise ValueError(
            f"{path} cannot be used: {file.errors[0]}"
            if file.errors and (1 <= number <= file.games or not file.games)
            else f"--number is {number}; {path} has {file.games} games"
        )
    return file.records[0]


def _lines(game_report: GameReport, record: GameRecord, every: bool) -> list[str]:
    """The report as text: a line for each mistake or, with ``every``, each move, then a summary for each player."""
    by_points = "points lost" if game_report.by_points else "expected score lost"
    limits = ", ".join(f"{kind.name} from {kind.least:g}" for kind in game_report.classes)
    shown = [move for move in game_report.moves if move is not None and (every or move.kind)]
    lines = [
        record.game.title,
        f"{game_report.judged} of {len(game_report.values)} positions; classes by {by_points}: {limits}",
        "",
    ]
    if shown:
        rows = [_HEAD, *(_row(move) for move in shown)]
        if game_report.has_human:
            chances = ("P human", *(_figure(100 * move.human, ".1f", " %") for move in shown))
            rows = [(*row[:-1], chance, row[-1]) for row, chance in zip(rows, chances, strict=True)]
        lines += aligned(rows, range(1, len(rows[0]) - 1))
    else:
        lines.append("no mistakes")
    names = (record.info.get("black") or _SIDES[0], record.info.get("white") or _SIDES[1])
    return [*lines, "", *aligned([("", *names), *_summary(game_report)], (1, 2))]


_HEAD: Final = ("ply", "move", "best", "value", "of best", "loss", "lead", "of best", "points", "class")


def _row(move: JudgedMove) -> tuple[str, ...]:
    name = f"{move.kind} {MARKS[move.kind]}" if move.kind else ""
    figures = (
        *(_figure(number, "+.3f") for number in (move.value, move.best_value)),
        _figure(move.loss, ".3f"),
        *(_figure(number, "+.1f") for number in (move.lead, move.best_lead)),
        _figure(move.points, ".1f"),
    )
    return (str(move.ply + 1), move.name, move.best, *figures, name)


def _summary(game_report: GameReport) -> list[tuple[str, ...]]:
    both = [game_report.summary(player) for player in (0, 1)]
    rows = [("moves", *(str(summary.moves) for summary in both))]
    rows += [(_TITLES[name], *(str(summary.counts[name]) for summary in both)) for name in NAMES]
    rows.append(("mean loss of expected score", *(_figure(summary.mean_loss, ".3f") for summary in both)))
    if game_report.has_leads:
        rows.append(("points lost a move", *(_figure(summary.mean_points, ".2f") for summary in both)))
        rows.append(("accuracy", *(_figure(summary.accuracy, ".1f") for summary in both)))
        highs = (math.inf, *game_report.grading.steps)
        for i, (low, high) in enumerate(zip(game_report.grading.steps, highs, strict=False)):
            title = f"  {low:g} points or more" if math.isinf(high) else f"  {low:g} to {high:g} points"
            rows.append((title, *(str(summary.steps[i]) for summary in both)))
    rows.append(("the search's first move", *(_figure(100 * summary.agreement, ".0f", " %") for summary in both)))
    if game_report.has_human:
        rows.append(("mistakes of the rank", *(str(summary.common) for summary in both)))
    rows.append(("one of its first three", *(_figure(100 * summary.among_first, ".0f", " %") for summary in both)))
    return rows


def _figure(number: float, form: str, unit: str = "") -> str:
    return "-" if math.isnan(number) else f"{number:{form}}{unit}"


def add_report(commands: Any) -> None:
    """Add the command to those of the program."""
    parser = commands.add_parser(
        "report",
        help="analyse a whole game and judge its moves",
        description="Search every position of a game's main line and print the mistakes, with what they lose, and a "
        "summary for each player, as the window's game report does.",
    )
    parser.add_argument("file", metavar="FILE", type=Path, help=f"a game record ({' '.join(GAME_SUFFIXES)})")
    parser.add_argument("--number", type=int, default=1, metavar="N", help="the N-th game of the file (default 1)")
    parser.add_argument("--game", metavar="GAME", help="the game, where the file does not say it")
    parser.add_argument("--all", action="store_true", help="every move, not only the mistakes")
    parser.add_argument("--json", action="store_true", help="one JSON object; null where a figure does not exist")
    parser.add_argument("--csv", action="store_true", help="a line for each move")
    parser.add_argument(
        "--by", choices=("points", "score"), default="points", help="what the classes go by, where the net gives leads"
    )
    steps = " ".join(f"{step:g}" for step in POINT_STEPS)
    parser.add_argument("--classes", default=steps, metavar="POINTS", help=f'limits of points lost (default "{steps}")')
    parser.add_argument(
        "--simulations", type=int, default=SIMULATIONS, metavar="N", help=f"for each position (default {SIMULATIONS})"
    )
    parser.add_argument("--net", metavar="NET", help="as of `plyscope analyze`")
    parser.add_argument("--engine", metavar="NAME", help="let an engine of `plyscope engines` judge the moves")
    parser.add_argument(
        "--seconds", type=float, metavar="S", help=f"of the engine for each position, at most (default {SECONDS:g})"
    )
    parser.add_argument(
        "--human-net",
        metavar="NET",
        help="a human net of KataGo: each move carries how likely players of a rank play it, as that net claims",
    )
    parser.add_argument(
        "--human-profile", metavar="PROFILE", help=f"the players that it imitates, such as rank_3d (default {USUAL})"
    )
    add_device(parser)
    add_recipe(parser)
    add_search_settings(parser)
    parser.set_defaults(run=report)
