"""The view of a game's report: value graph, summary, mistakes, and how it is joined to the review."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QLabel,
    QPushButton,
    QSplitter,
    QWidget,
)

from core.text import Text, Words, text_of
from gui.language.core_words import core_text
from gui.language.language import begun, tr
from gui.rooms.report.report_parts import (
    MARKS,
    NO_MOVES,
    GameReport,
    GradingRow,
    JudgedMove,
    ReportSummary,
    class_colour,
)
from gui.widgets.figures import Column, percent, plain, signed
from gui.widgets.form import ComboBox, NumberEdit, number_of, number_text
from gui.widgets.in_sight import SeenWidget
from gui.widgets.labels import ShortLabel, make_label
from gui.widgets.layouts import lay_column, lay_row
from gui.widgets.room import scroll_down
from gui.widgets.saving import ask_save_name
from gui.widgets.tables.row_delegate import Look
from gui.widgets.tables.table import ListTable, TableModel
from gui.widgets.text_size import by_font, px
from gui.widgets.texts import on_language, set_texts
from gui.widgets.theme import current_theme

if TYPE_CHECKING:
    from gui.context import Context
    from gui.rooms.report.game_graph import GameGraph
    from gui.rooms.report.game_review import GameReview


class Mistake(NamedTuple):
    """A move with who made it."""

    move: JudgedMove
    player: str


COLUMNS: Final[tuple[Column[Mistake], ...]] = (
    Column("ply", "Ply", "", "", lambda m: str(m.move.ply + 1)),
    Column("player", "Player", "Who made it.", "", lambda m: m.player, number=False),
    Column("played", "Played", "", "", lambda m: m.move.name, number=False),
    Column("best", "Best", "", "", lambda m: m.move.best, number=False),
    Column(
        "loss",
        "Loss, 0–1",
        "Expected score given away: 0 a loss, 0.5 a draw, 1 a win. From the searched values for the mover.",
        "",
        lambda m: plain(m.move.loss, 2),
    ),
    Column(
        "points",
        "Points",
        "Points given away: the lead after the best move less the lead after the move made, for the mover.",
        "",
        lambda m: plain(m.move.points, 1),
    ),
    Column(
        "class",
        "Class",
        (
            "Inaccuracy from 0.05, mistake from 0.10, blunder from 0.20 of the expected score; "
            "or by points, with the limits entered above."
        ),
        "",
        lambda m: f"{MARKS[m.move.kind]} {tr(m.move.kind)}",
        number=False,
    ),
    Column(
        "human",
        "P human",
        "How likely the players that the human net imitates play the move, as that net claims: a mistake of their rank "
        "from 10 %.",
        "",
        lambda m: percent(m.move.human),
    ),
    Column(
        "proved",
        "Proved",
        "Whether the values of both moves are proved: then the loss is exact.",
        "",
        lambda m: tr("proved") if m.move.exact else "",
        number=False,
    ),
)


POINTS, PROVED, OF_HUMAN = ([column.id for column in COLUMNS].index(name) for name in ("points", "proved", "human"))


class MistakesModel(TableModel[Mistake]):
    """One row for each mistake of a report."""

    def look(self, row: Mistake, column: int) -> Look:
        colour = class_colour(row.move.kind, current_theme().dark) if self.columns[column].id == "class" else "text"
        return Look(self.columns[column].text(row), colour)


class MistakesTable(ListTable[Mistake]):
    """The mistakes; without rows it says why."""

    def __init__(self, parent: QWidget | None = None) -> None:
        mistakes = MistakesModel(COLUMNS)
        super().__init__(mistakes, "Mistakes of the game", parent, once=True)
        self.mistakes = mistakes
        for column in (POINTS, PROVED, OF_HUMAN):
            self.setColumnHidden(column, True)
        self.horizontalHeader().setMinimumSectionSize(30)
        self.nothing = make_label(self, "faint", wrap=True)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)

    def show_report(self, report: GameReport | None) -> None:
        """Show all mistakes known so far."""
        rows = [] if report is None else [Mistake(m, report.players[m.mover]) for m in report.mistakes]
        self.mistakes.show(rows)
        has_leads = report is not None and report.has_leads
        self.setColumnHidden(POINTS, not has_leads)
        self.setColumnHidden(PROVED, not any(row.move.exact for row in rows))
        self.setColumnHidden(OF_HUMAN, report is None or not report.has_human)
        self.nothing.setVisible(not rows)
        self.fit_columns()

    def least_widths(self) -> list[int]:
        """As of any table; nothing for the columns that are not shown."""
        hidden = self.horizontalHeader().isSectionHidden
        return [0 if hidden(place) else width for place, width in enumerate(super().least_widths())]

    def show_cursor(self, ply: int) -> None:
        """Select the mistake made at a ply, if one was."""
        row = next((i for i, mistake in enumerate(self.mistakes.rows) if mistake.move.ply == ply), -1)
        if row >= 0:
            self.selectRow(row)
        else:
            self.clearSelection()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.nothing.setGeometry(self.viewport().geometry().adjusted(16, 0, -16, 0))


NARROW: Final = 760  # px at the usual text size below which the controls need several lines
WIDE: Final = 1150  # px from which graph, table and summary are side by side whatever the height
LOW: Final = 360  # px of height below which they are, for want of room below each other
LEAST_GRAPH: Final = 170  # px of the graph's width beside the summary
FRAME: Final = 12  # px of the table besides its columns: frame and scroll bar
WIDTHS: Final = (640, 440)  # px of graph and table beside each other, of which a wider dock gives more
HEIGHTS: Final = (240, 300)  # px of the graph and of the table below it, likewise
LEAST_HEIGHT: Final = 170  # px, also with larger text: a higher room would scroll, and its table within it
LEAST_ROWS: Final = 4  # minimum rows of the table below the graph
BESIDE, BELOW, STACKED = range(3)  # all side by side; the table below graph and summary; each below the other
EMPTY: Final[Words] = "Analyse the whole game to see its value over the moves and where it was lost."


class GameReportView(SeenWidget):
    """The room's widget; signals: ``toggled`` to analyse or stop, ``ply_chosen`` to a ply, ``chosen`` for a mistake."""

    toggled = Signal()
    ply_chosen = Signal(int)  # moves played
    chosen = Signal(object)  # JudgedMove
    amount_changed = Signal(object)  # simulations, or seconds of an engine: a number, or the invalid text
    judge_chosen = Signal(str)  # name of an outside engine; "": our search
    exported = Signal(object)  # Path
    grading_changed = Signal(bool, str)  # whether classes go by points, and the steps as written

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._report: GameReport | None = None
        self._cursor = 0
        self._hover = math.nan
        self.graph: GameGraph | None = None  # until its library is loaded
        self._analyse = Text("Analyse the whole game")
        self.run = set_texts(QPushButton(self), text=self._analyse)
        self.run.clicked.connect(lambda _=False: self.toggled.emit())
        self.judge = set_texts(ComboBox(self), accessibleName="Who judges the moves")
        self.judge.activated.connect(lambda _: self.judge_chosen.emit(self.judge.currentData()))
        self.simulations = NumberEdit(self)
        self.simulations.setFixedWidth(80)
        self.unit = QLabel(self)
        self.simulations.editingFinished.connect(self._take_simulations)
        self.grading = GradingRow(self)
        self.grading.changed.connect(self.grading_changed)
        self.progress = ShortLabel(self, "dim", whole_parts=True)
        self.error = ShortLabel(self, "error")
        self.error.hide()
        self.export = set_texts(QPushButton(self), text="Export as CSV…")
        self.export.clicked.connect(lambda _=False: self._choose_file())
        self.line = make_label(self, "heading")
        self.caption = ShortLabel(self, "dim", whole_parts=True)
        self._waiting = make_label(self, "faint", "loading the graph…")
        self._waiting.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.table = MistakesTable(self)
        self.table.chosen.connect(lambda row: self.chosen.emit(row.move))
        self.table.selectionModel().currentRowChanged.connect(lambda *_: self._follow())
        self.summary = ReportSummary(self)
        for part in (self.table, self.summary):
            part.show_report(None)
        self._lay_out()
        self.export.setEnabled(False)
        self._show_caption()
        on_language(self, self._show_again)
        QTimer.singleShot(0, self, self._make_graph)  # its library takes a moment to load, in this thread only

    def _lay_out(self) -> None:
        self._words = QWidget(self)
        lay_row(self.line, (self.progress, 2), (self.error, 3), of=self._words, margins=0, spacing=8)
        self._amount = QWidget(self)
        lay_row(self.simulations, self.unit, 1, of=self._amount, margins=0, spacing=8)
        self._top = top = QGridLayout()
        top.setContentsMargins(10, 2, 8, 2)
        top.setVerticalSpacing(4)
        top.setColumnStretch(4, 1)
        top.addWidget(self.export, 0, 6)
        graph = QWidget(self)
        self._plot_place = lay_column(self.caption, (self._waiting, 1), of=graph, margins=(10, 0, 0, 4), spacing=2)
        self.body = QSplitter(Qt.Orientation.Horizontal, self)
        self._upper = QSplitter(Qt.Orientation.Horizontal, self)  # the graph, and perhaps the summary beside it
        self._upper.addWidget(graph)
        self._upper.setStretchFactor(0, 1)
        self._figures = scroll_down(self.summary, self, "Summary of the game")
        for part, stretch in ((self._upper, 16), (self.table, 11), (self._figures, 0)):
            self.body.addWidget(part)
            self.body.setStretchFactor(self.body.count() - 1, stretch)
        for splitter in (self.body, self._upper):
            splitter.setChildrenCollapsible(False)
        self._scroll = scroll_down(self.body, self, "Game report")
        lay_column(top, (self._scroll, 1), of=self, margins=0, spacing=2)
        by_font(self, lambda: self.setMinimumHeight(LEAST_HEIGHT))
        self._fold(narrow=False)
        self._arrange(BESIDE)

    def _fold(self, narrow: bool) -> None:
        """Put the controls on several lines in a narrow dock, else on one."""
        self._narrow = narrow
        self._top.setHorizontalSpacing(px(4 if narrow else 8))  # six of them take room that is scarce
        self._top.addWidget(self.run, 0, 0)
        self._top.addWidget(self.judge, 0, 1)
        if narrow:
            self._top.addWidget(self._amount, 1, 0, 1, 7)
            self._top.addWidget(self._words, 2, 0, 1, 7)
            self._top.addWidget(self.grading, 3, 0, 1, 7)
        else:
            self._top.addWidget(self._amount, 0, 2)
            self._top.addWidget(self._words, 0, 4)
            self._top.addWidget(self.grading, 0, 5)
        self._words.setContentsMargins(0 if narrow else 12, 0, 0, 0)

    def _wanted(self) -> int:
        """How graph, table and summary are arranged best in the room there is."""
        width = self.width()
        if width >= px(WIDE) or (width >= px(NARROW) and self.height() < px(LOW)):
            return BESIDE
        return BELOW if width >= px(LEAST_GRAPH) + self.summary.sizeHint().width() else STACKED

    def _arrange(self, how: int) -> None:
        """Arrange graph, table and summary in one of the three ways."""
        self._arranged = how
        (self._upper if how == BELOW else self.body).addWidget(self._figures)
        self.body.setOrientation(Qt.Orientation.Horizontal if how == BESIDE else Qt.Orientation.Vertical)
        self._fit_parts()
        # a splitter that was turned would give its parts their heights as widths
        if how == BESIDE:
            self.body.setSizes([px(WIDTHS[0]), px(WIDTHS[1]), self.summary.sizeHint().width()])
        else:
            self.body.setSizes([px(height) for height in HEIGHTS])
        if how == BELOW:
            self._upper.setSizes([px(WIDTHS[0]), self.summary.sizeHint().width()])

    def _fit_parts(self) -> None:
        """Make table and summary large enough: their texts beside the graph, some rows below it.

        Stacked the table has all its rows: the room scrolls, and what scrolled within it would have a second bar.
        """
        table, how, summary = self.table, self._arranged, self.summary.sizeHint()
        bar = self._figures.verticalScrollBar().sizeHint().width() if how == BESIDE else 0
        self._figures.setMinimumSize(summary.width() + bar, 0 if how == BESIDE else summary.height())
        table.setMinimumWidth(sum(table.least_widths()) + FRAME if how == BESIDE else 0)
        rows = max(LEAST_ROWS, len(table.mistakes.rows) if how == STACKED else 0)
        height = rows * table.verticalHeader().defaultSectionSize() + table.horizontalHeader().height() + FRAME
        if how == STACKED:  # it may have to scroll sideways
            height += table.horizontalScrollBar().sizeHint().height()
        table.setMinimumHeight(0 if how == BESIDE else height)
        bars = Qt.ScrollBarPolicy
        table.setVerticalScrollBarPolicy(bars.ScrollBarAlwaysOff if how == STACKED else bars.ScrollBarAsNeeded)

    def _follow(self) -> None:
        """Scroll the room to the mistake that the keys have chosen, where the table itself does not scroll."""
        if self._arranged == STACKED and self.table.hasFocus():
            place = self.table.visualRect(self.table.currentIndex()).center()
            at = self.table.viewport().mapTo(self.body, place)
            self._scroll.ensureVisible(at.x(), at.y(), 0, 2 * self.table.verticalHeader().defaultSectionSize())

    def _make_graph(self) -> None:
        from gui.rooms.report.game_graph import GameGraph

        graph = self.graph = GameGraph(self)
        self._waiting.hide()
        self._plot_place.addWidget(graph, 1)
        graph.chosen.connect(self.ply_chosen)
        graph.plot.pointed.connect(self._point)
        graph.show_report(self._report)
        self.show_cursor(self._cursor)

    def _point(self, x: float) -> None:
        self._hover = x
        self._show_caption()

    # contents

    def show_line(self, title: str, whole: bool) -> None:
        """Show which line of the record the report is for; ``whole``: it is the only one."""
        self.line.setText(title)
        self._analyse = Text("Analyse the whole game") if whole else Text("Analyse this line")
        tip: Words = "Only the line on the board; go to a variation to analyse it."
        set_texts(self.run, toolTip="" if whole else tip)

    def show_judges(self, engines: list[str], chosen: str) -> None:
        """Offer our search and these outside engines; with none there is no choice."""
        names = [tr("Our search"), *engines]
        if [self.judge.itemText(i) for i in range(self.judge.count())] != names:
            self.judge.clear()
            for name, value in zip(names, ("", *engines), strict=True):
                self.judge.addItem(name, value)
        self.judge.setCurrentIndex(max(0, self.judge.findData(chosen)))
        self.judge.setVisible(bool(engines))
        seconds = bool(chosen)
        set_texts(self.unit, text="seconds a position" if seconds else "simulations a position")
        title: Words = "Seconds for each position" if seconds else "Simulations for each position"
        set_texts(self.simulations, accessibleName=title)

    def show_work(self, running: bool, words: str, amount: float, possible: bool) -> None:
        """Whether the analysis runs, what it does in words, what a position gets, and whether there is a game."""
        set_texts(self.run, text="Stop" if running else self._analyse)
        self.run.setEnabled(running or possible)
        self.progress.setText(words)
        if not self.simulations.hasFocus():
            self.simulations.setText(number_text(amount))
        self.table.nothing.setText(
            tr("Analysing…")
            if running
            else tr("No mistakes.")
            if self._report is not None and self._report.complete
            else tr(EMPTY if possible else NO_MOVES)
        )

    def say(self, sentence: str) -> None:
        """What is wrong with the number entered; "" when nothing."""
        set_texts(self.error, text=sentence)
        self.error.setVisible(bool(sentence))

    def show_report(self, report: GameReport | None) -> None:
        """Show the report with what is known so far; None: nothing."""
        if report is self._report:
            return
        self._report = report
        self.export.setEnabled(report is not None)
        self.grading.setVisible(report is not None and report.has_leads)
        if self.graph is not None:
            self.graph.show_report(report)
        self.table.show_report(self._report)
        self.summary.show_report(report)
        self._fit_parts()
        self._show_caption()

    def _show_again(self) -> None:
        self.table.show_report(self._report)
        self._show_caption()

    def show_cursor(self, ply: int) -> None:
        """Mark the ply on the board, and the mistake made there."""
        self._cursor = ply
        if self.graph is not None:
            self.graph.set_marker(ply)
        self.table.show_cursor(ply)
        self._show_caption()

    def _show_caption(self) -> None:
        report = self._report
        if report is None:
            set_texts(self.caption, text="Value of the game")
            return
        first, second = report.players
        if math.isfinite(self._hover) and self.graph is not None:
            self.caption.setText(_ply_words(report, self.graph.ply_at(self._hover)))
        else:
            words = tr("Value for {first} · +1 {first} wins, −1 {second} wins")
            if report.has_leads:
                words = tr("Value for {first} · +1 {first} wins, −1 {second} wins · dashed: lead of {first} in points")
            self.caption.setText(words.format(first=first, second=second))

    # commands

    def _take_simulations(self) -> None:
        self.amount_changed.emit(number_of(self.simulations.text()))

    def _choose_file(self) -> None:
        path = ask_save_name(self, tr("Export the report"), "games", "game-report.csv")
        if path is not None:
            self.exported.emit(path)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow, how = self.width() < px(NARROW), self._wanted()
        if narrow != self._narrow:
            self._fold(narrow)
        if how != self._arranged:
            self._arrange(how)


