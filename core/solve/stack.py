"""A stack of a game's states, one array per field with a leading axis, for kernels of every game.

``level(stack, i)`` is the i-th state as views of those arrays: changing it changes the stack, and nothing is allocated.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types

from core._jit import overload
from core.games.dispatch import State


def make_stack(state: State, levels: int) -> State:
    """A stack whose every level equals ``state``."""
    return type(state)(*(np.repeat(array[None], levels, axis=0) for array in state))


def _fields(stack: tuple[Any, ...], i: int) -> tuple[Any, ...]:
    return tuple(array[i] for array in stack)


def level(stack: State, i: int) -> State:
    """State ``i`` of a stack, as views."""
    return type(stack)(*_fields(stack, i))


@overload(_fields)
def _fields_compiled(stack: Any, i: Any) -> Callable[..., Any] | None:
    if not isinstance(stack, types.BaseTuple):
        return None
    if len(stack) == 0:
        return lambda stack, i: ()
    return lambda stack, i: (stack[0][i], *_fields(stack[1:], i))


@overload(level)
def _level_compiled(stack: Any, i: Any) -> Callable[..., Any] | None:
    if not isinstance(stack, types.NamedTuple | types.NamedUniTuple):
        return None
    make = stack.instance_class
    return lambda stack, i: make(*_fields(stack, i))
