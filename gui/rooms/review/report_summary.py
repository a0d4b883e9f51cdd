"""The summary of a game's report: a few figures for each player.  Knows a GameReport."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QWidget

from core.text import Text
from gui.language.language import mark
from gui.rooms.review.game_report import CLASSES, GameReport, Summary
from gui.widgets.figures import NONE, percent, plain
from gui.widgets.labels import make_label
from gui.widgets.texts import set_texts
from gui.widgets.theme import figure_font

SUMMARY_ROWS: Final = ("Moves", "Blunders", "Mistakes", "Inaccuracies", "Mean loss", "Same as the search")


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
            "Same as the search": mark("Share of the moves that the search would have played."),
            **{
                title: Text("Moves that lose {least:.2f} or more.", least=kind.least)
                for title, kind in zip(SUMMARY_ROWS[1:4], CLASSES, strict=True)
            },
        }
        for player in (0, 1):
            label = make_label(self, "heading")
            label.setAlignment(Qt.AlignmentFlag.AlignRight)
            self.players.append(label)
            grid.addWidget(label, 0, 1 + player)
        for line, name in enumerate(SUMMARY_ROWS, 1):
            title = set_texts(make_label(self, "dim", name), toolTip=meanings.get(name, ""))
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
        for player in (0, 1):
            self.players[player].setText("" if report is None else report.players[player])
            texts = [NONE] * len(SUMMARY_ROWS) if report is None else _summary_texts(report.summary(player))
            for name, text in zip(SUMMARY_ROWS, texts, strict=True):
                self.cells[name, player].setText(text)


def _summary_texts(summary: Summary) -> list[str]:
    counts = [str(summary.counts[kind.name]) for kind in CLASSES]
    return [str(summary.moves), *counts, plain(summary.mean_loss, 3), percent(summary.agreement, 0)]
