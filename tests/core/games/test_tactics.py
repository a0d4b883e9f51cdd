"""Tactical rollouts of every game against their definition, taken word for word from Positions."""

import random
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from core._jit import jit
from core.games import Position, dispatch, load_game
from core.games.info import LAST, PLY, RESULT
from core.rng import make_rng
from tests.core.exact import unfinished_classes
from tests.tiers import slow_but

GAMES = [
    "tictactoe",
    "connectn(rows=4, cols=3, k=2)",
    "connectn(rows=4, cols=5, k=4)",
    "gomoku(size=6)",
    "gomoku(size=7, rule=standard)",
    "gomoku(size=7, rule=renju)",
    "connect4",
    "connect4(rows=5, cols=6, k=3)",
    "connect4(rows=6, cols=7, k=5)",
    "othello(size=4)",
    "othello(size=4, passes=no)",
    "othello(size=6)",
    "othello",
    "othello(passes=no)",
    "othello(size=10)",
    "othello(size=10, passes=no)",
    "nim",
    "nim(heaps=3-4-5)",
    "nim(heaps=3-2-4, max_take=2)",
    "nim(heaps=2-3, misere=yes)",
]
LINE_GAMES = [text for text in GAMES if text.startswith(("tictactoe", "connectn", "gomoku"))]
# Those whose code no smaller one has; the others are run less often.
QUICK = {
    "tictactoe",
    "connectn(rows=4, cols=3, k=2)",
    "gomoku(size=6)",
    "gomoku(size=7, rule=renju)",
    "connect4",
    "connect4(rows=5, cols=6, k=3)",
    "othello(size=4)",
    "othello(size=4, passes=no)",
    "othello",
    "nim",
    "nim(heaps=2-3, misere=yes)",
}
every_game = pytest.mark.parametrize("text", slow_but(QUICK, GAMES))


@jit
def compiled(state, rng, spare):
    return dispatch.tactical_rollout(state, rng, spare)


def won_by(position: Position, player: int) -> bool:
    return position.is_over and position.returns[player] == 1


@cache
def wins(position: Position) -> tuple[int, ...]:
    """The moves that win at once."""
    return tuple(a for a in position.legal_actions() if won_by(position.play(a), position.to_move))


@cache
def safe(position: Position) -> tuple[int, ...]:
    """The moves after which the opponent neither has won nor can win at once."""
    children = ((a, position.play(a)) for a in position.legal_actions())
    return tuple(a for a, child in children if not won_by(child, 1 - position.to_move) and not wins(child))


def allowed(position: Position) -> tuple[int, ...]:
    return wins(position) or safe(position) or position.legal_actions()


@cache
def random_game(text: str, seed: int) -> tuple[Position, ...]:
    choose = random.Random(seed)
    positions = [load_game(text).initial()]
    while not positions[-1].is_over:
        positions.append(positions[-1].play(choose.choice(positions[-1].legal_actions())))
    return tuple(positions)


def play_out(position: Position, rng) -> Position:
    state = position.state
    result = compiled(state, rng, position.game.new_spare())
    end = Position(position.game, state)
    assert result == end.result != dispatch.ONGOING
    return end


def check_first_moves(position: Position, rng, games: int = 12) -> None:
    """A win is taken at once; without a safe move the game is lost two plies on, and with one it never is."""
    for _ in range(games):
        end = play_out(position, rng)
        if wins(position):
            assert won_by(end, position.to_move)
            assert end.ply == position.ply + 1
        else:
            lost = won_by(end, 1 - position.to_move) and end.ply <= position.ply + 2
            assert lost == (not safe(position)), position.diagram()


@every_game
def test_wins_are_taken_and_denied(text):
    rng = make_rng(3)
    cases = [0, 0, 0]
    for seed in range(3 if "othello" in text else 6):
        for position in random_game(text, seed)[-5:-1]:
            check_first_moves(position, rng)
            cases[0 if wins(position) else 1 if len(safe(position)) < len(position.legal_actions()) else 2] += 1
    assert cases[0] > 0 or "misere" in text, "no move wins at once in misère play"
    if "passes=no" not in text:
        assert cases[1] > 0


def test_every_position_of_tictactoe():
    rng = make_rng(4)
    for position in unfinished_classes():
        check_first_moves(position, rng, games=6)


