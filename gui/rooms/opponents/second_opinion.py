"""A second opinion: what an outside engine says of the position shown, beside our search and never mixed with it."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QModelIndex, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from core.games.spec import PASS
from core.text import text_of
from gui.jobs.outside import OutsideAnalysis
from gui.language.core_words import core_text
from gui.language.language import tr
from gui.rooms.opponents.engines_dialog import EnginesDialog
from gui.widgets.board.board import BoardSheet, BoardView
from gui.widgets.board.board_paint import anchor, kind_of
from gui.widgets.board.board_signs import pass_box
from gui.widgets.figures import Column, count, percent, signed
from gui.widgets.form import ComboBox
from gui.widgets.in_sight import SeenWidget
from gui.widgets.labels import make_label
from gui.widgets.layouts import lay_column, lay_row
from gui.widgets.log_text import LogText
from gui.widgets.sections import Section
from gui.widgets.tables.row_delegate import Look
from gui.widgets.tables.table import Table, TableModel
from gui.widgets.text_size import give_room, px
from gui.widgets.texts import on_language, set_texts
from gui.widgets.theme import Theme, current_theme

if TYPE_CHECKING:
    from core.games import GameSpec
    from gui.context import Context
    from models.engines.engine_list import EngineEntry
    from models.engines.opinion import Opinion, OpinionRow
    from models.engines.process import Line

KEPT: Final = 2000  # lines


class DialogueView(LogText):
    """Follows the dialogue while it is visible."""

    def __init__(self, read: Callable[[], Sequence[Line]], parent: QWidget | None = None) -> None:
        super().__init__(KEPT, parent)
        self._read = read
        self._last: Line | None = None
        self.lines_due.connect(self.look)
        set_texts(self, accessibleName="Dialogue with the engine", placeholderText="Nothing was said yet.")

    def look(self) -> None:
        """Append the lines said since the last call; those of another dialogue replace them."""
        lines = self._read()
        last = lines[-1] if lines else None
        if last is self._last:
            return
        shown = next((place for place in range(len(lines) - 1, -1, -1) if lines[place] is self._last), -1)
        if shown < 0:
            self.clear()
        self._last = last
        if lines:
            from models.engines.process import line_text

            self.appendPlainText("\n".join(map(line_text, lines[shown + 1 :])))


class OpinionMove(NamedTuple):
    """A row with what its numbers mean."""

    row: OpinionRow
    game: GameSpec
    place: int

    @property
    def line(self) -> str:
        return " ".join(self.game.action_name(action) for action in self.row.pv)


def _figure(value: float, text: str) -> str:
    return "" if math.isnan(value) else text


COLUMNS: Final[tuple[Column[OpinionMove], ...]] = (
    Column(
        "move",
        "Move",
        "In the engine's order, its best first.",
        "",
        lambda move: move.game.action_name(move.row.action),
        lambda move: float(move.place),
        number=False,
    ),
    Column(
        "visits",
        "Visits",
        "The engine's own visits below the move, or nodes where it counts those.",
        "",
        lambda move: count(move.row.visits) if move.row.visits >= 0 else "",
        lambda move: float(move.row.visits),
    ),
    Column(
        "value",
        "Value",
        "The engine's win rate as a value from -1 to 1, for the side to move.",
        "",
        lambda move: _figure(move.row.value, signed(move.row.value)),
        lambda move: move.row.value,
    ),
    Column(
        "lead",
        "Lead",
        "Points or discs, for the side to move.",
        "",
        lambda move: _figure(move.row.lead, signed(move.row.lead, 1)),
        lambda move: move.row.lead,
    ),
    Column(
        "prior",
        "Prior",
        "What the engine's net thinks of the move before any search.",
        "",
        lambda move: _figure(move.row.prior, percent(move.row.prior)),
        lambda move: move.row.prior,
    ),
    Column(
        "own",
        "Evaluation",
        "In the engine's own units, for the side to move.",
        "",
        lambda move: move.row.evaluation,
    ),
    Column("depth", "Depth", "Plies that the engine searched.", "", lambda move: move.row.depth),
    Column(
        "line",
        "Line of play",
        "What the engine expects; a double click plays the move.",
        "",
        lambda move: move.line,
        number=False,
        elided=True,
    ),
)
LINE: Final = len(COLUMNS) - 1


class OpinionModel(TableModel[OpinionMove]):
    """One row for each move that the engine names."""

    def identity(self, row: OpinionMove) -> Hashable:
        return row.row.action

    def look(self, row: OpinionMove, column: int) -> Look:
        return Look(self.columns[column].text(row), bold=column == 0 and row.place == 0)

    def tip(self, row: OpinionMove) -> str | None:
        return row.line


class OpinionTable(Table[OpinionMove]):
    """A click is ``chosen``, a double click ``played``, both with the action."""

    chosen = Signal(int)
    played = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        moves = OpinionModel(COLUMNS, column=0)
        super().__init__(moves, parent)
        self.moves = moves
        self._kind: tuple[bool, ...] = ()
        set_texts(self, accessibleName="What the engine says")
        self.setSortingEnabled(True)
        self.sortByColumn(0, Qt.SortOrder.AscendingOrder)
        self.horizontalHeader().setStretchLastSection(True)
        self.clicked.connect(lambda index: self._emit(self.chosen, index))
        self.doubleClicked.connect(lambda index: self._emit(self.played, index))

    def show_opinion(self, opinion: Opinion | None) -> None:
        """Show the moves; columns of which the engine says nothing are hidden."""
        rows = (
            []
            if opinion is None
            else [OpinionMove(row, opinion.position.game, place) for place, row in enumerate(opinion.rows)]
        )
        self.moves.show(rows)
        kind = tuple(any(column.text(row) for row in rows) for column in COLUMNS)
        if rows and kind != self._kind:
            self._kind = kind
            for place, filled in enumerate(kind):
                self.setColumnHidden(place, not filled)
        if rows:
            for place in range(LINE):
                width = max(self.sizeHintForColumn(place), self.horizontalHeader().sectionSizeHint(place))
                if width > self.columnWidth(place) or width < self.columnWidth(place) - 30:
                    self.setColumnWidth(place, width)

    def _emit(self, signal: object, index: QModelIndex) -> None:
        signal.emit(self.moves.rows[index.row()].row.action)  # type: ignore[attr-defined]


def _pens(theme: Theme, width: float) -> tuple[QPen, QPen]:
    """Dashes of a colour that no ring of ours has, on a line that sets them off from any ground."""
    under = QPen(theme.color("window"), width + 2.0)
    over = QPen(QColor("#d68bff" if theme.dark else "#8a1fc4"), width)
    over.setDashPattern([2.2, 1.1])
    over.setCapStyle(Qt.PenCapStyle.FlatCap)
    return under, over


def _draw(painter: QPainter, box: QRectF, corner: float, width: float) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for pen in _pens(current_theme(), width):
        painter.setPen(pen)
        painter.drawRoundedRect(box, corner, corner)


class RingSign(QWidget):
    """The ring as a sign beside a text."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(px(16), px(16))

    def paintEvent(self, event: QPaintEvent) -> None:
        box = QRectF(self.rect()).adjusted(2.5, 2.5, -2.5, -2.5)
        _draw(QPainter(self), box, box.width() / 2, 2.0)


