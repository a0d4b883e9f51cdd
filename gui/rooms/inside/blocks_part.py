"""The part with the net block by block: what it would play, and expect, if it ended after each block."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QSizePolicy, QWidget

from core.text import Words
from gui.language.core_words import core_text
from gui.language.language import begun, tr
from gui.rooms.inside.part import InsidePart
from gui.widgets.board.board_paint import kind_of
from gui.widgets.board.small_board import SmallBoard
from gui.widgets.figures import percent, plain, signed
from gui.widgets.labels import make_label
from gui.widgets.layouts import lay_column, lay_row
from gui.widgets.room import scroll_down
from gui.widgets.segments import Segments
from gui.widgets.text_size import by_font, px
from gui.widgets.texts import on_language, set_texts
from gui.widgets.theme import current_theme, ramp

if TYPE_CHECKING:
    from core.games import Position
    from gui.jobs.inside import InsideReader, OpenNet
    from gui.jobs.newest import Report, Stale
    from models.inside.blocks import Strip
    from models.inside.lens import Lens, Reading

CARD: Final = 172  # px, the least width of a block's card
OWN, FITTED = "own_heads", "fitted_lens"
TIPS: Final[tuple[Words, Words]] = (
    "The net's own heads read every block as if it were the last; they were trained with the last alone",
    "A map fitted to each block turns its channels to those of the last block before the heads read them",
)
NOTE: Final[Words] = (
    "P of each legal move, and V for {mover}, who is to move. KL: how far P is from the net's answer, in nats; 0 is "
    "the same. A block that is read badly may know more than this shows."
)
FITTING: Final[Words] = "A lens is being fitted to this net's blocks."
SAME, OTHER = "same first move", "another first move"


class ReadStrip(NamedTuple):
    """A position block by block; the lens is None while it is being fitted."""

    strip: Strip
    lens: Lens | None


class SignedBar(QWidget):
    """A value from -1 to +1 as a bar from the middle."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.value = 0.0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(px(120), px(8))

    def show_value(self, value: float) -> None:
        """Show a value in [-1, 1]."""
        self.value = value
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), current_theme()
        width, height, middle = self.width(), self.height(), self.width() / 2
        painter.fillRect(QRectF(0, height / 4, width, height / 2), theme.color("line"))
        end = middle * (1.0 + self.value)
        colour = ramp(theme.value_ramp, (1.0 + self.value) / 2)
        painter.fillRect(QRectF(min(middle, end), 0, abs(end - middle), height), colour)
        painter.fillRect(QRectF(middle - 0.5, 0, 1, height), theme.color("text"))


