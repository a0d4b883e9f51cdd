"""How a search selects, values and stops, as two frozen values.  Knows no tree."""

from dataclasses import dataclass
from typing import Final, NamedTuple

from core.processors import machine_memory_mb
from core.search.formulas import CONSTANT_FORMS, constant_from
from core.search.tree import MAX_SCHEDULE

PUCT: Final = 0
UCB1: Final = 1
UCB1_TUNED: Final = 2
FLAT: Final = 3
GUMBEL: Final = 4
SELECTIONS: Final = {"puct": PUCT, "ucb1": UCB1, "ucb1_tuned": UCB1_TUNED, "flat": FLAT, "gumbel": GUMBEL}
PRIOR_RULES: Final = ("puct", "gumbel")  # the others have no P in their formula
SELECTION_NAMES: Final = {code: name for name, code in SELECTIONS.items()}

FPU_REDUCTION: Final = 0
FPU_LOSS: Final = 1
FPU_ZERO: Final = 2
FPU_RULES: Final = {"reduction": FPU_REDUCTION, "loss": FPU_LOSS, "zero": FPU_ZERO}

FINAL_VISITS: Final = 0
FINAL_MEAN: Final = 1
FINAL_LCB: Final = 2
FINALS: Final = {"auto": FINAL_VISITS, "visits": FINAL_VISITS, "mean": FINAL_MEAN, "lcb": FINAL_LCB}

UNIFORM: Final = 0
TACTICAL: Final = 1
ROLLOUT_POLICIES: Final = {"uniform": UNIFORM, "tactical": TACTICAL}

NEVER: Final = 1 << 30