class SecondRing(BoardSheet):
    """Rings the best move of an opinion of the position that the board shows."""

    _opinion: Opinion | None = None

    def show_opinion(self, opinion: Opinion | None) -> None:
        """Ring its first move; None: nothing."""
        before, self._opinion = self.box(), opinion
        self.setVisible(opinion is not None)
        if self.box() != before:
            self.update()

    def box(self) -> QRectF | None:
        """Where the ring is; None when nothing is ringed."""
        opinion, board = self._opinion, self._board
        if opinion is None or board.position != opinion.position:
            return None
        position, action = opinion.position, opinion.rows[0].action
        g, cell = board.geometry_of_board(), anchor(position, action)
        if cell < 0:
            return pass_box(g) if position.game.action_name(action) == PASS else None
        if kind_of(position.game.name).square:
            return g.rect(cell).adjusted(3, 3, -3, -3)
        radius, center = 0.47 * g.step, g.center(cell)
        return QRectF(center - QPointF(radius, radius), center + QPointF(radius, radius))

    def paintEvent(self, event: QPaintEvent) -> None:
        box = self.box()
        if box is not None and self._opinion is not None:
            cornered = box.width() != box.height() or kind_of(self._opinion.position.game.name).square
            width = max(2.0, min(4.0, 0.05 * self._board.geometry_of_board().step))
            _draw(QPainter(self), box, 8.0 if cornered else box.width() / 2, width)


