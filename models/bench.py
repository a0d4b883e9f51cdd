"""What the search does per second on this machine, beside what onnxruntime does alone.  ``make bench`` runs it.

Everything is measured in one process and in turn (A B A B ...), so that a machine that is busy for a while slows both
sides; the figures are medians over the rounds, their ratio the ratio of the medians.  Where most positions are answered
from the cache the net has little to do, and the ratio says nothing.
"""

import argparse
import os
import platform
import statistics
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnxruntime as ort

from core.engine import Evaluator, Search
from core.games import GameSpec, load_game
from core.search import Limit, SearchSettings, Snapshot
from models.onnx_eval import OnnxEvaluator, default_net, read_net_info

GAMES: Final = ("tictactoe", "connect4", "gomoku(size=9)", "gomoku")
BATCHES: Final = (1, 8, 16)
PACKAGES: Final = ("numpy", "numba", "onnxruntime-gpu", "onnxruntime", "open-spiel")
# Our game and OpenSpiel's of the same rules.
BESIDE: Final = (
    ("tictactoe", "tic_tac_toe"),
    ("connect4", "connect_four"),
    ("othello", "othello"),
    ("gomoku", "mnk(m=15,n=15,k=5)"),
    ("gomoku", "gomoku"),
    ("nim(heaps=3-4-5)", "nim(pile_sizes=3;4;5,is_misere=False)"),
)


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print; 0."""
    parser = argparse.ArgumentParser(prog="make bench ARGS=...", description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0, help="of each measurement (default 1)")
    parser.add_argument("--rounds", type=int, default=3, help="of every pair of measurements (default 3)")
    parser.add_argument("--net", type=Path, action="append", default=[], help="also this net file; may be repeated")
    args = parser.parse_args(argv)
    print("\n".join(machine_lines()))
    print(f"{args.rounds} rounds of {args.seconds:g} s each, medians\n")
    print("random rollouts, ucb1, from the first position, one thread")
    for game in map(load_game, GAMES):
        rates = [rollout_rate(game, args.seconds) for _ in range(args.rounds)]
        print(f"  {game.text:<18}{statistics.median(rates):>12,.0f} simulations/s   {_spread(rates)}")
    print("\nthe same beside OpenSpiel's C++ MCTSBot, one thread each, no proofs")
    print("\n".join(open_spiel_lines(args.rounds, args.seconds)))
    nets = [(load_game(read_net_info(path).game), path) for path in args.net]
    nets += [(game, path) for game in map(load_game, GAMES) if (path := default_net(game)) is not None]
    for game, path in nets:
        print(f"\n{game.text}: {path.name}")
        print("  batch simulations/s  cached  mean batch  evaluations/s  onnxruntime alone  ratio")
        for batch in BATCHES:
            print(net_line(game, path, batch, args.rounds, args.seconds))
    return 0


def machine_lines() -> list[str]:
    """The machine and the versions that decide the figures."""
    packages = [f"{name} {found}" for name in PACKAGES if (found := _version(name))]
    return [
        f"{_cpu_name()}, {len(_cores())} cores, {platform.system()} {platform.machine()}",
        f"Python {platform.python_version()}, {', '.join(packages)}",
    ]


def rollout_rate(game: GameSpec, seconds: float) -> float:
    """Simulations per second of UCT with random rollouts."""
    return _simulations_per_s(_search(game, None, 1, seconds))


def open_spiel_lines(rounds: int, seconds: float) -> list[str]:
    """A row for each pair of BESIDE; one that says so where OpenSpiel is not installed."""
    try:
        import pyspiel
    except ImportError:
        return ['  OpenSpiel is not installed (pip install ".[bench]")']
    lines = ["  game               OpenSpiel's                           ours/s      OpenSpiel/s   ratio"]
    for ours, theirs in BESIDE:
        game, other = load_game(ours), pyspiel.load_game(theirs)
        mine, its = [], []
        for _ in range(rounds):
            mine.append(rollout_rate(game, seconds))
            its.append(_open_spiel_rate(pyspiel, other, seconds))
        a, b = statistics.median(mine), statistics.median(its)
        lines.append(f"  {ours:<18} {theirs:<33}{a:>12,.0f}{b:>17,.0f}{a / b:>8.1f}")
    return lines


def _open_spiel_rate(pyspiel: Any, game: Any, seconds: float) -> float:
    """Simulations per second of its UCT with one random game per leaf, in a search of about ``seconds``."""
    simulations, spent = 100, 0.0
    while True:
        evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
        bot = pyspiel.MCTSBot(game, evaluator, 2.0, simulations, 2048, False, 1, False)
        started = time.perf_counter()
        bot.mcts_search(game.new_initial_state())
        spent = time.perf_counter() - started
        if spent > seconds / 2:
            return simulations / spent
        simulations = int(simulations * min(20.0, 1.2 * seconds / max(spent, 1e-6)))


def net_line(game: GameSpec, path: Path, batch: int, rounds: int, seconds: float) -> str:
    """One row: the search with batches up to ``batch``, and onnxruntime alone with batches of its mean size."""
    evaluator = OnnxEvaluator(path, game)
    snapshots: list[Snapshot] = []
    alone_rates: list[float] = []
    for _ in range(rounds):
        snapshots.append(_search(game, evaluator, batch, seconds))
        size = max(1, round(_mean_batch(snapshots[-1])))
        alone_rates.append(size * _calls_per_s(_session_call(evaluator, game, size), seconds))
    counters = [snapshot.counters for snapshot in snapshots]
    evaluations = statistics.median(c.evaluations / c.elapsed_s for c in counters)
    simulations = statistics.median(_simulations_per_s(snapshot) for snapshot in snapshots)
    cached = statistics.median(c.cache_hits / max(1, c.simulations) for c in counters)
    mean_batch = statistics.median(map(_mean_batch, snapshots))
    alone = statistics.median(alone_rates)
    return (
        f"  {batch:>5}{simulations:>14,.0f}{cached:>8.0%}{mean_batch:>12.1f}{evaluations:>15,.0f}{alone:>19,.0f}"
        f"{evaluations / alone:>7.2f}   {evaluator.provider}"
    )


def _search(game: GameSpec, evaluator: Evaluator | None, batch: int, seconds: float) -> Snapshot:
    """A fresh search of the first position that no proof can end early, its kernels ready before the clock starts."""
    selection = "ucb1" if evaluator is None else "puct"
    settings = SearchSettings(selection=selection, max_batch=batch, prove=False, memory_mb=2048)
    Search(game.initial(), evaluator, settings).run(Limit(simulations=2))
    search = Search(game.initial(), evaluator, settings)
    search.run(Limit(seconds=seconds))
    return search.snapshot()


def _session_call(evaluator: OnnxEvaluator, game: GameSpec, batch: int) -> Callable[[], Any]:
    """The net's file under onnxruntime with the evaluator's own provider and threads, and nothing around it."""
    options = ort.SessionOptions()
    options.intra_op_num_threads = evaluator.threads
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    session = ort.InferenceSession(str(evaluator.path), options, providers=[f"{evaluator.provider}ExecutionProvider"])
    name = session.get_inputs()[0].name
    position = game.initial()
    planes = np.repeat(position.planes()[np.newaxis], batch, axis=0)
    return lambda: session.run(["policy", "value"], {name: planes})


def _calls_per_s(call: Callable[[], Any], seconds: float) -> float:
    call()
    calls, started = 0, time.perf_counter()
    while time.perf_counter() - started < seconds:
        call()
        calls += 1
    return calls / (time.perf_counter() - started)


def _mean_batch(snapshot: Snapshot) -> float:
    return snapshot.counters.evaluations / max(1, snapshot.counters.batches)


def _simulations_per_s(snapshot: Snapshot) -> float:
    return snapshot.simulations / snapshot.counters.elapsed_s


def _spread(rates: Sequence[float]) -> str:
    return f"(from {min(rates):,.0f} to {max(rates):,.0f})"


def _cores() -> set[int]:
    return os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set(range(os.cpu_count() or 1))


def _cpu_name() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or "unknown processor"


def _version(package: str) -> str:
    try:
        return version(package)
    except ModuleNotFoundError:  # importlib.metadata's PackageNotFoundError
        return ""


if __name__ == "__main__":
    raise SystemExit(main())
