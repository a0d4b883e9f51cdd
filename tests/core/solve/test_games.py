"""The solvers of single games: Connect Four, Othello's discs and Nim's law."""

import random
from functools import cache
from itertools import islice, product
from pathlib import Path

import numba
import numpy as np
import pytest

from core.games import Position, load_game
from core.solve import Solver, solve
from core.solve.connect4 import Connect4Solver, boards
from core.solve.connect4_search import _keep, _mirror
from core.solve.minimax import MinimaxSolver
from core.solve.nim import nim_distance, nim_moves, nim_value
from core.solve.othello import OthelloSolver
from core.solve.othello_last import make_rules, stable_discs
from core.solve.slices import Monitor, OutOfTime
from tests.core.solve import plain

DATA = Path(__file__).parents[2] / "data" / "connect4"
INTERPRETED = bool(numba.config.DISABLE_JIT)
compiled = pytest.mark.skipif(INTERPRETED, reason="takes minutes interpreted")


def benchmark(name, number):
    """The first positions of a set with their scores."""
    game = load_game("connect4")
    with (DATA / name).open(encoding="ascii") as lines:
        for line in islice(lines, number):
            moves, score = line.split()
            yield game.position(" ".join(moves)), int(score)


def answers(solution):
    return [(move.action, move.value, move.distance) for move in solution.moves]


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("Test_L3_R1", 1000),
        ("Test_L2_R1", 1000),
        ("Test_L2_R2", 100),
        ("Test_L1_R1", 100),
        ("Test_L1_R2", 4),
    ],
)
def test_benchmark_scores(name, number):
    if INTERPRETED:
        if name != "Test_L3_R1":
            pytest.skip("takes minutes interpreted")
        number = 60
    solver = Connect4Solver()
    solved = 0
    for position, score in benchmark(name, number):
        assert solver.score(position) == score, position
        solved += 1
    assert solved == number


def test_sign_only_scores_are_signs():
    solver = Connect4Solver()
    for position, score in benchmark("Test_L3_R1" if INTERPRETED else "Test_L2_R1", 50):
        assert solver.score(position, sign_only=True) == np.sign(score)


def test_moves_that_keep_the_value():
    """As solving in full says, whether the value is known or not; a search that is ended says nothing."""
    game = load_game("connect4")
    solver, whole = Connect4Solver(), Solver(game)
    for position, score in benchmark("Test_L3_R1", 20 if INTERPRETED else 100):
        solution = whole.solve(position)
        keeping = tuple(move.action for move in solution.moves if move.value == solution.value)
        assert solver.keeping(position, Monitor()) == (np.sign(score), keeping)
        assert solver.keeping(position, Monitor(), int(np.sign(score))) == (np.sign(score), keeping)
    assert Connect4Solver().keeping(game.initial(), Monitor(should_stop=lambda: True)) is None


def test_every_move_of_late_positions():
    solver = Solver(load_game("connect4"))
    late = [position for position, _ in benchmark("Test_L3_R1", 1000) if position.ply >= 35]
    assert len(late) > 100
    for position in late[:: 20 if INTERPRETED else 4]:
        seen = {}
        found = solver.solve(position)
        assert answers(found) == plain.move_worths(position, seen)
        assert (found.value, found.distance) == plain.worth(position, seen)


def test_distance_of_the_benchmark():
    """The score counts the winner's discs left, 1 more; the distance says with which disc the game ends."""
    solver = Solver(load_game("connect4"))
    for position, score in benchmark("Test_L3_R1", 20 if INTERPRETED else 200):
        found = solver.solve(position)
        last = position.ply + found.distance
        if score == 0:
            assert (found.value, last) == (0, 42)
        else:
            assert found.value == np.sign(score)
            assert found.distance % 2 == (score > 0)
            assert abs(score) == 1 + 21 - (last + 1) // 2


@pytest.mark.parametrize(("rows", "cols"), [(4, 4), (4, 5), (5, 4), (3, 7), (2, 10)])
def test_scores_on_other_boards_agree_with_plain_search(rows, cols):
    game = load_game(f"connect4(rows={rows}, cols={cols})")
    rng = random.Random(rows)
    solver = Solver(game)
    seen = {}
    for _ in range(5 if INTERPRETED else 30):
        position = plain.random_position(game, rows * cols - rng.randint(4, 9), rng)
        found = solver.solve(position)
        assert answers(found) == plain.move_worths(position, seen), position.diagram()
        assert (found.value, found.distance) == plain.worth(position, seen)


