"""Benchmarks of the rules (perft, checked against known counts) and of the solvers."""

import statistics
import time
from collections.abc import Sequence
from typing import Final

import numpy as np

from core.games import GameSpec, Position, load_game
from core.games.perft import perft
from core.solve.solver import Solver
from measure.bench_table import Table

# Game, depth, leaves of perft; a line of play that ends earlier counts once.  Sources: Othello, Egaroucid's
# bin/perft.py; Connect Four, the boards of each ply times the ways to reach them; Gomoku, 225 * 224 * 223.
PERFT: Final = (("connect4", 9, 39_452_034), ("othello", 9, 3_005_288), ("gomoku", 3, 11_239_200))

# Title, game, random moves from its start (seeds 0, 1, ...), number of positions.
SOLVED: Final = (
    ("Connect Four after 12 moves", "connect4", 12, 4),
    ("Connect Four after 16 moves", "connect4", 16, 16),
    ("4 in a row on 4×4, from the start", "connectn(rows=4, cols=4, k=4)", 0, 1),
    ("Othello after 46 moves, 14 squares empty", "othello", 46, 3),
    ("Othello 4×4, from the start", "othello(size=4)", 0, 1),
)


def perft_table(rounds: int, seconds: float) -> Table:
    """Measure perft, a row for each of PERFT; ValueError when a count is wrong."""
    rows = []
    for text, depth, known in PERFT:
        position = load_game(text).initial()
        perft(position, 1)  # compiles before the clock starts
        rates = [_perft_rate(position, depth, known, seconds) for _ in range(rounds)]
        rows.append((text, str(depth), f"{known:,}", f"{statistics.median(rates) / 1e6:,.0f}"))
    columns = ("game", "depth", "lines of play, as known", "million lines/s")
    return Table("lines of play (perft), one thread", columns, tuple(rows), "every count is the known one")


def _perft_rate(position: Position, depth: int, known: int, seconds: float) -> float:
    """Lines of play per second, over repeated counts that take about ``seconds``."""
    times, started = 0, time.perf_counter()
    while True:
        lines = perft(position, depth)
        if lines != known:
            raise ValueError(f"perft of {position.game.text} to depth {depth} is {lines}; it must be {known}")
        times += 1
        spent = time.perf_counter() - started
        if spent >= seconds:
            return times * lines / spent


def solver_table(rounds: int) -> Table:
    """Measure the solvers, a row for each of SOLVED: every move of every position, each with an empty table."""
    rows = []
    for words, text, plies, number in SOLVED:
        positions = [random_position(load_game(text), plies, seed) for seed in range(number)]
        Solver(positions[0].game).solve(positions[0], seconds=0.01)  # compiles before the clock starts
        measured = [_solve_all(positions) for _ in range(rounds)]
        nodes = measured[0][0]
        spent = statistics.median(seconds for _, seconds in measured)
        rate = statistics.median(nodes / seconds for nodes, seconds in measured)
        rows.append((words, str(number), f"{nodes:,}", f"{spent / number:.3f}", f"{rate / 1e6:.2f}"))
    columns = ("position", "solved", "nodes", "s each", "million nodes/s")
    note = "the value and distance of every move; positions by random play, each solved with an empty table"
    return Table("exact answers, one thread", columns, tuple(rows), note)


def _solve_all(positions: Sequence[Position]) -> tuple[int, float]:
    """Solve all of ``positions``: (positions searched, seconds)."""
    nodes, spent = 0, 0.0
    for position in positions:
        solution = Solver(position.game).solve(position)
        if solution is None:
            raise ValueError(f"{position} was not solved")
        nodes += solution.nodes
        spent += solution.seconds
    return nodes, spent


def random_position(game: GameSpec, plies: int, seed: int) -> Position:
    """An unfinished position after ``plies`` uniformly random moves; a game that ends earlier is discarded."""
    rng = np.random.default_rng(seed)
    while True:
        position = game.initial()
        while position.ply < plies and not position.is_over:
            position = position.play(int(rng.choice(position.legal_actions())))
        if not position.is_over:
            return position
