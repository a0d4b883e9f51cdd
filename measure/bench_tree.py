"""What the tree side costs an evaluation: searches whose net answers at once (``make bench-tree``).

The answers are random numbers laid ready in memory, the same in every search, so all that is measured is the search:
descents, rules, planes, priors, sorting, backing up, and Python per batch.  The figure is the processor time of the
searching thread for each evaluation; other load on the machine counts only as far as it takes caches and clock away.

``--beside FOLDER`` measures another checkout of this program in turn (A B A B ...), each in a process of its own, and
``--same`` compares the trees of both, figure by figure: for a change that shall cost less and find the same.
"""

import argparse
import hashlib
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from inspect import signature
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.engine import Evaluator, Search
from core.engine.lockstep import Lockstep
from core.games import load_game
from core.games.dispatch import ONGOING
from core.glass.snapshot import LIMIT
from core.search import Limit, SearchSettings, work
from core.search.tree import EDGES, NODES, RECORDS, SLOTS, Tree
from measure.bench_table import Table, machine_lines, ratio_cells

ANSWERS: Final = 1024  # laid ready, used in turn
SPREAD: Final = 1.0  # deviation of the logits: flatter than most nets, so that a descent passes fewer nodes again
EVALUATIONS: Final = 6000  # of each search whose trees are compared
MOVE, GUMBEL_MOVE = 200, 24  # simulations for each move in lockstep
LONGEST: Final = 200_000  # evaluations of one search, then a new one begins


class Case(NamedTuple):
    """One kind of search."""

    game: str
    batch: int  # of leaves, or the games in lockstep
    lockstep: bool = False
    options: tuple[tuple[str, Any], ...] = ()  # further settings

    @property
    def name(self) -> str:
        """In words, for the table."""
        kind = f"{self.batch} games in lockstep" if self.lockstep else f"analysis, batch {self.batch}"
        return ", ".join([kind, *(f"{name}={value}" for name, value in self.options)])


TIMED: Final = tuple(
    Case(game, batch, lockstep)
    for game in ("connect4", "gomoku")
    for lockstep, batch in ((False, 8), (False, 32), (False, 256), (True, 256))
)
_GUMBEL: Final = (("selection", "gumbel"),)
_THREATS: Final = (("threat_proofs", True), ("threat_priors", True))
_OTHERS: Final = (
    "tictactoe",
    "othello",
    "gomoku(size=9)",
    "gomoku(rule=renju)",
    "go(size=9)",
    "connect4(rows=6, cols=8)",
)
COMPARED: Final = (
    *TIMED,
    *(Case(game, 16) for game in _OTHERS),
    *(Case(game, 16, True) for game in _OTHERS),
    *(Case(game, 16, lockstep, _GUMBEL) for game in ("connect4", "gomoku(size=9)") for lockstep in (False, True)),
    *(Case(game, 16, False, _THREATS) for game in ("connect4", "gomoku")),
    *(
        Case(game, 8, False, ((name, value),))
        for game in ("connect4", "gomoku")
        for name, value in (
            ("selection", "ucb1"),
            ("selection", "ucb1_tuned"),
            ("prove", False),
            ("fpu", "loss"),
            ("fpu", "zero"),
            ("c_spread", 0.5),
            ("batches_in_flight", 2),
            ("noise_epsilon", 0.25),
            ("root_first", True),
            ("final", "lcb"),
        )
    ),
)


class Ready(Evaluator):
    """An evaluator whose answers lie in memory: the logits and values of ``ANSWERS`` made-up positions in turn."""

    description = "random answers laid ready"

    def __init__(self, num_actions: int, batch: int) -> None:
        rng = np.random.default_rng(1)
        logits = rng.normal(0, SPREAD, (ANSWERS, num_actions)).astype(np.float32)
        # As many more at the end, so that every batch is one slice.
        self._logits: NDArray[np.float32] = np.resize(logits, (ANSWERS + batch, num_actions))
        self._values = np.resize(np.tanh(rng.normal(0, 0.5, ANSWERS)), ANSWERS + batch).astype(np.float32)
        self._next = 0

    def evaluate(
        self, planes: NDArray[np.float32], features: NDArray[np.float32] | None = None
    ) -> tuple[NDArray[np.float32], ...]:
        """The next answers, whatever the position."""
        first, count = self._next, len(planes)
        self._next = (first + count) % ANSWERS
        return self._logits[first : first + count], self._values[first : first + count]


