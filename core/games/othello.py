"""Othello on an even square board: the game, its notation and its diagrams; the rules run in the kernel files.

Player 0 is black and moves first.  A move must turn at least one disc; a player who cannot move passes, and when
neither can the game is over at once.  With ``passes=no`` it is over as soon as the side to move cannot move.  More
discs win.  Actions are cells ``row * size + col``; the pass is ``size * size``, legal only when no other move is.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from core.games import dispatch, othello_bits, othello_cells, othello_many
from core.games.diagram import SYMBOLS
from core.games.dispatch import ONGOING, State
from core.games.grid import cell_names, grid_symmetries, marked
from core.games.info import RESULT
from core.games.position import Position
from core.games.redraw import redraw_legal
from core.games.spec import (
    DISCS,
    MINIMAX,
    PASS,
    PASS_SPELLINGS,
    Board,
    ChoiceParameter,
    Concept,
    GameFamily,
    GameSpec,
    IntParameter,
    Label,
    Sgf,
    SgfReader,
    SgfRules,
)
from core.text import Text

SIDES: Final = tuple(range(4, 17, 2))
_GM: Final = 2  # SGF's number of the game


def _make(cells: NDArray[np.int8], ply: int, last: int, passes: bool) -> State:
    make_state = othello_bits.make_state if len(cells) <= othello_bits.MAX_SIDE else othello_cells.make_state
    return make_state(cells, ply, last, passes)


def _cells(state: State) -> NDArray[np.int8]:
    if isinstance(state, othello_bits.OthelloState):
        return othello_bits.read_cells(state)
    return othello_cells.read_cells(state)


def _new_state(size: int, passes: bool) -> State:
    cells = np.zeros((size, size), np.int8)
    half = size // 2
    cells[half - 1, half] = cells[half, half - 1] = 1
    cells[half - 1, half - 1] = cells[half, half] = 2
    return _make(cells, 0, -1, passes)


def _from_cells(passes: bool, cells: NDArray[np.int8], stated: int | None, last: int) -> State:
    size = len(cells)
    half = size // 2
    if (cells[half - 1 : half + 1, half - 1 : half + 1] == 0).any():
        raise ValueError(Text("one of its four middle cells is empty, and the game begins with all four taken"))
    placed = int(np.count_nonzero(cells)) - 4
    if not passes:
        to_move = placed % 2
        if stated is not None and stated != to_move:
            raise ValueError(
                Text(
                    "it says {player} to move, and after {placed} moves without a pass it is {other}'s turn",
                    player=SYMBOLS[1 + stated],
                    placed=placed,
                    other=SYMBOLS[1 + to_move],
                )
            )
    elif stated is None:
        raise ValueError(
            Text("it does not say whose turn it is, and as there are passes its last line must: 'X to move'")
        )
    else:
        to_move = stated
    passed = (to_move - placed) % 2
    if last == size * size:
        before = _make(cells, 1 - to_move, -1, passes)
        if before.info[RESULT] != ONGOING or _has_place(before, size):
            raise ValueError(
                Text("its last move is a pass, and {player} could not pass there", player=SYMBOLS[2 - to_move])
            )
        passed = passed or 2
    elif last >= 0 and cells.flat[last] != 2 - to_move:
        raise ValueError(
            Text(
                "its last move {move} is not a disc of the player who just moved",
                move=cell_names(size, size, rows_from_top=True)[last],
            )
        )
    return _make(cells, placed + passed, last, passes)


def _has_place(state: State, size: int) -> bool:
    out = np.empty(size * size, np.int16)
    return bool(dispatch.legal(state, out) > 0 and out[0] != size * size)


def _refusal(state: State, action: int) -> str:
    size = int(state.dims[0])
    if action == size * size:
        return Text("a pass is for a player who has no other move")
    if _cells(state).flat[action] != 0:
        return Text("the place is taken")
    return Text("it turns no disc")


def _no_cells(cells: NDArray[np.int8]) -> tuple[int, ...]:
    """No cells: the number of discs decides."""
    return ()


def _corner(position: Position) -> Label:
    """The corners that the side to move can take, among its legal moves."""
    cells = position.cells()
    legal, corners = np.zeros((2, *cells.shape), np.bool_)
    legal.flat[[action for action in position.legal_actions() if action < cells.size]] = True
    corners[:: len(cells) - 1, :: len(cells) - 1] = True
    return marked(cells, corners, legal)


def _beside_corner(position: Position) -> Label:
    """The empty cells that touch an empty corner."""
    cells = position.cells()
    near = np.zeros(cells.shape, np.bool_)
    for down, right in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
        corner = cells[::down, ::right]
        if corner[0, 0] == 0:
            near[::down, ::right][:2, :2] = True
            near[::down, ::right][0, 0] = False
    return marked(cells, near)


def _mobility(position: Position) -> Label:
    return float(sum(action < position.game.num_cells for action in position.legal_actions()))


def _discs_ahead(position: Position) -> Label:
    cells = position.cells()
    return float((cells == 1 + position.to_move).sum()) - float((cells == 2 - position.to_move).sum())


_CONCEPTS: Final = (
    Concept("corner", "the side to move can take this corner", _corner, is_move=True),
    Concept("beside corner", "an empty cell beside an empty corner", _beside_corner),
    Concept("mobility", "moves of the side to move", _mobility, per_cell=False, yes_no=False),
    Concept("discs ahead", "discs that the side to move has more", _discs_ahead, per_cell=False, yes_no=False),
)


def _othello(text: str, params: Mapping[str, Any]) -> GameSpec:
    size, passes = params["size"], params["passes"] == "yes"
    if size not in SIDES:
        raise ValueError(
            Text("size={size} is not even, size is one of {sides}", size=size, sides=", ".join(map(str, SIDES)))
        )
    cell_symmetries = grid_symmetries(size, size)
    names = cell_names(size, size, rows_from_top=True)
    symmetries = cell_symmetries
    if passes:
        names = (*names, PASS)
        stay = np.full((len(symmetries), 1), size * size, np.int16)
        symmetries = np.concatenate([symmetries, stay], axis=1)
    title = "Othello" if size == 8 else "Othello {size}×{size}"
    empty = size * size - 4
    return GameSpec(
        text=text,
        name="othello",
        title=Text(title if passes else f"{title}, no passes", size=size),
        params=params,
        shape=(size, size),
        action_names=names,
        first_number=0,
        max_plies=2 * empty if passes else empty,  # after every pass comes a move
        symmetries=symmetries,
        cell_symmetries=cell_symmetries,
        board=Board(
            new_state=partial(_new_state, size, passes),
            cells=_cells,
            from_cells=partial(_from_cells, passes),
            winning_cells=_no_cells,
            redraw=redraw_legal,
            refusal=_refusal,
            replay=othello_many.replay if size == othello_many.SIDE and passes else None,
        ),
        rows_from_top=True,
        spellings=PASS_SPELLINGS if passes else (),
        sgf=Sgf(_GM),
        solver=DISCS if size <= othello_bits.MAX_SIDE else MINIMAX,
        concepts=_CONCEPTS,
    )


def _from_sgf(rows: int, cols: int, sgf: SgfRules) -> str:
    if rows != cols:
        raise ValueError(Text("its board is {width}×{height}, and Othello's is a square", width=cols, height=rows))
    return f"othello(size={rows})"


OTHELLO = GameFamily(
    "othello",
    "Othello",
    (IntParameter("size", SIDES[0], SIDES[-1], 8), ChoiceParameter("passes", ("yes", "no"), "yes")),
    _othello,
    states=("othello", "othello(size=10)"),
    small="othello(size=4)",
    sgf=SgfReader(_GM, 8, _from_sgf),
)
