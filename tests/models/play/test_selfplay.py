"""Self-play: what its samples and traces say, how games end, openings, temperature, and that a seed fixes all."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from core.engine.evaluator import Evaluator, UniformEvaluator
from core.games import load_game
from core.processors import machine_memory_mb
from core.solve.solver import Solver
from models.play.live import LiveWriter, read_live
from models.play.openings import random_opening
from models.play.samples import ENDINGS, PLAYED, PROVED_EARLY, RESIGNED
from models.play.selfplay import PlayStats, Samples, SelfPlay, search_settings
from models.runs.config import TrainConfig
from tests.core.exact import keeps_value, value
from tests.core.search.fakes import HashEvaluator

GAME = load_game("tictactoe")
NET = UniformEvaluator(9)
CONFIG = TrainConfig.of(game="tictactoe", simulations=24, fast_simulations=8, full_share=0.5, iterations=1, seed=3)


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
    """Within a game the mover's result changes sign with every ply; plane 3 shows the mover."""
    samples = played[0]
    np.testing.assert_array_equal(samples.planes[:, 3, 0, 0], samples.ply % 2 == 0)
    first = np.where(samples.ply % 2 == 0, samples.result, -samples.result)
    for game in np.unique(samples.game):
        assert len(set(first[samples.game == game].tolist())) == 1
    assert {-1, 0, 1} == set(samples.result.tolist())


def test_proved_games_end_with_the_exact_result(played: tuple[Samples, PlayStats]) -> None:
    """By minimax: the outcome, and every move of the policy of a position proved won or drawn."""
    samples, stats = played
    proved = [trace for trace in samples.traces if trace.ending == PROVED_EARLY]
    assert len(proved) == stats.proved > 20
    exact = 0
    for trace in proved:
        last = GAME.initial()
        for action in (*trace.opening, *trace.moves):
            last = last.play(action)
        assert not last.is_over
        worth = value(last)
        assert trace.outcome == (worth if last.to_move == 0 else -worth)
        if worth >= 0 and last.ply in trace.policies:
            assert trace.values[-1] == worth
            assert all(keeps_value(last, int(a)) for a in np.flatnonzero(trace.policies[last.ply]))
            exact += 1
    assert exact > 20


@pytest.mark.slow
def test_proofs_agree_with_the_solver() -> None:
    """Four in a row on falling stones, where draws and long wins occur: outcome and root value of every proved end."""
    game = load_game("connect4(rows=4, cols=5)")
    solver = Solver(game)
    for search in ("puct", "gumbel"):
        config = TrainConfig.of(
            game=game.text, search=search, simulations=60, fast_simulations=30, resign_check_share=0.0, iterations=1
        )
        net = HashEvaluator(5)
        samples, stats = SelfPlay(game, net, config, games=8, seed=1).play(net, 60)
        proved = [trace for trace in samples.traces if trace.ending == PROVED_EARLY]
        assert len(proved) == stats.proved > 10
        for trace in proved:
            last = game.initial()
            for action in (*trace.opening, *trace.moves):
                last = last.play(action)
            solution = solver.solve(last)
            assert solution is not None
            assert trace.outcome == (solution.value if last.to_move == 0 else -solution.value)
            if len(trace.values) > len(trace.moves):
                assert trace.values[-1] == solution.value


def test_traces_are_the_games_of_the_samples(played: tuple[Samples, PlayStats]) -> None:
    samples, stats = played
    assert len(samples.traces) == stats.games
    assert {trace.ending for trace in samples.traces} == {PLAYED, PROVED_EARLY}
    rows = 0
    for number, trace in enumerate(samples.traces):
        assert trace.game == "tictactoe"
        positions = [GAME.initial()]
        for action in (*trace.opening, *trace.moves):
            positions.append(positions[-1].play(action))
        assert positions[-1].is_over == (trace.ending == PLAYED)
        if trace.ending == PLAYED:
            assert trace.outcome == positions[-1].returns[0]
        assert len(trace.full) == len(trace.values)
        assert len(trace.full) - len(trace.moves) in (0, 1)
        mine = samples.game == number
        rows += int(mine.sum())
        assert sorted(trace.policies) == samples.ply[mine].tolist()
        for planes, policy, result, root_value, ply in zip(
            samples.planes[mine],
            samples.policy[mine],
            samples.result[mine],
            samples.root_value[mine],
            samples.ply[mine].tolist(),
            strict=True,
        ):
            search = ply - len(trace.opening)
            np.testing.assert_array_equal(planes, positions[ply].planes())
            np.testing.assert_array_equal(policy, trace.policies[ply])
            assert root_value == trace.values[search]
            assert result == (trace.outcome if ply % 2 == 0 else -trace.outcome)
            assert trace.full[search] or ply == positions[-1].ply or trace.checked
        full = {len(trace.opening) + i for i in np.flatnonzero(trace.full)}
        assert full <= set(trace.policies) | {positions[-1].ply}
    assert rows == len(samples)
    np.testing.assert_array_equal(samples.weight, np.ones(rows))


