"""Areas on a Go board: pass-alive chains, the area that KataGo counts, group tax, Tromp-Taylor.

Chains that live without an answer are found as by Benson ("Life in the game of Go", 1976).  A region of a colour is a
component of the points without its stones; it is vital to a chain when every empty point of it lies next to the chain,
and with suicide every point.  Chains without two vital regions are dropped, and regions beside them count no longer,
until nothing changes.  KataGo's area then is what these chains hold and, where nothing is held, the empty regions that
one colour surrounds and the stones themselves.  Stones that are dead inside an area so held belong to its owner, which
is where plain Tromp-Taylor differs.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._jit import jit, jitable
from core.games.go_chains import BLACK, COLS, EMPTY, OUTSIDE, WHITE, Chains, neighbour, touches

# What belongs to the area of a colour, each with what stands before it.
# 0: pass-alive chains, and regions of theirs with at most one point that lies next to none of them.
SAFE_REGIONS: Final = 1  # empty regions that pass-alive chains surround
EMPTY_REGIONS: Final = 2  # empty regions that any chains surround
STONES: Final = 3  # all other stones: the whole area

# What stays in the area of a group that has no life of its own.
KEEP_TERRITORY: Final = 1
KEEP_STONES: Final = 2

# The group tax of a set of rules.
NO_TAX: Final = 0
TAX_SEKI: Final = 1  # no points for territory in seki
TAX_ALL: Final = 2  # nor for two points of each living group


class Areas(NamedTuple):
    """The area and what finds it.  N cells as in Chains, R regions."""

    area: NDArray[np.int8]  # [N]: EMPTY or the owner
    region: NDArray[np.int16]  # [N]: of a cell in a region its number, else -1
    cells: NDArray[np.int16]  # [N]: the cells of all regions, one region after the other
    first: NDArray[np.int16]  # [R + 1]: where the cells of a region begin
    vital: NDArray[np.int16]  # [R, 5]: how many chains a region is vital to, and their heads
    inner: NDArray[np.int8]  # [R]: points of a region next to none of its colour's stones; 2 stands for more
    enemies: NDArray[np.int8]  # [R]: 1 when it has stones of the other colour
    doubtful: NDArray[np.int8]  # [R]: 1 when a chain beside it is not pass-alive
    eyes: NDArray[np.int16]  # [N]: of a head, how many regions are vital to its chain; -1 when it is not pass-alive


def new_areas(rows: int, cols: int) -> Areas:
    """Scratch for boards of this size."""
    cells, regions = (rows + 2) * (cols + 1) + 1, rows * cols // 2 + 2
    inner, enemies, doubtful = (np.zeros(regions, np.int8) for _ in range(3))
    region, listed, eyes = (np.zeros(cells, np.int16) for _ in range(3))
    first, vital = np.zeros(regions + 1, np.int16), np.zeros((regions, 5), np.int16)
    return Areas(np.zeros(cells, np.int8), region, listed, first, vital, inner, enemies, doubtful, eyes)


@jitable
def _begin_region(b: Chains, s: Areas, number: int, cell: int, colour: int) -> None:
    """A new region with one empty cell, which may be vital to the chains there."""
    stride = b.dims[COLS] + 1
    s.region[cell] = number
    s.cells[s.first[number]] = cell
    s.inner[number], s.enemies[number], s.doubtful[number] = 0, 0, 0
    count = 0
    for direction in range(4):
        near = neighbour(cell, direction, stride)
        if b.cells[near] == colour:
            listed = False
            for i in range(count):
                listed = listed or s.vital[number, 1 + i] == b.head[near]
            if not listed:
                count += 1
                s.vital[number, count] = b.head[near]
    s.vital[number, 0] = count


@jitable
def _keep_vital(b: Chains, s: Areas, number: int, cell: int, colour: int) -> None:
    """Drop the chains that do not touch ``cell`` from those the region is vital to."""
    count = 0
    for i in range(1, s.vital[number, 0] + 1):
        chain = s.vital[number, i]
        if touches(b, cell, chain, colour):
            count += 1
            s.vital[number, count] = chain
    s.vital[number, 0] = count


@jitable
def _find_regions(b: Chains, s: Areas, colour: int, suicide: bool) -> int:
    """Find the regions of a colour; return their number."""
    stride = b.dims[COLS] + 1
    cells = b.cells
    for cell in range(len(cells)):
        s.region[cell] = -1
    count, end = 0, 0
    for start in range(len(cells)):
        if cells[start] != EMPTY or s.region[start] >= 0:
            continue
        s.first[count] = end
        _begin_region(b, s, count, start, colour)
        at = end
        end += 1
        while at < end:
            cell = int(s.cells[at])
            at += 1
            if suicide or cells[cell] == EMPTY:
                _keep_vital(b, s, count, cell, colour)
            if cells[cell] != EMPTY:
                s.enemies[count] = 1
            alone = True
            for direction in range(4):
                near = neighbour(cell, direction, stride)
                if cells[near] == colour:
                    alone = False
                elif cells[near] != OUTSIDE and s.region[near] < 0:
                    s.region[near] = count
                    s.cells[end] = near
                    end += 1
            if alone and s.inner[count] < 2:
                s.inner[count] += 1
        count += 1
    s.first[count] = end
    return count


@jitable
def _drop(b: Chains, s: Areas, chain: int) -> None:
    """Take a chain for not pass-alive: the regions beside it are vital no longer."""
    stride = b.dims[COLS] + 1
    s.eyes[chain] = -1
    stone = chain
    while True:
        for direction in range(4):
            region = s.region[neighbour(stone, direction, stride)]
            if region >= 0 and s.doubtful[region] == 0:
                s.doubtful[region] = 1
                for i in range(1, s.vital[region, 0] + 1):
                    if s.eyes[s.vital[region, i]] > 0:
                        s.eyes[s.vital[region, i]] -= 1
        stone = int(b.next[stone])
        if stone == chain:
            return


@jitable
def _find_alive(b: Chains, s: Areas, colour: int, regions: int) -> bool:
    """Find the pass-alive chains of a colour, which keep ``eyes`` of 2 and more; False when it has no stone."""
    has_stones = False
    for cell in range(len(b.cells)):
        s.eyes[cell] = 0
    for region in range(regions):
        for i in range(1, s.vital[region, 0] + 1):
            s.eyes[s.vital[region, i]] += 1
    changed = True
    while changed:
        changed = False
        for cell in range(len(b.cells)):
            if b.cells[cell] == colour and b.head[cell] == cell:
                has_stones = True
                if s.eyes[cell] == 0 or s.eyes[cell] == 1:
                    _drop(b, s, cell)
                    changed = True
    return has_stones


@jitable
def _claim(b: Chains, s: Areas, colour: int, regions: int, upto: int) -> None:
    """Write the area of a colour, whose regions and pass-alive chains were found."""
    for cell in range(len(b.cells)):
        if b.cells[cell] == colour and s.eyes[b.head[cell]] > 0:
            s.area[cell] = colour
    for region in range(regions):
        empty = s.enemies[region] == 0
        certain = s.doubtful[region] == 0 and (s.inner[region] <= 1 or (empty and upto >= SAFE_REGIONS))
        if certain or (empty and upto >= EMPTY_REGIONS):
            for i in range(s.first[region], s.first[region + 1]):
                cell = s.cells[i]
                if certain or s.area[cell] == EMPTY:
                    s.area[cell] = colour


@jit
def find_area(b: Chains, s: Areas, upto: int, suicide: bool) -> None:
    """Write the areas of both colours to ``s.area``; ``upto`` is 0, SAFE_REGIONS, EMPTY_REGIONS or STONES."""
    for cell in range(len(b.cells)):
        s.area[cell] = EMPTY
    for colour in range(BLACK, WHITE + 1):
        regions = _find_regions(b, s, colour, suicide)
        if _find_alive(b, s, colour, regions):
            _claim(b, s, colour, regions, upto)
    if upto >= STONES:
        for cell in range(len(b.cells)):
            if s.area[cell] == EMPTY and b.cells[cell] != OUTSIDE:
                s.area[cell] = b.cells[cell]


@jitable
def _touches_neutral(b: Chains, s: Areas, cell: int) -> bool:
    """Whether an empty cell that nobody owns lies next to ``cell``."""
    stride = b.dims[COLS] + 1
    for direction in range(4):
        near = neighbour(cell, direction, stride)
        if b.cells[near] == EMPTY and s.area[near] == EMPTY:
            return True
    return False


@jit
def tax_groups(b: Chains, s: Areas, keep: int) -> int:
    """Take from the whole area the groups that are in seki; return how many more groups remain to white than to black.

    A group is a component of one owner's area; it is in seki when a stone of its owner is in atari or it touches a
    neutral point.  ``keep`` is what it keeps: 0 or the sum of KEEP_TERRITORY and KEEP_STONES.
    """
    stride = b.dims[COLS] + 1
    for cell in range(len(b.cells)):
        s.region[cell] = -1
    difference, seki = 0, 0
    for start in range(len(b.cells)):
        owner = s.area[start]
        if owner == EMPTY or s.region[start] >= 0:
            continue
        # The groups in seki are listed in s.cells one after the other.
        begin = seki
        at, end = begin, begin + 1
        s.cells[begin], s.region[start] = start, 0
        alive = True
        while at < end:
            cell = int(s.cells[at])
            at += 1
            if (b.cells[cell] == owner and b.liberties[b.head[cell]] == 1) or _touches_neutral(b, s, cell):
                alive = False
            for direction in range(4):
                near = neighbour(cell, direction, stride)
                if s.area[near] == owner and s.region[near] < 0:
                    s.region[near] = 0
                    s.cells[end] = near
                    end += 1
        if alive:
            difference += 1 if owner == WHITE else -1
        else:
            seki = end
    for i in range(seki):
        cell = s.cells[i]
        if keep & (KEEP_STONES if b.cells[cell] == s.area[cell] else KEEP_TERRITORY) == 0:
            s.area[cell] = EMPTY
    return difference


@jitable
def count_area(s: Areas) -> int:
    """Points of white's area less those of black's."""
    difference = 0
    for cell in range(len(s.area)):
        if s.area[cell] != EMPTY:
            difference += 1 if s.area[cell] == WHITE else -1
    return difference


@jitable
def area_score(b: Chains, s: Areas, tax: int, suicide: bool) -> int:
    """White's points less black's without komi, under NO_TAX, TAX_SEKI or TAX_ALL; leaves the area in ``s``."""
    find_area(b, s, STONES, suicide)
    if tax == NO_TAX:
        return count_area(s)
    groups = tax_groups(b, s, KEEP_STONES)
    return count_area(s) - (2 * groups if tax == TAX_ALL else 0)
