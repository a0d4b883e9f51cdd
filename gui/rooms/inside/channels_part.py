"""The part with the atlas of channels: where each is strongest, and from there down to one convolution's sum."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from PySide6.QtWidgets import QWidget

from core.text import Text, Words, text_of
from gui.language.core_words import core_text
from gui.language.language import begun, stopped, tr
from gui.model.shown import SQUARES, CellShown, CellsShown
from gui.rooms.inside.heat_boards import HeatBoard, HeatBoards
from gui.rooms.inside.part import InsidePart
from gui.rooms.inside.source_choice import put_choice
from gui.widgets.bars import BarChart, BarRow, Bars, Span, scale_of
from gui.widgets.figures import count, percent, plain, signed
from gui.widgets.form import ComboBox
from gui.widgets.labels import make_label
from gui.widgets.layouts import lay_column, lay_row
from gui.widgets.room import scroll_down
from gui.widgets.texts import on_language

if TYPE_CHECKING:
    from core.games import Position
    from gui.jobs.inside import InsideReader, OpenNet
    from gui.jobs.newest import Report, Stale
    from models.inside.atlas import Atlas, Channel, Spot
    from models.inside.sums import Summed

TERMS: Final = 12  # bars of a sum
GRID: Final[Words] = (
    "Each picture: the mean of a channel over {positions} positions. {dead} of {channels} channels of this block give "
    "the same everywhere."
)
SAME: Final[Words] = "Channel {channel} gives {value} everywhere: it says nothing."
SPOTS: Final[Words] = (
    "Channel {channel}, above 0 in {share} of the cells: the position selected, and those where it is strongest, one "
    "place of each. A click on a cell takes its number apart."
)
SUM: Final[Words] = (
    "{value} = the bias, what else is added, and {number} products of the last convolution; the largest are drawn. "
    "Together {total}."
)
CUT: Final[Words] = (
    "{value}, as the sum is below 0: the bias, what else is added, and {number} products. Together {total}."
)


class Looked(NamedTuple):
    """What the part shows: the atlas, the numbers of the position, perhaps one of them taken apart."""

    atlas: Atlas
    outputs: tuple[Any, ...]  # of each block [C, H, W]
    summed: Summed | None
    problem: str


class ChannelsPart(InsidePart):
    """A grid of the channels of one block, the examples of one of them, the sum at one cell."""

    def __init__(self, reader: InsideReader) -> None:
        super().__init__(reader)
        self.looked: Looked | None = None
        self.block, self.channel = 0, 0
        self.place: tuple[Position, int] | None = None  # the number taken apart, None: that of no cell
        self.blocks = ComboBox(self.body)
        self.on_board = self.board_box(self.body)
        self.words = make_label(self.body, "dim", wrap=True)
        inner = QWidget(self.body)
        self.grid = HeatBoards(inner, "The channels of the block", 52)
        self.about = make_label(inner, "strong", wrap=True)
        self.spots = HeatBoards(inner, "Where the channel is strong", 150, most=240)
        self.sum_words = make_label(inner, "", wrap=True)
        self.bars = Bars(inner, "The sum")
        parts = (self.grid, self.about, self.spots, self.sum_words, self.bars)
        lay_column(*parts, 1, of=inner, margins=(12, 4, 10, 8), spacing=8)
        area = scroll_down(inner, self.body, "The channels of the net")
        row = lay_row(self.blocks, (self.words, 1), self.on_board, margins=(12, 4, 10, 4), spacing=8)
        lay_column(row, (area, 1), of=self.body, margins=0, spacing=2)
        put_choice(self)
        self.blocks.activated.connect(self._choose_block)
        self.grid.chosen.connect(lambda place, _: self._choose_channel(place))
        self.spots.chosen.connect(self._choose_cell)
        on_language(self, self._renew)

    def look(self, net: OpenNet, position: Position, stale: Stale, report: Report) -> Looked | None:
        from core.games.net_inputs import inputs_of
        from models.inside.atlas import make_atlas
        from models.inside.lens import positions_for
        from models.inside.sums import SumReader

        block, channel, place, chosen = self.block, self.channel, self.place, self.reader.chosen
        tapped = net.tapped

        def made() -> Atlas | None:
            sample = net.sample(chosen, positions_for(tapped), stale, report)
            taken = partial(_report_taken, report)
            return None if sample is None else make_atlas(tapped, sample.positions, stale, taken=taken)

        atlas = None if stale() else net.newest("atlas", chosen, made)
        if atlas is None:
            return None
        outputs = tuple(output[0] for output in tapped.run(inputs_of(position, tapped.encoding)).blocks)
        summed, problem = None, ""
        if place is not None and block < len(tapped.blocks):
            try:
                reader = net.kept(f"sums of {block}", lambda: SumReader(tapped, block))
                summed = reader.summed(place[0], channel, place[1])
            except ValueError as error:
                problem = text_of(error)
        return None if stale() else Looked(atlas, outputs, summed, problem)

    def show_report(self, value: Words) -> None:
        self.say(value)

    def show_answer(self, answer: Looked) -> None:
        if self.looked is None or self.looked.atlas is not answer.atlas:
            self.block, self.channel, self.place = len(answer.atlas.blocks) - 1, 0, None
            answer = answer._replace(summed=None, problem="")
        self.looked = answer
        shown = [self.reader.position, *(spot.position for spot in self._spots())]
        if self.place is not None and not any(self.place[0] is position for position in shown):
            self.place = None  # its board is gone
        self._renew()

    def forget_answer(self) -> None:
        self.looked, self.place = None, None

    def cells(self) -> CellsShown | None:
        looked, channel, (position, source) = self.looked, self._shown(), self.answered
        if looked is None or channel is None or position is None:
            return None
        here = looked.outputs[self.block][self.channel]
        block = core_text(looked.atlas.blocks[self.block])
        title = tr("Channel {channel}, {block}").format(channel=channel.number, block=block)
        if here.shape != position.game.shape:
            return CellsShown(position, source, title, tr("its cells are not those of the board"))
        most = max(channel.most, float(here.max()), 1e-9)
        cells = tuple(
            CellShown(cell, value / most, tip=f"{title}: {plain(value, 3)}")
            for cell, value in enumerate(here.ravel().tolist())
        )
        text = tr("the larger the square, the stronger the channel is at the cell")
        return CellsShown(position, source, title, text, cells, form=SQUARES, low="0", high=plain(most, 2))

    def _choose_block(self, block: int) -> None:
        self.block, self.place = block, None
        self._renew()
        self.offer_cells()

    def _choose_channel(self, channel: int) -> None:
        self.channel, self.place = channel, None
        self._renew()
        self.offer_cells()

    def _choose_cell(self, place: int, cell: int) -> None:
        """Take the number at a cell of one of the boards apart."""
        position, now = self.spots.boards[place].position, self.reader.position
        if cell < 0 or position is None or now is None:
            return
        if position.game == now.game and self.answered[1] == self.reader.source:  # else another net is being read
            self.place = position, cell
            self.ask()

    def _shown(self) -> Channel | None:
        if self.looked is None:
            return None
        return self.looked.atlas.channels[self.block][self.channel]

    def _spots(self) -> tuple[Spot, ...]:
        channel = self._shown()
        return () if channel is None or channel.dead else channel.spots

    def _renew(self) -> None:
        looked, channel = self.looked, self._shown()
        if looked is None or channel is None:
            return
        atlas, row = looked.atlas, looked.atlas.channels[self.block]
        names = [begun(core_text(name)) for name in atlas.blocks]
        if [self.blocks.itemText(i) for i in range(self.blocks.count())] != names:
            self.blocks.clear()
            self.blocks.addItems(names)
        self.blocks.setCurrentIndex(self.block)
        dead = sum(other.dead for other in row)
        self.words.setText(tr(GRID).format(positions=count(atlas.positions), dead=dead, channels=len(row)))
        shape = channel.mean.shape
        self.grid.show_boards(
            [
                HeatBoard(str(other.number), shape, other.mean - min(0.0, other.least), _most(other.mean, other.least))
                for other in row
            ],
            self.channel,
        )
        if channel.dead:
            self.about.setText(tr(SAME).format(channel=channel.number, value=plain(channel.most, 3)))
        else:
            self.about.setText(tr(SPOTS).format(channel=channel.number, share=percent(channel.active)))
        self._renew_spots(looked, channel)
        self._renew_sum(looked)

    def _renew_spots(self, looked: Looked, channel: Channel) -> None:
        position = self.reader.position
        here = looked.outputs[self.block][self.channel]
        boards = []
        if position is not None and here.shape == position.game.shape:
            most = max(channel.most, float(here.max()))
            tips = tuple(plain(value, 3) for value in here.ravel().tolist())
            title = tr("here {value}").format(value=plain(float(here.max()), 2))
            boards.append(HeatBoard(title, here.shape, here, most, position, (), self._ringed(position), tips))
        for spot in self._spots():
            heat = np.zeros(here.shape, np.float32)
            heat.ravel()[spot.cell] = spot.value
            boards.append(
                HeatBoard(
                    plain(spot.value, 2), here.shape, heat, channel.most, spot.position, (), self._ringed(spot.position)
                )
            )
        self.spots.show_boards(boards)

    def _ringed(self, position: Position) -> int:
        return self.place[1] if self.place is not None and self.place[0] is position else -1

    def _renew_sum(self, looked: Looked) -> None:
        summed = looked.summed if self.place is not None else None
        words = begun(stopped(core_text(looked.problem))) if looked.problem and self.place is not None else ""
        if summed is not None:
            words = tr(CUT if summed.value == 0.0 and summed.before < 0.0 else SUM)
            words = words.format(
                value=plain(summed.value, 4), number=count(summed.products.size), total=plain(summed.total, 4)
            )
        self.sum_words.setText(words)
        self.bars.setVisible(summed is not None)
        if summed is not None:
            self.bars.show_chart(sum_chart(summed))


def _report_taken(report: Report, positions: int) -> None:
    report(Text("{taken} positions read…", taken=positions))


def _most(mean: Any, least: float) -> float:
    return float(mean.max()) - min(0.0, least)


def sum_chart(summed: Summed) -> BarChart:
    """The parts of a sum as bars: the bias, what else is added, the largest products and all others together."""
    half = summed.products.shape[-1] // 2
    order = np.argsort(-np.abs(summed.products), axis=None, kind="stable")[:TERMS]
    rows = [(tr("bias"), summed.bias, "")]
    rows += [(tr("goes round the block"), number, name) for name, number in summed.others]
    shown = 0.0
    for c, i, j in zip(*(axis.tolist() for axis in np.unravel_index(order, summed.products.shape)), strict=True):
        product = float(summed.products[c, i, j])
        shown += product
        words = (
            f"{signed(product / summed.read[c, i, j], 4)} × {plain(float(summed.read[c, i, j]), 4)}" if product else ""
        )
        rows.append(
            (tr("channel {channel} {place}").format(channel=c, place=_place(i - half, j - half)), product, words)
        )
    rest = summed.products.size - len(order)
    rows.append((tr("{number} other products").format(number=count(rest)), float(summed.products.sum()) - shown, ""))
    rows.append((tr("the sum"), summed.total, ""))
    low, high = scale_of([number for _, number, _ in rows])
    return BarChart(
        tuple(
            BarRow(
                key, name, (Span(0.0, number, "high" if number >= 0 else "low"),), words=words, note=signed(number, 3)
            )
            for key, (name, number, words) in enumerate(rows)
        ),
        low,
        high,
    )


def _place(down: int, right: int) -> str:
    """A neighbour as an arrow: ↖, ·, ↓; further ones by their steps."""
    if max(abs(down), abs(right)) > 1:
        return f"{signed(down, 0)}, {signed(right, 0)}"
    return ("↖↑↗", "←·→", "↙↓↘")[down + 1][right + 1]
