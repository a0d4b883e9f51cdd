"""Parts of the game report: its summary, the classes of mistakes and the words of a report."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QWidget

from core.games import Position
from core.glass.review import CLASSES as CLASSES
from core.glass.review import MARKS as MARKS
from core.glass.review import Figures, Grading
from core.glass.review import GameReport as GameReport
from core.glass.review import JudgedMove as JudgedMove
from core.glass.review import Summary as Summary
from core.glass.review import class_of as class_of
from core.glass.review import make_report as make_report_of
from core.glass.review import report_csv as report_csv
from core.text import Text, Words
from gui.language.language import tr
from gui.widgets.board.board_paint import kind_of
from gui.widgets.figures import NONE, percent, plain
from gui.widgets.form import ComboBox, NumberEdit
from gui.widgets.labels import make_label
from gui.widgets.layouts import lay_row
from gui.widgets.texts import on_language, set_texts
from gui.widgets.theme import figure_font
from gui.widgets.tips import set_tip

NO_MOVES: Words = "There is no move to analyse yet: play or open a game first."


class GradingRow(QWidget):
    """A menu and a line of five numbers; hidden where no net gives points."""

    changed = Signal(bool, str)  # by points; the numbers as written

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.by = ComboBox(self)
        self.by.addItems(["", ""])
        self.steps = NumberEdit(self)
        self.steps.setFixedWidth(116)
        set_texts(self.by, accessibleName="Classes of mistakes", toolTip="What the classes of mistakes go by")
        set_texts(
            self.steps,
            accessibleName="Limits of the classes in points",
            toolTip="Points lost, five numbers: from the second on a blunder, a mistake, an inaccuracy; "
            "the others divide the moves further.",
        )
        lay_row(self.by, self.steps, 1, of=self, margins=0, spacing=6)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        on_language(self, self._name_items)
        self._name_items()
        self.by.activated.connect(lambda _: self._send())
        self.steps.editingFinished.connect(self._send)
        self.hide()

    def _name_items(self) -> None:
        for i, text in enumerate((tr("by points lost"), tr("by expected score"))):
            self.by.setItemText(i, text)

    def show_grading(self, grading: Grading) -> None:
        """Show what is in force."""
        self.by.setCurrentIndex(0 if grading.by_points else 1)
        self.steps.setText(grading.words)
        self.steps.setEnabled(grading.by_points)

    def _send(self) -> None:
        by_points = self.by.currentIndex() == 0
        self.steps.setEnabled(by_points)
        self.changed.emit(by_points, self.steps.text())


SUMMARY_ROWS: Final[Sequence[Words]] = (
    "Moves",
    "Blunders",
    "Mistakes",
    "Inaccuracies",
    "Mean loss, 0–1",
    "Points lost a move",
    "Accuracy",
    "Same as the search",
    "Among its first three",
    "Mistakes of the rank",
)
OF_LEADS: Final = ("Points lost a move", "Accuracy")
OF_HUMAN: Final = "Mistakes of the rank"


class ReportSummary(QWidget):
    """The summary's widget, a column for each player."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        grid = QGridLayout(self)
        grid.setContentsMargins(12, 2, 14, 8)
        grid.setHorizontalSpacing(18)
        grid.setVerticalSpacing(3)
        self.players: list[QLabel] = []
        self.cells: dict[tuple[str, int], QLabel] = {}
        meanings: dict[str, Words] = {
            "Mean loss, 0–1": "Expected score given away in a move, on the average.",
            "Points lost a move": "Points of score lead given away in a move, on the average.",
            "Accuracy": "100 where no point is lost, and three quarters of it for each point lost in a move.",
            "Same as the search": "",
            "Among its first three": "",
            "Mistakes of the rank": "Mistakes of any class that the players of the human net make at least one time in "
            "ten, as that net claims; of all mistakes.",
        }
        self._titles: dict[str, QLabel] = {}
        for player in (0, 1):
            label = make_label(self, "heading")
            label.setAlignment(Qt.AlignmentFlag.AlignRight)
            self.players.append(label)
            grid.addWidget(label, 0, 1 + player)
        for line, name in enumerate(SUMMARY_ROWS, 1):
            title = set_texts(make_label(self, "dim", name), toolTip=meanings.get(name, ""))
            self._titles[name] = title
            grid.addWidget(title, line, 0)
            for player in (0, 1):
                cell = QLabel(NONE, self)
                cell.setFont(figure_font(self.font()))
                cell.setAlignment(Qt.AlignmentFlag.AlignRight)
                self.cells[name, player] = cell
                grid.addWidget(cell, line, 1 + player)
        grid.setRowStretch(len(SUMMARY_ROWS) + 1, 1)
        grid.setColumnStretch(3, 1)

    def show_report(self, report: GameReport | None) -> None:
        """Show what is known so far; None for nothing."""
        classes = CLASSES if report is None else report.classes
        by_points = report is not None and report.by_points
        for name, kind in zip(SUMMARY_ROWS[1:4], classes, strict=True):
            of_points = Text("Moves that lose {least:g} points or more.", least=kind.least)
            of_score = Text("Moves that lose {least:.2f} or more.", least=kind.least)
            set_texts(self._titles[name], toolTip=of_points if by_points else of_score)
        for name in OF_LEADS:
            for widget in (self._titles[name], *(self.cells[name, player] for player in (0, 1))):
                widget.setVisible(report is not None and report.has_leads)
        for widget in (self._titles[OF_HUMAN], *(self.cells[OF_HUMAN, player] for player in (0, 1))):
            widget.setVisible(report is not None and report.has_human)
        for player in (0, 1):
            self.players[player].setText("" if report is None else report.players[player])
            texts = [NONE] * len(SUMMARY_ROWS) if report is None else _summary_texts(report.summary(player))
            for name, text in zip(SUMMARY_ROWS, texts, strict=True):
                self.cells[name, player].setText(text)
            tip = "" if report is None or not report.has_leads else _steps_text(report, player)
            set_tip(self.cells["Points lost a move", player], tip)


