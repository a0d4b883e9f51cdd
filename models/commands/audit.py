"""The command ``plyscope audit``: find the positions where a net, or the search with it, goes wrong."""

import argparse
import json
import math
import sys
import time
from pathlib import Path
from typing import Any, Final

from core.files.atomic import write_atomically
from core.games import GameSpec, load_game
from core.rng import check_seed
from models.audit.blame import MOST, blame_json, blame_line, examine
from models.audit.neighbours import change_words, check_fresh, is_hunt, neighbour_score
from models.audit.page import report_page
from models.audit.results import SUFFIX, Audit, NetFile, net_file, read_audit
from models.audit.searching import audit_settings
from models.audit.summary import calibrate, figures_of, summary_lines
from models.audit.table import audit_csv, mistake_openings
from models.audit.work import PLACED, POLICY, RANDOM, Source, begin_audit, carry_on, check_nets, gather, read_plies
from models.commands.analyze import (
    add_device,
    add_recipe,
    given_recipe,
    interruptible,
    open_net,
    prepare,
    report_interrupt,
)
from models.netfiles.evaluator import OnnxEvaluator
from models.play.openings import write_openings
from models.strength.match import LEAST_SIMULATIONS

LIMIT: Final = 2000
SIMULATIONS: Final = 400
SOLVE_S: Final = 1.0
SOURCES: Final = (*PLACED, RANDOM, POLICY)
_SHOW_S: Final = 1.0
_LINE_S: Final = 15.0  # between lines of progress where the output is no terminal


def audit(args: argparse.Namespace) -> int:
    """Audit the positions that the command line names, or resume; the report of those done, also after Ctrl-C."""
    _check(args)
    data = args.data or args.out.with_suffix(SUFFIX)
    game = load_game(args.game)
    recipe = given_recipe(args)
    nets = tuple(net_file(path) for path in (args.net, args.net2) if path is not None)
    before = None if args.before is None else read_audit(args.before)
    with interruptible() as came:
        evaluators = [
            open_net(path, game, recipe, args.device, args.runtime)
            for path in (args.net, args.net2)
            if path is not None
        ]
        audit_state = _resumed(data, game, nets) if args.resume else None
        if audit_state is None:
            if args.neighbours:
                print("looking for neighbours of the positions…", file=sys.stderr, flush=True)
            gathered = gather(game, _source(args), evaluators, lambda: bool(came))
            print(*gathered[0].notes, sep="\n", end="\n" * bool(gathered[0].notes), file=sys.stderr)
            if before is not None:
                check_fresh(Audit(before.plan, game, gathered[0].items, ()), before)
            audit_state = begin_audit(data, game, nets, gathered, args.simulations, args.solve)
        prepare(game, evaluators[0], audit_settings(game, 1, LEAST_SIMULATIONS))
        _search(data, audit_state, evaluators, came)
        if args.blame is not None:
            for _ in examine(data, read_audit(data), evaluators, args.blame, lambda: bool(came)):
                pass
        done = read_audit(data)
    if args.json:
        print(json.dumps(as_json(done, before), ensure_ascii=False))
    else:
        print("\n".join(summary_lines(done)))
        if before is not None:
            print("", *_change_lines(done, before), sep="\n")
        if args.blame is not None or done.blames:
            print("", *(blame_line(done, net) for net in range(len(nets))), sep="\n")
    _write(done, args)
    return report_interrupt() if came else 0


def as_json(audit: Audit, before: Audit | None = None) -> dict[str, Any]:
    """The summary and what is to blame, for JSON; null where a figure does not exist.  ``before``: the hunt before."""
    plan = audit.plan
    return {
        "game": plan.game,
        "positions": len(audit.items),
        "done": len(audit.done),
        "simulations": plan.simulations,
        "source": str(plan.source),
        "nets": [
            {"name": file.name, **_figures(audit, net), "blame": blame_json(audit, net), **_neighbours(audit, net)}
            for net, file in enumerate(plan.nets)
        ],
        **({} if before is None else {"before": [_neighbours(before, net) for net in range(len(before.plan.nets))]}),
    }


