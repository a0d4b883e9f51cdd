"""Two searches of a position side by side: what differs, in words and as a table of their moves."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QHeaderView, QWidget

from core.text import Words
from gui.language.core_words import core_text
from gui.language.language import tr
from gui.model.shown import position_at
from gui.widgets.board.board_paint import kind_of
from gui.widgets.figures import (
    NONE,
    OTHER_PROOF,
    THIN,
    Column,
    count,
    opacity_of,
    percent,
    player_of,
    result_words,
    rows_for,
    signed,
    simulations_words,
)
from gui.widgets.layouts import lay_column
from gui.widgets.settings.setting_fields import FIELDS
from gui.widgets.settings.settings_form import setting_words
from gui.widgets.tables.row_delegate import PAD, SOLID, Look
from gui.widgets.tables.table import SharedTable, TableModel
from gui.widgets.text_size import by_font
from gui.widgets.texts import set_texts
from gui.widgets.theme import current_theme, figure_font
from gui.widgets.words import PROOFS

if TYPE_CHECKING:
    from core.glass import MoveRow, NodeView, Snapshot
    from core.search import SearchSettings
    from gui.model.state import PathOf

MOST_NAMES: Final = 10  # moves of a line, in a sentence
MARKED_SHARE: Final = 0.05  # smallest differences that are marked
MARKED_VALUE: Final = 0.05
MARKED_VISITS: Final = 10  # a value from fewer visits is not marked
MARKED_RANK_SHARE: Final = 0.01  # nor is the rank of a move with a smaller share


@dataclass(frozen=True)
class Pair:
    """One move in both searches; a row is None if a search does not have the move."""

    action: int
    name: str
    rows: tuple[MoveRow | None, MoveRow | None]
    ranks: tuple[int, int]  # 1 for the most visited; 0 without visits
    notes: tuple[str, str]  # why there is no row: "= c3" where symmetry merged it
    best: tuple[bool, bool]  # the search would play it

    def figure(self, side: int, name: str) -> float:
        """Return a figure of one search's row ("share", "q", "prior", "visits"); NaN if it has none."""
        row = self.rows[side]
        return math.nan if row is None or (name == "q" and not row.visits) else float(getattr(row, name))

    def change(self, name: str) -> float:
        """Return the second search's figure minus the first's."""
        return self.figure(1, name) - self.figure(0, name)

    def stands_out(self, name: str) -> bool:
        """Whether the difference is large enough to be marked."""
        if name == "rank":
            share = max((row.share for row in self.rows if row is not None), default=0.0)
            return self.ranks[0] != self.ranks[1] and share >= MARKED_RANK_SHARE
        if name == "q" and min((row.visits if row is not None else 0) for row in self.rows) < MARKED_VISITS:
            return False
        least = MARKED_SHARE if name in ("share", "prior") else MARKED_VALUE
        return abs(self.change(name)) >= least - 1e-9


def paired(first: Snapshot, second: Snapshot | None, player: int = -1) -> list[Pair]:
    """Return every move of either search, in the order of the first's ranks, then the second's.

    ``second``: None before it has begun.  ``player``: whose values the rows have; -1: those of the side to move."""
    game = first.position.game
    sides = (first.root, None if second is None else second.root)
    moves = [() if side is None else (*side.rows, *side.left_out_rows) for side in sides]
    shown = [[] if side is None else rows_for(own, side, player) for side, own in zip(sides, moves, strict=True)]
    rows = [{row.action: row for row in side} for side in shown]
    ranks = [{row.action: i for i, row in enumerate(side.rows, 1) if row.visits} if side else {} for side in sides]
    places = [{row.action: i for i, row in enumerate(own)} for own in moves]
    last = len(rows[0]) + len(rows[1])
    order = sorted(rows[0].keys() | rows[1].keys(), key=lambda a: (places[0].get(a, last), places[1].get(a, last), a))
    return [
        Pair(
            action,
            game.action_name(action),
            (rows[0].get(action), rows[1].get(action)),
            (ranks[0].get(action, 0), ranks[1].get(action, 0)),
            (_twin(sides[0], action), _twin(sides[1], action)),
            (action == first.best, second is not None and action == second.best),
        )
        for action in order
    ]


def _twin(node: NodeView | None, action: int) -> str:
    if node is None:
        return ""
    kept = next((kept for kept, others in node.same.items() if action in others), -1)
    return f"= {node.position.game.action_name(kept)}" if kept >= 0 else ""