def test_checked_games_are_played_to_the_end() -> None:
    config = CONFIG.changed(resign_check_share=1.0)
    samples, stats = SelfPlay(GAME, NET, config, games=8, seed=2).play(NET, 100, net_step=70)
    assert {trace.ending for trace in samples.traces} == {PLAYED}
    assert all(trace.checked and trace.net_step == 70 for trace in samples.traces)
    assert stats.resigned == stats.proved == stats.checked == 0


class FirstLoses(Evaluator):
    """The net that thinks player 0 lost, whatever the board."""

    description = "player 0 loses"

    def evaluate(self, planes: NDArray[np.float32], features: object = None) -> tuple[NDArray[np.float32], ...]:
        return np.zeros((len(planes), 7), np.float32), np.where(planes[:, 3, 0, 0] == 1, -0.99, 0.99).astype(np.float32)


RESIGNING = TrainConfig.of(
    game="connect4",
    simulations=12,
    fast_simulations=12,
    opening_plies=0,
    resign_below=0.95,
    resign_check_share=0.0,
    iterations=1,
)


def test_a_side_resigns_after_its_turns_in_a_row() -> None:
    net, game = FirstLoses(), load_game("connect4")
    samples, stats = SelfPlay(game, net, RESIGNING, games=4, seed=0).play(net, 10)
    assert stats.resigned == stats.games > 0
    assert stats.checked == stats.first_wins == 0
    for trace in samples.traces:
        assert (trace.ending, trace.outcome) == (RESIGNED, -1)
        assert (len(trace.moves), len(trace.values)) == (4, 5)  # it was low at plies 0, 2 and 4
    assert {(ply, result) for ply, result in zip(samples.ply.tolist(), samples.result.tolist(), strict=True)} <= {
        (0, -1),
        (1, 1),
        (2, -1),
        (3, 1),
        (4, -1),
    }


def test_checked_games_count_the_wrong_resignations() -> None:
    net, game = FirstLoses(), load_game("connect4")
    config = RESIGNING.changed(resign_check_share=1.0, temperature_plies=1000)
    samples, stats = SelfPlay(game, net, config, games=8, seed=0).play(net, 100)
    assert stats.resigned == 0
    assert stats.checked == stats.games > 4
    assert stats.wrongly == sum(trace.outcome >= 0 for trace in samples.traces) > 0


def test_resigning_is_off_unless_asked_for() -> None:
    net, game = FirstLoses(), load_game("connect4")
    _, stats = SelfPlay(game, net, RESIGNING.changed(resign_below=0.0), games=4, seed=0).play(net, 20)
    assert stats.games > stats.resigned == 0


def test_gumbel_learns_from_the_improved_policy() -> None:
    """It covers every legal move that is not proved lost, also those sequential halving never tried."""
    game = load_game("connect4")
    net = UniformEvaluator(7)
    config = TrainConfig.of(
        game="connect4",
        search="gumbel",
        simulations=16,
        fast_simulations=6,
        opening_plies=0,
        temperature_plies=4,
        iterations=1,
    )
    samples, stats = SelfPlay(game, net, config, games=8, seed=1).play(net, 60)
    np.testing.assert_allclose(samples.policy.sum(axis=1), 1.0, atol=1e-5)
    early = samples.ply < 6
    assert early.sum() > 5
    assert ((samples.policy[early] > 0).sum(axis=1) >= 6).all()
    assert len({trace.moves[:4] for trace in samples.traces}) > 1
    assert stats.games == len(samples.traces)


def test_games_are_played_in_lanes() -> None:
    player = SelfPlay(GAME, NET, CONFIG, games=9, seed=4, lanes=2)
    samples, stats = player.play(NET, 100)
    assert len(samples) >= 100
    assert 0 < stats.net_s <= stats.play_s

    assert stats.evaluations <= 5 * stats.batches
    more, after = player.play(UniformEvaluator(9), 20)
    assert len(more) >= 20
    assert after.evaluations > 0