def _neighbours(audit: Audit, net: int) -> dict[str, Any]:
    """The scores of a hunt for neighbours, for JSON."""
    if not is_hunt(audit):
        return {}
    scores = {name: neighbour_score(audit, net, name == "search") for name in ("net", "search")}
    return {
        "neighbours": {
            name: {
                "right": score.right,
                "failed": score.failed,
                "share": score.share if score.right else None,
                "interval": [score.low, score.high],
            }
            for name, score in scores.items()
        }
    }


def _change_lines(audit: Audit, before: Audit) -> list[str]:
    """How the scores of the last net of the hunt before changed, for each net."""
    last = len(before.plan.nets) - 1
    lines = [f"neighbours it gets wrong, against {before.plan.nets[last].name} before:"]
    for net, file in enumerate(audit.plan.nets):
        for name in ("net", "search"):
            now, then = (neighbour_score(*pair, name == "search") for pair in ((audit, net), (before, last)))
            lines.append(f"  {file.name}, {name}: {then.words} before, {now.words} now, {change_words(now, then)}")
    return lines


def _figures(audit: Audit, net: int) -> dict[str, float | None]:
    errors = (calibrate(audit.done, net, searched).error for searched in (False, True))
    figures = figures_of(audit.done, net)._asdict() | dict(zip(("net_error", "search_error"), errors, strict=True))
    return {name: value if math.isfinite(value) else None for name, value in figures.items()}


def _write(audit: Audit, args: argparse.Namespace) -> None:
    """Write the report and the files asked for; what was written is said beside the JSON."""
    said = sys.stderr if args.json else sys.stdout
    write_atomically(args.out, report_page(audit).encode())
    print(f"wrote {args.out}", file=said)
    if args.csv is not None:
        write_atomically(args.csv, audit_csv(audit).encode())
        print(f"wrote {args.csv}", file=said)
    if args.openings is not None:
        openings = mistake_openings(audit)
        names = " and ".join(net.name for net in audit.plan.nets)
        write_openings(args.openings, audit.game, openings, f"mistakes of {names}, {audit.plan.source}")
        print(f"wrote {len(openings)} positions to {args.openings}", file=said)


def _check(args: argparse.Namespace) -> None:
    check_seed(args.seed)
    if args.simulations < LEAST_SIMULATIONS:
        raise ValueError(f"--simulations is {args.simulations}; it must be at least {LEAST_SIMULATIONS}")
    if args.limit < 1:
        raise ValueError(f"--limit is {args.limit}; it must be at least 1")
    if args.blame is not None and args.blame < 1:
        raise ValueError(f"--blame is {args.blame}; it must be at least 1")
    if not 0.0 <= args.solve <= 1e6:
        raise ValueError(f"--solve is {args.solve:g}; it must be 0 or a number of seconds")
    sources = [name for name in SOURCES if getattr(args, name) is not None]
    if len(sources) > 1 or (not sources and not args.resume):
        raise ValueError("the positions are from one of --games, --replay, --random, --policy and --positions")
    if args.before is not None and not args.neighbours:
        raise ValueError("--before compares hunts for neighbours; add --neighbours")
    for name in ("random", "policy"):
        number = getattr(args, name)
        if number is not None and number < 1:
            raise ValueError(f"--{name} is {number}; it must be at least 1")


def _resumed(data: Path, game: GameSpec, nets: tuple[NetFile, ...]) -> Audit | None:
    """The audit to resume; None when there is none yet."""
    if not data.exists():
        return None
    audit = read_audit(data)
    if audit.game != game:
        raise ValueError(f"{data} is an audit of {audit.game.text}, not of {game.text}")
    check_nets(data, audit, nets)
    return audit


