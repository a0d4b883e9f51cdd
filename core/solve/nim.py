"""Exact solution of Nim by the nim-sum.

The player who takes the last chip wins, or in misère play loses; a move takes 1 to ``max_take`` chips from one heap.
The Grundy number of a heap of n chips is n mod (max_take + 1), and the side to move loses exactly when the exclusive or
of these numbers is 0 (Bouton 1901; Sprague 1935, Grundy 1939).  With one heap: exactly when n is a multiple of
max_take + 1.

In misère play the answer is the same while one of these numbers is above 1.  When all are 0 or 1, each move changes
how many are 1 by one, and the side to move loses exactly when that count is odd (Bouton 1901; heaps that are cut to
their remainder keep their outcome because a heap of max_take + 1 can always be answered to nothing).
"""

from collections.abc import Sequence
from functools import reduce
from operator import xor

from core.games.position import Position
from core.solve.slices import Monitor
from core.solve.solution import MoveValue, Solution


def nim_value(heaps: Sequence[int], max_take: int, misere: bool = False) -> int:
    """+1 when the side to move wins, -1 when it loses; with no chips left it has lost, in misère play won."""
    numbers = [heap % (max_take + 1) for heap in heaps]
    if misere and max(numbers, default=0) <= 1:
        return -1 if sum(numbers) % 2 else 1
    return 1 if reduce(xor, numbers, 0) else -1


def nim_distance(heaps: Sequence[int], max_take: int, misere: bool = False) -> int | None:
    """Plies to the end for at most one heap, as each pair of moves takes max_take + 1 chips; None for several.

    In misère play it is that to a single chip, which the loser takes.
    """
    chips = [heap for heap in heaps if heap > 0]
    if len(chips) > 1:
        return None
    if misere and chips:
        chips, last = [chips[0] - 1], 1
    else:
        last = 0
    rounds, rest = divmod(sum(chips), max_take + 1)
    return 2 * rounds + (rest > 0) + last


def nim_moves(heaps: Sequence[int], max_take: int, misere: bool = False) -> tuple[MoveValue, ...]:
    """The value of every move, action ``heap * max_take + take - 1``, in ascending order."""
    moves = []
    for i, heap in enumerate(heaps):
        for take in range(1, min(heap, max_take) + 1):
            after = [*heaps[:i], heap - take, *heaps[i + 1 :]]
            distance = nim_distance(after, max_take, misere)
            value = -nim_value(after, max_take, misere)
            moves.append(MoveValue(i * max_take + take - 1, value, None if distance is None else distance + 1))
    return tuple(moves)


def solve_nim(position: Position, monitor: Monitor) -> Solution:
    """Solve a position of Nim."""
    params = position.game.params
    rules = position.state.heaps.tolist(), int(params["max_take"]), params["misere"] == "yes"
    return Solution(nim_value(*rules), nim_distance(*rules), nim_moves(*rules), 0, monitor.elapsed)
