"""The command ``plyscope postmortem``: why a search misses a line, and what would repair it."""

import argparse
import json
import math
from dataclasses import asdict
from typing import Any, Final

from core.engine.postmortem import (
    CONSTANT,
    DIFFERS,
    HORIZON,
    RESULTS,
    VALUE,
    Ply,
    PostMortem,
    Repair,
    exact_results,
    exact_values,
    for_beginner,
    post_mortem,
    sought,
)
from core.games import Position
from core.search import SearchSettings
from core.text import aligned
from models.commands.analyze import (
    add_search_options,
    asked_search,
    choose_net,
    given_recipe,
    given_settings,
    interruptible,
    prepare,
    report_interrupt,
    settings_for,
)
from models.commands.printing import signed

EXACT_S: Final = 10.0


def add_postmortem(commands: "argparse._SubParsersAction[Any]") -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "postmortem",
        help="say why a search misses a line, and what would repair it",
        description="Search a position and follow a line that the search misses: the figures of each of its moves, and "
        "searches again from the same seed with one prior or one value of the net changed at one node, to find what is "
        "to blame.  A line that begins with the search's own choice refutes it; where that is right by the exact "
        "results (or is the whole line), what makes the search leave it is looked for instead.",
    )
    parser.add_argument("game", metavar="GAME", help="as `plyscope games` lists it, with parameters in brackets")
    parser.add_argument("moves", metavar="MOVES", nargs="*", help='the moves that led there ("d d c"), or a diagram')
    parser.add_argument("--line", required=True, metavar="MOVES", help='what the search misses, as in "e e f"')
    parser.add_argument("--json", action="store_true", help="one JSON object; null where a figure does not exist")
    parser.add_argument(
        "--exact",
        type=float,
        default=EXACT_S,
        metavar="S",
        help="solve the position and the end of the line where they are small enough, each in at most S seconds "
        f"(default {EXACT_S:g}; 0: not)",
    )
    add_search_options(parser)
    parser.set_defaults(run=postmortem)


def postmortem(args: argparse.Namespace) -> int:
    """Search, repair and print; after Ctrl-C nothing."""
    position, only, limit = asked_search(args)
    if only or limit.seconds is not None:
        raise ValueError("a post-mortem searches all moves to a number of simulations; leave out --only and --seconds")
    if not (math.isfinite(args.exact) and args.exact >= 0.0):
        raise ValueError(f"--exact is {args.exact}; it must be a number of seconds, 0 or more")
    game, given = position.game, given_settings(args)
    SearchSettings(**given)  # raises for a bad setting before a net is loaded
    line = [game.parse_action(name) for name in args.line.replace(",", " ").split()]
    with interruptible() as came:
        evaluator = choose_net(game, args.net, given_recipe(args), args.device, args.runtime)
        if evaluator is None:
            raise ValueError("random games have no priors or values to blame; name a net with --net")
        settings = settings_for(evaluator, given)
        prepare(game, evaluator, settings)
        exact = exact_results(position, args.exact, lambda: bool(came))
        values = exact_values(position, line, args.exact, lambda: bool(came))
        report = post_mortem(
            position,
            line,
            evaluator,
            settings,
            limit.simulations or 0,
            seed=args.seed,
            exact=exact,
            values=values,
            should_stop=lambda: bool(came),
        )
    if report is None:
        return report_interrupt()
    if args.json:
        print(json.dumps(as_json(position, report), ensure_ascii=False))
    else:
        print("\n".join(lines_of(position, report)))
    return 0


