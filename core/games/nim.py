"""Nim: take chips from one heap, whoever takes the last chip wins, or loses with ``misere=yes``.

The action that takes ``t`` chips from heap ``h`` is ``h * max_take + t - 1``.  The board has one row for each heap,
its chips from the left.  Planes: 0 the chips, 1 the places of chips that are gone, 2 those that the last move took,
3 ones when player 0 is to move.
"""

from collections.abc import Mapping
from functools import partial
from itertools import permutations
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._jit import jitable
from core.checks import wrong
from core.games.bits import mix
from core.games.diagram import SYMBOLS
from core.games.dispatch import FIRST_WINS, SECOND_WINS, Kernels, register
from core.games.info import LAST, PLY, RESULT, begin_key, new_info, result, to_move
from core.games.redraw import redraw_legal
from core.games.spec import NIM_SUM, Board, ChoiceParameter, GameFamily, GameSpec, OpenParameter
from core.rng import random_below
from core.text import Text

MAX_HEAPS: Final = 6
MAX_CHIPS: Final = 50
USUAL_TAKE: Final = 3  # of a single heap; of several, any number


class NimState(NamedTuple):
    heaps: NDArray[np.int64]  # [H]: chips left
    starts: NDArray[np.int64]  # [H]: chips at the beginning
    info: NDArray[np.int64]  # [3]: see core.games.info
    dims: NDArray[np.int64]  # [2]: how many chips a move may take; 1 where the last chip loses, else 0


@jitable
def _result(last_side: int, misere: int) -> int:
    """The result when player ``last_side`` took the last chip."""
    return FIRST_WINS if last_side == misere else SECOND_WINS