def _summary_texts(summary: Summary) -> list[str]:
    counts = [str(summary.counts[kind.name]) for kind in CLASSES]
    return [
        str(summary.moves),
        *counts,
        plain(summary.mean_loss, 3),
        plain(summary.mean_points, 2),
        plain(summary.accuracy, 1),
        percent(summary.agreement, 0),
        percent(summary.among_first, 0),
        f"{summary.common} / {sum(summary.counts.values())}",
    ]


def _steps_text(report: GameReport, player: int) -> str:
    """Return how many moves lose how many points, a line for each step."""
    steps, counts = report.grading.steps, report.summary(player).steps
    lines = [tr("{step} points or more: {moves}").format(step=f"{steps[0]:g}", moves=counts[0])]
    for low, high, moves in zip(steps[1:], steps, counts[1:], strict=False):
        lines.append(tr("{low} to {high} points: {moves}").format(low=f"{low:g}", high=f"{high:g}", moves=moves))
    return "\n".join(lines)


COLOURS: Final = {  # by theme; each class also has its own shape
    "dark": {"inaccuracy": "#f0e442", "mistake": "#e69f00", "blunder": "#f0603a"},
    "light": {"inaccuracy": "#a08400", "mistake": "#c76a00", "blunder": "#b3261e"},
}


def class_colour(kind: str, dark: bool) -> str:
    """Return the colour of a class as "#rrggbb", on a dark or a light background."""
    return COLOURS["dark" if dark else "light"][kind]


def make_report(
    positions: Sequence[Position],
    figures: Callable[[Position], Figures | None],
    grading: Grading | None = None,
    human: Callable[[Position], Mapping[int, float] | None] = lambda _: None,
) -> GameReport:
    """Judge the moves that lead from each position to the next."""
    kind = kind_of(positions[0].game.name)
    return make_report_of(positions, figures, kind.players, kind.names, grading, human)
