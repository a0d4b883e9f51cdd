"""What is known of each selection rule beside its kernels: its formula, its settings, the names of its figures.

Nothing here loads numba or numpy.  A new rule is one entry here, its kernels in a file beside this one, and a line for
each of them in ``core.search.selection``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, Literal

from core.search.params import FLAT, GUMBEL, PUCT, UCB1, UCB1_TUNED
from core.text import Text

if TYPE_CHECKING:
    from core.search.settings import SearchSettings

SCORED: Final = "puct with score"  # puct where a score utility is in use, to those who name its terms

# The letters of formulas, by the names in their templates; ``Q`` and ``g`` stand first, where a sign needs no brackets.
LETTERS: Final = {
    "Q": "Q",
    "q": "Q",
    "s": "S",
    "c": "c",
    "p": "P",
    "total": "ΣN",
    "n": "N",
    "variance": "σ²",
    "quarter": "¼",
    "scale": "s",
    "log_mass": "L",
    "g": "g",
}


@dataclass(frozen=True)
class Rule:
    """One selection rule."""

    code: int  # of ``core.search.params``
    title: str
    meaning: str  # what it goes by, as a part of the sentence on all rules
    suits: Literal["net", "games", "both"]  # leaves valued by a net, by random games, or either
    score: str  # what selection maximises, a template of ``LETTERS``
    summary: Callable[[SearchSettings], str]  # the rule with its constants, for the command line
    settings: frozenset[str]  # those that it uses, of those that not every rule does
    interval_words: Text  # how far Q may be off, by the rule itself
    constant: str = "c_ucb"  # the setting of its constant
    bonuses: Mapping[str, str] = field(default_factory=dict)  # U by the form of its constant, where it has forms
    planned: str = ""  # the score at a root with a plan
    priors: bool = False  # whether P is in its formula
    squares: bool = False  # whether it needs the variance of the values
    final: str = "visits"  # what ``final`` auto means
    columns: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # id -> title, meaning, where they differ
    unvisited: Text | None = None  # what a move without visits is taken for; None: the setting ``fpu`` says it
    note: Text | None = None  # on the score of a move, where that is no sum of terms
    interval: Literal["u", "games", ""] = ""  # of Q: Q ± U; Wilson's, of independent games; none of the rule's own

    def fits(self, net: bool) -> bool:
        """Whether it suits leaves that a net values, or else random games."""
        return self.suits in ("both", "net" if net else "games")

    def written(self, form: str = "c", planned: bool = False) -> str:
        """The template of the score; ``form``: that of UCT's constant, see ``SearchSettings.c_form``."""
        bonus = self.bonuses.get(form, "")
        return self.planned if planned else self.score + bonus


def usual_rule(net: bool) -> str:
    """The rule in use where none was chosen, for leaves that a net values, or else random games."""
    return "puct" if net else "ucb1"


def in_letters(template: str, form: str = "c") -> str:
    """A formula in letters."""
    return template.format(**LETTERS | {"c": {"c": "c", "inside": "C", "uctk": "K"}[form]})


def _puct_summary(settings: SearchSettings) -> str:
    share = f"{settings.c_log:g} " if settings.c_log != 1 else ""
    grows = f" growing {share}with base {settings.c_base:g}" if settings.c_base > 0 else ""
    spread = f", spread {settings.c_spread:g}" if settings.c_spread > 0 else ""
    score = f", score utility {settings.score_utility:g}" if settings.score_utility > 0 else ""
    unvisited = _fpu(settings.fpu, settings.fpu_reduction)
    if settings.root_fpu != "same":
        unvisited += f" (at the root {_fpu(settings.root_fpu, settings.root_fpu_reduction)})"
    noise = _noise(settings)
    if settings.root_temperature != 1:
        noise = f", root temperature {settings.root_temperature:g}{noise}"
    if settings.root_symmetries:
        noise = f", root under all symmetries{noise}"
    return f"puct c {settings.c_puct:g}{grows}{spread}, unvisited {unvisited}{score}{noise}"


def _ucb_summary(settings: SearchSettings) -> str:
    forms = settings.forms
    return (
        f"{settings.selection} c {forms['c']:.4g} (C inside the root {forms['inside']:.4g}, "
        f"UCTK {forms['uctk']:.4g}){_noise(settings)}"
    )


def _flat_summary(settings: SearchSettings) -> str:
    return f"flat, {settings.flat_games} games a move" if settings.flat_games else "flat"


def _gumbel_summary(settings: SearchSettings) -> str:
    return (
        f"gumbel, {settings.gumbel_considered} moves over {settings.gumbel_simulations} simulations, "
        f"c_visit {settings.c_visit:g}, c_scale {settings.c_scale:g}{_noise(settings)}"
    )


def _noise(settings: SearchSettings) -> str:
    return f", noise {settings.noise_epsilon:g}" if settings.noise_epsilon > 0 else ""


