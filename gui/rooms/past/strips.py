"""The strips of the time machine: the stages of a playout, and the batch of its leaf."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QFontMetrics,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QTextLayout,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from gui.language.language import tr
from gui.widgets.bars import bar_colour
from gui.widgets.board.playout_paint import BACKUP, STAGES, stage_color
from gui.widgets.figures import count, plain
from gui.widgets.text_size import px
from gui.widgets.texts import on_language, set_texts
from gui.widgets.theme import current_theme, figure_font, with_alpha

if TYPE_CHECKING:
    from core.games import Position
    from core.glass import Snapshot
    from core.glass.curves import Curves
    from gui.rooms.past.turn_marks import TurnMarks

WIDTHS = (3, 3, 5, 6)  # relative widths of the stages
LINES = 3  # a title and two lines of text


def two_lines(words: str, font: QFont, width: float) -> tuple[str, str]:
    """Return words in two lines, broken between words; the second ends in "…" where they do not fit."""
    layout = QTextLayout(words, font)
    layout.beginLayout()
    line = layout.createLine()
    line.setLineWidth(width)
    taken = line.textLength()
    layout.endLayout()
    rest = QFontMetrics(font).elidedText(words[taken:].lstrip(), Qt.TextElideMode.ElideRight, int(width))
    return words[:taken].rstrip(), rest


class StageStrip(QWidget):
    """A strip of selection, expansion, evaluation and backup, each with its text; stages not reached yet are faint."""

    chosen = Signal(int)  # a stage

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words: tuple[str, ...] = ()
        self._tips: tuple[str, ...] = ()
        self._message = ""
        self.stage = BACKUP
        self.setFont(figure_font(self.font()))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        set_texts(self, accessibleName="The simulation's stages")

    def sizeHint(self) -> QSize:
        return QSize(600, LINES * self.fontMetrics().height() + 8)

    minimumSizeHint = lambda self: QSize(200, self.sizeHint().height())  # noqa: E731

    @property
    def words(self) -> tuple[str, ...]:
        """The stages' texts; () without a simulation."""
        return self._words

    def show_words(self, words: tuple[str, ...], tips: tuple[str, ...], stage: int) -> None:
        self._words, self._tips, self.stage, self._message = words, tips, stage, ""
        named_stages = zip(map(tr, STAGES), words, strict=True)
        self.setAccessibleDescription("; ".join(f"{name}: {text}" for name, text in named_stages))
        self.update()

    def show_message(self, message: str) -> None:
        """Show a message instead of the stages."""
        self._words, self._tips, self._message = (), (), message
        self.setAccessibleDescription(message)
        self.update()

    def boxes(self) -> list[QRectF]:
        """Return the rectangle of each stage."""
        gap, total = 8.0, sum(WIDTHS)
        titles = QFontMetrics(figure_font(self.font(), bold=True))
        least = [titles.horizontalAdvance(f"{i} {tr(name)}") + px(36) for i, name in enumerate(STAGES, 1)]
        room = self.width() - gap * (len(WIDTHS) - 1)
        widths = [share * room / total for share in WIDTHS]
        if any(width < title for width, title in zip(widths, least, strict=True)):  # titles first, then texts
            widths = [
                title + max(0.0, room - sum(least)) * share / total for title, share in zip(least, WIDTHS, strict=True)
            ]
        found, left = [], 0.0
        for width in widths:
            found.append(QRectF(left, 0, width, self.height()).adjusted(0, 0.5, 0, -0.5))
            left += width + gap
        return found

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme = current_theme()
        if not self._words:
            painter.setPen(theme.color("dim"))
            message = painter.fontMetrics().elidedText(self._message, Qt.TextElideMode.ElideRight, self.width())
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, message)
            return
        bold = figure_font(self.font(), bold=True)
        for stage, (box, words) in enumerate(zip(self.boxes(), self._words, strict=True)):
            colour, come = stage_color(stage, theme), stage <= self.stage
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(with_alpha(colour, 0.16) if stage == self.stage else theme.color("raised"))
            painter.drawRoundedRect(box, 5, 5)
            painter.setBrush(colour if come else theme.color("line"))
            painter.drawRoundedRect(QRectF(box.left(), box.top(), 4, box.height()), 2, 2)
            inner = box.adjusted(11, 3, -6, -3)
            row = inner.height() / LINES
            painter.setFont(bold)
            painter.setPen(colour if come else theme.color("faint"))
            title = f"{stage + 1} {tr(STAGES[stage])}"
            painter.drawText(
                QRectF(inner.left(), inner.top(), inner.width(), row), Qt.AlignmentFlag.AlignVCenter, title
            )
            if stage == self.stage:  # mark the stage by a shape too, not by colour alone
                x = inner.left() + painter.fontMetrics().horizontalAdvance(title) + 9
                y = inner.top() + row / 2
                painter.setBrush(colour)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.drawPolygon(QPolygonF([QPointF(x + 7, y - 4), QPointF(x + 7, y + 4), QPointF(x, y)]))
            painter.setFont(self.font())
            painter.setPen(theme.color("text") if come else theme.color("faint"))
            for line, text in enumerate(two_lines(words, self.font(), inner.width()), 1):
                lower = QRectF(inner.left(), inner.top() + line * row, inner.width(), row)
                painter.drawText(lower, Qt.AlignmentFlag.AlignVCenter, text)

    def _stage_at(self, point: QPointF) -> int:
        return next((stage for stage, box in enumerate(self.boxes()) if box.contains(point)), -1)

    def event(self, event: QEvent) -> bool:
        if event.type() != QEvent.Type.ToolTip or not isinstance(event, QHelpEvent):
            return super().event(event)
        stage = self._stage_at(QPointF(event.pos()))
        QToolTip.showText(event.globalPos(), self._tips[stage] if self._tips and stage >= 0 else self._message, self)
        return True

    def mousePressEvent(self, event: QMouseEvent) -> None:
        stage = self._stage_at(event.position())
        if stage >= 0 and self._words:
            self.chosen.emit(stage)


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
