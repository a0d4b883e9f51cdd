"""Benchmark of what feeds a device: analysis and self-play with a stand-in of set speed (``make bench-device``).

The stand-in (models.play.fake_device) is a process that answers after the time of a device and computes nothing, so
that the cost of the tree side alone is measured, by processor time: what one core of trees could feed, beside what the
device offers.  The clock's figures stand beside it; on a machine with fewer free cores than processes they mean little.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from core.engine import Search, warm_up
from core.games import GameSpec, load_game
from core.search import Limit, SearchSettings
from models.bench.table import Table, machine_lines
from models.play.fake_device import DeviceSpeed, FakeDevice
from models.play.inference_server import BATCHES, BUSY_S, PROCESSOR_S, ROWS
from models.play.leaf_lanes import CONTEXT, LaneEnd, LaneEvaluator
from models.play.selfplay import SelfPlay
from models.runs.config import TrainConfig
from models.runs.presets import preset_values

ANALYSIS: Final = "gomoku", 100_000.0  # 15x15, evaluations/s of its device
SELF_PLAY: Final = "connect4", 300_000.0
MEASURED: Final = (1, 2)  # processes
CALCULATED: Final = (4, 8, 16)

_BAD_INPUT: Final = 2
_IN_FLIGHT: Final = 2
_WAIT_S: Final = 300.0  # for a process to be ready: it may compile
_MEMORY_MB: Final = 512


class Use(NamedTuple):
    """What the processes do."""

    words: str
    game: str
    rate: float  # of the device, evaluations/s
    batch: int  # leaves of one process at once; in self-play half its games
    simulations: int  # after which an analysis is begun anew; 0 is self-play


class Spent(NamedTuple):
    """What one process did while it was measured."""

    evaluations: int
    passed_over: int  # leaves that waited already when a simulation came to them
    processor_s: float  # of all its threads
    clock_s: float


class Measured(NamedTuple):
    """All processes together, and the device."""

    spent: list[Spent]
    busy: float  # share of the clock's time in which the device worked
    mean_batch: float
    server_us: float  # processor time of the device's process for each evaluation

    @property
    def core_rate(self) -> float:
        """Evaluations for each second of processor time of the tree side."""
        return sum(one.evaluations for one in self.spent) / max(sum(one.processor_s for one in self.spent), 1e-9)

    @property
    def clock_rate(self) -> float:
        """Evaluations per second by the clock."""
        return sum(one.evaluations / max(one.clock_s, 1e-9) for one in self.spent)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark; the exit code: 0, or 2 for bad input."""
    parser = argparse.ArgumentParser(prog="make bench-device ARGS=...", description=__doc__)
    parser.add_argument("--seconds", type=float, default=4.0, help="of each measurement (default 4)")
    parser.add_argument("--batch", type=int, default=256, help="leaves of a process at once (default 256)")
    parser.add_argument("--simulations", type=int, default=200_000, help="of one analysis (default 200000)")
    parser.add_argument("--analysis", nargs=2, default=ANALYSIS, metavar=("GAME", "RATE"), help="of its device, per s")
    parser.add_argument("--self-play", nargs=2, default=SELF_PLAY, metavar=("GAME", "RATE"), help="the same")
    parser.add_argument("--processes", type=int, action="append", help="may be repeated (default 1, 2)")
    parser.add_argument("--markdown", action="store_true", help="print Markdown instead of text")
    args = parser.parse_args(argv)
    try:
        for name in ("seconds", "batch", "simulations"):
            if not getattr(args, name) > 0:
                raise ValueError(f"--{name} is {getattr(args, name)}; it must be above 0")
        if min(args.processes or MEASURED) < 1:
            raise ValueError(f"--processes is {min(args.processes)}; it must be at least 1")
        uses = [
            Use("analysis", args.analysis[0], _rate(args.analysis[1]), args.batch, args.simulations),
            Use("self-play", args.self_play[0], _rate(args.self_play[1]), args.batch, 0),
        ]
        print("\n".join(machine_lines()), flush=True)
        for use in uses:
            found = {count: measure(use, count, args.seconds) for count in args.processes or MEASURED}
            print("\n".join(["", *table(use, found).lines(markdown=args.markdown)]), flush=True)
    except ValueError as error:
        print(f"bench-device: {error}", file=sys.stderr)
        return _BAD_INPUT
    return 0


def table(use: Use, found: dict[int, Measured]) -> Table:
    """The measurements by number of processes, then the shape for more of them, calculated."""
    rows = [_row(use, count, one) for count, one in found.items()]
    core_rate = found[min(found)].core_rate
    for count in CALCULATED:
        reached = min(use.rate, count * core_rate)
        rows.append(
            (f"{count} (calculated)", "-", f"{count * core_rate:,.0f}", f"{reached / use.rate:.0%}", *["-"] * 6)
        )
    note = (
        f"{use.words} of {use.game} with a device that offers {use.rate:,.0f} evaluations/s, batches of up to "
        f"{use.batch} leaves, {_IN_FLIGHT} in flight for each process; by processor time of the tree side, all of a "
        "process included"
    )
    columns = (
        *("processes", "us/evaluation", "offered by their cores/s", "of the device", "per core/s"),
        *("by the clock/s", "device busy", "mean batch", "passed over", "server us/evaluation"),
    )
    return Table(f"{use.words}, {use.game}", columns, tuple(rows), note)


