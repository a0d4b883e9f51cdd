"""The list of an audit's positions: a small board and the figures of one net in each row."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QWidget

from core.text import Words
from gui.language.core_words import core_text
from gui.language.language import tr
from gui.widgets.board.board_paint import kind_of
from gui.widgets.figures import Column, percent, plain, signed
from gui.widgets.tables.board_table import BoardCell, BoardTable
from gui.widgets.tables.row_delegate import Look
from gui.widgets.tables.table import TableModel

if TYPE_CHECKING:
    from core.games import GameSpec, Position
    from models.audit.answers import Audited, Blame, NetAnswer

BOARD: Final = 92  # px of a small board at the usual text size
_WORDS: Final[dict[int, Words]] = {-1: "lost", 0: "drawn", 1: "won"}


@dataclass(frozen=True)
class ShownPosition:
    """One position of an audit with one of its nets."""

    game: GameSpec
    audited: Audited
    net: int
    blame: Blame | None = None  # for the search's mistake, where it was examined

    @property
    def answer(self) -> NetAnswer:
        return self.audited.nets[self.net]

    @cached_property
    def position(self) -> Position:
        from models.strength.exams import after

        return after(self.game, self.audited.item.moves)

    @cached_property
    def kl(self) -> float:
        return self.answer.kl

    @cached_property
    def loss(self) -> float:
        return self.audited.loss(self.net)

    def move(self, action: int, share: float) -> str:
        return f"{self.game.action_name(action)}  {percent(share, 0)}"

    @cached_property
    def board(self) -> BoardCell:
        exact = self.audited.exact
        right = tuple(a for a in exact.moves if a not in exact.worse) if exact is not None and exact.worse else ()
        return BoardCell(self.position, self.answer.first, self.answer.best, right)

    @property
    def search_share(self) -> float:
        """The search's share of its move."""
        return self.answer.policy[self.answer.actions.index(self.answer.best)]

    @property
    def verdict(self) -> str:
        """What is certainly wrong."""
        if self.audited.exact is None:
            return ""
        if self.audited.search_wrong(self.net):
            return tr("both wrong") if self.audited.net_wrong(self.net) else tr("search wrong")
        return tr("net wrong") if self.audited.net_wrong(self.net) else ""


def _exactly(row: ShownPosition) -> str:
    return tr(_WORDS[row.audited.exact.value]) if row.audited.exact is not None else ""


def _to_move(row: ShownPosition) -> str:
    return kind_of(row.game.name).players[row.audited.ply & 1]


def _blamed(row: ShownPosition) -> str:
    from models.audit.blame import WORDS

    return "" if row.blame is None else core_text(WORDS[row.blame.kind])


COLUMNS: Final[tuple[Column[ShownPosition], ...]] = (
    Column(
        "board",
        "Position",
        (
            "Dashed orange ring: the net's first move. Blue ring: the search's. Green dots: the moves that keep the "
            "exact value, where another loses something. A click opens the position with this net."
        ),
        "",
        lambda row: "",
        lambda row: row.audited.number,
        number=False,
    ),
    Column("ply", "Ply", "", "", lambda row: str(row.audited.ply), lambda row: row.audited.ply),
    Column("side", "To move", "", "", _to_move, number=False),
    Column(
        "net",
        "Net",
        "The net's first move, with its prior P.",
        "",
        lambda row: row.move(row.answer.first, row.answer.priors[0]),
        lambda row: row.answer.priors[0],
        number=False,
    ),
    Column(
        "search",
        "Search",
        "The move that the search would play, with its share π.",
        "",
        lambda row: row.move(row.answer.best, row.search_share),
        lambda row: row.search_share,
        number=False,
    ),
    Column(
        "value",
        "V",
        "",
        "",
        lambda row: signed(row.answer.value, 2),
        lambda row: row.answer.value,
    ),
    Column(
        "searched",
        "Searched",
        "",
        "",
        lambda row: signed(row.answer.searched, 2),
        lambda row: row.answer.searched,
    ),
    Column(
        "exact",
        "Exact",
        "The exact result for the side to move; empty where the position was not solved.",
        "",
        _exactly,
        lambda row: math.nan if row.audited.exact is None else row.audited.exact.value,
        number=False,
    ),
    Column(
        "kl",
        "KL",
        "How much the search changed the policy: KL(π || P) in nats.",
        "",
        lambda row: plain(row.kl, 2),
        lambda row: row.kl,
    ),
    Column(
        "swing",
        "Swing",
        "What the search added to the net's value.",
        "",
        lambda row: signed(row.answer.swing, 2),
        lambda row: abs(row.answer.swing),
    ),
    Column(
        "loss",
        "Loss",
        (
            "What the net's first move loses: exactly where the position is solved, from 0 to 2 (a win thrown into a "
            "loss); else Q of the search's move less Q of the net's."
        ),
        "",
        lambda row: plain(row.loss, 2),
        lambda row: row.loss + 1e-4 * row.kl,  # ties by KL
    ),
    Column(
        "verdict",
        "Certain",
        "What is wrong for certain: the net's first move, the search's, or both.",
        "",
        lambda row: row.verdict,
        number=False,
    ),
    Column(
        "blame",
        "To blame",
        "What is to blame for the search's mistake, where that was examined: policy, value, horizon or chance.",
        "",
        _blamed,
        number=False,
    ),
)
LOSS, BLAMED = ([column.id for column in COLUMNS].index(name) for name in ("loss", "blame"))


class PositionsModel(TableModel[ShownPosition]):
    """One row for each position shown."""

    def look(self, row: ShownPosition, column: int) -> Look:
        kind = self.columns[column].id
        worse = () if row.audited.exact is None else row.audited.exact.worse
        bad = (kind == "net" and row.answer.first in worse) or (kind == "search" and row.answer.best in worse)
        return Look(self.columns[column].text(row), "warn" if bad or kind == "verdict" else "text", bold=bad)

    def identity(self, row: ShownPosition) -> Hashable:
        return row.audited.number, row.net

    def tip(self, row: ShownPosition) -> str | None:
        moves = " ".join(map(row.game.action_name, row.audited.item.moves))
        return "\n".join(filter(None, (moves, row.blame and core_text(row.blame.sentence)))) or None


class PositionsTable(BoardTable[ShownPosition]):
    """The positions, with small boards."""

    def __init__(self, parent: QWidget | None = None) -> None:
        shown = PositionsModel(COLUMNS, None, LOSS, True)
        name: Words = "Positions of the audit"
        super().__init__(shown, name, lambda row: row.board, BOARD, parent, once=True, sorts=True)
        self.shown = shown
        self.setColumnHidden(BLAMED, True)

    def show_positions(self, rows: Sequence[ShownPosition]) -> None:
        """Show these rows; the chosen one stays chosen, and the list where it was scrolled to."""
        shown, new = ({(self.shown.identity(row), row.blame) for row in some} for some in (self.shown.rows, rows))
        if len(rows) == len(self.shown.rows) and shown == new:
            return
        self.setColumnHidden(BLAMED, all(row.blame is None for row in rows))
        index, place = self.currentIndex(), self.verticalScrollBar().value()
        chosen = self.shown.identity(self.shown.rows[index.row()]) if index.isValid() else None
        self.shown.show(rows)
        for number, row in enumerate(self.shown.rows) if chosen is not None else ():
            if self.shown.identity(row) == chosen:
                self.selectRow(number)
                break
        self.verticalScrollBar().setValue(place)
        self.fit_columns()
