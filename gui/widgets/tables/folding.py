"""Which moves the tables show, and one row for all the others.  Uses rows of a snapshot, no widget."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from core.text import Words
from gui.language.language import tr
from gui.widgets.figures import COLUMN_INDEX, COLUMNS, LEAST_SOLID, count, percent
from gui.widgets.tables.row_delegate import SOLID, Look

if TYPE_CHECKING:
    from core.glass import MoveRow

FOLDED: Final = -2  # the action of the row that stands for the moves not shown
_FIGURES: Final = {COLUMN_INDEX[name] for name in ("n", "share", "p", "human")}
LIKELY: Final = 0.05  # a move that the human net gives this much is shown without a visit
NAN: Final = math.nan


def _differ(row: MoveRow) -> bool:
    """Whether net and search differ by 5 %: the share of the visits from P, or Q from V as chances to win."""
    differences = [abs(row.share - row.net_prior)] if not math.isnan(row.prior) else []
    if row.visits and not math.isnan(row.value):
        differences.append(abs(row.q - row.value) / 2)
    return max(differences, default=0.0) >= 0.05


@dataclass(frozen=True)
class RowFilter:
    """A choice of the moves shown; ``least``: how many others there must be to fold them."""

    name: str
    title: Words  # of its command
    shows: Callable[[MoveRow], bool]
    folded: Words = "not shown: click"
    least: int = 1


FILTERS: Final = (
    RowFilter(
        "visited",
        "&Visited moves",
        lambda row: row.visits > 0 or bool(row.proof) or row.human >= LIKELY,
        "not visited: click",
        4,
    ),
    RowFilter("every", "&All moves", lambda row: True),
    RowFilter("visits_10", "At least &10 visits", lambda row: row.visits >= 10),
    RowFilter("proved", "&Proved moves", lambda row: bool(row.proof)),
    RowFilter("differ_5", "Net and search differ by &5 %", _differ),
)
FILTER: Final = {row_filter.name: row_filter for row_filter in FILTERS}
OPENED: Final[Words] = "fold them: click"


def fold(rows: Sequence[MoveRow], choice: RowFilter, opened: bool) -> list[MoveRow]:
    """Return the rows that a filter shows, and a row for the others; ``opened``: all, and that row."""
    from core.glass import MoveRow

    shown: list[MoveRow] = []
    hidden: list[MoveRow] = []
    for row in rows:
        (shown if choice.shows(row) else hidden).append(row)
    if len(hidden) < choice.least or (not shown and choice.least > 1):
        return list(rows)
    line = MoveRow(
        action=FOLDED,
        name=OPENED if opened else choice.folded,
        visits=sum(row.visits for row in hidden),
        backups=0,
        share=sum(row.share for row in hidden),
        prior=sum(row.prior for row in hidden),
        net_prior=sum(row.net_prior for row in hidden),
        q=NAN,
        u=NAN,
        score=NAN,
        value=NAN,
        proof="",
        distance=0,
        pv=(),
        pv_names=(),
        same=tuple(row.action for row in hidden),
        human=sum(row.human for row in hidden),
    )
    return [*(rows if opened else shown), line]


def fold_look(row: MoveRow, column: int, marks: int) -> Look:
    """What is to be seen of the row that stands for moves not shown."""
    faint = round(LEAST_SOLID * SOLID)
    if column == 0:
        return Look(f"{'−' if row.name == OPENED else '+'}{len(row.same)}", "accent", marks=marks)
    if column == COLUMN_INDEX["pv"]:
        return Look(tr(row.name), "accent", marks=marks)
    return Look(COLUMNS[column].text(row) if column in _FIGURES else "", "dim", faint, marks=marks)


def fold_words(row: MoveRow) -> str | None:
    """Return what the row for moves not shown says when pointed at; None for the row of a move."""
    if row.action != FOLDED:
        return None
    prior = row.net_prior if math.isnan(row.prior) else row.prior
    if math.isnan(prior):
        return tr("{count} moves, N = {visits}").format(count=count(len(row.same)), visits=count(row.visits))
    words = tr("{count} moves, N = {visits}, ΣP = {prior}")
    return words.format(count=count(len(row.same)), visits=count(row.visits), prior=percent(prior))
