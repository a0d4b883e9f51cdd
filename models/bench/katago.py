"""Benchmark of a search with a KataGo net beside KataGo itself on the same net, board and threads.  Knows no torch.

KataGo's own ``benchmark`` command measures its side.  Both search ten positions of a game with so many visits, in turn
(A B A B ...), so that other load slows both.
"""

import argparse
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from core.engine import Search, warm_up
from core.games import GameSpec, load_game
from core.search import Limit, SearchSettings
from models.bench.table import Table, machine_lines, ratio_cells
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.runtimes import ORT, RUNTIMES, TITLES

POSITIONS: Final = 10
LONGEST_S: Final = 600.0  # for one measurement of KataGo
_RATE: Final = re.compile(r"10 / 10 positions, visits/s = [\d.]+ nnEvals/s = ([\d.]+)")
# What KataGo needs to be given: the rest are its defaults.
_CONFIG: Final = """\
logDir = {folder}
rules = tromp-taylor
resignThreshold = -0.99
resignConsecTurns = 6
maxVisits = {visits}
numSearchThreads = {threads}
numEigenThreadsPerModel = {threads}
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark; the exit code: 1 on an error, else 0."""
    parser = argparse.ArgumentParser(prog="make bench-katago ARGS=...", description=__doc__)
    parser.add_argument("katago", type=Path, help="the program, built from its source")
    parser.add_argument("net", type=Path, help="a net that both read, .bin.gz")
    parser.add_argument("--sizes", type=int, nargs="+", default=[9, 19], help="of the board (default 9 19)")
    parser.add_argument("--threads", type=int, nargs="+", default=[1], help="of each side (default 1)")
    parser.add_argument("--visits", type=int, default=200, help="for each position (default 200)")
    parser.add_argument("--rounds", type=int, default=3, help="of every pair of measurements (default 3)")
    parser.add_argument("--runtimes", nargs="+", choices=RUNTIMES, default=[ORT], help=f"of our side (default {ORT})")
    parser.add_argument("--markdown", action="store_true", help="print a Markdown page instead of text")
    args = parser.parse_args(argv)
    if min(args.rounds, args.visits, *args.threads) < 1:
        parser.error("--rounds, --visits and --threads must be at least 1")
    print("\n".join(machine_lines()), flush=True)
    rows = []
    try:
        for size in args.sizes:
            game = load_game(f"go(size={size})")
            for threads in args.threads:
                sides = [OnnxEvaluator(args.net, game, device="cpu", threads=threads, runtime=r) for r in args.runtimes]
                ours: list[list[float]] = [[] for _ in sides]
                theirs: list[float] = []
                for _ in range(args.rounds):
                    for rates, evaluator in zip(ours, sides, strict=True):
                        rates.append(our_rate(game, evaluator, args.visits))
                    theirs.append(katago_rate(args.katago, args.net, size, threads, args.visits))
                for runtime, rates in zip(args.runtimes, ours, strict=True):
                    cells = f"{statistics.median(rates):,.0f}", f"{statistics.median(theirs):,.0f}"
                    rows.append((f"{size}×{size}", str(threads), TITLES[runtime], *cells, *ratio_cells(rates, theirs)))
    except ValueError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    columns = ("board", "threads", "runtime", "evaluations/s", "KataGo's/s", "ratio", "of the rounds")
    note = f"{args.visits} visits for each of {POSITIONS} positions, each with a new tree"
    table = Table(f"{args.net.name.split('.')[0][:24]} beside KataGo", columns, tuple(rows), note, words=3)
    print("\n".join(["", *table.lines(markdown=args.markdown)]))
    return 0


def our_rate(game: GameSpec, evaluator: OnnxEvaluator, visits: int) -> float:
    """Evaluations per second over searches of the positions of a game that the search itself plays."""
    settings = SearchSettings(prove=False)
    warm_up(game, evaluator, settings)
    position = game.initial()
    evaluations, seconds = 0, 0.0
    for _ in range(POSITIONS):
        search = Search(position, evaluator, settings)
        search.run(Limit(simulations=visits))
        snapshot = search.snapshot()
        evaluations += snapshot.counters.evaluations
        seconds += snapshot.counters.elapsed_s
        position = position.play(search.best_action())
    return evaluations / seconds


def katago_rate(katago: Path, net: Path, size: int, threads: int, visits: int) -> float:
    """Evaluations per second by KataGo's own benchmark; ValueError when it fails."""
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "katago.cfg"
        config.write_text(_CONFIG.format(folder=folder, visits=visits, threads=threads), encoding="utf-8")
        command = [str(katago), "benchmark", "-model", str(net), "-config", str(config), "-boardsize", str(size)]
        command += ["-t", str(threads), "-v", str(visits), "-n", str(POSITIONS)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=LONGEST_S)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise ValueError(f"KataGo could not be measured: {error}") from None
    found = _RATE.search(done.stdout)
    if not found:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:]
        raise ValueError(f"KataGo's benchmark printed no rate: {''.join(last) or 'nothing'}")
    return float(found[1])


if __name__ == "__main__":
    raise SystemExit(main())
