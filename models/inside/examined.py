"""What is found of a net's concepts: which blocks tell them, whether the net uses them, whether a search finds them.

It takes a minute or more, and so it is kept in the user's caches.  What is kept is used again only for the same
contents of the net file, the same game, the same sample, and concepts that still say the same of some positions.
"""

import hashlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.files.arrays import Unpacked, as_json, pack
from core.files.caches import cache_path, keep
from core.files.reading import BadFile, Fields, read_bytes
from core.games import GameSpec, Position
from core.games.spec import Concept
from models.audit.positions import random_items
from models.inside.concepts import labels_of
from models.inside.knowledge import (
    MOST_FLAT,
    POSITIONS,
    NetReport,
    Progress,
    examine,
    positions_at_most,
)
from models.inside.measured_file import MOST_COUNT, measured_parts, read_measured
from models.inside.probes import Lines, Score
from models.inside.sample import Sample, Stop, play_sample
from models.inside.selections import Selection, with_selection
from models.inside.uses import Pushed, Use, uses_of
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.opened import digest_of
from models.netfiles.tapped import TappedNet
from models.strength.exams import after

SEED: Final = 0
_VERSION: Final = 2  # of what is measured, and of the file
_MOST_BYTES: Final = 256 << 20
_MOST_FILES: Final = 40
_MOST_MOVES: Final = 1 << 16  # of a position
_CHECKED: Final = 60  # random positions whose labels tell one version of a concept from another
_FIT_SHARE: Final = 0.5  # of the work

Floats = NDArray[np.float64]


class Examined(NamedTuple):
    """What was found of a net."""

    concepts: Mapping[str, Concept]
    """By name."""
    report: NetReport
    uses: Mapping[str, Use]


def examined_for(
    net: TappedNet,
    concepts: Sequence[Concept],
    sample: Sample | None = None,
    selections: Sequence[Selection] = (),
    stop: Stop = lambda: False,
    progress: Progress = lambda part: None,
) -> Examined | None:
    """What is kept of the net, or what is found now and kept; None when stopped.  With a ``sample``: what is found in
    that, without a cache.  ``selections``: more concepts, whose positions are put among those of the sample.

    Raises ValueError where a concept's labels cannot be used or a selection is too small, and BadNet where the net
    fails."""
    concepts = (*concepts, *(chosen.concept for chosen in selections))
    found, played = kept_examined(net, concepts) if sample is None else None, sample is None
    if found is not None:
        return found
    sample = play_sample(net, positions_at_most(net), SEED, stop) if sample is None else sample
    for chosen in () if stop() else selections:
        sample = with_selection(sample, chosen, positions_at_most(net))
    report = None if stop() else examine(net, sample, concepts, SEED, stop, lambda part: progress(_FIT_SHARE * part))
    if report is None:
        return None
    evaluator = OnnxEvaluator(net.path, net.game, recipe=net.recipe, device="cpu", threads=1)
    rest = 1.0 - _FIT_SHARE
    uses = uses_of(net, evaluator, report, concepts, stop, lambda part: progress(_FIT_SHARE + rest * part))
    if stop():
        return None
    found = Examined({concept.name: concept for concept in concepts}, report, uses)
    if played:
        keep(_path(net, concepts), examined_file(found), _MOST_FILES)
    return found


def kept_examined(net: TappedNet, concepts: Sequence[Concept]) -> Examined | None:
    """What is kept of the net; None where nothing is, or what is damaged or of other concepts."""
    with suppress(OSError, BadFile):
        return read_examined(read_bytes(_path(net, concepts), _MOST_BYTES), net, concepts)
    return None


def net_key(net: TappedNet) -> tuple[str, ...]:
    """The texts by which a net is looked up in the caches: contents of its file, recipe, input and game."""
    return digest_of(net.path), repr(net.recipe), net.encoding.name, net.game.text


def _path(net: TappedNet, concepts: Sequence[Concept]) -> Path:
    about = (str(_VERSION), str(SEED), str(positions_at_most(net)))
    return cache_path("concepts", "concepts", *net_key(net), *concepts_key(net.game, concepts), *about)


def concepts_key(game: GameSpec, concepts: Sequence[Concept]) -> tuple[str, ...]:
    """The texts by which concepts are looked up in the caches: their names, and a hash of their labels of some random
    positions, which mostly changes when a concept is changed."""
    items = random_items(game, _CHECKED, (0, game.num_cells), SEED).items
    positions = [after(game, item.moves) for item in items]
    digest = hashlib.sha256()
    for concept in concepts:
        digest.update(repr((concept.per_cell, concept.yes_no, concept.is_move)).encode())
        digest.update(np.nan_to_num(labels_of(concept, positions), nan=-1e30).tobytes())
    return digest.hexdigest(), *(concept.name for concept in concepts)


