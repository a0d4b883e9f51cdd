"""The part that shows where the heads of a transformer's attention look from a cell of the board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QBoxLayout, QWidget

from core.text import Words
from gui.language.core_words import core_text
from gui.language.language import begun, tr
from gui.model.shown import SQUARES, CellShown, CellsShown
from gui.rooms.inside.head_grid import HeadBoard, HeadGrid, HeadRow
from gui.rooms.inside.heat_boards import HeatBoard, HeatBoards
from gui.rooms.inside.part import InsidePart
from gui.widgets.figures import percent, plain
from gui.widgets.labels import make_label
from gui.widgets.layouts import lay_column, lay_row
from gui.widgets.room import scroll_down
from gui.widgets.segments import Segments
from gui.widgets.text_size import px
from gui.widgets.texts import on_language, set_texts

if TYPE_CHECKING:
    from core.games import Position
    from gui.jobs.inside import InsideReader, OpenNet
    from gui.jobs.newest import Report, Stale
    from models.inside.attention import Looks

FROM, AT = "looks_from", "looks_at"
WAYS: Final[dict[str, Words]] = {FROM: "Where it looks", AT: "Who looks at it"}
TIPS: Final[tuple[Words, ...]] = (
    "How much each head takes in of each cell at the cell marked; all cells together are 1.",
    "How much each head takes in of the cell marked at each cell; all cells together are 1 on average.",
)
SIDE: Final = 370  # px of the large board
APART: Final = 16  # px between the large board and the grid
EDGES: Final = (12, 4, 10, 8)  # px round both
NAMED: Final = 3  # cells in a sentence
SENTENCES: Final[dict[str, Words]] = {
    FROM: "{block}, {head}: from {cell} it looks at {cells}",
    AT: "{block}, {head}: {cell} is looked at from {cells}",
}
EXPLAINED: Final[dict[str, Words]] = {
    FROM: "Point at a cell of the board; a click keeps it. What a head looks at from one cell adds up to 1. Colours go "
    "from 0 to the largest weight of each board, which stands above it: compare these, not the colours of two boards.",
    AT: "Point at a cell of the board; a click keeps it. What a head looks at from one cell adds up to 1; the weights "
    "shown here are of one cell from all cells, together {sum}. Colours go from 0 to the largest weight of each board, "
    "which stands above it.",
}


class AttentionPart(InsidePart):
    """A large board with what one head looks at, and a small one for every head of every layer."""

    def __init__(self, reader: InsideReader) -> None:
        super().__init__(reader)
        self.looks: Looks | None = None
        self.layer, self.head = 0, 0  # the one shown large; a head beyond the last one is their mean
        self.kept = -1  # the cell that was clicked
        self.pointed = -1  # the cell under the pointer
        self.sentence = make_label(self.body, "strong", wrap=True)
        self.way = Segments(tuple(WAYS), TIPS, self.body)
        for name, title in WAYS.items():
            set_texts(self.way.buttons[name], text=title)
        self.on_board = self.board_box(self.body)
        inner = QWidget(self.body)
        self.board = HeatBoards(inner, "What the head looks at", SIDE, single=True)
        self.explained = make_label(inner, "dim", wrap=True)
        self.explained.setMaximumWidth(px(SIDE))
        self.grid = HeadGrid(inner)
        large = lay_column(self.board, self.explained, 1, margins=0, spacing=8)
        self._halves = lay_row(large, (self.grid, 1), of=inner, margins=EDGES, spacing=APART)
        self._halves.setAlignment(self.grid, Qt.AlignmentFlag.AlignTop)
        self._area = scroll_down(inner, self.body, "The attention of the net")
        self._area.viewport().installEventFilter(self)
        top = lay_row((self.sentence, 1), self.way, self.on_board, margins=(12, 4, 10, 4), spacing=8)
        lay_column(top, (self._area, 1), of=self.body, margins=0, spacing=2)
        self.way.chosen.connect(lambda _: self._turn())
        self.board.pointed.connect(lambda _, cell: self._point(cell))
        self.board.chosen.connect(lambda _, cell: self._keep(cell))
        self.grid.chosen.connect(self._choose_head)
        on_language(self, self._renew)

    # the answer

    def look(self, net: OpenNet, position: Position, stale: Stale, report: Report) -> Looks | None:
        from models.inside.attention import AttentionReader

        reader = net.kept("attention", lambda: AttentionReader(net.tapped))
        return None if stale() else reader.looks(position)

    def show_answer(self, answer: Looks) -> None:
        before = self.looks
        if before is None or before.position.game != answer.position.game:
            self.kept = -1
        if before is None or _sizes(before) != _sizes(answer):
            self.layer, self.head = len(answer.layers) - 1, len(answer.layers[-1].weights)
        self.looks, self.pointed = answer, -1
        self._renew()

    def forget_answer(self) -> None:
        self.looks = None

    @property
    def cell(self) -> int:
        """The cell from which is looked: the one under the pointer, else that clicked, else that of the net's move."""
        if self.pointed >= 0:
            return self.pointed
        return self.kept if self.kept >= 0 or self.looks is None else self.looks.move_cell

    def weights(self, layer: int, head: int) -> Any:
        """The weights shown of a head, or of the mean of a layer's heads, float32 [H, W]."""
        assert self.looks is not None
        heads = len(self.looks.layers[layer].weights)
        row = self.looks.seen(layer, None if head == heads else head, self.cell, self.way.choice == AT)
        return row.reshape(self.looks.position.game.shape)

    def cells(self) -> CellsShown | None:
        looks = self.looks
        if looks is None:
            return None
        heat, names = self.weights(self.layer, self.head).ravel(), looks.position.game.cell_names
        most = max(float(heat.max()), 1e-9)
        cells = tuple(
            CellShown(
                cell, weight / most, tip=f"{names[cell]}: {percent(weight)}", outer=1.0 if cell == self.cell else None
            )
            for cell, weight in enumerate(heat.tolist())
        )
        title = tr("Attention, {block}, {head}").format(
            block=core_text(looks.layers[self.layer].name), head=self._head_name(self.layer, self.head)
        )
        text = tr("the larger the square, the more it looks there from {cell}")
        if self.way.choice == AT:
            text = tr("the larger the square, the more {cell} is looked at from there")
        text = text.format(cell=names[self.cell])
        return CellsShown(
            looks.position, self.answered[1], title, text, cells, form=SQUARES, low="0", high=percent(most)
        )

    # what is chosen

    def _turn(self) -> None:
        self._renew()
        self.offer_cells()

    def _point(self, cell: int) -> None:
        if cell != self.pointed and self.looks is not None:
            self.pointed = cell
            self._renew()

    def _keep(self, cell: int) -> None:
        if cell >= 0 and self.looks is not None:
            self.kept = cell
            self._turn()

    def _choose_head(self, layer: int, head: int) -> None:
        self.layer, self.head = layer, head
        self._turn()

    # what is shown

    def _head_name(self, layer: int, head: int) -> str:
        assert self.looks is not None
        if head == len(self.looks.layers[layer].weights):
            return tr("mean of the heads")
        return tr("head {number}").format(number=head + 1)

    def _sentence(self, layer: int, head: int) -> str:
        """What a head looks at most, in words."""
        assert self.looks is not None
        heat, names = self.weights(layer, head).ravel(), self.looks.position.game.cell_names
        first = np.argsort(-heat, kind="stable")[:NAMED].tolist()
        cells = ", ".join(f"{names[cell]} {percent(float(heat[cell]))}" for cell in first)
        block = begun(core_text(self.looks.layers[layer].name))
        words = tr(SENTENCES[self.way.choice])
        return words.format(block=block, head=self._head_name(layer, head), cell=names[self.cell], cells=cells)

    def _renew(self) -> None:
        looks = self.looks
        if looks is None:
            return
        heat, position = self.weights(self.layer, self.head), looks.position
        names = position.game.cell_names
        tips = tuple(f"{names[cell]}: {percent(weight)}" for cell, weight in enumerate(heat.ravel().tolist()))
        self.sentence.setText(self._sentence(self.layer, self.head))
        self.board.show_boards([HeatBoard("", heat.shape, heat, float(heat.max()), position, (), self.cell, tips)])
        self.explained.setText(tr(EXPLAINED[self.way.choice]).format(sum=plain(float(heat.sum()), 2)))
        rows = []
        for layer, one in enumerate(looks.layers):
            boards = []
            for head in range(len(one.weights) + 1):
                weights = self.weights(layer, head)
                title = tr("Mean") if head == len(one.weights) else str(head + 1)
                words = f"{title} · {percent(float(weights.max()), 0)}"
                boards.append(HeadBoard(words, weights, self._sentence(layer, head)))
            rows.append(HeadRow(begun(core_text(one.name)), tuple(boards)))
        self.grid.show_rows(position, rows, self.cell, (self.layer, self.head))
        self._lay_out()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._lay_out()
        return super().eventFilter(watched, event)

    def _lay_out(self) -> None:
        """Put the grid beside the large board, all of it in sight, or below it where the room is narrow."""
        room, sort = self._area.viewport().size(), QBoxLayout.Direction
        needed = px(SIDE) + APART + self.grid.sizeHint().width() + EDGES[0] + EDGES[2]
        beside = room.width() >= needed
        self._halves.setDirection(sort.LeftToRight if beside else sort.TopToBottom)
        self.grid.fit_into(room.height() - EDGES[1] - EDGES[3] if beside else 0)


def _sizes(looks: Looks) -> list[int]:
    return [len(layer.weights) for layer in looks.layers]
