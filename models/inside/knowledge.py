"""Which concepts can be read from the blocks of a net, and how much of it needs no net at all.

A line is fitted from the numbers of a block to each concept and judged by games it has not seen.  Three baselines stand
beside it: the bare board without a net, the same net with its weights in random order, and labels in random order.

Letters: N positions, C channels, H W board, D numbers of a row, T concepts.
"""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import numpy_helper

from core.games import Position
from core.games.encoding import Inputs
from core.games.net_inputs import inputs_of_all
from core.games.spec import Concept
from models.inside.concepts import Stopped, labels_of
from models.inside.probes import (
    LEAST,
    UNKNOWN,
    Floats,
    Lines,
    Score,
    Scorer,
    Split,
    fit_lines,
    score_of,
    split_games,
    spread_of,
)
from models.inside.sample import Sample, Stop
from models.netfiles.opened import as_onnx
from models.netfiles.recipe import beside
from models.netfiles.tapped import TappedNet

POSITIONS: Final = 3000
WINDOW: Final = 7  # cells on a side of the bare board's surroundings
SHUFFLES: Final = 8
MOST_ROWS: Final = 60_000  # cells to fit to, and half as many to choose by and to judge by
MOST_FLAT: Final = 2048  # numbers of a whole block; of larger ones the mean and the largest of each channel are taken
_MOST_BYTES: Final = 192 << 20  # of the blocks of all positions
_BATCH: Final = 64

Array = NDArray[np.float32]
Progress = Callable[[float], None]


class BlockReport(NamedTuple):
    """How well one concept is read from one block."""

    score: Score
    random: Score
    """From the same block of the net with its weights in random order."""
    shuffled: Score
    """When the labels it is fitted to are in random order."""
    above: Score
    """The score less the best baseline."""

    @property
    def beats_baselines(self) -> bool:
        """Whether the score lies above all baselines for certain, within the interval."""
        return self.above.low > 0.0


@dataclass(frozen=True)
class ConceptReport:
    """What was measured of one concept."""

    name: str
    title: str
    per_cell: bool
    yes_no: bool
    rows: int
    """Cells or positions by which it is judged."""
    mean: float
    """Of their labels."""
    board: Score
    """From the bare board: the 7x7 cells around a cell, or all cells."""
    blocks: tuple[BlockReport, ...]
    lines: tuple[Lines, ...]
    """Of each block, of one label; () where there are too few positions."""


@dataclass(frozen=True, eq=False)
class NetReport:
    """What was measured of a net."""

    blocks: tuple[str, ...]
    """Their names."""
    concepts: tuple[ConceptReport, ...]
    sample: Sample
    judged: NDArray[np.int64]
    """The positions of the sample to which no line was fitted."""