class Params(NamedTuple):
    """The settings as the kernels take them: plain numbers."""

    selection: int
    c: float
    c_base: float
    fpu: int
    fpu_reduction: float
    prove: bool
    c_scale: float
    root_first: bool
    expansion_threshold: int
    final: int
    lcb_z: float
    threat_proofs: bool
    threat_priors: bool
    rollout_policy: int


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """Settings of one search; ``ValueError`` names a bad one and what is allowed.

    selection: ``puct`` (AlphaGo Zero, Silver et al. 2017, Methods), ``ucb1`` (UCT, Kocsis & Szepesvari 2006),
        ``ucb1_tuned`` (Auer et al. 2002), ``flat`` (equally many random games of each move, no tree below it) or
        ``gumbel`` (sequential halving at the root, improved policy below: Danihelka et al. 2022).
    c_puct: constant of puct (AlphaZero 2018: c_init 1.25).  c_base: when > 0, c grows with the visits as
        ``log((1 + sum N + c_base) / c_base) + c_puct`` (AlphaZero 2018: 19652); 0 keeps it constant.
    c_ucb: constant c of ``Q + c sqrt(ln sum N / N)`` on values in [0, 1] (UCB1, Auer et al. 2002: sqrt 2).
    c_form: how c_ucb is written: ``c``; ``inside`` (C under the root: c = sqrt C); ``uctk`` (K sqrt(2 ln / N):
        c = K sqrt 2).
    fpu: value of an unvisited child under puct: ``reduction`` (parent's value minus ``fpu_reduction`` times
        sqrt of the visited prior mass; as in Leela Chess Zero and KataGo it may fall below -1), ``loss`` (-1) or
        ``zero`` (0).
    noise_epsilon, noise_alpha: root prior becomes (1 - eps) P + eps Dir(alpha) (AlphaZero: 0.25; alpha about
        10 / legal moves, which is what alpha 0 stands for).  eps 0 = no noise, the default for analysis.
    gumbel_considered: moves that enter sequential halving (16).  gumbel_simulations: over which it is planned; later
        ones choose as below the root.  c_visit, c_scale: of sigma(q) on values in [0, 1] (50 and 1).
    flat_games: games of each move after which ``flat`` ends; 0 leaves the end to the limit.
    root_first: every move of the root is tried once before any is tried again, whatever the rule.
    expansion_threshold: visits a leaf of a rollout search needs before its moves enter the tree (Coulom 2006).
    rollout_policy: moves of the random games, ``uniform``, or ``tactical``: a win at once is taken, no move is played
        that lets the opponent win at once while there is another (core.games.dispatch.tactical_rollout).
    merge_symmetric: of root moves that a symmetry of the board carries into one another only one is searched.
    final: the move played: most ``visits``, highest ``mean``, highest lower confidence bound ``lcb`` (mean - lcb_z
        standard errors, among moves with a tenth of the most visits); ``auto`` is mean under flat, else visits.
    temperature: tau of pi = N^(1/tau) when a move is drawn; 0 plays the best move.
    max_batch: leaves evaluated together under virtual loss; the batch in use grows with the tree up to it.
    batches_in_flight: batches under way at once: with 2 the next is collected while the net works on one.
    threads: processor threads that play random games, 0 for all; more than one collect their leaves under virtual loss.
    prove: back up proved results (MCTS-Solver, Winands et al. 2008) and stop when the root is proved.
    threat_proofs: with ``prove``, a new position that fours or an open four decide is proved at once (k in a row,
        Connect Four).
    threat_priors: in k in a row, moves that make or deny threats get a larger prior (core.solve.threats_leaf says how
        much).
    memory_mb: budget for the tree's arrays, in MiB; at most the memory of this machine.
    """

    selection: str = "puct"
    c_puct: float = 1.5
    c_base: float = 0.0
    c_ucb: float = 1.0
    c_form: str = "c"
    fpu: str = "reduction"
    fpu_reduction: float = 0.25
    gumbel_considered: int = 16
    gumbel_simulations: int = 200
    c_visit: float = 50.0
    c_scale: float = 1.0
    flat_games: int = 0
    root_first: bool = False
    expansion_threshold: int = 1
    rollout_policy: str = "uniform"
    merge_symmetric: bool = False
    final: str = "auto"
    lcb_z: float = 1.96
    noise_epsilon: float = 0.0
    noise_alpha: float = 1.0
    temperature: float = 0.0
    max_batch: int = 8
    batches_in_flight: int = 1
    threads: int = 1
    prove: bool = True
    threat_proofs: bool = False
    threat_priors: bool = False
    memory_mb: int = 512

    def __post_init__(self) -> None:
        _one_of("selection", self.selection, SELECTIONS)
        _one_of("fpu", self.fpu, FPU_RULES)
        _one_of("c_form", self.c_form, dict.fromkeys(CONSTANT_FORMS, 0))
        _one_of("final", self.final, FINALS)
        _one_of("rollout_policy", self.rollout_policy, ROLLOUT_POLICIES)
        for name in ("root_first", "merge_symmetric", "prove", "threat_proofs", "threat_priors"):
            if not isinstance(getattr(self, name), bool):
                raise ValueError(f"{name} is {getattr(self, name)!r}; it must be True or False")
        for name, low, high in (
            ("gumbel_considered", 1, 1024),
            ("gumbel_simulations", 1, MAX_SCHEDULE),
            ("c_visit", 0.0, 1e6),
            ("c_scale", 0.0, 100.0),
            ("flat_games", 0, 1 << 30),
            ("expansion_threshold", 1, NEVER),
            ("lcb_z", 0.0, 10.0),
            ("c_puct", 0.0, 100.0),
            ("c_base", 0.0, 1e9),
            ("c_ucb", 0.0, 100.0),
            ("fpu_reduction", 0.0, 2.0),
            ("noise_epsilon", 0.0, 1.0),
            ("noise_alpha", 0.0, 1000.0),
            ("temperature", 0.0, 100.0),
            ("max_batch", 1, 1024),
            ("batches_in_flight", 1, 8),
            ("threads", 0, 256),
            ("memory_mb", 1, 1 << 20),
        ):
            _in_range(name, getattr(self, name), low, high)
        if self.memory_mb > machine_memory_mb():
            raise ValueError(f"memory_mb is {self.memory_mb!r}; this machine has {machine_memory_mb()} MiB of memory")

    @property
    def c(self) -> float:
        """The constant of the rule in use, as the formulas take it."""
        if self.selection == "gumbel":
            return self.c_visit
        return self.c_puct if self.selection == "puct" else constant_from(self.c_form, self.c_ucb)

    @property
    def uses_priors(self) -> bool:
        """Whether the rule in use knows priors."""
        return self.selection in PRIOR_RULES

    @property
    def keeps_squares(self) -> bool:
        """Whether a rule needs the variance of the values."""
        return self.selection == "ucb1_tuned" or self.final == "lcb"

    @property
    def wants_threats(self) -> bool:
        """Whether the search looks at threats at all."""
        return self.threat_proofs or self.threat_priors

    @property
    def own_root(self) -> bool:
        """Whether the root's moves are chosen by a rule of their own."""
        return self.root_first or self.selection == "gumbel"

    def params(self) -> Params:
        """The same settings for the kernels."""
        final = "mean" if self.final == "auto" and self.selection == "flat" else self.final
        return Params(
            selection=SELECTIONS[self.selection],
            c=float(self.c),
            c_base=float(self.c_base),
            fpu=FPU_RULES[self.fpu],
            fpu_reduction=float(self.fpu_reduction),
            prove=bool(self.prove),
            c_scale=float(self.c_scale),
            root_first=bool(self.root_first),
            expansion_threshold=NEVER if self.selection == "flat" else int(self.expansion_threshold),
            final=FINALS[final],
            lcb_z=float(self.lcb_z),
            threat_proofs=bool(self.threat_proofs and self.prove),
            threat_priors=bool(self.threat_priors),
            rollout_policy=ROLLOUT_POLICIES[self.rollout_policy],
        )


@dataclass(frozen=True, slots=True)
class Limit:
    """When a search stops: simulations of the root in total, seconds from the start of the run; None = no limit."""

    simulations: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.simulations is not None:
            _in_range("simulations", self.simulations, 1, 1 << 31)
        if self.seconds is not None:
            _in_range("seconds", self.seconds, 0.0, 1e9)


def _one_of(name: str, value: object, allowed: dict[str, int]) -> None:
    if value not in allowed:
        raise ValueError(f"{name} is {value!r:.60}; it must be one of {', '.join(allowed)}")


def _in_range(name: str, value: float, low: float, high: float) -> None:
    whole = isinstance(low, int)
    span = f"{low} to {high}" if whole else f"{low:g} to {high:g}"
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value:
        raise ValueError(f"{name} is {value!r:.60}; it must be a number from {span}")
    if whole and not isinstance(value, int):
        raise ValueError(f"{name} is {value!r:.60}; it must be a whole number from {span}")
    if not low <= value <= high:
        raise ValueError(f"{name} is {value!r:.60}; it must lie from {span}")