class BlockCard(QFrame):
    """One block: a small board with P, the value, and how far it is from the net's answer."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self.title = make_label(self, "strong")
        self.value = make_label(self, "figures")
        self.board = SmallBoard(self)
        self.bar = SignedBar(self)
        self.near = make_label(self, "dim")
        self.others = make_label(self, "dim")
        head = lay_row((self.title, 1), self.value, margins=0)
        lay_column(head, (self.board, 1), self.bar, self.near, self.others, of=self, margins=(10, 8, 10, 8), spacing=4)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_board()

    def _fit_board(self) -> None:
        """Make the board as high as its width needs."""
        if self.board.position is not None:
            rows, columns = self.board.position.game.shape
            self.board.setFixedHeight(max(px(60), min(px(320), self.board.width() * rows // columns)))

    def show_block(self, strip: Strip, place: int, fitted: bool, reading: Reading | None) -> None:
        """Show block ``place`` as one way reads it; ``reading``: how well that does on other games."""
        views = strip.fitted if fitted and strip.fitted is not None else strip.own
        policy, value = views.policies[place, 0], float(views.values[place, 0])
        shares = {action: float(policy[action]) for action in strip.position.legal_actions()}
        self.title.setText(begun(core_text(strip.blocks[place])))
        self.value.setText(f"V {signed(value)}")
        self.board.show_position(strip.position, shares, "prior_ramp")
        self.bar.show_value(value)
        self._fit_board()
        same: Words = SAME if views.agreements[place, 0] else OTHER
        self.near.setText(f"KL {plain(float(views.divergences[place, 0]), 2)} · {tr(same)}")
        self.others.setVisible(reading is not None)
        if reading is not None:
            near, first = reading.divergence, reading.agreement
            self.others.setText(
                tr("other games: KL {kl}, {share} same").format(kl=plain(near.mean, 2), share=percent(first.mean, 0))
            )
            words = tr(
                "Over positions of other games: KL {kl} ({low} to {high}), the same first move in {share} "
                "({least} to {most}); 95 % intervals over games"
            )
            words = words.format(
                kl=plain(near.mean, 2),
                low=plain(near.low, 2),
                high=plain(near.high, 2),
                share=percent(first.mean, 0),
                least=percent(first.low, 0),
                most=percent(first.high, 0),
            )
            set_texts(self.others, toolTip=lambda: words)


class CardGrid(QWidget):
    """The cards of all blocks, as many side by side as have room."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.cards: list[BlockCard] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(12, 4, 12, 8)
        self._columns = 0
        by_font(self, self._arrange)

    def show_number(self, number: int) -> None:
        """Have so many cards."""
        while len(self.cards) < number:
            self.cards.append(BlockCard(self))
            self._columns = 0
        for place, card in enumerate(self.cards):
            card.setVisible(place < number)
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        columns = max(1, (self.width() - 24) // px(CARD + 8))
        if columns == self._columns or not self.cards:
            return
        for column in range(self._grid.columnCount()):
            self._grid.setColumnStretch(column, 0)
        self._columns = columns
        for place, card in enumerate(self.cards):
            self._grid.addWidget(card, *divmod(place, columns))
        for column in range(min(columns, len(self.cards))):
            self._grid.setColumnStretch(column, 1)
        self._grid.setRowStretch(len(self.cards), 1)


class BlocksPart(InsidePart):
    """A strip of small boards, one for the stem and each block, and in words where the net changes its mind."""

    def __init__(self, reader: InsideReader) -> None:
        super().__init__(reader)
        self.sentence = make_label(self.body, "strong", wrap=True)
        self.note = make_label(self.body, "dim", wrap=True)
        self.ways = Segments((OWN, FITTED), TIPS, self.body)
        self.ways.chosen.connect(lambda _: self._show())
        self.grid = CardGrid()
        self.answer: ReadStrip | None = None
        words = lay_column(self.sentence, self.note, margins=0, spacing=2)
        row = lay_row((words, 1), (self.ways, 0), margins=(12, 4, 10, 4), spacing=8)
        row.setAlignment(self.ways, Qt.AlignmentFlag.AlignTop)
        area = scroll_down(self.grid, self.body, "The net block by block")
        lay_column(row, (area, 1), of=self.body, margins=0, spacing=2)
        on_language(self, self._show)

    def look(self, net: OpenNet, position: Position, stale: Stale, report: Report) -> ReadStrip | None:
        from models.inside.blocks import strip_of

        if net.lens is None:
            report(ReadStrip(strip_of(net.tapped, position), None))
            net.fit_lens(stale)
        return None if stale() or net.lens is None else ReadStrip(strip_of(net.tapped, position, net.lens), net.lens)

    def show_report(self, value: ReadStrip) -> None:
        self.show_answer(value)
        self.show_body()

    def show_answer(self, answer: ReadStrip) -> None:
        self.answer = answer
        self._show()

    def forget_answer(self) -> None:
        self.answer = None

    def _show(self) -> None:
        if self.answer is None:
            return
        strip, lens = self.answer
        self.ways.buttons[FITTED].setEnabled(lens is not None)
        fitted = self.ways.choice == FITTED and lens is not None
        readings = None if lens is None else lens.fitted if fitted else lens.own
        self.grid.show_number(len(strip.blocks))
        for place, card in enumerate(self.grid.cards[: len(strip.blocks)]):
            card.show_block(strip, place, fitted, None if readings is None else readings[place])
        self.sentence.setText(core_text(strip.sentence(fitted)))
        mover = tr(kind_of(strip.position.game.name).players[strip.position.to_move])
        words = tr(NOTE).format(mover=mover)
        self.note.setText(words if lens is not None else f"{words} {tr(FITTING)}")
