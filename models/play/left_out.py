"""Samples that a run does not learn from any more: the files that name them.

``plyscope influence --json`` prints such a file; a run keeps those that it leaves out in its folder.  Each sample is
named by its shard and its row there, and by a mark of what it holds, so that no other is taken for it.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

from core.checks import short
from core.files.atomic import write_atomically
from core.files.reading import BadFile, Fields, read_json
from core.text import Text, text_of
from models.play.samples import Samples
from models.runs.folder import LEFT_OUT

_MOST_BYTES: Final = 64 << 20
_MOST_ROW: Final = 1 << 31


class LeftOut(NamedTuple):
    """One sample of a shard."""

    row: int
    mark: str


def mark_of(samples: Samples, row: int) -> str:
    """A mark of the position, target and result of a sample."""
    content = samples.planes[row].tobytes(), samples.policy[row].tobytes(), samples.result[row].tobytes()
    return hashlib.sha256(b"".join(content)).hexdigest()[:16]


def read_left_out(path: Path) -> dict[str, list[LeftOut]]:
    """The samples that a file names, by the name of their shard.  :class:`core.files.reading.BadFile`."""
    try:
        named: dict[str, list[LeftOut]] = {}
        for entry in Fields(read_json(path, _MOST_BYTES)).list("samples"):
            fields = Fields(entry)
            sample = LeftOut(fields.whole("row", 0, _MOST_ROW), fields.text("mark"))
            named.setdefault(fields.text("shard"), []).append(sample)
        return named
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else text_of(error)
        raise BadFile(Text("{path} is not a list of samples ({why})", path=short(str(path)), why=why)) from None


def without(samples: Samples, shard: str, left_out: Sequence[LeftOut]) -> Samples:
    """The samples of a shard, those left out at weight 0, so that they are never drawn.  BadFile for other samples."""
    if not left_out:
        return samples
    for row, mark in left_out:
        if row >= len(samples) or mark_of(samples, row) != mark:
            raise BadFile(
                Text("sample {row} of shard {shard} is not the one that is to be left out", row=row + 1, shard=shard)
            )
    weight = samples.weight.copy()
    weight[[row for row, _ in left_out]] = 0.0
    return replace(samples, weight=weight)


def left_out_of(run: Path) -> dict[str, list[LeftOut]]:
    """The samples that the run in a folder leaves out.  :class:`core.files.reading.BadFile`."""
    path = run / LEFT_OUT
    return read_left_out(path) if path.exists() else {}


def leave_out(run: Path, named: Iterable[tuple[str, LeftOut]]) -> int:
    """Have the run in a folder leave out these samples too, each with the name of its shard, from its next start on;
    how many it leaves out in all.  BadFile, ``OSError``."""
    every = [(shard, sample) for shard, samples in left_out_of(run).items() for sample in samples]
    samples = sorted({*every, *named})
    entries = [{"shard": shard, **sample._asdict()} for shard, sample in samples]
    write_atomically(run / LEFT_OUT, json.dumps({"samples": entries}).encode(), make_folder=False)
    return len(entries)
