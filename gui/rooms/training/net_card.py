"""The policy and value of a position by one kept net.  Knows a Checkpoint and its answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from gui.jobs.nets import NetAnswer
from gui.language.language import tr
from gui.rooms.training.run_model import Checkpoint, minutes_text
from gui.widgets.board.board_paint import kind_of
from gui.widgets.board.small_board import SmallBoard
from gui.widgets.figures import count, value_text
from gui.widgets.folding_row import FoldingRow
from gui.widgets.labels import ShortLabel
from gui.widgets.text_size import by_font
from gui.widgets.theme import figure_font

if TYPE_CHECKING:
    from core.games import Position


class NetCard(QFrame):
    """A card with one net's policy on a board, and its value."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self.title, self.value = ShortLabel(self), QLabel(self)
        self.title.setObjectName("heading")
        by_font(self.value, lambda: self.value.setFont(figure_font(self.font(), 1.1, bold=True)))
        self.board = SmallBoard(self, coordinates=True)
        self.board.setMinimumSize(180, 170)
        head = FoldingRow(self)
        head.left.addWidget(self.title, 1)
        head.right.addWidget(self.value)
        head.set_stretch(1, 0)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 6)
        column.addWidget(head)
        column.addWidget(self.board, 1)

    def show_net(
        self, net: Checkpoint | None, answer: NetAnswer | None, position: Position | None, best: str = ""
    ) -> None:
        self.title.setText("" if net is None else net_title(net, best))
        self.title.setMinimumWidth(0 if net is None else self.title.fontMetrics().horizontalAdvance(net_title(net)))
        self.board.show_position(position, answer.policy if answer is not None else {}, "prior_ramp")
        self.value.setText("" if answer is None or position is None else answer_words(answer))


def net_title(net: Checkpoint, best: str = "") -> str:
    """Return "step 1 234 · 12 min", with a note if it is the ``best`` player of the ladder."""
    words = tr("step {step} · {time}")
    if net.player == best:
        words = tr("step {step} · {time} · best on the ladder")
    return words.format(step=count(net.step), time=minutes_text(net.minutes))


def answer_words(answer: NetAnswer) -> str:
    players = kind_of(answer.position.game.name).players
    return value_text(answer.value, players[answer.position.to_move])
