"""Matches: who wins, both colours, and the arithmetic of the result."""

import math

import pytest

from core.engine import Search, UniformEvaluator
from core.games import Position, load_game
from core.search.settings import Limit, SearchSettings
from models.strength.arena import MatchResult, PlayedGame, Player, elo_difference, play_match, wilson_interval

GAME = load_game("tictactoe")
UCB1 = SearchSettings(selection="ucb1", memory_mb=8)
STRONG = Player("rollouts 400", None, Limit(simulations=400), UCB1)
WEAK = Player("2 evaluations", UniformEvaluator(9), Limit(simulations=2), SearchSettings(memory_mb=8))


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
        position = GAME.initial()
        for action in game.moves:
            position = position.play(action)
        assert position.is_over
        assert game.score == 0.5 + 0.5 * position.returns[0 if game.a_moves_first else 1]


def test_same_seed_same_games(match: MatchResult) -> None:
    assert play_match(GAME, STRONG, WEAK, 4, opening_plies=2, seed=1).games == match.games[:4]


class Scripted:
    """Plays the moves of a game as they are written."""

    name = "scripted"

    def __init__(self, game: str, moves: str) -> None:
        self._moves = load_game(game).position(moves).moves

    def begin(self, opening: Position, seed: int) -> "Scripted":
        return self

    def move(self, position: Position) -> int:
        return self._moves[position.ply]


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


@pytest.mark.parametrize("games", [0, 3, -2])
def test_odd_matches_are_refused(games: int) -> None:
    with pytest.raises(ValueError, match=f"games is {games}; it must be an even number from 2"):
        play_match(GAME, WEAK, WEAK, games)


def test_bad_opening_is_refused() -> None:
    with pytest.raises(ValueError, match="opening_plies is -1"):
        play_match(GAME, WEAK, WEAK, 2, opening_plies=-1)


def test_bad_seed_is_refused() -> None:
    with pytest.raises(ValueError, match="seed is -3; it must be a whole number from 0"):
        play_match(GAME, WEAK, WEAK, 2, seed=-3)
    with pytest.raises(ValueError, match="seed is -3; it must be a whole number from 0"):
        Search(GAME.initial(), None, seed=-3)


@pytest.mark.parametrize("limit", [Limit(simulations=1), Limit(seconds=0.0)])
def test_players_without_time_still_move(limit: Limit) -> None:
    for evaluator in (None, UniformEvaluator(9)):
        hasty = Player("hasty", evaluator, limit, SearchSettings(memory_mb=8))
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


def test_figures_at_the_ends() -> None:
    swept = result(10, 0, 0)
    assert swept.elo == math.inf
    assert swept.score_interval == pytest.approx((0.72247, 1.0), abs=1e-5)
    assert elo_difference(0.0) == -math.inf
    assert wilson_interval(math.nan, 0) == (0.0, 1.0)
    assert math.isnan(result(0, 0, 0).score)
    assert str(result(0, 0, 0)) == "no games"
