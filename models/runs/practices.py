"""The settings of practices in self-play and learning that are off until measured.  Knows no run.

Most are KataGo's (Wu 2019, "Accelerating Self-Play Learning in Go", and docs/KataGoMethods.md of its repository).
"""

from dataclasses import dataclass
from typing import Final

from models.runs.declared import LEARNING, SELF_PLAY, bool_setting, choice_setting, float_setting

TOTAL, NEW, FRESH = FULL_SEARCHES = ("total", "new", "fresh")


# fmt: off
@dataclass(frozen=True, slots=True, kw_only=True)
class Practices:
    """The part of :class:`models.runs.config.TrainConfig` that its own defaults switch off."""

    full_search: str = choice_setting(SELF_PLAY, FULL_SEARCHES,
        "what the simulations of a full search count: total, those of earlier searches that are still in its tree "
        "included; new, its own alone, in the same tree; fresh, its own in an empty tree, so that noise acts on all")
    surprise_share: float = float_setting(SELF_PLAY, 0.0, 0.0, 1.0, "share",
        "of the weight of a game's positions that goes to those whose search surprised the net, by KL(target, prior): "
        "they are drawn more often (policy surprise weighting, KataGo: 0.5); 0 draws all equally often")
    legal_softmax: bool = bool_setting(LEARNING, False,
        "the policy learned is that over the legal moves, as a search uses it; otherwise the net also learns to give "
        "illegal moves nothing")
    # fmt: on


PRACTICES: Final = frozenset(Practices.__dataclass_fields__)