@pytest.mark.slow
@compiled
@pytest.mark.parametrize(("rows", "cols"), [(4, 4), (4, 5), (5, 4)])
def test_whole_small_games_by_both_solvers(rows, cols):
    game = load_game(f"connect4(rows={rows}, cols={cols})")
    for moves in ("", "b", "a b"):
        position = game.position(moves)
        assert answers(MinimaxSolver(game).solve(position, Monitor())) == answers(solve(position))


@compiled
@pytest.mark.parametrize(("rows", "cols"), [(14, 4), (3, 15), (6, 8), (8, 7), (7, 8), (3, 16), (15, 4)])
def test_boards_of_many_bits(rows, cols):
    """Nearly full boards of up to 64 bits against plain minimax."""
    game = load_game(f"connect4(rows={rows}, cols={cols})")
    rng = random.Random(cols)
    solver = Solver(game)
    for _ in range(5):
        position = plain.random_position(game, rows * cols - 9, rng)
        assert answers(solver.solve(position)) == plain.move_worths(position, {})


def test_mirror_image_of_a_key():
    game = load_game("connect4(rows=4, cols=5)")
    rng = random.Random(3)
    for _ in range(20):
        position = plain.random_position(game, 8, rng)
        image = game.position(" ".join("abcde"[4 - action] for action in position.moves))
        (mover, filled), (other, others) = boards(position), boards(image)
        assert _mirror(mover + filled, 5, 5) == other + others


def test_table_merges_bounds_and_keeps_the_larger_subtree():
    table = np.zeros(4, np.int64)
    _keep(table, 0, 7, -3, 5, 31, 1000)
    _keep(table, 0, 7, -1, 9, 2, 10)  # the same position: the sharper of each bound
    _keep(table, 0, 8, 0, 0, 1, 5)
    _keep(table, 0, 9, 1, 1, 3, 6)
    entries = {int(entry) >> 22: int(entry) for entry in table if entry != 0}
    assert set(entries) == {7, 9}
    assert ((entries[7] >> 16) & 63) - 32 == -1
    assert ((entries[7] >> 10) & 63) - 32 == 5
    assert (entries[7] >> 5) & 31 == 2


@compiled
def test_cancelled_between_slices():
    asked = []
    received = []

    def should_stop():
        asked.append(True)
        return len(asked) == 5

    assert solve(load_game("connect4").initial(), should_stop=should_stop, progress=received.append) is None
    assert len(asked) == len(received) == 5
    assert received == sorted(set(received))


@compiled
def test_no_solution_without_time():
    assert solve(load_game("connect4").initial(), seconds=0.0) is None


@compiled
def test_value_without_distances():
    """When the time ends between signs and scores, the value stands and the distances are unknown."""
    position = load_game("connect4").position("d d d d d b b c b c c")
    solver = Connect4Solver()
    whole = solver.solve(position, Monitor())

    class Until(Monitor):
        allowed = 0.0

        def check(self, nodes=0):
            super().check(nodes)
            if self.nodes > self.allowed:
                raise OutOfTime

    kinds = set()
    for share in (0.0, 0.2, 0.4, 0.6, 0.8, 0.95):
        monitor = Until()
        monitor.allowed = whole.nodes * share
        found = Connect4Solver().solve(position, monitor)
        if found is None:
            kinds.add("nothing")
            continue
        kinds.add("value" if found.distance is None else "all")
        assert found.value == whole.value
        assert found.distance in (None, whole.distance)
        for move, truth in zip(found.moves, whole.moves, strict=True):
            assert move.value in (None, truth.value)
            assert move.distance in (None, truth.distance)
    assert {"nothing", "value"} <= kinds


FFO = Path(__file__).parents[2] / "data" / "othello" / "ffo.txt"
BOARDS = ("othello(size=4)", "othello(size=4, passes=no)", "othello(size=6)", "othello", "othello(passes=no)")


def ffo_positions():
    """Yield the number, the position and the score for the side to move of each line of the file."""
    for line in FFO.read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            number, board, side, score = line.split()
            rows = [" ".join(board[at : at + 8]).replace("-", ".") for at in range(0, 64, 8)]
            yield int(number), load_game("othello").parse_diagram("\n".join([*rows, f"{side} to move"])), int(score)


def late_positions(game, empties, number):
    rng = random.Random(empties)
    while number:
        position = game.initial()
        while not position.is_over and np.count_nonzero(position.cells() == 0) > empties:
            position = position.play(rng.choice(position.legal_actions()))
        if not position.is_over:
            number -= 1
            yield position


