"""What is to be seen of a move in the tables.

Faint figures come from few visits; a bar under the share repeats it; the best move is cyan-blue and bold;
▸ stands before the move the next simulation enters.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from gui.widgets.figures import COLUMN_INDEX, COLUMNS, LEAST_SOLID, opacity_of
from gui.widgets.tables.folding import FOLDED, fold_look
from gui.widgets.tables.row_delegate import IS_BEST, IS_NEXT, SOLID, Look

if TYPE_CHECKING:
    from core.glass import MoveRow

_N, _SHARE, TOTAL, _Q, _PROOF, CURVE, _PV = (COLUMN_INDEX[c] for c in ("n", "share", "w", "q", "proof", "curve", "pv"))
OPTIONAL: Final = (TOTAL, CURVE)  # hidden until they are chosen
_ACCENTED: Final = {COLUMN_INDEX["move"], _SHARE, _N}  # of the best move
_ALWAYS_SOLID: Final = {COLUMN_INDEX["move"], _N, COLUMN_INDEX["p"], COLUMN_INDEX["human"], _PROOF}
_IDLE_WHEN_PROVED: Final = {COLUMN_INDEX["u"], COLUMN_INDEX["score"]}  # a proved child is not entered again
_PROOF_COLOUR: Final = {"win": "good", "draw": "dim", "loss": "warn"}


Disc = tuple[str, int] | None  # a game, and the player whose values are shown
# A row, its marks, whose values it has, and what is to be seen of it in each column.
Looks = tuple["MoveRow", int, Disc, list[Look]]


def move_looks(row: MoveRow, marks: int, disc: Disc, last: Looks | None) -> Looks:
    """What is to be seen of a move; ``last`` while the row and its marks are the same."""
    if last is not None and last[0] is row and last[1:3] == (marks, disc):
        return last
    return row, marks, disc, [move_look(row, column, marks, disc) for column in range(len(COLUMNS))]


def move_look(row: MoveRow, column: int, marks: int, disc: Disc = None) -> Look:
    """What is to be seen of a move in a column."""
    if row.action == FOLDED:
        return fold_look(row, column, marks)
    colour = "text"
    if marks & IS_BEST and column in _ACCENTED:
        colour = "accent"
    if column == _PV:
        colour = "dim"
    elif column == _PROOF and row.proof:
        colour = _PROOF_COLOUR[row.proof]
    solid = 1.0 if column in _ALWAYS_SOLID else opacity_of(row.visits)
    if row.left_out or (row.proof and column in _IDLE_WHEN_PROVED):
        solid = LEAST_SOLID
    share = round(row.share, 3) if column == _SHARE else -1.0
    disc = disc if column == _Q and not math.isnan(row.q) else None
    text, bold = COLUMNS[column].text(row), bool(marks & IS_BEST)
    return Look(text, colour, round(solid * SOLID), bold, marks, share, disc=disc)


def marks_of(row: MoveRow, best: int, next_: int) -> int:
    """The marks of a row: the next move is shown at the row that stands for it."""
    hidden = row.same if row.action == FOLDED else ()
    is_next = next_ == row.action if row.action != FOLDED else next_ in hidden
    return (IS_BEST if row.action == best and best >= 0 else 0) | (IS_NEXT if is_next and next_ >= 0 else 0)
