"""The rules of a game of OpenSpiel, stepped in Python: answers about lines of moves.

States of OpenSpiel are kept for the lines last asked about, so that the next move of one costs one step.

Turns alternate in a search.  Where a player of OpenSpiel is to move again the other one waits: a ply of its own with
one legal action, which comes after the game's own.  Player 0 of a search is whoever begins.
"""

import math
import random
import sys
import threading
from array import array
from collections import OrderedDict
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from core.games import openspiel_state as ask
from core.games.dispatch import DRAW, FIRST_WINS, ONGOING, SECOND_WINS
from core.games.openspiel_board import CellBoard, tensor_shape
from core.games.spec import NUM_PLANES
from core.text import Text

_KEPT_BYTES: Final = 96 << 20
_STATE_BYTES: Final = 4000  # about, of a state of OpenSpiel with what Python keeps of it
_KEPT: Final = 40_000  # lines, at most
_OTHER: Final = np.array([0, 2, 1], np.int8)  # the other player's stones
_ITEM: Final = 2  # bytes of an action in a line


class Node:
    """What is known of one line of moves."""

    __slots__ = ("key", "legal", "result", "state", "tensor")

    def __init__(self, state: Any, result: int, legal: Sequence[int]) -> None:
        self.state = state
        """Of OpenSpiel."""
        self.result = result
        self.legal = array("h", legal)
        self.tensor: bytes | None = None
        self.key = 0


class SpielRules:
    """Answers the questions of ``core.games.openspiel_state`` about one game, on any thread.

    ``waits``: whether the game has the action of waiting.  Games end as draws after ``plies``.
    """

    def __init__(self, game: Any, board: CellBoard | None, plies: int, waits: bool) -> None:
        self._game = game
        self._first: int = game.new_initial_state().current_player()
        self._board = board
        tensor = math.prod(tensor_shape(game))
        self._shows = tensor > 0
        self._plies = plies
        self._waits = waits
        self._wait: int = game.num_distinct_actions()
        self._most_nodes = min(_KEPT, _KEPT_BYTES // (4 * tensor + 2 * self._wait + _STATE_BYTES))
        self._nodes: OrderedDict[bytes, Node] = OrderedDict()
        self._lock = threading.Lock()

    def __call__(self, question: int, line: bytes, seed: int) -> tuple[int, bytes]:
        """The answer, and what is to be written."""
        with self._lock:
            node = self._node(line)
            if question == ask.RESULT:
                return node.result, b""
            if question == ask.LEGAL:
                return len(node.legal), node.legal.tobytes()
            if question in (ask.KEY, ask.TENSOR):
                tensor = self._tensor(node, line)
                return (node.key, b"") if question == ask.KEY else (0, tensor)
            if question == ask.PLANES:
                return 0, self._tensor(node, line) if self._board is None else self._planes(self._board, node, line)
            state = node.state.clone()
        return self._play_out(state, array("h", line), random.Random(seed))

    def state(self, line: bytes) -> Any:
        """OpenSpiel's state after a line of moves, a copy."""
        with self._lock:
            return self._node(line).state.clone()

    def cells(self, line: bytes) -> NDArray[np.int8]:
        """The stones after a line of moves; zeros without a board."""
        with self._lock:
            state = self._node(line).state
        return self._stones(self._board, state) if self._board is not None else np.zeros((1, 1), np.int8)

    def _stones(self, board: CellBoard, state: Any) -> NDArray[np.int8]:
        cells = board.cells(state)
        return _OTHER[cells] if self._first else cells

    def _node(self, line: bytes) -> Node:
        node = self._nodes.get(line)
        if node is not None:
            self._nodes.move_to_end(line)
            return node
        above = self._nodes.get(line[:-_ITEM]) if line else None
        if above is not None:
            action = int.from_bytes(line[-_ITEM:], sys.byteorder)
            state = above.state.clone() if action == self._wait else above.state.child(action)
        else:
            state = self._game.new_initial_state()
            for action in array("h", line):
                if action != self._wait:
                    state.apply_action(action)
        node = self._look(state, len(line) // _ITEM)
        self._nodes[line] = node
        if len(self._nodes) > self._most_nodes:
            self._nodes.popitem(last=False)
        return node

    def _look(self, state: Any, ply: int) -> Node:
        """Whether the game is over after so many plies, and the legal actions."""
        if state.is_terminal():
            return Node(state, self._winner(state), ())
        if ply >= self._plies:
            return Node(state, DRAW, ())
        if state.current_player() == (ply & 1) ^ self._first:
            return Node(state, ONGOING, state.legal_actions())
        if not self._waits:
            raise ValueError(Text("in {game} a player moved twice in a row", game=str(self._game)))
        return Node(state, ONGOING, (self._wait,))

    def _tensor(self, node: Node, line: bytes) -> bytes:
        """What OpenSpiel shows the player to move, as float32."""
        if node.tensor is None:
            player = (len(line) // _ITEM) & 1 ^ self._first
            node.tensor = array("f", node.state.observation_tensor(player)).tobytes() if self._shows else b""
            hashed = blake2b(node.tensor if self._shows else line, digest_size=8)
            node.key = int.from_bytes(hashed.digest(), "little") >> 1
        return node.tensor

    def _planes(self, board: CellBoard, node: Node, line: bytes) -> bytes:
        """The mover's stones, the opponent's, the last move, ones when player 0 is to move, as float32."""
        cells, ply = self._stones(board, node.state), len(line) // _ITEM
        planes = np.zeros((NUM_PLANES, *cells.shape), np.float32)
        planes[0] = cells == 1 + (ply & 1)
        planes[1] = cells == 2 - (ply & 1)
        if ply:
            last = int.from_bytes(line[-_ITEM:], sys.byteorder)
            if board.falls:
                last += int((cells[:, last] == 0).sum()) * cells.shape[1]
            if last < cells.size:
                planes[2].flat[last] = 1.0
        planes[3] = 1 - (ply & 1)
        return planes.tobytes()

    def _play_out(self, state: Any, moves: "array[int]", rng: random.Random) -> tuple[int, bytes]:
        """Play ``state``, after ``moves``, to its end; what ``ROLLOUT`` asks for."""
        while not state.is_terminal() and len(moves) < self._plies:
            if self._waits and state.current_player() != (len(moves) & 1) ^ self._first:
                moves.append(self._wait)
            else:
                action = random_move(state, rng)
                state.apply_action(action)
                moves.append(action)
        result = self._winner(state) if state.is_terminal() else DRAW
        return len(moves) << 2 | result, moves.tobytes()

    def _winner(self, state: Any) -> int:
        """The result of a finished game: who got more."""
        gain = state.returns()[self._first]
        return FIRST_WINS if gain > 0 else SECOND_WINS if gain < 0 else DRAW


def random_move(state: Any, rng: random.Random) -> int:
    """Draw one of the legal actions."""
    legal = state.legal_actions()
    return int(legal[int(rng.random() * len(legal))])
