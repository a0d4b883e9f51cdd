"""The dock of the tree's picture: number of nodes, meaning of the edges' width, picture, legend and a read-out.

Knows a snapshot and the selected path; ``connect_picture`` connects it to a search.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QSlider, QToolButton, QVBoxLayout, QWidget

from gui.jobs.task import Task, run_task
from gui.language.core_words import core_text
from gui.language.language import mark, tr
from gui.model.timers import make_timer
from gui.rooms.picture.picture_canvas import PictureCanvas
from gui.rooms.picture.picture_legend import Legend
from gui.widgets.figures import count
from gui.widgets.folding_row import FoldingRow
from gui.widgets.labels import make_label
from gui.widgets.page_switch import Segments
from gui.widgets.text_size import by_font
from gui.widgets.texts import on_language, set_texts
from gui.widgets.theme import figure_font
from gui.widgets.words import waiting_text

if TYPE_CHECKING:
    from core.games import Position
    from core.glass import Snapshot
    from gui.context import Context
    from gui.model.state import PathOf
    from gui.rooms.picture.picture_scene import Scene

LEAST, MOST, USUAL = 25, 20_000, 200
STEPS = 200  # steps of the slider, on a logarithmic scale
ASK_MS = 60  # delay after the slider's last move
READING_MS = 250


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


class PictureView(QWidget):
    """A picture of the most visited nodes with its controls."""

    selected = Signal(object)  # path
    played = Signal(object)  # path
    picture_requested = Signal(int)  # number of nodes requested in the snapshots; 0 while the dock is hidden

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._nodes = USUAL
        self._snapshot: Snapshot | None = None
        self._line: PathOf = ()
        self._in_sight = False
        self._preparing: Task | None = None
        self._waiting = ""
        self.canvas = PictureCanvas(self)
        self.legend = Legend(self)
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
        self.whole = QToolButton(self)
        self.whole.setObjectName("plain")
        set_texts(self.whole, text="Fit", toolTip="Show the whole tree (P); I and O, or the wheel, zoom")
        self.reading = make_label(self, "dim")
        set_texts(self.reading, accessibleName="Node under the pointer or selected")
        self.reading.setFont(figure_font(self.font()))
        self.reading.setContentsMargins(10, 2, 10, 5)
        self.reading.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.reading.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._lay_out()
        self._delay = make_timer(self, ASK_MS, self._request_picture, once=True)
        self._reads = make_timer(self, READING_MS, self._read, once=True)
        self._text = ""
        self.slider.valueChanged.connect(self._slid)
        self.edges.chosen.connect(lambda name: self.canvas.set_by_prior(name == "prior"))
        self.whole.clicked.connect(self.canvas.fit)
        self.canvas.selected.connect(self.selected)
        self.canvas.played.connect(self.played)
        self.canvas.described.connect(self._show_description)
        self.canvas.set_message(tr("preparing the picture (compiled once on this machine)…"))
        self._show_number()
        on_language(self, self._show_again)

    def _lay_out(self) -> None:
        row = FoldingRow(self)
        row.setContentsMargins(10, 6, 8, 4)
        nodes, edges = set_texts(QLabel(self), text="nodes"), set_texts(QLabel(self), text="edges by")
        for label in (nodes, edges):
            label.setObjectName("dim")
        for part, widgets in (
            (row.left, (nodes, self.slider, self.number)),
            (row.right, (edges, self.edges, self.whole)),
        ):
            part.setSpacing(8)
            for widget in widgets:
                part.addWidget(widget)
        row.left.addStretch(1)
        row.set_stretch(1, 0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(row)
        column.addWidget(self.canvas, 1)
        column.addWidget(self.legend)
        column.addWidget(self.reading)

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

    def show_snapshot(self, snapshot: Snapshot | None, line: PathOf) -> None:
        """Show the picture that a snapshot carries; kept for later while the view is hidden.

        ``line``: the moves from the record's start to its position; nodes folded below them stay folded.
        """
        self._snapshot, self._line = snapshot, line
        if not self.ready or not self._in_sight:
            return
        picture = snapshot.picture if snapshot is not None else None
        if picture is None and snapshot is not None:
            return  # one of the next snapshots has it
        root: Position | None = snapshot.position if snapshot is not None else None
        if root is not None and root.is_over:
            self.canvas.show_picture(None, None, line)
            self.canvas.set_message(tr("the game is over here: there is no tree to draw"))
        else:
            self.canvas.set_message(core_text(self._waiting))
            self.canvas.show_picture(picture, root, line)
        self._show_number()

    def _show_again(self) -> None:
        self.show_snapshot(self._snapshot, self._line)
        self._show_number()

    def set_waiting(self, text: str) -> None:
        """Set the message shown while there is no tree, in English."""
        self._waiting = text
        if self.ready and self._snapshot is None:
            self.canvas.set_message(core_text(text))

    def select_path(self, path: PathOf, of: Position | None) -> None:
        """Mark the node at ``path`` below a position."""
        self.canvas.select_path(path, of)

    def _show_number(self) -> None:
        picture = self.canvas.scene.picture if self.canvas.scene is not None else None
        if picture is not None and len(picture) < self._nodes:
            self.number.setText(
                tr("{picture} of {nodes}").format(picture=count(len(picture)), nodes=count(self._nodes))
            )
        else:
            self.number.setText(count(self._nodes))

    def _show_description(self, text: str) -> None:
        self._text = text
        if not self._reads.isActive():
            self._reads.start()

    def _read(self) -> None:
        width = max(40, self.reading.width() - 22)
        self.reading.setText(self.reading.fontMetrics().elidedText(self._text, Qt.TextElideMode.ElideMiddle, width))
        self.reading.setToolTip(self._text)

    # requests

    def _slid(self, step: int) -> None:
        self._nodes = nodes_at(step)
        self._show_number()
        self._delay.start()

    def _request_picture(self) -> None:
        self.picture_requested.emit(self._nodes if self._in_sight else 0)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.set_in_sight(True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.set_in_sight(False)

    def set_in_sight(self, in_sight: bool) -> None:
        """Set whether the view is visible, not behind another dock; while it is not, nothing is drawn or requested."""
        self._in_sight = in_sight
        self._delay.stop()
        self._request_picture()
        if in_sight and not self.ready and self._preparing is None:
            self._preparing = run_task(self, make_scene, self._prepared, self._fail)
        if in_sight:
            self.show_snapshot(self._snapshot, self._line)

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
    state, session = context.state, context.session

    def show(*_: object) -> None:
        view.show_snapshot(session.snapshot, state.line)

    def select(*_: object) -> None:
        view.select_path(state.selected, state.position)

    def wait() -> None:
        view.set_waiting(waiting_text(session.phase))

    session.state_changed.connect(wait)
    wait()
    view.selected.connect(lambda path: state.select(path, view.canvas.root))
    view.played.connect(lambda path: context.play_line(path, view.canvas.root))
    view.picture_requested.connect(session.request_picture)
    state.selection_changed.connect(select)
    session.snapshot_for_frame.connect(show)
    session.snapshot_for_text.connect(lambda snapshot: show() if snapshot is None else None)
    dock = context.docks.dock_of(view)
    if dock is not None:
        dock.visibilityChanged.connect(view.set_in_sight)
    select()
    show()
    view.set_in_sight(view.isVisible())
