"""What a player sees on a Go board: chains with their liberties and ladders, whose each point is.  Knows no search."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.games.go_area import SAFE_REGIONS, find_area, new_areas
from core.games.go_board import COLS, KO, ROWS, SUICIDE, GoState, action_of
from core.games.go_chains import BLACK, EMPTY, WHITE, Chains, cell_of, new_chains, point_of, set_stones
from core.games.go_ladder import find_ladders, new_ladders
from core.games.spec import Chain

HELD: Final = 2  # added to the owner of a point that is held whatever the other side plays


def _stones(state: GoState) -> NDArray[np.int8]:
    rows, cols = int(state.dims[ROWS]), int(state.dims[COLS])
    return state.cells[:-1].reshape(rows + 2, cols + 1)[1:-1, 1:].ravel().copy()


def _set_up(b: Chains, state: GoState) -> Chains:
    ko = int(state.info[KO])
    set_stones(b, _stones(state), -1 if ko == 0 else action_of(state, ko))
    return b


def _around(cell: int, rows: int, cols: int) -> list[int]:
    row, col = divmod(cell, cols)
    beside = ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1))
    return [r * cols + c for r, c in beside if 0 <= r < rows and 0 <= c < cols]


def _grouped(stones: NDArray[np.int8], rows: int, cols: int) -> list[tuple[list[int], set[int]]]:
    """Connected points of one colour or none: each group's points, and those of other colours beside it."""
    cells = stones.tolist()
    groups, done = [], [False] * len(cells)
    for start in range(len(cells)):
        if done[start]:
            continue
        group, beside = [start], set()
        done[start] = True
        for cell in group:
            for other in _around(cell, rows, cols):
                if cells[other] != cells[start]:
                    beside.add(other)
                elif not done[other]:
                    done[other] = True
                    group.append(other)
        groups.append((group, beside))
    return groups


def chains(state: GoState) -> tuple[Chain, ...]:
    """All chains, by their first point; ladders as ``core.games.go_ladder`` reads them."""
    rows, cols = int(state.dims[ROWS]), int(state.dims[COLS])
    stones = _stones(state)
    ladders = new_ladders(rows, cols)
    b = _set_up(ladders.chains, state)
    find_ladders(ladders, True)
    found = []
    for group, beside in _grouped(stones, rows, cols):
        colour = int(stones[group[0]])
        if colour == EMPTY:
            continue
        liberties = tuple(sorted(cell for cell in beside if stones[cell] == EMPTY))
        caught = ladders.caught[cell_of(b, group[0])] != 0
        catches = tuple(
            c for c in liberties if caught and len(liberties) == 2 and ladders.working[cell_of(b, c)] & colour
        )
        found.append(Chain(colour - 1, tuple(sorted(group)), liberties, bool(caught), catches))
    return tuple(found)


def area(state: GoState) -> NDArray[np.int8]:
    """As ``Board.area``: stones, empty regions beside one colour alone, and what pass-alive chains hold."""
    rows, cols = int(state.dims[ROWS]), int(state.dims[COLS])
    stones = _stones(state)
    owners = stones.copy()
    for group, beside in _grouped(stones, rows, cols):
        colours = {int(stones[cell]) for cell in beside}
        if stones[group[0]] == EMPTY and len(colours) == 1:
            owners[group] = colours.pop()
    b, areas = _set_up(new_chains(rows, cols), state), new_areas(rows, cols)
    find_area(b, areas, SAFE_REGIONS, bool(state.dims[SUICIDE]))
    for cell in np.flatnonzero((areas.area == BLACK) | (areas.area == WHITE)).tolist():
        owners[point_of(b, cell)] = areas.area[cell] + HELD
    return owners.reshape(rows, cols)
