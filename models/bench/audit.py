"""Benchmark of an audit beside the lockstep engine and the net alone (``make bench-audit``).  Knows no torch.

All three evaluate in turn, in one process, with the same net and batch; rates are evaluations per second of processor
time, so that other load on the machine does not count.  Nothing is solved.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.engine import warm_up
from core.engine.evaluator import Evaluator
from core.engine.lockstep import Lockstep
from core.games import GameSpec, load_game
from models.audit.positions import Item, random_items
from models.audit.searching import SIDE_BY_SIDE, audit_positions, audit_settings
from models.bench.table import Table, machine_lines, ratio_cells
from models.netfiles.evaluator import OnnxEvaluator, default_net

_GAMES: Final = ("connect4", "othello")


class Counting:
    """An evaluator that counts what it is asked."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self.description = evaluator.description
        self.asked = self.batches = 0
        self.planes = np.zeros(0, np.float32)  # of the largest batch

    def evaluate(self, planes: NDArray[np.float32]) -> tuple[NDArray[np.float32], ...]:
        """The evaluator's answer."""
        self.asked += len(planes)
        self.batches += 1
        if len(planes) > len(self.planes):
            self.planes = planes.copy()
        return self._evaluator.evaluate(planes)


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table; the exit code."""
    parser = argparse.ArgumentParser(prog="make bench-audit ARGS=...", description=__doc__)
    parser.add_argument("--positions", type=int, default=256, help="of each measurement (default 256)")
    parser.add_argument("--simulations", type=int, default=100, help="of each position (default 100)")
    parser.add_argument("--rounds", type=int, default=3, help="of every measurement (default 3)")
    parser.add_argument("--games", type=int, default=SIDE_BY_SIDE, help=f"searched at once (default {SIDE_BY_SIDE})")
    parser.add_argument(
        "--net", nargs=2, action="append", default=[], metavar=("FILE", "GAME"), help="this net; may be repeated"
    )
    args = parser.parse_args(argv)
    if min(args.positions, args.rounds, args.games) < 1 or args.simulations < 2:
        parser.error("--positions, --rounds and --games must be at least 1 and --simulations at least 2")
    nets = [(load_game(text), Path(file)) for file, text in args.net]
    for name in () if nets else _GAMES:
        game = load_game(name)
        if (shipped := default_net(game)) is not None:
            nets.append((game, shipped))
    print("\n".join(machine_lines()))
    try:
        made = table(nets, args.positions, args.simulations, args.games, args.rounds)
    except ValueError as error:
        print(f"bench-audit: {error}", file=sys.stderr)
        return 1
    print("\n".join(["", *made.lines(markdown=False)]))
    return 0


def table(nets: Sequence[tuple[GameSpec, Path]], positions: int, simulations: int, games: int, rounds: int) -> Table:
    """A row for each net: the three rates and the ratios of the audit's."""
    rows = []
    for game, path in nets:
        evaluator = OnnxEvaluator(path, game, threads=1)
        warm_up(game, evaluator, audit_settings(game, 1, 2))
        half = game.num_cells // 2
        items = random_items(game, positions, (half // 4, half), 0).items
        mine, engine, alone, batch = [], [], [], 0.0
        for _ in range(rounds):
            counting = Counting(evaluator)
            mine.append(_rate(counting, partial(_audit, game, counting, items, simulations, games)))
            batch = counting.asked / counting.batches
            times, planes = counting.batches, counting.planes[: max(1, round(batch))]
            counting = Counting(evaluator)
            engine.append(_rate(counting, partial(_lockstep, game, counting, items, simulations, games)))
            counting = Counting(evaluator)
            alone.append(_rate(counting, partial(_net, counting, planes, times)))
        rates = (f"{statistics.median(one):,.0f}" for one in (mine, engine, alone))
        of_engine, of_alone = ratio_cells(mine, engine), ratio_cells(mine, alone)
        rows.append((game.text, path.stem, f"{batch:.1f}", *rates, *of_engine, of_alone[0]))
    note = (
        f"{positions} random positions, {simulations} simulations each, {games} searched at once; evaluations per "
        "second of processor time; the engine searches the same positions and reads no answer"
    )
    columns = ("game", "net", "mean batch", "audit/s", "engine/s", "net alone/s", "of the engine", "of the rounds")
    return Table("an audit beside the lockstep engine", (*columns, "of the net"), tuple(rows), note, words=2)


def _rate(counting: Counting, work: Callable[[], object]) -> float:
    """Evaluations per second of this process's time."""
    began = time.process_time()
    work()
    return counting.asked / max(time.process_time() - began, 1e-9)


def _audit(game: GameSpec, evaluator: Evaluator, items: Sequence[Item], simulations: int, games: int) -> None:
    for _ in audit_positions(game, [evaluator], list(enumerate(items)), simulations, 0.0, games):
        pass


def _net(evaluator: Evaluator, planes: NDArray[np.float32], times: int) -> None:
    for _ in range(times):
        evaluator.evaluate(planes)


def _lockstep(game: GameSpec, evaluator: Evaluator, items: Sequence[Item], simulations: int, games: int) -> None:
    """Search the positions in lockstep, a new one in the place of each that ends."""
    games = min(games, len(items))
    lockstep = Lockstep(game, evaluator, games, audit_settings(game, games, simulations))
    going = np.zeros(games, np.bool_)
    left: Iterator[Item] = iter(items)

    def begin(g: int) -> None:
        item = next(left, None)
        going[g] = item is not None
        lockstep.restart(g, item.moves if item is not None else ())
        lockstep.set_target(g, simulations if item is not None else 0, noise=False)

    for g in range(games):
        begin(g)
    while going.any():
        done = lockstep.step()
        for g in done[going[done]].tolist():
            begin(g)


if __name__ == "__main__":
    raise SystemExit(main())
