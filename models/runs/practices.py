"""The settings of practices in self-play and learning that are off until measured.  Knows no run.

Most are KataGo's (Wu 2019, "Accelerating Self-Play Learning in Go", and docs/KataGoMethods.md of its repository).
"""

from dataclasses import dataclass
from typing import Final

from models.runs.declared import SELF_PLAY, choice_setting

TOTAL, NEW, FRESH = FULL_SEARCHES = ("total", "new", "fresh")


# fmt: off
@dataclass(frozen=True, slots=True, kw_only=True)
class Practices:
    """The part of :class:`models.runs.config.TrainConfig` that its own defaults switch off."""

    full_search: str = choice_setting(SELF_PLAY, FULL_SEARCHES,
        "what the simulations of a full search count: total, those of earlier searches that are still in its tree "
        "included; new, its own alone, in the same tree; fresh, its own in an empty tree, so that noise acts on all")
    # fmt: on


PRACTICES: Final = frozenset(Practices.__dataclass_fields__)
