"""Settings and limit of a search, as two frozen dataclasses.

Each setting is declared once, in ``SearchSettings``: name, type, range, unit and meaning.  Checks, the command line and
the window's form read ``SETTINGS``.  Nothing here loads numba or numpy.
"""

import math
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final, Literal

from core.checks import choice_problem, flag_problem, number_problem, wrong
from core.machine import machine_memory_mb
from core.search.params import (
    FINAL_LCB,
    FINAL_MEAN,
    FINAL_VISITS,
    FPU_LOSS,
    FPU_REDUCTION,
    FPU_ZERO,
    MAX_SCHEDULE,
    NEVER_EXPANDED,
    TACTICAL_ROLLOUT,
    UNIFORM_ROLLOUT,
    Params,
)
from core.search.rules.table import RULES, Rule
from core.text import Text

SELECTION_NAMES: Final = {rule.code: name for name, rule in RULES.items()}

FPU_RULES: Final = {"reduction": FPU_REDUCTION, "loss": FPU_LOSS, "zero": FPU_ZERO}
SAME: Final = "same"  # the root's rule is that of all nodes

FINALS: Final = {"auto": FINAL_VISITS, "visits": FINAL_VISITS, "mean": FINAL_MEAN, "lcb": FINAL_LCB}

ROLLOUT_POLICIES: Final = {"uniform": UNIFORM_ROLLOUT, "tactical": TACTICAL_ROLLOUT}

CONSTANT_FORMS: Final = ("c", "inside", "uctk")


Kind = Literal["int", "float", "bool", "choice", "text", "path"]


@dataclass(frozen=True, slots=True)
class Setting:
    """What is known of one setting.  ``low`` and ``high`` (inclusive) are None unless it is a number."""

    name: str
    kind: Kind
    default: Any
    low: float | None
    high: float | None
    choices: tuple[str, ...]
    unit: str
    meaning: str

    def in_range(self) -> str:
        """What is allowed: ``0 to 100``, or the choices; "" for a text or a path."""
        if self.low is not None and self.high is not None:
            return f"{_number(self.kind, self.low)} to {_number(self.kind, self.high)}"
        return "true or false" if self.kind == "bool" else ", ".join(self.choices)

    def problem(self, value: object) -> str:
        """What is wrong with a value; empty when nothing is."""
        if self.low is not None and self.high is not None:
            return number_problem(self.name, value, self.low, self.high, whole=self.kind == "int")
        if self.kind == "bool":
            return flag_problem(self.name, value)
        if self.kind == "choice":
            return choice_problem(self.name, value, self.choices)
        return "" if isinstance(value, str) else wrong(self.name, value, Text("a text"))

    def parse(self, word: str) -> Any:
        """The value that a word means; ValueError for one that is not allowed."""
        value: Any = word.strip()
        if self.kind == "bool":
            value = {"true": True, "false": False}.get(value.lower(), word)
        elif self.kind in ("int", "float"):
            with suppress(ValueError):
                value = int(value) if self.kind == "int" else float(value)
        if problem := self.problem(value):
            raise ValueError(problem)
        return value

    def in_words(self) -> str:
        """Unit, meaning and what is allowed, in one line."""
        words = f"{self.unit}: {self.meaning}" if self.unit else self.meaning
        return f"{words} ({self.in_range()})" if self.in_range() else words


def _number(kind: Kind, value: float) -> str:
    return str(int(value)) if kind == "int" else f"{value:g}"


def declare(
    kind: Kind,
    default: Any,
    meaning: str,
    low: float | None = None,
    high: float | None = None,
    unit: str = "",
    choices: Collection[str] = (),
    **more: str,
) -> Any:
    """A field of a dataclass, with the attributes of a :class:`Setting` and ``more`` as its metadata."""
    about = {"kind": kind, "meaning": meaning, "low": low, "high": high, "unit": unit, "choices": tuple(choices)}
    return field(default=default, metadata={**about, **more})


def _int(default: int, low: int, high: int, unit: str, meaning: str) -> Any:
    return declare("int", default, meaning, low, high, unit)


def _float(default: float, low: float, high: float, unit: str, meaning: str) -> Any:
    return declare("float", default, meaning, low, high, unit)


def _choice(choices: Collection[str], meaning: str) -> Any:
    """The first choice is the default."""
    return declare("choice", next(iter(choices)), meaning, choices=choices)


def _bool(default: bool, meaning: str) -> Any:
    return declare("bool", default, meaning)


