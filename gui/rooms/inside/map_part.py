"""The part that shows positions in the plane by what a block makes of them, and those that it finds similar."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from core.text import Text, Words
from gui.language.core_words import core_text
from gui.language.language import begun, tr
from gui.rooms.inside.concepts_grid import score_words
from gui.rooms.inside.heat_boards import HeatBoard, HeatBoards
from gui.rooms.inside.map_canvas import MapCanvas
from gui.rooms.inside.map_colours import COLOURINGS, colours_of, legend_of
from gui.rooms.inside.part import InsidePart
from gui.rooms.inside.source_choice import put_choice
from gui.widgets.board.board_paint import kind_of
from gui.widgets.board.small_board import SmallBoard
from gui.widgets.figures import count, percent, plain, signed
from gui.widgets.folding_row import FoldingRow
from gui.widgets.form import ComboBox, choice_box
from gui.widgets.labels import make_label
from gui.widgets.layouts import lay_column, lay_row
from gui.widgets.room import scroll_down
from gui.widgets.text_size import px
from gui.widgets.texts import on_language, set_texts
from gui.widgets.theme import on_theme

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.games import Position
    from gui.context import Context
    from gui.jobs.inside import InsideReader, OpenNet
    from gui.jobs.newest import Report, Stale
    from models.inside.plane import Likeness, Located, Neighbour, NetMap

BOARD: Final = 150  # px of the board beside the map
SMALL: Final = 104  # px of the similar ones
ABOUT: Final[Words] = "{positions} positions; the two axes show {share} of what differs between them in this block."
BY_NET: Final[Words] = "Similar by the block: distance, and V"
BY_BOARD: Final[Words] = "Most cells equal, without the net: share, and V"
HOW: Final[Words] = (
    "One position of each game, the nearest first. Distance: 1 less the cosine between the block's outputs less their "
    "mean. Mirrored and turned positions count as one. A click opens a position."
)
DIFFER: Final[dict[str, Words]] = {
    "V": "Mean difference of V",
    "exact": "Mean difference of the exact value",
    "result": "Mean difference of the result",
}
COMPARED: Final[Words] = (
    "{what} from the nearest position of another game: by the block {net}, by equal cells {board}; from any {random}."
)
CIRCULAR: Final[Words] = (
    "V is computed from these very outputs: for a sounder test take positions with exact values, those of an audit."
)
FIGURES: Final[Words] = "{mover} to move, ply {ply}\nV {value}"


class LookedMap(NamedTuple):
    """What the part shows."""

    blocks: tuple[str, ...]
    plane: NetMap
    likenesses: tuple[Likeness, ...]
    here: Located


class MapPart(InsidePart):
    """The map with the board of what is pointed at, and the positions similar to the one selected."""

    def __init__(self, context: Context, reader: InsideReader) -> None:
        super().__init__(reader)
        self._state = context.state
        self.looked: LookedMap | None = None
        self.block = -1  # the last one
        self._drawn: tuple[object, ...] = ()
        self.blocks = ComboBox(self.body)
        set_texts(self.blocks, accessibleName="The block")
        self.colouring = choice_box(self.body, COLOURINGS, self._colour, "What the colours stand for")
        self.about = make_label(self.body, "dim", wrap=True)
        inner = QWidget(self.body)
        self.canvas = MapCanvas(inner, "The map of positions")
        self.board = SmallBoard(inner)
        self.board.setFixedSize(px(BOARD), px(BOARD))
        self.figures = make_label(inner, "", wrap=True)
        self.figures.setTextFormat(Qt.TextFormat.PlainText)
        self.figures.setFixedWidth(px(BOARD))
        self.legend = make_label(inner, "dim", wrap=True)
        self.legend.setTextFormat(Qt.TextFormat.RichText)
        self.similar = HeatBoards(inner, "Positions similar by the block", SMALL)
        self.equal = HeatBoards(inner, "Positions with equal cells", SMALL)
        self.likeness = make_label(inner, "", wrap=True)
        beside = lay_column(self.board, self.figures, 1, margins=0, spacing=6)
        lay_column(
            lay_row((self.canvas, 1), beside, margins=0, spacing=10),
            self.legend,
            make_label(inner, "strong", BY_NET, wrap=True),
            self.similar,
            make_label(inner, "strong", BY_BOARD, wrap=True),
            self.equal,
            self.likeness,
            make_label(inner, "dim", HOW, wrap=True),
            1,
            of=inner,
            margins=(12, 4, 10, 8),
            spacing=8,
        )
        row = FoldingRow(self.body)
        row.setContentsMargins(12, 4, 10, 0)
        for box in (self.blocks, self.colouring):
            row.left.addWidget(box)
        row.right.addWidget(self.about, 1)
        row.set_stretch(0, 1)
        area = scroll_down(inner, self.body, "The map and the similar positions")
        lay_column(row, (area, 1), of=self.body, margins=0, spacing=2)
        put_choice(self)
        self.blocks.activated.connect(self._choose_block)
        self.canvas.pointed.connect(self._point)
        self.canvas.chosen.connect(self._open)
        self.similar.chosen.connect(lambda place, _: self._open_neighbour(True, place))
        self.equal.chosen.connect(lambda place, _: self._open_neighbour(False, place))
        on_language(self, self._renew)
        on_theme(self, self._colour)

    # what InsidePart asks

    def look(self, net: OpenNet, position: Position, stale: Stale, report: Report) -> LookedMap | None:
        from models.inside.plane import agreements, locate, make_plane, points_at_most

        chosen, tapped = self.reader.chosen, net.tapped
        last = len(tapped.blocks) - 1
        block = self.block if 0 <= self.block <= last else last

        def made() -> tuple[NetMap, tuple[Likeness, ...]] | None:
            sample = net.sample(chosen, points_at_most(tapped), stale, report)
            if sample is None:
                return None
            every = len(sample.positions)
            plane = make_plane(
                tapped,
                sample,
                block,
                stale,
                lambda taken: report(Text("{taken} of {every} positions read…", taken=taken, every=every)),
            )
            return None if plane is None else (plane, agreements(plane))

        found = None if stale() else net.newest("map", (chosen, block), made)
        if found is None:
            return None
        here = locate(tapped, found[0], position)
        return None if stale() else LookedMap(tuple(one.name for one in tapped.blocks), *found, here)

    def show_report(self, value: Words) -> None:
        self.say(value)
        self.about.setText(core_text(value))  # where another block is being read

    def show_answer(self, answer: LookedMap) -> None:
        self.looked = answer
        self._renew()

    def forget_answer(self) -> None:
        self.looked, self._drawn = None, ()

    # implementation

    def _choose_block(self, block: int) -> None:
        self.block = block
        self.ask()

    def _renew(self) -> None:
        looked = self.looked
        if looked is None:
            return
        plane, here = looked.plane, looked.here
        names = [begun(core_text(name)) for name in looked.blocks]
        if [self.blocks.itemText(i) for i in range(self.blocks.count())] != names:
            self.blocks.clear()
            self.blocks.addItems(names)
        self.blocks.setCurrentIndex(plane.block)
        words = [tr(ABOUT).format(positions=count(len(plane.points)), share=percent(sum(plane.shares)))]
        words += [core_text(note) for note in plane.sample.notes[:3]]
        self.about.setText(" · ".join(words))
        self._colour()
        self.canvas.show_here(here.point)
        self.similar.show_boards([self._board(plane, one, plain(one.distance, 2)) for one in here.by_net])
        self.equal.show_boards([self._board(plane, one, percent(one.equal, 0)) for one in here.by_board])
        self.likeness.setText(_likeness_words(looked.likenesses))
        self._point(self.canvas.at)

    def _colour(self) -> None:
        """Colour the points; they are drawn again only where something has changed."""
        looked = self.looked
        if looked is None:
            return
        plane, colouring = looked.plane, self.colouring.currentData()
        colours, order = colours_of(plane, colouring)
        first, second = (percent(share) for share in plane.shares)
        axes = (tr("axis 1 → {share}").format(share=first), tr("axis 2 ↑ {share}").format(share=second))
        drawn = (plane, axes, tuple(colour.rgb() for colour in colours))
        if len(self._drawn) != len(drawn) or self._drawn[0] is not plane or self._drawn[1:] != drawn[1:]:
            self._drawn = drawn
            self.canvas.show_points(plane.points, colours, order, axes)
        self.legend.setText(legend_of(plane, colouring))

    def _board(self, plane: NetMap, one: Neighbour, figure: str) -> HeatBoard:
        position = plane.sample.positions[one.place]
        shape = position.game.shape
        tip = self._describe(plane, one.place)
        tip = tr("{words}\ndistance {distance}, equal cells {share}").format(
            words=tip, distance=plain(one.distance, 3), share=percent(one.equal, 0)
        )
        title = f"{figure}  V {signed(float(plane.values[one.place]), 2)}"
        return HeatBoard(
            title, shape, np.zeros(shape, np.float32), 1.0, position, tips=(tip,) * position.game.num_cells
        )

    def _describe(self, plane: NetMap, place: int) -> str:
        """The figures of a position of the map."""
        position = plane.sample.positions[place]
        lines = [_figures(position, float(plane.values[place]))]
        if not plane.sample.origins:
            return "\n".join(lines)
        origin = plane.sample.origins[place]
        if not math.isnan(origin.value):
            words = tr("exact value {value}") if origin.is_exact else tr("result of its game {value}")
            lines.append(words.format(value=signed(origin.value, 0)))
        if origin.mistake is not None:
            lines.append(tr("a mistake of the net") if origin.mistake else tr("no mistake of the net"))
        return "\n".join([*lines, origin.words])

    def _point(self, place: int) -> None:
        """Show the board of a point beside the map, or that of the position selected."""
        looked = self.looked
        if looked is None:
            return
        position = looked.plane.sample.positions[place] if place >= 0 else looked.here.position
        self.board.show_position(position, {}, "prior_ramp")
        if place >= 0:
            self.figures.setText(self._describe(looked.plane, place))
        else:
            ringed = tr("{figures}\nringed on the map").format(figures=_figures(position, looked.here.value))
            self.figures.setText(ringed)

    def _open(self, place: int) -> None:
        if self.looked is not None:
            self._state.open_position(self.looked.plane.sample.positions[place], self.reader.source)

    def _open_neighbour(self, by_net: bool, place: int) -> None:
        if self.looked is not None:
            here = self.looked.here
            self._open((here.by_net if by_net else here.by_board)[place].place)


def _figures(position: Position, value: float) -> str:
    mover = kind_of(position.game.name).players[position.to_move]
    return tr(FIGURES).format(mover=mover, ply=position.ply, value=signed(value, 2))


def _likeness_words(likenesses: Sequence[Likeness]) -> str:
    """How far values agree between neighbours, a sentence for each kind of value."""
    lines = []
    for one in likenesses:
        scores = {"net": one.by_net, "board": one.by_board, "random": one.at_random}
        figures = {name: score_words(score) for name, score in scores.items()}
        lines.append(tr(COMPARED).format(what=tr(DIFFER[one.kind]), **figures))
    if len(likenesses) == 1:
        lines.append(tr(CIRCULAR))
    return "\n".join(lines)
