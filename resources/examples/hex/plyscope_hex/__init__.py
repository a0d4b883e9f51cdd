"""Hex for Plyscope: an example of a game of one's own.  The entry point in pyproject.toml names ``HEX``."""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

import numpy as np

from core.games.grid import cell_names, grid_symmetries
from core.games.spec import Board, ChoiceParameter, GameFamily, GameSpec, IntParameter, Look, Sgf, SgfReader, SgfRules
from core.text import Text

from .board import cells_of, from_cells, redraw, refusal, winning_cells
from .kernels import new_state

GM: Final = 11  # SGF's number of the game
USUAL_SIZE: Final = 11


def _hex(text: str, params: Mapping[str, Any]) -> GameSpec:
    size, swap = params["size"], params["swap"] == "yes"
    cells = size * size
    turns = grid_symmetries(size, size)[[0, 3]]  # the half turn alone keeps each player's edges
    return GameSpec(
        text=text,
        name="hex",
        title=Text("Hex {size}×{size}, swap" if swap else "Hex {size}×{size}", size=size),
        params=params,
        shape=(size, size),
        action_names=cell_names(size, size, rows_from_top=True) + (("swap",) if swap else ()),
        first_number=0,
        max_plies=cells + swap,
        symmetries=np.hstack([turns, np.full((2, 1), cells, np.int16)]) if swap else turns,
        cell_symmetries=turns.copy(),
        board=Board(
            new_state=partial(new_state, size, swap),
            cells=cells_of,
            from_cells=partial(from_cells, swap),
            winning_cells=winning_cells,
            redraw=redraw,
            refusal=refusal,
        ),
        rows_from_top=True,
        spellings=((r"swap-pieces", "swap"),),
        stones_alternate=not swap,
        sgf=Sgf(GM),
    )


def _from_sgf(rows: int, cols: int, sgf: SgfRules) -> str:
    if rows != cols:
        raise ValueError(Text("its board is {rows}×{cols} and one of Hex is square", rows=rows, cols=cols))
    return f"hex(size={rows})"


HEX: Final = GameFamily(
    "hex",
    "Hex",
    (IntParameter("size", 3, 19, USUAL_SIZE), ChoiceParameter("swap", ("no", "yes"), "no")),
    _hex,
    states=("hex",),
    sgf=SgfReader(GM, USUAL_SIZE, _from_sgf),
    look=Look("hexagons", ("Red", "Blue"), goals=True),
)
