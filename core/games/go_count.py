"""Counts a game of Go that both players ended by passing, without the stones that are dead.

Cells are ``row * cols + col``.  With no stone marked dead the count is that of core.games.go_score.
"""

from collections.abc import Collection
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.games.counting import Count, Part
from core.games.go_area import NO_TAX, TAX_ALL
from core.games.go_board import BONUS, KOMI, PASSES, PRISONERS, TAX, TERRITORY
from core.games.go_regions import area_owners, regions
from core.games.go_score import LIVING
from core.games.info import LAST
from core.games.position import Position
from core.text import Text

DEAD: Final = -0.5  # mean ownership of a chain, for its own side, below which it is taken for dead


def is_counted(position: Position) -> bool:
    """Whether passes ended the game, rather than a repetition or its length."""
    state = position.state
    passed = state.info[LAST] == position.game.num_actions - 1
    return position.is_over and bool(passed and state.info[PASSES])


def chains_at(position: Position, cells: Collection[int]) -> frozenset[int]:
    """The stones of the chains that have one on ``cells``."""
    values, named = position.cells().ravel().tolist(), set(cells)
    chains = (chain for chain, _ in regions(values, position.game.shape) if values[chain[0]])
    return frozenset(cell for chain in chains if not named.isdisjoint(chain) for cell in chain)


def dead_stones(position: Position, ownership: NDArray[np.floating]) -> frozenset[int]:
    """The cells of chains that are dead by ``ownership`` [H, W]: +1 a point is the first player's, -1 the second's."""
    values, owned = position.cells().ravel().tolist(), ownership.ravel()
    dead: set[int] = set()
    for cells, _ in regions(values, position.game.shape):
        side = 1.0 if values[cells[0]] == 1 else -1.0
        if values[cells[0]] and side * owned[cells].mean() < DEAD:
            dead.update(cells)
    return frozenset(dead)


def count(handicap: int, position: Position, dead: Collection[int]) -> Count:
    """Count ``position`` without the stones on the cells ``dead``.

    ``handicap``: as in ``core.games.go.RuleSet``.
    """
    state, shape = position.state, position.game.shape
    territory, tax = bool(state.dims[TERRITORY]), int(state.dims[TAX])
    before = position.cells().ravel().tolist()
    stones = [0 if cell in dead else stone for cell, stone in enumerate(before)]
    owners, first = area_owners(stones, shape)
    empty, alive, groups = [0, 0], [stones.count(1), stones.count(2)], [0, 0]
    seki: set[int] = set()
    atari = _in_atari(stones, shape) if tax != NO_TAX else set()
    for cells, beside in regions(owners, shape):
        owner = owners[cells[0]]
        if not owner:
            continue
        points = [cell for cell in cells if not stones[cell]]
        eyes = sum(cell in first for cell in points)
        lives = territory and (eyes > 1 or len(points) >= LIVING)
        is_open = any(not owners[cell] for cell in beside) or not atari.isdisjoint(cells)
        if tax != NO_TAX and is_open and not lives:
            seki.update(cells)
        else:
            empty[owner - 1] += len(points)
            groups[owner - 1] += 1
    parts = [Part(Text("territory"), (empty[0], empty[1]))]
    if territory:
        taken = state.info[PRISONERS : PRISONERS + 2].tolist()
        lost = [sum(before[cell] == stone for cell in dead) for stone in (1, 2)]
        parts.append(Part(Text("prisoners"), (taken[0] + lost[1], taken[1] + lost[0])))
    else:
        parts.append(Part(Text("stones"), (alive[0], alive[1])))
    if tax == TAX_ALL:
        parts.append(Part(Text("tax"), (-2 * groups[0], -2 * groups[1])))
    parts.append(Part(Text("komi"), (0, state.dims[KOMI] / 2)))
    start = position.start.cells()
    handicap_given = handicap_points(handicap, int((start == 1).sum()), int((start == 2).sum()))
    parts.append(Part(Text("handicap"), (0, handicap_given)))
    button = state.info[BONUS] / 2 + handicap_given
    parts.append(Part(Text("button"), (max(0.0, button), max(0.0, -button))))
    shown = tuple(part for part in parts if any(part.points) or part.title in ("territory", "stones", "prisoners"))
    points = [0 if cell in seki and not stones[cell] else owner for cell, owner in enumerate(owners)]
    return Count(
        owners=np.array(points, np.int8).reshape(shape),
        dead=frozenset(dead),
        seki=frozenset(cell for cell in seki if stones[cell]),
        parts=shown,
    )


def handicap_points(handicap: int, blacks: int, whites: int) -> int:
    """White's points for the stones that black was given."""
    return blacks - handicap + 1 if handicap and blacks >= 2 and not whites else 0


def _in_atari(stones: list[int], shape: tuple[int, int]) -> set[int]:
    """The cells of chains with one liberty."""
    in_atari: set[int] = set()
    for cells, beside in regions(stones, shape):
        if stones[cells[0]] and sum(not stones[cell] for cell in beside) == 1:
            in_atari.update(cells)
    return in_atari