def common_moves(first: Snapshot, second: Snapshot) -> PathOf:
    """Return the moves that both principal variations begin with."""
    shared = 0
    for a, b in zip(first.pv, second.pv, strict=False):
        if a != b:
            break
        shared += 1
    return first.pv[:shared]


def divergence_words(first: Snapshot, second: Snapshot, player: int = -1) -> str:
    """Return where the two PVs diverge, with the figures of both moves there for ``player``; -1: for the side that
    plays them."""
    game = first.position.game
    if not first.pv or not second.pv:
        return "" if first.position.is_over else tr("One of the searches has no principal variation yet.")
    path = common_moves(first, second)
    shared = " ".join(_names(game, path))
    rest = [snapshot.pv[len(path) :] for snapshot in (first, second)]
    if not rest[0] and not rest[1]:
        return tr("Both expect {shared}.").format(shared=shared).replace("….", "…")
    if not rest[0] or not rest[1]:
        words = tr("Both expect {shared}; the first looks further: {more}.")
        if not rest[0]:
            words = tr("Both expect {shared}; the second looks further: {more}.")
        return words.format(shared=shared, more=" ".join(_names(game, rest[0] or rest[1])))
    whose = position_at(first.position, path).to_move if player < 0 else player
    mover = kind_of(game.name).players[whose]
    first_move, second_move = (
        game.action_name(line[0]) + _figures(snapshot, path, line[0], whose)
        for snapshot, line in zip((first, second), rest, strict=True)
    )
    if not path:
        return tr("The first plays {first_move} and the second {second_move}, for {mover}.").format(
            first_move=first_move, second_move=second_move, mover=mover
        )
    return tr(
        "Both expect {shared}; then the first plays {first_move} and the second {second_move}, for {mover}."
    ).format(shared=shared, first_move=first_move, second_move=second_move, mover=mover)


def _names(game: Any, line: PathOf) -> list[str]:
    names = [game.action_name(action) for action in line[:MOST_NAMES]]
    return [*names, "…"] if len(line) > MOST_NAMES else names


def _figures(snapshot: Snapshot, path: PathOf, action: int, player: int) -> str:
    """Return " (N 412, Q +0.12)", or "" if the snapshot does not have the node yet."""
    node = snapshot.node(path)
    rows = rows_for(node.rows, node, player) if node is not None else []
    row = next((row for row in rows if row.action == action), None)
    if row is None:
        return ""
    value = f"Q {signed(row.q, 2)}"
    if row.proof:
        value = result_words(row.proof, row.distance, row.distance_at_most)
    return f" (N {count(row.visits)}, {value})"


def value_words(first: Snapshot, second: Snapshot, player: int = -1) -> str:
    """Return both values of the position, the player they are for (-1: the side to move), and their difference."""
    position = first.position
    if position.is_over:
        return tr("The game is over.")
    whose = player_of(first.root, player)
    mover, sign = kind_of(position.game.name).players[whose], 1 if whose == position.to_move else -1
    texts = [_value_text(snapshot.root, snapshot.value, sign) for snapshot in (first, second)]
    words = tr("Value for {mover}: first {texts}, second {texts_2}")
    words = words.format(mover=mover, texts=texts[0], texts_2=texts[1])
    change = sign * (round(second.value, 3) - round(first.value, 3))  # of the figures shown
    if math.isnan(change):
        return f"{words}."
    if abs(change) < 0.0005:
        return tr("{words}: the same.").format(words=words)
    template = tr("{words}: higher by {change:.3f}.") if change > 0 else tr("{words}: lower by {change:.3f}.")
    return template.format(words=words, change=abs(change))


def _value_text(node: NodeView, value: float, sign: int) -> str:
    if not node.proof:
        return signed(sign * value)
    proof = PROOFS[node.proof] if sign > 0 else OTHER_PROOF[PROOFS[node.proof]]
    result = result_words(proof, node.distance, node.distance_at_most)
    return tr("{result} of the moves searched").format(result=result) if node.left_out and node.proof != 1 else result


def setting_changes(first: SearchSettings, second: SearchSettings) -> list[tuple[str, str, str]]:
    """Return (title, the second's value, the first's) of every setting that differs, formatted as in the panel."""
    changes = []
    for name, field in FIELDS.items():
        ours, theirs = getattr(second, name), getattr(first, name)
        if ours != theirs:
            title = tr(field.title or field.check)
            changes.append((title, core_text(setting_words(field, ours)), core_text(setting_words(field, theirs))))
    return changes


