"""The games of a folder, an archive or a file of many: players, result, date, a search by words and by position."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QSplitter,
    QWidget,
)

from core.files import GAME_SUFFIXES
from core.text import Text, Words
from gui.jobs.job import Job
from gui.jobs.newest import Question, Report, Stale
from gui.language.core_words import core_text, game_title
from gui.language.language import tr
from gui.model.shown import position_at
from gui.rooms.library.next_moves import NextMoves
from gui.widgets.figures import Column, count
from gui.widgets.folding_row import FoldingRow
from gui.widgets.labels import ShortLabel
from gui.widgets.layouts import lay_column, lay_row
from gui.widgets.saving import ask_folder, ask_open_name
from gui.widgets.tables.row_delegate import Look
from gui.widgets.tables.table import ListTable, TableModel
from gui.widgets.text_size import by_font, px
from gui.widgets.texts import on_language, set_texts

if TYPE_CHECKING:
    from core.files.collection import Collection, Listed
    from core.games import Position
    from gui.context import Context
    from gui.model.state import AppState

HEIGHT: Final = 300
_LONGEST_KEY: Final = 24  # characters that sort
_EVERY_S: Final = 0.05  # between two reports of progress


@dataclass(frozen=True)
class ShownGame:
    """One game of the list."""

    number: int  # in the collection, from 0
    listed: Listed

    def info(self, key: str) -> str:
        return self.listed.outline.info.get(key, "")

    @property
    def words(self) -> str:
        """What the search by words looks in, in lower case."""
        return " ".join((*self.listed.outline.info.values(), self.listed.name)).casefold()


def _by_text(text: str) -> tuple[int, ...]:
    return tuple(map(ord, text[:_LONGEST_KEY].casefold()))


def _game(row: ShownGame) -> str:
    game, fault = row.listed.outline.game, row.listed.outline.fault
    return game_title(game) if game is not None else core_text(fault)


def _of(key: str, title: Words, meaning: Words, widest: str) -> Column[ShownGame]:
    return Column(
        key,
        title,
        meaning,
        widest,
        lambda row: row.info(key),
        lambda row: _by_text(row.info(key)),
        number=False,
        elided=True,
    )


COLUMNS: Final[tuple[Column[ShownGame], ...]] = (
    _of("black", "First", "", "A long name of one"),
    _of("white", "Second", "The other player.", "A long name of one"),
    _of("result", "Result", "", "W+Resign"),
    _of("date", "Date", "As the file says.", "2026-11-22"),
    _of("event", "Event", "As the file says.", "A championship"),
    Column(
        "game",
        "Board game",
        "Rules and board, or why the game cannot be opened.",
        "Gomoku 15×15, exactly",
        _game,
        lambda row: _by_text(_game(row)),
        number=False,
        elided=True,
    ),
    Column(
        "moves",
        "Length",
        "",
        "999",
        lambda row: count(len(row.listed.outline.moves)),
        lambda row: len(row.listed.outline.moves),
    ),
    Column(
        "file",
        "File",
        "",
        "a_file_of_games.sgf",
        lambda row: row.listed.name,
        lambda row: _by_text(row.listed.name),
        number=False,
        elided=True,
    ),
)


class _Model(TableModel[ShownGame]):
    """One row for each game that is shown."""

    def look(self, row: ShownGame, column: int) -> Look:
        return Look(self.columns[column].text(row), "faint" if row.listed.outline.game is None else "text")

    def identity(self, row: ShownGame) -> Hashable:
        return row.number

    def tip(self, row: ShownGame) -> str | None:
        return str(row.listed.path)


class FolderGames(QWidget):
    """The list with what is asked of it; a double click or Enter chooses a game.

    It is read and searched in a thread, one job at a time, which can be cancelled."""

    chosen = Signal(object, object)  # Listed, and the Position that was searched for or None
    notified = Signal(object)

    def __init__(self, state: AppState, parent: QWidget | None = None) -> None:
        """``state`` has the position that is searched for."""
        super().__init__(parent)
        self._state = state
        self._position: Position | None = None  # that was searched for
        self.job = _Reading(self)
        self.model = _Model(COLUMNS)
        self.table = ListTable(self.model, "Games of a folder or an archive", self, sorts=True)
        self.folder = set_texts(QPushButton(self), text="Folder…")
        self.archive = set_texts(
            QPushButton(self),
            text="Archive or file…",
        )
        self.words = set_texts(
            QLineEdit(self), placeholderText="Players, event, date, file", accessibleName="Words to search for"
        )
        self.words.setClearButtonEnabled(True)
        self.search = set_texts(QPushButton(self), text="Find this position")
        self.symmetric = set_texts(QCheckBox(self), text="Turned and mirrored, too")
        self.symmetric.setChecked(True)
        self.all = set_texts(QPushButton(self), text="All games")
        self.next_moves = NextMoves(state, self)
        self.openings = set_texts(
            QCheckBox(self),
            text="Next moves",
            toolTip="Which moves followed the position on the board in these games, how often, and who won.",
        )
        self.report = ShortLabel(self, "dim")
        self.progress = QProgressBar(self)
        self.progress.setTextVisible(False)
        self.cancel = set_texts(QPushButton(self), text="Cancel")
        for button in (self.folder, self.archive, self.search, self.all, self.cancel):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        by_font(self.words, self._give_words_room)
        top = FoldingRow(self)
        top.setContentsMargins(8, 4, 8, 0)
        top.left.addWidget(self.folder)
        top.left.addWidget(self.archive)
        top.left.addStretch(1)
        top.right.addWidget(self.words)
        top.set_stretch(0, 1)
        second = lay_row(
            *(self.search, self.symmetric, self.openings, self.next_moves.on_board, (self.next_moves.report, 1), 1),
            self.all,
            margins=(8, 0, 8, 0),
            spacing=10,
        )
        self._show_openings(False)
        halves = QSplitter(self)
        halves.addWidget(self.table)
        halves.addWidget(self.next_moves)
        halves.setStretchFactor(0, 1)
        halves.setChildrenCollapsible(False)
        bottom = lay_row((self.report, 1), self.progress, self.cancel, margins=(12, 0, 8, 6))
        lay_column(top, second, (halves, 1), bottom, of=self, margins=(0, 2, 0, 0), spacing=4)
        self.collection: Collection | None = None  # the games listed
        self._rows: list[ShownGame] = []
        self._matches: frozenset[int] | None = None  # the games of a search by position
        self.folder.clicked.connect(self._ask_folder)
        self.archive.clicked.connect(self._ask_archive)
        self.search.clicked.connect(self._find_position)
        self.openings.toggled.connect(self._show_openings)
        self.symmetric.toggled.connect(self.next_moves.count_images)
        self.all.clicked.connect(lambda: self.show_matches(None))
        self.cancel.clicked.connect(self.job.stop)
        self.job.changed.connect(self._show_job)
        self.job.progressed.connect(self.show_work)
        self.words.textChanged.connect(self._choose_rows)
        self.table.chosen.connect(lambda row: self.chosen.emit(row.listed, self._position))
        self.show_work(None)
        self._choose_rows()
        on_language(self, self._say)

    def _give_words_room(self) -> None:
        words = self.words.placeholderText()
        self.words.setMinimumWidth(self.words.fontMetrics().horizontalAdvance(words) + px(24))

    def sizeHint(self) -> QSize:
        return QSize(760, HEIGHT)

    def show_collection(self, collection: Collection) -> None:
        """List the games of a collection."""
        self.collection = collection
        self._rows = [ShownGame(number, listed) for number, listed in enumerate(collection.games)]
        self.next_moves.show_games(collection.games)
        self.show_matches(None)

    def show_matches(self, games: Sequence[int] | None, position: Position | None = None) -> None:
        """Show only these games by number, in which a position was found; None for all."""
        self._matches, self._position = None if games is None else frozenset(games), position
        self._choose_rows()

    def show_work(self, share: float | None) -> None:
        """Show how much of the work is done, 0 to 1, or that there is none."""
        busy = share is not None
        for widget in (self.progress, self.cancel):
            widget.setVisible(busy)
        for button in (self.folder, self.archive, self.search, self.all):
            button.setEnabled(not busy and (self.collection is not None or button in (self.folder, self.archive)))
        self.progress.setMaximum(1000)
        self.progress.setValue(round(1000 * (share or 0.0)))

    def _show_openings(self, shown: bool) -> None:
        for widget in (self.next_moves, self.next_moves.report, self.next_moves.on_board):
            widget.setVisible(shown)

    # reading and searching

    def _ask_folder(self) -> None:
        folder = ask_folder(self, tr("List the games of a folder"), "games")
        if folder is not None:
            self.list_places((folder,))

    def _ask_archive(self) -> None:
        filters = tr("Archives and files of games ({patterns});;All files (*)").format(
            patterns=" ".join(f"*{suffix}" for suffix in (".zip", *GAME_SUFFIXES))
        )
        path = ask_open_name(self, tr("List the games of an archive or file"), "games", filters)
        if path is not None:
            self.list_places((path,))

    def list_places(self, places: Sequence[Path]) -> None:
        """List the games of folders, archives and files."""
        hint = self._state.game

        def work(stopped: Stale, report: Report) -> Any:
            from core.files.collection import list_games

            return list_games(places, hint, _share(report), stopped)

        self._run(work, self.show_collection)

    def _find_position(self) -> None:
        """Show only the games in which the position shown occurs."""
        position, collection = self._state.position, self.collection
        if position is None or collection is None:
            return
        symmetric = self.symmetric.isChecked()

        def work(stopped: Stale, report: Report) -> Any:
            from core.files.position_search import find_position

            return find_position(collection.games, position, symmetric, _share(report), stopped)

        def done(matches: Any) -> None:
            self.show_matches([match.game for match in matches], position)
            if not matches:
                self.notified.emit(Text("No listed game has this position."))

        self._run(work, done)

    def _run(self, work: Question, done: Callable[[Any], None]) -> None:
        if not self.job.running:
            self.job.run(work, done)

    def _show_job(self) -> None:
        if not self.job.running:
            self.show_work(None)
        elif not self.job.stopping:
            self.show_work(0.0)

    def _choose_rows(self) -> None:
        words = self.words.text().casefold().split()
        rows = self._rows if self._matches is None else [row for row in self._rows if row.number in self._matches]
        if words:
            rows = [row for row in rows if all(word in row.words for word in words)]
        self.model.show(rows, anew=True)
        self.table.fit_columns()
        self._say()

    def _say(self) -> None:
        if self.collection is None:
            self.report.setText(tr("The games of a folder, of an archive or of a file of many games are listed here."))
            return
        shown, every = len(self.model.rows), len(self._rows)
        words = tr("{shown} of {every} games in {place}")
        text = words.format(shown=count(shown), every=count(every), place=self.collection.places[0].name)
        notes = [core_text(note) for note in self.collection.notes[:3]]
        self.report.setText(" · ".join((text, *notes)))


def connect_folder_games(
    context: Context, open_game: Callable[[Listed, Position | None], None], view: FolderGames
) -> None:
    """Connect the list; ``open_game`` opens one of its games, at a position if one was searched for."""
    view.next_moves.played.connect(lambda action, of: _play(context, action, of))
    view.chosen.connect(open_game)
    view.notified.connect(context.messages.show_notice)
    view.job.failed.connect(context.messages.show_error)


def _play(context: Context, action: int, of: Position) -> None:
    """Play a move where the position selected still is the one it is of."""
    state = context.state
    if state.position is not None and position_at(state.position, state.selected) == of:
        context.play_line((*state.selected, action), state.position)


class _Reading(Job):
    """A job whose result is shown as far as it got when it was stopped."""

    waits = True


def _share(report: Report) -> Callable[[int, int], None]:
    """Return a function that reports so many of all as a share, not too often."""
    last = 0.0

    def progress(done: int, of: int) -> None:
        nonlocal last
        if time.monotonic() - last >= _EVERY_S:
            last = time.monotonic()
            report(done / max(1, of))

    return progress
