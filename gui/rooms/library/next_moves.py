"""The moves that followed the position on the board in the games listed: how often, and who won."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QCheckBox, QWidget

from core.text import Text, Words
from gui.jobs.job import Job
from gui.jobs.newest import Report, Stale
from gui.language.core_words import core_text
from gui.language.language import begun, stopped, tr
from gui.model.shown import CellShown, CellsShown, position_at
from gui.model.state import INSIDE_OVERLAY
from gui.widgets.board.board_paint import anchors, kind_of
from gui.widgets.figures import Column, count, percent
from gui.widgets.in_sight import SeenWidget
from gui.widgets.labels import ShortLabel
from gui.widgets.layouts import lay_column
from gui.widgets.tables.table import ListTable, TableModel
from gui.widgets.text_size import px
from gui.widgets.texts import on_language, set_texts

if TYPE_CHECKING:
    from core.files.collection import Listed
    from core.files.openings import Explored, NextMove, OpeningIndex
    from core.games import GameSpec, Position
    from gui.model.state import AppState

OFFER: Final = "next_moves"  # under which the cells are offered to the board
WON: Final[Words] = "{player} wins"
NO_GAMES: Final[Words] = "List games first: they are compared with the position on the board."
NO_POSITION: Final[Words] = "No game is open."
INDEXING: Final[Words] = "Indexing {count} games by their positions…"
FOUND: Final[Words] = "{games} of {every} games have this position, {ended} end here"
FEW: Final[Words] = "the first {plies} moves of each game are compared"


class Followed(NamedTuple):
    """A move that followed, with what its figures mean."""

    move: NextMove
    game: GameSpec
    going_on: int  # games with any next move

    @property
    def name(self) -> str:
        return self.game.action_name(self.move.action)

    @property
    def share(self) -> float:
        return self.move.games / self.going_on

    def won(self, part: int) -> float:
        """A share of the games whose result is known; NaN where none is."""
        decided = self.move.first + self.move.draws + self.move.second
        return part / decided if decided else float("nan")


def _result(name: str, title: Words, meaning: Words, part: Callable[[NextMove], int]) -> Column[Followed]:
    def text(row: Followed) -> str:
        share = row.won(part(row.move))
        return percent(share, 0) if share == share else ""

    return Column(name, title, meaning, "100 %", text, lambda row: row.won(part(row.move)))


COLUMNS: Final[tuple[Column[Followed], ...]] = (
    Column(
        "move",
        "Move",
        "A click plays the move. Moves that a symmetry of the position carries into one another count as one.",
        "pass",
        lambda row: row.name,
        lambda row: float(row.move.action),
        number=False,
    ),
    Column(
        "games",
        "Games",
        "The games in which the move followed.",
        "88 888",
        lambda row: count(row.move.games),
        lambda row: row.move.games,
    ),
    Column(
        "share",
        "Share",
        "Share of the games that go on from here.",
        "100.0 %",
        lambda row: percent(row.share),
        lambda row: row.share,
    ),
    _result(
        "first",
        "First wins",
        "Games that the first player won, as a share of those whose file says who did.",
        lambda move: move.first,
    ),
    _result("draws", "Draws", "Drawn games, as a share of those whose file gives a result.", lambda move: move.draws),
    _result(
        "second",
        "Second wins",
        "Games that the second player won, as a share of those whose file says who did.",
        lambda move: move.second,
    ),
)
LEAST_HEIGHT: Final = 140  # px, so that some moves are seen below the heading
RESULTS: Final = ("first", "second")


class _Model(TableModel[Followed]):
    """One row for each move."""

    game: GameSpec | None = None  # whose players the columns name

    def identity(self, row: Followed) -> Hashable:
        return row.move.action

    def words(self, column: int) -> tuple[str, str]:
        title, meaning = super().words(column)
        if self.game is not None and self.columns[column].id in RESULTS:
            player = kind_of(self.game.name).players[RESULTS.index(self.columns[column].id)]
            title = tr(WON).format(player=player)
        return title, meaning


class NextMoves(SeenWidget):
    """A table that follows the board; it works only while it is in sight.

    ``report`` and ``on_board`` stand where the owner puts them.  The games are indexed once, in a thread.  ``played``
    emits the action of the row clicked, and the position that it is of.
    """

    played = Signal(int, object)

    def __init__(self, state: AppState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self._games: Sequence[Listed] = ()
        self._symmetric = True
        self._index: OpeningIndex | None = None
        self._again = False  # the board has changed while something was being looked for
        self._words: Words = NO_GAMES
        self.position: Position | None = None  # that the answer is about
        self.explored: Explored | None = None
        self.job = Job(self)
        self.model = _Model(COLUMNS)
        self.table = ListTable(self.model, "The moves that followed", self, once=True, sorts=True)
        self.report = ShortLabel(self, "dim")
        self.on_board = set_texts(
            QCheckBox(self),
            text="On the board",
            toolTip="The board shows how often each move followed; unchecked, what it showed before.",
        )
        lay_column((self.table, 1), of=self, margins=0)
        self.setMinimumHeight(px(LEAST_HEIGHT))
        self.on_board.clicked.connect(state.show_cells)
        self.table.chosen.connect(lambda row: self.played.emit(row.move.action, self.position))
        self.job.failed.connect(self._refuse)
        for signal in (state.position_changed, state.selection_changed, state.search_changed):
            signal.connect(lambda *_: self.ask())
        state.overlay_changed.connect(self._renew_box)
        state.cells_changed.connect(self._renew_box)
        self.in_sight.connect(self._turned)
        on_language(self, self._renew)
        self._renew()
        self._renew_box()

    def sizeHint(self) -> QSize:
        return QSize(px(540), px(200))

    def show_games(self, games: Sequence[Listed]) -> None:
        """Look into other games."""
        self.job.stop()
        self._games, self._index, self.explored, self.position = games, None, None, None
        self.ask()

    def count_images(self, symmetric: bool) -> None:
        """Choose whether turned and mirrored positions count."""
        self._symmetric, self.explored = symmetric, None
        self.ask()

    def ask(self) -> None:
        """Look for what followed the position now selected, if the table is in sight."""
        root = self._state.position
        if not self._in_sight:
            return
        if self.job.running:
            self._again = True
        elif not self._games or root is None:
            self._refuse(NO_POSITION if self._games else NO_GAMES)
        else:
            position = position_at(root, self._state.selected)
            if self.explored is None or position != self.position:
                self._run(position)
            else:
                self._renew()

    def _run(self, position: Position) -> None:
        games, index, symmetric = self._games, self._index, self._symmetric
        if index is not None and not index.fits(position.game):
            index = None

        def work(stopped: Stale, report: Report) -> Any:
            from core.files.openings import OpeningIndex

            made = index or OpeningIndex(games, position.game, stop=stopped)
            return made, position, made.explore(position, symmetric)

        if index is None:
            self._refuse(Text(INDEXING, count=count(len(games))))
        self._again = False
        self.job.run(work, self._take)

    def _take(self, found: tuple[OpeningIndex, Position, Explored]) -> None:
        self._index, self.position, self.explored = found
        self._renew()
        if self._again:
            self.ask()

    def _refuse(self, sentence: Words) -> None:
        """Show nothing but why."""
        self.explored, self.position, self._words = None, None, sentence
        self._renew()

    def _turned(self, in_sight: bool) -> None:
        if in_sight:
            self.ask()
        else:
            self.job.stop()
            self._offer()

    # what is shown

    def _renew(self) -> None:
        explored, position = self.explored, self.position
        rows: list[Followed] = []
        if explored is None or position is None:
            words = core_text(self._words)
            self.report.setText(begun(words if words.endswith("…") else stopped(words)))
        else:
            going_on = sum(move.games for move in explored.moves)
            rows = [Followed(move, position.game, going_on) for move in explored.moves]
            games, every = count(len(explored.games)), count(len(self._games))
            words = tr(FOUND).format(games=games, every=every, ended=count(explored.ended))
            plies = None if self._index is None else self._index.plies
            self.report.setText(words if plies is None else f"{words} · {tr(FEW).format(plies=count(plies))}")
            self.model.game = position.game
        self.model.show(rows, anew=True)
        self.model.renew_titles()
        self.table.fit_columns()
        self._offer()

    def cells(self) -> CellsShown | None:
        """How often each move followed, as discs."""
        if self.explored is None or self.position is None or not self.model.rows:
            return None
        places = anchors(self.position)
        most = max(row.move.games for row in self.model.rows)
        shown = tuple(
            CellShown(
                places.get(row.move.action, -1),
                row.share,
                percent(row.share, 0),
                f"{row.name}: {count(row.move.games)}",
                action=row.move.action,
                opacity=0.35 + 0.65 * row.share,
                ringed=row.move.games == most,
            )
            for row in self.model.rows
        )
        text = tr("how often each move followed, in {games} games").format(games=count(len(self.explored.games)))
        return CellsShown(
            self.position, self._state.source, tr("Next moves"), text, shown, low=percent(0.0, 0), high=percent(1.0, 0)
        )

    def _offer(self) -> None:
        self._state.offer_cells(OFFER, self.cells() if self._in_sight else None)

    def _renew_box(self) -> None:
        """Show on the box whether the board shows the moves."""
        cells = self.explored is not None and self._state.cells is not None
        self.on_board.setEnabled(cells)
        self.on_board.setChecked(self._state.overlay == INSIDE_OVERLAY)