@jitable
def _play(state: NimState, action: int) -> None:
    heaps, info, most = state.heaps, state.info, state.dims[0]
    heaps[action // most] -= action % most + 1
    side = info[PLY] & 1
    info[PLY] += 1
    info[LAST] = action
    for h in range(len(heaps)):
        if heaps[h] > 0:
            return
    info[RESULT] = _result(side, state.dims[1])


def _legal(state: NimState, out: NDArray[np.int16]) -> int:
    most = state.dims[0]
    count = 0
    for h in range(len(state.heaps)):
        for taken in range(min(most, state.heaps[h])):
            out[count] = h * most + taken
            count += 1
    return count


def _encode(state: NimState, out: NDArray[np.float32]) -> None:
    info, most = state.info, state.dims[0]
    for h in range(len(state.heaps)):
        chips = state.heaps[h]
        taken = info[LAST] % most + 1 if info[LAST] >= 0 and info[LAST] // most == h else 0
        for col in range(out.shape[2]):
            out[0, h, col] = 1.0 if col < chips else 0.0
            out[1, h, col] = 1.0 if chips <= col < state.starts[h] else 0.0
            out[2, h, col] = 1.0 if chips <= col < chips + taken else 0.0
            out[3, h, col] = 1.0 if info[PLY] & 1 == 0 else 0.0


def _copy(target: NimState, source: NimState) -> None:
    for i in range(len(source.heaps)):
        target.heaps[i] = source.heaps[i]
        target.starts[i] = source.starts[i]
    for i in range(len(source.info)):
        target.info[i] = source.info[i]
    target.dims[0] = source.dims[0]
    target.dims[1] = source.dims[1]


def _key(state: NimState) -> np.uint64:
    hashed = begin_key(state.info)
    for h in range(len(state.heaps)):
        hashed = mix(hashed ^ np.uint64(state.heaps[h]))
    return hashed


def _rollout(state: NimState, rng: NDArray[np.uint64]) -> int:
    heaps, info, most = state.heaps, state.info, int(state.dims[0])
    chips = 0
    moves = 0
    for h in range(len(heaps)):
        chips += heaps[h]
        moves += min(most, heaps[h])
    while chips > 0:
        pick = random_below(rng, moves)
        h = 0
        while pick >= min(most, heaps[h]):
            pick -= min(most, heaps[h])
            h += 1
        moves -= min(most, heaps[h])
        heaps[h] -= pick + 1
        chips -= pick + 1
        moves += min(most, heaps[h])
        info[LAST] = h * most + pick
        info[PLY] += 1
        if chips == 0:
            info[RESULT] = _result((info[PLY] & 1) ^ 1, state.dims[1])
    return int(info[RESULT])


register(NimState, Kernels(_play, _legal, result, to_move, _encode, _copy, _key, _rollout))


def _new_state(heaps: tuple[int, ...], most: int, misere: bool) -> NimState:
    info = new_info()
    return NimState(np.array(heaps, np.int64), np.array(heaps, np.int64), info, np.array([most, misere], np.int64))


def _cells(state: NimState) -> NDArray[np.int8]:
    """The chips, int8 [H, W], each as 1, as they have no owner."""
    return (np.arange(state.starts.max()) < state.heaps[:, None]).astype(np.int8)


def _from_cells(start: NimState, cells: NDArray[np.int8], stated: int | None, last: int) -> NimState:
    heaps, most, misere = tuple(start.starts.tolist()), int(start.dims[0]), int(start.dims[1])
    state = _new_state(heaps, most, misere == 1)
    state.heaps[:] = (cells != 0).sum(axis=1)
    for h, size in enumerate(heaps):
        chips = int(state.heaps[h])
        if (cells[h, :chips] != 1).any():
            raise ValueError(Text("heap {heap} is not a row of X from the left", heap=h + 1))
        if chips > size:
            raise ValueError(
                Text(
                    "heap {heap} has {chips} chips and the game begins with {start}",
                    heap=h + 1,
                    chips=chips,
                    start=size,
                )
            )
    if stated is None:
        raise ValueError(
            Text("it does not say whose turn it is; as the chips do not show it, its last line must: 'X to move'")
        )
    gone = [size - int(chips) for size, chips in zip(heaps, state.heaps, strict=True)]
    with_last = 0
    if last >= 0:
        with_last = 1
        gone[last // most] -= last % most + 1
        if min(gone) < 0:
            raise ValueError(
                Text(
                    "its last move took {taken} from heap {heap}, more than is gone",
                    taken=last % most + 1,
                    heap=last // most + 1,
                )
            )
    # The least number of moves that can have taken these chips, one more if the side to move requires it.
    ply = with_last + sum(-(-chips // most) for chips in gone)
    ply += (ply - stated) % 2
    if ply > with_last + sum(gone):
        raise ValueError(Text("it says {player} to move, which these chips do not allow", player=SYMBOLS[1 + stated]))
    state.info[PLY] = ply
    state.info[LAST] = last
    if not state.heaps.any():
        state.info[RESULT] = _result(1 - stated, misere)
    return state


def _no_cells(cells: NDArray[np.int8]) -> tuple[int, ...]:
    """No cells: no chips are left on a finished board."""
    return ()


def _refusal(state: NimState, action: int) -> str:
    heap = action // int(state.dims[0])
    chips = int(state.heaps[heap])
    if not chips:
        return Text("heap {heap} is empty", heap=heap + 1)
    return Text(
        "heap {heap} has {chips} chip left" if chips == 1 else "heap {heap} has {chips} chips left",
        heap=heap + 1,
        chips=chips,
    )


def _symmetries(heaps: tuple[int, ...], most: int) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    """Permutations of equal heaps: the images of the actions and of the cells, int16 [S, A] and [S, H * W]."""
    orders = [
        order
        for order in permutations(range(len(heaps)))
        if all(heaps[to] == size for to, size in zip(order, heaps, strict=True))
    ]

    def images(width: int) -> NDArray[np.int16]:
        return np.array([[to * width + i for to in order for i in range(width)] for order in orders], np.int16)

    return images(most), images(max(heaps))


def _nim(text: str, params: Mapping[str, Any]) -> GameSpec:
    heaps = tuple(int(word) for word in params["heaps"].split("-"))
    if len(heaps) > MAX_HEAPS or not all(1 <= size <= MAX_CHIPS for size in heaps):
        raise ValueError(wrong(_HEAPS.name, params["heaps"], _HEAPS.allowed))
    largest = max(heaps)
    usual = min(USUAL_TAKE, largest) if len(heaps) == 1 else largest
    word = params["max_take"]
    most = usual if word == "usual" else largest if word == "any" else min(int(word), largest)
    if most < 1:
        raise ValueError(wrong(_MAX_TAKE.name, word, _MAX_TAKE.allowed))
    sizes = "-".join(map(str, heaps))
    shown = [f"heaps={sizes}"] if sizes != _HEAPS.default else []
    shown += [f"max_take={most}"] if most != usual else []
    misere = params["misere"] == "yes"
    shown += ["misere=yes"] if misere else []
    symmetries, cell_symmetries = _symmetries(heaps, most)
    takes = "take any number" if most == largest else "take 1" if most == 1 else "take 1–{most}"
    single = len(heaps) == 1
    return GameSpec(
        text=f"nim({', '.join(shown)})" if shown else "nim",
        name="nim",
        title=Text(
            f"Nim {{heaps}}, {takes}" + (", the last chip loses" if misere else ""),
            heaps=sizes.replace("-", "–"),
            most=most,
        ),
        params={"heaps": sizes, "max_take": most, "misere": "yes" if misere else "no"},
        shape=(len(heaps), largest),
        action_names=tuple(
            str(taken) if single else f"{h + 1}:{taken}" for h in range(len(heaps)) for taken in range(1, most + 1)
        ),
        first_number=1 if single else 0,
        max_plies=sum(heaps),
        symmetries=symmetries,
        cell_symmetries=cell_symmetries,
        board=Board(
            new_state=partial(_new_state, heaps, most, misere),
            cells=_cells,
            from_cells=partial(_from_cells, _new_state(heaps, most, misere)),
            winning_cells=_no_cells,
            redraw=redraw_legal,
            refusal=_refusal,
        ),
        rows_from_top=True,
        solver=NIM_SUM,
        spellings=_SPELLINGS_OF_ONE if single else _SPELLINGS,
    )


# "take 3" and "1:3" of a single heap; "1-3", "take 3 from 1", "take 3 from heap 1" of several.
_SPELLINGS_OF_ONE: Final = ((r"(?:take |1[:-])([0-9]+)(?: from (?:heap )?1)?", r"\1"),)
_SPELLINGS: Final = (
    (r"([0-9]+)[:-]([0-9]+)", r"\1:\2"),
    (r"take ([0-9]+) from (?:heap )?([0-9]+)", r"\2:\1"),
)
_HEAPS: Final = OpenParameter(
    "heaps",
    ("15", "21", "3-4-5", "1-3-5-7"),
    "15",
    r"[0-9]{1,3}(-[0-9]{1,3})*",
    Text("1 to {heaps} heaps of 1 to {chips} chips as in 3-4-5", heaps=MAX_HEAPS, chips=MAX_CHIPS),
)
_MAX_TAKE: Final = OpenParameter(
    "max_take",
    ("usual", "1", "2", "3", "4", "5", "any"),
    "usual",
    r"usual|any|[0-9]{1,3}",
    Text("a number from 1, any, or usual ({usual} of a single heap, any of several)", usual=USUAL_TAKE),
)
_MISERE: Final = ChoiceParameter("misere", ("no", "yes"), "no")
NIM = GameFamily("nim", "Nim", (_HEAPS, _MAX_TAKE, _MISERE), _nim, states=("nim",))
