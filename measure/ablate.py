"""Ablations: the same training run with one change of its settings at a time, at equal evaluations of the net.

``python -m measure.ablate connect4 --out FOLDER "learning.train_ratio=3" "run.seed=2"`` trains the base
and every change with every seed, then tests each net on solved positions (``plyscope eval``) and lets it play against
the base's net of the same seed and against random-rollout UCT (``plyscope match``).  What is done is kept in FOLDER:
the same command continues, also with further changes or seeds.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from core.files.atomic import write_atomically
from measure.bench_table import Table
from models.runs.folder import CHECKPOINT, NEWEST_NET, REPORTS, RUN_TOML
from models.runs.reports import read_reports
from models.strength.rating import wilson_interval

BASE: Final = "base"
RESULT: Final = "ablation.json"
_EXAMS: Final = ("policy", "value", "search")
# Nothing is measured while a run trains, and its steps do not depend on the clock.
_QUIET: Final = (
    "run.minutes=0",
    "run.iterations=0",
    "strength.checkpoint_minutes=1e6",
    "strength.ladder_games=0",
    "strength.exam_positions=0",
)


def plyscope(*words: str) -> str:
    """The standard output of a command of the program; ends this program with its exit code when it fails."""
    done = subprocess.run([sys.executable, "-m", "gui.app", *words], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.returncode)
    return done.stdout


def trained(game: str, change: str, seed: int, folder: Path, args: argparse.Namespace) -> None:
    """Train a run to its end, or continue it."""
    if (folder / CHECKPOINT).exists() or (folder / RUN_TOML).exists():
        plyscope("train", game, "--out", str(folder), "--resume")
        return
    settings = [*args.set, *change.split(), *_QUIET, f"run.seed={seed}", f"run.evaluations={args.evaluations}"]
    options = [word for setting in settings for word in ("--set", setting)]
    plyscope("train", game, "--out", str(folder), "--preset", args.preset, *options)


def measured(game: str, seed: int, folder: Path, base: Path | None, args: argparse.Namespace) -> dict[str, Any]:
    """What the net of a finished run gives: exams (right, of), matches (wins, draws, losses), minutes of training."""
    net, searched = str(folder / NEWEST_NET), str(args.simulations)
    exams = plyscope("eval", net, "--positions", str(args.positions), "--simulations", searched, "--json")
    opponents = {"rollouts": f"rollouts:{args.rollouts}"}
    if base is not None:
        opponents[BASE] = f"{base}:{searched}"
    scores = {}
    for name, opponent in opponents.items():
        options = ("--games", str(args.games), "--seed", str(seed), "--json")
        match = json.loads(plyscope("match", game, f"{net}:{searched}", opponent, *options))
        scores[name] = [match["wins"], match["draws"], match["losses"]]
    last = [report for report in read_reports(folder / REPORTS) if report["event"] == "iteration"][-1]
    right = {name: [exam["right"], exam["of"]] for name, exam in json.loads(exams)["exams"].items()}
    return {"exams": right, "scores": scores, "minutes": last["elapsed_s"] / 60.0}


def share_cell(parts: Sequence[tuple[float, int]]) -> str:
    """The share of all seeds with its 95 % interval (Wilson), and that of each seed; "-" of nothing."""
    total = sum(number for _, number in parts)
    if not total:
        return "-"
    share = sum(right for right, _ in parts) / total
    low, high = wilson_interval(share, total)
    return f"{share:.1%} ({low:.1%} to {high:.1%}): " + ", ".join(f"{right / n:.1%}" for right, n in parts if n)


def table(results: dict[str, list[dict[str, Any]]]) -> Table:
    """A row for every variant that has a finished run; ``results``: of each seed by variant."""
    rows = []
    for variant, runs in results.items():
        cells = []
        for kind in _EXAMS:
            exams = [[of for name, of in run["exams"].items() if name.endswith(f" {kind}")] for run in runs]
            cells.append(share_cell([(sum(right for right, _ in exam), sum(n for _, n in exam)) for exam in exams]))
        for opponent in (BASE, "rollouts"):
            scores = [run["scores"].get(opponent, (0, 0, 0)) for run in runs]
            cells.append(share_cell([(won + 0.5 * drawn, won + drawn + lost) for won, drawn, lost in scores]))
        rows.append((variant, str(len(runs)), f"{sum(run['minutes'] for run in runs) / len(runs):.1f}", *cells))
    columns = ("variant", "runs", "minutes", *(f"exams: {kind}" for kind in _EXAMS), "against base", "against rollouts")
    note = "shares with 95 % intervals of the luck of positions and games; after the colon each seed's"
    return Table("settings of training at equal evaluations", columns, tuple(rows), note)


def main(argv: Sequence[str] | None = None) -> int:
    """Train and measure what is missing; print the table and keep it in FOLDER/table.md."""
    parser = argparse.ArgumentParser(prog="python -m measure.ablate", description=__doc__)
    parser.add_argument("game")
    parser.add_argument("changes", nargs="+", metavar='"KEY=VALUE KEY=VALUE"')
    parser.add_argument("--out", required=True, type=Path, metavar="FOLDER")
    parser.add_argument("--preset", default="small")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a setting of all runs")
    for name, usual in (("evaluations", 1_000_000), ("seeds", 2), ("games", 40), ("simulations", 100)):
        parser.add_argument(f"--{name}", type=int, default=usual, metavar="N")
    parser.add_argument("--rollouts", type=int, default=800, metavar="N", help="a move of random-rollout UCT")
    parser.add_argument("--positions", type=int, default=300, metavar="N", help="of each exam, at most")
    args = parser.parse_args(argv)
    results: dict[str, list[dict[str, Any]]] = {}
    for seed in range(1, args.seeds + 1):
        for number, change in enumerate(["", *args.changes]):
            folder = args.out / f"{number:02d}-seed-{seed}"
            base = args.out / f"00-seed-{seed}" / NEWEST_NET if number else None
            if not (folder / RESULT).exists():
                trained(args.game, change, seed, folder, args)
                result = measured(args.game, seed, folder, base, args)
                write_atomically(folder / RESULT, json.dumps({"change": change, **result}, indent=1).encode())
            result = json.loads((folder / RESULT).read_text())
            if result["change"] != change:
                parser.error(f"{folder} holds the run of {result['change']!r}, not of {change!r}")
            results.setdefault(change or BASE, []).append(result)
            write_atomically(args.out / "table.md", "\n".join(table(results).lines()).encode())
    print("\n".join(table(results).lines()))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