def test_an_error_of_the_evaluator_ends_every_lane() -> None:
    class Failing(UniformEvaluator):
        def evaluate(self, planes: NDArray[np.float32], features: object = None) -> tuple[NDArray[np.float32], ...]:
            raise ValueError("out of memory")

    for lanes in (1, 2):
        with pytest.raises(ValueError, match="out of memory"):
            SelfPlay(GAME, Failing(9), CONFIG, games=4, seed=4, lanes=lanes).play(Failing(9), 10)


def test_running_games_are_shown(tmp_path: Path) -> None:
    writer = LiveWriter(tmp_path / "live.json", most=3)
    net, game = FirstLoses(), load_game("connect4")
    player = SelfPlay(game, net, RESIGNING, games=5, seed=0, live=writer)
    player.play(net, 30)
    shown = read_live(tmp_path / "live.json")
    assert len(shown) == 3
    writer.write(player.live_games(3))
    now = read_live(tmp_path / "live.json")
    assert list(now) == player.live_games(3)
    assert {one.ply for one in now} == {len(one.start) + len(one.moves) for one in now}
    assert any(one.moves_figures for one in now)
    for one in now:
        visits = [row[1] for row in one.moves_figures]
        assert visits == sorted(visits, reverse=True)
        assert one.temperature == (1.0 if one.ply < 12 else 0.25)
    words = [one.resign for one in now if one.resign]
    assert all("player 1 below -0.95 for" in text and "of 3 turns" in text for text in words)
    assert words or all(one.ply < 2 for one in now)


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
    config = TrainConfig.of(
        game="tictactoe", simulations=8, full_share=1.0, opening_plies=0, iterations=1, noise_epsilon=0.0
    )
    samples, _ = SelfPlay(GAME, NET, config, games=4, seed=0).play(NET, 20)
    for game in np.unique(samples.game):
        plies = samples.ply[samples.game == game]
        np.testing.assert_array_equal(plies, np.arange(len(plies)))


def test_stop_returns_the_finished_games() -> None:
    samples, stats = SelfPlay(GAME, NET, CONFIG, games=4, seed=0).play(NET, 1000, should_stop=lambda: True)
    assert len(samples) == 0
    assert stats == PlayStats(play_s=stats.play_s)
    assert len(Samples.joined([samples, samples])) == 0


def test_joined_numbers_games_on(played: tuple[Samples, PlayStats]) -> None:
    samples = played[0]
    both = Samples.joined([samples, Samples.empty(GAME), samples])
    assert len(both) == 2 * len(samples)
    assert len(np.unique(both.game)) == 2 * len(np.unique(samples.game))
    assert both.game.dtype == np.int32


def test_openings_are_never_over() -> None:
    rng = np.random.default_rng(0)
    for plies in range(8):
        assert all(random_opening(GAME, plies, rng).ply == plies for _ in range(20))
    for _ in range(20):  # too long for the game: it gives a shorter one
        opening = random_opening(GAME, 12, rng)
        assert not opening.is_over
        assert opening.ply <= 8


def test_settings_reach_the_search() -> None:
    settings = search_settings(GAME, CONFIG, 4)
    assert (settings.selection, settings.noise_epsilon, settings.threat_proofs) == ("puct", 0.25, False)
    settings = search_settings(GAME, CONFIG.changed(c_puct=2.5, threat_proofs=True), 4)
    assert (settings.c_puct, settings.threat_proofs) == (2.5, True)
    settings = search_settings(GAME, CONFIG.changed(search="gumbel"), 4)
    assert (settings.selection, settings.noise_epsilon) == ("gumbel", 0.0)
    settings = search_settings(GAME, CONFIG.changed(simulations=60000), 100000)
    assert settings.memory_mb == machine_memory_mb(), "no more than there is"


def test_threats_decide_games_of_lines() -> None:
    game = load_game("gomoku(size=7)")
    net = UniformEvaluator(49)
    config = TrainConfig.of(
        game="gomoku(size=7)",
        simulations=16,
        fast_simulations=8,
        threat_proofs=True,
        resign_check_share=0.0,
        iterations=1,
    )
    samples, stats = SelfPlay(game, net, config, games=8, seed=0).play(net, 40)
    assert stats.proved > stats.games / 2
    for trace in samples.traces:
        assert trace.ending in ENDINGS
        position = game.initial()
        for action in (*trace.opening, *trace.moves):
            position = position.play(action)
        assert position.is_over == (trace.ending == PLAYED)