def plain_score(position: Position, seen: dict[object, int]) -> int:
    """Discs more at the end under best play; empty cells are the winner's."""
    discs = position.cells()
    mine, theirs = (int(np.count_nonzero(discs == 1 + side)) for side in (position.to_move, 1 - position.to_move))
    if position.is_over:
        return int(mine != theirs) * (discs.size - 2 * theirs if mine > theirs else 2 * mine - discs.size)
    key = (discs.tobytes(), position.to_move)
    if key not in seen:
        seen[key] = max(-plain_score(position.play(action), seen) for action in position.legal_actions())
    return seen[key]


@pytest.mark.parametrize("text", BOARDS)
def test_late_positions(text):
    game = load_game(text)
    solver = Solver(game)
    seen: dict[object, int] = {}
    deepest = 4 if INTERPRETED else 8 if game.shape == (4, 4) else 7
    for empties, number in ((1, 4), (2, 4), (3, 4), (4, 2), (5, 1), (deepest, 1)):
        for position in late_positions(game, empties, number):
            found = solver.solve(position)
            expected = [(a, -plain_score(position.play(a), seen)) for a in position.legal_actions()]
            assert [(move.action, move.score) for move in found.moves] == expected, position.diagram()
            best = max(score for _, score in expected)
            assert (found.score, found.value) == (best, int(np.sign(best)))
            assert found.best == tuple(action for action, score in expected if score == best)


@pytest.mark.skipif(INTERPRETED, reason="minutes when interpreted")
def test_the_ffo_suite_up_to_sixteen_empty_cells():
    solver = OthelloSolver()
    for number, position, score in ffo_positions():
        if number < 20:
            assert solver.score(position) == score, number


@pytest.mark.skipif(INTERPRETED, reason="minutes when interpreted")
def test_scores_stay_along_the_published_best_line():
    position, score = next((one, points) for number, one, points in ffo_positions() if number == 40)
    for name in ["a2", "b1", "c1", "pass", "b6", "c7", "a7"]:
        position = position.play(position.game.parse_action(name))
        score = -score
    assert OthelloSolver().score(position) == score


def test_stable_discs_are_never_turned():
    rules = make_rules(6, True)
    game = load_game("othello(size=6)")
    for position in late_positions(game, 6, 3):
        discs = position.state.boards
        few = stable_discs(discs[0], discs[1], rules)
        rng, least = random.Random(0), 36
        for _ in range(20):
            after = position
            while not after.is_over:
                after = after.play(rng.choice(after.legal_actions()))
            least = min(least, int(np.count_nonzero((position.cells() == 1) & (after.cells() == 1))))
        assert few <= least
    full = np.uint64(2**64 - 1)
    assert stable_discs(full, np.uint64(0), make_rules(8, True)) == 64


def test_bounds_narrow_and_a_stopped_search_says_nothing():
    game = load_game("othello(size=6)")
    position = next(late_positions(game, 7 if INTERPRETED else 10, 1))
    told = []
    found = solve(position, interim=told.append)
    assert told[-1].bounds == (found.score, found.score)
    widths = [one.bounds[1] - one.bounds[0] for one in told]
    assert widths == sorted(widths, reverse=True)
    assert told[-1].best in found.best
    assert all(one.solution is None or one.solution.value == found.value for one in told)
    assert solve(position, should_stop=lambda: True) is None


@pytest.mark.parametrize(
    ("game", "moves"), [("connect4(rows=4, cols=4)", "b b c"), ("tictactoe", "b2"), ("go(size=2)", "a1")]
)
def test_moves_become_known_one_after_the_other(game, moves):
    position, told = load_game(game).position(moves), []
    found = solve(position, interim=told.append)
    known = [one.known for one in told]
    assert known == sorted(known)
    assert known[-1] == told[-1].moves == len(found.moves)
    assert all(one.solution is None or one.solution.value == found.value for one in told)
    assert all(
        now.value in (None, then.value)
        for one in told
        if one.solution is not None
        for now, then in zip(one.solution.moves, found.moves, strict=True)
    )


def test_what_time_leaves_unknown_has_bounds():
    position = next(late_positions(load_game("othello(size=6)"), 6 if INTERPRETED else 10, 1))
    ends = iter([False] * 4)
    monitor = Monitor()
    monitor.interim = lambda one: setattr(monitor, "seconds", None if next(ends, True) is False else 0.0)
    found = OthelloSolver(6).solve(position, monitor)
    assert any(move.score is None for move in found.moves)
    exact = solve(position)
    for move, known in zip(found.moves, exact.moves, strict=True):
        assert move.bounds[0] <= known.score <= move.bounds[1]


def test_large_positions_are_refused():
    with pytest.raises(ValueError, match="position of othello has 60 empty cells, exact solving is offered up to"):
        solve(load_game("othello").initial())


