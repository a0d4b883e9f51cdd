"""The same search under several seeds."""

from __future__ import annotations

from core.engine import UniformEvaluator
from core.engine.luck import is_certain, run_with_seed, spreads
from core.games import load_game
from core.search import SearchSettings
from tests.core.search.fakes import run_search

GAME = load_game("connect4(rows=4, cols=5, k=3)")
ROLLOUTS = SearchSettings(selection="ucb1", prove=False, memory_mb=32)


def test_each_run_is_the_search_with_that_seed() -> None:
    runs = [run_with_seed(GAME.initial(), None, ROLLOUTS, 150, seed) for seed in (1, 2, 3, 4)]
    for run in runs:
        search = run_search(GAME.initial(), None, 150, ROLLOUTS, seed=run.seed)
        snapshot = search.snapshot()
        assert run.best == snapshot.best
        assert run.moves == {row.action: (row.share, row.q) for row in snapshot.moves if row.visits}
    found = [run for run in runs if run is not None]
    assert not is_certain(found)
    moves = spreads(found)
    assert sum(one.played for one in moves) == 4
    assert [one.played for one in moves] == sorted((one.played for one in moves), reverse=True)
    for one in moves:
        assert one.shares == tuple(run.moves.get(one.action, (0.0, 0.0))[0] for run in found)
        assert one.played == sum(run.best == one.action for run in found)


def test_a_search_without_chance_is_the_same_under_every_seed() -> None:
    even, calm = UniformEvaluator(GAME.num_actions), SearchSettings(memory_mb=32)
    calm_runs = [run_with_seed(GAME.initial(), even, calm, 100, seed) for seed in (1, 2, 3)]
    assert is_certain([run for run in calm_runs if run is not None])
    noisy = SearchSettings(memory_mb=32, noise_epsilon=0.5)
    noisy_runs = [run_with_seed(GAME.initial(), even, noisy, 100, seed) for seed in (1, 2, 3)]
    assert not is_certain([run for run in noisy_runs if run is not None])


def test_a_stopped_run_has_no_result_and_a_restricted_one_keeps_to_its_moves() -> None:
    assert run_with_seed(GAME.initial(), None, ROLLOUTS, 100, 1, should_stop=lambda: True) is None
    run = run_with_seed(GAME.initial(), None, ROLLOUTS, 100, 1, only=(1, 3))
    assert run.moves.keys() == {1, 3}
