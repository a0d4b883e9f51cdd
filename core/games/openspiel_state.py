"""The state of a game of OpenSpiel: its line of moves.  What the rules make of it is asked in Python.

Compiled code asks by calling a function that this module registers under a name and that takes the GIL: for a new node
of the tree once or twice, for a random game once, and never on the way down.
"""

import ctypes
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import llvmlite.binding
import numpy as np
from numba import types
from numpy.typing import NDArray

from core._jit import jitable, overload
from core.games import encoding
from core.games.bits import mix
from core.games.dispatch import DRAW, Kernels, register
from core.games.info import LAST, PLY, begin_key, new_info, to_move
from core.games.position import Position
from core.rng import random_below

# Questions.
RESULT: Final = 0  # the result code
LEGAL: Final = 1  # how many actions are legal; they are written as int16
KEY: Final = 2  # a hash of OpenSpiel's tensor, from 0
PLANES: Final = 3  # 0; they are written as float32
TENSOR: Final = 5  # 0; OpenSpiel's tensor is written as float32
ROLLOUT: Final = 4  # plies << 2 | result code of a random game drawn by the seed; all its moves are written as int16

SEEDS: Final = 1 << 30
_SYMBOL: Final = "plyscope_ask_rules"

# (question, the moves so far as bytes of int16, seed) -> (the number that answers it, what is to be written)
Rules = Callable[[int, bytes, int], tuple[int, bytes]]
RULES: Final[dict[int, Rules]] = {}  # by the number in the states
_numbers: Final[dict[str, int]] = {}
_failures: Final[list[BaseException]] = []


class OpenSpielState(NamedTuple):
    """The state: the actions played since the game began."""

    moves: NDArray[np.int16]  # [P]
    info: NDArray[np.int64]  # [3]: see core.games.info; the result is not kept there
    rules: NDArray[np.int64]  # [1]: what ``open_rules`` returned


def open_rules(game: str, make: Callable[[], Rules]) -> int:
    """The number under which the rules of ``game`` answer; ``make`` makes them the first time."""
    if game not in _numbers:
        number = len(RULES)
        RULES[number] = make()
        _numbers[game] = number
    return _numbers[game]


def rules_of(state: OpenSpielState) -> Rules:
    """The rules that answer for ``state``."""
    return RULES[int(state.rules[0])]


def new_moves(rules: int, plies: int) -> OpenSpielState:
    """The state before the first move of at most ``plies``."""
    return OpenSpielState(np.zeros(plies, np.int16), new_info(), np.array([rules], np.int64))


def line_of(state: OpenSpielState) -> bytes:
    """The moves so far, as the rules are asked about them."""
    return state.moves[: state.info[PLY]].tobytes()


def redraw(position: Position, rng: NDArray[np.uint64]) -> tuple[int, ...]:
    """The moves of the random game that a rollout plays from ``position`` by ``rng``."""
    state = position.state
    _, moves = rules_of(state)(ROLLOUT, line_of(state), random_below(rng, SEEDS))
    return tuple(np.frombuffer(moves, np.int16)[state.info[PLY] :].tolist())


def raise_failure() -> None:
    """Raise what kept the rules from answering compiled code, if anything did."""
    if _failures:
        failure = _failures[0]
        _failures.clear()
        raise failure


def _called(question: int, rules: int, seed: int, moves: int, ply: int, out: int) -> int:
    """Answers compiled code.  No exception may leave it: an answer that ends the game stands in."""
    try:
        answer, written = RULES[rules](question, ctypes.string_at(moves, 2 * ply), seed)
        if written:
            ctypes.memmove(out, written, len(written))
        return answer
    except BaseException as error:  # an interrupt from the keyboard, too
        _failures.append(error)
        if question == LEGAL:
            ctypes.memset(out, 0, 2)
            return 1
        return DRAW


_CALLED: Final = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * 6)(_called)
llvmlite.binding.add_symbol(_SYMBOL, ctypes.cast(_CALLED, ctypes.c_void_p).value)
_ask_rules: Final = types.ExternalFunction(_SYMBOL, types.int64(*[types.int64] * 6))


def _ask(question: int, state: OpenSpielState, seed: int, out: NDArray[Any]) -> int:
    """Ask the rules of ``state``; what they write goes into ``out``."""
    answer, written = rules_of(state)(question, line_of(state), seed)
    if written:
        content = np.frombuffer(written, out.dtype)
        out.reshape(-1)[: content.size] = content
    return answer


def _ask_compiled(question: int, state: OpenSpielState, seed: int, out: NDArray[Any]) -> int:
    place, into = state.moves.ctypes.data, out.ctypes.data
    return _ask_rules(question, state.rules[0], seed, place, state.info[PLY], into)  # type: ignore[no-any-return]


@overload(_ask, inline=False)
def _choose_ask(question: Any, state: Any, seed: Any, out: Any) -> Callable[..., Any]:
    return _ask_compiled


def _play(state: OpenSpielState, action: int) -> None:
    info = state.info
    if info[PLY] < len(state.moves):
        state.moves[info[PLY]] = action
        info[PLY] += 1
        info[LAST] = action


def _legal(state: OpenSpielState, out: NDArray[np.int16]) -> int:
    return int(_ask(LEGAL, state, 0, out))


def _result(state: OpenSpielState) -> int:
    return int(_ask(RESULT, state, 0, state.info))


def _encode(state: OpenSpielState, out: NDArray[np.float32]) -> None:
    _ask(PLANES, state, 0, out)


def _copy(target: OpenSpielState, source: OpenSpielState) -> None:
    for i in range(source.info[PLY]):
        target.moves[i] = source.moves[i]
    for i in range(len(source.info)):
        target.info[i] = source.info[i]
    target.rules[0] = source.rules[0]


@jitable
def _key(state: OpenSpielState) -> np.uint64:
    return mix(begin_key(state.info) ^ np.uint64(_ask(KEY, state, 0, state.info)))


def _rollout(state: OpenSpielState, rng: NDArray[np.uint64]) -> int:
    answer = int(_ask(ROLLOUT, state, random_below(rng, SEEDS), state.moves))
    plies = answer >> 2
    if plies > state.info[PLY]:
        state.info[PLY] = plies
        state.info[LAST] = state.moves[plies - 1]
    return answer & 3


class TensorEncoder(NamedTuple):
    """Shows a net what OpenSpiel shows one."""

    unused: NDArray[np.int8]


def new_tensor() -> TensorEncoder:
    """The encoder for one thread."""
    return TensorEncoder(np.zeros(1, np.int8))


def _encode_tensor(
    encoder: TensorEncoder, state: OpenSpielState, planes: NDArray[np.float32], features: NDArray[np.float32]
) -> None:
    _ask(TENSOR, state, 0, planes)


def _key_tensor(encoder: TensorEncoder, state: OpenSpielState) -> np.uint64:
    return _key(state)


encoding.register(TensorEncoder, encoding.Operations(_encode_tensor, _key_tensor))
register(OpenSpielState, Kernels(_play, _legal, _result, to_move, _encode, _copy, _key, _rollout))