def _ply_words(report: GameReport, ply: int) -> str:
    """Return "After 12. d4: +0.31 for Red", with its class if the move was a mistake."""
    where = begun(tr("at the start"))
    if ply:
        where = tr("After {ply}. {names}").format(ply=ply, names=core_text(report.names[ply - 1]))
    value = report.values[ply]
    has_lead = report.has_leads and not math.isnan(report.leads[ply])
    if math.isnan(value) and not has_lead:
        return tr("{where}: not analysed").format(where=where)
    words = tr("{where}: {value} for {player}, proved") if report.exact[ply] else tr("{where}: {value} for {player}")
    words = words.format(where=where, value=signed(value, 2), player=report.players[0])
    if math.isnan(value):  # of an engine that gives leads alone
        words = tr("{where}: lead of {player} {lead}").format(
            where=where, player=report.players[0], lead=signed(report.leads[ply], 1)
        )
    elif has_lead:
        words = tr("{words}, lead {lead}").format(words=words, lead=signed(report.leads[ply], 1))
    move = report.moves[ply - 1] if ply else None
    if move is None or not move.kind:
        return words
    if report.by_points and not math.isnan(move.points):
        return tr("{words} · {kind}, {points} points lost, best {best}").format(
            words=words, kind=tr(move.kind), points=plain(move.points, 1), best=move.best
        )
    return tr("{words} · {kind}, loss {loss} of 1, best {best}").format(
        words=words, kind=tr(move.kind), loss=plain(move.loss, 2), best=move.best
    )


