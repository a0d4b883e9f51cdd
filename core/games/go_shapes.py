"""What a player sees on a Go board: chains with their liberties and ladders, whose each point is."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.games.go_area import SAFE_REGIONS, find_area, new_areas
from core.games.go_board import COLS, KO, ROWS, SUICIDE, GoState, action_of
from core.games.go_chains import BLACK, EMPTY, WHITE, Chains, cell_of, new_chains, point_of, set_stones
from core.games.go_ladder import find_ladders, new_ladders
from core.games.go_regions import area_owners, regions
from core.games.spec import Chain

HELD: Final = 2  # added to the owner of a point that is held whatever the other side plays


def _stones(state: GoState) -> NDArray[np.int8]:
    rows, cols = int(state.dims[ROWS]), int(state.dims[COLS])
    return state.cells[:-1].reshape(rows + 2, cols + 1)[1:-1, 1:].ravel().copy()


def _set_up(b: Chains, state: GoState) -> Chains:
    ko = int(state.info[KO])
    set_stones(b, _stones(state), -1 if ko == 0 else action_of(state, ko))
    return b


def chains(state: GoState) -> tuple[Chain, ...]:
    """All chains, by their first point; ladders as ``core.games.go_ladder`` reads them."""
    rows, cols = int(state.dims[ROWS]), int(state.dims[COLS])
    stones = _stones(state)
    ladders = new_ladders(rows, cols)
    b = _set_up(ladders.chains, state)
    find_ladders(ladders, True)
    shapes = []
    for group, beside in regions(stones.tolist(), (rows, cols)):
        colour = int(stones[group[0]])
        if colour == EMPTY:
            continue
        liberties = tuple(sorted(cell for cell in beside if stones[cell] == EMPTY))
        caught = ladders.caught[cell_of(b, group[0])] != 0
        catches = tuple(
            c for c in liberties if caught and len(liberties) == 2 and ladders.working[cell_of(b, c)] & colour
        )
        shapes.append(Chain(colour - 1, tuple(sorted(group)), liberties, bool(caught), catches))
    return tuple(shapes)


def area(state: GoState) -> NDArray[np.int8]:
    """As ``Board.area``: stones, empty regions beside one colour alone, and what pass-alive chains hold."""
    rows, cols = int(state.dims[ROWS]), int(state.dims[COLS])
    stones = _stones(state)
    owners = np.array(area_owners(stones.tolist(), (rows, cols))[0], np.int8)
    b, areas = _set_up(new_chains(rows, cols), state), new_areas(rows, cols)
    find_area(b, areas, SAFE_REGIONS, bool(state.dims[SUICIDE]))
    for cell in np.flatnonzero((areas.area == BLACK) | (areas.area == WHITE)).tolist():
        owners[point_of(b, cell)] = areas.area[cell] + HELD
    return owners.reshape(rows, cols)