def _row(use: Use, count: int, one: Measured) -> tuple[str, ...]:
    offered = count * one.core_rate
    evaluations = max(1, sum(spent.evaluations for spent in one.spent))
    return (
        str(count),
        f"{1e6 / max(one.core_rate, 1e-9):.2f}",
        f"{offered:,.0f}",
        f"{min(1.0, offered / use.rate):.0%}",
        f"{one.core_rate:,.0f}",
        f"{one.clock_rate:,.0f}",
        f"{one.busy:.0%}",
        f"{one.mean_batch:.0f}",
        f"{sum(spent.passed_over for spent in one.spent) / evaluations:.0%}",
        f"{one.server_us:.2f}",
    )


def measure(use: Use, processes: int, seconds: float) -> Measured:
    """Let so many processes work for ``seconds``, all at the same device."""
    game = load_game(use.game)
    with FakeDevice(game, DeviceSpeed(use.rate), processes, use.batch, _IN_FLIGHT) as device:
        workers = []
        for seed, end in enumerate(device.ends):
            pipe, theirs = CONTEXT.Pipe()
            worker = CONTEXT.Process(target=_work, args=(use, end, seed, seconds, theirs), daemon=True)
            worker.start()
            theirs.close()
            workers.append((worker, pipe))
        try:
            for _, pipe in workers:
                _told(pipe)  # each is ready
            before, began = device.figures.copy(), time.perf_counter()
            for _, pipe in workers:
                pipe.send("go")
            spent = [Spent(*_told(pipe)) for _, pipe in workers]
            lasted, figures = time.perf_counter() - began, device.figures - before
        finally:
            for worker, pipe in workers:
                pipe.close()
                worker.join(_WAIT_S)
    rows = max(1.0, float(figures[ROWS]))
    mean = rows / max(1.0, float(figures[BATCHES]))
    return Measured(spent, float(figures[BUSY_S]) / lasted, mean, 1e6 * float(figures[PROCESSOR_S]) / rows)


def _told(pipe: Any) -> Any:
    try:
        if pipe.poll(_WAIT_S):
            return pipe.recv()
    except (EOFError, OSError):
        pass
    raise ValueError("a process of the benchmark ended or was not ready in time")


def _work(use: Use, end: LaneEnd, seed: int, seconds: float, pipe: Any) -> None:
    """One process of trees."""
    game = load_game(use.game)
    evaluator = LaneEvaluator(end, "fake device")
    run = _analysis(use, game, evaluator) if use.simulations else _self_play(use, game, evaluator, seed)
    pipe.send("ready")
    pipe.recv()
    began, before = time.perf_counter(), time.process_time()
    counted = run(began + seconds)
    pipe.send((*counted, time.process_time() - before, time.perf_counter() - began))


def _analysis(use: Use, game: GameSpec, evaluator: LaneEvaluator) -> Any:
    """A function that searches until a time: (evaluations, leaves passed over)."""
    settings = SearchSettings(
        max_batch=use.batch, batches_in_flight=_IN_FLIGHT, prove=False, memory_mb=_MEMORY_MB
    )  # a proof would end it
    warm_up(game, evaluator, settings)

    def run(until: float) -> tuple[int, int]:
        evaluations = passed_over = 0
        while (left := until - time.perf_counter()) > 0:
            search = Search(game.initial(), evaluator, settings)
            search.run(Limit(simulations=use.simulations, seconds=left))
            counters = search.snapshot().counters
            evaluations += counters.evaluations
            passed_over += counters.collisions
        return evaluations, passed_over

    return run


def _self_play(use: Use, game: GameSpec, evaluator: LaneEvaluator, seed: int) -> Any:
    """The same for self-play of as many games as fill the batches."""
    games = use.batch * _IN_FLIGHT
    config = TrainConfig.from_dict({**preset_values("medium", game.text), "games": games})
    player = SelfPlay(game, evaluator, config, games, seed, _IN_FLIGHT)
    player.play(evaluator, 1 << 40, _after(time.perf_counter() + 1.0))  # games at every stage, kernels compiled

    def run(until: float) -> tuple[int, int]:
        _, stats = player.play(evaluator, 1 << 40, _after(until))
        return stats.evaluations, 0

    return run


def _after(until: float) -> Any:
    return lambda: time.perf_counter() >= until


def _rate(given: Any) -> float:
    try:
        rate = float(given)
    except ValueError:
        rate = np.nan
    if not rate > 0:
        raise ValueError(f"the rate of a device is {given!r}; it must be a number above 0")
    return rate


if __name__ == "__main__":
    raise SystemExit(main())
