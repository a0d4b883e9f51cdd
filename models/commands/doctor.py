"""The command ``plyscope doctor``: why a training run does not learn."""

import argparse
import importlib.util
import json
import sys
from pathlib import Path
from typing import Any, Final

from models.doctor.findings import sentences_of, to_json

SICK: Final = 1  # exit code where something is found


def add_doctor(commands: "argparse._SubParsersAction[Any]") -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "doctor",
        help="why a training run does not learn",
        description="Look into a training run for the reasons why it does not learn: the results and policy targets of "
        "its samples against the rules, what its search and nets make of them, its losses and settings.  Prints what "
        "is wrong, the surest first, with the experiment that shows it.  Exit code 1 where something is found.",
    )
    parser.add_argument("run_folder", metavar="RUN", type=Path, nargs="?", help="the run's folder")
    parser.add_argument(
        "--samples", metavar="FILE", type=Path, help="instead of a run: samples of another program, .npz or JSON lines"
    )
    parser.add_argument("--game", metavar="GAME", default="", help="the game of these samples, where they do not say")
    parser.add_argument("--net", metavar="NET", type=Path, help="the net file that learned from these samples")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.set_defaults(run=doctor_command)


def doctor_command(args: argparse.Namespace) -> int:
    """Print what is wrong with a run."""
    from models.doctor.diagnosis import Trial, diagnose, diagnose_samples

    if (args.run_folder is None) == (args.samples is None):
        raise ValueError("name the folder of a run, or samples with --samples")
    if args.samples is None and (args.game or args.net is not None):
        raise ValueError("--game and --net are for --samples; a run has its own")
    if args.samples is None:
        trial: Trial | None = None
        if importlib.util.find_spec("torch") is not None:
            from models.training.one_batch import batch_trials

            trial = batch_trials
        diagnosis = diagnose(args.run_folder, progress=lambda words: print(words, file=sys.stderr), trial=trial)
    else:
        diagnosis = diagnose_samples(args.samples, args.game, args.net)
    if args.json:
        about = {"game": diagnosis.game, "iterations": diagnosis.iterations, "samples": diagnosis.samples}
        findings = [to_json(finding) for finding in diagnosis.findings]
        print(json.dumps({**about, "findings": findings, "notes": diagnosis.notes}, ensure_ascii=False))
        return SICK if findings else 0
    for number, finding in enumerate(diagnosis.findings, 1):
        first, *others = sentences_of(finding)
        print(f"{number}. {first}", *(f"   {line}" for line in others), sep="\n")
    for note in diagnosis.notes:
        print(note)
    counts = [f"{diagnosis.iterations} iterations"] if diagnosis.iterations else []
    counts.append(f"{diagnosis.samples} samples{f' of {diagnosis.game}' if diagnosis.game else ''}")
    print(f"{len(diagnosis.findings)} findings; looked at {', '.join(counts)}")
    return SICK if diagnosis.findings else 0
