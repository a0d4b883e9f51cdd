"""V7 planes and global inputs of Go positions for KataGo's nets, slowly and for simple positions only.

Area scoring without seki or taxes, no ko, no pass; chains are taken to be alive nowhere by themselves.  Ladders are
given: the chains caught in one by any of their points, and the attacker's working moves.
"""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
Point = tuple[int, int]


def planes_of(
    rows: Sequence[str],
    to_move: str,
    *,
    history: Sequence[Point] = (),
    caught: Iterable[Point] = (),
    working: Iterable[Point] = (),
) -> Array:
    """Planes [22, H, W] of a board of ``X`` (black), ``O`` (white) and ``.``; ``history``: last moves, newest first."""
    board = np.array([list(row) for row in rows])
    own, other = ("X", "O") if to_move == "B" else ("O", "X")
    planes = np.zeros((22, *board.shape), np.float32)
    planes[0] = 1
    planes[1], planes[2] = board == own, board == other
    for chain, colour in regions(board):
        if colour != ".":
            count = len({p for q in chain for p in neighbours(board, q) if board[p] == "."})
            if count <= 3:
                planes[2 + count][tuple(zip(*chain, strict=True))] = 1
            if any(point in chain for point in caught):
                planes[14:17, [p[0] for p in chain], [p[1] for p in chain]] = 1
    for i, point in enumerate(history):
        planes[9 + i][point] = 1
    for point in working:
        planes[17][point] = 1
    for plane, colour, enemy in ((18, own, other), (19, other, own)):
        planes[plane] = board == colour
        if (board == colour).any():
            for region, _ in regions(np.where(board == colour, colour, "-")):
                if board[region[0]] != colour and not any(board[point] == enemy for point in region):
                    planes[plane][tuple(zip(*region, strict=True))] = 1
    return planes


def global_inputs(to_move: str, komi: float, area: int, ko: str, suicide: bool) -> Array:
    """Global inputs [19] for area scoring, no button, no handicap and a komi with a half point."""
    own = komi if to_move == "W" else -komi
    given = np.zeros(19, np.float32)
    given[5] = own / 20
    given[6:8] = {"simple": (0, 0), "positional": (1, 0.5), "situational": (1, -0.5)}[ko]
    given[8] = suicide
    parity = area % 2
    floor = max(n for n in range(-400, 400) if n % 2 == parity and n <= own)
    delta = own - floor
    given[18] = delta if delta < 0.5 else 1 - delta if delta < 1.5 else delta - 2
    return given


def neighbours(board: NDArray[np.str_], point: Point) -> list[Point]:
    y, x = point
    around = ((y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1))
    return [(a, b) for a, b in around if 0 <= a < board.shape[0] and 0 <= b < board.shape[1]]


def regions(board: NDArray[np.str_]) -> Iterator[tuple[list[Point], str]]:
    """Yield (points, content) of each connected region."""
    left = {(y, x) for y in range(board.shape[0]) for x in range(board.shape[1])}
    while left:
        region, todo = [], [left.pop()]
        while todo:
            point = todo.pop()
            region.append(point)
            for near in neighbours(board, point):
                if near in left and board[near] == board[point]:
                    left.remove(near)
                    todo.append(near)
        yield region, str(board[region[0]])