class _Analysis:
    """Searches of the first position, one after the other."""

    def __init__(self, case: Case) -> None:
        self._game = load_game(case.game)
        self._evaluator = Ready(self._game.num_actions, case.batch)
        self._settings = SearchSettings(**{"max_batch": case.batch, "memory_mb": 1024, **dict(case.options)})
        self.begin()

    def begin(self) -> None:
        """Begin a new search."""
        self.search = Search(self._game.initial(), self._evaluator, self._settings)
        self._limit = 0

    def evaluations(self) -> int:
        """Evaluations so far."""
        return int(self.search.simulator.stats[work.EVALUATIONS])

    def go_on(self) -> bool:
        """Search a little; False when the search has ended."""
        self._limit += 2048
        return self.search.run(Limit(simulations=self._limit)) == LIMIT and self.evaluations() < LONGEST

    @property
    def tree(self) -> Tree:
        return self.search.tree


class _Games:
    """Games in lockstep, each move after some simulations with noise at the root, and another game after each."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self._game = load_game(case.game)
        evaluator = Ready(self._game.num_actions, case.batch)
        settings = SearchSettings(**{"noise_epsilon": 0.25, "memory_mb": 1024, **dict(case.options)})
        self._lockstep = Lockstep(self._game, evaluator, case.batch, settings)
        self._target = GUMBEL_MOVE if settings.selection == "gumbel" else MOVE
        self.begin()

    def begin(self) -> None:
        """Begin all games anew."""
        every = np.arange(self._case.batch)
        self._go_on(every, every >= 0)

    def _go_on(self, games: NDArray[np.int64], over: NDArray[np.bool_]) -> None:
        """Set the next searches of ``games`` [R], of which those that are ``over`` begin anew."""
        for g in games[over].tolist():
            self._lockstep.restart(g)
        ones = np.ones(len(games))
        ones_for_each = [ones] * (len(signature(self._lockstep.set_targets).parameters) - 3)  # more in other checkouts
        self._lockstep.set_targets(games, np.full(len(games), self._target), ones > 0, *ones_for_each)

    def evaluations(self) -> int:
        """Evaluations so far."""
        return int(self._lockstep.stats[work.EVALUATIONS])

    def go_on(self) -> bool:
        """Make some steps, and the moves that are due after each; True, for there is always another game."""
        lockstep = self._lockstep
        for _ in range(32):
            games = lockstep.step()
            if len(games):
                results = lockstep.play_all(games, lockstep.results(games).best)
                self._go_on(games, results != ONGOING)
        return True

    @property
    def tree(self) -> Tree:
        return self._lockstep.tree


def digest(tree: Tree) -> str:
    """A hash of all that a tree says, whatever the layout of its arrays; what is unused is left out."""
    counts = tree.counts
    hasher = hashlib.sha256(counts[:4].tobytes())
    nodes = ("parent", "slot", "action", "edge_start", "num_edges", "num_children", "child_start", "value", "begun")
    slots = ("child", "visits", "was_root", "total", "inflight", "proof", "distance")
    lengths = {
        NODES: (*nodes, "threats", "node_lead"),
        EDGES: ("edge_action", "edge_prior"),
        SLOTS: (*slots, "squares", "lead_sum"),
        RECORDS: ("leaf", "leaf_value"),
    }
    used = np.zeros(int(counts[SLOTS]), np.bool_)
    used[tree.slot[: counts[NODES]]] = True
    for length, names in lengths.items():
        for name in names:
            figures = getattr(tree, name)[: counts[length]]
            if len(figures):  # some are not kept
                figures = figures[used] if length == SLOTS else figures
                hasher.update(np.ascontiguousarray(figures).tobytes())
    return hasher.hexdigest()


def _runner(case: Case) -> _Analysis | _Games:
    return _Games(case) if case.lockstep else _Analysis(case)


def cost(case: Case, seconds: float) -> float:
    """Microseconds of the thread's processor time for an evaluation, in ``seconds`` of it."""
    runner = _runner(case)
    runner.go_on()
    spent, evaluations = 0.0, 0
    while spent < seconds:
        before, started = runner.evaluations(), time.thread_time()
        alive = runner.go_on()
        spent += time.thread_time() - started
        evaluations += runner.evaluations() - before
        if not alive:
            runner.begin()
    return 1e6 * spent / max(1, evaluations)


