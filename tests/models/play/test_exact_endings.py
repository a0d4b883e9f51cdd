"""Self-play with exact endings: results, targets and traces by the solver, and where games go on by searches."""

import numpy as np
import pytest

from core.games import load_game
from core.solve import Solver
from models.play.exact_endings import ExactEndings
from models.play.samples import PLAYED
from models.play.selfplay import SelfPlay
from models.runs.config import TrainConfig
from tests.core.search.fakes import HashEvaluator

OTHELLO = TrainConfig.of(
    game="othello(size=4)", simulations=4, fast_simulations=2, full_share=0.6, exact_empties=6, iterations=1
)
FOUR = OTHELLO.changed(game="connect4(rows=4, cols=5)", exact_empties=9)


def empties(position) -> int:
    return int(np.count_nonzero(position.cells() == 0))


@pytest.mark.parametrize("config", [OTHELLO, FOUR], ids=["othello", "connect4"])
def test_the_last_moves_are_exact(config) -> None:
    """Each position of an exact ending: its value is the solver's, its move and its target are the best ones."""
    game = load_game(config.game)
    net, solver = HashEvaluator(game.num_actions), Solver(game)
    samples, stats = SelfPlay(game, net, config, games=4, seed=1).play(net, 30)
    solved, learned = 0, 0
    for number, trace in enumerate(samples.traces):
        position, plies = game.initial(), len(trace.opening)
        for ply, action in enumerate((*trace.opening, *trace.moves)):
            if ply > plies and empties(position) <= config.self_play.exact_empties:
                found = solver.solve(position)
                assert trace.ending == PLAYED
                assert trace.values[ply - plies] == found.value
                assert action in found.best
                assert trace.outcome == (found.value if position.to_move == 0 else -found.value)
                solved += 1
                row = np.flatnonzero((samples.game == number) & (samples.ply == ply))
                assert len(row) == trace.full[ply - plies]
                if len(row):
                    learned += 1
                    assert np.flatnonzero(samples.policy[row[0]]).tolist() == sorted(found.best)
                    assert samples.policy[row[0]].sum() == pytest.approx(1.0)
                    assert samples.result[row[0]] == samples.root_value[row[0]] == found.value
                    assert np.flatnonzero(samples.legal[row[0]]).tolist() == sorted(position.legal_actions())
                    assert (samples.planes[row[0]] == position.planes().astype(np.int8)).all()
            position = position.play(action)
        if trace.ending == PLAYED:
            assert position.is_over
            assert trace.outcome == position.returns[0]
    assert solved > 10
    assert 0 < learned < solved
    assert stats.games == len(samples.traces)


def test_a_seed_fixes_exact_endings() -> None:
    game = load_game(OTHELLO.game)
    net = HashEvaluator(game.num_actions)
    first, again = (SelfPlay(game, net, OTHELLO, games=2, seed=4).play(net, 20)[0] for _ in range(2))
    assert [trace.moves for trace in first.traces] == [trace.moves for trace in again.traces]
    assert (first.policy == again.policy).all()


def test_a_game_goes_on_by_searches_when_it_is_stopped_or_not_near_its_end() -> None:
    game = load_game(OTHELLO.game)
    net = HashEvaluator(game.num_actions)
    play = SelfPlay(game, net, OTHELLO, games=1, seed=1)
    (lane,) = play._lanes
    rng = np.random.default_rng(0)
    running = lane.games[0]
    assert ExactEndings(game, 0, 1.0, rng).finish(lane.lockstep, 0, running, lambda: False) is None
    assert ExactEndings(game, 6, 1.0, rng).finish(lane.lockstep, 0, running, lambda: False) is None
    assert ExactEndings(game, 12, 1.0, rng).finish(lane.lockstep, 0, running, lambda: True) is None
    assert not running.moves
    assert not running.pending
    assert ExactEndings(game, 12, 1.0, rng).finish(lane.lockstep, 0, running, lambda: False) is not None
    assert len(running.pending) == len(running.moves) == len(running.values)
