"""The inputs of nets of Go for a state of the game: KataGo's, Leela Zero's, AlphaGo Zero's, our own."""

from functools import partial
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._jit import jitable
from core.games import go_view
from core.games.bits import mix
from core.games.encoding import Encoding, Operations, register
from core.games.go_board import COUNT, KO, PASSES, GoState
from core.games.go_planes import V7_GLOBALS, V7_PLANES, WHITE_TO_MOVE, Reading, encode_v7, new_reading
from core.games.go_planes_points import POINTS_FEATURES, POINTS_PLANES, Marks, encode_points, key_points, new_marks
from core.games.go_planes_zero import LEELA_PLANES, ZERO_PLANES, encode_leela, encode_zero
from core.games.go_state_view import settled_points, view_of
from core.games.go_view import GoView, new_view
from core.games.info import begin_key

KATAGO: Final = "katago-v7"
KATAGO_HUMAN: Final = "katago-v7-human"
LEELA: Final = "leela-zero"
ZERO: Final = "alphago-zero"
POINTS: Final = "plyscope-points/1"

_MOST_POINTS: Final = 1 << 16  # that button, handicap and stones played can settle, in halves


class KataGoEncoder(NamedTuple):
    """Writes KataGo's input, version 7."""

    shown: GoView  # scratch; its facts about rules and net stay
    reading: Reading  # scratch


class LeelaEncoder(NamedTuple):
    """Writes Leela Zero's input."""

    shown: GoView  # scratch
    unused: NDArray[np.int8]  # tells its type from others


class ZeroEncoder(NamedTuple):
    """Writes AlphaGo Zero's input."""

    shown: GoView  # scratch
    unused: NDArray[np.int16]


class PointsEncoder(NamedTuple):
    """Writes the input of Plyscope's own nets."""

    marks: Marks  # scratch


@jitable
def _begin_key(state: GoState, boards: int) -> np.uint64:
    """A hash of the last ``boards`` boards, the side to move and the last move."""
    count = int(state.info[COUNT])
    key = begin_key(state.info)
    for i in range(max(0, count - boards), count):
        key = mix(key ^ state.history[i])
    return np.uint64(key + np.uint64(min(count, boards)))


def _key_katago(encoder: KataGoEncoder, state: GoState) -> np.uint64:
    key = _begin_key(state, 3)
    key = mix(key ^ np.uint64(state.info[KO] * 4 + state.info[PASSES]))
    key = mix(key ^ np.uint64(settled_points(state) + _MOST_POINTS))
    count = int(state.info[COUNT]) - 1
    for i in range(max(0, count - go_view.SHOWN_MOVES), count):
        key = mix(key ^ np.uint64(state.moves[i] + 1))
    view_of(state, encoder.shown)
    facts = encoder.shown.facts
    key = mix(key ^ np.uint64(facts[go_view.PASS_ENDS] * 2 + facts[go_view.BUTTON]))
    for point in range(facts[go_view.ROWS] * facts[go_view.COLS]):
        if encoder.shown.banned[point] != 0:
            key = mix(key ^ np.uint64(point + 1))
    return key


def _encode_katago(
    encoder: KataGoEncoder, state: GoState, planes: NDArray[np.float32], features: NDArray[np.float32]
) -> None:
    view_of(state, encoder.shown)
    encode_v7(encoder.shown, encoder.reading, planes, features)


def _key_boards(encoder: LeelaEncoder, state: GoState) -> np.uint64:
    return _begin_key(state, go_view.BOARDS)


def _encode_leela(
    encoder: LeelaEncoder, state: GoState, planes: NDArray[np.float32], features: NDArray[np.float32]
) -> None:
    view_of(state, encoder.shown)
    encode_leela(encoder.shown, planes)


def _encode_zero(
    encoder: ZeroEncoder, state: GoState, planes: NDArray[np.float32], features: NDArray[np.float32]
) -> None:
    view_of(state, encoder.shown)
    encode_zero(encoder.shown, planes)


def _encode_points(
    encoder: PointsEncoder, state: GoState, planes: NDArray[np.float32], features: NDArray[np.float32]
) -> None:
    encode_points(state, encoder.marks, planes, features)


def _key_points(encoder: PointsEncoder, state: GoState) -> np.uint64:
    return key_points(state)


register(KataGoEncoder, Operations(_encode_katago, _key_katago))
register(LeelaEncoder, Operations(_encode_leela, _key_boards))
register(ZeroEncoder, Operations(_encode_zero, _key_boards))
register(PointsEncoder, Operations(_encode_points, _key_points))


def _new_katago(rows: int, cols: int, friendly: bool) -> KataGoEncoder:
    view = new_view(rows, cols)
    view.facts[go_view.FRIENDLY] = friendly
    view.facts[go_view.HACKS] = 1  # as KataGo sets it for play and analysis
    return KataGoEncoder(view, new_reading(rows, cols))


def _new_leela(rows: int, cols: int) -> LeelaEncoder:
    return LeelaEncoder(new_view(rows, cols), np.zeros(1, np.int8))


def _new_zero(rows: int, cols: int) -> ZeroEncoder:
    return ZeroEncoder(new_view(rows, cols), np.zeros(1, np.int16))


def _new_points(rows: int, cols: int) -> PointsEncoder:
    return PointsEncoder(new_marks(rows, cols))


def encodings(rows: int, cols: int, *, friendly: bool, no_result: bool) -> tuple[Encoding, ...]:
    """The encodings for a board of this size and these rules.

    ``friendly``: dead stones are taken off after two passes.  ``no_result``: a game may end without a result.
    """
    katago = Encoding(
        KATAGO,
        V7_PLANES,
        V7_GLOBALS,
        partial(_new_katago, rows, cols, friendly),
        leads=True,
        no_result=no_result,
        any_size=True,
    )
    return (
        katago,
        Encoding(LEELA, LEELA_PLANES, (), partial(_new_leela, rows, cols), any_size=True),
        Encoding(ZERO, ZERO_PLANES, (), partial(_new_zero, rows, cols)),
        Encoding(
            POINTS,
            POINTS_PLANES,
            POINTS_FEATURES,
            partial(_new_points, rows, cols),
            leads=True,
            any_size=True,
            trained=True,
        ),
        katago._replace(name=KATAGO_HUMAN, features=(*V7_GLOBALS, WHITE_TO_MOVE)),
    )
