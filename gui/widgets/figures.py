"""A move's statistics as table columns: title, meaning, text and sort key.  Uses rows of a snapshot, no widget."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from core.search.rules.table import NAMED
from core.text import Words
from gui.language.core_words import MINUS as MINUS
from gui.language.core_words import NONE as NONE
from gui.language.core_words import THIN as THIN
from gui.language.core_words import core_text
from gui.language.language import tr

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from core.glass import MoveRow, NodeView

LEAST_SOLID: Final = 0.64  # opacity: text fainter than this is too hard to read on a panel (4.5:1, WCAG 2)
Row = TypeVar("Row")
OTHER_PROOF: Final = {"": "", "win": "loss", "draw": "draw", "loss": "win"}


def _unsorted(_: object) -> float:
    return math.nan


@dataclass(frozen=True)
class Column(Generic[Row]):
    """One figure of a row: ``text`` is what is shown, ``key`` what sorts it (NaN sorts last)."""

    id: str
    title: Words
    meaning: Words
    widest: str  # a text as wide as any, for a width that never changes; "" where the widths follow the rows
    text: Callable[[Row], str]
    key: Callable[[Row], float | tuple[int, ...]] = _unsorted
    number: bool = True
    indent: int = 0  # px before the text
    elided: bool = False
    ruled: bool = False  # a line stands before it


def count(n: int) -> str:
    """Format an integer with narrow spaces: 12 345."""
    return f"{n:,}".replace(",", THIN)


def simulations_words(n: int) -> str:
    """Format a number of simulations: "1 simulation", "12 345 simulations"."""
    return tr("{simulations} simulations", n).format(simulations=count(n))


def total(x: float) -> str:
    """Format a sum of values with its sign and thin spaces: +12 345.6, a dash for NaN."""
    if math.isnan(x):
        return NONE
    text = f"{abs(x):,.1f}".replace(",", THIN)
    return text if text == "0.0" else (MINUS if x < 0 else "+") + text


def short_count(n: float) -> str:
    """Format a number with at most four digits: 812, 9.8k, 41k, 1.2M."""
    for limit, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if n >= limit * 0.9995:
            scaled = n / limit
            return f"{scaled:.1f}{unit}" if scaled < 9.95 else f"{scaled:.0f}{unit}"
    return f"{n:.0f}"


def size(n: int) -> str:
    """Format bytes in MB (2^20), or in GB when large."""
    mib = n / (1 << 20)
    if mib >= 1024:
        return f"{mib / 1024:.1f} GB"
    return f"{mib:.1f} MB" if 0 < mib < 9.95 else f"{mib:.0f} MB"


def signed(x: float, decimals: int = 3) -> str:
    """Format a number with its sign: +0.312, a dash for NaN; no sign for what rounds to zero."""
    if math.isnan(x):
        return NONE
    text = f"{abs(x):.{decimals}f}"
    if float(text) == 0.0:
        return text
    return (MINUS if x < 0 else "+") + text


def plain(x: float, decimals: int = 3) -> str:
    """Format a number: 0.041, ∞, a dash for NaN; no sign for what rounds to zero."""
    if math.isnan(x):
        return NONE
    if math.isinf(x):
        return "∞" if x > 0 else MINUS + "∞"
    text = f"{abs(x):.{decimals}f}"
    return MINUS + text if x < 0 and float(text) else text


def percent(x: float, decimals: int = 1) -> str:
    """Format a share: 12.3 %, a dash for NaN."""
    return NONE if math.isnan(x) else f"{100 * x:.{decimals}f}{THIN}%"


def rough_percent(x: float) -> str:
    """Format a share in at most three characters and the sign, for small places: 39 %, 8.5 %."""
    return percent(x, 0 if x >= 0.0995 else 1)


def _decimals(x: float) -> int:
    """Decimals of a term of a selection formula; a large one is a number of visits."""
    return 3 if abs(x) < 100 else 0


def value_text(value: float, player: str, decimals: int = 2, lead: float = math.nan) -> str:
    """Format a value with its player, and a score lead unless it is NaN: "+0.31 for X, +2.5 points"."""
    words = tr("{value} for {player}")
    if not math.isnan(lead):
        words = tr("{value} for {player}, {lead} points")
    return words.format(value=signed(value, decimals), player=player, lead=signed(lead, 1))


def first_player_text(value: float, lead: float, player: str) -> str:
    """Format value and score lead of the first player: "Black: 31.5 % to win, −8.6 points"."""
    words = tr("{player}: {share} to win, {lead} points")
    return words.format(player=player, share=percent((value + 1) / 2), lead=signed(lead, 1))


def proof_text(row: MoveRow) -> str:
    """Format a proof and its number of plies: "win 5", "win ≤ 7", or discs: "win by 12"; "" when nothing is proved."""
    if not row.proof:
        return ""
    result = tr(row.proof)
    if row.discs is not None:
        return tr("{result} by {discs}").format(result=result, discs=abs(row.discs)) if row.discs else result
    return f"{result} {short_plies(row.distance, row.distance_at_most)}" if row.distance else result


def short_plies(distance: int, at_most: bool) -> str:
    """Format a number of plies: 5, or ≤ 5 when best play may end sooner."""
    return f"≤{THIN}{distance}" if at_most else str(distance)


def plies_words(distance: int, at_most: bool) -> str:
    """Format a number of plies in words: 5, or "at most 5" when best play may end sooner."""
    return tr("at most {plies}").format(plies=distance) if at_most else str(distance)


def result_words(result: str, distance: int, at_most: bool) -> str:
    """Format a proved result in words: "win in 5", "loss in at most 8", or "win" where no plies are known."""
    if not distance:
        return tr(result)
    return tr("{result} in {plies}").format(result=tr(result), plies=plies_words(distance, at_most))


def player_of(node: NodeView, player: int) -> int:
    """Return whose values the rows of a node show: those of ``player``, of the side to move there if -1."""
    return player if player >= 0 else node.position.to_move


def rows_for(rows: Sequence[MoveRow], node: NodeView, player: int) -> list[MoveRow]:
    """Return rows of a node with the values of ``player``; -1: of the side to move there.  The terms of selection stay
    those of the side that plays the move."""
    if player_of(node, player) == node.position.to_move:
        return list(rows)
    return [row._replace(q=-row.q, value=-row.value, lead=-row.lead, proof=OTHER_PROOF[row.proof]) for row in rows]


def opacity_of(visits: int) -> float:
    """Return the opacity of results from so many visits: ``LEAST_SOLID`` for none, 1 from 50 on."""
    return LEAST_SOLID if visits <= 0 else min(1.0, 0.7 + 0.3 * math.log(visits) / math.log(50))


def _proof_key(row: MoveRow) -> float:
    base = {"win": 2.0, "draw": 1.0, "": 0.0, "loss": -1.0}[row.proof]
    nearness = 1.0 / (2.0 + row.distance) if row.distance else 0.0
    return base + nearness if row.proof == "win" else base - nearness if row.proof == "loss" else base


COLUMNS: Final[tuple[Column[MoveRow], ...]] = (
    Column(
        "move",
        "Move",
        "The move, as players of the game write it; ×4: it stands for four, which a symmetry of the position carries "
        "into one another.",
        "m00 ×8",
        lambda r: r.title,
        lambda r: float(r.action),
        number=False,
        indent=11,
    ),
    Column(
        "n",
        "N",
        "Visits: simulations that took the move, begun at this position or before it. Those begun after the move count "
        "for Q alone.",
        "8 888 888",
        lambda r: count(r.visits),
        lambda r: float(r.visits),
    ),
    Column(
        "share",
        "Share",
        "Share of its siblings' visits, in percent.",
        "100.0 %",
        lambda r: percent(r.share),
        lambda r: r.share,
    ),
    Column(
        "p",
        "P",
        "Prior as selection uses it: the net's policy over the moves searched, root noise included.",
        "100.0 %",
        lambda r: percent(r.prior),
        lambda r: r.prior,
    ),
    Column(
        "human",
        "P human",
        "How likely the players that the human net imitates play the move: the claim of that net, chosen in the menu "
        "of the net, without search.",
        "100.0 %",
        lambda r: percent(r.human),
        lambda r: r.human,
    ),
    Column(
        "w",
        "W",
        "Total value: the sum of the values of all simulations through the move, for the player whose disc stands "
        "before Q. Q = W / n, where n also counts those begun after the move.",
        "+8 888 888.8",
        lambda r: total(r.w),
        lambda r: r.w,
    ),
    Column(
        "q",
        "Q",
        "Mean value of the simulations through the move, from −1 (lost) to +1 (won) for the player whose disc stands "
        "before it: the side that plays the move, or the one chosen under View, Values for. For an unvisited move the "
        "value selection assumes.",
        "● +0.000",
        lambda r: signed(r.q),
        lambda r: r.q,
    ),
    Column(
        "u",
        "U",
        "Exploration term of the selection formula: large for a high prior and few visits.",
        "0.000",
        lambda r: plain(r.u, _decimals(r.u)),
        lambda r: r.u,
    ),
    Column(
        "score",
        "Q + U",
        "What selection maximises, always for the side that plays the move, with simulations in flight counted as "
        "visits; the next simulation enters the move marked ▸.",
        "+0.000",
        lambda r: plain(r.score, _decimals(r.score)),
        lambda r: r.score,
    ),
    Column(
        "v",
        "V",
        "The net's own value of the position after the move, for the player whose disc stands before Q.",
        "+0.000",
        lambda r: signed(r.value),
        lambda r: r.value,
    ),
    Column(
        "lead",
        "Lead",
        "Score lead of the player whose disc stands before Q, in points: the mean of what the net expected at the end "
        "of each simulation through the move, or of the score where the game was over.",
        "+000.0",
        lambda r: signed(r.lead, 1),
        lambda r: r.lead,
    ),
    Column(
        "proof",
        "Proof",
        "Proved result for the player whose disc stands before Q, and in how many plies; ≤: best play may be shorter, "
        "as the search keeps the first win it finds.",
        "draw ≤ 88",
        proof_text,
        _proof_key,
        number=False,
    ),
    Column(
        "curve",
        "π, Q",
        "Share of the visits (left) and Q (right) over the simulations, on the same scales in all rows.",
        "0000000000000",
        lambda r: "",
        number=False,
    ),
    Column(
        "pv",
        "PV",
        "The line the search expects after the move: most visits at each ply.",
        "m0 m0 m0",
        lambda r: tr("left out of the search") if r.left_out else " ".join(r.pv_names),
        lambda r: r.pv,
        number=False,
        elided=True,
    ),
)
_NO_PRIORS: Final[Words] = "None: this selection rule uses no priors."


def column_words(column: int, rule: str) -> tuple[str, str]:
    """Return the title and meaning of a column under a selection rule."""
    entry = COLUMNS[column]
    if entry.id == "p" and not NAMED[rule].priors:
        return tr("P"), tr(_NO_PRIORS)
    title, meaning = NAMED[rule].columns.get(entry.id, (entry.title, entry.meaning))
    return core_text(title), core_text(meaning)


COLUMN_INDEX: Final = {column.id: i for i, column in enumerate(COLUMNS)}


def in_order(rows: Iterable[Row], key: Callable[[Row], Any], descending: bool) -> list[Row]:
    """The rows in the order of ``key``; ties keep the order they came in, those whose key is NaN are always last."""
    keyed = [(key(row), row) for row in rows]
    sortable = [pair for pair in keyed if pair[0] == pair[0]]
    sortable.sort(key=lambda pair: pair[0], reverse=descending)
    return [row for _, row in sortable] + [row for value, row in keyed if value != value]


def sort_rows(rows: Iterable[MoveRow], column: int, descending: bool) -> list[MoveRow]:
    """The rows in the order of a column; those of moves not shown and of moves left out are always last."""
    key = COLUMNS[column].key
    return in_order(rows, lambda row: math.nan if row.left_out or row.action < 0 else key(row), descending)


def divergence(shares: NDArray[np.float64], base: NDArray[np.float64]) -> float:
    """Return KL(shares ‖ base) in nats, each normalised to 1; NaN for zeros, infinite where ``base`` is zero."""
    mass, base_mass = float(shares.sum()), float(base.sum())
    if not (mass > 0 and base_mass > 0):
        return math.nan
    result = 0.0
    for p, b in zip((shares / mass).tolist(), (base / base_mass).tolist(), strict=True):
        if p > 0:
            result += p * math.log(p / b) if b > 0 else math.inf
    return max(0.0, result)