class EnginesView(SeenWidget):
    """Chooses an engine, shows its rows and its dialogue.  ``toggled``: ask or stop; ``edited``: change the list."""

    toggled = Signal()
    edited = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.job = OutsideAnalysis(self)
        self.engines: tuple[EngineEntry, ...] = ()
        self.choice = set_texts(ComboBox(self), accessibleName="Engine that is asked")
        self.ask, self.edit = QPushButton(self), set_texts(QPushButton(self), text="Engines…")
        for button in (self.ask, self.edit):
            give_room(button)
        self.state, self.note = make_label(self, "dim", wrap=True), make_label(self, "error", wrap=True)
        self.legend = QWidget(self)
        self.sign, self.ringed = RingSign(self.legend), make_label(self.legend, "dim")
        self.table = OpinionTable(self)
        self.table.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)  # it gets what is left
        self.dialogue_fold = Section("Dialogue", self, opened=False)
        self.dialogue = DialogueView(lambda: self.job.dialogue, self.dialogue_fold.body)
        self.dialogue.setMinimumHeight(90)
        self.dialogue_fold.add(self.dialogue)
        self.ask.clicked.connect(self.toggled)
        self.edit.clicked.connect(self.edited)
        top = lay_row((self.choice, 1), self.ask, self.edit, margins=(12, 4, 10, 0), spacing=8)
        # Hidden as a whole: an empty layout would limit the width of the words.
        lay_row(self.sign, (self.ringed, 1), of=self.legend, margins=0, spacing=6)
        words = lay_column(self.state, self.legend, self.note, margins=(12, 2, 10, 2))
        lay_column(top, words, (self.table, 1), 0, self.dialogue_fold, of=self, margins=0, spacing=4)
        self.job.changed.connect(self.renew)
        self.job.reported.connect(self.renew)
        on_language(self, self.renew)
        set_texts(self, accessibleName="Second opinion")
        self.renew()

    def sizeHint(self) -> QSize:
        return QSize(420, 260)

    def show_engines(self, engines: tuple[EngineEntry, ...]) -> None:
        """Offer these engines; the one chosen stays, as far as it is still there."""
        if engines == self.engines and self.choice.count() == len(engines):
            return
        name = self.choice.currentText()
        self.engines = engines
        self.choice.clear()
        self.choice.addItems([engine.name for engine in engines])
        self.choice.setCurrentIndex(max(0, self.choice.findText(name)) if engines else -1)
        self.renew()

    @property
    def chosen(self) -> EngineEntry | None:
        place = self.choice.currentIndex()
        return self.engines[place] if 0 <= place < len(self.engines) else None

    def renew(self) -> None:
        """Show what the engine is doing and what it said last."""
        job, opinion = self.job, self.job.opinion
        self.ask.setText(tr("Ask") if job.entry is None else tr("Stop"))
        self.ask.setEnabled(job.entry is not None or bool(self.engines))
        self.choice.setEnabled(bool(self.engines))
        self.note.setText(core_text(job.note))
        self.note.setVisible(bool(job.note))
        if opinion is not None:
            position = opinion.position
            mover = kind_of(position.game.name).players[position.to_move]
            words = tr("{name}: its own figures, for {mover}.").format(name=job.name, mover=mover)
        elif job.entry is not None:
            words = tr("{name} is asked.").format(name=job.name)
        else:
            words = (
                tr("Ask an engine what it thinks of the position shown.")
                if self.engines
                else tr("No engine is listed yet. “Engines…” adds one, such as KataGo, GNU Go, Rapfi or NTest.")
            )
        self.state.setText(words)
        ringed = opinion is not None and job.entry is not None
        if opinion is not None:
            move = opinion.position.game.action_name(opinion.rows[0].action)
            self.ringed.setText(tr("Ringed so on the board: {move}, its best move").format(move=move))
        self.legend.setVisible(ringed)
        self.table.setVisible(opinion is not None)
        self.table.show_opinion(opinion)


def connect_engines(context: Context, board: BoardView, widget: QWidget) -> None:
    """Ask the engine chosen about the position shown, while the view is visible."""
    assert isinstance(widget, EnginesView)
    view, state, job = widget, context.state, widget.job
    ring = SecondRing(board)

    def read() -> None:
        from models.engines.engine_list import read_engines

        try:
            view.show_engines(read_engines())
        except (ValueError, OSError) as error:
            context.messages.show_error(text_of(error))

    def toggle() -> None:
        if job.entry is not None:
            job.stop()
        elif view.chosen is not None:
            job.start(view.chosen, state.position)

    def change() -> None:
        if job.entry is not None and view.chosen is not None and view.chosen != job.entry:
            job.start(view.chosen, state.position)

    def look() -> None:
        if view.isVisible():
            job.look_at(None if context.session.concealed else state.position)

    def select(action: int) -> None:
        if job.opinion is not None:
            state.select((action,), job.opinion.position)

    def play(action: int) -> None:
        if job.opinion is not None:
            context.play_line((action,), job.opinion.position)

    def share() -> None:
        opinion = job.opinion
        ring.show_opinion(opinion if job.entry is not None else None)
        if opinion is None:
            state.set_outside_line(None)
        else:
            state.set_outside_line(opinion.position, opinion.rows[0].pv)

    def edit() -> None:
        dialog = EnginesDialog(context.window, context.preferences.machines)
        dialog.finished.connect(read)
        dialog.open()

    def show_visible(visible: bool) -> None:
        if visible:
            read()
        job.look_at(state.position if visible and not context.session.concealed else None)

    view.toggled.connect(toggle)
    view.edited.connect(edit)
    view.choice.activated.connect(change)
    view.table.chosen.connect(select)
    view.table.played.connect(play)
    view.in_sight.connect(show_visible)
    state.position_changed.connect(look)
    for changed in (job.reported, job.changed):
        changed.connect(share)
    context.session.concealed_changed.connect(look)
    context.events.escaped.connect(job.stop)
    context.events.closing.connect(job.stop)
    read()
