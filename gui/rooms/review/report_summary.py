"""The summary of a game's report: a few figures for each player.  Knows a GameReport."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QWidget

from core.text import Text
from gui.language.language import mark, tr
from gui.rooms.review.game_report import CLASSES, GameReport, Summary
from gui.widgets.figures import NONE, percent, plain
from gui.widgets.labels import make_label
from gui.widgets.texts import set_texts
from gui.widgets.theme import figure_font

SUMMARY_ROWS: Final = (
    "Moves",
    "Blunders",
    "Mistakes",
    "Inaccuracies",
    "Mean loss",
    "Points lost a move",
    "Accuracy",
    "Same as the search",
    "Among its first three",
)
OF_LEADS: Final = ("Points lost a move", "Accuracy")


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
        meanings = {
            "Mean loss": mark("Expected score given away in a move, on the average."),
            "Points lost a move": mark("Points of score lead given away in a move, on the average."),
            "Accuracy": mark("100 where no point is lost, and three quarters of it for each point lost in a move."),
            "Same as the search": mark("Share of the moves that the search would have played."),
            "Among its first three": mark("Share of the moves that are one of the three the search visited most."),
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
        for player in (0, 1):
            self.players[player].setText("" if report is None else report.players[player])
            texts = [NONE] * len(SUMMARY_ROWS) if report is None else _summary_texts(report.summary(player))
            for name, text in zip(SUMMARY_ROWS, texts, strict=True):
                self.cells[name, player].setText(text)
            tip = "" if report is None or not report.has_leads else _steps_text(report, player)
            self.cells["Points lost a move", player].setToolTip(tip)


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
    ]


def _steps_text(report: GameReport, player: int) -> str:
    """Return how many moves lose how many points, a line for each step."""
    steps, counts = report.grading.steps, report.summary(player).steps
    lines = [tr("{step} points or more: {moves}").format(step=f"{steps[0]:g}", moves=counts[0])]
    for low, high, moves in zip(steps[1:], steps, counts[1:], strict=False):
        lines.append(tr("{low} to {high} points: {moves}").format(low=f"{low:g}", high=f"{high:g}", moves=moves))
    return "\n".join(lines)
