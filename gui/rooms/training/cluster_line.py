"""The line of a run that plays on several machines: how many, their rate, the age of their nets.  Knows no cluster."""

from html import escape

from PySide6.QtWidgets import QWidget

from gui.language.language import tr
from gui.widgets.figures import count
from gui.widgets.labels import ShortLabel
from gui.widgets.theme import figure_font
from models.runs.cluster_figures import ClusterFigures

MOST_ROWS = 40


class ClusterLine(ShortLabel):
    """Shown for a run on a cluster alone; its tip lists the actors."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("dim")
        self.setFont(figure_font(self.font()))
        self.show_cluster(None)

    def show_cluster(self, cluster: ClusterFigures | None) -> None:
        self.setVisible(cluster is not None)
        self.setText("" if cluster is None else cluster_words(cluster))
        self.setToolTip("" if cluster is None else cluster_table(cluster))


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
    return f"<table>{cells}</table>" + (tr("… and {count} more actors").format(count=count(more)) if more else "")


def _cell(text: str) -> str:
    return f"<td>{escape(text)}&nbsp;&nbsp;</td>"
