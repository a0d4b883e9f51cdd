"""How a match stands: a bar of wins, draws and losses, and the score with Elo in words."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from gui.language.language import tr
from gui.widgets.figures import count, percent
from gui.widgets.theme import current_theme


class ScoreBar(QWidget):
    """Wins, draws and losses as parts of a bar; what is still to be played stays empty."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._score, self._games = (0, 0, 0), 0
        self.setFixedHeight(8)

    def sizeHint(self) -> QSize:
        return QSize(120, 8)

    def show_score(self, score: tuple[int, int, int], games: int) -> None:
        self._score, self._games = score, games
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), current_theme()
        painter.fillRect(self.rect(), theme.color("line"))
        left = 0.0
        for number, token in zip(self._score, ("good", "faint", "warn"), strict=True):
            width = self.width() * number / max(1, self._games)
            painter.fillRect(QRectF(left, 0, width, self.height()), theme.color(token))
            left += width


def standing_words(score: tuple[int, int, int], games: int) -> str:
    """Return wins, draws and losses of so many games to be played, with score and Elo and their 95 % intervals."""
    from models.strength.rating import elo_difference, wilson_interval

    wins, draws, losses = score
    share = (wins + draws / 2) / sum(score)
    low, high = wilson_interval(share, sum(score))
    words = tr(
        "{wins} won, {draws} drawn, {losses} lost of {games} · "
        "score {share} (95 %: {low} to {high}) · Elo {elo} ({elo_low} to {elo_high})"
    )
    elo = [_elo_text(elo_difference(value)) for value in (share, low, high)]
    return words.format(
        wins=wins,
        draws=draws,
        losses=losses,
        games=count(games),
        share=percent(share),
        low=percent(low),
        high=percent(high),
        elo=elo[0],
        elo_low=elo[1],
        elo_high=elo[2],
    )


def _elo_text(elo: float) -> str:
    """Return a difference with its sign; infinite ones as ±∞."""
    if abs(elo) == float("inf"):
        return "+∞" if elo > 0 else "−∞"
    return f"{elo:+.0f}".replace("-", "−") if round(elo) else "0"
