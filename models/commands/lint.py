"""The command ``plyscope lint``: faults in the trace of another program's search."""

import argparse
import json
from pathlib import Path
from typing import Any, Final

from core.files.trace_file import open_trace
from core.glass.lint import lint
from core.glass.lint_report import sentence_of, to_json
from core.glass.trace import OTHER, Simulation

FAULTY: Final = 1  # exit code where something is found


def add_lint(commands: "argparse._SubParsersAction[Any]") -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "lint",
        help="find faults in the trace of another program's search",
        description="Read a trace, a file in which a search writes what it does, and print its faults, each with the "
        "first simulation that shows it: visits and values that do not sum, signs, priors, noise, virtual loss, moves "
        "other than those of the greatest score.  The guide has the format.  Exit code 1 where something is found.",
    )
    parser.add_argument("trace", metavar="TRACE", type=Path, help="a file .trace")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.set_defaults(run=lint_command)


def lint_command(args: argparse.Namespace) -> int:
    """Print the faults of a trace."""
    trace = open_trace(args.trace)
    findings = lint(trace)
    simulations = sum(isinstance(event, Simulation) for event in trace.events)
    if args.json:
        about = {"program": trace.program, "game": trace.position.game.text, "simulations": simulations}
        print(json.dumps({**about, "notes": trace.notes, "findings": to_json(findings)}, ensure_ascii=False))
        return FAULTY if findings else 0
    for line in (*trace.notes, *map(sentence_of, findings)):
        print(line)
    if findings:
        print(f"{simulations} simulations checked")
    else:
        unchecked = "; its rule is not known, so that the moves entered are not checked"
        rule = unchecked if trace.declared.rule == OTHER else ""
        print(f"no fault in {simulations} simulations{rule}")
    return FAULTY if findings else 0
