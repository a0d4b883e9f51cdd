"""Matches: who wins, both colours, games side by side, and the arithmetic of the result."""

import math
from collections.abc import Mapping

import numpy as np
import pytest

from core.engine import Search, UniformEvaluator
from core.games import Position, load_game
from core.search.settings import Limit, SearchSettings
from models.play.openings import draw_openings
from models.strength.exams import after
from models.strength.match import (
    ROUND,
    MatchResult,
    NetSide,
    PlayedGame,
    RandomSide,
    SearchSide,
    Side,
    both_colours,
    play_games,
    play_in_rounds,
    play_match,
    rollout_side,
    scores,
)
from models.strength.rating import elo_difference, wilson_interval

GAME = load_game("tictactoe")
UCB1 = SearchSettings(selection="ucb1", memory_mb=8)
STRONG = SearchSide("rollouts 400", None, Limit(simulations=400), UCB1)
WEAK = SearchSide("2 evaluations", UniformEvaluator(9), Limit(simulations=2), SearchSettings(memory_mb=8))


@pytest.fixture(scope="module")
def match() -> MatchResult:
    return play_match(GAME, STRONG, WEAK, 12, opening_plies=2, seed=1)


def test_strong_player_wins(match: MatchResult) -> None:
    assert match.wins + match.draws + match.losses == 12
    assert match.score > 0.7
    assert match.elo_interval[0] < match.elo < match.elo_interval[1] or match.elo == math.inf


def test_sides_are_scored_from_a(match: MatchResult) -> None:
    mirrored = play_match(GAME, WEAK, STRONG, 12, opening_plies=2, seed=1)
    assert mirrored.score < 0.3


def test_each_opening_is_played_with_both_colours(match: MatchResult) -> None:
    openings = []
    for one, two in zip(match.games[::2], match.games[1::2], strict=True):
        assert (one.a_moves_first, two.a_moves_first) == (True, False)
        assert one.moves[:2] == two.moves[:2]
        assert one.opening_plies == two.opening_plies == 2
        openings.append(one.moves[:2])
    assert len(set(openings)) == 6


def test_games_replay_to_their_score(match: MatchResult) -> None:
    for game in match.games:
        position = after(GAME, game.moves)
        assert position.is_over
        assert game.score == 0.5 + 0.5 * position.returns[0 if game.a_moves_first else 1]


def test_same_seed_same_games(match: MatchResult) -> None:
    assert play_match(GAME, STRONG, WEAK, 4, opening_plies=2, seed=1).games == match.games[:4]


class Scripted(Side):
    """Plays the moves of a game as they are written."""

    def __init__(self, game: str, moves: str) -> None:
        self._moves = load_game(game).position(moves).moves

    def think(self, positions: Mapping[int, Position]) -> dict[int, int | None]:
        return {g: self._moves[position.ply] for g, position in positions.items()}


class Stubborn(Side):
    """Plays the lowest or the highest move, in two games at a time, and resigns at some ply."""

    def __init__(self, which: int, patience: int = 1000) -> None:
        self._which, self._patience = which, patience

    def think(self, positions: Mapping[int, Position]) -> dict[int, int | None]:
        return {
            g: None if position.ply >= self._patience else position.legal_actions()[self._which]
            for g, position in list(positions.items())[:2]
        }


@pytest.mark.parametrize(("rules", "margin"), [("chinese", 24.5), ("tromp-taylor", 3.5)])
def test_dead_stones_are_taken_off_where_the_rules_do(rules: str, margin: float) -> None:
    game = f"go(size=5, komi=0.5, rules={rules})"
    # Black's wall with two eyes' room on both sides, and a white stone without a hope on each.
    one = Scripted(game, "c3 b4 c2 d2 c4 pass c5 pass c1 pass d4 pass pass")
    found = play_match(load_game(game), one, one, 2, opening_plies=0)
    assert [(played.score, played.margin) for played in found.games] == [(1.0, margin), (0.0, margin)]


def test_reports_and_stop() -> None:
    seen: list[int] = []
    result = play_match(
        GAME, WEAK, WEAK, 10, report=lambda so_far: seen.append(len(so_far.games)), should_stop=lambda: len(seen) == 3
    )
    assert seen == [1, 2, 3]
    assert len(result.games) == 3


@pytest.mark.parametrize("limit", [Limit(simulations=1), Limit(seconds=0.0)])
def test_players_without_time_still_move(limit: Limit) -> None:
    for evaluator in (None, UniformEvaluator(9)):
        hasty = SearchSide("hasty", evaluator, limit, SearchSettings(memory_mb=8))
        assert len(play_match(GAME, hasty, hasty, 2).games) == 2


def result(wins: int, draws: int, losses: int) -> MatchResult:
    scores = [1.0] * wins + [0.5] * draws + [0.0] * losses
    return MatchResult(tuple(PlayedGame((), 0, True, score) for score in scores))


def test_figures_of_a_result() -> None:
    """Wilson's interval and the Elo curve against figures worked out by hand."""
    even = result(40, 20, 40)
    assert even.score == 0.5
    assert even.score_interval == pytest.approx((0.40383, 0.59617), abs=1e-5)
    assert even.elo == 0.0
    assert even.elo_interval == pytest.approx((-67.64, 67.64), abs=0.05)
    better = result(70, 10, 20)
    assert better.elo == pytest.approx(190.85, abs=0.01)
    assert str(better) == (
        "70 won, 10 drawn, 20 lost of 100: score 75.0% (95 % interval 65.7% to 82.5%), Elo +191 (+113 to +269)"
    )


