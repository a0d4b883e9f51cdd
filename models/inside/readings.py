"""What the line of a concept reads in a block of a net: on one board, and where it and the concept differ most."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from core.games import Position
from core.games.net_inputs import inputs_of_all
from core.games.spec import Concept
from models.inside.concepts import labels_of
from models.inside.knowledge import Array, ConceptReport, NetReport, board_rows
from models.inside.sample import Stop
from models.netfiles.tapped import TappedNet

_BATCH: Final = 64


class Disagreement(NamedTuple):
    """A position that a line was not fitted to, and where its reading is furthest from the label."""

    position: Position
    cell: int
    """-1 for a concept of the whole board."""
    label: float
    reading: float


def read(net: TappedNet, concept: ConceptReport, block: int, positions: Sequence[Position]) -> Array:
    """What the line reads in ``block``, float32 [N, H, W] or [N]: about 1 where it says yes, 0 where no."""
    line = concept.lines[block]
    parts = []
    for start in range(0, len(positions), _BATCH):
        inputs = inputs_of_all(positions[start : start + _BATCH], net.encoding)
        output = net.run(inputs).blocks[block]
        if concept.per_cell:
            parts.append(np.einsum("nchw,c->nhw", output, line.weights[:, 0]) + line.offsets[0])
        else:
            parts.append(line.read(board_rows(output, np.arange(len(output))))[:, 0])
    return np.concatenate(parts).astype(np.float32)


def disagreements(
    net: TappedNet, report: NetReport, concept: Concept, block: int, most: int, stop: Stop = lambda: False
) -> list[Disagreement]:
    """At most ``most`` judged positions whose reading is furthest from the label, furthest first, one place of each."""
    measured = next(one for one in report.concepts if one.name == concept.name)
    furthest: list[Disagreement] = []
    for start in range(0, len(report.judged), _BATCH):
        if stop():
            break
        positions = [report.sample.positions[i] for i in report.judged[start : start + _BATCH].tolist()]
        readings, labels = read(net, measured, block, positions), labels_of(concept, positions)
        apart = np.nan_to_num(np.abs(readings - labels), nan=-1.0).reshape(len(positions), -1)
        for row, (position, cell) in enumerate(zip(positions, apart.argmax(1).tolist(), strict=True)):
            if apart[row, cell] >= 0.0:
                label, reading = (float(array.reshape(len(positions), -1)[row, cell]) for array in (labels, readings))
                furthest.append(Disagreement(position, cell if concept.per_cell else -1, label, reading))
    return sorted(furthest, key=lambda one: -abs(one.label - one.reading))[:most]
