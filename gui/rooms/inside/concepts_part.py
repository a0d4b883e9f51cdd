"""The part of the room that shows which concepts a net knows, in which block, and how much of it needs no net."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QSplitter, QWidget

from core.files import GAME_SUFFIXES
from core.text import Words
from gui.jobs.concepts import ConceptsJob, Subject
from gui.language.core_words import core_text
from gui.language.language import begun, tr
from gui.model.shown import CellsShown
from gui.rooms.inside.concepts_grid import BASELINES, NOT_ABOVE, ConceptsGrid
from gui.rooms.inside.part import InsidePart
from gui.rooms.inside.reading_board import ReadingBoard, reading_cells
from gui.rooms.inside.source_choice import put_choice
from gui.widgets.figures import Column, percent, plain
from gui.widgets.labels import make_label
from gui.widgets.layouts import lay_column, lay_row
from gui.widgets.room import scroll_down
from gui.widgets.saving import ask_open_name
from gui.widgets.tables.board_table import BoardCell, BoardTable
from gui.widgets.tables.table import TableModel
from gui.widgets.text_size import px
from gui.widgets.texts import on_language, set_texts
from gui.widgets.theme import current_theme, on_theme

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from core.games import Position
    from gui.context import Context
    from gui.jobs.inside import InsideReader, OpenNet
    from gui.jobs.newest import Report, Stale
    from gui.rooms.inside.concepts_grid import Place
    from models.inside.examined import Examined
    from models.inside.knowledge import Disagreement
    from models.inside.probes import Score

MOST_DISAGREEMENTS: Final = 24
HOW: Final[Words] = (
    "Some thousand positions are played, half of them at random and half by the net; a line is fitted from each block "
    "to each concept and judged by games it has not seen. It takes a minute or more, beside the search, and is kept."
)
HOW_CHOSEN: Final[Words] = (
    "At most some thousand of the positions chosen are taken; a line is fitted from each block to each concept and "
    "judged by games it has not seen. It takes a minute or more, beside the search."
)
PLAYING: Final[Words] = (
    "Some thousand positions are played first, half of them at random and half by the net; then the blocks are read…"
)
READING: Final[Words] = "The net is asked about the positions chosen; then its blocks are read…"
HALVES: Final = (3, 2)  # shares of the grid and of what is below it
YES: Final[Words] = "yes, read as {reading} on a scale from 0, no, to 1, yes"
NO: Final[Words] = "no, read as {reading} on a scale from 0, no, to 1, yes"


class ShownConcept(NamedTuple):
    """What is shown of a position and a cell of the grid."""

    position: Position
    place: Place | None = None
    readings: NDArray[Any] | None = None
    labels: NDArray[Any] | None = None
    disagreements: tuple[Disagreement, ...] = ()
    kept: Examined | None = None
    """What was found of the net when the program ran before."""


class ConceptsPart(InsidePart):
    """A button that examines the net, the grid, and below it what the chosen block reads of the chosen concept."""

    def __init__(self, context: Context, reader: InsideReader) -> None:
        super().__init__(reader)
        self._state = context.state
        self.job = ConceptsJob(self)
        self.shown: ShownConcept | None = None
        self.about = make_label(self.body, "dim", wrap=True)
        self.button = QPushButton(self.body)
        self.select = set_texts(
            QPushButton(self.body),
            text="Add a selection…",
            toolTip="Positions of your own as a concept: the mistakes of an audit, the ends of kept games, or a text "
            "file with the moves to a position on each line. The net is examined anew.",
        )
        self.on_board = self.board_box(self.body)
        self.legend = QLabel(self.body)
        self.legend.setTextFormat(Qt.TextFormat.RichText)
        self.legend.setWordWrap(True)
        self.grid = ConceptsGrid("Concepts by block")
        self.area = scroll_down(self.grid, self.body, "Concepts by block")
        self.sentence = make_label(self.body, "strong", wrap=True)
        self.uses = make_label(self.body, "dim", wrap=True)
        self.reading = ReadingBoard("What the block reads of the position selected", self.body)
        self.below = QWidget(self.body)
        self.table = BoardTable(
            _DisagreementModel(COLUMNS), "Where the block and the concept disagree", _board, 44, self.below, once=True
        )
        self.table.setMinimumWidth(px(180))
        words = lay_column(self.sentence, self.uses, (self.table, 1), margins=0, spacing=3)
        lay_row((self.reading, 2), (words, 3), of=self.below, margins=(12, 0, 10, 8), spacing=10)
        head = self.lay_head(self.about, self.on_board, self.select, self.button)
        line = lay_row(self.legend, margins=(12, 0, 10, 0))
        self.halves = QSplitter(Qt.Orientation.Vertical, self.body)  # a layout would give wrapped texts all they like
        self.halves.setChildrenCollapsible(False)
        for half, stretch in zip((self.area, self.below), HALVES, strict=True):
            self.halves.addWidget(half)
            self.halves.setStretchFactor(self.halves.count() - 1, stretch)
        lay_column(head, line, (self.halves, 1), of=self.body, margins=0, spacing=2)
        self.button.clicked.connect(lambda _=False: self._press())
        self.select.clicked.connect(lambda _=False: self._ask_selection())
        self.grid.chosen.connect(self._choose)
        self.table.chosen.connect(self._open)
        self.job.changed.connect(self._renew)
        self.job.progressed.connect(lambda _: self._write_about())
        put_choice(self)
        reader.chosen_changed.connect(self.job.stop)  # what it works on is not wanted any more
        context.events.closing.connect(self.job.stop)
        self._renew()
        on_language(self, self._renew)
        on_theme(self, self._write_legend)

    @property
    def subject(self) -> Subject | None:
        """What an examination would be about now; None where there is no net or no position."""
        position, source = self.reader.position, self.reader.source
        if position is None or source is None:
            return None
        return Subject(source, position.game, self.reader.chosen)

    @property
    def examined(self) -> Examined | None:
        """What was found of the net of the position selected, in the positions chosen."""
        return self.job.examined(self.subject)

    # what InsidePart asks

    def look(self, net: OpenNet, position: Position, stale: Stale, report: Report) -> ShownConcept | None:
        chosen, place = self.reader.chosen, self.grid.place
        examined = self.job.examined(Subject(net.source, net.game, chosen))
        if examined is None and chosen.place is not None:
            return ShownConcept(position)
        if examined is None:
            from models.inside.concepts import concepts_of
            from models.inside.examined import kept_examined

            tapped, concepts = net.tapped, concepts_of(net.game)
            return ShownConcept(position, kept=net.kept("examined", lambda: kept_examined(tapped, concepts)))
        if place.concept >= len(examined.report.concepts):
            return ShownConcept(position)
        measured = examined.report.concepts[place.concept]
        if not measured.lines or place.block >= len(measured.lines):
            return ShownConcept(position, place)
        from models.inside.concepts import labels_of
        from models.inside.knowledge import disagreements, read

        tapped, concept = net.tapped, examined.concepts[measured.name]
        readings = read(tapped, measured, place.block, [position])[0]
        labels = labels_of(concept, [position])[0]
        if stale():
            return None

        def furthest() -> tuple[Disagreement, ...] | None:
            found = disagreements(tapped, examined.report, concept, place.block, MOST_DISAGREEMENTS, stale)
            return None if stale() else tuple(found)

        apart = net.newest(f"disagreements {measured.name} {place.block}", examined.report, furthest)
        return None if apart is None or stale() else ShownConcept(position, place, readings, labels, apart)

    def show_answer(self, answer: ShownConcept) -> None:
        self.shown = answer
        subject = self.subject
        if answer.kept is not None and subject is not None and subject.chosen.place is None:
            self.job.keep(subject, answer.kept)
        self._renew()

    def forget_answer(self) -> None:
        self.shown = None

    def cells(self) -> CellsShown | None:
        examined, concept, shown, place = self.examined, self.grid.concept, self.shown, self.grid.place
        if examined is None or concept is None or shown is None:
            return None
        block = core_text(examined.report.blocks[place.block])
        title = f"{begun(tr(concept.title))} · {block}"
        if shown.place != place:  # being read
            return CellsShown(shown.position, self.answered[1], title, "")
        if shown.readings is None or shown.labels is None or not concept.per_cell:
            return CellsShown(shown.position, self.answered[1], title, tr("of the whole board"))
        return reading_cells(shown.position, self.answered[1], title, shown.readings, shown.labels)

    # implementation

    def _press(self) -> None:
        subject = self.subject
        if self.job.running:
            self.job.stop()
        elif subject is not None:
            self.job.examine(subject)

    def _ask_selection(self) -> None:
        filters = tr("Audits, games and lists of positions ({patterns});;All files (*)").format(
            patterns=" ".join(f"*{suffix}" for suffix in (".audit", *GAME_SUFFIXES, ".txt"))
        )
        path = ask_open_name(self, tr("Add a selection…"), "games", filters)
        if path is not None:
            self.add_selection(path)

    def add_selection(self, path: Path) -> None:
        """Examine the net with one more selection of positions as a concept; one that cannot be used is refused."""
        subject = self.subject
        if subject is not None:
            self.job.examine(subject, [*self.job.selections.get(subject.game, ()), path])

    def _choose(self) -> None:
        self._renew()
        self.offer_cells()
        self.ask()

    def _renew(self) -> None:
        """Show what is known now."""
        examined = self.examined
        report = None if examined is None else examined.report
        if report is not self.grid.report:
            self.grid.show_report(report)
            self.ask()
        was_shown = not self.area.isHidden()
        for widget in (self.area, self.legend, self.below):
            widget.setVisible(report is not None)
        if report is not None and not was_shown:  # a splitter gives parts that were hidden what they like
            self.halves.setSizes([1000 * share for share in HALVES])
        set_texts(self.button, text="Stop" if self.job.running else "Examine the net")
        self.button.setVisible(self.job.running or report is None)
        self.select.setVisible(not self.job.running)
        self._write_about()
        self._write_legend()
        self._write_chosen()

    def _write_about(self) -> None:
        examined, subject = self.examined, self.subject
        if self.job.running and self.job.words:
            words = core_text(self.job.words)
        elif self.job.running and not self.job.part:
            words = tr(PLAYING if self.reader.chosen.place is None else READING)
        elif self.job.running:
            words = tr("Examining: {share}").format(share=percent(self.job.part))
        elif self.job.error and self.job.about == subject:
            words = begun(core_text(self.job.error))
        elif examined is None:
            words = tr(HOW if self.reader.chosen.place is None else HOW_CHOSEN)
        else:
            report = examined.report
            words = tr("Judged by {judged} of {count} positions, of other games than the lines are fitted to.").format(
                judged=len(report.judged), count=len(report.sample.positions)
            )
            words = " · ".join([words, *map(core_text, report.sample.notes[:3])])
        self.about.setText(words)

    def _write_legend(self) -> None:
        theme = current_theme()
        ticks = "&nbsp; ".join(
            f'<span style="color:{getattr(theme, token)}">┃</span>{tr(title)}' for token, title in BASELINES
        )
        words = tr(
            "Bars: how well a line tells the concept from a block; from 0.5, a guess, to 1 for yes or no (AUC), else "
            "from 0 to 1 (R²); grey: {grey}. Baselines:"
        ).format(grey=tr(NOT_ABOVE))
        self.legend.setText(f'<span style="color:{theme.dim}">{words} {ticks}</span>')

    def _write_chosen(self) -> None:
        examined, concept, position = self.examined, self.grid.concept, self.shown.position if self.shown else None
        shown = self.shown if self.shown is not None and self.shown.place == self.grid.place and examined else None
        per_cell = concept is not None and concept.per_cell
        cells = None
        if shown is not None and per_cell and shown.readings is not None and shown.labels is not None:
            cells = reading_cells(shown.position, None, "", shown.readings, shown.labels)
        self.reading.show_cells(position, cells)
        rows = () if shown is None else shown.disagreements
        self.table.listed.show([DisagreementRow(i, place) for i, place in enumerate(rows)])
        self.table.setVisible(bool(rows))
        if examined is None or concept is None:
            self.sentence.setText("")
            self.uses.setText("")
            return
        sentence = f"{begun(tr(concept.title))} · {core_text(examined.report.blocks[self.grid.place.block])}"
        if shown is not None and not per_cell and shown.readings is not None and shown.labels is not None:
            reading, label = float(shown.readings), float(shown.labels)
            if math.isnan(label):
                reads = tr("not known of this position")
            elif concept.yes_no:
                reads = tr(YES) if label else tr(NO)
            else:
                reads = tr("{label}, read as {reading}")
            sentence = f"{sentence}: {reads.format(reading=plain(reading, 2), label=plain(label, 2))}"
        self.sentence.setText(sentence)
        self.uses.setText(self._uses_words(examined, concept.name))

    def _uses_words(self, examined: Examined, name: str) -> str:
        use = examined.uses.get(name)
        if use is None:
            return ""
        lines = [] if math.isnan(use.searched[0].value) else [searched_words(use.searched)]
        pushed = use.pushed[self.grid.place.block]
        if pushed is not None:
            words = tr(
                "Pushed towards it in this block, the net wants the move more in {share} of positions; {outdone} of "
                "pushes by shuffled labels do so less often."
            )
            lines.append(words.format(share=percent(pushed.along.value), outdone=percent(pushed.outdone)))
        return "\n".join(lines)

    def _open(self, row: DisagreementRow) -> None:
        self._state.open_position(row.place.position, self.reader.source)


def searched_words(scores: Sequence[Score]) -> str:
    """How often a search chooses a move of a concept."""
    from models.inside.uses import SIMULATIONS

    shares = ", ".join(
        tr("{share} after {count}").format(share=percent(score.value), count=count)
        for score, count in zip(scores, SIMULATIONS, strict=True)
    )
    return tr("Where there is such a move a search chooses it in {shares} simulations.").format(shares=shares)


class DisagreementRow(NamedTuple):
    """A row of the list of disagreements."""

    number: int
    place: Disagreement


def _board(row: DisagreementRow) -> BoardCell:
    return BoardCell(row.place.position)


def _cell_name(row: DisagreementRow) -> str:
    """The name of a cell as players write it; "" for a concept of the whole board."""
    return row.place.position.game.cell_names[row.place.cell] if row.place.cell >= 0 else ""


def _label(row: DisagreementRow) -> str:
    return plain(row.place.label, 0)


COLUMNS: Final[tuple[Column[DisagreementRow], ...]] = (
    Column("board", "Position", "A click opens it on the board.", "", lambda row: "", number=False),
    Column(
        "cell",
        "Cell",
        "Where they are furthest apart; empty for a concept of the whole board.",
        "",
        _cell_name,
        number=False,
    ),
    Column("concept", "Concept", "What is true there, for the side to move; 1 for yes, 0 for no.", "", _label),
    Column(
        "read",
        "Read",
        "What the line reads from the block there: near 1 for yes, near 0 for no; a line may also give more or less.",
        "",
        lambda row: plain(row.place.reading, 2),
    ),
)


class _DisagreementModel(TableModel[DisagreementRow]):
    """The places where a block and a concept differ most, furthest apart first."""
