"""What a page of a search that goes on is sent: the difference of two records, which ``resources/page/data.js`` reads.

Nodes and simulations are only ever added, but some columns change in places: a node gets moves, a prior gets noise.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.files.page_data import Columns, PageRecord, packed

_NOTHING = PageRecord({}, {})


def piece(after: PageRecord, before: PageRecord = _NOTHING) -> bytes:
    """What leads from the record ``before``, by default none, to ``after``.

    Its header is that of ``after`` with ``kept``: [name, number of values taken from before] of each column.  Of a
    column ``x`` it has the values added, and in ``x at`` and ``x to`` the places of others and what is there now.
    """
    kept: list[list[Any]] = []
    columns: Columns = {}
    for name, (kind, values) in after.columns.items():
        earlier = before.columns.get(name, (kind, values[:0]))[1]
        count = min(len(earlier), len(values))
        changed = _changed(earlier[:count], values[:count])
        kept.append([name, count])
        columns[name] = kind, values[count:]
        columns[f"{name} at"] = "u32", changed.astype("<u4")
        columns[f"{name} to"] = kind, values[changed]
    return packed(PageRecord(after.header | {"kept": kept}, columns))


def _changed(before: NDArray[Any], after: NDArray[Any]) -> NDArray[np.intp]:
    """The places at which the values differ, bit by bit: NaN is like NaN."""
    bits = f"<u{before.itemsize}"
    return np.flatnonzero(before.view(bits) != after.view(bits))
