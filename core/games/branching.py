"""Plays the moves of a whole tree, as a file has them, in one call.

The rules of the games run compiled here: a hundred thousand moves of a file take some hundredths of a second.
"""

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._jit import apart, jit, jitable
from core._kernel_files import are_whole
from core.games import dispatch
from core.games.dispatch import ONGOING, State
from core.text import Text

if TYPE_CHECKING:
    from core.games.spec import GameSpec

ILLEGAL: Final = 0
LEGAL: Final = 1
AFTER_PASS: Final = 2  # legal after a pass that the file leaves out
UNKNOWN: Final = -1  # a player that is not named: whose turn it is
EITHER: Final = -2  # the other player, after a pass, where the one whose turn it is has no such move
_BROKEN: Final = -1  # illegal after a pass that was played
_NOWHERE: Final = -2  # no move of the tree, and not its top, which is -1
_MARKS: Final = 2  # states that are kept at branchings
_FEW: Final = 2000  # moves that a process plays interpreted before it loads the kernel
_MANY: Final = 30_000  # and before it compiles one that is not there, which takes as long as these


class MoveTree(NamedTuple):
    """A tree of moves: every one after the one it follows."""

    parent: NDArray[np.int32]  # [N] the move that it follows, -1 for the position at the top
    player: NDArray[np.int8]  # [N] 0, 1, UNKNOWN or EITHER
    action: NDArray[np.int16]  # [N]

    @classmethod
    def line(cls, actions: NDArray[np.int16], player: NDArray[np.int8] | int = UNKNOWN) -> "MoveTree":
        """Moves one after another."""
        count = len(actions)
        return cls(
            np.arange(-1, count - 1, dtype=np.int32),
            np.broadcast_to(np.asarray(player, np.int8), count).copy(),  # one kind of array, whatever its length
            np.ascontiguousarray(actions, np.int16),
        )


class _Scratch(NamedTuple):
    """Memory of the kernel."""

    last_child: NDArray[np.int32]  # [N + 1] of the top and of each move, -1 for none
    previous: NDArray[np.int32]  # [N] the sibling before, -1 for none
    depth: NDArray[np.int32]  # [N + 1] of the top, 0, and of each move
    path: NDArray[np.int32]  # [N]
    legal: NDArray[np.int16]  # [A]
    marked: NDArray[np.int32]  # [_MARKS] the moves whose states are kept


_played: dict[type, int] = {}  # by type of state the moves that were played interpreted


def play_tree(game: "GameSpec", top: State, state: State, moves: MoveTree) -> NDArray[np.int8]:
    """ILLEGAL, LEGAL or AFTER_PASS for each move, int8 [N]; what follows an illegal one is illegal.

    ``state`` is left at the end of the last line that was tried, after its last legal move or a pass after that.
    """
    count = len(moves.parent)
    _check(game, moves)
    played = _played.get(type(top), 0) + count
    compiled = played > _MANY or (played > _FEW and are_whole())
    if not compiled:
        _played[type(top)] = played
    return _play(game, top, state, moves, compiled)


def _check(game: "GameSpec", moves: MoveTree) -> None:
    """Check what the kernel relies on; ValueError."""
    count = len(moves.parent)
    parents = bool(((moves.parent >= -1) & (moves.parent < np.arange(count))).all())
    actions = bool(((moves.action >= 0) & (moves.action < game.num_actions)).all())
    if len(moves.player) != count or len(moves.action) != count or not parents or not actions:
        raise ValueError(Text("these {count} moves are no tree of moves of {game}", count=count, game=game.text))


def compile_for(game: "GameSpec") -> None:
    """Compile the kernel of ``game``."""
    state = game.initial().state
    _play(game, state, game.initial().state, MoveTree.line(np.zeros(0, np.int16)), compiled=True)


def _play(game: "GameSpec", top: State, state: State, moves: MoveTree, compiled: bool) -> NDArray[np.int8]:
    count = len(moves.parent)
    scratch = _Scratch(
        np.empty(count + 1, np.int32),
        np.empty(count, np.int32),
        np.empty(count + 1, np.int32),
        np.empty(count, np.int32),
        np.empty(game.num_actions, np.int16),
        np.empty(_MARKS, np.int32),
    )
    marks = tuple(type(top)(*(array.copy() for array in top)) for _ in range(_MARKS))
    legality = np.zeros(count, np.int8)
    kernel: Any = play_moves if compiled else getattr(play_moves, "py_func", play_moves)
    kernel(top, state, marks, moves, scratch, game.passing, legality)
    return legality