# fmt: off
@dataclass(frozen=True, slots=True)
class SearchSettings:
    """Settings of one search, in the order of ``SETTINGS``, which explains each; ``ValueError`` names a bad one.

    What the meanings leave out: the formulas are in ``core.search.rules``.  fpu ``reduction`` may fall below -1, as
    in Leela Chess Zero and KataGo.  The root's prior becomes (1 - noise_epsilon) P + noise_epsilon Dir(noise_alpha).
    ``flat`` has no tree below the root's moves.  ``lcb`` is the mean less lcb_z standard errors.  A move is drawn from
    N^(1 / temperature).  expansion_threshold: Coulom 2006.  prove: MCTS-Solver, Winands et al. 2008.  ``tactical``:
    ``core.games.dispatch.tactical_rollout``; threat_priors: ``core.solve.threats_leaf``; merge_symmetric and
    root_symmetries: ``core.search.root``, ``core.engine.symmetry``.  Simulations in flight count as visits:
    ``core.search.rules.terms``.  Searches in lockstep (``core.engine.lockstep``) know of the root's own settings only
    noise, Gumbel's and, where there is noise, FPU, keep no spread of values and solve no endings
    (``core.engine.endings``, with ``exact_empties``, where proofs are backed up).
    """

    selection: str = _choice(RULES,
        f"How the next move to explore is chosen: {'; '.join(rule.meaning for rule in RULES.values())}.")
    c_puct: float = _float(1.5, 0.0, 100.0, "",
        "Weight of the exploration term. AlphaZero: 1.25.")
    c_base: float = _float(0.0, 0.0, 1e9, "visits",
        "Lets c grow with the visits. AlphaZero: 19 652; KataGo: 500; 0 keeps c constant.")
    c_log: float = _float(1.0, 0.0, 100.0, "",
        "How much c grows: c = c_puct + c_log · ln((1 + ΣN + c_base) / c_base). AlphaZero: 1; KataGo: 0.45.")
    c_spread: float = _float(0.0, 0.0, 1.0, "0–1",
        "How far c follows the spread of a position's values: less exploration where they agree. KataGo: 0.85; 0 not "
        "at all.")
    c_ucb: float = _float(1.0, 0.0, 100.0, "",
        "Weight of the exploration term, on values from 0 to 1. UCB1: √2.")
    c_form: str = _choice(CONSTANT_FORMS,
        "How the constant of UCB1 is written: c before the root, C inside it (C = c²), UCTK (c = √2 · UCTK).")
    fpu: str = _choice(FPU_RULES,
        "The Q assumed for a move without visits: the parent's value minus a reduction, a loss, or 0.")
    fpu_reduction: float = _float(0.25, 0.0, 2.0, "value",
        "Times the square root of the prior mass tried so far.")
    root_fpu: str = _choice((SAME, *FPU_RULES),
        "The Q assumed for a move of the root without visits; same: as everywhere.")
    root_fpu_reduction: float = _float(0.1, 0.0, 2.0, "value",
        "The same factor at the root, where it has a rule of its own.")
    score_utility: float = _float(0.0, 0.0, 1.0, "value",
        "Adds S = score_utility · 2/π · atan(lead / (2 √points of the board)) to Q in PUCT, where the net gives a "
        "score lead; Q itself stays the value. KataGo: 0.1.")
    gumbel_considered: int = _int(16, 1, 1024, "moves",
        "Moves that enter Gumbel's sequential halving.")
    gumbel_simulations: int = _int(200, 1, MAX_SCHEDULE, "sims",
        "Simulations over which sequential halving is planned.")
    c_visit: float = _float(50.0, 0.0, 1e6, "visits",
        "c_visit in Gumbel's σ(Q) = (c_visit + max N) · c_scale · Q. Paper: 50.")
    c_scale: float = _float(1.0, 0.0, 100.0, "",
        "c_scale in the same formula, for values from 0 to 1. Paper: 1.")
    flat_games: int = _int(0, 0, 1 << 30, "",
        "Flat Monte Carlo stops after so many games per move; 0 leaves the end to the limit.")
    root_first: bool = _bool(False,
        "Try every move once before any is tried again.")
    expansion_threshold: int = _int(1, 1, NEVER_EXPANDED, "visits",
        "Visits a position needs before its moves enter the tree, with rollouts.")
    rollout_policy: str = _choice(ROLLOUT_POLICIES,
        "How rollouts choose moves: uniformly at random, or tactically, taking an immediate win and blocking the "
        "opponent's.")
    merge_symmetric: bool = _bool(False,
        "Search one of the moves that a symmetry of the board carries into one another.")
    root_symmetries: bool = _bool(False,
        "Ask the net about the root under every symmetry of the board, and take the mean of policy, value and lead.")
    root_temperature: float = _float(1.0, 0.01, 100.0, "",
        "Flattens the root's priors: P becomes P^(1 / temperature), with sum 1. 1 leaves them as they are.")
    final: str = _choice(FINALS,
        "By most visits, highest mean, or highest lower bound of the mean; auto is the mean with flat Monte Carlo, "
        "else the visits.")
    lcb_z: float = _float(1.96, 0.0, 10.0, "σ",
        "How far below its mean a move's lower bound lies. KataGo: 5.")
    lcb_share: float = _float(0.1, 0.0, 1.0, "0–1",
        "Share of the most visits that a move needs to be chosen by its lower bound. KataGo: 0.15.")
    noise_epsilon: float = _float(0.0, 0.0, 1.0, "0–1",
        "Share of random noise in the root's priors. 0: none, usual for analysis; AlphaZero's self-play: 0.25.")
    noise_alpha: float = _float(1.0, 0.0, 1000.0, "",
        "Concentration of the Dirichlet noise; small values make it spiky. 0 means 10 / legal moves.")
    temperature: float = _float(0.0, 0.0, 100.0, "",
        "How freely the engine's move is drawn from the visits; 0 plays the best.")
    max_batch: int = _int(0, 0, 1024, "leaves",
        "Most leaves valued at once; it grows with the tree up to this. 0 suits the device: 8, on a GPU 256.")
    batches_in_flight: int = _int(0, 0, 8, "batches",
        "Batches in flight at once: with 2 the next is collected while the net works on one. 0 suits the device: 1, on "
        "a GPU 2.")
    threads: int = _int(1, 0, 256, "",
        "Processor threads that search the tree together by rollouts; 0 uses all. With more than one, two searches of "
        "the same seed differ.")
    collectors: int = _int(1, 1, 64, "",
        "Processor threads that collect the leaves of a batch for a net. More than one keeps a fast GPU busy; two "
        "searches of the same seed then differ.")
    prove: bool = _bool(True,
        "Back up won, lost and drawn ends exactly, and stop when the position is solved.")
    threat_proofs: bool = _bool(False,
        "In k-in-a-row games and Connect Four, prove positions that fours or an open four decide; with a net, in "
        "Connect Four also those that an exact search of a tenth of a millisecond decides.")
    threat_priors: bool = _bool(False,
        "In k-in-a-row games, raise the prior of moves that make or deny threats.")
    exact_empties: int = _int(0, 0, 30, "cells",
        "In Othello and Connect Four, solve a position with so few empty cells exactly instead of searching it; discs "
        "decide between Othello's moves. Quick up to 12 in Othello (16 at most), 24 in Connect Four; 0: off.")
    memory_mb: int = _int(512, 1, 1 << 20, "MB",
        "Budget of the tree; when it is full the search stops and says so.")
    # fmt: on

    def __post_init__(self) -> None:
        for setting in SETTINGS:
            if problem := setting.problem(getattr(self, setting.name)):
                raise ValueError(problem)
        if self.memory_mb > machine_memory_mb():
            raise ValueError(
                Text(
                    "{name} is {value}; this machine has {memory} MiB of memory",
                    name="memory_mb",
                    value=self.memory_mb,
                    memory=machine_memory_mb(),
                )
            )

    @property
    def c(self) -> float:
        """The constant of the selection rule, in the form that the formulas use."""
        name = self.rule.constant
        return constant_from(self.c_form, self.c_ucb) if name == "c_ucb" else float(getattr(self, name))

    @property
    def forms(self) -> dict[str, float]:
        """The constant in all forms of UCT's."""
        return constant_forms(self.c)

    @property
    def rule(self) -> Rule:
        """The selection rule."""
        return RULES[self.selection]

    @property
    def keeps_squares(self) -> bool:
        """Whether a rule needs the variance of the values."""
        return self.rule.squares or self.final == "lcb" or self.c_spread > 0

    @property
    def wants_threats(self) -> bool:
        """Whether the search uses threats."""
        return self.threat_proofs or self.threat_priors

    @property
    def own_root(self) -> bool:
        """Whether the root's edges are selected by a rule of its own."""
        return self.root_first or self.selection == "gumbel" or self.root_fpu != SAME

    def simulations_left(self, limit: int | None, done: int, moves: int) -> int:
        """Simulations left to a limit or to the end of ``flat``, whichever is nearer, at a root with so many ``moves``;
        at least one at a root without edges, as a leaf proved by threats is."""
        remaining = 1 << 40 if limit is None else max(limit - done, 0 if moves else 1)
        if self.selection == "flat" and self.flat_games:
            remaining = min(remaining, self.flat_games * moves - done if moves else 1)
        return max(0, remaining)

    def params(self, num_cells: int = 0) -> Params:
        """The same settings for the kernels; a score utility needs ``num_cells``, those of the board."""
        assert num_cells or not self.score_utility
        final = self.rule.final if self.final == "auto" else self.final
        at_root = (self.fpu, self.fpu_reduction) if self.root_fpu == SAME else (self.root_fpu, self.root_fpu_reduction)
        made: dict[str, Any] = {
            "selection": self.rule.code,
            "c": self.c,
            "c_base": self.c_base if "c_base" in self.rule.settings else 0.0,
            "fpu": FPU_RULES[self.fpu],
            "expansion_threshold": NEVER_EXPANDED if self.selection == "flat" else self.expansion_threshold,
            "final": FINALS[final],
            "threat_proofs": self.threat_proofs and self.prove,
            "rollout_policy": ROLLOUT_POLICIES[self.rollout_policy],
            "extended": self.c_spread > 0 or self.root_fpu != SAME or self.score_utility > 0,
            "root_fpu": FPU_RULES[at_root[0]],
            "root_fpu_reduction": at_root[1],
            "score_scale": 2.0 * math.sqrt(max(1, num_cells)),
        }
        # Of the exact types, by which the kernels are compiled; the others are the settings of their names.
        types = Params.__annotations__.items()
        return Params(**{name: kind(made[name] if name in made else getattr(self, name)) for name, kind in types})


