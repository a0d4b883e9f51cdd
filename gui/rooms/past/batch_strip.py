"""What gave the simulations their values, over the slider of the time machine: the net, its cache, or a known end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from gui.language.language import tr
from gui.widgets.bars import bar_colour
from gui.widgets.figures import count, plain
from gui.widgets.text_size import px
from gui.widgets.texts import on_language, set_texts
from gui.widgets.theme import current_theme

if TYPE_CHECKING:
    from core.games import Position
    from core.glass import Snapshot
    from core.glass.curves import Curves
    from gui.rooms.past.turn_marks import TurnMarks

BIN: Final = 4  # px
HEIGHT, TOP = 19, 6  # px of the strip, and of the collisions at its top


class Bin(NamedTuple):
    """Counts of the simulations (first, last] of the root."""

    first: int
    last: int
    simulations: float
    leaves: float  # evaluated by the net
    hits: float  # answered from its cache
    collisions: float
    batches: float

    @property
    def words(self) -> str:
        """The counts in words."""
        words = tr(
            "Simulations {first} to {last}: {leaves} evaluated by the net in {batches} batches ({size} each), {hits} "
            "answered from its cache, {rest} ended at a finished or proved position; {collisions} collisions"
        )
        return words.format(
            first=count(self.first + 1),
            last=count(self.last),
            leaves=count(round(self.leaves)),
            batches=plain(self.batches, 0 if self.batches >= 10 else 1),
            size=plain(self.size, 1),
            hits=count(round(self.hits)),
            rest=count(max(0, round(self.simulations - self.leaves - self.hits))),
            collisions=count(round(self.collisions)),
        )

    @property
    def collided(self) -> float:
        """Collisions for each simulation."""
        return self.collisions / self.simulations

    @property
    def size(self) -> float:
        """Mean leaves of a batch; NaN without batches."""
        return self.leaves / self.batches if self.batches > 1e-9 else float("nan")


def bins_of(curves: Curves, parts: int, last: int) -> list[Bin]:
    """Return the counts of the simulations up to ``last`` of the root in equal parts; [] where nothing was recorded."""
    import numpy as np

    if not curves.batches.made or not len(curves.simulations) or last <= 0:
        return []
    parts = max(1, min(parts, last))
    edges = np.round(np.linspace(0, last, parts + 1))
    begun = max(0, int(curves.records[0] - curves.simulations[0]))
    records = np.interp(edges, np.append(0, curves.simulations), np.append(begun, curves.records))
    sums = curves.batches.sums(records)
    with np.errstate(invalid="ignore"):
        counts = np.diff(np.stack(sums), axis=1).T.tolist()
    spans = zip(edges[:-1].tolist(), edges[1:].tolist(), counts, strict=True)
    return [Bin(int(first), int(end), *found) for first, end, found in spans if found[0] > 0]


class BatchStrip(QWidget):
    """A bar for every few simulations: evaluated by the net, from its cache, the rest ended at a known result.

    Above: collisions for each simulation, the most as high as there is room.  The line: leaves of a batch, as a share
    of the largest.
    ``chosen`` emits a simulation."""

    chosen = Signal(int)

    def __init__(self, marks: TurnMarks, parent: QWidget) -> None:
        super().__init__(parent)
        self._marks = marks
        self._curves: Curves | None = None
        self._position: Position | None = None
        self._for: tuple[object, int, int] | None = None
        self.bins: list[Bin] = []
        self.setMouseTracking(True)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setRetainSizeWhenHidden(True)
        self.setSizePolicy(policy)
        set_texts(self, accessibleName="Batches, cache hits and collisions of the search")
        on_language(self, self._show)
        self.hide()

    def sizeHint(self) -> QSize:
        return QSize(100, px(HEIGHT))

    minimumSizeHint = lambda self: QSize(20, px(HEIGHT))  # noqa: E731

    def show_search(self, snapshot: Snapshot | None) -> None:
        """Show the batches of a search; None, or a search without batches, hides the strip."""
        position = snapshot.position if snapshot is not None else None
        curves = snapshot.curves if snapshot is not None else None
        if curves is not None or position != self._position:  # else those shown are the newest
            self._position, self._curves = position, curves
            self._show()

    def _show(self) -> None:
        curves = self._curves
        self.setVisible(curves is not None and curves.batches.made > 0)
        whole = bins_of(curves, 1, int(curves.simulations[-1])) if curves is not None else []
        self.setAccessibleDescription(whole[0].words if whole else "")
        self.update()

    def _renew(self) -> None:
        """Count again if the search or the width has changed."""
        curves, last = self._curves, self._marks.last
        if curves is None:
            self.bins = []
        elif self._for != (curves, last, self.width()):
            self._for = curves, last, self.width()
            self.bins = bins_of(curves, max(1, self.width() // BIN), last)

    def bin_at(self, x: float) -> Bin | None:
        """Return the counts at an abscissa; None where there are none."""
        place = self._marks.place
        return next((one for one in self.bins if place(one.first) <= x < place(one.last)), None)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        found = self.bin_at(event.position().x())
        words = found.words if found is not None else ""
        QToolTip.showText(event.globalPosition().toPoint(), words, self)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        found = self.bin_at(event.position().x())
        if found is not None and event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit(found.last)

    def leaveEvent(self, event: QEvent) -> None:
        QToolTip.hideText()

    def paintEvent(self, event: QPaintEvent) -> None:
        self._renew()
        if not self.bins or self._curves is None:
            return
        painter = QPainter(self)
        theme, place, top = current_theme(), self._marks.place, px(TOP)
        height = self.height() - top - 1
        net, cache, rest, warn = bar_colour("prior"), bar_colour("share"), theme.color("line"), theme.color("warn")
        largest, sizes = self._curves.batches.largest, []
        most = max(one.collided for one in self.bins)
        for one in self.bins:
            left, right = place(one.first), place(one.last)
            base, room = float(self.height() - 1), max(1.0, right - left)
            known = one.simulations - one.leaves - one.hits
            for part, colour in ((one.leaves, net), (one.hits, cache), (known, rest)):
                tall = height * max(0.0, part) / one.simulations
                painter.fillRect(QRectF(left, base - tall, room, tall), colour)
                base -= tall
            if one.collisions > 0:
                tall = max(1.0, (top - 1) * one.collided / most)
                painter.fillRect(QRectF(left, top - tall, room, tall), warn)
            if one.batches > 1e-9:
                sizes.append(QPointF((left + right) / 2, self.height() - 1 - height * one.size / largest))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.color("panel"), 1.2))
        painter.drawPolyline(QPolygonF(sizes))