def connect_report(context: Context, review: GameReview, widget: QWidget) -> None:
    """Connect the room to the review of the game."""
    assert isinstance(widget, GameReportView)
    view, state = widget, context.state

    def renew() -> None:
        view.show_line(review.line_title, review.is_whole)
        view.show_report(review.report)
        view.show_cursor(state.cursor)
        if view.isVisible() and review.offered_for is not state.game:
            review.offer_engines()
        view.show_judges(review.engines, review.engine)
        amount = review.seconds if review.engine else review.simulations
        view.show_work(review.analysis.running, review.words, amount, len(state.positions) > 1)

    def offer() -> None:
        review.offer_engines()
        renew()

    def take_grading(by_points: bool, steps: str) -> None:
        try:
            review.set_grading(by_points, steps)
        except ValueError as error:
            view.say(text_of(error))
        else:
            view.say("")

    def take_amount(given: Any) -> None:
        try:
            (review.set_seconds if review.engine else review.set_simulations)(given)
        except ValueError as error:
            view.say(text_of(error))
        else:
            view.say("")

    view.toggled.connect(lambda: review.analysis.stop() if review.analysis.running else review.analyse())
    view.ply_chosen.connect(state.go)
    view.chosen.connect(review.show_mistake)
    view.amount_changed.connect(take_amount)
    view.judge_chosen.connect(review.choose_engine)
    view.in_sight.connect(lambda visible: offer() if visible else None)
    view.returned.connect(offer)
    view.exported.connect(review.export)
    view.grading_changed.connect(take_grading)
    view.grading.show_grading(review.grading)
    review.changed.connect(renew)
    renew()