def trees(case: Case, evaluations: int) -> str:
    """A hash of the tree after about so many evaluations."""
    runner = _runner(case)
    hasher = hashlib.sha256()
    before = -1
    while before < runner.evaluations() < evaluations:  # without another one: all that is left is decided
        before = runner.evaluations()
        alive = runner.go_on()
        hasher.update(digest(runner.tree).encode())
        if not alive:
            break
    return hasher.hexdigest()


def _serve() -> None:
    """Answer the questions on standard input, a line each, for the process that compares."""
    for line in sys.stdin:
        question, fields, amount = json.loads(line)
        game, batch, lockstep, options = fields
        case = Case(game, batch, lockstep, tuple((name, value) for name, value in options))
        print(json.dumps(cost(case, amount) if question == "cost" else trees(case, int(amount))), flush=True)


class _Other:
    """Another process, which measures one checkout."""

    def __init__(self, folder: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", __file__, "--serve"],
            env={**os.environ, "PYTHONPATH": str(folder)},
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, question: str, case: Case, amount: float) -> Any:
        """The answer of ``cost`` or ``trees``.  Raises RuntimeError when the process has ended."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps((question, case, amount)) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise RuntimeError("a measuring process has ended; its message is above")
        return json.loads(answer)

    def close(self) -> None:
        """End it."""
        self._process.communicate()


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table, or what ``--same`` found; the exit code: 0, or 1 when trees differ."""
    parser = argparse.ArgumentParser(prog="make bench-tree ARGS=...", description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="of each measurement (default 2)")
    parser.add_argument("--rounds", type=int, default=5, help="of every measurement (default 5)")
    parser.add_argument("--beside", type=Path, metavar="FOLDER", help="another checkout, measured in turn")
    parser.add_argument("--same", action="store_true", help="compare the trees with those of --beside")
    parser.add_argument("--game", help="this game alone")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args(argv)
    if args.serve:
        _serve()
        return 0
    if args.rounds < 1 or not args.seconds > 0 or (args.same and not args.beside):
        parser.error("rounds is at least 1, seconds above 0; --same needs --beside FOLDER")
    folders = [Path(__file__).parents[1], *([args.beside.resolve()] if args.beside else [])]
    others = [_Other(folder) for folder in folders]
    try:
        if args.same:
            return _compare(others, [case for case in COMPARED if args.game in (None, case.game)])
        print("\n".join(machine_lines()), flush=True)
        timed = [case for case in TIMED if args.game in (None, case.game)]
        print("\n".join(["", *_table(others, timed, args.rounds, args.seconds).lines()]))
    finally:
        for other in others:
            other.close()
    return 0


def _table(others: Sequence[_Other], cases: Sequence[Case], rounds: int, seconds: float) -> Table:
    """The cost of each case in each process; with two, the other checkout's divided by ours."""
    rows = []
    for case in cases:
        rounds_of = [[float(other.ask("cost", case, seconds)) for other in others] for _ in range(rounds)]
        ours, *theirs = (list(column) for column in zip(*rounds_of, strict=True))
        cells = [f"{statistics.median(ours):.2f}", f"{min(ours):.2f} to {max(ours):.2f}"]
        for other in theirs:
            cells += [f"{statistics.median(other):.2f}", *ratio_cells(other, ours)]
        rows.append((case.game, case.name, *cells))
    names = ("game", "search", "us", "of the rounds", "beside us", "ratio", "of the rounds")[: len(rows[0])]
    note = f"processor time of the searching thread for each evaluation, no net; medians of {rounds} x {seconds:g} s"
    return Table("the tree side", names, tuple(rows), note, words=2)


def _compare(others: Sequence[_Other], cases: Sequence[Case]) -> int:
    """Print where the trees of both checkouts differ; the exit code."""
    differ = 0
    for case in cases:
        ours, theirs = (other.ask("trees", case, EVALUATIONS) for other in others)
        differ += ours != theirs
        print(f"{'same  ' if ours == theirs else 'DIFFER'} {case.game}: {case.name}", flush=True)
    print(f"{len(cases)} searches of {EVALUATIONS:,} evaluations, {differ} differ")
    return 1 if differ else 0


if __name__ == "__main__":
    raise SystemExit(main())
