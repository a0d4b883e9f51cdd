"""Shows a net the boards before the present one, in every game.

A state keeps its board alone.  So the encoder notes the states that a search passes on its way from the root, and what
came before the root is told to it as a position.

Letters: K earlier boards, C planes, H W board.
"""

from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._jit import jitable
from core.games import dispatch
from core.games.bits import mix
from core.games.dispatch import State
from core.games.encoding import Encoder, Encoding, Operations, register

if TYPE_CHECKING:
    from core.games.position import Position
    from core.games.spec import GameSpec

OWN_PLANES: Final = 4  # of the present board (core.games.spec.NUM_PLANES)
A_BOARD: Final = 3  # planes of an earlier one: the mover's stones, the opponent's, the move that led to it
MOST_BOARDS: Final = 32  # with the present one

# Indices into PastEncoder.counts.
_PASSED: Final = 0  # boards since the root
_KNOWN: Final = 1  # boards before the root


class PastEncoder(NamedTuple):
    """Shows the game's own planes, then K earlier boards, the latest first, as the present side to move sees them."""

    passed: NDArray[np.float32]  # [K, 4, H, W] boards since the root, each at its number modulo K
    passed_keys: NDArray[np.uint64]  # [K]
    before: NDArray[np.float32]  # [K, 4, H, W] boards before the root, the latest first
    before_keys: NDArray[np.uint64]  # [K]
    counts: NDArray[np.int64]  # [2]


@jitable
def _copy_board(board: NDArray[np.float32], mine: int, shown: NDArray[np.float32]) -> None:
    """Write an earlier board's planes [4, H, W], of which ``mine`` is the present mover's, into ``shown`` [3, H, W]."""
    for row in range(board.shape[1]):
        for col in range(board.shape[2]):
            shown[0, row, col] = board[mine, row, col]
            shown[1, row, col] = board[1 - mine, row, col]
            shown[2, row, col] = board[2, row, col]


def _begin(encoder: PastEncoder) -> None:
    encoder.counts[_PASSED] = 0


def _leave(encoder: PastEncoder, state: State) -> None:
    at = encoder.counts[_PASSED] % len(encoder.passed)
    dispatch.encode(state, encoder.passed[at])
    encoder.passed_keys[at] = dispatch.key(state)
    encoder.counts[_PASSED] += 1


def _encode(encoder: PastEncoder, state: State, planes: NDArray[np.float32], features: NDArray[np.float32]) -> None:
    dispatch.encode(state, planes[:OWN_PLANES])
    most, passed = len(encoder.passed), encoder.counts[_PASSED]
    for ago in range(1, most + 1):
        mine = ago % 2  # turns alternate: the plane of the present mover's stones
        first = OWN_PLANES + A_BOARD * (ago - 1)
        shown = planes[first : first + A_BOARD]
        if ago <= passed:
            _copy_board(encoder.passed[(passed - ago) % most], mine, shown)
        elif ago - passed <= encoder.counts[_KNOWN]:
            _copy_board(encoder.before[ago - passed - 1], mine, shown)
        else:
            shown.fill(0.0)


def _key(encoder: PastEncoder, state: State) -> np.uint64:
    key = dispatch.key(state)
    most, passed = len(encoder.passed), encoder.counts[_PASSED]
    for ago in range(1, most + 1):
        if ago <= passed:
            key = mix(key ^ encoder.passed_keys[(passed - ago) % most])
        elif ago - passed <= encoder.counts[_KNOWN]:
            key = mix(key ^ encoder.before_keys[ago - passed - 1])
    return key


def _remembers(encoder: PastEncoder) -> bool:
    return True


register(PastEncoder, Operations(_encode, _key, _begin, _leave, _remembers))


def _new_encoder(game: "GameSpec", earlier: int) -> PastEncoder:
    boards, keys = np.zeros((earlier, OWN_PLANES, *game.shape), np.float32), np.zeros(earlier, np.uint64)
    return PastEncoder(boards, keys, boards.copy(), keys.copy(), np.zeros(2, np.int64))


def past_encoding(game: "GameSpec", earlier: int, name: str) -> Encoding:
    """The encoding with so many boards before the present one, from 1; nets are not trained with it."""
    present = ("mine", "theirs", "last", "first to move")
    past = (f"{word} of {ago} earlier" for ago in range(1, earlier + 1) for word in present[:A_BOARD])
    return Encoding(name, (*present, *past), (), partial(_new_encoder, game, earlier))


def tell_past(encoder: Encoder, position: "Position") -> None:
    """Tell an encoder what came before ``position``, the root of a search; others than of the past ignore it."""
    if not isinstance(encoder, PastEncoder):
        return
    encoder.counts[:] = 0
    moves = position.moves[-len(encoder.before) :]
    state, first = position.start.state, len(position.moves) - len(moves)
    for number, action in enumerate(position.moves):
        if number >= first:
            at = len(position.moves) - number - 1
            dispatch.encode(state, encoder.before[at])
            with np.errstate(over="ignore"):  # hashes wrap around
                encoder.before_keys[at] = dispatch.key(state)
        dispatch.play(state, action)
    encoder.counts[_KNOWN] = len(moves)
