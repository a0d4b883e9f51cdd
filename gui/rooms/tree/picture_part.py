"""The tree as a picture of its most visited nodes, in the room of the tree."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QLabel, QSlider, QToolButton, QWidget

from core.text import Words
from gui.jobs.task import Task, run_task
from gui.language.core_words import core_text
from gui.language.language import tr
from gui.model.timers import make_timer
from gui.rooms.tree.drawn_tree import DrawnTree
from gui.rooms.tree.picture_canvas import PictureCanvas
from gui.widgets.figures import count
from gui.widgets.layouts import lay_row
from gui.widgets.segments import Segments
from gui.widgets.text_size import by_font
from gui.widgets.texts import set_texts
from gui.widgets.theme import Theme, figure_font, ramp
from gui.widgets.tips import set_tip
from gui.widgets.tree_legend import LegendEntry, draw_nothing

if TYPE_CHECKING:
    from core.games import Position
    from core.glass import Snapshot
    from core.glass.nodes import TreeNodes
    from core.glass.picture import TreePicture
    from gui.model.extras import Extras
    from gui.model.state import PathOf
    from gui.rooms.tree.picture_scene import Scene

LEAST, MOST, USUAL = 25, 20_000, 200
STEPS = 200  # steps of the slider, on a logarithmic scale
ASK_MS = 60  # delay after the slider's last move
WHOLE: Final[Words] = "Show the whole tree (P); I and O, or the wheel, zoom"


def nodes_at(step: int) -> int:
    """Return the number of nodes at a step of the slider, rounded."""
    nodes = float(LEAST * (MOST / LEAST) ** (step / STEPS))
    unit = 10 ** max(0, int(math.log10(nodes)) - 1)
    return int(max(LEAST, min(MOST, round(nodes / unit) * unit)))


def step_of(nodes: int) -> int:
    """Return the slider's step nearest to this many nodes."""
    return round(STEPS * math.log(nodes / LEAST) / math.log(MOST / LEAST))


def make_scene() -> Scene:
    """Compile what the picture needs and return an empty scene; call it outside the GUI thread."""
    from gui.rooms.tree.picture_raster import warm_up
    from gui.rooms.tree.picture_scene import Scene

    warm_up()
    return Scene()


def _border(painter: QPainter, theme: Theme) -> None:
    painter.setBrush(ramp(theme.value_ramp, 0.72))
    painter.setPen(QPen(ramp(theme.value_ramp, 0.1), 2.4))
    painter.drawEllipse(QPointF(6, 0), 5.4, 5.4)


def _square(painter: QPainter, theme: Theme) -> None:
    painter.setBrush(ramp(theme.value_ramp, 1.0))
    painter.drawRoundedRect(QRectF(0, -5, 10, 10), 3, 3)


class PicturePart(DrawnTree):
    """A picture of the most visited nodes; its ``controls`` stand in the room's last line."""

    canvas: PictureCanvas

    def __init__(self, extras: Extras, parent: QWidget | None = None) -> None:
        super().__init__(PictureCanvas, parent)
        self._extras = extras
        self.nodes = USUAL  # requested
        self._preparing: Task | None = None
        self.controls = QWidget(self)
        self.slider = QSlider(Qt.Orientation.Horizontal, self.controls)
        self.slider.setRange(0, STEPS)
        self.slider.setPageStep(20)
        self.slider.setFixedWidth(80)
        self.slider.setValue(step_of(USUAL))
        set_texts(
            self.slider, toolTip="How many of the most visited nodes are drawn", accessibleName="Nodes in the picture"
        )
        self.number = QLabel(self.controls)
        self.number.setFont(figure_font(self.font()))
        widest = "20 000"
        by_font(self.number, lambda: self.number.setMinimumWidth(self.number.fontMetrics().horizontalAdvance(widest)))
        self.edges = Segments(
            ("visits", "prior"),
            ("Edges as wide as their share of visits", "Edges as wide as their prior"),
            self.controls,
        )
        self.whole = set_texts(QToolButton(self.controls), text="Fit", toolTip=WHOLE)
        self.whole.setObjectName("plain")
        self.whole.clicked.connect(self.canvas.fit)
        lay_row(self.slider, self.number, self.edges, self.whole, of=self.controls, margins=0, spacing=6)
        self._delay = make_timer(self, ASK_MS, self._request, once=True)
        self.slider.valueChanged.connect(self._slid)
        self.edges.chosen.connect(lambda name: self.canvas.set_by_prior(name == "prior"))
        self.canvas.set_message(tr("preparing the picture (compiled once on this machine)…"))
        self._show_number()

    @property
    def ready(self) -> bool:
        return self.canvas.scene is not None

    def set_nodes(self, nodes: int) -> None:
        """Set the number of nodes to draw, ``LEAST`` to ``MOST``."""
        self.nodes = max(LEAST, min(MOST, nodes))
        blocked = self.slider.blockSignals(True)
        self.slider.setValue(step_of(self.nodes))
        self.slider.blockSignals(blocked)
        self._show_number()
        self._delay.start()

    # contents

    def entries(self, mode: str) -> tuple[LegendEntry, ...]:
        border = (LegendEntry("", 12, _border, tr("Border: the net's V")),) if mode == "value" else ()
        square = LegendEntry("", 10, _square, tr("proved"))
        return (*border, square, LegendEntry(tr("Size: visits"), 0, draw_nothing, ""))

    def meaning(self) -> str:
        return tr(
            "In the picture the border is the net's V for the same player, the size the logarithm of the visits, a "
            "square is proved."
        )

    def _nodes_of(self, snapshot: Snapshot) -> TreePicture | None:
        return snapshot.picture

    def _draw(self, nodes: TreeNodes | None, root: Position | None) -> None:
        self.canvas.show_picture(cast("TreePicture | None", nodes), root, self._line)

    def show_snapshot(self, snapshot: Snapshot | None, line: PathOf) -> None:
        super().show_snapshot(snapshot, line)
        self._show_number()

    def _show_number(self) -> None:
        """Show how many nodes are drawn, of those wanted."""
        picture, tip = self.canvas.nodes, tr("{n} nodes", self.nodes).format(n=count(self.nodes))
        fewer = picture is not None and len(picture) < self.nodes
        self.number.setText(count(len(picture) if fewer and picture is not None else self.nodes))
        set_tip(self.number, tip)

    # requests

    def _slid(self, step: int) -> None:
        self.nodes = nodes_at(step)
        self._show_number()
        self._delay.start()

    def _request(self) -> None:
        self._extras.request_picture(self.nodes if self._in_sight else 0)

    def set_in_sight(self, in_sight: bool) -> None:
        self._delay.stop()
        if in_sight and not self.ready and self._preparing is None:
            self._preparing = run_task(self, make_scene, self._prepared, self._fail)
        super().set_in_sight(in_sight)

    def _fail(self, sentence: str) -> None:
        self.canvas.set_message(core_text(sentence))

    def _prepared(self, scene: Scene) -> None:
        self._preparing = None
        self.canvas.take_scene(scene)
        self.canvas.set_message(core_text(self._waiting))
        self.show_snapshot(self._snapshot, self._line)
