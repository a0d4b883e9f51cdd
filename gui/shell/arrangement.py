"""Which rooms are open, where they are and how large: what a workspace keeps, as JSON."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from gui.shell.dock import AREAS

Box = tuple[int, int, int, int]  # px: left, top, width, height


@dataclass(frozen=True)
class Arrangement:
    """Rooms by their names, areas by ``AREAS``.

    ``rooms``: the open rooms of each area in the order of their tabs.  ``front``: the one in front in each.
    ``shares``: width of an area, of the bottom its height, as a share of the desk's; 0: what its room in front needs.
    ``windows``: rooms in windows of their own.  ``places``: rooms that open in another area than at first.
    ``parts``: of open rooms that show one of several, the one shown.
    """

    rooms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    front: Mapping[str, str] = field(default_factory=dict)
    shares: Mapping[str, float] = field(default_factory=dict)
    windows: Mapping[str, Box] = field(default_factory=dict)
    places: Mapping[str, str] = field(default_factory=dict)
    parts: Mapping[str, str] = field(default_factory=dict)

    @property
    def open(self) -> tuple[str, ...]:
        """The open rooms."""
        return (*(name for area in AREAS for name in self.rooms.get(area, ())), *self.windows)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, kept: object, names: Collection[str]) -> Arrangement:
        """Read an arrangement of the rooms ``names``; what is unknown or damaged is left out."""
        tables = (
            {name: table for name, table in kept.items() if isinstance(table, dict)} if isinstance(kept, dict) else {}
        )
        names_seen: set[str] = set()

        def fresh(name: object) -> bool:
            """Whether it is a room that stands nowhere yet."""
            good = isinstance(name, str) and name in names and name not in names_seen
            names_seen.update([name] if isinstance(name, str) else ())
            return good

        listed = tables.get("rooms", {})
        rooms = {a: tuple(filter(fresh, listed[a])) for a in AREAS if isinstance(listed.get(a), list)}
        windows = tables.get("windows", {}).items()
        return cls(
            rooms=rooms,
            front={a: name for a, name in tables.get("front", {}).items() if name in rooms.get(a, ())},
            shares={a: float(s) for a, s in tables.get("shares", {}).items() if a in AREAS and _is_share(s)},
            windows={name: tuple(box) for name, box in windows if fresh(name) and _is_box(box)},
            places={n: a for n, a in tables.get("places", {}).items() if n in names and a in AREAS},
            parts={n: str(part) for n, part in tables.get("parts", {}).items() if n in names},
        )


def _is_share(value: object) -> bool:
    return isinstance(value, int | float) and 0 <= value < 1


def _is_box(value: object) -> bool:
    return isinstance(value, list) and len(value) == 4 and all(type(n) is int and abs(n) < 100_000 for n in value)
