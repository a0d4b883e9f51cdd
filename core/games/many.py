"""Many states of a game in common arrays, so that kernels reach any of them by its number."""

from typing import Any

import numpy as np

from core._jit import overload, row_of_arrays
from core.games.dispatch import State


def many(state: State, count: int) -> State:
    """``count`` copies of ``state``, each of whose arrays has a first axis [count] for them."""
    return type(state)(*(np.repeat(part[None], count, axis=0) for part in state))


def one_of(states: State, i: int) -> State:
    """State ``i`` of ``many``: views of its arrays."""
    return type(states)(*(part[i] for part in states))


@overload(one_of)
def _one_of(states: Any, i: Any) -> Any:
    return _compiled_one_of


def _compiled_one_of(states: State, i: int) -> State:
    return row_of_arrays(states, i)
