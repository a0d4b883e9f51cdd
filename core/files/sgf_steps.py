"""Finds which moves of an SGF tree can be played, many in one call."""

from collections.abc import Mapping
from typing import Final

import numpy as np

from core.files.sgf_points import BadPoint, read_action
from core.files.sgf_setup import SETUP
from core.files.sgf_text import SgfTree
from core.games.branching import AFTER_PASS, ILLEGAL, Moves
from core.games.walk import Walk

_NO_MOVE: Final = -1
_SKIPPED: Final = -2  # in a node that needs more than its one move


class Steps:
    """The nodes of a tree whose moves are known to be legal, or that have none and set up nothing."""

    def __init__(self, tree: SgfTree, width: int) -> None:
        self._tree = tree
        self._width = width  # of the file's board
        self._actions: dict[str, int] = {}  # by the values of moves
        self._found: dict[int, tuple[int, ...]] = {}

    def get(self, raw: int) -> tuple[int, ...] | None:
        """The actions of a node, a pass that the file leaves out before its move among them; None when not known."""
        return self._found.get(raw)

    def look_below(self, top: int, walk: Walk) -> None:
        """Try the moves below the node ``top``, where the game is that of ``walk``, which stays there."""
        if walk.game.gravity:  # a point that is not where the disc falls is told of
            return
        tree, found, step = self._tree, self._found, self._step
        of: list[int] = []  # the nodes of the moves
        parents: list[int] = []
        players: list[int] = []
        actions: list[int] = []
        without: list[tuple[int, int]] = []  # nodes without a move, and the move above
        stack = [(child, -1) for child in tree[top].children]
        while stack:
            raw, above = stack.pop()
            while True:
                player, action = step(tree[raw].properties, walk)
                if action == _SKIPPED:
                    break
                if action == _NO_MOVE:
                    without.append((raw, above))
                else:
                    parents.append(above)
                    players.append(player)
                    actions.append(action)
                    above = len(of)
                    of.append(raw)
                children = tree[raw].children
                if len(children) != 1:
                    stack.extend([(child, above) for child in reversed(children)])
                    break
                raw = children[0]
        moves = Moves(np.array(parents, np.int32), np.array(players, np.int8), np.array(actions, np.int16))
        legal = walk.try_moves(moves).tolist() if of else []
        for raw, action, how in zip(of, actions, legal, strict=True):
            if how != ILLEGAL:
                found[raw] = (walk.game.passing, action) if how == AFTER_PASS else (action,)
        for raw, above in without:
            if above < 0 or legal[above] != ILLEGAL:
                found[raw] = ()

    def _step(self, properties: Mapping[str, list[str]], walk: Walk) -> tuple[int, int]:
        """The player and the action of a node; _NO_MOVE, or _SKIPPED."""
        if len(properties) > 1 and not properties.keys().isdisjoint(SETUP):
            return 0, _SKIPPED
        if "B" in properties:
            if "W" in properties:
                return 0, _SKIPPED
            player, raw = 0, properties["B"][0]
        elif "W" in properties:
            player, raw = 1, properties["W"][0]
        else:
            return 0, _NO_MOVE if properties.keys().isdisjoint(SETUP) else _SKIPPED
        action = self._actions.get(raw)
        if action is None:
            try:
                action = read_action(raw, walk, self._width, lambda _: None)
            except BadPoint:
                action = _SKIPPED
            self._actions[raw] = action
        return player, action
