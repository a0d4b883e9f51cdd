"""The command ``plyscope ablate``: compare settings of training at equal evaluations.  Loads torch only to train."""

import argparse
import sys
from pathlib import Path
from typing import Any

from core.games import load_game
from models.ablation.plan import Plan, make_variants
from models.commands.analyze import INTERRUPTED, interruptible
from models.commands.training import add_training_settings, check_torch, training_settings
from models.runs.config import join_problems


def add_ablate(commands: "argparse._SubParsersAction[Any]") -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "ablate",
        help="compare settings of training at equal evaluations",
        description="Train a net with the base's settings, and one with each change of them, for every seed and with "
        "the same number of evaluations of the net in self-play; then test the nets on solved positions and let them "
        "play.  The table is printed and kept in FOLDER/table.md, each run in a folder of its own.  Ctrl-C stops; "
        "--resume continues, also with further changes or seeds.",
    )
    parser.add_argument("game", metavar="GAME", help="as `plyscope games` lists it")
    parser.add_argument(
        "changes",
        nargs="+",
        metavar="CONFIG",
        help='a variant: "KEY=VALUE KEY=VALUE", or a TOML file of the settings that differ from the base',
    )
    parser.add_argument("--out", required=True, type=Path, metavar="FOLDER", help="the folder of the ablation")
    parser.add_argument("--resume", action="store_true", help="continue the ablation in FOLDER")
    add_training_settings(parser)
    numbers = {
        "evaluations": (1_000_000, "of the net in the self-play of each run"),
        "seeds": (2, "runs of every variant"),
        "games": (40, "of each match, an even number"),
        "simulations": (100, "a move in matches and exams"),
        "rollouts": (800, "a move of the fixed opponent, UCT with random games"),
        "positions": (300, "of each exam, at most"),
    }
    for name, (usual, meaning) in numbers.items():
        parser.add_argument(f"--{name}", type=int, default=usual, metavar="N", help=f"{meaning} (default {usual})")
    parser.set_defaults(run=_ablate)


def _ablate(args: argparse.Namespace) -> int:
    check_torch()
    wrong: list[str] = []
    base = training_settings(load_game(args.game), args, wrong, {})
    if wrong:
        raise ValueError(join_problems(wrong))
    numbers = (args.seeds, args.evaluations, args.games, args.simulations, args.rollouts, args.positions)
    plan = Plan(base, make_variants(args.changes), *numbers)
    from models.ablation.runs import run_ablation

    with interruptible() as came:
        table = run_ablation(plan, args.out, args.resume, _say, lambda: bool(came))
    if table is None:
        print("stopped; --resume continues", file=sys.stderr)
        return INTERRUPTED
    print(table, end="")
    return 0


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
