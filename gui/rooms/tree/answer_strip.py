"""The answer to a question to the tree: how many nodes, their sums, and the moves before and after them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QWidget

from core.text import Words
from gui.language.core_words import core_text
from gui.language.language import tr
from gui.widgets.board.board_paint import kind_of
from gui.widgets.figures import Column, count, percent, signed
from gui.widgets.labels import ShortLabel, icon_button, make_label
from gui.widgets.layouts import lay_column, lay_row
from gui.widgets.tables.table import ListTable, TableModel
from gui.widgets.text_size import px
from gui.widgets.texts import on_language, set_texts
from gui.widgets.theme import figure_font, set_icon

if TYPE_CHECKING:
    from core.games import Position
    from core.glass.ask import Matches, Sums

    Row = tuple[str, int, int, float, float]  # move, nodes, visits, share of the visits listed, Q

TABLES_HEIGHT: Final = 128  # px of the moves before and after
BEFORE: Final[Words] = "Before"
AFTER: Final[Words] = "After"
_AT_ROOT: Final[Words] = "(position searched)"


def _columns(title: Words) -> tuple[Column[Row], ...]:
    return (
        Column(
            "move", title, "A double click asks for this move wherever it occurs", "", lambda row: row[0], number=False
        ),
        Column("nodes", "Nodes", "How often it occurs there in the tree", "8 888", lambda row: count(row[1])),
        Column("n", "N", "Visits of these nodes", "8 888 888", lambda row: count(row[2])),
        Column("share", "Share", "Share of the visits listed, in percent.", "100.0 %", lambda row: percent(row[3])),
        Column(
            "q", "Q", "Their mean value for the player named beside the answer", "+0.000", lambda row: signed(row[4])
        ),
    )


class AnswerStrip(QWidget):
    """A line with the sums or with what cannot be read, and below it, when wanted, two tables."""

    asked = Signal(str)  # another question

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._answer: Matches | None = None
        self._root: Position | None = None
        self._player, self._error = 0, ""
        self.sums = ShortLabel(self, "strong")
        self.wrong = make_label(self, "strong", wrap=True)
        self.more = icon_button(self, "below", "The moves before and after these nodes", "small", 14)
        self.more.setCheckable(True)
        self.more.toggled.connect(lambda _: self._write())
        self.sides = QLabel(self)
        self.sides.setFont(figure_font(self.font()))
        self.tables = [ListTable(TableModel(_columns(title)), title, self) for title in (BEFORE, AFTER)]
        for table in self.tables:
            table.setFixedHeight(px(TABLES_HEIGHT))
            table.chosen.connect(self._ask_for)
        self._below = QWidget(self)
        lay_column(
            self.sides, lay_row(*((table, 1) for table in self.tables), spacing=8), of=self._below, margins=0, spacing=3
        )
        line = lay_row((self.sums, 1), self.more, spacing=8)
        lay_column(self.wrong, line, self._below, of=self, margins=(10, 2, 8, 2), spacing=2)
        for label in (self.sums, self.wrong):
            set_texts(label, accessibleName="Answer")
        on_language(self, self._write)
        self._write()
        self.hide()

    def show_answer(self, answer: Matches | None, root: Position | None, player: int) -> None:
        """Show what a question finds below ``root``, with the values of ``player``; None: it is being looked for."""
        if (answer, root, player, "") != (self._answer, self._root, self._player, self._error):
            self._answer, self._root, self._player, self._error = answer, root, player, ""
            self._write()
        self.show()

    def show_error(self, sentence: str) -> None:
        """Show why the question cannot be read."""
        self._answer, self._error = None, sentence
        self._write()
        self.show()

    def turn(self, shown: bool) -> None:
        """Show the moves before and after, or only the sums."""
        self.more.setChecked(shown)

    def _sign(self) -> int:
        assert self._root is not None
        return 1 if self._player == self._root.to_move else -1

    def _of(self, sums: Sums) -> str:
        assert self._root is not None
        words = tr("{n} nodes", sums.nodes).format(n=count(sums.nodes))
        if not sums.nodes:
            return words
        return tr("{nodes} · {share} of the visits · Q {q} for {player}").format(
            nodes=words,
            share=percent(sums.share),
            q=signed(self._sign() * sums.q),
            player=kind_of(self._root.game.name).players[self._player],
        )

    def _write(self) -> None:
        answer, root = self._answer, self._root
        self.wrong.setText(core_text(self._error))
        self.wrong.setVisible(bool(self._error))
        self.sums.setVisible(not self._error)
        self.sums.setText("…")
        shown = answer is not None and root is not None
        self.more.setVisible(shown and bool(answer and answer.sums.nodes))
        self._below.setVisible(not self.more.isHidden() and self.more.isChecked())
        set_icon(self.more, "above" if self.more.isChecked() else "below")
        if answer is None or root is None:
            return
        self.sums.setText(self._of(answer.sums))
        if self._below.isHidden():
            return
        players = kind_of(root.game.name).players
        lines = [
            tr("played by {player}: {sums}").format(player=players[(root.to_move + i) % 2], sums=self._of(side))
            for i, side in enumerate(answer.sides)
            if side.nodes
        ]
        self.sides.setText("\n".join(lines))
        for table, moves in zip(self.tables, (answer.before, answer.after), strict=True):
            every = max(1, sum(move.visits for move in moves))
            names = [root.game.action_name(move.action) if move.action >= 0 else tr(_AT_ROOT) for move in moves]
            table.listed.show(
                [
                    (name, move.nodes, move.visits, move.visits / every, self._sign() * move.q)
                    for name, move in zip(names, moves, strict=True)
                ]
            )
            table.fit_columns()

    def _ask_for(self, row: Row) -> None:
        if self._root is not None and row[0] in self._root.game.action_names:
            self.asked.emit(question_of(row[0]))


def question_of(move: str) -> str:
    """The question for a move wherever it occurs."""
    plain = not any(sign in move for sign in ' ()"')
    return f"move == {move}" if plain else f'move == "{move}"'
