"""Nim's law against plain search over the heaps."""

from functools import cache
from itertools import product

import pytest

from core.games import load_game
from core.solve import solve
from core.solve.nim import nim_distance, nim_moves, nim_value


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