# The file.


def examined_file(found: Examined) -> bytes:
    """What was found, as a file."""
    report = found.report
    moves = [np.array(position.moves, np.int32) for position in report.sample.positions]
    parts: dict[str, NDArray[Any] | bytes] = {
        "about": as_json({"blocks": list(report.blocks)}),
        "lengths": np.array([len(row) for row in moves], np.int64),
        "moves": np.concatenate([np.zeros(0, np.int32), *moves]),
        "games": report.sample.games,
        "judged": report.judged,
        **measured_parts(report.concepts, {name: use.searched for name, use in found.uses.items()}, len(report.blocks)),
    }
    for number, row in enumerate(report.concepts):
        if row.lines:
            parts[f"lines {number}"] = np.stack([np.append(line.weights[:, 0], line.offsets) for line in row.lines])
        if row.name in found.uses:
            pushed = [[np.nan] * 6 if one is None else [*one.along, *one[1:]] for one in found.uses[row.name].pushed]
            parts[f"pushed {number}"] = np.array(pushed, np.float64)
    return pack(parts)


def read_examined(data: bytes, net: TappedNet, concepts: Sequence[Concept]) -> Examined:
    """What is in a file; :class:`BadFile` when it is damaged, of another net or of other concepts."""
    parts, names = Unpacked(data), tuple(block.name for block in net.blocks)
    about, blocks = Fields(parts.json("about")), len(net.blocks)
    sample = _sample(parts, net.game)
    judged = parts.array("judged", np.int64)
    if len(judged) and not 0 <= judged.min() <= judged.max() < len(sample.positions):
        raise BadFile("a position that was judged is not there")
    if about.list("blocks") != list(names):
        raise BadFile("it is of another net")
    rows, searched = read_measured(parts, concepts, blocks)
    uses, kept = {}, parts.names()
    for number, concept in enumerate(concepts):
        if f"lines {number}" in kept:
            weights = parts.array(f"lines {number}", np.float64, (blocks, _numbers(net, concept) + 1))
            rows[number] = replace(rows[number], lines=tuple(_lines(weights)))
        if concept.is_move:
            uses[concept.name] = Use(_pushed(parts, number, blocks), searched[concept.name])
    report = NetReport(names, tuple(rows), sample, judged)
    return Examined({concept.name: concept for concept in concepts}, report, uses)


def _sample(parts: Unpacked, game: GameSpec) -> Sample:
    lengths, moves = parts.array("lengths", np.int64), parts.array("moves", np.int32)
    games = parts.array("games", np.int64, (len(lengths),))
    if len(lengths) > 2 * POSITIONS or ((lengths < 0) | (lengths > _MOST_MOVES)).any() or lengths.sum() != len(moves):
        raise BadFile("its positions are torn")
    positions: list[Position] = []
    line = [game.initial()]  # of the position before: those of one game follow each other
    for row in np.split(moves, np.cumsum(lengths)[:-1]) if len(lengths) else ():
        actions = tuple(row.tolist())
        shared = 0
        for action, before in zip(actions, line[-1].moves, strict=False):
            if action != before:
                break
            shared += 1
        del line[shared + 1 :]
        for action in actions[shared:]:
            try:
                line.append(line[-1].play(action))
            except (ValueError, IndexError):
                raise BadFile("a move is not legal") from None
        if line[-1].is_over:
            raise BadFile("a position has ended")
        positions.append(line[-1])
    return Sample(tuple(positions), games)


def _numbers(net: TappedNet, concept: Concept) -> int:
    """How many numbers of a block a line reads."""
    channels: int = net.channels
    flat = channels * net.game.num_cells
    return channels if concept.per_cell else flat if flat <= MOST_FLAT else 2 * channels


def _lines(rows: Floats) -> list[Lines]:
    if not np.isfinite(rows).all():
        raise BadFile("a line is not finite")
    return [Lines(row[:-1, None], row[-1:]) for row in rows]


def _pushed(parts: Unpacked, number: int, blocks: int) -> tuple[Pushed | None, ...]:
    pushed = parts.array(f"pushed {number}", np.float64, (blocks, 6)).tolist()
    if any(row[5] < 0.0 or row[5] > MOST_COUNT for row in pushed):
        raise BadFile("a count is wrong")
    return tuple(None if row[5] != row[5] else Pushed(Score(*row[:3]), row[3], row[4], int(row[5])) for row in pushed)