def constant_forms(c: float) -> dict[str, float]:
    """The three ways to write UCT's constant: ``c`` before the root (Auer 2002: sqrt 2 on values in [0, 1]), ``inside``
    = C in sqrt(C ln sum N / N), and ``uctk`` = K in K sqrt(2 ln sum N / N)."""
    return {"c": c, "inside": c * c, "uctk": c / math.sqrt(2.0)}


def constant_from(form: str, value: float) -> float:
    """``c`` from any of its forms.  Raises ValueError for another form."""
    if problem := choice_problem("form", form, CONSTANT_FORMS):
        raise ValueError(problem)
    return {"c": value, "inside": math.sqrt(value), "uctk": value * math.sqrt(2.0)}[form]


@dataclass(frozen=True, slots=True)
class Limit:
    """When a search stops: simulations of the root in total, seconds from the start of the run; None = no limit."""

    simulations: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        for name, high in (("simulations", 1 << 31), ("seconds", 1e9)):
            value, whole = getattr(self, name), name == "simulations"
            if value is not None and (problem := number_problem(name, value, int(whole), high, whole)):
                raise ValueError(problem)


SETTINGS: Final = tuple(Setting(f.name, default=f.default, **f.metadata) for f in fields(SearchSettings))
SETTING: Final = {setting.name: setting for setting in SETTINGS}

