"""Connected points of a Go board, and whose they are by area, in plain Python.

Cells are ``row * cols + col``.
"""

from collections.abc import Sequence
from typing import NamedTuple


class Region(NamedTuple):
    """Connected cells of one value."""

    cells: list[int]
    beside: set[int]
    """The cells of other values next to them."""


def regions(values: Sequence[int], shape: tuple[int, int]) -> list[Region]:
    """The regions of ``values`` by cell, in the order of their first cells."""
    rows, cols = shape
    all_regions: list[Region] = []
    done = [False] * len(values)
    for start, value in enumerate(values):
        if done[start]:
            continue
        region = Region([start], set())
        done[start] = True
        for cell in region.cells:
            row, col = divmod(cell, cols)
            for r, c in ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)):
                near = r * cols + c
                if not (0 <= r < rows and 0 <= c < cols):
                    continue
                if values[near] != value:
                    region.beside.add(near)
                elif not done[near]:
                    done[near] = True
                    region.cells.append(near)
        all_regions.append(region)
    return all_regions


def area_owners(stones: Sequence[int], shape: tuple[int, int]) -> tuple[list[int], set[int]]:
    """The owner of each cell, 0 for nobody, and one cell of each empty region.

    A stone's cell is its player's, an empty region that of the only colour beside it.
    """
    owners, first = list(stones), set()
    for cells, beside in regions(stones, shape):
        if stones[cells[0]]:
            continue
        first.add(cells[0])
        touched = {stones[cell] for cell in beside}
        if len(touched) == 1:
            owner = touched.pop()
            for cell in cells:
                owners[cell] = owner
    return owners, first