def _fpu(rule: str, reduction: float) -> str:
    return f"{rule} {reduction:g}" if rule == "reduction" else rule


_UNTRIED: Final = Text("none: a move not tried has an infinite bonus")

RULES: Final[Mapping[str, Rule]] = {
    "puct": Rule(
        code=PUCT,
        title="PUCT",
        meaning="PUCT weighs a prior (AlphaGo Zero, 2017)",
        suits="net",
        score="{Q} + {c} · {p} · √{total} / (1 + {n})",
        summary=_puct_summary,
        settings=frozenset(
            {
                "c_puct",
                "c_base",
                "c_log",
                "c_spread",
                "score_utility",
                "fpu",
                "fpu_reduction",
                "root_fpu",
                "root_fpu_reduction",
                "expansion_threshold",
            }
        ),
        constant="c_puct",
        priors=True,
        interval_words=Text("PUCT defines no interval: U weighs the prior, not doubt."),
    ),
    "ucb1": Rule(
        code=UCB1,
        title="UCB1 (UCT)",
        meaning="UCB1 weighs only the visits (UCT, 2006)",
        suits="games",
        score="{Q} + ",
        summary=_ucb_summary,
        settings=frozenset({"c_ucb", "c_form", "expansion_threshold"}),
        bonuses={
            "c": "2 · {c} · √(ln {total} / {n})",
            "inside": "2 · √({c} · ln {total} / {n})",
            "uctk": "2 · {c} · √(2 · ln {total} / {n})",
        },
        unvisited=_UNTRIED,
        interval="u",
        interval_words=Text(
            "UCB1: Q ± U. For independent values each end is wrong with a probability of at most (ΣN)^−{power:.3g}.",
            power=0.0,
        ),
    ),
    "ucb1_tuned": Rule(
        code=UCB1_TUNED,
        title=Text("UCB1 tuned"),
        meaning="tuned UCB1 also the spread of the values",
        suits="games",
        score="{Q} + 2 · {c} · √(ln {total} / {n} · min({quarter}, {variance} + √(2 · ln {total} / {n})))",
        summary=_ucb_summary,
        settings=frozenset({"c_ucb", "c_form", "expansion_threshold"}),
        squares=True,
        unvisited=_UNTRIED,
        interval="u",
        interval_words=Text(
            "Tuned UCB1: Q ± U, which follows the spread of the values; no probability is proved for it."
        ),
    ),
    "flat": Rule(
        code=FLAT,
        title=Text("flat Monte Carlo"),
        meaning="flat plays equally many games of each move",
        suits="games",
        score="−{n}",
        summary=_flat_summary,
        settings=frozenset({"flat_games"}),
        final="mean",
        columns={
            "u": ("−N", Text("Flat search plays the move with the fewest games next.")),
            "score": (
                Text("Score"),
                Text("What selection maximises: −N; the next simulation enters the move marked ▸."),
            ),
        },
        unvisited=Text("none: the fewest games decide"),
        note=Text("the move with the fewest games is next"),
        interval="games",
        interval_words=Text(
            "Flat: Wilson's interval of {z:g} standard errors; the games of a move are independent.", z=0.0
        ),
    ),
    "gumbel": Rule(
        code=GUMBEL,
        title="Gumbel",
        meaning="Gumbel halves the field (2022)",
        suits="net",
        score="exp(ln {p} + {scale} · {q} − {log_mass}) − {n} / (1 + {total})",
        summary=_gumbel_summary,
        settings=frozenset({"gumbel_considered", "gumbel_simulations", "c_visit", "c_scale", "expansion_threshold"}),
        constant="c_visit",
        planned="{g} + ln {p} + {scale} · {q}",
        priors=True,
        columns={
            "u": (
                "π′",
                Text("Improved policy: the prior, raised where Q is above the node's value and lowered below."),
            ),
            "score": (
                Text("Score"),
                Text(
                    "What selection maximises: π′ − N / (1 + ΣN); while the root's field is halved, g + ln P + σ(Q), "
                    "−∞ for moves not due.  The next simulation enters the move marked ▸."
                ),
            ),
        },
        unvisited=Text("{unvisited}: v_mix, the net's V mixed with the Q of the moves tried", unvisited=""),
        note=Text("π′ {u}, score {score}", u="", score=""),
        interval_words=Text("Gumbel defines no interval: its noise g explores."),
    ),
}
# As ``NodeView.rule`` names them.
NAMED: Final[Mapping[str, Rule]] = {
    **RULES,
    SCORED: replace(
        RULES["puct"],
        score="{Q} + {s} + {c} · {p} · √{total} / (1 + {n})",
        columns={
            "score": (
                "Q+S+U",
                Text(
                    "What selection maximises, with simulations in flight counted as visits: S is the score utility, a "
                    "part of the lead that the settings add to Q. The next simulation enters the move marked ▸."
                ),
            )
        },
    ),
}
