"""Kernels of threat-space search: wins by continuous fours, or by threes and fours, in k in a row.

The attacker only plays moves that threaten to win: fours, which leave one reply, and under ``vct`` also moves after
which he could make an open four.  (Allis, van den Herik, Huntjens, "Go-Moku and Threat-Space Search", 1993, where
threat sequences are found first and checked for the defender's counter-fours afterwards; here every relevant reply
is played out, so what is found is proved.)  A node is decided without a search when

- the attacker, to move, makes five: 1 ply;
- the attacker, to move, makes an open four or two fours, and the defender makes no five: 3 plies;
- the attacker, to move, faces two fives of the defender: no win;
- the defender, to move, makes five, or faces no threat, or no five and makes an open four or two fours: no win;
- the defender, to move, faces two fives: 2 plies.

Which replies are relevant.  To one five: the point itself.  To the threat of an open four at g, whose completing
points are e1 and e2: after any reply elsewhere that makes no four, g follows and the defender, who has no five, cannot
stop both.  So g, e1, e2 and all moves that make a four (each of them is a counter-threat) remain, and of several such
threats only the points common to all of them.

Iterative deepening by the number of the attacker's moves; a table keeps results of the attacker's nodes.
Distances are plies to the end of the line found, an upper bound: a shorter win may exist among moves without threats.
"""

from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._jit import jit, jitable
from core.games.bits import mix
from core.solve.threats_lines import (
    DIRECTIONS,
    FIVE,
    FOUR,
    OPEN_FOUR,
    OPEN_THREE,
    Threats,
    completing,
    find,
    put,
    take,
)

# What ``search`` returns.
UNDECIDED: Final = 0
WON: Final = 1
NO_WIN: Final = 2  # none within the depth, though there may be one beyond
NO_WIN_AT_ANY_DEPTH: Final = 3  # none by threats at any depth

# Indices into Attack.state.
AT_PLY: Final = 0
ENTERING: Final = 1
ATTACKER: Final = 2
FOURS_ONLY: Final = 3
NODES_TRIED: Final = 4
PLIES: Final = 5  # of the win found
_SIZE: Final = 6

_OPEN: Final = -1  # a node that is not decided without a search
_FOREVER: Final = 1 << 14  # of table_left: no win by threats however many moves
_TABLE_ENTRIES: Final = 1 << 16


class Attack(NamedTuple):
    """The stack of a search.  P plies, A points, M table entries (a power of two).  Even plies are the attacker's."""

    moves: NDArray[np.int16]  # [P, A]: what is tried at each ply
    listed: NDArray[np.int64]  # [P]: how many of them
    next: NDArray[np.int64]  # [P]
    moves_left: NDArray[np.int64]  # [P]: moves the attacker may still make before one that wins by itself
    plies: NDArray[np.int64]  # [P]: of the defender's nodes, the longest loss found so far
    cut: NDArray[np.int64]  # [P]: whether more moves could have changed a failure
    key: NDArray[np.uint64]  # [P + 1]
    scores: NDArray[np.int64]  # [A]: scratch
    points: NDArray[np.int16]  # [2, 4]: scratch
    zobrist: NDArray[np.uint64]  # [2, A]
    table_key: NDArray[np.uint64]  # [M]: of nodes where the attacker is to move, 0 = empty
    table_plies: NDArray[np.int16]  # [M]: of a win; 0 = failed
    table_left: NDArray[np.int16]  # [M]: of a failure, with how many moves
    table_move: NDArray[np.int16]  # [M]: of a win
    state: NDArray[np.int64]  # [_SIZE]


@jitable
def _slot(s: Attack, key: np.uint64) -> int:
    return int(key & np.uint64(s.table_key.size - 1))


@jitable
def _has_threat(t: Threats, side: int, fours_only: bool) -> bool:
    return bool(t.counts[side, FIVE] > 0 or (not fours_only and t.counts[side, OPEN_FOUR] > 0))


@jit
def _list_move(t: Threats, s: Attack, ply: int, side: int, cell: int) -> None:
    """Put a move of ``side`` among those of the ply by its promise, unless it is there."""
    for i in range(s.listed[ply]):
        if s.moves[ply, i] == cell:
            return
    score = 0
    for direction in range(DIRECTIONS):
        score += 1 << (2 * int(t.kinds[side, cell, direction]))
        score += 1 << int(t.kinds[1 - side, cell, direction])
    i = int(s.listed[ply])
    while i > 0 and s.scores[i - 1] < score:
        s.scores[i] = s.scores[i - 1]
        s.moves[ply, i] = s.moves[ply, i - 1]
        i -= 1
    s.scores[i] = score
    s.moves[ply, i] = cell
    s.listed[ply] += 1