def positions_at_most(net: TappedNet, wanted: int = POSITIONS) -> int:
    """How many positions' blocks fit into the memory that is allowed."""
    each: int = len(net.blocks) * net.channels * net.game.num_cells * 4
    return min(wanted, max(1, _MOST_BYTES // each))


def examine(
    net: TappedNet,
    sample: Sample,
    concepts: Sequence[Concept],
    seed: int = 0,
    stop: Stop = lambda: False,
    progress: Progress = lambda part: None,
) -> NetReport | None:
    """Fit and judge lines for all ``concepts``; as :meth:`Examiner.examine`."""
    try:
        return Examiner(sample, concepts, seed, stop).examine(net, stop, progress)
    except Stopped:
        return None


class Examiner:
    """Fits and judges lines for the same concepts and positions in one net after the other.

    Raises ValueError where a concept's labels cannot be used, :class:`Stopped` where ``stop`` says so before they are
    known."""

    def __init__(self, sample: Sample, concepts: Sequence[Concept], seed: int = 0, stop: Stop = lambda: False) -> None:
        self.sample, self.concepts, self._seed = sample, concepts, seed
        self._split = split_games(sample.games, seed)
        self._groups = list(_groups(sample, concepts, self._split, seed, stop))
        self._encoding = ""  # for which the bare board was judged

    def examine(
        self,
        net: TappedNet,
        stop: Stop = lambda: False,
        progress: Progress = lambda part: None,
        last_alone: bool = False,
    ) -> NetReport | None:
        """What can be read from all blocks of ``net``, or from the last one alone; None when stopped.

        ``progress`` is given a part of 1.  Raises BadNet where the net fails."""
        groups, inputs = self._groups, inputs_of_all(self.sample.positions, net.encoding)
        names = [block.name for block in net.blocks][-1 if last_alone else 0 :]
        steps, done = len(groups) * (1 + 2 * len(names)), 0

        def step() -> bool:
            nonlocal done
            done += 1
            progress(done / steps)
            return stop()

        for group in groups:
            group.forget_net()
            if net.encoding.name != self._encoding:
                group.judge_board(_own_planes(self.sample.positions), inputs)
            if step():
                self._encoding = ""
                return None
        self._encoding = net.encoding.name
        with tempfile.TemporaryDirectory() as folder:
            scrambled = TappedNet(scrambled_net(net.path, Path(folder), self._seed), net.game, recipe=net.recipe)
            for tapped, is_random in ((net, False), (scrambled, True)):
                blocks = _blocks(tapped, inputs, stop, last_alone)
                if blocks is None:
                    return None
                for number, block in enumerate(blocks):
                    for group in groups:
                        group.judge_block(block, is_random)
                        if step():
                            return None
                    blocks[number] = np.zeros(0, np.float32)  # it is not needed any more
        reports = {report.name: report for group in groups for report in group.reports()}
        ordered = tuple(reports[concept.name] for concept in self.concepts)
        return NetReport(tuple(names), ordered, self.sample, self._split.judge)


def _blocks(net: TappedNet, inputs: Inputs, stop: Stop, last_alone: bool) -> list[Array] | None:
    """Of each block, or of the last one, its outputs [N, C, H, W]; None when stopped."""
    number = len(inputs.planes)
    blocks: list[Array] = []
    for start in range(0, number, _BATCH):
        part = slice(start, start + _BATCH)
        outputs = net.run(Inputs(inputs.planes[part], inputs.features[part])).blocks[-1 if last_alone else 0 :]
        blocks = blocks or [np.empty((number, *output.shape[1:]), np.float32) for output in outputs]
        for block, output in zip(blocks, outputs, strict=True):
            block[part] = output
        if stop():
            return None
    return blocks


def scrambled_net(path: Path, folder: Path, seed: int) -> Path:
    """The net file with the numbers of each weight tensor in random order, written into ``folder``: the same graph and
    the same numbers, without what was learnt."""
    source = as_onnx(path)
    model, rng = onnx.load(source), np.random.default_rng(seed)
    for tensor in model.graph.initializer:
        weights = numpy_helper.to_array(tensor)
        if weights.ndim >= 2:
            shuffled = rng.permutation(weights.ravel()).reshape(weights.shape)
            tensor.CopyFrom(numpy_helper.from_array(shuffled, tensor.name))
    target = folder / "scrambled.onnx"
    target.write_bytes(model.SerializeToString())
    if beside(path).is_file():
        beside(target).write_bytes(beside(path).read_bytes())
    return target


def _own_planes(positions: Sequence[Position]) -> Array:
    """The bare board: stones of the side to move and of the other, and ones, float32 [N, 3, H, W]."""
    cells = np.stack([position.cells() for position in positions])
    mover = np.array([position.to_move + 1 for position in positions], np.int8)[:, None, None]
    return np.stack([cells == mover, (cells != mover) & (cells != 0), np.ones_like(cells)], 1).astype(np.float32)


def cell_rows(planes: Array, rows: NDArray[np.int64]) -> Array:
    """The numbers [D = C] of cells, by ``position * H * W + cell``."""
    number, channels = planes.shape[:2]
    position, cell = np.divmod(rows, planes[0, 0].size)
    return planes.reshape(number, channels, -1)[position, :, cell]


def surroundings(planes: Array, rows: NDArray[np.int64]) -> Array:
    """The numbers [D = C * 49] of the 7x7 cells around each cell, 0 beyond the edges."""
    half = WINDOW // 2
    padded = np.pad(planes, ((0, 0), (0, 0), (half, half), (half, half)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (WINDOW, WINDOW), (2, 3))
    position, cell = np.divmod(rows, planes[0, 0].size)
    row, col = np.divmod(cell, planes.shape[3])
    return windows[position, :, row, col].reshape(len(rows), -1)


def board_rows(planes: Array, rows: NDArray[np.int64]) -> Array:
    """The numbers of whole positions: all of them, or of many the mean and the largest of each channel."""
    flat = planes[rows].reshape(len(rows), planes.shape[1], -1)
    if planes[0].size <= MOST_FLAT:
        return flat.reshape(len(rows), -1)
    return np.concatenate([flat.mean(2), flat.max(2)], 1)


def _groups(sample: Sample, concepts: Sequence[Concept], split: Split, seed: int, stop: Stop) -> Iterator["_Group"]:
    """Concepts that are defined on the same cells or positions: one regression fits the lines of all."""
    groups: dict[tuple[bool, bytes], list[tuple[Concept, Array]]] = {}
    for concept in concepts:
        labels = labels_of(concept, sample.positions, stop)
        key = (concept.per_cell, np.packbits(~np.isnan(labels)).tobytes())
        groups.setdefault(key, []).append((concept, labels))
    for members in groups.values():
        yield _Group(sample, members, split, seed)


class _Group:
    """Concepts that are defined on the same rows, and what was measured of them."""

    def __init__(self, sample: Sample, members: Sequence[tuple[Concept, Array]], split: Split, seed: int) -> None:
        self._concepts = [concept for concept, _ in members]
        self.per_cell = self._concepts[0].per_cell
        labels = np.stack([labels.ravel() for _, labels in members], 1).astype(np.float64)
        size = len(labels) // len(sample.positions)
        rng = np.random.default_rng(seed)
        defined = ~np.isnan(labels[:, 0])
        games = np.repeat(sample.games, size)
        parts = []
        for positions, most in zip(split, (MOST_ROWS, MOST_ROWS // 2, MOST_ROWS // 2), strict=True):
            rows = (positions[:, None] * size + np.arange(size)).ravel()
            rows = rows[defined[rows]]
            parts.append(np.sort(rng.choice(rows, most, replace=False)) if len(rows) > most else rows)
        self._split = Split(*parts)
        self._labels = [labels[rows] for rows in parts]
        self._scorer = Scorer(games[self._split.judge], seed)
        self._usable = [self._is_usable(t) for t in range(len(members))]
        self._board: list[tuple[float, Floats]] = []
        self.forget_net()
        orders = [rng.permutation(len(self._labels[0])) for _ in range(SHUFFLES)]
        self._in_other_orders = [self._labels[0][order] for order in orders]

    def _is_usable(self, t: int) -> bool:
        """Whether there are enough rows, games, and rows of either answer."""
        if self._scorer.games < LEAST:
            return False
        for labels in self._labels:
            column = labels[:, t]
            if len(column) < 2 * LEAST or column.std() == 0.0:
                return False
            if self._concepts[t].yes_no and not LEAST <= column.sum() <= len(column) - LEAST:
                return False
        return True

    def forget_net(self) -> None:
        """Begin with another net."""
        self._measured: dict[bool, list[list[tuple[float, Floats]]]] = {False: [], True: []}
        self._shuffled: list[list[Score]] = []
        self._lines: list[Lines] = []

    def judge_board(self, own: Array, inputs: Inputs) -> None:
        """Score what can be read from the board without a net, and from what the net is given of a cell."""

        def rows(rows: NDArray[np.int64]) -> Array:
            if not self.per_cell:
                return np.concatenate([board_rows(own[:, :2], rows), inputs.features[rows]], 1)
            return np.concatenate([surroundings(own, rows), cell_rows(inputs.planes, rows)], 1)

        if any(self._usable):
            self._board = self._scores(self._fitted([rows(part) for part in self._split], self._labels[0])[1])

    def judge_block(self, block: Array, is_random: bool) -> None:
        """Score the next block of the net, or of that with random weights."""
        if not any(self._usable):
            return
        take = cell_rows if self.per_cell else board_rows
        parts = [take(block, rows) for rows in self._split]
        labels = self._labels[0] if is_random else np.concatenate([self._labels[0], *self._in_other_orders], 1)
        lines, readings = self._fitted(parts, labels)
        concepts = len(self._concepts)
        self._measured[is_random].append(self._scores(readings[:, :concepts]))
        if not is_random:
            self._lines.append(Lines(lines.weights[:, :concepts], lines.offsets[:concepts]))
            draws = [self._values(readings[:, k * concepts : (k + 1) * concepts]) for k in range(1, SHUFFLES + 1)]
            self._shuffled.append([spread_of([draw[t] for draw in draws]) for t in range(concepts)])

    def _fitted(self, parts: Sequence[Array], labels: Floats) -> tuple[Lines, Floats]:
        """The lines, and their readings of the rows to judge by."""
        repeated = np.tile(self._labels[1], labels.shape[1] // len(self._concepts))
        lines = fit_lines(parts[0], labels, parts[1], repeated)
        return lines, lines.read(parts[2])

    def _scores(self, readings: Floats) -> list[tuple[float, Floats]]:
        return [
            self._scorer.areas(readings[:, t], self._labels[2][:, t] > 0.5)
            if concept.yes_no
            else self._scorer.shares(readings[:, t], self._labels[2][:, t])
            for t, concept in enumerate(self._concepts)
        ]

    def _values(self, readings: Floats) -> list[float]:
        return [value for value, _ in self._scores(readings)]

    def reports(self) -> Iterator[ConceptReport]:
        """What was measured of each concept."""
        for t, concept in enumerate(self._concepts):
            labels = self._labels[2][:, t]
            mean = float(labels.mean()) if len(labels) else float("nan")
            blocks: tuple[BlockReport, ...] = ()
            lines: tuple[Lines, ...] = ()
            board = UNKNOWN
            if self._usable[t]:
                board = score_of(*self._board[t])
                blocks = tuple(self._block_report(k, t) for k in range(len(self._lines)))
                lines = tuple(Lines(line.weights[:, t : t + 1], line.offsets[t : t + 1]) for line in self._lines)
            yield ConceptReport(
                concept.name, concept.title, concept.per_cell, concept.yes_no, len(labels), mean, board, blocks, lines
            )

    def _block_report(self, k: int, t: int) -> BlockReport:
        (value, drawn), (random, random_drawn) = self._measured[False][k][t], self._measured[True][k][t]
        board, board_drawn = self._board[t]
        shuffled = self._shuffled[k][t]
        best = np.maximum(np.maximum(board_drawn, random_drawn), shuffled.high)
        above = score_of(value - max(board, random, shuffled.high), drawn - best)
        return BlockReport(score_of(value, drawn), score_of(random, random_drawn), shuffled, above)


# What the line of a concept reads.


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
    measured = next(found for found in report.concepts if found.name == concept.name)
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
