"""A match between two kept nets: its settings, its start and its result so far.  Knows a match, no run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from core.text import text_of
from gui.jobs.net_match import NetMatch
from gui.language.language import mark, tr
from gui.rooms.training.run_model import Checkpoint
from gui.widgets.figures import count
from gui.widgets.folding_row import FoldingRow
from gui.widgets.form import ErrorLine, NumberEdit
from gui.widgets.labels import ShortLabel, make_label
from gui.widgets.standing import ScoreBar, standing_words
from gui.widgets.texts import on_language
from gui.widgets.theme import figure_font

if TYPE_CHECKING:
    from core.games import GameSpec

GAMES, SIMULATIONS = 40, 100
MOST_GAMES, MOST_SIMULATIONS = 10_000, 100_000


class MatchStrip(QFrame):
    """The strip; it offers a match of the chosen nets, and keeps the one that is played until another is started."""

    failed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self._offered: tuple[GameSpec, Checkpoint, Checkpoint] | None = None
        self._played: tuple[Checkpoint, Checkpoint] | None = None
        self._games = 0
        self.job = NetMatch(self)
        self.job.changed.connect(self._show)
        self.job.failed.connect(self.failed)
        self.title, self.result = ShortLabel(self), make_label(self, "dim", wrap=True)
        self.title.setObjectName("heading")
        self.result.setFont(figure_font(self.font()))
        self.bar = ScoreBar(self)
        self.error = ErrorLine(self)
        self.games, self.simulations = NumberEdit(self, "Games"), NumberEdit(self, "Simulations a move")
        self.start = QPushButton(self)
        self._lay_out()
        self.start.clicked.connect(self._toggle)
        for field in (self.games, self.simulations):
            field.returnPressed.connect(self._toggle)
        on_language(self, self._show)
        self._show()
        self.hide()

    def _lay_out(self) -> None:
        row = FoldingRow(self)
        row.left.addWidget(self.title, 1)
        for field, value, name in (
            (self.games, GAMES, mark("Games")),
            (self.simulations, SIMULATIONS, mark("Simulations a move")),
        ):
            field.setText(str(value))
            field.setFont(figure_font(field.font()))
            field.setMaximumWidth(90)
            row.right.addWidget(make_label(self, "dim", name))
            row.right.addWidget(field)
        row.right.addWidget(self.start)
        row.right.addStretch(1)
        for half in (row.left, row.right):
            half.setSpacing(8)
        row.set_stretch(1, 0)
        below = QHBoxLayout()
        below.setSpacing(12)
        below.addWidget(self.bar, 1)
        below.addWidget(self.result, 3)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 7, 12, 7)
        column.addWidget(row)
        column.addWidget(self.error)
        column.addLayout(below)

    def offer(self, game: GameSpec | None, first: Checkpoint | None, second: Checkpoint | None) -> None:
        """Set the nets that a new match is between."""
        same = game is None or first is None or second is None or first.path == second.path
        self._offered = None if same else (game, first, second)  # type: ignore[assignment]
        self._show()

    def _settings(self) -> tuple[int, int]:
        """Return the numbers of games and simulations; ``ValueError`` for bad ones."""
        games, simulations = self.games.whole(2, MOST_GAMES), self.simulations.whole(2, MOST_SIMULATIONS)
        return games + games % 2, simulations  # each opening is played with both colours

    def _toggle(self) -> None:
        self.error.say("")
        if self.job.running:
            self.job.stop()
            return
        if self._offered is None:
            return
        try:
            games, simulations = self._settings()
        except ValueError as error:
            self.error.say(text_of(error))
            return
        game, *nets = self._offered
        self._played, self._games = (nets[0], nets[1]), games
        self.job.start(game, (nets[0].path, nets[1].path), games, simulations)

    def _show(self) -> None:
        shown = self._played if self.job.running or self._offered is None else self._offered[1:]
        words = "" if shown is None else tr("Step {first} against step {second}")
        self.title.setText(
            "" if shown is None else words.format(first=count(shown[0].step), second=count(shown[1].step))
        )
        self.start.setText(tr("Stop") if self.job.running else tr("Start"))
        self.start.setEnabled(self.job.running or self._offered is not None)
        self.bar.show_score(self.job.score, self._games)
        self.result.setText(self._result())

    def _result(self) -> str:
        if self._played is None:
            return tr("From random openings, each with both colours. The run's ladder is not changed.")
        score, done = self.job.score, sum(self.job.score)
        if not done:
            return tr("The first games are being played.") if self.job.running else tr("No game was finished.")
        return score_words(self._played, score, self._games)


def score_words(nets: tuple[Checkpoint, Checkpoint], score: tuple[int, int, int], games: int) -> str:
    """Return the result of the first net, with score and Elo and their 95 % intervals."""
    return tr("Step {first} against {second}: {standing}").format(
        first=count(nets[0].step), second=count(nets[1].step), standing=standing_words(score, games)
    )