@jit
def _enter_attack(t: Threats, s: Attack, ply: int) -> int:
    """Plies of the attacker's win, 0 for none, or ``_OPEN`` with his moves listed in order of promise."""
    attacker = int(s.state[ATTACKER])
    defender = 1 - attacker
    s.cut[ply] = 0
    s.listed[ply] = 0
    s.next[ply] = 0
    if t.counts[attacker, FIVE] > 0:
        return 1
    if t.counts[defender, FIVE] > 1:
        return 0
    forced = t.counts[defender, FIVE] == 1
    if not forced and t.counts[attacker, OPEN_FOUR] > 0:
        return 3
    fours_only = s.state[FOURS_ONLY] != 0
    least = FOUR if fours_only else OPEN_THREE
    if s.moves_left[ply] == 0:
        if forced:
            s.cut[ply] = 1
        else:
            for kind in range(least, FIVE):
                if t.counts[attacker, kind] > 0:
                    s.cut[ply] = 1
        return 0
    at = _slot(s, s.key[ply])
    if s.table_key[at] == s.key[ply]:
        if s.table_plies[at] > 0:
            return int(s.table_plies[at])
        if s.table_left[at] >= s.moves_left[ply]:
            s.cut[ply] = 1 if s.table_left[at] < _FOREVER else 0
            return 0
    if forced:
        s.moves[ply, 0] = find(t, defender, FIVE, -1)
        s.listed[ply] = 1
        return _OPEN
    cell = find(t, attacker, least, -1)
    while cell >= 0:
        _list_move(t, s, ply, attacker, cell)
        cell = find(t, attacker, least, cell)
    return _OPEN


@jit
def _enter_defence(t: Threats, s: Attack, ply: int) -> int:
    """Plies of the attacker's win with the defender to move, 0 for none, or ``_OPEN`` with the relevant replies."""
    attacker = int(s.state[ATTACKER])
    defender = 1 - attacker
    s.cut[ply] = 0
    s.listed[ply] = 0
    s.next[ply] = 0
    s.plies[ply] = 0
    if t.counts[defender, FIVE] > 0 or not _has_threat(t, attacker, s.state[FOURS_ONLY] != 0):
        return 0
    if t.counts[attacker, FIVE] > 1:
        return 2
    if t.counts[attacker, FIVE] == 1:
        s.moves[ply, 0] = find(t, attacker, FIVE, -1)
        s.listed[ply] = 1
        return _OPEN
    if t.counts[defender, OPEN_FOUR] > 0:
        return 0
    # points[0] holds what all threats seen so far have in common.
    common = -1
    first = find(t, attacker, OPEN_FOUR, -1)
    threat = first
    while threat >= 0:
        count = completing(t, attacker, threat, s.points[1])
        if count > 2:
            count = 0  # one reply on a completing point still leaves two of them
        s.points[1, count] = threat
        count += 1
        if common < 0:
            common = count
            for i in range(count):
                s.points[0, i] = s.points[1, i]
        else:
            shared = 0
            for i in range(common):
                for j in range(count):
                    if s.points[0, i] == s.points[1, j]:
                        s.points[0, shared] = s.points[0, i]
                        shared += 1
                        break
            common = shared
        threat = find(t, attacker, OPEN_FOUR, threat)
    for i in range(common):
        _list_move(t, s, ply, defender, int(s.points[0, i]))
    cell = find(t, defender, FOUR, -1)
    while cell >= 0:
        _list_move(t, s, ply, defender, cell)
        cell = find(t, defender, FOUR, cell)
    if s.listed[ply] == 0:
        _list_move(t, s, ply, defender, first)  # all replies lose; this is one of them
    return _OPEN


@jitable
def _store(s: Attack, ply: int, plies: int, moves_left: int, move: int) -> None:
    at = _slot(s, s.key[ply])
    s.table_key[at] = s.key[ply]
    s.table_plies[at] = plies
    s.table_left[at] = moves_left
    s.table_move[at] = move


@jit
def begin(t: Threats, s: Attack, attacker: int, fours_only: bool, depth: int) -> None:
    """Start a search of up to ``depth`` moves from the board of ``t``, with the attacker to move."""
    key = mix(np.uint64(2 * attacker + int(fours_only) + 1))
    for cell in range(t.cells.size):
        if t.cells[cell] != 0:
            key ^= s.zobrist[int(t.cells[cell]) - 1, cell]
    s.key[0] = key
    s.moves_left[0] = depth
    s.state[AT_PLY] = 0
    s.state[ENTERING] = 1
    s.state[ATTACKER] = attacker
    s.state[FOURS_ONLY] = 1 if fours_only else 0
    s.state[PLIES] = 0