def change_words(
    first: SearchSettings, second: SearchSettings, sources: tuple[str, str], limits: tuple[int, int]
) -> str:
    """Return in one line how the second search differs from the first."""
    parts = [
        tr("{title} {ours} instead of {theirs}").format(title=title, ours=ours, theirs=theirs)
        for title, ours, theirs in setting_changes(first, second)
    ]
    if sources[0] != sources[1]:
        parts.insert(0, tr("{sources} instead of {sources_2}").format(sources=sources[1], sources_2=sources[0]))
    if limits[0] != limits[1]:
        parts.append(
            tr("{limits} instead of {limits_2}").format(limits=simulations_words(limits[1]), limits_2=count(limits[0]))
        )
    return tr("Second: {changes}").format(changes=" · ".join(parts) or tr("same settings as the first"))


def search_titles(
    first: SearchSettings, second: SearchSettings, sources: tuple[str, str], limits: tuple[int, int]
) -> tuple[str, str]:
    """Return the headings of both searches: what each is called, and where they differ first."""
    differing = setting_changes(first, second)
    if sources[0] != sources[1]:
        parts = sources
    elif differing:
        title, ours, theirs = differing[0]
        parts = f"{title} {theirs}", f"{title} {ours}"
    elif limits[0] != limits[1]:
        parts = simulations_words(limits[0]), simulations_words(limits[1])
    else:
        return tr("First search"), tr("Second search")
    words = tr("First search · {differs}"), tr("Second search · {differs}")
    return words[0].format(differs=parts[0]), words[1].format(differs=parts[1])


BEST: Final = "●"
MEANINGS: Final[tuple[Words, Words, Words, Words]] = (  # the columns of either search
    "Rank of the move by visits; ● marks the move that the search would play.",
    "",
    "Mean value for the player whose disc stands before the move.",
    "",
)


def _end(row: MoveRow) -> str:
    """Return the text for a move that is not searched or whose result is proved."""
    return tr("left out") if row.left_out else tr(row.proof)


@dataclass(frozen=True)
class PairColumn(Column["Pair"]):
    """A column: ``side`` 0 or 1 of one search, -1 of neither; ``id`` is the figure of Pair it shows."""

    side: int = -1


def _of(side: int) -> tuple[PairColumn, ...]:
    rank, share, q, prior = MEANINGS

    def rank_text(pair: Pair) -> str:
        text = str(pair.ranks[side]) if pair.ranks[side] else pair.notes[side] or NONE
        return f"{BEST} {text}" if pair.best[side] else text

    def figure(name: str, title: Words, meaning: str, widest: str) -> PairColumn:
        def key(pair: Pair) -> float:
            return pair.figure(side, name)

        write = signed if name == "q" else percent
        return PairColumn(name, title, meaning, widest, lambda pair: write(key(pair)), key, side=side)

    def rank_key(pair: Pair) -> float:
        return float(pair.ranks[side]) or math.nan

    return (
        PairColumn("rank", "#", rank, f"{BEST} 88", rank_text, rank_key, ruled=True, side=side),
        figure("share", "Share", share, "100.0 %"),
        figure("q", "Q", q, "+0.000"),
        figure("prior", "P", prior, "100.0 %"),
    )


def points(change: float) -> str:
    """A difference of shares: +12.3 %."""
    return NONE if math.isnan(change) else signed(100 * change, 1) + f"{THIN}%"


HEADS: Final = (
    PairColumn(
        "name",
        "Move",
        "",
        "m00 = m00",
        lambda pair: pair.name,
        lambda pair: float(pair.action),
        number=False,
        indent=13,
    ),
    *_of(0),
    *_of(1),
    PairColumn(
        "change",
        "Δ share",
        "Share of the visits in the second search minus that in the first.",
        "+100.0 %",
        lambda pair: points(pair.change("share")),
        lambda pair: pair.change("share"),
    ),
)


GIVE_WAY: Final = ("prior", "change", "q", "rank")  # columns that are hidden first in a narrow room