@apart
def _play_move(state: State, action: int) -> None:
    """``dispatch.play``, compiled once."""
    dispatch.play(state, action)


@apart
def _allows(state: State, action: int, legal: NDArray[np.int16]) -> bool:
    """``dispatch.allows``, compiled once; False when the game is over."""
    return bool(dispatch.result(state) == ONGOING and dispatch.allows(state, action, legal))


@apart
def _copy(target: State, source: State) -> None:
    """``dispatch.copy``, compiled once."""
    dispatch.copy(target, source)


@jitable
def _step(state: State, player: int, action: int, passing: int, legal: NDArray[np.int16]) -> int:
    """Play a move in place if it is legal: ILLEGAL, LEGAL, AFTER_PASS, or _BROKEN."""
    if dispatch.result(state) != ONGOING:
        return ILLEGAL
    if player == EITHER:
        skips = not _allows(state, action, legal)
    else:
        skips = player != UNKNOWN and dispatch.to_move(state) != player
    if not skips:
        if not _allows(state, action, legal):
            return ILLEGAL
        _play_move(state, action)
        return LEGAL
    if passing < 0 or action == passing or not _allows(state, passing, legal):
        return ILLEGAL
    _play_move(state, passing)
    if not _allows(state, action, legal):
        return _BROKEN
    _play_move(state, action)
    return AFTER_PASS


@jitable
def _return_to(
    state: State, base: int, move: int, moves: Any, path: NDArray[np.int32], legality: Any, passing: int
) -> None:
    """Play from the move ``base`` above, where ``state`` is, to ``move``."""
    depth = 0
    while move != base:
        path[depth] = move
        depth += 1
        move = moves.parent[move]
    for i in range(depth - 1, -1, -1):
        if legality[path[i]] == AFTER_PASS:
            _play_move(state, passing)
        _play_move(state, int(moves.action[path[i]]))


@jit
def play_moves(
    top: State, state: State, marks: tuple[Any, ...], moves: Any, scratch: Any, passing: int, legality: NDArray[np.int8]
) -> None:
    """Fill ``legality`` int8 [N], whose entries are ILLEGAL.

    Of the moves after one position the last is tried first, so that the main line, which is the longest, comes last and
    is played once.  ``marks`` keep the states at branchings of the present line; beyond their number, and after them,
    moves are played again.
    """
    parent, last_child, previous, depth = moves.parent, scratch.last_child, scratch.previous, scratch.depth
    count = len(parent)
    for i in range(count + 1):
        last_child[i] = -1
    depth[0] = 0
    for i in range(count):
        above = parent[i] + 1
        depth[i + 1] = depth[above] + 1
        previous[i] = last_child[above]
        last_child[above] = i
    _copy(state, top)
    marked, used = scratch.marked, 0
    at, move = -1, int(last_child[0])
    while move >= 0:
        above = int(parent[move])
        if at != above:
            while used > 0 and depth[marked[used - 1] + 1] > depth[above + 1]:
                used -= 1
            base = -1
            if used > 0:
                base = int(marked[used - 1])
                _copy(state, marks[used - 1])
            else:
                _copy(state, top)
            _return_to(state, base, above, moves, scratch.path, legality, passing)
        if used > 0 and marked[used - 1] == above and previous[move] < 0:
            used -= 1
        became = _step(state, int(moves.player[move]), int(moves.action[move]), passing, scratch.legal)
        at = above if became == ILLEGAL else _NOWHERE
        below = -1
        if became > ILLEGAL:
            legality[move] = became
            at, below = move, int(last_child[move + 1])
            if below >= 0 and previous[below] >= 0 and used < len(marks):
                _copy(marks[used], state)
                marked[used] = move
                used += 1
        if below >= 0:
            move = below
        else:
            while move >= 0 and previous[move] < 0:
                move = int(parent[move])
            if move >= 0:
                move = int(previous[move])
