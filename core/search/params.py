"""The settings of a search as the kernels take them: plain numbers, and the codes of choices."""

from typing import Final, NamedTuple

PUCT: Final = 0
UCB1: Final = 1
UCB1_TUNED: Final = 2
FLAT: Final = 3
GUMBEL: Final = 4

FPU_REDUCTION: Final = 0
FPU_LOSS: Final = 1
FPU_ZERO: Final = 2

FINAL_VISITS: Final = 0
FINAL_MEAN: Final = 1
FINAL_LCB: Final = 2

UNIFORM_ROLLOUT: Final = 0
TACTICAL_ROLLOUT: Final = 1

NEVER_EXPANDED: Final = 1 << 30
MAX_SCHEDULE: Final = 1 << 16  # simulations over which sequential halving can be planned


class Params(NamedTuple):
    """Fields as in ``core.search.settings.SearchSettings``."""

    selection: int
    c: float
    c_base: float
    c_log: float
    fpu: int
    fpu_reduction: float
    prove: bool
    c_scale: float
    root_first: bool
    expansion_threshold: int
    final: int
    lcb_z: float
    lcb_share: float
    threat_proofs: bool
    threat_priors: bool
    rollout_policy: int
    extended: bool  # whether one of the following is in use
    c_spread: float
    root_fpu: int
    root_fpu_reduction: float
    score_utility: float
    score_scale: float  # points at which the score value is half its bound
