"""What a net is given of a position: the planes and features of an encoding.

An encoder is a NamedTuple of a registered type that holds one thread's scratch arrays.  Kernels pick its operations by
type at compile time, as core.games.dispatch does with states.

Letters: B batch, C planes, G features, H W board.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._jit import ByType
from core.games import dispatch
from core.games.dispatch import State

OWN: Final = "mover-opponent-last-first/1"  # the four planes of core.games.spec.NUM_PLANES

Encoder = Any  # one of the registered NamedTuples


class Inputs(NamedTuple):
    """The input of a net for B positions."""

    planes: NDArray[np.float32]  # [B, C, H, W], row 0 on top
    features: NDArray[np.float32]  # [B, G] figures that hold for the whole board; G is 0 where there are none


class Encoding(NamedTuple):
    """One way to show a game's positions to a net."""

    name: str
    """As net files state it."""
    planes: tuple[str, ...]
    """What each plane holds; () where they are those of the game itself."""
    features: tuple[str, ...]
    """What each feature holds."""
    new_encoder: Callable[[], Encoder]
    """An encoder with scratch of its own."""
    leads: bool = False
    """Whether its nets give the score lead in points."""
    no_result: bool = False
    """Whether the rules let a game end without a result, whose probability its nets give."""
    any_size: bool = False
    """Whether a net of this encoding takes every board of the game's family."""
    trained: bool = False
    """Whether our own nets can be trained with it; so they can with the game's own planes."""


def _begin_nothing(encoder: Encoder) -> None:
    pass


def _leave_nothing(encoder: Encoder, state: State) -> None:
    pass


def _remembers_nothing(encoder: Encoder) -> bool:
    return False


class Operations(NamedTuple):
    """What an encoder does; see the functions of the same names below."""

    encode: Callable[[Encoder, State, NDArray[np.float32], NDArray[np.float32]], None]
    key: Callable[[Encoder, State], np.uint64]
    begin: Callable[[Encoder], None] = _begin_nothing
    leave: Callable[[Encoder, State], None] = _leave_nothing
    remembers: Callable[[Encoder], bool] = _remembers_nothing


_TABLE: Final = ByType[Operations]()
register = _TABLE.register


@_TABLE.compiled()
def encode(encoder: Encoder, state: State, planes: NDArray[np.float32], features: NDArray[np.float32]) -> None:
    """Write the input for the side to move into every cell of ``planes`` [C, H, W] and ``features`` [G]."""
    _TABLE[type(encoder)].encode(encoder, state, planes, features)


@_TABLE.compiled()
def key(encoder: Encoder, state: State) -> np.uint64:
    """A 64-bit hash of all that ``encode`` shows, for the evaluation cache."""
    return _TABLE[type(encoder)].key(encoder, state)


@_TABLE.compiled()
def begin(encoder: Encoder) -> None:
    """Called before the moves from a root to a position that is encoded, for encoders that show earlier boards."""
    _TABLE[type(encoder)].begin(encoder)


@_TABLE.compiled()
def leave(encoder: Encoder, state: State) -> None:
    """Called before each of these moves, with the state in which it is played."""
    _TABLE[type(encoder)].leave(encoder, state)


@_TABLE.compiled()
def remembers(encoder: Encoder) -> bool:
    """Whether ``encode`` shows more than the state, so that ``leave`` must be told of every move of the game."""
    return _TABLE[type(encoder)].remembers(encoder)


class OwnEncoder(NamedTuple):
    """Shows the planes of the game itself, and no features."""

    unused: NDArray[np.int8]  # numba has no tuple without fields


def _encode_own(encoder: OwnEncoder, state: State, planes: NDArray[np.float32], features: NDArray[np.float32]) -> None:
    dispatch.encode(state, planes)


def _key_own(encoder: OwnEncoder, state: State) -> np.uint64:
    return dispatch.key(state)


def _new_own() -> OwnEncoder:
    return OwnEncoder(np.zeros(1, np.int8))


register(OwnEncoder, Operations(_encode_own, _key_own))
OWN_ENCODING: Final = Encoding(OWN, (), (), _new_own)
