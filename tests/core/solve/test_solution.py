"""What a solution says, its history and pace, and counts of boards."""

from pathlib import Path

import numba
import pytest

from core.games import load_game
from core.games.spec import HISTORY
from core.solve import MoveValue, Solver, count, refusal
from core.solve.history import HistorySolver
from core.solve.refine import Range, find_score, find_sign
from core.solve.slices import SOLVER_SLICE_S, Cancelled, Monitor, OutOfTime, Pace
from core.solve.solution import solution
from tests.core.games.reference_go import ReferenceGo


@pytest.mark.parametrize(
    ("worths", "value", "distance", "best"),
    [
        ([(1, 5), (1, 3), (0, 9), (1, 3)], 1, 3, (1, 3)),
        ([(-1, 4), (-1, 8)], -1, 8, (1,)),
        ([(0, 9), (-1, 2)], 0, 9, (0,)),
        ([(1, 3), (1, None), (-1, 2)], 1, None, (0, 1)),  # the other win may be quicker
        ([(1, 3), (None, None)], 1, None, (0,)),
        ([(0, None), (0, 8), (-1, None)], 0, None, (0, 1)),
    ],
)
def test_worth_of_a_position(worths, value, distance, best):
    found = solution(tuple(MoveValue(a, v, d) for a, (v, d) in enumerate(worths)), Monitor())
    assert (found.value, found.distance, found.best) == (value, distance, best)


@pytest.mark.parametrize("worths", [[(0, 9), (None, None)], [(None, None)], [(-1, 2), (None, None)]])
def test_unsettled_moves_give_no_solution(worths):
    assert solution(tuple(MoveValue(a, v, d) for a, (v, d) in enumerate(worths)), Monitor()) is None


@pytest.mark.parametrize("soft", [0, 1, 5])
@pytest.mark.parametrize("truth", range(-9, 10))
def test_bounds_narrow_to_the_true_value(truth, soft):
    """Bounds may be anywhere between threshold and truth."""
    asked = []

    def probe(threshold):
        asked.append(threshold)
        return max(truth - soft, threshold + 1) if truth > threshold else min(truth + soft, threshold)

    known = Range(-9, 9)
    find_sign(known, probe)
    assert known.sign == (truth > 0) - (truth < 0)
    assert set(asked) <= {0, -1}
    find_score(known, probe)
    assert (known.low, known.high) == (truth, truth)
    assert len(asked) == len(set(asked)) <= 2 + 5


def test_watch_reports_progress_and_stops():
    received = []
    monitor = Monitor(progress=received.append, should_stop=lambda: len(received) == 3)
    monitor.check(5)
    monitor.check(7)
    with pytest.raises(Cancelled):
        monitor.check(1)
    assert received == [5, 12, 13]
    with pytest.raises(OutOfTime):
        Monitor(seconds=0.0).check()


def test_pace_adapts_to_the_slice_time():
    pace = Pace()
    start = pace.nodes
    pace.follow(SOLVER_SLICE_S / 2, ended=False)
    faster = pace.nodes
    assert faster > start
    pace.follow(SOLVER_SLICE_S / 2, ended=True)
    assert pace.nodes == faster
    for _ in range(50):
        pace.follow(2 * SOLVER_SLICE_S, ended=False)
    assert 0 < pace.nodes < start


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
        HistorySolver(game).solve(game.initial(), Monitor(should_stop=lambda: True))


TABLE = Path(__file__).parents[2] / "data" / "counts.tsv"


def counts(game, quantity):
    rows = [line.split("\t") for line in TABLE.read_text(encoding="utf-8").splitlines()]
    (found,) = [row[2] for row in rows if row[:2] == [game, quantity]]
    return [int(value) for value in found.split()]


def test_tictactoe():
    found = count(load_game("tictactoe"))
    assert list(found.per_ply) == counts("tictactoe", "distinct boards per ply")
    assert [found.total] == counts("tictactoe", "distinct boards, all")


@compiled
@pytest.mark.parametrize(
    "text",
    [
        "connectn(rows=4,cols=3,k=3)",
        "connectn(rows=5,cols=3,k=3)",
        pytest.param("connectn(rows=4,cols=4,k=3)", marks=pytest.mark.slow),
        pytest.param("connectn(rows=4,cols=4,k=4)", marks=pytest.mark.slow),
        "connect4(rows=4,cols=4,k=4)",
    ],
)
def test_whole_games(text):
    assert [count(load_game(text)).total] == counts(text, "distinct boards, all")


@compiled
def test_rows_and_columns_swapped():
    assert [count(load_game("connectn(rows=3,cols=5,k=3)")).total] == counts(
        "connectn(rows=5,cols=3,k=3)", "distinct boards, all"
    )


def test_connect4():
    expected = counts("connect4", "distinct boards per ply")
    plies = 3 if numba.config.DISABLE_JIT else len(expected) - 1
    assert list(count(load_game("connect4"), plies).per_ply) == expected[: plies + 1]


@pytest.mark.parametrize(
    "text", ["connectn(rows=3,cols=2,k=2)", "connect4(rows=3,cols=3,k=3)", "connect4(rows=3,cols=4,k=2)"]
)
def test_small_games_against_plain_search(text):
    game = load_game(text)
    boards = {game.initial().cells().tobytes(): game.initial()}
    expected = []
    while boards:
        expected.append(len(boards))
        after = [position.play(a) for position in boards.values() for a in position.legal_actions()]
        boards = {position.cells().tobytes(): position for position in after}
    assert list(count(game).per_ply) == expected


@pytest.mark.parametrize(
    ("text", "total"),  # Tromp and Farnebäck, "Combinatorics of Go", 2006
    [("go(size=2)", 57), ("go(rows=2, cols=3)", 489), ("go(size=3)", 12_675), ("go(rows=4, cols=3)", 321_689)],
)
def test_legal_boards_of_go(text, total):
    assert count(load_game(text)).total == total


def test_boards_of_go_by_stones():
    assert count(load_game("go(size=2)")).per_ply == (1, 8, 24, 24)
    assert count(load_game("go(size=2)"), 1).per_ply == (1, 8)
    assert count(load_game("go(size=2)"), 9).per_ply == (1, 8, 24, 24)
    assert count(load_game("go(size=3)"), should_stop=lambda: True) is None
    with pytest.raises(
        ValueError, match=r"go\(rows=5, cols=4\) is too large to count its boards, rows \* cols is at most 16"
    ):
        count(load_game("go(rows=5, cols=4)"))


def test_counting_to_depth_0():
    assert count(load_game("connect4"), 0).per_ply == (1,)


def test_counting_can_be_cancelled():
    asked = []
    received = []

    def should_stop():
        asked.append(True)
        return len(asked) == 5

    assert count(load_game("connect4"), should_stop=should_stop, progress=received.append) is None
    assert received == [8, 57, 295, 1415]


def test_games_too_large_to_count_are_refused():
    with pytest.raises(
        ValueError, match=r"gomoku is too large to count its boards, \(rows \+ 1\) \* cols is at most 32"
    ):
        count(load_game("gomoku"))
    with pytest.raises(ValueError, match="plies is -1; it must be at least 0"):
        count(load_game("tictactoe"), -1)