@jit
def search(t: Threats, s: Attack, max_nodes: int) -> int:
    """Continue for up to ``max_nodes`` nodes; UNDECIDED, WON, NO_WIN or NO_WIN_AT_ANY_DEPTH.  Modifies ``t`` and ``s``.

    Unless UNDECIDED, ``t`` is the board of ``begin`` again.
    """
    attacker = int(s.state[ATTACKER])
    ply = int(s.state[AT_PLY])
    entering = s.state[ENTERING] != 0
    spent = 0
    value = 0
    while True:
        attacking = ply % 2 == 0
        if entering:
            if spent == max_nodes:
                s.state[AT_PLY] = ply
                s.state[ENTERING] = 1
                s.state[NODES_TRIED] += spent
                return UNDECIDED
            spent += 1
            value = _enter_attack(t, s, ply) if attacking else _enter_defence(t, s, ply)
            entering = False
        if value == _OPEN:
            if s.next[ply] < s.listed[ply]:
                move = int(s.moves[ply, s.next[ply]])
                side = attacker if attacking else 1 - attacker
                s.next[ply] += 1
                put(t, side, move)
                s.key[ply + 1] = s.key[ply] ^ s.zobrist[side, move]
                s.moves_left[ply + 1] = s.moves_left[ply] - (1 if attacking else 0)
                ply += 1
                entering = True
                continue
            if attacking:
                value = 0
                _store(s, ply, 0, int(s.moves_left[ply]) if s.cut[ply] != 0 else _FOREVER, -1)
            else:
                value = int(s.plies[ply])
        # The node at ``ply`` is decided: update its parent.
        if ply == 0:
            s.state[NODES_TRIED] += spent
            s.state[PLIES] = value
            if value > 0:
                return WON
            return NO_WIN if s.cut[0] != 0 else NO_WIN_AT_ANY_DEPTH
        ply -= 1
        move = int(s.moves[ply, s.next[ply] - 1])
        take(t, move)
        if ply % 2 == 0:
            if value > 0:
                value += 1
                _store(s, ply, value, 0, move)
            else:
                s.cut[ply] |= s.cut[ply + 1]
                value = _OPEN
        elif value > 0:
            s.plies[ply] = max(s.plies[ply], value + 1)
            value = _OPEN
        else:
            s.cut[ply] = s.cut[ply + 1]


@jit
def replies(t: Threats, s: Attack) -> int:
    """Write the relevant replies of the defender on the board of ``t`` to ``s.moves[1]``; their number.

    Against two or more fives only one of them.
    """
    if _enter_defence(t, s, 1) == 2:
        s.moves[1, 0] = find(t, int(s.state[ATTACKER]), FIVE, -1)
        return 1
    return int(s.listed[1])


@jit
def known_win(t: Threats, s: Attack) -> tuple[int, int]:
    """(plies, first move) of the attacker's win on the board of ``begin``; plies 0 when none is known."""
    attacker = int(s.state[ATTACKER])
    if t.counts[attacker, FIVE] > 0:
        return 1, find(t, attacker, FIVE, -1)
    if t.counts[1 - attacker, FIVE] == 0 and t.counts[attacker, OPEN_FOUR] > 0:
        return 3, find(t, attacker, OPEN_FOUR, -1)
    at = _slot(s, s.key[0])
    if s.table_key[at] == s.key[0] and s.table_plies[at] > 0:
        return int(s.table_plies[at]), int(s.table_move[at])
    return 0, -1


@cache
def _zobrist(num_points: int) -> NDArray[np.uint64]:
    return np.random.default_rng(num_points).integers(1, 1 << 63, (2, num_points), np.uint64)


def make_attack(num_points: int, max_depth: int, entries: int = _TABLE_ENTRIES) -> Attack:
    """An empty stack for up to ``max_depth`` moves of the attacker."""
    plies = 2 * max_depth + 2
    return Attack(
        moves=np.zeros((plies, num_points), np.int16),
        listed=np.zeros(plies, np.int64),
        next=np.zeros(plies, np.int64),
        moves_left=np.zeros(plies, np.int64),
        plies=np.zeros(plies, np.int64),
        cut=np.zeros(plies, np.int64),
        key=np.zeros(plies + 1, np.uint64),
        scores=np.zeros(num_points, np.int64),
        points=np.zeros((2, 4), np.int16),
        zobrist=_zobrist(num_points),
        table_key=np.zeros(entries, np.uint64),
        table_plies=np.zeros(entries, np.int16),
        table_left=np.zeros(entries, np.int16),
        table_move=np.zeros(entries, np.int16),
        state=np.zeros(_SIZE, np.int64),
    )
