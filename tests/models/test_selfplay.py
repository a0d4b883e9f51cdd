"""Self-play: what its samples say, openings, temperature, and that a seed fixes everything."""

import numpy as np
import pytest

from core.engine.evaluator import UniformEvaluator
from core.games import load_game
from models.selfplay import PlayStats, Samples, SelfPlay, random_opening, search_settings, sharpened
from models.train_config import TrainConfig

GAME = load_game("tictactoe")
NET = UniformEvaluator(9)
CONFIG = TrainConfig(game="tictactoe", simulations=24, fast_simulations=8, full_share=0.5, iterations=1, seed=3)


@pytest.fixture(scope="module")
def played() -> tuple[Samples, PlayStats]:
    return SelfPlay(GAME, NET, CONFIG, games=16, seed=5).play(NET, 300)


def test_samples_have_their_shapes(played: tuple[Samples, PlayStats]) -> None:
    samples = played[0]
    n = len(samples)
    assert n >= 300
    assert samples.planes.shape == (n, 4, 3, 3)
    assert samples.policy.shape == (n, 9)
    assert (samples.planes.dtype, samples.result.dtype) == (np.int8, np.int8)
    assert (np.abs(samples.root_value) <= 1.0).all()


def test_policies_are_over_empty_cells(played: tuple[Samples, PlayStats]) -> None:
    samples = played[0]
    occupied = (samples.planes[:, 0] + samples.planes[:, 1]).reshape(len(samples), 9)
    assert (samples.policy * occupied == 0.0).all()
    np.testing.assert_allclose(samples.policy.sum(axis=1), 1.0, atol=1e-5)


def test_results_are_the_movers(played: tuple[Samples, PlayStats]) -> None:
    """Within a game the mover's result changes sign with every ply; plane 3 tells the mover."""
    samples = played[0]
    np.testing.assert_array_equal(samples.planes[:, 3, 0, 0], samples.ply % 2 == 0)
    first = np.where(samples.ply % 2 == 0, samples.result, -samples.result)
    for game in np.unique(samples.game):
        assert len(set(first[samples.game == game].tolist())) == 1
    assert {-1, 0, 1} == set(samples.result.tolist())


def test_search_sees_the_result_coming(played: tuple[Samples, PlayStats]) -> None:
    """Late positions are proved, and then the game goes on as proved."""
    samples = played[0]
    late = samples.ply >= 6
    assert late.sum() > 20
    assert (np.sign(samples.root_value[late]) == samples.result[late]).mean() > 0.95


def test_stats_add_up(played: tuple[Samples, PlayStats]) -> None:
    samples, stats = played
    assert stats.games >= samples.game.max() + 1
    assert 0 < stats.first_wins + stats.draws <= stats.games
    assert 5 * stats.games <= stats.plies <= 9 * stats.games
    assert stats.moves <= stats.plies + 16 * 9
    assert stats.batches <= stats.evaluations <= 16 * stats.batches
    assert stats + PlayStats() == stats
    assert (stats + stats).games == 2 * stats.games


def test_seed_fixes_every_game() -> None:
    def run(seed: int) -> Samples:
        return SelfPlay(GAME, NET, CONFIG, games=4, seed=seed).play(NET, 30)[0]

    one, same, other = run(1), run(1), run(2)
    np.testing.assert_array_equal(one.policy, same.policy)
    np.testing.assert_array_equal(one.planes, same.planes)
    assert one.policy.shape != other.policy.shape or not np.array_equal(one.policy, other.policy)


def test_games_in_flight_go_on_with_another_net() -> None:
    player = SelfPlay(GAME, NET, CONFIG, games=8, seed=0)
    first, _ = player.play(NET, 10)
    second, stats = player.play(UniformEvaluator(9), 10)
    assert len(first) >= 10
    assert len(second) >= 10
    assert stats.evaluations > 0


def test_full_share_one_learns_from_every_move() -> None:
    config = TrainConfig(game="tictactoe", simulations=8, full_share=1.0, opening_share=0.0, iterations=1)
    samples, _ = SelfPlay(GAME, NET, config, games=4, seed=0).play(NET, 20)
    for game in np.unique(samples.game):
        plies = samples.ply[samples.game == game]
        np.testing.assert_array_equal(plies, np.arange(len(plies)))


def test_stop_gives_what_is_finished() -> None:
    samples, stats = SelfPlay(GAME, NET, CONFIG, games=4, seed=0).play(NET, 1000, should_stop=lambda: True)
    assert len(samples) == 0
    assert stats == PlayStats()
    assert len(Samples.joined([samples, samples])) == 0


def test_joined_numbers_games_on(played: tuple[Samples, PlayStats]) -> None:
    samples = played[0]
    both = Samples.joined([samples, Samples.empty(GAME), samples])
    assert len(both) == 2 * len(samples)
    assert len(np.unique(both.game)) == 2 * len(np.unique(samples.game))
    assert both.game.dtype == np.int32


def test_sharpened() -> None:
    policy = np.array([0.5, 0.25, 0.25, 0.0], np.float32)
    np.testing.assert_allclose(sharpened(policy, 1.0), policy)
    np.testing.assert_allclose(sharpened(policy, 0.5), np.array([4, 1, 1, 0]) / 6)
    np.testing.assert_allclose(sharpened(policy, 0.01), [1, 0, 0, 0], atol=1e-9)
    np.testing.assert_allclose(sharpened(np.array([0.4, 0.4, 0.2], np.float32), 0.0), [0.5, 0.5, 0.0])


def test_openings_are_never_over() -> None:
    rng = np.random.default_rng(0)
    for plies in range(8):
        assert all(random_opening(GAME, plies, rng).ply == plies for _ in range(20))
    for _ in range(20):  # too long for the game: it gives a shorter one
        opening = random_opening(GAME, 12, rng)
        assert not opening.is_over
        assert opening.ply <= 8


def test_noise_follows_the_games_width() -> None:
    assert search_settings(GAME, CONFIG, 4).noise_alpha == pytest.approx(10 / 9)
    given = TrainConfig(game="tictactoe", noise_alpha=0.3, iterations=1)
    assert search_settings(GAME, given, 4).noise_alpha == 0.3
