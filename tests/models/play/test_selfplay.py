"""Self-play: games, samples, resigning, exact endings, and the practices that a run may switch on."""

import math
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from core.engine.evaluator import Evaluator, UniformEvaluator
from core.engine.lockstep import Lockstep
from core.games import load_game
from core.machine import machine_memory_mb
from core.search.settings import SearchSettings
from core.solve.solver import Solver
from models.play.exact_endings import ExactEndings
from models.play.games import surprise_weights, surprises
from models.play.live import LiveWriter, read_live
from models.play.openings import random_opening
from models.play.samples import PLAYED, PROVED_EARLY, RESIGNED
from models.play.selfplay import PlayStats, Samples, SelfPlay, search_settings
from models.runs.config import TrainConfig
from models.strength.exams import after
from tests.core.exact import keeps_value, value
from tests.core.search.fakes import HashEvaluator

GAME = load_game("tictactoe")
NET = UniformEvaluator(9)
CONFIG = TrainConfig.of(game="tictactoe", simulations=24, fast_simulations=8, full_share=0.5, iterations=1, seed=3)


@pytest.fixture(scope="module")
def played() -> tuple[Samples, PlayStats]:
    return SelfPlay(GAME, NET, CONFIG, games=16, seed=5).play(NET, 300)


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
        last = after(GAME, (*trace.opening, *trace.moves))
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
            last = after(game, (*trace.opening, *trace.moves))
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


def test_threats_decide_games_of_lines() -> None:
    """Two threes that cross win against every reply: threats show it at once, a search alone some plies later."""
    game = load_game("gomoku(size=7)")
    net = UniformEvaluator(49)
    crossed = game.position("c4 a1 d4 a7 e4 g1 d3 g7 d5").moves
    lengths = {}
    for threat_proofs in (True, False):
        config = TrainConfig.of(
            game="gomoku(size=7)",
            simulations=64,
            fast_simulations=64,
            threat_proofs=threat_proofs,
            resign_check_share=0.0,
            iterations=1,
        )
        samples, _ = SelfPlay(game, net, config, games=8, seed=0, openings=[crossed]).play(net, 100)
        lengths[threat_proofs] = {len(trace.moves) for trace in samples.traces if trace.opening == crossed}
        for trace in samples.traces:
            position = after(game, (*trace.opening, *trace.moves))
            assert position.is_over == (trace.ending == PLAYED)
    assert lengths[True] == {0}
    assert min(lengths[False]) >= 3


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


BOARD = load_game("connect4(rows=4, cols=5)")
SMALL = TrainConfig.of(
    game=BOARD.text, simulations=30, fast_simulations=12, full_share=0.5, resign_check_share=1.0, iterations=1
)


def slow_legal(moves: tuple[int, ...]) -> list[bool]:
    position = after(BOARD, moves)
    return [action in position.legal_actions() for action in range(BOARD.num_actions)]


def test_samples_know_the_legal_moves_and_sum_to_their_number() -> None:
    net = HashEvaluator(5)
    for search in ("puct", "gumbel"):
        config = SMALL.changed(search=search, surprise_share=0.5)
        samples, _ = SelfPlay(BOARD, net, config, games=8, seed=1).play(net, 80)
        for row, (number, ply) in enumerate(zip(samples.game.tolist(), samples.ply.tolist(), strict=True)):
            trace = samples.traces[number]
            assert samples.legal[row].tolist() == slow_legal((*trace.opening, *trace.moves)[:ply])
        assert not samples.legal.all()
        weights = [samples.weight[samples.game == number] for number in set(samples.game.tolist())]
        assert [part.sum() for part in weights] == pytest.approx([len(part) for part in weights])
        assert samples.weight.min() >= 0.5
        assert samples.weight.max() > 1.5


def test_the_surprise_is_the_divergence_from_the_prior_without_noise() -> None:
    net = HashEvaluator(5)
    lockstep = Lockstep(BOARD, net, 1, SearchSettings(noise_epsilon=0.9, memory_mb=64), 3)
    lockstep.restart(0, (2, 2))
    lockstep.set_target(0, 40, noise=True)
    while lockstep.visits(0) < 40:
        lockstep.step()
    logits = net.evaluate(BOARD.position("c c").planes()[None])[0][0].astype(np.float64)
    clean = np.exp(logits) / np.exp(logits).sum()
    found = lockstep.results(np.array([0, 0]))
    assert found.priors[0] == pytest.approx(clean, abs=1e-4)
    by_hand = sum(p * math.log(p / q) for p, q in zip(found.policy[0].tolist(), clean.tolist(), strict=True) if p)
    assert surprises(found.policy, found.priors) == pytest.approx([by_hand] * 2, abs=1e-3)
    assert by_hand > 0.1


def test_weights_by_hand() -> None:
    """Of three positions, all of the surprise in two: 1/2 each, and of the other 3/2 a third and two thirds."""
    weights = surprise_weights(np.array([0.0, 0.2, 0.4]), 0.5)
    assert weights == pytest.approx([0.5, 1.0, 1.5])
    assert surprise_weights(np.array([0.0, 0.2, 0.4]), 0.0) == pytest.approx([1, 1, 1])
    assert surprise_weights(np.zeros(3), 0.5) == pytest.approx([1, 1, 1])
    assert len(surprise_weights(np.zeros(0), 0.5)) == 0


def test_settings_reach_the_search() -> None:
    settings = search_settings(GAME, CONFIG, 4)
    assert (settings.selection, settings.noise_epsilon, settings.threat_proofs) == ("puct", 0.25, False)
    settings = search_settings(GAME, CONFIG.changed(c_puct=2.5, threat_proofs=True), 4)
    assert (settings.c_puct, settings.threat_proofs) == (2.5, True)
    settings = search_settings(GAME, CONFIG.changed(search="gumbel"), 4)
    assert (settings.selection, settings.noise_epsilon) == ("gumbel", 0.0)
    settings = search_settings(GAME, CONFIG.changed(simulations=60000), 100000)
    assert settings.memory_mb == machine_memory_mb(), "no more than there is"
