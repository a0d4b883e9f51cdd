"""Benchmark of Othello's endgame solver by processor time: ``python -m models.bench.endgame FILE``.  Knows no net.

FILE holds positions as tests/data/othello/ffo.txt does: number, board, side to move, score.
"""

import argparse
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core._jit import jit
from core.games import GameSpec, Position, load_game
from core.solve.othello import OthelloSolver, boards
from core.solve.othello_last import Few, Rules, make_few, make_rules, solve_few
from core.solve.solution import Watch
from models.bench.exact import random_position
from models.bench.table import Table

_SIDES: Final = {"X": 1, "O": 2}
_REPEATS: Final = 20_000
_LATE: Final = 16  # empty cells of the random positions
_NUMBER: Final = 10


def ffo_positions(text: str, game: GameSpec) -> Iterator[tuple[int, Position, int]]:
    """Each position of a file with its number and its score for the side to move."""
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            number, board, side, score = line.split()
            rows = [" ".join(board[at : at + 8]).replace("-", ".") for at in range(0, 64, 8)]
            yield int(number), game.parse_diagram("\n".join([*rows, f"{side} to move"])), int(score)


@jit
def _search_often(
    own: NDArray[np.uint64], other: NDArray[np.uint64], alpha: NDArray[np.int64], rules: Rules, few: Few, times: int
) -> int:
    total = 0
    for _ in range(times):
        for i in range(len(own)):
            total += solve_few(own[i], other[i], alpha[i], rules, few)
    return total


def last_rate(empties: int = 4) -> float:
    """Positions searched a second in the last plies of random games, by processor time."""
    game = load_game("othello")
    pairs = [boards(random_position(game, 60 - empties, seed)) for seed in range(200)]
    own, other = (np.array(side) for side in zip(*pairs, strict=True))
    alpha = 2 * np.random.default_rng(0).integers(-10, 10, len(own))
    few, rules = make_few(), make_rules(8, True)
    _search_often(own, other, alpha, rules, few, 1)  # compiles before the clock starts
    few.nodes[0] = 0
    began = time.process_time()
    _search_often(own, other, alpha, rules, few, _REPEATS)
    return float(few.nodes[0]) / (time.process_time() - began)


def _row(title: str, position: Position, expected: int | None = None) -> tuple[str, ...]:
    """Solve a position for its score with an empty table; ValueError when it is not the one expected."""
    solver, watch = OthelloSolver(), Watch()
    began = time.process_time()
    score = solver.score(position, watch)
    spent = time.process_time() - began
    if expected is not None and score != expected:
        raise ValueError(f"the score of {title} is {score:+d}; it must be {expected:+d}")
    empties = int(np.count_nonzero(position.cells() == 0))
    return title, str(empties), f"{score:+d}", f"{watch.nodes:,}", f"{spent:.2f}", f"{watch.nodes / spent / 1e6:.1f}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Processor time of exact Othello scores, one thread.")
    parser.add_argument("file", metavar="FILE", type=Path, help="positions as of tests/data/othello/ffo.txt")
    parser.add_argument("--first", type=int, default=40, metavar="N", help="the first number (default 40)")
    args = parser.parse_args()
    game = load_game("othello")
    print(f"last plies: {last_rate() / 1e6:.1f} million positions/s", flush=True)
    OthelloSolver().score(random_position(game, 50, 0))  # compiles before the clock starts
    rows = [_row(f"random {seed}", random_position(game, 60 - _LATE, seed)) for seed in range(_NUMBER)]
    for number, position, score in ffo_positions(args.file.read_text(), game):
        if number >= args.first:
            rows.append(_row(f"FFO #{number}", position, score))
    columns = ("position", "empty", "score", "nodes", "s", "million nodes/s")
    table = Table("Othello, exact score of a position", columns, tuple(rows), "each with an empty table")
    print("\n".join(table.lines(markdown=False)))


if __name__ == "__main__":
    main()