@every_game
def test_tactical_rollouts_end_in_positions_that_the_rules_call_over(text):
    game = load_game(text)
    rng = make_rng(5)
    for seed in range(2):
        for position in random_game(text, seed)[:: 1 + game.max_plies // 20]:
            end = play_out(position, rng)
            assert game.parse_diagram(end.diagram()) == end
            assert game.parse_diagram(end.diagram()).result == end.result
            if position.is_over:
                assert end == position


@every_game
def test_compiled_and_interpreted_agree(text):
    for seed in range(2):
        for position in random_game(text, seed)[:: 1 + load_game(text).max_plies // 6]:
            rng, compiled_rng = make_rng(position.ply), make_rng(position.ply)
            own, state = position.state, position.state
            with np.errstate(over="ignore"):
                result = dispatch.tactical_rollout(own, rng, position.game.new_spare())
            assert compiled(state, compiled_rng, position.game.new_spare()) == result
            assert np.array_equal(rng, compiled_rng)
            assert np.array_equal(own.info, state.info)
            assert np.array_equal(position.game.board.cells(own), position.game.board.cells(state))


def end_of(position: Position, result: int, ply: int, last: int) -> tuple[int, int, bytes]:
    """The known facts of a game's end; in games of lines not which of several winning moves was played."""
    cells = position.cells()
    if position.game.text in LINE_GAMES and result != dispatch.DRAW:
        cells.flat[last] = 0
    return result, ply, cells.tobytes()


def chances(start: Position) -> dict[tuple[int, int, bytes], Fraction]:
    """The exact chance of each end when both sides draw uniformly from the moves allowed."""
    memo: dict[tuple[Position, int], dict[tuple[int, int, bytes], Fraction]] = {}

    def ends(position: Position) -> dict[tuple[int, int, bytes], Fraction]:
        if (position, position.ply) not in memo:
            total: dict[tuple[int, int, bytes], Fraction] = {}
            if position.is_over:
                total[end_of(position, position.result, position.ply, position.last_action)] = Fraction(1)
            for action in () if position.is_over else allowed(position):
                for end, chance in ends(position.play(action)).items():
                    total[end] = total.get(end, Fraction(0)) + chance / len(allowed(position))
            memo[position, position.ply] = total
        return memo[position, position.ply]

    return ends(start)


# Positions with few ends but some, where the mover cannot win at once.
EMPTIES = {
    "connect4": 8,
    "connect4(rows=5, cols=6, k=3)": 14,
    "connectn(rows=4, cols=3, k=2)": 12,
    "othello(size=10)": 5,
}


def late_position(text: str) -> Position:
    """The richest of some positions of random games, near their end but for nim."""
    if "nim" in text:
        return load_game(text).initial()
    found = []
    for seed in range(200):
        for position in random_game(text, seed)[:-1]:
            empties = np.count_nonzero(position.cells() == 0)
            if empties <= EMPTIES.get(text, 6) and not wins(position):
                found.append(position)
                break
        if len(found) == 3:
            break
    return max(found, key=lambda position: len(chances(position)))


@every_game
def test_ends_have_their_chances(text):
    start = late_position(text)
    number = 2000
    expected = chances(start)
    counts = dict.fromkeys(expected, 0)
    rng = make_rng(6)
    for _ in range(number):
        end = play_out(start, rng)
        counts[end_of(end, end.result, end.ply, end.last_action)] += 1
    for kind, chance in expected.items():
        mean = float(chance) * number
        assert abs(counts[kind] - mean) <= 5 * np.sqrt(mean * (1 - float(chance))) + 1e-6


class Recorder:
    """A board that remembers where stones were put."""

    def __init__(self, cells):
        self.cells, self.places = cells, []

    def __getitem__(self, index):
        return self.cells[index]

    def __setitem__(self, index, stone):
        self.cells[index] = stone
        self.places.append(int(index))

    def __len__(self):
        return len(self.cells)


def moves_of_rollout(position: Position, seed: int) -> list[int]:
    """The actions that a tactical rollout plays."""
    state = position.state
    state = state._replace(cells=Recorder(state.cells))
    with np.errstate(over="ignore"):
        dispatch.tactical_rollout(state, make_rng(seed), position.game.new_spare())
    rows, cols = position.game.shape
    if state.cells.cells.size == rows * cols:
        return state.cells.places
    return [(place // (cols + 1) - 1) * cols + place % (cols + 1) - 1 for place in state.cells.places]


@pytest.mark.parametrize("text", slow_but(("tictactoe", "connectn(rows=4, cols=5, k=4)", "gomoku(size=6)"), LINE_GAMES))
def test_every_move_of_a_game_is_allowed(text):
    for seed in range(2):
        position = random_game(text, seed)[2 * seed]
        for action in moves_of_rollout(position, seed):
            assert action in allowed(position), position.diagram()
            position = position.play(action)
        assert position.is_over


@pytest.mark.parametrize(
    ("text", "moves", "first"),
    [
        ("gomoku", "h8 a1 i8 a3 j8 a5 k8", None),  # an open four cannot be denied
        ("gomoku", "a8 a1 b8 a3 c8 a5 d8", {"e8"}),
        ("gomoku", "a8 a1 b8 a3 d8 a5 e8", {"c8"}),
        ("gomoku(rule=standard)", "a8 a1 b8 a3 d8 a5 e8 a7 f8", "any"),  # six would not win
        ("gomoku(rule=renju)", "o1 f8 o3 g8 o5 h8 e8 i8", {"j8"}),
        ("gomoku", "a8 a1 b8 b1 c8 c1 d8 d1", {"e8"}),  # both have four: the mover wins
    ],
)
def test_known_positions(text, moves, first):
    position = load_game(text).position(moves)
    played = {position.game.action_name(moves_of_rollout(position, seed)[0]) for seed in range(8)}
    if first is None:
        assert all(won_by(play_out(position, make_rng(seed)), 1 - position.to_move) for seed in range(8))
    elif first == "any":
        assert len(played) > 4
    else:
        assert played == first


def test_a_foul_blocks_nothing():
    """White's four can be stopped at h8 only, where black would have six in a column."""
    position = load_game("gomoku(rule=renju)").position("h5 o1 h6 o3 h7 d8 h10 e8 c8 f8 h9 g8")
    assert position.game.parse_action("h8") in position.forbidden()
    for seed in range(6):
        end = play_out(position, make_rng(seed))
        assert won_by(end, 1)
        assert end.ply == position.ply + 2


def test_rollouts_leave_finished_games_unchanged():
    position = load_game("tictactoe").position("a1 a2 b1 b2 c1")
    state = position.state
    assert compiled(state, make_rng(0), position.game.new_spare()) == dispatch.FIRST_WINS
    assert (state.info[PLY], state.info[LAST], state.info[RESULT]) == (5, position.last_action, dispatch.FIRST_WINS)