def as_json(position: Position, report: PostMortem) -> dict[str, Any]:
    """The report for JSON: moves by name, plies from 1, null where a figure does not exist."""
    name = position.game.action_name
    data: dict[str, Any] = {
        "line": [name(action) for action in report.line],
        "simulations": report.simulations,
        "refutes": report.refutes,
        "shown": name(report.shown),
        "again": {name(action): visits for action, visits in report.again},
        "right_from": _number(report.right_from),
        "blame": report.blame,
        "reason": report.reason or None,
        "misjudged": [number for number, ply in enumerate(report.plies, 1) if ply.misjudged],
        "sentence": str(report.sentence),
        "plies": [],
        "repairs": [_repair_json(repair) for repair in report.repairs],
        "repair": None if report.repair is None else _repair_json(report.repair),
    }
    for ply in report.plies:
        figures = asdict(ply) | {"path": [name(action) for action in ply.path], "action": name(ply.action)}
        figures["leader"] = None if ply.leader < 0 else name(ply.leader)
        figures["tried"] = _number(ply.tried)
        figures |= {
            key: None for key, value in figures.items() if isinstance(value, float) and not math.isfinite(value)
        }
        data["plies"].append(figures)
    return data


def _number(value: int) -> int | None:
    return value if value >= 0 else None


def _repair_json(repair: Repair) -> dict[str, Any]:
    ply = repair.ply + 1 if repair.ply >= 0 else None
    return repair._asdict() | {"ply": ply, "right_from": _number(repair.right_from)}


def lines_of(position: Position, report: PostMortem) -> list[str]:
    """The report as lines of text: the moves, the repairs, and what is to blame."""
    name = position.game.action_name
    rows = [("ply", "move", "P", "V", "N", "rank", "Q", "exact", "first tried", "instead")]
    for number, ply in enumerate(report.plies, 1):
        rows.append(
            (
                str(number),
                name(ply.action),
                f"{ply.prior:.2%}",
                signed(for_beginner(number - 1, ply.value)),
                f"{ply.visits:,}",
                str(ply.rank or "-"),
                signed(for_beginner(number - 1, ply.q)),
                _exact(number - 1, ply),
                f"{ply.tried:,}" if ply.tried >= 0 else _foretold(ply.foretold),
                name(ply.leader) if ply.leader >= 0 else "-",
            )
        )
    table = aligned(rows, range(len(rows[0])))
    how = ", one position at a time" if report.one_by_one else ""
    (chosen, visits), (other, others) = report.again
    head = [
        str(sought(report, position.game.action_names)),
        f"Searched again{how}: {name(chosen)} is chosen (N {visits:,}), {name(other)} has N {others:,}.",
        "Values for the side that begins the line:",
    ]
    if report.blame == DIFFERS:
        return [str(report.sentence), "", *head, *table]
    return [
        *head,
        *table,
        "",
        *(_repair_line(position, report, repair) for repair in report.repairs),
        "",
        str(report.sentence),
    ]


def _exact(number: int, ply: Ply) -> str:
    """The exact result of a move for the side that begins the line; "!" where the search holds the contrary."""
    if math.isnan(ply.exact):
        return "-"
    return f"{'! ' if ply.misjudged else ''}{RESULTS[round(for_beginner(number, ply.exact))]}"


def _foretold(simulation: float) -> str:
    if math.isnan(simulation):
        return "-"
    return f"about {simulation:,.0f}" if math.isfinite(simulation) else "hardly ever"


def _repair_line(position: Position, report: PostMortem, repair: Repair) -> str:
    where = "at every ply" if repair.ply < 0 else f"at ply {repair.ply + 1}"
    name = "" if repair.ply < 0 else f" {position.game.action_name(report.line[repair.ply])}"
    if repair.kind == HORIZON:
        what = f"{repair.after:,.0f} simulations"
    elif repair.kind == CONSTANT:
        what = f"c {repair.before:g} -> {repair.after:g}"
    elif repair.kind == VALUE:
        before, after = (signed(for_beginner(repair.ply, value)) for value in (repair.before, repair.after))
        what = f"value after ply {repair.ply + 1}{name}: {before} -> {after}"
    else:
        what = f"prior {where}{name}: {repair.before:.2%} -> {repair.after:.2%}"
    if repair.keeps:
        return f"{what}: {'still right' if repair.right_from >= 0 else 'left'}"
    return f"{what}: {f'found after {repair.right_from:,}' if repair.right_from >= 0 else 'not found'}"
