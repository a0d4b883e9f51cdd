"""The solver that looks at the whole line of play, against known values of tiny boards and a plain search."""

import numba
import pytest

from core.games import load_game
from core.games.spec import HISTORY
from core.solve import Solver, refusal
from core.solve.history import HistorySolver
from core.solve.solution import Cancelled, Watch
from tests.core.games.reference_go import ReferenceGo

compiled = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="takes minutes interpreted")


@pytest.mark.parametrize(
    ("shape", "komi", "value"),
    [
        ("size=2", 0.5, 1),  # black wins by one point
        ("size=2", 1, 0),
        ("size=2", 1.5, -1),
        ("size=2, rules=chinese", 1.5, -1),  # white wins by passing
        ("size=2, rules=chinese", 0, 0),
        pytest.param("rows=2, cols=3", 0.5, -1, marks=compiled),  # neither side wins
        pytest.param("rows=3, cols=2", -0.5, 1, marks=(compiled, pytest.mark.slow)),
    ],
)
def test_values_of_tiny_boards(shape, komi, value):
    game = load_game(f"go({shape}, komi={komi})")
    assert game.solver == HISTORY
    solution = Solver(game).solve(game.initial())
    assert solution.value == value


@compiled
def test_black_owns_all_of_three_by_three():
    """The centre wins against the largest komi below nine."""
    game = load_game("go(size=3, komi=8.5)")
    solution = Solver(game).solve(game.position("b2"))
    assert (solution.value, solution.distance) == (-1, 14)


def outcome(game: ReferenceGo, player: int, plies: int, draws: bool) -> bool:
    """Whether a player can force a win, or at least a draw, within so many plies."""
    result = game.result()
    if result != "ongoing":
        return result == ("first", "second")[player] or (draws and result == "draw")
    if plies == 0:
        return False
    answers = []
    for action in game.legal():
        child = game.copy()
        child.play(action)
        answers.append(outcome(child, player, plies - 1, draws))
        if answers[-1] == (game.to_move == player):
            break
    return any(answers) if game.to_move == player else all(answers)


TAXED = ("tax=all", {"tax": "all"})
TERRITORY = ("rules=japanese, ko=positional, suicide=yes", {"tax": "seki", "territory": True})
SIMPLE = ("rules=chinese", {"ko": "simple", "suicide": False})


@pytest.mark.parametrize(
    ("komi", "rules"),
    [(0.5, ("", {})), (1, ("", {})), (1.5, ("", {})), (0.5, TAXED), (0.5, TERRITORY), (0, TERRITORY), (1.5, SIMPLE)],
    ids=str,
)
@pytest.mark.parametrize("moves", ["a1 b2", "a1 pass", "a1 a2 b2"])
def test_distances_against_plain_search(komi, rules, moves):
    text, facts = rules
    game = load_game(f"go(size=2, komi={komi}{', ' if text else ''}{text})")
    position = game.position(moves)
    solution = Solver(game).solve(position)
    reference = ReferenceGo(2, 2, komi, **facts)
    for action in position.moves:
        reference.play(action)
    for move in solution.moves:
        child = reference.copy()
        child.play(move.action)
        mover = reference.to_move
        if move.value == 0:
            assert not outcome(child, mover, 7, False)
            assert not outcome(child, 1 - mover, 7, False)
            continue
        winner = mover if move.value == 1 else 1 - mover
        if move.distance <= 9:
            assert outcome(child, winner, move.distance - 1, False)
        assert move.distance == 1 or not outcome(child, winner, min(move.distance - 2, 7), False)


def test_a_finished_game():
    game = load_game("go(size=2)")
    solution = Solver(game).solve(game.position("pass pass"))
    assert (solution.value, solution.distance, solution.moves) == (-1, 0, ())


def test_large_boards_are_refused():
    text = "go(rows=2, cols=5) has 10 cells, exact solving is offered up to 9 where earlier positions count"
    assert refusal(load_game("go(rows=2, cols=5)").initial()) == text
    assert refusal(load_game("go(rows=2, cols=5)").position("pass pass")) is None
    assert refusal(load_game("go(size=3)").initial()) is None


def test_limits():
    game = load_game("go(size=3, komi=0.5)")
    assert Solver(game).solve(game.initial(), seconds=0.0) is None
    assert Solver(game).solve(game.initial(), should_stop=lambda: True) is None
    with pytest.raises(Cancelled):
        HistorySolver(game).solve(game.initial(), Watch(should_stop=lambda: True))
