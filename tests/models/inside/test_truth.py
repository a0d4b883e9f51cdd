"""Exact answers that a net's choice is compared with: by fours within a time limit, and what a search has proved."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from core.engine.evaluator import UniformEvaluator
from core.games import Position, load_game
from core.glass.snapshot import Snapshot
from core.search.proofs import LOSS, PROVED_DRAW, UNPROVED, WIN
from core.solve import Solver
from models.inside.truth import FOURS, PROVED, SOLVED, Truth, TruthFinder, proved_truth
from models.play.openings import random_opening
from tests.core.search.fakes import run_search

GOMOKU = load_game("gomoku(size=15)")
# X has an open three, and so many moves that make a four.
WINNING = GOMOKU.position("h8 a1 h9 a3 h10 c1")


def clock_of(steps: float) -> Callable[[], float]:
    """A clock that goes on by ``steps`` seconds whenever it is read."""
    now = 0.0

    def clock() -> float:
        nonlocal now
        now += steps
        return now

    return clock


def never() -> bool:
    return False


def searched(position: Position, simulations: int = 1000) -> Snapshot:
    search = run_search(position, UniformEvaluator(position.game.num_actions), simulations, max_batch=1, memory_mb=32)
    return search.snapshot()


def test_a_search_for_fours_ends_when_its_time_is_over() -> None:
    whole = TruthFinder(GOMOKU).judge(WINNING, FOURS, 60.0, never)
    assert whole.value == 1
    reads = []

    def counted() -> float:
        reads.append(0)
        return 0.0

    assert TruthFinder(GOMOKU, counted).judge(WINNING, FOURS, 1.0, never) == whole
    for allowed in range(1, len(reads)):  # the time is over at each of the moments at which the clock is read
        assert TruthFinder(GOMOKU, clock_of(1.0)).judge(WINNING, FOURS, allowed - 0.5, never) is None
    assert TruthFinder(GOMOKU, clock_of(1.0)).judge(WINNING, FOURS, len(reads), never) == whole


def test_all_positions_share_one_time_and_what_was_not_found_in_it_is_unknown() -> None:
    positions = [WINNING] * 4
    answers = TruthFinder(GOMOKU, lambda: 0.0).judge_all(positions, 1.0)
    assert None not in answers
    late = TruthFinder(GOMOKU, clock_of(1.0)).judge_all(positions, 12.0)
    assert late[0] == answers[0]
    assert late[-1] is None
    assert TruthFinder(GOMOKU, clock_of(1.0)).judge_all(positions, 1.0) is None
    assert TruthFinder(GOMOKU, lambda: 0.0).judge_all(positions, 1.0, lambda: True) is None


def test_what_a_search_has_proved_is_what_the_solver_says() -> None:
    game, rng, values = load_game("tictactoe"), np.random.default_rng(0), []
    for _ in range(40):
        position = random_opening(game, int(rng.integers(3, 7)), rng)
        truth = proved_truth(searched(position).root)
        if truth is None:
            continue
        solution = Solver(game).solve(position)
        best = {move.action for move in solution.moves if move.value == solution.value}
        assert (truth.kind, truth.value) == (PROVED, solution.value)
        assert truth.best <= best <= truth.best | truth.unproved
        for move in position.legal_actions():
            assert truth.allows(move) in (None, move in best)
        values.append(truth.value)
    assert len(values) > 15
    assert set(values) == {-1, 0, 1}


def test_what_is_not_proved_of_all_moves_is_no_answer_and_what_is_the_solvers_is_named_so() -> None:
    game = load_game("tictactoe")
    assert proved_truth(searched(game.initial(), 20).root) is None
    root = searched(game.position("b2 a1")).root
    proofs = np.full(len(root.actions), LOSS, np.int8)
    lost = replace(root, proof=LOSS, proofs=proofs)
    assert proved_truth(lost) == Truth(PROVED, -1, frozenset(root.actions.tolist()))
    assert proved_truth(replace(lost, left_out={8: 0.1})) is None  # a move that is not searched may be better
    assert proved_truth(replace(lost, proof=UNPROVED)) is None
    assert proved_truth(replace(lost, solved=True)).kind == SOLVED
    proofs[0], proofs[1] = WIN, UNPROVED
    won = replace(root, proof=WIN, proofs=proofs, left_out={8: 0.1}, same={int(root.actions[0]): (7,)})
    first, second, third = root.actions[:3].tolist()
    truth = proved_truth(won)
    assert (truth.value, truth.best, truth.unproved) == (1, {first, 7}, {second, 8})
    assert [truth.allows(move) for move in (first, 7, second, 8, third)] == [True, True, None, None, False]
    drawn = proved_truth(replace(root, proof=PROVED_DRAW, proofs=np.full(len(proofs), PROVED_DRAW, np.int8)))
    assert (drawn.value, drawn.best) == (0, set(root.actions.tolist()))
