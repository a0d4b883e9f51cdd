"""How a search selects, values and stops, as two frozen values.  Knows no tree."""

import math
from dataclasses import dataclass, fields
from typing import Final, NamedTuple

PUCT: Final = 0
UCB1: Final = 1
SELECTIONS: Final = {"puct": PUCT, "ucb1": UCB1}

FPU_REDUCTION: Final = 0
FPU_LOSS: Final = 1
FPU_ZERO: Final = 2
FPU_RULES: Final = {"reduction": FPU_REDUCTION, "loss": FPU_LOSS, "zero": FPU_ZERO}


class Params(NamedTuple):
    """The settings as the kernels take them: plain numbers."""

    selection: int
    c: float
    c_base: float
    fpu: int
    fpu_reduction: float
    prove: bool


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """Settings of one search; ``ValueError`` names a bad one and what is allowed.

    selection: ``puct`` (AlphaGo Zero, Silver et al. 2017, Methods) or ``ucb1`` (UCT, Kocsis & Szepesvari 2006).
    c_puct: constant of puct (AlphaZero 2018: c_init 1.25).  c_base: when > 0, c grows with the visits as
        ``log((1 + sum N + c_base) / c_base) + c_puct`` (AlphaZero 2018: 19652); 0 keeps it constant.
    c_ucb: constant c of ``Q + c sqrt(ln sum N / N)`` on values in [0, 1] (UCB1, Auer et al. 2002: sqrt 2).
    fpu: value of an unvisited child under puct: ``reduction`` (parent's value minus ``fpu_reduction`` times
        sqrt of the visited prior mass), ``loss`` (-1) or ``zero`` (0).
    noise_epsilon, noise_alpha: root prior becomes (1 - eps) P + eps Dir(alpha) (AlphaZero: 0.25; alpha about
        10 / legal moves).  0 = no noise, the default for analysis.
    temperature: tau of pi = N^(1/tau) when a move is drawn; 0 plays the best move.
    max_batch: leaves evaluated together under virtual loss; the batch in use grows with the tree up to it.
    prove: back up proved results (MCTS-Solver, Winands et al. 2008) and stop when the root is proved.
    memory_mb: budget for the tree's arrays, in MiB.
    """

    selection: str = "puct"
    c_puct: float = 1.5
    c_base: float = 0.0
    c_ucb: float = 1.0
    fpu: str = "reduction"
    fpu_reduction: float = 0.25
    noise_epsilon: float = 0.0
    noise_alpha: float = 1.0
    temperature: float = 0.0
    max_batch: int = 8
    prove: bool = True
    memory_mb: int = 512

    def __post_init__(self) -> None:
        _one_of("selection", self.selection, SELECTIONS)
        _one_of("fpu", self.fpu, FPU_RULES)
        for name, low, high in (
            ("c_puct", 0.0, 100.0),
            ("c_base", 0.0, 1e9),
            ("c_ucb", 0.0, 100.0),
            ("fpu_reduction", 0.0, 2.0),
            ("noise_epsilon", 0.0, 1.0),
            ("noise_alpha", 1e-3, 1000.0),
            ("temperature", 0.0, 100.0),
            ("max_batch", 1, 1024),
            ("memory_mb", 1, 1 << 20),
        ):
            _in_range(name, getattr(self, name), low, high)

    @property
    def c(self) -> float:
        """The constant of the rule in use."""
        return self.c_ucb if self.selection == "ucb1" else self.c_puct

    def params(self) -> Params:
        """The same settings for the kernels."""
        return Params(
            SELECTIONS[self.selection],
            float(self.c),
            float(self.c_base),
            FPU_RULES[self.fpu],
            float(self.fpu_reduction),
            bool(self.prove),
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


def setting_names() -> tuple[str, ...]:
    """The names of all search settings, in order."""
    return tuple(field.name for field in fields(SearchSettings))


def _one_of(name: str, value: object, allowed: dict[str, int]) -> None:
    if value not in allowed:
        raise ValueError(f"{name} is {value!r}; it must be one of {', '.join(allowed)}")


def _in_range(name: str, value: float, low: float, high: float) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"{name} is {value!r}; it must be a number from {low:g} to {high:g}")
    if isinstance(low, int) and not isinstance(value, int):
        raise ValueError(f"{name} is {value!r}; it must be a whole number from {low} to {high}")
    if not low <= value <= high:
        raise ValueError(f"{name} is {value!r}; it must lie from {low:g} to {high:g}")
