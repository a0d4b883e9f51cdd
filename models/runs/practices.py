"""The settings of practices in self-play and learning that are off until measured.  Knows no run.

Most are KataGo's (Wu 2019, "Accelerating Self-Play Learning in Go", and docs/KataGoMethods.md of its repository).
"""

from dataclasses import dataclass
from typing import Final

from models.runs.declared import LEARNING, SELF_PLAY, bool_setting, choice_setting, float_setting, int_setting

TOTAL, NEW, _ = FULL_SEARCHES = ("total", "new", "fresh")

ROOT_FPUS: Final = ("same", "none")


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
    forced_playouts: float = float_setting(SELF_PLAY, 0.0, 0.0, 100.0, "",
        "k of the visits sqrt(k P N) that a tried move of a root with noise gets at least, so that what noise proposes "
        "is looked into (KataGo: 2); prune_targets keeps those in vain out of the policy target; 0 forces none")
    root_temperature: float = float_setting(SELF_PLAY, 1.0, 0.1, 10.0, "",
        "of the priors of a root with noise, P^(1/T) before the noise, against a policy that sharpens by itself "
        "(KataGo: 1.1); 1 leaves them")
    root_temperature_early: float = float_setting(SELF_PLAY, 1.0, 0.1, 10.0, "",
        "the same at ply 0, from which it falls to root_temperature, by half in as many plies as the board's side "
        "(KataGo: 1.25)")
    root_fpu: str = choice_setting(SELF_PLAY, ROOT_FPUS,
        "value of an unvisited move of a root with noise: same as elsewhere, or that of the position without "
        "fpu_reduction (none, KataGo)")
    exact_empties: int = int_setting(SELF_PLAY, 0, 0, 28, "cells",
        "empty at most, from where the exact solver plays a game to its end and gives value and best moves to learn, "
        "so that the net learns endings from truth; in Othello and Connect Four; 0 searches to the end")
    legal_softmax: bool = bool_setting(LEARNING, True,
        "the policy learned is that over the legal moves, as a search uses it; otherwise the net also learns to give "
        "illegal moves nothing")
    soft_policy_weight: float = float_setting(LEARNING, 0.0, 0.0, 100.0, "",
        "factor of the loss of a further policy head that learns the target to the power 1/4, so that the net also "
        "tells unlikely moves apart (KataGo: 8); in training alone; 0 has no such head")
    reply_weight: float = float_setting(LEARNING, 0.0, 0.0, 100.0, "",
        "factor of the loss of a further policy head that learns the opponent's reply, where that search is learned "
        "from as well (KataGo: 0.15); in training alone; 0 has no such head")
    horizon_share: float = float_setting(LEARNING, 0.0, 0.0, 1.0, "share",
        "of the mean of the searched values from the position on to the end of its game, those soon to come most, in "
        "what root_value_share leaves of the value target; nearer than the game's result, and less a matter of luck")
    horizon_turns: float = float_setting(LEARNING, 8.0, 1.0, 1000.0, "turns",
        "that mean goes ahead on average (KataGo in Go: about 6, 16 and 50)")
    ema_samples: int = int_setting(LEARNING, 0, 0, 1 << 40, "positions",
        "learned from over which the averaged weights go back, whatever the batch, so that in a short run they are not "
        "behind the net; 0 goes by ema (0.995 with batches of 256: 51 200)")
    # fmt: on


PRACTICES: Final = frozenset(Practices.__dataclass_fields__)