# Sets of values under a name.

KATAGO: Final = "katago-like"

PRESETS: Final[Mapping[str, Mapping[str, Any]]] = {
    # KataGo's defaults for play by GTP (cpp/program/setup.cpp), except that it asks about one symmetry of the root.
    KATAGO: {
        "selection": "puct",
        "c_puct": 1.0,
        "c_base": 500.0,
        "c_log": 0.45,
        "c_spread": 0.85,
        "fpu": "reduction",
        "fpu_reduction": 0.2,
        "root_fpu": "reduction",
        "root_fpu_reduction": 0.1,
        "score_utility": 0.1,
        "merge_symmetric": True,
        "root_symmetries": True,
        "root_temperature": 1.0,
        "final": "lcb",
        "lcb_z": 5.0,
        "lcb_share": 0.15,
        "noise_epsilon": 0.0,
    },
}


def preset_values(name: str) -> Mapping[str, Any]:
    """The values of a preset; ValueError for another name."""
    if name not in PRESETS:
        presets = ", ".join(PRESETS)
        raise ValueError(Text("there is no preset {name!r}; there are: {presets}", name=name[:60], presets=presets))
    return PRESETS[name]


def with_preset(settings: SearchSettings, name: str) -> SearchSettings:
    """``settings`` with the values of a preset; what that does not name stays."""
    return replace(settings, **preset_values(name))