def test_openings_that_one_side_of_the_board_always_wins_are_counted() -> None:
    scores = [1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.5, 0.0, 1.0, 0.5, 1.0]  # the last opening was played once
    mixed = MatchResult(tuple(PlayedGame((), 0, number % 2 == 0, score) for number, score in enumerate(scores)))
    assert mixed.one_sided == (2, 5)
    assert str(mixed).endswith("; in 2 of 5 openings the same side of the board won both games")
    assert result(4, 0, 0).one_sided == (0, 2)


def test_openings_that_are_given_are_drawn_without_repeating() -> None:
    given = [after(GAME, (first, second)) for first in range(3) for second in range(5, 8)]
    played = [play_match(GAME, STRONG, WEAK, 8, seed=seed, openings=given).games for seed in (1, 1, 2)]
    drawn = [[game.moves[:2] for game in games] for games in played]
    assert drawn[0] == drawn[1] != drawn[2]
    assert drawn[0][::2] == drawn[0][1::2]
    assert len(set(drawn[0])) == 4
    assert set(drawn[0]) <= {opening.moves for opening in given}
    with pytest.raises(ValueError, match="with 9 openings it must be at most 18"):
        play_match(GAME, STRONG, WEAK, 20, openings=given)


def test_figures_at_the_ends() -> None:
    swept = result(10, 0, 0)
    assert swept.elo == math.inf
    assert swept.score_interval == pytest.approx((0.72247, 1.0), abs=1e-5)
    assert elo_difference(0.0) == -math.inf
    assert wilson_interval(math.nan, 0) == (0.0, 1.0)
    assert math.isnan(result(0, 0, 0).score)
    assert str(result(0, 0, 0)) == "no games"


# Games side by side.


def test_each_opening_is_played_by_both_sides_of_a_batch() -> None:
    openings = both_colours(draw_openings(GAME, 5, np.random.default_rng(2)))
    lasts = play_games(RandomSide(), NetSide(GAME, UniformEvaluator(9), 10, 8), openings)
    assert lasts is not None
    assert [last.moves[:2] for last in lasts] == [opening.moves for opening in openings]
    assert all(last.is_over for last in lasts)
    assert sum(scores(lasts)) == 10


def test_a_side_is_asked_only_when_it_is_to_move() -> None:
    """A takes the lowest move, B the highest, so every game is known beforehand."""
    lasts = play_games(Stubborn(0), Stubborn(-1), [GAME.initial()] * 6)
    assert lasts is not None
    for g, last in enumerate(lasts):
        position = GAME.initial()
        while not position.is_over:
            position = position.play(position.legal_actions()[0 if position.to_move == g % 2 else -1])
        assert last.moves == position.moves
    wins = sum(last.returns[g % 2] > 0 for g, last in enumerate(lasts))
    losses = sum(last.returns[g % 2] < 0 for g, last in enumerate(lasts))
    assert scores(lasts) == (wins, 6 - wins - losses, losses)
    assert wins + losses > 0


def test_a_side_may_resign() -> None:
    result = play_match(GAME, Stubborn(0), Stubborn(0, patience=4), 2, opening_plies=1)
    assert [(game.score, game.resigned, len(game.moves)) for game in result.games] == [(1.0, True, 5), (1.0, True, 4)]


@pytest.mark.parametrize("text", ["othello(size=4)", "nim"])
def test_any_game_can_be_played(text: str) -> None:
    """Passes, short games and draws included: both sides follow each other's moves."""
    game = load_game(text)
    openings = both_colours(draw_openings(game, 2, np.random.default_rng(3)))
    net = NetSide(game, UniformEvaluator(game.num_actions), 4, 6)
    lasts = play_games(net, rollout_side(game, 6), openings)
    assert lasts is not None
    assert all(last.is_over for last in lasts)


def test_a_result_after_each_round() -> None:
    openings = draw_openings(GAME, ROUND + 1, np.random.default_rng(1))
    strong = NetSide(GAME, UniformEvaluator(9), 2 * ROUND, 60)
    found = list(play_in_rounds(strong, RandomSide(), openings))
    assert [sum(score) for score in found] == [2 * ROUND, 2 * ROUND + 2]
    wins, _, losses = found[-1]
    assert wins > losses + 3


def test_a_round_that_was_stopped_does_not_count() -> None:
    """Games that end early are mostly decided ones: their result would be biased."""
    openings = draw_openings(GAME, 3 * ROUND, np.random.default_rng(1))
    calls = 0

    def should_stop() -> bool:
        nonlocal calls
        calls += 1
        return calls > 12  # within the second round

    found = list(play_in_rounds(RandomSide(), RandomSide(), openings, should_stop))
    assert 1 <= len(found) < 3
    assert sum(found[-1]) == 2 * ROUND * len(found)


def test_bad_seed_is_refused() -> None:
    with pytest.raises(ValueError, match="seed is -3; it must be a whole number from 0"):
        play_match(GAME, WEAK, WEAK, 2, seed=-3)
    with pytest.raises(ValueError, match="seed is -3; it must be a whole number from 0"):
        Search(GAME.initial(), None, seed=-3)
