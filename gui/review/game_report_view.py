"""The report of a game as a room: its value over the plies, a table of mistakes, a summary.  Knows a GameReport."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSplitter,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from gui.files.saving import ask_save_name
from gui.language.language import mark, tr
from gui.look.figures import NONE, percent, plain, signed
from gui.look.theme import DARK, Theme, figure_font
from gui.review.game_report import CLASSES, MARKS, GameReport, JudgedMove, Summary, class_colour
from gui.settings.settings_panel import NumberEdit
from gui.tables.row_delegate import row_height
from gui.training.labels import ShortLabel

if TYPE_CHECKING:
    from gui.review.game_graph import GameGraph
    from gui.window import MainWindow

Index = QModelIndex | QPersistentModelIndex
HEIGHT: Final = 270  # px of its dock at first
NARROW: Final = 760  # px below which its parts stand above one another
COLUMNS: Final = (
    ("Ply", "Which move of the game it is.", "888"),
    ("Player", "Who made it.", "Second player"),
    ("Played", "The move that was made.", "Played 8"),
    ("Best", "The move the search would play there.", "Played 8"),
    (
        "Loss",
        "Expected score given away: 0 a loss, 0.5 a draw, 1 a win. From the searched values for the mover.",
        "Loss 8",
    ),
    ("Class", "Inaccuracy from 0.05, mistake from 0.10, blunder from 0.20 of the expected score.", "?! inaccuracy"),
    ("Proved", "Whether the values of both moves are proved: then the loss is exact.", "Proved"),
)
NUMBERS: Final = {0, 4}
CLASS: Final = 5
EMPTY: Final = mark("Analyse the whole game to see its value over the moves and where it was lost.")
SUMMARY_ROWS: Final = ("Moves", "Blunders", "Mistakes", "Inaccuracies", "Mean loss", "As the search")


class MistakesModel(QAbstractTableModel):
    """One row for each mistake of a report."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.moves: tuple[JudgedMove, ...] = ()
        self._report: GameReport | None = None
        self._dark = True

    def show(self, report: GameReport | None, dark: bool) -> None:
        self.beginResetModel()
        self._report, self._dark = report, dark
        self.moves = report.mistakes if report is not None else ()
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self.moves)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        title, meaning, _ = COLUMNS[section]
        answers = {
            Qt.ItemDataRole.DisplayRole: tr(title),
            Qt.ItemDataRole.ToolTipRole: tr(meaning),
            Qt.ItemDataRole.TextAlignmentRole: int(_side(section)),
        }
        return answers.get(Qt.ItemDataRole(role))

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or self._report is None:
            return None
        move = self.moves[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return _row_texts(self._report, move)[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(_side(index.column()))
        if role == Qt.ItemDataRole.ForegroundRole and index.column() == CLASS:
            return QColor(class_colour(move.kind, self._dark))
        return None


class GameReportView(QWidget):
    """Tells wishes by signals: ``toggled`` to analyse or stop, ``went`` to a ply, ``chosen`` for a mistake."""

    toggled = Signal()
    went = Signal(int)  # moves played
    chosen = Signal(object)  # JudgedMove
    simulations_changed = Signal(object)  # int, or the text that is none
    exported = Signal(object)  # Path

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = DARK
        self._report: GameReport | None = None
        self._cursor = 0
        self._hover = math.nan
        self.graph: GameGraph | None = None  # until its library is loaded
        self.run = QPushButton(tr("Analyse the whole game"), self)
        self.run.clicked.connect(lambda _=False: self.toggled.emit())
        self.simulations = NumberEdit(self)
        self.simulations.setFixedWidth(80)
        self.simulations.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.simulations.setAccessibleName(tr("Simulations for each position"))
        self.simulations.editingFinished.connect(self._take_simulations)
        self.progress = ShortLabel(self)
        self.progress.setObjectName("dim")
        self.error = ShortLabel(self)
        self.error.setObjectName("error")
        self.error.hide()
        self.export = QPushButton(tr("Export as CSV…"), self)
        self.export.clicked.connect(lambda _=False: self._choose_file())
        top = QHBoxLayout()
        top.setContentsMargins(10, 2, 8, 2)
        top.setSpacing(8)
        for widget in (self.run, self.simulations, QLabel(tr("simulations a position"), self)):
            top.addWidget(widget)
        top.addWidget(self.progress, 2)
        top.addWidget(self.error, 3)
        top.addWidget(self.export)
        self.caption = ShortLabel(self)
        self.caption.setObjectName("dim")
        self._plot_place = QVBoxLayout()
        self._plot_place.setContentsMargins(8, 0, 0, 4)
        self._plot_place.setSpacing(2)
        self._plot_place.addWidget(self.caption)
        self._waiting = QLabel(tr("loading the graph…"), self)
        self._waiting.setObjectName("faint")
        self._waiting.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._plot_place.addWidget(self._waiting, 1)
        left = QWidget(self)
        left.setLayout(self._plot_place)
        self.body = QSplitter(Qt.Orientation.Horizontal, self)
        self.body.setChildrenCollapsible(False)
        for part, stretch in ((left, 16), (self._make_table(), 11), (self._make_summary(), 0)):
            self.body.addWidget(part)
            self.body.setStretchFactor(self.body.count() - 1, stretch)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(top)
        column.addWidget(self.body, 1)
        self.setMinimumHeight(170)
        self.export.setEnabled(False)
        self._show_caption()
        QTimer.singleShot(0, self, self._make_graph)  # its library takes a moment to load, in this thread only

    def _make_table(self) -> QTableView:
        table = self.table = QTableView(self)
        self.mistakes = MistakesModel(table)
        table.setFont(figure_font(self.font()))
        table.setModel(self.mistakes)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setShowGrid(False)
        table.setWordWrap(False)
        table.setTabKeyNavigation(False)
        table.setAccessibleName(tr("Mistakes of the game"))
        table.verticalHeader().hide()
        table.verticalHeader().setDefaultSectionSize(row_height(table.font()))
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        header.setStretchLastSection(True)
        metrics = QFontMetrics(table.font())
        for column, (_, _, widest) in enumerate(COLUMNS):
            header.resizeSection(column, metrics.horizontalAdvance(tr(widest)) + 18)
        table.clicked.connect(lambda index: self._choose_row(index.row()))
        table.activated.connect(lambda index: self._choose_row(index.row()))
        self._nothing = QLabel(table)
        self._nothing.setObjectName("faint")
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._nothing.setWordWrap(True)
        return table

    def _make_summary(self) -> QWidget:
        holder = QWidget(self)
        grid = QGridLayout(holder)
        grid.setContentsMargins(12, 2, 14, 8)
        grid.setHorizontalSpacing(18)
        grid.setVerticalSpacing(3)
        self.players: list[QLabel] = []
        self.cells: dict[tuple[str, int], QLabel] = {}
        meanings = {
            "Mean loss": tr("Expected score given away in a move, on the average."),
            "As the search": tr("Share of the moves that the search would have played."),
            **{
                title: tr("Moves that lose {least:.2f} or more.").format(least=kind.least)
                for title, kind in zip(SUMMARY_ROWS[1:4], CLASSES, strict=True)
            },
        }
        for player in (0, 1):
            label = QLabel(holder)
            label.setObjectName("heading")
            label.setAlignment(Qt.AlignmentFlag.AlignRight)
            self.players.append(label)
            grid.addWidget(label, 0, 1 + player)
        for line, name in enumerate(SUMMARY_ROWS, 1):
            title = QLabel(tr(name), holder)
            title.setObjectName("dim")
            title.setToolTip(meanings.get(name, ""))
            grid.addWidget(title, line, 0)
            for player in (0, 1):
                cell = QLabel(NONE, holder)
                cell.setFont(figure_font(self.font()))
                cell.setAlignment(Qt.AlignmentFlag.AlignRight)
                self.cells[name, player] = cell
                grid.addWidget(cell, line, 1 + player)
        grid.setRowStretch(len(SUMMARY_ROWS) + 1, 1)
        return holder

    def _make_graph(self) -> None:
        from gui.review.game_graph import GameGraph

        graph = self.graph = GameGraph(self)
        self._waiting.hide()
        self._plot_place.addWidget(graph, 1)
        graph.chosen.connect(self.went)
        graph.pointed.connect(self._point)
        graph.set_theme(self._theme)
        graph.show_report(self._report)
        self.show_cursor(self._cursor)

    def _point(self, x: float) -> None:
        self._hover = x
        self._show_caption()

    # what it shows

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        if self.graph is not None:
            self.graph.set_theme(theme)
        self._fill_table()

    def show_work(self, running: bool, words: str, simulations: int, possible: bool) -> None:
        """Whether the analysis runs, what it does in words, what a position gets, and whether there is a game."""
        self.run.setText(tr("Stop") if running else tr("Analyse the whole game"))
        self.run.setEnabled(running or possible)
        self.progress.setText(words)
        if not self.simulations.hasFocus():
            self.simulations.setText(str(simulations))
        self._nothing.setText(
            tr("Analysing…")
            if running
            else tr("No mistakes.")
            if self._report is not None and self._report.complete
            else tr(EMPTY)
        )

    def say(self, sentence: str) -> None:
        """What is wrong with the number entered; "" when nothing."""
        self.error.setText(sentence)
        self.error.setVisible(bool(sentence))

    def show_report(self, report: GameReport | None) -> None:
        """All that is known so far; None: nothing."""
        if report is self._report:
            return
        self._report = report
        self.export.setEnabled(report is not None)
        if self.graph is not None:
            self.graph.show_report(report)
        self._fill_table()
        for player in (0, 1):
            self.players[player].setText("" if report is None else report.players[player])
            texts = [NONE] * len(SUMMARY_ROWS) if report is None else _summary_texts(report.summary(player))
            for name, text in zip(SUMMARY_ROWS, texts, strict=True):
                self.cells[name, player].setText(text)
        self._show_caption()

    def show_cursor(self, ply: int) -> None:
        """Mark the ply on the board, and the mistake made there."""
        self._cursor = ply
        if self.graph is not None:
            self.graph.show_cursor(ply)
        row = next((i for i, move in enumerate(self.mistakes.moves) if move.ply == ply), -1)
        if row >= 0:
            self.table.selectRow(row)
        else:
            self.table.clearSelection()
        self._show_caption()

    def _fill_table(self) -> None:
        self.mistakes.show(self._report, self._theme.dark)
        self._nothing.setVisible(not self.mistakes.moves)

    def _show_caption(self) -> None:
        report = self._report
        if report is None:
            self.caption.setText(tr("Value of the game"))
            return
        first, second = report.players
        if math.isfinite(self._hover) and self.graph is not None:
            self.caption.setText(_ply_words(report, self.graph.ply_at(self._hover)))
        else:
            self.caption.setText(
                tr("Value for {first}, the first player: +1 {first} wins, −1 {second} wins").format(
                    first=first, second=second
                )
            )

    # wishes

    def _choose_row(self, row: int) -> None:
        if row < len(self.mistakes.moves):
            self.chosen.emit(self.mistakes.moves[row])

    def _take_simulations(self) -> None:
        text = "".join(self.simulations.text().split())
        self.simulations_changed.emit(int(text) if text.isdecimal() else self.simulations.text())

    def _choose_file(self) -> None:
        path = ask_save_name(self, tr("Export the report"), "game-report.csv")
        if path is not None:
            self.exported.emit(path)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.width() < NARROW
        self.body.setOrientation(Qt.Orientation.Vertical if narrow else Qt.Orientation.Horizontal)
        self._nothing.setGeometry(self.table.viewport().geometry().adjusted(16, 0, -16, 0))


def _side(column: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if column in NUMBERS else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter


def _row_texts(report: GameReport, move: JudgedMove) -> tuple[str, ...]:
    return (
        str(move.ply + 1),
        report.players[move.mover],
        move.name,
        move.best,
        plain(move.loss, 2),
        f"{MARKS[move.kind]} {tr(move.kind)}",
        tr("proved") if move.exact else "",
    )


def _summary_texts(summary: Summary) -> list[str]:
    counts = [str(summary.counts[kind.name]) for kind in CLASSES]
    return [str(summary.moves), *counts, plain(summary.mean_loss, 3), percent(summary.agreement, 0)]


def _ply_words(report: GameReport, ply: int) -> str:
    """ "After 12. d4: +0.31 for Red"; with its class where the move was a mistake."""
    where = tr("After {ply}. {names}").format(ply=ply, names=report.names[ply - 1]) if ply else tr("At the start")
    value = report.values[ply]
    if math.isnan(value):
        return tr("{where}: not analysed").format(where=where)
    words = tr("{where}: {value} for {player}, proved") if report.exact[ply] else tr("{where}: {value} for {player}")
    words = words.format(where=where, value=signed(value, 2), player=report.players[0])
    move = report.moves[ply - 1] if ply else None
    if move is None or not move.kind:
        return words
    return tr("{words} · {kind}, loss {loss}, best {best}").format(
        words=words, kind=tr(move.kind), loss=plain(move.loss, 2), best=move.best
    )


def connect_report(window: MainWindow, widget: QWidget) -> None:
    """Join the room to the window's review of its game."""
    from gui.review.game_review import review_of

    assert isinstance(widget, GameReportView)
    view, state, review = widget, window.state, review_of(window)

    def renew() -> None:
        view.show_report(review.report)
        view.show_cursor(state.cursor)
        view.show_work(review.analysis.running, review.words, review.simulations, len(state.positions) > 1)

    def take_simulations(given: object) -> None:
        try:
            review.set_simulations(given)  # type: ignore[arg-type]
        except ValueError as error:
            view.say(str(error))
        else:
            view.say("")

    view.toggled.connect(lambda: review.stop() if review.analysis.running else review.analyse())
    view.went.connect(state.go)
    view.chosen.connect(review.show_mistake)
    view.simulations_changed.connect(take_simulations)
    view.exported.connect(review.export)
    review.renewed.connect(renew)
    renew()
    dock = window.docks["report"]
    QTimer.singleShot(0, widget, lambda: window.docks.resizeDocks([dock], [HEIGHT], Qt.Orientation.Vertical))
