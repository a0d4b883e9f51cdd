"""What SGF nodes set up: stones, and whose turn it is."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np

from core.files.record_setup import Setup
from core.files.sgf_points import BadPoint, point, read_action, read_cells
from core.files.sgf_text import SgfNode, SgfTree
from core.games import GameSpec
from core.games.walk import Walk
from core.text import Text, text_of

COLOURS: Final = ("B", "W")
STONES: Final = {"AB": 1, "AW": 2, "AE": 0}
SETUP: Final = (*STONES, "PL")

Properties = Mapping[str, Sequence[str]]
Report = Callable[[str], None]


def read_stones(node: Properties, game: GameSpec, report: Report) -> dict[int, int]:
    """Cell -> 0, 1 or 2 for what a node places and takes away."""
    stones: dict[int, int] = {}
    for ident in (ident for ident in node if ident in STONES):  # a later one counts where two name a cell
        for raw in node[ident]:
            try:
                stones.update(dict.fromkeys(_cells(raw, game), STONES[ident]))
            except BadPoint as error:
                report(Text("{name}: {error}", name=ident, error=text_of(error)))
    return stones


def _cells(raw: str, game: GameSpec) -> tuple[int, ...]:
    """The cells of a point or rectangle; also of a name such as ``e4``, as edax writes them."""
    try:
        return read_cells(raw, game.shape)
    except BadPoint:
        if not game.moves_are_cells or raw.strip().lower() not in game.action_names[: game.num_cells]:
            raise
        return (game.action_names.index(raw.strip().lower()),)


def read_mover(node: Properties, report: Report) -> int | None:
    """The player to move that a node names."""
    if "PL" not in node:
        return None
    word = node["PL"][0].strip().upper()[:1]
    if word in COLOURS:
        return COLOURS.index(word)
    report(Text("PL[{word}] names no player, which is B or W", word=node["PL"][0][:20]))
    return None


def first_movers(tree: SgfTree) -> list[int | None]:
    """Of each node the player of the first move in it or, by first children, below it."""
    found: list[int | None] = [None] * len(tree)
    for raw in range(len(tree) - 1, -1, -1):
        node = tree[raw]
        here = [player for player, ident in enumerate(COLOURS) if ident in node.properties]
        found[raw] = here[0] if here else found[node.children[0]] if node.children else None
    return found


def has_move(node: Properties) -> bool:
    """Whether a node has a move."""
    return any(ident in node for ident in COLOURS)


def is_done_by_move(node: Properties, stones: Mapping[int, int], walk: Walk, width: int) -> bool:
    """Whether a node's move alone makes what the node sets up besides, as when captured stones are taken off again."""
    after = walk.copy()
    try:
        for ident in (ident for ident in node if ident in COLOURS):
            action = read_action(node[ident][0], after, width, lambda _: None)
            if after.to_move != COLOURS.index(ident) or not after.allows(action):
                return False
            after.play(action)
    except BadPoint:
        return False
    cells = after.cells().ravel()
    return all(cells[cell] == stone for cell, stone in stones.items())


def split(tree: SgfTree, raw: int) -> None:
    """Move the move of a node, and what else the node says, to a new one below it."""
    node = tree[raw]
    rest = {ident: node.properties.pop(ident) for ident in [*node.properties] if ident not in SETUP}
    tree.append(SgfNode(raw, rest, node.children))
    node.children = [len(tree) - 1]


def setup_for(
    game: GameSpec, stones: Mapping[int, int], stated: int | None, usual: int | None, walk: Walk
) -> tuple[Setup, Walk]:
    """The change of the board of ``walk`` by ``stones``, and the game there; ValueError when there is none.

    ``stated``: the player to move; else the stones tell, ``usual`` does, or it stays as it was.
    """
    if stated is None and not game.stones_alternate:
        stated = walk.to_move if usual is None else usual
    change = Setup.of(stones, game.num_cells, 0)
    position = game.set_up(change.board(walk.cells()), stated)
    return change._replace(to_move=position.to_move), Walk.of(position)


def setup_properties(setup: Setup, width: int) -> dict[str, list[str]]:
    """The properties of a node that sets up stones on a board of that width."""
    found: dict[str, list[str]] = {}
    stones = np.frombuffer(setup.cells, np.int8)
    for ident, stone in STONES.items():
        if points := [point(cell, width) for cell in np.flatnonzero(stones == stone).tolist()]:
            found[ident] = points
    found["PL"] = [COLOURS[setup.to_move]]
    return found