@cache
def worth(heaps, max_take):
    """(value, plies to the end), the winner hurrying and the loser holding out."""
    if not any(heaps):
        return -1, 0
    moves = []
    for after in replies(heaps, max_take):
        value, distance = worth(after, max_take)
        moves.append((-value, distance + 1))
    best = max(value for value, _ in moves)
    distances = [distance for value, distance in moves if value == best]
    return best, max(distances) if best < 0 else min(distances)


def replies(heaps, max_take):
    for i, heap in enumerate(heaps):
        for take in range(1, min(heap, max_take) + 1):
            yield (*heaps[:i], heap - take, *heaps[i + 1 :])


@pytest.mark.parametrize("max_take", [1, 2, 3, 5])
def test_one_heap(max_take):
    for heap in range(40):
        value, distance = worth((heap,), max_take)
        assert nim_value([heap], max_take) == value
        assert nim_distance([heap], max_take) == distance
        truth = [worth(after, max_take) for after in replies((heap,), max_take)]
        found = [(move.value, move.distance) for move in nim_moves([heap], max_take)]
        assert found == [(-value, distance + 1) for value, distance in truth]


def test_lost_at_multiples_of_four_and_the_winning_move_is_unique():
    for heap in range(1, 200):
        wins = [move.action + 1 for move in nim_moves([heap], 3) if move.value == 1]
        assert wins == ([heap % 4] if heap % 4 else [])
        assert nim_value([heap], 3) == (1 if heap % 4 else -1)


@pytest.mark.parametrize("max_take", [2, 3, 6])
def test_several_heaps(max_take):
    for heaps in product(range(6), repeat=3):
        assert nim_value(heaps, max_take) == worth(heaps, max_take)[0]
        moves = nim_moves(heaps, max_take)
        assert [move.value for move in moves] == [-worth(after, max_take)[0] for after in replies(heaps, max_take)]
        distance = nim_distance(heaps, max_take)
        assert distance == (worth(heaps, max_take)[1] if sum(heap > 0 for heap in heaps) <= 1 else None)


def test_actions_of_nim_moves():
    assert [move.action for move in nim_moves([2, 0, 5], 3)] == [0, 1, 6, 7, 8]


@pytest.mark.parametrize(
    ("text", "moves", "heaps", "max_take"),
    [
        ("nim", "", [15], 3),
        ("nim", "2 3", [10], 3),
        ("nim(heaps=3-4-5)", "", [3, 4, 5], 5),
        ("nim(heaps=3-4-5)", "2:4 1:1", [2, 0, 5], 5),
        ("nim(heaps=7-7, max_take=2)", "1:2", [5, 7], 2),
    ],
)
def test_positions(text, moves, heaps, max_take):
    position = load_game(text).position(moves)
    found = solve(position)
    assert found.value == nim_value(heaps, max_take)
    assert found.distance == nim_distance(heaps, max_take)
    assert found.moves == nim_moves(heaps, max_take)
    assert tuple(move.action for move in found.moves) == position.legal_actions()


def test_an_empty_heap_is_lost():
    found = solve(load_game("nim(heaps=2, max_take=2)").position("2"))
    assert (found.value, found.distance, found.moves) == (-1, 0, ())


@cache
def misere_worth(heaps, max_take):
    """As :func:`worth`, where who takes the last chip loses."""
    if not any(heaps):
        return 1, 0
    moves = [misere_worth(after, max_take) for after in replies(heaps, max_take)]
    best = max(-value for value, _ in moves)
    distances = [distance + 1 for value, distance in moves if -value == best]
    return best, max(distances) if best < 0 else min(distances)


@pytest.mark.parametrize("max_take", [1, 2, 3, 6])
def test_misere_play(max_take):
    for heaps in [(heap,) for heap in range(30)] + list(product(range(6), repeat=3)):
        truth = misere_worth(heaps, max_take)
        single = sum(heap > 0 for heap in heaps) <= 1
        assert nim_value(heaps, max_take, misere=True) == truth[0]
        assert nim_distance(heaps, max_take, misere=True) == (truth[1] if single else None)
        moves = nim_moves(heaps, max_take, misere=True)
        assert [move.value for move in moves] == [
            -misere_worth(after, max_take)[0] for after in replies(heaps, max_take)
        ]


def test_a_misere_game_is_solved_by_its_own_law():
    found = solve(load_game("nim(heaps=1-1-1, misere=yes)").initial())
    assert found.value == -1
    assert solve(load_game("nim(heaps=1-1-1)").initial()).value == 1