def _source(args: argparse.Namespace) -> Source:
    """The source that the command line names."""
    kind = next(name for name in SOURCES if getattr(args, name) is not None)
    value = getattr(args, kind)
    plies = None if args.plies is None else read_plies(args.plies)
    if kind in PLACED:
        return Source(kind, args.limit, value, plies, args.seed, args.neighbours)
    return Source(kind, value, None, plies, args.seed, args.neighbours)


def _search(data: Path, audit: Audit, evaluators: list[OnnxEvaluator], came: list[int]) -> None:
    """Search the missing positions, and print the progress."""
    total = len(audit.items)
    done, shown, live = len(audit.done), time.monotonic(), sys.stderr.isatty()
    for _ in carry_on(data, audit, evaluators, lambda: bool(came)):
        done += 1
        if (now := time.monotonic()) - shown > (_SHOW_S if live else _LINE_S):
            shown = now
            print(f"{done} of {total} positions", end="\r" if live else "\n", file=sys.stderr, flush=True)
    if live:
        print(file=sys.stderr)


def add_audit(commands: Any) -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "audit",
        help="find the positions where a net goes wrong",
        description="Search many positions with a net and list where the search overturned it most and where the net, "
        "or the search itself, was wrong by the exact answer; with a second net both side by side.  The results are "
        "kept in a file beside the report, and --resume continues after an interruption.",
    )
    parser.add_argument("game", metavar="GAME", help="as `plyscope games` lists it")
    parser.add_argument("net", metavar="NET", type=Path, help="a net file")
    parser.add_argument("net2", metavar="NET2", type=Path, nargs="?", help="a second one")
    source = parser.add_argument_group("where the positions come from, one of")
    source.add_argument("--games", type=Path, metavar="FOLDER", help="SGF files and sessions, or one of them")
    source.add_argument("--replay", type=Path, metavar="RUN", help="the games kept by a training run")
    source.add_argument("--random", type=int, metavar="N", help="N positions after random moves")
    source.add_argument("--policy", type=int, metavar="N", help="N positions of games by the net's policy alone")
    source.add_argument("--positions", type=Path, metavar="FILE", help="a file of openings, a line of moves each")
    parser.add_argument(
        "--neighbours",
        action="store_true",
        help="positions at which something can be lost, and two quiet moves from each the neighbour of the same exact "
        "value that the net gets most wrong; scores how many have one",
    )
    parser.add_argument(
        "--before", type=Path, metavar="FILE", help=f"an earlier hunt ({SUFFIX}) to compare that score with"
    )
    parser.add_argument("--plies", metavar="A-B", help="positions after A to B moves")
    parser.add_argument("--limit", type=int, default=LIMIT, metavar="N", help=f"of games and replay (default {LIMIT})")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of every random choice (default 0)")
    parser.add_argument(
        "--simulations", type=int, default=SIMULATIONS, metavar="N", help=f"for each position (default {SIMULATIONS})"
    )
    parser.add_argument(
        "--solve",
        type=float,
        default=SOLVE_S,
        metavar="S",
        help=f"at most S seconds for the exact answer to a position (default {SOLVE_S:g}; 0: none)",
    )
    parser.add_argument(
        "--blame",
        type=int,
        nargs="?",
        const=MOST,
        metavar="N",
        help="say of up to N mistakes of the search, evenly chosen, what is to blame, as `plyscope postmortem` does "
        f"(default {MOST})",
    )
    parser.add_argument("--json", action="store_true", help="the summary as one JSON object")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="the report, an HTML page")
    parser.add_argument("--csv", type=Path, metavar="FILE", help="also a line for each position")
    parser.add_argument(
        "--openings", type=Path, metavar="FILE", help="also the mistakes, as `openings` of a training run"
    )
    parser.add_argument(
        "--data", type=Path, metavar="FILE", help=f"the results (default: the report's name with {SUFFIX})"
    )
    parser.add_argument("--resume", action="store_true", help="continue what an interrupted audit left")
    add_device(parser)
    add_recipe(parser)
    parser.set_defaults(run=audit)
