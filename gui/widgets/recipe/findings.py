"""What a recipe makes of a position and what the net then says: pictures of planes, moves, checks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from gui.language.core_words import core_text
from gui.language.language import tr
from gui.widgets.board.board_paint import kind_of
from gui.widgets.board.plane_boards import PlaneBoards
from gui.widgets.board.small_board import SmallBoard
from gui.widgets.figures import percent, signed
from gui.widgets.form import ComboBox
from gui.widgets.labels import make_label
from gui.widgets.layouts import lay_column, lay_row
from gui.widgets.texts import set_texts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.games import Position
    from models.netfiles.recipe_reader import Answered


class Findings(QWidget):
    """The position on the left of what the net says of it; below them the planes."""

    position_chosen = Signal()

    def __init__(self, positions: Sequence[tuple[str, Position]], parent: QWidget | None = None) -> None:
        """``positions`` with their titles, of which there is one at least."""
        super().__init__(parent)
        self._positions = [position for _, position in positions]
        self.choice = set_texts(ComboBox(self, 8), accessibleName="Position")
        for title, _ in positions:
            self.choice.addItem(title)
        self.board = SmallBoard(self)
        self.board.setFixedSize(150, 140)
        self.verdict = make_label(self, "heading", wrap=True)
        self.answers = make_label(self, "", wrap=True)
        self.planes = PlaneBoards(self)
        self.area = QScrollArea(self)
        self.area.setWidget(self.planes)
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setMinimumSize(200, 60)
        set_texts(self.area, accessibleName="Pictures of the planes")
        words = lay_column(self.choice, self.verdict, self.answers, 1)
        top = lay_row(spacing=12)
        top.addWidget(self.board, 0, Qt.AlignmentFlag.AlignTop)
        top.addLayout(words, 1)
        lay_column(top, (self.area, 1), of=self, margins=0)
        self.choice.activated.connect(lambda _: self.position_chosen.emit())

    @property
    def position(self) -> Position:
        """The position chosen."""
        return self._positions[self.choice.currentIndex()]

    def show_planes(self, words: tuple[str, ...], planes: list[list[list[float]]]) -> None:
        """Show the planes that a recipe makes of the position, and that the net is asked now."""
        self.planes.show_position(self.position, planes, words)
        self.board.show_position(self.position, {}, "prior_ramp")
        self.verdict.setText("")
        self.answers.setText(tr("The net is asked…"))

    def show_nothing(self) -> None:
        """Show that the recipe does not fit."""
        self.board.show_position(self.position, {}, "prior_ramp")
        self.verdict.setText("")
        self.answers.setText("")

    def show_answer(self, answered: Answered) -> None:
        """Show what the net says when it is read so."""
        position = self.position
        self.board.show_position(position, answered.shares, "prior_ramp")
        check = answered.check
        if check.convincing:
            self.verdict.setText(tr("Its answers bear this reading out."))
        elif check.partly:
            self.verdict.setText(tr("Its answers partly bear this reading out."))
        else:
            self.verdict.setText(tr("Its answers do not bear this reading out."))
        best = max(answered.shares, key=answered.shares.__getitem__)
        words = tr("Check: {check}. Here it prefers {move} ({share}) and values the position {value} for {mover}.")
        self.answers.setText(
            words.format(
                check=core_text(check.words),
                move=position.game.action_name(best),
                share=percent(answered.shares[best], 0),
                value=signed(answered.value, 2),
                mover=kind_of(position.game.name).players[position.to_move],
            )
        )