class ComparisonModel(TableModel["Pair"]):
    """Rows are moves; where the second search differs markedly, its cell is filled and its text bold."""

    def __init__(self) -> None:
        super().__init__(HEADS, column=1)
        self.disc: tuple[str, int] | None = None  # a game, and the player whose values the rows have
        self.both = True  # whether there are figures of the second search

    def identity(self, row: Pair) -> int:
        return row.action

    def look(self, row: Pair, column: int) -> Look:
        head = HEADS[column]
        text = head.text(row)
        name = "share" if head.id == "change" else head.id
        if self.both and (head.side == 1 or head.id == "change") and row.stands_out(name):
            return Look(text, "warn", bold=True, ground="warn_panel")
        if text.startswith(BEST):
            return Look(text, "accent", bold=True)
        solid = 1.0
        if head.side >= 0 and head.id != "prior":
            move = row.rows[head.side]
            solid = opacity_of(move.visits if move is not None else 0)
        return Look(
            text, solid=round(solid * SOLID), bold=head.id == "name", disc=self.disc if head.id == "name" else None
        )

    def tip(self, row: Pair) -> str:
        return "\n".join(
            f"{who}: N {count(move.visits)}" + f", {_end(move)}" * bool(_end(move))
            for who, move in zip((tr("First search"), tr("Second search")), row.rows, strict=True)
            if move is not None
        )


class Groups(QWidget):
    """The names of the two searches above their columns."""

    def __init__(self, header: QHeaderView, parent: QWidget) -> None:
        super().__init__(parent)
        self.titles = ("", "")
        self._header = header
        self.set_titles(tr("First search"), tr("Second search"))
        by_font(self, lambda: self.setFixedHeight(self.fontMetrics().height() + 8))
        for signal in (header.sectionResized, header.geometriesChanged):
            signal.connect(self.update)

    def set_titles(self, first: str, second: str) -> None:
        if (first, second) != self.titles:
            self.titles = (first, second)
            self.setAccessibleName(f"{first}; {second}")
            self.update()

    def fitting(self, title: str, room: int) -> str:
        """Return a title as far as it has room: where they differ stays longest, the colour says which search it is."""
        metrics = QFontMetrics(figure_font(self.font(), bold=True))
        differs = title.rpartition(" · ")[2]
        text = title if metrics.horizontalAdvance(title) <= room else differs
        return metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, room)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(figure_font(self.font(), bold=True))
        for side, title in enumerate(self.titles):
            hidden = self._header.isSectionHidden
            sections = [i for i, head in enumerate(HEADS) if head.side == side and not hidden(i)]
            left = self._header.sectionViewportPosition(sections[0])
            right = self._header.sectionViewportPosition(sections[-1]) + self._header.sectionSize(sections[-1])
            colour = QColor(current_theme().series[side])
            painter.fillRect(QRectF(left + 4, self.height() - 2, right - left - 8, 2), colour)
            room = right - left - 2 * PAD
            painter.setPen(current_theme().color("text"))
            box = QRectF(left + PAD, 0, room, self.height() - 2)
            align = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
            painter.drawText(box, align, self.fitting(title, int(room)))


class PairTable(SharedTable["Pair"]):
    """The table itself, which scrolls sideways only where the moves and the shares have no room."""

    def fit_columns(self) -> None:
        """Hide for both searches what says least, as far as the room is too narrow."""
        least, header = self.least_widths(), self.horizontalHeader()
        shown = list(range(len(HEADS)))
        for name in GIVE_WAY:
            if sum(least[place] for place in shown) > self.viewport().width():
                shown = [place for place in shown if HEADS[place].id != name]
        for place in range(len(HEADS)):
            header.setSectionHidden(place, place not in shown)
        super().fit_columns()


class ComparisonTable(QWidget):
    """The table below the names of the searches; a click on a row emits ``selected``."""

    selected = Signal(int)  # action

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = ComparisonModel()
        self.view = view = PairTable(self.model, self)
        header = view.horizontalHeader()
        set_texts(view, accessibleName="Moves of both searches")
        header.setSectionsClickable(True)
        header.setMinimumSectionSize(24)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setSortIndicator(1, Qt.SortOrder.AscendingOrder)
        by_font(view, view.fit_columns)
        view.setSortingEnabled(True)
        self.groups = Groups(header, self)
        view.horizontalScrollBar().valueChanged.connect(self.groups.update)
        lay_column(self.groups, (view, 1), of=self, margins=0, spacing=0)
        view.clicked.connect(lambda index: self.selected.emit(self.model.rows[index.row()].action))

    def show_both(self, first: Snapshot, second: Snapshot | None, player: int) -> None:
        """Show the moves of two searches of one position, with the values of ``player``; -1: of the side to move.

        ``second``: None before it has begun."""
        self.model.disc = first.position.game.name, player_of(first.root, player)
        self.model.both = second is not None
        self.model.show(paired(first, second, player))
