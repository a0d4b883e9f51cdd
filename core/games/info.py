"""The ``info`` int64 array of every game's state, whose entries mean the same in all games."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from core._jit import jitable
from core.games.bits import mix
from core.games.dispatch import State

PLY: Final = 0  # moves played since the game began
RESULT: Final = 1  # result code of core.games.dispatch
LAST: Final = 2  # last action, -1 when none is known


def new_info(ply: int = 0, last: int = -1) -> NDArray[np.int64]:
    """The entries for an unfinished game."""
    return np.array([ply, 0, last], np.int64)


def result(state: State) -> int:
    """The operation of that name, for ``dispatch.Kernels``."""
    return int(state.info[RESULT])


def to_move(state: State) -> int:
    """The operation of that name, for ``dispatch.Kernels``."""
    return int(state.info[PLY] & 1)


@jitable
def begin_key(info: NDArray[np.int64]) -> np.uint64:
    """A hash of the side to move and the last action, to be continued with the board."""
    return mix(np.uint64((info[LAST] + 1) * 2 + (info[PLY] & 1)))
