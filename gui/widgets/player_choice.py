"""The choice whose values are shown: the side to move, or one player."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.language.language import tr
from gui.widgets.board.board_paint import kind_of, stone_color
from gui.widgets.preferences import VALUES_FOR
from gui.widgets.segments import Segments
from gui.widgets.texts import on_language, set_texts
from gui.widgets.theme import current_theme, on_theme
from gui.widgets.tips import set_tip

PLAYERS: Final = {"mover": -1, "first": 0, "second": 1}  # -1: the side to move
SMALL: Final = 3.5  # px of the radius of a disc in a row of text
_SIZE: Final = 14  # px


def paint_disc(painter: QPainter, centre: QPointF, game: str, player: int) -> None:
    """Paint the disc of a player in a row of text."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(stone_color(kind_of(game), player, current_theme()))
    painter.setPen(current_theme().color("faint"))
    painter.drawEllipse(centre, SMALL, SMALL)
    painter.restore()


def disc(colour: QColor) -> QPixmap:
    """Return a small disc in a player's colour."""
    pixmap = QPixmap(2 * _SIZE, 2 * _SIZE)
    pixmap.setDevicePixelRatio(2.0)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(colour)
    painter.setPen(QPen(current_theme().color("faint"), 1.0))
    painter.drawEllipse(QPointF(_SIZE / 2, _SIZE / 2), _SIZE / 2 - 1.5, _SIZE / 2 - 1.5)
    painter.end()
    return pixmap


class PlayerChoice(Segments):
    """Three buttons, ``VALUES_FOR``: the side to move, and the two players as discs."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(VALUES_FOR, parent=parent)
        set_texts(self.buttons["mover"], toolTip="Show the values for the side to move")
        self._game = ""
        for button in list(self.buttons.values())[1:]:
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
            button.setIconSize(QSize(_SIZE, _SIZE))
            button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Ignored)  # as high as the words beside it
        on_theme(self, self._write)
        on_language(self, self._write)

    def set_game(self, name: str) -> None:
        """Show the players of a game."""
        if name != self._game:
            self._game = name
            self._write()

    def _write(self) -> None:
        if not self._game:
            return
        kind = kind_of(self._game)
        for player, button in enumerate(list(self.buttons.values())[1:]):
            button.setIcon(QIcon(disc(stone_color(kind, player, current_theme()))))
            words = tr("Show the values for {player}").format(player=kind.players[player])
            set_tip(button, words)
            button.setAccessibleName(words)
