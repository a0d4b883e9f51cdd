"""The move that a search plays."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.glass import Snapshot


def drawn_move(snapshot: Snapshot | None, temperature: float, random: Random) -> int:
    """Return the best move of a search, or one drawn at a temperature above 0; -1 for none."""
    if snapshot is None or temperature == 0 or snapshot.best < 0:
        return -1 if snapshot is None else snapshot.best
    chances = snapshot.root.visit_policy(temperature).tolist()
    return int(random.choices(snapshot.root.actions.tolist(), chances)[0])
