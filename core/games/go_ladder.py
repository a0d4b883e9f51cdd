"""Chains of Go stones that are caught in a ladder, read as KataGo reads them for its nets.

The defender, whose chain has one liberty, captures stones round it that are in atari or plays the liberty.  The
attacker then plays one of the chain's two liberties, and so on, until it has three liberties or stays in atari.  A move
of the attacker that leaves a ko fails, and a ko on the board keeps the defender from nothing.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._jit import jit, jitable
from core.games.go_chains import (
    COLS,
    EMPTY,
    KO,
    MOVES,
    NOWHERE,
    OUTSIDE,
    ROWS,
    Chains,
    empty_neighbours,
    is_legal,
    neighbour,
    new_chains,
    play,
    take_back,
    touches,
)

_BUDGET: Final = 25_000  # moves of one search; a ladder that needs more fails

_OPEN: Final = -1
_ESCAPED: Final = 0
_CAUGHT: Final = 1


class Ladders(NamedTuple):
    """A board, what is read on it, and the stack of a search.  N cells, P plies."""

    chains: Chains
    caught: NDArray[np.int8]  # [N]: 1 for stones of chains that are caught
    working: NDArray[np.int8]  # [N]: the colours (BLACK | WHITE) of chains with two liberties that a move here catches
    moves: NDArray[np.int16]  # of all plies one after the other
    first: NDArray[np.int32]  # [P]: where the moves of a ply begin
    listed: NDArray[np.int32]  # [P]: how many they are
    tried: NDArray[np.int32]  # [P]: how many of them were tried


def new_ladders(rows: int, cols: int) -> Ladders:
    """Scratch for boards of this size."""
    points = rows * cols
    plies = points * 3 // 2 + 2
    chains = new_chains(rows, cols, plies)
    caught, working = (np.zeros(len(chains.cells), np.int8) for _ in range(2))
    # The attacker has two moves; each of the defender's but one needs a stone in atari and its liberty.
    moves = np.zeros((plies // 2 + 1) * (points // 2 + 3) + points, np.int16)
    first, listed, tried = (np.zeros(plies, np.int32) for _ in range(3))
    return Ladders(chains, caught, working, moves, first, listed, tried)


@jitable
def _liberties(b: Chains, stone: int, out: NDArray[np.int16], begin: int, end: int) -> int:
    """Add liberties of the chain of ``stone`` to those in ``out[begin:end]``; return the new end."""
    stride = b.dims[COLS] + 1
    unlisted = b.liberties[b.head[stone]]
    cell = stone
    while True:
        for direction in range(4):
            near = neighbour(cell, direction, stride)
            if b.cells[near] == EMPTY:
                listed = False
                for i in range(begin, end):
                    listed = listed or out[i] == near
                if not listed:
                    out[end] = near
                    end += 1
                    unlisted -= 1
                    if unlisted == 0:
                        return end
        cell = b.next[cell]
        if cell == stone:
            return end


@jitable
def _captures(b: Chains, stone: int, out: NDArray[np.int16], begin: int) -> int:
    """Write the moves that capture chains next to that of ``stone`` to ``out[begin:]``; return the end."""
    stride = b.dims[COLS] + 1
    enemy = 3 - b.cells[stone]
    end = begin
    cell = stone
    while True:
        for direction in range(4):
            near = neighbour(cell, direction, stride)
            if b.cells[near] == enemy and b.liberties[b.head[near]] == 1:
                end = _liberties(b, near, out, begin, end)
        cell = b.next[cell]
        if cell == stone:
            return end


@jitable
def _least_liberties(b: Chains, cell: int, colour: int, attack: int) -> int:
    """Liberties that a stone of ``colour`` at ``cell`` has at least, also after a move of the other at ``attack``."""
    stride = b.dims[COLS] + 1
    room, captures, most = 0, 0, 0
    for direction in range(4):
        near = neighbour(cell, direction, stride)
        stone = b.cells[near]
        if stone == EMPTY:
            room += int(near != attack)
        elif stone != OUTSIDE:
            liberties = b.liberties[b.head[near]]
            if stone != colour:
                captures += int(liberties == 1 and attack == NOWHERE)  # an attack that captures may free it
            elif liberties - 1 > most:
                if attack != NOWHERE and touches(b, attack, b.head[near], colour):
                    liberties -= 1
                most = max(most, liberties - 1)
    return captures + max(room, most)


@jitable
def _most_liberties(b: Chains, cell: int, colour: int) -> int:
    """Liberties that a stone of ``colour`` at ``cell`` has at most."""
    stride = b.dims[COLS] + 1
    count = 0
    for direction in range(4):
        near = neighbour(cell, direction, stride)
        stone = b.cells[near]
        if stone == EMPTY:
            count += 1
        elif stone == colour:
            count += b.liberties[b.head[near]] - 1
        elif stone != OUTSIDE and b.liberties[b.head[near]] == 1:
            count += b.size[b.head[near]]
    return count


@jitable
def _takes_ko(b: Chains, cell: int, colour: int) -> bool:
    """Whether a stone of ``colour`` at ``cell``, with other stones or the edge all round, would capture one stone."""
    stride = b.dims[COLS] + 1
    captured = 0
    for direction in range(4):
        near = neighbour(cell, direction, stride)
        stone = b.cells[near]
        if stone in (EMPTY, colour):
            return False
        if stone != OUTSIDE and b.liberties[b.head[near]] == 1:
            captured += 1 if b.size[b.head[near]] == 1 else 2
    return captured == 1


@jitable
def _connects_little(s: Ladders, cell: int, colour: int, place: int) -> bool:
    """Whether a stone of ``colour`` at ``cell``, next to no empty cell, has at most two liberties."""
    b = s.chains
    stride = b.dims[COLS] + 1
    end = place
    for direction in range(4):
        near = neighbour(cell, direction, stride)
        if b.cells[near] == colour:
            if b.liberties[b.head[near]] > 3:
                return False
            end = _liberties(b, near, s.moves, place, end)
    return end - place <= 3  # the cell itself is one of them


@jitable
def _contacts(b: Chains, cell: int, colour: int) -> int:
    """The promise of an attack at ``cell``: the liberties the defender would gain there."""
    stride = b.dims[COLS] + 1
    promise = 2 * empty_neighbours(b, cell)
    for direction in range(4):
        near = neighbour(cell, direction, stride)
        if b.cells[near] == colour and b.liberties[b.head[near]] > 1:
            promise += 2 * b.liberties[b.head[near]] - 3
    return promise


@jitable
def _begin_defence(s: Ladders, ply: int, prey: int, last: int) -> int:
    """The result for the defender, to move with ``last`` his only liberty; _OPEN: his moves are listed."""
    b = s.chains
    if b.dims[KO] != NOWHERE:
        return _ESCAPED
    colour = b.cells[prey]
    if _least_liberties(b, last, colour, NOWHERE) >= 3:
        return _ESCAPED
    begin = s.first[ply]
    end = _captures(b, prey, s.moves, begin)
    if end == begin and _most_liberties(b, last, colour) <= 1:
        return _CAUGHT
    listed = False
    for i in range(begin, end):
        listed = listed or s.moves[i] == last
    if not listed:
        s.moves[end] = last
        end += 1
    s.listed[ply] = end - begin
    return _OPEN


@jitable
def _is_double_ko(s: Ladders, ply: int, prey: int) -> bool:
    """Whether both liberties are kos that do not save the chain."""
    b = s.chains
    colour = b.cells[prey]
    begin = s.first[ply]
    for i in range(2):
        if not _takes_ko(b, s.moves[begin + i], 3 - colour):
            return False
    for i in range(2):
        if not _connects_little(s, s.moves[begin + i], colour, begin + 2):
            return False
    return bool(_captures(b, prey, s.moves, begin + 2) == begin + 2)


@jitable
def _begin_attack(s: Ladders, ply: int, prey: int, played: int) -> int:
    """The result for the attacker, to move after ``played``; _OPEN: his moves are listed.

    Both liberties of the chain are there, also when only the first is a move.
    """
    b = s.chains
    liberties = b.liberties[b.head[prey]]
    if liberties != 2:
        return _CAUGHT if liberties < 2 else _ESCAPED
    begin = s.first[ply]
    moves = s.moves
    _liberties(b, played if b.head[played] == b.head[prey] else prey, moves, begin, begin)
    first, second = int(moves[begin]), int(moves[begin + 1])
    room_one, room_two = empty_neighbours(b, first), empty_neighbours(b, second)
    if room_one == 0 and room_two == 0 and _is_double_ko(s, ply, prey):
        return _CAUGHT
    s.listed[ply] = 2
    if abs(first - second) != 1 and abs(first - second) != b.dims[COLS] + 1:
        if room_one >= 3 and room_two >= 3:
            return _ESCAPED
        if room_one >= 3 or room_two >= 3:
            s.listed[ply] = 1
    colour = b.cells[prey]
    if (room_two >= 3 and s.listed[ply] == 1) or (
        s.listed[ply] == 2 and _contacts(b, second, colour) > _contacts(b, first, colour)
    ):
        moves[begin], moves[begin + 1] = second, first
    return _OPEN


@jit
def _search(s: Ladders, prey: int, attack: int, last: int) -> bool:
    """Whether the chain of stone ``prey`` is caught by a move at ``attack`` that leaves it the liberty ``last``.

    NOWHERE as ``attack``: it has but that one, and the defender is to move.
    """
    b = s.chains
    colour = int(b.cells[prey])
    ko, bottom = b.dims[KO], b.dims[MOVES]
    if attack != NOWHERE:
        if not is_legal(b, attack, 3 - colour) or _least_liberties(b, last, colour, attack) >= 3:
            return False
        play(b, attack, 3 - colour)
    b.dims[KO] = NOWHERE
    plies = b.dims[ROWS] * b.dims[COLS] * 3 // 2
    s.first[0] = 0
    ply, played, budget, result = 0, NOWHERE, _BUDGET, _OPEN
    while ply >= 0 and budget > 0:
        defends = ply & 1 == 0
        if ply >= plies:
            result = _CAUGHT
        elif defends:
            result = _begin_defence(s, ply, prey, last)
        else:
            result = _begin_attack(s, ply, prey, played)
        s.tried[ply] = 0
        entered = False
        while ply >= 0 and not entered:
            if result == _OPEN and s.tried[ply] == s.listed[ply]:
                result = _CAUGHT if defends else _ESCAPED
            if result != _OPEN:
                ply -= 1
                if ply >= 0:
                    take_back(b)
                    defends = not defends
                    if result == (_CAUGHT if defends else _ESCAPED):
                        result = _OPEN
                continue
            move = s.first[ply] + s.tried[ply]
            played = int(s.moves[move])
            s.tried[ply] += 1
            if not is_legal(b, played, colour if defends else 3 - colour):
                continue
            budget -= 1
            if budget == 0:
                result = _ESCAPED
                break
            if not defends:
                last = int(s.moves[2 * s.first[ply] + 1 - move])
                if _least_liberties(b, last, colour, played) >= 3:
                    continue
            play(b, played, colour if defends else 3 - colour)
            s.first[ply + 1] = s.first[ply] + max(s.listed[ply], 2)
            ply += 1
            entered = True
    while b.dims[MOVES] > bottom:
        take_back(b)
    b.dims[KO] = ko
    return bool(result == _CAUGHT)


@jit
def find_ladders(s: Ladders, all_moves: bool) -> None:
    """Find on the board of ``s`` the chains that are caught and, with ``all_moves``, every move that catches them.

    The attacker is to move where a chain has two liberties.
    """
    b = s.chains
    for cell in range(len(b.cells)):
        s.caught[cell] = 0
        s.working[cell] = 0
    for cell in range(len(b.cells)):
        colour = b.cells[cell]
        if colour in (EMPTY, OUTSIDE) or b.head[cell] != cell or b.liberties[cell] > 2:
            continue
        count = _liberties(b, cell, s.moves, 0, 0)
        first, second = int(s.moves[0]), int(s.moves[1])
        caught = False
        for number in range(count):
            attack, last = (second, first) if number == 1 else (first, second) if count == 2 else (NOWHERE, first)
            if (all_moves or not caught) and _search(s, cell, attack, last):
                caught = True
                if count == 2:
                    s.working[attack] |= colour
        stone = cell if caught else NOWHERE
        while stone != NOWHERE:
            s.caught[stone] = 1
            stone = int(b.next[stone]) if b.next[stone] != cell else NOWHERE
