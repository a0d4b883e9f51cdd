"""``make soak``: random use of the window beside a real search, each seed in a process of its own.

Counts crashes, uncaught exceptions and errors in the log, warnings of Qt and Python, threads that do not end, and
memory growth; the exit code is 0 if there are none.  The processes draw off screen and have folders of their own: the
user's settings, files and clipboard are not touched; only the cache of compiled kernels is shared.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from core.text import aligned

FAULTS: Final = {  # kinds in a process's journal -> names in the table
    "crash": "crashes",
    "exception": "exceptions",
    "error": "errors",
    "warning": "warnings",
    "thread": "threads",
}
JOURNAL: Final = "journal.jsonl"
NETS: Final = "nets"  # the folder of a process with net files of Go
GO_NETS: Final = tuple(sorted(Path(__file__).parents[1].glob("tests/data/katago/**/*.bin.gz")))
ACTS_SHOWN: Final = 15
STARTING_S: Final = 300.0  # additional time: to start, to compile kernels, to end
TRAINING: Final = {  # a run of a few seconds
    "game": "tictactoe",
    "net.blocks": 1,
    "net.channels": 8,
    "self_play.games": 8,
    "self_play.samples_per_iteration": 64,
    "self_play.simulations": 8,
    "self_play.fast_simulations": 4,
    "learning.replay_positions": 300,
    "learning.batch_size": 16,
    "strength.checkpoint_minutes": 0.01,
    "run.iterations": 5,
    "strength.ladder_games": 2,
    "strength.ladder_simulations": 4,
    "strength.exam_positions": 8,
    "run.device": "cpu",
    "self_play.evaluator": "torch",
}
SIGNS: Final = ("Error calling Python override", "Exception ignored", "Internal C++ object")  # on stderr


@dataclass
class Outcome:
    """The results of one process: ``faults`` counted as (kind, what), ``acts`` in order, memory in MiB."""

    seed: int
    code: int | None
    seconds: float
    faults: Counter[tuple[str, str]] = field(default_factory=Counter)
    acts: list[str] = field(default_factory=list)
    last_acts: dict[tuple[str, str], list[str]] = field(default_factory=dict)  # acts before the first occurrence
    messages: Counter[str] = field(default_factory=Counter)
    memory: list[float] = field(default_factory=list)
    stderr: str = ""

    def count(self, kind: str) -> int:
        return sum(count for (fault, _), count in self.faults.items() if fault == kind)

    @property
    def growth(self) -> float:
        """Memory at the end minus that at a third of the time; 0 if it was not measured twice.

        Both are measured while idle and without malloc's free blocks.
        """
        return self.memory[-1] - self.memory[0] if len(self.memory) > 1 else 0.0

    def add_fault(self, kind: str, what: str, count: int = 1) -> None:
        if (kind, what) not in self.faults:
            self.last_acts[kind, what] = self.acts[-ACTS_SHOWN:]
        self.faults[kind, what] += count


def environment(home: Path) -> dict[str, str]:
    """Return the environment of a process that must not access the user's files."""
    from core.machine import user_cache_dir

    keep = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS")}
    folders = {name: home / name for name in ("config", "data", "run", "tmp")}
    for folder in folders.values():
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return keep | {
        "HOME": str(home),
        "USERPROFILE": str(home),
        "APPDATA": str(folders["config"]),
        "XDG_CONFIG_HOME": str(folders["config"]),
        "XDG_DATA_HOME": str(folders["data"]),
        "XDG_CACHE_HOME": str(user_cache_dir().parent),
        "XDG_RUNTIME_DIR": str(folders["run"]),
        "TMPDIR": str(folders["tmp"]),
        "QT_QPA_PLATFORM": "offscreen",
        "PYTHONFAULTHANDLER": "1",
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    }


def make_run(home: Path) -> Path | None:
    """Make a small finished training run for the Training tab, return its parent folder; None if it failed."""
    run = home / "runs" / "small"
    run.mkdir(parents=True)
    settings = [word for name, value in TRAINING.items() for word in ("--set", f"{name}={value}")]
    done = subprocess.run(
        [sys.executable, "-m", "gui.app", "train", str(TRAINING["game"]), "--out", str(run), *settings],
        env=environment(home),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    if done.returncode:
        print(f"no training run to show: {(done.stderr.strip().splitlines() or ['no word'])[-1]}", flush=True)
        return None
    return run.parent


def soak(seed: int, seconds: float, runs: Path | None, nets: Sequence[Path] = GO_NETS) -> Outcome:
    """Run one seed in its process, in a folder that is removed afterwards."""
    home = Path(tempfile.mkdtemp(prefix=f"plyscope-soak-{seed}-"))
    try:
        env = environment(home)
        (home / NETS).mkdir()
        for net in nets:
            shutil.copyfile(net, home / NETS / net.name)
        if runs is not None:
            shutil.copytree(runs, home / "runs")
        command = [sys.executable, "-m", "measure.soak_window", str(seed), str(seconds), str(home)]
        began = time.monotonic()
        with (home / "stderr").open("w+b") as stderr:
            child = subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, stdout=stderr, stderr=stderr, cwd=home)
            try:
                code: int | None = child.wait(2 * seconds + STARTING_S)
            except subprocess.TimeoutExpired:
                code = None
            finally:
                child.kill()
                child.wait()
            stderr.seek(0)
            output = stderr.read().decode(errors="replace")
        outcome = Outcome(seed, code, time.monotonic() - began, stderr=output)
        read_journal(outcome, home / JOURNAL)
        judge(outcome)
        return outcome
    finally:
        shutil.rmtree(home, ignore_errors=True)


