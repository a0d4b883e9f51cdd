"""Where the boxes of a net's graph stand: a column from the inputs down, with the heads side by side below it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from models.inside.graph import NetGraph

INPUT: Final = -1  # the group of an input's box
ARC: Final = 13  # px between two arcs beside a column
BOX, GAP, INDENT, APART = (
    42,
    14,
    12,
    18,
)  # px: heights of boxes and gaps, what an open group's boxes are set in, columns
MOST_LANES: Final = 5  # arcs beside each other
NARROWEST, WIDEST = 200, 430  # px of a box


class Box(NamedTuple):
    """One box: an input (``name``), a group, or an operation of an open group."""

    group: int
    operation: int  # its place in the graph; -1 for a group or an input
    name: str
    left: float
    top: float
    width: float
    height: float

    @property
    def key(self) -> tuple[int, int, str]:
        return self.group, self.operation, self.name

    def holds(self, x: float, y: float) -> bool:
        return self.left <= x < self.left + self.width and self.top <= y < self.top + self.height


class Arc(NamedTuple):
    """A way from one box to another: straight down (lane -1), or round what lies between, beside the column."""

    start: int  # place of a box
    end: int
    lane: int


class Layout(NamedTuple):
    """All boxes with the ways between them, and the height of the picture in px."""

    boxes: tuple[Box, ...]
    arcs: tuple[Arc, ...]
    height: float


def lay_out(graph: NetGraph, opened: Collection[int], width: float, scale: float = 1.0) -> Layout:
    """Lay a graph out with these groups open, in ``width`` px; ``scale``: px for each of the lengths above."""
    arcs_room = scale * ARC * (MOST_LANES + 0.5)
    body = [i for i, group in enumerate(graph.groups) if not group.head]
    heads = [i for i, group in enumerate(graph.groups) if group.head]
    box = min(scale * WIDEST, width - 2 * arcs_room)
    left = (width - box) / 2
    boxes: list[Box] = []
    top = scale * GAP / 2
    for name in graph.inputs:
        boxes.append(Box(INPUT, -1, name, left, top, box, scale * BOX))
        top += scale * (BOX + GAP)
    top = _column(graph, opened, body, left, top, box, scale, boxes)
    side = (width - (len(heads) + 1) * scale * APART - len(heads) * arcs_room) / max(1, len(heads))
    if side >= scale * NARROWEST:
        side = min(side, scale * WIDEST)
        step = side + arcs_room + scale * APART
        start = (width - len(heads) * step + arcs_room + scale * APART) / 2 - arcs_room / 2
        top += scale * GAP if heads else 0
        ends = [
            _column(graph, opened, [head], start + i * step, top, side, scale, boxes) for i, head in enumerate(heads)
        ]
        top = max([top, *ends])
    else:
        top = _column(graph, opened, heads, left, top, box, scale, boxes)
    return Layout(tuple(boxes), _arcs(graph, boxes, opened), top - scale * GAP / 2)


def _column(
    graph: NetGraph,
    opened: Collection[int],
    groups: Sequence[int],
    left: float,
    top: float,
    width: float,
    scale: float,
    boxes: list[Box],
) -> float:
    """Put the boxes of these groups below each other; the height where the next may begin."""
    for group in groups:
        boxes.append(Box(group, -1, "", left, top, width, scale * BOX))
        top += scale * (BOX + GAP)
        if group in opened:
            for operation in graph.groups[group].operations:
                inner = Box(group, operation, "", left + scale * INDENT, top, width - 2 * scale * INDENT, scale * BOX)
                boxes.append(inner)
                top += scale * (BOX + GAP)
    return top


def _arcs(graph: NetGraph, boxes: Sequence[Box], opened: Collection[int]) -> tuple[Arc, ...]:
    """The ways between the boxes shown, each once."""
    givers = {box.name: place for place, box in enumerate(boxes) if box.group == INPUT}
    shown = {(box.group, box.operation): place for place, box in enumerate(boxes)}
    ways: set[tuple[int, int]] = set()
    for number, operation in enumerate(graph.operations):
        end = shown[operation.group, number if operation.group in opened else -1]
        for tensor in operation.inputs:
            start = givers.get(tensor, end)
            if start != end:
                ways.add((start, end))
        givers.update(dict.fromkeys(operation.outputs, end))
    ways |= {(place, place) for place, box in enumerate(boxes) if _is_residual(graph, box) and box.group not in opened}
    lanes: list[list[tuple[int, int]]] = []
    arcs = []
    for start, end in sorted(ways, key=lambda way: (abs(way[1] - way[0]), way)):
        between = range(start + 1, end)
        same = boxes[start].left + boxes[start].width / 2 == boxes[end].left + boxes[end].width / 2
        titles = all(boxes[i].operation < 0 and boxes[i].group in opened for i in between)
        if not same and any(box.top > boxes[start].top and boxes[start].left == box.left for box in boxes):
            continue  # from far above into a head: what it is given stands in its tip
        if start != end and (not same or (titles and len(between) <= 1)):
            arcs.append(Arc(start, end, -1))
            continue
        lane = next(
            (i for i, taken in enumerate(lanes) if all(end <= other or start >= last for other, last in taken)),
            len(lanes),
        )
        if lane == len(lanes):
            lanes.append([])
        lanes[lane].append((start, end))
        arcs.append(Arc(start, end, min(lane, MOST_LANES - 1)))
    return tuple(arcs)


def _is_residual(graph: NetGraph, box: Box) -> bool:
    """Whether a group adds to something what it computes from it."""
    if box.group == INPUT or box.operation >= 0 or graph.groups[box.group].head:
        return False
    inner = {name for i in graph.groups[box.group].operations for name in graph.operations[i].outputs}
    outer = {name for i in graph.groups[box.group].operations for name in graph.operations[i].inputs} - inner
    sums = [graph.operations[i] for i in graph.groups[box.group].operations if graph.operations[i].operator == "Add"]
    return len(outer) == 1 and any(outer.intersection(part.inputs) for part in sums)
