"""The dock of the tree's picture: number of nodes, meaning of the edges' width, picture, legend and a read-out.

Knows a snapshot and the selected path; ``connect_picture`` connects it to a search.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QLabel, QSlider, QWidget

from gui.jobs.task import Task, run_task
from gui.language.core_words import core_text
from gui.language.language import mark, tr
from gui.model.timers import make_timer
from gui.rooms.picture.picture_canvas import PictureCanvas
from gui.rooms.picture.picture_legend import entries, meaning
from gui.widgets.figures import count
from gui.widgets.labels import make_label
from gui.widgets.page_switch import Segments
from gui.widgets.text_size import by_font
from gui.widgets.texts import set_texts
from gui.widgets.theme import figure_font
from gui.widgets.tree_legend import LegendEntry
from gui.widgets.tree_room import TreeRoom

if TYPE_CHECKING:
    from core.games import Position
    from core.glass import Snapshot
    from core.glass.nodes import TreeNodes
    from core.glass.picture import TreePicture
    from gui.context import Context
    from gui.model.state import PathOf
    from gui.rooms.picture.picture_scene import Scene

LEAST, MOST, USUAL = 25, 20_000, 200
STEPS = 200  # steps of the slider, on a logarithmic scale
ASK_MS = 60  # delay after the slider's last move


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
    from gui.rooms.picture.picture_raster import warm_up
    from gui.rooms.picture.picture_scene import Scene

    warm_up()
    return Scene()


class PictureView(TreeRoom):
    """A picture of the most visited nodes with its controls."""

    canvas: PictureCanvas
    played = Signal(object)  # path
    picture_requested = Signal(int)  # number of nodes requested in the snapshots; 0 while the dock is hidden

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(PictureCanvas, parent)
        self._nodes = USUAL
        self._preparing: Task | None = None
        self.slider = QSlider(Qt.Orientation.Horizontal, self)
        self.slider.setRange(0, STEPS)
        self.slider.setPageStep(20)
        self.slider.setMinimumWidth(60)
        self.slider.setMaximumWidth(220)
        self.slider.setValue(step_of(USUAL))
        set_texts(
            self.slider, toolTip="How many of the most visited nodes are drawn", accessibleName="Nodes in the picture"
        )
        self.number = QLabel(self)
        self.number.setFont(figure_font(self.font()))
        widest = "20 000 of 20 000 "
        by_font(self.number, lambda: self.number.setMinimumWidth(self.number.fontMetrics().horizontalAdvance(widest)))
        self.edges = Segments(
            ("visits", "prior"),
            (mark("Edges as wide as their share of visits"), mark("Edges as wide as their prior")),
            self,
        )
        row = self._lay_out(
            (make_label(self, "dim", "nodes"), self.slider, self.number),
            (make_label(self, "dim", "edges by"), self.edges),
            (self.players, self.whole),
        )
        row.left.addStretch(1)
        self._delay = make_timer(self, ASK_MS, self._request, once=True)
        self.slider.valueChanged.connect(self._slid)
        self.edges.chosen.connect(lambda name: self.canvas.set_by_prior(name == "prior"))
        self.canvas.played.connect(self.played)
        self.canvas.set_message(tr("preparing the picture (compiled once on this machine)…"))
        self._show_number()

    @property
    def nodes(self) -> int:
        """The number of nodes requested."""
        return self._nodes

    @property
    def ready(self) -> bool:
        return self.canvas.scene is not None

    def set_nodes(self, nodes: int) -> None:
        """Set the number of nodes to draw, ``LEAST`` to ``MOST``."""
        self._nodes = max(LEAST, min(MOST, nodes))
        blocked = self.slider.blockSignals(True)
        self.slider.setValue(step_of(self._nodes))
        self.slider.blockSignals(blocked)
        self._show_number()
        self._delay.start()

    # contents

    def _entries(self) -> tuple[LegendEntry, ...]:
        return entries(self.canvas.player_name)

    def _meaning(self) -> str:
        return meaning(self.canvas.player_name)

    def _nodes_of(self, snapshot: Snapshot) -> TreePicture | None:
        return snapshot.picture

    def _draw(self, nodes: TreeNodes | None, root: Position | None) -> None:
        self.canvas.show_picture(cast("TreePicture | None", nodes), root, self._line)

    def show_snapshot(self, snapshot: Snapshot | None, line: PathOf) -> None:
        super().show_snapshot(snapshot, line)
        self._show_number()

    def _show_number(self) -> None:
        picture = self.canvas.nodes
        if picture is not None and len(picture) < self._nodes:
            self.number.setText(
                tr("{picture} of {nodes}").format(picture=count(len(picture)), nodes=count(self._nodes))
            )
        else:
            self.number.setText(count(self._nodes))

    # requests

    def _slid(self, step: int) -> None:
        self._nodes = nodes_at(step)
        self._show_number()
        self._delay.start()

    def _request(self) -> None:
        self.picture_requested.emit(self._nodes if self._in_sight else 0)

    def set_in_sight(self, in_sight: bool) -> None:
        self._delay.stop()
        if in_sight and not self.ready and self._preparing is None:
            self._preparing = run_task(self, make_scene, self._prepared, self._fail)
        super().set_in_sight(in_sight)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.updateGeometry()

    def _fail(self, sentence: str) -> None:
        self.canvas.set_message(core_text(sentence))

    def _prepared(self, scene: Scene) -> None:
        self._preparing = None
        self.canvas.take_scene(scene)
        self.canvas.set_message(core_text(self._waiting))
        self.show_snapshot(self._snapshot, self._line)


def connect_picture(context: Context, view: PictureView) -> None:
    """Connect the picture to the search and the selection, and show their present state."""
    view.played.connect(lambda path: context.play_line(path, view.canvas.root))
    view.picture_requested.connect(context.session.extras.request_picture)
    view.follow(context.state, context.session, context.preferences)
