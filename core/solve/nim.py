"""Exact solution of Nim by the nim-sum.  Knows no search.

The player who takes the last chip wins; a move takes 1 to ``max_take`` chips from one heap.  The Grundy number of a
heap of n chips is n mod (max_take + 1), and the side to move loses exactly when the exclusive or of these numbers is 0
(Bouton 1901; Sprague 1935, Grundy 1939).  With one heap: exactly when n is a multiple of max_take + 1.
"""

from collections.abc import Sequence
from functools import reduce
from operator import xor

from core.games import Position
from core.solve.solution import MoveValue, Solution, Watch


def nim_value(heaps: Sequence[int], max_take: int) -> int:
    """+1 when the side to move wins, -1 when it loses; with no chips left it has lost."""
    return 1 if reduce(xor, (heap % (max_take + 1) for heap in heaps), 0) else -1


def nim_distance(heaps: Sequence[int], max_take: int) -> int | None:
    """Plies to the end for at most one heap, as each pair of moves takes max_take + 1 chips; None for several."""
    left = [heap for heap in heaps if heap > 0]
    if len(left) > 1:
        return None
    rounds, rest = divmod(sum(left), max_take + 1)
    return 2 * rounds + (rest > 0)


def nim_moves(heaps: Sequence[int], max_take: int) -> tuple[MoveValue, ...]:
    """The value of every move, action ``heap * max_take + take - 1``, in ascending order."""
    moves = []
    for i, heap in enumerate(heaps):
        for take in range(1, min(heap, max_take) + 1):
            after = [*heaps[:i], heap - take, *heaps[i + 1 :]]
            distance = nim_distance(after, max_take)
            moves.append(
                MoveValue(
                    i * max_take + take - 1, -nim_value(after, max_take), None if distance is None else distance + 1
                )
            )
    return tuple(moves)


def solve_nim(position: Position, watch: Watch) -> Solution:
    """Solve a position of Nim."""
    heaps, max_take = position.state.heaps.tolist(), int(position.game.params["max_take"])
    moves = nim_moves(heaps, max_take)
    return Solution(nim_value(heaps, max_take), nim_distance(heaps, max_take), moves, 0, watch.elapsed)
