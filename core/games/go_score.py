"""The score of a Go board on which every stone is alive, with group tax, as a kernel.

Owners are kept for a moment in the cells themselves, above the stone that is there.

A group, which is a component of one owner's points, is in seki when it touches a point that nobody owns or has a stone
in atari, as KataGo defines it.  There players fill neutral points after two passes before territory is counted; here
they may be left, so that where territory is counted a group with two eyes, or with LIVING points, is not in seki.
"""

from typing import Final

from core._jit import jit, jitable
from core.games.go_area import NO_TAX, TAX_ALL
from core.games.go_board import (
    BONUS,
    BORDER,
    COLS,
    KOMI,
    PLAYED,
    STONE,
    TAX,
    TERRITORY,
    GoState,
    last_liberty,
)

OWNER: Final = 2  # bits below the owner of a point
_REGION: Final = 16  # an empty point whose region was found
_GROUP: Final = 32  # a point whose group was found
_FIRST: Final = 64  # one point of each empty region

LIVING: Final = 7  # empty points in which the other side cannot prevent two eyes


@jitable
def find_owners(state: GoState) -> None:
    """Write the owner of each point above OWNER in its cell: a stone's colour, and the only colour that an empty region
    touches.  ``cells &= STONE`` undoes it."""
    cells, queue = state.cells, state.scratch
    for start in range(len(cells)):
        if cells[start] == BORDER or cells[start] & _REGION != 0:
            continue
        if cells[start] != 0:
            cells[start] |= cells[start] << OWNER
            continue
        cells[start] = _REGION | _FIRST
        queue[0] = start
        reached, done, touched = 1, 0, 0
        while done < reached:
            point = int(queue[done])
            done += 1
            by, across = 1, int(state.dims[COLS]) + 1
            for _ in range(4):
                near = point + by
                if cells[near] == 0:
                    cells[near] = _REGION
                    queue[reached] = near
                    reached += 1
                elif cells[near] != BORDER:
                    touched |= int(cells[near] & STONE)
                by, across = across, -by
        if touched in (1, 2):
            for i in range(reached):
                cells[queue[i]] |= touched << OWNER


@jitable
def _is_open(state: GoState, point: int) -> bool:
    """Whether a point has a stone in atari or lies next to a point that nobody owns."""
    cells = state.cells
    if cells[point] & STONE != 0 and last_liberty(state, int(state.chain[point])) != 0:
        return True
    by, across = 1, int(state.dims[COLS]) + 1
    for _ in range(4):
        if cells[point + by] & ~_FIRST == _REGION:
            return True
        by, across = across, -by
    return False


@jitable
def _group(state: GoState, start: int) -> int:
    """The points of the group at ``start`` less its tax."""
    cells, queue = state.cells, state.scratch
    owner = cells[start] >> OWNER & STONE
    cells[start] |= _GROUP
    queue[0] = start
    reached, done, stones, eyes, seki = 1, 0, 0, 0, False
    while done < reached:
        point = int(queue[done])
        done += 1
        stones += cells[point] & STONE != 0
        eyes += cells[point] & _FIRST != 0
        seki = seki or _is_open(state, point)
        by, across = 1, int(state.dims[COLS]) + 1
        for _ in range(4):
            near = point + by
            if cells[near] & _GROUP == 0 and cells[near] >> OWNER & STONE == owner:
                cells[near] |= _GROUP
                queue[reached] = near
                reached += 1
            by, across = across, -by
    if seki and (state.dims[TERRITORY] == 0 or (eyes < 2 and reached - stones < LIVING)):
        return int(stones)
    return int(reached - 2 if state.dims[TAX] == TAX_ALL else reached)


@jit
def margin_of(state: GoState) -> int:
    """Black's points less white's with komi and bonus, in halves; every stone on the board is alive.

    Territory and prisoners are the area less the stones that were played.
    """
    cells, dims = state.cells, state.dims
    find_owners(state)
    ahead = 0
    for point in range(len(cells)):
        owner = cells[point] >> OWNER & STONE
        if owner != 0 and cells[point] & _GROUP == 0:
            points = 1 if dims[TAX] == NO_TAX else _group(state, point)
            ahead += points if owner == 1 else -points
    for point in range(len(cells)):
        cells[point] &= STONE
    if dims[TERRITORY] != 0:
        ahead -= state.info[PLAYED]
    return int(2 * ahead - dims[KOMI] + state.info[BONUS])
