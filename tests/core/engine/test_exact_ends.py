"""The last positions of an Othello game are solved exactly for its report, which then has the discs lost."""

import random

import numpy as np

from core.engine.review import EXACT_EMPTIES, evaluate
from core.games import load_game
from core.glass.review import make_report
from core.search import SearchSettings
from core.solve import Solver


def test_the_report_of_a_small_game_is_exact_in_discs() -> None:
    game, rng = load_game("othello(size=4)"), random.Random(3)
    positions = [game.initial()]
    while not positions[-1].is_over:
        positions.append(positions[-1].play(rng.choice(positions[-1].legal_actions())))
    assert np.count_nonzero(positions[0].cells() == 0) <= EXACT_EMPTIES
    found = {position: evaluate(position, None, SearchSettings(), 1, lambda: False) for position in positions}
    made = make_report(positions, found.get, ("X", "O"), ("first", "second"))
    assert made.by_points
    assert all(made.exact)
    discs = positions[-1].cells()
    ahead, empty = (np.count_nonzero(discs == 1) - np.count_nonzero(discs == 2)), np.count_nonzero(discs == 0)
    assert made.leads[-1] == ahead + np.sign(ahead) * empty
    solver = Solver(game)
    for position, move in zip(positions[:-1], made.moves, strict=True):
        solution = solver.solve(position)
        assert solution is not None
        assert move is not None
        assert solution.score is not None
        scores = {one.action: one.score for one in solution.moves}
        played = scores[positions[move.ply + 1].last_action]
        assert played is not None
        assert (move.lead, move.points) == (played, solution.score - played)
        assert move.best_lead == solution.score
    best = found[positions[0]]
    assert best is not None
    line = positions[0]
    for action in best.pv:
        line = line.play(action)
    assert line.is_over
    end = evaluate(line, None, SearchSettings(), 1, lambda: False)
    assert end is not None
    assert end.lead * (1 if line.to_move == positions[0].to_move else -1) == best.lead


def test_a_stopped_solution_gives_no_figures() -> None:
    assert evaluate(load_game("othello(size=4)").initial(), None, SearchSettings(), 1, lambda: True) is None
