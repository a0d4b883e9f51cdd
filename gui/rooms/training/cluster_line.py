"""The line of a run that plays on several machines: how many, their rate, the age of their nets."""

from html import escape

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from gui.language.language import tr
from gui.widgets.figures import count
from gui.widgets.labels import ShortLabel
from gui.widgets.theme import current_theme, figure_font, on_theme
from models.runs.reports import OF_MACHINE, ActorFigures, ClusterFigures

MOST_ROWS = 40
UP, DOWN = 14.0, 7.0  # heights of the longest bars, px
BAR, GAP, MACHINE_GAP = 5.0, 2.0, 6.0  # px


class ClusterLine(QWidget):
    """Shown for a run on a cluster alone: a bar for each actor and a line of text; the tip lists the actors."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bars, self.words = ActorBars(self), ShortLabel(self)
        self.words.setObjectName("dim")
        self.words.setFont(figure_font(self.font()))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(9)
        row.addWidget(self.bars)
        row.addWidget(self.words, 1)
        self.show_cluster(None)

    def show_cluster(self, cluster: ClusterFigures | None) -> None:
        self.setVisible(cluster is not None)
        self.bars.show_actors(() if cluster is None else cluster.actors[:MOST_ROWS])
        self.words.setText("" if cluster is None else cluster_words(cluster))
        self.setToolTip("" if cluster is None else cluster_table(cluster))


class ActorBars(QWidget):
    """A bar for each actor, those of one machine together: up its positions a second, down the age of its nets."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._actors: tuple[ActorFigures, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        on_theme(self, self.update)

    def show_actors(self, actors: tuple[ActorFigures, ...]) -> None:
        self._actors = actors
        self.updateGeometry()
        self.update()

    def lefts(self) -> list[float]:
        """The left edge of each bar."""
        found, x, machine = [], 0.0, None
        for actor in self._actors:
            own = actor.number // OF_MACHINE
            x += MACHINE_GAP if machine not in (None, own) else 0.0
            found.append(x)
            x, machine = x + BAR + GAP, own
        return found

    def heights(self) -> list[tuple[float, float]]:
        """How far each bar goes up and down; a pixel at least where there is a figure."""
        most = max((actor.samples_per_s for actor in self._actors), default=0.0)
        oldest = max((actor.behind or 0 for actor in self._actors), default=0)
        return [
            (
                max(1.0, UP * actor.samples_per_s / most) if actor.samples_per_s else 0.0,
                max(1.0, DOWN * actor.behind / oldest) if actor.behind else 0.0,
            )
            for actor in self._actors
        ]

    def sizeHint(self) -> QSize:
        return QSize(int(self.lefts()[-1] + BAR) + 1 if self._actors else 0, int(UP + DOWN) + 2)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), current_theme()
        for left, (up, down) in zip(self.lefts(), self.heights(), strict=True):
            painter.fillRect(QRectF(left, UP - up, BAR, up), QColor(theme.accent))
            painter.fillRect(QRectF(left, UP, BAR, 1.0), QColor(theme.faint))
            painter.fillRect(QRectF(left, UP + 1.0, BAR, down), QColor(theme.warn))


def cluster_words(cluster: ClusterFigures) -> str:
    """One line of text."""
    rate = sum(actor.samples_per_s for actor in cluster.actors)
    parts = [
        tr("Cluster {address}").format(address=cluster.address),
        tr("machines: {count}").format(count=count(cluster.nodes)),
        tr("actors: {count}").format(count=count(len(cluster.actors))),
        tr("{rate} positions/s").format(rate=f"{rate:.1f}"),
    ]
    if cluster.behind is not None:
        parts.append(tr("nets {steps} steps old").format(steps=f"{cluster.behind:.1f}"))
    if cluster.restarts:
        parts.append(tr("restarts: {count}").format(count=count(cluster.restarts)))
    if cluster.dropped:
        parts.append(tr("dropped as too old: {count}").format(count=count(cluster.dropped)))
    return " · ".join(parts)


def cluster_table(cluster: ClusterFigures) -> str:
    """A row for each actor, as HTML."""
    head = (tr("Actor"), tr("Machine"), tr("Threads"), tr("Positions/s"), tr("Net, steps old"))
    rows = [
        (
            str(actor.number),
            actor.host,
            str(actor.threads),
            f"{actor.samples_per_s:.1f}",
            "–" if actor.behind is None else count(actor.behind),
        )
        for actor in cluster.actors[:MOST_ROWS]
    ]
    cells = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in [head, *rows])
    more = len(cluster.actors) - len(rows)
    legend = tr("Up: positions a second. Down: how many steps old the nets of the games are. A bar for each actor.")
    return f"<p>{legend}</p><table>{cells}</table>" + (
        tr("… and {count} more actors").format(count=count(more)) if more else ""
    )


def _cell(text: str) -> str:
    return f"<td>{escape(text)}&nbsp;&nbsp;</td>"
