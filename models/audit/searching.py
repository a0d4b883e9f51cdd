"""Searches the positions of an audit with the lockstep engine, and solves them.

A batch holds a leaf of every search; a search that ends is replaced by that of the next position, so that the batches
stay full to the end.  Exact answers are found by a thread beside the search.
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.engine.evaluator import Evaluator
from core.engine.lockstep import Lockstep
from core.games import GameSpec
from core.search.proofs import UNPROVED
from core.search.settings import SearchSettings
from core.search.tree import PRIOR_ONE, backups_of
from core.solve import Solver, refusal
from models.audit.answers import Audited, Exact, NetAnswer
from models.audit.positions import Item
from models.strength.exams import after
from models.strength.match import net_settings

SIDE_BY_SIDE: Final = 128
_MOST_UNSOLVED: Final = 4  # positions searched and not solved, for each search: the search then waits
_WAIT_S: Final = 0.02


def audit_settings(game: GameSpec, games: int, simulations: int) -> SearchSettings:
    """The settings of an audit's searches: those of ``plyscope analyze`` with one leaf at a time."""
    return net_settings(game, games, simulations)


class Searcher:
    """Searches positions side by side with one net."""

    def __init__(
        self, game: GameSpec, evaluator: Evaluator, items: Iterable[tuple[int, Item]], games: int, simulations: int
    ) -> None:
        """``items``: positions with their numbers."""
        self.lockstep = Lockstep(game, evaluator, games, audit_settings(game, games, simulations))
        self._items = iter(items)
        self._simulations = simulations
        self._number = np.full(games, -1, np.int64)  # of the position searched in each game; -1: none
        for g in range(games):
            self._next(g)

    @property
    def busy(self) -> bool:
        """Whether a search is running."""
        return bool((self._number >= 0).any())

    def step(self) -> list[tuple[int, NetAnswer]]:
        """One batch; the searches that it finished, by the position's number."""
        done = self.lockstep.step()
        done = done[self._number[done] >= 0]
        if not len(done):
            return []
        results, answers = self.lockstep.results(done), []
        for r, g in enumerate(done.tolist()):
            answer = self._answer(
                g, results.policy[r], float(results.value[r]), int(results.best[r]), int(results.proof[r])
            )
            answers.append((int(self._number[g]), answer))
            self._next(g)
        return answers

    def _next(self, g: int) -> None:
        number, item = next(self._items, (-1, None))
        self._number[g] = number
        self.lockstep.restart(g, () if item is None else item.moves)
        self.lockstep.set_target(g, 0 if item is None else self._simulations, noise=False)

    def _answer(self, g: int, policy: NDArray[np.float32], value: float, best: int, proof: int) -> NetAnswer:
        tree, root = self.lockstep.tree, self.lockstep.root(g)
        n, k = max(0, int(tree.num_edges[root])), int(tree.num_children[root])
        edges = slice(int(tree.edge_start[root]), int(tree.edge_start[root]) + n)
        slots = slice(int(tree.child_start[root]), int(tree.child_start[root]) + k)
        actions = tree.edge_action[edges]
        visits, qs = np.zeros(n, np.int64), np.full(n, np.nan)
        visits[:k] = tree.visits[slots]
        qs[:k] = tree.total[slots] / np.maximum(1, backups_of(tree, slots))
        proofs = tree.proof[slots]
        qs[:k][proofs != UNPROVED] = 2.0 - proofs[proofs != UNPROVED]
        order = np.argsort(-tree.edge_prior[edges].astype(np.int64), kind="stable")
        return NetAnswer(
            actions=tuple(actions[order].tolist()),
            priors=tuple((tree.edge_prior[edges][order] / PRIOR_ONE).tolist()),
            visits=tuple(visits[order].tolist()),
            qs=tuple(qs[order].tolist()),
            policy=tuple(policy[actions[order]].tolist()),
            value=float(tree.value[root]),
            searched=value,
            best=best,
            proved=proof != UNPROVED,
        )


def exact_answer(solver: Solver, item: Item, seconds: float, should_stop: Callable[[], bool]) -> Exact | None:
    """The exact value of a position and all its moves; None when it is too large or took longer than ``seconds``."""
    position = after(solver.game, item.moves)
    if refusal(position) is not None:
        return None
    solution = solver.solve(position, should_stop, seconds=seconds)
    if solution is None:
        return None
    values = {move.action: move.value for move in solution.moves if move.value is not None}
    return Exact(solution.value, values) if len(values) == len(solution.moves) else None


class _Solved:
    """Solves positions in order, in a thread of its own."""

    def __init__(
        self, game: GameSpec, items: Sequence[tuple[int, Item]], seconds: float, should_stop: Callable[[], bool]
    ) -> None:
        self._game, self._items, self._seconds, self._should_stop = game, items, seconds, should_stop
        self._answers: dict[int, Exact | None] = {}
        self._closed = threading.Event()
        self._pool = ThreadPoolExecutor(1, "solver")
        self._task = self._pool.submit(self._work)

    def _work(self) -> None:
        solver = Solver(self._game)
        for number, item in self._items:
            if self._stopped():
                return
            self._answers[number] = exact_answer(solver, item, self._seconds, self._stopped)

    def _stopped(self) -> bool:
        return self._closed.is_set() or self._should_stop()

    def has(self, number: int) -> bool:
        """Whether the position has been solved or given up.  Raises the error of the thread, if there was one."""
        if self._task.done():
            self._task.result()
        return number in self._answers

    def take(self, number: int) -> Exact | None:
        """The answer to a position that :meth:`has` one."""
        return self._answers.pop(number)

    def wait(self) -> None:
        """Wait a moment for an answer."""
        wait([self._task], timeout=_WAIT_S)

    def close(self) -> None:
        """Stop solving."""
        self._closed.set()
        self._pool.shutdown()


def audit_positions(
    game: GameSpec,
    evaluators: Sequence[Evaluator],
    items: Sequence[tuple[int, Item]],
    simulations: int,
    solve_s: float,
    games: int = SIDE_BY_SIDE,
    should_stop: Callable[[], bool] = lambda: False,
) -> Iterator[Audited]:
    """Search each of ``items``, numbered positions, with every net, and solve it in at most ``solve_s`` seconds; 0
    solves none.

    Yields positions as they are finished, in any order; ends early by ``should_stop``.
    """
    by_number = dict(items)
    games = max(1, min(games, len(items)))
    answered: dict[int, dict[int, NetAnswer]] = {}
    solved = _Solved(game, items if solve_s else (), solve_s, should_stop)
    try:
        searchers = [Searcher(game, evaluator, items, games, simulations) for evaluator in evaluators]
        while (any(searcher.busy for searcher in searchers) or answered) and not should_stop():
            stepped = False
            for i, searcher in enumerate(searchers):
                if searcher.busy and len(answered) < _MOST_UNSOLVED * games:
                    stepped = True
                    for number, answer in searcher.step():
                        answered.setdefault(number, {})[i] = answer
            ready = [
                n for n, ones in answered.items() if len(ones) == len(searchers) and (not solve_s or solved.has(n))
            ]
            for number in ready:
                answers = answered.pop(number)
                exact = solved.take(number) if solve_s else None
                if should_stop():
                    return  # the solver was stopped, so that no answer may mean nothing
                nets = tuple(answers[i] for i in range(len(searchers)))
                yield Audited(number, by_number[number], nets, exact)
            if not stepped and not ready:
                solved.wait()
    finally:
        solved.close()