def read_journal(outcome: Outcome, path: Path) -> None:
    """Read the journal of a process; its last line may be cut off."""
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines() if path.is_file() else ():
        try:
            entry: dict[str, Any] = json.loads(line)
        except ValueError:
            continue
        if "act" in entry:
            outcome.acts.append(entry["act"])
        elif "said" in entry:
            outcome.messages[entry["said"]] += 1
        elif "memory" in entry:
            outcome.memory.append(entry["memory"])
        else:
            outcome.add_fault(entry["kind"], entry["what"])


def judge(outcome: Outcome) -> None:
    """Add faults visible only from outside: how the process ended, and what its libraries wrote."""
    if outcome.code is None:
        outcome.add_fault("crash", "it did not end and was killed")
    elif outcome.code:
        how = f"signal {-outcome.code}" if outcome.code < 0 else f"exit code {outcome.code}"
        outcome.add_fault("crash", f"the process ended with {how}")
    for sign in SIGNS:
        if count := outcome.stderr.count(sign):
            outcome.add_fault("error", f"on stderr: {sign}", count)


def table(outcomes: Sequence[Outcome], most_growth: float) -> str:
    """Return the table with a line for each seed and one for all."""
    titles = ("seed", "seconds", "acts", *FAULTS.values(), "memory, MiB", "growth")
    rows = [
        (
            str(outcome.seed),
            f"{outcome.seconds:.0f}",
            str(len(outcome.acts)),
            *(str(outcome.count(kind)) for kind in FAULTS),
            f"{outcome.memory[-1]:.0f}" if outcome.memory else "–",
            f"{outcome.growth:+.0f}" + (" !" if outcome.growth > most_growth else ""),
        )
        for outcome in outcomes
    ]
    faults = (str(sum(outcome.count(kind) for outcome in outcomes)) for kind in FAULTS)
    acts, seconds = sum(len(outcome.acts) for outcome in outcomes), sum(outcome.seconds for outcome in outcomes)
    totals = ("all", f"{seconds:.0f}", str(acts), *faults, "", "")
    return "\n".join(aligned([titles, *rows, totals], range(len(titles))))


def failure_report(outcome: Outcome, minutes: float, most_growth: float) -> str:
    """Return each fault of a seed with the acts before it and the command to repeat it; "" for none."""
    lines = []
    for (kind, what), count in outcome.faults.items():
        lines.append(f"seed {outcome.seed}, {kind}, {count} times: {what}")
        lines += [f"    after  {act}" for act in outcome.last_acts[kind, what]]
    if outcome.growth > most_growth:
        lines.append(f"seed {outcome.seed}, memory grew by {outcome.growth:.0f} MiB")
    if outcome.code != 0:
        lines += [f"    stderr {line}" for line in outcome.stderr.splitlines()[-60:]]
    if lines:
        lines.append(f"again: python -m measure.soak --seed {outcome.seed} --minutes {minutes:g}")
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the seeds, print each fault as it is found and a table at the end; return 1 if there was any fault."""
    parser = argparse.ArgumentParser(prog="make soak ARGS=...", description=__doc__)
    parser.add_argument("--minutes", type=float, default=5.0, help="of each seed (default 5)")
    parser.add_argument("--seeds", type=int, default=24, help="how many, from 1 on (default 24)")
    parser.add_argument("--seed", type=int, action="append", help="this one instead; may be repeated")
    parser.add_argument("--jobs", type=int, default=max(1, (os.cpu_count() or 2) // 2), help="at once")
    parser.add_argument("--growth", type=float, default=250.0, help="MiB that memory may grow by (default 250)")
    parser.add_argument("--net", type=Path, action="append", default=[], help="an additional net file of Go")
    parser.add_argument("--no-training", action="store_true", help="without a training run to show")
    parser.add_argument("--said", action="store_true", help="print the sentences of the banner, too")
    args = parser.parse_args(argv)
    for name, least in (("minutes", 0.01), ("seeds", 1), ("jobs", 1)):
        if not getattr(args, name) >= least:
            parser.error(f"--{name} is {getattr(args, name):g}; it must be at least {least:g}")
    outcomes = []
    with tempfile.TemporaryDirectory(prefix="plyscope-soak-") as home, ThreadPoolExecutor(args.jobs) as pool:
        runs = None if args.no_training else make_run(Path(home))
        for outcome in pool.map(
            lambda seed: soak(seed, 60 * args.minutes, runs, (*GO_NETS, *args.net)),
            args.seed or range(1, args.seeds + 1),
        ):
            outcomes.append(outcome)
            report = failure_report(outcome, args.minutes, args.growth)
            print(report or f"seed {outcome.seed}: {len(outcome.acts)} acts, no fault", flush=True)
            if args.said:
                print("\n".join(f"    said {count} times: {what}" for what, count in outcome.messages.most_common()))
    print(table(outcomes, args.growth))
    return 1 if any(outcome.faults or outcome.growth > args.growth for outcome in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
