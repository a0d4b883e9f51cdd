"""Kills actors and learners of a cluster run at random moments and counts what was lost and what came twice.

``python -m measure.cluster_kills [KILLS] [SEED]`` starts Ray on this machine with two actors and takes some minutes.
Every actor writes the games of each portion into a log before it hands them over; at the end they are compared with
those in the run's folder.  Exit status 1 when a game is there twice or without its portion, or a portion is missing
without a reason: that its actor died before any learner could save it.
"""

import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import numpy as np

from models.cluster.connect import connect
from models.play.replay import from_arrays, samples_of
from models.play.samples import GameTrace
from models.runs.config import TrainConfig
from models.runs.folder import REPLAY, running, send
from models.training import ray_pool
from models.training.ray_actor import Delivery, Order, SelfPlayActor

LOG: Final = "PLYSCOPE_PORTIONS"  # environment: the file that actors write to
_LEARN: Final = "--learn"
_CONFIG: Final = TrainConfig(
    iterations=100_000,
    simulations=24,
    fast_simulations=8,
    games=16,
    samples_per_iteration=400,
    replay_positions=4000,
    batch_size=64,
    blocks=1,
    channels=16,
    ladder_games=0,
    evaluator="torch",
    game="connect4(rows=4, cols=5)",
)
_WAIT_S: Final = 180.0


class LoggingActor(SelfPlayActor):
    """Writes each portion into the log before it hands it over."""

    def play(self, order: Order, weights: Mapping[str, Any]) -> Delivery:
        made = super().play(order, weights)
        games = [_name(trace) for arrays, _ in made.parts for trace in from_arrays(arrays).traces]
        line = json.dumps({"mark": made.mark, "pid": os.getpid(), "games": games})
        with open(os.environ[LOG], "a") as file:
            file.write(line + "\n")
        return made


def _name(trace: GameTrace) -> str:
    """Of a game, by its moves and all that was searched."""
    parts = repr((trace.opening, trace.moves, trace.net_step)).encode(), np.asarray(trace.values).tobytes()
    return hashlib.sha256(b"".join(parts)).hexdigest()[:20]


def _learn(address: str, out: Path) -> int:
    from models.training.run import Cluster, train

    ray_pool.SelfPlayActor = LoggingActor  # type: ignore[misc]
    result = train(_CONFIG, out, resume=True, cluster=Cluster(address, 2))
    print(f"{result.reason}: {result.iterations} iterations, {result.steps} steps")
    return 0


def _lines(log: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.read_text().splitlines() if line.endswith("}")]


def _wait_for_more(log: Path, count: int) -> None:
    end = time.monotonic() + _WAIT_S
    while len(_lines(log)) <= count:
        if time.monotonic() > end:
            raise TimeoutError("no portion came: see the learner's output above")
        time.sleep(0.2)


def _kill_all(kills: int, rng: random.Random, address: str, out: Path, log: Path) -> Counter[str]:
    """Kill so many processes, one after another; the last learner ends by itself."""
    done: Counter[str] = Counter()
    command = [sys.executable, "-m", "measure.cluster_kills", _LEARN, address, str(out)]
    learner = subprocess.Popen(command, stdout=sys.stderr)
    try:
        while done.total() < kills:
            before = len(_lines(log))
            _wait_for_more(log, before + 1)
            time.sleep(rng.uniform(0.0, 8.0))
            who = rng.choice(("actor", "learner"))
            if who == "learner":
                learner.kill()
                learner.wait()
                learner = subprocess.Popen(command, stdout=sys.stderr)
            else:
                newest = {line["mark"][0]: line["pid"] for line in _lines(log)}
                with suppress(ProcessLookupError):
                    os.kill(rng.choice(sorted(newest.values())), signal.SIGKILL)
            done[who] += 1
            print(f"killed {done.total()} of {kills}: {who}; {len(_lines(log))} portions", file=sys.stderr, flush=True)
        _wait_for_more(log, len(_lines(log)) + 4)
        while running(out) is None:
            time.sleep(0.2)
        send(out, "finish")
        learner.wait(_WAIT_S)
    finally:
        learner.kill()
        learner.wait()
    return done


def _judge(out: Path, log: Path) -> dict[str, int]:
    """How the logged portions fared.  Two games may be alike, so those of saved portions are taken off first."""
    held = Counter(_name(trace) for path in (out / REPLAY).glob("*.npz") for trace in samples_of(path).traces)
    lines = [line for line in _lines(log) if line["games"]]
    saved: list[dict[str, Any]] = []
    others: list[dict[str, Any]] = []
    for line in lines:
        games = Counter(line["games"])
        (saved if games <= held else others).append(line)
        if games <= held:
            held -= games
    found: Counter[str] = Counter({"saved": len(saved), "games twice": held.total()})
    last = {line["mark"][0]: line["mark"][1] for line in lines}
    newest: dict[tuple[int, int], int] = {(n, i): p for n, i, p in (line["mark"] for line in saved)}
    for line in others:
        number, incarnation, portion = line["mark"]
        if portion < newest.get((number, incarnation), 0):
            found["missing between others"] += 1
        elif incarnation == last[number]:
            found["not yet taken at the end"] += 1
        else:
            found["died with their actor"] += 1
    return dict(found)


def main() -> int:
    if sys.argv[1:2] == [_LEARN]:
        return _learn(sys.argv[2], Path(sys.argv[3]))
    kills, seed = int((sys.argv[1:2] or ["20"])[0]), int((sys.argv[2:3] or ["0"])[0])
    with tempfile.TemporaryDirectory(prefix="plyscope-kills-") as folder:
        out, log = Path(folder) / "run", Path(folder) / "portions.jsonl"
        log.touch()
        os.environ[LOG] = str(log)
        with connect("local", timeout_s=_WAIT_S, cores=2, store_mb=200) as cluster:
            done = _kill_all(kills, random.Random(seed), cluster.head(), out, log)
        found = _judge(out, log)
    print(json.dumps({"killed": dict(done), "portions": found}))
    return int(any(found.get(name) for name in ("missing between others", "games twice")))


if __name__ == "__main__":
    sys.exit(main())
