"""The part with the graph of the net: its operations, what they cost, and the values of the position in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRect
from PySide6.QtWidgets import QPushButton

from core.text import Words
from gui.language.core_words import core_text
from gui.language.language import tr
from gui.rooms.inside.graph_canvas import GraphCanvas
from gui.rooms.inside.part import InsidePart
from gui.widgets.figures import count
from gui.widgets.labels import make_label
from gui.widgets.layouts import lay_column, lay_row
from gui.widgets.room import scroll_down
from gui.widgets.texts import on_language, set_texts

if TYPE_CHECKING:
    from core.games import Position
    from gui.jobs.inside import InsideReader, OpenNet
    from gui.jobs.newest import Report, Stale
    from models.inside.graph import NetGraph, Values

    Answer = tuple[NetGraph, dict[str, Values]]

TOTALS: Final[Words] = "{parameters} parameters, {multiplications} multiplications for a position"
AT_LEAST: Final[Words] = "{parameters} parameters, at least {multiplications} multiplications for a position"


class GraphPart(InsidePart):
    """The graph as a column of boxes, coloured by what they cost."""

    def __init__(self, reader: InsideReader) -> None:
        super().__init__(reader)
        self.totals = make_label(self.body, "strong", wrap=True)
        self.note = make_label(self.body, "dim", wrap=True)
        self.canvas = GraphCanvas()
        self.open_all = QPushButton(self.body)
        self.open_all.clicked.connect(lambda _=False: self._open_all())
        self.canvas.opened_changed.connect(self._name_button)
        area = self.area = scroll_down(self.canvas, self.body, "The graph of the net")
        self.canvas.reached.connect(self._bring_in_sight)
        words = lay_column(self.totals, self.note, margins=0, spacing=2)
        row = lay_row((words, 1), self.open_all, margins=(12, 4, 10, 4), spacing=8)
        lay_column(row, (area, 1), of=self.body, margins=0, spacing=2)
        self._name_button()
        on_language(self, self._write_totals)

    def look(self, net: OpenNet, position: Position, stale: Stale, report: Report) -> Answer | None:
        reader = net.graph
        values = {} if stale() else reader.values(position, stale)
        return None if stale() else (reader.graph, values)

    def show_answer(self, answer: Answer) -> None:
        graph, values = answer
        self.canvas.show_graph(graph)
        self.canvas.show_values(values)
        self._write_totals()

    def forget_answer(self) -> None:
        self.canvas.show_graph(None)

    def _bring_in_sight(self, box: QRect) -> None:
        self.area.ensureVisible(box.center().x(), box.center().y(), 0, box.height())

    def _open_all(self) -> None:
        graph = self.canvas.graph
        if graph is not None:
            everything = frozenset(range(len(graph.groups)))
            self.canvas.set_opened(frozenset() if self.canvas.opened else everything)

    def _name_button(self) -> None:
        set_texts(self.open_all, text="Close all" if self.canvas.opened else "Open all")

    def _write_totals(self) -> None:
        graph = self.canvas.graph
        if graph is None:
            return
        places = range(len(graph.operations))
        words = tr(TOTALS if graph.all_counted else AT_LEAST).format(
            parameters=count(graph.parameters(places)),
            multiplications=count(graph.multiplications(places) // graph.batch),
        )
        self.totals.setText(words)
        self.note.setText(
            core_text(graph.no_blocks)
            or tr(
                "The stronger a box is coloured, the more of the multiplications it makes. Values are those of the "
                "position selected."
            )
        )
